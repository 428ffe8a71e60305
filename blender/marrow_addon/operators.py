# SPDX-License-Identifier: MIT
"""Import, check and estimate as operators. Errors are reported in words."""
import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import armature, batch, bodies, checks, collision, control_rig, files, import_animation, notes, preferences, rig
from .package import marrow
from .properties import AXES, FILE_PATH, NAMING, UNITS
from .registration import Registration

_PATTERN = "*.hkx;*.nif;*.xml;*.hkt;*.bin;*.bsa;*.ba2"


def kind_of(document):
    """Returns how a file is imported: "rig", "nif", "collision" or "animation"."""
    if rig.is_rig(document):
        return "rig"
    if document.format == "nif":
        return "nif"
    # One skeleton beside collision is the ragdoll's own; a game's skeleton.hkx has that of its clips as well.
    is_collision = document.collision and not document.clips and len(document.skeletons) < 2
    return "collision" if is_collision else "animation"


class MARROW_OT_import_files(batch.StepsOperator, bpy.types.Operator, ImportHelper):
    """Import skeletons, clips, bodies, collision and rigs; several files at once, each clip an action. Archives open as folders"""

    bl_idname = "marrow.import_files"
    bl_label = "Import with Marrow"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filepath: FILE_PATH
    filter_glob: StringProperty(default=_PATTERN, options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    units: EnumProperty(name="Units", description="Length in Blender of one unit of the game", items=UNITS)
    axes: EnumProperty(name="Bones", description="How bones lie", items=AXES)
    naming: EnumProperty(name="Names", description="How bones of new armatures are called", items=NAMING)
    rate: EnumProperty(
        name="Rate",
        description="Frames per second of the scene",
        items=(
            ("clip", "The Clip's", "The scene takes the rate of the first clip"),
            ("scene", "The Scene's", "The scene keeps its rate; keys lie on its whole frames"),
        ),
    )
    only_moving: BoolProperty(name="Only Moving Channels", description="Channels that stay at rest get no curves")
    control_rig: BoolProperty(
        name="Control Rig",
        description="Armatures of humans get controls: inverse kinematics for arms, legs and spine, and root and hips. Export bakes them",
    )
    root_motion: EnumProperty(
        name="Root Motion",
        description="Where the way of the character goes",
        items=(
            ("object", "On the Object", "As curves of the armature object"),
            ("apart", "Kept Apart", "It stays in the file and is written back as it was"),
        ),
    )
    onto_active: BoolProperty(
        name="Onto the Active Armature", description="Clips become actions of the armature that is active", default=True
    )
    with_bodies: BoolProperty(name="Bodies", description="Import the visible shapes of NIF files, skinned to the armature", default=True)
    with_collision: BoolProperty(name="Collision", description="Import the collision of NIF files", default=True)
    textures: BoolProperty(name="Textures", description="Put textures that are found on the materials of bodies", default=True)
    data: StringProperty(
        name="Data", description="A folder that holds textures, as the games' Data; those near the body are found anyway", subtype="DIR_PATH"
    )
    with_ragdoll: BoolProperty(name="Ragdoll", description="Import the ragdoll of a skeleton as an armature, too")
    skeleton: StringProperty(
        name="Skeleton", description="The skeleton that the clips are for; by default the one near them", subtype="FILE_PATH"
    )
    second_skeleton: StringProperty(
        name="Second Skeleton", description="Of the second actor of a paired clip, if it is of another kind", subtype="FILE_PATH"
    )

    def invoke(self, context, event):
        self.take_defaults(context)
        if self.files and self.directory:  # dropped
            return self.execute(context)
        return ImportHelper.invoke(self, context, event)

    def execute(self, context):
        opened = [path for path in self.paths() if files.is_archive(path)]
        if opened:  # as folders: another list, of what is in it
            return bpy.ops.marrow.import_archive("INVOKE_DEFAULT", filepath=opened[0])
        return batch.StepsOperator.execute(self, context)

    def take_defaults(self, context):
        """Takes what was chosen in the scene or in the preferences, unless it was chosen here."""
        for name, value in preferences.defaults(context).items():
            if not self.properties.is_property_set(name):
                setattr(self, name, value)

    def paths(self):
        names = [each.name for each in self.files if each.name]
        return [os.path.join(self.directory, name) for name in names] if names else [self.filepath]

    def steps(self, context):
        self.take_defaults(context)
        paths = self.paths()
        self.made, self.notes = [], []
        self.fps = _rate_of(context.scene)
        return batch.Steps(len(paths), lambda steps: self.work(context, steps, paths))

    def work(self, context, steps, paths):
        rigs = []
        onto = self.active_armature(context)
        for path in paths:
            yield os.path.basename(path)
            try:
                loaded = files.load(path)
                kind = kind_of(loaded.document)
                if kind == "rig":
                    rigs.append(path)
                elif kind == "nif":
                    onto = self.import_nif(context, path, loaded, onto)
                elif kind == "collision":
                    self.made.append(collision.import_file(context, path, self.units, loaded).collection)
                else:
                    options = self.chosen()
                    options.rate = options.rate if not any(isinstance(each, bpy.types.Action) for each in self.made) else "scene"
                    out = import_animation.import_file(context, path, options, onto, loaded)
                    onto = onto or (out.armatures[0] if out.armatures and self.onto_active else None)
                    self.made.extend(out.actions or out.armatures)
                    self.notes.extend(out.notes)
            except Exception as error:  # shown in words; the other files go on
                steps.failures.append(_words(error, path))
        if rigs:
            try:
                main, addons = _base_first(rigs)
                self.made.append(rig.import_rig(context, main, addons, self.units, self.axes))
            except (marrow.Error, OSError) as error:
                steps.failures.append(_words(error, rigs[0]))

    def import_nif(self, context, path, loaded, onto):
        """Imports bodies and collision of a NIF. Returns the armature that further files go onto."""
        found = failure = None
        if self.with_collision:
            try:
                if loaded.document.collision:
                    found = collision.import_file(context, path, self.units, loaded).collection
                    self.made.append(found)
            except marrow.Error as error:  # the shapes can be good all the same
                failure = error
        if self.with_bodies and any(shape.triangle_count for shape in loaded.document.shapes()):
            options = bodies.BodyOptions(
                self.units, self.axes, self.naming, bpy.path.abspath(self.skeleton) if self.skeleton else "", self.textures, self.data
            )
            out = bodies.import_file(context, path, options, onto, loaded, found)
            self.notes.extend(out.notes)
            self.made.extend([] if found else [out.collection])
            found = out.collection
            onto = onto or (out.armature if self.onto_active else None)
        if failure is not None and found is None:
            raise failure
        if failure is not None and not isinstance(failure, marrow.NoCollisionError):  # cloth has no shapes of its own
            self.notes.append(f"{os.path.basename(path)}: its collision is left out: {notes.words(failure)}")
        if found is None:
            raise marrow.NotFoundError("there are neither visible shapes nor collision in the file", file=os.fspath(path))
        return onto

    def active_armature(self, context):
        """Returns the armature that clips go on, or None. One of another add-on counts if it has most of the bones."""
        owner = context.object
        if not self.onto_active or owner is None or owner.type != "ARMATURE":
            return None
        return owner

    def chosen(self):
        return import_animation.ImportOptions(
            units=self.units,
            axes=self.axes,
            root_motion=self.root_motion,
            with_ragdoll=self.with_ragdoll,
            skeleton=bpy.path.abspath(self.skeleton) if self.skeleton else "",
            second_skeleton=bpy.path.abspath(self.second_skeleton) if self.second_skeleton else "",
            naming=self.naming,
            rate=self.rate,
            only_moving=self.only_moving,
            control_rig=self.control_rig,
        )

    def finish(self, context):
        fps = _rate_of(context.scene)
        if abs(fps - self.fps) > 1e-6:
            like = "the clip does" if any(isinstance(each, bpy.types.Action) for each in self.made) else "the games' clips do"
            self.report({"INFO"}, f"The scene now has {fps:.4g} frames per second, as {like}; it had {self.fps:.4g}")
        notes.report(self, self.notes, "INFO")
        if self.made:
            self.report({"INFO"}, f"{len(self.made)} imported: {', '.join(each.name for each in self.made[:3])}")
        return bool(self.made)


def _rate_of(scene):
    return scene.render.fps / scene.render.fps_base


def _words(error, path):
    text = notes.words(error)
    if isinstance(error, marrow.NoSkeletonError):
        text += "; choose it as Skeleton, or select the armature that the clip is for"
    return text if os.path.basename(path) in text else f"{os.path.basename(path)}: {text}"


def _base_first(paths):
    """Returns the main skeleton and its addons, as merging them finds it."""
    if len(paths) == 1:
        return paths[0], []
    main = marrow.run("rig plan", [("base", paths[0]), ("addon", paths[1:])]).report["base"]["path"]
    return main, [path for path in paths if path != main]


class MARROW_OT_rename_bones(bpy.types.Operator):
    """Give the bones of the armature the game's names, or names that Blender mirrors by. Export writes the game's"""

    bl_idname = "marrow.rename_bones"
    bl_label = "Rename Bones"
    bl_options = {"REGISTER", "UNDO"}

    naming: EnumProperty(name="Names", description="How the bones are called", items=NAMING, default="blender")

    @classmethod
    def poll(cls, context):
        return armature.is_ours(context.object)

    def execute(self, context):
        try:
            count = armature.rename(context.object, self.naming)
        except (marrow.Error, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{count} bones renamed")
        return {"FINISHED"}


class MARROW_OT_add_control_rig(bpy.types.Operator):
    """Add controls to the armature: inverse kinematics for arms, legs and spine, and root and hips. They show the actions as they are; export bakes what they change"""

    bl_idname = "marrow.add_control_rig"
    bl_label = "Add Control Rig"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return armature.is_ours(context.object) and not control_rig.has_rig(context.object)

    def execute(self, context):
        try:
            made = control_rig.add(context, context.object)
        except (marrow.Error, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{len(made)} controls: {', '.join(each.partition(' ')[2] for each in made)}")
        return {"FINISHED"}


class MARROW_OT_remove_control_rig(bpy.types.Operator):
    """Write what the controls do into the curves of the game's bones, and remove the controls"""

    bl_idname = "marrow.remove_control_rig"
    bl_label = "Bake and Remove Control Rig"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return armature.is_ours(context.object) and control_rig.has_rig(context.object)

    def execute(self, context):
        try:
            count = control_rig.remove(context, context.object)
        except (marrow.Error, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{count} actions baked" if count else "No action was changed by a control")
        return {"FINISHED"}


class MARROW_OT_check(bpy.types.Operator):
    """Find what would crash, T-pose or jitter in the game. Choosing a finding selects its bone"""

    bl_idname = "marrow.check"
    bl_label = "Check"

    @classmethod
    def poll(cls, context):
        return armature.is_ours(context.object)

    def execute(self, context):
        try:
            count = checks.run(context, context.object)
        except (marrow.Error, OSError, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{count} findings" if count else "Nothing is wrong")
        return {"FINISHED"}


class MARROW_OT_fix(bpy.types.Operator):
    """Repair the chosen finding, and check again"""

    bl_idname = "marrow.fix"
    bl_label = "Fix"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return armature.is_ours(context.object) and checks.can_fix(context.object)

    def execute(self, context):
        try:
            count = checks.fix(context, context.object)
        except (marrow.Error, OSError, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{count} findings left" if count else "Nothing is wrong any more")
        return {"FINISHED"}


class MARROW_OT_estimate(bpy.types.Operator):
    """Encode the action within the bounds, without writing it: its size and its worst error"""

    bl_idname = "marrow.estimate"
    bl_label = "Estimate"

    @classmethod
    def poll(cls, context):
        owner = context.object
        return armature.is_ours(owner) and owner.animation_data is not None and owner.animation_data.action is not None

    def execute(self, context):
        kept, action = context.object.data.marrow, context.object.animation_data.action
        kept.estimate = ""
        try:
            kept.estimate, kept.estimate_of = checks.estimate(context, context.object), action.name
        except (marrow.Error, OSError, LookupError) as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def _menu(self, context):
    self.layout.operator(MARROW_OT_import_files.bl_idname, text="Marrow (.hkx, .nif, .xml, .bsa, .ba2)")


_CLASSES = [
    MARROW_OT_import_files,
    MARROW_OT_rename_bones,
    MARROW_OT_add_control_rig,
    MARROW_OT_remove_control_rig,
    MARROW_OT_check,
    MARROW_OT_fix,
    MARROW_OT_estimate,
]

if hasattr(bpy.types, "FileHandler"):
    from bpy_extras.io_utils import poll_file_object_drop

    class MARROW_FH_files(bpy.types.FileHandler):
        """Dropping files into the 3D view imports them; 4.1 and later"""

        bl_idname = "MARROW_FH_files"
        bl_label = "Marrow"
        bl_import_operator = "marrow.import_files"
        bl_file_extensions = ".hkx;.hkt;.nif;.xml;.bsa;.ba2"

        @classmethod
        def poll_drop(cls, context):
            return poll_file_object_drop(context)

    _CLASSES.append(MARROW_FH_files)

_REGISTRATION = Registration(_CLASSES, menus=[(bpy.types.TOPBAR_MT_file_import, _menu)])
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
