# SPDX-License-Identifier: MIT
"""Collision: physics systems, ragdolls and cloths with their bodies and joints; new ones from meshes."""
from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _abi
from ._errors import NoNameError
from ._library import lib, listed
from ._mesh import Mesh
from ._pose import Quaternion, Vector

if TYPE_CHECKING:
    from ._document import Document

MOTIONS = ("static", "keyframed", "dynamic")


@dataclass(frozen=True)
class Body:
    """A body of a physics system.

    Attributes:
        index: its place in the system.
        name: of the body.
        node: of the NIF that uses it, or None.
        shape: "polytope", "mesh", "sphere", "capsule", "compound", ...: as `collision list` names it.
        motion: "static", "keyframed" or "dynamic".
        mass: kilograms; 0 if it is not dynamic.
        friction: of the body.
        restitution: of the body.
        layer: number of the layer; `marrow.ops.collision_layers` has names.
        flags: of the body.
        material: CRC of the shape's material; 0 if it has several or none.
        position: in units of the system.
        rotation: x, y, z, w.
    """

    index: int
    name: str
    node: Optional[str]
    shape: str
    motion: str
    mass: float
    friction: float
    restitution: float
    layer: int
    flags: int
    material: int
    position: Vector
    rotation: Quaternion


@dataclass(frozen=True)
class Joint:
    """A joint between two bodies.

    Attributes:
        type: "ragdoll", "limited hinge", "hinge", "ball", "prismatic", "fixed", or a class name.
        body_a: index of the child.
        body_b: index of the parent, or None for the world.
        frame_a: x axis, y axis, z axis and pivot in the space of `body_a`.
        frame_b: the same in the space of `body_b`.
        limits: radians or units, by type.
    """

    type: str
    body_a: int
    body_b: Optional[int]
    frame_a: tuple[float, ...]
    frame_b: tuple[float, ...]
    limits: tuple[float, ...]


@dataclass(frozen=True)
class CollisionSystem:
    """One physics system, ragdoll or cloth.

    Attributes:
        index: its place in the document.
        kind: "physics", "ragdoll" or "cloth".
        block: of the NIF, or None in a bare packfile.
        game_units: per unit of this system.
        bodies: its bodies.
        joints: its joints.
    """

    index: int
    kind: str
    block: Optional[int]
    game_units: float
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]

    @classmethod
    def _of(cls, document: "Document", index: int) -> "CollisionSystem":
        key = document._handle.value, index
        info = _abi.CollisionInfo()
        lib.marrow_get_collision(*key, ctypes.byref(info))
        bodies = tuple(_body(place, row) for place, row in enumerate(listed(_abi.Body, lib.marrow_get_bodies, *key)))
        joints = tuple(_joint(row) for row in listed(_abi.Joint, lib.marrow_get_joints, *key))
        block = None if info.block < 0 else info.block
        return cls(index, str(info.kind), block, info.game_units, bodies, joints)

    def body(self, name: str) -> Body:
        """Returns the body of a name or of a node's name. Raises KeyError if there is none."""
        for body in self.bodies:
            if name in (body.name, body.node):
                return body
        raise NoNameError(f"there is no body {name!r}")

    def __repr__(self) -> str:
        where = "" if self.block is None else f" in block {self.block}"
        return f"<marrow.CollisionSystem {self.kind}{where}: {len(self.bodies)} bodies, {len(self.joints)} joints>"


def _body(index: int, row: Any) -> Body:
    position: Any = tuple(row.position)
    rotation: Any = tuple(row.rotation)
    return Body(
        index,
        str(row.name),
        str(row.node) or None,
        str(row.shape),
        MOTIONS[row.motion],
        row.mass,
        row.friction,
        row.restitution,
        row.layer,
        row.flags,
        row.material,
        position,
        rotation,
    )


def _joint(row: Any) -> Joint:
    parent = None if row.body_b < 0 else row.body_b
    return Joint(str(row.type), row.body_a, parent, tuple(row.frame_a), tuple(row.frame_b), tuple(row.limits))


def build_collision(meshes: Union[Mesh, Iterable[Mesh]], **options: Any) -> "Document":
    """Builds Fallout 4 collision from meshes. Returns a bare packfile, which `marrow.ops.collision_attach` puts into a
    NIF.

    Args:
        meshes: one mesh, or several: each becomes a body, or a child of one with `shape="compound"`.
        options: of `marrow.ops.collision_build`: `shape="hull"`, `mass=12`, `material="wood"`, ...
    """
    from ._document import Document
    from ._run import run

    document = Document.new("fallout4")
    for mesh in [meshes] if isinstance(meshes, Mesh) else meshes:
        document.add_mesh(mesh)
    return run("collision build", [("mesh", document)], options).document()
