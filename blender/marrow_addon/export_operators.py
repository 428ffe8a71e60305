# SPDX-License-Identifier: MIT
"""Export of actions and skeletons as operators."""
import os

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from . import batch, curves, described, export_animation, rig, skeleton_export
from .files import write_file
from .package import marrow
from .properties import FILE_PATH
from .registration import Registration

_GAMES = (
    ("", "As Imported", "The game of the original"),
    ("skyrim-le", "Skyrim LE", "Oldrim, 32 bit"),
    ("skyrim-se", "Skyrim SE", "Special and Anniversary Edition, 64 bit"),
    ("fallout4", "Fallout 4", ""),
)


def _game_items():
    return tuple((name or "original", label, help) for name, label, help in _GAMES)


class _Bounds:
    """The options of `compress`, as a base of operators."""


_Bounds.__annotations__ = described.properties_of("compress")


class MARROW_OT_export_animation(_Bounds, batch.StepsOperator, bpy.types.Operator, ExportHelper):
    """Export the action of the active armature, or all its actions, each a file. What was not touched is written back as it was"""

    bl_idname = "marrow.export_animation"
    bl_label = "Export Animation with Marrow"
    bl_options = {"REGISTER", "PRESET"}
    filename_ext = ".hkx"

    filepath: FILE_PATH
    filter_glob: StringProperty(default="*.hkx;*.xml;*.glb", options={"HIDDEN"})
    what: EnumProperty(
        name="Export",
        description="What to write",
        items=(("action", "Action", "The action that is shown"), ("all", "All Actions", "Every action of the armature, each a file in the folder")),
    )
    game: described.property_of("convert", "to", name="Game", items=_game_items())
    tracks: EnumProperty(
        name="Bones",
        description="Which bones get a track",
        items=(
            ("original", "As Imported", "Those of the original, in its order; all bones of a new action"),
            ("keyed", "Keyed", "Only bones with curves"),
            ("selected", "Selected", "Only bones that are selected"),
        ),
    )
    motion: EnumProperty(
        name="Motion",
        description="What is written",
        items=(
            ("curves", "Curves", "The action itself, exactly"),
            ("seen", "As Seen", "Every frame as it is seen, with constraints, drivers and layers"),
        ),
    )
    blend: EnumProperty(
        name="Blend",
        description="How the game lays the clip over others",
        items=(
            ("action", "As the Action Says", ""),
            ("normal", "Normal", "The clip is the pose"),
            ("additive", "Additive", "Differences from the rest pose (Fallout 4)"),
            ("additive-deprecated", "Additive (Skyrim)", "Differences from the rest pose, in the form that Skyrim has"),
        ),
    )
    lock_translations: BoolProperty(
        name="Keep Locked Translations",
        description="Bones whose translation the game takes from the rest pose get it",
        default=True,
    )
    encode: BoolProperty(name="Encode Again", description="Encode all tracks within the bounds below", default=False)

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "ARMATURE"

    def invoke(self, context, event):
        action = context.object.animation_data.action if context.object.animation_data else None
        if action is not None and not self.filepath:
            self.filepath = action.marrow.source_name or bpy.path.clean_name(action.name) + ".hkx"
        return ExportHelper.invoke(self, context, event)

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        for name in ("what", "game", "tracks", "motion", "blend", "lock_translations", "encode"):
            layout.prop(self, name)
        column = layout.column()
        column.enabled = self.encode
        for name in _Bounds.__annotations__:
            column.prop(self, name)

    def chosen(self):
        bounds = {}
        if self.encode:
            for name in _Bounds.__annotations__:
                value = getattr(self, name)
                if not (name == "max_model_error" and value == 0.0):
                    bounds[name] = value
            if self.uncompressed:
                bounds = {"uncompressed": True}
        return export_animation.ExportOptions(
            game="" if self.game == "original" else self.game,
            tracks=self.tracks,
            motion=self.motion,
            blend="" if self.blend == "action" else self.blend,
            lock_translations=self.lock_translations,
            bounds=bounds,
        )

    def steps(self, context):
        owner = context.object
        shown = owner.animation_data.action if owner.animation_data else None
        if self.what == "action" and shown is None:
            raise marrow.OptionError("the armature shows no action; choose one in the action editor")
        work = [(shown, self.filepath)]
        if self.what == "all":
            folder = self.filepath if os.path.isdir(self.filepath) else os.path.dirname(self.filepath)
            work = [
                (action, os.path.join(folder, action.marrow.source_name or bpy.path.clean_name(action.name) + ".hkx"))
                for action in bpy.data.actions
                if _moves(action, owner) and action.marrow.actor == 0
            ]
        self.written, self.originals, self.notes = 0, 0, []
        return batch.Steps(len(work), lambda steps: self.work(context, steps, owner, work))

    def work(self, context, steps, owner, work):
        options = self.chosen()
        for action, path in work:
            yield os.path.basename(path)
            try:
                out = export_animation.write(context, owner, action, options, path)
                self.written += 1
                self.originals += out.is_original
                self.notes.extend(out.notes)
            except (marrow.Error, OSError, KeyError) as error:
                steps.failures.append(f"{action.name}: {error}")

    def finish(self, context):
        for note in self.notes[:3]:
            self.report({"WARNING"}, note)
        if self.written:
            same = f", {self.originals} of them as they were" if self.originals else ""
            self.report({"INFO"}, f"{self.written} written{same}")
        return bool(self.written)


def _moves(action, owner):
    """True if an action moves a bone of an armature."""
    names = {f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"]' for bone in owner.data.bones}
    return any(curve.data_path.rpartition(".")[0] in names for curve in curves.all_curves(action))


class MARROW_OT_export_skeleton(bpy.types.Operator, ExportHelper):
    """Export the skeleton of the active armature: .hkx, or the XML of an Anvil rig with its modifiers"""

    bl_idname = "marrow.export_skeleton"
    bl_label = "Export Skeleton with Marrow"
    bl_options = {"REGISTER", "PRESET"}
    filename_ext = ".xml"

    filepath: FILE_PATH
    filter_glob: StringProperty(default="*.xml;*.hkx", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "ARMATURE"

    def check(self, context):
        return False

    def execute(self, context):
        try:
            owner = context.object
            if owner.data.marrow.kind == "anvil":
                out = rig.export_rig(owner)
            else:
                out = skeleton_export.export_skeleton(owner, self.filepath)
            write_file(self.filepath, out.data)
        except (marrow.Error, OSError, KeyError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for note in out.notes:
            self.report({"WARNING"}, note)
        self.report({"INFO"}, f"{os.path.basename(self.filepath)}: {_what_changed(out)}")
        return {"FINISHED"}


def _what_changed(out):
    """Returns in words how a skeleton differs from the file that it came from."""
    if out.is_original:
        return "as it was"
    more = f" and {len(out.changed) - 4} more" if len(out.changed) > 4 else ""
    return (", ".join(out.changed[:4]) + more + " changed") if out.changed else "written"


def _menu(self, context):
    layout = self.layout
    layout.operator(MARROW_OT_export_animation.bl_idname, text="Marrow Animation (.hkx)")
    layout.operator(MARROW_OT_export_skeleton.bl_idname, text="Marrow Skeleton (.xml, .hkx)")


_CLASSES = (MARROW_OT_export_animation, MARROW_OT_export_skeleton)
_REGISTRATION = Registration(_CLASSES, menus=[(bpy.types.TOPBAR_MT_file_export, _menu)])
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
