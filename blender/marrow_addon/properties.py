# SPDX-License-Identifier: MIT
"""What Marrow remembers in Blender's own data, and what the interface shows of it."""
import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, FloatVectorProperty
from bpy.props import IntProperty, PointerProperty, StringProperty

UNITS = (
    ("blender", "Blender (0.1)", "One unit of the game is 0.1 in Blender; what most files for these games use"),
    ("game", "Game", "One unit of the game is 1 in Blender"),
    ("metre", "Metres", "True size: a unit of Skyrim and Fallout 4 is 1.428 cm"),
)
AXES = (
    ("limbs", "Along Limbs", "Bones point at the next joint. Export turns them back"),
    ("game", "Game's Own", "Bones have exactly the axes of the game"),
)


class MarrowFinding(bpy.types.PropertyGroup):
    """A finding of check, as a row of the list."""

    level: StringProperty()
    code: StringProperty()
    message: StringProperty()
    where: StringProperty()
    bone: StringProperty()


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
    has_root: BoolProperty()
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
    rest_print: StringProperty()
    modifiers: CollectionProperty(type=MarrowModifier)
    active_modifier: IntProperty()
    addons: CollectionProperty(type=MarrowFile)
    findings: CollectionProperty(type=MarrowFinding)
    active_finding: IntProperty(update=lambda self, context: _select_finding(self, context))
    estimate: StringProperty()
    live_source: PointerProperty(type=bpy.types.Action)


def _select_finding(armature_record, context):
    """Selects the bone that the chosen finding is about."""
    from . import checks

    checks.select_bone(context, armature_record)


class MarrowBodyRecord(bpy.types.PropertyGroup):
    """A collision object: one body, or a child of a compound."""

    is_body: BoolProperty()
    role: StringProperty()
    system: IntProperty()
    body: IntProperty(default=-1)
    mesh_name: StringProperty()
    mesh_print: StringProperty()
    was: StringProperty()
    node: StringProperty(name="Node", description="Node of the NIF that the body moves")
    shape: EnumProperty(
        name="Shape",
        description="What the object becomes on export",
        items=tuple(
            (each, each.capitalize(), help)
            for each, help in (
                ("hull", "Convex hull of the vertices"),
                ("mesh", "The triangles as they are; static"),
                ("box", "The box around the vertices"),
                ("sphere", "The sphere around the vertices"),
                ("capsule", "The capsule around the vertices"),
                ("compound", "One hull per object below this one"),
                ("decompose", "Several hulls that together follow the mesh"),
            )
        ),
    )
    material: StringProperty(name="Material", description="wood, Material_Wood, or a CRC in hex")
    layer: StringProperty(name="Layer", description="STATIC, CLUTTER, WEAPON ... or a number")
    motion: EnumProperty(
        name="Motion",
        description="How it moves",
        items=(
            ("static", "Static", "Never moves"),
            ("keyframed", "Keyframed", "Moved by animation"),
            ("dynamic", "Dynamic", "Moved by physics"),
        ),
    )
    mass: FloatProperty(name="Mass", description="Kilograms; of a dynamic body", min=0.0, precision=3)
    friction: FloatProperty(name="Friction", description="0 is ice; the game's usual value is 0.5", min=0.0, default=0.5)
    restitution: FloatProperty(name="Restitution", description="0 does not bounce", min=0.0, default=0.4)


class MarrowCollisionRecord(bpy.types.PropertyGroup):
    """The file that collision came from; on the collection that holds its objects."""

    source: StringProperty()
    source_name: StringProperty()
    scale: FloatProperty(default=1.0)


class MarrowScene(bpy.types.PropertyGroup):
    """Choices that go with a scene."""

    units: EnumProperty(name="Units", description="Length in Blender of what is imported", items=UNITS)
    axes: EnumProperty(name="Bones", description="How bones lie", items=AXES)
    max_rotation_error: FloatProperty(
        name="Degrees", description="Largest rotation error of any bone relative to its parent", default=0.05, min=0.0, precision=3
    )
    max_position_error: FloatProperty(
        name="Units", description="Largest translation error of any bone relative to its parent", default=0.01, min=0.0, precision=3
    )
    live: BoolProperty(
        name="Live",
        description="Simulate the modifiers of the rig on the timeline, and again when a value changes",
        update=lambda self, context: _live_changed(context),
    )
    preset: EnumProperty(
        name="Preset",
        description="Modifiers for skeletons that have none of their own",
        items=tuple((each, each.capitalize(), "") for each in ("none", "ponytail", "cape", "chain", "hair", "pouch", "scabbard")),
        update=lambda self, context: _live_changed(context),
    )
    preset_bone: StringProperty(
        name="Bone", description="The first bone of the preset", update=lambda self, context: _live_changed(context)
    )
    wind: FloatVectorProperty(
        name="Wind", description="Metres per second", size=3, update=lambda self, context: _live_changed(context)
    )


def _live_changed(context):
    from . import live

    live.request(context)


_CLASSES = (
    MarrowFinding,
    MarrowActionRecord,
    MarrowModifierValue,
    MarrowModifier,
    MarrowFile,
    MarrowArmatureRecord,
    MarrowBodyRecord,
    MarrowCollisionRecord,
    MarrowScene,
)
_OWNERS = (
    (bpy.types.Action, MarrowActionRecord),
    (bpy.types.Armature, MarrowArmatureRecord),
    (bpy.types.Object, MarrowBodyRecord),
    (bpy.types.Collection, MarrowCollisionRecord),
    (bpy.types.Scene, MarrowScene),
)


def register():
    for each in _CLASSES:
        bpy.utils.register_class(each)
    for owner, group in _OWNERS:
        owner.marrow = PointerProperty(type=group)


def unregister():
    for owner, _ in _OWNERS:
        del owner.marrow
    for each in reversed(_CLASSES):
        bpy.utils.unregister_class(each)
