# SPDX-License-Identifier: MIT
"""Run inside Blender: imports clips, compares the bones with ours, and exports them again with custom properties.

    blender -b --factory-startup --python blender_trip.py -- EXPECTED.json OUT_FOLDER FILE...
"""
import json
import math
import os
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy
from mathutils import Matrix, Quaternion, Vector

TO_GLTF = Matrix(((1, 0, 0), (0, 0, 1), (0, -1, 0)))  # Blender's Z up to glTF's Y up


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30


def joints(armature):
    """Place and turn of every bone, in the file's world; turns are relative to rest, for Blender re-aims bones."""
    bpy.context.view_layer.update()
    out = {}
    for bone in armature.pose.bones:
        world = armature.matrix_world @ bone.matrix
        rest = armature.matrix_world @ bone.bone.matrix_local
        turn = world.to_quaternion() @ rest.to_quaternion().inverted()
        v = TO_GLTF @ Vector((turn.x, turn.y, turn.z))
        out[bone.name] = (TO_GLTF @ world.translation, Quaternion((turn.w, *v)))
    return out


def compare(armature, expected):
    place = turn = 0.0
    rest = next(f for f in expected["frames"] if f["frame"] < 0)["bones"]
    count = 0
    for frame in expected["frames"]:
        if frame["frame"] < 0:
            continue
        bpy.context.scene.frame_set(frame["frame"])
        got = joints(armature)
        for name, (x, y, z, qx, qy, qz, qw) in frame["bones"].items():
            position, delta = got[name]
            place = max(place, (position - Vector((x, y, z))).length)
            r = rest[name]
            want = Quaternion((qw, qx, qy, qz)) @ Quaternion((r[6], *r[3:6])).inverted()
            angle = delta.rotation_difference(want).angle
            turn = max(turn, math.degrees(min(angle, 2 * math.pi - angle)))
            count += 1
    return count, place / expected["size"], turn


def main():
    expected_path, out_folder, *files = sys.argv[sys.argv.index("--") + 1:]
    with open(expected_path) as stream:
        expected = json.load(stream)
    os.makedirs(out_folder, exist_ok=True)
    failed = False
    for heuristic in ("TEMPERANCE", "BLENDER"):
        for path in files:
            clear()
            bpy.ops.import_scene.gltf(filepath=path, bone_heuristic=heuristic)
            armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
            count, place, turn = compare(armature, expected)
            good = count > 0 and place <= 1e-4 and turn <= 0.05
            failed |= not good
            print(f"blender {heuristic} {os.path.basename(path)}: {count} joints, worst {place:.2e} of the size, "
                  f"{turn:.4f} degrees{'' if good else '  TOO FAR'}")
            last = max(f["frame"] for f in expected["frames"])
            bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, last
            name = f"{os.path.splitext(os.path.basename(path))[0]}.{heuristic.lower()}.glb"
            bpy.ops.export_scene.gltf(filepath=os.path.join(out_folder, name), export_format="GLB", export_extras=True)
            if os.path.basename(path) in ("walk.glb", "show_bones.glb"):
                bpy.ops.export_scene.gltf(filepath=os.path.join(out_folder, "foreign." + name), export_format="GLB")
    sys.exit(1 if failed else 0)


main()
