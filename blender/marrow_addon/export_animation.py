# SPDX-License-Identifier: MIT
"""Export of actions as clips. Only what differs from what import made is written into the original file."""
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import bpy
import numpy

from . import armature, channels, control_rig, curves, files, record
from .import_animation import prints
from .motion import Motion, is_selected
from .package import marrow


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
    rate: float = 0.0  # frames per second; 0: the original's, 30 for new clips
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


def export_action(context, owner, action, options, path=""):
    """Returns an action of an armature as a file. `path` decides the format; nothing is written there. Without an action,
    what NLA strips show is written."""
    if action is not None and control_rig.has_rig(owner):
        options = replace(options, motion="seen" if control_rig.is_edited(owner, action) else options.motion)
    if action is not None and record.has_source(action.marrow):
        return _Edited(context, owner, action, options, path).export()
    return _Fresh(context, owner, _source_of(context, owner, action, options), options, path).export()


def export_strip(context, owner, track, strip, options, path=""):
    """Returns an NLA strip as a file: what it shows alone, from its first frame to its last."""
    with _alone(owner, track, strip):
        source = _Source(strip.name, strip.action, strip.frame_start, strip.frame_end, None, _curve_times(strip))
        return _Fresh(context, owner, source, replace(options, motion="seen"), path).export()


def _strange_bones(owner, known, motion):
    """Returns the names of bones with curves that are neither known nor helpers of the add-on."""
    return [
        bone.name
        for bone in owner.data.bones
        if bone.name not in known and not bone.get(armature.HELPER) and motion.is_keyed(bone.name)
    ]


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
class _Source:
    """Where a new clip comes from.

    Attributes:
        name: of the clip.
        action: whose curves, markers and floats it has; None for strips.
        start, end: frames of the scene.
        shown: the action that is shown while what is seen is read.
        times: maps frames of the scene to those of the action's curves; None if they are the same.
    """

    name: str
    action: object
    start: float
    end: float
    shown: object = None
    times: object = None


def _source_of(context, owner, action, options):
    """Returns the frames of an action that was made in Blender, or of all strips if there is none."""
    if action is None:
        strips = [strip for track in _tracks(owner) if not track.mute for strip in track.strips if not strip.mute]
        if not strips or options.motion != "seen":
            raise marrow.OptionError("the armature shows no action; choose one, or export what strips show with Motion: As Seen")
        return _Source(owner.name, None, min(each.frame_start for each in strips), max(each.frame_end for each in strips))
    if action.use_frame_range:
        return _Source(action.name, action, action.frame_start, action.frame_end, action)
    return _Source(action.name, action, curves.first_frame(action), curves.last_frame(action), action)


def _tracks(owner):
    return owner.animation_data.nla_tracks if owner.animation_data is not None else ()


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


def _markers(context, owner, action, options, start, end, times=None):
    """Returns the events of an action as frames, counted from its start, and names: its own markers, or those of the
    timeline. Also returns how many of the timeline's there are."""
    own = [(marker.frame, marker.name) for marker in action.pose_markers] if action is not None else []
    if times is not None:
        first, last = float(times([start])[0]), float(times([end])[0])
        share = (end - start) / (last - first) if last != first else 1.0
        return [((frame - first) * share, text) for frame, text in own], 0
    own = [(frame - start, text) for frame, text in own]
    is_shown = owner.animation_data is not None and owner.animation_data.action == action
    if not is_shown or options.markers == "never" or (options.markers == "missing" and own):
        return own, 0
    timeline = [(each.frame - start, each.name) for each in context.scene.timeline_markers if start <= each.frame <= end]
    timeline.sort()
    return own + timeline, len(timeline)


def _format_of(path, options, own, source_name=""):
    """Returns the format to write: chosen, or the original's if the file is called like it, or as the file is called."""
    extension = files.extension_of(path)
    if options.format or (source_name and extension == files.extension_of(source_name)):
        return options.format or own
    return {".hkx": "hkx", ".xml": "xml", ".glb": "glb", ".gltf": "gltf"}.get(extension, own)


def owner_with(action, otherwise=None):
    """Returns the armature that an action is shown on, else one whose bones it moves."""
    users = [each for each in bpy.data.objects if each.type == "ARMATURE"]
    for each in users:
        if each.animation_data is not None and each.animation_data.action == action:
            return each
    paths = [curve.data_path for curve in curves.all_curves(action)]
    for each in users:
        if any(channels.bone_path(bone.name, part) in paths for bone in each.data.bones for part in ("rotation_quaternion", "location")):
            return each
    return otherwise


class _Edited:
    """An action that was imported: what changed is laid over the original."""

    def __init__(self, context, owner, action, options, path):
        self.context, self.options, self.path = context, options, path
        self.owner, self.action = owner, action
        self.out = Exported()

    def export(self):
        kept = self.action.marrow
        skeleton = armature.skeleton_of(self.owner)
        document = record.open_source(kept, skeleton=skeleton)
        clip = document.clips[kept.clip_index]
        pairs = [(self.owner, self.action)]
        if kept.partner is not None:
            partner = owner_with(kept.partner)
            if partner is not None:
                pairs.append((partner, kept.partner))
        second = next((armature.skeleton_of(o) for o, a in pairs if a.marrow.actor == 1), None)
        if kept.actor == 1 and len(pairs) > 1:
            document.skeleton = armature.skeleton_of(pairs[1][0])
        actors = {actor.number: actor for actor in marrow.blender.actors_of(clip, second)}
        pairs.sort(key=lambda pair: pair[1].marrow.actor)
        changed = self._cut(clip, pairs[0][1])
        for owner, action in pairs:
            changed |= self._take(clip, actors[action.marrow.actor], owner, action)
        blend = self.options.blend or next(a.marrow.blend for _, a in pairs if a.marrow.actor == 0 or len(pairs) == 1)
        if blend != clip.blend:
            clip.blend, changed = blend, True
        if self.options.tracks != "original":
            changed |= self._leave_tracks(clip, actors, pairs)
        if self.options.rate and clip.fps and abs(self.options.rate - clip.fps) > 1e-3 * clip.fps:
            document.apply("clip resample", {"fps": self.options.rate})
            clip, changed = document.clips[kept.clip_index], True
        own = document.format
        format = _format_of(self.path, self.options, own, kept.source_name)
        game = self.options.game or None
        is_same = not changed and not self.options.bounds and (game in (None, document.game)) and format == own
        if is_same:
            self.out.data, self.out.is_original = record.source_bytes(kept), True
        else:
            if len(document.clips) == 1:
                self.out.frames = numpy.array(clip.frames)
            self.out.data = document.to_bytes(game=game, format=format, **self.options.bounds)
        return self.out

    def _cut(self, clip, action):
        """Finds the frames to write. Gives the clip as many if they are others than it has. Returns True if they are."""
        kept = action.marrow
        self.start = action.frame_start if action.use_frame_range else 0.0
        end = action.frame_end if action.use_frame_range and action.frame_end >= self.start else curves.last_frame(action)
        self.step = kept.frame_step if kept.frame_step > 0 else 1.0
        count = max(int(round((end - self.start) / self.step)) + 1, 1)
        self.frames = self.start + numpy.arange(count) * self.step
        self.is_cut = count != clip.frame_count or abs(self.start) > 1e-6
        if self.is_cut:
            places = numpy.clip(numpy.round(self.frames / self.step).astype(int), 0, clip.frame_count - 1)
            floats = numpy.array(clip.floats)[places] if clip.float_track_count else None
            clip.set_frames(numpy.array(clip.frames)[places], floats=floats, fps=clip.fps or 30.0)
        return self.is_cut

    def _take(self, clip, actor, owner, action):
        """Puts what changed in an action into the clip. Returns True if anything did."""
        kept = action.marrow
        was = record.read_json(kept.prints, {})
        now = prints(owner, clip, actor, action)
        motion = Motion(self.context, owner, action, self.frames, self.options.motion)
        changed = self._take_bones(clip, actor, owner, motion, was, now)
        changed |= self._take_floats(clip, actor, motion, was, now, kept)
        changed |= self._take_place(clip, actor, owner, motion, was, now, kept)
        if actor.number == 0:
            changed |= self._take_root(clip, owner, motion, was, now, kept)
            changed |= self._take_events(clip, owner, action, kept)
        self._note_others(owner, actor, motion)
        return changed

    def _note_others(self, owner, actor, motion):
        """Notes bones with curves that the game does not have."""
        known = set(armature.drawn_names(owner, actor.skeleton).values())
        others = _strange_bones(owner, known, motion)
        if others:
            self.out.notes.append(f"{armature.few(others)} are not bones of the game and are not written")

    def _take_bones(self, clip, actor, owner, motion, was, now):
        names = armature.drawn_names(owner, actor.skeleton)
        rest = armature.rest_of(owner, actor.skeleton)
        touched = []
        locked = armature.locked_bones(owner) if self.options.lock_translations else ()
        for track, bone in zip(actor.tracks, actor.bones):
            name = actor.skeleton.bones[bone].name
            before = was.get("bones", {}).get(name, [None] * 3)
            parts = [i for i, value in enumerate(now["bones"][name]) if value != before[i]]
            pose = owner.pose.bones.get(names[name])
            if pose is not None and pose.rotation_mode != "QUATERNION" and self._has_other_turns(motion, pose) and 1 not in parts:
                parts.append(1)
            is_moved = 0 in parts
            if motion.how == "seen" or self.is_cut:
                parts = [0, 1, 2]
            if name in locked and 0 in parts:  # the game does not play it; what the file had is kept
                parts.remove(0)
                if is_moved:
                    self.out.notes.append(f"{name} keeps its translation: the game takes it from the rest pose")
            if parts:
                touched.append((track, bone, names[name], parts))
        if not touched:
            return False
        frames = numpy.array(clip.frames)
        bones = [bone for _, bone, _, _ in touched]
        noise = 5e-5 if motion.how == "seen" and control_rig.has_rig(owner) else 2e-6
        local = rest.from_channels(bones, numpy.stack([motion.of(name) for _, _, name, _ in touched], axis=1))
        if clip.is_additive:
            local = rest.taken_off(bones, local)
        is_touched = False
        for place, (track, bone, _, parts) in enumerate(touched):
            old = frames[:, track].copy()
            new = local[:, place].astype(numpy.float32)
            flip = numpy.sum(new[:, 3:7] * old[:, 3:7], axis=1) < 0
            new[flip, 3:7] *= -1.0
            for part in parts:
                columns = (slice(0, 3), slice(3, 7), slice(7, 10))[part]
                # What comes out the same but for rounding was not moved: a key that was set again, say. A control rig rounds
                # more: it solves.
                if numpy.abs(new[:, columns] - old[:, columns]).max() > noise * max(1.0, numpy.abs(old[:, columns]).max()):
                    frames[:, track, columns] = new[:, columns]
                    is_touched = True
                    if self.out.changed_bones[-1:] != [actor.skeleton.bones[bone].name]:
                        self.out.changed_bones.append(actor.skeleton.bones[bone].name)
        if is_touched:
            numpy.copyto(clip.frames, frames)
        return is_touched

    @staticmethod
    def _has_other_turns(motion, pose):
        part = "rotation_axis_angle" if pose.rotation_mode == "AXIS_ANGLE" else "rotation_euler"
        return any(channels.part_curves(motion.found, pose.name, part, 4))

    def _take_floats(self, clip, actor, motion, was, now, kept):
        touched = [
            (column, name)
            for column, name in actor.floats
            if kept.has_floats and (self.is_cut or now["floats"].get(name) != was.get("floats", {}).get(name))
        ]
        for column, name in touched:
            curve = motion.found.get((channels.float_path(name), 0))
            clip.floats[:, column] = curves.evaluated(curve, motion.frames, float(clip.floats[0, column]))
        return bool(touched)

    def _take_place(self, clip, actor, owner, motion, was, now, kept):
        """Puts where the armature object stands into the track that places its actor."""
        if not kept.has_place or actor.place is None or (now["place"] == was.get("place") and not self.is_cut):
            return False
        frames = numpy.array(clip.frames)
        local = motion.of_object()
        local[:, :3] /= armature.length_of(owner, actor.skeleton)
        if actor.root is not None:
            above = frames[:, actor.root].astype(numpy.float64)
            local = marrow.blender.transform_product(marrow.blender.transform_inverse(above), local)
        new, old = local.astype(numpy.float32), frames[:, actor.place]
        new[numpy.sum(new[:, 3:7] * old[:, 3:7], axis=1) < 0, 3:7] *= -1.0
        if numpy.abs(new - old).max() <= 2e-6 * max(1.0, numpy.abs(old).max()):
            return False
        frames[:, actor.place] = new
        numpy.copyto(clip.frames, frames)
        return True

    def _take_root(self, clip, owner, motion, was, now, kept):
        found = channels.root_curves(motion.found)
        if kept.has_place or (now["root"] == was.get("root") and not (self.is_cut and kept.has_root)) or not any(found):
            return False
        samples = numpy.stack([curves.evaluated(curve, motion.frames, 0.0) for curve in found], axis=1)
        samples[:, :3] /= armature.length_of(owner, armature.skeleton_of(owner))
        if self.start:
            samples -= samples[:1].copy()
        old = clip.root_motion
        up, forward = (old.up, old.forward) if old else ((0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 0.0))
        clip.root_motion = marrow.RootMotion(samples.tolist(), clip.duration, up, forward)
        return True

    def _take_events(self, clip, owner, action, kept):
        events = list(clip.annotations)
        rate = kept.fps
        last = float(self.frames[-1])
        markers, from_timeline = _markers(self.context, owner, action, self.options, self.start, last)
        if from_timeline:
            self.out.notes.append(f"{from_timeline} timeline markers are written as events")
        if markers == marrow.blender.markers_of(events, rate) and not self.start:
            return False
        moved = [each._replace(time=each.time - self.start / rate) for each in events]
        made = marrow.blender.events_of([(round(frame), text) for frame, text in markers], moved, rate)
        end = clip.duration
        inside = [each for each in made if -0.5 / rate <= each.time <= end + 0.5 / rate]
        if len(inside) < len(made):
            self.out.notes.append(f"{len(made) - len(inside)} events are outside the frames that are written, and left out")
        clip.annotations = [each._replace(time=min(max(each.time, 0.0), end)) for each in inside]
        self.out.changed_events = True
        return True

    def _leave_tracks(self, clip, actors, pairs):
        """Leaves only the tracks that were asked for. Returns True if any is gone."""
        kept = set()
        for owner, action in pairs:
            actor = actors[action.marrow.actor]
            names = armature.drawn_names(owner, actor.skeleton)
            motion = Motion(self.context, owner, action, [0.0], "curves")
            for track, bone in zip(actor.tracks, actor.bones):
                name = names[actor.skeleton.bones[bone].name]
                if motion.is_keyed(name) if self.options.tracks == "keyed" else is_selected(owner, name):
                    kept.add(track)
        places = sorted(kept)
        if not places:
            raise marrow.OptionError(f"no bone is {self.options.tracks}", path="tracks")
        if len(places) == clip.track_count:
            return False
        bones = clip.track_to_bone
        events = list(clip.annotations)
        floats = numpy.array(clip.floats) if clip.float_track_count else None
        clip.set_frames(numpy.array(clip.frames)[:, places], floats=floats, duration=clip.duration)
        clip.track_to_bone = [bones[place] for place in places]
        clip.annotations = [each._replace(track=0) for each in events]
        return True


class _Fresh:
    """A clip that was made in Blender."""

    def __init__(self, context, owner, source, options, path):
        self.context, self.owner, self.source, self.options, self.path = context, owner, source, options, path

    def export(self):
        said = armature.said_by(self.owner)
        game = self.options.game or self.owner.data.marrow.game or said.game or "skyrim-se"
        skeleton = armature.skeleton_of(self.owner, self.options.skeleton)
        scene, source = self.context.scene, self.source
        rate = scene.render.fps / scene.render.fps_base
        fps = self.options.rate or 30.0
        count = max(int(round((source.end - source.start) * fps / rate)) + 1, 1)
        frames = source.start + numpy.arange(count) * rate / fps
        motion = Motion(self.context, self.owner, source.action, frames, self.options.motion, source.shown, source.times)
        names = armature.drawn_names(self.owner, skeleton)
        wanted = [bone for bone in skeleton if self._wants(motion, names[bone.name])]
        if not wanted:
            raise marrow.OptionError(f"no bone is {self.options.tracks}", path="tracks")
        self.scale = armature.scale_of(self.owner, skeleton) if self.options.skeleton else self.owner.data.marrow.scale
        rest = armature.rest_of(self.owner, skeleton, self.scale)
        indices = [bone.index for bone in wanted]
        local = rest.from_channels(indices, numpy.stack([motion.of(names[bone.name]) for bone in wanted], axis=1))
        blend = self.options.blend or (source.action.marrow.blend if source.action is not None else "normal")
        if blend == "normal" and said.is_additive and not self.options.blend:
            blend = "additive" if game == "fallout4" else "additive-deprecated"
        if blend != "normal":
            local = rest.taken_off(indices, local)
        if self.options.lock_translations:
            self._lock(wanted, rest, local, blend)
        out = self._written(skeleton, wanted, local, blend, game, rate, fps, motion, rest)
        known = set(names.values())
        others = _strange_bones(self.owner, known, motion)
        if others:
            out.notes.append(f"{armature.few(others)} are not bones of the game and are not written")
        return out

    def _wants(self, motion, name):
        how = self.options.tracks
        return True if how == "original" else motion.is_keyed(name) if how == "keyed" else is_selected(self.owner, name)

    def _lock(self, wanted, rest, local, blend):
        """Bones whose translation the game takes from the rest pose get it: what is written is what is played."""
        locked = armature.locked_bones(self.owner)
        for place, bone in enumerate(wanted):
            if bone.name in locked:
                local[:, place, :3] = rest.local[bone.index, :3] if blend == "normal" else 0.0

    @staticmethod
    def _add_floats(clip, skeleton, motion):
        """Gives a clip the float tracks of custom properties that have curves and the name of a slot of the skeleton."""
        found = [(slot, motion.found.get((channels.float_path(each.name), 0))) for slot, each in enumerate(skeleton.float_slots)]
        moved = [(slot, curve) for slot, curve in found if curve is not None]
        if not moved:
            return
        floats = numpy.stack([curves.evaluated(curve, motion.curve_frames, 0.0) for _, curve in moved], axis=1)
        bones, events = clip.track_to_bone, list(clip.annotations)
        clip.set_frames(numpy.array(clip.frames), floats=floats, duration=clip.duration)
        clip.track_to_bone, clip.track_to_slot = bones, [slot for slot, _ in moved]
        clip.annotations = events

    def _written(self, skeleton, wanted, local, blend, game, rate, fps, motion, rest):
        source = self.source
        tracks = {
            bone.name: {
                "translations": local[:, place, :3],
                "rotations": local[:, place, 3:7],
                "scales": local[:, place, 7:],
            }
            for place, bone in enumerate(wanted)
        }
        markers, from_timeline = _markers(
            self.context, self.owner, source.action, self.options, source.start, source.end, source.times
        )
        last = (len(local) - 1) / fps
        events = [(frame / rate, text) for frame, text in sorted(markers)]
        inside = [(min(max(time, 0.0), last), text) for time, text in events if -0.5 / rate <= time <= last + 0.5 / rate]
        clip = marrow.Clip(
            tracks, fps=fps, name=source.name, skeleton=skeleton, blend=blend, annotations=inside, game=game
        )
        self._add_floats(clip, skeleton, motion)
        if any(channels.root_curves(motion.found)):
            rows = [curves.evaluated(each, motion.curve_frames, 0.0) for each in channels.root_curves(motion.found)]
            samples = numpy.stack(rows, axis=1)
            samples[:, :3] /= self.scale * rest.growth
            samples -= samples[:1].copy()
            clip.root_motion = marrow.RootMotion(samples.tolist(), clip.duration)
        format = _format_of(self.path, self.options, "hkx")
        data = clip.document.to_bytes(game=game, format=format, **(self.options.bounds or {"effort": "normal"}))
        out = Exported(data, False, [bone.name for bone in wanted], bool(inside), frames=numpy.array(clip.frames))
        if from_timeline:
            out.notes.append(f"{from_timeline} timeline markers are written as events")
        if len(inside) < len(events):
            out.notes.append(f"{len(events) - len(inside)} events are outside the frames that are written, and left out")
        return out
