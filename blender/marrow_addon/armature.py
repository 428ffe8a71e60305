# SPDX-License-Identifier: MIT
"""Armatures: bones of a game's skeleton in Blender, names exactly as in the game."""
import bpy
import numpy
from mathutils import Matrix, Quaternion

from . import channels, curves, foreign, record
from .package import marrow


#: Custom property of bones that have another name in Blender than in the game.
GAME_NAME = "game_name"
#: Custom property of bones whose translation the game takes from the rest pose. It may be changed; export follows.
LOCK = "lock_translation"
#: Custom property of bones that are not of the skeleton: "body" if a body needs them, "control" if a control rig does.
HELPER = "marrow_helper"


def create(context, skeleton, data, name, units="blender", axes="limbs", kind="havok", naming="game"):
    """Makes an armature object of a skeleton and remembers the file that it came from.

    `data` are the bytes of that file, or None if there is none; then the skeleton's own document is kept. `naming` is
    "game", or "blender" for names that Blender mirrors by; the game's names are kept in a property either way.
    """
    scale = marrow.blender.unit_scale(units, skeleton.document.metres_per_unit)
    armature = bpy.data.armatures.new(name)
    armature.display_type = "OCTAHEDRAL" if axes == "limbs" else "STICK"
    owner = bpy.data.objects.new(name, armature)
    owner.show_in_front = True
    context.collection.objects.link(owner)
    activate(context, owner)
    _draw(context, armature, skeleton, scale, axes, naming)
    _remember(owner, skeleton, data, name, scale, kind)
    _pose_at_rest(owner, skeleton, rest_of(owner, skeleton))
    return owner


def adopt(owner, skeleton, data):
    """Makes an armature of another add-on one of ours: it remembers the skeleton of the game that its bones are. Raises
    `marrow.NotFoundError` with the names of bones that it lacks."""
    names = drawn_names(owner, skeleton)
    scale = scale_of(owner, skeleton)
    for game, drawn in names.items():
        bone = owner.data.bones[drawn]
        if drawn != game:
            bone[GAME_NAME] = game
        if skeleton[game].lock_translation:
            bone[LOCK] = True
    _remember(owner, skeleton, data, owner.name, scale, "havok")
    _pose_at_rest(owner, skeleton, rest_of(owner, skeleton))


def _remember(owner, skeleton, data, name, scale, kind):
    """Keeps the file that an armature belongs to, and how its bones lie."""
    kept = owner.data.marrow
    record.keep_source(kept, data if data is not None else skeleton.document.to_bytes(), skeleton.document.name or name)
    kept.skeleton_index = skeleton.index
    kept.game = skeleton.document.game or ""
    kept.kind, kept.scale = kind, scale
    rest = rest_of(owner, skeleton)
    kept.axes = record.write_json([[round(x, 9) for x in row] for row in rest.axes.tolist()])
    kept.drawn = record.packed(matrices_now(owner, skeleton).astype(numpy.float32).tobytes())
    kept.rest_print = str(rest_print(owner, skeleton))


def _pose_at_rest(owner, skeleton, rest):
    """Gives pose bones what Blender's rest pose cannot say: scales of the file, and which translations are locked."""
    names = drawn_names(owner, skeleton)
    still = rest.to_channels(numpy.arange(len(skeleton)), rest.local[None])[0]
    locked = []
    for bone in skeleton:
        pose = owner.pose.bones[names[bone.name]]
        pose.rotation_mode = "QUATERNION"
        pose.bone.inherit_scale = "ALIGNED"  # as the games do: axis by axis, without shear
        pose.scale = still[bone.index, 7:]
        pose.lock_location = (bone.lock_translation,) * 3
        if bone.lock_translation:
            locked.append(pose)
    _mark(owner, locked)


def _mark(owner, locked):
    """Shows which bones keep the translation of the rest pose: a colour of their own, and a group or collection."""
    label = "Locked Translation"
    if not locked or len(locked) == len(owner.pose.bones):
        return
    if hasattr(owner.pose, "bone_groups"):  # until 3.6
        group = owner.pose.bone_groups.get(label) or owner.pose.bone_groups.new(name=label)
        group.color_set = "THEME10"
        for pose in locked:
            pose.bone_group = group
        return
    collection = owner.data.collections.get(label) or owner.data.collections.new(label)
    for pose in locked:
        collection.assign(pose)
        pose.color.palette = "THEME10"


def activate(context, owner):
    """Makes an object the active and only selected one, in object mode."""
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for each in context.selected_objects:
        each.select_set(False)
    owner.select_set(True)
    context.view_layer.objects.active = owner


def _draw(context, armature, skeleton, scale, axes, naming):
    wanted = marrow.blender.blender_names(skeleton.names) if naming == "blender" else skeleton.names
    limbs = marrow.blender.limbs(skeleton, axes == "limbs")
    bpy.ops.object.mode_set(mode="EDIT")
    made = []
    for bone, label in zip(skeleton, wanted):
        drawn = armature.edit_bones.new(label)
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
            armature.bones[drawn][GAME_NAME] = bone.name  # Blender allows 63 bytes and no name twice


def game_names(owner):
    """Returns the names of Blender's bones by those of the game. Bones of other add-ons that were renamed are found by
    the list of bones that their armature carries; bones that the game does not have keep their own names."""
    out = {bone.get(GAME_NAME, bone.name): bone.name for bone in owner.data.bones}
    known = () if is_ours(owner) else foreign.said_by(owner).bones
    return _with_renamed(out, known) if any(name not in out for name in known) else out


def _with_renamed(names, known):
    """Adds to names those of `known` that are missing, if a bone that is not known stands for one."""
    among = set(known)
    left = [drawn for game, drawn in names.items() if game not in among]
    out = dict(names)
    for drawn, place in zip(left, marrow.blender.match_bones(left, known)):
        if place is not None and known[place] not in out:
            out[known[place]] = drawn
    found = {drawn for game, drawn in out.items() if game in among}
    return {game: drawn for game, drawn in out.items() if game in among or drawn not in found}


def drawn_names(owner, skeleton):
    """Returns the names of Blender's bones by those of a skeleton's bones. Raises `marrow.NotFoundError` with the names of
    bones that the armature has not, neither by the game's name nor by another that the library knows."""
    names = game_names(owner)
    if any(name not in names for name in skeleton.names):
        names = _with_renamed(names, skeleton.names)
    refuse_missing(owner, skeleton.names, names, f"the skeleton {skeleton.name!r}")
    return {name: names[name] for name in skeleton.names}


def refuse_missing(owner, wanted, names, whose):
    """Raises `marrow.NotFoundError` if wanted bones are not among the names; the message lists them."""
    missing = [name for name in wanted if name not in names]
    if missing:
        raise marrow.NotFoundError(
            f"{len(missing)} of {len(wanted)} bones of {whose} are not in {owner.name!r}: {few(missing)}. Give them their "
            f"names back, or set the custom property {GAME_NAME!r} of the bones that they are"
        )


def few(names, count=6):
    """Returns some names as text, and how many more there are."""
    more = f" and {len(names) - count} more" if len(names) > count else ""
    return ", ".join(map(str, names[:count])) + more


def names_for(owner, added):
    """Returns the names that bones beside those of the skeleton get, by the game's: Blender's if the armature has those."""
    if not any(game != drawn for game, drawn in game_names(owner).items()):
        return {name: name for name in added}
    known = skeleton_of(owner).names if is_ours(owner) else list(game_names(owner))
    return _labels(known, added)


def _labels(known, added):
    """Returns Blender's names of added bones, by the game's; those of the known ones are taken."""
    taken, out = set(marrow.blender.blender_names(known)) | set(known), {}
    for name, label in zip(added, marrow.blender.blender_names([*known, *added])[len(known) :]):
        out[name] = name if label in taken else label
        taken.add(out[name])
    return out


def rename(owner, naming):
    """Gives all bones of one of our armatures the game's names or Blender's, with their curves; those that bodies added,
    too. Returns how many changed."""
    skeleton = skeleton_of(owner)
    names = drawn_names(owner, skeleton)
    added = {bone.get(GAME_NAME, bone.name): bone.name for bone in owner.data.bones if bone.get(HELPER) == "body"}
    wanted = {name: name for name in (*skeleton.names, *added)}
    if naming == "blender":
        wanted.update(zip(skeleton.names, marrow.blender.blender_names(skeleton.names)))
        wanted.update(_labels(skeleton.names, list(added)))
    names = {**added, **names}
    changed = [(names[game], label, game) for game, label in wanted.items() if names[game] != label]
    bones = [owner.data.bones[old] for old, _, _ in changed]
    for number, bone in enumerate(bones):  # by way of other names: one bone may get the name that another still has
        bone.name = f"marrow {number}"
    done = {}
    for number, (bone, (old, label, game)) in enumerate(zip(bones, changed)):
        bone.name = label
        done[old] = done[f"marrow {number}"] = bone.name
        if bone.name != game:
            bone[GAME_NAME] = game
        elif GAME_NAME in bone:
            del bone[GAME_NAME]
    _rename_curves(done)
    return len(changed)


def _rename_curves(done):
    """Lets curves of actions that Blender did not follow (those that are not shown) move the renamed bones."""
    paths = {channels.bone_path(old, ""): channels.bone_path(new, "") for old, new in done.items()}
    for action in bpy.data.actions:
        for curve in curves.all_curves(action):
            head, dot, part = curve.data_path.rpartition(".")
            if dot and head + "." in paths:
                curve.data_path = paths[head + "."] + part
        for group in curves.groups_of(action):
            if group.name in done:
                group.name = done[group.name]


def locked_bones(owner):
    """Returns the names, in the game, of bones whose translation the game takes from the rest pose."""
    said = foreign.said_by(owner)
    return {
        game
        for game, drawn in game_names(owner).items()
        if owner.data.bones[drawn].get(LOCK) or (not is_ours(owner) and (said.locks_all or game in said.locked))
    }


def is_ours(owner):
    """True if an object is an armature that Marrow imported."""
    return owner is not None and owner.type == "ARMATURE" and record.has_source(owner.data.marrow)


def skeleton_of(owner, path=""):
    """Returns the skeleton of an armature: that of the file it came from, else the one of a file that is given, else one
    made of its bones."""
    if is_ours(owner):
        kept = owner.data.marrow
        return record.open_source(kept).skeletons[kept.skeleton_index]
    return marrow.load(path).skeleton if path else built(owner)


def scale_of(owner, skeleton):
    """Returns the length in Blender of one unit of the game: as it was imported, or as the distances between the bones
    of an armature of another add-on tell."""
    if is_ours(owner):
        return owner.data.marrow.scale
    return foreign.measured_scale(skeleton, matrices_now(owner, skeleton)[:, :3, 3])


def matrices_now(owner, skeleton):
    """Returns the rest matrices of the skeleton's bones, as Blender has them."""
    names = drawn_names(owner, skeleton)
    return numpy.array([owner.data.bones[names[bone.name]].matrix_local for bone in skeleton])


def _drawn(owner, count):
    """Returns the rest matrices that import gave the bones of a skeleton, or None."""
    if not owner.data.marrow.drawn:
        return None
    out = numpy.frombuffer(record.unpacked(owner.data.marrow.drawn), numpy.float32).reshape(-1, 4, 4)
    return out.astype(numpy.float64) if len(out) == count else None


def applied(owner, skeleton):
    """Returns the location, rotation and scale of the whole armature that somebody applied since it was drawn, as a matrix;
    None if there are none, or if single bones were moved."""
    now = matrices_now(owner, skeleton)
    was = _drawn(owner, len(now))
    if was is None or numpy.array_equal(was.astype(numpy.float32), now.astype(numpy.float32)):
        return None
    turn = now[0, :3, :3] @ was[0, :3, :3].T
    away, apart = was[:, :3, 3] - was[0, :3, 3], now[:, :3, 3] - now[0, :3, 3]
    growth = float(numpy.linalg.norm(apart) / max(numpy.linalg.norm(away), 1e-12)) if len(now) > 1 else 1.0
    growth = growth if abs(growth - 1.0) > 1e-5 else 1.0
    extent = max(float(numpy.abs(apart).max()), 1e-9)
    is_whole = numpy.abs(now[:, :3, :3] - turn @ was[:, :3, :3]).max() < 1e-3 and growth > 1e-6
    if not is_whole or numpy.abs(apart - growth * away @ turn.T).max() > 1e-4 * extent:
        return None
    out = numpy.eye(4)
    out[:3, :3] = growth * turn
    out[:3, 3] = now[0, :3, 3] - out[:3, :3] @ was[0, :3, 3]
    return out


def drawn_and_growth(owner, skeleton):
    """Returns the rest matrices of the skeleton's bones as they were drawn, and how much larger they are now, if somebody
    applied the location, rotation or scale of the whole armature since. Otherwise, what Blender has, and 1."""
    moved = applied(owner, skeleton)
    if moved is None:
        return matrices_now(owner, skeleton), 1.0
    return _drawn(owner, len(skeleton)), float(numpy.cbrt(numpy.linalg.det(moved[:3, :3])))


class DrawnRest(marrow.blender.BlenderRest):
    """The conversion between the game's transforms and the channels of an armature that may have grown since it was made."""

    growth = 1.0

    def to_channels(self, bones, transforms):
        out = super().to_channels(bones, transforms)
        out[..., :3] *= self.growth
        return out

    def from_channels(self, bones, channels):
        channels = numpy.array(channels, numpy.float64)
        channels[..., :3] /= self.growth
        return super().from_channels(bones, channels)


def rest_of(owner, skeleton, scale=None):
    """Returns the conversion between the game's transforms and the channels of this armature."""
    matrices, growth = drawn_and_growth(owner, skeleton)
    out = DrawnRest(skeleton, matrices, owner.data.marrow.scale if scale is None else scale)
    out.growth = growth
    return out


def length_of(owner, skeleton):
    """Returns the length in Blender, now, of one unit of the game."""
    return owner.data.marrow.scale * drawn_and_growth(owner, skeleton)[1]


def rest_print(owner, skeleton):
    """Returns a number that changes if a bone of the rest pose does."""
    return marrow.blender.fingerprint(matrices_now(owner, skeleton).astype(numpy.float32))


def built(owner, game=None):
    """Makes a skeleton of an armature that came from elsewhere: the axes of its bones, in the order that its properties
    give, or Blender's."""
    said = foreign.said_by(owner)
    if said.is_renamed and not said.bones:
        raise marrow.NotFoundError(
            f"the bones of {owner.name!r} have other names than the game's (PYN_RENAME_BONES), and it does not list those of "
            "the game (PYN_HKX_BONES); choose the game's skeleton"
        )
    foreign.refuse_other_axes(owner, said)
    names = game_names(owner)
    own = {drawn: game for game, drawn in names.items()}
    bones = list(owner.data.bones)
    if said.bones:
        refuse_missing(owner, said.bones, names, "PYN_HKX_BONES")
        bones = [owner.data.bones[names[name]] for name in said.bones]
    placed, rows = {}, []
    for bone in _parents_first(bones):
        above = bone.parent
        while above is not None and above.name not in placed:
            above = above.parent
        local = bone.matrix_local if above is None else above.matrix_local.inverted() @ bone.matrix_local
        place, turn, _ = Matrix(local).decompose()
        scale = owner.data.marrow.scale
        rest = marrow.Transform(tuple(x / scale for x in place), (turn.x, turn.y, turn.z, turn.w))
        locked = said.locks_all or own[bone.name] in said.locked or bool(bone.get(LOCK))
        parent = -1 if above is None else placed[above.name]
        placed[bone.name] = len(rows)
        rows.append(marrow.Bone(len(rows), own[bone.name], parent, rest, locked))
    slots = [marrow.FloatSlot(name) for name in said.float_slots]
    return marrow.Skeleton.new(owner.name, rows, slots, game=game or said.game or "skyrim-se")


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
