#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A clip of another program's glTF file is followed at its own keys: a fast, eased swing gives the same motion at every
frame rate, and the one that a fine Runge-Kutta solution gives.

    simulate_gltf_test.py MARROW
"""
import base64
import csv
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
LENGTH, FRICTION, AIR, SECONDS, OMEGA = 0.3, 1.5, 0.25, 2.0, 2 * math.pi * 2
SIDECAR = {"modifiers": [
    {"bone": "Rod", "type": "BallJoint", "ConstraintAngle": 180, "Mass": 1, "MechanicalFriction": FRICTION, "AirFriction": AIR}]}


def swing(t):
    return 0.05 - 0.05 * math.cos(OMEGA * t)


def write_gltf(path, times, values, interpolation="LINEAR"):
    """A root that is moved along X, a rod that hangs from it, and its end. glTF is Y up."""
    parts = [struct.pack(f"<{len(times)}f", *times), b"".join(struct.pack("<3f", *v) for v in values), struct.pack("<48f", *([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] * 3))]
    data, views = b"", []
    for part in parts:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        data += part
    gltf = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "Root", "translation": [0, 1, 0], "children": [1]}, {"name": "Rod", "children": [2]},
                      {"name": "End", "translation": [0, -LENGTH, 0]}],
            "skins": [{"joints": [0, 1, 2], "inverseBindMatrices": 2}],
            "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
            "bufferViews": views,
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(times), "type": "SCALAR", "min": [min(times)], "max": [max(times)]},
                          {"bufferView": 1, "componentType": 5126, "count": len(values), "type": "VEC3"},
                          {"bufferView": 2, "componentType": 5126, "count": 3, "type": "MAT4"}],
            "animations": [{"name": "swing", "samplers": [{"input": 0, "output": 1, "interpolation": interpolation}],
                            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]}
    path.write_text(json.dumps(gltf))


def fine(position):
    """The angle of the rod by classic Runge and Kutta at 10,000 steps per second; the path's speeds by differences."""
    step, e = 1e-4, 1e-4
    def rate(t, s):
        v, a = (position(t + e) - position(t - e)) / (2 * e), (position(t + e) - 2 * position(t) + position(t - e)) / (e * e)
        air = -v * math.cos(s[0]) / LENGTH
        return s[1], (-9.81 * math.sin(s[0]) - a * math.cos(s[0])) / LENGTH - FRICTION * s[1] - AIR * (s[1] - air)
    s, out = (0.0, 0.0), [0.0]
    for i in range(round(SECONDS / step)):
        t = i * step
        k1 = rate(t, s)
        k2 = rate(t + step / 2, (s[0] + step / 2 * k1[0], s[1] + step / 2 * k1[1]))
        k3 = rate(t + step / 2, (s[0] + step / 2 * k2[0], s[1] + step / 2 * k2[1]))
        k4 = rate(t + step, (s[0] + step * k3[0], s[1] + step * k3[1]))
        s = tuple(s[c] + step / 6 * (k1[c] + 2 * k2[c] + 2 * k3[c] + k4[c]) for c in (0, 1))
        out.append(s[0])
    return out


class Keys(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-keys-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "side.json").write_text(json.dumps(SIDECAR))

    def angles(self, clip, *args):
        out = self.folder / "a.csv"
        run = subprocess.run([MARROW, "simulate", clip, "--clip", clip, "--modifiers", self.folder / "side.json", *map(str, args), "-o", out],
                             capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 0, run.stderr)
        with out.open(newline="") as file:
            turns = {int(row["frame"]): [float(row[k]) for k in ("qx", "qy", "qz", "qw")]
                     for row in csv.DictReader(file) if row["bone"] == "Rod"}
        first = turns[0]  # it has settled: it hangs straight down
        chord = lambda q: min(math.dist(q, first), math.dist([-x for x in q], first))
        return {frame: 4 * math.asin(min(1.0, chord(q) / 2)) for frame, q in turns.items()}

    def check(self, name, clip, reference, worst=0.01):
        most = max(abs(a) for a in reference)
        for fps in (24, 30, 60, 120, 240, 480):
            found = self.angles(clip, "--fps", fps)
            self.assertEqual(len(found), round(SECONDS * fps) + 1, (name, fps))
            error = max(abs(a - abs(reference[round(f / fps * 1e4)])) for f, a in found.items())
            self.assertLess(error / most, worst, (name, fps))

    def test_straight_keys_at_any_rate_are_followed_on_a_cubic_path(self):
        reference, clip = fine(swing), self.folder / "clip.gltf"
        for rate in (24, 25, 30, 60):
            times = [i / rate for i in range(round(SECONDS * rate) + 1)]
            write_gltf(clip, times, [(swing(t), 1, 0) for t in times])
            self.check(f"keys at {rate}", clip, reference)
            # The clip's own rate is the usual one.
            self.assertEqual(len(self.angles(clip)), round(SECONDS * rate) + 1)

    def test_poses_at_the_ends_of_an_eased_swing_are_enough(self):
        """Cubic keys without speed at the turning points, a quarter of a second apart."""
        def eased(t):
            i, u = divmod(max(t, 0.0) / 0.25, 1.0)
            s = u * u * (3 - 2 * u)
            return 0.1 * (s if int(i) % 2 == 0 else 1 - s)
        times = [0.25 * i for i in range(9)]
        clip = self.folder / "clip.gltf"
        values = [v for i in range(9) for v in ((0, 0, 0), (0.1 * (i % 2), 1, 0), (0, 0, 0))]
        write_gltf(clip, times, values, "CUBICSPLINE")
        self.check("cubic", clip, fine(eased))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
