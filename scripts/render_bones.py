# SPDX-License-Identifier: MIT
"""Run inside Blender: draws a clip that was exported with --show-bones as a row of moments, left limbs warm, right ones cool.

    blender -b --factory-startup --python scripts/render_bones.py -- FILE.glb PICTURE.png [FRAMES] [STRIDE]

FRAMES: how many moments of the clip (default 5). STRIDE: metres from the first to the last (default 3).
"""
import pathlib
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy
from mathutils import Vector

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import render_studio

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


materials = [render_studio.material(colour, 0.45) for colour in COLOURS.values()]
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
low, high = render_studio.bounds(corners)
render_studio.render(picture, (960, 440), (low + high) / 2, (1.0, 0.22, 0.2), (high - low).length * 2.35, 70,
                     (0.75, 0.35, 0.9), low.z)
