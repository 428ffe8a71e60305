# SPDX-License-Identifier: MIT
"""Blender's conventions, without Blender: rest poses, curves between frames, markers, properties of existing files."""
import unittest

from support import run_tests

import marrow

try:
    import numpy
except ImportError:
    numpy = None


@unittest.skipUnless(numpy, "numpy is not there")
class Rest(unittest.TestCase):
    def setUp(self):
        lean = (0.1825742, 0.3651484, 0.5477226, 0.7302967)
        rows = [("Root", None), ("A", 0, marrow.Transform((1, 2, 3), lean)), ("B", 1, marrow.Transform((0, 4, 1), lean, (2, 2, 2)))]
        self.skeleton = marrow.Skeleton.new("Root", rows, game="skyrim-se")
        limbs = marrow.blender.limbs(self.skeleton)
        self.matrices = numpy.zeros((3, 4, 4))
        for axis, unit in enumerate(numpy.eye(3)):
            self.matrices[:, :3, axis] = marrow.blender.rotated(limbs.rotations, numpy.tile(unit, (3, 1)))
        self.matrices[:, :3, 3], self.matrices[:, 3, 3] = limbs.heads * 0.1, 1.0
        self.limbs = limbs
        self.rest = marrow.blender.BlenderRest(self.skeleton, self.matrices, 0.1)

    def test_bones_point_at_the_next_joint(self):
        way = self.limbs.heads[2] - self.limbs.heads[1]
        self.assertLess(numpy.abs(self.matrices[1, :3, 1] - way / numpy.linalg.norm(way)).max(), 1e-9)

    def test_the_rest_pose_has_channels_of_rest(self):
        made = self.rest.to_channels([0, 1, 2], self.rest.local[None])[0]
        self.assertLess(numpy.abs(made - [0, 0, 0, 1, 0, 0, 0, 1, 1, 1]).max(), 1e-9)

    def test_channels_come_back(self):
        random = numpy.random.default_rng(7)
        local = random.normal(size=(5, 3, 10))
        local[..., 3:7] /= numpy.linalg.norm(local[..., 3:7], axis=-1, keepdims=True)
        local[..., 7:] = 1.5
        back = self.rest.from_channels([0, 1, 2], self.rest.to_channels([0, 1, 2], local))
        self.assertLess(numpy.abs(back - local).max(), 1e-9)

    def test_what_is_laid_over_the_rest_pose_is_taken_off(self):
        delta = numpy.array([[[0.1, 0.2, 0.3, 0, 0.6, 0, 0.8, 1, 1, 1]] * 3])
        self.assertLess(numpy.abs(self.rest.taken_off([0, 1, 2], self.rest.laid_over([0, 1, 2], delta)) - delta).max(), 1e-9)


@unittest.skipUnless(numpy, "numpy is not there")
class Curves(unittest.TestCase):
    def test_a_cubic_is_drawn_exactly(self):
        at = numpy.arange(0, 3.01, 1 / 3)
        keys = marrow.blender.curve_keys(at**3 - 2 * at)
        points, left, right = (row.reshape(-1, 2) for row in keys.rows([0.0, 1.0, 2.0, 3.0]))
        for piece in range(3):
            b = numpy.array([points[piece], right[piece], left[piece + 1], points[piece + 1]], float)
            for t in (0.25, 0.5, 0.9):
                x, y = ((1 - t) ** 3 * b[0] + 3 * t * (1 - t) ** 2 * b[1] + 3 * t * t * (1 - t) * b[2] + t**3 * b[3])
                self.assertAlmostEqual(x, piece + t, places=5)
                self.assertAlmostEqual(y, x**3 - 2 * x, places=4)

    def test_what_does_not_move_has_one_key(self):
        self.assertEqual(len(marrow.blender.curve_keys(numpy.full(31, 2.5)).values), 1)

    def test_signs_of_quaternions_do_not_jump(self):
        q = numpy.array([[[0, 0, 0, 1.0]], [[0, 0, 0, -1.0]], [[0, 0, 0.1, -0.99]]])
        made = marrow.blender.continuous(q)
        self.assertTrue((made[..., 3] > 0).all())

    def test_fingerprints_tell_parts_apart(self):
        self.assertNotEqual(marrow.blender.fingerprint("ab", "c"), marrow.blender.fingerprint("a", "bc"))


class Markers(unittest.TestCase):
    def test_moved_markers_keep_their_text_and_others_their_time(self):
        events = [marrow.Annotation(0.101, "FootLeft"), marrow.Annotation(0.5, "x" * 90), marrow.Annotation(0.2, "FootLeft")]
        markers = marrow.blender.markers_of(events, 30.0)
        self.assertEqual(marrow.blender.events_of(markers, events, 30.0), events)
        markers[1] = (markers[1][0] + 3, markers[1][1])
        made = marrow.blender.events_of([*markers, (1, "New")], events, 30.0)
        self.assertEqual([each.text for each in made], ["FootLeft", "x" * 90, "FootLeft", "New"])
        self.assertEqual(made[0], events[0])
        self.assertAlmostEqual(made[1].time, 0.6)


class Properties(unittest.TestCase):
    def test_existing_files_are_understood(self):
        said = marrow.blender.foreign_properties(
            {"PYN_HKX_BONES": "NPC Root [Root]\nNPC COM [COM ]", "PYN_HKX_GAME": "SKYRIM", "PYN_HKX_PTR_SIZE": 8,
             "PYN_HKX_ADDITIVE": "1", "PYN_HKX_LOCK_TRANSLATION": "[0, 1]", "PYN_HKX_FLOAT_SLOTS": "hkVis:Quiver"}
        )
        self.assertEqual(said.bones, ("NPC Root [Root]", "NPC COM [COM ]"))
        self.assertEqual((said.game, said.is_additive, said.float_slots), ("skyrim-se", True, ("hkVis:Quiver",)))
        self.assertEqual(said.locked, {"NPC COM [COM ]"})
        self.assertEqual(marrow.blender.foreign_properties({"PYN_HKX_GAME": "FO4"}).game, "fallout4")
        self.assertEqual(marrow.blender.foreign_properties({}), marrow.blender.ForeignProperties())


if __name__ == "__main__":
    run_tests()
