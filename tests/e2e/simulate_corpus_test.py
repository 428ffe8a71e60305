#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modifiers over real clips: what a bake may not touch, what presets do on the games' skeletons, mirrors there and back.

    simulate_corpus_test.py MARROW
"""
import csv
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MARROW = str(pathlib.Path(sys.argv[1]).resolve())
CORPUS = pathlib.Path(os.environ.get("MARROW_CORPUS", "../shared/corpus"))
if not (CORPUS / "hkx").is_dir():
    print(f"SKIPPED: no folder {CORPUS}; set MARROW_CORPUS to run these checks on real files")
    sys.exit(77)

# By game: bones that a preset can go on, and the clips of its skeleton.
GAMES = {"skyrim-le": ("cape", "Skirt*Bone01", "Skirt"), "skyrim-se": ("cape", "Skirt*Bone01", "Skirt"),
         "fo4": ("chain", "WeaponMagazine", "WeaponMagazine")}
CLIPS = [(game, path) for game in GAMES for path in sorted((CORPUS / "hkx" / game).glob("*.hkx"))
         if "skeleton" not in path.name and "troll" not in path.name]


def marrow(*args):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=300)


def poses(path):
    table = csv.DictReader(io.StringIO(marrow("sample", path).stdout))
    return {(int(float(r["frame"])), int(r["track"])): [float(r[k]) for k in ("tx", "ty", "tz", "qx", "qy", "qz", "qw")]
            for r in table}


def degrees(a, b):
    qa, qb = ([x / math.hypot(*q[3:7]) for x in q[3:7]] for q in (a, b))
    return math.degrees(4 * math.asin(min(1.0, min(math.dist(qa, qb), math.dist(qa, [-x for x in qb])) / 2)))


class SimulateCorpus(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="marrow-simulate-")
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name)

    def info(self, path):
        return json.loads(marrow("info", path, "--json").stdout)[0]["clips"][0]

    def test_a_bake_moves_the_bones_it_is_told_to_and_nothing_else(self):
        for game, clip in CLIPS:
            preset, bone, part = GAMES[game]
            skeleton, out = clip.parent / "skeleton.hkx", self.out / clip.name
            run = marrow("simulate", skeleton, "--modifiers", preset, "--bone", bone, "--clip", clip, "-o", out)
            self.assertEqual(run.returncode, 0, run.stderr)
            before, after = self.info(clip), self.info(out)
            for key in ("frames", "float_tracks", "duration_seconds", "annotations", "root_motion", "additive"):
                self.assertEqual(before[key], after[key], (clip.name, key))
            self.assertEqual(marrow("annotations", "export", clip).stdout, marrow("annotations", "export", out).stdout)
            names = [row["bone"] for row in csv.DictReader(io.StringIO(self.csv_of(skeleton))) if row["frame"] == "0"]
            old, new = poses(clip), poses(out)
            moved = {names[track] for (frame, track), value in old.items() if new[(frame, track)] != value}
            self.assertTrue(moved, clip.name)
            self.assertEqual({name for name in moved if part not in name}, set(), clip.name)
            self.assertEqual(marrow("check", out, "--skeleton", skeleton).returncode,
                             marrow("check", clip, "--skeleton", skeleton).returncode, clip.name)

    def csv_of(self, skeleton):
        path = self.out / "rest.csv"
        marrow("simulate", skeleton, "--seconds", "0.01", "-o", path, "-q")
        return path.read_text()

    def test_clips_that_loop_stay_loops(self):
        for game, name in (("skyrim-se", "dialogueangrya"), ("fo4", "PoseA_Idle1")):
            preset, bone, _ = GAMES[game]
            clip = CORPUS / "hkx" / game / f"{name}.hkx"
            out = self.out / "loop.csv"
            run = marrow("simulate", clip.parent / "skeleton.hkx", "--modifiers", preset, "--bone", bone, "--clip", clip,
                         "--loop", "--json", "-o", out)
            told = json.loads(run.stdout)[0]
            self.assertTrue(told["loop"]["closed"], run.stderr)
            last = str(told["frames"] - 1)
            ends = {"0": {}, last: {}}
            with open(out, newline="") as file:
                for row in csv.DictReader(file):
                    if row["frame"] in ends and GAMES[game][2] in row["bone"]:
                        ends[row["frame"]][row["bone"]] = list(row.values())[2:]
            self.assertTrue(ends["0"])
            self.assertEqual(ends["0"], ends[last], name)

    def test_presets_keep_their_countenance(self):
        # What hangs swings little while somebody talks, and never leaves its place for good.
        clip = CORPUS / "hkx/skyrim-se/dialogueangrya.hkx"
        for preset, bone in (("scabbard", "WeaponSword"), ("scabbard", "WeaponAxe"), ("pouch", "Quiver"),
                             ("pouch", "WeaponDagger")):
            out = self.out / f"{preset}.hkx"
            run = marrow("simulate", clip.parent / "skeleton.hkx", "--modifiers", preset, "--bone", bone, "--clip", clip,
                         "--settle", "3", "-o", out)
            self.assertEqual(run.returncode, 0, run.stderr)
            old, new = poses(clip), poses(out)
            turned = [degrees(new[key], old[key]) for key in old if new[key] != old[key]]
            self.assertLess(max(turned), 8, (preset, bone))
            self.assertGreater(max(turned), 0.2, (preset, bone))

    def test_mirroring_twice_gives_real_clips_back(self):
        for game, clip in CLIPS:
            once, twice = self.out / "once.glb", self.out / "twice.hkx"
            skeleton = clip.parent / "skeleton.hkx"
            self.assertEqual(marrow("mirror", clip, "-o", once).returncode, 0)
            self.assertEqual(marrow("mirror", once, "--skeleton", skeleton, "-o", twice).returncode, 0)
            old, new = poses(clip), poses(twice)
            self.assertEqual(old.keys(), new.keys())
            self.assertLess(max(degrees(old[key], new[key]) for key in old), 0.1, clip.name)
            self.assertEqual(marrow("annotations", "export", clip).stdout, marrow("annotations", "export", twice).stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
