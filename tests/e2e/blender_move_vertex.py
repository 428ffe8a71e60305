# SPDX-License-Identifier: MIT
"""Run inside Blender: imports a file, moves the highest vertex of one object up, and exports it again.

    blender -b --factory-startup --python blender_move_vertex.py -- IN OUT OBJECT METRES extras|plain [IN OUT ...]
"""
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy

words = sys.argv[sys.argv.index("--") + 1:]
for source, target, name, metres, extras in zip(*(words[i::5] for i in range(5))):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=source)
    if name:
        thing = bpy.data.objects[name]
        back = thing.matrix_world.inverted()
        top = max(thing.data.vertices, key=lambda v: (thing.matrix_world @ v.co).z)
        # Vertices that Blender split stay together.
        place = top.co.copy()
        for vertex in thing.data.vertices:
            if (vertex.co - place).length < 1e-4:
                world = thing.matrix_world @ vertex.co
                world.z += float(metres)
                vertex.co = back @ world
    bpy.ops.export_scene.gltf(filepath=target, export_format="GLB", export_extras=extras == "extras")
