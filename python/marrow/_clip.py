# SPDX-License-Identifier: MIT
"""Clips: motion as arrays, poses at any time, events, root motion."""
from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _abi, _arrays
from ._clip_motion import ClipMotion
from ._context import CallContext, Limits, ProgressCallback
from ._errors import OptionError, WrongTypeError, number, place_of
from ._files import FileSource, FileTarget
from ._library import encoded, lib
from ._annotations import AnnotationLike, Annotations
from ._pose import Pose
from ._root_motion import RootMotion, read_root_motion, write_root_motion
from ._track import Track, Tracks, frames_from

if TYPE_CHECKING:
    from ._run import Result
    from ._document import Document
    from ._skeleton import Skeleton


class Fit(NamedTuple):
    """Whether a clip was made for a skeleton.

    Attributes:
        fits: True if it was, False if it was not, None if too few bones tell.
        compared: tracks that move a bone with a parent and a length.
        same: those whose first frame has the bone where it is at rest.
        outside: tracks that move bones which the skeleton does not have.
        misnamed: tracks with the name of another bone than the one they move.
    """

    fits: Optional[bool]
    compared: int
    same: int
    outside: int
    misnamed: int


class Clip(ClipMotion):
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
        from ._document import Document, skeleton_of

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
        rate = number(fps, "fps")
        if duration is None and not rate > 0.0:
            raise OptionError(f"a clip has more than 0 frames per second, not {fps:g}", path="fps")
        seconds = number(duration, "duration") if duration is not None else max(count - 1, 0) / rate
        self._set(frames, None, count, len(tracks), 0, seconds)
        if on is not None:
            document.skeleton = on
            self._set_tracks([on.index_of(bone) for bone in tracks])
        names = [encoded(bone) for bone in tracks]
        rows = (_abi.Text * len(names))(*(_abi.Text.of(each) for each in names))
        lib.marrow_set_track_names(*self._key, rows, len(rows))
        self._forget()
        self.annotations = annotations  # type: ignore[assignment]

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

    # ------------------------------------------------------------ tracks and frames

    @property
    def tracks(self) -> Tracks:
        """All tracks, by index or by name of their bone."""
        return Tracks(self)

    def track(self, bone: Union[str, int]) -> Track:
        """Returns a track by index or by name of its bone. Raises KeyError or IndexError if there is none."""
        return Track(self, self.track_of(bone))

    def fits(self, skeleton: Union["Skeleton", "Document", FileSource]) -> Optional[bool]:
        """True if the clip was made for a skeleton: most bones are where the clip has them. False if it was not; None if
        there are too few bones to tell."""
        return self.fit(skeleton).fits

    def fit(self, skeleton: Union["Skeleton", "Document", FileSource]) -> "Fit":
        """Compares the clip with a skeleton: whether it was made for it, and by which numbers."""
        from ._document import skeleton_of

        on = skeleton_of(skeleton)
        out = _abi.FitInfo()
        with CallContext() as context:
            lib.marrow_get_fit(*self._key, on.document._handle.value, on.index, context.pointer, ctypes.byref(out))
        verdict = {_abi.FIT["MARROW_FIT_OTHER"]: False, _abi.FIT["MARROW_FIT_RIGHT"]: True}.get(out.fit)
        return Fit(verdict, out.compared, out.same, out.outside, out.misnamed)

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
        return self.pose(frame=float(place_of(key, self.frame_count, f"the clip has {self.frame_count} frames")))

    def _part(self, key: slice) -> "Clip":
        """Returns a clip of some frames. It keeps its pace; events and root motion come along, as `clip trim` and
        `clip reverse` bring them."""
        if key.step == 0:
            raise OptionError("the step of a slice is not 0")
        places = list(range(*key.indices(self.frame_count)))
        if not places:
            raise OptionError("a clip needs a frame")
        made = self.alone()
        if len(places) > 1:
            first, last = sorted((places[0], places[-1]))
            made._document.apply("clip trim", {"from_frame": first, "to_frame": last})
            if places[0] > places[-1]:
                made._document.apply("clip reverse")
            made = made._document.clip
        duration = made.duration if len(places) > 1 else 0.0
        motion = made.root_motion
        events = list(made.annotations)
        if len(places) == 1:
            here = places[0] / self.fps if self.fps else 0.0
            events = [each._replace(time=0.0) for each in events if abs(each.time - here) <= 1e-6]
        # The frames themselves, not what a curve through some of them gives.
        floats = self.floats[places] if self.float_track_count else None
        made.set_frames(self.frames[places], floats=floats, duration=duration)
        made.annotations = events  # type: ignore[assignment]
        if motion is not None:
            step = abs(places[1] - places[0]) if len(places) > 1 else 1
            samples = list(motion.samples)[::step] if len(places) > 1 else [(0.0, 0.0, 0.0, 0.0)]
            made.root_motion = RootMotion(samples, duration, motion.up, motion.forward)
        return made

    # ------------------------------------------------------------ events and root motion

    @property
    def annotations(self) -> Annotations:
        """The events, as a list that writes through: `clip.annotations.add(0.5, "FootLeft")`."""
        return Annotations(self)

    @annotations.setter
    def annotations(self, events: Iterable[AnnotationLike]) -> None:
        if not isinstance(events, Iterable) or isinstance(events, (str, bytes)):
            raise WrongTypeError(f"events are a list, not {events!r}", path="annotations")
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

    def _as_input(self) -> Any:
        return self._own_document()._as_input()

    def _own_document(self) -> "Document":
        """The document, or a copy with this clip alone."""
        return self.alone().document if self._is_one_of_many else self._document

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

    def __reduce__(self) -> Any:
        return _revived, (self._own_document(),)

    def save(
        self,
        target: FileTarget,
        *,
        game: Optional[str] = None,
        format: Optional[str] = None,
        skeleton: Union["Skeleton", "Document", FileSource, None] = None,
        progress: Optional[ProgressCallback] = None,
        limits: Optional[Limits] = None,
        units: Optional[str] = None,
        show_bones: Optional[bool] = None,
        root_motion: Optional[str] = None,
        ragdoll: Optional[bool] = None,
        head_parts: Optional[bool] = None,
        textures: Optional[bool] = None,
        data: Optional[Sequence[str]] = None,
        texture_size: Optional[int] = None,
        allow_loss: Optional[bool] = None,
        scale: Optional[float] = None,
        rest: Optional[str] = None,
        xml_style: Optional[str] = None,
        pointer_size: Optional[int] = None,
        layout: Optional[str] = None,
        max_rotation_error: Optional[float] = None,
        max_position_error: Optional[float] = None,
        max_scale_error: Optional[float] = None,
        max_float_error: Optional[float] = None,
        max_model_error: Optional[float] = None,
        shell: Optional[float] = None,
        effort: Optional[str] = None,
        encodings: Optional[str] = None,
        uncompressed: Optional[bool] = None,
    ) -> "Result":
        """Writes the clip with the rest of its document, without other clips. See `Document.save`."""
        from ._run import save_options

        return self._own_document()._saved(target, None, game, format, skeleton, progress, limits, save_options(locals()))

    def to_dataframe(self) -> Any:
        """Returns the motion as a pandas DataFrame: one row per frame, indexed by time in seconds; columns by bone and
        channel, from `tx` to `sz`, then the float tracks. Needs pandas."""
        try:
            import pandas  # type: ignore[import]
        except ImportError:
            raise ImportError("this gives a DataFrame and needs pandas; `frames` has the same numbers") from None
        np = _arrays.need_numpy()
        parts = ("tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz")
        columns = [(bone, part) for bone in self.bone_names for part in parts]
        values = np.array(self.frames, dtype=np.float32).reshape(self.frame_count, -1)
        if self.float_track_count:
            columns += [(name, "value") for name in self.float_names]
            values = np.concatenate([values, np.array(self.floats, dtype=np.float32)], axis=1)
        rate = self.fps
        times = np.arange(self.frame_count) / rate if rate else np.zeros(self.frame_count)
        return pandas.DataFrame(
            values,
            index=pandas.Index(times, name="time"),
            columns=pandas.MultiIndex.from_tuples(columns, names=["bone", "channel"]),
        )

    def compress(self, **options: Any) -> "Clip":
        """Returns the clip encoded again, within bounds: `max_rotation_error=0.05`. Options: `marrow.ops.compress`."""
        measured = self._document._skeleton if options.get("max_model_error") is not None else None
        return self._through("compress", [("skeleton", measured)], options)

    def mirror(self, **options: Any) -> "Clip":
        """Returns the clip with left and right exchanged. Options: `marrow.ops.mirror`."""
        return self._through("mirror", [("skeleton", self.skeleton)], options)

    def retarget(self, to: Union["Skeleton", "Document", FileSource], *, map: Any = None, **options: Any) -> "Clip":
        """Returns the clip as another skeleton plays it. Options: `marrow.ops.retarget`.

        Args:
            to: the other skeleton.
            map: a file that maps bones, laid over what is found by itself.
        """
        from ._document import skeleton_of

        other = skeleton_of(to)
        inputs = [("from", self._document.skeleton), ("to", other), ("map", map)]
        return self._through("retarget", inputs, options, other)

    def simulate(self, modifiers: Any = None, *, skeleton: Any = None, addon: Any = None, **options: Any) -> "Clip":
        """Returns the clip with bone modifiers run over it and baked in. Options: `marrow.ops.simulate`.

        Args:
            modifiers: a sidecar (a mapping or a file) or the name of a preset, "ponytail"; by default the rig's own.
            skeleton: the rig; by default the clip's skeleton.
            addon: Anvil addons to merge.
        """
        from ._document import skeleton_of

        rig = self._document.skeleton if skeleton is None else skeleton_of(skeleton)
        inputs = [("skeleton", rig), ("addon", addon), ("modifiers", modifiers)]
        return self._through("simulate", inputs, options, None if addon else rig)

    def _through(self, operation: str, inputs: Any, options: Any, skeleton: Optional["Skeleton"] = None) -> "Clip":
        from ._run import apply

        document = self._own_document().copy()
        apply(document, operation, inputs, options)
        on = skeleton or self._document._skeleton
        if on is not None:
            document.skeleton = on
        return document.clip


def _revived(document: "Document") -> Clip:
    return document.clip
