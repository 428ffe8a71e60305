#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Havok files of other games and machines, and motion of other programs, as they are found: what an independent reader says
of each, and that every door takes them.

    real_sources_test.py MARROW PROJECT

The files are in MARROW_CHARACTERS/sources and what is right in MARROW_GOLDEN/sources; without them it is skipped."""
import csv
import hashlib
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MARROW, PROJECT = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
SHARED = PROJECT.parent / "shared"
SOURCES = pathlib.Path(os.environ.get("MARROW_CHARACTERS", SHARED / "characters")) / "sources"
GOLDEN = pathlib.Path(os.environ.get("MARROW_GOLDEN", SHARED / "golden")) / "sources"
COLUMNS = ("tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz")
if not (SOURCES / "layouts").exists() or not (GOLDEN / "layouts").exists():
    print("SKIPPED: the sources are missing (MARROW_CHARACTERS, MARROW_GOLDEN)")
    sys.exit(77)


def right_values(kind):
    """The files of one kind, with what is right about each."""
    for path in sorted((GOLDEN / kind).glob("*.json")):
        yield SOURCES / kind / path.stem, json.loads(path.read_text())


def turned_apart(a, b):
    near = min(math.dist(a, b), math.dist(a, [-x for x in b]))
    return math.degrees(4 * math.asin(min(1.0, near / 2)))


class RealSources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="marrow-real-")
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def ok(self, *args, code=0):
        run = subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, code, f"{args}\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")
        return run

    def info(self, path):
        return json.loads(self.ok("info", path, "--json").stdout)[0]

    def rows(self, path, frames, key, *more):
        text = self.ok("sample", path, "--frames", ",".join(map(repr, frames)), *more).stdout
        return {(round(float(row["frame"]), 3), row[key]): [float(row[each]) for each in COLUMNS] for row in csv.DictReader(io.StringIO(text))}

    def moves_as(self, found, wanted, degrees, units):
        for key, right in wanted.items():
            self.assertLess(turned_apart(found[key][3:7], right[3:7]), degrees, key)
            self.assertLess(math.dist(found[key][:3], right[:3]), units, key)
            self.assertLess(math.dist(found[key][7:], right[7:]), 1e-3, key)

    def test_havok_files_are_what_another_reader_says(self):
        count = 0
        for path, right in right_values("layouts"):
            with self.subTest(path.name):
                info = self.info(path)
                for field in ("version", "pointer_size", "endian", "classes"):
                    self.assertEqual(info[field], right[field])
                for clip in right["clips"][:1]:
                    frames = [float(each["frame"]) for each in clip.get("sample", [])]
                    wanted = {(round(float(each["frame"]), 3), track): values for each in clip.get("sample", []) for track, values in each["tracks"].items()}
                    if frames:
                        self.moves_as(self.rows(path, frames, "track"), wanted, 0.002, 1e-3)
                count += 1
        self.assertGreater(count, 20)

    def test_havok_files_are_written_again_and_in_other_layouts(self):
        for path, right in right_values("layouts"):
            with self.subTest(path.name):
                if right.get("rewrite"):
                    same = self.out / "same.hkx"
                    self.ok("convert", path, "-o", same)
                    self.assertEqual(same.read_bytes(), path.read_bytes())
                for layout, digest in (right.get("other") or {}).items():
                    other = self.out / "other.hkx"
                    self.ok("convert", path, "--layout", layout, "-o", other)
                    self.assertEqual(hashlib.sha256(other.read_bytes()).hexdigest(), digest, layout)

    def test_clips_of_other_games_go_through_every_door(self):
        count = 0
        for path, right in right_values("layouts"):
            if not right["clips"]:
                continue
            with self.subTest(path.name):
                for game in ("skyrim-le", "fallout4"):
                    made = self.out / f"{game}.hkx"
                    self.ok("convert", path, "--to", game, "--allow-loss", "-o", made)
                    self.assertEqual(self.info(made)["game"], game)
                self.ok("convert", path, "-o", self.out / "clip.xml")
                self.ok("convert", path, "-o", self.out / "clip.json")
                self.ok("dump", path)
                self.assertEqual(json.loads(self.ok("diff", path, path, "--json").stdout)["differences"], [])
                # What is edited stays a file of that game.
                before = self.info(path)
                for words in (("compress",), ("clip", "reverse"), ("annotations", "add")):
                    edited = self.out / "edited.hkx"
                    more = ("--time", "0.01", "--text", "FootLeft") if words[0] == "annotations" else ()
                    self.ok(*words, path, *more, "-o", edited)
                    after = self.info(edited)
                    for field in ("format", "version", "pointer_size", "endian", "layout"):
                        self.assertEqual(after.get(field), before.get(field), (words, field))
                    self.assertEqual(after["clips"][0]["tracks"], before["clips"][0]["tracks"])
                self.assertEqual(after["clips"][0]["annotations"], before["clips"][0]["annotations"] + 1)
                count += 1
        self.assertGreater(count, 10)

    def test_clips_with_their_skeletons_become_gltf_and_go_onto_others(self):
        human = self.out / "human.hkx"
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
        from bodies import HUMAN, write_glb

        write_glb(self.out / "human.glb", HUMAN)
        self.ok("convert", self.out / "human.glb", "--to", "skyrim-se", "-o", human)
        for game in ("bb", "dsr"):
            with self.subTest(game):
                clip, skeleton = (SOURCES / "layouts" / f"{game}_{each}.hkt" for each in ("clip", "skeleton"))
                self.ok("convert", clip, "--skeleton", skeleton, "-o", self.out / f"{game}.glb")
                self.ok("convert", clip, "-o", self.out / "no.glb", code=1)  # it needs the skeleton, and says so
                report = json.loads(self.ok("retarget", clip, "--from", skeleton, "--to", human, "-o", self.out / "r.hkx", "--json").stdout)[0]
                self.assertEqual(report["source_rig"], "3ds Max Biped")
                self.assertEqual(report["mapped_limb_bones"], 12)
                mapped = {each["from"]: each["to"] for each in report["bones"]}
                self.assertEqual((mapped["L Thigh"], mapped["R Hand"]), ("NPC L Thigh [LThg]", "NPC R Hand [RHnd]"))

    def test_motion_of_other_programs_is_what_another_reader_says(self):
        count = 0
        for path, right in right_values("motion"):
            with self.subTest(path.name):
                info = self.info(path)
                self.assertEqual(sum(each["bones"] for each in info["skeletons"]), len(right["bones"]))
                self.assertEqual([each["frames"] for each in info["clips"]], [each["frames"] for each in right["clips"]])
                for number, clip in enumerate(right["clips"]):
                    frames = [float(each["frame"]) for each in clip["sample"]]
                    wanted = {(round(float(each["frame"]), 3), bone): values for each in clip["sample"] for bone, values in each["bones"].items()}
                    chosen = ("--clip", number) if len(right["clips"]) > 1 else ()
                    if wanted:
                        self.moves_as(self.rows(path, frames, "bone", *chosen), wanted, 0.002, 2e-3)
                        count += 1
        self.assertGreater(count, 20)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
