# SPDX-License-Identifier: MIT
"""Run inside Blender: draws a glTF file that was exported with `collision export --show`.

    blender -b --factory-startup --python scripts/render_collision.py -- FILE.glb PICTURE.png [WIDTH HEIGHT]

Visible shapes are grey and solid. Collision is see-through in its own colours, with its edges drawn.
"""
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy
from mathutils import Vector

source, picture, *size = sys.argv[sys.argv.index("--") + 1:]
width, height = (int(n) for n in size) if size else (900, 640)
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
bpy.ops.import_scene.gltf(filepath=source)
meshes = [o for o in scene.objects if o.type == "MESH"]


def is_see_through(thing):
    return any(m and m.blend_method == "BLEND" for m in thing.data.materials)


corners = [o.matrix_world @ Vector(c) for o in meshes for c in o.bound_box]
low, high = (Vector(f(c[i] for c in corners) for i in range(3)) for f in (min, max))
middle, span = (low + high) / 2, (high - low).length

# Collision a hair larger, so that it does not fight with shapes that it coincides with, and without a shadow. Its edges
# are thin tubes in a darker tone.
for thing in [o for o in meshes if is_see_through(o)]:
    scale = thing.matrix_world.to_scale().x or 1.0
    thing.visible_shadow = False
    weld = thing.modifiers.new("weld", "WELD")
    weld.merge_threshold = 1e-5 * span / scale
    grow = thing.modifiers.new("grow", "DISPLACE")
    grow.mid_level, grow.strength = 0.0, 0.002 * span / scale
    colour = thing.data.materials[0].node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value
    ink = bpy.data.materials.new("edges")
    ink.use_nodes = True
    shader = ink.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = [c * 0.4 for c in colour[:3]] + [1]
    edges = thing.copy()
    edges.data = thing.data.copy()
    scene.collection.objects.link(edges)
    edges.data.materials.clear()
    edges.data.materials.append(ink)
    # Diagonals of flat faces are no edges.
    flat = edges.modifiers.new("flat", "DECIMATE")
    flat.decimate_type, flat.angle_limit = "DISSOLVE", 0.02
    wire = edges.modifiers.new("wire", "WIREFRAME")
    wire.thickness = 0.003 * span / scale
    wire.use_even_offset = False
    edges.visible_shadow = False

camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
camera.data.lens = 60
camera.data.clip_end = 100 * span
view = Vector((0.85, -1.0, 0.6)).normalized()
camera.rotation_euler = (-view).to_track_quat("-Z", "Y").to_euler()
scene.collection.objects.link(camera)
scene.camera = camera
scene.render.resolution_x, scene.render.resolution_y = width, height
bpy.context.view_layer.update()
# As near as all of it is in the picture, and a tenth farther for a border.
fitted, _ = camera.camera_fit_coords(bpy.context.evaluated_depsgraph_get(), [n for c in corners for n in c])
camera.location = middle + (fitted - middle) * 1.1
for angle, strength in (((0.7, 0.2, 0.6), 2.2), ((1.0, -0.4, -1.2), 0.8)):
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.rotation_euler = strength, 0.2, angle
    scene.collection.objects.link(sun)
scene.world = bpy.data.worlds.new("World")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.9, 0.92, 0.95, 1)
scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.6

scene.render.engine = "CYCLES"
scene.cycles.samples = 96
scene.cycles.use_denoising = False
scene.cycles.transparent_max_bounces = 32
scene.view_settings.view_transform = "Standard"
scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
