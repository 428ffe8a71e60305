# SPDX-License-Identifier: MIT
"""Run inside Blender: draws a mesh, and beside it the hulls that `collision build --shape decompose` made of it, pulled
apart.

    (docs/images/decompose.png: MESH.obj is examples/collision/chair.obj)
    marrow collision build MESH.obj --shape decompose -o HULLS.hkx && marrow collision export HULLS.hkx -o HULLS.obj
    blender -b --factory-startup --python scripts/render_hulls.py -- MESH.obj HULLS.obj PICTURE.png
"""
import colorsys
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import render_studio

import bpy
from mathutils import Vector

mesh_path, hulls_path, picture = sys.argv[sys.argv.index("--") + 1:]
render_studio.start()
UNIT = 0.01428  # metres per game unit


def objects_of(path):
    """Returns the points and faces of every object of an .obj file."""
    points, objects = [], []
    for line in open(path):
        words = line.split()
        if line.startswith("o "):
            objects.append([])
        elif line.startswith("v "):
            points.append(Vector(float(w) for w in words[1:4]) * UNIT)
        elif line.startswith("f "):
            objects[-1].append([int(w.split("/")[0]) - 1 for w in words[1:]])
    for faces in objects:
        used = sorted({i for face in faces for i in face})
        yield [points[i] for i in used], [[used.index(i) for i in face] for face in faces]


def add(points, faces, move, colour):
    """Makes an object with edges that catch the light."""
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata([p + move for p in points], [], faces)
    mesh.materials.append(render_studio.material(colour))
    thing = bpy.data.objects.new("thing", mesh)
    bevel = thing.modifiers.new("bevel", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method, bevel.angle_limit = 0.005, 2, "ANGLE", 0.5
    bpy.context.scene.collection.objects.link(thing)
    return thing


whole, hulls = list(objects_of(mesh_path)), list(objects_of(hulls_path))
low, high = render_studio.bounds([p for points, _ in whole for p in points])
middle, apart = (low + high) / 2, Vector((high.x - low.x, 0, 0)) * 0.8
things = [add(points, faces, -apart, (0.62, 0.5, 0.33)) for points, faces in whole]
for i, (points, faces) in enumerate(hulls):
    centre = sum(points, Vector()) / len(points)
    outward = (centre - middle) * 0.14
    outward.z = (centre.z - low.z) * 0.16
    things.append(add(points, faces, apart + outward, colorsys.hsv_to_rgb((0.03 + i * 0.618) % 1, 0.85, 0.7)))
render_studio.render(picture, (860, 640), [(things, 1.0)], (0.45, -1.0, 0.38), border=1.02)
