# SPDX-License-Identifier: MIT
"""Export of a whole NIF: its shapes first, then its collision, each as it is in Blender."""
from dataclasses import dataclass, field

from . import bodies_export, record
from . import collision as solids


@dataclass
class ExportedNif:
    """What an export made."""

    data: bytes = b""
    is_original: bool = False
    changed: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def export_collection(collection):
    """Returns the file of an imported collection; untouched it is the same bytes."""
    shapes = bodies_export.export_collection(collection)
    out = ExportedNif(shapes.data, changed=shapes.changed, notes=shapes.notes)
    if solids.has_objects(collection):
        solid = solids.export_collection(collection, shapes.data)
        out.data = solid.data
        out.changed += solid.changed
    out.is_original = out.data == record.source_bytes(collection.marrow)
    return out


def words_of(out):
    """Returns in words what an export changed."""
    if out.is_original:
        return "as it was"
    more = f" and {len(out.changed) - 4} more" if len(out.changed) > 4 else ""
    return "; ".join(out.changed[:4]) + more + (" changed" if out.changed and ":" not in out.changed[0] else "")
