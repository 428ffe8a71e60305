# SPDX-License-Identifier: MIT
"""Run inside Blender: imports a body with the glTF add-on, edits it as people do, and exports each edit.

    blender -b --factory-startup --python blender_body_habits.py -- BODY.glb OUT_FOLDER
"""
import os
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy
from mathutils import Vector

source, folder = sys.argv[sys.argv.index("--") + 1:]


def meshes():
    return [each for each in bpy.data.objects if each.type == "MESH" and each.vertex_groups]


def activate(each):
    bpy.ops.object.select_all(action="DESELECT")
    each.select_set(True)
    bpy.context.view_layer.objects.active = each


def nothing(_):
    pass


def move(body):
    for vertex in body.data.vertices:
        vertex.co += Vector((0.01428, 0, 0))


def rename(body):
    body.name = "Thing"
    body.data.name = "Data"


def split(body):
    activate(body)
    for polygon in body.data.polygons:
        polygon.select = polygon.index < len(body.data.polygons) // 2
    for each in list(body.data.vertices) + list(body.data.edges):
        each.select = False
    for polygon in body.data.polygons:
        for vertex in polygon.vertices:
            body.data.vertices[vertex].select |= polygon.select
    bpy.context.tool_settings.mesh_select_mode = (False, False, True)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.separate(type="SELECTED")
    bpy.ops.object.mode_set(mode="OBJECT")


def scale(_):
    armature = next(each for each in bpy.data.objects if each.type == "ARMATURE")
    activate(armature)
    for each in meshes():
        each.select_set(True)
    bpy.ops.object.transform_apply()


def pose(_):
    armature = next(each for each in bpy.data.objects if each.type == "ARMATURE")
    for bone in armature.pose.bones:
        bone.rotation_mode = "XYZ"
        bone.rotation_euler[1] += 0.4


def take_group(body):
    body.vertex_groups.remove(body.vertex_groups[0])


for edit in (nothing, move, rename, split, scale, pose, take_group):
    for extras in (True, False):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=source)
        for each in meshes():  # Blender 3.4 exports the colours of other vertices; without any, a body keeps its own
            while each.data.color_attributes:
                each.data.color_attributes.remove(each.data.color_attributes[0])
        edit(meshes()[0])
        path = os.path.join(folder, f"{edit.__name__}{'' if extras else '-bare'}.glb")
        bpy.ops.export_scene.gltf(filepath=path, export_format="GLB", export_extras=extras)
