# SPDX-License-Identifier: MIT
"""The motion of a clip: arrays of all frames, and poses at any time."""
from __future__ import annotations

import ctypes
from typing import Any, Optional, TYPE_CHECKING, cast

from . import _abi, _arrays
from ._clip_header import ClipHeader
from ._context import CallContext
from ._errors import NotFoundError, OptionError, WrongTypeError, number
from ._library import Handle, lib, opened, raise_failure, raw
from ._pose import Pose

if TYPE_CHECKING:
    from ._arrays import FloatArray, TrackArray

_SPACES = {"local": 0, "model": 1}
_COMPACT = 1
_sample_pose = raw.marrow_sample_pose


class ClipMotion(ClipHeader):
    """A clip with its motion."""

    # ------------------------------------------------------------ arrays

    def _memory(self) -> tuple[_abi.Frames, Any]:
        """Returns the frames, decoded, and what keeps them in memory."""
        views = self._document._look()
        out = _abi.Frames()
        with CallContext() as context:
            lib.marrow_get_frames(*self._key, context.pointer, ctypes.byref(out))
        self._sampler = self._compact = None
        return out, views

    @property
    def frames(self) -> "TrackArray":
        """Frames by tracks by ten: translation, rotation x y z w, scale. The second index may be the name of a bone."""
        if self._frames is None:
            out, views = self._memory()
            array = _arrays.view(out.data, (out.frame_count, out.track_count, 10), views)
            self._frames = array
        return cast("TrackArray", _arrays.named(self._frames, self._find))

    def _find(self, name: str) -> int:
        return self._names.find(name)

    def _columns(self, first: int, last: int) -> Any:
        if self._frames is None:
            self.frames  # decodes them
        frames: Any = self._frames
        return _arrays.named(frames[:, :, first:last], self._find)

    @property
    def translations(self) -> "TrackArray":
        """Frames by tracks by three."""
        return cast("TrackArray", self._columns(0, 3))

    @translations.setter
    def translations(self, values: Any) -> None:
        self._columns(0, 3)[...] = values

    @property
    def rotations(self) -> "TrackArray":
        """Frames by tracks by four: x, y, z, w."""
        return cast("TrackArray", self._columns(3, 7))

    @rotations.setter
    def rotations(self, values: Any) -> None:
        self._columns(3, 7)[...] = values

    @property
    def scales(self) -> "TrackArray":
        """Frames by tracks by three."""
        return cast("TrackArray", self._columns(7, 10))

    @scales.setter
    def scales(self, values: Any) -> None:
        self._columns(7, 10)[...] = values

    @property
    def floats(self) -> "FloatArray":
        """Frames by float tracks, such as "hkVis:Quiver"."""
        if self._floats is None:
            out, views = self._memory()
            self._floats = _arrays.view(out.floats, (out.frame_count, out.float_track_count), views)
        return cast("FloatArray", self._floats)

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
        try:
            array = np.ascontiguousarray(frames, dtype=np.float32)
            numbers = np.zeros((len(array), 0), np.float32) if floats is None else np.ascontiguousarray(floats, np.float32)
        except (TypeError, ValueError) as error:
            raise WrongTypeError(f"arrays of numbers are needed: {error}", path="frames") from None
        if array.ndim != 3 or array.shape[2] != 10:
            raise OptionError(f"frames by tracks by ten are needed, not {array.shape}")
        if numbers.ndim != 2 or len(numbers) != len(array):
            raise OptionError(f"{len(array)} rows of floats are needed, not {numbers.shape}")
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

    def _compact_sampler(self) -> Handle:
        """The clip as one of many is sampled: anew while its frames may be changing under our hands."""
        is_settled = self._frames is None and not self._document._is_looked_at
        if self._compact is None or not is_settled:
            with CallContext() as context:
                self._compact = opened(
                    lib.marrow_open_sampler_as, *self._key, 0, 0, _COMPACT, context.pointer
                )
        return self._compact

    def pose(self, time: Optional[float] = None, *, frame: Optional[float] = None, space: str = "local") -> Pose:
        """Returns the pose at a time: one transform per bone of the skeleton; bones without a track rest, additive clips
        are laid over the rest pose. Without a skeleton there is one transform per track. Before its start and after its
        end a clip stands still.

        Args:
            time: seconds; by default the start.
            frame: instead of a time, a frame, which may be fractional.
            space: "local", relative to the parent bone, or "model", relative to the character.
        """
        if space not in _SPACES:
            raise OptionError(f"takes {', '.join(_SPACES)}, not {space!r}", path="space")
        if self._frames is not None or self._document._is_looked_at:
            return self._pose_of_frames(self._frame_at(time, frame, self.fps), space)
        if self._sampler is None:
            self._open_sampler()
        at = self._frame_at(time, frame, self._rate)
        buffer = self._buffer()
        if self._has_skeleton:
            status = _sample_pose(self._sampler.value, at, _SPACES[space], buffer, self._width)  # type: ignore[union-attr]
        else:
            status = self._sample_tracks(at, space, buffer)
        if status:
            raise_failure(status)
        return Pose(buffer, self._pose_names)  # type: ignore[arg-type]

    @staticmethod
    def _frame_at(time: Optional[float], frame: Optional[float], rate: float) -> float:
        """Returns the frame that is asked for by a time or by itself."""
        if frame is None:
            return 0.0 if time is None else number(time, "time") * rate
        if time is not None:
            raise OptionError("a pose has a time in seconds or a frame, not both", path="time")
        return number(frame, "frame")

    def sample(self, time: Optional[float] = None, *, frame: Optional[float] = None) -> Pose:
        """Returns all tracks at a time, one transform per track, as the clip has them: without a skeleton, and additive
        ones not laid over anything.

        Args:
            time: seconds; by default the start.
            frame: instead of a time, a frame, which may be fractional.
        """
        at = self._frame_at(time, frame, self.fps)
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
        return int(raw.marrow_sample(self._sampler.value, frame, buffer, self._width))  # type: ignore[union-attr]

    def _pose_of_frames(self, frame: float, space: str) -> Pose:
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
            frame,
            _SPACES[space],
            buffer,
            len(buffer),
        )
        return Pose(buffer, names)
