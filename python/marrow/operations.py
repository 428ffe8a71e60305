# SPDX-License-Identifier: MIT
# Made by scripts/make_python_operations.py from the description of operations. Do not edit.
"""Every operation of Marrow as a function: whatever the command line can do.

    marrow.ops.compress("a.hkx", max_rotation_error=0.05, output="b.hkx")

Inputs are paths, bytes, open files, documents, clips or skeletons. Without `output` the file stays in memory, as
`Result.bytes`. Functions raise `marrow.Error`.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

from ._context import Limits, ProgressCallback
from ._files import FileSource, FileTarget
from ._run import Result, run

if TYPE_CHECKING:
    from ._clip import Clip
    from ._document import Document
    from ._skeleton import Skeleton

PathLike = Union[str, "os.PathLike[str]"]
#: What an operation reads: also what another one made.
Source = Union[FileSource, "Document", "Clip", "Skeleton", Result]
#: What an operation reads that takes a text: a file, values that become JSON, or a number.
TextSource = Union[Source, Mapping[str, Any], int]


__all__ = [
    "annotations_add",
    "annotations_copy",
    "annotations_export",
    "annotations_import",
    "annotations_list",
    "annotations_presets",
    "annotations_remove",
    "annotations_replace",
    "annotations_scale",
    "annotations_shift",
    "annotations_sort",
    "archive_check",
    "archive_extract",
    "archive_list",
    "archive_pack",
    "behavior_add_animation",
    "behavior_add_clip",
    "behavior_add_event",
    "behavior_add_state",
    "behavior_add_transition",
    "behavior_add_variable",
    "behavior_edit",
    "behavior_find",
    "behavior_graph",
    "behavior_list",
    "behavior_make_patch",
    "behavior_patch",
    "behavior_remove",
    "behavior_rename",
    "behavior_run",
    "behavior_set",
    "body_list",
    "body_new",
    "body_picture",
    "body_replace",
    "body_weights",
    "cache_add",
    "cache_check",
    "cache_list",
    "cache_remove",
    "check",
    "clip_additive",
    "clip_apply",
    "clip_blend",
    "clip_feet",
    "clip_join",
    "clip_layer",
    "clip_loop",
    "clip_offset",
    "clip_pin",
    "clip_pose",
    "clip_repeat",
    "clip_resample",
    "clip_reverse",
    "clip_set_pose",
    "clip_smooth",
    "clip_speed",
    "clip_tracks",
    "clip_trim",
    "collision_add_body",
    "collision_add_joint",
    "collision_attach",
    "collision_boxes",
    "collision_build",
    "collision_detach",
    "collision_export",
    "collision_extract",
    "collision_joints",
    "collision_layers",
    "collision_list",
    "collision_materials",
    "collision_ragdoll",
    "collision_remove_body",
    "collision_remove_joint",
    "collision_replace",
    "collision_set",
    "collision_set_joint",
    "collision_set_shape",
    "compress",
    "convert",
    "diff",
    "doctor",
    "dump",
    "floats_import",
    "floats_remove",
    "floats_set",
    "info",
    "knots",
    "merge",
    "mirror",
    "pair_join",
    "pair_split",
    "pair_swap",
    "retarget",
    "rig_add_bone",
    "rig_add_modifier",
    "rig_apply",
    "rig_copy_modifiers",
    "rig_edit",
    "rig_extract_addon",
    "rig_extract_modifiers",
    "rig_fields",
    "rig_hash",
    "rig_list",
    "rig_merge",
    "rig_mirror",
    "rig_names",
    "rig_new_addon",
    "rig_plan",
    "rig_remove_bone",
    "rig_remove_modifier",
    "rig_rename",
    "rig_renumber",
    "rig_reparent",
    "rig_set",
    "rig_show",
    "rig_table",
    "rig_to_game",
    "root_motion_bake",
    "root_motion_extract",
    "root_motion_from_annotations",
    "root_motion_remove",
    "root_motion_scale",
    "root_motion_set",
    "root_motion_show",
    "root_motion_to_annotations",
    "run",
    "sample",
    "simulate",
]

def __dir__() -> list[str]:
    return __all__


def info(
    file: Source,
    *,
    bones: bool = False,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Show what files contain: format, game, classes, skeletons, clips.

    Args:
        file: What to work on, one file at a time.
        bones: List the bones of each skeleton: index, parent, name, rest pose, flags.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `format`, `game`, `version`, `pointer_size`, `endian`, `layout`, `known_as`,
        `classes`, `skeletons`, `clips`, `actors`, `actor_order`, `about`, `meshes`, `up_axis`, `unit_cm`,
        `systems`, `bodies`, `shapes`, `type`, `id`, `modifiers`, `named`.
    """
    return run(
        "info",
        [("file", file)],
        {"bones": bones},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def convert(
    file: Source,
    *,
    skeleton: Optional[Source] = None,
    format: Optional[Literal["hkx", "hkx-ids", "xml", "tagfile", "xml-tagfile", "nif", "anvil-schema", "anvil-standard", "json", "glb", "gltf", "csv", "animation-data", "animation-sets", "obj"]] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    units: Optional[Literal["metre", "game", "blender"]] = None,
    show_bones: bool = False,
    root_motion: Literal["none", "node", "bake"] = 'none',
    ragdoll: bool = False,
    head_parts: bool = False,
    textures: bool = False,
    data: Optional[Sequence[str]] = None,
    texture_size: int = 2048,
    fps: Optional[float] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    allow_loss: bool = False,
    clip: Optional[str] = None,
    scale: Optional[float] = None,
    rest: Literal["bind", "file", "frame0", "offsets"] = 'bind',
    xml_style: Literal["exact", "plain"] = 'exact',
    pointer_size: Optional[int] = None,
    layout: Optional[str] = None,
    only_wrong: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Rewrite files for another game or in another format; folders keep their tree.

    Several files into one .glb or .gltf are merged; clips of the same skeleton are kept together.

    Args:
        file: What to work on, one file at a time.
        skeleton: The skeleton that clips are for (twice for the actors of paired clips), or the file that a
            skeleton goes back into.
        format: Write this format; default: the output's extension, else the input's.
        to: Write for this game; default: the input's.
        units: Length unit of glTF files, and of packfiles made of FBX and BVH; default: metre in glTF, game in
            packfiles.
        show_bones: Add a mesh to glTF files that makes bones visible.
        root_motion: Root motion in glTF files: kept aside, as motion of the root node, or baked into the root
            bones.
        ragdoll: Export ragdoll skeletons too.
        head_parts: Shapes for Skyrim SE become head parts, which the game morphs.
        textures: Take the textures of bodies along, as PNG.
        data: A game's data folder, where files, skeletons and textures are found; may be repeated for more
            textures; default: the folder that holds the body's meshes, and the body's own.
        texture_size: Take smaller mips of textures that are larger than this; in pixels; 1 to 16384.
        fps: Frames per second of clips from glTF files of other programs, FBX and BVH; source keeps the file's own;
            1 to 1000; default: the rate of their keys, of FBX and BVH 30.
        max_rotation_error: Largest rotation error of motion that is encoded, of any bone; in degrees; 0.001 to 180;
            default: 0.02.
        max_position_error: Largest translation error of motion that is encoded, of any bone; in units; at least
            1e-06; default: 0.004.
        allow_loss: Write packfiles even if something of the input has no place in the output.
        clip: The clip to write, if a file has several: its name, else its number, counted from 0.
        scale: Game units per unit of an FBX or BVH file; auto fits the skeleton that is given; more than 0;
            default: as the file states its unit; BVH is in centimetres.
        rest: Rest pose of an FBX or BVH file: its bind pose, the bones as they stand, or the first frame.
        xml_style: Exact keeps every bit; plain is what hkxcmd, hkxpack and hkxc write: six decimals, three lanes.
        pointer_size: 4 or 8 bytes, whatever the game; 4 to 8; default: that of the game.
        layout: Packfile of the same version in another layout: pointer size (4, 8), little-endian (0, 1), reused
            padding (0, 1), 1; default: that of the input.
        only_wrong: Write only files that are for another platform than the game: 32-bit files among 64-bit ones.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `format`, `bytes`, `unchanged`, `left_bones`, `changed`, `left_out`, `because`.
    """
    return run(
        "convert",
        [("file", file), ("skeleton", skeleton)],
        {"format": format, "to": to, "units": units, "show_bones": show_bones, "root_motion": root_motion, "ragdoll": ragdoll, "head_parts": head_parts, "textures": textures, "data": data, "texture_size": texture_size, "fps": fps, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "allow_loss": allow_loss, "clip": clip, "scale": scale, "rest": rest, "xml_style": xml_style, "pointer_size": pointer_size, "layout": layout, "only_wrong": only_wrong},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def merge(
    file: Union[Source, Iterable[Source]],
    *,
    skeleton: Optional[Source] = None,
    format: Optional[Literal["hkx", "hkx-ids", "xml", "tagfile", "xml-tagfile", "nif", "anvil-schema", "anvil-standard", "json", "glb", "gltf", "csv", "animation-data", "animation-sets", "obj"]] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    units: Optional[Literal["metre", "game", "blender"]] = None,
    show_bones: bool = False,
    root_motion: Literal["none", "node", "bake"] = 'none',
    ragdoll: bool = False,
    head_parts: bool = False,
    textures: bool = False,
    data: Optional[Sequence[str]] = None,
    texture_size: int = 2048,
    fps: Optional[float] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Put the skeletons and clips of several files into one glTF file.

    Args:
        file: Files or folders.
        skeleton: The skeleton that the clips are for; twice for the actors of paired clips.
        format: Write this format; default: the output's extension, else the input's.
        to: Write for this game; default: the input's.
        units: Length unit of glTF files, and of packfiles made of FBX and BVH; default: metre in glTF, game in
            packfiles.
        show_bones: Add a mesh to glTF files that makes bones visible.
        root_motion: Root motion in glTF files: kept aside, as motion of the root node, or baked into the root
            bones.
        ragdoll: Export ragdoll skeletons too.
        head_parts: Shapes for Skyrim SE become head parts, which the game morphs.
        textures: Take the textures of bodies along, as PNG.
        data: A game's data folder, where files, skeletons and textures are found; may be repeated for more
            textures; default: the folder that holds the body's meshes, and the body's own.
        texture_size: Take smaller mips of textures that are larger than this; in pixels; 1 to 16384.
        fps: Frames per second of clips from glTF files of other programs, FBX and BVH; source keeps the file's own;
            1 to 1000; default: the rate of their keys, of FBX and BVH 30.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `files`, `failed`.
    """
    return run(
        "merge",
        [("file", file), ("skeleton", skeleton)],
        {"format": format, "to": to, "units": units, "show_bones": show_bones, "root_motion": root_motion, "ragdoll": ragdoll, "head_parts": head_parts, "textures": textures, "data": data, "texture_size": texture_size, "fps": fps},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def check(
    file: Source,
    *,
    base: Optional[Source] = None,
    beside: Optional[Union[Source, Iterable[Source]]] = None,
    skeleton: Optional[Source] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    data: Optional[Sequence[str]] = None,
    fix: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Report what would crash, T-pose or jitter in the game, before the game does.

    A fix repairs whatever has only one correct repair. Exit 0 if nothing is wrong, 3 if there is an error or a warning,
    1 if the format of a file is not supported.

    Args:
        file: What to work on, one file at a time.
        base: The skeleton that an Anvil addon extends.
        beside: Anvil skeletons, or files of a behaviour project, that the game loads with it; files and folders
            that are checked together are compared anyway.
        skeleton: The skeleton that clips and skinned meshes are for, or the skeleton.hkx that the ragdoll of a
            skeleton.nif is compared with; twice for the actors of a paired clip.
        game: Check by the rules of this game.
        data: A game's data folder, where files and skeletons are found, and the textures of bodies must be; may be
            repeated for more textures.
        fix: Write a mended copy, too.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `findings`.
    """
    return run(
        "check",
        [("file", file), ("base", base), ("beside", beside), ("skeleton", skeleton)],
        {"game": game, "data": data},
        output=output,
        wants_files=fix or output is not None,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def diff(
    a: Source,
    b: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Compare two files by meaning; exit 3 if they differ.

    Args:
        a: A file.
        b: Another file of the same kind.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `a`, `b`, `differences`.
    """
    return run(
        "diff",
        [("a", a), ("b", b)],
        {},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def dump(
    file: Source,
    *,
    object: Optional[int] = None,
    format: Literal["text", "json"] = 'text',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Print every object and field of a packfile or block of a NIF, with value and offset.

    Args:
        file: What to work on, one file at a time.
        object: Only object N, of a NIF block N, counted from 0; at least 0.
        format: Text for people, or JSON, which of a packfile is read back into the same file.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `dump`.
    """
    return run(
        "dump",
        [("file", file)],
        {"object": object, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def retarget(
    clip: Source,
    from_: Source,
    to: Source,
    *,
    map: Optional[TextSource] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    clip_name: Optional[str] = None,
    root_motion: Literal["auto", "extract", "keep"] = 'auto',
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    format: Optional[Literal["hkx", "xml", "glb", "gltf", "csv"]] = None,
    output: Optional[FileTarget] = None,
    save_map: Optional[PathLike] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Play clips on another skeleton, also of another game.

    Bones are mapped by name, by the names of Skyrim, Fallout 4, Anvil and HumanIK (Mixamo) rigs, and by their place.
    The report lists which were mapped, guessed and left out.

    Args:
        clip: What to work on, one file at a time.
        from_: The skeleton that the clips are for; twice for the actors of paired clips.
        to: The skeleton that they should move; twice for the actors of paired clips.
        map: Which bone is which, one per line: NAME = NAME, or NAME = - to leave one out.
        game: Write for this game; default: that of the target skeleton.
        clip_name: The clip to take, if a file has several: its name, else its number, counted from 0; default: all;
            of FBX the first.
        root_motion: What the path of the hips becomes: root motion, or motion of the hips; auto extracts it from
            FBX and BVH, whose body then starts over its root and faces ahead.
        max_rotation_error: Largest rotation error of motion that is encoded, of any bone; in degrees; 0.001 to 180;
            default: 0.02.
        max_position_error: Largest translation error of motion that is encoded, of any bone; in units; at least
            1e-06; default: 0.004.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        save_map: Write the map that was used, to be edited and given again.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `scale`, `bones`, `source_rig`, `target_rig`, `target_bones`, `limb_bones`,
        `mapped_limb_bones`, `relative`, `left_out`, `at_rest`, `lost_floats`, `mean_direction_error`,
        `worst_direction_error`, `worst_direction_bone`, `mean_contact_error`, `worst_contact_error`, `moved`,
        `map`.
    """
    return run(
        "retarget",
        [("clip", clip), ("from", from_), ("to", to), ("map", map)],
        {"game": game, "clip": clip_name, "root_motion": root_motion, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "format": format},
        output=output,
        extras={"save_map": save_map},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def sample(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    frames: Optional[Sequence[float]] = None,
    fps: Optional[float] = None,
    space: Literal["local", "model"] = 'local',
    floats: bool = False,
    clip_index: int = 0,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Print the pose of every track of a clip at any frames, as CSV.

    Columns: frame,track,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz, and bone if the skeleton is given. Numbers read back as the same
    bits.

    Args:
        clip: What to work on, one file at a time.
        skeleton: The skeleton, for model space and names of bones; twice for the actors of a paired clip.
        frames: Frames, which may be fractional: 0,0.5,255; default: every whole frame.
        fps: Poses per second instead; more than 0.
        space: Local to the parent bone, or model space.
        floats: Print the float tracks instead: frame,slot,value.
        clip_index: Which clip, if the file has several: its name, else its number, counted from 0.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `columns`, `rows`.
    """
    return run(
        "sample",
        [("clip", clip), ("skeleton", skeleton)],
        {"frames": frames, "fps": fps, "space": space, "floats": floats, "clip": clip_index},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def compress(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    max_model_error: Optional[float] = None,
    shell: float = 3,
    effort: Literal["fast", "normal", "best"] = 'normal',
    encodings: Literal["seen", "all"] = 'seen',
    uncompressed: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Encode clips again, smaller, within a bound on the error that you set.

    The error is the difference between what the game will decode and the original clip, at every quarter of a frame.
    Events, root motion, bindings and all other objects stay unchanged.

    Args:
        clip: What to work on, one file at a time.
        skeleton: The skeleton that the clips are for; twice for the actors of paired clips.
        max_rotation_error: Largest rotation error of any bone relative to its parent; in degrees; at least 0;
            default: 0.05.
        max_position_error: Largest translation error of any bone relative to its parent; in units; at least 0;
            default: 0.01.
        max_scale_error: Largest scale error of any bone; at least 0; default: 0.0005.
        max_float_error: Largest error of any float track; at least 0; default: 0.0005.
        max_model_error: Largest error of any point of the shell around any bone, in model space; replaces the
            bounds above that are not given; in units; at least 0.
        shell: Distance of the shell from its bone; in units; at least 0.
        effort: Trades time for size.
        encodings: Seen: those of the games' own files; all: 48-bit rotations, 8-bit values and degree 2 too.
        uncompressed: Store every frame uncompressed instead.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bytes_before`, `bytes_after`, `uncompressed`, `kept`, `clips`.
    """
    return run(
        "compress",
        [("clip", clip), ("skeleton", skeleton)],
        {"max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "max_model_error": max_model_error, "shell": shell, "effort": effort, "encodings": encodings, "uncompressed": uncompressed},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def mirror(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    format: Optional[Literal["hkx", "xml", "glb", "gltf", "csv"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Swap left and right in clips.

    Bones are paired by their mirror bones (Anvil) or by names. Bones on one side only, such as a weapon in the right
    hand, keep their own motion. FootLeft becomes FootRight in events, and SyncLeft becomes SyncRight.

    Args:
        clip: What to work on, one file at a time.
        skeleton: The skeleton that the clips are for; twice for the actors of paired clips.
        game: Write for this game; default: the skeleton's.
        max_rotation_error: Largest rotation error of motion that is encoded, of any bone; in degrees; 0.001 to 180;
            default: 0.02.
        max_position_error: Largest translation error of motion that is encoded, of any bone; in units; at least
            1e-06; default: 0.004.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `pairs`, `centred`, `unsure`.
    """
    return run(
        "mirror",
        [("clip", clip), ("skeleton", skeleton)],
        {"game": game, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def simulate(
    skeleton: Source,
    *,
    addon: Optional[Union[Source, Iterable[Source]]] = None,
    modifiers: Optional[TextSource] = None,
    collide: Optional[TextSource] = None,
    common: Optional[TextSource] = None,
    clip: Optional[Source] = None,
    bone: Optional[Sequence[str]] = None,
    add: bool = False,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    fps: Optional[float] = None,
    seconds: Optional[float] = None,
    loop: bool = False,
    settle: Optional[float] = None,
    no_settle: bool = False,
    clip_name: Optional[str] = None,
    teleport: float = 2,
    ground: Optional[float] = None,
    shake: Optional[Sequence[float]] = None,
    wind: Optional[Sequence[float]] = None,
    gusts: float = 0,
    gravity: Optional[Sequence[float]] = None,
    lod: int = 0,
    native_law: bool = False,
    self_collision: bool = False,
    explain: Optional[str] = None,
    frame: Optional[int] = None,
    plot_bone: Optional[Sequence[str]] = None,
    hide_bones: bool = False,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    format: Optional[Literal["csv", "glb", "gltf", "hkx", "xml"]] = None,
    output: Optional[FileTarget] = None,
    save_modifiers: Optional[PathLike] = None,
    plot: Optional[PathLike] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Run bone modifiers over a clip or the rest pose, and bake the result.

    Presets: cape, chain, hair, ponytail, pouch, scabbard; colliders: body. docs/modifiers/sidecar.md explains how to
    write more. CSV: frame,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz in local space. With a clip, frame 0 is settled; without
    one it is the rest pose. Results agree at every frame rate; docs/modifiers has a page per modifier.

    Args:
        skeleton: Anvil XML, .hkx or .glb.
        addon: Anvil addons to merge into it.
        modifiers: Modifiers for any skeleton: a sidecar, or the name of a preset; or a preset: cape, chain, hair,
            ponytail, pouch, scabbard.
        collide: Colliders that chains are kept out of: a sidecar, or 'body'; or a preset: body.
        common: Shared data for fields that ball joints leave at 0 (JSON or XML).
        clip: What to work on, one file at a time.
        bone: The bone of a preset, a pattern with *, or a chain FIRST..LAST; may be repeated.
        add: Keep the modifiers of the same class that a bone already has, instead of replacing them.
        game: The game whose rules apply: what it does not have does not run; or the one that a .hkx is for.
        fps: Frames per second; 0 to 1e+06; default: the clip's, else 30.
        seconds: Length; a clip is repeated; in seconds; 0 to 1e+06; default: the clip's, else 4.
        loop: Repeat until the end meets the start, for clips that are played as loops.
        settle: Hold the first pose before frame 0, so that hanging parts come to rest; in seconds; 0 to 3600;
            default: 10 with a clip that is not a loop, else 0.
        no_settle: Start a clip from its first pose, as it is.
        clip_name: Run this clip of a file with several; default: all of them.
        teleport: Physics of a bone that moves further within one frame is reset; in metres; more than 0.
        ground: Keep chains above this height; in metres.
        shake: Swing the root along X.
        wind: Metres per second.
        gusts: How much gusts vary the wind; 0 to 1.
        gravity: Metres per second squared.
        lod: Level of detail; 0 to 255.
        native_law: Use the engine's own per-frame laws for Hinge, SpringBox and Roll.
        self_collision: Ball joints push each other apart by CollisionRadius.
        explain: Report what each modifier did to a bone in a frame.
        frame: The frame to explain; at least 0; default: the last.
        plot_bone: A bone to plot; may be repeated; default: the first six that modifiers move.
        hide_bones: Leave out of glTF files the mesh that makes bones visible.
        max_rotation_error: Largest rotation error of motion that is encoded, of any bone; in degrees; 0.001 to 180;
            default: 0.02.
        max_position_error: Largest translation error of motion that is encoded, of any bone; in units; at least
            1e-06; default: 0.004.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        save_modifiers: Write the modifiers there, to change them and use them again.
        plot: Draw angles and limits of bones over time there, as SVG.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `frames`, `fps`, `clips`, `bones`, `modifiers`, `fx_bones`, `wrinkles`, `loop`,
        `explain`, `plot`, `sidecar`.
    """
    return run(
        "simulate",
        [("skeleton", skeleton), ("addon", addon), ("modifiers", modifiers), ("collide", collide), ("common", common), ("clip", clip)],
        {"bone": bone, "add": add, "game": game, "fps": fps, "seconds": seconds, "loop": loop, "settle": settle, "no_settle": no_settle, "clip_name": clip_name, "teleport": teleport, "ground": ground, "shake": shake, "wind": wind, "gusts": gusts, "gravity": gravity, "lod": lod, "native_law": native_law, "self_collision": self_collision, "explain": explain, "frame": frame, "plot_bone": plot_bone, "hide_bones": hide_bones, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "format": format},
        output=output,
        extras={"save_modifiers": save_modifiers, "plot": plot},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def knots(
    clip: Source,
    *,
    clip_index: int = 0,
    track: Optional[int] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List the knots that clips store for each track, for plots.

    Knots are frames of the clip. A clip that stores every frame has none.

    Args:
        clip: What to work on, one file at a time.
        clip_index: Number of the clip, if there are several; at least 0.
        track: Only this track; at least 0; default: all.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `compressed`, `frames`, `tracks`, `floats`.
    """
    return run(
        "knots",
        [("clip", clip)],
        {"clip": clip_index, "track": track},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_boxes(
    file: Source,
    *,
    depth: int = 6,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List the boxes of the trees that collision is searched with.

    Boxes are in the space of their node, in game units.

    Args:
        file: What to work on, one file at a time.
        depth: Leave out boxes further below the root; 0 to 64.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `boxes`.
    """
    return run(
        "collision boxes",
        [("file", file)],
        {"depth": depth},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def doctor(
    *,
    file: Optional[Union[Source, Iterable[Source]]] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    pictures: int = 0,
    installed: Optional[Sequence[str]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Examine a mod folder on one page: what is in it, for which game, what would crash, T-pose or be ignored.

    Without a folder: what this installation can do. Exit 0 if nothing is wrong, 3 if there is an error or a warning.

    Args:
        file: A folder or an archive, with the paths that the game will see.
        game: Check by the rules of this game; default: the game that most files are for.
        pictures: Number of bodies, clips and skeletons to draw; at most 100.
        installed: Where a part of this installation is; the program fills in its own.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `installed`, `games`, `files`, `game`, `reason`, `contents`, `problems`,
        `pictures`.
    """
    return run(
        "doctor",
        [("file", file)],
        {"game": game, "pictures": pictures, "installed": installed},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_trim(
    clip: Source,
    *,
    from_: Optional[float] = None,
    to: Optional[float] = None,
    from_frame: Optional[int] = None,
    to_frame: Optional[int] = None,
    from_event: Optional[str] = None,
    to_event: Optional[str] = None,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Keep a range of a clip, with its events and root motion.

    Curves are cut, not sampled: values stay within 0.04 degrees between frames too, and most stored numbers do not
    change at all. Cuts lie on whole frames.

    Args:
        clip: What to work on, one file at a time.
        from_: Start of the range; the nearest whole frame is taken; in seconds; at least 0; default: the start of
            the clip.
        to: End of the range; in seconds; at least 0; default: the end of the clip.
        from_frame: Start of the range as a frame; at least 0.
        to_frame: End of the range as a frame, included; at least 0.
        from_event: Start of the range at the first event of this text.
        to_event: End of the range at the first event of this text.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip trim",
        [("clip", clip)],
        {"from": from_, "to": to, "from_frame": from_frame, "to_frame": to_frame, "from_event": from_event, "to_event": to_event, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_join(
    first: Source,
    next: Union[Source, Iterable[Source]],
    *,
    skeleton: Optional[Source] = None,
    crossfade: Optional[float] = None,
    inertial: Optional[float] = None,
    clip: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Play clips one after the other.

    Neighbours share a frame, so that a clip that was cut in two is the same again. Tracks are matched by bone.

    Args:
        first: The clip that comes first.
        next: The clips that follow, in order.
        skeleton: The skeleton of the clips, if their tracks differ.
        crossfade: Let one clip become the next over this time; the result is shorter by it; in seconds; more than
            0.
        inertial: Or let the difference at the seam die out over this time, in the next clip; in seconds; more than
            0.
        clip: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all of
            them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip join",
        [("first", first), ("next", next), ("skeleton", skeleton)],
        {"crossfade": crossfade, "inertial": inertial, "clip": clip, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_speed(
    clip: Source,
    *,
    factor: Optional[float] = None,
    length: Optional[float] = None,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Play clips faster or slower; no pose changes.

    Args:
        clip: What to work on, one file at a time.
        factor: 2 is twice as fast, 0.5 half as fast; more than 0.
        length: Or how long the clip is to take; in seconds; more than 0.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip speed",
        [("clip", clip)],
        {"factor": factor, "length": length, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_resample(
    clip: Source,
    *,
    fps: float,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Change the frames per second and keep the length.

    Whole multiples of the rate keep every value.

    Args:
        clip: What to work on, one file at a time.
        fps: Frames per second; more than 0.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip resample",
        [("clip", clip)],
        {"fps": fps, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_reverse(
    clip: Source,
    *,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Play clips backwards.

    Args:
        clip: What to work on, one file at a time.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip reverse",
        [("clip", clip)],
        {"clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_repeat(
    clip: Source,
    *,
    times: int,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Play clips several times.

    Args:
        clip: What to work on, one file at a time.
        times: How often the clip is played; 1 to 10000.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip repeat",
        [("clip", clip)],
        {"times": times, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_loop(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    blend: Optional[float] = None,
    find: bool = False,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make first and last pose meet, and their velocities.

    Half of the gap is taken at either end. Without an output only the gaps are reported.

    Args:
        clip: What to work on, one file at a time.
        skeleton: The skeleton that the clips are for.
        blend: Time at each end over which the gap is closed; in seconds; more than 0; default: 0.33, at most a
            quarter of the clip.
        find: Find the best start and end, and cut there first.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip loop",
        [("clip", clip), ("skeleton", skeleton)],
        {"blend": blend, "find": find, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_tracks(
    clip: Source,
    *,
    like: Optional[Source] = None,
    skeleton: Optional[Source] = None,
    keep: Optional[Sequence[str]] = None,
    drop: Optional[Sequence[str]] = None,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Keep or drop tracks by bone, or give clips the tracks of another skeleton.

    Args:
        clip: What to work on, one file at a time.
        like: Make a track for every bone of this skeleton, in its order; bones without a track rest.
        skeleton: The skeleton that the clips are for.
        keep: Keep the tracks of bones that match; may be repeated.
        drop: Drop the tracks of bones that match; may be repeated.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip tracks",
        [("clip", clip), ("like", like), ("skeleton", skeleton)],
        {"keep": keep, "drop": drop, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_blend(
    first: Source,
    other: Source,
    *,
    skeleton: Optional[Source] = None,
    weight: Optional[float] = None,
    from_: Optional[float] = None,
    to: Optional[float] = None,
    no_warp: bool = False,
    clip: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Mix two clips, or let one become the other.

    With a weight, events that both clips have (footsteps) are brought to the same time.

    Args:
        first: The first clip.
        other: The other clip.
        skeleton: The skeleton of the clips, if their tracks differ.
        weight: Share of the other clip: 0 is the first, 1 the other; 0 to 1.
        from_: Or: begin here to become the other clip; in seconds; at least 0.
        to: And be the other clip here; in seconds; at least 0.
        no_warp: Leave events that both clips have where they are.
        clip: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all of
            them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip blend",
        [("first", first), ("other", other), ("skeleton", skeleton)],
        {"weight": weight, "from": from_, "to": to, "no_warp": no_warp, "clip": clip, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_layer(
    base: Source,
    over: Source,
    *,
    skeleton: Optional[Source] = None,
    bones: Optional[Sequence[str]] = None,
    below: Optional[Sequence[str]] = None,
    weight: float = 1,
    repeat: bool = False,
    events: bool = False,
    model: bool = False,
    clip: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Take some bones from another clip.

    Args:
        base: The clip that keeps the other bones.
        over: The clip that the bones are taken from.
        skeleton: The skeleton that the clips are for.
        bones: Bones that match; may be repeated.
        below: A bone and all bones below it; may be repeated.
        weight: Share of the layer; 0 to 1.
        repeat: Repeat a shorter layer instead of holding its last pose.
        events: Add the events of the layer.
        model: Keep the direction in the world that the topmost bones have in the layer.
        clip: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all of
            them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip layer",
        [("base", base), ("over", over), ("skeleton", skeleton)],
        {"bones": bones, "below": below, "weight": weight, "repeat": repeat, "events": events, "model": model, "clip": clip, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_additive(
    clip: Source,
    reference: TextSource,
    *,
    skeleton: Optional[Source] = None,
    hint: Literal["game", "1", "2"] = 'game',
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make additive clips: the difference to a pose.

    Args:
        clip: What to work on, one file at a time.
        reference: The pose that the difference is taken to: a frame of the clip, `rest`, or a file with a pose; or
            a preset: rest.
        skeleton: The skeleton that the clips are for.
        hint: The order: 1 puts the value before the pose below (Skyrim), 2 after it (Fallout 4).
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip additive",
        [("clip", clip), ("reference", reference), ("skeleton", skeleton)],
        {"hint": hint, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_apply(
    base: Source,
    additive: Source,
    *,
    skeleton: Optional[Source] = None,
    weight: float = 1,
    clip: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Put an additive clip on another.

    Args:
        base: The clip below.
        additive: The additive clip.
        skeleton: The skeleton of the clips, if their tracks differ.
        weight: Share of the additive clip; at least 0.
        clip: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all of
            them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip apply",
        [("base", base), ("additive", additive), ("skeleton", skeleton)],
        {"weight": weight, "clip": clip, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_offset(
    clip: Source,
    *,
    bone: str,
    skeleton: Optional[Source] = None,
    turn: Optional[Sequence[float]] = None,
    move: Optional[Sequence[float]] = None,
    space: Literal["parent", "bone", "model"] = 'parent',
    model: bool = False,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Turn or move a bone throughout a clip.

    Args:
        clip: What to work on, one file at a time.
        bone: The bone.
        skeleton: The skeleton that the clips are for.
        turn: Turn it: about x, then y, then z; in degrees.
        move: Move it; in units.
        space: The axes that are meant.
        model: The same as the space model.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip offset",
        [("clip", clip), ("skeleton", skeleton)],
        {"bone": bone, "turn": turn, "move": move, "space": space, "model": model, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_pose(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    frame: Optional[int] = None,
    time: Optional[float] = None,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Keep one pose of a clip, as a clip of two equal frames.

    Args:
        clip: What to work on, one file at a time.
        skeleton: A skeleton to put beside it, for glTF.
        frame: The frame to keep; at least 0; default: 0.
        time: Or the time; in seconds; at least 0.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip pose",
        [("clip", clip), ("skeleton", skeleton)],
        {"frame": frame, "time": time, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_set_pose(
    clip: Source,
    pose: Source,
    *,
    skeleton: Optional[Source] = None,
    from_: Optional[float] = None,
    to: Optional[float] = None,
    from_frame: Optional[int] = None,
    to_frame: Optional[int] = None,
    from_event: Optional[str] = None,
    to_event: Optional[str] = None,
    fade: float = 0.2,
    bones: Optional[Sequence[str]] = None,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Put a pose into a range of a clip.

    The motion fades into the pose and out of it, outside of the range.

    Args:
        clip: The clip that gets the pose.
        pose: A clip; its first frame is the pose.
        skeleton: The skeleton that the clips are for.
        from_: Start of the range; the nearest whole frame is taken; in seconds; at least 0; default: the start of
            the clip.
        to: End of the range; in seconds; at least 0; default: the end of the clip.
        from_frame: Start of the range as a frame; at least 0.
        to_frame: End of the range as a frame, included; at least 0.
        from_event: Start of the range at the first event of this text.
        to_event: End of the range at the first event of this text.
        fade: Time on either side of the range to get into the pose and out of it; in seconds; at least 0.
        bones: Only bones that match; may be repeated; default: all.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip set-pose",
        [("clip", clip), ("pose", pose), ("skeleton", skeleton)],
        {"from": from_, "to": to, "from_frame": from_frame, "to_frame": to_frame, "from_event": from_event, "to_event": to_event, "fade": fade, "bones": bones, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_pin(
    clip: Source,
    *,
    bone: str,
    skeleton: Optional[Source] = None,
    target: Optional[str] = None,
    keep_offset: bool = False,
    from_: Optional[float] = None,
    to: Optional[float] = None,
    from_frame: Optional[int] = None,
    to_frame: Optional[int] = None,
    from_event: Optional[str] = None,
    to_event: Optional[str] = None,
    fade: float = 0.2,
    free_end: bool = False,
    chain: Optional[Sequence[str]] = None,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Hold a hand or a foot at a place.

    The limb bends on the side where it bends already, and keeps its lengths. Nothing moves outside of the range and its
    fades.

    Args:
        clip: What to work on, one file at a time.
        bone: The end of a limb: a hand, a foot.
        skeleton: The skeleton that the clips are for.
        target: Where to hold it: at a bone, or at a place in model space; default: where it is when the range
            begins.
        keep_offset: Keep the distance that it has to the target bone at first.
        from_: Start of the range; the nearest whole frame is taken; in seconds; at least 0; default: the start of
            the clip.
        to: End of the range; in seconds; at least 0; default: the end of the clip.
        from_frame: Start of the range as a frame; at least 0.
        to_frame: End of the range as a frame, included; at least 0.
        from_event: Start of the range at the first event of this text.
        to_event: End of the range at the first event of this text.
        fade: Time outside of the range to get there and back; in seconds; at least 0.
        free_end: Let the bone turn with the limb instead of keeping its direction.
        chain: Upper, lower and end bone of the limb; give it three times; default: found by names and lengths.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip pin",
        [("clip", clip), ("skeleton", skeleton)],
        {"bone": bone, "target": target, "keep_offset": keep_offset, "from": from_, "to": to, "from_frame": from_frame, "to_frame": to_frame, "from_event": from_event, "to_event": to_event, "fade": fade, "free_end": free_end, "chain": chain, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_feet(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    foot: Optional[Sequence[str]] = None,
    all: bool = False,
    height: bool = False,
    fade: float = 0.2,
    max_turn: float = 30,
    max_hips: float = 5,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Keep feet from sliding while they stand.

    Contacts of toe and heel with the ground are found, legs bend so that the foot stays, and everything else is kept.
    Root motion and clips that walk on the spot are understood. Without an output only the contacts are reported.

    Args:
        clip: What to work on, one file at a time.
        skeleton: The skeleton that the clips are for.
        foot: A bone that a leg ends with; give it once per leg; default: found by name, else by structure.
        all: Lock the feet of a body that lies or sits too.
        height: Hold the height of a foot too; it no longer rolls.
        fade: Time outside of a contact to get there and back; in seconds; at least 0.
        max_turn: Leave a contact alone that turns some bone further than this at a frame; in degrees; at least 0.
        max_hips: Most that the hips may move for a foot that is out of reach; in units; at least 0.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip feet",
        [("clip", clip), ("skeleton", skeleton)],
        {"foot": foot, "all": all, "height": height, "fade": fade, "max_turn": max_turn, "max_hips": max_hips, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def clip_smooth(
    clip: Source,
    *,
    degrees: float,
    skeleton: Optional[Source] = None,
    bones: Optional[Sequence[str]] = None,
    clip_name: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    max_scale_error: Optional[float] = None,
    max_float_error: Optional[float] = None,
    encodings: Literal["seen", "all"] = 'seen',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Remove jitter of rotations under a bound.

    Args:
        clip: What to work on, one file at a time.
        degrees: Most that a frame may be turned; twice the jitter is right; in degrees; more than 0.
        skeleton: The skeleton that the clips are for.
        bones: Bones that match; may be repeated; default: all.
        clip_name: The clip to edit, in a file of several: its name, else its number, counted from 0; default: all
            of them.
        max_rotation_error: Largest rotation error of what has to be encoded anew; in degrees; at least 0; default:
            0.05.
        max_position_error: Largest translation error of what has to be encoded anew; in units; at least 0; default:
            0.01.
        max_scale_error: Largest scale error of what has to be encoded anew; at least 0; default: 0.0005.
        max_float_error: Largest error of float tracks that have to be encoded anew; at least 0; default: 0.0005.
        encodings: Seen: those of the games' own files; all: 48-bit rotations too, eight times as exact.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `clips`.
    """
    return run(
        "clip smooth",
        [("clip", clip), ("skeleton", skeleton)],
        {"bones": bones, "degrees": degrees, "clip": clip_name, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "max_scale_error": max_scale_error, "max_float_error": max_float_error, "encodings": encodings},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_list(
    clip: Source,
    *,
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Print the events.

    PATTERN matches the whole text of an event, ignoring case: * matches any run of characters, ? any one. Only events
    that meet every condition are selected.

    Args:
        clip: What to work on, one file at a time.
        match: Only events whose text matches.
        since: Only events from this time on; in seconds.
        until: Only events up to this time; in seconds.
        track: Only events on these tracks; at least 0.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `annotations`.
    """
    return run(
        "annotations list",
        [("clip", clip)],
        {"match": match, "since": since, "until": until, "track": track},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_export(
    clip: Source,
    *,
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Write the events as text, in hkanno's form.

    Args:
        clip: What to work on, one file at a time.
        match: Only events whose text matches.
        since: Only events from this time on; in seconds.
        until: Only events up to this time; in seconds.
        track: Only events on these tracks; at least 0.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `text`.
    """
    return run(
        "annotations export",
        [("clip", clip)],
        {"match": match, "since": since, "until": until, "track": track},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_import(
    clip: Source,
    text: TextSource,
    *,
    merge: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Replace the events with those of a text or a preset.

    A line is `TIME TEXT`, the time in seconds or, as 25%, in percent of the clip.

    Args:
        clip: What to work on, one file at a time.
        text: The text, the folder that export wrote, or a preset; or a preset: attack, attack-left, draw,
            footsteps, idle-end, killmove, mco, reload, sheathe.
        merge: Add them to the existing events.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `events`.
    """
    return run(
        "annotations import",
        [("clip", clip), ("text", text)],
        {"merge": merge},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_add(
    clip: Source,
    *,
    time: float,
    text: str,
    track: int = 0,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add one event.

    Args:
        clip: What to work on, one file at a time.
        time: When it happens; in seconds; at least 0.
        text: Its text, e.g. SoundPlay.FSTSprintLeft.
        track: The track of the event; the games use 0.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `events`.
    """
    return run(
        "annotations add",
        [("clip", clip)],
        {"time": time, "text": text, "track": track},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_remove(
    clip: Source,
    *,
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Remove events by pattern, time or track.

    PATTERN matches the whole text of an event, ignoring case: * matches any run of characters, ? any one. Only events
    that meet every condition are selected.

    Args:
        clip: What to work on, one file at a time.
        match: Only events whose text matches.
        since: Only events from this time on; in seconds.
        until: Only events up to this time; in seconds.
        track: Only events on these tracks; at least 0.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `events`.
    """
    return run(
        "annotations remove",
        [("clip", clip)],
        {"match": match, "since": since, "until": until, "track": track},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_replace(
    clip: Source,
    *,
    text: str,
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
    part: Optional[str] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Change the text of events, whole or in part.

    PATTERN matches the whole text of an event, ignoring case: * matches any run of characters, ? any one. Only events
    that meet every condition are selected.

    Args:
        clip: What to work on, one file at a time.
        text: The new text.
        match: Only events whose text matches.
        since: Only events from this time on; in seconds.
        until: Only events up to this time; in seconds.
        track: Only events on these tracks; at least 0.
        part: Replace only what this pattern matches inside a text, everywhere it occurs.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `events`.
    """
    return run(
        "annotations replace",
        [("clip", clip)],
        {"match": match, "since": since, "until": until, "track": track, "text": text, "part": part},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_shift(
    clip: Source,
    *,
    by: float,
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Move events earlier or later.

    PATTERN matches the whole text of an event, ignoring case: * matches any run of characters, ? any one. Only events
    that meet every condition are selected.

    Args:
        clip: What to work on, one file at a time.
        by: Added to each time; negative is earlier; in seconds.
        match: Only events whose text matches.
        since: Only events from this time on; in seconds.
        until: Only events up to this time; in seconds.
        track: Only events on these tracks; at least 0.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `events`.
    """
    return run(
        "annotations shift",
        [("clip", clip)],
        {"by": by, "match": match, "since": since, "until": until, "track": track},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_scale(
    clip: Source,
    *,
    by: float,
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Multiply the times of events, for clips of another speed.

    PATTERN matches the whole text of an event, ignoring case: * matches any run of characters, ? any one. Only events
    that meet every condition are selected.

    Args:
        clip: What to work on, one file at a time.
        by: Factor for each time, e.g. 0.5 for a clip of double speed; more than 0.
        match: Only events whose text matches.
        since: Only events from this time on; in seconds.
        until: Only events up to this time; in seconds.
        track: Only events on these tracks; at least 0.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `events`.
    """
    return run(
        "annotations scale",
        [("clip", clip)],
        {"by": by, "match": match, "since": since, "until": until, "track": track},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_sort(
    clip: Source,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Sort events by time.

    Args:
        clip: What to work on, one file at a time.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `events`.
    """
    return run(
        "annotations sort",
        [("clip", clip)],
        {},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_copy(
    clip: Source,
    from_: Source,
    *,
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
    merge: bool = False,
    fit: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Replace the events with those of another clip.

    PATTERN matches the whole text of an event, ignoring case: * matches any run of characters, ? any one. Only events
    that meet every condition are selected.

    Args:
        clip: What to work on, one file at a time.
        from_: The clip with the events.
        match: Only events whose text matches.
        since: Only events from this time on; in seconds.
        until: Only events up to this time; in seconds.
        track: Only events on these tracks; at least 0.
        merge: Add them to the existing events.
        fit: Scale times if the clips have different lengths.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `events`.
    """
    return run(
        "annotations copy",
        [("clip", clip), ("from", from_)],
        {"match": match, "since": since, "until": until, "track": track, "merge": merge, "fit": fit},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def annotations_presets(
    *,
    match: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List the events that can be imported by name.

    Times are in percent of the clip: places to start from. A file of the same form is a preset of your own.

    Args:
        match: Only presets whose name matches.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `presets`.
    """
    return run(
        "annotations presets",
        [],
        {"match": match},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def pair_join(
    first: Source,
    second: Source,
    *,
    skeleton: Optional[Source] = None,
    place: Optional[Sequence[float]] = None,
    hold: bool = False,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    order: Optional[Literal["npc-first", "second-first"]] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    format: Optional[Literal["hkx", "xml"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make a paired clip from two clips of one actor each.

    The clips must be equally long. Their root motion moves the places of the actors, NPC and 2_.

    Args:
        first: The clip of the first actor.
        second: The clip of the second actor.
        skeleton: The skeletons of the actors, once or twice, if tracks have no names.
        place: Where the second actor stands, seen from the first: units, and degrees counter-clockwise.
        hold: Let the shorter clip hold its last pose.
        game: Write for this game; default: the clip's.
        order: Whose tracks come first: NPC or 2_; default: second-first if no track has a name, else npc-first.
        max_rotation_error: Largest rotation error of motion that is encoded, of any bone; in degrees; 0.001 to 180;
            default: 0.02.
        max_position_error: Largest translation error of motion that is encoded, of any bone; in units; at least
            1e-06; default: 0.004.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `frames`, `first_tracks`, `second_tracks`, `place`.
    """
    return run(
        "pair join",
        [("first", first), ("second", second), ("skeleton", skeleton)],
        {"place": place, "hold": hold, "game": game, "order": order, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def pair_split(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    order: Optional[Literal["npc-first", "second-first"]] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    format: Optional[Literal["hkx", "xml"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make two clips of a paired clip, one per actor.

    OUT is a folder; the clips are NAME_1 and NAME_2. A place that moves becomes root motion. Where the second actor
    stands is reported, so that they can be joined again.

    Args:
        clip: What to work on, one file at a time.
        skeleton: The skeletons of the actors, once or twice, if tracks have no names.
        game: Write for this game; default: the clip's.
        order: Whose tracks come first in clips without names; default: what fits the skeletons, else second-first.
        max_rotation_error: Largest rotation error of motion that is encoded, of any bone; in degrees; 0.001 to 180;
            default: 0.02.
        max_position_error: Largest translation error of motion that is encoded, of any bone; in units; at least
            1e-06; default: 0.004.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `frames`, `first_tracks`, `second_tracks`, `place`.
    """
    return run(
        "pair split",
        [("clip", clip), ("skeleton", skeleton)],
        {"game": game, "order": order, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def pair_swap(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    order: Optional[Literal["npc-first", "second-first"]] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    format: Optional[Literal["hkx", "xml"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Exchange the actors of paired clips; each stays where it stands.

    Args:
        clip: What to work on, one file at a time.
        skeleton: The skeletons of the actors, once or twice, if tracks have no names.
        game: Write for this game; default: the clip's.
        order: Whose tracks come first in the result; default: as in the clip.
        max_rotation_error: Largest rotation error of motion that is encoded, of any bone; in degrees; 0.001 to 180;
            default: 0.02.
        max_position_error: Largest translation error of motion that is encoded, of any bone; in units; at least
            1e-06; default: 0.004.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `frames`, `first_tracks`, `second_tracks`, `place`.
    """
    return run(
        "pair swap",
        [("clip", clip), ("skeleton", skeleton)],
        {"game": game, "order": order, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def root_motion_show(
    clip: Source,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Print the root motion of a clip as CSV.

    Columns: frame,x,y,z,turn; units, and radians about the up axis.

    Args:
        clip: What to work on, one file at a time.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `frames`, `samples`, `moved`, `turned_degrees`.
    """
    return run(
        "root-motion show",
        [("clip", clip)],
        {},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def root_motion_set(
    clip: Source,
    *,
    motion: Optional[TextSource] = None,
    move: Optional[Sequence[float]] = None,
    turn: Optional[float] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Give clips root motion: from a table, or an even motion.

    Args:
        clip: What to work on, one file at a time.
        motion: A table frame,x,y,z,turn with the turn in radians.
        move: Or an even motion: where the character is at the end; in units.
        turn: And how far it has turned by then; in degrees.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `had_motion`, `has_motion`, `moved`, `turned_degrees`.
    """
    return run(
        "root-motion set",
        [("clip", clip), ("motion", motion)],
        {"move": move, "turn": turn},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def root_motion_extract(
    clip: Source,
    *,
    bone: str,
    skeleton: Optional[Source] = None,
    vertical: bool = False,
    no_turn: bool = False,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Move the path of a bone into root motion.

    The bone stays on its place; what the character does in the world does not change.

    Args:
        clip: What to work on, one file at a time.
        bone: The bone whose path becomes root motion.
        skeleton: The skeleton that the clips are for.
        vertical: Take the height too, not only the path on the ground.
        no_turn: Leave the turn in the bone.
        max_rotation_error: Largest rotation error of motion that is encoded, of any bone; in degrees; 0.001 to 180;
            default: 0.02.
        max_position_error: Largest translation error of motion that is encoded, of any bone; in units; at least
            1e-06; default: 0.004.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `had_motion`, `has_motion`, `moved`, `turned_degrees`.
    """
    return run(
        "root-motion extract",
        [("clip", clip), ("skeleton", skeleton)],
        {"bone": bone, "vertical": vertical, "no_turn": no_turn, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def root_motion_bake(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    bone: Optional[str] = None,
    max_rotation_error: Optional[float] = None,
    max_position_error: Optional[float] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Move root motion into a bone, and remove it from the clip.

    Args:
        clip: What to work on, one file at a time.
        skeleton: The skeleton that the clips are for.
        bone: The bone that is moved; default: every bone without a parent.
        max_rotation_error: Largest rotation error of motion that is encoded, of any bone; in degrees; 0.001 to 180;
            default: 0.02.
        max_position_error: Largest translation error of motion that is encoded, of any bone; in units; at least
            1e-06; default: 0.004.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `had_motion`, `has_motion`, `moved`, `turned_degrees`.
    """
    return run(
        "root-motion bake",
        [("clip", clip), ("skeleton", skeleton)],
        {"bone": bone, "max_rotation_error": max_rotation_error, "max_position_error": max_position_error},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def root_motion_scale(
    clip: Source,
    *,
    factor: float,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Scale the distances of root motion.

    Args:
        clip: What to work on, one file at a time.
        factor: Distances are multiplied by this; turns stay.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `had_motion`, `has_motion`, `moved`, `turned_degrees`.
    """
    return run(
        "root-motion scale",
        [("clip", clip)],
        {"factor": factor},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def root_motion_remove(
    clip: Source,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Remove root motion.

    Args:
        clip: What to work on, one file at a time.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `had_motion`, `has_motion`, `moved`, `turned_degrees`.
    """
    return run(
        "root-motion remove",
        [("clip", clip)],
        {},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def root_motion_to_annotations(
    clip: Source,
    *,
    max_error: float = 0.01,
    keep: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Write root motion as events animmotion X Y Z and animrotation DEGREES.

    Plugins of Skyrim take root motion from these events of the clip, instead of the game's cache.

    Args:
        clip: What to work on, one file at a time.
        max_error: How far the motion between events may be from the samples, in units and in degrees; at least 0.
        keep: Leave what it is made of in the clip as well.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `had_motion`, `has_motion`, `moved`, `turned_degrees`.
    """
    return run(
        "root-motion to-annotations",
        [("clip", clip)],
        {"max_error": max_error, "keep": keep},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def root_motion_from_annotations(
    clip: Source,
    *,
    keep: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make root motion from events animmotion X Y Z and animrotation DEGREES.

    Args:
        clip: What to work on, one file at a time.
        keep: Leave what it is made of in the clip as well.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `had_motion`, `has_motion`, `moved`, `turned_degrees`.
    """
    return run(
        "root-motion from-annotations",
        [("clip", clip)],
        {"keep": keep},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def floats_set(
    clip: Source,
    *,
    slot: str,
    value: float,
    skeleton: Optional[Source] = None,
    first: Optional[int] = None,
    last: Optional[int] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Set a float track to a value, for all frames or some; add it if it is missing.

    Samples of a clip show its float tracks.

    Args:
        clip: What to work on, one file at a time.
        slot: The float slot, by number, or by name if the skeleton is known.
        value: Its value.
        skeleton: The skeleton, for names of slots.
        first: The frame from which the value holds; at least 0; default: the first.
        last: The frame to which the value holds; at least 0; default: the last.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `tracks`, `changed`.
    """
    return run(
        "floats set",
        [("clip", clip), ("skeleton", skeleton)],
        {"slot": slot, "value": value, "first": first, "last": last},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def floats_import(
    clip: Source,
    table: TextSource,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Replace float tracks by those of a CSV table.

    Args:
        clip: What to work on, one file at a time.
        table: CSV frame,slot,value with slots by number.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `tracks`, `changed`.
    """
    return run(
        "floats import",
        [("clip", clip), ("table", table)],
        {},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def floats_remove(
    clip: Source,
    *,
    slot: str,
    skeleton: Optional[Source] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Remove a float track.

    Args:
        clip: What to work on, one file at a time.
        slot: The float slot, by number or name.
        skeleton: The skeleton, for names of slots.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `tracks`, `changed`.
    """
    return run(
        "floats remove",
        [("clip", clip), ("skeleton", skeleton)],
        {"slot": slot},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def body_list(
    file: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List the visible shapes of NIF files: bones, body parts, segments, textures, bounds.

    Args:
        file: What to work on, one file at a time.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `game`, `shapes`.
    """
    return run(
        "body list",
        [("file", file)],
        {},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def body_weights(
    file: Source,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Write the weights of skinned shapes as a table.

    Columns: shape,vertex,bone,weight; one row per weight above 0, as the game draws them.

    Args:
        file: What to work on, one file at a time.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `shapes`, `vertices`.
    """
    return run(
        "body weights",
        [("file", file)],
        {},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def body_replace(
    file: Source,
    edited: Source,
    *,
    skeleton: Optional[Union[Source, Iterable[Source]]] = None,
    shape: Optional[Sequence[str]] = None,
    format: Optional[Literal["nif"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Put edited meshes of a glTF file back into their NIF.

    Meshes are matched to shapes by the record in the file, by name, then by their number of vertices. What did not
    change keeps its bits; shapes without a mesh stay as they are.

    Args:
        file: What to work on, one file at a time.
        edited: The edited glTF file.
        skeleton: The skeleton, for weights of bones that a shape does not have yet.
        shape: Only this shape; may be given more than once.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `shapes`, `untouched`, `left_out`.
    """
    return run(
        "body replace",
        [("file", file), ("edited", edited), ("skeleton", skeleton)],
        {"shape": shape, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def body_new(
    mesh: Source,
    like: Source,
    *,
    body: Optional[Source] = None,
    skeleton: Optional[Union[Source, Iterable[Source]]] = None,
    shape: Optional[str] = None,
    transfer: bool = False,
    format: Optional[Literal["nif"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make a NIF of the meshes of a glTF file, like another one.

    Shaders, textures and partitions are those of the other NIF. A mesh without a skin gets the weights of the body
    below it: those of the nearest surface that faces the same way.

    Args:
        mesh: A glTF file.
        like: The NIF that shaders, textures and partitions are taken from.
        body: The NIF whose weights a mesh without a skin gets.
        skeleton: The skeleton that the body stands on: .hkx, .nif or both.
        shape: The shape to be made like; default: the one with the mesh's name, else the largest.
        transfer: Transfer weights even if the mesh has a skin, and compare the two.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `shapes`.
    """
    return run(
        "body new",
        [("mesh", mesh), ("like", like), ("body", body), ("skeleton", skeleton)],
        {"shape": shape, "transfer": transfer, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def body_picture(
    file: Source,
    *,
    with_: Optional[Union[Source, Iterable[Source]]] = None,
    clip: Optional[Source] = None,
    skeleton: Optional[Union[Source, Iterable[Source]]] = None,
    frame: float = 0,
    size: Optional[str] = None,
    turn: float = 25,
    tilt: float = 8,
    background: Optional[str] = None,
    form: Literal["png", "svg"] = 'png',
    textures: bool = False,
    data: Optional[Sequence[str]] = None,
    texture_size: int = 2048,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Draw bodies at a pose, as .png or .svg.

    Drawn by Marrow itself: no graphics card, no other program. Without a clip the body stands at rest.

    Args:
        file: What to work on, one file at a time.
        with_: Another body on the same rig: head, hands; may be repeated.
        clip: A clip whose pose is drawn.
        skeleton: The skeleton that the body stands on: .hkx, .nif or both.
        frame: Frame of the clip; at least 0.
        size: Width and height in pixels.
        turn: The camera goes round the body; 0 is in front of it, 180 behind it; in degrees; -360 to 360.
        tilt: The camera looks down on the body; in degrees; -89 to 89.
        background: Colour as #rrggbb, or none.
        form: Picture of pixels, or of polygons.
        textures: Take the textures of bodies along, as PNG.
        data: A game's data folder, where files, skeletons and textures are found; may be repeated for more
            textures; default: the folder that holds the body's meshes, and the body's own.
        texture_size: Take smaller mips of textures that are larger than this; in pixels; 1 to 16384.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `shapes`, `vertices`, `triangles`, `textures`, `width`, `height`.
    """
    return run(
        "body picture",
        [("file", file), ("with", with_), ("clip", clip), ("skeleton", skeleton)],
        {"frame": frame, "size": size, "turn": turn, "tilt": tilt, "background": background, "form": form, "textures": textures, "data": data, "texture_size": texture_size},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_list(
    file: Source,
    *,
    addon: Optional[Union[Source, Iterable[Source]]] = None,
    match: Optional[str] = None,
    below: Optional[str] = None,
    modifier: Optional[str] = None,
    moving: bool = False,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List the bones: tree, ids, poses, mirrors, modifiers.

    Args:
        file: What to work on, one file at a time.
        addon: Merge this addon first; origins say which file a bone is from.
        match: Only bones whose name matches, in any case.
        below: Only this bone and the bones below it.
        modifier: Only bones with a modifier of this class.
        moving: Only bones with modifiers.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `skeleton`, `bones`.
    """
    return run(
        "rig list",
        [("file", file), ("addon", addon)],
        {"match": match, "below": below, "modifier": modifier, "moving": moving},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_show(
    file: Source,
    *,
    bone: Optional[Sequence[str]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Show bones with every field of their modifiers, or the skeleton itself.

    Args:
        file: What to work on, one file at a time.
        bone: Its name, index, hash or x2BA0BB9F, a pattern with *, or a chain FIRST..LAST; default: the skeleton
            itself.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `skeleton`, `bones`.
    """
    return run(
        "rig show",
        [("file", file)],
        {"bone": bone},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_fields(
    *,
    modifier: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List the modifiers with every field: unit, range, default and effect.

    Args:
        modifier: Only this one: BallJoint, Hinge, ...
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `modifiers`.
    """
    return run(
        "rig fields",
        [],
        {"modifier": modifier},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_merge(
    base: Source,
    *,
    addon: Optional[Union[Source, Iterable[Source]]] = None,
    main: Optional[Source] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    strict: bool = False,
    append: bool = False,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Put addons onto a skeleton as the game does.

    Args:
        base: What to work on, one file at a time.
        addon: Addon skeletons.
        main: The skeleton that the addons extend.
        game: The game whose bone limit applies (ac1 ... mirage).
        strict: Addons may attach to bones of the base only, not to those of other addons.
        append: Bones of the base keep their indices; new bones follow all of them.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `game`, `limit`, `bones`, `base`, `addons`, `provenance`, `id_changes`,
        `findings`.
    """
    return run(
        "rig merge",
        [("base", base), ("addon", addon), ("main", main)],
        {"game": game, "strict": strict, "append": append, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_plan(
    base: Source,
    *,
    addon: Optional[Union[Source, Iterable[Source]]] = None,
    main: Optional[Source] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    strict: bool = False,
    append: bool = False,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Show the result of a stack of addons, before the game loads it.

    The files may be in any order; a folder stands for the skeletons in it.

    Args:
        base: What to work on, one file at a time.
        addon: Addon skeletons.
        main: The skeleton that the addons extend.
        game: The game whose bone limit applies (ac1 ... mirage).
        strict: Addons may attach to bones of the base only, not to those of other addons.
        append: Bones of the base keep their indices; new bones follow all of them.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `game`, `limit`, `bones`, `base`, `addons`, `provenance`, `id_changes`,
        `findings`.
    """
    return run(
        "rig plan",
        [("base", base), ("addon", addon), ("main", main)],
        {"game": game, "strict": strict, "append": append},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_new_addon(
    base: Source,
    *,
    attach: str,
    path: Optional[Sequence[str]] = None,
    id_base: Optional[int] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Start an addon: the bone to attach to, and paths to others.

    Args:
        base: What to work on, one file at a time.
        attach: The bone to attach to.
        path: A bone below it that the addon must reach.
        id_base: Count the ids of new objects from N on; default: a hash of the names of file and bone.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `id`, `root`, `bones`, `next`.
    """
    return run(
        "rig new-addon",
        [("base", base)],
        {"attach": attach, "path": path, "id_base": id_base, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_extract_addon(
    merged: Source,
    base: Source,
    *,
    root: Optional[str] = None,
    id_base: Optional[int] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make an addon of the bones that a skeleton has and its base lacks.

    Args:
        merged: What to work on, one file at a time.
        base: The skeleton without them.
        root: The bone to attach to; default: the deepest that reaches everything.
        id_base: Count the ids of new objects from N on; default: a hash of the names of file and bone.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `id`, `root`, `bones`, `next`.
    """
    return run(
        "rig extract-addon",
        [("merged", merged), ("base", base)],
        {"root": root, "id_base": id_base, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_add_bone(
    file: Source,
    *,
    name: str,
    parent: str,
    base: Optional[Source] = None,
    position: Optional[Sequence[float]] = None,
    rotation: Optional[Sequence[float]] = None,
    global_: bool = False,
    mirror: Optional[str] = None,
    mirroring_type: int = 5,
    priority: int = 0,
    id: int = 0,
    adopt: Optional[Sequence[str]] = None,
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add a bone as the last child of another; id, hash, links and poses are set.

    Args:
        file: What to work on, one file at a time.
        name: The name of the new bone.
        parent: The parent bone.
        base: Refuse a bone between two bones of this skeleton.
        position: Relative to the parent; in metres.
        rotation: Relative to the parent.
        global_: Position and rotation are in the world.
        mirror: The bone on the other side, or self.
        mirroring_type: The engine's BoneMirroringType.
        priority: SolvingPriority; 0 to 255.
        id: Object id; default: a free one.
        adopt: Children of the parent to move below the new bone.
        id_base: Count the ids of new objects from N on; default: a hash of the names of file and bone.
        game: Write for this game, with its index width and bone limit.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig add-bone",
        [("file", file), ("base", base)],
        {"name": name, "parent": parent, "position": position, "rotation": rotation, "global": global_, "mirror": mirror, "mirroring_type": mirroring_type, "priority": priority, "id": id, "adopt": adopt, "id_base": id_base, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_remove_bone(
    file: Source,
    *,
    bone: str,
    used_by: Optional[Union[TextSource, Iterable[TextSource]]] = None,
    promote: bool = False,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Remove a bone; children move up, links to it are repaired and reported.

    Args:
        file: What to work on, one file at a time.
        bone: Its name, index, hash or x2BA0BB9F.
        used_by: Addons, clips or folders of them; reports which would break.
        promote: If a root with several children is removed, its first child becomes the root.
        game: Write for this game, with its index width and bone limit.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig remove-bone",
        [("file", file), ("used_by", used_by)],
        {"bone": bone, "promote": promote, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_rename(
    file: Source,
    *,
    bone: str,
    name: str,
    used_by: Optional[Union[TextSource, Iterable[TextSource]]] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Give a bone another name.

    Args:
        file: What to work on, one file at a time.
        bone: Its name, index, hash or x2BA0BB9F.
        name: The new name.
        used_by: Addons, clips or folders of them; reports which would break.
        game: Write for this game, with its index width and bone limit.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig rename",
        [("file", file), ("used_by", used_by)],
        {"bone": bone, "name": name, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_reparent(
    file: Source,
    *,
    bone: str,
    parent: str,
    used_by: Optional[Union[TextSource, Iterable[TextSource]]] = None,
    keep_local: bool = False,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Change the parent of a bone; it stays where it is in the world.

    Args:
        file: What to work on, one file at a time.
        bone: Its name, index, hash or x2BA0BB9F.
        parent: The new parent bone.
        used_by: Addons, clips or folders of them; reports which would break.
        keep_local: Keep the pose relative to the parent instead of the place in the world.
        game: Write for this game, with its index width and bone limit.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig reparent",
        [("file", file), ("used_by", used_by)],
        {"bone": bone, "parent": parent, "keep_local": keep_local, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_mirror(
    file: Source,
    *,
    bone: str,
    with_: Optional[str] = None,
    none: bool = False,
    create: bool = False,
    as_: Optional[str] = None,
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make two bones each other's mirror, or create the other one.

    Args:
        file: What to work on, one file at a time.
        bone: Its name, index, hash or x2BA0BB9F.
        with_: The other bone; default: Left and Right swapped.
        none: The bone has no mirror.
        create: Add the other bone, reflected in the plane X = 0.
        as_: Its name, with create.
        id_base: Count the ids of new objects from N on; default: a hash of the names of file and bone.
        game: Write for this game, with its index width and bone limit.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig mirror",
        [("file", file)],
        {"bone": bone, "with": with_, "none": none, "create": create, "as": as_, "id_base": id_base, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_set(
    file: Source,
    *,
    values: Optional[Sequence[str]] = None,
    bone: Optional[str] = None,
    modifier: Optional[str] = None,
    index: Optional[int] = None,
    type: Optional[int] = None,
    force: bool = False,
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Set fields of the skeleton, of a bone or of a modifier.

    Args:
        file: What to work on, one file at a time.
        values: E.g. Mass=2.5, Mass*=0.8, LookAtBone=Head, Constraints[0].MaxAngle=0.5, ID=700000001.
        bone: Fields of this bone, of a pattern with * or ?, or of a chain FIRST..LAST.
        modifier: Fields of this modifier of the bone: its class or its number.
        index: The number of the modifier, if a bone has two of a class.
        type: SkeletonType: 0 biped ... 8 custom.
        force: Write it even if check calls the result an error.
        id_base: Count the ids of new objects from N on; default: a hash of the names of file and bone.
        game: Write for this game, with its index width and bone limit.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig set",
        [("file", file)],
        {"values": values, "bone": bone, "modifier": modifier, "index": index, "type": type, "force": force, "id_base": id_base, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_add_modifier(
    file: Source,
    *,
    bone: str,
    type: str,
    values: Optional[Sequence[str]] = None,
    force: bool = False,
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add a modifier to a bone; it starts with values that move, once it has its targets.

    With the name of a modifier, help lists its fields.

    Args:
        file: What to work on, one file at a time.
        bone: A name, a pattern with * or ?, or a chain FIRST..LAST.
        type: BallJoint, Hinge, MaxLookAt, ...
        values: E.g. Mass=2.5, Mass*=0.8, LookAtBone=Head, Constraints[0].MaxAngle=0.5, ID=700000001.
        force: Write it even if check calls the result an error.
        id_base: Count the ids of new objects from N on; default: a hash of the names of file and bone.
        game: Write for this game, and refuse a modifier that it does not have.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig add-modifier",
        [("file", file)],
        {"bone": bone, "type": type, "values": values, "force": force, "id_base": id_base, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_remove_modifier(
    file: Source,
    *,
    bone: str,
    type: Optional[str] = None,
    index: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Remove a modifier from a bone.

    Args:
        file: What to work on, one file at a time.
        bone: A name, a pattern with * or ?, or a chain FIRST..LAST.
        type: Its class or its number.
        index: Its number.
        game: Write for this game, with its index width and bone limit.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig remove-modifier",
        [("file", file)],
        {"bone": bone, "type": type, "index": index, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_copy_modifiers(
    file: Source,
    *,
    from_: str,
    source: Optional[Source] = None,
    to: Optional[Sequence[str]] = None,
    mirror: bool = False,
    type: Optional[str] = None,
    add: bool = False,
    force: bool = False,
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Copy modifiers between bones or whole chains, also from another skeleton, also mirrored.

    Args:
        file: What to work on, one file at a time.
        from_: The bone that has them, a chain FIRST..LAST, or a pattern with *.
        source: The skeleton to copy from.
        to: The bones that get them, each a bone, a chain or a pattern with the same stars; default: the other side
            if mirrored, else the same names.
        mirror: Turn left into right: values, links, and the target if none is named.
        type: Only this class.
        add: Keep the modifiers of the same class that a bone already has, instead of replacing them.
        force: Write it even if check calls the result an error.
        id_base: Count the ids of new objects from N on; default: a hash of the names of file and bone.
        game: Write for this game, with its index width and bone limit.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig copy-modifiers",
        [("file", file), ("source", source)],
        {"from": from_, "to": to, "mirror": mirror, "type": type, "add": add, "force": force, "id_base": id_base, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_apply(
    file: Source,
    modifiers: TextSource,
    *,
    bone: Optional[Sequence[str]] = None,
    chain: Optional[str] = None,
    add: bool = False,
    force: bool = False,
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Write a sidecar or a preset into a skeleton, as modifiers of the game.

    Args:
        file: What to work on, one file at a time.
        modifiers: A sidecar, or the name of a preset; or a preset: cape, chain, hair, ponytail, pouch, scabbard.
        bone: The bone of a preset ($bone), or a pattern with *; may be repeated.
        chain: The bones of a preset: one modifier per bone, with values graded along the chain.
        add: Keep the modifiers of the same class that a bone already has, instead of replacing them.
        force: Write it even if check calls the result an error.
        id_base: Count the ids of new objects from N on; default: a hash of the names of file and bone.
        game: Leave out, with a note, what this game does not have.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `modifiers`, `changes`.
    """
    return run(
        "rig apply",
        [("file", file), ("modifiers", modifiers)],
        {"bone": bone, "chain": chain, "add": add, "force": force, "id_base": id_base, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_extract_modifiers(
    file: Source,
    *,
    bone: Optional[Sequence[str]] = None,
    type: Optional[str] = None,
    all_fields: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Write the modifiers of a skeleton as a sidecar, to tune them or to use them elsewhere.

    Args:
        file: What to work on, one file at a time.
        bone: Only modifiers of this bone, a pattern with *, or a chain FIRST..LAST; may be repeated.
        type: Only modifiers of this class.
        all_fields: Write fields at their default too.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `sidecar`, `modifiers`.
    """
    return run(
        "rig extract-modifiers",
        [("file", file)],
        {"bone": bone, "type": type, "all_fields": all_fields},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_renumber(
    file: Source,
    *,
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Give every object a new id, with every reference, for a copy that stands beside a file.

    Args:
        file: What to work on, one file at a time.
        id_base: Count the ids of new objects from N on; default: a hash of the names of file and bone.
        game: Write for this game, with its index width and bone limit.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig renumber",
        [("file", file)],
        {"id_base": id_base, "game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_edit(
    file: Source,
    script: Union[TextSource, Iterable[TextSource]],
    *,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Run a script of edits: all of them or none.

    A script has one verb of rig per line, with its words as on a command line, without FILE and -o. Blank lines and
    what follows a # are skipped. Files that a line names are found beside the script.

    Args:
        file: What to work on, one file at a time.
        script: Edits, one per line: a verb of rig with its words, without FILE and -o.
        game: The game of all lines that do not name one.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig edit",
        [("file", file), ("script", script)],
        {"game": game, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_to_game(
    file: Source,
    *,
    to: Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"],
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Port a skeleton to another game; what the game does not support is dropped and reported.

    Args:
        file: What to work on, one file at a time.
        to: The game (ac1 ... mirage).
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bones`, `changes`, `breaks`.
    """
    return run(
        "rig to-game",
        [("file", file)],
        {"to": to, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_hash(
    *,
    name: Sequence[str],
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Show the number of a bone name, and the name of a number.

    Args:
        name: A name in its exact case, a number, or x2BA0BB9F.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `names`.
    """
    return run(
        "rig hash",
        [],
        {"name": name},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_names(
    file: Union[TextSource, Iterable[TextSource]],
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Learn the names of bones from skeletons, as a dictionary for other runs.

    Names that only the grammar of bone names gives (side, number, prefix, suffix) are marked in the file; a second
    source should confirm them.

    Args:
        file: Anvil skeletons, or folders of them.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `names`, `files`, `hashes`, `known`, `by_pattern`, `unknown`.
    """
    return run(
        "rig names",
        [("file", file)],
        {},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def rig_table(
    table: TextSource,
    *,
    skeleton: Optional[Union[Source, Iterable[Source]]] = None,
    before: Optional[Source] = None,
    after: Optional[Source] = None,
    from_: Optional[int] = None,
    to: Optional[int] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List what refers to skeletons in a BuildTable, or change ids in it.

    The layout of BuildTables is not published: every byte but the ids stays as it is.

    Args:
        table: A BuildTable as XML.
        skeleton: Skeletons whose references are listed by name.
        before: A skeleton before it was renumbered.
        after: The same skeleton now: ids that differ are changed.
        from_: The id to change.
        to: The id that it becomes.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `references`, `replaced`.
    """
    return run(
        "rig table",
        [("table", table), ("skeleton", skeleton), ("before", before), ("after", after)],
        {"from": from_, "to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_list(
    file: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List every physics system, ragdoll and cloth, with its bodies, shapes and constraints.

    Of Skyrim and Fallout 4 alike. Numbers are the file's own: kilograms, and Havok units of 69.99125 game units for
    lengths and speeds.

    Args:
        file: What to work on, one file at a time.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `systems`, `legacy`.
    """
    return run(
        "collision list",
        [("file", file)],
        {},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_export(
    file: Source,
    *,
    block: Optional[int] = None,
    solid: bool = False,
    show: bool = False,
    units: Literal["metre", "game", "blender"] = 'metre',
    format: Optional[Literal["obj", "glb", "gltf"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Write the shapes as a mesh: one object per shape, coloured by material, where the nodes are.

    The mesh, edited or not, can be put back into its file, or built into a packfile: the same bodies, in the same
    order, with the same properties. A .glb carries all of them through Blender, if custom properties are exported
    there. An .obj comes with an .mtl of the same name; what it cannot carry is in comments, and is found by name if
    another program drops those.

    Args:
        file: What to work on, one file at a time.
        block: Only this system of the NIF; at least 0.
        solid: Show hulls grown by their convex radius, as the game sees them, instead of their vertices.
        show: For looking at: coloured by material and body, see-through, over the visible shapes of the NIF; .glb.
        units: Length unit of glTF files.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `shapes`.
    """
    return run(
        "collision export",
        [("file", file)],
        {"block": block, "solid": solid, "show": show, "units": units, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_extract(
    nif: Source,
    *,
    block: Optional[int] = None,
    format: Optional[Literal["hkx", "nif"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Copy collision out of a NIF: Fallout 4's into bare packfiles, Skyrim's into a NIF.

    Of several packfiles, name one, or give a folder as the output. The NIF of Skyrim's collision has all nodes, and the
    other blocks byte for byte.

    Args:
        nif: What to work on, one file at a time.
        block: Which system of a NIF, if there are several; at least 0.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `block`, `blocks`.
    """
    return run(
        "collision extract",
        [("nif", nif)],
        {"block": block, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_replace(
    nif: Source,
    blob: Source,
    *,
    block: Optional[int] = None,
    keep_missing: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Put an edited export back, or replace a system with another one; nothing else changes.

    Of an export, only shapes whose objects have changed are built anew; untouched it gives the same bytes. Objects are
    matched by name, and by their triangles if they were renamed, joined or separated. Where an object is in the scene
    counts, whatever node holds it. A copy is added to the body of its original; the body of a deleted object is
    removed.

    Args:
        nif: What to work on, one file at a time.
        blob: A packfile, a NIF of Skyrim, or an export of the file as .glb, .gltf or .obj, edited or not.
        block: Which system of a NIF, if there are several; at least 0.
        keep_missing: Keep bodies whose objects the mesh no longer has, instead of removing them.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `block`, `changed`, `removed`.
    """
    return run(
        "collision replace",
        [("nif", nif), ("blob", blob)],
        {"block": block, "keep_missing": keep_missing},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_attach(
    nif: Source,
    blob: Source,
    *,
    node: Optional[Sequence[str]] = None,
    body: Optional[Sequence[int]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Attach collision to nodes of a NIF, each with one of its bodies.

    It comes from a packfile or from a NIF of Skyrim, and is ported if the other game made it. A ragdoll with names of
    bones finds its nodes by them.

    Args:
        nif: What to work on, one file at a time.
        blob: A packfile or a NIF of Skyrim; into a NIF of Skyrim also one of Fallout 4.
        node: A node; several may share the system; default: those of the same names as in a NIF of Skyrim, or as
            the bones of a ragdoll.
        body: The body of each node, in the same order; at least 0; default: 0, 1, 2 ...
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `block`.
    """
    return run(
        "collision attach",
        [("nif", nif), ("blob", blob)],
        {"node": node, "body": body},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_detach(
    nif: Source,
    *,
    node: Optional[Sequence[str]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Take collision off nodes, with bodies and systems that no other node uses.

    Args:
        nif: What to work on, one file at a time.
        node: Only this node; may be given again; default: all.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`.
    """
    return run(
        "collision detach",
        [("nif", nif)],
        {"node": node},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_set_shape(
    file: Source,
    mesh: Source,
    *,
    body: str,
    block: Optional[int] = None,
    material: Optional[str] = None,
    shape: Literal["hull", "mesh", "box", "sphere", "capsule", "compound", "decompose", "cylinder", "by-name"] = 'hull',
    units: Optional[Literal["metre", "game", "blender"]] = None,
    world: bool = False,
    fit: Literal["enclosing", "inscribed"] = 'enclosing',
    radius: Optional[float] = None,
    pieces: int = 24,
    hull_vertices: int = 252,
    concavity: float = 0,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Replace the shape of a body; mass, motion, layer, surface and joints stay.

    Args:
        file: What to work on, one file at a time.
        mesh: .obj (game units, Z up), .glb or .gltf (metres, Y up), in the space of the node.
        body: Its number, or the name of a node that uses it.
        block: Which system of a NIF, if there are several; at least 0.
        material: For what the mesh names no collision material for; default: the body's.
        shape: What the mesh becomes.
        units: Length unit of the mesh; default: game units for .obj, metres for glTF.
        world: The mesh is in the space of the scene instead, as exported collision and models are.
        fit: Where spheres, capsules and cylinders lie.
        radius: Convex radius; hulls are shrunk by it; in Havok units; at least 0; default: 0.01; in Skyrim 0.05,
            boxes 0.1.
        pieces: Maximum number of hulls of a decomposition; 1 to 1000.
        hull_vertices: Maximum number of vertices of a hull; 4 to 252.
        concavity: How far hulls may be from the mesh; in game units; at least 0; default: 2.5 % of its size.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `block`, `body`, `shape`.
    """
    return run(
        "collision set-shape",
        [("file", file), ("mesh", mesh)],
        {"body": body, "block": block, "material": material, "shape": shape, "units": units, "world": world, "fit": fit, "radius": radius, "pieces": pieces, "hull_vertices": hull_vertices, "concavity": concavity},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_add_body(
    file: Source,
    mesh: Source,
    *,
    node: Optional[str] = None,
    block: Optional[int] = None,
    material: Optional[str] = None,
    layer: Optional[str] = None,
    mass: Optional[float] = None,
    motion: Optional[Literal["static", "keyframed", "dynamic"]] = None,
    friction: Optional[float] = None,
    restitution: Optional[float] = None,
    shape: Literal["hull", "mesh", "box", "sphere", "capsule", "compound", "decompose", "cylinder", "by-name"] = 'hull',
    units: Optional[Literal["metre", "game", "blender"]] = None,
    world: bool = False,
    fit: Literal["enclosing", "inscribed"] = 'enclosing',
    radius: Optional[float] = None,
    pieces: int = 24,
    hull_vertices: int = 252,
    concavity: float = 0,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add a body to a system, on a node of the NIF that has none.

    Args:
        file: What to work on, one file at a time.
        mesh: .obj (game units, Z up), .glb or .gltf (metres, Y up), in the space of the node.
        node: The node that it goes on; a NIF needs one.
        block: Which system of a NIF, if there are several; at least 0.
        material: Used if the file names no collision material: wood, Material_Wood, a CRC in hex.
        layer: Collision layer; default: STATIC, ANIMSTATIC or CLUTTER, by motion.
        mass: Makes the body dynamic; a mesh stays static; in kilograms; more than 0.
        motion: How it moves.
        friction: Friction of the surface; at least 0; default: 0.5.
        restitution: Restitution of the surface; at least 0; default: 0.4.
        shape: What the mesh becomes.
        units: Length unit of the mesh; default: game units for .obj, metres for glTF.
        world: The mesh is in the space of the scene instead, as exported collision and models are.
        fit: Where spheres, capsules and cylinders lie.
        radius: Convex radius; hulls are shrunk by it; in Havok units; at least 0; default: 0.01; in Skyrim 0.05,
            boxes 0.1.
        pieces: Maximum number of hulls of a decomposition; 1 to 1000.
        hull_vertices: Maximum number of vertices of a hull; 4 to 252.
        concavity: How far hulls may be from the mesh; in game units; at least 0; default: 2.5 % of its size.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `block`, `body`.
    """
    return run(
        "collision add-body",
        [("file", file), ("mesh", mesh)],
        {"node": node, "block": block, "material": material, "layer": layer, "mass": mass, "motion": motion, "friction": friction, "restitution": restitution, "shape": shape, "units": units, "world": world, "fit": fit, "radius": radius, "pieces": pieces, "hull_vertices": hull_vertices, "concavity": concavity},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_remove_body(
    file: Source,
    *,
    body: str,
    block: Optional[int] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Remove a body; nodes and joints that use it are updated.

    Args:
        file: What to work on, one file at a time.
        body: Its number, or the name of a node that uses it.
        block: Which system of a NIF, if there are several; at least 0.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `block`, `body`.
    """
    return run(
        "collision remove-body",
        [("file", file)],
        {"body": body, "block": block},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_set(
    file: Source,
    *,
    block: Optional[int] = None,
    body: Optional[Sequence[str]] = None,
    node: Optional[Sequence[str]] = None,
    motion: Optional[Literal["static", "keyframed", "dynamic"]] = None,
    mass: Optional[float] = None,
    friction: Optional[float] = None,
    restitution: Optional[float] = None,
    linear_damping: Optional[float] = None,
    angular_damping: Optional[float] = None,
    gravity_factor: Optional[float] = None,
    max_linear_speed: Optional[float] = None,
    max_angular_speed: Optional[float] = None,
    material: Optional[str] = None,
    layer: Optional[str] = None,
    collision_response: Optional[Literal["contact", "none"]] = None,
    enter_keyframed: Optional[bool] = None,
    impact_events: Optional[bool] = None,
    position: Optional[Sequence[float]] = None,
    rotation: Optional[Sequence[float]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Change bodies: mass, motion, surface, material, layer, place.

    Args:
        file: What to work on, one file at a time.
        block: Which system of a NIF, if there are several; at least 0.
        body: Only this body: its number, or the name of a node that uses it; may be given again; default: all of
            all systems.
        node: Only the body of this node; may be given again.
        motion: How it moves.
        mass: Mass of a dynamic body; inertia is updated; in kilograms; more than 0.
        friction: 0 is ice; the game's usual value is 0.5; at least 0.
        restitution: 0 does not bounce; the game's usual value is 0.4; at least 0.
        linear_damping: The game's usual value is 0.1; at least 0.
        angular_damping: The game's usual value is 0.05; at least 0.
        gravity_factor: 1 falls, 0 floats.
        max_linear_speed: The game's usual value is 104.375; in Havok units per second; at least 0.
        max_angular_speed: The game's usual value is 31.57; in radians per second; at least 0.
        material: Material of the whole shape: wood, Material_Wood, or a CRC in hex.
        layer: STATIC, CLUTTER, WEAPON ... or a number.
        collision_response: Contact, or none: other bodies pass through.
        enter_keyframed: Enters the world keyframed, as ragdoll bones do.
        impact_events: Makes a sound when it hits something.
        position: Position of the body; in Havok units.
        rotation: Rotation of the body, a unit quaternion.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bodies`.
    """
    return run(
        "collision set",
        [("file", file)],
        {"block": block, "body": body, "node": node, "motion": motion, "mass": mass, "friction": friction, "restitution": restitution, "linear_damping": linear_damping, "angular_damping": angular_damping, "gravity_factor": gravity_factor, "max_linear_speed": max_linear_speed, "max_angular_speed": max_angular_speed, "material": material, "layer": layer, "collision_response": collision_response, "enter_keyframed": enter_keyframed, "impact_events": impact_events, "position": position, "rotation": rotation},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_joints(
    file: Source,
    *,
    block: Optional[int] = None,
    joint: Optional[Sequence[int]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List joints: type, bodies, pivots, axes, limits, friction, motors.

    Angles are degrees, lengths game units, in the space of each body.

    Args:
        file: What to work on, one file at a time.
        block: Only this system of the NIF; at least 0.
        joint: Only this joint of each system; may be given again; at least 0; default: all.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `joints`.
    """
    return run(
        "collision joints",
        [("file", file)],
        {"block": block, "joint": joint},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_add_joint(
    file: Source,
    *,
    body: str,
    kind: Literal["ball", "hinge", "limited-hinge", "ragdoll", "prismatic", "fixed"],
    to: Optional[str] = None,
    block: Optional[int] = None,
    at: Optional[str] = None,
    pivot: Optional[Sequence[float]] = None,
    axis: Optional[Sequence[float]] = None,
    normal: Optional[Sequence[float]] = None,
    twist: Optional[Sequence[float]] = None,
    cone: Optional[float] = None,
    plane: Optional[Sequence[float]] = None,
    angle: Optional[Sequence[float]] = None,
    distance: Optional[Sequence[float]] = None,
    friction: Optional[float] = None,
    break_threshold: Optional[float] = None,
    stabilized: Optional[bool] = None,
    motor: Optional[bool] = None,
    motor_kind: Optional[Literal["position", "velocity", "spring-damper"]] = None,
    motor_min_force: Optional[float] = None,
    motor_max_force: Optional[float] = None,
    motor_stiffness: Optional[float] = None,
    motor_damping: Optional[float] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Join two bodies of a system, or a body and the world.

    Pivot and axes are given in the space of the body, or taken from a node, bone or other body; both bodies get them
    where they are in the file. In a ragdoll, a body without a bone gets one.

    Args:
        file: What to work on, one file at a time.
        body: The body that hangs on the other: its number, or the name of its node.
        kind: What the joint is.
        to: The body that it hangs on; default: the world.
        block: Which system of a NIF, if there are several; at least 0.
        at: Takes pivot and axes from this node, bone or body; the next three are then in its space; default: the
            body.
        pivot: The point that both bodies share; in game units.
        axis: The axis that it twists or turns about, or slides along.
        normal: Normal of the plane that swing is limited from, and where hinges have angle 0.
        twist: Ragdoll: rotation about the axis; in degrees.
        cone: Ragdoll: swing of the axis to any side; in degrees; 0 to 180.
        plane: Ragdoll: swing of the axis out of the plane; in degrees.
        angle: Limited hinge: how far it turns; in degrees.
        distance: Prismatic: how far it slides; in game units.
        friction: Largest friction torque, or force of a prismatic joint; at least 0.
        break_threshold: Impulse that breaks the joint; 0: it never breaks; at least 0.
        stabilized: Uses the stabilized solver, as the game's ragdolls do.
        motor: Turns the motors on or off.
        motor_kind: What the motors are.
        motor_min_force: Smallest force of the motors.
        motor_max_force: Largest force of the motors.
        motor_stiffness: Tau of a position or velocity motor, constant of a spring; at least 0.
        motor_damping: Damping of the motors; at least 0.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `block`, `joints`.
    """
    return run(
        "collision add-joint",
        [("file", file)],
        {"body": body, "to": to, "block": block, "kind": kind, "at": at, "pivot": pivot, "axis": axis, "normal": normal, "twist": twist, "cone": cone, "plane": plane, "angle": angle, "distance": distance, "friction": friction, "break_threshold": break_threshold, "stabilized": stabilized, "motor": motor, "motor_kind": motor_kind, "motor_min_force": motor_min_force, "motor_max_force": motor_max_force, "motor_stiffness": motor_stiffness, "motor_damping": motor_damping},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_set_joint(
    file: Source,
    *,
    block: Optional[int] = None,
    joint: Optional[Sequence[int]] = None,
    body: Optional[str] = None,
    to: Optional[str] = None,
    kind: Optional[Literal["ball", "hinge", "limited-hinge", "ragdoll", "prismatic", "fixed"]] = None,
    at: Optional[str] = None,
    pivot: Optional[Sequence[float]] = None,
    axis: Optional[Sequence[float]] = None,
    normal: Optional[Sequence[float]] = None,
    twist: Optional[Sequence[float]] = None,
    cone: Optional[float] = None,
    plane: Optional[Sequence[float]] = None,
    angle: Optional[Sequence[float]] = None,
    distance: Optional[Sequence[float]] = None,
    friction: Optional[float] = None,
    break_threshold: Optional[float] = None,
    stabilized: Optional[bool] = None,
    motor: Optional[bool] = None,
    motor_kind: Optional[Literal["position", "velocity", "spring-damper"]] = None,
    motor_min_force: Optional[float] = None,
    motor_max_force: Optional[float] = None,
    motor_stiffness: Optional[float] = None,
    motor_damping: Optional[float] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Change joints: kind, place, limits, friction, motors; nothing else changes.

    A motor that other joints share is copied first. A bone of a ragdoll gets the parent that its body hangs on.

    Args:
        file: What to work on, one file at a time.
        block: Which system of a NIF, if there are several; at least 0.
        joint: Number of the joint; may be given again; at least 0; default: the only one.
        body: The joints that hang this body on another: its number, or the name of its node.
        to: Hangs it on this body instead, at the same place.
        kind: Makes another joint of it, at the same place.
        at: Takes pivot and axes from this node, bone or body; the next three are then in its space; default: the
            body.
        pivot: The point that both bodies share; in game units.
        axis: The axis that it twists or turns about, or slides along.
        normal: Normal of the plane that swing is limited from, and where hinges have angle 0.
        twist: Ragdoll: rotation about the axis; in degrees.
        cone: Ragdoll: swing of the axis to any side; in degrees; 0 to 180.
        plane: Ragdoll: swing of the axis out of the plane; in degrees.
        angle: Limited hinge: how far it turns; in degrees.
        distance: Prismatic: how far it slides; in game units.
        friction: Largest friction torque, or force of a prismatic joint; at least 0.
        break_threshold: Impulse that breaks the joint; 0: it never breaks; at least 0.
        stabilized: Uses the stabilized solver, as the game's ragdolls do.
        motor: Turns the motors on or off.
        motor_kind: What the motors are.
        motor_min_force: Smallest force of the motors.
        motor_max_force: Largest force of the motors.
        motor_stiffness: Tau of a position or velocity motor, constant of a spring; at least 0.
        motor_damping: Damping of the motors; at least 0.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `block`, `joints`.
    """
    return run(
        "collision set-joint",
        [("file", file)],
        {"block": block, "joint": joint, "body": body, "to": to, "kind": kind, "at": at, "pivot": pivot, "axis": axis, "normal": normal, "twist": twist, "cone": cone, "plane": plane, "angle": angle, "distance": distance, "friction": friction, "break_threshold": break_threshold, "stabilized": stabilized, "motor": motor, "motor_kind": motor_kind, "motor_min_force": motor_min_force, "motor_max_force": motor_max_force, "motor_stiffness": motor_stiffness, "motor_damping": motor_damping},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_remove_joint(
    file: Source,
    *,
    block: Optional[int] = None,
    joint: Optional[Sequence[int]] = None,
    body: Optional[str] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Remove joints; the bodies stay.

    In a ragdoll, the bone of a joint goes with it; joints of bones below go first or together.

    Args:
        file: What to work on, one file at a time.
        block: Which system of a NIF, if there are several; at least 0.
        joint: Number of the joint; may be given again; at least 0; default: the only one.
        body: The joints that hang this body on another: its number, or the name of its node.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `block`, `joints`.
    """
    return run(
        "collision remove-joint",
        [("file", file)],
        {"block": block, "joint": joint, "body": body},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_ragdoll(
    skeleton: Source,
    table: TextSource,
    *,
    one_sided: bool = False,
    material: Optional[str] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["hkx", "xml", "nif"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make a ragdoll from a skeleton and a table of bodies, to attach to a NIF.

    The table has one row per body; only `bone` is required. Columns: bone, shape (capsule, box, sphere), radius,
    half_extents, from, to, length (game units), mass (kilograms), layer, part, joint (ragdoll, limited-hinge, hinge,
    ball, prismatic, fixed), twist, cone, plane, angle (degrees), distance (game units), normal, axis (in the space of
    the bone), friction. In CSV, numbers of one cell are separated by spaces. Each body hangs on the next bone above
    that has one. Rows of one side are mirrored to the other. The result keeps the names of bones, by which the nodes
    are found when it is put into a NIF.

    Args:
        skeleton: What to work on, one file at a time.
        table: CSV with a header, or JSON: bone, shape, radius, mass, layer, joint and its limits, one row per body.
        one_sided: Do not mirror: bones on the other side get a body only if the table has one for them.
        material: Collision material of all bodies; default: organic skin, in Skyrim skin.
        to: The game: for Skyrim a NIF with the bones, for Fallout 4 a packfile; default: fallout4.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bodies`, `joints`, `bones`.
    """
    return run(
        "collision ragdoll",
        [("skeleton", skeleton), ("table", table)],
        {"one_sided": one_sided, "material": material, "to": to, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_build(
    mesh: Union[Source, Iterable[Source]],
    *,
    shape: Optional[Sequence[str]] = None,
    from_shapes: Optional[Sequence[str]] = None,
    node: Optional[str] = None,
    block: Optional[int] = None,
    material: Optional[str] = None,
    layer: Optional[str] = None,
    mass: Optional[float] = None,
    motion: Optional[Literal["static", "keyframed", "dynamic"]] = None,
    friction: Optional[float] = None,
    restitution: Optional[float] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    units: Optional[Literal["metre", "game", "blender"]] = None,
    fit: Literal["enclosing", "inscribed"] = 'enclosing',
    radius: Optional[float] = None,
    pieces: int = 24,
    hull_vertices: int = 252,
    concavity: float = 0,
    format: Optional[Literal["hkx", "xml", "nif"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Make collision from meshes: a packfile for Fallout 4, a NIF for Skyrim.

    Several objects give several bodies. A material of the file that has the name of one of the game's becomes the
    collision material, face by face in meshes. Collision that was exported, edited or not, comes back as the bodies
    that it was.

    Args:
        mesh: .obj (game units, Z up), .glb or .gltf (metres, Y up), or a NIF with visible shapes.
        shape: What each object becomes: hull, mesh, box, sphere, capsule, cylinder, decompose, compound (children
            of one body), by-name (what its name begins or ends with); NAME=KIND for objects by name; default: what
            exported collision was; else required.
        from_shapes: Build one body from the visible shapes of a NIF: those that are named, or all.
        node: The node that a body from visible shapes is for; default: the root.
        block: Which system of an export that shows several; at least 0.
        material: Used if the file names no collision material: wood, Material_Wood, a CRC in hex.
        layer: Collision layer; default: STATIC, ANIMSTATIC or CLUTTER, by motion.
        mass: Makes the body dynamic; a mesh stays static; in kilograms; more than 0.
        motion: How it moves.
        friction: Friction of the surface; at least 0; default: 0.5.
        restitution: Restitution of the surface; at least 0; default: 0.4.
        to: The game: for Skyrim a NIF of its own, for Fallout 4 a packfile; default: fallout4.
        units: Length unit of the mesh; default: game units for .obj, metres for glTF.
        fit: Where spheres, capsules and cylinders lie.
        radius: Convex radius; hulls are shrunk by it; in Havok units; at least 0; default: 0.01; in Skyrim 0.05,
            boxes 0.1.
        pieces: Maximum number of hulls of a decomposition; 1 to 1000.
        hull_vertices: Maximum number of vertices of a hull; 4 to 252.
        concavity: How far hulls may be from the mesh; in game units; at least 0; default: 2.5 % of its size.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `bytes`, `count`, `bodies`, `decompositions`.
    """
    return run(
        "collision build",
        [("mesh", mesh)],
        {"shape": shape, "from_shapes": from_shapes, "node": node, "block": block, "material": material, "layer": layer, "mass": mass, "motion": motion, "friction": friction, "restitution": restitution, "to": to, "units": units, "fit": fit, "radius": radius, "pieces": pieces, "hull_vertices": hull_vertices, "concavity": concavity, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_materials(
    *,
    pattern: Optional[str] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List the materials of Fallout 4 or Skyrim, or search them.

    Args:
        pattern: Part of a name, one with * and ?, a CRC in hex, or the number of a layer; default: all.
        game: Whose names; default: fallout4.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `materials`.
    """
    return run(
        "collision materials",
        [],
        {"pattern": pattern, "game": game},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def collision_layers(
    *,
    pattern: Optional[str] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List the collision layers of Fallout 4 or Skyrim, or search them.

    Args:
        pattern: Part of a name, one with * and ?, a CRC in hex, or the number of a layer; default: all.
        game: Whose names; default: fallout4.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `layers`.
    """
    return run(
        "collision layers",
        [],
        {"pattern": pattern, "game": game},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def archive_list(
    archive: Source,
    *,
    match: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List the files in BSA and BA2 archives, without unpacking them.

    Args:
        archive: What to work on, one file at a time.
        match: Only files whose path matches, `*` for any text.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `format`, `version`, `game`, `flags`, `files`.
    """
    return run(
        "archive list",
        [("archive", archive)],
        {"match": match},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def archive_extract(
    archive: Source,
    *,
    match: Optional[str] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Unpack the files of an archive into a folder.

    A name that would leave the folder is refused, and so is a file that differs from an earlier one in case only; the
    others are extracted.

    Args:
        archive: A BSA or BA2 file.
        match: Only files whose path matches, `*` for any text.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `files`, `bytes`, `failed`.
    """
    return run(
        "archive extract",
        [("archive", archive)],
        {"match": match},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def archive_check(
    archive: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Report what would make the game lose files of an archive.

    Looks at order, hashes, names and sizes, and unpacks every file, but does not look at what is in them. Exit 0 if
    nothing is wrong, 3 if there is an error or a warning.

    Args:
        archive: What to work on, one file at a time.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `findings`.
    """
    return run(
        "archive check",
        [("archive", archive)],
        {},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def archive_pack(
    file: Union[Source, Iterable[Source]],
    *,
    to: Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"],
    compress: bool = False,
    embed_names: bool = False,
    textures_as_files: bool = False,
    flags: Optional[int] = None,
    match: Optional[str] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Pack a folder into an archive that the game loads.

    The same files give the same bytes on every machine. The game loads an archive by the name of a plugin: Name.bsa
    with Name.esp, Name - Main.ba2 with Name.esp. Offsets end at 2 GiB: a larger folder is refused.

    Args:
        file: A folder, packed with the paths below it.
        to: The game: skyrim-le and skyrim-se get a .bsa, fallout4 a .ba2.
        compress: Compress each file that becomes smaller.
        embed_names: BSA: repeat each path before its data, as texture archives do.
        textures_as_files: BA2: take .dds files too, as plain files; texture archives are not made.
        flags: BSA: the flags of another archive, as its list shows them: compressed, embedded names, and the hints
            to the game.
        match: Only files whose path matches, `*` for any text.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `format`, `files`, `unpacked`, `bytes`.
    """
    return run(
        "archive pack",
        [("file", file)],
        {"to": to, "compress": compress, "embed_names": embed_names, "textures_as_files": textures_as_files, "flags": flags, "match": match},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_list(
    file: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """List events, variables, clips, states and transitions of behaviours, with node numbers.

    Of a character: its rig, its behaviour and its animations; of a project: its characters.

    Args:
        file: What to work on, one file at a time.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `kind`, `root`, `nodes`, `characters`, `name`, `rig`, `ragdoll`, `behavior`,
        `animations`, `events`, `variables`, `properties`, `references`, `clips`, `machines`, `bindings`.
    """
    return run(
        "behavior list",
        [("file", file)],
        {},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_find(
    file: Source,
    *,
    event: Optional[str] = None,
    clip: Optional[str] = None,
    variable: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Find everything in a behaviour that uses an event, a clip or a variable.

    Args:
        file: What to work on, one file at a time.
        event: What sends, awaits or names this event.
        clip: Clip generators of this name or animation, and what leads to them.
        variable: What reads, sets or is driven by this variable.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `uses`.
    """
    return run(
        "behavior find",
        [("file", file)],
        {"event": event, "clip": clip, "variable": variable},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_graph(
    file: Source,
    *,
    format: Literal["svg", "dot", "json"] = 'svg',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Draw a behaviour: state machines as boxes with their states, transitions and clips.

    The extension of the output decides: .svg is a picture to zoom, fold and search in a browser, .dot is for Graphviz,
    .json lists nodes and pointers.

    Args:
        file: What to work on, one file at a time.
        format: A picture, Graphviz' language, or nodes and pointers as data.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `machines`, `states`.
    """
    return run(
        "behavior graph",
        [("file", file)],
        {"format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_run(
    file: Source,
    *,
    skeleton: Optional[Source] = None,
    events: Optional[Sequence[str]] = None,
    set: Optional[Sequence[str]] = None,
    seconds: float = 5,
    fps: float = 30,
    format: Literal["csv", "hkx", "xml", "glb"] = 'csv',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Walk a behaviour: which states are active and which clips play when events arrive.

    Columns: time,machine,state,clip,clip_time,weight; an output of .hkx, .xml or .glb is a clip of what plays, blended
    on the character's rig. Start states, transitions on events, selectors, clip times and triggers are evaluated
    exactly; everything else that is met is named in notes.

    Args:
        file: What to work on, one file at a time.
        skeleton: Of the clip.
        events: Events and when they arrive, joined by commas.
        set: Start value of a variable.
        seconds: How long it runs; in seconds; 0 to 100000.
        fps: Rows or frames per second; 0 to 1000.
        format: Rows, or one clip that all that plays is blended into.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `rows`, `changes`, `sent`, `not_evaluated`.
    """
    return run(
        "behavior run",
        [("file", file), ("skeleton", skeleton)],
        {"events": events, "set": set, "seconds": seconds, "fps": fps, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_add_event(
    file: Source,
    *,
    name: Sequence[str],
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add events to a behaviour.

    Args:
        file: What to work on, one file at a time.
        name: Names of the events.
        to: Write for this game; default: the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior add-event",
        [("file", file)],
        {"name": name, "to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_add_variable(
    file: Source,
    *,
    name: str,
    type: Literal["bool", "int8", "int16", "int32", "real", "pointer", "vector3", "vector4", "quaternion"] = 'int32',
    value: Optional[str] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add a variable with its start value to a behaviour, or a property to a character.

    Args:
        file: What to work on, one file at a time.
        name: Its name.
        type: Its type.
        value: Its start value: true, 3, 2.5, or four numbers in one text; default: 0.
        to: Write for this game; default: the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior add-variable",
        [("file", file)],
        {"name": name, "type": type, "value": value, "to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_add_animation(
    file: Source,
    *,
    animation: Sequence[str],
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add animations to the lists of characters, at the same index in all that are given.

    A character with female animations gets the female file for a male one.

    Args:
        file: What to work on, one file at a time.
        animation: Paths below the folder of the project, such as Animations\\walk.hkx.
        to: Write for this game; default: the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior add-animation",
        [("file", file)],
        {"animation": animation, "to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_add_clip(
    file: Source,
    *,
    machine: str,
    name: str,
    animation: str,
    mode: Literal["single", "looping", "user", "ping-pong"] = 'single',
    speed: float = 1,
    trigger: Optional[Sequence[str]] = None,
    state: Optional[int] = None,
    on: Optional[str] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add a clip, a state that plays it and an event that leads there.

    The character must list the animation too: see add-animation.

    Args:
        file: What to work on, one file at a time.
        machine: The state machine, by its node or its name.
        name: Name of the clip and of its state.
        animation: The file it plays, as the character lists it.
        mode: How it plays.
        speed: Playback speed.
        trigger: An event at a time from the start; added if it is missing.
        state: Its id; default: one more than the highest.
        on: Event of a wildcard transition to it; added if it is missing.
        to: Write for this game; default: the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior add-clip",
        [("file", file)],
        {"machine": machine, "name": name, "animation": animation, "mode": mode, "speed": speed, "trigger": trigger, "state": state, "on": on, "to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_add_state(
    file: Source,
    *,
    machine: str,
    name: str,
    generator: str,
    state: Optional[int] = None,
    on: Optional[str] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add a state that plays a generator of the file.

    Args:
        file: What to work on, one file at a time.
        machine: The state machine, by its node or its name.
        name: Its name.
        generator: The node that it plays.
        state: Its id; default: one more than the highest.
        on: Event of a wildcard transition to it; added if it is missing.
        to: Write for this game; default: the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior add-state",
        [("file", file)],
        {"machine": machine, "name": name, "generator": generator, "state": state, "on": on, "to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_add_transition(
    file: Source,
    *,
    machine: str,
    from_: str,
    to: int,
    event: str,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Add a transition between two states on an event.

    Args:
        file: What to work on, one file at a time.
        machine: The state machine, by its node or its name.
        from_: Id of the state, or any.
        to: Id of the state that it leads to.
        event: Added if it is missing.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior add-transition",
        [("file", file)],
        {"machine": machine, "from": from_, "to": to, "event": event},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_set(
    file: Source,
    *,
    node: str,
    field: Sequence[str],
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Give members of a node other values; events and variables are taken by name.

    The element just after the last one of a list is made: transitions[3] of a list of three.

    Args:
        file: What to work on, one file at a time.
        node: Such as #0123.
        field: E.g. startStateId=2, playbackSpeed=1.5, transitions[2].eventId=attackStop, generator=#0130.
        to: Write for this game; default: the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior set",
        [("file", file)],
        {"node": node, "field": field, "to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_remove(
    file: Source,
    *,
    node: Optional[str] = None,
    element: Optional[Sequence[str]] = None,
    event: Optional[str] = None,
    variable: Optional[str] = None,
    animation: Optional[str] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Remove a node, an element of a list, an event, a variable or an animation; all indices are kept right.

    States and blender children that play a node go with it, and the transitions to such states. What is still used
    elsewhere is not removed: the message names its first use.

    Args:
        file: What to work on, one file at a time.
        node: A node, with what only it leads to.
        element: Not the node but this element of one of its lists, e.g. transitions[2], bindings[0]; may be
            repeated.
        event: An event that nothing uses.
        variable: A variable that nothing uses.
        animation: An entry of a character's list, by its index.
        to: Write for this game; default: the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior remove",
        [("file", file)],
        {"node": node, "element": element, "event": event, "variable": variable, "animation": animation, "to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_rename(
    file: Source,
    *,
    name: str,
    event: Optional[str] = None,
    variable: Optional[str] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Rename an event or a variable, in its table and in all expressions.

    Args:
        file: What to work on, one file at a time.
        name: Its new name.
        event: The event to rename.
        variable: The variable to rename.
        to: Write for this game; default: the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior rename",
        [("file", file)],
        {"event": event, "variable": variable, "name": name, "to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_edit(
    file: Source,
    script: Union[TextSource, Iterable[TextSource]],
    *,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Run a script of edits, one per line.

    A line is a verb of behavior with its words, without FILE and -o; # begins a comment.

    Args:
        file: What to work on, one file at a time.
        script: Edits, one per line: a verb of behavior with its words, without FILE and -o.
        to: Write for this game; default: the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `nodes`, `node`, `state`, `index`, `changes`.
    """
    return run(
        "behavior edit",
        [("file", file), ("script", script)],
        {"to": to},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_patch(
    base: Union[TextSource, Iterable[TextSource]],
    mods: Union[TextSource, Iterable[TextSource]],
    *,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Literal["hkx", "xml"] = 'hkx',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Apply mods in Nemesis' form to behaviours, characters and animation caches.

    Mods are applied in the order given, those of a folder by name; what comes later wins. Give the game's own files:
    patches address nodes by the numbers that those have. Only what a mod changes is written, by its path below the
    folder that was given. Conflicts and everything that does not fit are in the notes.

    Args:
        base: Behaviours, characters and caches of the game, or folders of them.
        mods: Mods, or folders of mods.
        to: The game to write for, skyrim-se or skyrim-le; default: that of the base.
        format: What behaviours are written as.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `files`, `notes`, `failed`.
    """
    return run(
        "behavior patch",
        [("base", base), ("mods", mods)],
        {"to": to, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def behavior_make_patch(
    base: Source,
    edited: Source,
    *,
    code: str,
    name: Optional[str] = None,
    author: Optional[str] = None,
    site: Optional[str] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Write a mod in Nemesis' form that makes an edited behaviour of the game's.

    Nodes are paired by name: edit the game's file as XML or as a packfile with node ids, which keep the names. DIR is
    the mod; applying it to BASE gives EDITED again.

    Args:
        base: The file of the game.
        edited: The same file, edited.
        code: Of the mod, in marks and names of nodes.
        name: Of the mod, for its info.ini; default: the code.
        author: For its info.ini.
        site: For its info.ini.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `code`, `changed`, `added`.
    """
    return run(
        "behavior make-patch",
        [("base", base), ("edited", edited)],
        {"code": code, "name": name, "author": author, "site": site},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def cache_list(
    file: Source,
    *,
    project: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Print the projects of an animation cache, with their clips, motions and sets.

    Args:
        file: What to work on, one file at a time.
        project: List only this project.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `kind`, `projects`.
    """
    return run(
        "cache list",
        [("file", file)],
        {"project": project},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def cache_add(
    file: Source,
    *,
    project: str,
    from_: Optional[Source] = None,
    clip: Optional[str] = None,
    duration: Optional[float] = None,
    id: Optional[int] = None,
    speed: float = 1,
    trigger: Optional[Sequence[str]] = None,
    translation: Optional[Sequence[str]] = None,
    rotation: Optional[Sequence[str]] = None,
    set: Optional[str] = None,
    animation: Optional[str] = None,
    attack: Optional[str] = None,
    format: Optional[Literal["animation-data", "animation-sets"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Register a clip with its motion, or an animation in a set.

    Of animation data: a clip and its motion, from keys or from the clip itself. Of animation sets: an animation by its
    checksums, and the attack that plays it. Nothing else in the file changes.

    Args:
        file: What to work on, one file at a time.
        project: The project, without folder and extension.
        from_: An animation to take duration, events and motion from.
        clip: Name of the clip generator.
        duration: Length of the animation; in seconds; at least 0.
        id: Id of clip and motion; with that of a motion that is there only the clip is added; default: 1 + the
            highest of the project.
        speed: Playback speed.
        trigger: An event and its time.
        translation: A key of the path, in units.
        rotation: A key of the turn, a quaternion.
        set: The set that an animation is added to.
        animation: Path of the animation, from meshes on.
        attack: Event of the attack that plays the clip.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `project`, `id`, `clips`, `motions`, `files`, `attacks`.
    """
    return run(
        "cache add",
        [("file", file), ("from", from_)],
        {"project": project, "clip": clip, "duration": duration, "id": id, "speed": speed, "trigger": trigger, "translation": translation, "rotation": rotation, "set": set, "animation": animation, "attack": attack, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def cache_remove(
    file: Source,
    *,
    project: str,
    clip: Optional[str] = None,
    set: Optional[str] = None,
    animation: Optional[str] = None,
    attack: Optional[str] = None,
    format: Optional[Literal["animation-data", "animation-sets"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Take a clip with its motion out of a cache, or an animation or attack out of a set.

    Args:
        file: What to work on, one file at a time.
        project: The project, without folder and extension.
        clip: Name of the clip.
        set: The set that something is taken out of.
        animation: Path of the animation, from meshes on.
        attack: Event of the attack.
        format: The format to write; by default as `output` is called, else the input's.
        output: A path, a folder or an open file to write to.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `project`, `id`, `clips`, `motions`, `files`, `attacks`.
    """
    return run(
        "cache remove",
        [("file", file)],
        {"project": project, "clip": clip, "set": set, "animation": animation, "attack": attack, "format": format},
        output=output,
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )


def cache_check(
    file: Source,
    *,
    project: Optional[Union[Source, Iterable[Source]]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Report counts, keys, triggers and checksums of a cache that the game would misread.

    Exit 0 if nothing is wrong, 3 if there is an error or a warning.

    Args:
        file: What to work on, one file at a time.
        project: A folder of behaviours, whose clip generators are compared with the cache.
        bone_names: More names of Anvil bones, beside those that are known.
        progress: Called with the share that is done; returning False stops the work.
        limits: Bounds on what files may ask for.

    Returns:
        A result whose report has `findings`.
    """
    return run(
        "cache check",
        [("file", file), ("project", project)],
        {},
        bone_names=bone_names,
        progress=progress,
        limits=limits,
    )
