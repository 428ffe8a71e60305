#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The laws of motion editing, judged by what `sample` says of the files alone: on an authored walk, and on every clip of the corpus.

    clip_laws_test.py MARROW REPOSITORY
"""
import csv
import io
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(REPOSITORY / "tests/e2e"))
from bodies import HUMAN, walk, write_glb  # noqa: E402

CORPUS = pathlib.Path(os.environ.get("MARROW_CORPUS", REPOSITORY / "../shared/corpus")) / "hkx"
FEET = {"fo4": ("LLeg_Foot", "LLeg_Toe1", "RLeg_Foot", "RLeg_Toe1"),
        "skyrim": ("NPC L Foot [Lft ]", "NPC L Toe0 [LToe]", "NPC R Foot [Rft ]", "NPC R Toe0 [RToe]")}


def marrow(*args):
    run = subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, (args, run.stderr)
    return run.stdout


def sampled(clip, *options):
    """Rows of a clip by frame and track."""
    frames = json.loads(marrow("info", clip, "--json"))[0]["clips"][0]["frames"]
    step = max(1, frames // 60)
    chosen = [str(f) for f in range(0, frames, step)] + [str(f + 0.5) for f in range(0, frames - 1, 3 * step)]
    text = marrow("sample", clip, "--frames", ",".join(chosen), *options)
    return {(float(r["frame"]), r["track"]): [float(r[k]) for k in ("tx", "ty", "tz", "qx", "qy", "qz", "qw")]
            for r in csv.DictReader(io.StringIO(text))}


def apart(a, b):
    """Largest difference in degrees and units."""
    assert a.keys() == b.keys()
    turn = way = 0.0
    for key, p in a.items():
        q = b[key]
        way = max(way, math.dist(p[:3], q[:3]))
        # By the chord: an arc cosine loses half of its digits near 1.
        chord = min(math.dist(p[3:], q[3:]), math.dist(p[3:], [-x for x in q[3:]]))
        turn = max(turn, math.degrees(4 * math.asin(min(1.0, chord / 2))))
    return turn, way


class Laws(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-laws-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def out(self, name):
        return self.folder / name

    def clips(self):
        """Clips with their skeletons: an authored one, then those of the corpus."""
        write_glb(self.out("rest.glb"), HUMAN)
        marrow("convert", self.out("rest.glb"), "-o", self.out("skeleton.hkx"), "--to", "sse")
        write_glb(self.out("walk.glb"), HUMAN, {"walk": walk(61, 30)})
        marrow("convert", self.out("walk.glb"), "-o", self.out("walk.hkx"), "--to", "se", "--skeleton", self.out("skeleton.hkx"))
        yield self.out("walk.hkx"), self.out("skeleton.hkx")
        if not CORPUS.is_dir():
            print("the corpus is missing (MARROW_CORPUS): only the authored walk is judged")
            return
        for path in sorted(CORPUS.rglob("*.hkx")):
            if "skeleton" in path.name:
                continue
            troll = "skeleton_troll.hkx" if "troll" in path.name else "skeleton.hkx"
            yield path, path.parent / troll

    def test_edits_and_their_inverses(self):
        for clip, _ in self.clips():
            with self.subTest(clip=clip.name):
                before = sampled(clip)
                frames = json.loads(marrow("info", clip, "--json"))[0]["clips"][0]["frames"]
                middle = frames // 2
                marrow("clip", "trim", clip, "--to-frame", middle, "-o", self.out("a.hkx"))
                marrow("clip", "trim", clip, "--from-frame", middle, "-o", self.out("b.hkx"))
                marrow("clip", "join", self.out("a.hkx"), self.out("b.hkx"), "-o", self.out("joined.hkx"))
                turn, way = apart(before, sampled(self.out("joined.hkx")))
                self.assertLess(turn, 0.09)  # blocks of two of the games' clips do not meet, by 0.083 between frames
                self.assertLess(way, 0.005)
                marrow("clip", "reverse", clip, "-o", self.out("r.hkx"))
                marrow("clip", "reverse", self.out("r.hkx"), "-o", self.out("rr.hkx"))
                turn, way = apart(before, sampled(self.out("rr.hkx")))
                self.assertLess(turn, 1e-3 if frames <= 256 else 0.09)
                self.assertLess(way, 1e-3 if frames <= 256 else 0.005)
                marrow("clip", "speed", clip, "--factor", 2, "-o", self.out("s.hkx"))
                marrow("clip", "speed", self.out("s.hkx"), "--factor", 0.5, "-o", self.out("ss.hkx"))
                self.assertEqual(before, sampled(self.out("ss.hkx")))

    def test_blends_and_layers_that_change_nothing(self):
        for clip, skeleton in self.clips():
            with self.subTest(clip=clip.name):
                before = sampled(clip)
                marrow("clip", "blend", clip, clip, "--weight", 0, "-o", self.out("zero.hkx"))
                self.assertEqual(before, sampled(self.out("zero.hkx")))
                marrow("clip", "blend", clip, clip, "--weight", 1, "-o", self.out("one.hkx"))
                self.assertEqual(before, sampled(self.out("one.hkx")))

    def test_feet_do_not_slide_while_they_stand(self):
        for clip, skeleton in self.clips():
            with self.subTest(clip=clip.name):
                report = json.loads(marrow("clip", "feet", clip, "--skeleton", skeleton, "-o", self.out("feet.hkx"), "--json"))[0]["clips"][0]
                self.assertLess(report["drift_after"], 0.1)
                self.assertLessEqual(report["turned_degrees"], 30)
                self.assertLessEqual(report["hips_moved"], 5)
                places = self.places(self.out("feet.hkx"), skeleton)
                ground = self.ground(clip, report)
                for contact in report["contacts"]:
                    points = [ground(f, places[f, contact["bone"]]) for f in range(contact["from_frame"], contact["to_frame"] + 1)]
                    mean = [sum(p[i] for p in points) / len(points) for i in range(2)]
                    drift = max(math.dist(p[:2], mean) for p in points)
                    self.assertAlmostEqual(drift, contact["drift_after"], delta=0.002)
                    self.assertLess(drift, 0.1 if contact["state"] in ("locked", "still") else math.inf, contact)

    def places(self, clip, skeleton):
        frames = json.loads(marrow("info", clip, "--json"))[0]["clips"][0]["frames"]
        text = marrow("sample", clip, "--frames", ",".join(map(str, range(frames))), "--skeleton", skeleton, "--space", "model")
        wanted = {bone for feet in FEET.values() for bone in feet}
        return {(round(float(r["frame"])), r["bone"]): [float(r[k]) for k in ("tx", "ty", "tz")]
                for r in csv.DictReader(io.StringIO(text)) if r["bone"] in wanted}

    def ground(self, clip, report):
        """Where a point of model space is over the ground at a frame."""
        info = json.loads(marrow("info", clip, "--json"))[0]["clips"][0]
        if "treadmill" in report:
            way = [v * info["duration_seconds"] / (info["frames"] - 1) for v in report["treadmill"]]
            return lambda f, p: [p[i] - f * way[i] for i in range(3)]
        if not info["root_motion"]:
            return lambda f, p: p
        samples = json.loads(marrow("root-motion", "show", clip, "--json"))[0]["samples"]

        def over(f, p):
            x, y, z, w = samples[f]
            c, s = math.cos(w), math.sin(w)
            return [x + c * p[0] - s * p[1], y + s * p[0] + c * p[1], z + p[2]]

        return over


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
