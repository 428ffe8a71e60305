# SPDX-License-Identifier: MIT
"""What exports of imported and of new clips share: options, what was written, events, formats."""
from dataclasses import dataclass, field
import math

from . import armature, curves, files


#: Frames per second of the games' clips.
GAMES_RATE = 30
#: How far a translation that is not written may be moved without a note, in units of the game.
UNSEEN = 1e-3


@dataclass
class ExportOptions:
    """What the export operator offers. Bounds and the like are options of the operations `compress` and `convert`."""

    game: str = ""  # by default the original's
    format: str = ""  # by default as the file is called
    tracks: str = "original"  # "original", "keyed" or "selected"
    motion: str = "curves"  # "curves" or "seen": with constraints, drivers and layers
    blend: str = ""  # by default as the action says
    lock_translations: bool = True
    bounds: dict = field(default_factory=dict)  # options of compress
    rate: float = 0.0  # frames per second; 0: the original's, or the scene's for new clips
    markers: str = "missing"  # timeline markers as events: "missing" if the shown action has none, "always", "never"
    skeleton: str = ""  # a path: the game's skeleton, for armatures of other add-ons


@dataclass
class Exported:
    """What an export wrote."""

    data: bytes = b""
    is_original: bool = False
    changed_bones: list = field(default_factory=list)
    changed_events: bool = False
    notes: list = field(default_factory=list)
    frames: object = None  # what was meant: frames by tracks by ten; None if the file is the original


def note_strange_bones(out, owner, known, motion):
    """Notes bones with curves that are neither known nor helpers of the add-on."""
    strange = [
        bone.name
        for bone in owner.data.bones
        if bone.name not in known and not bone.get(armature.HELPER) and motion.is_keyed(bone.name)
    ]
    if strange:
        out.notes.append(f"bones that the game does not have are not written: {armature.few(strange)}")


def note_keys_outside(out, action, start, end):
    """Notes keys that the frame range of an action leaves out."""
    if not action.use_frame_range or not curves.all_curves(action):
        return
    first, last = curves.first_frame(action), curves.last_frame(action)
    if first < start - 0.999 or last > end + 0.999:
        out.notes.append(
            f"{action.name} has keys from frame {first:g} to {last:g}; those outside its frame range, {start:g} to {end:g}, are "
            "left out (Action > Manual Frame Range)"
        )


def note_locked(out, name):
    """Notes a bone whose translation was moved for nothing."""
    out.notes.append(f"{name} keeps its translation: the game takes it from the rest pose")


def events_of_strip(strip):
    """Yields the events that a strip shows, as frames of the scene and names."""
    first, last = strip.action_frame_start, strip.action_frame_end
    for turn in range(max(math.ceil(strip.repeat - 1e-6), 1)):
        for marker in strip.action.pose_markers:
            since = (last - marker.frame if strip.use_reverse else marker.frame - first) + turn * (last - first)
            frame = strip.frame_start + since * strip.scale
            if first <= marker.frame <= last and frame <= strip.frame_end + 0.5:
                yield frame, marker.name


def markers_of(context, owner, action, options, start, end, strips=()):
    """Returns the events of an action, or of strips, as frames, counted from its start, and names: its own markers, or those
    of the timeline. Also returns how many of the timeline's there are."""
    own = [event for strip in strips for event in events_of_strip(strip)]
    if strips and action is not None:  # of one strip
        return [(frame - start, text) for frame, text in own], 0
    if action is not None:
        own = [(marker.frame, marker.name) for marker in action.pose_markers]
    own = [(frame - start, text) for frame, text in own]
    is_shown = owner.animation_data is not None and owner.animation_data.action == action
    if not is_shown or options.markers == "never" or (options.markers == "missing" and own):
        return own, 0
    timeline = [(each.frame - start, each.name) for each in context.scene.timeline_markers if start <= each.frame <= end]
    timeline.sort()
    return own + timeline, len(timeline)


def format_of(path, options, own, source_name=""):
    """Returns the format to write: chosen, or the original's if the file is called like it, or as the file is called."""
    extension = files.extension_of(path)
    if options.format or (source_name and extension == files.extension_of(source_name)):
        return options.format or own
    return {".hkx": "hkx", ".xml": "xml", ".glb": "glb", ".gltf": "gltf"}.get(extension, own)
