#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Styles of FBX and BVH whose right poses were worked out on paper; every FBX one as text and as binary 7400.

    motion_styles_test.py MARROW

A turn of 90 degrees about x, y or z is (s,0,0,s), (0,s,0,s), (0,0,s,s) with s the root of a half, so that two of them give
halves: y after x is (1,1,-1,1)/2, x after y (1,1,1,1)/2, z after x (1,1,1,1)/2."""
import csv
import io
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

MARROW = str(pathlib.Path(sys.argv[1]).resolve())
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fbx_writer import Record, Scene, as_binary, as_text, bvh, prop  # noqa: E402

TURN = "Lcl Rotation"
# Angles of the bone at the end of a second; they start from 0.
X90, XY90 = (90, 0, 0), (90, 90, 0)


def arm(turn, flags=0x4, **more):
    """A root, and a bone on it that turns."""
    scene = Scene()
    root = scene.bone("Root", move=(0, 90, 0))
    bone = scene.bone("Arm", root, **more)
    scene.curves(scene.stack("Take", 0, 1), bone, TURN, [(0, 0, 0, 0), (1, *turn)], flags)
    return scene


def held():
    """A group that is turned by 90 degrees about y and twice as large: x goes to -z."""
    scene = Scene()
    group = scene.bone("Group", move=(5, 0, 0), turn=(0, 90, 0), scale=(2, 2, 2), label="Null")
    arm = scene.bone("Arm", group, move=(1, 0, 0))
    scene.curves(scene.stack("Take", 0, 1), arm, TURN, [(0, 0, 0, 0), (1, 0, 0, 0)])
    return scene


def layered():
    """A second layer that adds 4 with half its weight, to 10 that the first sets."""
    scene = Scene()
    bone = scene.bone("Arm")
    first = scene.stack("Take", 0, 1)
    stack = next(link.values[2] for link in scene.links if link.values[1] == first)
    second = scene.add("AnimationLayer", "More", "", Record("Properties70", below=[prop("Weight", 50.0, kind="Number")]))
    scene.link(second, stack)
    for layer, x in ((first, 10), (second, 4)):
        scene.curves(layer, bone, "Lcl Translation", [(0, x, 0, 0), (1, x, 0, 0)])
    return scene


H = 0.5
S = math.sqrt(0.5)
# What: scene, bone, second, space, place (None: not asked) and turn x, y, z, w.
FBX = {
    "a line between two keys": (lambda: arm(X90), "Arm", 0.5, "local", None, (math.sin(math.pi / 8), 0, 0, math.cos(math.pi / 8))),
    "x before y, the usual order": (lambda: arm(XY90), "Arm", 1, "local", None, (H, H, -H, H)),
    "order ZYX, y before x": (lambda: arm(XY90, RotationOrder=5), "Arm", 1, "local", None, (H, H, H, H)),
    "a pre-rotation about z comes last": (lambda: arm(X90, PreRotation=(0.0, 0.0, 90.0)), "Arm", 1, "local", None, (H, H, H, H)),
    "a post-rotation about z comes first, backwards": (lambda: arm(X90, PostRotation=(0.0, 0.0, 90.0)), "Arm", 1, "local", None, (H, H, -H, H)),
    # The pivot at (0, 10, 0) stays: the origin goes to (0, 10, 0) + (10, 0, 0).
    "a pivot stays where it is": (lambda: arm((0, 0, 90), RotationPivot=(0.0, 10.0, 0.0)), "Arm", 1, "local", (10, 10, 0), (0, 0, S, S)),
    "a stepped key holds": (lambda: arm(X90, 0x2), "Arm", 0.9, "local", None, (0, 0, 0, 1)),
    # Flat tangents: 3 t^2 - 2 t^3 at a quarter is 10 / 64.
    "user tangents that are flat": (lambda: arm((64, 0, 0), 0x408), "Arm", 0.25, "local", None,
                                    (math.sin(math.radians(5)), 0, 0, math.cos(math.radians(5)))),
    "a group above turns and scales": (held, "Arm", 0, "model", (5, 0, -2), (0, S, 0, S)),
    "a layer adds half of what it has": (layered, "Arm", 1, "local", (12, 0, 0), (0, 0, 0, 1)),
}

JOINTS = [("Hips", None, (0, 95, 0)), ("Spine", 0, (0, 10, 0))]
FRAMES = [((0, 95, 0), {}), ((3, 96, 2), {"Spine": (90, 90, 0)})]
# Channels of the rotations, and the turn that 90 degrees in the first two of them give: multiplied as they are listed.
BVH = {
    ("Zrotation", "Xrotation", "Yrotation"): (H, H, H, H),
    ("Xrotation", "Yrotation", "Zrotation"): (H, H, H, H),
    ("Yrotation", "Xrotation", "Zrotation"): (H, H, -H, H),
    ("Xrotation", "Zrotation", "Yrotation"): (H, -H, H, H),
}


class Styles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="marrow-styles-")
        self.addCleanup(self.folder.cleanup)

    def pose(self, name, data, bone, frame, space="local"):
        path = pathlib.Path(self.folder.name, name)
        path.write_bytes(data)
        words = ["--space", "model"] if space == "model" else []
        run = subprocess.run([MARROW, "sample", str(path), "--frames", repr(frame), *words], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        row = next(r for r in csv.DictReader(io.StringIO(run.stdout)) if r["bone"] == bone)
        return [float(row[k]) for k in ("tx", "ty", "tz")], [float(row[k]) for k in ("qx", "qy", "qz", "qw")]

    def same(self, found, place, turn):
        if place is not None:
            for a, b in zip(found[0], place):
                self.assertAlmostEqual(a, b, delta=1e-4)
        # q and -q are one turn.
        apart = min(math.dist(found[1], turn), math.dist(found[1], [-x for x in turn]))
        self.assertLess(math.degrees(4 * math.asin(min(1.0, apart / 2))), 0.001)

    def test_ten_styles_of_fbx_as_text_and_as_binary(self):
        self.assertEqual(len(FBX), 10)
        for what, (make, bone, second, space, place, turn) in FBX.items():
            for name, write in (("text.fbx", as_text), ("binary.fbx", as_binary)):
                with self.subTest(what, file=name):
                    # The files have 30 frames per second.
                    found = self.pose(name, write(make().records()), bone, 30.0 * second, space)
                    self.same(found, place, turn)

    def test_orders_of_channels_in_bvh(self):
        for orders, turn in BVH.items():
            with self.subTest(orders):
                data = bvh(JOINTS, FRAMES, 0.5, orders)
                self.same(self.pose("a.bvh", data, "Spine", 1.0), (0, 10, 0), turn)
                # Halfway: half of the way, which is 60 of the 120 degrees that halves are.
                half = [x * math.sin(math.radians(30)) / math.sin(math.radians(60)) for x in turn[:3]]
                self.same(self.pose("a.bvh", data, "Spine", 0.5), (0, 10, 0), (*half, math.cos(math.radians(30))))
                # Positions of the root replace its offset.
                self.same(self.pose("a.bvh", data, "Hips", 1.0), (3, 96, 2), (0, 0, 0, 1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
