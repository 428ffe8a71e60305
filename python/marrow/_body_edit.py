# SPDX-License-Identifier: MIT
"""Bodies as meshes that can be edited one by one, and put back into their file."""
from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from . import _arrays
from ._errors import UnsupportedError
from ._run import Result, run

if TYPE_CHECKING:
    from ._document import Document
    from ._shape import Shape

_FLOAT, _SHORT, _INDEX = 5126, 5123, 5125


@dataclass
class ShapeMesh:
    """The mesh of one shape, as arrays; units are the game's.

    Attributes:
        name: of the shape.
        block: number of the shape in the NIF; -1 finds the shape by its name.
        positions: vertices by three; of a skinned shape in the space of its skin, else in its own.
        triangles: by three: indices of vertices.
        normals, uvs, colours: one row per vertex, or None.
        bone_names: of a skinned shape, the bones that `joints` index.
        bone_places: a matrix per bone, its place in the model at rest.
        inverse_binds: a matrix per bone, from the space of the positions to that of the bone.
        joints, weights: vertices by four.
        place: of a shape without skin, the matrix to the space of the scene.
    """

    name: str
    positions: Any
    triangles: Any
    block: int = -1
    normals: Any = None
    uvs: Any = None
    colours: Any = None
    bone_names: Sequence[str] = ()
    bone_places: Any = None
    inverse_binds: Any = None
    joints: Any = None
    weights: Any = None
    place: Any = None


class BodyEdit:
    """The shapes of a NIF to be edited: what is put goes back, what is equal keeps its bits, what is not put stays.

        edit = marrow.BodyEdit("body.nif")
        mesh = edit.mesh(edit.shapes[0])
        mesh.positions[:, 2] += 1.0
        edit.put(mesh)
        edit.put_back("body_new.nif")
    """

    def __init__(self, source: Any, skeleton: "Optional[Document]" = None) -> None:
        """Opens the shapes of a file: a path, bytes, or a document.

        Args:
            source: the NIF.
            skeleton: a document whose bones the shapes stand on; by default those of the file.
        """
        from ._document import Document, load

        self.source = source
        self.skeleton = skeleton
        #: The shapes as they are in the file.
        self.document = source if isinstance(source, Document) else load(source)
        if self.document.format != "nif":
            raise UnsupportedError(f"shapes go back into NIF files, not into {self.document.format or 'this'}", file=self.document.name or None)
        self.shapes = self.document.shapes(skeleton)
        #: Matrices of all bones that the shapes stand on, in the model at rest.
        self.bone_places = rest_matrices(self.shapes.bones)
        self._put: list[ShapeMesh] = []

    def mesh(self, shape: "Shape") -> ShapeMesh:
        """Returns a mesh of a shape, in arrays of its own that may be changed."""
        np = _arrays.need_numpy()

        def own(array: Any) -> Any:
            return None if array is None else np.array(array)

        out = ShapeMesh(shape.name, own(shape.positions), own(shape.triangles), shape.block, own(shape.normals), own(shape.uvs), own(shape.colours))
        if not shape.is_skinned or shape.bones is None:
            out.place = self.place_of(shape)
            return out
        bones = [int(bone) for bone in shape.bones]
        out.bone_names = [self.shapes.bones[bone].name if bone >= 0 else "" for bone in bones]
        out.bone_places = np.array([self.bone_places[bone] if bone >= 0 else np.eye(4) for bone in bones])
        out.inverse_binds = own(shape.inverse_binds)
        out.joints, out.weights = own(shape.joints), own(shape.weights)
        return out

    def place_of(self, shape: "Shape") -> Any:
        """Returns the matrix of a shape without skin to the space of the model at rest."""
        np = _arrays.need_numpy()
        place = np.asarray(shape.place, np.float64)
        return self.bone_places[shape.parent] @ place if shape.parent >= 0 else place

    def put(self, mesh: ShapeMesh) -> None:
        """Puts a mesh in the place of the shape that it names. Several meshes of one shape become one."""
        self._put.append(mesh)

    def has_changes(self) -> bool:
        """True if anything was put."""
        return bool(self._put)

    def to_bytes(self) -> bytes:
        """Returns what was put as a .glb file, as `body replace` reads it."""
        return _Glb(os.path.basename(self.document.name)).write(self._put)

    def put_back(self, output: Any = None) -> Result:
        """Returns the NIF with what was put; `output` is a path to write it to. The report is that of `body replace`."""
        from ._document import load

        edited = load(self.to_bytes(), name="edited.glb")
        inputs = [("file", self.source), ("edited", edited)]
        if self.skeleton is not None:
            inputs.append(("skeleton", self.skeleton))
        return run("body replace", inputs, output=output)


def rest_matrices(bones: Any, drawn: bool = False) -> Any:
    """Returns the places of bones in the model at rest, as matrices in double precision; `drawn`, as Blender draws them:
    scales that are 1 but for noise are 1."""
    np = _arrays.need_numpy()
    out = np.tile(np.eye(4), (len(bones), 1, 1))
    for bone in bones:
        numbers = np.array(bone.rest.numbers(), np.float64)
        if drawn:
            numbers[7:] = np.where(np.abs(numbers[7:] - 1.0) < 1e-3, 1.0, numbers[7:])
        x, y, z, w = numbers[3:7] / max(np.linalg.norm(numbers[3:7]), 1e-12)
        local = np.eye(4)
        local[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        local[:3, :3] *= numbers[7:10]
        local[:3, 3] = numbers[:3]
        out[bone.index] = out[bone.parent_index] @ local if bone.parent_index >= 0 else local
    return out


def textures_of(source: Any, data: Sequence[str] = ()) -> dict[str, bytes]:
    """Returns the textures of a body that are found, as PNG, by their paths in the file: diffuse and normal maps.

    Args:
        source: the path of the NIF; textures are looked for in the folder that holds its `meshes`, and beside it.
        data: more folders that hold textures, as the games' Data.
    """
    glb = run("convert", [("file", source)], {"format": "glb", "textures": True, "data": list(data)}).bytes
    size = struct.unpack_from("<I", glb, 12)[0]
    document, start = json.loads(glb[20 : 20 + size]), 28 + size
    out = {}
    for image in document.get("images", ()):
        view = document["bufferViews"][image["bufferView"]]
        at = start + view.get("byteOffset", 0)
        out[image["name"]] = glb[at : at + view["byteLength"]]
    return out


def _finite(values: Any, otherwise: float) -> Any:
    np = _arrays.need_numpy()
    values = np.asarray(values, np.float32)
    return np.where(np.isfinite(values), values, np.float32(otherwise))


def _unit(normals: Any) -> Any:
    """Returns normals of unit length: those of files are bytes, and no direction at all becomes upwards."""
    np = _arrays.need_numpy()
    normals = _finite(normals, 0.0)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    is_long = length > 1e-6
    return np.where(is_long, normals / np.where(is_long, length, 1.0), np.float32([0.0, 0.0, 1.0]))


class _Glb:
    """Writes meshes as glTF in the units and axes of the game, with the record that says which shapes they are."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._data = bytearray()
        self._views: list[dict[str, int]] = []
        self._accessors: list[dict[str, Any]] = []

    def write(self, meshes: Sequence[ShapeMesh]) -> bytes:
        # The turn of glTF's axes stands on the root, as in every file with a record; without it the reader takes the turn
        # as applied to the meshes.
        half = math.sqrt(0.5)
        nodes: list[dict[str, Any]] = [{"name": "Scene Root", "rotation": [-half, 0.0, 0.0, half], "children": []}]
        skins: list[dict[str, Any]] = []
        made: list[dict[str, Any]] = []
        bodies: list[dict[str, Any]] = []
        for number, mesh in enumerate(meshes):
            label = f"mesh {number}"  # by which the record finds it
            primitive, skin = self._primitive(mesh), None
            if mesh.joints is not None:
                joints = range(len(nodes), len(nodes) + len(mesh.bone_names))
                for name, place in zip(mesh.bone_names, mesh.bone_places):
                    nodes.append({"name": name, "matrix": place.T.reshape(-1).tolist()})
                nodes[0]["children"] += joints
                skins.append({"joints": list(joints), "inverseBindMatrices": self._add(mesh.inverse_binds.transpose(0, 2, 1).reshape(-1, 16), _FLOAT, "MAT4")})
                skin = len(skins) - 1
            node: dict[str, Any] = {"name": label, "mesh": len(made)}
            if skin is not None:
                node["skin"] = skin
            elif mesh.place is not None:
                node["matrix"] = mesh.place.T.reshape(-1).tolist()
            nodes[0]["children"].append(len(nodes))
            nodes.append(node)
            made.append({"name": label, "primitives": [primitive]})
            bodies.append({"mesh": label, "file": self._file, "block": mesh.block, "shape": mesh.name})
        record = {"version": 1, "kind": "meshes", "units": "game", "metres_per_unit": 0.01428, "properties": {"bodies": bodies}}
        nodes[0]["extras"] = {"marrow": json.dumps(record)}
        document: dict[str, Any] = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes, "meshes": made}
        if skins:
            document["skins"] = skins
        document.update(accessors=self._accessors, bufferViews=self._views, buffers=[{"byteLength": len(self._data)}])
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self._data) + bytes(-len(self._data) % 4)
        head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data))
        return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data

    def _primitive(self, mesh: ShapeMesh) -> dict[str, Any]:
        np = _arrays.need_numpy()
        attributes = {"POSITION": self._add(mesh.positions, _FLOAT, "VEC3")}
        if mesh.normals is not None:
            attributes["NORMAL"] = self._add(_unit(mesh.normals), _FLOAT, "VEC3")
        if mesh.uvs is not None:
            attributes["TEXCOORD_0"] = self._add(_finite(mesh.uvs, 0.0), _FLOAT, "VEC2")
        if mesh.colours is not None:
            attributes["COLOR_0"] = self._add(np.clip(_finite(mesh.colours, 1.0), 0.0, 1.0), _FLOAT, "VEC4")
        if mesh.joints is not None:
            weights = np.maximum(_finite(mesh.weights, 0.0), 0.0)
            total = weights.sum(axis=1, keepdims=True)
            # A vertex without weights follows the first bone, as in every other export.
            weights = np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), np.float32([1.0, 0.0, 0.0, 0.0]))
            attributes["JOINTS_0"] = self._add(np.where(weights > 0.0, mesh.joints, 0), _SHORT, "VEC4")
            attributes["WEIGHTS_0"] = self._add(weights, _FLOAT, "VEC4")
        return {"attributes": attributes, "indices": self._add(mesh.triangles, _INDEX, "SCALAR")}

    def _add(self, values: Any, component: int, kind: str) -> int:
        np = _arrays.need_numpy()
        array = np.ascontiguousarray(values, {_FLOAT: "<f4", _SHORT: "<u2", _INDEX: "<u4"}[component])
        self._data += bytes(-len(self._data) % 4)
        self._views.append({"buffer": 0, "byteOffset": len(self._data), "byteLength": array.nbytes})
        accessor: dict[str, Any] = {"bufferView": len(self._views) - 1, "componentType": component, "type": kind}
        accessor["count"] = array.size if kind == "SCALAR" else len(array)
        if kind == "VEC3" and len(array):
            accessor.update(min=array.min(axis=0).tolist(), max=array.max(axis=0).tolist())
        self._data += array.tobytes()
        self._accessors.append(accessor)
        return len(self._accessors) - 1
