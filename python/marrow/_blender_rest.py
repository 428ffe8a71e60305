# SPDX-License-Identifier: MIT
"""Armatures: how the bones of a game lie in Blender, and what their motion is there.

A game's bone points along any of its axes; Blender's point along Y. So every bone has a turn between its own axes and
Blender's, and the rest pose that Blender really has (it keeps heads, tails and rolls in single precision) is read back
before anything is computed from it: what it rounds then moves nothing.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TYPE_CHECKING, cast

from . import _arrays
from ._errors import OptionError
from ._quaternions import from_matrix, inverse, quaternion_product, rotated, shortest_arc

if TYPE_CHECKING:
    from ._arrays import FloatArray
    from ._skeleton import Skeleton

#: What one unit of the game measures in Blender, by the names that the add-on offers.
UNITS = {"game": 1.0, "blender": 0.1, "metre": None}


def unit_scale(units: str, metres_per_unit: float) -> float:
    """Returns the length in Blender of one unit of the file: "game" 1, "blender" 0.1 of a game's unit, "metre"."""
    if units not in UNITS:
        raise OptionError(f"units are {', '.join(UNITS)}, not {units!r}")
    if abs(metres_per_unit - 1.0) < 1e-6:
        return 1.0  # Anvil counts in metres, which is what Blender does
    scale = UNITS[units]
    return metres_per_unit if scale is None else scale


@dataclass
class Limbs:
    """How bones are drawn.

    Attributes:
        heads: model space, game units.
        rotations: of Blender's bones in model space; Y points along the bone.
        lengths: game units, more than 0.
    """

    heads: "FloatArray"
    rotations: "FloatArray"
    lengths: "FloatArray"


@dataclass
class ModelRest:
    """The rest pose in model space.

    Attributes:
        positions: bones by three.
        rotations: bones by four: x, y, z, w.
        scales: bones by three, with those of the parents.
    """

    positions: "FloatArray"
    rotations: "FloatArray"
    scales: "FloatArray"


def model_rest(parents: Any, rest: Any) -> ModelRest:
    """Returns local transforms (bones by ten) in model space, in double precision."""
    np = _arrays.need_numpy()
    rest = np.asarray(rest, np.float64)
    out = ModelRest(rest[:, :3].copy(), _unit(rest[:, 3:7]), rest[:, 7:].copy())
    for bone, parent in enumerate(parents):
        if parent < 0:
            continue
        turn, size = out.rotations[parent], out.scales[parent]
        out.positions[bone] = out.positions[parent] + rotated(turn, size * rest[bone, :3])
        out.rotations[bone] = _unit(quaternion_product(turn, out.rotations[bone]))
        out.scales[bone] = size * rest[bone, 7:]
    return out


def drawn_rest(skeleton: "Skeleton") -> "FloatArray":
    """Returns the rest pose that Blender's bones are drawn in: bones by ten, in double precision. Bones have no scale
    there, so what the file says of it goes into the channels; scales that are 1 but for noise count as 1."""
    np = _arrays.need_numpy()
    rest = skeleton.rest_pose.array.astype(np.float64)
    rest[:, 7:] = np.where(np.abs(rest[:, 7:] - 1.0) < 1e-3, 1.0, rest[:, 7:])
    return rest


def limbs(skeleton: "Skeleton", along_limbs: bool = True) -> Limbs:
    """Returns how the bones of a skeleton are drawn: along their limbs, or along Y of the game's own axes."""
    np = _arrays.need_numpy()
    parents = skeleton.parents
    model = model_rest(parents, drawn_rest(skeleton))
    ends = _main_children(parents, model.positions)
    extent = float(np.ptp(model.positions, axis=0).max()) if len(parents) else 0.0
    shortest = max(extent * 2e-3, 1e-4)
    directions = np.zeros_like(model.positions)
    lengths = np.zeros(len(parents))
    for bone, parent in enumerate(parents):
        end = ends[bone]
        way = model.positions[end] - model.positions[bone] if end >= 0 else np.zeros(3)
        length = float(np.linalg.norm(way))
        if end >= 0 and length > shortest:
            # The root's way to the body is long; drawn whole, it hides everything.
            directions[bone], lengths[bone] = way / length, length if parent >= 0 else min(length, max(extent * 0.05, shortest))
        elif parent >= 0:
            directions[bone], lengths[bone] = directions[parent], max(0.5 * lengths[parent], shortest)
        else:
            directions[bone], lengths[bone] = rotated(model.rotations[bone], [0.0, 1.0, 0.0]), max(extent * 0.05, shortest)
    rotations = model.rotations
    if along_limbs:
        own = rotated(inverse(rotations), directions)
        rotations = _unit(quaternion_product(rotations, shortest_arc([0.0, 1.0, 0.0], own)))
    return Limbs(model.positions, rotations, lengths)


def _main_children(parents: Any, positions: Any) -> list[int]:
    """Returns for each bone the child that its limb goes on with: the one that the most bones hang on, and of equals the
    farthest. -1 if there is none."""
    np = _arrays.need_numpy()
    weights = [1] * len(parents)
    for bone in range(len(parents) - 1, -1, -1):
        if parents[bone] >= 0:
            weights[parents[bone]] += weights[bone]
    best: list[tuple[Any, int]] = [((0, 0.0), -1)] * len(parents)
    for bone, parent in enumerate(parents):
        if parent < 0:
            continue
        away = float(np.linalg.norm(positions[bone] - positions[parent]))
        rank = (weights[bone] if away > 1e-3 else 0, away)
        if best[parent][1] < 0 or rank > best[parent][0]:
            best[parent] = (rank, bone)
    return [bone for _, bone in best]


def _unit(q: Any) -> Any:
    np = _arrays.need_numpy()
    q = np.asarray(q, np.float64)
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


class BlenderRest:
    """Converts between a game's local transforms and the channels of Blender's pose bones, in double precision."""

    def __init__(self, skeleton: "Skeleton", matrices: Any, scale: float) -> None:
        """Prepares the conversion.

        Args:
            skeleton: of the game.
            matrices: `bone.matrix_local` of each of its bones, as Blender has them.
            scale: length in Blender of one unit of the game.
        """
        np = _arrays.need_numpy()
        matrices = np.asarray(matrices, np.float64).reshape(-1, 4, 4)
        parents = np.asarray(skeleton.parents, np.int64).reshape(-1)
        drawn = drawn_rest(skeleton)
        model = model_rest(parents, drawn)
        local = skeleton.rest_pose.array.astype(np.float64)
        has_parent = parents >= 0
        above = np.where(has_parent, parents, 0)
        one = np.array([0.0, 0.0, 0.0, 1.0])
        turns = _unit(from_matrix(matrices[:, :3, :3]))
        over = np.where(has_parent[:, None], turns[above], one)
        heads = matrices[:, :3, 3]
        offset = heads - np.where(has_parent[:, None], heads[above], 0.0)
        #: Blender's own axes in those of the game, of each bone and of its parent.
        self.axes = _unit(quaternion_product(inverse(model.rotations), turns))
        self.parent_axes = np.where(has_parent[:, None], self.axes[above], one)
        self._turn = _unit(quaternion_product(inverse(over), turns))
        self._offset = rotated(inverse(over), offset)
        self._parent_scale = np.where(has_parent[:, None], model.scales[above], 1.0)
        self._rest_scale = drawn[:, 7:]
        #: The rest pose that additive clips are laid over, bones by ten.
        self.local = np.concatenate([local[:, :3], _unit(local[:, 3:7]), local[:, 7:]], axis=1)
        self.scale = scale

    def to_channels(self, bones: Any, transforms: Any) -> "FloatArray":
        """Returns channels (location, quaternion w x y z, scale) of local transforms, frames by bones by ten."""
        np = _arrays.need_numpy()
        t = np.asarray(transforms, np.float64)
        over, own, turn = self._wide(t, self.parent_axes[bones], self.axes[bones], self._turn[bones])
        place = rotated(inverse(over), self._parent_scale[bones] * t[..., :3]) * self.scale - self._offset[bones]
        spin = quaternion_product(quaternion_product(inverse(over), t[..., 3:7]), own)
        spin = quaternion_product(inverse(turn), spin)
        size = self._sizes(t[..., 7:] / self._rest_scale[bones], own, inward=True)
        return cast("FloatArray", np.concatenate([rotated(inverse(turn), place), np.roll(spin, 1, axis=-1), size], axis=-1))

    def from_channels(self, bones: Any, channels: Any) -> "FloatArray":
        """Returns local transforms of channels; rotations have unit length."""
        np = _arrays.need_numpy()
        c = np.asarray(channels, np.float64)
        over, own, turn = self._wide(c, self.parent_axes[bones], self.axes[bones], self._turn[bones])
        place = rotated(over, self._offset[bones] + rotated(turn, c[..., :3])) / (self.scale * self._parent_scale[bones])
        spin = quaternion_product(turn, _unit(np.roll(c[..., 3:7], -1, axis=-1)))
        spin = quaternion_product(quaternion_product(over, spin), inverse(own))
        size = self._sizes(c[..., 7:], own, inward=False) * self._rest_scale[bones]
        return cast("FloatArray", np.concatenate([place, _unit(spin), size], axis=-1))

    @staticmethod
    def _wide(like: Any, *rows: Any) -> Any:
        np = _arrays.need_numpy()
        return [np.broadcast_to(each, (*like.shape[:-1], 4)) for each in rows]

    @staticmethod
    def _sizes(size: Any, own: Any, inward: bool) -> Any:
        """Returns scales along other axes. Even ones stay as they are; of others the part along the new axes is left."""
        np = _arrays.need_numpy()
        even = np.ptp(size, axis=-1, keepdims=True) <= 1e-6
        if even.all():
            return size
        axes = np.stack([rotated(inverse(own) if not inward else own, axis) for axis in np.eye(3)], axis=-2)
        return np.where(even, size, np.sum(axes**2 * size[..., None, :], axis=-1))

    def laid_over(self, bones: Any, deltas: Any) -> "FloatArray":
        """Returns the local transforms of an additive clip over the rest pose."""
        return cast("FloatArray", transform_product(self.local[bones], deltas))

    def taken_off(self, bones: Any, transforms: Any) -> "FloatArray":
        """Returns the deltas of local transforms from the rest pose: the reverse of `laid_over`."""
        np = _arrays.need_numpy()
        base = np.broadcast_to(self.local[bones], transforms.shape)
        back = inverse(base[..., 3:7])
        place = rotated(back, transforms[..., :3] - base[..., :3]) / base[..., 7:]
        return cast("FloatArray", np.concatenate(
            [place, quaternion_product(back, transforms[..., 3:7]), transforms[..., 7:] / base[..., 7:]], axis=-1
        ))


def transform_product(a: Any, b: Any) -> Any:
    """Returns transforms (rows of ten) one after the other: those of `b` in the space of `a`."""
    np = _arrays.need_numpy()
    b = np.asarray(b, np.float64)
    a = np.broadcast_to(a, b.shape)
    place = a[..., :3] + rotated(a[..., 3:7], a[..., 7:] * b[..., :3])
    return np.concatenate([place, quaternion_product(a[..., 3:7], b[..., 3:7]), a[..., 7:] * b[..., 7:]], axis=-1)


def transform_inverse(a: Any) -> Any:
    """Returns the transforms that undo others, whose scales are even."""
    np = _arrays.need_numpy()
    a = np.asarray(a, np.float64)
    back = inverse(a[..., 3:7])
    return np.concatenate([-rotated(back, a[..., :3]) / a[..., 7:], back, 1.0 / a[..., 7:]], axis=-1)
