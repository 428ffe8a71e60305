# SPDX-License-Identifier: MIT
"""Cures are data: each names an operation and options that exist, and what says that it repairs does."""
import pathlib
import re
import unittest

from support import CORPUS, GOLDEN, ROOT, needs, run_tests, skeleton, walk

import marrow

CURE = re.compile(r'\bCure\{"([^"]+)"((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}|cure_of\([^,]+, "([^"]+)"\)')
OPTION = re.compile(r'\{"([a-z_]+)",')


def known_names(operation):
    described = marrow.descriptions()[operation]
    return {each["name"] for each in described["options"]} | {described.get("output_flag")}


class Sources(unittest.TestCase):
    def test_every_cure_names_an_operation_and_its_options(self):
        found = 0
        for path in sorted((ROOT / "src").rglob("*.cpp")) + sorted((ROOT / "include").rglob("*.h")):
            for match in CURE.finditer(path.read_text()):
                operation = match[1] or match[3]
                with self.subTest(path=path.name, operation=operation):
                    self.assertIn(operation, marrow.descriptions())
                    self.assertLessEqual(set(OPTION.findall(match[2] or "")), known_names(operation))
                found += 1
        self.assertGreater(found, 25)


class Findings(unittest.TestCase):
    def rig(self, *edits):
        text = (ROOT / "examples/anvil/schema/addon_sword.xml").read_text()
        for pattern, to in edits:
            text, count = re.subn(pattern, to, text, count=1)
            self.assertEqual(count, 1, pattern)
        return text.encode()

    def test_what_is_repaired_without_asking_is(self):
        broken = self.rig((r'(Name="ChildBoneCount">)\d+', r"\g<1>99"))
        found = [each for each in marrow.check(broken) if each.cure and each.cure.operation == "check"]
        self.assertTrue(found, [str(each) for each in marrow.check(broken)])
        cure = found[0].cure
        self.assertEqual(cure.options, {"fix": True})
        fixed = marrow.run(cure.operation, [("file", broken)], cure.options).bytes
        self.assertEqual([each for each in marrow.check(fixed) if each.code == found[0].code], [])
        with marrow.load(broken) as document:  # and in memory
            document.apply(cure.operation, cure.options)
            self.assertEqual([each for each in document.check() if each.code == found[0].code], [])
            self.assertEqual(document.to_bytes(), fixed)

    def test_a_clip_of_another_game_says_what_to_do(self):
        found = {each.code: each.cure for each in marrow.check(walk(), game="skyrim-le")}
        self.assertEqual(found["E_POINTER_SIZE"], marrow.Cure("convert", {"to": "skyrim-le"}))
        fixed = marrow.run("convert", [("file", walk())], found["E_POINTER_SIZE"].options).bytes
        self.assertNotIn("E_POINTER_SIZE", [each.code for each in marrow.check(fixed, game="skyrim-le")])
        with marrow.load(walk()) as document:  # and in memory
            document.apply("convert", found["E_POINTER_SIZE"].options)
            self.assertEqual(document.to_bytes(), fixed)
        self.assertEqual({each.code: each.cure for each in marrow.check(walk(), game="fallout4")}["E_VERSION"].operation, "retarget")

    def test_events_out_of_order_are_sorted_by_their_cure(self):
        document = marrow.load(walk())
        clip = document.clips[0]
        clip.annotations = [(0.5, "Late"), (0.1, "Early")]
        data = document.to_bytes()
        found = next((each for each in marrow.check(data) if each.code == "I_ANNOTATION_ORDER"), None)
        if found is None:
            self.skipTest("the package sorts events when it writes them")
        fixed = marrow.run(found.cure.operation, [("clip", data)], found.cure.options).bytes
        self.assertEqual([each for each in marrow.check(fixed) if each.code == found.code], [])

    @needs(CORPUS)
    def test_cures_of_real_files_exist_and_repair(self):
        for path in sorted(CORPUS.rglob("*")):
            if path.suffix not in (".nif", ".xml") or path.stat().st_size > 300_000:
                continue
            try:
                found = marrow.check(path)
            except marrow.Error:
                continue
            for each in found:
                if each.cure:
                    self.assertIn(each.cure.operation, marrow.descriptions(), path.name)
                    self.assertLessEqual(set(each.cure.options), known_names(each.cure.operation), path.name)
            automatic = {each.code for each in found if each.cure and each.cure.operation == "check"}
            if automatic:
                fixed = marrow.run("check", [("file", path)], {"fix": True}).bytes
                left = {each.code for each in marrow.check(fixed) if each.cure and each.cure.operation == "check"}
                self.assertFalse(automatic & left, path.name)

    def test_errors_have_cures_too_and_survive_a_trip(self):
        import pickle

        with self.assertRaises(marrow.OptionError) as caught:
            marrow.run("dump", [("file", ROOT / "examples/anvil/generic_male.xml")], {"object": 1})
        self.assertEqual(caught.exception.cure, marrow.Cure("rig show"))
        self.assertIn("run marrow.ops.rig_show(...)", str(caught.exception))
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).cure, marrow.Cure("rig show"))


class Decisions(unittest.TestCase):
    def test_names_of_devices_are_not_names_of_files(self):
        clip = marrow.load(walk(), skeleton=skeleton()).clips[0]
        self.assertEqual(clip.fits(skeleton()), True)
        for name, shape in (("Leg_capsule2", "capsule"), ("box_Crate", "box"), ("Crate", None)):
            self.assertEqual(marrow.shape_in_name(name), shape)
        for name, file in (("NUL", "_NUL"), ("a/b:c", "a_b_c"), ("Sneak 1HM (left)+2", "Sneak 1HM (left)+2"), ("", "_")):
            self.assertEqual(marrow.file_name(name), file)

    def test_files_of_several_clips_get_names_that_every_disk_takes(self):
        merged = marrow.run("merge", [("file", [walk(), walk()])], {"format": "glb"}).document("two.glb")
        self.assertEqual(len(merged.clips), 2)
        merged.clips[0].name, merged.clips[1].name = "NUL", "a/b"
        merged.skeleton = skeleton()
        result = marrow.run("convert", [("file", merged), ("skeleton", skeleton())], {"to": "skyrim-se", "format": "hkx"})
        self.assertEqual([each.name for each in result.files], ["_NUL", "a_b"])


if __name__ == "__main__":
    run_tests()
