# SPDX-License-Identifier: MIT
"""What Python people expect: typed, pickled, tables, folders, errors of one family."""
import importlib.util
import pathlib
import pickle
import shutil
import subprocess
import sys
import unittest

from support import ROOT, folder, needs_numpy, run_tests, skeleton, walk

import marrow

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
USE = '''
import marrow

clip = marrow.load("walk.hkx", skeleton="skeleton.hkx").clip
head = clip.rotations[0, "NPC Head [Head]"]
clip.rotations[3, "Pelvis"] = head
clip.annotations.add(0.5, "FootLeft")
clip.annotations.add(frame=3, text="FootRight")
clip.save("out.hkx", game="fallout4", max_rotation_error=0.05, units="game")
for document in marrow.load_all("clips", match="*.hkx"):
    print(document.clip.mirror().duration)
'''


def clip():
    return marrow.load(walk(), skeleton=skeleton()).clip


class Types(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mypy"), "mypy is not installed")
    def test_mypy_is_strictly_content(self):
        with folder():
            pathlib.Path("use.py").write_text(USE)
            done = subprocess.run(
                ["mypy", "--strict", ROOT / "python/marrow", "use.py"],
                env={"MYPYPATH": str(ROOT / "python"), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
            )
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_options_of_save_are_those_of_the_operations(self):
        import inspect

        known = {each["name"] for name in ("convert", "compress") for each in marrow.descriptions()[name]["options"]}
        given = set(inspect.signature(marrow.Document.save).parameters)
        left_out = {"to", "clip", "fps", "only_wrong", "format"}
        self.assertEqual(known - left_out - given, set())
        self.assertEqual(given - known, {"self", "target", "game", "skeleton", "progress", "limits"})
        for other in (marrow.Clip.save, marrow.Document.to_bytes):
            self.assertLessEqual(known - left_out, set(inspect.signature(other).parameters))


class Names(unittest.TestCase):
    def test_ops_shows_operations_only(self):
        shown = {name for name in dir(marrow.ops) if not name.startswith("__")}
        wanted = {name.replace(" ", "_").replace("-", "_") for name in marrow.descriptions()}
        self.assertEqual({name.rstrip("_") for name in shown} - {"run"}, wanted)

    def test_bones_get_blenders_names(self):
        names = ["NPC L Hand [LHnd]", "NPC R Hand [RHnd]", "NPC Head [Head]"]
        self.assertEqual(marrow.blender.blender_names(names), ["Hand.L", "Hand.R", "Head"])
        self.assertEqual(marrow.blender.match_bones(["Head", "NPC Hand.R", "Tail"], names), [2, 1, None])


class Many(unittest.TestCase):
    def test_a_folder_is_read_lazily_and_goes_on_after_a_broken_file(self):
        with folder():
            for name in ("b.hkx", "deep/a.HKX", "c.hkx"):
                path = pathlib.Path("in") / name
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(walk(), path)
            pathlib.Path("in/bad.hkx").write_bytes(b"nothing of ours")
            pathlib.Path("in/notes.txt").write_text("not a clip")
            shares, failed = [], []
            documents = marrow.load_all(
                "in", skeleton=skeleton(), progress=shares.append, on_error=lambda path, error: failed.append((path, error))
            )
            self.assertEqual(shares, [])  # nothing was read yet
            names = [document.name for document in documents]
            self.assertEqual([pathlib.Path(name).name for name in names], ["b.hkx", "c.hkx", "a.HKX"])
            self.assertEqual((shares[0], shares[-1]), (0.0, 1.0))
            self.assertEqual(pathlib.Path(failed[0][0]).name, "bad.hkx")
            self.assertIsInstance(failed[0][1], marrow.FormatError)
            with self.assertRaises(marrow.FormatError):
                list(marrow.load_all("in"))
            with self.assertRaises(marrow.CancelledError):
                list(marrow.load_all("in", progress=lambda share: False))
            with self.assertRaises(marrow.NotFoundError):
                marrow.load_all("nowhere")

    def test_a_pose_pickles(self):
        pose = clip().pose(frame=3)
        again = pickle.loads(pickle.dumps(pose))
        self.assertEqual(again, pose)
        self.assertEqual(again.names, pose.names)
        self.assertEqual(again[pose.names[1]], pose[pose.names[1]])

    @needs_numpy
    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_motion_is_a_table(self):
        one = clip()
        table = one.to_dataframe()
        self.assertEqual(len(table), one.frame_count)
        bone = one.bone_names[1]
        self.assertAlmostEqual(table[bone]["qw"].iloc[3], float(one.rotations[3, bone][3]), places=6)
        self.assertAlmostEqual(table.index[-1], one.duration, places=4)

    def test_edits_are_chained_without_files(self):
        done = clip().mirror().compress(max_rotation_error=0.1)
        done.annotations.add(frame=2, text="Here")
        self.assertAlmostEqual(done.annotations.matching("Here")[0].time, 2 / done.fps, places=5)


class Errors(unittest.TestCase):
    def test_everything_that_is_refused_is_an_error_of_marrow(self):
        one = clip()
        for wrong in (
            lambda: one.annotations.add(one.duration + 5.0, "Late"),
            lambda: one.annotations.add(-1.0, "Early"),
            lambda: one.annotations.add("soon", "Word"),
            lambda: one.annotations.add(0.1, 7),
            lambda: one.annotations.add(0.1, "Both", frame=3),
            lambda: one.annotations.add(text="Neither"),
            lambda: one.annotations.append((0.1,)),
            lambda: one.track(0).__setitem__(0, marrow.Transform(rotation=(0, 0, 0, 0))),
            lambda: one.track(0).__setitem__(0, ("left",)),
            lambda: one.pose().__setitem__(0, marrow.Transform(translation=(float("nan"), 0, 0))),
            lambda: one.track("No Such Bone"),
            lambda: marrow.Clip({"A": {"rotation": [[0, 0, 0, 1]]}}),
            lambda: one.save("x.hkx", game="skyrim"),
        ):
            with self.assertRaises(marrow.Error):
                wrong()
        with self.assertRaises(KeyError):  # as mappings do
            one.track("No Such Bone")

    def test_messages_have_the_words_of_the_caller(self):
        with self.assertRaises(marrow.OptionError) as raised:
            clip().save("x.hkx", game="tetris")
        self.assertEqual(raised.exception.path, "game")
        self.assertTrue(str(raised.exception).startswith("game"), str(raised.exception))

    def test_a_late_event_of_a_file_may_stay(self):
        one = clip()
        one.duration = one.duration / 2.0
        count = len(one.annotations)
        one.annotations.add(0.0, "Start")
        self.assertEqual(len(one.annotations), count + 1)


if __name__ == "__main__":
    sys.exit(run_tests())
