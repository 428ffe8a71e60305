# SPDX-License-Identifier: MIT
"""What Python people expect: typed, pickled, tables, folders, errors of one family."""
import importlib.util
import io
import pathlib
import pickle
import shutil
import subprocess
import sys
import types
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

    def test_marrow_shows_what_is_meant_for_people(self):
        shown = {name for name in dir(marrow) if not name.startswith("_")}
        self.assertEqual(shown, set(marrow.__all__) - {"__version__"})
        modules = {name for name in shown if isinstance(getattr(marrow, name), types.ModuleType)}
        self.assertEqual(modules, {"blender", "operations", "ops"})
        self.assertEqual([name for name in modules if name.title() in shown], [])
        self.assertEqual({marrow.Clip.__module__, marrow.NoBoneError.__module__, marrow.load.__module__}, {"marrow"})

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

    def test_what_an_operation_made_is_what_the_next_one_takes(self):
        twice = marrow.ops.clip_reverse(marrow.ops.clip_reverse(walk()))
        self.assertEqual(marrow.ops.diff(walk(), twice).report["differences"], [])
        self.assertEqual(marrow.load(twice).clip.frame_count, clip().frame_count)
        with self.assertRaises(marrow.OptionError) as raised:
            marrow.ops.clip_reverse(marrow.ops.info(walk()))
        self.assertIn("info made no file", str(raised.exception))


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
            lambda: one.pose(0.1, space="modell"),
            lambda: one.pose(0.1, frame=3),
            lambda: one.pose(float("nan")),
            lambda: setattr(one, "track_to_bone", [70000] * one.track_count),
            lambda: marrow.Clip({"A": {"rotations": [[0, 0, 0, 0]]}}),
            lambda: marrow.Clip({"A": {"translations": [[float("nan"), 0, 0]]}}),
            lambda: marrow.Clip({"A": {"translations": [[0, 0, 0]]}}, fps=0),
            lambda: marrow.Clip({"A": [marrow.Transform(rotation=(0, 0, 0, 0))]}),
            lambda: marrow.Pose.make([marrow.Transform(rotation=(0, 0, 0, 0))]),
            lambda: marrow.run("compress", [("clop", walk())]),
            lambda: marrow.Rig(skeleton(), "ponytale"),
            lambda: one.simulate("ponytale"),
            lambda: marrow.BodyEdit(skeleton()),
            lambda: one[::0],
        ):
            with self.assertRaises(marrow.Error):
                wrong()

    def test_wrong_types_are_errors_of_both_families(self):
        one = clip()
        for wrong in (
            lambda: one.pose("soon"),
            lambda: one.annotations.add("soon", "Word"),
            lambda: one.annotations.add(0.1, 7),
            lambda: one.sample(frame="soon"),
            lambda: setattr(one, "duration", "long"),
            lambda: setattr(one, "name", 5),
            lambda: setattr(one, "skeleton", 5),
            lambda: setattr(one, "root_motion", 5),
            lambda: setattr(one, "track_to_bone", ["Pelvis"]),
            lambda: one.set_frames("abc"),
            lambda: one.retarget(5),
            lambda: one.save(5),
            lambda: marrow.load(5),
            lambda: marrow.load(io.StringIO("text")),
            lambda: marrow.ops.compress(5),
            lambda: marrow.Clip([1, 2]),
            lambda: marrow.Clip({"A": 5}),
            lambda: marrow.Clip({"A": [1, 2]}),
            lambda: marrow.Clip({"A": {"rotations": [["a", 0, 0, 1]]}}),
            lambda: marrow.Clip({"A": {"rotations": [[0, 0, 0, 1]]}}, fps="30"),
            lambda: marrow.Skeleton.new("S", [5]),
            lambda: marrow.Skeleton.new("S", [("A",)]),
            lambda: marrow.Pose.make([1, 2]),
            lambda: one[None],
            lambda: one[1, 2],
            lambda: one.pose()[None],
            lambda: one.track(None),
            lambda: one.track(0)["soon"],
            lambda: one.annotations["soon"],
            lambda: setattr(one, "annotations", 5),
            lambda: setattr(one, "annotations", "FootLeft"),
            lambda: marrow.load_all(None),
            lambda: marrow.sample_many([(one, "soon")]),
            lambda: marrow.sample_many([("walk", 0.1)]),
        ):
            with self.assertRaises(marrow.WrongTypeError) as raised:
                wrong()
            self.assertIsInstance(raised.exception, TypeError)

    def test_what_is_not_there_is_an_error_of_both_families(self):
        one = clip()
        for family, wrong in (
            (KeyError, lambda: one.track("No Such Bone")),
            (KeyError, lambda: one.skeleton["No Such Bone"]),
            (IndexError, lambda: one[10000]),
            (IndexError, lambda: one.track(10000)),
            (IndexError, lambda: one.track(0)[10000]),
            (IndexError, lambda: one.pose()[10000]),
            (IndexError, lambda: one.annotations[10000]),
            (IndexError, lambda: one.annotations.pop(10000)),
        ):
            with self.assertRaises(family) as raised:
                wrong()
            self.assertIsInstance(raised.exception, marrow.NotFoundError)
        document = one.document
        document.close()
        with self.assertRaises(marrow.ClosedError):
            document.skeletons

    @needs_numpy
    def test_motion_that_is_no_motion_is_not_saved(self):
        for change in (lambda one: one.rotations.__setitem__((3, 1), 0.0), lambda one: one.translations.__setitem__((3, 1), float("nan"))):
            one = clip()
            change(one)
            for options in ({}, {"uncompressed": True}):
                with self.assertRaises(marrow.FormatError) as raised:
                    one.document.to_bytes(**options)
                self.assertIn("frame 3, track 1", str(raised.exception))

    def test_messages_have_the_words_of_the_caller(self):
        with self.assertRaises(marrow.OptionError) as raised:
            clip().save("x.hkx", game="tetris")
        self.assertEqual(raised.exception.path, "game")
        self.assertTrue(str(raised.exception).startswith("game"), str(raised.exception))
        with self.assertRaises(marrow.OptionError) as raised:
            clip().duration = -1.0
        self.assertEqual(raised.exception.path, "duration")

    def test_a_late_event_of_a_file_may_stay(self):
        one = clip()
        one.duration = one.duration / 2.0
        count = len(one.annotations)
        one.annotations.add(0.0, "Start")
        self.assertEqual(len(one.annotations), count + 1)


if __name__ == "__main__":
    sys.exit(run_tests())
