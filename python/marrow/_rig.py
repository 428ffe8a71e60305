# SPDX-License-Identifier: MIT
"""Rigs: skeletons with bone modifiers, and characters that move by them frame by frame."""
from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union, cast

from . import _abi
from ._context import CallContext
from ._errors import NoNameError, OptionError
from ._files import FileSource, is_path, read_source
from ._library import encoded, lib, listed, opened
from ._document import Document, skeleton_of
from ._pose import Names, Pose, Transform, Vector
from ._skeleton import Bone, Skeleton, bones_of


@dataclass(frozen=True)
class Modifier:
    """A bone modifier of a rig. Its fields are read and set by the engine's names: `modifier["Mass"] = 2.0`.

    Attributes:
        rig: that it belongs to.
        index: its place in the rig.
        type: "BallJointBoneModifier".
        bone: its owner, or None.
        order: its place in the order of solving, or None if it has no effect.
    """

    rig: "Rig" = field(repr=False)
    index: int
    type: str
    bone: Optional[Bone]
    order: Optional[int]

    def __getitem__(self, name: str) -> Union[float, tuple[float, ...]]:
        """Returns a field: one number, or one per component or item. Links are indices of bones, -1 for none."""
        key = self.rig._handle.value, self.index, encoded(name)
        try:
            numbers = tuple(listed(ctypes.c_double, lib.marrow_get_field, *key))
        except LookupError as error:
            raise NoNameError(f"{self.type} has no field {name!r} of numbers") from error
        return numbers[0] if len(numbers) == 1 else numbers

    def __setitem__(self, name: str, value: Union[float, Sequence[float]]) -> None:
        """Sets a field of numbers. Simulations of the rig take it up with their next step."""
        numbers = list(value) if isinstance(value, Iterable) else [value]
        lib.marrow_set_field(
            self.rig._handle.value,
            self.index,
            encoded(name),
            (ctypes.c_double * len(numbers))(*(float(each) for each in numbers)),
            len(numbers),
        )


@dataclass
class Environment:
    """The world around a character.

    Attributes:
        gravity: metres per second squared.
        wind: metres per second.
        gust_share: how much gusts vary the wind, as a share of it.
        entity: the character in the world, in units of the skeleton.
        lod: level of detail; modifiers beyond their limit are off.
        teleported: the character was moved elsewhere; physics is reset to the pose.
    """

    gravity: Vector = (0.0, 0.0, -9.81)
    wind: Vector = (0.0, 0.0, 0.0)
    gust_share: float = 0.0
    entity: Transform = Transform()
    lod: int = 0
    teleported: bool = False

    @classmethod
    def default(cls) -> "Environment":
        """Returns Earth's, as the library has it."""
        out = _abi.Environment()
        lib.marrow_default_environment(ctypes.byref(out))
        gravity: Any = tuple(out.gravity)
        wind: Any = tuple(out.wind)
        return cls(gravity, wind, out.gust_share, Transform.of(out.entity), out.lod)

    def _struct(self) -> _abi.Environment:
        out = _abi.Environment()
        out.gravity[:] = self.gravity
        out.wind[:] = self.wind
        out.gust_share = self.gust_share
        out.entity[:] = self.entity.numbers()
        out.lod = self.lod
        out.teleported = int(self.teleported)
        return out


class Rig:
    """A skeleton with bone modifiers, ready to run."""

    def __init__(
        self,
        skeleton: Union[Skeleton, Document, FileSource],
        modifiers: Union[str, "os.PathLike[str]", Mapping[str, Any], bytes, None] = None,
        *,
        addons: Iterable[Union[Document, FileSource]] = (),
        bones: Sequence[str] = (),
        **options: Any,
    ) -> None:
        """Makes a rig.

        Args:
            skeleton: of any format.
            modifiers: a sidecar (docs/modifiers/sidecar.md) as a file, a mapping or JSON, or the name of a preset:
                "ponytail", "cape", "chain", "hair", "pouch", "scabbard". By default the skeleton's own modifiers.
            addons: Anvil addons to merge, in any order.
            bones: what `$bone` in the sidecar stands for.
            options: `game`, `common`, `native_law`, `self_collision`, `substep_seconds`, `reset_distance`.
        """
        #: The skeleton that it was made of; addons may add bones to the rig.
        self.skeleton = skeleton_of(skeleton)
        held = [each if isinstance(each, Document) else _loaded(each) for each in addons]
        handles = (_abi.Handle * len(held))(*(each._handle.value for each in held))
        chosen = {name: value for name, value in options.items() if value is not None}
        if bones:
            chosen["bones"] = [bones] if isinstance(bones, str) else list(bones)
        with CallContext() as context:
            self._handle = opened(
                lib.marrow_open_rig,
                self.skeleton.document._handle.value,
                handles,
                len(held),
                _sidecar(modifiers),
                encoded(json.dumps(chosen)),
                context.pointer,
            )
        #: All bones, those of addons too.
        self.bones: tuple[Bone, ...] = bones_of(listed(_abi.Bone, lib.marrow_get_rig_bones, self._handle.value))
        self._names = Names(bone.name for bone in self.bones)

    def _info(self) -> _abi.RigInfo:
        info = _abi.RigInfo()
        lib.marrow_get_rig(self._handle.value, ctypes.byref(info))
        return info

    @property
    def notes(self) -> list[dict[str, Any]]:
        """Modifiers without effect, and findings of the merge."""
        return cast("list[dict[str, Any]]", json.loads(str(self._info().notes)))

    @property
    def metres_per_unit(self) -> float:
        return float(self._info().metres_per_unit)

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """All modifiers, with the order in which they are solved."""
        rows = listed(_abi.Modifier, lib.marrow_get_modifiers, self._handle.value)
        return tuple(
            Modifier(
                self,
                index,
                str(row.type),
                self.bones[row.bone] if 0 <= row.bone < len(self.bones) else None,
                None if row.order < 0 else row.order,
            )
            for index, row in enumerate(rows)
        )

    @property
    def rest_pose(self) -> Pose:
        """The rest pose of all bones."""
        numbers = [number for bone in self.bones for number in bone.rest.numbers()]
        return Pose((ctypes.c_float * len(numbers))(*numbers), self._names)

    def simulation(self) -> "Simulation":
        """Starts a character at rest."""
        return Simulation(self)

    def __repr__(self) -> str:
        return f"<marrow.Rig: {len(self.bones)} bones, {self._info().modifier_count} modifiers>"


class Simulation:
    """One character with a rig, between frames."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self._handle = opened(lib.marrow_open_simulation, rig._handle.value)
        self._count = len(rig.bones)

    def step(
        self,
        seconds: float,
        pose: Optional[Pose] = None,
        *,
        environment: Optional[Environment] = None,
        weights: Optional[Sequence[float]] = None,
    ) -> Pose:
        """Simulates one frame and returns its pose.

        Args:
            seconds: since the last frame.
            pose: of the animation, local, one transform per bone of the rig; by default the rest pose.
            environment: the world around; by default Earth's gravity and no wind.
            weights: 0 to 1, one per modifier; by default all 1.
        """
        if pose is not None and len(pose) != self._count:
            raise OptionError(f"the pose has {len(pose)} bones and the rig {self._count}")
        if weights is not None and len(weights) != len(self.rig.modifiers):
            raise OptionError(f"{len(weights)} weights were given for {len(self.rig.modifiers)} modifiers")
        out = (ctypes.c_float * (self._count * 10))()
        world = (environment or Environment.default())._struct()
        lib.marrow_step(
            self._handle.value,
            ctypes.byref(world),
            seconds,
            None if pose is None else pose.buffer,
            None if weights is None else (ctypes.c_float * len(weights))(*weights),
            out,
            self._count,
        )
        return Pose(out, self.rig._names)

    def reset(self) -> None:
        """Clears the state: the next frame starts from its pose."""
        lib.marrow_reset(self._handle.value)

    def save_state(self) -> bytes:
        """Returns the whole state, to continue later with the same bits."""
        count = ctypes.c_size_t()
        lib.marrow_save_state(self._handle.value, None, 0, ctypes.byref(count))
        out = ctypes.create_string_buffer(count.value)
        lib.marrow_save_state(self._handle.value, out, count.value, ctypes.byref(count))
        return out.raw

    def restore_state(self, state: bytes) -> None:
        """Goes on from a saved state. Raises `Error` if it is not one of this rig."""
        lib.marrow_restore_state(self._handle.value, state, len(state))

    def __repr__(self) -> str:
        return f"<marrow.Simulation of {self.rig!r}>"


def _loaded(source: FileSource) -> Document:
    from ._document import load

    return load(source)


def _sidecar(modifiers: Any) -> Optional[bytes]:
    """Returns a sidecar as JSON, or the name of a preset."""
    if modifiers is None:
        return None
    if isinstance(modifiers, Mapping):
        return json.dumps(modifiers).encode()
    if isinstance(modifiers, bytes):
        return modifiers
    if is_path(modifiers) and not os.path.exists(modifiers) and not os.path.splitext(os.fspath(modifiers))[1]:
        return encoded(os.fspath(modifiers))
    return read_source(modifiers)[0]
