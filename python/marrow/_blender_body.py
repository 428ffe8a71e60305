# SPDX-License-Identifier: MIT
"""Bodies in Blender: where the vertices of a shape stand on the armature at rest, and back into the space of the file."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _arrays
from ._body_edit import BodyEdit, rest_matrices

if TYPE_CHECKING:
    from ._shape import Shape


class BodyRest:
    """Converts between the vertices of one shape and the rest pose of its armature, in units of the game.

    Blender moves a vertex of the rest pose by its weights, the game one of the skin; what lies between is a matrix per
    vertex: the weighted mean of the bones at rest times their bind transforms.

    Attributes:
        names: the bones that move the shape, each once.
        weights: vertices by names.
        matrices: one per vertex, from the space of the file to that of the armature.
        positions: vertices in the space of the armature.
        normals: of unit length, there; or None.
    """

    def __init__(self, edit: BodyEdit, shape: "Shape") -> None:
        np = _arrays.need_numpy()
        self._bones = {bone.name.lower(): bone for bone in edit.shapes.bones}
        self._drawn = rest_matrices(edit.shapes.bones, drawn=True)
        self.names: list[str] = []
        self.weights = np.zeros((shape.vertex_count, 0))
        if shape.is_skinned and shape.bones is not None and shape.weights is not None:
            self._skin(edit, shape)
        else:
            place = np.asarray(shape.place, np.float64)
            self.parent: int = shape.parent
            self.matrices = np.broadcast_to(self._drawn[shape.parent] @ place if shape.parent >= 0 else place, (shape.vertex_count, 4, 4))
        own = np.concatenate([np.asarray(shape.positions, np.float64), np.ones((shape.vertex_count, 1))], axis=1)
        self.positions = np.einsum("vij,vj->vi", self.matrices, own)[:, :3]
        self.normals = None if shape.normals is None else unit(np.einsum("vij,vj->vi", self.matrices[:, :3, :3], np.nan_to_num(shape.normals)))

    def _skin(self, edit: BodyEdit, shape: "Shape") -> None:
        np = _arrays.need_numpy()
        bones = [int(bone) for bone in shape.bones]  # type: ignore[union-attr]
        binds = np.asarray(shape.inverse_binds, np.float64)
        places = np.array([self._drawn[bone] @ bind if bone >= 0 else np.eye(4) for bone, bind in zip(bones, binds)])
        places = np.where(np.isfinite(places), places, 0.0)
        labels = [edit.shapes.bones[bone].name if bone >= 0 else "" for bone in bones]
        self.names = list(dict.fromkeys(labels))
        column = np.array([self.names.index(each) for each in labels])
        weights = np.maximum(np.nan_to_num(np.asarray(shape.weights, np.float64)), 0.0)
        joints = np.asarray(shape.joints, np.int64)
        rows = np.arange(len(joints))[:, None]
        self.weights = np.zeros((len(joints), len(self.names)))
        np.add.at(self.weights, (np.broadcast_to(rows, joints.shape), column[joints]), weights)
        by_entry = np.zeros((len(joints), len(bones)))
        np.add.at(by_entry, (np.broadcast_to(rows, joints.shape), joints), weights)
        self.matrices = _blended(by_entry, places)
        #: Of each name, the place times the bind transform of its first entry.
        self._shown = np.array([places[labels.index(name)] for name in self.names])
        self.parent = -1

    def matrices_for(self, weights: Any, names: Any) -> Any:
        """Returns the matrices of vertices with other weights: rows by names. A bone that does not move the shape yet
        stands to it as the others do."""
        np = _arrays.need_numpy()
        mean = self._shown.mean(axis=0) if len(self.names) else np.eye(4)
        shown = np.array([self._shown[self.names.index(name)] if name in self.names else mean for name in names]).reshape(-1, 4, 4)
        return _blended(np.asarray(weights, np.float64), shown)

    def bind_of(self, name: str) -> Any:
        """Returns the place of a bone of the rig, and the bind transform that a shape gets for it."""
        np = _arrays.need_numpy()
        place = self._drawn[self._bones[name.lower()].index]
        mean = self._shown.mean(axis=0) if len(self.names) else np.eye(4)
        return place, np.linalg.inv(place) @ mean

    def knows(self, name: str) -> bool:
        """True if the rig has a bone of this name, in any case."""
        return name.lower() in self._bones


def _blended(weights: Any, matrices: Any) -> Any:
    """Returns the weighted means of matrices; the identity for rows without weights."""
    np = _arrays.need_numpy()
    total = weights.sum(axis=1, keepdims=True)
    shares = weights / np.where(total > 0.0, total, 1.0)
    out = (shares @ matrices.reshape(len(matrices), 16)).reshape(-1, 4, 4)
    out[total[:, 0] <= 0.0] = np.eye(4)
    flat = np.abs(np.linalg.det(out)) < 1e-12
    out[flat] = np.eye(4)
    return out


def unit(vectors: Any) -> Any:
    """Returns vectors of unit length; those without a direction point upwards."""
    np = _arrays.need_numpy()
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    is_long = length > 1e-9
    return np.where(is_long, vectors / np.where(is_long, length, 1.0), [0.0, 0.0, 1.0])
