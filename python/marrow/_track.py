# SPDX-License-Identifier: MIT
"""One track of a clip: what one bone does."""
from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, TYPE_CHECKING, Union, cast

from ._errors import OptionError, WrongTypeError, place_of
from ._pose import Transform, checked

if TYPE_CHECKING:
    from ._arrays import FloatArray
    from ._clip import Clip
    from ._skeleton import Bone, Skeleton

_PARTS = ("translations", "rotations", "scales")


class Track:
    """A track: one transform per frame. `track.rotations` is an array; `track[3]` works without numpy too."""

    def __init__(self, clip: "Clip", index: int) -> None:
        self.clip = clip
        #: Its place in the clip.
        self.index = index

    @property
    def name(self) -> str:
        """The name of its bone."""
        return self.clip.bone_names[self.index]

    @property
    def bone(self) -> Optional["Bone"]:
        """The bone that it moves, if the skeleton is known."""
        skeleton, place = self.clip.skeleton, self.clip.track_to_bone[self.index]
        return skeleton.bones[place] if skeleton is not None and 0 <= place < len(skeleton) else None

    @property
    def frames(self) -> "FloatArray":
        """Frames by ten. Like the other arrays it looks into the clip."""
        return cast("FloatArray", self.clip.frames[:, self.index])

    @property
    def translations(self) -> "FloatArray":
        """Frames by three."""
        return cast("FloatArray", self.clip.translations[:, self.index])

    @property
    def rotations(self) -> "FloatArray":
        """Frames by four: x, y, z, w."""
        return cast("FloatArray", self.clip.rotations[:, self.index])

    @property
    def scales(self) -> "FloatArray":
        """Frames by three."""
        return cast("FloatArray", self.clip.scales[:, self.index])

    def _at(self, frame: int) -> Any:
        memory, views = self.clip._memory()
        place = place_of(frame, memory.frame_count, f"the clip has {memory.frame_count} frames") * memory.track_count + self.index
        row: Any = (ctypes.c_float * 10).from_address(memory.data + place * 40)
        row.owner = views
        return row

    def __len__(self) -> int:
        return self.clip.frame_count

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self[frame] for frame in range(*key.indices(len(self)))]
        return Transform.of(self._at(key)[:])

    def __setitem__(self, frame: int, value: Union[Transform, Sequence[Any]]) -> None:
        self._at(frame)[:] = checked(value)

    def __iter__(self) -> Iterator[Transform]:
        return (self[frame] for frame in range(len(self)))

    def __repr__(self) -> str:
        return f"<marrow.Track {self.index} {self.name!r}: {len(self)} frames>"


class Tracks(Sequence[Track]):
    """The tracks of a clip, by index or by name of their bone."""

    def __init__(self, clip: "Clip") -> None:
        self._clip = clip

    def __len__(self) -> int:
        return self._clip.track_count

    def __contains__(self, bone: object) -> bool:
        return bone in self._clip._names

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [Track(self._clip, index) for index in range(*key.indices(len(self)))]
        return self._clip.track(key)

    def __iter__(self) -> Iterator[Track]:
        return (Track(self._clip, index) for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<marrow.Tracks {list(self._clip.bone_names)}>"


def _rows_of(bone: str, track: Any) -> dict[str, list[Any]]:
    """Returns the lists of one track, of whatever form it was given in."""
    try:
        if isinstance(track, Mapping):
            unknown = set(track) - set(_PARTS)
            if unknown:
                raise OptionError(f"a track has {', '.join(_PARTS)}, not {', '.join(sorted(unknown))}")
            return {part: [list(map(float, row)) for row in rows] for part, rows in track.items()}
        rows = [checked(each) for each in track]
    except (TypeError, ValueError) as error:
        if isinstance(error, OptionError):
            raise
        raise WrongTypeError(f"the track of {bone!r} is neither lists of numbers nor of transforms: {error}") from None
    return {part: [list(row[first:last]) for row in rows] for part, (first, last) in zip(_PARTS, ((0, 3), (3, 7), (7, 10)))}


def frames_from(tracks: Mapping[str, Any], skeleton: Optional["Skeleton"]) -> tuple[int, Any]:
    """Returns how many frames tracks have, and all their numbers as one ctypes array. Raises ValueError if they differ."""
    if not isinstance(tracks, Mapping):
        raise WrongTypeError(f"tracks are a mapping of bones to motion, not {type(tracks).__name__}", path="tracks")
    lists = {bone: _rows_of(bone, track) for bone, track in tracks.items()}
    counts = {len(rows) for track in lists.values() for rows in track.values()}
    if len(counts) > 1:
        raise OptionError(f"tracks have {', '.join(map(str, sorted(counts)))} frames; one number is needed")
    count = counts.pop() if counts else 1
    out: Any = (ctypes.c_float * (count * len(tracks) * 10))()
    stride = len(tracks) * 10
    for place, (bone, track) in enumerate(lists.items()):
        rest = skeleton[bone].rest if skeleton is not None else Transform()
        column = place * 10
        for part, still in zip(_PARTS, rest):
            width = len(still)
            rows = track.get(part) or [still] * count
            for at, row in zip(range(column, len(out), stride), rows):
                if len(row) != width:
                    raise OptionError(f"{part} of {bone!r} have {len(row)} numbers per frame; {width} are needed")
                out[at : at + width] = row
            column += width
    return count, out
