# SPDX-License-Identifier: MIT
"""Export of bodies: the meshes of an imported NIF go back into it. What was not touched keeps its bits."""
from dataclasses import dataclass, field

import bpy
import numpy

from . import armature, bodies, meshes, record
from .package import marrow

#: How far numbers may differ and count as the same: what single precision rounds.
_SAME = 2e-6
#: The same, as a share of the whole shape, after the transforms of its armature were applied.
_SAME_APPLIED = 5e-6


@dataclass
class ExportedBodies:
    """What an export made."""

    data: bytes = b""
    is_original: bool = False
    changed: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def export_collection(collection, data=None):
    """Returns the NIF of a collection with the shapes as they are in Blender. `data` is the file to put them into, by
    default the one that was imported."""
    kept, out = collection.marrow, ExportedBodies()
    source = record.source_bytes(kept)
    out.data = source if data is None else data
    owners = bodies.shapes_of(collection)
    if not owners:
        out.is_original = data is None
        return out
    rig = next((found for found in map(bodies.armature_of, owners) if found is not None), None)
    skeleton = armature.skeleton_of(rig).document if armature.is_ours(rig) else None
    edit = marrow.BodyEdit(marrow.load(out.data, name=kept.source_name), skeleton)
    for shape in edit.shapes:
        own = [each for each in owners if each.marrow.shape_block == shape.block]
        if own:
            _Reader(edit, shape, kept.scale, rig, out).put(own)
    _put_back(edit, out)
    out.is_original = out.data == source
    return out


def export_into(data, name, owners, rig, scale):
    """Returns a NIF with meshes in the place of the shapes that they are named after. Raises `marrow.NotFoundError` if one
    has the name of none."""
    out = ExportedBodies()
    skeleton = armature.skeleton_of(rig).document if armature.is_ours(rig) else None
    edit = marrow.BodyEdit(marrow.load(data, name=name), skeleton)
    known = {shape.name.lower(): shape for shape in edit.shapes}
    for owner in owners:
        stem = owner.name.rpartition(".")[0] if owner.name.rpartition(".")[2].isdigit() else owner.name
        shape = known.get(owner.name.lower()) or known.get(stem.lower())
        if shape is None:
            raise marrow.NotFoundError(f"{name} has no shape {owner.name!r}; it has {armature.few([each.name for each in edit.shapes])}")
        _Reader(edit, shape, scale, rig, out).put([owner])
    _put_back(edit, out)
    return out


def _put_back(edit, out):
    if not edit.has_changes():
        return
    before = edit.document.to_bytes()
    result = edit.put_back()
    out.data = result.bytes
    for note in result.notes:
        out.notes.append(": ".join(each for each in (note.get("path"), note["message"]) if each))
    if out.data == before:
        return
    for row in result.report["shapes"]:
        counts = [(row["positions"], "moved"), (row["normals"], "normals"), (row["uvs"], "UVs"), (row["colors"], "colours")]
        counts += [(row["weights"], "weights"), (row["added_vertices"], "new vertices"), (row["removed_vertices"], "removed vertices")]
        counts += [(row["added_triangles"], "new triangles"), (row["removed_triangles"], "removed triangles")]
        words = ", ".join(f"{count} {what}" for count, what in counts if count)
        if words:
            out.changed.append(f"{row['name'] or row['block']}: {words}")
        if row["worst_rounding"] > 0.001:
            out.notes.append(f"{row['name']}: positions are off by up to {row['worst_rounding']:.3f} units, as the file stores them")


class _Reader:
    """Reads the meshes of one shape as the file has them."""

    def __init__(self, edit, shape, scale, rig, out):
        self.edit, self.shape, self.scale, self.rig, self.out = edit, shape, scale, rig, out
        self.rest = marrow.blender.BodyRest(edit, shape)
        moved = armature.applied(rig, armature.skeleton_of(rig)) if rig is not None and armature.is_ours(rig) else None
        self.back = None if moved is None else numpy.linalg.inv(moved)  # from the armature as it is to that of the import
        self.game = {drawn: name for name, drawn in armature.game_names(rig).items()} if rig is not None else {}
        self.names = list(self.rest.names)
        self.triangles = bodies.drawn_triangles(shape)
        self.keeps_corners = False  # of the part that is read

    def put(self, owners):
        """Puts the parts of the shape together."""
        self.baseline = bodies.make_mesh(self.shape, self.rest, self.scale)
        try:
            parts = [self._part(owner) for owner in owners]
        finally:
            bpy.data.meshes.remove(self.baseline)
        parts = [part for part in parts if len(part["triangles"])]
        if not parts:
            self.out.notes.append(f"{owners[0].name} has no faces; its shape stays in the file as it was")
            return
        self.edit.put(self._joined(parts))

    # ------------------------------------------------------------ one object

    def _part(self, owner):
        """Returns the vertices and triangles of one object, as a dictionary of arrays."""
        mesh, owned = meshes.evaluated(owner)
        try:
            return self._arrays(owner, mesh)
        finally:
            if owned is not None:
                owned.to_mesh_clear()

    def _arrays(self, owner, mesh):
        count = len(mesh.vertices)
        points = meshes.read(mesh.vertices, "co", 3)
        away = self._away(owner)
        if away is not None:
            points = points @ away[:3, :3].T + away[:3, 3]
        old = self._old_vertices(mesh)
        corners = numpy.empty(len(mesh.loops), numpy.int32)
        mesh.loops.foreach_get("vertex_index", corners)
        loops = meshes.triangle_loops(mesh)
        loose = numpy.flatnonzero((numpy.bincount(corners, minlength=count) == 0) & (old >= 0))
        vertex = numpy.concatenate([corners, loose])  # of each corner; unused vertices of the file are corners, too
        known = old[vertex]
        uvs = self._uvs(mesh, known, len(corners))
        still = self._still(owner, old, points / self.scale, away)
        normals = self._normals(mesh, known, corners, away, still)
        key = [vertex.astype(numpy.int64)[:, None]]
        if uvs is not None:
            key.append(numpy.ascontiguousarray(uvs, numpy.float32).view(numpy.int32).astype(numpy.int64))
        if normals is not None:
            key.append(numpy.round(normals * 1e4).astype(numpy.int64))
        _, first, place = numpy.unique(numpy.concatenate(key, axis=1), axis=0, return_index=True, return_inverse=True)
        place = place.reshape(-1)
        rows = vertex[first]
        part = {"old": old[rows], "triangles": place[loops].reshape(-1, 3)}
        part["uvs"] = None if uvs is None else uvs[first]
        part["normals"] = None if normals is None else normals[first]
        part["colours"] = self._colours(mesh, old, corners, rows)
        if self.shape.is_skinned:
            part["weights"] = self._weights(owner, mesh)[rows]
        part["points"], part["still"] = points[rows] / self.scale, still[rows]
        return part

    def _old_vertices(self, mesh):
        """Returns the number of each vertex in the file, or -1 for new ones."""
        numbers = mesh.attributes.get(bodies.VERTEX)
        out = numpy.zeros(len(mesh.vertices), numpy.int32)
        if numbers is not None and numbers.domain == "POINT" and numbers.data_type == "INT":
            numbers.data.foreach_get("value", out)
        return numpy.where((out > 0) & (out <= self.shape.vertex_count), out - 1, -1)

    def _away(self, owner):
        """Returns how far an object was moved from where it was imported to, as a matrix; None if it was not."""
        now = numpy.array(bodies.local_matrix(owner), numpy.float64)
        was = _place_of(owner)
        if owner.parent is None and self.shape.is_skinned and self.rig is not None:
            now = numpy.linalg.inv(numpy.array(self.rig.matrix_world, numpy.float64)) @ numpy.array(owner.matrix_world, numpy.float64)
        if self.back is not None and self.shape.is_skinned:
            now = self.back @ now
        away = numpy.linalg.inv(was) @ now
        return None if numpy.abs(away - numpy.eye(4)).max() < _SAME else away

    def _uvs(self, mesh, known, count):
        """Returns the UVs of corners as the file has them; those that were not touched to the bit."""
        if self.shape.uvs is not None and not len(mesh.uv_layers):
            self.out.notes.append(f"{self.shape.name} has no UV map in Blender; the file keeps its UVs")
        if self.shape.uvs is None or not len(mesh.uv_layers):
            return None
        stored = numpy.asarray(self.shape.uvs, numpy.float32)
        shown = bodies.flipped(stored)
        layer = mesh.uv_layers.active or mesh.uv_layers[0]
        now = numpy.zeros((len(known), 2), numpy.float32)
        now[:count] = meshes.read(layer.data, "uv", 2)
        now[count:] = shown[known[count:]]
        same = (known >= 0) & (numpy.abs(now - shown[known]) <= 1e-7).all(axis=1)
        return numpy.where(same[:, None], stored[known], bodies.flipped(now))

    def _still(self, owner, old, points, away):
        """True for vertices of the file that stand where import put them, but for what Blender rounds: applying the
        transforms of an object and joining objects take vertices to the scene, or to another object."""
        base = self._base_points()[old]
        places = [_place_of(owner)] + ([away] if away is not None else [])
        far = max(float(numpy.abs(place[:3, 3]).max()) for place in places) / self.scale
        allowed = _SAME * (1.0 + far + numpy.abs(base).max(axis=1, initial=0.0))[:, None]
        if self.back is not None or away is not None:
            allowed = _SAME_APPLIED * (1.0 + far + numpy.abs(base).max(initial=0.0))
        return (old >= 0) & (numpy.abs(points - base) <= allowed).all(axis=1)

    def _normals(self, mesh, known, corners, away, still):
        """Returns the normals of corners in the space of the file. Those that follow the surface by themselves count as
        untouched: the library turns them."""
        if self.shape.normals is None:
            return None
        stored = numpy.asarray(self.shape.normals, numpy.float32)
        now = meshes.corner_normals(mesh)
        expected = self._expected_normals(mesh, known[: len(corners)], corners)
        same = numpy.ones(len(known), bool)
        same[: len(corners)] = (known[: len(corners)] >= 0) & self._are_same(mesh, now, expected, still[corners])
        out = stored[known].astype(numpy.float64)
        edited = numpy.flatnonzero(~same)
        if len(edited):
            directions = now[edited].astype(numpy.float64)
            if away is not None:
                directions = directions @ away[:3, :3].T
            out[edited] = self._directions_back(known[edited], directions)
        return out

    def _are_same(self, mesh, now, expected, still):
        """True for corners whose normals nobody changed. Blender keeps normals relative to the faces around them, and turns
        those beside new or missing faces by itself: then vertices that stand where they were keep their normals."""
        if self.keeps_corners:
            return numpy.abs(now - expected).max(axis=1) < 2e-3
        return still if mesh.has_custom_normals else (now * expected).sum(axis=1) > 0.9998

    def _expected_normals(self, mesh, known, corners):
        """Returns the normals that corners have if nobody changed normals."""
        before = meshes.corner_normals(self.baseline)
        base = numpy.empty(len(self.baseline.loops), numpy.int32)
        self.baseline.loops.foreach_get("vertex_index", base)
        self.keeps_corners = len(base) == len(corners) and bool((base == known).all())
        if self.keeps_corners:
            moved = self.baseline.copy()
            try:
                moved.vertices.foreach_set("co", meshes.read(mesh.vertices, "co", 3).reshape(-1).astype(numpy.float32))
                moved.update()
                return meshes.corner_normals(moved)
            finally:
                bpy.data.meshes.remove(moved)
        by_vertex = numpy.zeros((self.shape.vertex_count, 3), numpy.float32)
        by_vertex[base] = before
        return by_vertex[known]

    def _directions_back(self, known, directions):
        if not self.shape.is_skinned:
            return marrow.blender.unit(directions)
        matrices = self.rest.matrices[numpy.maximum(known, 0)][:, :3, :3]
        return marrow.blender.unit(numpy.einsum("vij,vj->vi", numpy.linalg.inv(matrices), directions))

    def _colours(self, mesh, old, corners, rows):
        if self.shape.colours is None or not len(mesh.color_attributes):
            return None
        layer = mesh.color_attributes.get("Color") or mesh.color_attributes[0]
        now = meshes.read(layer.data, "color", 4)
        if layer.domain == "CORNER":
            by_vertex = numpy.ones((len(mesh.vertices), 4))
            by_vertex[corners] = now
            now = by_vertex
        now = now[rows]
        stored = numpy.nan_to_num(numpy.asarray(self.shape.colours, numpy.float32), nan=1.0)[old[rows]]
        same = (old[rows] >= 0) & (numpy.abs(now - stored) <= (_SAME if layer.data_type == "FLOAT_COLOR" else 0.006)).all(axis=1)
        return numpy.where(same[:, None], stored, now)

    def _weights(self, owner, mesh):
        """Returns the weights of vertices: rows by `names`, to which bones that are new to the shape are added."""
        columns, unknown = {}, set()
        by_name = {name.lower(): column for column, name in enumerate(self.names)}
        for group in owner.vertex_groups:
            name = self.game.get(group.name, group.name)
            if name.lower() not in by_name:
                if not self.rest.knows(name):
                    unknown.add(group.name)
                    continue
                by_name[name.lower()] = len(self.names)
                self.names.append(name)
            columns[group.index] = by_name[name.lower()]
        out = numpy.zeros((len(mesh.vertices), len(self.names)), numpy.float32)
        for vertex in mesh.vertices:
            for each in vertex.groups:
                if each.weight > 0.0:
                    column = columns.get(each.group)
                    if column is not None:
                        out[vertex.index, column] += each.weight
                    elif each.group < len(owner.vertex_groups):
                        unknown.add(owner.vertex_groups[each.group].name + "\0")
        bare = int((out.sum(axis=1) <= 0.0).sum())
        if bare and self.rest.weights.sum(axis=1).min(initial=1.0) > 0.0:
            self.out.notes.append(f"{owner.name}: {bare} vertices have no weights; they follow the first bone")
        lost = sorted(name[:-1] for name in unknown if name.endswith("\0"))
        if lost:
            self.out.notes.append(f"{owner.name}: weights of {armature.few(lost)} are left out: no bone has the name")
        return out

    # ------------------------------------------------------------ all of a shape

    def _joined(self, parts):
        """Returns the mesh of a shape from its parts."""
        mesh = self.edit.mesh(self.shape)
        first, triangles = 0, []
        for part in parts:
            triangles.append(part["triangles"] + first)
            first += len(part["points"])
        rows = {name: numpy.concatenate([part[name] for part in parts]) for name in ("old", "points", "still")}
        for name in ("uvs", "normals", "colours"):
            own = [part[name] for part in parts]
            rows[name] = None if any(each is None for each in own) else numpy.concatenate(own)
        rows["weights"] = None
        if self.shape.is_skinned:
            rows["weights"] = numpy.concatenate([meshes.widened(part["weights"], len(self.names)) for part in parts])
        rows, places = meshes.gathered(rows)
        old, weights = rows["old"], rows["weights"]
        mesh.positions = self._positions(old, rows["points"], weights, rows["still"])
        mesh.triangles = places[numpy.concatenate(triangles)]
        is_all = len(old) == self.shape.vertex_count and (old == numpy.arange(len(old))).all()
        if is_all and numpy.array_equal(mesh.triangles, self.triangles):
            mesh.triangles = numpy.asarray(self.shape.triangles)  # those without three corners, too
        mesh.uvs, mesh.normals, mesh.colours = rows["uvs"], rows["normals"], rows["colours"]
        if weights is not None:
            self._skin(mesh, old, weights)
        return mesh

    def _positions(self, old, points, weights, still):
        """Returns positions in the space of the file; those that were not moved to the bit."""
        stored = numpy.asarray(self.shape.positions, numpy.float64)
        out = numpy.where(still[:, None], stored[old], points)
        edited = numpy.flatnonzero(~still)
        if len(edited) and self.shape.is_skinned:
            matrices = self.rest.matrices_for(weights[edited], self.names)
            has_old = old[edited] >= 0
            kept = numpy.zeros(len(edited), bool)
            kept[has_old] = self._same_weights(old[edited][has_old], weights[edited][has_old])
            matrices[kept] = self.rest.matrices[old[edited][kept]]
            wide = numpy.concatenate([points[edited], numpy.ones((len(edited), 1))], axis=1)
            out[edited] = numpy.einsum("vij,vj->vi", numpy.linalg.inv(matrices), wide)[:, :3]
        return out

    def _base_points(self):
        """Returns where import puts the vertices, as Blender keeps them, in units of the game."""
        points = self.rest.positions if self.shape.is_skinned else numpy.asarray(self.shape.positions, numpy.float64)
        return (numpy.nan_to_num(points) * self.scale).astype(numpy.float32).astype(numpy.float64) / self.scale

    def _same_weights(self, old, weights):
        was = meshes.widened(self.rest.weights[old], weights.shape[1])
        return (numpy.abs(weights - was) <= _SAME).all(axis=1)

    def _skin(self, mesh, old, weights):
        """Fills the joints of a mesh: those of the file where nobody painted, else the four strongest."""
        added = self.names[len(self.rest.names):]
        first_entry = [mesh.bone_names.index(name) for name in self.rest.names]
        entry = numpy.array(first_entry + list(range(len(mesh.bone_names), len(mesh.bone_names) + len(added))), numpy.int64)
        stored_joints, stored_weights = numpy.asarray(mesh.joints), numpy.asarray(mesh.weights)
        if added:
            pairs = [self.rest.bind_of(name) for name in added]
            mesh.bone_names = [*mesh.bone_names, *added]
            mesh.bone_places = numpy.concatenate([mesh.bone_places, [place for place, _ in pairs]])
            mesh.inverse_binds = numpy.concatenate([mesh.inverse_binds, [bind for _, bind in pairs]])
        same = old >= 0
        same[same] = self._same_weights(old[same], weights[same])
        strongest = numpy.argsort(-weights, axis=1, kind="stable")[:, :4]
        shares = numpy.take_along_axis(weights, strongest, axis=1)
        joints = entry[strongest]
        if joints.shape[1] < 4:
            joints = numpy.pad(joints, ((0, 0), (0, 4 - joints.shape[1])))
            shares = numpy.pad(shares, ((0, 0), (0, 4 - shares.shape[1])))
        many = int(((weights > 0.0).sum(axis=1) > 4)[~same].sum())
        if many:
            self.out.notes.append(f"{self.shape.name}: {many} vertices have more than four bones; the four strongest are kept")
        mesh.joints = numpy.where(same[:, None], stored_joints[old], joints)
        mesh.weights = numpy.where(same[:, None], stored_weights[old], shares)


def _place_of(owner):
    """Returns where import put an object, as a matrix to its parent."""
    return numpy.array(record.read_json(owner.marrow.shape_place, numpy.eye(4).tolist()), numpy.float64)
