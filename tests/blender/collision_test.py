# SPDX-License-Identifier: MIT
"""Collision in Blender: untouched the same bytes, one moved vertex one body."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from support import CORPUS, corpus, marrow, run

from marrow_addon import collision

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


def joints_are_shown():
    path = corpus("nif", "skeleton.nif")
    if path:
        made = collision.import_file(bpy.context, path)
        joints = [each for each in made.collection.objects if each.marrow.role == "joint"]
        assert len(joints) == sum(len(system.joints) for system in marrow.load(str(path)).collision)
        assert joints[0]["type"] == "ragdoll" and joints[0]["to"].startswith("COM")


def new_objects_become_bodies():
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    cube = bpy.context.object
    cube.name = "Crate_box"
    cube.marrow.motion, cube.marrow.mass, cube.marrow.material = "dynamic", 12.0, "wood"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1.0, location=(5, 0, 0))
    ball = bpy.context.object
    ball.marrow.shape = "sphere"
    blob = collision.build([cube, ball], 0.1)
    document = marrow.load(blob)
    bodies = document.collision[0].bodies
    assert [body.shape for body in bodies] == ["polytope", "sphere"], bodies
    assert abs(bodies[0].mass - 12.0) < 0.1 and bodies[0].motion == "dynamic"
    assert [each for each in marrow.check(blob) if each.level == "error"] == []


if __name__ == "__main__":
    run(
        untouched_collision_is_the_same_bytes,
        shapes_stand_where_the_game_has_them,
        one_moved_vertex_changes_one_body,
        values_of_bodies_are_set,
        joints_are_shown,
        new_objects_become_bodies,
    )
