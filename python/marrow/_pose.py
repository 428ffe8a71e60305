# SPDX-License-Identifier: MIT
"""Transforms, and poses of many of them."""
from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TYPE_CHECKING, Union, cast, overload

from . import _arrays
from ._errors import NoBoneError, OptionError, WrongTypeError, place_of

if TYPE_CHECKING:
    from ._arrays import FloatArray

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


class Transform(NamedTuple):
    """A translation, a rotation (x, y, z, w) and a scale, relative to the parent bone unless said otherwise."""

    translation: Vector = (0.0, 0.0, 0.0)
    rotation: Quaternion = (0.0, 0.0, 0.0, 1.0)
    scale: Vector = (1.0, 1.0, 1.0)

    @classmethod
    def of(cls, numbers: Sequence[float]) -> "Transform":
        """Makes a transform of ten numbers."""
        n = tuple(numbers)
        return cls((n[0], n[1], n[2]), (n[3], n[4], n[5], n[6]), (n[7], n[8], n[9]))

    def numbers(self) -> tuple[float, ...]:
        """Returns its ten numbers."""
        return (*self.translation, *self.rotation, *self.scale)


def checked(value: "Union[Transform, Sequence[Any]]") -> tuple[float, ...]:
    """Returns the ten numbers of a transform. Raises `OptionError` if it is not one."""
    try:
        numbers = tuple(float(each) for each in Transform(*value).numbers())
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != 10:
        raise WrongTypeError(f"a transform is a translation, a rotation (x, y, z, w) and a scale, not {value!r}")
    if not all(math.isfinite(each) for each in numbers) or not any(numbers[3:7]):
        raise OptionError("a transform has finite numbers and a rotation that is not all 0", path="rotation")
    return numbers


class Names:
    """The names of bones or tracks, with their places."""

    __slots__ = ("names", "_index")

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self._index: dict[str, int] = {}
        for index, name in enumerate(self.names):
            self._index.setdefault(name, index)

    def find(self, name: str) -> int:
        """Returns the place of a name. Raises `NoBoneError` with the names that are alike."""
        try:
            return self._index[name]
        except KeyError:
            pass
        import difflib

        near = difflib.get_close_matches(name, self.names, 3, 0.5)
        raise NoBoneError(f"there is no bone {name!r}" + (f"; did you mean {', '.join(map(repr, near))}?" if near else ""))

    def place(self, key: Union[int, str]) -> int:
        """Returns an index for an index, which may count from the end, or a name."""
        if isinstance(key, str):
            return self.find(key)
        return place_of(key, len(self.names), f"there are {len(self.names)}")

    def __contains__(self, name: object) -> bool:
        return name in self._index


class Pose(Sequence[Transform]):
    """One transform per bone, or per track if the skeleton of the clip is not known: by index or by name.

    `pose["NPC Head [Head]"].rotation` is one rotation; `pose.rotations` is an array of all.
    """

    __slots__ = ("buffer", "_names")

    def __init__(self, buffer: Any, names: Names) -> None:
        #: All numbers as a ctypes array, ten per bone.
        self.buffer = buffer
        self._names = names

    @classmethod
    def make(cls, transforms: Iterable[Transform], names: Iterable[str] = ()) -> "Pose":
        """Makes a pose of transforms."""
        numbers = [number for each in transforms for number in checked(each)]
        return cls((ctypes.c_float * len(numbers))(*numbers), Names(names))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bones, in order; empty if they are not known."""
        return self._names.names

    @property
    def array(self) -> "FloatArray":
        """All numbers, bones by ten: translation, rotation x y z w, scale. Writing to it changes the pose."""
        return cast("FloatArray", _arrays.need_numpy().frombuffer(self.buffer, dtype="f4").reshape(-1, 10))

    @property
    def translations(self) -> "FloatArray":
        """Bones by three."""
        return self.array[:, :3]

    @property
    def rotations(self) -> "FloatArray":
        """Bones by four: x, y, z, w."""
        return self.array[:, 3:7]

    @property
    def scales(self) -> "FloatArray":
        """Bones by three."""
        return self.array[:, 7:]

    def __len__(self) -> int:
        return len(self.buffer) // 10

    def _place(self, key: Union[int, str]) -> int:
        if isinstance(key, str):
            return self._names.find(key)
        return place_of(key, len(self), f"the pose has {len(self)} bones")

    @overload
    def __getitem__(self, key: Union[int, str]) -> Transform: ...
    @overload
    def __getitem__(self, key: slice) -> "list[Transform]": ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self[i] for i in range(*key.indices(len(self)))]
        at = self._place(key) * 10
        return Transform.of(self.buffer[at : at + 10])

    def __setitem__(self, key: Union[int, str], value: Union[Transform, Sequence[Any]]) -> None:
        at = self._place(key) * 10
        self.buffer[at : at + 10] = checked(value)

    def __iter__(self) -> Iterator[Transform]:
        return (self[i] for i in range(len(self)))

    def __reduce__(self) -> Any:
        """Pickles as its numbers and names: for worker processes."""
        return _revived, (bytes(self.buffer), self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pose) and bytes(self.buffer) == bytes(other.buffer)

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> "Pose":
        """Returns a pose of its own memory."""
        return Pose(type(self.buffer).from_buffer_copy(self.buffer), self._names)

    def __repr__(self) -> str:
        return f"<marrow.Pose of {len(self)} bones>"


def _revived(data: bytes, names: tuple[str, ...]) -> Pose:
    return Pose((ctypes.c_float * (len(data) // 4)).from_buffer_copy(data), Names(names))
