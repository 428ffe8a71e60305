# SPDX-License-Identifier: MIT
"""New collision from objects that were not imported: a body per object, joints between them, into a packfile or a NIF."""
from mathutils import Matrix
import numpy

from . import joints
from .collision import surface
from .package import marrow

#: Options of `collision build` that hold for all objects of an export.
OPTIONS = ("fit", "radius", "pieces", "hull_vertices", "concavity")


def build(objects, scale, options=None):
    """Returns a packfile: each object becomes a body, of the shape that its property or its name says; the children of an
    empty become a compound; empties that are joints join them."""
    blob, numbers = _bodies(objects, scale, options or {}, {})
    joints.Edits(objects, scale, numbers).apply(blob)
    return blob.to_bytes()


def build_into(nif, objects, scale, node="", options=None):
    """Returns a NIF with the objects as collision of its nodes: of the node that an object names, else of `node`. What the
    nodes had is replaced; nothing else of the file changes. Objects are where they are in the scene, wherever their nodes
    are."""
    blob, numbers = _bodies(objects, scale, options or {}, {})
    owners = {number: name for name, number in numbers.items()}
    by_name = {each.name: each for each in objects}
    nodes = [by_name[owners[number]].marrow.node or node for number in sorted(owners)]
    made, block = _attached(nif, blob, nodes)
    poses = joints.poses_of(made)
    spaces = {name: poses[(block, number)].inverted() for name, number in numbers.items()}
    if any(not _is_identity(space) for space in spaces.values()):
        blob, _ = _bodies(objects, scale, options or {}, spaces)
        made, block = _attached(nif, blob, nodes)
    joints.Edits(objects, scale, numbers, block).apply(made)
    return made.to_bytes()


def _attached(nif, blob, nodes):
    """Returns the NIF with the bodies on its nodes, as a document, and the block that they are in."""
    made = marrow.load(nif)
    return made, made.apply("collision attach", {"node": nodes}, blob=blob)["block"]


def _is_identity(matrix):
    return numpy.abs(numpy.array(matrix) - numpy.array(Matrix.Identity(4))).max() < 1e-6


def _bodies(objects, scale, options, spaces):
    """Returns a document of bodies, and their numbers by the names of their objects. `spaces` are matrices from the scene
    to the node of an object, in units of the game."""
    made, numbers = None, {}
    for owner in objects:
        kept = owner.marrow
        parts = [owner] if owner.type == "MESH" else [each for each in owner.children if each.type == "MESH"]
        if not parts or kept.role == "joint":
            continue
        source = marrow.Document.new("fallout4")
        for part in parts:
            source.add_mesh(_mesh_of(part, scale, spaces.get(owner.name)))
        chosen = {**options, "shape": shape_of(owner), "material": kept.material or None, "layer": kept.layer or None}
        chosen.update(friction=kept.friction, restitution=kept.restitution)
        if kept.motion == "dynamic" or kept.mass > 0.0:
            chosen["mass"] = kept.mass or 1.0
        else:
            chosen["motion"] = kept.motion
        if made is None:
            made = source
            made.apply("collision build", chosen)
        else:
            made.apply("collision add-body", chosen, mesh=source)
        numbers[owner.name] = len(numbers)
    if made is None:
        raise marrow.NoCollisionError("no mesh is selected")
    return made, numbers


def shape_of(owner):
    """Returns the shape of an object: by its name (`Crate_box`, `Crate.capsule2`, `box_Crate`), else as its property says."""
    named = marrow.shape_in_name(owner.name)
    return named or ("compound" if owner.type != "MESH" else owner.marrow.shape)


def _mesh_of(owner, scale, space):
    vertices, faces, materials = surface(owner, scale)
    if space is not None:
        matrix = numpy.array(space)
        vertices = (numpy.array(vertices) @ matrix[:3, :3].T + matrix[:3, 3]).tolist()
    names = sorted({name for name in materials if name})
    places = {name: place for place, name in enumerate(names)}
    if not names:
        return marrow.Mesh(vertices, faces, name=owner.name)
    return marrow.Mesh(
        vertices, faces, name=owner.name, materials=[places.get(name, 0) for name in materials], material_names=names
    )
