# SPDX-License-Identifier: MIT
"""Import of skeletons and clips: armatures, and one action per clip and actor."""
from dataclasses import dataclass, field
import os

import bpy
import numpy

from . import armature, channels, control_rig, curves, files, record
from .export_common import GAMES_RATE
from .package import marrow


#: Games whose clips have one rate.
GAMES = ("skyrim-le", "skyrim-se", "fallout4")
#: How far a channel may be from rest and count as at rest: Blender rounds rest poses to single precision.
_AT_REST = 4e-6
#: How many files are looked into for the skeleton of a clip that does not fit.
_MOST_SKELETONS = 20


@dataclass
class ImportOptions:
    """What the import operator offers."""

    units: str = "blender"
    axes: str = "limbs"
    root_motion: str = "object"  # "object" or "apart"
    with_ragdoll: bool = False
    skeleton: str = ""  # a path; by default the active armature's, else the file's own or the one near it
    second_skeleton: str = ""  # of the second actor of a pair
    naming: str = "game"  # or "blender": names that Blender mirrors by
    rate: str = "scene"  # or "clip": the scene takes the rate of the first clip
    only_moving: bool = False  # channels at rest get no curves
    control_rig: bool = False  # armatures of humans get controls


@dataclass
class Imported:
    """What an import made."""

    armatures: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def import_file(context, path, options, onto=None, loaded=None):
    """Imports a file of skeletons or clips. `onto` is an armature to put clips on, of Marrow or of another add-on; `loaded`
    is the file, if it is at hand.

    Raises `marrow.Error` or `OSError` with a sentence for the user.
    """
    data, document = loaded or files.load(path)
    out = Imported(notes=[note.get("message", "") for note in document.notes])
    if not document.clips:
        _import_skeletons(context, document, data, options, out)
        if options.rate == "clip" and document.game in GAMES and not len(bpy.data.actions):
            take_rate(context.scene, GAMES_RATE)  # what is animated next has the rate of the games
        return out
    prepared = _Prepared(context, document, data, options, onto, out)
    render = context.scene.render
    before = render.fps, render.fps_base
    if options.rate == "clip":
        take_rate(context.scene, document.clips[0].fps)
    try:
        for index in range(len(document.clips)):
            prepared.import_clip(index)
    except marrow.Error:
        if not out.actions:
            render.fps, render.fps_base = before
        raise
    return out


def _import_skeletons(context, document, data, options, out):
    wanted = [each for each in document.skeletons if options.with_ragdoll or not each.is_ragdoll]
    if not wanted:
        raise marrow.NoSkeletonError("the file contains neither a clip nor a skeleton", file=document.name)
    for skeleton in wanted:
        name = skeleton.name or os.path.splitext(os.path.basename(document.name))[0]
        naming = "game" if skeleton.is_ragdoll else options.naming
        made = armature.create(context, skeleton, data, name, options.units, options.axes, naming=naming)
        if skeleton.is_ragdoll:
            made.hide_render = True
        out.armatures.append(made)


def take_rate(scene, fps):
    """Gives a scene the rate of a clip; files round their durations, so rates that are nearly whole are whole."""
    if fps <= 0.0:
        return
    whole = round(fps)
    is_whole = abs(fps - whole) < 0.02 * max(whole / 30.0, 1.0)
    scene.render.fps = max(int(whole if is_whole else numpy.ceil(fps)), 1)
    scene.render.fps_base = 1.0 if is_whole else scene.render.fps / fps


class _Prepared:
    """A document of clips with its armatures."""

    def __init__(self, context, document, data, options, onto, out):
        self.context, self.document, self.data, self.options, self.out = context, document, data, options, out
        self.owners = {}
        self.second = marrow.load(options.second_skeleton).skeleton if options.second_skeleton else None
        if options.skeleton:
            document.skeleton = options.skeleton
        if onto is not None and armature.is_ours(onto) and not options.skeleton:
            document.skeleton = armature.skeleton_of(onto)
        elif onto is not None and not armature.is_ours(onto):
            onto = self._adopt(onto)
        is_same = onto is not None and (not options.skeleton or self._is_skeleton_of(onto))
        for clip in document.clips:
            self._refuse_misfit(clip, onto if is_same else None)
        if is_same:
            self.owners[0] = onto

    def _adopt(self, onto):
        """Makes an armature of another add-on one of ours, if its bones are those of the clip's skeleton, whatever they are
        called. Returns None, with a note, if it is another thing altogether."""
        try:
            skeleton = self.document.skeleton
        except marrow.NoSkeletonError:
            skeleton = armature.built(onto)
            self.document.skeleton = skeleton
        found = marrow.blender.match_bones([bone.name for bone in onto.data.bones], skeleton.names)
        if sum(place is not None for place in found) * 2 < len(skeleton):
            self.out.notes.append(f"{onto.name} has other bones than the clip; the clip is on an armature of its own")
            return None
        for clip in self.document.clips:
            self._refuse_misfit(clip, None)
        armature.adopt(onto, skeleton, _file_of(skeleton.document))
        return onto

    def _is_skeleton_of(self, onto):
        return armature.is_ours(onto) and armature.skeleton_of(onto).names == self.document.skeleton.names

    def _refuse_misfit(self, clip, onto):
        """Raises an error in words if a clip was made for another skeleton than the one that it would move."""
        skeleton = clip.skeleton
        if skeleton is None or len(marrow.blender.actors_of(clip, self.second)) > 1:
            return
        fit = clip.fit(skeleton)
        if fit.fits is not False:
            return
        where = f"the armature {onto.name!r}" if onto is not None else f"{os.path.basename(skeleton.document.name) or skeleton.name}"
        reasons = [f"it has {clip.track_count} tracks, and {where} has {len(skeleton)} bones"]
        if fit.outside:
            reasons.append(f"{fit.outside} tracks move bones that are not there")
        else:
            few = "none" if fit.same == 0 else f"only {fit.same}"
            reasons.append(f"{few} of {fit.compared} bones {'is' if fit.same == 1 else 'are'} where the clip has them")
        raise marrow.FormatError(
            f"the clip was made for another skeleton: {'; '.join(reasons)}. {self._offer(clip)}",
            file=self.document.name,
            name="wrong-skeleton",
        )

    def _offer(self, clip):
        """Returns in words which skeleton to use: the one near the file that fits."""
        alone = marrow.load(self.data, name=self.document.name).clips[clip._place()]
        for path, near in _skeletons_near(alone.document):
            if alone.fit(near).fits is not False:
                return f"{path or 'The skeleton in the file'} fits: choose it as Skeleton; the clip then has an armature of its own"
        return "Choose the skeleton of its own character as Skeleton; the clip then has an armature of its own"

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
                naming=self.options.naming,
            )
            self.owners[actor.number] = made
            self.out.armatures.append(made)
        return self.owners[actor.number]

    def import_clip(self, index):
        clip = self.document.clips[index]
        actors = marrow.blender.actors_of(clip, self.second)
        if not any(actor.tracks for actor in actors):
            raise marrow.FormatError("no track of the clip moves a bone of the skeleton", file=self.document.name)
        fps = self.context.scene.render.fps / self.context.scene.render.fps_base
        name = os.path.splitext(os.path.basename(self.document.name))[0]
        name = name if len(self.document.clips) == 1 else f"{name}.{clip.name or index}"
        made, samples = [], None
        for actor in actors:
            owner = self.owner_of(actor)
            label = name if len(actors) == 1 else f"{name}.{actor.number + 1}"
            maker = _ActionMaker(owner, clip, actor, fps, self.options)
            samples = samples or marrow.blender.sampled_thirds(clip, maker.whole_frames())
            action = maker.make(label, samples)
            self.out.notes.extend(maker.notes)
            kept = action.marrow
            record.keep_source(kept, self.data, os.path.basename(self.document.name))
            kept.clip_index, kept.actor = index, actor.number
            curves.assign(owner, action)
            if control_rig.has_rig(owner):
                control_rig.take(self.context, owner, action)
            made.append(action)
            if self.options.control_rig and not control_rig.has_rig(owner):
                self._add_rig(owner)
        if len(made) == 2:
            made[0].marrow.partner, made[1].marrow.partner = made[1], made[0]
        self.out.actions.extend(made)
        self._show_range(made[0])

    def _add_rig(self, owner):
        try:
            control_rig.add(self.context, owner)
        except marrow.NotFoundError as error:
            self.out.notes.append(str(error))

    def _show_range(self, action):
        scene = self.context.scene
        scene.frame_start, scene.frame_end = 0, max(int(round(action.frame_end)), 1)
        scene.frame_set(0)


def _skeletons_near(document):
    """Yields the skeleton that the games keep near a clip, then those that lie beside it by other names; each with its path."""
    try:
        yield document.skeleton.document.name, document.skeleton
    except marrow.Error:
        pass
    folder = os.path.dirname(document.name)
    try:
        names = sorted(each for each in os.listdir(folder) if "skeleton" in each.lower() and each.lower().endswith((".hkx", ".xml")))
    except OSError:  # in an archive, or not on a disk
        return
    for name in names[:_MOST_SKELETONS]:
        path = os.path.join(folder, name)
        try:
            yield path, marrow.load(path).skeleton
        except (OSError, marrow.Error):
            continue


def _file_of(document):
    """Returns the bytes of the file that a document was read from, if they are still known."""
    return document._source


class _ActionMaker:
    """Makes the action of one actor of a clip."""

    def __init__(self, owner, clip, actor, fps, options):
        self.owner, self.clip, self.actor, self.options = owner, clip, actor, options
        self.fps, self.samples, self.notes = fps, None, []
        #: Frames of the scene per frame of the clip.
        self.step = fps / clip.fps if clip.fps else 1.0
        # Durations of files are rounded; a clip of 30 frames per second has its keys on whole frames all the same.
        self.is_whole = abs(self.step - round(self.step)) * clip.frame_count < 0.1 and round(self.step) > 0
        if self.is_whole:
            self.step = float(round(self.step))

    def whole_frames(self):
        """Returns where keys go, in frames of the clip, so that they lie on whole frames of the scene; None if they do so
        by themselves."""
        last = self.clip.frame_count - 1
        if self.is_whole or last < 1:
            return None
        return numpy.arange(int(numpy.ceil(last * self.step - 1e-6)) + 1) / self.step  # past its end a clip stands still

    def make(self, name, samples):
        self.samples = samples
        action = curves.new_action(name, self.owner)
        kept = action.marrow
        kept.frame_step, kept.fps, kept.blend = self.step, self.fps, self.clip.blend
        action.use_frame_range = True
        action.frame_start, action.frame_end = 0.0, max(self.clip.frame_count - 1, 0) * self.step
        if not self.is_whole and self.clip.frame_count > 1:
            rates = f"{self.clip.fps:.4g} frames per second, the scene has {self.fps:.4g}"
            self.notes.append(f"{name}: the clip has {rates}; its keys were put on whole frames of the scene")
        writer = curves.Writer(action)
        self._bones(writer)
        self._place(writer, kept)
        self._floats(writer, kept)
        if self.actor.number == 0:
            self._root(writer, kept)
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
        write_channels(writer, self.owner, rest, actor.skeleton, actor.bones, local, frames, self.options.only_moving)

    def _place(self, writer, kept):
        """Writes where the actor of a pair stands as curves of the object."""
        if self.actor.place is None:
            return
        local = self.samples.thirds[:, self.actor.place]
        if self.actor.root is not None:
            local = marrow.blender.transform_product(self.samples.thirds[:, self.actor.root], local)
        rows = numpy.concatenate(
            [local[:, :3] * armature.length_of(self.owner, self.actor.skeleton), numpy.roll(local[:, 3:7], 1, axis=-1), local[:, 7:]], axis=1
        )
        rows[:, 3:7] = marrow.blender.continuous(rows[:, 3:7])
        keys = iter(marrow.blender.all_curve_keys(rows))
        self.owner.rotation_mode = "QUATERNION"
        for part, count, _ in channels.PARTS:
            for index in range(count):
                writer.write(part, index, next(keys), self.samples.frames * self.step, "Place")
        kept.has_place = True

    def _root(self, writer, kept):
        motion = self.clip.root_motion
        if motion is None or self.options.root_motion != "object" or tuple(motion.up)[:3] != (0.0, 0.0, 1.0):
            return
        if self.actor.place is not None:
            self.notes.append("the clip places its actors and has root motion; the root motion is kept apart")
            return
        samples = motion.array.astype(numpy.float64)
        samples[:, :3] *= armature.length_of(self.owner, self.actor.skeleton)
        step = motion.duration * self.fps / max(len(samples) - 1, 1)
        if abs(step - self.step) < 1e-3:
            step = self.step
        self.owner.rotation_mode = "XYZ"
        for column, (path, index) in enumerate(channels.ROOT):
            self._straight(writer, path, index, samples[:, column], step, "Root Motion")
        kept.has_root = True

    def _floats(self, writer, kept):
        if not self.actor.floats:
            return
        values = numpy.array(self.clip.alone().floats, numpy.float64)
        for column, name in self.actor.floats:
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


def write_channels(writer, owner, rest, skeleton, bones, local, frames, only_moving=False):
    """Writes local transforms, sampled at the thirds of pieces, as the curves of bones. With `only_moving`, parts that stay
    at rest get no curves."""
    made = rest.to_channels(bones, local)
    made[..., 3:7] = marrow.blender.continuous(made[..., 3:7])
    keys = iter(marrow.blender.all_curve_keys(made.reshape(len(made), -1)))
    names = armature.drawn_names(owner, skeleton)
    for place, bone in enumerate(bones):
        name = names[skeleton.bones[bone].name]
        for part, count, column in channels.PARTS:
            own = [next(keys) for _ in range(count)]
            still = channels.REST[column : column + count]
            values = made[:, place, column : column + count]
            if count == 4:  # lengths of quaternions say nothing
                values = values / numpy.maximum(numpy.linalg.norm(values, axis=1, keepdims=True), 1e-9)
            if only_moving and numpy.abs(values - still).max() < _AT_REST:
                continue
            path = channels.bone_path(name, part)
            for index, each in enumerate(own):
                writer.write(path, index, each, frames, name)


def prints(owner, clip, actor, action):
    """Returns the fingerprints of everything that export may find changed: per bone and part, root motion, the place of an
    actor, floats."""
    found = curves.by_path(action)
    names = armature.drawn_names(owner, actor.skeleton)
    bones = owner.data.bones
    places, _ = armature.drawn_and_growth(owner, actor.skeleton)
    stands = {names[bone.name]: places[bone.index].astype(numpy.float32) for bone in actor.skeleton}
    out = {"bones": {}, "root": curves.print_of(channels.root_curves(found)), "floats": {}}
    for bone in actor.bones:
        name = actor.skeleton.bones[bone].name
        drawn = bones[names[name]]
        rest = [
            stands.get(each.name, numpy.array(each.matrix_local, numpy.float32)) for each in (drawn, drawn.parent) if each is not None
        ]
        stand = marrow.blender.fingerprint(*rest)
        out["bones"][name] = [
            marrow.blender.fingerprint(stand, curves.print_of(channels.part_curves(found, drawn.name, part, count)))
            for part, count, _ in channels.PARTS
        ]
    if actor.place is not None:
        out["place"] = curves.print_of(channels.place_curves(found))
    for _, name in actor.floats:
        out["floats"][name] = curves.print_of([found.get((channels.float_path(name), 0))])
    return out
