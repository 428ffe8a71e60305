# SPDX-License-Identifier: MIT
"""What a call into the library may use: limits, files nearby, and a way to watch and stop it."""
from __future__ import annotations

import ctypes
import os
import posixpath
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Optional, cast

from . import _abi
from ._library import encoded

#: Called now and then with the share of the work that is done, 0 to 1. Returning False stops the work.
ProgressCallback = Callable[[float], "bool | None"]


@dataclass(frozen=True)
class Limits:
    """How much a file may ask for. Zero means the library's own limit.

    Attributes:
        max_file_bytes: largest input (1 GiB).
        max_expanded_bytes: memory that the decoded form may take (2 GiB).
        max_objects: objects, blocks or bones in one file (a million).
        max_depth: nesting of arrays and elements (64).
    """

    max_file_bytes: int = 0
    max_expanded_bytes: int = 0
    max_objects: int = 0
    max_depth: int = 0


def _read(user: int, name: bytes, at_most: int, sink: Any, state: int) -> int:
    try:
        path = name.decode("utf-8", "surrogateescape")
        if os.path.isfile(path):
            with open(path, "rb") as file:
                data = file.read() if at_most > os.path.getsize(path) else file.read(at_most)
        else:
            found = _read_in_archive(path)
            if found is None:
                return 0
            data = found[:at_most]
    except OSError:
        return 0
    sink(state, data, len(data))
    return 1


def _read_in_archive(path: str) -> Optional[bytes]:
    """Returns a file whose path goes on inside an archive, or None."""
    from ._errors import Error
    from ._archive import place_in_archive

    place = place_in_archive(path)
    if place is None:
        return None
    try:
        archive = _opened_archive(place[0], os.stat(place[0]).st_mtime_ns)
        return cast(bytes, archive.read(posixpath.normpath(place[1].replace("\\", "/"))))
    except Error:
        return None


@lru_cache(maxsize=4)
def _opened_archive(path: str, changed: int) -> Any:
    """Returns an archive; many files near one another are looked for in the same one."""
    from ._archive import Archive

    return Archive(path)


def _list(user: int, folder: bytes, sink: Any, state: int) -> None:
    try:
        with os.scandir(folder.decode("utf-8", "surrogateescape") or ".") as entries:
            for entry in entries:
                if entry.is_file():
                    name = encoded(entry.name)
                    sink(state, name, len(name))
    except OSError:
        return


#: Callbacks that live as long as the package.
_READ, _LIST = _abi.Read(_read), _abi.List(_list)


class CallContext:
    """The context of one call. What a progress callback raises is raised again by `with`. Without `near` no other files
    are read: bytes without a name lie nowhere."""

    def __init__(
        self,
        progress: ProgressCallback | None = None,
        limits: Limits | None = None,
        *,
        near: bool = True,
        wants_files: bool = True,
        bone_names: Sequence[str] = (),
    ) -> None:
        limits = limits or Limits()
        self._raised: BaseException | None = None
        self._progress = progress
        self._names = encoded("\n".join(bone_names))
        self.struct = _abi.Context(
            limits.max_file_bytes,
            limits.max_expanded_bytes,
            limits.max_objects,
            limits.max_depth,
            _abi.Progress(self._reached) if progress else _abi.Progress(0),
            _READ if near else _abi.Read(0),
            _LIST if near else _abi.List(0),
            None,
            self._names or None,
            0 if wants_files else 1,
        )

    @property
    def pointer(self) -> Any:
        return ctypes.byref(self.struct)

    def _reached(self, user: int, share: float) -> int:
        assert self._progress is not None
        try:
            return 0 if self._progress(share) is False else 1
        except BaseException as raised:  # it must not pass through C; KeyboardInterrupt neither
            self._raised = raised
            return 0

    def __enter__(self) -> "CallContext":
        return self

    def __exit__(self, *failure: object) -> None:
        if self._raised is not None:
            raise self._raised
