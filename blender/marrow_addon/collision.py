# SPDX-License-Identifier: MIT
"""Collision as objects: one per body, children for compounds, and back."""
from dataclasses import dataclass, field
import os

import bpy
from mathutils import Matrix, Quaternion, Vector
import numpy

from . import files, joints, record
from .package import marrow

#: Values of a body that `collision set` changes, as they are named in its report.
VALUES = ("material", "layer", "motion", "mass", "friction", "restitution")
_SHAPES = {"polytope": "hull", "mesh": "mesh", "sphere": "sphere", "capsule": "capsule", "compound": "compound"}


@dataclass
class ImportedCollision:
    """What an import made: the collection, and an object per body."""

    collection: object = None
    bodies: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def import_file(context, path, units="blender", loaded=None):
    """Imports the collision of a NIF or packfile into a collection of its own. `loaded` is the file, if it is at hand."""
    data, document = loaded or files.load(path)
    meshes = {mesh.name: mesh for mesh in document.collision_meshes()}
    if not meshes:
        raise marrow.NoCollisionError("there is no collision in the file", file=os.fspath(path))
    exported = marrow.CollisionExport(document)
    collection = bpy.data.collections.new(os.path.basename(path))
    context.scene.collection.children.link(collection)
    kept = collection.marrow
    record.keep_source(kept, data, os.path.basename(path))
    kept.scale = marrow.blender.unit_scale(units, document.metres_per_unit)
    out = ImportedCollision(collection)
    try:
        _Maker(collection, kept.scale, meshes, exported, out).make(document)
    except Exception:  # nothing half
        for each in list(collection.objects):
            bpy.data.objects.remove(each)
        bpy.data.collections.remove(collection)
        raise
    context.view_layer.update()
    for each in collection.objects:
        if each.type == "MESH" and each.marrow.role != "shape":
            each.marrow.mesh_print = str(mesh_print(each))
        elif each.marrow.role == "joint":
            joints.remember_place(each)
    return out


class _Maker:
    """Makes the objects of a file."""

    def __init__(self, collection, scale, meshes, exported, out):
        self.collection, self.scale, self.meshes, self.exported, self.out = collection, scale, meshes, exported, out

    def make(self, document):
        listed = marrow.run("collision list", [("file", document)]).report["systems"]
        left = dict(self.meshes)
        owners = {}
        for system, rows in zip(document.collision, listed):
            for body, row in zip(system.bodies, rows["bodies"]):
                names = _names_of(body, len(system.bodies), left)
                made = self._body(system, body, row, [left.pop(name) for name in names])
                owners[(made.marrow.block, body.index)] = made
        joints.show_all(self.collection, document, self.scale, owners)

    def _body(self, system, body, row, meshes):
        """Makes a body: a mesh, or an empty with a mesh per child."""
        if len(meshes) == 1 and row["shape"]["type"] != "compound":
            owner = self._mesh(meshes[0])
        else:
            name = body.node or body.name or f"body{body.index}"
            owner = bpy.data.objects.new(name, None)
            owner.empty_display_size = 10.0 * self.scale
            self.collection.objects.link(owner)
            for mesh in meshes:
                child = self._mesh(mesh)
                child.parent = owner
                child.marrow.role, child.marrow.system, child.marrow.body = "child", system.index, body.index
        kept = owner.marrow
        kept.is_body, kept.role, kept.system, kept.body = True, "body", system.index, body.index
        kept.node = body.node or ""
        kept.shape = _SHAPES.get(row["shape"]["type"], "hull")
        for name in VALUES:
            if row[name] is not None:  # phantoms have no mass, shapes of several materials no single one
                setattr(kept, name, row[name])
        kept.was = record.write_json({name: getattr(kept, name) for name in VALUES})
        kept.block = -1 if system.block is None else system.block
        self.out.bodies.append(owner)
        return owner

    def _mesh(self, mesh):
        data = bpy.data.meshes.new(mesh.name)
        data.from_pydata((mesh.vertices * self.scale).tolist(), [], mesh.triangles.tolist())
        names = self.exported.objects[mesh.name].materials
        places = {}
        for name in names:
            if name not in places:
                places[name] = len(places)
                data.materials.append(_material(name))
        data.polygons.foreach_set("material_index", [places[name] for name in names])
        data.update()
        owner = bpy.data.objects.new(mesh.name, data)
        place, turn, size = mesh.placement
        owner.matrix_world = Matrix.LocRotScale(
            Vector(place) * self.scale, Quaternion((turn[3], *turn[:3])), Vector(size)
        )
        owner.marrow.mesh_name = mesh.name
        self.collection.objects.link(owner)
        return owner


def _names_of(body, count, left):
    """Returns the meshes of a body by the rule that exports name them by."""
    base = body.node or body.name
    bases = [f"{base}.body{body.index}"] if base else []
    bases += [base] if base and count == 1 else []
    bases += [f"body{body.index}", *([base] if base else [])]
    for stem in bases:
        found = [name for name in left if name == stem or name.startswith((stem + ".child", stem + ".solid"))]
        if found:
            return found
    return []


def _material(name):
    """Returns the Blender material of a collision material, in the colour that Marrow gives it everywhere."""
    found = bpy.data.materials.get(name)
    if found is None:
        found = bpy.data.materials.new(name)
        red, green, blue = marrow.material_colour(name)
        found.diffuse_color = (red, green, blue, 1.0)
        found.use_nodes = True
        shader = found.node_tree.nodes.get("Principled BSDF")
        if shader is not None:
            shader.inputs["Base Color"].default_value = (red, green, blue, 1.0)
            shader.inputs["Roughness"].default_value = 0.7
    return found


def mesh_print(owner):
    """Returns a number that changes if the mesh, its place or its materials do."""
    data = owner.data
    points = numpy.empty(len(data.vertices) * 3, numpy.float32)
    data.vertices.foreach_get("co", points)
    corners = numpy.empty(len(data.loops), numpy.int32)
    data.loops.foreach_get("vertex_index", corners)
    kinds = numpy.empty(len(data.polygons), numpy.int32)
    data.polygons.foreach_get("material_index", kinds)
    place = numpy.array(owner.matrix_world, numpy.float32)
    names = [each.name if each else "" for each in data.materials]
    return marrow.blender.fingerprint(points, corners, kinds, place, names, owner.marrow.shape if owner.marrow.is_body else "")


def is_ours(collection):
    return collection is not None and record.has_source(collection.marrow)


def collection_of(owner):
    """Returns the imported collection that an object is in, or None."""
    return next((each for each in owner.users_collection if is_ours(each)), None) if owner is not None else None


@dataclass
class ExportedCollision:
    """What an export made."""

    data: bytes = b""
    is_original: bool = False
    changed: list = field(default_factory=list)


def has_objects(collection):
    """True if a collection has collision, not only visible shapes."""
    return any(each.marrow.role in ("body", "child", "joint") or each.marrow.mesh_name for each in collection.objects)


def export_collection(collection, data=None):
    """Returns the file of an imported collection with what was changed in Blender; untouched it is the same bytes. `data`
    is the file to change, if something else in it was changed already."""
    kept = collection.marrow
    data = record.source_bytes(kept) if data is None else data
    out = ExportedCollision()
    document = marrow.load(data, name=kept.source_name)
    edits = joints.Edits(collection.objects, kept.scale)  # first: removed shapes may change the numbers of bodies
    edits.apply(document)
    out.changed.extend(edits.changed)
    edited = marrow.CollisionExport(document)
    if _take_shapes(collection, edited, kept.scale, out):
        document.apply("collision replace", blob=marrow.load(edited.to_bytes(), name="collision.obj"))
    for owner in collection.objects:
        if owner.marrow.is_body:
            _take_values(owner, document, out)
    out.data, out.is_original = document.to_bytes() if out.changed else data, not out.changed
    return out


def _take_shapes(collection, edited, scale, out):
    """Puts changed, new and deleted meshes into the export. Returns True if there are any."""
    seen, before = set(), len(out.changed)
    for owner in collection.objects:
        if owner.type != "MESH" or owner.marrow.role == "shape":
            continue
        name = owner.marrow.mesh_name or _new_name(owner, edited)
        if name is None:
            continue
        if name in seen:
            name = _new_name(owner, edited)  # a copy in Blender copies what it remembers, too
        seen.add(name)
        if owner.marrow.mesh_name == name and owner.marrow.mesh_print == str(mesh_print(owner)):
            continue
        vertices, faces, materials = surface(owner, scale)
        if name == owner.marrow.mesh_name and _is_same_surface(edited.objects.get(name), vertices, faces, materials):
            continue  # applied transforms: it stands where it stood
        edited.put(name, vertices, faces, materials)
        out.changed.append(name)
    shapes = {mesh.name for mesh in edited.source.collision_meshes()}  # an export has joints as well
    for name in [each for each in edited.objects if each in shapes and each not in seen]:
        edited.remove(name)
        out.changed.append(name)
    return len(out.changed) > before


def _is_same_surface(old, vertices, faces, materials):
    """True if a mesh is the object of an export but for what Blender rounds."""
    if old is None or len(old.vertices) != len(vertices):
        return False
    if [corners for _, corners in old.faces] != [tuple(each) for each in faces] or old.materials != materials:
        return False
    was = numpy.array([row.split() for row in old.vertices], float)
    return bool(numpy.abs(was - vertices).max(initial=0.0) <= 5e-6 * (1.0 + numpy.abs(was).max(initial=0.0)))


def _new_name(owner, edited):
    """Returns the name of a new object: a child of the body that it hangs on."""
    body = owner.parent
    if body is None or not body.marrow.is_body:
        return None
    stem = body.name
    old = next((name for name in edited.objects if name.startswith(stem) and ".child" in name), None)
    if old is not None:
        stem = old[: old.rindex(".child")]
    return f"{stem}.{owner.name}"


def surface(owner, scale):
    """Returns a mesh object in the space of the scene, in units of the game: vertices, faces, materials of faces."""
    data, matrix = owner.data, numpy.array(owner.matrix_world, numpy.float64)
    points = numpy.empty(len(data.vertices) * 3, numpy.float32)
    data.vertices.foreach_get("co", points)
    vertices = (points.reshape(-1, 3).astype(numpy.float64) @ matrix[:3, :3].T + matrix[:3, 3]) / scale
    names = [each.name if each else "" for each in data.materials] or [""]
    faces, materials = [], []
    for polygon in data.polygons:
        corners = list(polygon.vertices)
        for third in range(2, len(corners)):
            faces.append((corners[0], corners[third - 1], corners[third]))
            materials.append(names[min(polygon.material_index, len(names) - 1)])
    return vertices.tolist(), faces, materials


def _take_values(owner, document, out):
    """Sets the values of a body that were changed."""
    kept = owner.marrow
    was = record.read_json(kept.was, {})
    options = {}
    for name in VALUES:
        value, old = getattr(kept, name), was.get(name)
        is_same = abs(value - old) <= 1e-6 * max(1.0, abs(old)) if isinstance(value, float) and old is not None else value == old
        if not is_same and not (name == "mass" and value == 0.0):
            options[name] = value
    if not options:
        return
    options.update(body=[kept.body], block=kept.block if kept.block >= 0 else None)
    out.changed.append(owner.name)
    document.apply("collision set", options)
