# SPDX-License-Identifier: MIT
"""Preferences: what new scenes start with."""
import bpy
from bpy.props import EnumProperty

from .properties import AXES, NAMING, UNITS


class MarrowPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    units: EnumProperty(name="Units", description="Length in Blender of what is imported", items=UNITS)
    axes: EnumProperty(name="Bones", description="How bones lie", items=AXES)
    naming: EnumProperty(name="Names", description="How bones of new armatures are called", items=NAMING)

    def draw(self, context):
        self.layout.prop(self, "units")
        self.layout.prop(self, "axes")
        self.layout.prop(self, "naming")
        self.layout.label(text="Scenes that were used before keep their own choice (sidebar, Marrow).")


def defaults(context):
    """Returns the units, axes and names to import with: the scene's if they were chosen there, else the preferences'."""
    scene = context.scene.marrow
    addon = context.preferences.addons.get(__package__)
    chosen = addon.preferences if addon is not None and addon.preferences is not None else scene
    return {name: getattr(scene if scene.is_property_set(name) else chosen, name) for name in ("units", "axes", "naming")}


def register():
    bpy.utils.register_class(MarrowPreferences)


def unregister():
    bpy.utils.unregister_class(MarrowPreferences)
