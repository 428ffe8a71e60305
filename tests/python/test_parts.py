# SPDX-License-Identifier: MIT
"""What documents hold: skeletons, collision, meshes and rigs."""
import unittest

from support import CORPUS, CUBE, FACES, ROOT, folder, needs, needs_numpy, run_tests, skeleton, tries, walk

import marrow
from marrow import Transform


class Skeletons(unittest.TestCase):
    def test_bones_are_found_by_name_and_walked(self):
        bones = marrow.load(skeleton()).skeleton
        self.assertEqual(len(bones), 48)
        self.assertIn("NPC Head [Head]", bones)
        self.assertNotIn("Tail", bones)
        head = bones["NPC Head [Head]"]
        self.assertEqual(bones[head.index], head)
        self.assertEqual(bones.parent(head).name, "NPC Neck [Neck]")
        self.assertIn(head, bones.children("NPC Neck [Neck]"))
        self.assertEqual([b.index for b in bones.chain("NPC COM [COM ]", head)], [1, 2, 3, 4, 5, 6, 7])
        with self.assertRaises(ValueError):
            bones.chain(head, "NPC COM [COM ]")
        self.assertEqual(bones.rest_pose[head.name], head.rest)
        self.assertAlmostEqual(bones.to_model(bones.rest_pose)[head.name].translation[2], 120, 3)
        self.assertIn("48 bones", repr(bones))
        self.assertEqual([bone.name for bone in bones[:2]], list(bones.names[:2]))

    def test_a_skeleton_is_made_and_written(self):
        made = marrow.Skeleton.new(
            "Root",
            [("Root", None), ("Tail 1", "Root", Transform((0, 0, 5))), ("Tail 2", 1)],
            [marrow.FloatSlot("hkVis:Quiver")],
            game="skyrim-se",
        )
        with folder():
            made.save("tail.hkx")
            again = marrow.load("tail.hkx").skeleton
            self.assertEqual(again.names, ("Root", "Tail 1", "Tail 2"))
            self.assertEqual((again.parents, again.float_slots[0].name), ((-1, 0, 1), "hkVis:Quiver"))
            self.assertEqual(again["Tail 1"].rest.translation, (0, 0, 5))
        with self.assertRaises(marrow.NotFoundError):
            marrow.Skeleton.new("A", [("A", "B"), ("B", None)])
        with self.assertRaises(marrow.FormatError):
            marrow.Skeleton.new("A", [("A", None), ("A", 0)])


class Collision(unittest.TestCase):
    def test_collision_is_built_from_lists(self):
        mesh = marrow.Mesh(CUBE, FACES, name="Crate", material_names="wood")
        document = marrow.build_collision(mesh, shape="hull", mass=12)
        (system,) = document.collision
        (body,) = system.bodies
        self.assertEqual((system.kind, system.block, body.shape, body.motion), ("physics", None, "polytope", "dynamic"))
        self.assertAlmostEqual(body.mass, 12, 4)
        self.assertEqual([finding for finding in document.check() if finding.level != "info"], [])
        self.assertIn("1 bodies", repr(system))
        listed = marrow.ops.collision_list(document)["systems"][0]["bodies"][0]
        self.assertEqual(listed["mass"], body.mass)
        surface = document.collision_meshes(solid=True)[0]
        self.assertGreaterEqual(surface.triangle_count, 12)
        two = marrow.build_collision([mesh, marrow.Mesh(CUBE, FACES, name="Lid")], shape="box")
        self.assertEqual(len(two.collision[0].bodies), 2)
        with self.assertRaises(ValueError):
            marrow.Mesh(CUBE, [(0, 1)])
        with self.assertRaises(ValueError):
            marrow.Mesh(CUBE, FACES, materials=[0])

    def test_meshes_of_a_document_are_its_visible_shapes(self):
        (mesh,) = marrow.load(tries() / "cube").meshes
        self.assertEqual((mesh.name, mesh.vertex_count, mesh.triangle_count), ("Crate", 8, 12))
        self.assertEqual(marrow.load(walk()).meshes, ())
        self.assertEqual(marrow.load(walk()).collision_meshes(), ())
        self.assertEqual(len(marrow.material_colour(0x1DD9C611)), 3)

    def test_collision_in_a_nif_names_its_node(self):
        document = marrow.load(tries() / "nif")
        body = document.collision[0].bodies[0]
        self.assertEqual((body.node, document.collision[0].body("Door")), ("Door", body))
        with self.assertRaises(KeyError):
            document.collision[0].body("Window")

    @needs_numpy
    def test_meshes_are_arrays(self):
        import numpy as np

        mesh = marrow.Mesh(np.array(CUBE, "f8"), np.array(FACES))
        self.assertEqual((mesh.vertices.shape, mesh.triangles.shape, mesh.materials), ((8, 3), (12, 3), None))
        document = marrow.build_collision(mesh, shape="mesh")
        vertices = document.collision_meshes()[0].vertices
        del document
        self.assertLess(abs(np.sort(np.unique(vertices.round(1), axis=0).max(0)) - [10, 20, 30]).max(), 0.2)
        with self.assertRaises(ValueError):
            vertices[0] = 0

    @needs(CORPUS / "nif")
    @needs_numpy
    def test_ragdolls_and_meshes_of_real_files_are_read(self):
        kinds, joints, triangles = set(), 0, 0
        for path in sorted((CORPUS / "nif").glob("*.nif")):
            document = marrow.load(path)
            listed = marrow.ops.collision_list(path)["systems"]
            self.assertEqual(len(listed), len(document.collision), path.name)
            for system, row in zip(document.collision, listed):
                self.assertEqual((system.block, system.kind, len(system.bodies)), (row["block"], row["kind"], len(row["bodies"])))
                kinds.add(system.kind)
                joints += len(system.joints)
            triangles += sum(mesh.triangle_count for mesh in document.collision_meshes())
        self.assertIn("physics", kinds)
        self.assertTrue(joints and triangles)


    def test_materials_have_the_same_colour_by_name_and_by_crc(self):
        crc = next(int(row["crc"], 16) for row in marrow.ops.collision_materials().report["materials"] if row["name"] == "Material_Wood")
        wood = marrow.material_colour(crc)
        for name in ("Material_Wood", "wood", f"0x{crc:08x}"):
            self.assertEqual(marrow.material_colour(name), wood)
        self.assertNotEqual(marrow.material_colour("metal"), wood)
        self.assertNotEqual(marrow.material_colour("no material of the game"), wood)


class Shapes(unittest.TestCase):
    @needs_numpy
    def test_a_skinned_shape_is_posed_by_its_bones(self):
        import numpy as np

        document = marrow.load(ROOT / "fuzz/seeds/nif/skyrim-se-body.nif")
        shapes = document.shapes()
        sheet = shapes["Sheet"]
        self.assertEqual((len(shapes), sheet.vertex_count, sheet.triangle_count, sheet.is_skinned), (1, 12, 12, True))
        self.assertEqual(sheet.textures[0], "textures\\sheet_d.dds")
        self.assertEqual([shapes.bones[bone].name for bone in sheet.bones], ["Upper", "Lower"])
        self.assertFalse(sheet.positions.flags.writeable)
        with self.assertRaises(marrow.NotFoundError):
            shapes["Hat"]
        self.assertTrue(np.allclose(posed(shapes, sheet), posed_by_gltf(document), atol=1e-4))

    @needs_numpy
    def test_a_shape_is_edited_and_put_back(self):
        import numpy as np

        path = ROOT / "fuzz/seeds/nif/skyrim-se-body.nif"
        edit = marrow.BodyEdit(str(path))
        self.assertFalse(edit.has_changes())
        edit.put(edit.mesh(edit.shapes["Sheet"]))
        self.assertTrue(edit.has_changes())
        self.assertEqual(edit.put_back().bytes, path.read_bytes())  # what is equal keeps its bits

        edit = marrow.BodyEdit(str(path))
        mesh = edit.mesh(edit.shapes["Sheet"])
        mesh.positions[3] += (0, 0, 1)
        mesh.uvs[5] = (0.25, 0.5)
        edit.put(mesh)
        with folder():
            result = edit.put_back("edited.nif")
            after = marrow.load("edited.nif").shapes()["Sheet"]
        before = edit.shapes["Sheet"]
        self.assertEqual([row["positions"] for row in result.report["shapes"]], [1])
        self.assertEqual(np.flatnonzero(np.abs(after.positions - before.positions).max(axis=1)).tolist(), [3])
        self.assertAlmostEqual(float(after.positions[3, 2] - before.positions[3, 2]), 1, 3)
        self.assertTrue(np.allclose(after.uvs[5], (0.25, 0.5)))

        # A mesh is found by its name or, if that changed, by its place.
        mesh.name, mesh.block = "Hat", -1
        mesh.positions[:] = mesh.positions[::-1] * (3, 5, 7) + 40
        edit = marrow.BodyEdit(str(path))
        edit.put(mesh)
        with self.assertRaises(marrow.NotFoundError):
            edit.put_back()

    @needs_numpy
    def test_bones_of_the_skeleton_come_first_and_those_of_the_shape_hang_below_them(self):
        bones = marrow.Skeleton.new("Rig", [("Root", None), ("upper", "Root", Transform((0, 0, 20)))], game="skyrim-se")
        with folder():
            bones.save("rig.hkx")
            shapes = marrow.load(ROOT / "fuzz/seeds/nif/skyrim-se-body.nif").shapes(marrow.load("rig.hkx"))
        self.assertEqual([bone.name for bone in shapes.bones[:2]], ["Root", "upper"])
        self.assertEqual(shapes[0].bones[0], 1)
        self.assertGreater(shapes[0].bones[1], 1)


def posed(shapes, shape):
    """Returns where the bones of the rig put the vertices of a shape at rest, by numpy alone."""
    import numpy as np

    models = []
    for bone in shapes.bones:
        x, y, z, w = bone.rest.rotation
        local = np.eye(4)
        local[:3, :3] = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]) * np.array(bone.rest.scale)  # fmt: skip
        local[:3, 3] = bone.rest.translation
        models.append(local if bone.parent_index < 0 else models[bone.parent_index] @ local)
    skin = np.array([models[bone] @ bind for bone, bind in zip(shape.bones, shape.inverse_binds)])
    places = np.concatenate([shape.positions, np.ones((shape.vertex_count, 1))], axis=1)
    return np.einsum("vj,vjab,vb->va", shape.weights, skin[shape.joints], places)[:, :3]


def posed_by_gltf(document):
    """The same through the command line's glTF: what `body list` has no numbers for, the golden data of bodies judge."""
    import numpy as np

    with folder():
        document.save("sheet.glb", units="game")
        again = marrow.load("sheet.glb")
        shapes = again.shapes()
        return np.array(posed(shapes, shapes[0]))


class Rigs(unittest.TestCase):
    def rig(self):
        return marrow.Rig(skeleton(), "chain", bones=["HairBone04"])

    def test_modifiers_have_fields_that_can_be_set(self):
        rig = self.rig()
        (modifier,) = rig.modifiers
        self.assertEqual((modifier.type, modifier.bone.name), ("BallJointBoneModifier", "HairBone04"))
        self.assertEqual(modifier.order, 0)
        modifier["Mass"] = 0.5
        self.assertEqual(rig.modifiers[0]["Mass"], 0.5)
        with self.assertRaises(KeyError):
            modifier["Weight"]
        with self.assertRaises(marrow.OptionError):
            modifier["Mass"] = [1, 2]
        self.assertIn("48 bones, 1 modifiers", repr(rig))

    def test_a_character_is_stepped_saved_and_restored(self):
        simulation = self.rig().simulation()
        clip = marrow.load(walk(), skeleton=skeleton()).clip
        for pose in clip:
            last = simulation.step(1 / 30, pose)
        self.assertNotEqual(last["HairBone04"], clip[30]["NPC L Forearm [LLar]"])
        self.assertEqual(last["NPC Head [Head]"], clip[30]["NPC Head [Head]"])
        state = simulation.save_state()
        once = simulation.step(1 / 30, clip[0])
        simulation.restore_state(state)
        self.assertEqual(simulation.step(1 / 30, clip[0]), once)
        simulation.restore_state(state)
        windy = simulation.step(1 / 30, clip[0], environment=marrow.Environment(wind=(30, 0, 0)))
        self.assertNotEqual(windy, once)
        simulation.reset()
        with self.assertRaises(ValueError):
            simulation.step(1 / 30, clip.skeleton.rest_pose, weights=[1, 1])
        with self.assertRaises(marrow.Error):
            simulation.restore_state(b"nonsense")
        for ours, theirs in zip(marrow.Environment().gravity, marrow.Environment.default().gravity):
            self.assertAlmostEqual(ours, theirs, 5)

    def test_addons_of_anvil_are_merged(self):
        rigs = ROOT / "examples/anvil"
        rig = marrow.Rig(rigs / "generic_male.xml", addons=[rigs / "addon_hair_strand.xml"], game="rogue")
        self.assertGreater(len(rig.bones), len(marrow.load(rigs / "generic_male.xml").skeleton))
        self.assertTrue(rig.modifiers)
        self.assertEqual(len(rig.simulation().step(1 / 30)), len(rig.bones))


if __name__ == "__main__":
    run_tests()
