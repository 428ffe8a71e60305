# SPDX-License-Identifier: MIT
"""The events of an action, as its pose markers: a list with add, remove, retime and known names."""
from functools import lru_cache

import bpy
from bpy.props import StringProperty

from .package import marrow
from .registration import Registration


@lru_cache(maxsize=None)
def preset_names():
    """Returns the names of events that the library knows, of its presets."""
    report = marrow.run("annotations presets").report
    rows = report["presets"] if isinstance(report, dict) else report
    return tuple(sorted({line.partition(" ")[2] for row in rows for line in row["text"].splitlines() if " " in line}))


def known_names():
    """Returns the names of events: of the presets, and of all actions in the file."""
    found = set(preset_names())
    for action in bpy.data.actions:
        found.update(marker.name for marker in action.pose_markers)
    return sorted(found)


def action_of(context):
    """Returns the action that the active object shows, or None."""
    owner = context.object
    data = owner.animation_data if owner is not None else None
    return data.action if data is not None else None


def active_marker(action):
    """Returns the chosen event, or None."""
    index = action.pose_markers.active_index
    return action.pose_markers[index] if 0 <= index < len(action.pose_markers) else None


class _EventOperator:
    bl_options = {"REGISTER", "UNDO"}
    needs_marker = True

    @classmethod
    def poll(cls, context):
        action = action_of(context)
        return action is not None and (not cls.needs_marker or active_marker(action) is not None)


class MARROW_OT_add_event(_EventOperator, bpy.types.Operator):
    """Add an event at the current frame"""

    bl_idname = "marrow.add_event"
    bl_label = "Add Event"
    needs_marker = False

    text: StringProperty(name="Event", description="The text that the game reacts to", default="FootLeft", options={"SKIP_SAVE"})
    known: bpy.props.CollectionProperty(type=bpy.types.PropertyGroup, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context, event):
        self.known.clear()
        for name in known_names():
            self.known.add().name = name
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context):
        self.layout.prop_search(self, "text", self, "known", results_are_suggestions=True)

    def execute(self, context):
        if not self.text:
            self.report({"ERROR"}, "an event needs a text")
            return {"CANCELLED"}
        action = action_of(context)
        marker = action.pose_markers.new(self.text)
        marker.frame = context.scene.frame_current
        action.pose_markers.active_index = len(action.pose_markers) - 1
        return {"FINISHED"}


class MARROW_OT_remove_event(_EventOperator, bpy.types.Operator):
    """Remove the chosen event"""

    bl_idname = "marrow.remove_event"
    bl_label = "Remove Event"

    def execute(self, context):
        action = action_of(context)
        action.pose_markers.remove(active_marker(action))
        action.pose_markers.active_index = max(min(action.pose_markers.active_index, len(action.pose_markers) - 1), 0)
        return {"FINISHED"}


class MARROW_OT_retime_event(_EventOperator, bpy.types.Operator):
    """Move the chosen event to the current frame"""

    bl_idname = "marrow.retime_event"
    bl_label = "To Current Frame"

    def execute(self, context):
        active_marker(action_of(context)).frame = context.scene.frame_current
        return {"FINISHED"}


class MARROW_UL_events(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        row = layout.row()
        row.prop(item, "name", text="", emboss=False, icon="PMARKER_ACT")
        column = row.row()
        column.ui_units_x = 4.0
        column.prop(item, "frame", text="", emboss=False)


class MARROW_PT_events(bpy.types.Panel):
    bl_label = "Events"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Marrow"
    bl_parent_id = "MARROW_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "ARMATURE" and action_of(context) is not None

    def draw(self, context):
        action = action_of(context)
        row = self.layout.row()
        row.template_list("MARROW_UL_events", "", action, "pose_markers", action.pose_markers, "active_index", rows=4)
        column = row.column(align=True)
        column.operator("marrow.add_event", text="", icon="ADD")
        column.operator("marrow.remove_event", text="", icon="REMOVE")
        column.operator("marrow.retime_event", text="", icon="TIME")
        count = len(context.scene.timeline_markers)
        if count and not len(action.pose_markers):
            self.layout.label(text=f"{count} timeline markers count as events", icon="MARKER_HLT")


_CLASSES = (MARROW_OT_add_event, MARROW_OT_remove_event, MARROW_OT_retime_event, MARROW_UL_events, MARROW_PT_events)
_REGISTRATION = Registration(_CLASSES)
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
