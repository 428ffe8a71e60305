# SPDX-License-Identifier: MIT
"""Export of clips that were imported: what changed is laid over the original."""
import bpy
import numpy

from . import armature, channels, control_rig, curves, record
from .export_common import UNSEEN, Exported, format_of, markers_of, note_keys_outside, note_locked, note_strange_bones
from .import_animation import prints
from .motion import Motion, is_selected
from .package import marrow


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


def _differ(new, old, noise=2e-6):
    """True if numbers are others than they were, and not only rounded."""
    return bool(numpy.abs(new - old).max(initial=0.0) > noise * max(1.0, numpy.abs(old).max(initial=0.0)))


class Edited:
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
        format = format_of(self.path, self.options, own, kept.source_name)
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
        self.step = kept.frame_step if kept.frame_step > 0 else 1.0
        shift = self._shift(clip, action)
        self.start = action.frame_start if action.use_frame_range else shift
        end = action.frame_end if action.use_frame_range and action.frame_end >= self.start else curves.last_frame(action)
        note_keys_outside(self.out, action, self.start, end)
        count = max(int(round((end - self.start) / self.step)) + 1, 1)
        self.frames = self.start + numpy.arange(count) * self.step
        self.skipped = self.start - shift
        self.is_cut = count != clip.frame_count or abs(self.skipped) > 1e-6
        if self.is_cut:
            places = numpy.clip(numpy.round((self.frames - shift) / self.step).astype(int), 0, clip.frame_count - 1)
            floats = numpy.array(clip.floats)[places] if clip.float_track_count else None
            clip.set_frames(numpy.array(clip.frames)[places], floats=floats, fps=clip.fps or 30.0)
        return self.is_cut

    def _shift(self, clip, action):
        """Returns by how many frames all keys were moved in time: then the last key is as far from the first as it was."""
        first, length = curves.first_frame(action), max(clip.frame_count - 1, 0) * self.step
        apart = curves.last_frame(action) - first
        return first if min(abs(apart - length), abs(apart - numpy.ceil(length - 1e-6))) < 1e-3 else 0.0

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
        note_strange_bones(self.out, owner, set(armature.drawn_names(owner, actor.skeleton).values()), motion)
        return changed

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
            if name in locked and 0 in parts and not is_moved:
                parts.remove(0)
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
                if _differ(new[:, columns], old[:, columns], noise):
                    name = actor.skeleton.bones[bone].name
                    if part == 0 and name in locked:  # the game does not play it; what the file had is kept
                        if numpy.abs(new[:, columns] - old[:, columns]).max() > UNSEEN:
                            note_locked(self.out, name)
                        continue
                    frames[:, track, columns] = new[:, columns]
                    is_touched = True
                    if self.out.changed_bones[-1:] != [name]:
                        self.out.changed_bones.append(name)
        if is_touched:
            numpy.copyto(clip.frames, frames)
        return is_touched

    @staticmethod
    def _has_other_turns(motion, pose):
        part = "rotation_axis_angle" if pose.rotation_mode == "AXIS_ANGLE" else "rotation_euler"
        return any(channels.part_curves(motion.found, pose.name, part, 4))

    def _take_floats(self, clip, actor, motion, was, now, kept):
        is_touched = False
        for column, name in actor.floats:
            if not kept.has_floats or not (self.is_cut or now["floats"].get(name) != was.get("floats", {}).get(name)):
                continue
            curve, old = motion.found.get((channels.float_path(name), 0)), numpy.array(clip.floats[:, column])
            new = curves.evaluated(curve, motion.frames, float(old[0])).astype(numpy.float32)
            if _differ(new, old):
                clip.floats[:, column], is_touched = new, True
        return is_touched

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
        if not _differ(new, old):
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
        if self.skipped:
            samples -= samples[:1].copy()
        old = clip.root_motion
        if old is not None and old.array.shape == samples.shape and not _differ(samples, old.array):
            return False
        up, forward = (old.up, old.forward) if old else ((0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 0.0))
        clip.root_motion = marrow.RootMotion(samples.tolist(), clip.duration, up, forward)
        return True

    def _take_events(self, clip, owner, action, kept):
        events = list(clip.annotations)
        rate = kept.fps
        last = float(self.frames[-1])
        markers, from_timeline = markers_of(self.context, owner, action, self.options, self.start, last)
        if from_timeline:
            self.out.notes.append(f"{from_timeline} timeline markers are written as events")
        if markers == marrow.blender.markers_of(events, rate) and not self.skipped:
            return False
        moved = [each._replace(time=each.time - self.skipped / rate) for each in events]
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
