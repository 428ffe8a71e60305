# SPDX-License-Identifier: MIT
"""Skeletons: bones by name, their rest pose, their tree."""
from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _abi
from ._errors import NotFoundError, OptionError, WrongTypeError
from ._files import FileTarget
from ._library import Handle, encoded, lib, listed
from ._pose import Names, Pose, Transform

if TYPE_CHECKING:
    from ._document import Document
    from ._run import Result


@dataclass(frozen=True)
class Bone:
    """A bone.

    Attributes:
        index: its place in the skeleton.
        name: exactly as in the game.
        parent_index: place of its parent, or -1.
        rest: its rest pose, relative to its parent.
        lock_translation: True if the game takes the translation from the rest pose.
    """

    index: int
    name: str
    parent_index: int
    rest: Transform = Transform()
    lock_translation: bool = False


@dataclass(frozen=True)
class FloatSlot:
    """A number beside the bones that clips may move, such as "hkVis:Quiver"."""

    name: str
    reference: float = 0.0


def bones_of(rows: Any) -> tuple[Bone, ...]:
    """Returns the bones of an array of the C ABI."""
    return tuple(
        Bone(index, str(row.name), row.parent, Transform.of(row.rest), bool(row.lock_translation))
        for index, row in enumerate(rows)
    )


def append_skeleton(
    document: Handle, name: str, bones: Iterable[Union[Bone, Sequence[Any]]], float_slots: Iterable[FloatSlot]
) -> int:
    """Appends a skeleton to a document and returns its place there."""
    places: dict[str, int] = {}
    kept: list[bytes] = []  # texts that C looks at until the end of the call
    rows: list[_abi.Bone] = []
    for bone in bones:
        if not isinstance(bone, Bone):
            try:
                label, parent, *rest = bone
            except (TypeError, ValueError):
                raise WrongTypeError(f"a bone is a name, a parent and optionally a transform, not {bone!r}", path="bones") from None
            if isinstance(parent, str):
                if parent not in places:
                    raise NotFoundError(f"bone {label!r} hangs on {parent!r}, which does not come before it")
                parent = places[parent]
            bone = Bone(len(rows), label, -1 if parent is None else parent, Transform(*(rest[0] if rest else ())))
        places.setdefault(bone.name, len(rows))
        kept.append(encoded(bone.name))
        rest10 = (ctypes.c_float * 10)(*bone.rest.numbers())
        rows.append(_abi.Bone(_abi.Text.of(kept[-1]), bone.parent_index, int(bone.lock_translation), rest10))
    slots = []
    for slot in float_slots:
        kept.append(encoded(slot.name))
        slots.append(_abi.FloatSlot(_abi.Text.of(kept[-1]), slot.reference, 0))
    index = ctypes.c_uint32()
    bone_array, slot_array = (_abi.Bone * len(rows))(*rows), (_abi.FloatSlot * len(slots))(*slots)
    lib.marrow_add_skeleton(
        document.value, encoded(name), bone_array, len(rows), slot_array, len(slots), ctypes.byref(index)
    )
    return index.value


class Skeleton:
    """A skeleton of a document. Bones by index or by name; `in`, `len` and loops work as expected."""

    def __init__(self, document: "Document", index: int) -> None:
        info = _abi.SkeletonInfo()
        lib.marrow_get_skeleton(document._handle.value, index, ctypes.byref(info))
        #: The document that it belongs to.
        self.document = document
        #: Its place in the document.
        self.index = index
        self.name = str(info.name)
        #: True if it is the ragdoll, not the one that clips move.
        self.is_ragdoll = bool(info.is_ragdoll)

    @classmethod
    def new(
        cls,
        name: str,
        bones: Iterable[Union[Bone, Sequence[Any]]],
        float_slots: Iterable[FloatSlot] = (),
        game: Optional[str] = None,
    ) -> "Skeleton":
        """Makes a skeleton in a document of its own.

        Args:
            name: of the skeleton.
            bones: `Bone`s, or tuples of name, parent (a name, an index, None) and optionally a `Transform`. Parents come
                before their children.
            float_slots: numbers beside the bones.
            game: the game it is for, "skyrim-se".

        Raises:
            FormatError: a parent is missing or comes later, a name is used twice, or a number is impossible.
        """
        from ._document import Document

        document = Document.new(game)
        return document.add_skeleton(name, bones, float_slots)

    @cached_property
    def bones(self) -> tuple[Bone, ...]:
        """All bones, parents before their children."""
        return bones_of(listed(_abi.Bone, lib.marrow_get_bones, self.document._handle.value, self.index))

    @cached_property
    def float_slots(self) -> tuple[FloatSlot, ...]:
        rows = listed(_abi.FloatSlot, lib.marrow_get_float_slots, self.document._handle.value, self.index)
        return tuple(FloatSlot(str(row.name), row.reference) for row in rows)

    @cached_property
    def _names(self) -> Names:
        return Names(bone.name for bone in self.bones)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all bones, in order."""
        return self._names.names

    @property
    def parents(self) -> tuple[int, ...]:
        """The index of each bone's parent, or -1."""
        return tuple(bone.parent_index for bone in self.bones)

    @property
    def rest_pose(self) -> Pose:
        """The rest pose of all bones."""
        numbers = [number for bone in self.bones for number in bone.rest.numbers()]
        return Pose((ctypes.c_float * len(numbers))(*numbers), self._names)

    def __len__(self) -> int:
        return len(self.bones)

    def __iter__(self) -> Iterator[Bone]:
        return iter(self.bones)

    def __contains__(self, bone: object) -> bool:
        return bone in self._names if isinstance(bone, str) else bone in self.bones

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self.bones[key]
        return self.bones[self._names.place(key)]

    def index_of(self, bone: Union[str, int, Bone]) -> int:
        """Returns the index of a bone. Raises KeyError or IndexError if there is none."""
        return bone.index if isinstance(bone, Bone) else self._names.place(bone)

    def parent(self, bone: Union[str, int, Bone]) -> Optional[Bone]:
        """Returns the parent of a bone, or None."""
        index = self.bones[self.index_of(bone)].parent_index
        return None if index < 0 else self.bones[index]

    def children(self, bone: Union[str, int, Bone]) -> tuple[Bone, ...]:
        """Returns the bones that hang on a bone."""
        index = self.index_of(bone)
        return tuple(each for each in self.bones if each.parent_index == index)

    def chain(self, first: Union[str, int, Bone], last: Union[str, int, Bone]) -> tuple[Bone, ...]:
        """Returns the bones from one down to another. Raises ValueError if the second does not hang on the first."""
        start, at = self.index_of(first), self.index_of(last)
        bones = [self.bones[at]]
        while at != start:
            at = self.bones[at].parent_index
            if at < 0:
                raise OptionError(f"{bones[0].name!r} does not hang on {self.bones[start].name!r}")
            bones.append(self.bones[at])
        return tuple(reversed(bones))

    def to_model(self, pose: Pose) -> Pose:
        """Returns a pose of this skeleton in model space: every bone relative to the character."""
        out = (ctypes.c_float * len(pose.buffer))()
        lib.marrow_local_to_model(self.document._handle.value, self.index, pose.buffer, out, len(pose))
        return Pose(out, self._names)

    def _as_input(self) -> Any:
        return self.document._as_input()

    def save(self, target: FileTarget, *, game: Optional[str] = None, format: Optional[str] = None) -> "Result":
        """Writes the document that the skeleton belongs to. See `Document.save`."""
        return self.document.save(target, game=game, format=format)

    def __repr__(self) -> str:
        kind = "ragdoll" if self.is_ragdoll else "Skeleton"
        return f"<marrow.{kind} {self.name!r}: {len(self)} bones>"
