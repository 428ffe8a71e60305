# SPDX-License-Identifier: MIT
"""The Marrow tab of the sidebar."""
import textwrap

import bpy

from . import armature, batch, checks, collision, control_rig, joints, notes, rig
from .registration import Registration

_ICONS = {"error": "CANCEL", "warning": "ERROR", "info": "INFO"}


def draw_text(context, layout, text):
    """Draws a text in as many lines as the sidebar needs."""
    letters = max(int(context.region.width / (7.0 * context.preferences.system.ui_scale)) - 6, 12)
    column = layout.column(align=True)
    column.scale_y = 0.8
    for line in textwrap.wrap(text, letters):
        column.label(text=line)


class _Panel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Marrow"


class MARROW_PT_main(_Panel, bpy.types.Panel):
    bl_idname = "MARROW_PT_main"
    bl_label = "Marrow"

    def draw(self, context):
        layout, scene = self.layout, context.scene.marrow
        layout.use_property_split, layout.use_property_decorate = True, False
        if batch.running is not None:
            self.draw_running(layout, batch.running)
            return
        layout.prop(scene, "units")
        layout.prop(scene, "axes")
        layout.prop(scene, "naming")
        row = layout.row(align=True)
        row.operator("marrow.import_files", text="Import", icon="IMPORT")
        row.operator("marrow.export_animation", text="Export", icon="EXPORT").what = "action"
        kept = notes.kept()
        if kept:
            box = layout.box().column(align=True)
            for line in notes.grouped(kept)[:3]:
                box.label(text=line, icon="INFO")
            box.operator("marrow.show_notes", text=f"Show All {len(kept)} Notes")

    @staticmethod
    def draw_running(layout, steps):
        if hasattr(layout, "progress"):  # 4.0 and later
            layout.progress(factor=steps.share, text=steps.text)
        else:
            layout.label(text=steps.text, icon="SORTTIME")
        layout.label(text="Esc stops", icon="EVENT_ESC")


class MARROW_PT_armature(_Panel, bpy.types.Panel):
    bl_label = "Armature"
    bl_parent_id = "MARROW_PT_main"

    @classmethod
    def poll(cls, context):
        return armature.is_ours(context.object)

    def draw(self, context):
        layout, owner = self.layout, context.object
        kept = owner.data.marrow
        column = layout.column(align=True)
        count = sum(not bone.get(armature.HELPER) for bone in owner.data.bones)
        column.label(text=f"{owner.name}: {count} bones", icon="ARMATURE_DATA")
        column.label(text=f"{kept.source_name}, {kept.game or 'game not known'}", icon="FILE")
        for addon in kept.addons:
            column.label(text=f"with {addon.source_name}", icon="LINKED")
        action = owner.animation_data.action if owner.animation_data else None
        if action is not None:
            box = layout.box().column(align=True)
            box.label(text=action.name, icon="ACTION")
            frames = int(round((action.frame_end - action.frame_start) / max(action.marrow.frame_step, 1e-6))) + 1
            box.label(text=f"{frames} frames, {len(action.pose_markers)} events")
            if action.marrow.source_name:
                box.label(text=f"from {action.marrow.source_name}", icon="FILE")
            if action.marrow.partner is not None:
                box.label(text=f"paired with {action.marrow.partner.name}", icon="LINKED")
            box.use_property_split, box.use_property_decorate = True, False
            box.prop(action.marrow, "blend")
        names = armature.game_names(owner)
        is_renamed = any(game != drawn for game, drawn in names.items())
        rename = layout.operator("marrow.rename_bones", icon="SORTALPHA", text="The Game's Names" if is_renamed else "Blender's Names")
        rename.naming = "game" if is_renamed else "blender"
        if kept.kind == "havok":
            name, text = ("remove", "Bake Control Rig") if control_rig.has_rig(owner) else ("add", "Add Control Rig")
            layout.operator(f"marrow.{name}_control_rig", text=text, icon="CON_KINEMATIC")
        layout.operator("marrow.export_skeleton", icon="EXPORT", text="Export Skeleton")


class MARROW_UL_plan(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        row = layout.split(factor=0.7)
        row.label(text=item.file, icon="CANCEL" if item.fault else "GREASEPENCIL" if item.is_changed else "CHECKMARK")
        row.label(text="" if item.fault else f"{item.byte_count / 1024:,.1f} KB")


class MARROW_PT_plan(_Panel, bpy.types.Panel):
    bl_label = "All Actions"
    bl_parent_id = "MARROW_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "ARMATURE"

    def draw(self, context):
        layout, scene = self.layout, context.scene.marrow
        layout.prop(scene, "folder")
        layout.operator("marrow.plan_export", icon="LINENUMBERS_ON")
        if len(scene.plan) and scene.plan_of == context.object.name:
            layout.template_list("MARROW_UL_plan", "", scene, "plan", scene, "active_planned", rows=4)
            if 0 <= scene.active_planned < len(scene.plan):
                row = scene.plan[scene.active_planned]
                errors = f"changed, {row.degrees:.3f}° and {row.distance:.4f} units off at most" if row.is_changed else "as it was"
                there = "; replaces the file that is there" if row.is_there and not row.fault else ""
                draw_text(context, layout, f"{row.name} to {row.file}: {row.fault or errors}{there}")
        write = layout.operator("marrow.export_animation", icon="EXPORT", text="Write All Actions")
        write.what = "all"
        if scene.folder:
            write.filepath = bpy.path.abspath(scene.folder)


class MARROW_UL_findings(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        layout.label(text=item.message, icon=_ICONS.get(item.level, "INFO"))


def draw_findings(context, layout, kept, label=""):
    """Draws the list of findings of a record, and the chosen one in full."""
    layout.template_list("MARROW_UL_findings", label, kept, "findings", kept, "active_finding", rows=3)
    if not 0 <= kept.active_finding < len(kept.findings):
        return
    chosen = kept.findings[kept.active_finding]
    draw_text(context, layout, chosen.message)
    if chosen.bone:
        layout.label(text=chosen.bone, icon="BONE_DATA")


class MARROW_PT_check(_Panel, bpy.types.Panel):
    bl_label = "Check and Estimate"
    bl_parent_id = "MARROW_PT_main"

    @classmethod
    def poll(cls, context):
        return armature.is_ours(context.object)

    def draw(self, context):
        layout, kept, scene = self.layout, context.object.data.marrow, context.scene.marrow
        layout.operator("marrow.check", icon="CHECKMARK")
        if checks.is_current(context.object) and not len(kept.findings):
            layout.label(text="Nothing is wrong")
        elif checks.is_current(context.object):
            draw_findings(context, layout, kept)
            cure = checks.cure_of(context.object)
            if cure is not None:
                known = ", ".join(f"{name} {value}" for name, value in cure.options.items())
                draw_text(context, layout, f"Cure: {cure.operation}{' (' + known + ')' if known else ''}")
                layout.operator("marrow.fix", icon="TOOL_SETTINGS")
        column = layout.column(align=True)
        column.use_property_split, column.use_property_decorate = True, False
        column.label(text="Largest error")
        column.prop(scene, "max_rotation_error")
        column.prop(scene, "max_position_error")
        layout.operator("marrow.estimate", icon="FILE_TICK")
        data = context.object.animation_data
        action = data.action if data else None
        if kept.estimate and action is not None and kept.estimate_of == action.name:
            for line in kept.estimate.split("; "):
                layout.label(text=line)


class MARROW_UL_modifiers(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        layout.label(text=item.name, icon="MODIFIER")


class MARROW_PT_modifiers(_Panel, bpy.types.Panel):
    bl_label = "Bone Modifiers"
    bl_parent_id = "MARROW_PT_main"

    @classmethod
    def poll(cls, context):
        return armature.is_ours(context.object)

    def draw(self, context):
        layout, kept, scene = self.layout, context.object.data.marrow, context.scene.marrow
        layout.prop(scene, "live", icon="PLAY", toggle=True)
        layout.use_property_split, layout.use_property_decorate = True, False
        if scene.live and scene.live_note:
            layout.label(text=scene.live_note, icon="ERROR")
        column = layout.column()
        column.prop(scene, "wind")
        column.prop(scene, "gusts", slider=True)
        if kept.kind != "anvil":
            layout.prop(scene, "preset")
            layout.prop_search(scene, "preset_bone", context.object.data, "bones")
            return
        layout.template_list("MARROW_UL_modifiers", "", kept, "modifiers", kept, "active_modifier", rows=4)
        if not 0 <= kept.active_modifier < len(kept.modifiers):
            return
        column = layout.column(align=True)
        column.use_property_split, column.use_property_decorate = True, False
        for row in kept.modifiers[kept.active_modifier].values:
            name = {"vector": "vector", "flag": "flag"}.get(row.kind, "number")
            column.prop(row, name, text=row.field)
        count = len(rig.changed_values(kept))
        if count:
            layout.label(text=f"{count} values changed", icon="GREASEPENCIL")


class MARROW_PT_collision(_Panel, bpy.types.Panel):
    bl_label = "Collision"
    bl_parent_id = "MARROW_PT_main"

    @classmethod
    def poll(cls, context):
        owner = context.object
        return owner is not None and owner.type in ("MESH", "EMPTY") and owner.marrow.role != "shape"

    def draw(self, context):
        layout, owner = self.layout, context.object
        layout.use_property_split, layout.use_property_decorate = True, False
        found = collision.collection_of(owner)
        if found is not None:
            layout.label(text=found.marrow.source_name, icon="FILE")
        if owner.marrow.role == "joint":
            self.draw_joint(layout, owner.marrow.joint)
            return
        body = owner.parent if owner.marrow.role == "child" and owner.parent is not None else owner
        for name in ("shape", "node", "material", "layer", "motion", "mass", "friction", "restitution"):
            layout.prop(body.marrow, name)
        layout.operator("marrow.add_joint", icon="CONSTRAINT")
        layout.operator("marrow.export_collision", icon="EXPORT", text="Export Collision")

    @staticmethod
    def draw_joint(layout, kept):
        ends = layout.column()
        ends.enabled = kept.number < 0  # a joint that is in the file stays between its bodies
        ends.prop(kept, "body")
        ends.prop(kept, "to")
        layout.prop(kept, "kind")
        column = layout.column()
        column.enabled = kept.kind != "other"
        for name in joints.values_of(kept.kind):
            if kept.motor or name not in joints.MOTOR or name == "motor":
                column.prop(kept, name)
        layout.operator("marrow.export_collision", icon="EXPORT", text="Export Collision")


_CLASSES = (
    MARROW_PT_main,
    MARROW_PT_armature,
    MARROW_UL_plan,
    MARROW_PT_plan,
    MARROW_UL_findings,
    MARROW_PT_check,
    MARROW_UL_modifiers,
    MARROW_PT_modifiers,
    MARROW_PT_collision,
)
_REGISTRATION = Registration(_CLASSES)
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
