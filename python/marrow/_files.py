# SPDX-License-Identifier: MIT
"""Files in and out: paths, file objects and bytes."""
from __future__ import annotations

import itertools
import os
import stat
from typing import IO, Any, Union

from ._errors import OptionError

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
        with open(source, "rb") as file:
            return file.read(), name_of(source)
    if isinstance(source, bytes):
        return source, ""
    if isinstance(source, (bytearray, memoryview)):
        return bytes(source), ""
    if hasattr(source, "read"):
        data = source.read()
        if not isinstance(data, bytes):
            raise TypeError("the file is open for text; open it with mode 'rb'")
        name = getattr(source, "name", "")
        return data, name_of(name) if isinstance(name, str) else ""
    raise TypeError(f"a path, bytes or a binary file is needed, not {type(source).__name__}")


def write_file(path: "str | os.PathLike[str]", data: bytes) -> None:
    """Writes a file beside its target and renames it, so that a failure leaves what was there. Missing folders are made.

    Raises `OptionError` if the target is a folder, a device or a pipe.
    """
    text = os.fspath(path)
    if os.path.exists(text) and not stat.S_ISREG(os.stat(text).st_mode):
        raise OptionError("is not a file and is not replaced", file=name_of(text))
    os.makedirs(os.path.dirname(text) or ".", exist_ok=True)
    temporary = f"{text}.{os.getpid()}-{next(_counter)}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        os.replace(temporary, text)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def write_target(target: Any, data: bytes) -> None:
    """Writes to a path or an open binary file."""
    if hasattr(target, "write"):
        target.write(data)
    else:
        write_file(target, data)
