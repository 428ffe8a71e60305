# SPDX-License-Identifier: MIT
"""BSA and BA2 archives as folders.

    with marrow.Archive("Skyrim - Animations.bsa") as archive:
        for entry in archive.match("*/mt_*.hkx"):
            print(entry.path, entry.size)
        clip = archive.load("meshes/actors/character/animations/mt_idle.hkx").clip

A path may go on inside an archive wherever a file is taken: `marrow.load("A.bsa/meshes/x.hkx")`.
"""
from __future__ import annotations

import ctypes
import fnmatch
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from . import _abi
from ._context import CallContext, Limits
from ._errors import ClosedError, NotFoundError, OutOfRangeError
from ._files import read_source
from ._library import Handle, encoded, lib, opened

if TYPE_CHECKING:
    from ._document import Document


@dataclass(frozen=True)
class ArchiveEntry:
    """A file of an archive."""

    path: str  #: with forward slashes, in the archive's case
    size: int  #: bytes unpacked, as the archive claims
    packed: int  #: bytes in the archive
    compressed: bool
    safe: bool  #: False if the path must never become one on a disk
    index: int


class Archive:
    """An open archive. Its tables are read at once, files when they are asked for.

    Attributes:
        format: "bsa" or "ba2".
        game: "oblivion", "skyrim-le", "skyrim-se", "fallout4" or "starfield".
        version: as the archive states it.
        flags: of a BSA.
    """

    def __init__(self, source: Any, *, limits: Optional[Limits] = None) -> None:
        self._limits = limits
        is_path = isinstance(source, (str, os.PathLike))
        self.name = os.fspath(source) if is_path else ""
        if is_path:
            os.stat(source)  # a file that is not there is Python's own error, as in `load`
        data = None if is_path else read_source(source)[0]
        with CallContext(None, limits, near=False, wants_files=True, bone_names=()) as context:
            self._handle: Optional[Handle] = opened(
                lib.marrow_open_archive,
                encoded(self.name) if is_path else None,
                ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p) if data is not None else None,
                len(data) if data is not None else 0,
                context.pointer,
            )
        info = _abi.ArchiveInfo()
        lib.marrow_get_archive(self._value, ctypes.byref(info))
        self.format, self.game = str(info.format), str(info.game)
        self.version, self.flags = int(info.version), int(info.flags)
        self._count = int(info.entry_count)

    @property
    def _value(self) -> int:
        if self._handle is None:
            raise ClosedError("the archive is closed")
        return self._handle.value

    def close(self) -> None:
        """Closes the file. What was read stays."""
        self._handle = None

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *ignored: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> ArchiveEntry:
        if not -self._count <= index < self._count:
            raise OutOfRangeError(f"the archive has {self._count} entries, and {index} is not one of them")
        at = index % self._count
        entry = _abi.ArchiveEntry()
        lib.marrow_get_archive_entry(self._value, at, ctypes.byref(entry))
        return ArchiveEntry(
            str(entry.path), int(entry.size), int(entry.packed), bool(entry.compressed), bool(entry.safe), at
        )

    def __iter__(self) -> Iterator[ArchiveEntry]:
        return (self[index] for index in range(self._count))

    def __contains__(self, path: object) -> bool:
        try:
            self.find(str(path))
        except NotFoundError:
            return False
        return True

    def match(self, pattern: str) -> list[ArchiveEntry]:
        """Returns the entries whose path matches, in any case; `*` crosses folders."""
        wanted = pattern.replace("\\", "/").lower()
        return [each for each in self if fnmatch.fnmatchcase(each.path.lower(), wanted)]

    def find(self, path: str) -> ArchiveEntry:
        """Returns the entry of a path, with either slash and in any case. Raises `NotFoundError`."""
        index = ctypes.c_uint32()
        lib.marrow_find_archive_entry(self._value, encoded(path), ctypes.byref(index))
        return self[index.value]

    def read(self, path: "str | ArchiveEntry") -> bytes:
        """Returns the bytes of one file, unpacked."""
        index = path.index if isinstance(path, ArchiveEntry) else self.find(path).index
        with CallContext(None, self._limits, near=False, wants_files=True, bone_names=()) as context:
            result = opened(lib.marrow_read_archive_entry, self._value, index, context.pointer)
        file = _abi.File()
        lib.marrow_get_file(result.value, 0, ctypes.byref(file))
        return ctypes.string_at(file.bytes, file.byte_count) if file.byte_count else b""

    def load(self, path: str, **options: Any) -> "Document":
        """Loads a file of the archive, as `marrow.load` does."""
        from ._document import load

        entry = self.find(path)
        name = f"{self.name}/{entry.path}" if self.name else entry.path
        return load(self.read(entry), name=name, **options)

    def __repr__(self) -> str:
        return f"<marrow.Archive {self.name!r}: {self.format} version {self.version}, {self._count} files>"


def place_in_archive(path: "str | os.PathLike[str]") -> Optional[tuple[str, str]]:
    """Splits a path that goes on inside an archive: the archive, and the rest. None if it does not."""
    text = os.fspath(path)
    if os.path.exists(text):
        return None
    for at, character in enumerate(text):
        if at > 0 and character in "/\\" and os.path.isfile(text[:at]):
            with open(text[:at], "rb") as file:
                magic = file.read(4)
            return (text[:at], text[at + 1 :].strip("/\\")) if magic in (b"BSA\0", b"BTDX") else None
    return None
