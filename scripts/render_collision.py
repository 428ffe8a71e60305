# SPDX-License-Identifier: MIT
"""Run inside Blender: draws a glTF file that was exported with `collision export --show`.

    blender -b --factory-startup --python scripts/render_collision.py -- FILE.glb PICTURE.png [WIDTH HEIGHT]

Visible shapes are grey. Collision lies over them in its own colours, with its edges drawn, and joints over both.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import render_studio

import bpy

source, picture, *size = sys.argv[sys.argv.index("--") + 1:]
meshes = render_studio.start(source)
low, high = render_studio.bounds(render_studio.points_of(meshes))
span = (high - low).length


def value_of(thing, name):
    return thing.data.materials[0].node_tree.nodes["Principled BSDF"].inputs[name].default_value


def colour_of(thing):
    return value_of(thing, "Base Color")[:3]


def paint(thing, colour):
    thing.data = thing.data.copy()
    thing.data.materials.clear()
    thing.data.materials.append(render_studio.material(colour))


def modifier(thing, kind, **settings):
    made = thing.modifiers.new(kind, kind)
    for name, value in settings.items():
        setattr(made, name, value)


def edges_of(thing, scale):
    """Returns the edges of a shape as thin tubes in a darker tone. Diagonals of flat faces are no edges."""
    edges = thing.copy()
    paint(edges, [channel * 0.35 for channel in colour_of(thing)])
    bpy.context.scene.collection.objects.link(edges)
    modifier(edges, "DECIMATE", decimate_type="DISSOLVE", angle_limit=0.02)
    modifier(edges, "WIREFRAME", thickness=0.0035 * span / scale, use_even_offset=False)
    return edges


solid = [thing for thing in meshes if value_of(thing, "Alpha") == 1.0]
joints = [thing for thing in meshes if thing.name.startswith("marrow_joint")]
collision = [thing for thing in meshes if thing not in solid and thing not in joints]
edges = []
for thing in collision:
    scale = thing.matrix_world.to_scale().x or 1.0
    modifier(thing, "WELD", merge_threshold=1e-5 * span / scale)
    edges.append(edges_of(thing, scale))
    paint(thing, [0.1 + 0.8 * channel for channel in colour_of(thing)])
for thing in solid:
    paint(thing, (0.5, 0.52, 0.55))
for thing in joints:
    paint(thing, colour_of(thing))
layers = [(solid, 1.0), ([*collision, *edges], 0.62 if solid else 0.85), (joints, 0.9)]
render_studio.render(picture, tuple(map(int, size)) if size else (900, 640), [layer for layer in layers if layer[0]], (0.85, -1.0, 0.45))
