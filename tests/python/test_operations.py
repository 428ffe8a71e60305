# SPDX-License-Identifier: MIT
"""Operations as functions: signatures, outputs, sources of every kind."""
import inspect
import io
import json
import os
import pathlib
import subprocess
import sys
import unittest

from support import ROOT, command, folder, run_tests, skeleton, walk

import marrow


class Functions(unittest.TestCase):
    def test_every_operation_is_a_function_with_its_options(self):
        for name, described in marrow.descriptions().items():
            function = getattr(marrow.ops, name.replace(" ", "_").replace("-", "_"))
            parameters = inspect.signature(function).parameters
            for row in described["options"]:
                names = {row["name"], row["name"] + "_", row["name"] + "_index", row["name"] + "_name"}
                self.assertTrue(names & set(parameters), f"{name}: {row['name']}")
            for row in described["inputs"]:
                self.assertTrue({row["name"], row["name"] + "_"} & set(parameters), f"{name}: {row['name']}")
            self.assertIn("Args:", function.__doc__)
            self.assertIn(described["summary"][1:20], function.__doc__)

    def test_types_hold(self):
        """The package and its stubs, as mypy sees them."""
        try:
            done = subprocess.run(
                ["mypy", "--strict-optional", "--no-error-summary", "--cache-dir=/dev/null", "-p", "marrow"],
                cwd=ROOT / "python", capture_output=True, text=True,
            )
        except FileNotFoundError:
            self.skipTest("mypy is not installed")
        self.assertEqual(done.stdout, "")

    def test_outputs_follow_the_rules_of_the_command_line(self):
        with folder():
            os.mkdir("out")
            result = marrow.ops.compress(walk(), max_rotation_error=0.1, output="out")
            self.assertEqual(result.paths, (os.path.join("out", "walk.hkx"),))
            result = marrow.ops.convert(walk(), skeleton=skeleton(), format="glb", output="out")
            self.assertEqual(result.paths, (os.path.join("out", "walk.glb"),))
            result = marrow.ops.annotations_export(walk(), output="out")
            self.assertEqual(result.paths, (os.path.join("out", "walk.txt"),))
            self.assertEqual(result.text, pathlib.Path("out/walk.txt").read_text())
            memory = io.BytesIO()
            marrow.ops.mirror(walk(), skeleton=skeleton(), output=memory)
            self.assertEqual(marrow.load(memory.getvalue()).clip.frame_count, 31)
            with self.assertRaises(marrow.OptionError):
                marrow.run("info", [("file", walk())], output="x.txt")
            pathlib.Path("own.hkx").write_bytes(walk().read_bytes())
            with self.assertRaises(marrow.OptionError):
                marrow.ops.annotations_add("own.hkx", time=0.1, text="x", output="own.hkx")
            with self.assertRaises(marrow.OptionError):
                marrow.ops.convert(walk(), output="walk.fbx")

    def test_extra_outputs_are_written(self):
        with folder():
            marrow.ops.retarget(walk(), skeleton(), skeleton("fallout4"), output="a.hkx", save_map="map.txt")
            command("retarget", walk(), "--from", skeleton(), "--to", skeleton("fallout4"), "-o", "b.hkx", "--save-map", "other.txt")
            self.assertEqual(pathlib.Path("map.txt").read_bytes(), pathlib.Path("other.txt").read_bytes())
            self.assertEqual(pathlib.Path("a.hkx").read_bytes(), pathlib.Path("b.hkx").read_bytes())
            marrow.ops.retarget(walk(), skeleton(), skeleton("fallout4"), map="map.txt", output="c.hkx")

    def test_check_mends_only_if_asked(self):
        self.assertEqual(marrow.ops.check(walk()).files, ())
        mended = marrow.ops.check(walk(), fix=True)
        self.assertEqual(mended.bytes, walk().read_bytes())
        self.assertIn("left", mended)
        self.assertEqual(marrow.check(walk().read_bytes()[:1000])[0].level, "error")

    def test_documents_are_sources_with_their_changes(self):
        clip = marrow.load(walk(), skeleton=skeleton()).clip
        self.assertEqual(marrow.diff(clip, walk()), [])
        clip.annotations.add(0.4, "new")
        (difference, *_) = marrow.diff(walk(), clip.document)
        self.assertIn("event", difference.kind)
        self.assertIn("new", str(difference))
        listed = marrow.ops.annotations_list(clip)["annotations"]
        self.assertIn("new", [each["text"] for each in listed])
        frames = marrow.ops.sample(clip, frames=[0, 1.5]).text
        self.assertEqual(frames, command("sample", walk(), "--frames", "0,1.5"))
        mirrored = marrow.ops.mirror(clip, skeleton=clip.skeleton).document().clip
        self.assertIn("new", [each.text for each in mirrored.annotations])

    def test_modifiers_are_presets_mappings_and_files(self):
        bones = ["NPC L Forearm [LLar]"]
        with folder():
            preset = marrow.ops.simulate(skeleton(), modifiers="chain", bone=bones, seconds=0.5, format="csv").bytes
            text = (ROOT / "examples/modifiers/chain.json").read_text()
            mapping = marrow.ops.simulate(skeleton(), modifiers=json.loads(text), bone=bones, seconds=0.5, format="csv").bytes
            pathlib.Path("chain.json").write_text(text)
            file = marrow.ops.simulate(skeleton(), modifiers="chain.json", bone=bones, seconds=0.5, format="csv").bytes
        self.assertEqual(preset, mapping)
        self.assertEqual(preset, file)

    def test_a_reference_is_a_word_a_frame_a_file_or_a_document(self):
        clip, on = walk(), {"skeleton": skeleton()}
        of_frame = marrow.ops.clip_additive(clip, reference=0, **on).bytes
        for same in ("0", b"0", clip, marrow.load(clip), marrow.load(clip).clip):
            self.assertEqual(marrow.ops.clip_additive(clip, reference=same, **on).bytes, of_frame, same)
        self.assertNotEqual(marrow.ops.clip_additive(clip, reference="rest", **on).bytes, of_frame)
        with self.assertRaisesRegex(marrow.NotFoundError, "neither a file nor a preset 'rust'; presets are rest"):
            marrow.ops.clip_additive(clip, reference="rust", **on)

    def test_more_bone_names_are_known(self):
        hashed = marrow.ops.rig_hash(name=["Bobblehead_Spring"])
        self.assertTrue(hashed.report)
        base = ROOT / "examples/anvil/generic_male.xml"
        marrow.ops.rig_list(base, bone_names=["Bobblehead_Spring"])

    def test_a_result_says_what_it_is(self):
        result = marrow.ops.compress(walk(), max_rotation_error=0.1)
        self.assertIn("bytes_after", repr(result))
        self.assertLessEqual(result["bytes_after"], result["bytes_before"])
        self.assertIn("clips", result)
        self.assertRaises(ValueError, lambda: marrow.ops.info(walk()).bytes)
        self.assertRaises(marrow.OptionError, marrow.run, "no such operation")


class Program(unittest.TestCase):
    def test_the_program_runs_as_a_module(self):
        done = subprocess.run(
            [sys.executable, "-m", "marrow", "info", walk(), "--json"],
            env={**os.environ, "PYTHONPATH": str(ROOT / "python")}, capture_output=True, text=True,
        )
        self.assertEqual(done.stdout, command("info", walk(), "--json"), done.stderr)
        done = subprocess.run([sys.executable, "-m", "marrow", "nonsense"], env={**os.environ, "PYTHONPATH": str(ROOT / "python")}, capture_output=True)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    run_tests()
