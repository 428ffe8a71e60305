#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The last step of a rig, through the command line: ids of its own, physics replaced and not doubled, edits that cannot
write a fault, whole mods, tables.

    rig_delivery_test.py MARROW REPOSITORY
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
EXAMPLES = REPOSITORY / "examples/anvil"
MALE, HAIR, SWORD, EVERY = (EXAMPLES / f"{n}.xml" for n in ("generic_male", "addon_hair_strand", "addon_sword", "every_modifier"))


def marrow(*args, cwd=None):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120, cwd=cwd)


def report(*args):
    run = marrow(*args, "--json")
    return run.returncode, json.loads(run.stdout)


def bones(path):
    return {b["name"]: b for b in report("rig", "list", path)[1][0]["bones"]}


def ids(path):
    return {b["id"] for b in bones(path).values()}


def codes(path, *options):
    return {f["code"] for each in report("check", path, *options)[1] for f in each["findings"]}


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="marrow-delivery-"))

    def tearDown(self):
        shutil.rmtree(self.dir)

    def run_well(self, *args):
        run = marrow(*args)
        self.assertEqual(run.returncode, 0, f"{args}\n{run.stdout}{run.stderr}")
        return run


class Ids(Case):
    def test_addons_from_one_base_have_ids_of_their_own(self):
        a, b, again = (self.dir / n for n in ("a.xml", "b.xml", "again/a.xml"))
        again.parent.mkdir()
        for out in (a, b, again):
            self.run_well("rig", "new-addon", MALE, "--attach", "Head", "-o", out)
        self.assertFalse(ids(a) & ids(b))
        self.assertEqual(a.read_bytes(), again.read_bytes())  # the same file in every run
        self.assertFalse(ids(a) & ids(MALE))

    def test_a_base_sets_the_numbers(self):
        out = self.dir / "a.xml"
        self.run_well("rig", "new-addon", MALE, "--attach", "Head", "--id-base", 900000000, "-o", out)
        self.assertEqual(ids(out), {900000001})
        self.assertEqual(report("rig", "new-addon", MALE, "--attach", "Head", "--id-base", 900000000, "-o", self.dir / "b.xml")[1][0]["id"], 900000000)

    def test_two_edited_files_differ(self):
        a, b = self.dir / "a.xml", self.dir / "b.xml"
        for source, out in ((MALE, a), (SWORD, b)):
            self.run_well("rig", "add-bone", source, "BJ_New", "--parent", "Spine", "-o", out)
        self.assertNotEqual(bones(a)["BJ_New"]["id"], bones(b)["BJ_New"]["id"])

    def test_one_id_is_changed_with_every_reference(self):
        out = self.dir / "a.xml"
        old = bones(MALE)["Spine"]["id"]
        self.run_well("rig", "set", MALE, "ID=700000700", "--bone", "Spine", "-o", out)
        self.assertEqual(bones(out)["Spine"]["id"], 700000700)
        self.assertNotIn(str(old), out.read_bytes().decode("utf-16"))
        self.assertFalse([c for c in codes(out) if c[0] in "EW"])
        taken = marrow("rig", "set", MALE, f"ID={bones(MALE)['Head']['id']}", "--bone", "Spine", "-o", self.dir / "b.xml")
        self.assertEqual(taken.returncode, 1)

    def mod(self):
        folder = self.dir / "mod"
        folder.mkdir()
        shutil.copy(MALE, folder / "male.xml")
        shutil.copy(SWORD, folder / "sword.xml")
        self.run_well("rig", "set", HAIR, f"ID={bones(SWORD)['P_Sword_Tag']['id']}", "--bone", "T_Hair", "-o", folder / "hair.xml")
        (folder / "notes.txt").write_text("not a skeleton")
        return folder

    def test_a_folder_with_an_id_used_twice_is_found_and_fixed(self):
        folder = self.mod()
        code, found = report("check", folder)
        by_file = {pathlib.Path(each["path"]).name: {f["code"] for f in each["findings"]} for each in found}
        self.assertEqual(code, 3)
        self.assertIn("E_ID_SHARED", by_file["sword.xml"])
        self.assertNotIn("E_ID_SHARED", by_file["hair.xml"])  # the first keeps its ids
        self.assertIn("I_BONE_BUDGET", by_file["male.xml"])
        self.assertIn("I_ADDON", by_file["hair.xml"])
        out = self.dir / "fixed"
        run = marrow("check", folder, "--fix", "-o", out)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(report("check", out)[0], 0)
        self.assertEqual((out / "hair.xml").read_bytes(), (folder / "hair.xml").read_bytes())
        self.assertFalse(ids(out / "sword.xml") & ids(out / "hair.xml"))

    def test_plan_finds_it_too_also_in_a_folder(self):
        folder = self.mod()
        for args in ((folder / "male.xml", folder / "hair.xml", folder / "sword.xml"), (folder,)):
            code, plan = report("rig", "plan", *args)
            self.assertEqual(code, 3)
            self.assertEqual(len(plan), 1)
            self.assertEqual(plan[0]["bones"], 91)
            self.assertIn("E_ID_SHARED", {f["code"] for f in plan[0]["findings"]})
        self.assertEqual(report("rig", "plan", MALE, HAIR, SWORD)[0], 0)

    def test_budget_and_bases(self):
        folder = self.dir / "mod"
        folder.mkdir()
        for path in (MALE, HAIR, SWORD):
            shutil.copy(path, folder)
        code, found = report("check", folder, "--game", "rogue")
        self.assertEqual(code, 0, found)
        male = next(each for each in found if each["path"].endswith("generic_male.xml"))
        self.assertIn("91 bones with all 2 addons", next(f["message"] for f in male["findings"] if f["code"] == "I_BONE_BUDGET"))
        # An addon that was given the type of a character is still one, and is checked against its base.
        self.run_well("rig", "set", HAIR, "SkeletonType=0", "-o", folder / "odd.xml")
        self.run_well("rig", "renumber", folder / "odd.xml", "--in-place", "--no-backup")
        odd = next(each for each in report("check", folder)[1] if each["path"].endswith("odd.xml"))
        self.assertIn("W_TYPE_NOT_CUSTOM", {f["code"] for f in odd["findings"]})

    def test_a_copy_is_renumbered(self):
        copy = self.dir / "copy.xml"
        self.run_well("rig", "renumber", HAIR, "-o", copy)
        self.assertFalse(ids(copy) & ids(HAIR))
        self.assertEqual([b["modifiers"] for b in bones(copy).values()][3:5] and 0, 0)
        self.assertFalse([c for c in codes(copy, "--base", MALE) if c[0] in "EW"])


class Physics(Case):
    def test_extract_and_apply_give_the_same_bytes(self):
        for source in sorted(EXAMPLES.rglob("*.xml")):
            if not any(b["modifiers"] for b in bones(source).values()):
                continue
            with self.subTest(source=source):
                side, out = self.dir / "m.json", self.dir / "m.xml"
                self.run_well("rig", "extract-modifiers", source, "-o", side)
                self.run_well("rig", "apply", source, "--modifiers", side, "-o", out)
                self.assertEqual(out.read_bytes(), source.read_bytes())

    def test_a_tuned_sidecar_replaces_and_add_stacks(self):
        side, tuned, twice = self.dir / "m.json", self.dir / "tuned.xml", self.dir / "twice.xml"
        self.run_well("rig", "extract-modifiers", HAIR, "-o", side)
        side.write_text(side.read_text().replace('"ConstraintAngle": 15', '"ConstraintAngle": 33'))
        self.run_well("rig", "apply", HAIR, "--modifiers", side, "-o", tuned)
        joints = bones(tuned)["BJ_Hair01"]["modifiers"]
        self.assertEqual([j["fields"]["ConstraintAngle"] for j in joints], [33])
        self.run_well("rig", "apply", HAIR, "--modifiers", side, "--add", "-o", twice)
        self.assertEqual(len(bones(twice)["BJ_Hair01"]["modifiers"]), 2)
        self.assertIn("W_MODIFIER_TWICE", codes(twice))
        self.assertNotIn("W_MODIFIER_TWICE", codes(tuned))

    def test_simulate_runs_the_sidecar_once(self):
        side, a, b, c = (self.dir / n for n in ("m.json", "a.csv", "b.csv", "c.csv"))
        self.run_well("rig", "extract-modifiers", HAIR, "-o", side)
        common = ("--shake", "0.1,1", "--seconds", "1")
        self.run_well("simulate", MALE, HAIR, *common, "-o", a)
        self.run_well("simulate", MALE, HAIR, "--modifiers", side, *common, "-o", b)
        self.run_well("simulate", MALE, HAIR, "--modifiers", side, "--add", *common, "-o", c)
        self.assertEqual(a.read_text(), b.read_text())
        self.assertNotEqual(a.read_text(), c.read_text())

    def test_copies_replace_too(self):
        once, again = self.dir / "once.xml", self.dir / "again.xml"
        self.run_well("rig", "copy-modifiers", HAIR, "--from", "BJ_Hair01", "--to", "BJ_Hair02", "-o", once)
        joints = bones(once)["BJ_Hair02"]["modifiers"]
        self.assertEqual([j["fields"]["ConstraintAngle"] for j in joints], [15])
        self.run_well("rig", "copy-modifiers", HAIR, "--from", "BJ_Hair01", "--to", "BJ_Hair02", "--add", "-o", again)
        self.assertEqual(len(bones(again)["BJ_Hair02"]["modifiers"]), 2)

    def test_frame_0_without_settling_has_constraints(self):
        clip, free = self.dir / "clip.glb", self.dir / "free.csv"
        self.run_well("simulate", EVERY, "--seconds", "0.5", "-o", clip)
        self.run_well("simulate", EVERY, "--clip", clip, "--no-settle", "--seconds", "0.1", "--fps", "240", "-o", free)
        rows = [line.split(",") for line in free.read_text().splitlines()[1:]]
        frames = {}
        for row in rows:
            frames.setdefault(row[0], {})[row[1]] = [float(v) for v in row[2:9]]
        far = max(max(abs(x - y) for x, y in zip(frames["0"][b][:3], frames["1"][b][:3])) for b in frames["0"])
        self.assertLess(far, 0.02)  # metres: nothing jumps between the first two frames


class Edits(Case):
    def refused(self, *args):
        out = self.dir / "z.xml"
        out.unlink(missing_ok=True)
        run = marrow(*args, "-o", out)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertFalse(out.exists())
        self.run_well(*args, "--force", "-o", out)
        return run.stderr

    def test_what_check_calls_an_error_is_not_written(self):
        look = next(n for n, b in bones(MALE).items() if any(m["type"].startswith("MaxLookAt") for m in b["modifiers"]))
        fields = next(m["fields"] for m in bones(MALE)[look]["modifiers"] if m["type"].startswith("MaxLookAt"))
        axis = ["AXIS_X", "AXIS_Y", "AXIS_Z"][fields["LookAtUsedAxis"] % 3]
        self.assertIn("E_AXIS_EQUAL", self.refused("rig", "set", MALE, f"UpUsedAxis={axis}", "--bone", look, "--modifier", "MaxLookAt"))
        self.assertIn("E_SELF_TARGET", self.refused("rig", "set", MALE, f"LookAtBone={look}", "--bone", look, "--modifier", "MaxLookAt"))
        self.assertIn("E_SELF_TARGET", self.refused("rig", "add-modifier", MALE, "Head", "Follow", "AssociatedBone=Head"))
        # What was wrong before does not stand in the way.
        bad = self.dir / "z.xml"
        self.run_well("rig", "set", bad, "WrinkleFactor=0.5", "--bone", "Head", "-o", self.dir / "y.xml")

    def test_patterns_chains_and_arithmetic(self):
        out = self.dir / "a.xml"
        before = {n: b["modifiers"][0]["fields"]["Mass"] for n, b in bones(HAIR).items() if n.startswith("BJ_")}
        for bone in ("BJ_Hair*", "BJ_Hair01..BJ_Hair04", "*hair0?"):
            self.run_well("rig", "set", HAIR, "--bone", bone, "--modifier", "BallJoint", "Mass*=0.5", "-o", out)
            self.assertEqual({n: round(bones(out)[n]["modifiers"][0]["fields"]["Mass"] / m, 6) for n, m in before.items()},
                             dict.fromkeys(before, 0.5))
        self.run_well("rig", "set", HAIR, "--bone", "BJ_Hair01", "--modifier", "BallJoint", "ConstraintAngle+=5", "-o", out)
        angle = bones(HAIR)["BJ_Hair01"]["modifiers"][0]["fields"]["ConstraintAngle"]
        self.assertEqual(bones(out)["BJ_Hair01"]["modifiers"][0]["fields"]["ConstraintAngle"], angle + 5)
        self.run_well("rig", "remove-modifier", HAIR, "BJ_Hair0[12]" if False else "BJ_Hair01..BJ_Hair02", "BallJoint", "-o", out)
        self.assertEqual([len(bones(out)[n]["modifiers"]) for n in before], [0, 0, 1, 1])
        self.run_well("rig", "add-modifier", out, "BJ_Hair01..BJ_Hair02", "BallJoint", "-o", self.dir / "b.xml")
        self.assertEqual([len(bones(self.dir / "b.xml")[n]["modifiers"]) for n in before], [1, 1, 1, 1])
        wrong = marrow("rig", "set", HAIR, "--bone", "BJ_Hair01", "--modifier", "BallJoint", "GravityMode*=2", "-o", out)
        self.assertEqual(wrong.returncode, 1)
        none = marrow("rig", "set", HAIR, "--bone", "BJ_*", "--modifier", "Hinge", "LagFactor=1", "-o", out)
        self.assertIn("none of the 4 bones", none.stderr)

    def test_fields_of_parts_and_short_numbers(self):
        text = self.run_well("rig", "fields", "Hinge").stdout
        for name in ("MinAngle", "MaxAngle", "DeltaMinDamping", "DeltaMaxDamping"):
            self.assertIn(f"Constraints[0].{name}", text)
        self.assertNotIn("0.4000000059604645", marrow("rig", "list", HAIR, "--json").stdout + text)

    def test_game_that_lacks_a_modifier(self):
        code, plan = report("rig", "plan", MALE, HAIR, "--game", "ac2")
        self.assertEqual(code, 3)
        self.assertIn("E_MODIFIER_UNAVAILABLE", {f["code"] for f in plan[0]["findings"]})
        self.assertIn("E_MODIFIER_UNAVAILABLE", self.run_well("rig", "merge", MALE, HAIR, "--game", "ac2", "--all", "-o", self.dir / "m.xml").stderr)
        self.assertIn("I_REFLEX3", codes(HAIR, "--game", "origins"))


class Names(Case):
    def test_hash_takes_a_dictionary(self):
        names = self.dir / "names.txt"
        names.write_text("My_Own_Bone  # found by a friend\n")
        number = report("rig", "hash", "My_Own_Bone")[1][0]["hash"]
        self.assertEqual(report("rig", "hash", str(number), "--names", names)[1][0]["known_as"], "My_Own_Bone")

    def test_names_are_learned_from_a_folder(self):
        folder, names = self.dir / "mod", self.dir / "names.txt"
        folder.mkdir()
        self.run_well("rig", "add-bone", MALE, "BJ_Zopf_01", "--parent", "Head", "-o", folder / "a.xml")
        self.run_well("rig", "add-bone", MALE, "BJ_Zopf_07", "--parent", "Head", "-o", folder / "b.xml")
        # One file lost the text of its name: the other's gives it by pattern.
        text = (folder / "b.xml").read_bytes().decode("utf-16").replace('HashName="BJ_Zopf_07"', 'HashName="x%08X"' %
               report("rig", "hash", "BJ_Zopf_07")[1][0]["hash"])
        (folder / "b.xml").write_bytes(text.encode("utf-16"))
        (folder / "readme.xml").write_text("<html/>")
        self.run_well("rig", "names", folder, "-o", names)
        learned = names.read_text()
        self.assertIn("BJ_Zopf_01\n", learned)
        self.assertIn("BJ_Zopf_07  # by pattern, like", learned)
        self.assertIn("Head\n", learned)
        self.assertIn("BJ_Zopf_07", {b["name"] for b in report("rig", "list", folder / "b.xml", "--names", names)[1][0]["bones"]})


class Tables(Case):
    TABLE = ('<?xml version="1.0" encoding="utf-16"?>\r\n<BuildTable ID="55">\r\n  <!-- 882909070 stays here? no -->\r\n'
             '  <BuildColumn Type="Skeleton">\r\n    <Entry Path="882909070">882909070</Entry>\r\n  </BuildColumn>\r\n'
             '  <BuildColumn Type="Mesh"><Entry>8829090701</Entry></BuildColumn>\r\n</BuildTable>\r\n')

    def test_references_are_listed_and_changed_and_no_other_byte(self):
        table, out = self.dir / "table.xml", self.dir / "out.xml"
        table.write_bytes(self.TABLE.encode("utf-16"))
        found = report("rig", "table", table, SWORD)[1]
        found = found[0] if isinstance(found, list) else found
        self.assertEqual([(r["line"], r["id"]) for r in found["references"]], [(5, 882909070)])
        self.assertTrue(found["references"][0]["skeleton"].endswith("addon_sword.xml"))
        self.assertIn("882909070", self.run_well("rig", "table", table, SWORD).stdout)
        self.run_well("rig", "table", table, "--from", 882909070, "--to", 42, "-o", out)
        self.assertEqual(out.read_bytes(), self.TABLE.replace("882909070\"", "42\"").replace(">882909070<", ">42<")
                         .replace("882909070 stays", "42 stays").encode("utf-16"))
        # As a verb that renumbers leaves it.
        copy = self.dir / "copy.xml"
        self.run_well("rig", "renumber", SWORD, "-o", copy)
        self.run_well("rig", "table", table, "--before", SWORD, "--after", copy, "-o", out)
        self.assertIn(str(report("rig", "list", copy)[1][0]["skeleton"].get("ID", "")) or "F", out.read_bytes().decode("utf-16"))
        self.assertNotIn(">882909070<", out.read_bytes().decode("utf-16"))
        self.assertEqual(marrow("rig", "table", table, "--from", 1, "--to", 2, "-o", out).returncode, 1)


unittest.main(argv=sys.argv[:1], verbosity=0)
