# SPDX-License-Identifier: MIT
"""The life of a document: its handle, arrays that look into it, and whether it is still the file that was read."""
from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Optional, TypeVar

from . import _abi
from ._errors import ClosedError
from ._library import Handle, lib, opened

if TYPE_CHECKING:
    from ._clip import Clip

_Self = TypeVar("_Self", bound="OpenFile")


class _Views:
    """What arrays that look into a document hold on to."""

    __slots__ = ("handle", "__weakref__")

    def __init__(self, handle: Handle) -> None:
        self.handle = handle


class OpenFile:
    """An open document of the library, as a base of `Document`."""

    def __init__(self, handle: Handle, source: Optional[bytes] = None) -> None:
        self._open: Optional[Handle] = handle
        self._source = source  # the file itself, as long as nothing was changed
        self._views: Optional[weakref.ref[_Views]] = None
        self._clips: weakref.WeakValueDictionary[int, Clip] = weakref.WeakValueDictionary()

    @property
    def _handle(self) -> Handle:
        if self._open is None:
            raise ClosedError("the document is closed")
        return self._open

    def close(self) -> None:
        """Lets go of the file. Clips and skeletons of it can no longer be used; arrays stay valid."""
        self._open = None
        self._source = None

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def _touch(self) -> None:
        """Has to be called before anything is changed."""
        self._source = None

    def _look(self) -> _Views:
        """Returns what arrays of frames hold on to."""
        self._touch()
        views = self._views() if self._views else None
        if views is None or views.handle is not self._handle:
            views = _Views(self._handle)
            self._views = weakref.ref(views)
        return views

    @property
    def _is_looked_at(self) -> bool:
        views = self._views() if self._views else None
        return views is not None and views.handle is self._open

    def _move_frames(self) -> None:
        """Has to be called before frames move in memory. If arrays look at them, they keep what they look at, and the
        document goes on with a copy."""
        self._touch()
        for clip in list(self._clips.values()):
            clip._forget()
        if self._is_looked_at:
            self._open = opened(lib.marrow_copy_document, self._handle.value)

    def _info(self) -> _abi.DocumentInfo:
        info = _abi.DocumentInfo()
        lib.marrow_get_document(self._handle.value, ctypes.byref(info))
        return info
