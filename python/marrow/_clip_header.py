# SPDX-License-Identifier: MIT
"""What every part of a clip needs: its place in a document, its header, the names of its tracks."""
from __future__ import annotations

import ctypes
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, SupportsIndex, TypeVar, Union

from . import _abi
from ._errors import ClosedError, OptionError, WrongTypeError, number
from ._library import Handle, encoded, lib, listed
from ._pose import Names

if TYPE_CHECKING:
    from ._document import Document
    from ._skeleton import Skeleton

#: How the game blends a clip with the pose below it.
BLENDS = ("normal", "additive", "additive-deprecated")
_Self = TypeVar("_Self", bound="ClipHeader")


class ClipHeader:
    """A clip of a document, without its motion."""

    @classmethod
    def _of(cls: type[_Self], document: "Document", index: int) -> _Self:
        clip = cls.__new__(cls)
        clip._document, clip._index = document, index
        clip._forget()
        return clip

    _document: "Document"
    _index: Optional[int]
    _frames: Any
    _floats: Any
    _sampler: Optional[Handle]
    _compact: Optional[Handle]
    _pose_names: Optional[Names]
    _track_names: Optional[Names]

    def _forget(self) -> None:
        """Lets go of what was made of the frames and the skeleton."""
        self._frames = self._floats = None
        self._sampler = self._compact = None
        self._pose_names = self._track_names = None

    def _place(self) -> int:
        if self._index is None:
            raise ClosedError("the clip was removed from its document")
        return self._index

    @property
    def _key(self) -> tuple[int, int]:
        return self._document._handle.value, self._place()

    def _info(self) -> _abi.ClipInfo:
        info = _abi.ClipInfo()
        lib.marrow_get_clip(*self._key, ctypes.byref(info))
        return info

    # ------------------------------------------------------------ what it is

    @property
    def document(self) -> "Document":
        """The document that it belongs to."""
        return self._document

    @property
    def name(self) -> str:
        return str(self._info().name)

    @name.setter
    def name(self, name: str) -> None:
        self._change(name=encoded(name))

    @property
    def skeleton_name(self) -> str:
        """The skeleton that it was made for, as the file names it."""
        return str(self._info().skeleton_name)

    @skeleton_name.setter
    def skeleton_name(self, name: str) -> None:
        self._change(skeleton_name=encoded(name))

    @property
    def duration(self) -> float:
        """Length in seconds."""
        return float(self._info().duration_seconds)

    @duration.setter
    def duration(self, seconds: float) -> None:
        self._change(duration_seconds=number(seconds, "duration"))

    @property
    def blend(self) -> str:
        """"normal", "additive" or "additive-deprecated" (the form that Skyrim has)."""
        return BLENDS[self._info().blend]

    @blend.setter
    def blend(self, word: str) -> None:
        self._change(blend=self._blend_number(word))

    @staticmethod
    def _blend_number(word: str) -> int:
        if word not in BLENDS:
            raise OptionError(f"takes {', '.join(BLENDS)}, not {word!r}", path="blend")
        return BLENDS.index(word)

    def _change(self, **fields: Any) -> None:
        info = self._info()
        kept = []  # texts that C looks at until the end of the call
        for field, value in fields.items():
            if isinstance(value, bytes):
                kept.append(value)
                value = _abi.Text.of(kept[-1])
            setattr(info, field, value)
        self._document._touch()
        lib.marrow_set_clip(*self._key, ctypes.byref(info))
        self._sampler = self._compact = None

    @property
    def is_additive(self) -> bool:
        """True if its frames are laid over another pose."""
        return bool(self._info().blend != 0)

    @property
    def is_compressed(self) -> bool:
        """True if the file stores splines."""
        return bool(self._info().is_compressed)

    @property
    def frame_count(self) -> int:
        return int(self._info().frame_count)

    @property
    def track_count(self) -> int:
        return int(self._info().track_count)

    @property
    def float_track_count(self) -> int:
        return int(self._info().float_track_count)

    @property
    def fps(self) -> float:
        """Frames per second; 0 if it has one frame."""
        info = self._info()
        return float((info.frame_count - 1) / info.duration_seconds if info.duration_seconds > 0 else 0.0)

    # ------------------------------------------------------------ bones and tracks

    @property
    def skeleton(self) -> Optional["Skeleton"]:
        """The skeleton that it moves, or None if there is none in the document, given or near it."""
        return self._document._find_skeleton()

    @skeleton.setter
    def skeleton(self, skeleton: Any) -> None:
        self._document.skeleton = skeleton

    @property
    def track_to_bone(self) -> tuple[int, ...]:
        """The bone that each track moves."""
        out = _abi.Tracks()
        lib.marrow_get_tracks(*self._key, ctypes.byref(out))
        return tuple(out.bones[: out.bone_count]) if out.bone_count else tuple(range(self.track_count))

    @track_to_bone.setter
    def track_to_bone(self, bones: Sequence[int]) -> None:
        self._set_tracks(bones=bones)

    @property
    def track_to_slot(self) -> tuple[int, ...]:
        """The float slot of the skeleton that each float track moves."""
        out = _abi.Tracks()
        lib.marrow_get_tracks(*self._key, ctypes.byref(out))
        count = self.float_track_count
        return tuple(out.slots[: out.slot_count])[:count] if out.slot_count else tuple(range(count))

    @track_to_slot.setter
    def track_to_slot(self, slots: Sequence[int]) -> None:
        self._set_tracks(slots=slots)

    def _set_tracks(self, bones: Optional[Sequence[int]] = None, slots: Optional[Sequence[int]] = None) -> None:
        """Sets what tracks move; what is not given stays."""
        now = _abi.Tracks()
        lib.marrow_get_tracks(*self._key, ctypes.byref(now))
        bones = now.bones[: now.bone_count] if bones is None else bones
        slots = now.slots[: now.slot_count] if slots is None else slots
        for each in (*bones, *slots):
            if not isinstance(each, SupportsIndex) or not -0x8000 <= operator.index(each) <= 0x7FFF:
                raise WrongTypeError(f"a track moves a bone by its number, not {each!r}", path="tracks")
        moved, floats = (ctypes.c_int16 * len(bones))(*bones), (ctypes.c_int16 * len(slots))(*slots)
        self._document._touch()
        lib.marrow_set_tracks(*self._key, ctypes.byref(_abi.Tracks(moved, floats, len(moved), len(floats))))
        self._forget()

    @property
    def float_names(self) -> tuple[str, ...]:
        """The name of the slot that each float track moves; numbers if the skeleton does not name them."""
        known = self.skeleton.float_slots if self.skeleton is not None else ()
        return tuple(known[slot].name if 0 <= slot < len(known) else f"float {slot}" for slot in self.track_to_slot)

    @property
    def _names(self) -> Names:
        """The names of the tracks: of the bones that they move, else those in the file, else numbers."""
        if self._track_names is None:
            count = self.track_count
            names = [f"track {index}" for index in range(count)]
            for index, row in enumerate(listed(_abi.Text, lib.marrow_get_track_names, *self._key)[:count]):
                names[index] = str(row) or names[index]
            skeleton = self.skeleton
            if skeleton is not None:
                for index, bone in enumerate(self.track_to_bone):
                    if 0 <= bone < len(skeleton):
                        names[index] = skeleton.bones[bone].name
            self._track_names = Names(names)
        return self._track_names

    @property
    def bone_names(self) -> tuple[str, ...]:
        """The name of the bone that each track moves."""
        return self._names.names

    def track_of(self, bone: Union[str, int]) -> int:
        """Returns the track that moves a bone of that name. Raises KeyError if there is none."""
        return self._names.place(bone)
