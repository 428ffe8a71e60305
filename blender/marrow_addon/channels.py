# SPDX-License-Identifier: MIT
"""Where the motion of bones, of the whole character and of float tracks is in an action."""
from bpy.utils import escape_identifier

#: Parts of a bone's channels: name, number of curves, first column among the ten.
PARTS = (("location", 3, 0), ("rotation_quaternion", 4, 3), ("scale", 3, 7))
#: Values of channels at rest.
REST = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
#: Root motion on the armature object: x, y, z, and the turn about Z.
ROOT = (("location", 0), ("location", 1), ("location", 2), ("rotation_euler", 2))


def bone_path(bone, part):
    return f'pose.bones["{escape_identifier(bone)}"].{part}'


def float_path(name):
    return f'["{escape_identifier(name)}"]'


def part_curves(found, bone, part, count):
    """Returns the curves of a part of a bone, None for those that are missing."""
    path = bone_path(bone, part)
    return [found.get((path, index)) for index in range(count)]


def root_curves(found):
    return [found.get(place) for place in ROOT]


def place_curves(found):
    """Returns the curves of an object that place an actor of a pair."""
    return [found.get((part, index)) for part, count, _ in PARTS for index in range(count)]
