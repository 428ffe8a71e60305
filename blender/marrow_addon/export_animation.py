# SPDX-License-Identifier: MIT
"""Export of actions as clips. Only what differs from what import made is written into the original file."""
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy

from . import control_rig, curves, files, record
from .export_common import Exported, ExportOptions
from .export_edited import Edited
from .export_new import Fresh
from .package import marrow

__all__ = ["Exported", "ExportOptions", "export_action", "export_strip", "worst_error", "write"]


def export_action(context, owner, action, options, path=""):
    """Returns an action of an armature as a file. `path` decides the format; nothing is written there. Without an action,
    what NLA strips show is written."""
    if action is not None and control_rig.has_rig(owner):
        options = replace(options, motion="seen" if control_rig.is_edited(owner, action) else options.motion)
    if action is not None and record.has_source(action.marrow):
        return Edited(context, owner, action, options, path).export()
    return Fresh(context, owner, _source_of(context, owner, action, options), options, path).export()


def export_strip(context, owner, track, strip, options, path=""):
    """Returns an NLA strip as a file: what it shows alone, from its first frame to its last. One that shows an action that
    was imported as it is, only at another time, is that action."""
    if options.motion != "seen" and record.has_source(strip.action.marrow) and _is_plain(strip):
        return export_action(context, owner, strip.action, options, path)
    with _alone(owner, track, strip):
        source = Source(strip.name, strip.action, strip.frame_start, strip.frame_end, None, _curve_times(strip), (strip,))
        return Fresh(context, owner, source, replace(options, motion="seen"), path).export()


def write(context, owner, action, options, path):
    """Writes an action to a file. Returns what was written."""
    out = export_action(context, owner, action, options, path)
    files.write_file(path, out.data)
    return out


def worst_error(out):
    """Returns how far what was written is from what was meant: degrees and units. Zero for the original."""
    if out.frames is None:
        return 0.0, 0.0
    written = numpy.array(marrow.load(out.data).clips[0].frames, numpy.float64)
    meant = numpy.asarray(out.frames, numpy.float64)
    if written.shape != meant.shape:
        return 0.0, 0.0
    a, b = written[..., 3:7], meant[..., 3:7]
    apart = numpy.minimum(numpy.linalg.norm(a - b, axis=-1), numpy.linalg.norm(a + b, axis=-1))
    turned = numpy.degrees(4.0 * numpy.arcsin(numpy.minimum(apart / 2.0, 1.0)))
    return float(turned.max(initial=0.0)), float(numpy.abs(written[..., :3] - meant[..., :3]).max(initial=0.0))


@dataclass
class Source:
    """Where a new clip comes from.

    Attributes:
        name: of the clip.
        action: whose curves, markers and floats it has; None for strips.
        start, end: frames of the scene.
        shown: the action that is shown while what is seen is read.
        times: maps frames of the scene to those of the action's curves; None if they are the same.
        strips: whose events it has.
    """

    name: str
    action: object
    start: float
    end: float
    shown: object = None
    times: object = None
    strips: tuple = ()


def _source_of(context, owner, action, options):
    """Returns the frames of an action that was made in Blender, or of all strips if there is none."""
    if action is None:
        strips = [strip for track in _tracks(owner) if not track.mute for strip in track.strips if not strip.mute]
        if not strips or options.motion != "seen":
            raise marrow.OptionError("the armature shows no action; choose one, or export what strips show with Motion: As Seen")
        return Source(owner.name, None, min(each.frame_start for each in strips), max(each.frame_end for each in strips), strips=strips)
    if action.use_frame_range:
        return Source(action.name, action, action.frame_start, action.frame_end, action)
    return Source(action.name, action, curves.first_frame(action), curves.last_frame(action), action)


def _tracks(owner):
    return owner.animation_data.nla_tracks if owner.animation_data is not None else ()


def _is_plain(strip):
    """True if a strip shows its action whole, forwards, once and at its own speed."""
    start, end = strip.action.frame_range  # the manual one, if the action has one
    is_whole = abs(strip.action_frame_start - start) < 1e-3 and abs(strip.action_frame_end - end) < 1e-3
    is_once = strip.scale == 1.0 and strip.repeat == 1.0 and not strip.use_reverse
    is_changed = strip.use_animated_influence or strip.use_animated_time or len(strip.modifiers) or strip.blend_type != "REPLACE"
    return is_whole and is_once and not is_changed


def _curve_times(strip):
    """Returns what maps frames of the scene to frames of a strip's action."""
    def times(frames):
        share = (numpy.asarray(frames) - strip.frame_start) / max(strip.scale, 1e-6)
        return strip.action_frame_end - share if strip.use_reverse else strip.action_frame_start + share

    return times


@contextmanager
def _alone(owner, track, strip):
    """Shows one strip and nothing else, for a while."""
    data = owner.animation_data
    shown = data.action
    tracks = [(each, each.mute, each.is_solo) for each in data.nla_tracks]
    strips = [(each, each.mute) for each in track.strips]
    curves.assign(owner, None)
    try:
        for each, _, _ in tracks:
            each.is_solo = False
            each.mute = each != track
        for each, _ in strips:
            each.mute = each != strip
        yield
    finally:
        for each, mute in strips:
            each.mute = mute
        for each, mute, is_solo in tracks:
            each.mute = mute
            if is_solo:
                each.is_solo = True
        curves.assign(owner, shown)
