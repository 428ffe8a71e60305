# SPDX-License-Identifier: MIT
"""Export of bodies, meshes bound to an armature, and their panel."""
import os

import bpy
from bpy.props import StringProperty

from . import armature, bodies, bodies_export, checks, collision, nif_export, notes, panels
from .export_file import ExportFile
from .files import write_file
from .package import marrow
from .properties import FILE_PATH
from .registration import Registration


def _meshes(context):
    """Returns the selected meshes, or the active one."""
    chosen = [each for each in context.selected_objects if each.type == "MESH"]
    return chosen or ([context.object] if context.object is not None and context.object.type == "MESH" else [])


def _collection(context):
    """Returns the imported file of the active object: its own, or that of a body on the active armature."""
    owner = context.object
    found = collision.collection_of(owner)
    if found is None and owner is not None and owner.type == "ARMATURE":
        found = next((each for each in map(collision.collection_of, owner.children) if each is not None), None)
    return found


class MARROW_OT_export_body(bpy.types.Operator, ExportFile):
    """Export the NIF that the active object was imported from, with its shapes and collision as they are. Meshes that were not imported go into the shapes of a NIF that they are named after"""

    bl_idname = "marrow.export_body"
    bl_label = "Export NIF with Marrow"
    bl_options = {"REGISTER", "PRESET"}
    filename_ext = ".nif"
    extensions = (".nif",)

    filepath: FILE_PATH
    filter_glob: StringProperty(default="*.nif", options={"HIDDEN"})
    into: StringProperty(
        name="Into NIF",
        description="Meshes that were not imported go into the shapes of this NIF that they are named after; by default the file that is chosen, if it exists",
        subtype="FILE_PATH",
    )

    @classmethod
    def poll(cls, context):
        return bool(_meshes(context)) or _collection(context) is not None

    def suggestion(self, context):
        found = _collection(context)
        return found.marrow.source_name if found is not None else ""

    def draw(self, context):
        found = _collection(context)
        if found is not None:
            self.layout.label(text=f"Goes back into {found.marrow.source_name}", icon="FILE")
        else:
            self.layout.prop(self, "into")

    def execute(self, context):
        try:
            self.refuse_other_formats(context)
            out = self.made(context)
            write_file(self.filepath, out.data)
        except (marrow.Error, OSError, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        notes.report(self, out.notes)
        self.report({"INFO"}, f"{os.path.basename(self.filepath)}: {nif_export.words_of(out)}")
        return {"FINISHED"}

    def made(self, context):
        found = _collection(context)
        if found is not None:
            return nif_export.export_collection(found)
        into = bpy.path.abspath(self.into) if self.into else self.filepath
        if not os.path.isfile(into):
            raise marrow.OptionError("choose the NIF that the meshes go into (Into NIF)", path="into")
        owners = _meshes(context)
        rig = next((each for each in map(bodies.armature_of, owners) if each is not None), None)
        with open(into, "rb") as file:
            data = file.read()
        scale = rig.data.marrow.scale if armature.is_ours(rig) else marrow.blender.unit_scale(context.scene.marrow.units, 0.01428)
        return bodies_export.export_into(data, os.path.basename(into), owners, rig, scale)


class MARROW_OT_bind_mesh(bpy.types.Operator):
    """Let the active armature move the selected meshes: vertex groups of bones, by the game's names or Blender's, become groups of its bones"""

    bl_idname = "marrow.bind_mesh"
    bl_label = "Bind to Armature"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "ARMATURE" and any(each.type == "MESH" for each in context.selected_objects)

    def execute(self, context):
        owner = context.object
        for mesh in _meshes(context):
            count, left = bind_by_name(mesh, owner)
            if not count:
                self.report({"ERROR"}, f"no vertex group of {mesh.name!r} has the name of a bone of {owner.name!r}; body new transfers weights of a body")
                return {"CANCELLED"}
            if left:
                self.report({"WARNING"}, f"{mesh.name}: {armature.few(left)} are groups of no bone")
            self.report({"INFO"}, f"{mesh.name}: {count} groups bound")
        return {"FINISHED"}


def bind_by_name(mesh, owner):
    """Names the vertex groups of a mesh after the bones of an armature, and lets it follow. Returns how many are bound,
    and the names of groups that are left."""
    names = armature.game_names(owner)
    drawn, labels = list(names.values()), list(names)
    groups = list(mesh.vertex_groups)
    found = marrow.blender.match_bones([each.name for each in groups], labels)
    left = []
    for group, place in zip(groups, found):
        if group.name in drawn:
            continue
        if place is not None and drawn[place] not in mesh.vertex_groups:
            group.name = drawn[place]
        else:
            left.append(group.name)
    count = sum(group.name in drawn for group in groups)
    if count:
        bodies.follow(mesh, owner)
    return count, left


class MARROW_OT_check_body(bpy.types.Operator):
    """Find what would crash or look wrong in the game, in the NIF as it would be exported"""

    bl_idname = "marrow.check_body"
    bl_label = "Check NIF"

    @classmethod
    def poll(cls, context):
        return _collection(context) is not None

    def execute(self, context):
        found = _collection(context)
        try:
            data = nif_export.export_collection(found).data
            rig = next((each for each in map(bodies.armature_of, bodies.shapes_of(found)) if each is not None), None)
            skeleton = armature.skeleton_of(rig) if armature.is_ours(rig) else None
            count = checks.fill(found.marrow, marrow.check(data, skeleton=skeleton))
        except (marrow.Error, OSError, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{count} findings" if count else "Nothing is wrong")
        return {"FINISHED"}


class MARROW_OT_fix_body(bpy.types.Operator):
    """Repair the chosen finding in the NIF as it would be exported, and show what came out"""

    bl_idname = "marrow.fix_body"
    bl_label = "Fix"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        found = _collection(context)
        return found is not None and checks.is_complete(checks.chosen_cure(found.marrow))

    def execute(self, context):
        found = _collection(context)
        try:
            data = checks.cured(checks.chosen_cure(found.marrow), nif_export.export_collection(found).data)
            made = bodies.imported_again(context, found, data)
        except (marrow.Error, OSError, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        for each in context.selected_objects:
            each.select_set(False)
        context.view_layer.objects.active = made.shapes[0]
        made.shapes[0].select_set(True)
        return bpy.ops.marrow.check_body()


class MARROW_PT_body(bpy.types.Panel):
    bl_label = "Body"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Marrow"
    bl_parent_id = "MARROW_PT_main"

    @classmethod
    def poll(cls, context):
        owner = context.object
        if owner is not None and owner.type == "ARMATURE":
            return any(each.type == "MESH" and each.marrow.role == "shape" for each in owner.children) or any(
                each.type == "MESH" for each in context.selected_objects
            )
        return owner is not None and owner.type == "MESH" and owner.marrow.role in ("", "shape")

    def draw(self, context):
        layout, owner, found = self.layout, context.object, _collection(context)
        column = layout.column(align=True)
        if found is not None:
            column.label(text=found.marrow.source_name, icon="FILE")
        if owner.type == "MESH":
            if owner.marrow.role == "shape":
                column.label(text=owner.marrow.shape_name or f"Shape {owner.marrow.shape_block}", icon="MESH_DATA")
            column.label(text=f"{len(owner.data.vertices)} vertices, {len(owner.vertex_groups)} bones")
            material = owner.active_material
            for name in [each for each in (material.get("textures", ()) if material else ()) if each][:3]:
                column.label(text=name, icon="TEXTURE")
        else:
            layout.operator("marrow.bind_mesh", icon="ARMATURE_DATA")
        layout.operator("marrow.export_body", icon="EXPORT", text="Export NIF")
        if found is not None:
            layout.operator("marrow.check_body", icon="CHECKMARK")
            if len(found.marrow.findings):
                panels.draw_findings(context, layout, found.marrow, "body")
                if checks.is_complete(checks.chosen_cure(found.marrow)):
                    layout.operator("marrow.fix_body", icon="TOOL_SETTINGS")


def _menu(self, context):
    self.layout.operator(MARROW_OT_export_body.bl_idname, text="Marrow NIF (.nif)")


_CLASSES = (MARROW_OT_export_body, MARROW_OT_bind_mesh, MARROW_OT_check_body, MARROW_OT_fix_body, MARROW_PT_body)
_REGISTRATION = Registration(_CLASSES, menus=[(bpy.types.TOPBAR_MT_file_export, _menu)])
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
