# SPDX-License-Identifier: MIT
"""Live preview of bone modifiers: the timeline is simulated into an action of its own, again when a value changes."""
import bpy
import numpy

from . import armature, curves, notes, rig
from .import_animation import write_channels
from .motion import Motion
from .package import marrow

#: What the names of previews end with.
SUFFIX = " (simulated)"
_waiting = False


def request(context):
    """Asks for a new preview. Many changes in a row give one; without a window it is made at once."""
    global _waiting
    if bpy.app.background:
        _try_refresh(context)
    elif not _waiting:
        _waiting = True
        bpy.app.timers.register(_later, first_interval=0.15)


def _later():
    global _waiting
    _waiting = False
    _try_refresh(bpy.context)
    return None


def _try_refresh(context):
    """Refreshes; the panel shows what is wrong. An update of a property cannot report it."""
    context.scene.marrow.live_note = ""
    try:
        refresh(context)
    except (marrow.Error, LookupError) as error:
        context.scene.marrow.live_note = notes.words(error)


def refresh(context):
    """Makes the preview of the active armature, or takes it away if live is off. Returns the action, or None."""
    owner = context.view_layer.objects.active  # a timer has no screen, which `context.object` comes from
    if not armature.is_ours(owner):
        return None
    if not context.scene.marrow.live:
        stop(owner)
        return None
    shown = owner.animation_data.action if owner.animation_data else None
    if shown is not None and shown.name.endswith(SUFFIX):
        shown = owner.data.marrow.live_source
    owner.data.marrow.live_source = shown
    action = simulate(context, owner, shown)
    curves.assign(owner, action)
    return action


def stop(owner):
    """Shows the action again that was there before the preview."""
    shown = owner.animation_data.action if owner.animation_data else None
    if shown is not None and shown.name.endswith(SUFFIX):
        curves.assign(owner, owner.data.marrow.live_source)
        bpy.data.actions.remove(shown)


def open_rig(context, owner):
    """Returns the rig of an armature with the values that it has in Blender."""
    kept, scene = owner.data.marrow, context.scene.marrow
    skeleton = armature.skeleton_of(owner)
    if kept.kind != "anvil":
        if scene.preset == "none":
            raise marrow.OptionError("choose a preset and its bone; this skeleton has no modifiers of its own")
        return marrow.Rig(skeleton, scene.preset, bones=[scene.preset_bone])
    made = marrow.Rig(skeleton)
    places = {}
    for modifier in made.modifiers:
        name = modifier.bone.name if modifier.bone else ""
        places.setdefault(name, []).append(modifier)
    for modifier, row in rig.changed_values(kept):
        own = places.get(modifier.bone, [])
        if modifier.index < len(own):
            own[modifier.index][row.field] = rig.value_of(row)
    return made


def simulate(context, owner, action):
    """Returns an action of the frames of the scene with the modifiers of the rig run over another, or over the rest pose."""
    made = open_rig(context, owner)
    scene, skeleton = context.scene, made.skeleton
    rate = scene.render.fps / scene.render.fps_base
    frames = numpy.arange(scene.frame_start, scene.frame_end + 1, dtype=float)
    rest = armature.rest_of(owner, skeleton)
    names = armature.drawn_names(owner, skeleton)
    bones = numpy.arange(len(skeleton))
    local = numpy.tile(rest.local, (len(frames), 1, 1))
    if action is not None:
        motion = Motion(context, owner, action, frames, "curves")
        channels = numpy.stack([motion.of(names[bone.name]) for bone in skeleton], axis=1)
        local = rest.from_channels(bones, channels)
    air = scene.marrow
    world = marrow.Environment(tuple(air.gravity), tuple(air.wind), air.gusts)
    simulation, out = made.simulation(), numpy.empty_like(local)
    pose = made.rest_pose
    for row in range(len(frames)):
        pose.array[: len(skeleton)] = local[row]
        out[row] = simulation.step(1.0 / rate if row else 0.0, pose, environment=world).array[: len(skeleton)]
    label = (action.name if action is not None else owner.name) + SUFFIX
    old = bpy.data.actions.get(label)
    if old is not None:
        bpy.data.actions.remove(old)
    preview = curves.new_action(label, owner)
    preview.use_fake_user = False
    thirds = _thirds(out)
    write_channels(curves.Writer(preview), owner, rest, skeleton, bones, thirds, frames)
    return preview


def _thirds(frames):
    """Returns frames with straight thirds between them."""
    out = numpy.empty((3 * (len(frames) - 1) + 1, *frames.shape[1:]))
    frames = frames.copy()
    frames[..., 3:7] = marrow.blender.continuous(frames[..., 3:7])
    out[::3] = frames
    for part in (1, 2):
        out[part::3] = frames[:-1] + (frames[1:] - frames[:-1]) * (part / 3.0)
    return out


def register():
    pass


def unregister():
    if bpy.app.timers.is_registered(_later):
        bpy.app.timers.unregister(_later)
