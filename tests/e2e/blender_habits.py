# SPDX-License-Identifier: MIT
"""Run inside Blender: imports a file, does to it what people do, and exports it again.

    blender -b --factory-startup --python blender_habits.py -- IN OUT HABIT OBJECT OTHER [IN OUT HABIT OBJECT OTHER ...]

IN and OUT are .glb or .obj. OBJECT is what is edited; OTHER is joined to it."""
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy
import mathutils

MOVE = 50 * 0.01428  # 50 units of the game, in metres; an .obj is in units of the game


def only(*things):
    bpy.ops.object.select_all(action="DESELECT")
    for thing in things:
        thing.select_set(True)
    bpy.context.view_layer.objects.active = things[0]


def apply(thing, other):
    for each in bpy.data.objects:
        if each.data:
            each.data = each.data.copy()
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)


def move_root(thing, other):
    root = next(each for each in bpy.data.objects if each.parent is None)
    root.location.x += MOVE


def rename(thing, other):
    thing.name = "My own name"


def duplicate(thing, other):
    only(thing)
    bpy.ops.object.duplicate()
    copy = bpy.context.view_layer.objects.active
    copy.matrix_world = mathutils.Matrix.Translation((MOVE, 0, 0)) @ copy.matrix_world


def delete(thing, other):
    only(thing)
    bpy.ops.object.delete()


def join(thing, other):
    only(thing, other)
    bpy.ops.object.join()


def separate(thing, other):
    only(thing)
    for i, face in enumerate(thing.data.polygons):
        face.select = i % 2 == 0
    for vertex in thing.data.vertices:
        vertex.select = False
    for edge in thing.data.edges:
        edge.select = False
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="FACE")
    bpy.ops.mesh.separate(type="SELECTED")
    bpy.ops.object.mode_set(mode="OBJECT")


def smooth(thing, other):
    only(*[each for each in bpy.data.objects if each.type == "MESH"])
    bpy.ops.object.shade_smooth()


def scale(thing, other):
    """Twice as large about its own middle."""
    middle = sum((thing.matrix_world @ mathutils.Vector(corner) for corner in thing.bound_box), mathutils.Vector()) / 8
    there = mathutils.Matrix.Translation(middle)
    thing.matrix_world = there @ mathutils.Matrix.Scale(2, 4) @ there.inverted() @ thing.matrix_world


def plain(thing, other):
    pass


HABITS = {each.__name__: each for each in
          (apply, move_root, rename, duplicate, delete, join, separate, smooth, scale, plain)}
words = sys.argv[sys.argv.index("--") + 1:]
for source, target, habit, name, other in zip(*(words[i::5] for i in range(5))):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if source.endswith(".obj"):
        bpy.ops.wm.obj_import(filepath=source)
        MOVE = 50
    else:
        bpy.ops.import_scene.gltf(filepath=source)
        MOVE = 50 * 0.01428
    bpy.context.view_layer.update()
    HABITS[habit](bpy.data.objects.get(name), bpy.data.objects.get(other))
    if target.endswith(".obj"):
        bpy.ops.wm.obj_export(filepath=target)
    else:
        bpy.ops.export_scene.gltf(filepath=target, export_format="GLB", export_extras=habit != "plain")
