# SPDX-License-Identifier: MIT
"""Export of actions and skeletons as operators."""
from dataclasses import dataclass
import os

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from . import batch, curves, described, export_animation, live, notes, rig, skeleton_export
from .export_file import ExportFile
from .files import extension_of, write_file
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


class _Choices(_Bounds):
    """What can be chosen about the clips to write, as a base of operators."""


_Choices.__annotations__ = {
    "what": EnumProperty(
        name="Export",
        description="What to write",
        items=(
            ("action", "Action", "The action that is shown"),
            ("all", "All Actions", "Every action of the armature, each a file in the folder, called like the action"),
            ("strips", "NLA Strips", "Every strip that is not muted, each a file in the folder, called like the strip"),
        ),
    ),
    "game": described.property_of("convert", "to", name="Game", items=_game_items()),
    "tracks": EnumProperty(
        name="Bones",
        description="Which bones get a track",
        items=(
            ("original", "As Imported", "Those of the original, in its order; all bones of a new action"),
            ("keyed", "Keyed", "Only bones with curves"),
            ("selected", "Selected", "Only bones that are selected"),
        ),
    ),
    "motion": EnumProperty(
        name="Motion",
        description="What is written",
        items=(
            ("curves", "Curves", "The action itself, exactly"),
            ("seen", "As Seen", "Every frame as it is seen, with constraints, drivers, layers and strips"),
        ),
    ),
    "blend": EnumProperty(
        name="Blend",
        description="How the game lays the clip over others",
        items=(
            ("action", "As the Action Says", ""),
            ("normal", "Normal", "The clip is the pose"),
            ("additive", "Additive", "Differences from the rest pose (Fallout 4)"),
            ("additive-deprecated", "Additive (Skyrim)", "Differences from the rest pose, in the form that Skyrim has"),
        ),
    ),
    "rate": FloatProperty(
        name="Rate",
        description="Frames per second of the clip; 0 for those of the original, and of the scene for a new action",
        min=0.0,
        max=1000.0,
    ),
    "markers": EnumProperty(
        name="Timeline Markers",
        description="Whether markers of the timeline are events of the action that is shown",
        items=(
            ("missing", "If It Has None", "They are, if the action has no markers of its own"),
            ("always", "Always", "They are, beside those of the action"),
            ("never", "Never", "Only markers of the action are events"),
        ),
    ),
    "lock_translations": BoolProperty(
        name="Keep Locked Translations",
        description="Bones whose translation the game takes from the rest pose get it",
        default=True,
    ),
    "skeleton": StringProperty(
        name="Skeleton",
        description="The game's skeleton, for armatures of other add-ons: the order, names and axes of its bones",
        subtype="FILE_PATH",
    ),
    "encode": BoolProperty(name="Encode Again", description="Encode all tracks within the bounds below", default=False),
    **described.properties_of("compress"),
}
_SHOWN = ("what", "game", "tracks", "motion", "blend", "rate", "markers", "lock_translations", "skeleton", "encode")


def _options(self):
    """Returns the options of an export as they were chosen."""
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
        rate=self.rate,
        markers=self.markers,
        skeleton=bpy.path.abspath(self.skeleton) if self.skeleton else "",
    )


@dataclass
class _Job:
    """One file to write: an action, a strip with its track, or, without both, what all strips show."""

    name: str
    path: str
    action: object = None
    track: object = None
    strip: object = None

    def export(self, context, owner, options):
        if self.strip is not None:
            return export_animation.export_strip(context, owner, self.track, self.strip, options, self.path)
        return export_animation.export_action(context, owner, self.action, options, self.path)


def _jobs(owner, what, target):
    """Returns what an export writes, and where. Raises `marrow.OptionError` if two files would have one name."""
    data = owner.animation_data
    shown = data.action if data else None
    if what == "action":
        return [_Job(shown.name if shown is not None else owner.name, target, shown)]
    folder = target if os.path.isdir(target) else os.path.dirname(target)
    out = []
    if what == "strips":
        for track in data.nla_tracks if data else ():
            for strip in track.strips:
                if not track.mute and not strip.mute and strip.action is not None:
                    out.append(_Job(strip.name, "", None, track, strip))
    else:
        out = [_Job(each.name, "", each) for each in bpy.data.actions if _is_of(each, owner) and each.marrow.actor == 0]
    if not out:
        raise marrow.OptionError("the armature has no strips" if what == "strips" else "no action moves a bone of the armature")
    taken = {}
    for job in out:
        job.path = os.path.join(folder, (marrow.file_name(job.strip.name) if job.strip is not None else _name_of(job.action)) + ".hkx")
        other = taken.setdefault(job.path.lower(), job)
        if other is not job:
            names = f"{other.name!r} and {job.name!r} would both be {os.path.basename(job.path)!r}"
            raise marrow.OptionError(f"{names}; rename one of them", path="what")
    return out


def _name_of(action):
    """Returns what the file of an action is called, without extension: as the action, or as their file for the two of a
    pair that have the names that import gave them."""
    kept = action.marrow
    stem = os.path.splitext(kept.source_name)[0]
    is_of_pair = kept.partner is not None and action.name == f"{stem}.{kept.actor + 1}"
    is_cut = len(stem.encode()) > curves.MOST_NAME and stem.encode().startswith(action.name.encode())
    return marrow.file_name(stem if is_of_pair or is_cut else action.name)


class MARROW_OT_export_animation(_Choices, batch.StepsOperator, bpy.types.Operator, ExportFile):
    """Export the action of the active armature, or all its actions or strips, each a file. What was not touched is written back as it was"""

    bl_idname = "marrow.export_animation"
    bl_label = "Export Animation with Marrow"
    bl_options = {"REGISTER", "PRESET"}
    filename_ext = ".hkx"
    extensions = (".hkx", ".xml", ".hkt", ".glb", ".gltf")

    filepath: FILE_PATH
    filter_glob: StringProperty(default="*.hkx;*.xml;*.hkt;*.glb", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "ARMATURE"

    def suggestion(self, context):
        data = context.object.animation_data
        if data is None or data.action is None:
            return marrow.file_name(context.object.name) + self.filename_ext
        return _name_of(data.action) + (extension_of(data.action.marrow.source_name) or self.filename_ext)

    def draw(self, context):
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        for name in _SHOWN:
            layout.prop(self, name)
        column = layout.column()
        column.enabled = self.encode
        column.label(text="Largest error")
        for name in _Bounds.__annotations__:
            label = name.removeprefix("max_").removesuffix("_error").replace("_", " ").title()
            column.prop(self, name, text=label)

    def steps(self, context):
        owner = context.object
        if self.what == "action":
            self.refuse_other_formats(context)
        work = _jobs(owner, self.what, bpy.path.abspath(self.filepath))
        self.written, self.originals, self.notes = 0, 0, []
        return batch.Steps(len(work), lambda steps: self.work(context, steps, owner, work))

    def work(self, context, steps, owner, work):
        options = _options(self)
        for job in work:
            yield os.path.basename(job.path)
            try:
                out = job.export(context, owner, options)
                write_file(job.path, out.data)
                self.written += 1
                self.originals += out.is_original
                self.notes.extend(out.notes)
            except Exception as error:  # shown in words; the other clips go on
                steps.failures.append(f"{job.name}: {notes.words(error)}")

    def finish(self, context):
        notes.report(self, self.notes)
        if self.written:
            same = f", {self.originals} of them as they were" if self.originals else ""
            failed = f", {len(self._steps.failures)} failed" if self._steps.failures else ""
            self.report({"INFO"}, f"{self.written} written{same}{failed}")
        return bool(self.written)


class MARROW_OT_plan_export(_Choices, batch.StepsOperator, bpy.types.Operator):
    """List what an export of all actions would write: file, whether it differs from the original, size and worst error"""

    bl_idname = "marrow.plan_export"
    bl_label = "List All Actions"
    poll = MARROW_OT_export_animation.poll

    def steps(self, context):
        if not self.properties.is_property_set("what"):
            self.what = "all"
        plan = context.scene.marrow.plan
        plan.clear()
        context.scene.marrow.plan_of = context.object.name
        folder = bpy.path.abspath(context.scene.marrow.folder) or os.getcwd()
        work = _jobs(context.object, self.what, os.path.join(folder, "x"))
        return batch.Steps(len(work), lambda steps: self.work(context, plan, context.object, work))

    def work(self, context, plan, owner, work):
        options = _options(self)
        for job in work:
            yield job.name
            row = plan.add()
            row.name, row.file, row.is_there = job.name, os.path.basename(job.path), os.path.lexists(job.path)
            try:
                out = job.export(context, owner, options)
                row.is_changed, row.byte_count = not out.is_original, len(out.data)
                row.degrees, row.distance = export_animation.worst_error(out)
            except Exception as error:
                row.fault = notes.words(error)

    def finish(self, context):
        plan = context.scene.marrow.plan
        changed, faults = sum(each.is_changed for each in plan), sum(bool(each.fault) for each in plan)
        wrong = f", {faults} cannot be written" if faults else ""
        self.report({"INFO"}, f"{len(plan)} clips: {changed} changed{wrong}")
        return True


def _is_of(action, owner):
    """True if an action moves a bone of an armature and is not the action, or the preview, of another one alone."""
    if action.name.endswith(live.SUFFIX) or not _moves(action, owner):
        return False
    users = [
        each
        for each in bpy.data.objects
        if each.animation_data is not None and each.animation_data.action == action and each.type == "ARMATURE"
    ]
    return not users or owner in users


def _moves(action, owner):
    """True if an action moves a bone of an armature."""
    names = {f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"]' for bone in owner.data.bones}
    return any(curve.data_path.rpartition(".")[0] in names for curve in curves.all_curves(action))


class MARROW_OT_export_skeleton(bpy.types.Operator, ExportFile):
    """Export the skeleton of the active armature: .hkx, or the XML of an Anvil rig with its modifiers"""

    bl_idname = "marrow.export_skeleton"
    bl_label = "Export Skeleton with Marrow"
    bl_options = {"REGISTER", "PRESET"}
    filename_ext = ".hkx"
    extensions = (".hkx", ".xml", ".hkt")

    filepath: FILE_PATH
    filter_glob: StringProperty(default="*.xml;*.hkx;*.hkt", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "ARMATURE"

    def suggestion(self, context):
        kept = context.object.data.marrow
        return kept.source_name or marrow.file_name(context.object.name) + self.filename_ext

    def execute(self, context):
        try:
            owner = context.object
            self.refuse_other_formats(context)
            if owner.data.marrow.kind == "anvil":
                out = rig.export_rig(owner)
            else:
                out = skeleton_export.export_skeleton(owner, self.filepath)
            write_file(self.filepath, out.data)
        except (marrow.Error, OSError, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        notes.report(self, out.notes)
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
    layout.operator(MARROW_OT_export_animation.bl_idname, text="Marrow Animation (.hkx)").what = "action"
    layout.operator(MARROW_OT_export_skeleton.bl_idname, text="Marrow Skeleton (.xml, .hkx)")


_CLASSES = (MARROW_OT_export_animation, MARROW_OT_plan_export, MARROW_OT_export_skeleton)
_REGISTRATION = Registration(_CLASSES, menus=[(bpy.types.TOPBAR_MT_file_export, _menu)])
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
