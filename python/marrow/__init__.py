# SPDX-License-Identifier: MIT
"""Marrow: one toolkit for the bones of games.

Havok animations and skeletons of Skyrim LE, Skyrim SE and Fallout 4, Fallout 4 collision in NIF files, and Assassin's
Creed skeletons with their bone modifiers.

    import marrow

    clip = marrow.load("idle.hkx", skeleton="skeleton.hkx").clip
    clip.rotations[0, "NPC Head [Head]"]          # numpy, looking into the clip
    clip.annotations.add(0.5, "FootLeft")
    clip.save("out.hkx", game="fallout4", max_rotation_error=0.05)

`marrow.ops` has every operation of the command line as a function. docs/python.md starts from the beginning.
"""
from __future__ import annotations

from . import blender, operations
from . import operations as ops
from ._body_edit import BodyEdit, ShapeMesh
from ._collision_export import CollisionExport, CollisionObject
from ._context import Limits
from ._errors import (
    CancelledError,
    ClosedError,
    Cure,
    Error,
    FormatError,
    InternalError,
    LimitError,
    NoBoneError,
    NoClipError,
    NoCollisionError,
    NoNameError,
    NoSkeletonError,
    NotFoundError,
    OptionError,
    OutOfRangeError,
    TruncatedError,
    UnknownFormatError,
    UnsupportedError,
    WrongTypeError,
)
from ._library import version as __version__
from ._run import File, Result, descriptions, run
from ._load_all import load_all
from ._sample_many import sample_many
from ._annotations import Annotation, Annotations
from ._archive import Archive, ArchiveEntry, place_in_archive
from ._clip import Clip, Fit
from ._collision import Body, CollisionSystem, Joint, build_collision
from ._document import Document, detect, load
from ._findings import Difference, Finding, check, diff
from ._mesh import Mesh, material_colour, shape_in_name
from ._names import file_name
from ._shape import Shape, Shapes
from ._pose import Pose, Transform
from ._rig import Environment, Modifier, Rig, Simulation
from ._root_motion import RootMotion
from ._skeleton import Bone, FloatSlot, Skeleton
from ._track import Track

__all__ = [
    "Annotation",
    "Annotations",
    "Archive",
    "ArchiveEntry",
    "Body",
    "BodyEdit",
    "Bone",
    "CancelledError",
    "Clip",
    "ClosedError",
    "CollisionExport",
    "CollisionObject",
    "CollisionSystem",
    "Cure",
    "Difference",
    "Document",
    "Environment",
    "Error",
    "File",
    "Finding",
    "Fit",
    "FloatSlot",
    "FormatError",
    "InternalError",
    "Joint",
    "LimitError",
    "Limits",
    "Mesh",
    "Modifier",
    "NoBoneError",
    "NoClipError",
    "NoCollisionError",
    "NoNameError",
    "NoSkeletonError",
    "NotFoundError",
    "OptionError",
    "OutOfRangeError",
    "Pose",
    "Result",
    "Rig",
    "RootMotion",
    "Shape",
    "ShapeMesh",
    "Shapes",
    "Simulation",
    "Skeleton",
    "Track",
    "Transform",
    "TruncatedError",
    "UnknownFormatError",
    "UnsupportedError",
    "WrongTypeError",
    "__version__",
    "blender",
    "build_collision",
    "check",
    "descriptions",
    "detect",
    "diff",
    "file_name",
    "load",
    "load_all",
    "material_colour",
    "operations",
    "ops",
    "place_in_archive",
    "run",
    "sample_many",
    "shape_in_name",
]

# Messages, pickles and `help` name things as people import them.
for _each in __all__:
    if getattr(globals()[_each], "__module__", "").startswith(__name__ + "._"):
        globals()[_each].__module__ = __name__
del _each


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__file__", "__name__", "__path__"]
