# SPDX-License-Identifier: MIT
"""The motion of bones at frames: from the curves of an action, or as it is seen."""
import numpy
from mathutils import Euler, Quaternion

from . import channels, curves


class Motion:
    """Reads the channels of bones at frames: from curves, or as they are seen."""

    def __init__(self, context, owner, action, frames, how, shown=None, times=None):
        """`action` has the curves; `shown` is the action to show while what is seen is read, by default the same. `times`
        maps frames of the scene to those of the curves, of a strip."""
        self.owner, self.frames, self.how = owner, frames, how
        self.curve_frames = frames if times is None else times(frames)
        self.found = curves.by_path(action) if action is not None else {}
        show = shown if times is not None or shown is not None else action
        self._seen = _seen_channels(context, owner, show, frames) if how == "seen" else None

    def of_object(self):
        """Returns where the object is, as transforms: frames by ten, rotations x, y, z, w."""
        out = numpy.empty((len(self.frames), 10))
        for part, count, column in channels.PARTS:
            found = [self.found.get((part, index)) for index in range(count)]
            rest = channels.REST[column : column + count]
            rows = [curves.evaluated(curve, self.frames, rest[index]) for index, curve in enumerate(found)]
            out[:, column : column + count] = numpy.stack(rows, axis=1)
        if self.owner.rotation_mode not in ("QUATERNION", "AXIS_ANGLE"):
            found = [self.found.get(("rotation_euler", index)) for index in range(3)]
            if any(found):
                rows = numpy.stack([curves.evaluated(curve, self.frames, 0.0) for curve in found], axis=1)
                out[:, 3:7] = [Euler(row, self.owner.rotation_mode).to_quaternion() for row in rows]
        out[:, 3:7] = numpy.roll(out[:, 3:7], -1, axis=1)
        out[:, 3:7] /= numpy.maximum(numpy.linalg.norm(out[:, 3:7], axis=1, keepdims=True), 1e-9)
        return out

    def of(self, bone):
        """Returns the channels of a bone: frames by ten."""
        if self._seen is not None:
            return self._seen[bone]
        out = numpy.tile(channels.REST, (len(self.frames), 1))
        for part, count, column in channels.PARTS:
            if part == "rotation_quaternion":
                out[:, 3:7] = self._turns(bone)
                continue
            for index, curve in enumerate(channels.part_curves(self.found, bone, part, count)):
                out[:, column + index] = curves.evaluated(curve, self.frames, channels.REST[column + index])
        return out

    def _turns(self, bone):
        """Returns rotations as quaternions, of whatever kind of curves the bone uses."""
        pose = self.owner.pose.bones.get(bone)
        mode = pose.rotation_mode if pose is not None else "QUATERNION"
        part, count, rest = {
            "QUATERNION": ("rotation_quaternion", 4, (1.0, 0.0, 0.0, 0.0)),
            "AXIS_ANGLE": ("rotation_axis_angle", 4, (0.0, 0.0, 1.0, 0.0)),
        }.get(mode, ("rotation_euler", 3, (0.0, 0.0, 0.0)))
        found = channels.part_curves(self.found, bone, part, count)
        rows = numpy.stack([curves.evaluated(curve, self.frames, rest[i]) for i, curve in enumerate(found)], axis=1)
        if mode == "AXIS_ANGLE":
            rows = numpy.array([Quaternion(row[1:], row[0]) for row in rows])
        elif mode != "QUATERNION":
            rows = numpy.array([Euler(row, mode).to_quaternion() for row in rows])
        lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
        return numpy.where(lengths > 1e-9, rows / numpy.maximum(lengths, 1e-9), (1.0, 0.0, 0.0, 0.0))

    def is_keyed(self, bone):
        start = channels.bone_path(bone, "")
        return any(path.startswith(start) for path, _ in self.found)


def _seen_channels(context, owner, action, frames):
    """Returns channels that give what is seen, with constraints, drivers and NLA."""
    scene, before = context.scene, context.scene.frame_current_final
    shown = owner.animation_data.action if owner.animation_data else None
    if shown != action:
        curves.assign(owner, action)
    out = {bone.name: numpy.empty((len(frames), 10)) for bone in owner.pose.bones}
    for row, frame in enumerate(frames):
        scene.frame_set(int(numpy.floor(frame)), subframe=float(frame - numpy.floor(frame)))
        pose = owner.evaluated_get(context.evaluated_depsgraph_get()).pose
        for bone in pose.bones:
            above = bone.parent
            local = bone.bone.convert_local_to_pose(
                bone.matrix,
                bone.bone.matrix_local,
                parent_matrix=above.matrix if above else None,
                parent_matrix_local=above.bone.matrix_local if above else None,
                invert=True,
            ) if above else bone.bone.convert_local_to_pose(bone.matrix, bone.bone.matrix_local, invert=True)
            place, turn, size = local.decompose()
            out[bone.name][row] = (*place, *turn, *size)
    scene.frame_set(int(numpy.floor(before)), subframe=before - numpy.floor(before))
    if shown != action:
        curves.assign(owner, shown)
    return out


def seen_of_object(context, owner, frames, names):
    """Returns what is seen of an armature object, with NLA: its location and turn about Z, frames by four, and custom
    properties, frames by names."""
    scene, before = context.scene, context.scene.frame_current_final
    root, floats = numpy.zeros((len(frames), 4)), numpy.zeros((len(frames), len(names)))
    for row, frame in enumerate(frames):
        scene.frame_set(int(numpy.floor(frame)), subframe=float(frame - numpy.floor(frame)))
        seen = owner.evaluated_get(context.evaluated_depsgraph_get())
        root[row] = (*seen.location, seen.rotation_euler.z)
        floats[row] = [float(seen.get(name, 0.0)) for name in names]
    scene.frame_set(int(numpy.floor(before)), subframe=before - numpy.floor(before))
    return root, floats


def is_selected(owner, name):
    """True if a bone is selected. 5.x keeps that on the pose bone, older ones on the bone."""
    pose = owner.pose.bones.get(name)
    if pose is None:
        return False
    return bool(pose.select) if hasattr(pose, "select") else bool(pose.bone.select)
