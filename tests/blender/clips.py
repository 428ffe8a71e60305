# SPDX-License-Identifier: MIT
"""Clips for the tests inside Blender: imported, exported, edited, and made from nothing."""
import bpy
import numpy
from support import SCRATCH, marrow

from marrow_addon import channels, curves
from marrow_addon.export_animation import ExportOptions, write
from marrow_addon.import_animation import ImportOptions, import_file


def import_clip(path, skeleton, **options):
    return import_file(bpy.context, path, ImportOptions(skeleton=str(skeleton) if skeleton else "", **options))


def export(owner, action, name, **options):
    path = SCRATCH / name
    return path, write(bpy.context, owner, action, ExportOptions(**options), str(path))


def turn_bone(action, bone, degrees=10.0):
    """Turns a bone in all keys, handles too."""
    found = curves.by_path(action)
    rows = [found[(channels.bone_path(bone, "rotation_quaternion"), index)] for index in range(4)]
    half = numpy.radians(degrees) / 2
    w, x = numpy.cos(half), numpy.sin(half)
    for part in ("co", "handle_left", "handle_right"):
        values = []
        for curve in rows:
            row = numpy.empty(len(curve.keyframe_points) * 2, numpy.float32)
            curve.keyframe_points.foreach_get(part, row)
            values.append(row)
        count = max(map(len, values))
        if len({len(row) for row in values}) > 1:
            raise AssertionError("choose a bone all of whose rotation curves move")
        q = [row[1::2].copy() for row in values]
        turned = (w * q[0] - x * q[1], w * q[1] + x * q[0], w * q[2] + x * q[3], w * q[3] - x * q[2])
        for curve, row, new in zip(rows, values, turned):
            row[1::2] = new
            curve.keyframe_points.foreach_set(part, row)
        assert count


def lively_bone(owner, action):
    """Returns a bone whose rotation curves all move."""
    found = curves.by_path(action)
    for bone in owner.data.bones:
        rows = channels.part_curves(found, bone.name, "rotation_quaternion", 4)
        if bone.parent and all(curve is not None and len(curve.keyframe_points) > 1 for curve in rows):
            return bone.name
    raise AssertionError("no bone moves")


def rig_of(count=4):
    """Makes a skeleton with odd axes."""
    lean = (0.1825742, 0.3651484, 0.5477226, 0.7302967)
    bones = [("Root", None)]
    bones += [(f"Bone {i}", i - 1, marrow.Transform((1.0 + i, 0.5 * i, 2.0), lean)) for i in range(1, count)]
    return marrow.Skeleton.new("Root", bones, game="skyrim-se")


def tracks_of(names, count=40, size=0.3):
    """Makes lively tracks: every bone turns and moves."""
    t = numpy.linspace(0.0, 2.0, count)[:, None]
    out = {}
    for place, name in enumerate(names):
        turn = size * numpy.sin(t * (1.0 + 0.3 * place) + [[0.0, 1.0, 2.0]])
        q = numpy.concatenate([turn, numpy.ones_like(t)], axis=1)
        q /= numpy.linalg.norm(q, axis=1, keepdims=True)
        moves = numpy.cos(t * (1.0 + place)) * [[0.2, 0.5, 1.0]]
        out[name] = {"translations": moves, "rotations": q}
    return out


def authored(name, names, blend="normal", skeleton=None, **options):
    rig = rig_of()
    rig_path, path = SCRATCH / f"{name}-skeleton.hkx", SCRATCH / f"{name}.hkx"
    rig.save(str(rig_path))
    events = [(0.1, "FootLeft"), (0.5, "SoundPlay." + "A" * 80)]
    clip = marrow.Clip(
        tracks_of(names), skeleton=rig if skeleton else None, blend=blend, annotations=events, game="skyrim-se", name=name
    )
    clip.save(str(path), game="skyrim-se", max_rotation_error=0.01, **options)
    return path, rig_path
