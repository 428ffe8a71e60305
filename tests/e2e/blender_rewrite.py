# SPDX-License-Identifier: MIT
"""Run inside Blender: imports each file and exports it again, as a user would with custom properties switched on.

    blender -b --factory-startup --python blender_rewrite.py -- IN OUT [IN OUT]...
"""
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy

paths = sys.argv[sys.argv.index("--") + 1:]
for source, target in zip(paths[::2], paths[1::2]):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30
    bpy.ops.import_scene.gltf(filepath=source)
    bpy.ops.export_scene.gltf(filepath=target, export_format="GLB", export_extras=True)
