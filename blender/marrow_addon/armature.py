# SPDX-License-Identifier: MIT
"""Armatures: bones of a game's skeleton in Blender, names exactly as in the game."""
import bpy
import numpy
from mathutils import Matrix, Quaternion

from . import record
from .package import marrow


#: Custom property of bones whose translation the game takes from the rest pose. It may be changed; export follows.
LOCK = "lock_translation"


def create(context, skeleton, data, name, units="blender", axes="limbs", kind="havok"):
    """Makes an armature object of a skeleton and remembers the file that it came from.

    `data` are the bytes of that file, or None if there is none; then the skeleton's own document is kept.
    """
    scale = marrow.blender.unit_scale(units, skeleton.document.metres_per_unit)
    armature = bpy.data.armatures.new(name)
    armature.display_type = "OCTAHEDRAL" if axes == "limbs" else "STICK"
    owner = bpy.data.objects.new(name, armature)
    owner.show_in_front = True
    context.collection.objects.link(owner)
    _activate(context, owner)
    _draw(context, armature, skeleton, scale, axes)
    kept = armature.marrow
    record.keep_source(kept, data if data is not None else skeleton.document.to_bytes(), skeleton.document.name or name)
    kept.skeleton_index = skeleton.index
    kept.game = skeleton.document.game or ""
    kept.kind, kept.scale = kind, scale
    rest = rest_of(owner, skeleton)
    kept.axes = record.write_json([[round(x, 9) for x in row] for row in rest.axes.tolist()])
    kept.rest_print = str(rest_print(armature, skeleton))
    _pose_at_rest(owner, skeleton, rest)
    return owner


def _pose_at_rest(owner, skeleton, rest):
    """Gives pose bones what Blender's rest pose cannot say: scales of the file."""
    names = game_names(owner.data)
    still = rest.to_channels(numpy.arange(len(skeleton)), rest.local[None])[0]
    for bone in skeleton:
        pose = owner.pose.bones[names[bone.name]]
        pose.rotation_mode = "QUATERNION"
        pose.bone.inherit_scale = "ALIGNED"  # as the games do: axis by axis, without shear
        pose.scale = still[bone.index, 7:]
        pose.lock_location = (bone.lock_translation,) * 3


def _activate(context, owner):
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for each in context.selected_objects:
        each.select_set(False)
    owner.select_set(True)
    context.view_layer.objects.active = owner


def _draw(context, armature, skeleton, scale, axes):
    limbs = marrow.blender.limbs(skeleton, axes == "limbs")
    bpy.ops.object.mode_set(mode="EDIT")
    made = []
    for bone in skeleton:
        drawn = armature.edit_bones.new(bone.name)
        made.append(drawn)
        x, y, z, w = limbs.rotations[bone.index]
        matrix = Quaternion((w, x, y, z)).to_matrix().to_4x4()
        matrix.translation = limbs.heads[bone.index] * scale
        drawn.head = matrix.translation
        drawn.tail = drawn.head + matrix.col[1].xyz * float(limbs.lengths[bone.index] * scale)
        drawn.align_roll(matrix.col[2].xyz)
        if bone.parent_index >= 0:
            drawn.parent = made[bone.parent_index]
    names = [bone.name for bone in made]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone, drawn in zip(skeleton, names):
        if bone.lock_translation:
            armature.bones[drawn][LOCK] = True
        if drawn != bone.name:
            armature.bones[drawn]["game_name"] = bone.name  # Blender allows 63 bytes and no name twice


def game_names(armature):
    """Returns the names of Blender's bones by those of the game."""
    return {bone.get("game_name", bone.name): bone.name for bone in armature.bones}


def locked_bones(owner):
    """Returns the names, in the game, of bones whose translation the game takes from the rest pose."""
    said = said_by(owner)
    return {
        bone.get("game_name", bone.name)
        for bone in owner.data.bones
        if bone.get(LOCK) or (not is_ours(owner) and (said.locks_all or bone.name in said.locked))
    }


def is_ours(owner):
    """True if an object is an armature that Marrow imported."""
    return owner is not None and owner.type == "ARMATURE" and record.has_source(owner.data.marrow)


def skeleton_of(owner):
    """Returns the skeleton of an armature: that of the file it came from, else one made of its bones."""
    if is_ours(owner):
        kept = owner.data.marrow
        return record.open_source(kept).skeletons[kept.skeleton_index]
    return built(owner)


def matrices_of(armature, skeleton):
    """Returns the rest matrices of the skeleton's bones, as Blender has them."""
    names = game_names(armature)
    missing = [bone.name for bone in skeleton if bone.name not in names]
    if missing:
        raise KeyError(f"the armature has no bone {missing[0]!r}, which the skeleton has; undo the renaming")
    return numpy.array([armature.bones[names[bone.name]].matrix_local for bone in skeleton])


def rest_of(owner, skeleton, scale=None):
    """Returns the conversion between the game's transforms and the channels of this armature."""
    return marrow.blender.BlenderRest(
        skeleton, matrices_of(owner.data, skeleton), owner.data.marrow.scale if scale is None else scale
    )


def rest_print(armature, skeleton):
    """Returns a number that changes if a bone of the rest pose does."""
    return marrow.blender.fingerprint(matrices_of(armature, skeleton).astype(numpy.float32))


def built(owner, game=None):
    """Makes a skeleton of an armature that came from elsewhere: the axes of its bones, in the order that its properties
    give, or Blender's."""
    said = said_by(owner)
    bones = [bone for bone in owner.data.bones]
    if said.bones:
        by_name = {bone.name: bone for bone in bones}
        bones = [by_name[name] for name in said.bones if name in by_name]
    placed, rows = {}, []
    for bone in _parents_first(bones):
        above = bone.parent
        while above is not None and above.name not in placed:
            above = above.parent
        local = bone.matrix_local if above is None else above.matrix_local.inverted() @ bone.matrix_local
        place, turn, _ = Matrix(local).decompose()
        scale = owner.data.marrow.scale
        rest = marrow.Transform(tuple(x / scale for x in place), (turn.x, turn.y, turn.z, turn.w))
        locked = said.locks_all or bone.name in said.locked or bool(bone.get(LOCK))
        parent = -1 if above is None else placed[above.name]
        placed[bone.name] = len(rows)
        rows.append(marrow.Bone(len(rows), bone.name, parent, rest, locked))
    slots = [marrow.FloatSlot(name) for name in said.float_slots]
    return marrow.Skeleton.new(owner.name, rows, slots, game=game or said.game or "skyrim-se")


def said_by(owner):
    """Returns what `PYN_HKX_*` properties of an object or of its armature say."""
    properties = dict(owner.data.items())
    properties.update(owner.items())
    return marrow.blender.foreign_properties(properties)


def _parents_first(bones):
    """Returns bones in their order, parents moved before their children."""
    out, done, among = [], set(), {bone.name for bone in bones}
    for bone in bones:
        chain = []
        while bone is not None and bone.name not in done:
            chain.append(bone)
            done.add(bone.name)
            bone = bone.parent
        out.extend(each for each in reversed(chain) if each.name in among)
    return out


def rest_in_game(owner, drawn, axes, parents):
    """Returns the rest pose that Blender has now, as the game's local transforms: bones by seven. Bones that the game does
    not have yet get the axes that Blender gives them."""
    q = marrow.blender
    matrices = numpy.array([bone.matrix_local for bone in drawn], numpy.float64)
    own = numpy.array([row if row is not None else (0.0, 0.0, 0.0, 1.0) for row in axes])
    turns = q.quaternion_product(q.from_matrix(matrices[:, :3, :3]), q.inverse(own))
    places = matrices[:, :3, 3] / owner.data.marrow.scale
    out = numpy.concatenate([places, turns], axis=1)
    for bone, parent in enumerate(parents):
        if parent >= 0:
            back = q.inverse(turns[parent])
            out[bone, :3] = q.rotated(back, places[bone] - places[parent])
            out[bone, 3:7] = q.quaternion_product(back, turns[bone])
    return out
