# SPDX-License-Identifier: MIT
"""Marrow in Blender: Havok animation, bodies and collision of NIF files, and Assassin's Creed skeletons.

Modules of one job each. None knows a file format: all of that is in the Python package, which is carried along.
"""
bl_info = {
    "name": "Marrow",
    "author": "The Marrow authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export, Sidebar > Marrow",
    "description": "Animation, skeletons, bodies and collision of Skyrim, Fallout 4 and Assassin's Creed",
    "category": "Import-Export",
}

from . import archive_import, batch, body_operators, clip_operations, collision_operators, collision_properties  # noqa: E402
from . import events, export_operators, live, notes, operators, panels, preferences, properties  # noqa: E402

#: In the order of registration.
_MODULES = (
    preferences,
    properties,
    collision_properties,
    notes,
    operators,
    export_operators,
    collision_operators,
    archive_import,
    batch,
    live,
    panels,
    body_operators,
    events,
    clip_operations,
)


def register() -> None:
    for module in _MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(_MODULES):
        module.unregister()
