# SPDX-License-Identifier: MIT
"""Bodies: the visible shapes of a document on the bones of a rig, as arrays that look into the library."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Optional, TYPE_CHECKING, Union, cast, overload

from . import _abi, _arrays
from ._context import CallContext
from ._errors import NotFoundError
from ._library import Handle, lib, listed, opened
from ._skeleton import Bone, bones_of

if TYPE_CHECKING:
    from ._arrays import FloatArray, IndexArray

_ALPHA = {number: name.removeprefix("MARROW_ALPHA_").lower() for name, number in _abi.ALPHA.items()}


class Shape:
    """A visible shape. Arrays are read only, and None if the shape does not have them; units are the game's.

    A vertex of a skinned shape is the sum over its four joints j of
    `weights[v, j] * (model matrix of bones[joints[v, j]]) @ inverse_binds[joints[v, j]] @ position`.

    Attributes:
        name: of the shape.
        type: of the block, "BSTriShape"; empty in glTF.
        material: name of its shader; in Fallout 4 usually the path of a material file.
        textures: paths by slot, as stored; unused slots are empty.
        block: number in the NIF, or -1.
        parent: of a shape without skin, the bone that it hangs on, or -1.
        is_skinned: True if bones move its vertices.
        is_double_sided: True if both sides are drawn.
        alpha: "opaque", "mask" or "blend".
        alpha_threshold: of "mask", 0 to 1.
    """

    def __init__(self, shapes: Handle, index: int) -> None:
        row = _abi.Shape()
        lib.marrow_get_shape(shapes.value, index, ctypes.byref(row))
        self._owner = shapes  # the arrays are its
        self._row = row
        self.name = str(row.name)
        self.type = str(row.type)
        self.material = str(row.material)
        self.textures = tuple(str(each) for each in listed(_abi.Text, lib.marrow_get_shape_textures, shapes.value, index))
        self.block: int = row.block
        self.parent: int = row.parent
        self.is_skinned = bool(row.is_skinned)
        self.is_double_sided = bool(row.is_double_sided)
        self.alpha = _ALPHA[row.alpha]
        self.alpha_threshold: float = row.alpha_threshold
        self.vertex_count: int = row.vertex_count
        self.triangle_count: int = row.triangle_count

    def _array(self, address: Optional[int], kind: Any, *shape: int) -> Any:
        np = _arrays.need_numpy()
        if not address:
            return None
        count = 1
        for each in shape:
            count *= each
        buffer = (kind * count).from_address(address)
        buffer.owner = self._owner
        array = np.frombuffer(buffer, dtype=np.dtype(kind)).reshape(shape)
        array.flags.writeable = False
        return array

    @property
    def positions(self) -> "FloatArray":
        """Vertices by three; of a skinned shape in the space of its skin."""
        return cast("FloatArray", self._array(self._row.positions, ctypes.c_float, self.vertex_count, 3))

    @property
    def normals(self) -> "Optional[FloatArray]":
        """Vertices by three, as stored."""
        return cast("Optional[FloatArray]", self._array(self._row.normals, ctypes.c_float, self.vertex_count, 3))

    @property
    def uvs(self) -> "Optional[FloatArray]":
        """Vertices by two; v grows downwards."""
        return cast("Optional[FloatArray]", self._array(self._row.uvs, ctypes.c_float, self.vertex_count, 2))

    @property
    def colours(self) -> "Optional[FloatArray]":
        """Vertices by four: red, green, blue, alpha."""
        return cast("Optional[FloatArray]", self._array(self._row.colours, ctypes.c_float, self.vertex_count, 4))

    @property
    def triangles(self) -> "IndexArray":
        """Triangles by three: indices of vertices."""
        return cast("IndexArray", self._array(self._row.triangles, ctypes.c_uint16, self.triangle_count, 3))

    @property
    def joints(self) -> "Optional[IndexArray]":
        """Vertices by four: indices of `bones`."""
        return cast("Optional[IndexArray]", self._array(self._row.joints, ctypes.c_uint16, self.vertex_count, 4))

    @property
    def weights(self) -> "Optional[FloatArray]":
        """Vertices by four."""
        return cast("Optional[FloatArray]", self._array(self._row.weights, ctypes.c_float, self.vertex_count, 4))

    @property
    def bones(self) -> "Optional[IndexArray]":
        """One bone of the rig per joint, or -1."""
        return cast("Optional[IndexArray]", self._array(self._row.bones, ctypes.c_int32, self._row.bone_count))

    @property
    def inverse_binds(self) -> "Optional[FloatArray]":
        """A matrix per joint for column vectors: from the space of the positions to that of the bone."""
        by_columns = self._array(self._row.inverse_binds, ctypes.c_float, self._row.bone_count, 4, 4)
        return None if by_columns is None else by_columns.transpose(0, 2, 1)

    @property
    def place(self) -> "FloatArray":
        """Of a shape without skin, the matrix to the space of `parent`, or of the scene."""
        return cast("FloatArray", _arrays.need_numpy().array(self._row.place, dtype="f4").reshape(4, 4).T)

    def __repr__(self) -> str:
        return f"<marrow.Shape {self.name!r}: {self.vertex_count} vertices, {self.triangle_count} triangles>"


class Shapes(Sequence[Shape]):
    """The visible shapes of a document, by index or name.

    Attributes:
        bones: what the shapes stand on: the bones of the skeleton first, then those that only shapes have.
    """

    def __init__(self, bones: tuple[Bone, ...], shapes: tuple[Shape, ...]) -> None:
        self.bones = bones
        self._shapes = shapes

    def __len__(self) -> int:
        return len(self._shapes)

    @overload
    def __getitem__(self, key: Union[int, str]) -> Shape: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Shape]: ...
    def __getitem__(self, key: Union[int, str, slice]) -> Union[Shape, Sequence[Shape]]:
        if not isinstance(key, str):
            return self._shapes[key]
        for shape in self._shapes:
            if shape.name == key:
                return shape
        raise NotFoundError(f"there is no shape {key!r}; there are {', '.join(repr(each.name) for each in self)}")

    def __repr__(self) -> str:
        return f"<marrow.Shapes: {len(self)} on {len(self.bones)} bones>"


def shapes_of(document: Handle, skeleton: Optional[Handle]) -> Shapes:
    """Returns the shapes of a document on a skeleton, or on the bones of the file."""
    with CallContext() as context:
        shapes = opened(lib.marrow_open_shapes, document.value, skeleton.value if skeleton else 0, context.pointer)
    count = ctypes.c_uint32()
    lib.marrow_get_shape_count(shapes.value, ctypes.byref(count))
    bones = bones_of(listed(_abi.Bone, lib.marrow_get_shape_bones, shapes.value))
    return Shapes(bones, tuple(Shape(shapes, index) for index in range(count.value)))
