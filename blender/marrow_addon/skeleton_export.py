# SPDX-License-Identifier: MIT
"""Export of Havok skeletons: the original if nothing was edited, else what was edited laid over it, so that the ragdoll,
physics and mappers of the file stay."""
from dataclasses import dataclass, field

import numpy

from . import armature, record
from .files import extension_of
from .package import marrow


@dataclass
class ExportedSkeleton:
    """What an export made: the file, and the bones that differ from the original."""

    data: bytes = b""
    is_original: bool = False
    changed: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def export_skeleton(owner, path):
    """Returns the skeleton of an armature. `path` decides the format; nothing is written there."""
    format = "xml" if extension_of(path) == ".xml" else "hkx"
    if not armature.is_ours(owner):
        return ExportedSkeleton(armature.built(owner).document.to_bytes(format=format))
    kept, skeleton = owner.data.marrow, armature.skeleton_of(owner)
    bones, out = edited_bones(owner, skeleton)
    if not out.changed:
        is_same = extension_of(path) == extension_of(kept.source_name)
        out.data = record.source_bytes(kept) if is_same else skeleton.document.to_bytes(format=format)
        out.is_original = is_same
        return out
    if skeleton.is_ragdoll:
        raise marrow.UnsupportedError("the bones of a ragdoll cannot be edited here; edit the skeleton, which moves it")
    made = marrow.Skeleton.new(skeleton.name, bones, skeleton.float_slots, game=skeleton.document.game)
    gone = [bone.name for bone in skeleton if bone.name not in {each.name for each in bones}]
    if gone and (len(skeleton.document.skeletons) > 1 or skeleton.document.collision):
        out.notes.append(f"{gone[0]} was removed or renamed: the ragdoll counts the old bones and is left out")
    if gone:
        out.data = made.document.to_bytes(format=format)
    else:
        source = [("file", made.document), ("skeleton", skeleton.document)]
        out.data = marrow.run("convert", source, {"format": format, "to": skeleton.document.game}).bytes
    return out


def edited_bones(owner, skeleton):
    """Returns the bones that the armature has now, and what differs from the skeleton. Bones of the skeleton keep their
    order; new ones follow, so that all numbers of old ones stay."""
    out, names = ExportedSkeleton(), armature.game_names(owner)
    axes = dict(zip(skeleton.names, record.read_json(owner.data.marrow.axes, [])))
    order = [name for name in skeleton.names if name in names] + [
        name for name, drawn in names.items() if name not in axes and not owner.data.bones[drawn].get(armature.HELPER)
    ]
    drawn = [owner.data.bones[names[name]] for name in order]
    places = {bone.name: place for place, bone in enumerate(drawn)}
    parents = [places.get(bone.parent.name, -1) if bone.parent else -1 for bone in drawn]
    local = armature.rest_in_game(owner, drawn, [axes.get(name) for name in order], parents)
    locked = armature.locked_bones(owner)
    bones = []
    for place, (name, parent) in enumerate(zip(order, parents)):
        old = skeleton[name] if name in axes else None
        bones.append(marrow.Bone(place, name, parent, _rest(local[place], old), name in locked))
        if old is None or bones[-1].rest is not old.rest or bones[-1].lock_translation != old.lock_translation:
            out.changed.append(name)
        elif (order[parent] if parent >= 0 else None) != (skeleton.names[old.parent_index] if old.parent_index >= 0 else None):
            out.changed.append(name)
    out.changed.extend(name for name in skeleton.names if name not in names)
    return bones, out


def _rest(local, old):
    """Returns a rest pose: the old one, exactly, if it differs by no more than Blender rounds."""
    if old is not None:
        was = numpy.array(old.rest.numbers())
        is_near = numpy.abs(local[:3] - was[:3]).max() <= 1e-5 * max(1.0, numpy.abs(was[:3]).max())
        turned = min(numpy.abs(local[3:] - was[3:7]).max(), numpy.abs(local[3:] + was[3:7]).max())
        if is_near and turned <= 1e-5:
            return old.rest
    return marrow.Transform(tuple(local[:3]), tuple(local[3:]), old.rest.scale if old is not None else (1.0, 1.0, 1.0))
