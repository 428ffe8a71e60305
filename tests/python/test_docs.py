# SPDX-License-Identifier: MIT
"""The code on the pages about Python runs."""
import contextlib
import importlib.util
import io
import pathlib
import re
import shutil
import unittest

from support import ROOT, folder, needs_numpy, run_tests, skeleton, tries, walk

import marrow


def blocks(page):
    """Returns the Python blocks of a page with the headings that they are under."""
    heading, found = "", []
    for match in re.finditer(r"^```python\n(.*?)^```|^#+ (.*?)$", (ROOT / "docs" / page).read_text(), re.M | re.S):
        if match[2]:
            heading = match[2]
        else:
            found.append((heading, match[1]))
    return found


def files():
    """Puts the files that the pages speak of into the current folder."""
    shutil.copy(walk(), "idle.hkx")
    shutil.copy(skeleton(), "skeleton.hkx")
    shutil.copy(skeleton("fallout4"), "fallout4-skeleton.hkx")
    shutil.copy(tries() / "bare nif", "door.nif")
    for name in ("clips/walk.hkx", "clips/sub/other.hkx"):
        pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(walk(), name)


@needs_numpy
class Pages(unittest.TestCase):
    def run_block(self, text, names):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, "page", "exec"), names)
        return printed.getvalue()

    def test_the_guide_runs_from_its_first_line_to_its_last(self):
        found = blocks("python.md")
        self.assertLessEqual(len(found[0][1].strip().splitlines()), 10, "it starts with ten lines")
        with folder():
            files()
            names = {}
            printed = "".join(self.run_block(text, names) for _, text in found)
            self.assertEqual(marrow.load("out.hkx").game, "fallout4")
            self.assertIn("FootLeft", [each.text for each in marrow.load("out.hkx").clip.annotations])
            self.assertTrue(pathlib.Path("idle.glb").exists() and pathlib.Path("small.hkx").exists())
            self.assertIn("half.hkx", printed)

    def test_every_recipe_runs_alone(self):
        found = blocks("python-recipes.md")
        self.assertEqual(len(found), 7)
        for heading, text in found:
            if "matplotlib" in text and importlib.util.find_spec("matplotlib") is None:
                print(f"{heading}: matplotlib is not installed, skipped")
                continue
            with folder(), self.subTest(recipe=heading):
                files()
                printed = self.run_block(text, {})
                getattr(self, "see_" + re.sub(r"\W+", "_", heading.lower()).strip("_"))(printed)

    def see_edit_the_events_of_a_folder(self, printed):
        for name in ("walk.hkx", "sub/other.hkx"):
            texts = [each.text for each in marrow.load(pathlib.Path("edited") / name).clip.annotations]
            self.assertEqual(texts.count("FootLeft"), 1)
            self.assertFalse(any(text.startswith("SoundPlay.") for text in texts))

    def see_plot_a_bone_s_curve(self, printed):
        self.assertEqual(pathlib.Path("thigh.png").read_bytes()[:4], b"\x89PNG")

    def see_collision_from_arrays(self, printed):
        self.assertIn("mesh static", printed)
        self.assertIn("polytope dynamic 2.0", printed)
        body = marrow.load("door-with-bowl.nif").collision[0].bodies[0]
        self.assertEqual((body.node, body.shape), ("Door", "mesh"))

    def see_a_ponytail_simulated_and_baked(self, printed):
        skeleton = marrow.load("skeleton-with-tail.hkx").skeleton
        for name in ("idle-with-tail.hkx", "baked.hkx"):
            clip = marrow.load(name, skeleton=skeleton).clip
            tail = clip["Tail 2"].rotations
            self.assertEqual(len(clip), 31, name)
            self.assertGreater(tail.std(axis=0).max(), 1e-3, name)

    def see_edit_motion_step_by_step(self, printed):
        clip = marrow.load("idle-long.hkx", skeleton="skeleton.hkx").clip
        self.assertEqual(len(clip), 4 * 24 + 1)
        first, second = (clip.pose(frame=f)["NPC Head [Head]"].rotation for f in (5, 29))
        self.assertLess(max(abs(a - b) for a, b in zip(first, second)), 1e-3)
        self.assertIn("now 0.0", printed)

    def see_keep_feet_from_sliding_in_a_folder(self, printed):
        drifts = [float(line.split("-> ")[1].split()[0]) for line in printed.splitlines()]
        self.assertGreaterEqual(len(drifts), 4)
        self.assertLess(max(drifts), 0.1)
        for name in ("walk.hkx", "sub/other.hkx"):
            self.assertEqual(len(marrow.load(pathlib.Path("locked") / name).clip), 31)

    def see_retarget_a_folder(self, printed):
        self.assertEqual(len(printed.splitlines()), 2)
        for name in ("walk.hkx", "sub/other.hkx"):
            self.assertEqual(marrow.load(pathlib.Path("retargeted") / name).game, "fallout4")


if __name__ == "__main__":
    run_tests()
