# SPDX-License-Identifier: MIT
"""numpy views of memory that belongs to the library. Everything but these works without numpy."""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._errors import OptionError

try:
    import numpy
except ImportError:  # pragma: no cover - tried in a process without numpy
    numpy = None  # type: ignore[assignment]

if TYPE_CHECKING:
    import numpy.typing

    FloatArray = numpy.typing.NDArray[numpy.float32]
    IndexArray = numpy.typing.NDArray[numpy.uint32]

    class TrackArray(numpy.ndarray[Any, numpy.dtype[numpy.float32]]):
        """An array of frames by tracks whose second index may be the name of a bone."""

        def __getitem__(self, key: Any) -> Any: ...
        def __setitem__(self, key: Any, value: Any) -> None: ...


def need_numpy() -> Any:
    """Returns numpy. Raises ImportError with the cure if it is not installed."""
    if numpy is None:
        raise ImportError("this gives an array and needs numpy; poses, tracks and transforms work without it")
    return numpy


def view(address: int, shape: tuple[int, ...], owner: object, kind: Any = ctypes.c_float, writable: bool = True) -> Any:
    """Returns an array that looks at memory of the library. It keeps `owner` alive, and so the memory."""
    np = need_numpy()
    count = 1
    for size in shape:
        count *= size
    if not address or not count:
        return np.empty(shape, dtype=np.dtype(kind))
    buffer = (kind * count).from_address(address)
    buffer.owner = owner
    array = np.frombuffer(buffer, dtype=np.dtype(kind)).reshape(shape)
    array.flags.writeable = writable
    return array


def flat_floats(values: Any, width: int) -> Any:
    """Returns rows of `width` numbers as one ctypes array, from an array or from lists. Raises ValueError if a row has
    another length."""
    if numpy is not None:
        array = numpy.ascontiguousarray(values, dtype=numpy.float32)
        if array.size and array.shape[-1] != width:
            raise OptionError(f"{array.shape[-1]} numbers per row were given; {width} are needed")
        return (ctypes.c_float * array.size).from_buffer_copy(array.tobytes())
    numbers: list[float] = []
    for row in values:
        row = list(row)
        if len(row) != width:
            raise OptionError(f"{len(row)} numbers per row were given; {width} are needed")
        numbers.extend(row)
    return (ctypes.c_float * len(numbers))(*numbers)


if numpy is not None:

    class NamedArray(numpy.ndarray):  # type: ignore[type-arg]
        """An array of frames by tracks that also takes the name of a bone for a track: `rotations[3, "Pelvis"]`."""

        find: Callable[[str], int] | None

        def __array_finalize__(self, source: object) -> None:
            self.find = None  # parts of the array are counted from elsewhere

        def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
            return array[()] if return_scalar or not array.ndim else array.view(numpy.ndarray)

        def _index(self, key: Any) -> Any:
            if self.find is None:
                return key
            if isinstance(key, str):
                return (slice(None), self.find(key))
            if isinstance(key, tuple) and len(key) > 1:
                track = key[1]
                if isinstance(track, str):
                    track = self.find(track)
                elif isinstance(track, (list, tuple)) and any(isinstance(each, str) for each in track):
                    track = [self.find(each) if isinstance(each, str) else each for each in track]
                return (key[0], track, *key[2:])
            return key

        def __getitem__(self, key: Any) -> Any:
            return self.view(numpy.ndarray)[self._index(key)]

        def __setitem__(self, key: Any, value: Any) -> None:
            self.view(numpy.ndarray)[self._index(key)] = value


def named(array: Any, find: Callable[[str], int]) -> Any:
    """Returns the array so that its second index may be a name."""
    out = array.view(NamedArray)
    out.find = find
    return out
