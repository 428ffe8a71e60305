# SPDX-License-Identifier: MIT
"""Preferences: what new scenes start with."""
import bpy
from bpy.props import EnumProperty

from .properties import AXES, UNITS


class MarrowPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    units: EnumProperty(name="Units", description="Length in Blender of what is imported", items=UNITS)
    axes: EnumProperty(name="Bones", description="How bones lie", items=AXES)

    def draw(self, context):
        self.layout.prop(self, "units")
        self.layout.prop(self, "axes")
        self.layout.label(text="Scenes that were used before keep their own choice (sidebar, Marrow).")


def defaults(context):
    """Returns the units and axes to import with: the scene's if they were chosen there, else the preferences'."""
    scene = context.scene.marrow
    addon = context.preferences.addons.get(__package__)
    chosen = addon.preferences if addon is not None and addon.preferences is not None else scene
    units = scene.units if scene.is_property_set("units") else chosen.units
    axes = scene.axes if scene.is_property_set("axes") else chosen.axes
    return units, axes


def register():
    bpy.utils.register_class(MarrowPreferences)


def unregister():
    bpy.utils.unregister_class(MarrowPreferences)
