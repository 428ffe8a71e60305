# SPDX-License-Identifier: MIT
"""Export of collision, and new joints, as operators."""
import os

import bpy
from bpy.props import BoolProperty, StringProperty

from . import collision, collision_build, described, joints, nif_export, notes
from .export_file import ExportFile
from .files import write_file
from .package import marrow
from .properties import FILE_PATH
from .registration import Registration


class _BuildOptions:
    """Options of `collision build`, as a base of operators."""


_BuildOptions.__annotations__ = described.properties_of("collision build", collision_build.OPTIONS)


class MARROW_OT_export_collision(_BuildOptions, bpy.types.Operator, ExportFile):
    """Export the collision that the active object belongs to, or build new collision from the selected objects"""

    bl_idname = "marrow.export_collision"
    bl_label = "Export Collision with Marrow"
    bl_options = {"REGISTER", "PRESET"}
    filename_ext = ".nif"
    extensions = (".nif", ".hkx")

    filepath: FILE_PATH
    filter_glob: StringProperty(default="*.nif;*.hkx", options={"HIDDEN"})
    into: StringProperty(
        name="Into NIF",
        description="New collision goes into this NIF, which is changed only there; by default the file that is chosen, if it exists",
        subtype="FILE_PATH",
    )
    node: described.property_of("collision attach", "node", description="Node of the NIF for objects that name none of their own")
    check_existing: BoolProperty(default=True, options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type in ("MESH", "EMPTY")

    def suggestion(self, context):
        found = collision.collection_of(context.object)
        return found.marrow.source_name if found is not None else ""

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        found = collision.collection_of(context.object)
        if found is not None:
            layout.label(text=f"Goes back into {found.marrow.source_name}", icon="FILE")
            return
        for name in ("into", "node", *_BuildOptions.__annotations__):
            layout.prop(self, name)

    def execute(self, context):
        try:
            self.refuse_other_formats(context)
            data, words = self.made(context)
            write_file(self.filepath, data)
        except (marrow.Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{os.path.basename(self.filepath)}: {words}")
        return {"FINISHED"}

    def made(self, context):
        """Returns the file, and what it is in words."""
        found = collision.collection_of(context.object)
        if found is not None:
            out = nif_export.export_collection(found)
            notes.report(self, out.notes)
            return out.data, nif_export.words_of(out)
        objects = context.selected_objects or [context.object]
        scale = marrow.blender.unit_scale(context.scene.marrow.units, 0.01428)
        options = {name: getattr(self, name) for name in _BuildOptions.__annotations__}
        into = bpy.path.abspath(self.into) if self.into else self.filepath
        if self.into or (into.lower().endswith(".nif") and os.path.isfile(into)):
            with open(into, "rb") as file:
                return collision_build.build_into(file.read(), objects, scale, self.node, options), "built"
        if into.lower().endswith(".nif"):
            raise marrow.OptionError("new collision goes into a NIF that exists (Into NIF), or into a file .hkx", path="into")
        return collision_build.build(objects, scale, options), "built"


class MARROW_OT_add_joint(bpy.types.Operator):
    """Join the active body to the other one that is selected, or to the world"""

    bl_idname = "marrow.add_joint"
    bl_label = "Add Joint"
    bl_options = {"REGISTER", "UNDO"}

    kind: described.property_of("collision add-joint", "kind")

    @classmethod
    def poll(cls, context):
        owner = context.object
        return owner is not None and owner.type in ("MESH", "EMPTY") and owner.marrow.role in ("", "body")

    def execute(self, context):
        body = context.object
        to = next((each for each in context.selected_objects if each != body and each.marrow.role in ("", "body")), None)
        found = collision.collection_of(body)
        scale = found.marrow.scale if found is not None else marrow.blender.unit_scale(context.scene.marrow.units, 0.01428)
        made = joints.new(found or body.users_collection[0], body, to, scale)
        made.name = f"{self.kind} {body.name}"
        made.marrow.joint.kind = self.kind
        made.location = body.matrix_world.translation
        made.rotation_quaternion = body.matrix_world.to_quaternion()
        for each in context.selected_objects:
            each.select_set(False)
        made.select_set(True)
        context.view_layer.objects.active = made
        return {"FINISHED"}


def _menu(self, context):
    self.layout.operator(MARROW_OT_export_collision.bl_idname, text="Marrow Collision (.nif, .hkx)")


_CLASSES = (MARROW_OT_export_collision, MARROW_OT_add_joint)
_REGISTRATION = Registration(_CLASSES, menus=[(bpy.types.TOPBAR_MT_file_export, _menu)])
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
