# SPDX-License-Identifier: MIT
# Made by scripts/make_python_operations.py from the description of operations. Do not edit.
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional, TypedDict, Union

from ._context import Limits, ProgressCallback
from ._files import FileSource, FileTarget
from ._run import Result as Result, run as run

if TYPE_CHECKING:
    from .clip import Clip
    from .document import Document
    from .skeleton import Skeleton

PathLike = Union[str, "os.PathLike[str]"]
#: What an operation reads.
Source = Union[FileSource, "Document", "Clip", "Skeleton"]
#: What an operation reads that takes a text: a file, or values that become JSON.
TextSource = Union[FileSource, Mapping[str, Any]]


class InfoReportSkeletons(TypedDict, total=False):
    name: str
    bones: int
    fx_bones: int

class InfoReportClips(TypedDict, total=False):
    frames: int
    tracks: int
    float_tracks: int
    duration_seconds: float
    annotations: int
    root_motion: bool
    additive: bool

class InfoReport(TypedDict, total=False):
    format: str
    game: Optional[str]
    version: str
    pointer_size: Optional[int]
    classes: Any
    skeletons: list[InfoReportSkeletons]
    clips: list[InfoReportClips]
    actors: Optional[int]
    meshes: Optional[int]
    systems: Optional[int]
    bodies: Optional[int]
    type: Optional[int]
    id: Optional[int]
    modifiers: Optional[int]
    named: Optional[int]

class InfoResult(Result):
    report: InfoReport  # type: ignore[assignment]

def info(
    file: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> InfoResult: ...

class ConvertReport(TypedDict, total=False):
    format: str
    bytes: int

class ConvertResult(Result):
    report: ConvertReport  # type: ignore[assignment]

def convert(
    file: Source,
    *,
    skeleton: Optional[Source] = None,
    format: Optional[Literal["hkx", "xml", "tagfile", "nif", "anvil-schema", "anvil-standard", "glb", "gltf", "json", "csv", "obj"]] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    units: Literal["metre", "game", "blender"] = 'metre',
    show_bones: bool = False,
    ragdoll: bool = False,
    clip: Optional[str] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> ConvertResult: ...

class MergeReportFailed(TypedDict, total=False):
    path: str
    error: Any

class MergeReport(TypedDict, total=False):
    files: int
    failed: list[MergeReportFailed]

class MergeResult(Result):
    report: MergeReport  # type: ignore[assignment]

def merge(
    file: Union[Source, Iterable[Source]],
    *,
    skeleton: Optional[Source] = None,
    format: Optional[Literal["hkx", "xml", "tagfile", "nif", "anvil-schema", "anvil-standard", "glb", "gltf", "json", "csv", "obj"]] = None,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    units: Literal["metre", "game", "blender"] = 'metre',
    show_bones: bool = False,
    ragdoll: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> MergeResult: ...

class CheckReportFindings(TypedDict, total=False):
    code: str
    level: str
    message: str
    where: str

class CheckReport(TypedDict, total=False):
    findings: list[CheckReportFindings]

class CheckResult(Result):
    report: CheckReport  # type: ignore[assignment]

def check(
    file: Source,
    *,
    base: Optional[Source] = None,
    skeleton: Optional[Source] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    fix: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CheckResult: ...

class DiffReportDifferences(TypedDict, total=False):
    kind: str
    object: str
    field: str
    left: Optional[str]
    right: Optional[str]
    size: Optional[float]
    unit: str

class DiffReport(TypedDict, total=False):
    a: str
    b: str
    differences: list[DiffReportDifferences]

class DiffResult(Result):
    report: DiffReport  # type: ignore[assignment]

def diff(
    a: Source,
    b: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> DiffResult: ...

class DumpReport(TypedDict, total=False):
    dump: str

class DumpResult(Result):
    report: DumpReport  # type: ignore[assignment]

def dump(
    file: Source,
    *,
    object: Optional[int] = None,
    format: Literal["text", "json"] = 'text',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> DumpResult: ...

RetargetReportBones = TypedDict("RetargetReportBones", {"from": str, "to": str, "reason": str}, total=False)

class RetargetReport(TypedDict, total=False):
    scale: float
    bones: list[RetargetReportBones]
    target_bones: int
    left_out: list[str]
    at_rest: list[str]
    lost_floats: list[str]
    reach_misses: int
    worst_reach_miss: float
    map: str

class RetargetResult(Result):
    report: RetargetReport  # type: ignore[assignment]

def retarget(
    clip: Source,
    from_: Source,
    to: Source,
    *,
    map: Optional[TextSource] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["hkx", "xml", "glb", "gltf", "csv"]] = None,
    output: Optional[FileTarget] = None,
    save_map: Optional[PathLike] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RetargetResult: ...

class SampleReport(TypedDict, total=False):
    columns: Any
    rows: Any

class SampleResult(Result):
    report: SampleReport  # type: ignore[assignment]

def sample(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    frames: Optional[Sequence[float]] = None,
    fps: Optional[float] = None,
    space: Literal["local", "model"] = 'local',
    clip_index: int = 0,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> SampleResult: ...

class CompressReportClips(TypedDict, total=False):
    frames: int
    tracks: int
    motion_bytes_before: int
    motion_bytes_after: int
    rotation_error_degrees: float
    position_error: float
    scale_error: float
    float_error: float
    channels_past_bound: int
    model_error: Optional[float]

class CompressReport(TypedDict, total=False):
    bytes_before: int
    bytes_after: int
    uncompressed: bool
    clips: list[CompressReportClips]

class CompressResult(Result):
    report: CompressReport  # type: ignore[assignment]

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
) -> CompressResult: ...

class MirrorReport(TypedDict, total=False):
    pairs: int
    centred: int

class MirrorResult(Result):
    report: MirrorReport  # type: ignore[assignment]

def mirror(
    clip: Source,
    *,
    skeleton: Optional[Source] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["hkx", "xml", "glb", "gltf", "csv"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> MirrorResult: ...

class SimulateReportWrinkles(TypedDict, total=False):
    bone: str
    category: int
    factor: float

class SimulateReportLoop(TypedDict, total=False):
    rounds: int
    closed: bool
    open_degrees: float

class SimulateReportExplainModifiersInput(TypedDict, total=False):
    position: list[float]
    rotation: list[float]
    scale: list[float]

class SimulateReportExplainModifiersTarget(TypedDict, total=False):
    position: list[float]
    rotation: list[float]
    scale: list[float]

class SimulateReportExplainModifiersResult(TypedDict, total=False):
    position: list[float]
    rotation: list[float]
    scale: list[float]

class SimulateReportExplainModifiers(TypedDict, total=False):
    order: int
    type: str
    ran: bool
    reset: bool
    weight: float
    input: SimulateReportExplainModifiersInput
    target: SimulateReportExplainModifiersTarget
    result: SimulateReportExplainModifiersResult
    moved_degrees: float
    moved_metres: float
    limit: str

class SimulateReportExplain(TypedDict, total=False):
    bone: str
    frame: int
    modifiers: list[SimulateReportExplainModifiers]

class SimulateReport(TypedDict, total=False):
    frames: int
    fps: float
    bones: int
    modifiers: int
    fx_bones: list[str]
    wrinkles: list[SimulateReportWrinkles]
    loop: Optional[SimulateReportLoop]
    explain: Optional[SimulateReportExplain]
    sidecar: Optional[str]

class SimulateResult(Result):
    report: SimulateReport  # type: ignore[assignment]

def simulate(
    skeleton: Source,
    *,
    addon: Optional[Union[Source, Iterable[Source]]] = None,
    modifiers: Optional[TextSource] = None,
    common: Optional[TextSource] = None,
    clip: Optional[Source] = None,
    bone: Optional[Sequence[str]] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    fps: Optional[float] = None,
    seconds: Optional[float] = None,
    loop: bool = False,
    settle: float = 0,
    shake: Optional[Sequence[float]] = None,
    wind: Optional[Sequence[float]] = None,
    gusts: float = 0,
    gravity: Optional[Sequence[float]] = None,
    lod: int = 0,
    native_law: bool = False,
    self_collision: bool = False,
    explain: Optional[str] = None,
    frame: Optional[int] = None,
    format: Optional[Literal["csv", "glb", "gltf", "hkx", "xml"]] = None,
    output: Optional[FileTarget] = None,
    save_modifiers: Optional[PathLike] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> SimulateResult: ...

class AnnotationsListReportAnnotations(TypedDict, total=False):
    clip: int
    track: int
    time: float
    text: str

class AnnotationsListReport(TypedDict, total=False):
    annotations: list[AnnotationsListReportAnnotations]

class AnnotationsListResult(Result):
    report: AnnotationsListReport  # type: ignore[assignment]

def annotations_list(
    clip: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> AnnotationsListResult: ...

class AnnotationsExportReport(TypedDict, total=False):
    text: str

class AnnotationsExportResult(Result):
    report: AnnotationsExportReport  # type: ignore[assignment]

def annotations_export(
    clip: Source,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> AnnotationsExportResult: ...

class AnnotationsImportReport(TypedDict, total=False):
    events: int

class AnnotationsImportResult(Result):
    report: AnnotationsImportReport  # type: ignore[assignment]

def annotations_import(
    clip: Source,
    text: TextSource,
    *,
    merge: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> AnnotationsImportResult: ...

class AnnotationsAddReport(TypedDict, total=False):
    events: int

class AnnotationsAddResult(Result):
    report: AnnotationsAddReport  # type: ignore[assignment]

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
) -> AnnotationsAddResult: ...

class AnnotationsRemoveReport(TypedDict, total=False):
    events: int

class AnnotationsRemoveResult(Result):
    report: AnnotationsRemoveReport  # type: ignore[assignment]

def annotations_remove(
    clip: Source,
    *,
    match: str,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> AnnotationsRemoveResult: ...

class AnnotationsReplaceReport(TypedDict, total=False):
    events: int

class AnnotationsReplaceResult(Result):
    report: AnnotationsReplaceReport  # type: ignore[assignment]

def annotations_replace(
    clip: Source,
    *,
    match: str,
    text: str,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> AnnotationsReplaceResult: ...

class RigListReportBonesLocal(TypedDict, total=False):
    position: list[float]
    rotation: list[float]

class RigListReportBonesGlobal(TypedDict, total=False):
    position: list[float]
    rotation: list[float]

class RigListReportBonesModifiers(TypedDict, total=False):
    type: str
    fields: Any
    different: Any

RigListReportBones = TypedDict("RigListReportBones", {"index": int, "id": int, "name": str, "parent": Optional[str], "depth": int, "origin": str, "local": RigListReportBonesLocal, "global": RigListReportBonesGlobal, "mirror": Optional[str], "modifiers": list[RigListReportBonesModifiers]}, total=False)

class RigListReport(TypedDict, total=False):
    bones: list[RigListReportBones]

class RigListResult(Result):
    report: RigListReport  # type: ignore[assignment]

def rig_list(
    file: Source,
    *,
    match: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigListResult: ...

class RigShowReportBonesLocal(TypedDict, total=False):
    position: list[float]
    rotation: list[float]

class RigShowReportBonesGlobal(TypedDict, total=False):
    position: list[float]
    rotation: list[float]

class RigShowReportBonesModifiers(TypedDict, total=False):
    type: str
    fields: Any
    different: Any

RigShowReportBones = TypedDict("RigShowReportBones", {"index": int, "id": int, "name": str, "parent": Optional[str], "depth": int, "origin": str, "local": RigShowReportBonesLocal, "global": RigShowReportBonesGlobal, "mirror": Optional[str], "modifiers": list[RigShowReportBonesModifiers]}, total=False)

class RigShowReport(TypedDict, total=False):
    bones: list[RigShowReportBones]

class RigShowResult(Result):
    report: RigShowReport  # type: ignore[assignment]

def rig_show(
    file: Source,
    *,
    bone: Sequence[str],
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigShowResult: ...

class RigFieldsReportModifiersFields(TypedDict, total=False):
    name: str
    unit: str
    help: str
    default: Any
    min: Optional[float]
    max: Optional[float]
    choices: Optional[list[str]]

class RigFieldsReportModifiers(TypedDict, total=False):
    type: str
    class_name: str
    summary: str
    games: list[str]
    fields: list[RigFieldsReportModifiersFields]

class RigFieldsReport(TypedDict, total=False):
    modifiers: list[RigFieldsReportModifiers]

class RigFieldsResult(Result):
    report: RigFieldsReport  # type: ignore[assignment]

def rig_fields(
    *,
    modifier: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigFieldsResult: ...

class RigMergeReportBase(TypedDict, total=False):
    path: str
    root: str
    bones: int
    matched: int
    new: int
    total: int
    modifiers_added: int
    modifiers_dropped: int
    merged: bool

class RigMergeReportAddons(TypedDict, total=False):
    path: str
    root: str
    bones: int
    matched: int
    new: int
    total: int
    modifiers_added: int
    modifiers_dropped: int
    merged: bool

RigMergeReportProvenance = TypedDict("RigMergeReportProvenance", {"bone": str, "from": str, "modifiers": list[str]}, total=False)

RigMergeReportIdChanges = TypedDict("RigMergeReportIdChanges", {"path": str, "from": int, "to": int}, total=False)

class RigMergeReportFindings(TypedDict, total=False):
    code: str
    level: str
    message: str
    where: str

class RigMergeReport(TypedDict, total=False):
    game: Optional[str]
    limit: int
    bones: int
    base: RigMergeReportBase
    addons: list[RigMergeReportAddons]
    provenance: list[RigMergeReportProvenance]
    id_changes: list[RigMergeReportIdChanges]
    findings: list[RigMergeReportFindings]

class RigMergeResult(Result):
    report: RigMergeReport  # type: ignore[assignment]

def rig_merge(
    base: Source,
    *,
    addon: Optional[Union[Source, Iterable[Source]]] = None,
    main: Optional[Source] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    strict: bool = False,
    append: bool = False,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigMergeResult: ...

class RigPlanReportBase(TypedDict, total=False):
    path: str
    root: str
    bones: int
    matched: int
    new: int
    total: int
    modifiers_added: int
    modifiers_dropped: int
    merged: bool

class RigPlanReportAddons(TypedDict, total=False):
    path: str
    root: str
    bones: int
    matched: int
    new: int
    total: int
    modifiers_added: int
    modifiers_dropped: int
    merged: bool

RigPlanReportProvenance = TypedDict("RigPlanReportProvenance", {"bone": str, "from": str, "modifiers": list[str]}, total=False)

RigPlanReportIdChanges = TypedDict("RigPlanReportIdChanges", {"path": str, "from": int, "to": int}, total=False)

class RigPlanReportFindings(TypedDict, total=False):
    code: str
    level: str
    message: str
    where: str

class RigPlanReport(TypedDict, total=False):
    game: Optional[str]
    limit: int
    bones: int
    base: RigPlanReportBase
    addons: list[RigPlanReportAddons]
    provenance: list[RigPlanReportProvenance]
    id_changes: list[RigPlanReportIdChanges]
    findings: list[RigPlanReportFindings]

class RigPlanResult(Result):
    report: RigPlanReport  # type: ignore[assignment]

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
) -> RigPlanResult: ...

class RigNewAddonReport(TypedDict, total=False):
    id: int
    root: str
    bones: int

class RigNewAddonResult(Result):
    report: RigNewAddonReport  # type: ignore[assignment]

def rig_new_addon(
    base: Source,
    *,
    attach: str,
    path: Optional[Sequence[str]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigNewAddonResult: ...

class RigExtractAddonReport(TypedDict, total=False):
    id: int
    root: str
    bones: int

class RigExtractAddonResult(Result):
    report: RigExtractAddonReport  # type: ignore[assignment]

def rig_extract_addon(
    merged: Source,
    base: Source,
    *,
    root: Optional[str] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigExtractAddonResult: ...

class RigAddBoneReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigAddBoneReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigAddBoneReportBreaks]

class RigAddBoneResult(Result):
    report: RigAddBoneReport  # type: ignore[assignment]

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
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigAddBoneResult: ...

class RigRemoveBoneReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigRemoveBoneReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigRemoveBoneReportBreaks]

class RigRemoveBoneResult(Result):
    report: RigRemoveBoneReport  # type: ignore[assignment]

def rig_remove_bone(
    file: Source,
    *,
    bone: str,
    used_by: Optional[Union[TextSource, Iterable[TextSource]]] = None,
    promote: bool = False,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigRemoveBoneResult: ...

class RigRenameReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigRenameReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigRenameReportBreaks]

class RigRenameResult(Result):
    report: RigRenameReport  # type: ignore[assignment]

def rig_rename(
    file: Source,
    *,
    bone: str,
    name: str,
    used_by: Optional[Union[TextSource, Iterable[TextSource]]] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigRenameResult: ...

class RigReparentReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigReparentReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigReparentReportBreaks]

class RigReparentResult(Result):
    report: RigReparentReport  # type: ignore[assignment]

def rig_reparent(
    file: Source,
    *,
    bone: str,
    parent: str,
    used_by: Optional[Union[TextSource, Iterable[TextSource]]] = None,
    keep_local: bool = False,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigReparentResult: ...

class RigMirrorReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigMirrorReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigMirrorReportBreaks]

class RigMirrorResult(Result):
    report: RigMirrorReport  # type: ignore[assignment]

def rig_mirror(
    file: Source,
    *,
    bone: str,
    with_: Optional[str] = None,
    none: bool = False,
    create: bool = False,
    as_: Optional[str] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigMirrorResult: ...

class RigSetReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigSetReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigSetReportBreaks]

class RigSetResult(Result):
    report: RigSetReport  # type: ignore[assignment]

def rig_set(
    file: Source,
    *,
    values: Optional[Sequence[str]] = None,
    bone: Optional[str] = None,
    modifier: Optional[str] = None,
    index: Optional[int] = None,
    type: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigSetResult: ...

class RigAddModifierReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigAddModifierReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigAddModifierReportBreaks]

class RigAddModifierResult(Result):
    report: RigAddModifierReport  # type: ignore[assignment]

def rig_add_modifier(
    file: Source,
    *,
    bone: str,
    type: str,
    values: Optional[Sequence[str]] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigAddModifierResult: ...

class RigRemoveModifierReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigRemoveModifierReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigRemoveModifierReportBreaks]

class RigRemoveModifierResult(Result):
    report: RigRemoveModifierReport  # type: ignore[assignment]

def rig_remove_modifier(
    file: Source,
    *,
    bone: str,
    type: Optional[str] = None,
    index: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigRemoveModifierResult: ...

class RigCopyModifiersReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigCopyModifiersReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigCopyModifiersReportBreaks]

class RigCopyModifiersResult(Result):
    report: RigCopyModifiersReport  # type: ignore[assignment]

def rig_copy_modifiers(
    file: Source,
    *,
    from_: str,
    to: Sequence[str],
    source: Optional[Source] = None,
    type: Optional[str] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigCopyModifiersResult: ...

class RigToGameReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigToGameReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigToGameReportBreaks]

class RigToGameResult(Result):
    report: RigToGameReport  # type: ignore[assignment]

def rig_to_game(
    file: Source,
    *,
    to: Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"],
    format: Optional[Literal["anvil-standard", "anvil-schema"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigToGameResult: ...

class RigHashReportNames(TypedDict, total=False):
    name: str
    hash: int
    hex: str
    known_as: Optional[str]

class RigHashReport(TypedDict, total=False):
    names: list[RigHashReportNames]

class RigHashResult(Result):
    report: RigHashReport  # type: ignore[assignment]

def rig_hash(
    *,
    names: Sequence[str],
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigHashResult: ...

class CollisionListReportSystemsBodiesShape(TypedDict, total=False):
    type: str
    vertices: int
    triangles: int
    children: int
    material: str
    radius: float
    sections: Optional[int]
    quads: Optional[int]
    shared_vertices: Optional[int]
    materials: Optional[list[str]]
    instances: Optional[Any]
    position: Optional[list[float]]
    enabled: Optional[bool]

class CollisionListReportSystemsBodies(TypedDict, total=False):
    id: int
    node: Optional[str]
    nodes: Optional[list[str]]
    name: Optional[str]
    motion: str
    mass: float
    friction: Optional[float]
    restitution: Optional[float]
    linear_damping: Optional[float]
    angular_damping: Optional[float]
    gravity_factor: Optional[float]
    max_linear_speed: Optional[float]
    max_angular_speed: Optional[float]
    layer: str
    filter: int
    flags: int
    collides: bool
    impact_events: bool
    enters_keyframed: bool
    material: Optional[str]
    position: list[float]
    rotation: list[float]
    shape: Optional[CollisionListReportSystemsBodiesShape]

class CollisionListReportSystemsConstraints(TypedDict, total=False):
    type: str
    body_a: int
    body_b: Optional[int]
    twist: Optional[list[float]]
    cone: Optional[float]
    plane: Optional[list[float]]
    angle: Optional[list[float]]
    friction_torque: Optional[float]
    break_threshold: Optional[float]

class CollisionListReportSystems(TypedDict, total=False):
    block: Optional[int]
    kind: str
    bodies: list[CollisionListReportSystemsBodies]
    constraints: list[CollisionListReportSystemsConstraints]
    bones: Optional[int]

class CollisionListReport(TypedDict, total=False):
    systems: list[CollisionListReportSystems]

class CollisionListResult(Result):
    report: CollisionListReport  # type: ignore[assignment]

def collision_list(
    file: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionListResult: ...

class CollisionExportReport(TypedDict, total=False):
    shapes: int

class CollisionExportResult(Result):
    report: CollisionExportReport  # type: ignore[assignment]

def collision_export(
    file: Source,
    *,
    block: Optional[int] = None,
    solid: bool = False,
    units: Literal["metre", "game", "blender"] = 'metre',
    format: Optional[Literal["obj", "glb", "gltf"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionExportResult: ...

class CollisionExtractReport(TypedDict, total=False):
    block: int

class CollisionExtractResult(Result):
    report: CollisionExtractReport  # type: ignore[assignment]

def collision_extract(
    nif: Source,
    *,
    block: Optional[int] = None,
    format: Optional[Literal["hkx"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionExtractResult: ...

class CollisionReplaceReport(TypedDict, total=False):
    block: int

class CollisionReplaceResult(Result):
    report: CollisionReplaceReport  # type: ignore[assignment]

def collision_replace(
    nif: Source,
    blob: Source,
    *,
    block: Optional[int] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionReplaceResult: ...

class CollisionAttachReport(TypedDict, total=False):
    block: int

class CollisionAttachResult(Result):
    report: CollisionAttachReport  # type: ignore[assignment]

def collision_attach(
    nif: Source,
    blob: Source,
    *,
    node: Sequence[str],
    body: Optional[Sequence[int]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionAttachResult: ...

class CollisionSetReport(TypedDict, total=False):
    bodies: int

class CollisionSetResult(Result):
    report: CollisionSetReport  # type: ignore[assignment]

def collision_set(
    file: Source,
    *,
    block: Optional[int] = None,
    body: Optional[Sequence[int]] = None,
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
) -> CollisionSetResult: ...

class CollisionBuildReportBodies(TypedDict, total=False):
    body: int
    name: str

class CollisionBuildReport(TypedDict, total=False):
    bytes: int
    count: int
    bodies: list[CollisionBuildReportBodies]

class CollisionBuildResult(Result):
    report: CollisionBuildReport  # type: ignore[assignment]

def collision_build(
    mesh: Union[Source, Iterable[Source]],
    *,
    shape: Literal["hull", "mesh", "box", "sphere", "capsule", "compound", "decompose"],
    material: Optional[str] = None,
    mass: Optional[float] = None,
    layer: Optional[str] = None,
    motion: Optional[Literal["static", "keyframed", "dynamic"]] = None,
    friction: Optional[float] = None,
    restitution: Optional[float] = None,
    units: Optional[Literal["metre", "game", "blender"]] = None,
    radius: float = 0.01,
    pieces: int = 32,
    concavity: float = 0,
    format: Optional[Literal["hkx", "xml"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionBuildResult: ...
