# SPDX-License-Identifier: MIT
"""Run inside Blender: draws a walk that was exported with --show-bones as a row of moments, the last one solid, the ones
before it see-through.

    blender -b --factory-startup --python scripts/render_bones.py -- FILE.glb PICTURE.png [STRIDE]
    (docs/images/show-bones.png: FILE.glb is walk.glb of `make demo`)

STRIDE: metres per cycle (default 1.571, that of the sample walk).
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import render_studio

import bmesh
import bpy

source, picture, *more = sys.argv[sys.argv.index("--") + 1:]
stride = float(more[0]) if more else 1.571
MOMENTS, APART = 5, 0.4  # in cycles: each step is met at another moment
shown = [thing for thing in render_studio.start(source) if thing.vertex_groups]
scene = bpy.context.scene
COLOURS = [render_studio.LEFT, render_studio.RIGHT, render_studio.MIDDLE, render_studio.HAIR]
materials = {colour: render_studio.material(colour) for colour in COLOURS}
first, last = scene.frame_start, max(int(action.frame_range[1]) for action in bpy.data.actions)


def frozen(thing):
    """Returns a copy of a mesh as it is posed now, each bone in its colour, without the root: that is a place, no bone."""
    mesh = bpy.data.meshes.new_from_object(thing.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    names = [thing.vertex_groups[vertex.groups[0].group].name for vertex in thing.data.vertices]
    colours = [render_studio.side_colour(name) for name in names]
    mesh.materials.clear()
    for colour in COLOURS:
        mesh.materials.append(materials[colour])
    for face in mesh.polygons:
        face.material_index = COLOURS.index(colours[face.vertices[0]])
    edited = bmesh.new()
    edited.from_mesh(mesh)
    bmesh.ops.delete(edited, geom=[vertex for vertex in edited.verts if "Root" in names[vertex.index]])
    edited.to_mesh(mesh)
    copy = bpy.data.objects.new("moment", mesh)
    copy.matrix_world = thing.matrix_world.copy()
    scene.collection.objects.link(copy)
    return copy


layers = []
for moment in range(MOMENTS):
    scene.frame_set(first + round((last - first) * (moment * APART % 1)))
    copies = [frozen(thing) for thing in shown]
    for copy in copies:
        copy.location.y += stride * moment * APART
    layers.append((copies, 0.25 + 0.75 * (moment / (MOMENTS - 1)) ** 1.5))
render_studio.render(picture, (900, 515), layers, (1.0, 0.4, 0.16))
