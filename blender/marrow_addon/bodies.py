# SPDX-License-Identifier: MIT
"""Import of bodies: the visible shapes of a NIF as meshes, skinned to an armature, with their materials."""
from dataclasses import dataclass, field
import os

import bpy
from mathutils import Matrix
import numpy

from . import armature, collision, files, materials, record
from .package import marrow

#: The attribute of a mesh that says which vertex of the file a vertex is: its number and 1; 0 for new ones.
VERTEX = "marrow_vertex"


@dataclass
class BodyOptions:
    """What the import operator offers."""

    units: str = "blender"
    axes: str = "limbs"
    naming: str = "game"
    skeleton: str = ""  # a path; by default the active armature's, else the one near the file
    textures: bool = True
    data: str = ""  # a folder that holds textures, beside those that are found by themselves


@dataclass
class ImportedBody:
    """What an import made."""

    collection: object = None
    armature: object = None
    shapes: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def import_file(context, path, options, onto=None, loaded=None, collection=None):
    """Imports the shapes of a NIF onto an armature: `onto` if their bones are its, else a new one. Shapes go into
    `collection`, which holds the same file, or a new one."""
    data, document = loaded or files.load(path)
    out = ImportedBody(collection)
    if not any(shape.triangle_count for shape in document.shapes()):
        raise marrow.NotFoundError("there are no visible shapes in the file", file=os.fspath(path))
    out.armature, edit = _rig(context, document, path, options, onto, out)
    if out.collection is None:
        out.collection = bpy.data.collections.new(os.path.basename(path))
        context.scene.collection.children.link(out.collection)
        record.keep_source(out.collection.marrow, data, os.path.basename(path))
    kept = out.collection.marrow
    kept.scale = out.armature.data.marrow.scale if out.armature else marrow.blender.unit_scale(options.units, document.metres_per_unit)
    looks = materials.Maker(path, options.textures, [bpy.path.abspath(options.data)] if options.data else [])
    for shape in edit.shapes:
        if shape.triangle_count:
            out.shapes.append(_object(context, out, edit, shape, looks))
    out.notes.extend(looks.notes)
    return out


def imported_again(context, collection, data):
    """Imports other bytes in the place of an imported NIF: on the same armature, with the same materials."""
    kept, shapes = collection.marrow, shapes_of(collection)
    rig = next((each for each in map(armature_of, shapes) if each is not None), None)
    looks = {each.marrow.shape_block: list(each.data.materials) for each in shapes}
    units = next((each for each in marrow.blender.UNITS if abs(marrow.blender.unit_scale(each, 0.01428) - kept.scale) < 1e-6), "blender")
    name, label = kept.source_name, collection.name
    loaded = files.Loaded(data, marrow.load(data, name=name))
    has_collision = collision.has_objects(collection)
    for each in list(collection.all_objects):
        bpy.data.objects.remove(each)
    bpy.data.collections.remove(collection)
    fresh = collision.import_file(context, name, units, loaded).collection if has_collision else None
    out = import_file(context, name, BodyOptions(units, textures=False), rig, loaded, fresh)
    out.collection.name = label
    for each in out.shapes:
        if each.marrow.shape_block in looks:
            each.data.materials.clear()
            for material in looks[each.marrow.shape_block]:
                each.data.materials.append(material)
    return out


def _rig(context, document, path, options, onto, out):
    """Returns the armature that shapes stand on, or None, and the shapes on its bones."""
    alone = marrow.BodyEdit(document)
    is_skinned = any(shape.is_skinned for shape in alone.shapes)
    skeleton = _skeleton(path, options, onto, is_skinned)
    if skeleton is not None:
        edit = marrow.BodyEdit(document, skeleton.document)
        lost = lost_bones(edit, len(skeleton))
        used = used_bones(edit)
        if len(lost) * 2 > len(used) and is_skinned:
            out.notes.append(
                f"{len(lost)} of {len(used)} bones of {os.path.basename(path)} are not in {skeleton.name!r} "
                f"({armature.few(lost)}); the body has an armature of its own"
            )
            skeleton, onto = None, None
        elif lost:
            out.notes.append(f"the skeleton lacks {armature.few(lost)}; they stay where the file has them")
    if skeleton is None:
        edit, onto = alone, None
        if not is_skinned:
            return None, edit
        bones = edit.shapes.bones
        skeleton = marrow.Skeleton.new(os.path.splitext(os.path.basename(path))[0], bones, game=document.game)
    owner = onto
    if owner is None and is_skinned:
        name = skeleton.name or "Armature"
        owner = armature.create(context, skeleton, skeleton.document._source, name, options.units, options.axes, naming=options.naming)
    elif owner is not None and not armature.is_ours(owner):
        armature.adopt(owner, skeleton, skeleton.document._source)
    if owner is not None:
        add_bones(context, owner, edit)
    return owner, edit


def _skeleton(path, options, onto, is_skinned):
    """Returns the skeleton that a body stands on: the one that is chosen, that of the armature, or the one near it."""
    if options.skeleton:
        return marrow.load(options.skeleton).skeleton
    if armature.is_ours(onto):
        return armature.skeleton_of(onto)
    return near_skeleton(path) if is_skinned else None


def near_skeleton(path):
    """Returns the skeleton that the games keep near a body, on the disk or in an archive, or None."""
    folder = os.path.dirname(os.path.abspath(path))
    for place in (".", "character assets", "characterassets", "../character assets", "../characterassets"):
        try:
            return files.load(os.path.normpath(os.path.join(folder, place, "skeleton.hkx"))).document.skeleton
        except (OSError, marrow.Error):
            continue
    return None


def used_bones(edit):
    """Returns the numbers of the bones that move something."""
    return sorted({int(bone) for shape in edit.shapes if shape.is_skinned for bone in shape.bones if bone >= 0})


def lost_bones(edit, count):
    """Returns the names of bones that move something and hang below none of the first `count`, which are the skeleton's."""
    out = []
    for bone in used_bones(edit):
        above = bone
        while above >= count:
            above = edit.shapes.bones[above].parent_index
        if above < 0:
            out.append(edit.shapes.bones[bone].name)
    return out


def add_bones(context, owner, edit):
    """Adds the bones that only a body has, below those of the skeleton, and marks them."""
    names = {name.lower(): drawn for name, drawn in armature.game_names(owner).items()}
    missing = [bone for bone in edit.shapes.bones if bone.name.lower() not in names]
    if not missing:
        return
    scale, moved = owner.data.marrow.scale, _applied(owner)
    places = marrow.blender.rest_matrices(edit.shapes.bones, drawn=True)
    places[:, :3, 3] *= scale
    places = numpy.array(moved) @ places
    extent = float(numpy.ptp(places[:, :3, 3], axis=0).max())
    labels = armature.names_for(owner, [bone.name for bone in missing])
    armature.activate(context, owner)
    bpy.ops.object.mode_set(mode="EDIT")
    made = []
    for bone in missing:
        drawn = owner.data.edit_bones.new(labels[bone.name])
        matrix = Matrix(places[bone.index]).normalized()
        drawn.head = Matrix(places[bone.index]).translation
        drawn.tail = drawn.head + matrix.col[1].xyz.normalized() * max(extent * 0.01, 1e-4)
        drawn.align_roll(matrix.col[2].xyz)
        above = edit.shapes.bones[bone.parent_index].name.lower() if bone.parent_index >= 0 else None
        if above in names:
            drawn.parent = owner.data.edit_bones[names[above]]
        names[bone.name.lower()] = drawn.name
        made.append((drawn.name, bone.name))
    bpy.ops.object.mode_set(mode="OBJECT")
    for drawn, game in made:
        bone = owner.data.bones[drawn]
        bone[armature.HELPER] = "body"
        bone.inherit_scale = "ALIGNED"
        owner.pose.bones[drawn].rotation_mode = "QUATERNION"
        if drawn != game:
            bone[armature.GAME_NAME] = game


def _applied(owner):
    """Returns the transform of the whole armature that somebody applied since import, or the identity."""
    moved = armature.applied(owner, armature.skeleton_of(owner)) if armature.is_ours(owner) else None
    return Matrix.Identity(4) if moved is None else Matrix(moved)


def _object(context, out, edit, shape, looks):
    """Makes the object of one shape."""
    owner, scale = out.armature, out.collection.marrow.scale
    rest = marrow.blender.BodyRest(edit, shape)
    mesh = make_mesh(shape, rest, scale)
    if shape.is_skinned:
        mesh.transform(_applied(owner))
    made = bpy.data.objects.new(shape.name or f"Shape {shape.block}", mesh)
    out.collection.objects.link(made)
    kept = made.marrow
    kept.role, kept.shape_block, kept.shape_name = "shape", shape.block, shape.name
    mesh.materials.append(looks.make(shape))
    if shape.is_skinned:
        bind(made, owner, rest)
    else:
        _place(made, owner, edit, shape, rest, scale)
    context.view_layer.update()
    kept.shape_place = record.write_json([list(row) for row in local_matrix(made)])
    return made


def local_matrix(owner):
    """Returns the matrix of an object to its parent."""
    return owner.matrix_parent_inverse @ owner.matrix_basis


def bind(made, owner, rest):
    """Gives a mesh the weights of a shape, and the armature that moves it."""
    names = armature.game_names(owner)
    drawn = {name.lower(): label for name, label in names.items()}
    for column, name in enumerate(rest.names):
        group = made.vertex_groups.new(name=drawn.get(name.lower(), name))
        weights = rest.weights[:, column].astype(numpy.float32)
        for vertex in numpy.flatnonzero(weights > 0.0):
            group.add([int(vertex)], float(weights[vertex]), "REPLACE")
    follow(made, owner)


def follow(made, owner):
    """Lets an armature move a mesh."""
    made.parent = owner
    modifier = next((each for each in made.modifiers if each.type == "ARMATURE"), None) or made.modifiers.new("Armature", "ARMATURE")
    modifier.object = owner


def _place(made, owner, edit, shape, rest, scale):
    """Puts a mesh without skin where the file has it, on its bone if that is one of the armature's."""
    place = Matrix(rest.matrices[0])
    place.translation *= scale
    place = _applied(owner) @ place
    made.matrix_world = place
    if owner is None or shape.parent < 0:
        return
    drawn = {name.lower(): label for name, label in armature.game_names(owner).items()}.get(edit.shapes.bones[shape.parent].name.lower())
    if drawn is None:
        return
    bone = owner.data.bones[drawn]
    made.parent, made.parent_type, made.parent_bone = owner, "BONE", drawn
    # Blender hangs children on the tails of bones.
    made.matrix_parent_inverse = (bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0))).inverted()
    made.matrix_basis = place


def make_mesh(shape, rest, scale):
    """Makes the mesh of a shape, vertex by vertex. Skinned ones stand in the rest pose of the armature, others in their own
    space."""
    mesh = bpy.data.meshes.new(shape.name or f"Shape {shape.block}")
    points = rest.positions if shape.is_skinned else numpy.asarray(shape.positions, numpy.float64)
    triangles = drawn_triangles(shape)
    mesh.from_pydata((numpy.nan_to_num(points) * scale).tolist(), [], triangles.tolist())
    numbers = mesh.attributes.new(VERTEX, "INT", "POINT")
    numbers.data.foreach_set("value", numpy.arange(1, shape.vertex_count + 1, dtype=numpy.int32))
    corners = triangles.reshape(-1)
    if shape.uvs is not None:
        uvs = flipped(shape.uvs)[corners]
        mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", uvs.reshape(-1))
    if shape.colours is not None:
        colours = numpy.nan_to_num(numpy.asarray(shape.colours, numpy.float32), nan=1.0)
        mesh.color_attributes.new("Color", "FLOAT_COLOR", "POINT").data.foreach_set("color", colours.reshape(-1))
    mesh.polygons.foreach_set("use_smooth", numpy.ones(len(triangles), bool))
    mesh.update()
    if shape.normals is not None:
        normals = rest.normals if shape.is_skinned else marrow.blender.unit(numpy.nan_to_num(shape.normals))
        set_normals(mesh, normals)
    return mesh


def set_normals(mesh, normals):
    """Gives a mesh normals of its own, one per vertex."""
    if hasattr(mesh, "use_auto_smooth"):  # until 4.0
        mesh.use_auto_smooth = True
    mesh.normals_split_custom_set_from_vertices(numpy.asarray(normals, numpy.float64).tolist())


def drawn_triangles(shape):
    """Returns the triangles that have three corners; Blender has no others."""
    triangles = numpy.asarray(shape.triangles, numpy.int64)
    a, b, c = triangles.T if len(triangles) else numpy.zeros((3, 0), numpy.int64)
    return triangles[(a != b) & (b != c) & (a != c)]


def flipped(uvs):
    """Returns UVs whose v grows upwards, as Blender's does, or back."""
    out = numpy.nan_to_num(numpy.array(uvs, numpy.float32))
    out[:, 1] = numpy.float32(1.0) - out[:, 1]
    return out


def shapes_of(collection):
    """Returns the objects of an imported file that are shapes."""
    return [each for each in collection.all_objects if each.type == "MESH" and each.marrow.role == "shape"]


def armature_of(owner):
    """Returns the armature that moves a mesh, or None."""
    if owner.parent is not None and owner.parent.type == "ARMATURE":
        return owner.parent
    return next((each.object for each in owner.modifiers if each.type == "ARMATURE" and each.object is not None), None)
