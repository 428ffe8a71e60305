# SPDX-License-Identifier: MIT
"""What Marrow remembers of collision: bodies, their children, joints, and the file that they came from."""
import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty
from bpy.props import StringProperty

from . import described, properties
from .registration import Registration

SHAPES = (
    ("hull", "Hull", "Convex hull of the vertices"),
    ("mesh", "Mesh", "The triangles as they are; static"),
    ("box", "Box", "The box around the vertices"),
    ("sphere", "Sphere", "The sphere around the vertices"),
    ("capsule", "Capsule", "The capsule around the vertices"),
    ("cylinder", "Cylinder", "The cylinder around the vertices, as a hull"),
    ("compound", "Compound", "One hull per object below this one"),
    ("decompose", "Decompose", "Several hulls that together follow the mesh"),
)
MOTIONS = (
    ("static", "Static", "Never moves"),
    ("keyframed", "Keyframed", "Moved by animation"),
    ("dynamic", "Dynamic", "Moved by physics"),
    ("phantom", "Phantom", "A shape of Skyrim that notices what touches it, and moves nothing"),
)
_KINDS = (
    ("ball", "Ball", "Turns every way"),
    ("hinge", "Hinge", "Turns about its X axis"),
    ("limited-hinge", "Limited Hinge", "Turns about its X axis, within an angle"),
    ("ragdoll", "Ragdoll", "Swings within a cone and twists about its X axis, as a limb does"),
    ("prismatic", "Prismatic", "Slides along its X axis"),
    ("fixed", "Fixed", "Does not move"),
    ("other", "Other", "Of a class that cannot be edited; it is written back as it was"),
)


def _of_joint(option, **changed):
    precision = {"precision": 2} if option in ("twist", "cone", "plane", "angle", "distance") else {}
    return described.property_of("collision set-joint", option, **precision, **changed)


class MarrowJointRecord(bpy.types.PropertyGroup):
    """A joint: an empty whose origin is the pivot and whose X and Y are the axis and the normal."""

    block: IntProperty(default=-1)
    number: IntProperty(default=-1)
    was: StringProperty()
    place: StringProperty()
    body: PointerProperty(type=bpy.types.Object, name="Body", description="The body that hangs on the other")
    to: PointerProperty(type=bpy.types.Object, name="Hangs On", description="The other body; the world if it is empty")
    kind: _of_joint("kind", items=_KINDS)
    twist: _of_joint("twist", default=(-15.0, 15.0), min=-180.0, max=180.0)
    cone: _of_joint("cone", default=30.0)
    plane: _of_joint("plane", default=(-20.0, 20.0), min=-180.0, max=180.0)
    angle: _of_joint("angle", default=(-45.0, 45.0), min=-180.0, max=180.0)
    distance: _of_joint("distance", default=(0.0, 10.0))
    friction: _of_joint("friction")
    break_threshold: _of_joint("break_threshold")
    stabilized: _of_joint("stabilized")
    motor: _of_joint("motor", name="Motors")
    motor_kind: _of_joint("motor_kind")
    motor_min_force: _of_joint("motor_min_force", default=-1e6)
    motor_max_force: _of_joint("motor_max_force", default=100.0)
    motor_stiffness: _of_joint("motor_stiffness", default=0.8)
    motor_damping: _of_joint("motor_damping", default=1.0)


class MarrowBodyRecord(bpy.types.PropertyGroup):
    """An object of a NIF: a collision body, a child of a compound, a joint, or a visible shape."""

    is_body: BoolProperty()
    role: StringProperty()
    system: IntProperty()
    block: IntProperty(default=-1)
    body: IntProperty(default=-1)
    mesh_name: StringProperty()
    mesh_print: StringProperty()
    was: StringProperty()
    shape_block: IntProperty(default=-1)
    shape_name: StringProperty()
    shape_place: StringProperty()
    joint: PointerProperty(type=MarrowJointRecord)
    node: StringProperty(name="Node", description="Node of the NIF that the body moves")
    shape: EnumProperty(name="Shape", description="What the object becomes on export", items=SHAPES)
    material: described.property_of("collision set", "material")
    layer: described.property_of("collision set", "layer")
    motion: described.property_of("collision set", "motion", items=MOTIONS)
    mass: described.property_of("collision set", "mass", precision=3)
    friction: described.property_of("collision set", "friction", default=0.5)
    restitution: described.property_of("collision set", "restitution", default=0.4)


class MarrowCollisionRecord(bpy.types.PropertyGroup):
    """The file that collision came from; on the collection that holds its objects."""

    source: StringProperty()
    source_name: StringProperty()
    scale: FloatProperty(default=1.0)
    findings: CollectionProperty(type=properties.MarrowFinding)
    active_finding: IntProperty()


_CLASSES = (MarrowJointRecord, MarrowBodyRecord, MarrowCollisionRecord)
_OWNERS = ((bpy.types.Object, MarrowBodyRecord), (bpy.types.Collection, MarrowCollisionRecord))
_REGISTRATION = Registration(_CLASSES, _OWNERS)
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
