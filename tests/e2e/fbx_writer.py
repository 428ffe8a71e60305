# SPDX-License-Identifier: MIT
"""FBX and BVH files made here, as other programs would write them: records, then text or binary of version 7400."""
import math
import struct

TICKS = 46186158000  # of a second


CLASSES = {"AnimationStack": "AnimStack", "AnimationLayer": "AnimLayer", "AnimationCurveNode": "AnimCurveNode",
           "AnimationCurve": "AnimCurve", "Cluster": "SubDeformer"}


class Record:
    """A record of an FBX file: a name, values, and records below."""

    def __init__(self, name, *values, below=()):
        self.name, self.values, self.below = name, values, list(below)


class Floats(list):
    """An array of 32-bit floats."""


class Longs(list):
    """An array of 64-bit integers."""


class Long(int):
    """An integer of 64 bits, whatever its value."""


def prop(name, *values, kind="", label="", flags="A"):
    return Record("P", name, kind or name, label, flags, *values)


def _text_value(value):
    if isinstance(value, str):
        kind, _, name = value.partition("\0\1")
        return '"' + (f"{name}::{kind}" if name else value) + '"'
    return repr(value)


def as_text(records, version=7400):
    lines = [f"; FBX {version // 1000}.{version // 100 % 10}.0 project file"]

    def add(record, indent):
        tab = "\t" * indent
        arrays = [v for v in record.values if isinstance(v, list)]
        if arrays:
            numbers = arrays[0]
            # From 7200 on the data of keys are bit patterns.
            if record.name == "KeyAttrDataFloat":
                numbers = [struct.unpack("<i", struct.pack("<f", x))[0] for x in numbers]
            lines.append(f"{tab}{record.name}: *{len(numbers)} {{")
            lines.append(f"{tab}\ta: " + ",".join(map(repr, numbers)))
            lines.append(tab + "}")
            return
        lines.append(f"{tab}{record.name}: " + ", ".join(map(_text_value, record.values)) + (" {" if record.below else ""))
        for each in record.below:
            add(each, indent + 1)
        if record.below:
            lines.append(tab + "}")

    for record in records:
        add(record, 0)
    return ("\n".join(lines) + "\n").encode()


def _binary_value(value):
    if isinstance(value, bool):
        return b"C" + bytes([value])
    if isinstance(value, Floats):
        return b"f" + struct.pack("<III", len(value), 0, 4 * len(value)) + struct.pack(f"<{len(value)}f", *value)
    if isinstance(value, list):
        if value and isinstance(value[0], float):
            return b"d" + struct.pack("<III", len(value), 0, 8 * len(value)) + struct.pack(f"<{len(value)}d", *value)
        wide = isinstance(value, Longs)
        letter, size = ("q", 8) if wide else ("i", 4)
        return (b"l" if wide else b"i") + struct.pack("<III", len(value), 0, size * len(value)) + struct.pack(f"<{len(value)}{letter}", *value)
    if isinstance(value, str):
        kind, _, name = value.partition("\0\1")
        data = (f"{kind}\0\1{name}" if name else value).encode()
        return b"S" + struct.pack("<I", len(data)) + data
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    return b"L" + struct.pack("<q", value) if isinstance(value, Long) else b"I" + struct.pack("<i", value)


def as_binary(records, version=7400):
    out = bytearray(b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version))

    def add(record):
        start = len(out)
        out.extend(bytes(12))
        name = record.name.encode()
        out.extend(bytes([len(name)]) + name)
        values = b"".join(_binary_value(v) for v in record.values)
        out.extend(values)
        for each in record.below:
            add(each)
        if record.below:
            out.extend(bytes(13))
        struct.pack_into("<III", out, start, len(out), len(record.values), len(values))

    for record in records:
        add(record)
    out.extend(bytes(13))
    return bytes(out)


class Scene:
    """Objects and connections of one file."""

    def __init__(self, up=1, front=2, coord=0, front_sign=1, unit=1.0, fps_mode=6):
        self.settings = dict(UpAxis=up, UpAxisSign=1, FrontAxis=front, FrontAxisSign=front_sign, CoordAxis=coord,
                             CoordAxisSign=1, TimeMode=fps_mode)
        self.unit, self.objects, self.links, self.takes, self.next = unit, [], [], [], 1000

    def add(self, kind, name, label, *below, id=None):
        self.next = Long(self.next + 1)
        self.objects.append(Record(kind, self.next, f"{name}\0\1{CLASSES.get(label) or CLASSES.get(kind, kind)}", label, below=below))
        return self.next

    def link(self, child, parent, property=None):
        child, parent = Long(child), Long(parent)
        self.links.append(Record("C", "OP", child, parent, property) if property else Record("C", "OO", child, parent))

    def bone(self, name, parent=0, move=(0, 0, 0), turn=(0, 0, 0), scale=(1, 1, 1), label="LimbNode", **more):
        properties = [prop("RotationActive", 1, kind="bool", flags=""), prop("Lcl Translation", *map(float, move)),
                      prop("Lcl Rotation", *map(float, turn)), prop("Lcl Scaling", *map(float, scale))]
        for key, value in more.items():
            values = value if isinstance(value, tuple) else (value,)
            kind, word = ("Vector3D", "Vector") if isinstance(value, tuple) else ("enum", "")
            properties.append(prop(key, *(float(v) if isinstance(value, tuple) else v for v in values), kind=kind, label=word, flags=""))
        bone = self.add("Model", name, label, Record("Version", 232), Record("Properties70", below=properties))
        if label == "LimbNode":
            attribute = self.add("NodeAttribute", name, "LimbNode", Record("TypeFlags", "Skeleton"))
            self.link(attribute, bone)
        self.link(bone, parent)
        return bone

    def stack(self, name, start, stop):
        times = [prop("LocalStart", Long(start * TICKS), kind="KTime", label="Time", flags=""),
                 prop("LocalStop", Long(stop * TICKS), kind="KTime", label="Time", flags="")]
        stack = self.add("AnimationStack", name, "", Record("Properties70", below=times))
        layer = self.add("AnimationLayer", "BaseLayer", "")
        self.link(layer, stack)
        return layer

    def curves(self, layer, bone, property, keys, flags=0x4):
        """`keys`: [(seconds, x, y, z)]; linear ones unless flags say otherwise."""
        first = keys[0][1:]
        node = self.add("AnimationCurveNode", property[4:5], "",
                        Record("Properties70", below=[prop(f"d|{a}", float(v), kind="Number") for a, v in zip("XYZ", first)]))
        self.link(node, layer)
        self.link(node, bone, property)
        for axis in range(3):
            curve = self.add("AnimationCurve", "", "", Record("Default", float(first[axis])), Record("KeyVer", 4008),
                             Record("KeyTime", Longs(int(round(k[0] * TICKS)) for k in keys)),
                             Record("KeyValueFloat", Floats(float(k[1 + axis]) for k in keys)),
                             Record("KeyAttrFlags", [flags]), Record("KeyAttrDataFloat", Floats([0.0] * 4)),
                             Record("KeyAttrRefCount", [len(keys)]))
            self.link(curve, node, "d|" + "XYZ"[axis])

    def skinned_mesh(self, name, vertices, polygons, weights, binds):
        """`weights`: {bone id: {vertex: weight}}; `binds`: {bone id: 16 numbers, column by column}."""
        corners = [~v if i == len(p) - 1 else v for p in polygons for i, v in enumerate(p)]
        mesh = self.add("Geometry", name, "Mesh", Record("Vertices", [float(x) for v in vertices for x in v]),
                        Record("PolygonVertexIndex", corners))
        model = self.add("Model", name, "Mesh", Record("Version", 232), Record("Properties70", below=[]))
        self.link(mesh, model)
        self.link(model, 0)
        skin = self.add("Deformer", name, "Skin", Record("Version", 101))
        self.link(skin, mesh)
        for bone, chosen in weights.items():
            inverse = _inverse_of_move(binds[bone])
            cluster = self.add("Deformer", name, "Cluster", Record("Version", 100), Record("Indexes", list(chosen)),
                               Record("Weights", [float(w) for w in chosen.values()]), Record("Transform", inverse),
                               Record("TransformLink", [float(x) for x in binds[bone]]))
            self.link(cluster, skin)
            self.link(bone, cluster)
        return model

    def records(self, version=7400):
        settings = [prop(k, v, kind="enum" if k == "TimeMode" else "int", label="" if k == "TimeMode" else "Integer", flags="") for k, v in self.settings.items()]
        settings.append(prop("UnitScaleFactor", float(self.unit), kind="double", label="Number", flags=""))
        kinds = {}
        for each in self.objects:
            kinds[each.name] = kinds.get(each.name, 0) + 1
        definitions = [Record("Version", 100), Record("Count", len(self.objects) + 1),
                       *(Record("ObjectType", k, below=[Record("Count", n)]) for k, n in kinds.items())]
        return [Record("FBXHeaderExtension", below=[Record("FBXHeaderVersion", 1003), Record("FBXVersion", version)]),
                Record("GlobalSettings", below=[Record("Version", 1000), Record("Properties70", below=settings)]),
                Record("Definitions", below=definitions), Record("Objects", below=self.objects),
                Record("Connections", below=self.links)]


def _inverse_of_move(bind):
    """The inverse of a matrix that moves only."""
    return [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, *(-float(x) for x in bind[12:15]), 1.0]


def bvh(joints, frames, seconds, orders=("Zrotation", "Xrotation", "Yrotation")):
    """`joints`: [(name, parent, offset)]; `frames`: [(root position, {name: angles in the order given})]."""
    children = {}
    for i, (_, parent, _) in enumerate(joints):
        children.setdefault(parent, []).append(i)
    lines, order = ["HIERARCHY"], []

    def add(i, depth):
        name, parent, offset = joints[i]
        tab = "\t" * depth
        order.append(i)
        channels = [*(("Xposition", "Yposition", "Zposition") if parent is None else ()), *orders]
        lines.extend([f"{tab}{'ROOT' if parent is None else 'JOINT'} {name}", tab + "{", f"{tab}\tOFFSET {offset[0]} {offset[1]} {offset[2]}",
                      f"{tab}\tCHANNELS {len(channels)} {' '.join(channels)}"])
        for child in children.get(i, []):
            add(child, depth + 1)
        if i not in children:
            lines.extend([f"{tab}\tEnd Site", tab + "\t{", f"{tab}\t\tOFFSET 0 1 0", tab + "\t}"])
        lines.append(tab + "}")

    add(0, 0)
    lines += ["MOTION", f"Frames: {len(frames)}", f"Frame Time: {seconds}"]
    for place, angles in frames:
        row = list(place)
        for i in order:
            row += angles.get(joints[i][0], (0, 0, 0))
        lines.append(" ".join(f"{x:.6f}" for x in row))
    return ("\n".join(lines) + "\n").encode()


# A person of 170 cm, facing +Z with Y up, so that left is +X. By part: parent, offset in centimetres.
PERSON = {
    "hips": (None, (0, 95, 0)), "spine": ("hips", (0, 10, 0)), "spine1": ("spine", (0, 12, 0)), "spine2": ("spine1", (0, 12, 0)),
    "neck": ("spine2", (0, 22, 0)), "head": ("neck", (0, 12, 0)),
    **{f"{part}{side}": (parent + (side if parent not in ("hips", "spine2") else ""), (sign * x, y, z))
       for side, sign in (("L", 1), ("R", -1)) for part, parent, (x, y, z) in (
           ("thigh", "hips", (9, -4, 0)), ("calf", "thigh", (0, -43, 1)), ("foot", "calf", (0, -40, -1)), ("toe", "foot", (0, -6, 12)),
           ("clavicle", "spine2", (3, 18, 0)), ("upperarm", "clavicle", (14, 0, 0)), ("forearm", "upperarm", (27, 0, 0)),
           ("hand", "forearm", (24, 0, 0)))},
}


def sided(names, left, right):
    """Names by part, `@` for the side."""
    out = {}
    for part, name in names.items():
        if "@" in part:
            out[part.replace("@", "L")], out[part.replace("@", "R")] = name.replace("@", left), name.replace("@", right)
        else:
            out[part] = name
    return out


HUMAN_IK = {"hips": "Hips", "spine": "Spine", "spine1": "Spine1", "spine2": "Spine2", "neck": "Neck", "head": "Head",
            "thigh@": "@UpLeg", "calf@": "@Leg", "foot@": "@Foot", "toe@": "@ToeBase", "clavicle@": "@Shoulder",
            "upperarm@": "@Arm", "forearm@": "@ForeArm", "hand@": "@Hand"}


def walk_frames(names, count=31, speed=4.0):
    """Legs that swing while the hips go ahead, `speed` centimetres per frame."""
    frames = []
    for i in range(count):
        swing = 25 * math.sin(2 * math.pi * i / 30)
        frames.append(((0, 95 + math.sin(4 * math.pi * i / 30), speed * i),
                       {names["thighL"]: (0, swing, 0), names["thighR"]: (0, -swing, 0), names["calfL"]: (0, 15, 0), names["calfR"]: (0, 15, 0)}))
    return frames


def joints(names):
    parts = list(PERSON)
    return [(names[p], None if PERSON[p][0] is None else parts.index(PERSON[p][0]), PERSON[p][1]) for p in parts]


def captured_walk():
    """A walk as a BVH file, with the bare names of HumanIK."""
    names = sided(HUMAN_IK, "Left", "Right")
    return bvh(joints(names), walk_frames(names), 1 / 30)
