# SPDX-License-Identifier: MIT
"""Joints of collision as empties: the origin is the pivot, X the axis, Y the normal; limits and motors are properties."""
import bpy
from mathutils import Matrix, Quaternion, Vector
import numpy

from . import record
from .package import marrow

#: Limits that a kind of joint has.
LIMITS = {"ragdoll": ("twist", "cone", "plane"), "limited-hinge": ("angle",), "prismatic": ("distance",)}
MOTOR = ("motor", "motor_kind", "motor_min_force", "motor_max_force", "motor_stiffness", "motor_damping")
#: Values of motors as `collision joints` reports them, by their names as options.
_REPORTED = {f"motor_{name}": name for name in ("min_force", "max_force", "stiffness", "damping")}


def values_of(kind):
    """Returns the names of the values that a joint of a kind has."""
    own = LIMITS.get(kind, ())
    return (*own, *(("friction",) if own else ()), "break_threshold", "stabilized", *(MOTOR if own else ()))


def poses_of(document):
    """Returns where the bodies of a document are, in units of the game: matrices by block and number of the body. Joints
    are in the space of these: that of the node that a body moves, with what a bhkRigidBodyT places once more, else what
    the body records."""
    out = {}
    placed = {(system["block"], body["id"]): body for system in marrow.run("collision list", [("file", document)]).report["systems"]
              for body in system.get("bodies") or [] if body.get("type") == "bhkRigidBodyT"}
    nodes = {mesh.name: mesh.placement for mesh in document.collision_meshes()}
    for system in document.collision:
        for body in system.bodies:
            place = next((nodes[name] for name in nodes if body.node and _is_of(name, body, len(system.bodies))), None)
            if place is None:
                where, turn, size = Vector(body.position) * system.game_units, body.rotation, (1.0, 1.0, 1.0)
            else:
                where, turn, size = Vector(place.translation), place.rotation, place.scale
            matrix = Matrix.LocRotScale(where, Quaternion((turn[3], *turn[:3])), Vector(size))
            own = placed.get((system.block, body.index))
            if own and place is not None:
                x, y, z, w = own["rotation"]
                matrix = matrix @ Matrix.LocRotScale(Vector(own["position"]) * system.game_units, Quaternion((w, x, y, z)), None)
            out[(-1 if system.block is None else system.block, body.index)] = matrix
    return out


def _system_of(row):
    """Returns the block of the system that a listed joint is in; in Skyrim the joint is a block of its own. -1: a packfile."""
    block = row.get("system", row["block"])
    return -1 if block is None else block


def _is_of(name, body, count):
    """True if a mesh of this name is a shape of the body, by the rule that exports name them by."""
    stems = [f"{body.node}.body{body.index}", *([body.node] if count == 1 else [])]
    return any(name == stem or name.startswith((stem + ".child", stem + ".solid")) for stem in stems)


def show_all(collection, document, scale, owners):
    """Makes an empty per joint. `owners` are the objects of bodies by block and number."""
    poses = poses_of(document)
    for row in marrow.run("collision joints", [("file", document)]).report["joints"]:
        block = _system_of(row)
        made = new(collection, owners.get((block, row["body"])), owners.get((block, row["to"])), scale)
        kept = made.marrow.joint
        kept.block, kept.number = block, row["joint"]
        made.name = f"{row['type']} {row['joint']}"
        made.matrix_world = _in_blender(poses[(block, row["body"])], row, scale)
        _fill(kept, row)
        kept.was = record.write_json({**_values(kept), "to": row["to"]})


def remember_place(owner):
    """Keeps where a joint is in the scene, once Blender has computed that."""
    owner.marrow.joint.place = record.write_json([list(line) for line in owner.matrix_world])


def new(collection, body, to, scale):
    """Makes an empty for a joint between two bodies; None stands for the world."""
    made = bpy.data.objects.new("Joint", None)
    made.empty_display_type, made.empty_display_size = "ARROWS", 3.0 * scale
    collection.objects.link(made)
    made.rotation_mode = "QUATERNION"
    made.marrow.role = "joint"
    made.marrow.joint.body, made.marrow.joint.to = body, to
    return made


def _in_blender(pose, row, scale):
    """Returns the place of a joint in the scene."""
    x, y = (Vector(row.get(name) or axis) for name, axis in (("axis", (1, 0, 0)), ("normal", (0, 1, 0))))
    turn = Matrix((x, y, x.cross(y))).transposed()
    place = pose @ Vector(row["pivot"] or (0, 0, 0))
    matrix = (pose.to_quaternion().to_matrix() @ turn).to_4x4()
    matrix.translation = place * scale
    return matrix


def _fill(kept, row):
    kind = row["type"].replace(" ", "-")
    kept.kind = kind if kind in ("ball", "hinge", "limited-hinge", "ragdoll", "prismatic", "fixed") else "other"
    for name in ("twist", "cone", "plane", "angle", "distance", "friction", "break_threshold", "stabilized"):
        if row.get(name) is not None:
            setattr(kept, name, row[name])
    kept.motor = bool(row.get("motors_on"))
    motor = next(iter(row["motors"]), {})
    if motor.get("type", "").replace(" ", "-") in ("position", "velocity", "spring-damper"):
        kept.motor_kind = motor["type"].replace(" ", "-")
    for option, name in _REPORTED.items():
        if motor.get(name) is not None:
            setattr(kept, option, motor[name])


def _values(kept):
    """Returns the values of a joint, as Blender has them."""
    out = {"kind": kept.kind}
    for name in values_of(kept.kind):
        value = getattr(kept, name)
        out[name] = list(value) if name in ("twist", "plane", "angle", "distance") else value
    return out


class Edits:
    """Puts the joints of a collection into a document."""

    def __init__(self, objects, scale, bodies=None, block=None):
        """`bodies` are numbers of new bodies by the names of their objects, and `block` where they are; imported bodies
        know their own."""
        self.scale, self.bodies, self.block, self.changed = scale, bodies, block, []
        self.owners = [each for each in objects if each.marrow.role == "joint"]

    def apply(self, document):
        """Changes, adds and removes joints of a document; `changed` has their names."""
        listed = marrow.run("collision joints", [("file", document)]).report["joints"] if self.bodies is None else []
        left = {(_system_of(row), row["joint"]) for row in listed}
        if not left and not self.owners:
            return
        self.poses = poses_of(document)
        added = []
        for owner in self.owners:
            kept = owner.marrow.joint
            key = (kept.block, kept.number)
            if key in left:
                left.remove(key)
                self._set(document, owner)
            else:
                added.append(owner)  # also a copy in Blender, which copies what it remembers
        for owner in added:
            self._add(document, owner)
        for block in sorted({block for block, _ in left}):
            numbers = sorted(number for each, number in left if each == block)
            self.changed.extend(f"joint {number}" for number in numbers)
            document.apply("collision remove-joint", {"block": _block(block), "joint": numbers})

    def _set(self, document, owner):
        kept = owner.marrow.joint
        was, now = record.read_json(kept.was, {}), _values(kept)
        options = {name: value for name, value in now.items() if name not in was or not _is_same(value, was[name])}
        options.update(self._place(owner, (kept.block, self._number(kept.body))))
        if kept.to is not None and was.get("to", self._number(kept.to)) != self._number(kept.to):
            options["to"] = str(self._number(kept.to))
        if not options:
            return
        self.changed.append(owner.name)
        options.update(block=_block(kept.block), joint=[kept.number])
        document.apply("collision set-joint", options)

    def _add(self, document, owner):
        kept = owner.marrow.joint
        if kept.body is None:
            raise marrow.OptionError(f"{owner.name}: choose the body that hangs on the other", path="body")
        block = kept.body.marrow.block if self.bodies is None else -1 if self.block is None else self.block
        options = _values(kept)
        options = {name: value for name, value in options.items() if name not in MOTOR or kept.motor}
        options.update(self._place(owner, (block, self._number(kept.body)), is_new=True))
        options.update(block=_block(block), body=str(self._number(kept.body)))
        if kept.to is not None:
            options["to"] = str(self._number(kept.to))
        self.changed.append(owner.name)
        document.apply("collision add-joint", options)

    def _number(self, body):
        """Returns the number of a body in its file."""
        number = None if body is None else body.marrow.body if self.bodies is None else self.bodies.get(body.name)
        if number is None or number < 0:
            raise marrow.OptionError(f"{body.name if body else 'nothing'} is not a body of this file", path="body")
        return number

    def _place(self, owner, key, is_new=False):
        """Returns the options of the place that was changed, in the space of the body."""
        now = numpy.array(owner.matrix_world)
        was = None if is_new else numpy.array(record.read_json(owner.marrow.joint.place, []))
        pose, out = self.poses[key], {}
        if was is None or not _is_same(now[:3, 3].tolist(), was[:3, 3].tolist()):
            out["pivot"] = list(pose.inverted() @ (owner.matrix_world.translation / self.scale))
        if owner.marrow.joint.kind != "ball" and (was is None or not _is_same(now[:3, :3].tolist(), was[:3, :3].tolist())):
            turn = (pose.to_quaternion().inverted() @ owner.matrix_world.to_quaternion()).to_matrix()
            out["axis"], out["normal"] = list(turn.col[0]), list(turn.col[1])
        return out


def _block(number):
    return number if number >= 0 else None


def _is_same(value, old):
    """True if two values are equal but for the rounding of Blender's floats."""
    if isinstance(value, (bool, str)):
        return value == old
    a, b = numpy.array(value, float), numpy.array(old, float)
    return bool((numpy.abs(a - b) <= 1e-6 * numpy.maximum(1.0, numpy.abs(b))).all())
