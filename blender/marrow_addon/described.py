# SPDX-License-Identifier: MIT
"""Blender properties of the options of operations: named, bounded and explained as the operation describes them."""
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, StringProperty

from .package import marrow


def options_of(operation):
    """Returns the descriptions of an operation's options by name."""
    return {each["name"]: each for each in marrow.descriptions()[operation]["options"]}


def input_of(operation, role):
    """Returns the description of an input of an operation."""
    return next(each for each in marrow.descriptions()[operation]["inputs"] if each["name"] == role)


def tooltip(described):
    """Returns the help of an option or input as a tooltip: a sentence without its full stop, with the unit."""
    text = described["help"]
    unit = described.get("unit")
    return text[:1].upper() + text[1:] + (f" ({unit})" if unit and unit not in text else "")


def property_of(operation, option, **changed):
    """Returns a Blender property of an option. `changed` are arguments of the property: another label, a default."""
    described = options_of(operation)[option]
    arguments = {"name": option.replace("_", " ").title(), "description": tooltip(described)}
    return _KINDS[described["type"]](described, arguments, changed)


def properties_of(operation, names=None):
    """Returns the properties of an operation's options, all or some, as annotations of a class."""
    return {name: property_of(operation, name) for name in names or options_of(operation)}


def _number(described, arguments, changed):
    default = described.get("default")
    if default is None:
        default = _number_in(described.get("default_text"))
    arguments.update(default=default, precision=4)
    if "min" in described:
        arguments["min"] = float(described["min"])
    if "max" in described:
        arguments["max"] = float(described["max"])
    return FloatProperty(**{**arguments, **changed})


def _number_in(text):
    """Returns the number that the text of a default is, or 0 if it is words."""
    try:
        return float(text or 0.0)
    except ValueError:
        return 0.0


def _integer(described, arguments, changed):
    arguments["default"] = int(described.get("default") or 0)
    for bound in ("min", "max"):
        if bound in described:
            arguments[bound] = int(described[bound])
    return IntProperty(**{**arguments, **changed})


def _flag(described, arguments, changed):
    return BoolProperty(**{**arguments, "default": bool(described.get("default")), **changed})


def _choice(described, arguments, changed):
    arguments["items"] = tuple((each, each.replace("-", " ").title(), "") for each in described["choices"])
    if described.get("default") is not None:
        arguments["default"] = described["default"]
    return EnumProperty(**{**arguments, **changed})


def _vector(described, arguments, changed):
    arguments["size"] = described["count"]
    arguments["default"] = described.get("default") or (0.0,) * described["count"]
    return FloatVectorProperty(**{**arguments, "precision": 4, **changed})


def _text(described, arguments, changed):
    if described.get("list"):
        arguments["description"] += " (with commas between them)"
    return StringProperty(**{**arguments, **changed})


_KINDS = {
    "number": _number,
    "integer": _integer,
    "flag": _flag,
    "choice": _choice,
    "vector": _vector,
    "text": _text,
}
#: Types of options that have a property.
TYPES = frozenset(_KINDS)
