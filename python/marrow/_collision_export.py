# SPDX-License-Identifier: MIT
"""Collision as objects that can be edited one by one, and put back."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Optional

from ._run import Result, run


class CollisionObject:
    """One shape of an export: its lines, with faces that count from its own first vertex."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.vertices: list[str] = []
        #: The name of a collision material and three or more indices per face.
        self.faces: list[tuple[str, tuple[int, ...]]] = []

    @property
    def materials(self) -> list[str]:
        """The name of the collision material of each face."""
        return [material for material, _ in self.faces]


class CollisionExport:
    """What `collision export` writes, by object. Objects that are not replaced go back as they were, to the bit."""

    def __init__(self, source: Any) -> None:
        """Exports the collision of a file: a path, bytes, or a document."""
        self.source = source
        text = run("collision export", [("file", source)], {"format": "obj"}).files[0].data.decode("utf-8", "surrogateescape")
        self._head: list[str] = []
        self._tail: list[str] = []
        self.objects: dict[str, CollisionObject] = {}
        self._read(text)

    def _read(self, text: str) -> None:
        now: Optional[CollisionObject] = None
        material, first, count = "", 0, 0
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word == "o":
                now, first, material = CollisionObject(rest), count, ""
                self.objects[rest] = now
            elif word == "v" and now is not None:
                now.vertices.append(rest)
                count += 1
            elif word == "usemtl":
                material = rest
            elif word == "f" and now is not None:
                corners = tuple(int(each.split("/")[0]) - 1 - first for each in rest.split())
                now.faces.append((material, corners))
            else:
                (self._head if now is None else self._tail).append(line)

    def put(self, name: str, vertices: Iterable[Sequence[float]], faces: Iterable[Sequence[int]], materials: Sequence[str]) -> None:
        """Replaces or adds an object.

        Args:
            name: as in `objects`; `Door.body1.anything` becomes a child of the compound `Door.body1`.
            vertices: game units, in the space of the scene.
            faces: rows of indices of vertices.
            materials: the name of a collision material per face; empty texts leave it to the shape.
        """
        made = CollisionObject(name)
        made.vertices = [" ".join(repr(float(number)) for number in row) for row in vertices]
        made.faces = [(material, tuple(int(each) for each in face)) for material, face in zip(materials, faces)]
        self.objects[name] = made

    def remove(self, name: str) -> None:
        """Removes an object. Raises KeyError if there is none of that name."""
        del self.objects[name]

    def to_bytes(self) -> bytes:
        """Returns the export as an .obj file."""
        out, count = list(self._head), 1
        for each in self.objects.values():
            out.append(f"o {each.name}")
            out.extend("v " + row for row in each.vertices)
            material = ""
            for name, corners in each.faces:
                if name and name != material:
                    material = name
                    out.append(f"usemtl {name}")
                out.append("f " + " ".join(str(corner + count) for corner in corners))
            count += len(each.vertices)
        return "\n".join([*out, *self._tail, ""]).encode("utf-8", "surrogateescape")

    def put_back(self, output: Any = None) -> Result:
        """Returns the file with what was replaced; `output` is a path to write it to."""
        from ._document import load

        edited = load(self.to_bytes(), name="collision.obj")
        return run("collision replace", [("nif", self.source), ("blob", edited)], output=output)
