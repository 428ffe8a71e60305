# SPDX-License-Identifier: MIT
"""The C ABI as ctypes: what `include/marrow/marrow_c.h` declares, and nothing else.

`tests/python/test_abi.py` holds every struct, function and number here against the header.
"""
from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_double,
    c_float,
    c_int,
    c_int16,
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)

ABI_VERSION = 1
NO_OFFSET = 2**64 - 1

# Enumerations are ints, handles are 64-bit numbers.
Status = c_int
Enum = c_int
Handle = c_uint64

STATUS = {
    "MARROW_OK": 0,
    "MARROW_IO": 1,
    "MARROW_TRUNCATED": 2,
    "MARROW_BAD_MAGIC": 3,
    "MARROW_UNSUPPORTED": 4,
    "MARROW_MALFORMED": 5,
    "MARROW_LIMIT_EXCEEDED": 6,
    "MARROW_INVALID_ARGUMENT": 7,
    "MARROW_NOT_FOUND": 8,
    "MARROW_UNREPRESENTABLE": 9,
    "MARROW_BAD_OPTION": 10,
    "MARROW_NEEDS_SKELETON": 11,
    "MARROW_NEEDS_GAME": 12,
    "MARROW_NEEDS_CHOICE": 13,
    "MARROW_NO_CLIP": 14,
    "MARROW_NO_SKELETON": 15,
    "MARROW_NO_COLLISION": 16,
    "MARROW_WRONG_KIND": 17,
    "MARROW_WRONG_GAME": 18,
    "MARROW_WRONG_SKELETON": 19,
    "MARROW_CANCELLED": 20,
    "MARROW_BAD_HANDLE": 100,
    "MARROW_BAD_ARGUMENT": 101,
    "MARROW_OUT_OF_MEMORY": 102,
    "MARROW_INTERNAL": 103,
}
BLEND = {"MARROW_BLEND_NORMAL": 0, "MARROW_BLEND_ADDITIVE": 1, "MARROW_BLEND_ADDITIVE_DEPRECATED": 2}
SPACE = {"MARROW_SPACE_LOCAL": 0, "MARROW_SPACE_MODEL": 1}
MOTION = {"MARROW_MOTION_STATIC": 0, "MARROW_MOTION_KEYFRAMED": 1, "MARROW_MOTION_DYNAMIC": 2}
FIT = {"MARROW_FIT_OTHER": 0, "MARROW_FIT_UNKNOWN": 1, "MARROW_FIT_RIGHT": 2}
ALPHA = {"MARROW_ALPHA_OPAQUE": 0, "MARROW_ALPHA_MASK": 1, "MARROW_ALPHA_BLEND": 2}
PART = {"MARROW_PART_SKELETONS": 1, "MARROW_PART_CLIPS": 2, "MARROW_PART_COLLISION": 4, "MARROW_PART_MESHES": 8}
SURFACE = {"MARROW_SURFACE_MESHES": 0, "MARROW_SURFACE_COLLISION": 1, "MARROW_SURFACE_COLLISION_SOLID": 2}


class Text(Structure):
    """UTF-8 bytes. What is not UTF-8 in a file comes back as it was (`surrogateescape`)."""

    _fields_ = [("data", c_void_p), ("size", c_size_t)]

    def __str__(self) -> str:
        if not self.size:
            return ""
        return ctypes.string_at(self.data, self.size).decode("utf-8", "surrogateescape")

    @classmethod
    def of(cls, data: bytes) -> "Text":
        """Points into `data`, which has to outlive the text."""
        return cls(ctypes.cast(c_char_p(data), c_void_p), len(data))


class Error(Structure):
    _fields_ = [
        ("offset", c_uint64),
        ("code", Status),
        ("name", Text),
        ("message", Text),
        ("path", Text),
        ("file", Text),
    ]


Progress = CFUNCTYPE(c_int32, c_void_p, c_double)
Sink = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)
Read = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_size_t, Sink, c_void_p)
List = CFUNCTYPE(None, c_void_p, c_char_p, Sink, c_void_p)


class Context(Structure):
    _fields_ = [
        ("max_file_bytes", c_uint64),
        ("max_expanded_bytes", c_uint64),
        ("max_objects", c_uint32),
        ("max_depth", c_uint32),
        ("progress", Progress),
        ("read", Read),
        ("list", List),
        ("user", c_void_p),
        ("bone_names", c_char_p),
        ("report_only", c_uint32),
        ("reserved", c_uint32),
    ]


class Input(Structure):
    _fields_ = [
        ("role", c_char_p),
        ("name", c_char_p),
        ("bytes", c_void_p),
        ("byte_count", c_size_t),
        ("document", Handle),
    ]


class ResultInfo(Structure):
    _fields_ = [("report", Text), ("notes", Text), ("file_count", c_uint32), ("found", c_uint32)]


class File(Structure):
    _fields_ = [("name", Text), ("extension", Text), ("bytes", c_void_p), ("byte_count", c_size_t)]


class ArchiveInfo(Structure):
    _fields_ = [
        ("format", Text),
        ("game", Text),
        ("version", c_uint32),
        ("flags", c_uint32),
        ("entry_count", c_uint32),
        ("reserved", c_uint32),
    ]


class ArchiveEntry(Structure):
    _fields_ = [
        ("path", Text),
        ("size", c_uint64),
        ("packed", c_uint64),
        ("compressed", c_uint32),
        ("safe", c_uint32),
    ]


class DocumentInfo(Structure):
    _fields_ = [
        ("name", Text),
        ("format", Text),
        ("game", Text),
        ("notes", Text),
        ("metres_per_unit", c_double),
        ("byte_count", c_uint64),
        ("skeleton_count", c_uint32),
        ("clip_count", c_uint32),
        ("collision_count", c_uint32),
        ("mesh_count", c_uint32),
    ]


class SkeletonInfo(Structure):
    _fields_ = [
        ("name", Text),
        ("bone_count", c_uint32),
        ("float_slot_count", c_uint32),
        ("is_ragdoll", c_uint32),
        ("reserved", c_uint32),
    ]


class Bone(Structure):
    _fields_ = [("name", Text), ("parent", c_int32), ("lock_translation", c_uint32), ("rest", c_float * 10)]


class FloatSlot(Structure):
    _fields_ = [("name", Text), ("reference", c_float), ("reserved", c_uint32)]


class ClipInfo(Structure):
    _fields_ = [
        ("name", Text),
        ("skeleton_name", Text),
        ("frame_count", c_uint32),
        ("track_count", c_uint32),
        ("float_track_count", c_uint32),
        ("duration_seconds", c_float),
        ("blend", Enum),
        ("skeleton", c_int32),
        ("has_root_motion", c_uint32),
        ("is_compressed", c_uint32),
    ]


class FitInfo(Structure):
    _fields_ = [
        ("fit", Enum),
        ("compared", c_uint32),
        ("same", c_uint32),
        ("outside", c_uint32),
        ("misnamed", c_uint32),
        ("reserved", c_uint32),
    ]


class Frames(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("floats", c_void_p),
        ("frame_count", c_uint32),
        ("track_count", c_uint32),
        ("float_track_count", c_uint32),
        ("reserved", c_uint32),
    ]


class Tracks(Structure):
    _fields_ = [
        ("bones", POINTER(c_int16)),
        ("slots", POINTER(c_int16)),
        ("bone_count", c_uint32),
        ("slot_count", c_uint32),
    ]


class TrackOwner(Structure):
    _fields_ = [("actor", c_int32), ("bone", c_int32), ("place", c_uint32), ("reserved", c_uint32)]


class Annotation(Structure):
    _fields_ = [("text", Text), ("time_seconds", c_float), ("track", c_uint32)]


class RootMotion(Structure):
    _fields_ = [
        ("samples", POINTER(c_float)),
        ("sample_count", c_uint32),
        ("duration_seconds", c_float),
        ("up", c_float * 4),
        ("forward", c_float * 4),
    ]


class SampleRequest(Structure):
    _fields_ = [
        ("sampler", Handle),
        ("frame", c_double),
        ("tracks", c_void_p),
        ("float_count", c_uint32),
        ("reserved", c_uint32),
    ]


class CollisionInfo(Structure):
    _fields_ = [
        ("kind", Text),
        ("block", c_int32),
        ("game_units", c_float),
        ("body_count", c_uint32),
        ("joint_count", c_uint32),
    ]


class Body(Structure):
    _fields_ = [
        ("name", Text),
        ("node", Text),
        ("shape", Text),
        ("motion", Enum),
        ("mass", c_float),
        ("friction", c_float),
        ("restitution", c_float),
        ("layer", c_uint32),
        ("flags", c_uint32),
        ("material", c_uint32),
        ("position", c_float * 3),
        ("rotation", c_float * 4),
    ]


class Joint(Structure):
    _fields_ = [
        ("type", Text),
        ("body_a", c_uint32),
        ("body_b", c_int32),
        ("frame_a", c_float * 12),
        ("frame_b", c_float * 12),
        ("limits", c_float * 6),
    ]


class Mesh(Structure):
    _fields_ = [
        ("name", Text),
        ("placement", c_float * 10),
        ("vertices", c_void_p),
        ("triangles", c_void_p),
        ("materials", c_void_p),
        ("vertex_count", c_uint32),
        ("triangle_count", c_uint32),
    ]


class Shape(Structure):
    _fields_ = [
        ("name", Text),
        ("type", Text),
        ("material", Text),
        ("positions", c_void_p),
        ("normals", c_void_p),
        ("uvs", c_void_p),
        ("colours", c_void_p),
        ("triangles", c_void_p),
        ("joints", c_void_p),
        ("weights", c_void_p),
        ("bones", c_void_p),
        ("inverse_binds", c_void_p),
        ("vertex_count", c_uint32),
        ("triangle_count", c_uint32),
        ("bone_count", c_uint32),
        ("texture_count", c_uint32),
        ("block", c_int32),
        ("parent", c_int32),
        ("alpha", Enum),
        ("alpha_threshold", c_float),
        ("is_skinned", c_uint32),
        ("is_double_sided", c_uint32),
        ("place", c_float * 16),
    ]


class RigInfo(Structure):
    _fields_ = [
        ("notes", Text),
        ("metres_per_unit", c_double),
        ("bone_count", c_uint32),
        ("modifier_count", c_uint32),
    ]


class Modifier(Structure):
    _fields_ = [("type", Text), ("bone", c_int32), ("order", c_int32)]


class Environment(Structure):
    _fields_ = [
        ("gravity", c_float * 3),
        ("wind", c_float * 3),
        ("gust_share", c_float),
        ("entity", c_float * 10),
        ("lod", c_int32),
        ("teleported", c_uint32),
    ]


STRUCTS: dict[str, type[Structure]] = {
    "marrow_text": Text,
    "marrow_error": Error,
    "marrow_context": Context,
    "marrow_input": Input,
    "marrow_result_info": ResultInfo,
    "marrow_file": File,
    "marrow_archive_info": ArchiveInfo,
    "marrow_archive_entry": ArchiveEntry,
    "marrow_document_info": DocumentInfo,
    "marrow_skeleton_info": SkeletonInfo,
    "marrow_bone": Bone,
    "marrow_float_slot": FloatSlot,
    "marrow_clip_info": ClipInfo,
    "marrow_frames": Frames,
    "marrow_tracks": Tracks,
    "marrow_track_owner": TrackOwner,
    "marrow_annotation": Annotation,
    "marrow_root_motion": RootMotion,
    "marrow_fit_info": FitInfo,
    "marrow_sample_request": SampleRequest,
    "marrow_collision_info": CollisionInfo,
    "marrow_body": Body,
    "marrow_joint": Joint,
    "marrow_mesh": Mesh,
    "marrow_shape": Shape,
    "marrow_rig_info": RigInfo,
    "marrow_modifier": Modifier,
    "marrow_environment": Environment,
}

_u32 = POINTER(c_uint32)
_handle = POINTER(Handle)
_context = POINTER(Context)

# What each function returns and takes. Buffers of numbers are addresses: bytes, ctypes arrays and ints fit.
FUNCTIONS: dict[str, tuple[object, list[object]]] = {
    "marrow_abi_version": (c_uint32, []),
    "marrow_version": (c_char_p, []),
    "marrow_last_error": (Status, [POINTER(Error)]),
    "marrow_last_cure": (Text, []),
    "marrow_release": (Status, [Handle]),
    "marrow_open_handles": (c_size_t, []),
    "marrow_allocate": (c_void_p, [c_size_t]),
    "marrow_deallocate": (None, [c_void_p]),
    "marrow_describe": (Text, []),
    "marrow_run": (Status, [c_char_p, c_char_p, POINTER(Input), c_size_t, c_char_p, _context, _handle]),
    "marrow_apply": (Status, [Handle, c_char_p, c_char_p, POINTER(Input), c_size_t, _context, _handle]),
    "marrow_get_result": (Status, [Handle, POINTER(ResultInfo)]),
    "marrow_get_file": (Status, [Handle, c_uint32, POINTER(File)]),
    "marrow_detect": (Status, [c_void_p, c_size_t, POINTER(Text)]),
    "marrow_load": (Status, [c_void_p, c_size_t, c_char_p, _context, _handle]),
    "marrow_load_file": (Status, [c_char_p, _context, _handle]),
    "marrow_open_archive": (Status, [c_char_p, c_void_p, c_size_t, _context, _handle]),
    "marrow_get_archive": (Status, [Handle, POINTER(ArchiveInfo)]),
    "marrow_get_archive_entry": (Status, [Handle, c_uint32, POINTER(ArchiveEntry)]),
    "marrow_find_archive_entry": (Status, [Handle, c_char_p, POINTER(c_uint32)]),
    "marrow_read_archive_entry": (Status, [Handle, c_uint32, _context, _handle]),
    "marrow_save": (Status, [Handle, c_char_p, c_char_p, _context, _handle]),
    "marrow_new_document": (Status, [c_char_p, _handle]),
    "marrow_copy_document": (Status, [Handle, _handle]),
    "marrow_read_parts": (Status, [Handle, c_uint32]),
    "marrow_get_document": (Status, [Handle, POINTER(DocumentInfo)]),
    "marrow_get_skeleton": (Status, [Handle, c_uint32, POINTER(SkeletonInfo)]),
    "marrow_get_bones": (Status, [Handle, c_uint32, POINTER(Bone), c_uint32, _u32]),
    "marrow_get_float_slots": (Status, [Handle, c_uint32, POINTER(FloatSlot), c_uint32, _u32]),
    "marrow_add_skeleton": (
        Status,
        [Handle, c_char_p, POINTER(Bone), c_uint32, POINTER(FloatSlot), c_uint32, _u32],
    ),
    "marrow_find_skeleton": (Status, [Handle, _context, _handle]),
    "marrow_get_main_skeleton": (Status, [Handle, _u32]),
    "marrow_pose_to_model": (Status, [c_void_p, c_void_p, c_void_p, c_uint32]),
    "marrow_local_to_model": (Status, [Handle, c_uint32, c_void_p, c_void_p, c_uint32]),
    "marrow_get_blender_names": (Status, [POINTER(Text), c_uint32, _handle]),
    "marrow_match_bones": (Status, [POINTER(Text), c_uint32, POINTER(Text), c_uint32, c_void_p]),
    "marrow_get_clip": (Status, [Handle, c_uint32, POINTER(ClipInfo)]),
    "marrow_set_clip": (Status, [Handle, c_uint32, POINTER(ClipInfo)]),
    "marrow_add_clip": (Status, [Handle, POINTER(ClipInfo), _u32]),
    "marrow_remove_clip": (Status, [Handle, c_uint32]),
    "marrow_get_frames": (Status, [Handle, c_uint32, _context, POINTER(Frames)]),
    "marrow_set_frames": (Status, [Handle, c_uint32, POINTER(Frames), c_float]),
    "marrow_get_tracks": (Status, [Handle, c_uint32, POINTER(Tracks)]),
    "marrow_set_tracks": (Status, [Handle, c_uint32, POINTER(Tracks)]),
    "marrow_get_track_owners": (
        Status,
        [Handle, c_uint32, Handle, c_uint32, Handle, c_uint32, POINTER(TrackOwner), c_uint32, _u32],
    ),
    "marrow_get_track_names": (Status, [Handle, c_uint32, POINTER(Text), c_uint32, _u32]),
    "marrow_set_track_names": (Status, [Handle, c_uint32, POINTER(Text), c_uint32]),
    "marrow_get_annotations": (Status, [Handle, c_uint32, POINTER(Annotation), c_uint32, _u32]),
    "marrow_set_annotations": (Status, [Handle, c_uint32, POINTER(Annotation), c_uint32]),
    "marrow_get_root_motion": (Status, [Handle, c_uint32, POINTER(RootMotion)]),
    "marrow_set_root_motion": (Status, [Handle, c_uint32, POINTER(RootMotion)]),
    "marrow_open_sampler": (Status, [Handle, c_uint32, Handle, c_uint32, _context, _handle]),
    "marrow_open_sampler_as": (Status, [Handle, c_uint32, Handle, c_uint32, Enum, _context, _handle]),
    "marrow_sample_many": (Status, [POINTER(SampleRequest), c_uint32]),
    "marrow_sample": (Status, [Handle, c_double, c_void_p, c_uint32]),
    "marrow_sample_floats": (Status, [Handle, c_double, c_void_p, c_uint32]),
    "marrow_sample_pose": (Status, [Handle, c_double, Enum, c_void_p, c_uint32]),
    "marrow_sample_seconds": (Status, [Handle, c_double, c_uint32, Enum, c_void_p, c_uint32]),
    "marrow_sample_root_motion": (Status, [Handle, c_double, c_void_p]),
    "marrow_fit_skeleton": (Status, [Handle, c_uint32, Handle, c_uint32, _context, POINTER(Enum)]),
    "marrow_get_fit": (Status, [Handle, c_uint32, Handle, c_uint32, _context, POINTER(FitInfo)]),
    "marrow_sample_frames": (Status, [Handle, c_uint32, Handle, c_uint32, c_double, Enum, c_void_p, c_uint32]),
    "marrow_get_collision": (Status, [Handle, c_uint32, POINTER(CollisionInfo)]),
    "marrow_get_bodies": (Status, [Handle, c_uint32, POINTER(Body), c_uint32, _u32]),
    "marrow_get_joints": (Status, [Handle, c_uint32, POINTER(Joint), c_uint32, _u32]),
    "marrow_open_meshes": (Status, [Handle, Enum, _context, _handle]),
    "marrow_get_mesh_count": (Status, [Handle, _u32]),
    "marrow_get_mesh": (Status, [Handle, c_uint32, POINTER(Mesh)]),
    "marrow_open_shapes": (Status, [Handle, Handle, _context, _handle]),
    "marrow_get_shape_count": (Status, [Handle, _u32]),
    "marrow_get_shape": (Status, [Handle, c_uint32, POINTER(Shape)]),
    "marrow_get_shape_bones": (Status, [Handle, POINTER(Bone), c_uint32, _u32]),
    "marrow_get_shape_textures": (Status, [Handle, c_uint32, POINTER(Text), c_uint32, _u32]),
    "marrow_get_material_colour": (Status, [c_uint32, c_void_p]),
    "marrow_get_shape_in_name": (Status, [c_char_p, POINTER(Text)]),
    "marrow_get_file_names": (Status, [POINTER(Text), c_uint32, _handle]),
    "marrow_add_mesh": (Status, [Handle, POINTER(Mesh), POINTER(c_char_p), c_uint32]),
    "marrow_open_rig": (Status, [Handle, _handle, c_uint32, c_char_p, c_char_p, _context, _handle]),
    "marrow_get_rig": (Status, [Handle, POINTER(RigInfo)]),
    "marrow_get_rig_bones": (Status, [Handle, POINTER(Bone), c_uint32, _u32]),
    "marrow_get_modifiers": (Status, [Handle, POINTER(Modifier), c_uint32, _u32]),
    "marrow_get_field": (Status, [Handle, c_uint32, c_char_p, c_void_p, c_uint32, _u32]),
    "marrow_set_field": (Status, [Handle, c_uint32, c_char_p, c_void_p, c_uint32]),
    "marrow_open_simulation": (Status, [Handle, _handle]),
    "marrow_default_environment": (None, [POINTER(Environment)]),
    "marrow_step": (Status, [Handle, POINTER(Environment), c_double, c_void_p, c_void_p, c_void_p, c_uint32]),
    "marrow_reset": (Status, [Handle]),
    "marrow_save_state": (Status, [Handle, c_void_p, c_size_t, POINTER(c_size_t)]),
    "marrow_restore_state": (Status, [Handle, c_void_p, c_size_t]),
}
