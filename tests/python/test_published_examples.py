# SPDX-License-Identifier: MIT
"""The usage examples of the published animation document, in as many lines as there or fewer."""
import contextlib
import io
import shutil
import unittest

from support import folder, needs_numpy, run_tests, skeleton, walk

import marrow

# How many lines each example has in the document.
LOAD_AND_INSPECT, LOAD_A_SKELETON, WRITE_FROM_LISTS, BLENDER = 8, 6, 12, 4

load_and_inspect = """
import marrow
clip = marrow.load("idle.hkx", skeleton="skeleton.hkx").clip
print(f"{clip.duration:.2f}s, {clip.frame_count} frames, {clip.track_count} tracks")
for track in clip.tracks:
    print(f"  {track.name}: {len(track.rotations)} rot keys, {len(track.translations)} pos keys")
"""

load_a_skeleton = """
import marrow
for bone in marrow.load("skeleton.hkx").skeleton:
    print(f"  {bone.name} (parent={bone.parent_index}) pos={bone.rest.translation} rot={bone.rest.rotation}")
"""

write_from_lists = """
import marrow
clip = marrow.Clip({"Pelvis": {
    "translations": [[0, 0, i * 0.01] for i in range(31)],
    "rotations": [[0, 0, 0, 1]] * 31,
    "scales": [[1, 1, 1]] * 31,
}}, duration=1.0)
clip.save("output.hkx", game="fallout4")
"""

# There the deltas alone take four lines, two for each kind of clip, and the way back is left to the reader.
through_blender = """
clip = marrow.load("idle.hkx", skeleton="skeleton.hkx").clip
motion = marrow.blender.to_blender(clip)
marrow.blender.from_blender(clip, motion)
clip.save("output.hkx")
"""


class PublishedExamples(unittest.TestCase):
    def run_example(self, text, most):
        lines = [line for line in text.strip().splitlines() if line.strip()]
        self.assertLessEqual(len(lines), most)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, "example", "exec"), {"marrow": marrow})
        return printed.getvalue()

    def files(self):
        shutil.copy(walk("fallout4"), "idle.hkx")
        shutil.copy(skeleton("fallout4"), "skeleton.hkx")

    @needs_numpy
    def test_load_and_inspect(self):
        with folder():
            self.files()
            printed = self.run_example(load_and_inspect, LOAD_AND_INSPECT)
        self.assertIn("1.00s, 31 frames, 48 tracks", printed)
        self.assertIn("NPC Head [Head]: 31 rot keys, 31 pos keys", printed)

    def test_load_a_skeleton(self):
        with folder():
            self.files()
            printed = self.run_example(load_a_skeleton, LOAD_A_SKELETON)
        self.assertEqual(len(printed.splitlines()), 48)
        self.assertIn("NPC COM [COM ] (parent=0) pos=(0.0, 0.0, 68.0) rot=(0.0, 0.0, 0.0, 1.0)", printed)

    def test_write_an_animation_from_lists(self):
        with folder():
            self.run_example(write_from_lists, WRITE_FROM_LISTS)
            made = marrow.load("output.hkx")
            self.assertEqual((made.game, made.clip.frame_count, made.clip.bone_names), ("fallout4", 31, ("Pelvis",)))
            self.assertAlmostEqual(made.clip["Pelvis"][15].translation[2], 0.15, 4)
            self.assertEqual([f for f in made.check() if f.level == "error"], [])

    @needs_numpy
    def test_through_blenders_conventions_and_back(self):
        with folder():
            self.files()
            self.run_example(through_blender, BLENDER)
            self.assertEqual(marrow.diff("idle.hkx", "output.hkx"), [])


if __name__ == "__main__":
    run_tests()
