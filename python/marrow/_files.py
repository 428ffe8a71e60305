# SPDX-License-Identifier: MIT
"""Files in and out: paths, file objects and bytes."""
from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterable
from typing import IO, Any, Union

from ._errors import OptionError, WrongTypeError

#: A file to read: a path, bytes, or an open binary file.
FileSource = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, "IO[bytes]"]
#: A file to write: a path or an open binary file.
FileTarget = Union[str, "os.PathLike[str]", "IO[bytes]"]

_counter = itertools.count()  # names of temporary files differ between threads


def is_path(source: object) -> bool:
    return isinstance(source, (str, os.PathLike))


def name_of(path: "str | os.PathLike[str]") -> str:
    """Returns a path as the library names it, with forward slashes."""
    text = os.fspath(path)
    return text.replace(os.sep, "/") if os.sep != "/" else text


def read_source(source: Any) -> tuple[bytes, str]:
    """Returns the bytes of a source and the name that messages use for it, which may be empty."""
    if is_path(source):
        from ._archive import Archive, place_in_archive

        place = place_in_archive(source)
        if place is not None:
            with Archive(place[0]) as archive:
                return archive.read(place[1]), name_of(source)
        with open(source, "rb") as file:
            return file.read(), name_of(source)
    if isinstance(source, bytes):
        return source, ""
    if isinstance(source, (bytearray, memoryview)):
        return bytes(source), ""
    if hasattr(source, "read"):
        data = source.read()
        if not isinstance(data, bytes):
            raise WrongTypeError("the file is open for text; open it with mode 'rb'")
        name = getattr(source, "name", "")
        return data, name_of(name) if isinstance(name, str) else ""
    if hasattr(source, "_as_file"):
        made: tuple[bytes, str] = source._as_file()
        return made
    raise WrongTypeError(f"a path, bytes or a binary file is needed, not {type(source).__name__}")


def _target_of(path: "str | os.PathLike[str]") -> str:
    """Returns the file that a path stands for, through links. Raises `OptionError` if it must not be replaced."""
    text = os.fspath(path)
    if os.path.exists(text) and not stat.S_ISREG(os.stat(text).st_mode):
        raise OptionError("is a folder, a device or a pipe, which is never replaced", file=name_of(text))
    return os.path.realpath(text) if os.path.islink(text) else text


def write_files(files: Iterable[tuple["str | os.PathLike[str]", bytes]]) -> None:
    """Writes files beside their targets and renames them when all are on the disk, so that a failure leaves what was
    there. Missing folders are made. Raises `OptionError` if a target is a folder, a device or a pipe."""
    waiting: list[tuple[str, str]] = []
    try:
        for path, data in files:
            target = _target_of(path)
            os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
            temporary = f"{target}.{os.getpid()}-{next(_counter)}.tmp"
            with open(temporary, "xb") as file:
                waiting.append((temporary, target))
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        while waiting:
            os.replace(*waiting[-1])
            waiting.pop()
    finally:
        for temporary, _ in waiting:
            os.unlink(temporary)


def write_file(path: "str | os.PathLike[str]", data: bytes) -> None:
    """Writes one file, as `write_files` does."""
    write_files([(path, data)])


def write_target(target: Any, data: bytes) -> None:
    """Writes to a path or an open binary file."""
    if hasattr(target, "write"):
        target.write(data)
    elif is_path(target):
        write_file(target, data)
    else:
        raise WrongTypeError(f"a path or a binary file is needed, not {target!r}", path="output")
