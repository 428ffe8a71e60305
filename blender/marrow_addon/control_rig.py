# SPDX-License-Identifier: MIT
"""A control rig on an armature of the game: inverse kinematics for arms, legs and the spine, controls for root and hips.

Controls are bones beside those of the game. A hidden chain of two bones reaches for each control; the game's bones follow
the chain by helpers that keep, frame by frame, what a chain cannot say (twists, elbows that do not bend in one plane). So
controls show the motion of the action as it is, and what moves a control moves the limb from there. The curves of the
game's bones stay; export takes them as long as no control was moved, and else what is seen.
"""
import bpy
from mathutils import Matrix, Vector
import numpy

from . import armature, channels, curves
from .control_plan import BACK, Plan
from .package import marrow


_CONTROL, _POLE, _CHAIN, _FOLLOW = "CTL", "POLE", "MCH", "FOL"
#: The name of the rig's constraints.
_NAME = "Marrow Rig"


def has_rig(owner):
    """True if an armature has a control rig."""
    return owner is not None and owner.type == "ARMATURE" and any(_is_control(bone) for bone in owner.data.bones)


def _is_control(bone):
    return bone.get(armature.HELPER) == "control"


def add(context, owner):
    """Adds a control rig to an armature, and lets its controls show the actions that move it. Returns the names of the
    controls. Raises `marrow.NotFoundError` if the armature is not that of a human that is known."""
    if has_rig(owner):
        raise marrow.OptionError(f"{owner.name!r} has a control rig")
    plan = Plan(owner)
    actions = [each for each in bpy.data.actions if moves(each, owner)]
    poses = {each.name: _seen(context, owner, each, plan) for each in actions}
    _draw(context, owner, plan)
    _reach(owner, plan)
    for action in actions:
        _fill(context, owner, plan, action, poses[action.name])
    _follow(owner, plan)
    _rest(owner)
    return [f"{_CONTROL} {label}" for label in plan.controls]


def take(context, owner, action):
    """Lets the controls of a rig show an action that was made without them."""
    plan = Plan(owner)
    with _without(owner):
        pose = _seen(context, owner, action, plan)
        _fill(context, owner, plan, action, pose)


def remove(context, owner):
    """Writes what the controls do into the curves of the game's bones, and removes the rig. Returns how many actions
    changed."""
    if not has_rig(owner):
        raise marrow.OptionError(f"{owner.name!r} has no control rig")
    changed = [each for each in bpy.data.actions if moves(each, owner) and is_edited(owner, each)]
    baked = {action.name: _baked(context, owner, action) for action in changed}
    with_rig = [each for each in bpy.data.actions if _control_curves(owner, each)]
    for pose in owner.pose.bones:
        for each in [each for each in pose.constraints if each.name == _NAME]:
            pose.constraints.remove(each)
    for action in with_rig:
        curves.remove(action, _control_curves(owner, action))
        action.marrow.rig_print = ""
    armature.activate(context, owner)
    gone = [bone.name for bone in owner.data.bones if _is_control(bone)]
    bpy.ops.object.mode_set(mode="EDIT")
    for name in gone:
        owner.data.edit_bones.remove(owner.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    for action in changed:
        _write_baked(owner, action, *baked[action.name])
    return len(changed)


def moves(action, owner):
    """True if an action moves a bone of the game of an armature."""
    names = {channels.bone_path(bone.name, "") for bone in owner.data.bones if not bone.get(armature.HELPER)}
    return any(curve.data_path.rpartition(".")[0] + "." in names for curve in curves.all_curves(action))


def is_edited(owner, action):
    """True if somebody moved a control since the rig took an action."""
    found = _control_curves(owner, action)
    return bool(found) and str(curves.print_of(found)) != action.marrow.rig_print


def _control_curves(owner, action):
    """Returns the curves of controls and helpers in an action, in order."""
    names = {channels.bone_path(bone.name, "") for bone in owner.data.bones if _is_control(bone)}
    found = [each for each in curves.all_curves(action) if each.data_path.rpartition(".")[0] + "." in names]
    return sorted(found, key=lambda each: (each.data_path, each.array_index))


# ------------------------------------------------------------ bones


def _draw(context, owner, plan):
    """Draws the bones of the rig."""
    armature.activate(context, owner)
    bpy.ops.object.mode_set(mode="EDIT")
    bones, made = owner.data.edit_bones, []

    def new(name, matrix, length, parent=None):
        bone = bones.new(name)
        bone.head, bone.tail = matrix.translation, matrix.translation + matrix.col[1].xyz.normalized() * length
        bone.align_roll(matrix.col[2].xyz)
        bone.parent = parent
        bone.use_deform = False
        made.append(bone.name)
        return bone

    size = max((bone.head - bone.tail).length for bone in bones if bone.parent)
    controls = {}
    for label in sorted(plan.controls, key=lambda each: ("Root", "Hips").index(each) if each in ("Root", "Hips") else 2):
        like = bones[plan.controls[label]]
        above = plan.above(label)
        controls[label] = new(f"{_CONTROL} {label}", like.matrix.copy(), size * (0.8 if label in ("Root", "Hips") else 0.4), controls.get(above))
    for limb in plan.limbs:
        chain = [bones[plan.of(name)] for name in limb.chain]
        joints = [*(each.head.copy() for each in chain), bones[plan.of(limb.end)].head.copy()]
        above = chain[0].parent
        for number, game in enumerate(chain):
            way = joints[number + 1] - joints[number]
            link = bones.new(f"{_CHAIN} {limb.label} {number + 1}")
            link.head, link.tail = joints[number], joints[number + 1]
            link.align_roll(_middle(joints, limb) if way.length else Vector((0.0, 0.0, 1.0)))
            link.parent, link.use_deform = above, False
            made.append(link.name)
            above = link
            new(f"{_FOLLOW} {limb.label} {number + 1}", game.matrix.copy(), size * 0.1, link)
        if limb.pole is not None:
            place = joints[1] + _middle(joints, limb) * (joints[-1] - joints[0]).length * 0.6
            new(f"{_POLE} {limb.label}", Matrix.Translation(place), size * 0.2, controls.get("Root"))
    bpy.ops.object.mode_set(mode="OBJECT")
    shape = _widget()
    for name in made:
        bone, pose = owner.data.bones[name], owner.pose.bones[name]
        bone[armature.HELPER] = "control"
        pose.rotation_mode = "QUATERNION"
        if name.startswith((_CONTROL, _POLE)):
            pose.custom_shape = shape
        else:
            (pose if hasattr(pose, "hide") else bone).hide = True  # on the pose bone from 5.0 on


def _middle(joints, limb):
    """Returns which way the middle of a chain points."""
    along = (joints[-1] - joints[0]).normalized()
    off = joints[1] - joints[0]
    off = off - along * off.dot(along)
    if off.length < 0.02 * (joints[-1] - joints[0]).length:
        off = Vector(limb.pole or BACK)
        off = off - along * off.dot(along)
    return off.normalized()


def _widget():
    """Returns the shape that controls are drawn as: a cube of edges."""
    found = bpy.data.objects.get("Marrow Control")
    if found is not None:
        return found
    mesh = bpy.data.meshes.new("Marrow Control")
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (0.0, 1.0) for z in (-0.5, 0.5)]
    edges = [(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1]
    mesh.from_pydata(corners, edges, [])
    return bpy.data.objects.new("Marrow Control", mesh)


# ------------------------------------------------------------ constraints


def _reach(owner, plan):
    """Lets chains reach for their controls."""
    for limb in plan.limbs:
        pose = owner.pose.bones[f"{_CHAIN} {limb.label} {len(limb.chain)}"]
        made = pose.constraints.new("IK")
        made.name = _NAME
        made.target, made.subtarget, made.chain_count = owner, f"{_CONTROL} {limb.label}", len(limb.chain)
        made.use_stretch = False
        if limb.pole is None:
            continue
        made.pole_target, made.pole_subtarget = owner, f"{_POLE} {limb.label}"
        first = owner.data.bones[f"{_CHAIN} {limb.label} 1"]
        last = owner.data.bones[f"{_CHAIN} {limb.label} {len(limb.chain)}"]
        made.pole_angle = _pole_angle(first, last, owner.data.bones[f"{_POLE} {limb.label}"].head_local)


def _pole_angle(first, last, pole):
    """Returns the angle that turns the X axis of a chain's first bone to its pole."""
    normal = (last.tail_local - first.head_local).cross(pole - first.head_local)
    wanted = normal.cross(first.tail_local - first.head_local)
    axis, along = first.x_axis if first.parent is None else first.matrix_local.col[0].xyz, first.tail_local - first.head_local
    angle = axis.angle(wanted)
    return -angle if axis.cross(wanted).angle(along) < 1.0 else angle


def _follow(owner, plan):
    """Lets the game's bones follow the rig."""
    for label, name in plan.singles.items():
        _copy(owner, name, "COPY_TRANSFORMS", f"{_CONTROL} {label}")
    for limb in plan.limbs:
        for number, game in enumerate(limb.chain):
            _copy(owner, plan.of(game), "COPY_TRANSFORMS", f"{_FOLLOW} {limb.label} {number + 1}")
        _copy(owner, plan.of(limb.end), "COPY_ROTATION", f"{_CONTROL} {limb.label}")


def _copy(owner, name, kind, of):
    made = owner.pose.bones[name].constraints.new(kind)
    made.name = _NAME
    made.target, made.subtarget = owner, of


class _without:
    """Leaves the rig out for a while: the game's bones show their own curves."""

    def __init__(self, owner):
        self._of_game = [
            each for pose in owner.pose.bones if not _is_control(pose.bone) for each in pose.constraints if each.name == _NAME
        ]

    def __enter__(self):
        for each in self._of_game:
            each.mute = True

    def __exit__(self, *ignored):
        for each in self._of_game:
            each.mute = False


# ------------------------------------------------------------ motion


def _frames(action):
    """Returns the frames that an action has keys for: each whole one."""
    start, end = (action.frame_start, action.frame_end) if action.use_frame_range else (curves.first_frame(action), curves.last_frame(action))
    return numpy.arange(int(numpy.floor(start)), max(int(numpy.ceil(end)), int(numpy.floor(start))) + 1)


def _each_frame(context, owner, action, names, frames):
    """Returns the matrices of bones, in the space of the armature, at frames of an action: frames by bones by 4 by 4."""
    scene, before = context.scene, context.scene.frame_current
    data = owner.animation_data_create()
    shown = data.action
    curves.assign(owner, action)
    out = numpy.empty((len(frames), len(names), 4, 4))
    for row, frame in enumerate(frames):
        scene.frame_set(int(frame))
        pose = owner.evaluated_get(context.evaluated_depsgraph_get()).pose
        for column, name in enumerate(names):
            out[row, column] = pose.bones[name].matrix
    curves.assign(owner, shown)
    scene.frame_set(before)
    return out


def _seen(context, owner, action, plan):
    """Returns frames, and the matrices of the game's bones that the rig moves, by name."""
    frames = _frames(action)
    names = sorted({*plan.controls.values(), *(plan.of(name) for limb in plan.limbs for name in limb.chain)})
    seen = _each_frame(context, owner, action, names, frames)
    return frames, {name: seen[:, column] for column, name in enumerate(names)}


def _fill(context, owner, plan, action, pose):
    """Writes curves of controls and helpers, so that the rig shows what the game's bones do in an action."""
    frames, seen = pose
    rest = {bone.name: numpy.array(bone.matrix_local, numpy.float64) for bone in owner.data.bones}
    curves.remove(action, _control_curves(owner, action))
    writer = curves.Writer(action)
    placed = {}
    for label in sorted(plan.controls, key=lambda each: ("Root", "Hips").index(each) if each in ("Root", "Hips") else 2):
        name = f"{_CONTROL} {label}"
        placed[name] = _unscaled(seen[plan.controls[label]])
        above = owner.data.bones[name].parent
        _write(writer, name, rest, placed[name], above.name if above else None, placed, frames)
    for limb in plan.limbs:
        if limb.pole is not None:
            name = f"{_POLE} {limb.label}"
            placed[name] = _pole_places(plan, limb, seen, rest[name])
            above = owner.data.bones[name].parent
            _write(writer, name, rest, placed[name], above.name if above else None, placed, frames)
    links = [f"{_CHAIN} {limb.label} {number + 1}" for limb in plan.limbs for number in range(len(limb.chain))]
    solved = _each_frame(context, owner, action, links, frames)
    placed.update({name: solved[:, column] for column, name in enumerate(links)})
    for limb in plan.limbs:
        for number, game in enumerate(limb.chain):
            name = f"{_FOLLOW} {limb.label} {number + 1}"
            _write(writer, name, rest, seen[plan.of(game)], f"{_CHAIN} {limb.label} {number + 1}", placed, frames)
    action.marrow.rig_print = str(curves.print_of(_control_curves(owner, action)))


def _unscaled(matrices):
    """Returns matrices without their scale: controls place and turn."""
    out = matrices.copy()
    out[:, :3, :3] /= numpy.maximum(numpy.linalg.norm(out[:, :3, :3], axis=1, keepdims=True), 1e-9)
    return out


def _pole_places(plan, limb, seen, rest):
    """Returns where the pole of a limb stands: beyond its middle, away from the line between its ends."""
    first, middle, last = (seen[name][:, :3, 3] for name in (plan.of(limb.chain[0]), plan.of(limb.chain[1]), plan.of(limb.end)))
    along = last - first
    length = numpy.linalg.norm(along, axis=1, keepdims=True)
    along = along / numpy.maximum(length, 1e-9)
    off = middle - first
    off -= along * (off * along).sum(axis=1, keepdims=True)
    size = numpy.linalg.norm(off, axis=1, keepdims=True)
    for row in range(len(off)):  # a straight limb keeps the pole where it was
        if size[row] < 0.01 * length[row]:
            off[row] = off[row - 1] if row else numpy.array(limb.pole) - along[row] * along[row].dot(limb.pole)
            size[row] = max(numpy.linalg.norm(off[row]), 1e-9)
    out = numpy.tile(rest, (len(off), 1, 1))
    out[:, :3, 3] = middle + off / size * length * 0.6
    return out


def _write(writer, name, rest, wanted, above, placed, frames):
    """Writes the curves of a bone that bring it to where it is wanted, its parent being where it is."""
    if above is None:
        local = numpy.linalg.inv(rest[name]) @ wanted
    else:
        offset = numpy.linalg.inv(rest[above]) @ rest[name]
        local = numpy.linalg.inv(offset) @ numpy.linalg.inv(placed[above]) @ wanted
    sizes = numpy.linalg.norm(local[:, :3, :3], axis=1)
    turns = marrow.blender.from_matrix(local[:, :3, :3] / numpy.maximum(sizes[:, None, :], 1e-9))
    rows = numpy.concatenate([local[:, :3, 3], marrow.blender.continuous(numpy.roll(turns, 1, axis=1)), sizes], axis=1)
    for part, count, column in channels.PARTS:
        for index in range(count):
            values = rows[:, column + index]
            thirds = numpy.interp(numpy.arange(3 * (len(values) - 1) + 1) / 3.0, numpy.arange(len(values)), values)
            writer.write(channels.bone_path(name, part), index, marrow.blender.curve_keys(thirds), frames, name)


def _rest(owner):
    """Shows the action again."""
    if owner.animation_data is not None:
        curves.assign(owner, owner.animation_data.action)


# ------------------------------------------------------------ baking


def _baked(context, owner, action):
    """Returns frames, and the channels of the game's bones as they are seen."""
    from .motion import Motion

    frames = _frames(action).astype(float)
    motion = Motion(context, owner, action, frames, "seen")
    plan = Plan(owner)
    names = sorted({*plan.controls.values(), *(plan.of(name) for limb in plan.limbs for name in limb.chain)})
    return frames, {name: motion.of(name) for name in names}


def _write_baked(owner, action, frames, rows):
    """Writes channels of bones as their curves, in place of those that were there."""
    old = {channels.bone_path(name, part) for name in rows for part, _, _ in channels.PARTS}
    curves.remove(action, [each for each in curves.all_curves(action) if each.data_path in old])
    writer = curves.Writer(action)
    for name, values in rows.items():
        values = values.copy()
        values[:, 3:7] = marrow.blender.continuous(values[:, 3:7])
        for part, count, column in channels.PARTS:
            for index in range(count):
                own = values[:, column + index]
                thirds = numpy.interp(numpy.arange(3 * (len(own) - 1) + 1) / 3.0, numpy.arange(len(own)), own)
                writer.write(channels.bone_path(name, part), index, marrow.blender.curve_keys(thirds), frames, name)
