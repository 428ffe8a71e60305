#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Blender and Marrow read the same FBX files alike: where every bone is at every key.

    fbx_blender_test.py MARROW FOLDER
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

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from fbx_writer import Scene, as_binary  # noqa: E402

MARROW, FOLDER = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
BLENDER = shutil.which("blender")
if not BLENDER:
    print("SKIPPED: no blender; run scripts/setup test")
    sys.exit(77)

KEYS = [(0, 0, 0, 0), (0.5, 40, -25, 70), (1, -80, 15, 20)]
MOST_DEGREES, MOST_SHARE = 0.01, 1e-4


def limb(scene, turn=KEYS, flags=0x4, **more):
    """A root, a bone that turns, and a bone on it that turns otherwise."""
    root = scene.bone("Root", move=(0, 90, 0))
    arm = scene.bone("Arm", root, move=(0, 20, 5), **more)
    hand = scene.bone("Hand", arm, move=(3, 30, 0))
    layer = scene.stack("Take", 0, 1)
    scene.curves(layer, arm, "Lcl Rotation", turn, flags)
    scene.curves(layer, hand, "Lcl Rotation", [(t, y, z, x) for t, x, y, z in turn], flags)
    scene.curves(layer, root, "Lcl Translation", [(0, 0, 90, 0), (1, 10, 95, 40)])
    return scene


def held():
    """A group above the bones that is turned and scaled, as programs export theirs."""
    scene = Scene()
    group = scene.bone("Group", move=(5, 0, 0), turn=(0, 30, 0), scale=(100, 100, 100), label="Null")
    root = scene.bone("Root", group, move=(0, 0.9, 0))
    arm = scene.bone("Arm", root, move=(0, 0.2, 0.05))
    layer = scene.stack("Take", 0, 1)
    scene.curves(layer, arm, "Lcl Rotation", KEYS)
    return scene


STYLES = {
    "plain": lambda: limb(Scene()),
    "order_zyx": lambda: limb(Scene(), RotationOrder=5),
    "order_yzx": lambda: limb(Scene(), RotationOrder=2),
    "order_zxy": lambda: limb(Scene(), RotationOrder=4),
    # Blender turns by PostRotation instead of its inverse, and by PreRotation in the order of the node: neither is
    # asked here; unit_motion_sources has both in numbers.
    "prerotation": lambda: limb(Scene(), PreRotation=(10.0, -70.0, 35.0)),
    "pivots": lambda: limb(Scene(), RotationPivot=(0.0, 5.0, 2.0), RotationOffset=(1.0, 0.0, 0.0)),
    "z_up": lambda: limb(Scene(up=2, front=1, front_sign=-1)),
    "metres": lambda: limb(Scene(unit=100.0)),
    "stepped": lambda: limb(Scene(), flags=0x2),
    "automatic_tangents": lambda: limb(Scene(), flags=0x8),
    "held": held,
}

IMPORT = '''
import bpy, json, sys
folder, names, fps = sys.argv[sys.argv.index("--") + 1:][0], sys.argv[sys.argv.index("--") + 1:][1].split(","), 30
out = {}
for name in names:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps
    bpy.ops.preferences.addon_enable(module="io_scene_fbx")
    bpy.ops.import_scene.fbx(filepath=f"{folder}/{name}.fbx", anim_offset=0.0)
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    rows = {}
    for frame in (0, 15, 30):
        bpy.context.scene.frame_set(frame)
        for bone in armature.pose.bones:
            world = armature.matrix_world @ bone.matrix
            rows[f"{frame} {bone.name}"] = [*world.translation, *world.to_quaternion()]
    out[name] = rows
json.dump(out, open(f"{folder}/blender.json", "w"))
'''


def turned(q, v):
    """A vector turned by a quaternion x, y, z, w."""
    x, y, z, w = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def times(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in STYLES.items():
        (FOLDER / f"{name}.fbx").write_bytes(as_binary(make().records()))
    script = FOLDER / "import.py"
    script.write_text(IMPORT)
    done = subprocess.run([BLENDER, "-b", "--factory-startup", "--python-exit-code", "1", "--python", script, "--", FOLDER, ",".join(STYLES)],
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        print(done.stdout[-3000:], done.stderr[-3000:])
        return 1
    blender = json.loads((FOLDER / "blender.json").read_text())
    failed = 0
    half = math.sqrt(0.5)
    for name in STYLES:
        ours = subprocess.run([MARROW, "sample", str(FOLDER / f"{name}.fbx"), "--frames", "0,15,30", "--space", "model"], capture_output=True, text=True)
        assert ours.returncode == 0, ours.stderr
        # What is Y up in the file stands on Blender's floor; what is Z up stands already.
        up = (0, 0, 0, 1) if name == "z_up" else (half, 0, 0, half)
        scale = 1.0 if name == "metres" else 0.01
        worst = [0.0, 0.0]
        rows = list(csv.DictReader(io.StringIO(ours.stdout)))
        for row in rows:
            theirs = blender[name][f"{int(float(row['frame']))} {row['bone']}"]
            place = [scale * x for x in turned(up, [float(row[k]) for k in ("tx", "ty", "tz")])]
            q = times(up, [float(row[k]) for k in ("qx", "qy", "qz", "qw")])
            w, x, y, z = theirs[3:]
            near = min(math.dist(q, (x, y, z, w)), math.dist(q, (-x, -y, -z, -w)))
            worst[0] = max(worst[0], math.degrees(4 * math.asin(min(1.0, near / 2))))
            worst[1] = max(worst[1], math.dist(place, theirs[:3]))
        good = len(rows) == 3 * (2 if name == "held" else 3) and worst[0] <= MOST_DEGREES and worst[1] <= MOST_SHARE * 200 * scale
        failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {name}: {worst[0]:.5f} degrees, {worst[1]:.6f} m, {len(rows)} poses")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
