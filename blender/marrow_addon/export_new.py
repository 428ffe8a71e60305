# SPDX-License-Identifier: MIT
"""Export of clips that were made in Blender."""
import numpy

from . import armature, channels, curves, foreign
from .export_common import GAMES_RATE, UNSEEN, Exported, format_of, markers_of, note_keys_outside, note_locked, note_strange_bones
from .motion import Motion, is_selected, seen_of_object
from .package import marrow


class Fresh:
    """A clip that was made in Blender."""

    def __init__(self, context, owner, source, options, path):
        self.context, self.owner, self.source, self.options, self.path = context, owner, source, options, path

    def export(self):
        said = foreign.said_by(self.owner)
        game = self.options.game or self.owner.data.marrow.game or said.game or "skyrim-se"
        skeleton = armature.skeleton_of(self.owner, self.options.skeleton)
        scene, source = self.context.scene, self.source
        rate = scene.render.fps / scene.render.fps_base
        fps = self.options.rate or rate
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
        kept = self._lock(wanted, rest, local, blend) if self.options.lock_translations else []
        out = self._written(skeleton, wanted, local, blend, game, rate, fps, motion, rest)
        for name in kept:
            note_locked(out, name)
        if source.action is not None and source.times is None:
            note_keys_outside(out, source.action, source.start, source.end)
        note_strange_bones(out, self.owner, set(names.values()), motion)
        return out

    def _wants(self, motion, name):
        how = self.options.tracks
        return True if how == "original" else motion.is_keyed(name) if how == "keyed" else is_selected(self.owner, name)

    def _lock(self, wanted, rest, local, blend):
        """Bones whose translation the game takes from the rest pose get it: what is written is what is played. Returns the
        names of those that were moved."""
        locked, moved = armature.locked_bones(self.owner), []
        for place, bone in enumerate(wanted):
            if bone.name in locked:
                still = rest.local[bone.index, :3] if blend == "normal" else 0.0
                if numpy.abs(local[:, place, :3] - still).max() > UNSEEN:
                    moved.append(bone.name)
                local[:, place, :3] = still
        return moved

    def _object_channels(self, skeleton, motion):
        """Returns root motion, or None, and float tracks as numbers of slots with their values: what has curves in the
        action, or is seen of those that strips have."""
        source = self.source
        slots = [(slot, each.name) for slot, each in enumerate(skeleton.float_slots)]
        if source.action is None:
            found = set().union(*(curves.by_path(strip.action) for strip in source.strips))
            slots = [each for each in slots if (channels.float_path(each[1]), 0) in found]
            root, floats = seen_of_object(self.context, self.owner, motion.frames, [name for _, name in slots])
            return (root if found & set(channels.ROOT) else None), [(slot, floats[:, place]) for place, (slot, _) in enumerate(slots)]
        own = [(slot, motion.found.get((channels.float_path(name), 0))) for slot, name in slots]
        floats = [(slot, curves.evaluated(curve, motion.curve_frames, 0.0)) for slot, curve in own if curve is not None]
        rows = channels.root_curves(motion.found)
        root = numpy.stack([curves.evaluated(each, motion.curve_frames, 0.0) for each in rows], axis=1) if any(rows) else None
        return root, floats

    @staticmethod
    def _add_floats(clip, moved):
        """Gives a clip float tracks: numbers of slots with their values."""
        if not moved:
            return
        bones, events = clip.track_to_bone, list(clip.annotations)
        floats = numpy.stack([values for _, values in moved], axis=1)
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
        markers, from_timeline = markers_of(
            self.context, self.owner, source.action, self.options, source.start, source.end, source.strips
        )
        last = (len(local) - 1) / fps
        events = [(frame / rate, text) for frame, text in sorted(markers)]
        inside = [(min(max(time, 0.0), last), text) for time, text in events if -0.5 / rate <= time <= last + 0.5 / rate]
        clip = marrow.Clip(
            tracks, fps=fps, name=source.name, skeleton=skeleton, blend=blend, annotations=inside, game=game
        )
        samples, floats = self._object_channels(skeleton, motion)
        self._add_floats(clip, floats)
        if samples is not None:
            samples[:, :3] /= self.scale * rest.growth
            samples -= samples[:1].copy()
            clip.root_motion = marrow.RootMotion(samples.tolist(), clip.duration)
        format = format_of(self.path, self.options, "hkx")
        data = clip.document.to_bytes(game=game, format=format, **(self.options.bounds or {"effort": "normal"}))
        out = Exported(data, False, [bone.name for bone in wanted], bool(inside), frames=numpy.array(clip.frames))
        if not self.options.rate and abs(rate - GAMES_RATE) > 0.01:
            out.notes.append(f"the clip has {fps:.4g} frames per second, as the scene does; the games' own have {GAMES_RATE}. Rate resamples it")
        if from_timeline:
            out.notes.append(f"{from_timeline} timeline markers are written as events")
        if len(inside) < len(events):
            out.notes.append(f"{len(events) - len(inside)} events are outside the frames that are written, and left out")
        return out
