#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The verb `rig`, and the shared verbs on Anvil skeletons, on the project's own sample rigs.

    rig_test.py MARROW REPOSITORY
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
RIGS = REPOSITORY / "examples/anvil"
BASE, SWORD, BLADE = RIGS / "generic_male.xml", RIGS / "addon_sword.xml", RIGS / "addon_hidden_blade.xml"
ADDONS = [RIGS / f"addon_{name}.xml" for name in ("hidden_blade", "sword", "neck_setup", "quad_pistols", "hair_strand")]


def marrow(*args):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=60)


class Rig(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-rig-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def out(self, name="out.xml"):
        return self.folder / name

    def done(self, *args):
        run = marrow(*args)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def bones(self, path):
        return json.loads(self.done("info", "--json", path).stdout)[0]["skeletons"][0]["bones"]

    def test_a_stack_is_merged_in_any_order_with_provenance(self):
        run = self.done("rig", "merge", *reversed(ADDONS), BASE, "--game", "rogue", "-o", self.out(), "--json")
        result = json.loads(run.stdout)[0]
        self.assertEqual((result["bones"], self.bones(self.out())), (104, 104))
        self.assertEqual(sum(line["from"] == str(BASE) for line in result["provenance"]), 84)
        self.assertEqual([a["matched"] + a["new"] for a in result["addons"]], [a["bones"] for a in result["addons"]])
        self.assertEqual(marrow("check", self.out(), "--game", "rogue").returncode, 0)

    def test_other_readers_of_xml_see_depth_first_order_and_right_counts(self):
        self.done("rig", "merge", BASE, *ADDONS, "--format", "anvil-schema", "--game", "rogue", "-o", self.out())
        bones = ElementTree.parse(self.out()).getroot().find("*[@Name='Bones']")
        place = {bone.get("ID"): i for i, bone in enumerate(bones)}
        below = [0] * len(place)
        for i, bone in reversed(list(enumerate(bones))):
            link = bone.find("*[@Name='FatherBone']/Link")
            self.assertEqual(int(bone.find("*[@Name='Index']").text), i)
            self.assertEqual(int(bone.find("*[@Name='ChildBoneCount']").text), below[i])
            if link is not None:
                parent = place[link.text]
                self.assertTrue(parent < i <= parent + 103)
                below[parent] += below[i] + 1
        self.assertEqual(below[0], 103)

    def test_what_would_crash_is_refused_and_leaves_no_output(self):
        broken = self.out("broken.xml")
        self.done("rig", "add-bone", BLADE, "My_New_Bone", "--parent", "LeftClavicle", "--adopt", "LeftArm", "-o", broken)
        run = marrow("rig", "merge", BASE, broken, "-o", self.out())
        self.assertEqual(run.returncode, 1)
        self.assertIn("E_HIERARCHY_MISMATCH", run.stderr)
        self.assertIn("inserted", run.stderr)
        self.assertFalse(self.out().exists())
        self.assertEqual(marrow("rig", "plan", BASE, broken).returncode, 3)
        self.assertEqual(marrow("check", broken, "--base", BASE).returncode, 3)
        self.assertEqual(marrow("rig", "add-bone", BLADE, "X", "--parent", "LeftClavicle", "--adopt", "LeftArm", "--base", BASE,
                                "-o", self.out()).returncode, 1)

    def test_extract_is_the_inverse_of_merge(self):
        merged, addon, again = self.out("merged.xml"), self.out("addon.xml"), self.out("again.xml")
        self.done("rig", "merge", BASE, SWORD, "-o", merged)
        self.done("rig", "extract-addon", merged, "--base", BASE, "-o", addon)
        self.assertEqual(self.bones(addon), 3)
        self.done("rig", "merge", BASE, addon, "-o", again)
        self.assertEqual(marrow("diff", merged, again).returncode, 0)

    def test_edits_do_the_whole_of_what_they_say(self):
        one, two = self.out("1.xml"), self.out("2.xml")
        self.done("rig", "add-bone", BASE, "P_Pouch", "--parent", "Hips", "--position", "0.1,0,0", "-o", one)
        self.assertEqual(marrow("diff", BASE, one).returncode, 3)
        self.done("rig", "add-modifier", one, "P_Pouch", "BallJoint", "Mass=0.4", "ConstraintAngle=20", "-o", two)
        self.done("rig", "set", two, "--bone", "P_Pouch", "--modifier", "BallJoint", "Mass=0.5", "-o", one)
        self.done("rig", "copy-modifiers", one, "--from", "P_Pouch", "--to", "A_BloodFX", "-o", two)
        self.done("rig", "remove-modifier", two, "A_BloodFX", "BallJoint", "-o", one)
        self.done("rig", "rename", one, "P_Pouch", "P_Purse", "-o", two)
        self.done("rig", "reparent", two, "P_Purse", "Spine", "-o", one)
        self.done("rig", "mirror", one, "P_Purse", "--create", "--as", "P_Purse_Other", "-o", two)
        self.assertEqual(marrow("check", two).returncode, 0)
        self.done("rig", "remove-bone", two, "P_Purse_Other", "-o", one)
        self.done("rig", "remove-bone", one, "--bone", "P_Purse", "-o", two)
        self.assertEqual(marrow("diff", BASE, two).returncode, 0)
        self.assertEqual(two.read_bytes(), BASE.read_bytes())

    def test_users_of_a_bone_are_told(self):
        run = self.done("rig", "remove-bone", BASE, "LeftArm", "--used-by", BLADE, SWORD, "-o", self.out(), "--json")
        breaks = json.loads(run.stdout)[0]["breaks"]
        self.assertEqual([pathlib.Path(b["path"]).name for b in breaks], ["addon_hidden_blade.xml"])

    def test_counts_of_a_schema_file_are_checked_and_repaired(self):
        text = (RIGS / "schema/addon_sword.xml").read_text(encoding="utf-8")
        wrong = self.out("wrong.xml")
        wrong.write_text(text.replace('ChildBoneCount">2<', 'ChildBoneCount">1<').replace('Index">2<', 'Index">7<'), encoding="utf-8")
        codes = {f["code"] for f in json.loads(marrow("check", wrong, "--json").stdout)[0]["findings"]}
        self.assertEqual(codes, {"E_INDEX", "E_CHILDCOUNT"})
        self.done("check", wrong, "--fix", "-o", self.out())
        self.assertEqual(marrow("diff", self.out(), RIGS / "schema/addon_sword.xml").returncode, 0)

    def test_a_port_renames_and_drops_and_says_so(self):
        run = self.done("rig", "to-game", RIGS / "every_modifier.xml", "--to", "ac1", "-o", self.out())
        self.assertIn("LookAtBoneModifier", run.stdout)
        self.assertIn("is dropped", run.stdout)
        self.assertNotEqual(marrow("rig", "to-game", BASE, "--to", "skyrim-se", "-o", self.out("x.xml")).returncode, 0)

    def test_names_and_numbers(self):
        run = self.done("rig", "hash", "Hips", "x2BA0BB9F", "--json")
        hips, unknown = json.loads(run.stdout)
        self.assertEqual((hips["hash"], unknown["hash"]), (3738240529, 0x2BA0BB9F))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
