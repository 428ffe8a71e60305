# SPDX-License-Identifier: MIT
"""Anvil skeletons: armatures with bone modifiers as properties, addons merged, and back."""
from dataclasses import dataclass, field
import os

import numpy

from . import armature, record
from .package import marrow


def is_rig(document):
    return document.format.startswith("anvil")


def import_rig(context, path, addons=(), units="blender", axes="limbs"):
    """Makes an armature of an Anvil skeleton with addons merged into it."""
    with open(path, "rb") as file:
        data = file.read()
    if addons:
        inputs = [("base", os.fspath(path)), ("addon", [os.fspath(each) for each in addons])]
        data = marrow.run("rig merge", inputs).bytes
    document = marrow.load(data, name=os.fspath(path))
    name = os.path.splitext(os.path.basename(path))[0]
    owner = armature.create(context, document.skeleton, data, name, units, axes, kind="anvil")
    kept = owner.data.marrow
    kept.source_name = os.path.basename(path)
    for each in addons:
        kept.addons.add().source_name = os.path.basename(each)
    fill_modifiers(kept, document)
    return owner


def fill_modifiers(kept, document):
    """Shows the modifiers of a document as properties."""
    kept.modifiers.clear()
    helps = _helps()
    for bone in marrow.run("rig list", [("file", document)]).report["bones"]:
        for index, modifier in enumerate(bone["modifiers"]):
            row = kept.modifiers.add()
            row.type, row.bone, row.index = modifier["type"], bone["name"], index
            row.name = f"{bone['name']}: {modifier['type'].replace('BoneModifier', '')}"
            for name, value in modifier["fields"].items():
                _fill(row.values, name, value, helps.get((modifier["type"], name), ""))


def _helps():
    rows = marrow.run("rig fields").report["modifiers"]
    return {
        (row["class_name"], each["name"]): each["help"] + (f" ({each['unit']})" if each["unit"] else "")
        for row in rows
        for each in row["fields"]
    }


def _fill(values, name, value, help):
    """Adds a field. Texts, links and lists of records are not numbers; they stay as the file has them."""
    is_vector = isinstance(value, list) and 1 < len(value) <= 4 and all(type(each) in (int, float) for each in value)
    if not is_vector and not isinstance(value, (bool, int, float)):
        return
    made = values.add()
    made.field, made.name, made.help = name, name, help
    if is_vector:
        made.kind, made.count = "vector", len(value)
        made.vector = [*value, 0.0, 0.0, 0.0][:4]
    elif isinstance(value, bool):
        made.kind, made.flag = "flag", value
    else:
        made.kind, made.number = ("whole" if isinstance(value, int) else "number"), float(value)
    made.was = record.write_json(value_of(made))


def value_of(row):
    """Returns the value of a field as it is in Blender."""
    if row.kind == "vector":
        return list(row.vector)[: row.count]
    return row.flag if row.kind == "flag" else row.number


def changed_values(kept):
    """Returns the fields that were changed in Blender: pairs of a modifier and a field."""
    return [
        (modifier, row)
        for modifier in kept.modifiers
        for row in modifier.values
        if record.write_json(value_of(row)) != row.was
    ]


@dataclass
class ExportedRig:
    """What an export made."""

    data: bytes = b""
    is_original: bool = False
    changed: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def export_rig(owner, format="", game=""):
    """Returns the skeleton with the modifiers and bones that were changed; untouched it is the same bytes."""
    kept = owner.data.marrow
    data, out = record.source_bytes(kept), ExportedRig()
    document = marrow.load(data, name=kept.source_name)
    for modifier, row in changed_values(kept):
        text = f"{row.field}={_text(row)}"
        document.apply("rig set", {"bone": modifier.bone, "modifier": str(modifier.index), "values": [text]})
        out.changed.append(f"{modifier.bone}.{modifier.type}.{row.field}")
    for name, values in changed_bones(owner):
        document.apply("rig set", {"bone": name, "values": values})
        out.changed.append(name)
    if (format and format != document.format) or (game and game != document.game):
        out.changed.append("format")
        data = document.to_bytes(format=format or None, game=game or None)
    elif out.changed:
        data = document.to_bytes()
    out.data, out.is_original = data, not out.changed
    return out


def _text(row):
    value = value_of(row)
    if isinstance(value, bool):
        return "true" if value else "false"
    numbers = value if isinstance(value, list) else [value]
    if row.kind == "whole" and float(value).is_integer():
        return str(int(value))
    return ",".join(repr(float(numpy.float32(each))) for each in numbers)


def changed_bones(owner):
    """Returns bones whose rest pose was edited: names, and the fields to set."""
    skeleton = armature.skeleton_of(owner)
    if str(armature.rest_print(owner, skeleton)) == owner.data.marrow.rest_print:
        return []
    names, axes = armature.drawn_names(owner, skeleton), record.read_json(owner.data.marrow.axes, [])
    drawn = [owner.data.bones[names[name]] for name in skeleton.names]
    local = armature.rest_in_game(owner, drawn, axes, skeleton.parents)
    out = []
    for bone in skeleton:
        was = numpy.array(bone.rest.numbers())
        place, turn = local[bone.index, :3], local[bone.index, 3:7]
        values = []
        if numpy.abs(place - was[:3]).max() > 1e-5 * max(1.0, numpy.abs(was[:3]).max()):
            values.append("LocalPosition=" + ",".join(repr(float(numpy.float32(each))) for each in place))
        if min(numpy.abs(turn - was[3:7]).max(), numpy.abs(turn + was[3:7]).max()) > 1e-5:
            values.append("LocalRotation=" + ",".join(repr(float(numpy.float32(each))) for each in turn))
        if values:
            out.append((bone.name, values))
    return out
