# SPDX-License-Identifier: MIT
"""Marrow in Blender: Havok animation, Fallout 4 collision and Assassin's Creed skeletons.

Modules of one job each. None knows a file format: all of that is in the Python package, which is carried along.
"""
bl_info = {
    "name": "Marrow",
    "author": "The Marrow authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export, Sidebar > Marrow",
    "description": "Animation, skeletons and collision of Skyrim, Fallout 4 and Assassin's Creed",
    "category": "Import-Export",
}

from . import batch, collision_operators, collision_properties, export_operators, live, operators, panels  # noqa: E402
from . import preferences, properties  # noqa: E402

#: In the order of registration.
_MODULES = (
    preferences,
    properties,
    collision_properties,
    operators,
    export_operators,
    collision_operators,
    batch,
    live,
    panels,
)


def register() -> None:
    for module in _MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(_MODULES):
        module.unregister()
