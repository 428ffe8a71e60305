#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rigs of the games as people run them: the sword and the hair of the sample addons, at any rate, with shared data, wind
and levels of detail, and what is reported beside the pose.

    simulate_anvil_test.py MARROW REPOSITORY
"""
import csv
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
RIGS = REPOSITORY / "examples/anvil"
BASE, SWORD, HAIR = RIGS / "generic_male.xml", RIGS / "addon_sword.xml", RIGS / "addon_hair_strand.xml"


def marrow(*args):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120)


def hair_bones():
    return sorted(set(re.findall(r"BJ_\w+", HAIR.read_text(encoding="utf-16"))))


def degrees(a, b):
    qa, qb = ([x / math.hypot(*q) for x in q] for q in (a, b))
    return math.degrees(4 * math.asin(min(1.0, min(math.dist(qa, qb), math.dist(qa, [-x for x in qb])) / 2)))


class Rig(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-rig-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def simulate(self, name, *args):
        """The bytes written, rotations by (frame, bone), and what is reported."""
        out = self.folder / name
        run = marrow("simulate", BASE, *args, "--json", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(out, newline="") as file:
            rows = {(int(r["frame"]), r["bone"]): [float(r[k]) for k in ("qx", "qy", "qz", "qw")] for r in csv.DictReader(file)}
        return out.read_bytes(), rows, json.loads(run.stdout)[0]

    def furthest(self, rows, bone, other=None):
        """The most that a bone is turned from its first frame, or from another run."""
        frames = [f for f, b in rows if b == bone]
        return max(degrees(rows[(f, bone)], other[(f, bone)] if other else rows[(0, bone)]) for f in frames)

    def alike_at_all_rates(self, addon, bones, shake, limit):
        runs = {fps: self.simulate(f"{fps}.csv", addon, "--game", "rogue", "--shake", shake, "--fps", fps)[1] for fps in (30, 60, 120, 240)}
        for bone in bones:
            self.assertGreater(self.furthest(runs[240], bone), 0.5, bone)
        for fps in (30, 60, 120):
            errors = [degrees(runs[fps][(f * fps // 30, b)], runs[240][(f * 8, b)]) for f in range(121) for b in bones]
            self.assertLess(math.sqrt(sum(e * e for e in errors) / len(errors)), limit, (addon.name, fps))

    def test_the_sword_swings_alike_at_all_rates(self):
        self.alike_at_all_rates(SWORD, ["P_Sword_Tag"], "0.3,1.5", 0.1)

    def test_the_hair_swings_alike_at_all_rates(self):
        self.alike_at_all_rates(HAIR, hair_bones(), "0.05,1", 0.8)  # 0.72 at 30 frames per second, 0.21 at 60

    def test_the_same_run_gives_the_same_bytes(self):
        args = (SWORD, HAIR, "--game", "rogue", "--shake", "0.3,1.5", "--wind", "3,1,0", "--gusts", "0.5", "--fps", "60")
        self.assertEqual(self.simulate("1.csv", *args)[0], self.simulate("2.csv", *args)[0])

    def test_wind_and_gusts_move_the_hair_and_gravity_holds_it(self):
        bone = hair_bones()[-1]
        still, blown, gusty, heavy = (self.simulate(f"{i}.csv", HAIR, *args)[1] for i, args in enumerate((
            (), ("--wind", "0,8,0"), ("--wind", "0,8,0", "--gusts", "1"), ("--wind", "0,8,0", "--gravity", "0,0,-98.1"))))
        self.assertGreater(self.furthest(blown, bone, still), 1.0)
        self.assertGreater(self.furthest(gusty, bone, blown), 0.1)
        self.assertGreater(self.furthest(heavy, bone, blown), 0.1)

    def test_the_engines_law_is_another_one(self):
        ours = self.simulate("1.csv", SWORD, "--shake", "0.3,1.5", "--fps", "30")[1]
        native = self.simulate("2.csv", SWORD, "--shake", "0.3,1.5", "--fps", "30", "--native-law")[1]
        self.assertGreater(self.furthest(native, "P_Sword_Tag", ours), 0.5)

    def test_shared_data_fills_what_joints_leave_at_zero(self):
        text = HAIR.read_text(encoding="utf-16")
        bare = self.folder / "bare.xml"
        bare.write_text(re.sub(r'(Name="(?:MechanicalFriction|AirFriction)"[^>]*>)[^<]*<', r"\g<1>0<", text), encoding="utf-16")
        self.assertNotEqual(bare.read_text(encoding="utf-16"), text)
        common = self.folder / "common.json"
        common.write_text('{"MechanicalFriction": 400, "Mass": 77}')
        xml = self.folder / "common.xml"
        xml.write_text('<BallJointCommonData><Value Name="MechanicalFriction" Type="Single">400</Value></BallJointCommonData>')
        bone = hair_bones()[-1]
        args = ("--shake", "0.05,1")
        loose, held, by_xml = (self.simulate(f"{i}.csv", bare, *args, *more)
                               for i, more in enumerate(((), ("--common", common), ("--common", xml))))
        # So much friction turns the hair with the head; the masses, which it has, stay its own.
        self.assertLess(self.furthest(held[1], bone), self.furthest(loose[1], bone) / 4)
        self.assertEqual(held[0], by_xml[0])
        broken = self.folder / "broken.json"
        broken.write_text('{"Mas": 1}')
        run = marrow("simulate", BASE, bare, "--common", broken, "-o", self.folder / "x.csv")
        self.assertEqual(run.returncode, 1)
        self.assertIn("Mas", run.stderr)
        self.assertFalse((self.folder / "x.csv").exists())

    def test_past_its_level_of_detail_a_modifier_rests(self):
        limited = self.folder / "limited.xml"
        run = marrow("rig", "set", SWORD, "--bone", "P_Sword_Tag", "--modifier", "Hinge", "--index", "0", "LimitLodLevel=1", "-o", limited)
        self.assertEqual(run.returncode, 0, run.stderr)
        args = (limited, "--shake", "0.3,1.5", "--explain", "P_Sword_Tag")
        near, far = self.simulate("1.csv", *args, "--lod", "1")[2], self.simulate("2.csv", *args, "--lod", "2")[2]
        self.assertEqual([m["ran"] for m in near["explain"]["modifiers"]], [True, True])
        self.assertEqual([m["ran"] for m in far["explain"]["modifiers"]], [False, True])

    def test_wrinkles_and_fx_bones_are_told_beside_the_pose(self):
        marked = self.folder / "marked.xml"
        run = marrow("rig", "set", BASE, "--bone", "Head", "WrinkleCategory=3", "WrinkleFactor=0.5", "-o", marked)
        self.assertEqual(run.returncode, 0, run.stderr)
        out = self.folder / "a.csv"
        told = json.loads(marrow("simulate", marked, "--seconds", "0.1", "--json", "-o", out).stdout)[0]
        self.assertIn({"bone": "Head", "category": 3, "factor": 0.5}, told["wrinkles"])
        self.assertIn("A_BloodFX", told["fx_bones"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
