# SPDX-License-Identifier: MIT
"""Export of actions as clips. Only what differs from what import made is written into the original file."""
from dataclasses import dataclass, field

import bpy
import numpy

from . import armature, channels, curves, files, record
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


@dataclass
class Exported:
    """What an export wrote."""

    data: bytes = b""
    is_original: bool = False
    changed_bones: list = field(default_factory=list)
    changed_events: bool = False
    notes: list = field(default_factory=list)


def export_action(context, owner, action, options, path=""):
    """Returns an action of an armature as a file. `path` decides the format; nothing is written there."""
    if record.has_source(action.marrow):
        return _Edited(context, owner, action, options, path).export()
    return _Fresh(context, owner, action, options, path).export()


def write(context, owner, action, options, path):
    """Writes an action to a file. Returns what was written."""
    out = export_action(context, owner, action, options, path)
    files.write_file(path, out.data)
    return out


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
        changed = False
        for owner, action in pairs:
            changed |= self._take(clip, actors[action.marrow.actor], owner, action)
        blend = self.options.blend or next(a.marrow.blend for _, a in pairs if a.marrow.actor == 0 or len(pairs) == 1)
        if blend != clip.blend:
            clip.blend, changed = blend, True
        if self.options.tracks != "original":
            changed |= self._leave_tracks(clip, actors, pairs)
        own = document.format
        format = _format_of(self.path, self.options, own, kept.source_name)
        game = self.options.game or None
        is_same = not changed and not self.options.bounds and (game in (None, document.game)) and format == own
        if is_same:
            self.out.data, self.out.is_original = record.source_bytes(kept), True
        else:
            self.out.data = document.to_bytes(game=game, format=format, **self.options.bounds)
        return self.out

    def _take(self, clip, actor, owner, action):
        """Puts what changed in an action into the clip. Returns True if anything did."""
        kept = action.marrow
        was = record.read_json(kept.prints, {})
        now = prints(owner, clip, actor, action)
        count = self._frame_count(clip, action, kept)
        frames = numpy.arange(count) * kept.frame_step
        is_longer = count != clip.frame_count
        motion = Motion(self.context, owner, action, frames, self.options.motion)
        changed = self._take_bones(clip, actor, owner, motion, was, now, count)
        if actor.number == 0:
            changed |= self._take_floats(clip, motion, was, now, kept, count)
            changed |= self._take_root(clip, owner, motion, was, now, kept, is_longer)
            changed |= self._take_events(clip, action, kept)
        return changed or is_longer

    def _frame_count(self, clip, action, kept):
        end = action.frame_end if action.use_frame_range else curves.last_frame(action)
        if not action.use_frame_range or action.frame_end < 0:
            end = curves.last_frame(action)
        count = int(round(end / kept.frame_step)) + 1 if kept.frame_step > 0 else clip.frame_count
        return max(count, 1)

    def _take_bones(self, clip, actor, owner, motion, was, now, count):
        names = armature.game_names(owner.data)
        rest = armature.rest_of(owner, actor.skeleton)
        is_longer = count != clip.frame_count
        touched = []
        locked = armature.locked_bones(owner) if self.options.lock_translations else ()
        for track, bone in zip(actor.tracks, actor.bones):
            name = actor.skeleton.bones[bone].name
            before = was.get("bones", {}).get(name, [None] * 3)
            parts = [i for i, value in enumerate(now["bones"][name]) if value != before[i]]
            pose = owner.pose.bones.get(names[name])
            if pose is not None and pose.rotation_mode != "QUATERNION" and self._has_other_turns(motion, pose) and 1 not in parts:
                parts.append(1)
            if motion.how == "seen":
                parts = [0, 1, 2]
            if name in locked and 0 in parts:  # the game does not play it; what the file had is kept
                parts.remove(0)
                self.out.notes.append(f"{name} keeps its translation: the game takes it from the rest pose")
            if parts or is_longer:
                touched.append((track, bone, names[name], parts))
        if not touched:
            return False
        frames = numpy.array(clip.frames)
        if is_longer:
            frames = numpy.concatenate([frames, numpy.repeat(frames[-1:], max(count - len(frames), 0), axis=0)])[:count]
        bones = [bone for _, bone, _, _ in touched]
        local = rest.from_channels(bones, numpy.stack([motion.of(name) for _, _, name, _ in touched], axis=1))
        if clip.is_additive:
            local = rest.taken_off(bones, local)
        is_touched = is_longer
        for place, (track, bone, _, parts) in enumerate(touched):
            old = frames[:, track].copy()
            new = local[:, place].astype(numpy.float32)
            flip = numpy.sum(new[:, 3:7] * old[:, 3:7], axis=1) < 0
            new[flip, 3:7] *= -1.0
            for part in parts if not is_longer else (0, 1, 2) if actor.skeleton.bones[bone].name not in locked else (1, 2):
                columns = (slice(0, 3), slice(3, 7), slice(7, 10))[part]
                # What comes out the same but for rounding was not moved: a key that was set again, say.
                if numpy.abs(new[:, columns] - old[:, columns]).max() > 2e-6 * max(1.0, numpy.abs(old[:, columns]).max()):
                    frames[:, track, columns] = new[:, columns]
                    is_touched = True
                    if self.out.changed_bones[-1:] != [actor.skeleton.bones[bone].name]:
                        self.out.changed_bones.append(actor.skeleton.bones[bone].name)
        if is_longer:
            floats = numpy.array(clip.floats) if clip.float_track_count else None
            if floats is not None:
                floats = numpy.concatenate([floats, numpy.repeat(floats[-1:], max(count - len(floats), 0), axis=0)])[:count]
            clip.set_frames(frames, floats=floats, fps=clip.fps or 30.0)
        elif is_touched:
            numpy.copyto(clip.frames, frames)
        return is_touched

    @staticmethod
    def _has_other_turns(motion, pose):
        part = "rotation_axis_angle" if pose.rotation_mode == "AXIS_ANGLE" else "rotation_euler"
        return any(channels.part_curves(motion.found, pose.name, part, 4))

    def _take_floats(self, clip, motion, was, now, kept, count):
        touched = [
            (column, name)
            for column, name in enumerate(clip.float_names)
            if kept.has_floats and now["floats"].get(name) != was.get("floats", {}).get(name)
        ]
        for column, name in touched:
            curve = motion.found.get((channels.float_path(name), 0))
            clip.floats[:, column] = curves.evaluated(curve, motion.frames, float(clip.floats[0, column]))
        return bool(touched)

    def _take_root(self, clip, owner, motion, was, now, kept, is_longer):
        found = channels.root_curves(motion.found)
        if (now["root"] == was.get("root") and not (is_longer and kept.has_root)) or not any(found):
            return False
        samples = numpy.stack([curves.evaluated(curve, motion.frames, 0.0) for curve in found], axis=1)
        samples[:, :3] /= owner.data.marrow.scale
        old = clip.root_motion
        up, forward = (old.up, old.forward) if old else ((0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 0.0))
        clip.root_motion = marrow.RootMotion(samples.tolist(), clip.duration, up, forward)
        return True

    def _take_events(self, clip, action, kept):
        events = list(clip.annotations)
        rate = kept.fps
        markers = [(marker.frame, marker.name) for marker in action.pose_markers]
        if markers == marrow.blender.markers_of(events, rate):
            return False
        made = marrow.blender.events_of(markers, events, rate)
        end = clip.duration
        clip.annotations = [each._replace(time=min(max(each.time, 0.0), end)) for each in made]
        self.out.changed_events = True
        return True

    def _leave_tracks(self, clip, actors, pairs):
        """Leaves only the tracks that were asked for. Returns True if any is gone."""
        kept = set()
        for owner, action in pairs:
            actor, names = actors[action.marrow.actor], armature.game_names(owner.data)
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
    """An action that was made in Blender."""

    def __init__(self, context, owner, action, options, path):
        self.context, self.owner, self.action, self.options, self.path = context, owner, action, options, path

    def export(self):
        said = armature.said_by(self.owner)
        game = self.options.game or self.owner.data.marrow.game or said.game or "skyrim-se"
        skeleton = armature.skeleton_of(self.owner)
        scene = self.context.scene
        rate = scene.render.fps / scene.render.fps_base
        start = self.action.frame_start if self.action.use_frame_range else 0.0
        end = self.action.frame_end if self.action.use_frame_range else curves.last_frame(self.action)
        count = max(int(round((end - start) * 30.0 / rate)) + 1, 1)
        frames = start + numpy.arange(count) * rate / 30.0
        motion = Motion(self.context, self.owner, self.action, frames, self.options.motion)
        names = armature.game_names(self.owner.data)
        wanted = [bone for bone in skeleton if self._wants(motion, names[bone.name])]
        if not wanted:
            raise marrow.OptionError(f"no bone is {self.options.tracks}", path="tracks")
        rest = armature.rest_of(self.owner, skeleton)
        indices = [bone.index for bone in wanted]
        local = rest.from_channels(indices, numpy.stack([motion.of(names[bone.name]) for bone in wanted], axis=1))
        blend = self.options.blend or self.action.marrow.blend
        if blend == "normal" and said.is_additive and not self.options.blend:
            blend = "additive" if game == "fallout4" else "additive-deprecated"
        if blend != "normal":
            local = rest.taken_off(indices, local)
        if self.options.lock_translations:
            self._lock(wanted, rest, local, blend)
        return self._written(skeleton, wanted, local, blend, game, rate, start, motion)

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
        floats = numpy.stack([curves.evaluated(curve, motion.frames, 0.0) for _, curve in moved], axis=1)
        bones, events = clip.track_to_bone, list(clip.annotations)
        clip.set_frames(numpy.array(clip.frames), floats=floats, duration=clip.duration)
        clip.track_to_bone, clip.track_to_slot = bones, [slot for slot, _ in moved]
        clip.annotations = events

    def _written(self, skeleton, wanted, local, blend, game, rate, start, motion):
        tracks = {
            bone.name: {
                "translations": local[:, place, :3],
                "rotations": local[:, place, 3:7],
                "scales": local[:, place, 7:],
            }
            for place, bone in enumerate(wanted)
        }
        markers = sorted((marker.frame, marker.name) for marker in self.action.pose_markers)
        events = [(max((frame - start) / rate, 0.0), text) for frame, text in markers]
        clip = marrow.Clip(
            tracks, fps=30.0, name=self.action.name, skeleton=skeleton, blend=blend, annotations=events, game=game
        )
        self._add_floats(clip, skeleton, motion)
        if any(channels.root_curves(motion.found)):
            scale = self.owner.data.marrow.scale
            rows = [curves.evaluated(each, motion.frames, 0.0) for each in channels.root_curves(motion.found)]
            samples = numpy.stack(rows, axis=1)
            samples[:, :3] /= scale
            samples -= samples[:1]
            clip.root_motion = marrow.RootMotion(samples.tolist(), clip.duration)
        format = _format_of(self.path, self.options, "hkx")
        data = clip.document.to_bytes(game=game, format=format, **(self.options.bounds or {"effort": "normal"}))
        return Exported(data, False, [bone.name for bone in wanted], bool(events))
