# SPDX-License-Identifier: MIT
"""Curves of actions: the one seam between old actions (until 4.3) and layered ones with slots (4.4 and later)."""
import bpy
import numpy

from .package import marrow

#: Values of Blender's enumerations, which bulk access takes as numbers.
_BEZIER, _FREE = 2, 0


#: How many bytes Blender gives a name.
MOST_NAME = 63


def name_with(stem, end):
    """Returns a name with another end, cut so that Blender keeps the end, also if it has to add a number."""
    room = MOST_NAME - len(end.encode()) - len(".001")
    return stem.encode()[:room].decode(errors="ignore").rstrip() + end


def new_action(name, owner):
    """Makes an action for an object and gives it a slot if this Blender has slots."""
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    if hasattr(action, "slots"):
        action.slots.new(id_type="OBJECT", name=owner.name)
    return action


def assign(owner, action):
    """Shows an action on an object."""
    data = owner.animation_data_create()
    data.action = action
    if action is not None and hasattr(data, "action_slot") and len(action.slots):
        data.action_slot = action.slots[0]


def _bag(action, create):
    """Returns what holds the curves and groups of an action, or None."""
    if not hasattr(action, "slots"):
        return action
    if not len(action.slots):
        if not create:
            return None
        action.slots.new(id_type="OBJECT", name="Marrow")
    if not len(action.layers):
        if not create:
            return None
        action.layers.new("Layer")
    layer = action.layers[0]
    if not len(layer.strips):
        if not create:
            return None
        layer.strips.new(type="KEYFRAME")
    return layer.strips[0].channelbag(action.slots[0], ensure=create)


def all_curves(action):
    """Returns the curves of an action; of layered ones those of the first slot, which is the armature's."""
    bag = _bag(action, False)
    return [] if bag is None else list(bag.fcurves)


def groups_of(action):
    """Returns the groups of an action's curves."""
    bag = _bag(action, False)
    return [] if bag is None else list(bag.groups)


def by_path(action):
    """Returns the curves of an action by data path and index."""
    return {(curve.data_path, curve.array_index): curve for curve in all_curves(action)}


def remove(action, gone):
    """Removes curves of an action."""
    bag = _bag(action, False)
    for curve in gone:
        bag.fcurves.remove(curve)


class Writer:
    """Writes whole curves into an action."""

    def __init__(self, action):
        self._bag = _bag(action, True)
        self._groups = {}

    def _group(self, name):
        if name not in self._groups:
            self._groups[name] = self._bag.groups.get(name) or self._bag.groups.new(name)
        return self._groups[name]

    def write(self, path, index, keys, frames, group):
        """Writes one curve of `marrow.blender.CurveKeys`, with keys at frames of the scene."""
        curve = self._bag.fcurves.new(path, index=index)
        curve.group = self._group(group)
        points = curve.keyframe_points
        count = len(keys.values)
        points.add(count)
        rows, left, right = keys.rows(frames)
        points.foreach_set("co", rows)
        points.foreach_set("handle_left", left)
        points.foreach_set("handle_right", right)
        points.foreach_set("interpolation", numpy.full(count, _BEZIER, numpy.int32))
        free = numpy.full(count, _FREE, numpy.int32)
        points.foreach_set("handle_left_type", free)
        points.foreach_set("handle_right_type", free)
        return curve


def stored(curve):
    """Returns all that shapes a curve, to compare it with what import wrote."""
    points = curve.keyframe_points
    count = len(points)
    out = []
    for name in ("co", "handle_left", "handle_right"):
        row = numpy.empty(count * 2, numpy.float32)
        points.foreach_get(name, row)
        out.append(row)
    kinds = numpy.empty(count, numpy.int32)
    points.foreach_get("interpolation", kinds)
    shape = (curve.extrapolation, curve.mute, [modifier.type for modifier in curve.modifiers])
    return (*out, kinds, shape)


def print_of(curves):
    """Returns the fingerprint of curves, in the order given; None stands for one that is missing."""
    parts = []
    for curve in curves:
        parts.extend(("none",) if curve is None else stored(curve))
    return marrow.blender.fingerprint(*parts)


def evaluated(curve, frames, default):
    """Returns the values of a curve at frames, or a default if there is no curve."""
    if curve is None or curve.mute:
        return numpy.full(len(frames), default)
    evaluate = curve.evaluate
    return numpy.array([evaluate(frame) for frame in frames])


def last_frame(action):
    """Returns the last frame of any key; 0 if there is none."""
    ends = [curve.range()[1] for curve in all_curves(action) if len(curve.keyframe_points)]
    return max(ends, default=0.0)


def first_frame(action):
    """Returns the first frame of any key; 0 if there is none."""
    starts = [curve.range()[0] for curve in all_curves(action) if len(curve.keyframe_points)]
    return min(starts, default=0.0)
