# SPDX-License-Identifier: MIT
"""Triangle meshes: surfaces of a document, and new ones from arrays or lists."""
from __future__ import annotations

import ctypes
import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Optional, TYPE_CHECKING, Union, cast

from . import _abi, _arrays
from ._context import CallContext
from ._errors import OptionError
from ._library import Handle, encoded, lib, opened
from ._pose import Transform

if TYPE_CHECKING:
    from ._arrays import FloatArray, IndexArray


class Mesh:
    """A triangle mesh.

    Attributes:
        name: of the mesh; of its body and node for collision.
        placement: where its node is, in game units.
        material_names: what the numbers of `materials` count; empty for collision, whose materials are CRCs.
    """

    def __init__(
        self,
        vertices: Any,
        triangles: Any,
        *,
        name: str = "mesh",
        materials: Any = None,
        material_names: Union[str, Sequence[str]] = (),
        placement: Transform = Transform(),
    ) -> None:
        """Makes a mesh, in game units and Z up.

        Args:
            vertices: rows of x, y, z, as an array or lists.
            triangles: rows of three indices of vertices, counter-clockwise seen from outside.
            name: of the object.
            materials: an index into `material_names` per triangle; by default all have the first.
            material_names: "wood", "Material_Metal"; one name or several.
            placement: where the mesh is.
        """
        self.name = name
        self.placement = placement
        self.material_names = (material_names,) if isinstance(material_names, str) else tuple(material_names)
        self._vertices = _arrays.flat_floats(vertices, 3)
        self._triangles = _indices(triangles, 3)
        count = len(self._triangles) // 3
        if materials is None and self.material_names:
            materials = [0] * count
        self._materials: Any = None if materials is None else _indices(materials, 1)
        if self._materials is not None and len(self._materials) != count:
            raise OptionError(f"{len(self._materials)} materials were given for {count} triangles")
        self._owner: Any = None

    @classmethod
    def _of(cls, meshes: Handle, index: int) -> "Mesh":
        row = _abi.Mesh()
        lib.marrow_get_mesh(meshes.value, index, ctypes.byref(row))
        mesh = cls.__new__(cls)
        mesh.name = str(row.name)
        mesh.placement = Transform.of(row.placement)
        mesh.material_names = ()
        mesh._owner = meshes  # the arrays are its
        mesh._vertices = _looking(ctypes.c_float, row.vertices, row.vertex_count * 3, meshes)
        mesh._triangles = _looking(ctypes.c_uint32, row.triangles, row.triangle_count * 3, meshes)
        has_materials = bool(row.materials)
        mesh._materials = _looking(ctypes.c_uint32, row.materials, row.triangle_count, meshes) if has_materials else None
        return mesh

    @property
    def vertices(self) -> "FloatArray":
        """Vertices by three, in the space of `placement`; read only."""
        return cast("FloatArray", self._array(self._vertices, (-1, 3)))

    @property
    def triangles(self) -> "IndexArray":
        """Triangles by three: indices of vertices; read only."""
        return cast("IndexArray", self._array(self._triangles, (-1, 3)))

    @property
    def materials(self) -> "Optional[IndexArray]":
        """One number per triangle: the CRC of a material (collision), an index (meshes); None if there are none."""
        return None if self._materials is None else self._array(self._materials, (-1,))

    @staticmethod
    def _array(numbers: Any, shape: tuple[int, ...]) -> Any:
        np = _arrays.need_numpy()
        if not len(numbers):
            return np.empty((0, *shape[1:]), dtype=np.dtype(numbers._type_))
        array = np.frombuffer(numbers, dtype=np.dtype(numbers._type_)).reshape(shape)
        array.flags.writeable = False
        return array

    @property
    def vertex_count(self) -> int:
        return len(self._vertices) // 3

    @property
    def triangle_count(self) -> int:
        return len(self._triangles) // 3

    def _add_to(self, document: Handle) -> None:
        row = _abi.Mesh()
        name = encoded(self.name)
        row.name = _abi.Text.of(name)
        row.placement[:] = self.placement.numbers()
        row.vertices = ctypes.cast(self._vertices, ctypes.c_void_p)
        row.triangles = ctypes.cast(self._triangles, ctypes.c_void_p)
        has_names = self._materials is not None and bool(self.material_names)
        row.materials = ctypes.cast(self._materials, ctypes.c_void_p) if has_names else None
        row.vertex_count, row.triangle_count = self.vertex_count, self.triangle_count
        names = (ctypes.c_char_p * len(self.material_names))(*(encoded(each) for each in self.material_names))
        lib.marrow_add_mesh(document.value, ctypes.byref(row), names if has_names else None, len(names) if has_names else 0)

    def __repr__(self) -> str:
        return f"<marrow.Mesh {self.name!r}: {self.vertex_count} vertices, {self.triangle_count} triangles>"


def _looking(kind: Any, address: Optional[int], count: int, owner: object) -> Any:
    if not address or not count:
        return (kind * 0)()
    buffer = (kind * count).from_address(address)
    buffer.owner = owner
    return buffer


def _indices(values: Any, width: int) -> Any:
    """Returns rows of whole numbers as one ctypes array."""
    flat: list[int] = []
    if hasattr(values, "tolist"):
        values = values.reshape(-1, width).tolist()
    for row in values:
        row = [row] if width == 1 and not isinstance(row, (list, tuple)) else list(row)
        if len(row) != width:
            raise OptionError(f"{len(row)} indices per row were given; {width} are needed")
        flat.extend(int(each) for each in row)
    if any(each < 0 for each in flat):
        raise OptionError("an index is negative")
    return (ctypes.c_uint32 * len(flat))(*flat)


def meshes_of(document: Handle, surface: str) -> tuple[Mesh, ...]:
    """Returns the surfaces of a document."""
    with CallContext() as context:
        meshes = opened(lib.marrow_open_meshes, document.value, _abi.SURFACE[surface], context.pointer)
    count = ctypes.c_uint32()
    lib.marrow_get_mesh_count(meshes.value, ctypes.byref(count))
    return tuple(Mesh._of(meshes, index) for index in range(count.value))


def shape_in_name(name: str) -> Optional[str]:
    """Returns the shape that the name of an object asks for with its last or first word, "capsule" of "Leg_capsule.001";
    None if it asks for none."""
    out = _abi.Text()
    lib.marrow_get_shape_in_name(encoded(name), ctypes.byref(out))
    return str(out) or None


def material_colour(material: Union[int, str]) -> tuple[float, float, float]:
    """Returns the colour that Marrow gives a material everywhere: red, green and blue, 0 to 1.

    Args:
        material: its CRC, or its name: "Material_Wood", "wood", "0x1df1b5d1". Other names get a colour of their own.
    """
    out = (ctypes.c_float * 3)()
    lib.marrow_get_material_colour(material if isinstance(material, int) else _crc_of(material), out)
    return out[0], out[1], out[2]


def _crc_of(name: str) -> int:
    """Returns the CRC of a material by name; of a name that the game does not have, that of its text."""
    if re.fullmatch("0[xX][0-9a-fA-F]{1,8}", name):
        return int(name, 16)
    return _crcs().get(name.lower(), zlib.crc32(name.encode("utf-8", "surrogateescape")))


@lru_cache(maxsize=None)
def _crcs() -> dict[str, int]:
    """Returns the materials of the game by their names in small letters, both as the game has them and in plain words."""
    from ._run import run

    rows = run("collision materials").report["materials"]
    plain = {row["plain"].lower(): int(row["crc"], 16) for row in rows}
    return {**plain, **{row["name"].lower(): int(row["crc"], 16) for row in rows}}
