# SPDX-License-Identifier: MIT
"""Clips: motion as arrays, poses at any time, events, root motion."""
from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _abi, _arrays
from ._context import CallContext, Limits, ProgressCallback
from ._errors import NotFoundError, OptionError
from ._files import FileSource, FileTarget
from ._library import Handle, encoded, lib, listed, opened, raise_failure, raw
from .annotations import AnnotationLike, Annotations
from .pose import Names, Pose
from .root_motion import RootMotion, read_root_motion, write_root_motion
from .track import Track, Tracks, frames_from

if TYPE_CHECKING:
    from ._arrays import FloatArray
    from ._run import Result
    from .document import Document
    from .skeleton import Skeleton

#: How the game blends a clip with the pose below it.
BLENDS = ("normal", "additive", "additive-deprecated")
_SPACES = {"local": 0, "model": 1}


class Clip(Sequence[Pose]):
    """An animation. `clip[3]` is the pose at frame 3, `clip[10:20]` a clip of these frames, `clip["Pelvis"]` a track.

    Arrays (`frames`, `translations`, `rotations`, `scales`, `floats`) look into the clip: writing to them changes it.
    Tracks that are not touched are saved as they were.
    """

    def __init__(
        self,
        tracks: Mapping[str, Any],
        *,
        duration: Optional[float] = None,
        fps: float = 30.0,
        name: str = "clip",
        skeleton: Union["Skeleton", "Document", FileSource, None] = None,
        skeleton_name: Optional[str] = None,
        blend: str = "normal",
        annotations: Iterable[AnnotationLike] = (),
        game: Optional[str] = None,
    ) -> None:
        """Makes a clip in a document of its own.

        Args:
            tracks: by name of bone: a mapping with `translations`, `rotations`, `scales` (lists or arrays, one row per
                frame), or one of `Transform`s. What is missing rests: as the skeleton says, else at 0, 0, 0.
            duration: seconds; by default the frames at `fps`.
            fps: frames per second.
            name: of the clip.
            skeleton: that the clip is for. Without it, track i moves bone i.
            skeleton_name: as the file names it; by default the name of the skeleton.
            blend: "normal", "additive" or "additive-deprecated".
            annotations: events, as tuples of time and text.
            game: the game it is for, "skyrim-se".

        Raises:
            ValueError: tracks differ in length.
            KeyError: the skeleton has no bone of that name.
        """
        from .document import Document, skeleton_of

        on = None if skeleton is None else skeleton_of(skeleton)
        document = Document.new(game or (on.document.game if on else None))
        count, frames = frames_from(tracks, on)
        made = document.add_clip(
            name,
            skeleton_name=skeleton_name if skeleton_name is not None else (on.name if on else "Root"),
            blend=blend,
        )
        self._document, self._index = document, made._index
        self._forget()
        document._clips[0] = self
        seconds = duration if duration is not None else max(count - 1, 0) / fps
        self._set(frames, None, count, len(tracks), 0, seconds)
        if on is not None:
            document.skeleton = on  # type: ignore[assignment]
            self._set_bones([on.index_of(bone) for bone in tracks])
        names = [encoded(bone) for bone in tracks]
        rows = (_abi.Text * len(names))(*(_abi.Text.of(each) for each in names))
        lib.marrow_set_track_names(*self._key, rows, len(rows))
        self._forget()
        self.annotations = annotations  # type: ignore[assignment]

    @classmethod
    def _of(cls, document: "Document", index: int) -> "Clip":
        clip = cls.__new__(cls)
        clip._document, clip._index = document, index
        clip._forget()
        return clip

    _document: "Document"
    _index: Optional[int]
    _frames: Any
    _floats: Any
    _sampler: Optional[Handle]
    _pose_names: Optional[Names]
    _track_names: Optional[Names]

    def _forget(self) -> None:
        """Lets go of what was made of the frames and the skeleton."""
        self._frames = self._floats = None
        self._sampler = None
        self._pose_names = self._track_names = None

    def _place(self) -> int:
        if self._index is None:
            raise ValueError("the clip was removed from its document")
        return self._index

    @property
    def _key(self) -> tuple[int, int]:
        return self._document._handle.value, self._place()

    def _info(self) -> _abi.ClipInfo:
        info = _abi.ClipInfo()
        lib.marrow_get_clip(*self._key, ctypes.byref(info))
        return info

    # ------------------------------------------------------------ what it is

    @property
    def document(self) -> "Document":
        """The document that it belongs to."""
        return self._document

    @property
    def name(self) -> str:
        return str(self._info().name)

    @name.setter
    def name(self, name: str) -> None:
        self._change(name=name)

    @property
    def skeleton_name(self) -> str:
        """The skeleton that it was made for, as the file names it."""
        return str(self._info().skeleton_name)

    @skeleton_name.setter
    def skeleton_name(self, name: str) -> None:
        self._change(skeleton_name=name)

    @property
    def duration(self) -> float:
        """Length in seconds."""
        return self._info().duration_seconds

    @duration.setter
    def duration(self, seconds: float) -> None:
        self._change(duration_seconds=seconds)

    @property
    def blend(self) -> str:
        """"normal", "additive" or "additive-deprecated" (the form that Skyrim has)."""
        return BLENDS[self._info().blend]

    @blend.setter
    def blend(self, word: str) -> None:
        self._change(blend=self._blend_number(word))

    @staticmethod
    def _blend_number(word: str) -> int:
        if word not in BLENDS:
            raise OptionError(f"takes {', '.join(BLENDS)}, not {word!r}", path="blend")
        return BLENDS.index(word)

    def _change(self, **fields: Any) -> None:
        info = self._info()
        kept = []  # texts that C looks at until the end of the call
        for field, value in fields.items():
            if isinstance(value, str):
                kept.append(encoded(value))
                value = _abi.Text.of(kept[-1])
            setattr(info, field, value)
        self._document._touch()
        lib.marrow_set_clip(*self._key, ctypes.byref(info))
        self._sampler = None

    @property
    def is_additive(self) -> bool:
        """True if its frames are laid over another pose."""
        return self._info().blend != 0

    @property
    def is_compressed(self) -> bool:
        """True if the file stores splines."""
        return bool(self._info().is_compressed)

    @property
    def frame_count(self) -> int:
        return self._info().frame_count

    @property
    def track_count(self) -> int:
        return self._info().track_count

    @property
    def float_track_count(self) -> int:
        return self._info().float_track_count

    @property
    def fps(self) -> float:
        """Frames per second; 0 if it has one frame."""
        info = self._info()
        return (info.frame_count - 1) / info.duration_seconds if info.duration_seconds > 0 else 0.0

    def __repr__(self) -> str:
        if self._index is None:
            return "<marrow.Clip, removed>"
        info = self._info()
        additive = ", additive" if info.blend else ""
        events = len(self.annotations)
        return (
            f"<marrow.Clip {str(info.name)!r}: {info.duration_seconds:.3f} s, {info.frame_count} frames, "
            f"{info.track_count} tracks, {events} event{'' if events == 1 else 's'}{additive}>"
        )

    # ------------------------------------------------------------ bones and tracks

    @property
    def skeleton(self) -> Optional["Skeleton"]:
        """The skeleton that it moves, or None if there is none in the document, given or near it."""
        return self._document._find_skeleton()

    @skeleton.setter
    def skeleton(self, skeleton: Any) -> None:
        self._document.skeleton = skeleton

    @property
    def track_to_bone(self) -> tuple[int, ...]:
        """The bone that each track moves."""
        out = _abi.Tracks()
        lib.marrow_get_tracks(*self._key, ctypes.byref(out))
        return tuple(out.bones[: out.bone_count]) if out.bone_count else tuple(range(self.track_count))

    @track_to_bone.setter
    def track_to_bone(self, bones: Sequence[int]) -> None:
        self._set_bones(bones)

    def _set_bones(self, bones: Sequence[int]) -> None:
        now = _abi.Tracks()
        lib.marrow_get_tracks(*self._key, ctypes.byref(now))
        slots = (ctypes.c_int16 * now.slot_count)(*now.slots[: now.slot_count])
        given = (ctypes.c_int16 * len(bones))(*bones)
        self._document._touch()
        lib.marrow_set_tracks(*self._key, ctypes.byref(_abi.Tracks(given, slots, len(given), len(slots))))
        self._forget()

    @property
    def _names(self) -> Names:
        """The names of the tracks: of the bones that they move, else those in the file, else numbers."""
        if self._track_names is None:
            count = self.track_count
            names = [f"track {index}" for index in range(count)]
            for index, row in enumerate(listed(_abi.Text, lib.marrow_get_track_names, *self._key)[:count]):
                names[index] = str(row) or names[index]
            skeleton = self.skeleton
            if skeleton is not None:
                for index, bone in enumerate(self.track_to_bone):
                    if 0 <= bone < len(skeleton):
                        names[index] = skeleton.bones[bone].name
            self._track_names = Names(names)
        return self._track_names

    @property
    def bone_names(self) -> tuple[str, ...]:
        """The name of the bone that each track moves."""
        return self._names.names

    def track_of(self, bone: Union[str, int]) -> int:
        """Returns the track that moves a bone of that name. Raises KeyError if there is none."""
        return self._names.place(bone)

    @property
    def tracks(self) -> Tracks:
        """All tracks, by index or by name of their bone."""
        return Tracks(self)

    def track(self, bone: Union[str, int]) -> Track:
        """Returns a track by index or by name of its bone. Raises KeyError or IndexError if there is none."""
        return Track(self, self.track_of(bone))

    # ------------------------------------------------------------ arrays

    def _memory(self) -> tuple[_abi.Frames, Any]:
        """Returns the frames, decoded, and what keeps them in memory."""
        views = self._document._look()
        out = _abi.Frames()
        with CallContext() as context:
            lib.marrow_get_frames(*self._key, context.pointer, ctypes.byref(out))
        self._sampler = None
        return out, views

    @property
    def frames(self) -> "FloatArray":
        """Frames by tracks by ten: translation, rotation x y z w, scale. The second index may be the name of a bone."""
        if self._frames is None:
            out, views = self._memory()
            array = _arrays.view(out.data, (out.frame_count, out.track_count, 10), views)
            self._frames = array
        return _arrays.named(self._frames, self._find)

    def _find(self, name: str) -> int:
        return self._names.find(name)

    def _columns(self, first: int, last: int) -> Any:
        if self._frames is None:
            self.frames  # decodes them
        frames: Any = self._frames
        return _arrays.named(frames[:, :, first:last], self._find)

    @property
    def translations(self) -> "FloatArray":
        """Frames by tracks by three."""
        return self._columns(0, 3)

    @translations.setter
    def translations(self, values: Any) -> None:
        self._columns(0, 3)[...] = values

    @property
    def rotations(self) -> "FloatArray":
        """Frames by tracks by four: x, y, z, w."""
        return self._columns(3, 7)

    @rotations.setter
    def rotations(self, values: Any) -> None:
        self._columns(3, 7)[...] = values

    @property
    def scales(self) -> "FloatArray":
        """Frames by tracks by three."""
        return self._columns(7, 10)

    @scales.setter
    def scales(self, values: Any) -> None:
        self._columns(7, 10)[...] = values

    @property
    def floats(self) -> "FloatArray":
        """Frames by float tracks, such as "hkVis:Quiver"."""
        if self._floats is None:
            out, views = self._memory()
            self._floats = _arrays.view(out.floats, (out.frame_count, out.float_track_count), views)
        return self._floats

    def set_frames(
        self,
        frames: Any,
        *,
        floats: Any = None,
        duration: Optional[float] = None,
        fps: Optional[float] = None,
    ) -> None:
        """Replaces all frames; their number and that of the tracks may change. Arrays that were taken before keep what
        they show.

        Args:
            frames: frames by tracks by ten.
            floats: frames by float tracks; by default there are none.
            duration: seconds; by default as `fps` says.
            fps: frames per second; by default the clip's own, else 30.
        """
        np = _arrays.need_numpy()
        array = np.ascontiguousarray(frames, dtype=np.float32)
        if array.ndim != 3 or array.shape[2] != 10:
            raise ValueError(f"frames by tracks by ten are needed, not {array.shape}")
        numbers = np.zeros((len(array), 0), np.float32) if floats is None else np.ascontiguousarray(floats, np.float32)
        if numbers.ndim != 2 or len(numbers) != len(array):
            raise ValueError(f"{len(array)} rows of floats are needed, not {numbers.shape}")
        rate = fps or self.fps or 30.0
        seconds = duration if duration is not None else max(len(array) - 1, 0) / rate
        self._set(
            array.ctypes.data, numbers.ctypes.data, len(array), array.shape[1], numbers.shape[1], seconds
        )

    def _set(self, frames: Any, floats: Any, count: int, tracks: int, float_tracks: int, seconds: float) -> None:
        struct = _abi.Frames()
        struct.data = frames if isinstance(frames, int) else ctypes.cast(frames, ctypes.c_void_p)
        struct.floats = floats if float_tracks else None
        struct.frame_count, struct.track_count, struct.float_track_count = count, tracks, float_tracks
        self._document._move_frames()
        lib.marrow_set_frames(*self._key, ctypes.byref(struct), seconds)
        self._forget()

    # ------------------------------------------------------------ poses

    def _open_sampler(self) -> Any:
        """Prepares sampling: returns the buffer type, and remembers what a pose needs."""
        skeleton = self.skeleton
        with CallContext() as context:
            self._sampler = opened(
                lib.marrow_open_sampler,
                *self._key,
                skeleton.document._handle.value if skeleton else 0,
                skeleton.index if skeleton else 0,
                context.pointer,
            )
        self._pose_names = skeleton._names if skeleton else self._names
        self._width = len(self._pose_names.names) * 10
        self._buffer = ctypes.c_float * self._width
        self._has_skeleton = skeleton is not None
        info = self._info()
        self._rate = (info.frame_count - 1) / info.duration_seconds if info.duration_seconds > 0 else 0.0

    def pose(self, time: float = 0.0, *, frame: Optional[float] = None, space: str = "local") -> Pose:
        """Returns the pose at a time: one transform per bone of the skeleton; bones without a track rest, additive clips
        are laid over the rest pose. Without a skeleton there is one transform per track. Before its start and after its
        end a clip stands still.

        Args:
            time: seconds.
            frame: instead of a time, a frame, which may be fractional.
            space: "local", relative to the parent bone, or "model", relative to the character.
        """
        if self._frames is not None or self._document._is_looked_at:
            return self._pose_of_frames(time, frame, space)
        if self._sampler is None:
            self._open_sampler()
        at = time * self._rate if frame is None else frame
        buffer = self._buffer()
        if self._has_skeleton:
            status = _sample_pose(self._sampler.value, at, _SPACES[space], buffer, self._width)  # type: ignore[union-attr]
        else:
            status = self._sample_tracks(at, space, buffer)
        if status:
            raise_failure(status)
        return Pose(buffer, self._pose_names)  # type: ignore[arg-type]

    def sample(self, time: float = 0.0, *, frame: Optional[float] = None) -> Pose:
        """Returns all tracks at a time, one transform per track, as the clip has them: without a skeleton, and additive
        ones not laid over anything.

        Args:
            time: seconds.
            frame: instead of a time, a frame, which may be fractional.
        """
        at = time * self.fps if frame is None else frame
        buffer = (ctypes.c_float * (self.track_count * 10))()
        if self._frames is not None or self._document._is_looked_at:
            self._memory()
            lib.marrow_sample_frames(*self._key, 0, 0, at, 0, buffer, len(buffer))
        else:
            if self._sampler is None:
                self._open_sampler()
            lib.marrow_sample(self._sampler.value, at, buffer, len(buffer))  # type: ignore[union-attr]
        return Pose(buffer, self._names)

    def _sample_tracks(self, frame: float, space: str, buffer: Any) -> int:
        if space != "local":
            raise NotFoundError("poses in model space need a skeleton", path="skeleton")
        return raw.marrow_sample(self._sampler.value, frame, buffer, self._width)  # type: ignore[union-attr]

    def _pose_of_frames(self, time: float, frame: Optional[float], space: str) -> Pose:
        """The pose of a clip whose frames may be changing under our hands."""
        skeleton = self.skeleton
        if skeleton is None and space != "local":
            raise NotFoundError("poses in model space need a skeleton", path="skeleton")
        self._memory()
        names = skeleton._names if skeleton else self._names
        buffer = (ctypes.c_float * (len(names.names) * 10))()
        lib.marrow_sample_frames(
            *self._key,
            skeleton.document._handle.value if skeleton else 0,
            skeleton.index if skeleton else 0,
            time * self.fps if frame is None else frame,
            _SPACES[space],
            buffer,
            len(buffer),
        )
        return Pose(buffer, names)

    def __len__(self) -> int:
        return self.frame_count

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Pose]:
        return (self.pose(frame=float(index)) for index in range(self.frame_count))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self.track(key)
        if isinstance(key, slice):
            return self._part(key)
        count = self.frame_count
        if not -count <= key < count:
            raise IndexError(f"the clip has {count} frames")
        return self.pose(frame=float(key + count if key < 0 else key))

    def _part(self, key: slice) -> "Clip":
        """Returns a clip of some frames. It keeps its pace; events and root motion come along."""
        start, stop, step = key.indices(self.frame_count)
        places = range(start, stop, step)
        if not places:
            raise ValueError("a clip needs a frame")
        spacing = 1.0 / self.fps if self.fps else 0.0
        begin, end, sign = places[0] * spacing, places[-1] * spacing, 1 if step > 0 else -1
        events = [
            each._replace(time=(each.time - begin) * sign)
            for each in self.annotations
            if min(begin, end) - 1e-6 <= each.time <= max(begin, end) + 1e-6
        ]
        motion = self.root_motion
        made = self.alone()
        floats = self.floats[list(places)] if self.float_track_count else None
        made.set_frames(self.frames[list(places)], floats=floats, duration=abs(end - begin))
        made.annotations = [  # type: ignore[assignment]
            each._replace(time=min(max(each.time, 0.0), made.duration)) for each in events[::sign]
        ]
        if motion is not None and len(motion.samples) == self.frame_count:
            first = motion.samples[places[0]]
            samples = [tuple(a - b for a, b in zip(motion.samples[place], first)) for place in places]
            made.root_motion = RootMotion(samples, made.duration, motion.up, motion.forward)
        return made

    # ------------------------------------------------------------ events and root motion

    @property
    def annotations(self) -> Annotations:
        """The events, as a list that writes through: `clip.annotations.add(0.5, "FootLeft")`."""
        return Annotations(self)

    @annotations.setter
    def annotations(self, events: Iterable[AnnotationLike]) -> None:
        Annotations(self)._write(list(events))

    @property
    def root_motion(self) -> Optional[RootMotion]:
        """The movement of the whole character, or None. Assign to change it; None removes it."""
        return read_root_motion(self._key)

    @root_motion.setter
    def root_motion(self, motion: Optional[RootMotion]) -> None:
        self._document._touch()
        write_root_motion(self._key, motion)

    # ------------------------------------------------------------ operations

    def _as_input(self, needs_bytes: bool) -> Any:
        return self.alone().document._as_input(needs_bytes) if self._is_one_of_many else self._document._as_input(needs_bytes)

    @property
    def _is_one_of_many(self) -> bool:
        return len(self._document.clips) > 1

    def alone(self) -> "Clip":
        """Returns a copy in a document of its own."""
        document = self._document.copy()
        clips = document.clips
        for index, clip in enumerate(clips):
            if index != self._place():
                document.remove_clip(clip)
        return document.clip

    def save(
        self,
        target: FileTarget,
        *,
        game: Optional[str] = None,
        format: Optional[str] = None,
        skeleton: Union["Skeleton", "Document", FileSource, None] = None,
        progress: Optional[ProgressCallback] = None,
        limits: Optional[Limits] = None,
        **options: Any,
    ) -> "Result":
        """Writes the clip with the rest of its document, without other clips. See `Document.save`."""
        source = self.alone().document if self._is_one_of_many else self._document
        return source.save(
            target, game=game, format=format, skeleton=skeleton, progress=progress, limits=limits, **options
        )

    def compress(self, **options: Any) -> "Clip":
        """Returns the clip encoded again, within bounds: `max_rotation_error=0.05`. Options: `marrow.ops.compress`."""
        measured = self._document._skeleton if options.get("max_model_error") is not None else None
        return self._through("compress", [("clip", self), ("skeleton", measured)], options)

    def mirror(self, **options: Any) -> "Clip":
        """Returns the clip with left and right exchanged. Options: `marrow.ops.mirror`."""
        return self._through("mirror", [("clip", self), ("skeleton", self.skeleton)], options)

    def retarget(self, to: Union["Skeleton", "Document", FileSource], *, map: Any = None, **options: Any) -> "Clip":
        """Returns the clip as another skeleton plays it. Options: `marrow.ops.retarget`.

        Args:
            to: the other skeleton.
            map: a file that maps bones, laid over what is found by itself.
        """
        from .document import skeleton_of

        other = skeleton_of(to)
        inputs = [("clip", self), ("from", self._document.skeleton), ("to", other), ("map", map)]
        return self._through("retarget", inputs, options, other)

    def simulate(self, modifiers: Any = None, *, skeleton: Any = None, addon: Any = None, **options: Any) -> "Clip":
        """Returns the clip with bone modifiers run over it and baked in. Options: `marrow.ops.simulate`.

        Args:
            modifiers: a sidecar (a mapping or a file) or the name of a preset, "ponytail"; by default the rig's own.
            skeleton: the rig; by default the clip's skeleton.
            addon: Anvil addons to merge.
        """
        from .document import skeleton_of

        rig = self._document.skeleton if skeleton is None else skeleton_of(skeleton)
        inputs = [("skeleton", rig), ("addon", addon), ("modifiers", modifiers), ("clip", self)]
        return self._through("simulate", inputs, {"format": "hkx", **options}, None if addon else rig)

    def _through(self, operation: str, inputs: Any, options: Any, skeleton: Optional["Skeleton"] = None) -> "Clip":
        from ._run import run

        document = run(operation, inputs, options).document(self._document.name)
        on = skeleton or self._document._skeleton
        if on is not None:
            document.skeleton = on  # type: ignore[assignment]
        return document.clip


_sample_pose = raw.marrow_sample_pose
