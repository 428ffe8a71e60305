# SPDX-License-Identifier: MIT
"""What an import or export wants people to know: grouped for the report box, whole in a list that can be opened."""
import re

import bpy

from .registration import Registration

#: The text of the .blend file that keeps the notes of the last import or export.
TEXT = "Marrow Notes"
_MOST = 200
#: The name at the head of a note: what differs between notes of one kind.
_HEAD = re.compile(r"^.*?(?= (?:keeps|keep|has|have|is|are|was|were)\b)|^[^:]*(?=:)")


def words(error):
    """Returns what an exception says, in words."""
    if isinstance(error, KeyError) and error.args:
        return str(error.args[0])
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    if getattr(error, "name", None) == "needs-game":
        return f"{error}; choose it (Game)"
    return str(error) or type(error).__name__


def grouped(notes):
    """Returns one line per kind of note, with how many more there are of it."""
    kinds = {}
    for note in notes:
        kinds.setdefault(_HEAD.sub("", note, count=1), []).append(note)
    return [each[0] if len(each) == 1 else f"{each[0]} (and {len(each) - 1} more like it)" for each in kinds.values()]


def report(operator, notes, level="WARNING"):
    """Reports notes in groups and keeps all of them for *Show All*."""
    keep(notes)
    for line in grouped(notes):
        operator.report({level}, line)


def keep(notes):
    """Keeps notes in a text of the .blend file; none removes it."""
    text = bpy.data.texts.get(TEXT)
    if not notes:
        if text is not None:
            bpy.data.texts.remove(text)
        return
    if text is None:
        text = bpy.data.texts.new(TEXT)
    text.from_string("\n".join(notes))


def kept():
    """Returns the notes of the last import or export."""
    text = bpy.data.texts.get(TEXT)
    return [line.body for line in text.lines if line.body] if text is not None else []


class MARROW_OT_show_notes(bpy.types.Operator):
    """Show all notes of the last import or export. They are in the text editor, too"""

    bl_idname = "marrow.show_notes"
    bl_label = "Show All"

    @classmethod
    def poll(cls, context):
        return bool(kept())

    def invoke(self, context, event):
        return context.window_manager.invoke_popup(self, width=700)

    def execute(self, context):
        for line in kept():
            self.report({"INFO"}, line)
        return {"FINISHED"}

    def draw(self, context):
        column = self.layout.column(align=True)
        lines = kept()
        for line in lines[:_MOST]:
            column.label(text=line)
        if len(lines) > _MOST:
            column.label(text=f"... {len(lines) - _MOST} more in the text {TEXT!r}")


_REGISTRATION = Registration((MARROW_OT_show_notes,))
register, unregister = _REGISTRATION.register, _REGISTRATION.unregister
