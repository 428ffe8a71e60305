#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Motion of other programs: FBX and BVH in, onto the skeletons of the games.

    motion_sources_test.py MARROW WALK_CYCLE
"""
import csv
import io
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

MARROW = str(pathlib.Path(sys.argv[1]).resolve())
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from bodies import HUMAN, write_glb  # noqa: E402
from fbx_writer import HUMAN_IK, PERSON, Scene, as_binary, as_text, bvh, joints, sided, walk_frames  # noqa: E402

CM = 1.428  # of a game unit

RIGS = {
    "HumanIK": ("HumanIK or Mixamo", sided(HUMAN_IK, "Left", "Right")),
    "HumanIK with its prefix": ("HumanIK or Mixamo", {p: "Character1_" + n for p, n in sided(HUMAN_IK, "Left", "Right").items()}),
    "Mixamo": ("HumanIK or Mixamo", {p: "mixamorig:" + n for p, n in sided(HUMAN_IK, "Left", "Right").items()}),
    "CMU": ("CMU", sided({**HUMAN_IK, "spine": "LowerBack", "spine1": "Spine", "spine2": "Spine1"}, "Left", "Right")),
    "Rokoko": ("Rokoko", sided({**HUMAN_IK, "thigh@": "@Thigh", "calf@": "@Shin", "toe@": "@Toe", "spine": "Spine1",
                                "spine1": "Spine2", "spine2": "Spine4"}, "Left", "Right")),
    "Rigify": ("Rigify", sided({"hips": "spine", "spine": "spine.001", "spine1": "spine.002", "spine2": "spine.003",
                                "neck": "spine.004", "head": "spine.006", "clavicle@": "shoulder.@", "upperarm@": "upper_arm.@",
                                "forearm@": "forearm.@", "hand@": "hand.@", "thigh@": "thigh.@", "calf@": "shin.@",
                                "foot@": "foot.@", "toe@": "toe.@"}, "L", "R")),
    "plain BVH": ("plain BVH", sided({"hips": "Hips", "spine": "Chest", "spine1": "Chest2", "spine2": "Chest4", "neck": "Neck",
                                      "head": "Head", "thigh@": "@Hip", "calf@": "@Knee", "foot@": "@Ankle", "toe@": "@Toe",
                                      "clavicle@": "@Collar", "upperarm@": "@Shoulder", "forearm@": "@Elbow", "hand@": "@Wrist"},
                                     "Left", "Right")),
}
BIPED = {"hips": "Pelvis", "spine": "Spine", "spine1": "Spine1", "spine2": "Spine2", "neck": "Neck", "head": "Head",
         "thigh@": "@ Thigh", "calf@": "@ Calf", "foot@": "@ Foot", "toe@": "@ Toe0", "clavicle@": "@ Clavicle",
         "upperarm@": "@ UpperArm", "forearm@": "@ Forearm", "hand@": "@ Hand"}
RIGS["Biped on its pelvis"] = ("3ds Max Biped", sided(BIPED, "L", "R"))
RIGS["Biped on its centre"] = ("3ds Max Biped", {p: "Bip01" if p == "hips" else "Bip01 " + n for p, n in sided(BIPED, "L", "R").items()})
RIGS["Biped without blanks"] = ("3ds Max Biped", {p: "Bip001" if p == "hips" else "Bip001_" + n.replace(" ", "_")
                                                  for p, n in sided(BIPED, "L", "R").items()})
UNREAL = {"hips": "pelvis", "spine": "spine_01", "spine1": "spine_02", "spine2": "spine_03", "neck": "neck_01", "head": "head",
          "thigh@": "thigh_@", "calf@": "calf_@", "foot@": "foot_@", "toe@": "ball_@", "clavicle@": "clavicle_@",
          "upperarm@": "upperarm_@", "forearm@": "lowerarm_@", "hand@": "hand_@"}
RIGS["Unreal"] = ("Unreal", sided(UNREAL, "l", "r"))
POSER = {"hips": "hip", "spine": "abdomen", "spine1": "abdomen2", "spine2": "chest", "neck": "neck", "head": "head",
         "thigh@": "@Thigh", "calf@": "@Shin", "foot@": "@Foot", "toe@": "@Toe", "clavicle@": "@Collar",
         "upperarm@": "@Shldr", "forearm@": "@ForeArm", "hand@": "@Hand"}
RIGS["Poser"] = ("Poser or DAZ", sided(POSER, "l", "r"))
RIGS["HumanIK with the name of an actor"] = ("HumanIK or Mixamo", {p: "Bob_" + n for p, n in RIGS["HumanIK"][1].items()})
RIGS["Mixamo without its colon"] = ("HumanIK or Mixamo", {p: "mixamorig" + n for p, n in RIGS["HumanIK"][1].items()})
RIGS["Rigify, original"] = ("Rigify", {p: "ORG-" + n for p, n in RIGS["Rigify"][1].items()})
RIGS["Rigify, deforming"] = ("Rigify", {p: "DEF-" + n for p, n in RIGS["Rigify"][1].items()})


def marrow(*args):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120)


def axis_turn(axis, degrees):
    s = math.sin(math.radians(degrees) / 2)
    return [s if a == axis else 0.0 for a in "xyz"] + [math.cos(math.radians(degrees) / 2)]


def times(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def apart(a, b):
    """The angle between two rotations, in degrees."""
    d = abs(sum(x * y for x, y in zip(a, b)))
    return math.degrees(2 * math.acos(min(1.0, d)))


class Sources(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = pathlib.Path(tempfile.mkdtemp(prefix="marrow-sources-"))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        write_glb(cls.made / "human.glb", HUMAN)
        cls.skeleton = cls.made / "skeleton.hkx"
        run = marrow("convert", cls.made / "human.glb", "--to", "skyrim-se", "-o", cls.skeleton)
        assert run.returncode == 0, run.stderr

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-sources-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def ok(self, *args, code=0):
        run = marrow(*args)
        self.assertEqual(run.returncode, code, f"{args}\n{run.stdout}\n{run.stderr}")
        return run

    def json(self, *args):
        return json.loads(self.ok(*args, "--json").stdout)

    def rows(self, *args):
        out = {}
        for row in csv.DictReader(io.StringIO(self.ok("sample", *args).stdout)):
            out[(float(row["frame"]), row["bone"])] = [float(row[k]) for k in ("tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz")]
        return out

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def person(self, rig="HumanIK", **more):
        names = RIGS[rig][1]
        return self.write("walk.bvh", bvh(joints(names), walk_frames(names, **more), 1 / 30))

    def test_each_rig_is_known_by_its_names_and_walks_upright(self):
        for rig, (title, names) in RIGS.items():
            with self.subTest(rig=rig):
                clip, out = self.person(rig), self.folder / "out.hkx"
                report = self.json("retarget", clip, "--from", clip, "--to", self.skeleton, "-o", out)[0]
                self.assertEqual(report["source_rig"], title)
                self.assertEqual(report["target_rig"], "Skyrim")
                self.assertEqual(report["mapped_limb_bones"], 12)
                mapped = {b["from"]: b["to"] for b in report["bones"]}
                self.assertEqual(mapped[names["upperarmL"]], "NPC L UpperArm [LUar]")
                self.assertEqual(mapped[names["spine2"]], "NPC Spine2 [Spn2]")
                self.assertEqual(report["left_out"], [])
                info = self.json("info", out)[0]["clips"][0]
                self.assertEqual((info["frames"], info["root_motion"]), (31, True))
                # 120 cm ahead, by the ratio of the legs.
                self.assertAlmostEqual(math.hypot(*report["moved"]), 120 / CM * report["scale"], delta=0.5)
                rows = self.rows(out, "--skeleton", self.skeleton, "--space", "model", "--frames", "0,8,15,22,30")
                for (frame, bone), row in rows.items():
                    if bone == "NPC Head [Head]":
                        self.assertGreater(row[2], 100)
                    if "Foot" in bone:
                        self.assertGreater(row[2], -3)
                        self.assertLess(row[2], 30)

    def test_a_body_of_unknown_names_keeps_its_sides_and_walks_ahead(self):
        for form in ("{}", "{}_l", "l{}"):
            with self.subTest(form):
                names = {p: form.format(f"J{i}") if p.endswith("L") else form.replace("l", "r").format(f"J{i}")
                         if p.endswith("R") else f"J{i}" for i, p in enumerate(PERSON)}
                if form == "{}":
                    names = {p: f"J{i}" for i, p in enumerate(PERSON)}
                clip = self.write("walk.bvh", bvh(joints(names), walk_frames(names), 1 / 30))
                report = self.json("retarget", clip, "--from", clip, "--to", self.skeleton, "-o", self.folder / "out.hkx")[0]
                self.assertEqual((report["source_rig"], report["mapped_limb_bones"]), ("", 12))
                mapped = {b["from"]: b["to"] for b in report["bones"]}
                self.assertEqual(mapped[names["thighL"]], "NPC L Thigh [LThg]")
                self.assertEqual(mapped[names["handR"]], "NPC R Hand [RHnd]")
                known = self.person()
                right = self.json("retarget", known, "--from", known, "--to", self.skeleton, "-o", self.folder / "known.hkx")[0]
                for got, want in zip(report["moved"], right["moved"]):
                    self.assertAlmostEqual(got, want, delta=0.5)

    def test_the_last_frame_is_the_end_of_the_clip(self):
        # 29.97 frames per second and a second: frame 30 would be a thousandth of a second later.
        scene = Scene(fps_mode=8)
        bone = scene.bone("Root")
        scene.curves(scene.stack("Take", 0, 1), bone, "Lcl Translation", [(0, 0, 0, 0), (1, 10, 0, 0), (2, 1000, 0, 0)])
        path = self.write("end.fbx", as_binary(scene.records()))
        self.assertEqual(self.json("info", path)[0]["clips"][0]["frames"], 31)
        self.assertAlmostEqual(self.rows(path, "--frames", "30")[(30, "Root")][0], 10, places=5)

    def test_bones_that_find_none_are_reported(self):
        names = dict(RIGS["CMU"][1])
        rig = joints(names) + [("LeftHandTip", len(PERSON) - 1, (5, 0, 0)), ("Backpack", 3, (0, 5, -20)),
                               ("LHipJoint", 0, (5, 0, 0))]
        clip = self.write("cmu.bvh", bvh(rig, walk_frames(names), 1 / 120))
        report = self.json("retarget", clip, "--from", clip, "--to", self.skeleton, "-o", self.folder / "out.hkx")[0]
        self.assertEqual(report["left_out"], ["LeftHandTip", "Backpack", "LHipJoint"])

    def test_a_capture_stands_over_its_root_on_the_ground_and_faces_ahead(self):
        # As most programs write BVH: hips without an offset, somewhere in the room, facing anywhere.
        names = RIGS["HumanIK"][1]
        rig = joints(names)
        rig[0] = (names["hips"], None, (0, 0, 0))
        want = None
        for degrees in (0, 90, 180, -80):
            for speed in (4.0, 0.0):
                turn = math.radians(degrees)
                frames = [((-150 + z * math.sin(turn), y, 40 + z * math.cos(turn)), {**angles, names["hips"]: (0, 0, degrees)})
                          for (_, y, z), angles in walk_frames(names, speed=speed)]
                clip, out = self.write("room.bvh", bvh(rig, frames, 1 / 30)), self.folder / "room.hkx"
                run = self.ok("retarget", clip, "--from", clip, "--to", self.skeleton, "-o", out)
                self.assertEqual("turned to face ahead" in run.stderr, degrees != 0, run.stderr)
                self.assertIn("stand on the ground", run.stderr)
                info = self.json("info", out)[0]["clips"][0]
                self.assertEqual(info["root_motion"], speed > 0)
                rows = self.rows(out, "--skeleton", self.skeleton, "--space", "model", "--frames", "0,8,15,22,30")
                for (frame, bone), row in rows.items():
                    if "COM" in bone:
                        self.assertLess(math.hypot(row[0], row[1]), 1.0, (degrees, frame))
                        self.assertGreater(row[2], 60)
                        self.assertLess(row[2], 80)
                    if "Foot" in bone:
                        self.assertGreater(row[2], -3)
                        self.assertLess(row[2], 30)
                if degrees in (0, 90, 180) and speed == 0:
                    feet = {key: row for key, row in rows.items() if "Foot" in key[1]}
                    want = want or feet
                    for key, row in feet.items():
                        self.assertLess(math.dist(row[:3], want[key][:3]), 0.5, (degrees, key))
        self.ok("retarget", clip, "--from", clip, "--to", self.skeleton, "--root-motion", "keep", "-o", out)
        rows = self.rows(out, "--skeleton", self.skeleton, "--space", "model", "--frames", "0")
        self.assertGreater(math.hypot(*next(row for (_, bone), row in rows.items() if "COM" in bone)[:2]), 50)

    def test_motion_of_the_root_bone_becomes_root_motion_once(self):
        names = RIGS["Unreal"][1]
        scene = Scene()
        root, bones = scene.bone("root"), {}
        for part, (parent, place) in PERSON.items():
            bones[part] = scene.bone(names[part], root if parent is None else bones[parent], place)
        scene.curves(scene.stack("Walk", 0, 1), root, "Lcl Translation", [(0, 300, 0, 0), (1, 300, 0, 120)])
        clip, out = self.write("root.fbx", as_binary(scene.records())), self.folder / "root.hkx"
        report = self.json("retarget", clip, "--from", clip, "--to", self.skeleton, "-o", out)[0]
        self.assertAlmostEqual(math.hypot(*report["moved"]), 120 / CM * report["scale"], delta=0.5)
        rows = self.rows(out, "--skeleton", self.skeleton, "--space", "model", "--frames", "0,15,30")
        for (frame, bone), row in rows.items():
            if "Root" in bone or "COM" in bone:
                self.assertLess(math.hypot(row[0], row[1]), 1.0, (frame, bone))

    def test_a_body_that_goes_nowhere_has_no_root_motion(self):
        clip, out = self.person(speed=0.0), self.folder / "out.hkx"
        self.ok("retarget", clip, "--from", clip, "--to", self.skeleton, "-o", out)
        self.assertFalse(self.json("info", out)[0]["clips"][0]["root_motion"])
        self.ok("retarget", clip, "--from", clip, "--to", self.skeleton, "--root-motion", "extract", "-o", out)
        self.assertTrue(self.json("info", out)[0]["clips"][0]["root_motion"])
        self.person()
        self.ok("retarget", clip, "--from", clip, "--to", self.skeleton, "--root-motion", "keep", "-o", out)
        self.assertFalse(self.json("info", out)[0]["clips"][0]["root_motion"])

    def test_a_bvh_is_shown_sampled_and_converted(self):
        clip = self.person()
        info = self.json("info", clip)[0]
        self.assertEqual((info["format"], info["version"], info["up_axis"], info["unit_cm"]), ("bvh", None, "y", 1))
        self.assertEqual((info["skeletons"][0]["bones"], info["clips"][0]["frames"], info["clips"][0]["name"]), (len(PERSON), 31, ""))
        rows = self.rows(clip, "--frames", "7.5")
        for got, want in zip(rows[(7.5, "Hips")], (0, 95 + (math.sin(2 * math.pi * 14 / 30) + math.sin(2 * math.pi * 16 / 30)) / 2, 30)):
            self.assertAlmostEqual(got, want, places=4)
        out = self.folder / "out.hkx"
        self.ok("convert", clip, "--to", "skyrim-se", "-o", out)
        made = self.json("info", out)[0]
        self.assertEqual((made["skeletons"][0]["bones"], made["clips"][0]["frames"]), (len(PERSON), 31))
        rows = self.rows(out, "--skeleton", out, "--frames", "15")
        # y up becomes z up: (x, y, z) -> (x, -z, y), in game units.
        for got, want in zip(rows[(15, "Hips")], (0, -60 / CM, 95 / CM)):
            self.assertAlmostEqual(got, want, delta=0.02)
        self.ok("convert", clip, "--to", "skyrim-se", "--units", "metre", "-o", out)
        self.assertAlmostEqual(self.rows(out, "--skeleton", out, "--frames", "15")[(15, "Hips")][2], 0.95, delta=0.02)
        self.ok("convert", clip, "--to", "skyrim-se", "--scale", "2", "-o", out)
        self.assertAlmostEqual(self.rows(out, "--skeleton", out, "--frames", "15")[(15, "Hips")][2], 190, delta=0.05)
        self.ok("convert", clip, "-o", self.folder / "out.glb")
        self.ok("convert", self.folder / "out.glb", "--to", "fallout4", "-o", out)
        self.assertAlmostEqual(self.rows(out, "--skeleton", out, "--frames", "15")[(15, "Hips")][2], 95 / CM, delta=0.02)

    def test_clips_go_onto_a_skeleton_by_names_that_are_alike(self):
        names = {n: n for n in (b[0] for b in HUMAN)}
        changed = [("Rig:" + n.replace(" ", "_"), p, (o[0] * CM, o[2] * CM, -o[1] * CM)) for n, p, o in HUMAN] + [("Tail", 0, (0, 1, 0))]
        clip = self.write("alike.bvh", bvh(changed, [((0, 0, 0), {"Rig:NPC_L_Calf_[LClf]": (0, 10.0 * i, 0)}) for i in range(4)], 1 / 30))
        out = self.folder / "out.hkx"
        report = self.json("convert", clip, "--skeleton", self.skeleton, "--to", "skyrim-se", "-o", out)[0]
        self.assertEqual(report["left_bones"], ["Tail"])
        rows = self.rows(out, "--skeleton", self.skeleton, "--frames", "3")
        self.assertEqual(len(rows), len(names))
        self.assertAlmostEqual(apart(rows[(3, "NPC L Calf [LClf]")][3:7], axis_turn("x", 30)), 0, delta=0.3)
        none = self.write("none.bvh", bvh([("Nobody", None, (0, 0, 0)), ("Knows", 0, (0, 1, 0))], [((0, 0, 0), {})] * 2, 1 / 30))
        run = self.ok("convert", none, "--skeleton", self.skeleton, "--to", "skyrim-se", "-o", self.folder / "no.hkx", code=1)
        self.assertIn("retarget", run.stderr)
        self.assertFalse((self.folder / "no.hkx").exists())

    def two_takes(self):
        scene = Scene()
        root = scene.bone("Root", move=(0, 10, 0))
        tip = scene.bone("Tip", root, move=(0, 20, 0), PreRotation=(0.0, 0.0, 90.0))
        first = scene.stack("Turn", 0, 1)
        scene.curves(first, tip, "Lcl Rotation", [(0, 0, 0, 0), (1, 60, 0, 0)])
        second = scene.stack("Rise", 0.5, 1.5)
        scene.curves(second, root, "Lcl Translation", [(0.5, 0, 10, 0), (1.5, 0, 40, 0)])
        return scene.records()

    def test_stacks_of_an_fbx_are_clips_in_text_and_binary(self):
        for name, data in (("a.fbx", as_text(self.two_takes())), ("b.fbx", as_binary(self.two_takes()))):
            with self.subTest(name=name):
                path = self.write(name, data)
                info = self.json("info", path)[0]
                self.assertEqual((info["format"], info["version"]), ("fbx", 7400))
                self.assertEqual([(c["name"], c["frames"]) for c in info["clips"]], [("Turn", 31), ("Rise", 31)])
                self.assertAlmostEqual(info["clips"][1]["start_seconds"], 0.5)
                row = self.rows(path, "--frames", "15")[(15, "Tip")]
                self.assertLess(apart(row[3:7], times(axis_turn("z", 90), axis_turn("x", 30))), 1e-3)
                for clip in ("1", "Rise"):
                    self.assertAlmostEqual(self.rows(path, "--frames", "15", "--clip", clip)[(15, "Root")][1], 25, places=4)
                self.assertAlmostEqual(self.rows(path, "--frames", "15", "--clip", "1", "--space", "model")[(15, "Tip")][1], 45, places=4)
                out = self.folder / "out.hkx"
                run = self.ok("convert", path, "--to", "skyrim-se", "-o", out)
                self.assertIn("first is written", run.stderr)
                self.ok("convert", path, "--to", "skyrim-se", "--clip", "Rise", "-o", out)
                self.assertAlmostEqual(self.rows(out, "--skeleton", out, "--frames", "30")[(30, "Root")][2], 40 / CM, delta=0.02)
                self.ok("convert", path, "-o", self.folder / "out.glb")
                self.assertEqual(len(self.json("info", self.folder / "out.glb")[0]["clips"]), 2)

    def test_frame_rates_are_the_games_or_the_files_or_as_asked_for(self):
        clip = self.write("fast.bvh", bvh([("A", None, (0, 0, 0)), ("B", 0, (0, 1, 0))], [((i, 0, 0), {}) for i in range(121)], 1 / 120))
        out = self.folder / "out.hkx"
        for options, frames in (((), 31), (("--fps", "60"), 61), (("--fps", "source"), 121)):
            self.ok("convert", clip, "--to", "skyrim-se", *options, "-o", out)
            self.assertEqual(self.json("info", out)[0]["clips"][0]["frames"], frames, options)
        self.ok("convert", clip, "--to", "skyrim-se", "--fps", "often", "-o", out, code=2)

    def test_a_folder_keeps_its_tree_and_gets_the_games_extension(self):
        (self.folder / "in/deep").mkdir(parents=True)
        shutil.copy(self.person(), self.folder / "in/deep/walk.bvh")
        (self.folder / "in/takes.fbx").write_bytes(as_binary(self.two_takes()))
        self.ok("convert", self.folder / "in", "-o", self.folder / "out", "--to", "skyrim-se")
        self.assertEqual(sorted(str(p.relative_to(self.folder / "out")) for p in (self.folder / "out").rglob("*.*")),
                         ["deep/walk.hkx", "takes.hkx"])

    def test_a_skinned_mesh_goes_to_gltf_with_its_weights(self):
        scene = Scene()
        root = scene.bone("Root", move=(0, 10, 0))
        tip = scene.bone("Tip", root, move=(0, 20, 0))
        scene.curves(scene.stack("Turn", 0, 1), tip, "Lcl Rotation", [(0, 0, 0, 0), (1, 0, 0, 45)])
        one = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
        scene.skinned_mesh("Body", [(0, 0, 0), (10, 0, 0), (10, 40, 0), (0, 40, 0)], [(0, 1, 2, 3)],
                           {root: {0: 1.0, 1: 1.0, 2: 0.25}, tip: {2: 0.75, 3: 1.0}},
                           {root: [*one, 0, 10, 0, 1], tip: [*one, 0, 30, 0, 1]})
        path = self.write("skin.fbx", as_binary(scene.records()))
        mesh = self.json("info", path)[0]["meshes"]
        self.assertEqual(mesh, [{"name": "Body", "vertices": 4, "triangles": 2, "bones": ["Root", "Tip"]}])
        self.ok("convert", path, "-o", self.folder / "skin.glb")
        data = (self.folder / "skin.glb").read_bytes()
        size = struct.unpack_from("<I", data, 12)[0]
        gltf = json.loads(data[20:20 + size])
        body = next(m for m in gltf["meshes"] if m["name"] == "Body")
        self.assertEqual(len(gltf["skins"][0]["joints"]), 2)
        accessor = gltf["accessors"][body["primitives"][0]["attributes"]["WEIGHTS_0"]]
        self.assertEqual(accessor["count"], 4)
        position = gltf["accessors"][body["primitives"][0]["attributes"]["POSITION"]]
        # 40 cm up, in the file's metres or units: the ratio of the sides stays.
        spans = sorted(b - a for a, b in zip(position["min"], position["max"]))
        self.assertAlmostEqual(spans[2] / spans[1], 4, places=3)

    def test_what_is_not_read_is_refused_in_words(self):
        old = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 6100) + bytes(30)
        run = self.ok("info", self.write("old.fbx", old), code=1)
        self.assertIn("2014", run.stderr)
        run = self.ok("convert", self.person(), "--to", "skyrim-se", "-o", self.folder / "x.fbx", code=2)
        self.assertIn("glb", run.stderr)

    def test_bones_that_refuse_the_scale_of_their_parent_are_found(self):
        for kind, want in ((2, ["Tip"]), (1, [])):
            scene = Scene()
            root = scene.bone("Root")
            scene.bone("Tip", root, move=(0, 20, 0), InheritType=kind)
            layer = scene.stack("Grow", 0, 1)
            scene.curves(layer, root, "Lcl Scaling", [(0, 1, 1, 1), (1, 2, 2, 2)])
            path = self.write("grow.fbx", as_binary(scene.records()))
            findings = json.loads(marrow("check", path, "--json").stdout)[0]["findings"]
            self.assertEqual([f["where"] for f in findings if f["code"] == "W_SOURCE_INHERIT"], [f'bone "{n}"' for n in want])

    def test_left_handed_files_are_shown_and_not_converted(self):
        mirrored = Scene(front_sign=-1)
        bone = mirrored.bone("A", move=(1, 2, 3))
        mirrored.curves(mirrored.stack("Take", 0, 1), bone, "Lcl Rotation", [(0, 0, 0, 0), (1, 90, 0, 0)])
        path = self.write("left.fbx", as_binary(mirrored.records()))
        self.assertEqual(self.json("info", path)[0]["clips"][0]["frames"], 31)
        self.assertEqual(self.rows(path, "--frames", "0")[(0, "A")][:3], [1, 2, 3])
        findings = json.loads(self.ok("check", path, "--json", code=3).stdout)[0]["findings"]
        self.assertIn("E_SOURCE_AXES", {each["code"] for each in findings if each["level"] == "error"})
        for out in ("x.hkx", "x.glb"):
            run = self.ok("convert", path, "--to", "skyrim-se", "-o", self.folder / out, code=1)
            self.assertIn("left-handed", run.stderr)
            self.assertFalse((self.folder / out).exists())

    def test_text_is_read_however_programs_write_it(self):
        scene = Scene()
        bone = scene.bone("Root", move=(0, 10, 0))
        scene.curves(scene.stack("Turn", 0, 1), bone, "Lcl Rotation", [(0, 0, 0, 0), (1, 60, 0, 0)])
        text = as_text(scene.records())
        want = self.rows(self.write("plain.fbx", text), "--frames", "15")
        ways = {"braces on their own lines": text.replace(b" {\n", b"\n{\n"),
                "a byte order mark": b"\xef\xbb\xbf" + text,
                "CR and LF": text.replace(b"\n", b"\r\n"),
                "CR alone": text.replace(b"\n", b"\r"),
                "comments behind braces": text.replace(b" {\n", b" { ; {not} a \"record\":\n"),
                "a number that is not one, in other words": text.replace(b'"UnitScaleFactor", "double", "Number", "", 1.0',
                                                                         b'"UnitScaleFactor", "double", "Number", "", -nan(ind)'),
                "a number that is not one": text.replace(b'"UnitScaleFactor", "double", "Number", "", 1.0',
                                                         b'"UnitScaleFactor", "double", "Number", "", 1.#QNAN')}
        for what, changed in ways.items():
            with self.subTest(what):
                self.assertNotEqual(changed, text)
                self.assertEqual(self.rows(self.write("other.fbx", changed), "--frames", "15"), want)
        text = bvh([("A", None, (0, 0, 0)), ("B", 0, (0, 1, 0))], [((i, 0, 0), {}) for i in range(3)], 1 / 30)
        want = self.rows(self.write("plain.bvh", text), "--frames", "1")
        ways = {"a byte order mark": b"\xef\xbb\xbf" + text, "CR and LF": text.replace(b"\n", b"\r\n"),
                "CR alone": text.replace(b"\n", b"\r"), "no blank": text.replace(b"Frames: ", b"Frames:").replace(b"Time: ", b"Time:"),
                "lower case": text.lower().replace(b"root a", b"root A").replace(b"joint b", b"joint B")}
        for what, changed in ways.items():
            with self.subTest(what):
                self.assertNotEqual(changed, text)
                self.assertEqual(self.rows(self.write("other.bvh", changed), "--frames", "1"), want)
        wrong = self.write("wrong.bvh", text.replace(b"\n", b"\r").replace(b"Frames: 3", b"Frames: x"))
        line = text[:text.index(b"Frames")].count(b"\n") + 1
        self.assertIn(f"line {line}:", self.ok("info", wrong, code=1).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
