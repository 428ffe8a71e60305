# SPDX-License-Identifier: MIT
"""Archives as folders: a list of what is in one, to choose from."""
import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty, PointerProperty, StringProperty

from . import notes
from .package import marrow
from .properties import FILE_PATH
from .registration import Registration

#: What of an archive can be imported.
_KINDS = (".hkx", ".nif", ".xml")


class MarrowEntry(bpy.types.PropertyGroup):
    """A file of the archive; `name` is its path there."""

    is_chosen: BoolProperty(name="Import", description="Import this file")
    size: IntProperty()


class MarrowArchiveList(bpy.types.PropertyGroup):
    """The archive that is shown."""

    path: StringProperty()
    entries: CollectionProperty(type=MarrowEntry)
    active: IntProperty()


def entries_of(path, match=""):
    """Returns the entries of an archive that can be imported, of those that match."""
    with marrow.Archive(path) as archive:
        rows = archive.match(match) if match else list(archive)
        return sorted((each.path, each.size) for each in rows if each.path.lower().endswith(_KINDS))


def show(context, path, match=""):
    """Lists an archive."""
    shown = context.window_manager.marrow
    shown.path = ""
    shown.entries.clear()
    for name, size in entries_of(path, match):
        row = shown.entries.add()
        row.name, row.size = name, min(size, 2**31 - 1)
    shown.path = path


class MARROW_UL_entries(bpy.types.UIList):
    """The list has Blender's own filter by name, below it"""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        row = layout.row()
        row.prop(item, "is_chosen", text="")
        row.label(text=item.name, icon="MESH_DATA" if item.name.lower().endswith(".nif") else "ANIM")
        size = row.row()
        size.alignment = "RIGHT"
        size.label(text=f"{item.size / 1024:,.0f} KB")


class MARROW_OT_import_archive(bpy.types.Operator):
    """Choose files of a BSA or BA2 archive and import them"""

    bl_idname = "marrow.import_archive"
    bl_label = "Import from Archive"
    bl_options = {"REGISTER", "UNDO"}

    filepath: FILE_PATH
    match: StringProperty(name="Match", description="Without the list: import what matches, such as *character assets/*.nif")

    def invoke(self, context, event):
        try:
            show(context, self.filepath, self.match)
        except (marrow.Error, OSError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self, width=640)

    def draw(self, context):
        shown = context.window_manager.marrow
        self.layout.label(text=f"{os.path.basename(self.filepath)}: {len(shown.entries)} files", icon="PACKAGE")
        self.layout.template_list("MARROW_UL_entries", "", shown, "entries", shown, "active", rows=14)

    def execute(self, context):
        shown = context.window_manager.marrow
        try:
            if self.match:
                chosen = [path for path, _ in entries_of(self.filepath, self.match)]
            elif shown.path != self.filepath:  # without a window: list now, choose, and run again
                show(context, self.filepath)
                self.report({"INFO"}, f"{len(shown.entries)} files are listed; choose some of them")
                return {"FINISHED"}
            else:
                chosen = [each.name for each in shown.entries if each.is_chosen]
        except (marrow.Error, OSError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        if not chosen:
            self.report({"ERROR"}, "no file of the archive is chosen")
            return {"CANCELLED"}
        try:
            return bpy.ops.marrow.import_files("EXEC_DEFAULT", directory=self.filepath, files=[{"name": each} for each in chosen])
        except RuntimeError as error:  # what the import reports
            self.report({"ERROR"}, str(error).strip().removeprefix("Error: "))
            return {"CANCELLED"}


_CLASSES = (MarrowEntry, MarrowArchiveList, MARROW_UL_entries, MARROW_OT_import_archive)
_REGISTRATION = Registration(_CLASSES, owners=[(bpy.types.WindowManager, MarrowArchiveList)])
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
