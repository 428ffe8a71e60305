# SPDX-License-Identifier: MIT
"""Collision in Blender: untouched the same bytes, one moved vertex one body."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from mathutils import Vector
from support import CORPUS, SCRATCH, corpus, marrow, run

from marrow_addon import collision, collision_build, joints

FILES = ("CapsuleExtStairsFree01", "44BullBarrel", "Prewar_Ball01", "CrateDeathclaw01", "Workshop_BldWoodPDoor02", "PoolTable01")


def untouched_collision_is_the_same_bytes():
    paths = sorted((CORPUS / "nif").glob("*.nif"))
    if not paths:
        print(f"SKIPPED: {CORPUS / 'nif'} is not there")
    for path in paths:
        try:
            made = collision.import_file(bpy.context, path)
        except marrow.NoCollisionError:
            continue
        out = collision.export_collection(made.collection)
        assert out.is_original and out.data == path.read_bytes(), path.name
        assert len(made.bodies) == sum(len(system.bodies) for system in marrow.load(str(path)).collision), path.name


def shapes_stand_where_the_game_has_them():
    path = corpus("nif", "CapsuleExtStairsFree01.nif")
    if path:
        made = collision.import_file(bpy.context, path, units="game")
        for mesh in marrow.load(str(path)).collision_meshes():
            owner = bpy.data.objects[mesh.name]
            assert numpy.abs(numpy.array(owner.matrix_world.translation) - mesh.placement.translation).max() < 1e-4
            seen = numpy.array([tuple(vertex.co) for vertex in owner.data.vertices])
            assert numpy.abs(seen - mesh.vertices).max() < 1e-5
        assert made.bodies[1].marrow.layer == "STAIRHELPER" and made.bodies[0].marrow.motion == "static"


def one_moved_vertex_changes_one_body():
    for name in FILES:
        path = corpus("nif", name + ".nif")
        if not path:
            continue
        made = collision.import_file(bpy.context, path)
        owner = next(each for each in made.collection.objects if each.type == "MESH")
        owner.data.vertices[0].co.z += 0.05
        out = collision.export_collection(made.collection)
        assert not out.is_original and out.changed == [owner.marrow.mesh_name], out.changed
        before, after = marrow.load(str(path)), marrow.load(out.data)
        for was, now in zip(before.collision_meshes(), after.collision_meshes()):
            is_same = was.vertices.shape == now.vertices.shape and (was.vertices == now.vertices).all()
            body_of_it = now.name.split(".child")[0] == owner.marrow.mesh_name.split(".child")[0]
            assert is_same or body_of_it, (name, now.name)
        body = made.bodies[0].marrow.body
        others = [each for each in marrow.diff(str(path), out.data) if ".bodyCinfos[" in each.object]
        assert all(f".bodyCinfos[{body}]" in each.object for each in others), name
        assert [each for each in marrow.check(out.data) if each.level == "error"] == [], name


def values_of_bodies_are_set():
    path = corpus("nif", "Prewar_Ball01.nif")
    if path:
        made = collision.import_file(bpy.context, path)
        made.bodies[0].marrow.mass = 4.0
        made.bodies[0].marrow.material = "Material_Wood"
        out = collision.export_collection(made.collection)
        body = marrow.load(out.data).collision[0].bodies[0]
        assert abs(body.mass - 4.0) < 0.01 and not out.is_original
        row = marrow.run("collision list", [("file", out.data)]).report["systems"][0]["bodies"][0]
        assert row["material"] == "Material_Wood", row


def joints_of(data):
    return marrow.run("collision joints", [("file", data)]).report["joints"]


def changed_values(before, after):
    """Returns what differs between two lists of joints: number and name of the value."""
    assert len(before) == len(after)
    return {(row["joint"], name) for row, new in zip(before, after) for name in {*row, *new} if row.get(name) != new.get(name)}


def imported_joints(path):
    made = collision.import_file(bpy.context, path)
    owners = sorted((each for each in made.collection.objects if each.marrow.role == "joint"), key=lambda each: each.marrow.joint.number)
    return made, owners


def joints_stand_on_their_bodies():
    path = corpus("nif", "skeleton.nif")
    if path:
        made, owners = imported_joints(path)
        rows = joints_of(str(path))
        assert len(owners) == len(rows) == 17
        document = marrow.load(str(path))
        meshes = {mesh.name: mesh for mesh in document.collision_meshes()}
        for owner, row in zip(owners, rows):
            kept = owner.marrow.joint
            assert kept.kind == row["type"].replace(" ", "-") and kept.body.marrow.body == row["body"]
            assert kept.to.marrow.body == row["to"] and kept.body.marrow.node == row["node"]
            if kept.kind == "ragdoll":
                assert numpy.allclose(kept.twist, row["twist"], atol=1e-5) and abs(kept.cone - row["cone"]) < 1e-4
            if row["pivot"] == [0, 0, 0]:  # the node of the body itself
                place = meshes[kept.body.marrow.mesh_name].placement.translation
                assert numpy.abs(numpy.array(owner.matrix_world.translation) / made.collection.marrow.scale - place).max() < 1e-3


def one_limit_changes_exactly_that():
    path = corpus("nif", "skeleton.nif")
    if not path:
        return
    made, owners = imported_joints(path)
    chosen = next(each for each in owners if each.marrow.joint.kind == "ragdoll")
    chosen.marrow.joint.cone = 41.5
    out = collision.export_collection(made.collection)
    assert out.changed == [chosen.name] and not out.is_original
    number = chosen.marrow.joint.number
    assert changed_values(joints_of(str(path)), joints_of(out.data)) == {(number, "cone")}
    differences = marrow.diff(str(path), out.data)
    assert len(differences) == 1 and "coneLimit" in f"{differences[0].object} {differences[0].field}", differences
    was, now = path.read_bytes(), out.data
    assert len(was) == len(now) and sum(a != b for a, b in zip(was, now)) <= 4, "only the float of the limit"
    assert [each for each in marrow.check(out.data) if each.level == "error"] == []


def pivots_and_kinds_come_back():
    path = corpus("nif", "skeleton.nif")
    if not path:
        return
    made, owners = imported_joints(path)
    moved, other = owners[0], owners[5]
    moved.location.z += 0.3
    other.marrow.joint.kind = "limited-hinge" if other.marrow.joint.kind == "ragdoll" else "ragdoll"
    kind = other.marrow.joint.kind
    bpy.context.view_layer.update()
    out = collision.export_collection(made.collection)
    assert sorted(out.changed) == sorted([moved.name, other.name])
    before, after = joints_of(str(path)), joints_of(out.data)
    assert after[5]["type"].replace(" ", "-") == kind and "angle" in after[5] or "twist" in after[5]
    changed = {each for each in changed_values(before, after) if each[0] != 5}
    assert changed == {(0, "pivot"), (0, "to_pivot")}, changed
    again = collision.import_file(bpy.context, _scratch("moved.nif", out.data))
    same = next(each for each in again.collection.objects if each.marrow.role == "joint" and each.marrow.joint.number == 0)
    assert (same.matrix_world.translation - moved.matrix_world.translation).length < 1e-4


def _scratch(name, data):
    path = SCRATCH / name
    path.write_bytes(data)
    return path


def cube(name, at, size=2.0, **values):
    bpy.ops.mesh.primitive_cube_add(size=size, location=at)
    owner = bpy.context.object
    owner.name = name
    for key, value in values.items():
        setattr(owner.marrow, key, value)
    return owner


def joints_are_added_and_removed():
    frame = cube("Frame_box", (0, 0, 0), motion="static")
    door = cube("Door_box", (2, 0, 0), motion="dynamic", mass=5.0)
    frame.select_set(True)
    bpy.context.view_layer.objects.active = door
    assert bpy.ops.marrow.add_joint(kind="limited-hinge") == {"FINISHED"}
    hinge = bpy.context.object
    assert hinge.marrow.joint.body == door and hinge.marrow.joint.to == frame
    hinge.location = (1.0, 0.0, 0.0)
    hinge.rotation_quaternion = (0.70710678, 0.0, -0.70710678, 0.0)  # X upwards
    hinge.marrow.joint.angle = (-90.0, 10.0)
    bpy.context.view_layer.update()
    blob = collision_build.build([frame, door, hinge], 0.1)
    row = joints_of(blob)[0]
    assert row["type"] == "limited hinge" and numpy.allclose(row["angle"], (-90, 10), atol=1e-3), row
    assert (row["body"], row["to"]) == (1, 0) and numpy.allclose(row["axis"], (0, 0, 1), atol=1e-5), row
    assert numpy.allclose(row["to_pivot"], (10, 0, 0), atol=1e-4), row
    assert [each for each in marrow.check(blob) if each.level == "error"] == []
    made, owners = imported_joints(_scratch("door.hkx", blob))
    assert collision.export_collection(made.collection).data == blob, "untouched, the same bytes"
    wall = cube("Wall_box", (0, 6, 0), motion="static")
    made, owners = imported_joints(_scratch("walls.hkx", collision_build.build([frame, door, wall, hinge], 0.1)))
    owners[0].marrow.joint.to = next(each for each in made.collection.objects if each.marrow.role == "body" and each.marrow.body == 2)
    row = joints_of(collision.export_collection(made.collection).data)[0]
    assert (row["body"], row["to"]) == (1, 2), row
    made, owners = imported_joints(SCRATCH / "door.hkx")
    bpy.data.objects.remove(owners[0])
    assert joints_of(collision.export_collection(made.collection).data) == []


def new_objects_become_bodies():
    box = cube("Crate_box", (0, 0, 0), motion="dynamic", mass=12.0, material="wood")
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1.0, location=(5, 0, 0))
    ball = bpy.context.object
    ball.marrow.shape = "sphere"
    blob = collision_build.build([box, ball], 0.1)
    document = marrow.load(blob)
    bodies = document.collision[0].bodies
    assert [body.shape for body in bodies] == ["polytope", "sphere"], bodies
    assert abs(bodies[0].mass - 12.0) < 0.1 and bodies[0].motion == "dynamic"
    assert [each for each in marrow.check(blob) if each.level == "error"] == []


def shapes_go_into_a_nif_that_changes_only_there():
    path = corpus("nif", "LBoot.nif")  # a NIF with several nodes
    if not path:
        return
    target = _scratch("target.nif", path.read_bytes())
    box = cube("Box_box", (0.5, 0.25, 1.0), size=0.4, node="LLeg_Foot", motion="static", material="wood")
    assert bpy.ops.marrow.export_collision(filepath=str(target), radius=0.0) == {"FINISHED"}
    kinds = {each.object for each in marrow.diff(str(path), str(target))}
    document = marrow.load(str(target))
    system, body = next((each, body) for each in document.collision for body in each.bodies if body.node == "LLeg_Foot")
    assert body.motion == "static" and body.shape == "polytope"
    mesh = next(each for each in document.collision_meshes() if each.name.startswith("LLeg_Foot"))
    matrix = joints.poses_of(document)[(system.block, body.index)]
    seen = numpy.array([tuple(matrix @ Vector(vertex)) for vertex in mesh.vertices])
    assert numpy.abs(seen.min(axis=0) - (3.0, 0.5, 8.0)).max() < 0.02, seen.min(axis=0)
    assert numpy.abs(seen.max(axis=0) - (7.0, 4.5, 12.0)).max() < 0.02, seen.max(axis=0)
    # The node; the root, which gets BSXFlags, and their name among the strings; system, collision object and flags.
    assert kinds == {"blocks[4].NiNode", "blocks[0].NiNode", "", "blocks[11]", "blocks[12]", "blocks[13]"}, kinds
    box.marrow.node = "No Such Node"
    try:
        bpy.ops.marrow.export_collision(filepath=str(target))
        raise AssertionError("the node is missing")
    except RuntimeError as error:
        assert "No Such Node" in str(error) and "LLeg_Foot" in str(error), error


def applied_transforms_change_nothing():
    paths = sorted((CORPUS.parent / "characters" / "bhk").glob("*.nif")) + [CORPUS / "nif" / f"{name}.nif" for name in FILES]
    box, ball = cube("Lid_box", (3, 1, 2), motion="static"), cube("Latch_box", (-1, 4, 0), motion="static")
    box.rotation_euler = (0.3, 0.2, 0.1)
    bpy.context.view_layer.update()
    paths.append(_scratch("applied.hkx", collision_build.build([box, ball], 0.1)))
    for path in filter(pathlib.Path.is_file, paths):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        made = collision.import_file(bpy.context, path)
        shapes = [each for each in made.collection.objects if each.type == "MESH"]
        for owner in shapes:
            owner.select_set(True)
        bpy.context.view_layer.objects.active = shapes[0]
        assert bpy.ops.object.transform_apply(location=True, rotation=True, scale=True) == {"FINISHED"}
        out = collision.export_collection(made.collection)
        assert out.is_original and out.data == path.read_bytes(), (path.name, out.changed)
        shapes[0].data.vertices[0].co.z += 0.05
        assert collision.export_collection(made.collection).changed == [shapes[0].marrow.mesh_name], path.name


def skyrims_collision_comes_and_goes():
    """Phantoms, joints that are blocks of their own, springs and chains: shown, left alone, and edited one by one."""
    folder = CORPUS.parent / "characters" / "bhk"
    paths = sorted(folder.glob("*.nif"))
    if not paths:
        print(f"SKIPPED: {folder} is not there")
    kinds = set()
    for path in paths:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        made, owners = imported_joints(path)
        kinds.update(each.marrow.motion for each in made.bodies)
        kinds.update(each.marrow.joint.kind for each in owners)
        assert len(owners) == len(joints_of(str(path))), path.name
        out = collision.export_collection(made.collection)
        assert out.is_original and out.data == path.read_bytes(), path.name
        chosen = next((each for each in owners if each.marrow.joint.kind == "limited-hinge"), None)
        if chosen is None:
            continue
        chosen.marrow.joint.angle = (-12.0, 34.0)
        out = collision.export_collection(made.collection)
        number = chosen.marrow.joint.number
        assert changed_values(joints_of(str(path)), joints_of(out.data)) == {(number, "angle")}, path.name
    assert not paths or {"phantom", "dynamic", "static", "ragdoll", "limited-hinge", "other"} <= kinds, kinds


def materials_have_the_colours_of_exports():
    path = corpus("nif", "ToyBlock01.nif")
    if path:
        collision.import_file(bpy.context, path)
        exported = marrow.run("collision export", [("file", str(path))], {"format": "obj"}).files[-1].data.decode()
        right = [float(each) for each in exported.split("Kd ")[1].split()[:3]]
        assert numpy.allclose(bpy.data.materials["Material_Wood"].diffuse_color[:3], right, atol=1e-6)


if __name__ == "__main__":
    run(
        untouched_collision_is_the_same_bytes,
        shapes_stand_where_the_game_has_them,
        one_moved_vertex_changes_one_body,
        values_of_bodies_are_set,
        joints_stand_on_their_bodies,
        one_limit_changes_exactly_that,
        pivots_and_kinds_come_back,
        joints_are_added_and_removed,
        new_objects_become_bodies,
        shapes_go_into_a_nif_that_changes_only_there,
        applied_transforms_change_nothing,
        skyrims_collision_comes_and_goes,
        materials_have_the_colours_of_exports,
    )
