# SPDX-License-Identifier: MIT
"""Import of skeletons and clips: armatures, and one action per clip and actor."""
from dataclasses import dataclass, field
import os

import numpy

from . import armature, channels, curves, files, record
from .package import marrow


@dataclass
class ImportOptions:
    """What the import operator offers."""

    units: str = "blender"
    axes: str = "limbs"
    root_motion: str = "object"  # "object" or "apart"
    with_ragdoll: bool = False
    skeleton: str = ""  # a path; by default the active armature's, else the file's own or the one near it
    second_skeleton: str = ""  # of the second actor of a pair


@dataclass
class Imported:
    """What an import made."""

    armatures: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def import_file(context, path, options, onto=None, loaded=None):
    """Imports a file of skeletons or clips. `onto` is an armature of Marrow to put clips on, if it fits; `loaded` is the
    file, if it is at hand.

    Raises `marrow.Error` or `OSError` with a sentence for the user.
    """
    data, document = loaded or files.load(path)
    out = Imported(notes=[note.get("message", "") for note in document.notes])
    if not document.clips:
        _import_skeletons(context, document, data, options, out)
        return out
    prepared = _Prepared(context, document, data, options, onto, out)
    for index in range(len(document.clips)):
        prepared.import_clip(index)
    return out


def _import_skeletons(context, document, data, options, out):
    wanted = [each for each in document.skeletons if options.with_ragdoll or not each.is_ragdoll]
    if not wanted:
        raise marrow.NoSkeletonError("the file contains neither a clip nor a skeleton", file=document.name)
    for skeleton in wanted:
        name = skeleton.name or os.path.splitext(os.path.basename(document.name))[0]
        made = armature.create(context, skeleton, data, name, options.units, options.axes)
        if skeleton.is_ragdoll:
            made.hide_render = True
        out.armatures.append(made)


class _Prepared:
    """A document of clips with its armatures."""

    def __init__(self, context, document, data, options, onto, out):
        self.context, self.document, self.data, self.options, self.out = context, document, data, options, out
        self.owners = {}
        is_given = bool(options.skeleton)
        if not is_given and armature.is_ours(onto):
            document.skeleton = armature.skeleton_of(onto)
            self.owners[0] = onto
        elif is_given:
            document.skeleton = options.skeleton
        self.skeleton_data = None
        self.second = marrow.load(options.second_skeleton).skeleton if options.second_skeleton else None

    def owner_of(self, actor):
        """Returns the armature of an actor; makes it if it is not there yet."""
        if actor.number not in self.owners:
            skeleton = actor.skeleton
            name = skeleton.name or "Armature"
            made = armature.create(
                self.context,
                skeleton,
                _file_of(skeleton.document),
                name if actor.number == 0 else f"{name} 2",
                self.options.units,
                self.options.axes,
            )
            self.owners[actor.number] = made
            self.out.armatures.append(made)
        return self.owners[actor.number]

    def import_clip(self, index):
        clip = self.document.clips[index]
        actors = marrow.blender.actors_of(clip, self.second)
        if not any(actor.tracks for actor in actors):
            raise marrow.FormatError("no track of the clip moves a bone of the skeleton", file=self.document.name)
        samples = marrow.blender.sampled_thirds(clip)
        fps = self.context.scene.render.fps / self.context.scene.render.fps_base
        name = os.path.splitext(os.path.basename(self.document.name))[0]
        name = name if len(self.document.clips) == 1 else f"{name}.{clip.name or index}"
        made = []
        for actor in actors:
            owner = self.owner_of(actor)
            label = name if len(actors) == 1 else f"{name}.{actor.number + 1}"
            action = _ActionMaker(owner, clip, actor, samples, fps, self.options).make(label)
            kept = action.marrow
            record.keep_source(kept, self.data, os.path.basename(self.document.name))
            kept.clip_index, kept.actor = index, actor.number
            curves.assign(owner, action)
            made.append(action)
        if len(made) == 2:
            made[0].marrow.partner, made[1].marrow.partner = made[1], made[0]
        self.out.actions.extend(made)
        self._show_range(made[0])

    def _show_range(self, action):
        scene = self.context.scene
        scene.frame_start, scene.frame_end = 0, max(int(round(action.frame_end)), 1)
        scene.frame_set(0)


def _file_of(document):
    """Returns the bytes of the file that a document was read from, if they are still known."""
    return document._source


class _ActionMaker:
    """Makes the action of one actor of a clip."""

    def __init__(self, owner, clip, actor, samples, fps, options):
        self.owner, self.clip, self.actor, self.samples, self.options = owner, clip, actor, samples, options
        self.fps = fps
        #: Frames of the scene per frame of the clip.
        self.step = fps / clip.fps if clip.fps else 1.0
        # Durations of files are rounded; a clip of 30 frames per second has its keys on whole frames all the same.
        if abs(self.step - round(self.step)) * clip.frame_count < 0.1:
            self.step = float(round(self.step))

    def make(self, name):
        action = curves.new_action(name, self.owner)
        kept = action.marrow
        kept.frame_step, kept.fps, kept.blend = self.step, self.fps, self.clip.blend
        action.use_frame_range = True
        action.frame_start, action.frame_end = 0.0, max(self.clip.frame_count - 1, 0) * self.step
        writer = curves.Writer(action)
        self._bones(writer)
        if self.actor.number == 0:
            self._root(writer, kept)
            self._floats(writer, kept)
            for frame, text in marrow.blender.markers_of(list(self.clip.annotations), self.fps):
                action.pose_markers.new(text).frame = frame
        kept.prints = record.write_json(prints(self.owner, self.clip, self.actor, action))
        return action

    def _bones(self, writer):
        actor = self.actor
        rest = armature.rest_of(self.owner, actor.skeleton)
        local = self.samples.thirds[:, actor.tracks]
        frames = self.samples.frames * self.step
        if self.clip.is_additive:
            local = rest.laid_over(actor.bones, local)
        write_channels(writer, self.owner, rest, actor.skeleton, actor.bones, local, frames)

    def _root(self, writer, kept):
        motion = self.clip.root_motion
        if motion is None or self.options.root_motion != "object" or tuple(motion.up)[:3] != (0.0, 0.0, 1.0):
            return
        samples = motion.array.astype(numpy.float64)
        samples[:, :3] *= self.owner.data.marrow.scale
        step = motion.duration * self.fps / max(len(samples) - 1, 1)
        if abs(step - self.step) < 1e-3:
            step = self.step
        self.owner.rotation_mode = "XYZ"
        for column, (path, index) in enumerate(channels.ROOT):
            self._straight(writer, path, index, samples[:, column], step, "Root Motion")
        kept.has_root = True

    def _floats(self, writer, kept):
        if not self.clip.float_track_count:
            return
        values = numpy.array(self.clip.alone().floats, numpy.float64)
        for column, name in enumerate(self.clip.float_names):
            row = values[:, column]
            self.owner[name] = float(row[0])
            self._straight(writer, channels.float_path(name), 0, row, self.step, "Float Tracks")
        kept.has_floats = True

    @staticmethod
    def _straight(writer, path, index, values, step, group):
        """Writes a curve that goes straight from frame to frame."""
        places = numpy.arange(len(values))
        thirds = numpy.interp(numpy.arange(3 * (len(values) - 1) + 1) / 3.0, places, values)
        writer.write(path, index, marrow.blender.curve_keys(thirds), places * step, group)


def write_channels(writer, owner, rest, skeleton, bones, local, frames):
    """Writes local transforms, sampled at the thirds of pieces, as the curves of bones."""
    made = rest.to_channels(bones, local)
    made[..., 3:7] = marrow.blender.continuous(made[..., 3:7])
    keys = iter(marrow.blender.all_curve_keys(made.reshape(len(made), -1)))
    names = armature.game_names(owner.data)
    for bone in bones:
        name = names[skeleton.bones[bone].name]
        for part, count, _ in channels.PARTS:
            path = channels.bone_path(name, part)
            for index in range(count):
                writer.write(path, index, next(keys), frames, name)


def prints(owner, clip, actor, action):
    """Returns the fingerprints of everything that export may find changed: per bone and part, root motion, floats."""
    found = curves.by_path(action)
    names = armature.game_names(owner.data)
    bones = owner.data.bones
    out = {"bones": {}, "root": curves.print_of(channels.root_curves(found)), "floats": {}}
    for bone in actor.bones:
        name = actor.skeleton.bones[bone].name
        drawn = bones[names[name]]
        rest = [numpy.array(each.matrix_local, numpy.float32) for each in (drawn, drawn.parent) if each is not None]
        stand = marrow.blender.fingerprint(*rest)
        out["bones"][name] = [
            marrow.blender.fingerprint(stand, curves.print_of(channels.part_curves(found, drawn.name, part, count)))
            for part, count, _ in channels.PARTS
        ]
    if actor.number == 0:
        for name in clip.float_names:
            out["floats"][name] = curves.print_of([found.get((channels.float_path(name), 0))])
    return out
