# SPDX-License-Identifier: MIT
"""Run inside Blender: draws a glTF file that was exported with --show-bones.

    blender -b --factory-startup --python scripts/render_bones.py -- FILE.glb PICTURE.png [FRAME]
"""
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy
from mathutils import Vector

source, picture, *frame = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=source)
scene.frame_set(int(frame[0]) if frame else 0)

corners = [o.matrix_world @ Vector(c) for o in scene.objects if o.type == "MESH" for c in o.bound_box]
low, high = (Vector(f(c[i] for c in corners) for i in range(3)) for f in (min, max))
middle, size = (low + high) / 2, (high - low).length

camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
camera.location = middle + Vector((0.7, 1.0, 0.25)) * size * 1.15
camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
scene.collection.objects.link(camera)
scene.camera = camera
sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
sun.data.energy = 2
sun.rotation_euler = (0.6, 0.3, 2.4)
scene.collection.objects.link(sun)
scene.world = bpy.data.worlds.new("World")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.12, 0.13, 0.15, 1)

scene.render.engine = "CYCLES"
scene.cycles.samples = 64
scene.cycles.use_denoising = False
scene.render.resolution_x, scene.render.resolution_y = 400, 500
scene.view_settings.view_transform = "Standard"
scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
