# SPDX-License-Identifier: MIT
"""Run inside Blender: draws a clip that was exported with --show-bones as a row of moments, left limbs warm, right ones cool.

    blender -b --factory-startup --python scripts/render_bones.py -- FILE.glb PICTURE.png [FRAMES] [STRIDE]

FRAMES: how many moments of the clip (default 5). STRIDE: metres from the first to the last (default 3).
"""
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy
from mathutils import Vector

source, picture, *more = sys.argv[sys.argv.index("--") + 1:]
count, stride = int(more[0]) if more else 5, float(more[1]) if len(more) > 1 else 3.0
COLOURS = {"left": (0.90, 0.30, 0.12), "right": (0.06, 0.36, 0.72), "middle": (0.80, 0.74, 0.62)}
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=source)
shown = [o for o in scene.objects if o.type == "MESH" and o.vertex_groups]


def side(name):
    return "left" if " L " in name else "right" if " R " in name else "middle"


def material(name):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*COLOURS[name], 1)
    shader.inputs["Roughness"].default_value = 0.45
    return made


materials = [material(name) for name in COLOURS]
first, last = scene.frame_start, max(int(a.frame_range[1]) for a in bpy.data.actions)
copies = []
for moment in range(count):
    scene.frame_set(round(first + (last - first) * moment / max(count - 1, 1) * (count - 1) / count))
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in shown:
        mesh = bpy.data.meshes.new_from_object(thing.evaluated_get(graph))
        mesh.materials.clear()
        for each in materials:
            mesh.materials.append(each)
        groups = [side(group.name) for group in thing.vertex_groups]
        kinds = list(COLOURS)
        for face in mesh.polygons:
            corner = thing.data.vertices[face.vertices[0]]
            face.material_index = kinds.index(groups[corner.groups[0].group]) if corner.groups else 2
        copy = bpy.data.objects.new("moment", mesh)
        copy.matrix_world = thing.matrix_world.copy()
        copy.location += Vector((0, stride * (moment / max(count - 1, 1) - 0.5), 0))
        scene.collection.objects.link(copy)
        copies.append(copy)
for thing in [o for o in scene.objects if o not in copies]:
    thing.hide_render = True
bpy.context.view_layer.update()

corners = [o.matrix_world @ Vector(c) for o in copies for c in o.bound_box]
low, high = (Vector(f(c[i] for c in corners) for i in range(3)) for f in (min, max))
middle = (low + high) / 2
bpy.ops.mesh.primitive_plane_add(size=200, location=(0, 0, low.z))
floor = bpy.data.materials.new("floor")
floor.use_nodes = True
floor.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.62, 0.64, 0.67, 1)
floor.node_tree.nodes["Principled BSDF"].inputs["Specular"].default_value = 0
bpy.context.object.data.materials.append(floor)

camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
camera.data.lens = 70
camera.location = middle + Vector((1.0, 0.22, 0.2)).normalized() * (high - low).length * 2.35
camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
scene.collection.objects.link(camera)
scene.camera = camera
sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
sun.data.energy, sun.data.angle, sun.rotation_euler = 3.0, 0.15, (0.75, 0.35, 0.9)
scene.collection.objects.link(sun)
scene.world = bpy.data.worlds.new("World")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.80, 0.84, 0.90, 1)
scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.55

scene.render.engine = "CYCLES"
scene.cycles.samples = 48
scene.cycles.max_bounces = 3
scene.cycles.use_denoising = False
scene.render.resolution_x, scene.render.resolution_y = 960, 440
scene.view_settings.view_transform = "Standard"
scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
