# SPDX-License-Identifier: MIT
"""The library's operations on clips as operators: one class per operation, with the options of its description.

An operator writes the action that is shown as a file in memory, runs the operation on it and imports what comes out as a
new action. In a window it runs in a thread: the status bar shows the progress, and Esc stops it.
"""
import fnmatch
import os
import threading

import bpy
from bpy.props import StringProperty

from . import armature, curves, described, files, notes
from .export_animation import ExportOptions, export_action
from .import_animation import ImportOptions, import_file
from .package import marrow
from .registration import Registration

#: Groups of operations that change a clip, as their names begin.
_GROUPS = ("compress", "mirror", "retarget", "clip ", "root-motion ", "annotations ", "floats ")
#: Inputs that the shown action can be, by their names.
_ROLES = ("clip", "first", "base")
#: Options that the operator knows by itself.
_OWN = ("clip", "game", "format")
#: Operations and inputs that are the skeleton of another armature, which the result is for.
_SKELETONS = {("retarget", "to"), ("clip tracks", "like")}


def _role(row):
    """Returns the input that the shown action is, the main one or the first of two clips, or None if that is no clip."""
    main = [each["name"] for each in row["inputs"] if each["main"]] or [each["name"] for each in row["inputs"][:1]]
    return main[0] if len(main) == 1 and main[0] in _ROLES else None


def _is_choosable(side):
    """True if an input can be chosen here: another action, or a text that has names of its own."""
    return side["kind"] == "document" or (side["kind"] == "text" and bool(side.get("presets")))


def _is_offered(name, row):
    """True if an operation makes a clip of the shown one, and whatever else it needs can be chosen here."""
    others = [each for each in row["inputs"] if each["name"] != _role(row) and each["required"]]
    is_known = all(_is_choosable(each) for each in others)
    is_clear = all(o["type"] in described.TYPES for o in row["options"] if o.get("required"))
    return name.startswith(_GROUPS) and "extensions" in row and _role(row) is not None and is_known and is_clear


def options_of(name):
    """Returns the options that are offered, by name."""
    rows = described.options_of(name)
    return {key: row for key, row in rows.items() if key not in _OWN and row["type"] in described.TYPES}


def offered():
    """Returns the names of the operations, in the order of the description."""
    return [name for name, row in marrow.descriptions().items() if _is_offered(name, row)]


def identifier(name):
    return "marrow.op_" + name.replace(" ", "_").replace("-", "_")


def _sides(name):
    """Returns the inputs of an operation that are chosen here: actions, or for retargeting the other armature."""
    row = marrow.descriptions()[name]
    own = {_role(row), "skeleton", "from" if name == "retarget" else None}
    return [each for each in row["inputs"] if _is_choosable(each) and each["name"] not in own]


def _names_bones(row):
    """True if an option is a bone or a pattern of bones."""
    words = row.get("placeholder", "").split("|")
    return row["type"] == "text" and ("BONE" in words or ("PATTERN" in words and "bones" in row["help"]))


def _games_of(text, names, is_list):
    """Returns the game's names of the bone, or of the pattern of bones, that a text is; the text itself if no bone is drawn
    with that name. `names` has the game's by Blender's."""
    if text in names:
        return [names[text]]
    found = [game for drawn, game in names.items() if is_list and drawn != game and fnmatch.fnmatchcase(drawn, text)]
    return found or [text]


class _Work:
    """An operation that runs in a thread."""

    def __init__(self, name, inputs, options):
        self.share, self.result, self.error, self.is_stopped = 0.0, None, None, False
        self._call = lambda: marrow.run(name, inputs, options, progress=self._went_on)
        self.thread = threading.Thread(target=self.run, daemon=True)

    def _went_on(self, share):
        self.share = share
        return not self.is_stopped

    def run(self):
        try:
            self.result = self._call()
        except Exception as error:  # reported by the operator, in words
            self.error = error


class ClipOperator:
    """Base of the operators. `operation` is the name of the operation."""

    bl_options = {"REGISTER", "UNDO"}
    operation = ""
    _work = None
    _timer = None

    @classmethod
    def poll(cls, context):
        owner = context.object
        return armature.is_ours(owner) and owner.animation_data is not None and owner.animation_data.action is not None

    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self, width=420)

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        for side in _sides(self.operation):
            if side["kind"] == "text":
                layout.prop(self, "input_" + side["name"])
            elif (self.operation, side["name"]) in _SKELETONS:
                layout.prop_search(self, "input_" + side["name"], bpy.data, "objects", text=side["name"].title())
            else:
                layout.prop_search(self, "input_" + side["name"], bpy.data, "actions", text=side["name"].title())
        for name, row in options_of(self.operation).items():
            if _names_bones(row) and not row.get("list") and "PATTERN" not in row["placeholder"]:
                layout.prop_search(self, name, context.object.data, "bones")
            else:
                layout.prop(self, name)

    def chosen(self):
        """Returns the options that were set; the others have the operation's own defaults."""
        out = {}
        for name, row in options_of(self.operation).items():
            if not (row.get("required") or self.properties.is_property_set(name)):
                continue
            value = getattr(self, name)
            if value == "" and row.get("required"):
                raise marrow.OptionError("is not chosen", path=name)
            if row["type"] == "vector":
                value = list(value)
            elif row.get("list") and isinstance(value, str):
                value = [each.strip() for each in value.split(",") if each.strip()]
            out[name] = value
        return out

    def _in_game_names(self, options, owner):
        """Gives the bones that options name the game's names; what is none of Blender's names stays."""
        rows, names = options_of(self.operation), {drawn: game for game, drawn in armature.game_names(owner).items()}
        for name, value in options.items():
            if name in rows and _names_bones(rows[name]):
                each_of = value if isinstance(value, list) else [value]
                found = [game for each in each_of for game in _games_of(each, names, rows[name].get("list"))]
                options[name] = found if isinstance(value, list) else found[0]
        return options

    def inputs(self, context):
        owner = context.object
        action = owner.animation_data.action
        self._owner, self._name = owner, action.name
        data = export_action(context, owner, action, ExportOptions()).data
        skeleton = armature.skeleton_of(owner)
        row = marrow.descriptions()[self.operation]
        out = [(_role(row), marrow.load(data, name=action.name + ".hkx", skeleton=skeleton))]
        roles = {each["name"] for each in row["inputs"]}
        if "skeleton" in roles and (self.operation != "compress" or "max_model_error" in self.chosen()):
            out.append(("skeleton", skeleton))
        if self.operation == "retarget":
            out.append(("from", skeleton))
        for side in _sides(self.operation):
            out.extend(self._side(context, side))
        return out

    def _side(self, context, side):
        """Returns a chosen input: an action as a clip, or the skeleton of an armature."""
        name = getattr(self, "input_" + side["name"])
        if not name:
            if side["required"]:
                raise marrow.OptionError("is not chosen", path=side["name"])
            return []
        if side["kind"] == "text" and name not in bpy.data.actions:
            path = bpy.path.abspath(name)
            return [(side["name"], path if os.path.isfile(path) else name)]
        if (self.operation, side["name"]) in _SKELETONS:
            self._owner = bpy.data.objects[name]
            if not armature.is_ours(self._owner):
                raise marrow.OptionError("is not an armature that Marrow imported", path=side["name"])
            return [(side["name"], armature.skeleton_of(self._owner))]
        other = export_action(context, context.object, bpy.data.actions[name], ExportOptions()).data
        return [(side["name"], marrow.load(other, name=name + ".hkx"))]

    def execute(self, context):
        try:
            options = self._in_game_names(self.chosen(), context.object)
            self._work = _Work(self.operation, self.inputs(context), options)
        except Exception as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        if bpy.app.background or context.window is None:
            self._work.run()
            return self._finished(context)
        self._work.thread.start()
        context.window_manager.progress_begin(0, 100)
        self._timer = context.window_manager.event_timer_add(0.05, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self._work.is_stopped = True
            return {"RUNNING_MODAL"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        context.window_manager.progress_update(int(self._work.share * 100))
        context.workspace.status_text_set(f"Marrow: {self.operation}, {self._work.share:.0%} (Esc stops)")
        if self._work.thread.is_alive():
            return {"RUNNING_MODAL"}
        context.window_manager.progress_end()
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        return self._finished(context)

    def _finished(self, context):
        work = self._work
        if work.error is not None:
            self.report({"WARNING" if isinstance(work.error, marrow.CancelledError) else "ERROR"}, notes.words(work.error))
            return {"CANCELLED"}
        try:
            made = self._shown(context, work.result.bytes)
        except Exception as error:
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        notes.report(self, [each.get("message", "") for each in work.result.notes], "INFO")
        self.report({"INFO"}, f"{made.name} is made of {self._name}")
        return {"FINISHED"}

    def _shown(self, context, data):
        """Imports what came out as an action beside the one that it was made of."""
        name = curves.name_with(self._name, " " + self.operation.rpartition(" ")[2]) + ".hkx"
        document = marrow.load(data, name=name)
        out = import_file(context, name, ImportOptions(), self._owner, files.Loaded(data, document))
        return out.actions[0]


def _class_of(name):
    row = marrow.descriptions()[name]
    properties = {key: described.property_of(name, key) for key in options_of(name)}
    for side in _sides(name):
        presets = side.get("presets", ())
        properties["input_" + side["name"]] = StringProperty(
            name=side["name"].title(),
            description=described.tooltip(side) + (f": {', '.join(presets)}" if len(presets) > 1 else ""),
            default=presets[0] if len(presets) == 1 else "",
        )
    summary = row["summary"]
    body = {
        "__doc__": summary[:1].upper() + summary[1:],
        "__annotations__": properties,
        "bl_idname": identifier(name),
        "bl_label": name.replace("-", " ").title(),
        "operation": name,
    }
    return type("MARROW_OT_" + identifier(name)[7:], (ClipOperator, bpy.types.Operator), body)


class MARROW_MT_operations(bpy.types.Menu):
    bl_idname = "MARROW_MT_operations"
    bl_label = "Operations"

    def draw(self, context):
        group = ""
        for name in offered():
            if name.partition(" ")[0] != group and group:
                self.layout.separator()
            group = name.partition(" ")[0] if " " in name else ""
            self.layout.operator(identifier(name))


class MARROW_PT_operations(bpy.types.Panel):
    bl_label = "Operations"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Marrow"
    bl_parent_id = "MARROW_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return ClipOperator.poll.__func__(cls, context)

    def draw(self, context):
        column = self.layout.column(align=True)
        for name in ("mirror", "compress", "retarget"):
            column.operator(identifier(name))
        self.layout.menu("MARROW_MT_operations", text="All Operations")


_CLASSES = (*(_class_of(name) for name in offered()), MARROW_MT_operations, MARROW_PT_operations)
_REGISTRATION = Registration(_CLASSES)
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
