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
    Cure,
    Error,
    FormatError,
    InternalError,
    LimitError,
    NoBoneError,
    NoClipError,
    NoCollisionError,
    NoSkeletonError,
    NotFoundError,
    OptionError,
    TruncatedError,
    UnknownFormatError,
    UnsupportedError,
)
from ._library import version as __version__
from ._run import File, Result, descriptions, run
from ._load_all import load_all
from ._sample_many import sample_many
from .annotations import Annotation, Annotations
from .archive import Archive, ArchiveEntry
from .clip import Clip, Fit
from .collision import Body, CollisionSystem, Joint, build_collision
from .document import Document, detect, load
from .findings import Difference, Finding, check, diff
from .mesh import Mesh, material_colour, shape_in_name
from .shape import Shape, Shapes
from .pose import Pose, Transform
from .rig import Environment, Modifier, Rig, Simulation
from .root_motion import RootMotion
from .skeleton import Bone, FloatSlot, Skeleton
from .track import Track

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
    "NoSkeletonError",
    "NotFoundError",
    "OptionError",
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
    "__version__",
    "blender",
    "build_collision",
    "check",
    "descriptions",
    "detect",
    "diff",
    "load",
    "load_all",
    "material_colour",
    "operations",
    "ops",
    "run",
    "sample_many",
    "shape_in_name",
]
