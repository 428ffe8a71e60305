#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A rig seen, tuned and delivered: list, show, fields, apply, extract-modifiers, copy-modifiers, edit, JSON.

    rig_tune_test.py MARROW REPOSITORY
"""
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
RIGS = REPOSITORY / "examples/anvil"
MALE, SWORD, HAIR, EVERY = (RIGS / f"{name}.xml" for name in ("generic_male", "addon_sword", "addon_hair_strand",
                                                              "every_modifier"))
SHAKE = ("--shake", "0.05,1", "--seconds", "2", "--fps", "60", "--wind", "1,2,0")


def marrow(*args):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120)


def poses(path):
    with open(path) as stream:
        return {(row["frame"], row["bone"]): [float(row[k]) for k in ("tx", "ty", "tz", "qx", "qy", "qz", "qw")]
                for row in csv.DictReader(stream)}


def furthest(a, b):
    """The greatest difference of two runs; a rotation is the same with either sign."""
    def apart(x, y):
        sign = -1 if sum(p * q for p, q in zip(x[3:], y[3:])) < 0 else 1
        return max(abs(p - q) for p, q in zip(x, y[:3] + [sign * q for q in y[3:]]))
    return max(apart(a[key], b[key]) for key in a)


class Tune(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-tune-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def out(self, name="out.xml"):
        return self.folder / name

    def write(self, name, text):
        self.out(name).write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return self.out(name)

    def done(self, *args):
        run = marrow(*args)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def refused(self, *args, code=1):
        run = marrow(*args)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stderr

    def report(self, *args):
        return json.loads(self.done(*args, "--json").stdout)[0]

    def bones(self, path, *options):
        return {bone["name"]: bone for bone in self.report("rig", "list", path, *options)["bones"]}

    def codes(self, path, *options):
        return {f["code"] for f in json.loads(marrow("check", path, *options, "--json").stdout)[0]["findings"]}

    def tail(self, *edits):
        """The male with a chain of four bones on its head, made by a script."""
        script = self.write("tail.rig", "\n".join([
            "add-bone Tail1 --parent Head --position -0.05,-0.1,0 --rotation 0,0,1,0",
            "add-bone Tail2 --parent Tail1 --position 0.1,0,0",
            "add-bone Tail3 --parent Tail2 --position 0.1,0,0",
            "add-bone Tail4 --parent Tail3 --position 0.1,0,0", *edits]))
        self.done("rig", "edit", MALE, script, "-o", self.out("tail.xml"))
        return self.out("tail.xml")

    def same_motion(self, base, sidecar, applied, *bones, game=()):
        a, b, plain = self.out("a.csv"), self.out("b.csv"), self.out("plain.csv")
        self.done("simulate", base, "--modifiers", sidecar, *bones, *SHAKE, *game, "-o", a)
        self.done("simulate", applied, *SHAKE, *game, "-o", b)
        self.done("simulate", base, *SHAKE, *game, "-o", plain)
        self.assertLess(furthest(poses(a), poses(b)), 1e-5)
        self.assertGreater(furthest(poses(a), poses(plain)), 1e-3, "nothing moves")

    # ---- seeing

    def test_a_list_has_the_fields_of_the_contract_and_filters(self):
        bones = self.bones(MALE)
        self.assertEqual(len(bones), 84)
        knee = bones["C_LeftKnee"]
        self.assertEqual(set(knee) & {"index", "id", "name", "parent", "origin", "local", "global", "modifiers"},
                         {"index", "id", "name", "parent", "origin", "local", "global", "modifiers"})
        self.assertEqual(knee["modifiers"][0]["type"], "CompressBoneModifier")
        self.assertEqual(knee["modifiers"][0]["fields"]["OffsetBone1"], "LeftUpLeg")
        self.assertIsNone(bones["Reference"]["parent"])
        self.assertTrue(all(name.startswith("Left") for name in self.bones(MALE, "--match", "left*")))
        self.assertIn("LeftHand", self.bones(MALE, "--below", "LeftArm"))
        self.assertNotIn("RightHand", self.bones(MALE, "--below", "LeftArm"))
        rolls = self.bones(MALE, "--modifier", "Roll")
        self.assertTrue(rolls and all(any(m["type"] == "RollBoneModifier" for m in b["modifiers"]) for b in rolls.values()))
        self.assertTrue(all(b["modifiers"] for b in self.bones(MALE, "--moving").values()))

    def test_a_stack_says_which_addon_a_bone_and_a_modifier_are_from(self):
        bones = self.bones(MALE, "--addon", SWORD, "--addon", HAIR)
        self.assertEqual(bones["P_Sword_Tag"]["origin"], str(SWORD))
        self.assertEqual(bones["P_Sword_Tag"]["modifiers"][0]["origin"], str(SWORD))
        self.assertEqual(bones["Hips"]["origin"], str(MALE))
        self.assertIn("(addon_sword.xml)", self.done("rig", "list", MALE, "--addon", SWORD).stdout)

    def test_show_has_units_and_defaults_and_what_differs(self):
        text = self.done("rig", "show", HAIR, "BJ_Hair0*").stdout
        self.assertRegex(text, r"ConstraintAngle +15 degrees  \(default: 0\)")
        self.assertRegex(text, r"BlendWeight +1  \(default\)")
        shown = self.report("rig", "show", MALE, "Head")["bones"][0]
        self.assertEqual(shown["fields"]["WrinkleCategory"], 7)
        self.assertEqual(shown["mirror"], "Head")

    def test_fields_and_help_come_from_one_table(self):
        text = self.done("rig", "fields", "BallJoint").stdout
        self.assertRegex(text, r"ConstraintAngle +half the opening .*degrees, 0 to 180, default 0, new ones start with 30")
        self.assertIn("games  ac3", text)
        self.assertEqual(text, self.done("rig", "add-modifier", "BallJoint", "--help").stdout)
        self.assertEqual(text, self.done("rig", "add-modifier", MALE, "Head", "BallJoint", "--help").stdout)
        self.assertIn("Usage: marrow rig add-modifier", self.done("rig", "add-modifier", "--help").stdout)

    # ---- data without a meaning

    def test_data_of_unknown_meaning_are_read_and_set_by_path(self):
        ik = '<BaseObjectPtr Name="IKData"><IKData ID="9"><Value Name="Weight" Type="Single">0.5</Value>' \
             '<List Name="Chains"><IkChainDescriptor ID="10"><Value Name="Length" Type="Single">1</Value>' \
             '</IkChainDescriptor><IkChainDescriptor ID="11"><Value Name="Length" Type="Single">2</Value>' \
             '</IkChainDescriptor></List></IKData></BaseObjectPtr>'
        one, two = self.out("1.xml"), self.out("2.xml")
        self.done("rig", "set", MALE, "IKData=" + ik, "-o", one)
        self.done("rig", "set", one, "IKData.IKData.Chains.IkChainDescriptor[1].Length=2.5", "IKData.IKData.Weight=0.75",
                  "-o", two)
        values = self.report("rig", "show", two)["skeleton"]["IKData"]
        self.assertEqual(values["IKData.Chains.IkChainDescriptor[1].Length"], "2.5")
        self.assertEqual(values["IKData.Chains.IkChainDescriptor[0].Length"], "1")
        self.assertEqual(values["IKData.Weight"], "0.75")
        self.assertIn("IKData.IKData.Weight", self.done("rig", "show", two).stdout)
        self.assertIn("did you mean", self.refused("rig", "set", two, "IKData.IKData.Weigth=1", "-o", one))
        self.refused("rig", "set", two, "IKData=<a><b></a>", "-o", self.out("3.xml"))
        self.done("rig", "set", two, "IKData=none", "-o", self.out("4.xml"))
        self.assertEqual(self.out("4.xml").read_bytes(), MALE.read_bytes())
        self.done("rig", "set", MALE, "--bone", "Fx_Jaw", "WrinkleCategory=RotationYaw", "WrinkleFactor=0.5", "-o", self.out())
        fields = self.report("rig", "show", self.out(), "Fx_Jaw")["bones"][0]["fields"]
        self.assertEqual((fields["WrinkleCategory"], fields["WrinkleFactor"]), (3, 0.5))

    def test_rigs_are_json_and_come_back_byte_for_byte(self):
        for path in sorted(RIGS.glob("*.xml")) + sorted((RIGS / "schema").glob("*.xml")):
            there, back = self.out("rig.json"), self.out("rig.xml")
            self.done("convert", path, "--format", "json", "-o", there)
            self.done("convert", there, "-o", back)
            self.done("convert", path, "-o", self.out("plain.xml"))
            self.assertEqual(back.read_bytes(), self.out("plain.xml").read_bytes(), path.name)
            self.assertEqual(json.loads(self.done("dump", path, "--json").stdout), json.loads(there.read_text()))
        self.assertIn("Bone Head, id", self.done("dump", MALE).stdout)
        self.assertIn("OffsetBone1 = LeftUpLeg", self.done("dump", MALE).stdout)
        data = json.loads(self.out("rig.json").read_text())
        data["Bones"][0]["Nmae"] = 1
        self.assertIn("Bones[0].Nmae", self.refused("convert", self.write("bad.json", data), "-o", self.out("no.xml")))

    # ---- tuning

    def test_a_sidecar_in_the_file_moves_as_it_did_beside_it(self):
        side = self.write("side.json", {"priority": {"Head": 3}, "modifiers": [
            {"bone": "Head", "type": "BallJoint", "ConstraintAngle": 40, "MechanicalFriction": 1.5, "WindScale": 1,
             "WindRandomFactor": 1},
            {"bone": "LeftHand", "type": "Hinge", "LagFactor": 0.4, "AxisConstraintType": "AxisZ", "AxisLookAtType": 0,
             "Constraints": [{"MinAngle": -0.5, "MaxAngle": 0.5, "DeltaMinDamping": 0.1, "DeltaMaxDamping": 0.1}]},
            {"bone": "RightHand", "type": "SpringBox", "Stiffness": 300, "Damping": 5},
            {"bone": "RightFoot", "type": "Pendulum", "Length": 0.3, "Friction": 2}]})
        self.done("rig", "apply", MALE, "--modifiers", side, "-o", self.out())
        self.same_motion(MALE, side, self.out())
        self.assertEqual(self.bones(self.out())["Head"]["fields"]["SolvingPriority"], 3)
        hinge = self.bones(self.out())["LeftHand"]["modifiers"][-1]["fields"]
        self.assertEqual(hinge["LocalAxisConstraint"], [0, 0, 1, 0])
        self.assertNotIn("W_AXIS_MISMATCH", self.codes(self.out()))

    def test_every_preset_reaches_the_file_and_moves_the_same(self):
        tail = self.tail()
        for preset in ("hair", "ponytail", "cape", "chain"):
            self.done("rig", "apply", tail, "--modifiers", preset, "--chain", "Tail1..Tail4", "--game", "unity", "-o", self.out())
            self.same_motion(tail, preset, self.out(), "--bone", "Tail1..Tail4", game=("--game", "unity"))
            for i in range(1, 5):
                self.assertEqual(len(self.bones(self.out())[f"Tail{i}"]["modifiers"]), 1, preset)
        for preset in ("scabbard", "pouch"):
            self.done("rig", "apply", MALE, "--modifiers", preset, "--bone", "A_SmallWeapon_Tag", "-o", self.out())
            self.same_motion(MALE, preset, self.out(), "--bone", "A_SmallWeapon_Tag")

    def test_values_are_graded_along_a_chain(self):
        tail = self.tail()
        side = self.write("side.json", {"modifiers": [{"bone": "$bone", "type": "BallJoint", "Mass": [1, 0.4],
                                                       "ConstraintAngle": [10, 40]}]})
        self.done("rig", "apply", tail, "--modifiers", side, "--chain", "Tail1..Tail4", "-o", self.out())
        masses = [self.bones(self.out())[f"Tail{i}"]["modifiers"][0]["fields"]["Mass"] for i in range(1, 5)]
        self.assertEqual([round(m, 6) for m in masses], [1, 0.8, 0.6, 0.4])
        self.assertNotIn("modifiers", [b for b in self.bones(self.out())["Head"]["modifiers"]])
        self.assertIn("no bone 'Tail5'; did you mean Tail", self.refused("rig", "apply", tail, "--modifiers", side, "--chain", "Tail1..Tail5",
                                                         "-o", self.out()))
        self.assertIn("not a chain", self.refused("rig", "apply", tail, "--modifiers", side, "--chain", "Tail3..Tail1",
                                                  "-o", self.out()))
        self.refused("rig", "apply", tail, "--modifiers", side, "-o", self.out("no.xml"))
        self.assertFalse(self.out("no.xml").exists())

    def test_an_axis_that_is_not_x_is_written_exactly_or_refused(self):
        for axis in ("Y", "-Z", "child", "down"):
            side = self.write("side.json", {"bone_axis": axis, "modifiers": [
                {"bone": "LeftHand", "type": "BallJoint", "ConstraintAngle": 30, "ConstraintScaleZ": 0.5, "hang": "rest",
                 "LocalPitchOft": 10}]})
            self.done("rig", "apply", MALE, "--modifiers", side, "-o", self.out())
            self.same_motion(MALE, side, self.out())
        side = self.write("side.json", {"bone_axis": "Y", "modifiers": [{"bone": "LeftHand", "type": "Pendulum"}]})
        error = self.refused("rig", "apply", MALE, "--modifiers", side, "-o", self.out("no.xml"))
        self.assertIn("bone_axis", error)
        self.assertIn("X axis", error)
        side = self.write("side.json", {"metres_per_unit": 0.01, "modifiers": [{"bone": "LeftHand", "type": "Pendulum"}]})
        self.assertIn("metres", self.refused("rig", "apply", MALE, "--modifiers", side, "-o", self.out("no.xml")))

    def test_colliders_are_left_out_and_reported(self):
        side = self.write("side.json", {"ground": 0, "modifiers": [{"bone": "Head", "type": "Pendulum"}]})
        run = self.done("rig", "apply", MALE, "--modifiers", side, "-o", self.out())
        self.assertIn("colliders and the ground are left out", run.stdout)

    def test_what_a_game_lacks_is_left_out_does_not_run_and_is_reported(self):
        side = self.write("side.json", {"modifiers": [
            {"bone": "Head", "type": "BallJoint", "ConstraintAngle": 40}, {"bone": "LeftHand", "type": "Pendulum"},
            {"bone": "Neck", "type": "AnvilLookAt", "LookAtBone": "LeftHand"}]})
        run = self.done("rig", "apply", MALE, "--modifiers", side, "--game", "ac2", "-o", self.out())
        self.assertIn("is left out", run.stdout)
        types = {name: [m["type"] for m in bone["modifiers"]] for name, bone in self.bones(self.out()).items()}
        self.assertEqual(types["Head"], [])
        self.assertEqual(types["LeftHand"], ["PendulumBoneModifier"])
        self.assertEqual(types["Neck"], ["LookAtBoneModifier"])
        run = self.done("simulate", MALE, "--modifiers", side, "--game", "ac2", *SHAKE, "-o", self.out("a.csv"))
        self.assertIn("BallJointBoneModifier on Head does not run", run.stderr)
        run = self.done("simulate", MALE, "--modifiers", side, "--game", "mirage", *SHAKE, "-o", self.out("b.csv"))
        still = poses(self.out("b.csv"))
        self.assertTrue(all(still[key][3:] == still[("0", key[1])][3:] for key in still))
        self.assertIn("has no", self.refused("rig", "add-modifier", MALE, "Head", "BallJoint", "--game", "ac2", "-o", self.out("no.xml")))
        run = self.done("rig", "add-modifier", MALE, "Neck", "AnvilLookAt", "LookAtBone=Head", "--game", "ac1", "-o", self.out())
        self.assertIn("LookAtBoneModifier", run.stdout)

    def test_extracting_is_the_reverse_of_applying(self):
        bare = self.out("bare.xml")
        for path in (EVERY, HAIR, SWORD):
            shutil.copy(path, bare)
            for name, bone in self.bones(path).items():
                for modifier in reversed(range(len(bone["modifiers"]))):
                    self.done("rig", "remove-modifier", bare, name, str(modifier), "--in-place", "--no-backup")
            self.done("rig", "extract-modifiers", path, "-o", self.out("side.json"))
            self.done("rig", "apply", bare, "--modifiers", self.out("side.json"), "-o", self.out())
            before, after = self.bones(path), self.bones(self.out())
            for name in before:
                self.assertEqual([(m["type"], {k: v for k, v in m["fields"].items() if k != "Constraints"})
                                  for m in before[name]["modifiers"]],
                                 [(m["type"], {k: v for k, v in m["fields"].items() if k != "Constraints"})
                                  for m in after[name]["modifiers"]], name)
        one = json.loads(self.done("rig", "extract-modifiers", SWORD, "--bone", "P_Sword_Tag").stdout)
        self.assertEqual([entry["type"] for entry in one["modifiers"]], ["Hinge", "Hinge"])
        self.assertEqual(one["modifiers"][1]["AxisConstraintType"], "AxisY")
        self.refused("rig", "extract-modifiers", MALE, "--bone", "Spine", "-o", self.out("no.json"))

    # ---- copying

    def test_chains_are_copied_from_another_skeleton_and_by_pattern(self):
        tail = self.tail()
        strand = [name for name, bone in self.bones(HAIR).items() if bone["modifiers"]]
        self.done("rig", "copy-modifiers", tail, "--source", HAIR, "--from", f"{strand[0]}..{strand[3]}",
                  "--to", "Tail1..Tail4", "-o", self.out())
        angles = [self.bones(self.out())[f"Tail{i}"]["modifiers"][0]["fields"]["ConstraintAngle"] for i in range(1, 5)]
        self.assertEqual(angles, [self.bones(HAIR)[name]["modifiers"][0]["fields"]["ConstraintAngle"] for name in strand[:4]])
        self.assertEqual(len(set(angles)), 4)
        again = self.out("again.xml")
        self.done("rig", "copy-modifiers", self.out(), "--from", "Tail1..Tail4", "--to", "LeftHandThumb1..LeftHandThumb3", "-o", again)
        self.assertTrue(self.bones(again)["LeftHandThumb2"]["modifiers"])
        self.done("rig", "copy-modifiers", again, "--from", "LeftHandThumb*", "--to", "RightHandThumb*", "-o", self.out())
        self.assertTrue(self.bones(self.out())["RightHandThumb3"]["modifiers"])
        self.assertIn("--to", self.refused("rig", "copy-modifiers", again, "--from", "LeftHandThumb*", "-o", self.out("no.xml"), code=2))

    def test_a_mirrored_copy_is_the_mirror_image_with_its_links(self):
        self.done("rig", "copy-modifiers", MALE, "--from", "L_LeftUpLeg_Roll", "--mirror", "-o", self.out())
        right = self.bones(self.out())["L_RightUpLeg_Roll"]["modifiers"]
        self.assertEqual(right[-1]["fields"]["LookAtBone"], "RightLeg")
        edits = ["add-modifier LeftHand BallJoint ConstraintAngle=40 LocalYawOft=20 LocalRollOft=15 GravityMode=1 "
                 "OwnGravity=4,1,-9 ConstraintScaleZ=0.4",
                 "add-modifier LeftFoot Hinge AxisConstraintType=AxisZ AxisLookAtType=AxisX Gravity=3,0,-9 "
                 "Constraints[0].MinAngle=-0.2 Constraints[0].MaxAngle=0.6",
                 "add-modifier LeftClavicle SpringBox Force=2,1,0",
                 "copy-modifiers --from LeftHand --mirror", "copy-modifiers --from LeftFoot --mirror",
                 "copy-modifiers --from LeftClavicle --mirror"]
        self.done("rig", "edit", MALE, self.write("mirror.rig", "\n".join(edits)), "-o", self.out())
        a, b, mirrored = self.out("a.glb"), self.out("b.glb"), self.out("m.glb")
        run = ("--seconds", "1", "--fps", "60")
        self.done("simulate", self.out(), *run, "--shake", "0.05,2", "--wind", "3,1,0", "-o", a)
        self.done("simulate", self.out(), *run, "--shake", "-0.05,2", "--wind", "-3,1,0", "-o", b)
        self.done("mirror", a, "--skeleton", self.out(), "-o", mirrored)
        left, right = (self.samples(path) for path in (mirrored, b))
        bones = ("LeftHand", "RightHand", "LeftFoot", "RightFoot", "LeftClavicle", "RightClavicle")
        left = {key: value for key, value in left.items() if key[1] in bones}
        self.assertLess(furthest(left, right), 2e-3)
        self.assertGreater(furthest(left, {key: left[("0", key[1])] for key in left}), 0.05, "nothing moves")

    def samples(self, path):
        text = self.done("sample", path, "--fps", "30", "--skeleton", self.out(), "--space", "model").stdout
        names = [bone["name"] for bone in self.report("rig", "list", self.out())["bones"]]
        return {(row["frame"], names[int(row["track"])]): [float(row[k]) for k in ("tx", "ty", "tz", "qx", "qy", "qz", "qw")]
                for row in csv.DictReader(text.splitlines())}

    # ---- scripts

    def test_a_script_does_all_of_its_edits_or_none(self):
        tail = self.tail("# comment", "", "apply --modifiers ponytail --chain Tail1..Tail4   # a preset",
                         'rig set --bone Tail1 "LocalPosition=-0.05, -0.12, 0"')
        self.assertEqual(len(self.bones(tail)), 88)
        self.assertEqual(self.codes(tail) - {"I_NAME_PROMISE"}, set())
        script = self.write("bad.rig", "add-bone A --parent Head\nadd-bone B --parent Heed\n")
        error = self.refused("rig", "edit", MALE, script, "-o", self.out("no.xml"))
        self.assertIn("bad.rig: line 2: there is no bone 'Heed'; did you mean Head?", error)
        self.assertFalse(self.out("no.xml").exists())
        for line, words in (("add-bon X --parent Head", "did you mean add-bone?"), ("list", "not a verb that edits"),
                            ("add-bone X --parnt Head", "did you mean --parent?"), ('add-bone "X', "quote"),
                            ("add-bone X", "--parent: is missing")):
            error = self.refused("rig", "edit", MALE, self.write("bad.rig", "\n" + line), "-o", self.out("no.xml"))
            self.assertIn("line 2: ", error)
            self.assertIn(words, error)
        # Files are found beside the script.
        self.write("side.json", {"modifiers": [{"bone": "Head", "type": "Pendulum"}]})
        self.done("rig", "edit", MALE, self.write("s.rig", "apply --modifiers side.json"), "-o", self.out())
        self.assertTrue(self.bones(self.out())["Head"]["modifiers"])

    # ---- right values only

    def test_a_new_modifier_moves_and_a_locked_one_is_reported(self):
        self.done("simulate", MALE, "--seconds", "0.1", "-o", self.out("rest.csv"))
        start = poses(self.out("rest.csv"))[("0", "LeftForeArm")]
        for kind, more in (("BallJoint", ()), ("Hinge", ()), ("SpringBox", ()), ("Pendulum", ()),
                           ("Follow", ("AssociatedBone=Head",))):
            self.done("rig", "add-modifier", MALE, "LeftForeArm", kind, *more, "-o", self.out())
            self.done("simulate", self.out(), "--shake", "0.1,1", "--seconds", "1", "-o", self.out("a.csv"))
            moved = poses(self.out("a.csv"))
            self.assertGreater(max(math.dist(moved[key], start) for key in moved if key[1] == "LeftForeArm"), 1e-3, kind)
        run = self.done("rig", "add-modifier", MALE, "Head", "BallJoint", "ConstraintAngle=0", "-o", self.out())
        self.assertIn("locked", run.stdout)
        self.assertIn("I_JOINT_LOCKED", self.codes(self.out()))

    def test_values_without_a_meaning_are_refused(self):
        no = ("-o", self.out("no.xml"))
        for words in (("Head", "BallJoint", "Mass=-1"), ("Head", "BallJoint", "AirFriction=-0.1"),
                      ("Head", "BallJoint", "GravityMode=2"), ("Head", "BallJoint", "Mass=nan"),
                      ("Head", "Hinge", "AxisConstraintType=3"), ("Head", "Hinge", "AxisConstraintType=1", "LocalAxisConstraint=1,0,0"),
                      ("Head", "MaxLookAt"), ("Head", "Follow"), ("Head", "OrientationConstraint"),
                      ("Head", "HingeVector", "HingeTargets=[Neck]", "HingeLocalOffsetRotation=0,0,0,0"),
                      ("Head", "Roll", "SourceBone=Neck", "RollBoneType=4")):
            self.refused("rig", "add-modifier", MALE, *words, *no)
        self.refused("rig", "set", MALE, "--bone", "Head", "LocalRotation=0,0,0,0", *no)
        self.refused("rig", "set", MALE, "--bone", "Head", "MirroringType=9", *no)
        self.refused("rig", "set", MALE, "SkeletonType=99", *no)
        self.refused("rig", "add-bone", MALE, "X", "--parent", "Head", "--rotation", "0,0,0,0", *no, code=2)
        for entry in ({"type": "BallJoint", "Mass": -1}, {"type": "Hinge", "AxisConstraintType": 7}, {"type": "MaxLookAt"},
                      {"type": "HingeVector", "HingeTargets": ["Neck"], "HingeLocalOffsetRotation": [0, 0, 0, 0]}):
            side = self.write("side.json", {"modifiers": [{"bone": "Head", **entry}]})
            self.refused("rig", "apply", MALE, "--modifiers", side, *no)
            self.refused("simulate", MALE, "--modifiers", side, "-o", self.out("no.csv"))
        self.assertFalse(self.out("no.xml").exists())

    def test_an_axis_and_its_copy_agree(self):
        self.done("rig", "add-modifier", MALE, "Head", "Hinge", "AxisConstraintType=AxisY", "-o", self.out())
        self.assertEqual(self.bones(self.out())["Head"]["modifiers"][0]["fields"]["LocalAxisConstraint"], [0, 1, 0, 0])
        two = self.out("2.xml")
        self.done("rig", "set", self.out(), "--bone", "Head", "--modifier", "Hinge", "LocalAxisConstraint=1,0,0,0", "-o", two)
        self.assertEqual(self.bones(two)["Head"]["modifiers"][0]["fields"]["AxisConstraintType"], 0)

    def broken(self, old, new):
        text = SWORD.read_bytes().decode("utf-16")
        self.assertIn(old, text)
        self.out("broken.xml").write_bytes(text.replace(old, new, 1).encode("utf-16"))
        return self.out("broken.xml")

    def test_check_names_each_broken_value_and_mends_the_axis(self):
        axis = self.broken('Name="AxisConstraintType" Type="Int32">1<', 'Name="AxisConstraintType" Type="Int32">0<')
        found = self.codes(axis)
        self.assertIn("W_AXIS_MISMATCH", found)
        marrow("check", axis, "--fix", "-o", self.out())
        self.assertNotIn("W_AXIS_MISMATCH", self.codes(self.out()))
        self.assertIn("W_MODIFIER_TWICE", self.codes(self.out()))  # both hinges of the sword are about X now
        self.assertIn("E_ENUM_RANGE", self.codes(self.broken('Name="AxisConstraintType" Type="Int32">1<',
                                                             'Name="AxisConstraintType" Type="Int32">5<')))
        self.assertIn("W_NEGATIVE", self.codes(self.broken('Name="WeightFactor" Type="Single">0.4<',
                                                           'Name="WeightFactor" Type="Single">-0.4<')))
        self.assertEqual(self.codes(SWORD), set())
        for path in sorted(RIGS.glob("*.xml")):
            self.assertFalse({c for c in self.codes(path) if c[0] in "EW"}, path.name)
        # A target that is lost.
        self.done("convert", EVERY, "--format", "json", "-o", self.out("e.json"))
        data = json.loads(self.out("e.json").read_text())
        for bone in data["Bones"]:
            for modifier in bone["BoneModifiers"]:
                if "AssociatedBone" in modifier:
                    modifier["AssociatedBone"] = None
        self.done("convert", self.write("e.json", data), "-o", self.out())
        self.assertIn("W_TARGET_MISSING", self.codes(self.out()))

    # ---- words

    def test_errors_keep_the_name_that_was_typed(self):
        no = ("-o", self.out("no.xml"))
        for words in (("rename", MALE, "Heed", "X"), ("remove-bone", MALE, "Heed"), ("reparent", MALE, "LeftHand", "Heed"),
                      ("set", MALE, "--bone", "Heed", "SolvingPriority=1"), ("add-modifier", MALE, "Heed", "BallJoint"),
                      ("add-modifier", MALE, "Neck", "MaxLookAt", "LookAtBone=Heed"), ("copy-modifiers", MALE, "--from", "Heed", "--to", "Neck"),
                      ("apply", MALE, "--modifiers", "pouch", "--bone", "Heed"), ("new-addon", MALE, "--attach", "Heed")):
            self.assertIn("no bone 'Heed'; did you mean Head?", self.refused("rig", *words, *no), words)
        self.assertIn("'Heed'; did you mean Head?", self.refused("rig", "show", MALE, "Heed"))
        self.assertIn("did you mean BallJoint?", self.refused("rig", "add-modifier", MALE, "Head", "BalJoint", *no, code=2))
        self.assertIn("did you mean Mass?", self.refused("rig", "add-modifier", MALE, "Head", "BallJoint", "Mas=1", *no))

    def test_quiet_is_quiet(self):
        run = self.done("rig", "merge", MALE, SWORD, HAIR, "-q", "-o", self.out())
        self.assertEqual(run.stdout + run.stderr, "")
        run = self.done("rig", "apply", MALE, "--modifiers", "pouch", "--bone", "Head", "-q", "-o", self.out())
        self.assertEqual(run.stdout + run.stderr, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
