# SPDX-License-Identifier: MIT
"""What Marrow remembers in Blender's own data, and what the interface shows of it."""
import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, FloatVectorProperty
from bpy.props import IntProperty, PointerProperty, StringProperty

from . import described
from .registration import Registration

UNITS = (
    ("blender", "Blender", "One unit of the game is 0.1 in Blender; what most files for these games use"),
    ("game", "Game", "One unit of the game is 1 in Blender"),
    ("metre", "Metres", "True size: a unit of Skyrim and Fallout 4 is 1.428 cm"),
)
AXES = (
    ("limbs", "Along Limbs", "Bones point at the next joint. Export turns them back"),
    ("game", "Game's Own", "Bones have exactly the axes of the game"),
)
NAMING = (
    ("game", "The Game's", "Exactly as in the game: NPC L UpperArm [LUar]"),
    ("blender", "Blender's", "Names that X-mirror and paste flipped work with: UpperArm.L. Export writes the game's"),
)
#: Of operators with a file browser: presets keep options, not files.
FILE_PATH = StringProperty(name="File Path", maxlen=1024, subtype="FILE_PATH", options={"HIDDEN"})


class MarrowFinding(bpy.types.PropertyGroup):
    """A finding of check, as a row of the list."""

    level: StringProperty()
    code: StringProperty()
    message: StringProperty()
    where: StringProperty()
    bone: StringProperty()
    cure: StringProperty()  # JSON of the operation that repairs it, or empty


class MarrowActionRecord(bpy.types.PropertyGroup):
    """Where an action came from."""

    source: StringProperty()
    source_name: StringProperty()
    clip_index: IntProperty()
    actor: IntProperty()
    partner: PointerProperty(type=bpy.types.Action)
    frame_step: FloatProperty(default=1.0)
    fps: FloatProperty(default=30.0)
    prints: StringProperty()
    rig_print: StringProperty()
    has_root: BoolProperty()
    has_place: BoolProperty()
    has_floats: BoolProperty()
    blend: EnumProperty(
        name="Blend",
        description="How the game lays the clip over others",
        items=(
            ("normal", "Normal", "The clip is the pose"),
            ("additive", "Additive", "The clip is added to another pose (Fallout 4)"),
            ("additive-deprecated", "Additive (Skyrim)", "The clip is added to another pose, in the form that Skyrim has"),
        ),
    )


class MarrowPlanned(bpy.types.PropertyGroup):
    """A row of the export table: what would be written."""

    file: StringProperty()
    is_changed: BoolProperty()
    is_there: BoolProperty()  # a file of that name, which would be replaced
    byte_count: IntProperty()
    degrees: FloatProperty()
    distance: FloatProperty()
    fault: StringProperty()


class MarrowModifierValue(bpy.types.PropertyGroup):
    """A field of a bone modifier, as a number per component."""

    field: StringProperty()
    help: StringProperty()
    count: IntProperty(default=1)
    kind: StringProperty(default="number")

    def _changed(self, context):
        from . import live

        live.request(context)

    number: FloatProperty(name="Value", precision=4, update=_changed)
    vector: FloatVectorProperty(name="Value", size=4, precision=4, update=_changed)
    flag: BoolProperty(name="Value", update=_changed)
    was: StringProperty()


class MarrowModifier(bpy.types.PropertyGroup):
    """A bone modifier of a rig."""

    type: StringProperty()
    bone: StringProperty()
    index: IntProperty()
    is_shown: BoolProperty(name="Show Fields")
    values: CollectionProperty(type=MarrowModifierValue)


class MarrowFile(bpy.types.PropertyGroup):
    """An addon that was merged into a rig."""

    source: StringProperty()
    source_name: StringProperty()


class MarrowArmatureRecord(bpy.types.PropertyGroup):
    """Where an armature came from."""

    source: StringProperty()
    source_name: StringProperty()
    skeleton_index: IntProperty()
    game: StringProperty()
    kind: StringProperty()
    scale: FloatProperty(default=1.0)
    axes: StringProperty()
    drawn: StringProperty()  # the rest matrices of its bones when it was made
    rest_print: StringProperty()
    modifiers: CollectionProperty(type=MarrowModifier)
    active_modifier: IntProperty()
    addons: CollectionProperty(type=MarrowFile)
    findings: CollectionProperty(type=MarrowFinding)
    active_finding: IntProperty(update=lambda self, context: _select_finding(self, context))
    findings_of: StringProperty()  # the action that was checked; empty for the skeleton
    is_checked: BoolProperty()
    estimate: StringProperty()
    estimate_of: StringProperty()
    live_source: PointerProperty(type=bpy.types.Action)


def _select_finding(armature_record, context):
    """Selects the bone that the chosen finding is about."""
    from . import checks

    checks.select_bone(context, armature_record)


class MarrowScene(bpy.types.PropertyGroup):
    """Choices that go with a scene."""

    units: EnumProperty(name="Units", description="Length in Blender of what is imported", items=UNITS)
    axes: EnumProperty(name="Bones", description="How bones lie", items=AXES)
    naming: EnumProperty(name="Names", description="How bones of new armatures are called", items=NAMING)
    folder: StringProperty(name="Folder", description="Where the files of all actions go", subtype="DIR_PATH")
    plan: CollectionProperty(type=MarrowPlanned)
    plan_of: StringProperty()  # the armature whose actions it lists
    active_planned: IntProperty()
    max_rotation_error: described.property_of("compress", "max_rotation_error", name="Degrees")
    max_position_error: described.property_of("compress", "max_position_error", name="Units")
    live: BoolProperty(
        name="Live",
        description="Simulate the modifiers of the rig on the timeline, and again when a value changes",
        update=lambda self, context: _live_changed(context),
    )
    live_note: StringProperty()
    preset: EnumProperty(
        name="Preset",
        description=described.tooltip(described.input_of("simulate", "modifiers")),
        items=tuple((each, each.capitalize(), "") for each in ("none", *described.input_of("simulate", "modifiers")["presets"])),
        update=lambda self, context: _live_changed(context),
    )
    preset_bone: described.property_of("simulate", "bone", update=lambda self, context: _live_changed(context))
    wind: described.property_of("simulate", "wind", precision=2, update=lambda self, context: _live_changed(context))
    gusts: described.property_of("simulate", "gusts", precision=2, update=lambda self, context: _live_changed(context))
    gravity: described.property_of("simulate", "gravity", precision=2, update=lambda self, context: _live_changed(context))


def _live_changed(context):
    from . import live

    live.request(context)


_CLASSES = (
    MarrowFinding,
    MarrowPlanned,
    MarrowActionRecord,
    MarrowModifierValue,
    MarrowModifier,
    MarrowFile,
    MarrowArmatureRecord,
    MarrowScene,
)
_OWNERS = (
    (bpy.types.Action, MarrowActionRecord),
    (bpy.types.Armature, MarrowArmatureRecord),
    (bpy.types.Scene, MarrowScene),
)
_REGISTRATION = Registration(_CLASSES, _OWNERS)
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
