# SPDX-License-Identifier: MIT
"""Run inside Blender: edits the bones of a rig as a user would in edit mode, and exports it with custom properties.

    blender -b --factory-startup --python blender_edit_rig.py -- IN OUT
"""
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy
from mathutils import Vector

source, target = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
bpy.context.view_layer.objects.active = armature
bpy.ops.object.mode_set(mode="EDIT")
bones = armature.data.edit_bones
bones["Fx_Jaw"].use_connect = False
bones["Fx_Jaw"].parent = bones["Neck"]
lantern = bones.new("P_Lantern")
lantern.parent = bones["LeftHand"]
lantern.head = bones["LeftHand"].tail
lantern.tail = lantern.head + Vector((0, 0, -0.1))
bones["LeftHandThumb3"].use_connect = False
bones["LeftHandThumb3"].parent = bones["LeftHandThumb1"]
bones.remove(bones["LeftHandThumb2"])
bones["L_LeftUpLeg_Roll"].name = "L_MyThigh"
bpy.ops.object.mode_set(mode="OBJECT")
bpy.ops.export_scene.gltf(filepath=target, export_format="GLB", export_extras=True)
