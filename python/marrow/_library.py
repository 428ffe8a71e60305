# SPDX-License-Identifier: MIT
"""Finds and loads the shared library. ctypes releases the interpreter lock during every call."""
from __future__ import annotations

import ctypes
import os
import pathlib
import sys
from typing import Any

from . import _abi
from ._errors import WrongTypeError, error_of

_NAME = "marrow.dll" if sys.platform == "win32" else "libmarrow.so"


def _places() -> list[pathlib.Path]:
    """Where the library may be: the one that the user names, the wheel's, the one of a source tree."""
    here = pathlib.Path(__file__).resolve().parent
    named = os.environ.get("MARROW_LIBRARY")
    if named:
        return [pathlib.Path(named)]
    return [here / _NAME, here.parent.parent / "build" / "lib" / _NAME]


def raise_failure(status: int, function: Any = None, arguments: Any = None) -> int:
    """Raises the last error of this thread if there is one."""
    if status:
        details = _abi.Error()
        raw.marrow_last_error(ctypes.byref(details))
        raise error_of(details, str(raw.marrow_last_cure()))
    return status


def _open() -> ctypes.CDLL:
    tried = _places()
    found = next((place for place in tried if place.is_file()), None)
    if found is None:
        places = ", ".join(str(place) for place in tried)
        raise ImportError(f"{_NAME} is not there ({places}); install the wheel, build it, or set MARROW_LIBRARY")
    return ctypes.CDLL(str(found))


def _declare(library: ctypes.CDLL, checked: bool) -> ctypes.CDLL:
    for name, (result, arguments) in _abi.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
        if checked and result is _abi.Status and name != "marrow_last_error":
            function.errcheck = raise_failure
    return library


#: The functions as they are; they return a status.
raw = _open()
raw.marrow_abi_version.restype = ctypes.c_uint32
if raw.marrow_abi_version() != _abi.ABI_VERSION:
    raise ImportError(f"{raw._name} has ABI {raw.marrow_abi_version()}; this package needs {_abi.ABI_VERSION}")
_declare(raw, checked=False)

#: The same functions; they raise `marrow.Error` on failure.
lib: Any = _declare(ctypes.CDLL(raw._name), checked=True)

#: The version of Marrow, "0.2.0".
version: str = lib.marrow_version().decode()


class Handle:
    """Owns a handle and releases it with its last user: objects and arrays that look into it keep it."""

    __slots__ = ("value", "__weakref__")

    def __init__(self, value: int) -> None:
        self.value = value

    def __del__(self, release: Any = raw.marrow_release) -> None:
        release(self.value)


def opened(function: Any, *arguments: Any) -> Handle:
    """Calls a function whose last argument receives a handle."""
    out = _abi.Handle()
    function(*arguments, ctypes.byref(out))
    return Handle(out.value)


def listed(kind: Any, function: Any, *arguments: Any) -> Any:
    """Calls a function that fills a list; returns a ctypes array of `kind`."""
    count = ctypes.c_uint32()
    function(*arguments, None, 0, ctypes.byref(count))
    out = (kind * count.value)()
    if count.value:
        function(*arguments, out, count.value, ctypes.byref(count))
    return out


def encoded(text: str) -> bytes:
    """Returns a text as the library takes it."""
    if not isinstance(text, str):
        raise WrongTypeError(f"a text is needed, not {text!r}")
    return text.encode("utf-8", "surrogateescape")
