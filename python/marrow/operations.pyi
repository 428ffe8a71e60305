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
    from ._clip import Clip
    from ._document import Document
    from ._skeleton import Skeleton

PathLike = Union[str, "os.PathLike[str]"]
#: What an operation reads: also what another one made.
Source = Union[FileSource, "Document", "Clip", "Skeleton", Result]
#: What an operation reads that takes a text: a file, values that become JSON, or a number.
TextSource = Union[Source, Mapping[str, Any], int]


class InfoReportSkeletonsTable(TypedDict, total=False):
    index: int
    name: str
    parent: Optional[int]
    position: list[float]
    rotation: list[float]
    scale: list[float]
    flags: list[str]

class InfoReportSkeletons(TypedDict, total=False):
    name: str
    bones: int
    fx_bones: int
    table: Optional[list[InfoReportSkeletonsTable]]

class InfoReportClipsBytes(TypedDict, total=False):
    masks: int
    translation: int
    rotation: int
    scale: int
    floats: int
    padding: int
    total: int

class InfoReportClips(TypedDict, total=False):
    name: Optional[str]
    frames: int
    tracks: int
    float_tracks: int
    duration_seconds: float
    annotations: int
    root_motion: bool
    additive: bool
    frames_per_second: float
    skeleton: str
    blend_hint: str
    encoding: str
    encodings: list[str]
    bytes: InfoReportClipsBytes
    first_annotation: Optional[float]
    last_annotation: Optional[float]
    start_seconds: Optional[float]

class InfoReportAbout(TypedDict, total=False):
    kind: str
    name: str
    rig: str
    behavior: str
    characters: list[str]
    references: list[str]
    animations: int
    events: int
    variables: int
    machines: int
    states: int
    clips: int

class InfoReportShapes(TypedDict, total=False):
    name: str
    type: str
    vertices: int
    triangles: int
    bones: int
    partitions: int
    skinned: bool
    material: str
    textures: list[str]

class InfoReport(TypedDict, total=False):
    format: str
    game: Optional[str]
    version: Any
    pointer_size: Optional[int]
    endian: Optional[str]
    layout: Optional[list[int]]
    known_as: Optional[str]
    classes: Any
    skeletons: list[InfoReportSkeletons]
    clips: list[InfoReportClips]
    actors: Optional[int]
    actor_order: Optional[str]
    about: Optional[InfoReportAbout]
    meshes: Optional[Any]
    up_axis: Optional[str]
    unit_cm: Optional[float]
    systems: Optional[int]
    bodies: Optional[int]
    shapes: Optional[list[InfoReportShapes]]
    type: Optional[int]
    id: Optional[int]
    modifiers: Optional[int]
    named: Optional[int]

class InfoResult(Result):
    report: InfoReport  # type: ignore[assignment]

def info(
    file: Source,
    *,
    bones: bool = False,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> InfoResult: ...

ConvertReportChanged = TypedDict("ConvertReportChanged", {"where": str, "what": str, "from": str, "to": str}, total=False)

class ConvertReport(TypedDict, total=False):
    format: str
    bytes: int
    unchanged: bool
    left_bones: list[str]
    changed: list[ConvertReportChanged]
    left_out: Optional[Any]
    because: str

class ConvertResult(Result):
    report: ConvertReport  # type: ignore[assignment]

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
) -> MergeResult: ...

class CheckReportFindingsCure(TypedDict, total=False):
    operation: str
    options: Any

class CheckReportFindings(TypedDict, total=False):
    code: str
    level: str
    message: str
    where: str
    cure: Optional[CheckReportFindingsCure]

class CheckReport(TypedDict, total=False):
    findings: list[CheckReportFindings]

class CheckResult(Result):
    report: CheckReport  # type: ignore[assignment]

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
    source_rig: str
    target_rig: str
    target_bones: int
    limb_bones: int
    mapped_limb_bones: int
    relative: bool
    left_out: list[str]
    at_rest: list[str]
    lost_floats: list[str]
    mean_direction_error: float
    worst_direction_error: float
    worst_direction_bone: str
    mean_contact_error: float
    worst_contact_error: float
    moved: Optional[list[float]]
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
    floats: bool = False,
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
    kept: bool
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
    kept: bool
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
    unsure: list[str]

class MirrorResult(Result):
    report: MirrorReport  # type: ignore[assignment]

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
) -> MirrorResult: ...

class SimulateReportClips(TypedDict, total=False):
    name: str
    frames: int
    fps: float

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
    clips: list[SimulateReportClips]
    bones: int
    modifiers: int
    fx_bones: list[str]
    wrinkles: list[SimulateReportWrinkles]
    loop: Optional[SimulateReportLoop]
    explain: Optional[SimulateReportExplain]
    plot: Optional[str]
    sidecar: Optional[str]

class SimulateResult(Result):
    report: SimulateReport  # type: ignore[assignment]

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
) -> SimulateResult: ...

class KnotsReportTracksChannels(TypedDict, total=False):
    name: str
    stored: str
    degree: int
    knots: list[float]

class KnotsReportTracks(TypedDict, total=False):
    track: int
    channels: list[KnotsReportTracksChannels]

class KnotsReportFloats(TypedDict, total=False):
    slot: int
    stored: str
    knots: list[float]

class KnotsReport(TypedDict, total=False):
    compressed: bool
    frames: int
    tracks: list[KnotsReportTracks]
    floats: list[KnotsReportFloats]

class KnotsResult(Result):
    report: KnotsReport  # type: ignore[assignment]

def knots(
    clip: Source,
    *,
    clip_index: int = 0,
    track: Optional[int] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> KnotsResult: ...

class CollisionBoxesReportBoxes(TypedDict, total=False):
    system: int
    body: int
    depth: int
    centre: list[float]
    size: list[float]
    rotation: list[float]

class CollisionBoxesReport(TypedDict, total=False):
    boxes: list[CollisionBoxesReportBoxes]

class CollisionBoxesResult(Result):
    report: CollisionBoxesReport  # type: ignore[assignment]

def collision_boxes(
    file: Source,
    *,
    depth: int = 6,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionBoxesResult: ...

class DoctorReportInstalled(TypedDict, total=False):
    name: str
    place: str

class DoctorReportContents(TypedDict, total=False):
    kind: str
    game: Optional[str]
    files: int
    bytes: int

class DoctorReportProblemsCure(TypedDict, total=False):
    operation: str
    options: Any

class DoctorReportProblems(TypedDict, total=False):
    code: str
    level: str
    message: str
    files: list[str]
    count: int
    cure: Optional[DoctorReportProblemsCure]
    path: str

class DoctorReportPictures(TypedDict, total=False):
    name: str
    png: str

class DoctorReport(TypedDict, total=False):
    installed: list[DoctorReportInstalled]
    games: list[str]
    files: int
    game: Optional[str]
    reason: str
    contents: list[DoctorReportContents]
    problems: list[DoctorReportProblems]
    pictures: list[DoctorReportPictures]

class DoctorResult(Result):
    report: DoctorReport  # type: ignore[assignment]

def doctor(
    *,
    file: Optional[Union[Source, Iterable[Source]]] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    pictures: int = 0,
    installed: Optional[Sequence[str]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> DoctorResult: ...

class ClipTrimReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipTrimReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipTrimReportClipsSeam]

class ClipTrimReport(TypedDict, total=False):
    clips: list[ClipTrimReportClips]

class ClipTrimResult(Result):
    report: ClipTrimReport  # type: ignore[assignment]

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
) -> ClipTrimResult: ...

class ClipJoinReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipJoinReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipJoinReportClipsSeam]

class ClipJoinReport(TypedDict, total=False):
    clips: list[ClipJoinReportClips]

class ClipJoinResult(Result):
    report: ClipJoinReport  # type: ignore[assignment]

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
) -> ClipJoinResult: ...

class ClipSpeedReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipSpeedReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipSpeedReportClipsSeam]

class ClipSpeedReport(TypedDict, total=False):
    clips: list[ClipSpeedReportClips]

class ClipSpeedResult(Result):
    report: ClipSpeedReport  # type: ignore[assignment]

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
) -> ClipSpeedResult: ...

class ClipResampleReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipResampleReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipResampleReportClipsSeam]

class ClipResampleReport(TypedDict, total=False):
    clips: list[ClipResampleReportClips]

class ClipResampleResult(Result):
    report: ClipResampleReport  # type: ignore[assignment]

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
) -> ClipResampleResult: ...

class ClipReverseReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipReverseReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipReverseReportClipsSeam]

class ClipReverseReport(TypedDict, total=False):
    clips: list[ClipReverseReportClips]

class ClipReverseResult(Result):
    report: ClipReverseReport  # type: ignore[assignment]

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
) -> ClipReverseResult: ...

class ClipRepeatReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipRepeatReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipRepeatReportClipsSeam]

class ClipRepeatReport(TypedDict, total=False):
    clips: list[ClipRepeatReportClips]

class ClipRepeatResult(Result):
    report: ClipRepeatReport  # type: ignore[assignment]

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
) -> ClipRepeatResult: ...

class ClipLoopReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipLoopReportClipsGaps(TypedDict, total=False):
    track: str
    degrees: float
    units: float
    spin: float

class ClipLoopReportClipsPlaces(TypedDict, total=False):
    from_frame: int
    to_frame: int
    distance: float

class ClipLoopReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipLoopReportClipsSeam]
    gaps: list[ClipLoopReportClipsGaps]
    worst_degrees: float
    worst_units: float
    worst_spin: float
    left_degrees: float
    left_units: float
    left_spin: float
    pose_change_degrees: float
    places: list[ClipLoopReportClipsPlaces]

class ClipLoopReport(TypedDict, total=False):
    clips: list[ClipLoopReportClips]

class ClipLoopResult(Result):
    report: ClipLoopReport  # type: ignore[assignment]

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
) -> ClipLoopResult: ...

class ClipTracksReportClips(TypedDict, total=False):
    name: str
    tracks_before: int
    tracks: int
    dropped: list[str]
    filled: list[str]

class ClipTracksReport(TypedDict, total=False):
    clips: list[ClipTracksReportClips]

class ClipTracksResult(Result):
    report: ClipTracksReport  # type: ignore[assignment]

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
) -> ClipTracksResult: ...

class ClipBlendReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipBlendReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipBlendReportClipsSeam]

class ClipBlendReport(TypedDict, total=False):
    clips: list[ClipBlendReportClips]

class ClipBlendResult(Result):
    report: ClipBlendReport  # type: ignore[assignment]

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
) -> ClipBlendResult: ...

class ClipLayerReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipLayerReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipLayerReportClipsSeam]

class ClipLayerReport(TypedDict, total=False):
    clips: list[ClipLayerReportClips]

class ClipLayerResult(Result):
    report: ClipLayerReport  # type: ignore[assignment]

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
) -> ClipLayerResult: ...

class ClipAdditiveReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipAdditiveReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipAdditiveReportClipsSeam]

class ClipAdditiveReport(TypedDict, total=False):
    clips: list[ClipAdditiveReportClips]

class ClipAdditiveResult(Result):
    report: ClipAdditiveReport  # type: ignore[assignment]

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
) -> ClipAdditiveResult: ...

class ClipApplyReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipApplyReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipApplyReportClipsSeam]

class ClipApplyReport(TypedDict, total=False):
    clips: list[ClipApplyReportClips]

class ClipApplyResult(Result):
    report: ClipApplyReport  # type: ignore[assignment]

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
) -> ClipApplyResult: ...

class ClipOffsetReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipOffsetReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipOffsetReportClipsSeam]

class ClipOffsetReport(TypedDict, total=False):
    clips: list[ClipOffsetReportClips]

class ClipOffsetResult(Result):
    report: ClipOffsetReport  # type: ignore[assignment]

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
) -> ClipOffsetResult: ...

class ClipPoseReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipPoseReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipPoseReportClipsSeam]

class ClipPoseReport(TypedDict, total=False):
    clips: list[ClipPoseReportClips]

class ClipPoseResult(Result):
    report: ClipPoseReport  # type: ignore[assignment]

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
) -> ClipPoseResult: ...

class ClipSetPoseReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipSetPoseReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipSetPoseReportClipsSeam]

class ClipSetPoseReport(TypedDict, total=False):
    clips: list[ClipSetPoseReportClips]

class ClipSetPoseResult(Result):
    report: ClipSetPoseReport  # type: ignore[assignment]

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
) -> ClipSetPoseResult: ...

class ClipPinReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipPinReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipPinReportClipsSeam]
    upper: str
    lower: str
    end: str
    moved: float
    worst: float
    between: float
    hips_moved: float
    missed: list[int]

class ClipPinReport(TypedDict, total=False):
    clips: list[ClipPinReportClips]

class ClipPinResult(Result):
    report: ClipPinReport  # type: ignore[assignment]

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
) -> ClipPinResult: ...

class ClipFeetReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipFeetReportClipsContacts(TypedDict, total=False):
    bone: str
    from_frame: int
    to_frame: int
    drift_before: float
    drift_after: float
    state: str

class ClipFeetReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipFeetReportClipsSeam]
    contacts: list[ClipFeetReportClipsContacts]
    drift_before: float
    drift_after: float
    hips_moved: float
    turned_degrees: float
    acceleration_before: float
    acceleration_after: float
    treadmill: Optional[list[float]]
    loop: bool

class ClipFeetReport(TypedDict, total=False):
    clips: list[ClipFeetReportClips]

class ClipFeetResult(Result):
    report: ClipFeetReport  # type: ignore[assignment]

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
) -> ClipFeetResult: ...

class ClipSmoothReportClipsSeam(TypedDict, total=False):
    frame: int
    factor: float
    track: str
    acceleration: float
    inside: float

class ClipSmoothReportClips(TypedDict, total=False):
    name: str
    frames_before: int
    frames: int
    from_frame: Optional[int]
    to_frame: Optional[int]
    duration_seconds: float
    tracks: int
    rotation_error_degrees: float
    position_error: float
    new_points: int
    encoded_channels: int
    channels_past_bound: int
    gap_degrees: float
    gap_units: float
    seam: Optional[ClipSmoothReportClipsSeam]

class ClipSmoothReport(TypedDict, total=False):
    clips: list[ClipSmoothReportClips]

class ClipSmoothResult(Result):
    report: ClipSmoothReport  # type: ignore[assignment]

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
) -> ClipSmoothResult: ...

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
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
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
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
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
    match: Optional[str] = None,
    since: Optional[float] = None,
    until: Optional[float] = None,
    track: Optional[Sequence[int]] = None,
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
) -> AnnotationsReplaceResult: ...

class AnnotationsShiftReport(TypedDict, total=False):
    events: int

class AnnotationsShiftResult(Result):
    report: AnnotationsShiftReport  # type: ignore[assignment]

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
) -> AnnotationsShiftResult: ...

class AnnotationsScaleReport(TypedDict, total=False):
    events: int

class AnnotationsScaleResult(Result):
    report: AnnotationsScaleReport  # type: ignore[assignment]

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
) -> AnnotationsScaleResult: ...

class AnnotationsSortReport(TypedDict, total=False):
    events: int

class AnnotationsSortResult(Result):
    report: AnnotationsSortReport  # type: ignore[assignment]

def annotations_sort(
    clip: Source,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> AnnotationsSortResult: ...

class AnnotationsCopyReport(TypedDict, total=False):
    events: int

class AnnotationsCopyResult(Result):
    report: AnnotationsCopyReport  # type: ignore[assignment]

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
) -> AnnotationsCopyResult: ...

class AnnotationsPresetsReportPresets(TypedDict, total=False):
    name: str
    summary: str
    text: str

class AnnotationsPresetsReport(TypedDict, total=False):
    presets: list[AnnotationsPresetsReportPresets]

class AnnotationsPresetsResult(Result):
    report: AnnotationsPresetsReport  # type: ignore[assignment]

def annotations_presets(
    *,
    match: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> AnnotationsPresetsResult: ...

class PairJoinReport(TypedDict, total=False):
    frames: int
    first_tracks: int
    second_tracks: int
    place: list[float]

class PairJoinResult(Result):
    report: PairJoinReport  # type: ignore[assignment]

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
) -> PairJoinResult: ...

class PairSplitReport(TypedDict, total=False):
    frames: int
    first_tracks: int
    second_tracks: int
    place: list[float]

class PairSplitResult(Result):
    report: PairSplitReport  # type: ignore[assignment]

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
) -> PairSplitResult: ...

class PairSwapReport(TypedDict, total=False):
    frames: int
    first_tracks: int
    second_tracks: int
    place: list[float]

class PairSwapResult(Result):
    report: PairSwapReport  # type: ignore[assignment]

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
) -> PairSwapResult: ...

class RootMotionShowReport(TypedDict, total=False):
    frames: int
    samples: list[list[float]]
    moved: list[float]
    turned_degrees: float

class RootMotionShowResult(Result):
    report: RootMotionShowReport  # type: ignore[assignment]

def root_motion_show(
    clip: Source,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RootMotionShowResult: ...

class RootMotionSetReport(TypedDict, total=False):
    had_motion: bool
    has_motion: bool
    moved: list[float]
    turned_degrees: float

class RootMotionSetResult(Result):
    report: RootMotionSetReport  # type: ignore[assignment]

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
) -> RootMotionSetResult: ...

class RootMotionExtractReport(TypedDict, total=False):
    had_motion: bool
    has_motion: bool
    moved: list[float]
    turned_degrees: float

class RootMotionExtractResult(Result):
    report: RootMotionExtractReport  # type: ignore[assignment]

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
) -> RootMotionExtractResult: ...

class RootMotionBakeReport(TypedDict, total=False):
    had_motion: bool
    has_motion: bool
    moved: list[float]
    turned_degrees: float

class RootMotionBakeResult(Result):
    report: RootMotionBakeReport  # type: ignore[assignment]

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
) -> RootMotionBakeResult: ...

class RootMotionScaleReport(TypedDict, total=False):
    had_motion: bool
    has_motion: bool
    moved: list[float]
    turned_degrees: float

class RootMotionScaleResult(Result):
    report: RootMotionScaleReport  # type: ignore[assignment]

def root_motion_scale(
    clip: Source,
    *,
    factor: float,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RootMotionScaleResult: ...

class RootMotionRemoveReport(TypedDict, total=False):
    had_motion: bool
    has_motion: bool
    moved: list[float]
    turned_degrees: float

class RootMotionRemoveResult(Result):
    report: RootMotionRemoveReport  # type: ignore[assignment]

def root_motion_remove(
    clip: Source,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RootMotionRemoveResult: ...

class RootMotionToAnnotationsReport(TypedDict, total=False):
    had_motion: bool
    has_motion: bool
    moved: list[float]
    turned_degrees: float

class RootMotionToAnnotationsResult(Result):
    report: RootMotionToAnnotationsReport  # type: ignore[assignment]

def root_motion_to_annotations(
    clip: Source,
    *,
    max_error: float = 0.01,
    keep: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RootMotionToAnnotationsResult: ...

class RootMotionFromAnnotationsReport(TypedDict, total=False):
    had_motion: bool
    has_motion: bool
    moved: list[float]
    turned_degrees: float

class RootMotionFromAnnotationsResult(Result):
    report: RootMotionFromAnnotationsReport  # type: ignore[assignment]

def root_motion_from_annotations(
    clip: Source,
    *,
    keep: bool = False,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RootMotionFromAnnotationsResult: ...

class FloatsSetReport(TypedDict, total=False):
    tracks: int
    changed: int

class FloatsSetResult(Result):
    report: FloatsSetReport  # type: ignore[assignment]

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
) -> FloatsSetResult: ...

class FloatsImportReport(TypedDict, total=False):
    tracks: int
    changed: int

class FloatsImportResult(Result):
    report: FloatsImportReport  # type: ignore[assignment]

def floats_import(
    clip: Source,
    table: TextSource,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> FloatsImportResult: ...

class FloatsRemoveReport(TypedDict, total=False):
    tracks: int
    changed: int

class FloatsRemoveResult(Result):
    report: FloatsRemoveReport  # type: ignore[assignment]

def floats_remove(
    clip: Source,
    *,
    slot: str,
    skeleton: Optional[Source] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> FloatsRemoveResult: ...

class BodyListReportShapesPartitions(TypedDict, total=False):
    body_part: Optional[int]
    vertices: int
    triangles: int
    bones: int

class BodyListReportShapesSegments(TypedDict, total=False):
    triangles: int
    sub_segments: int

class BodyListReportShapes(TypedDict, total=False):
    name: str
    block: int
    type: str
    vertices: int
    triangles: int
    skinned: bool
    bones: list[str]
    material: str
    shader: str
    textures: list[str]
    bound: list[float]
    partitions: list[BodyListReportShapesPartitions]
    segments: list[BodyListReportShapesSegments]

class BodyListReport(TypedDict, total=False):
    game: Optional[str]
    shapes: list[BodyListReportShapes]

class BodyListResult(Result):
    report: BodyListReport  # type: ignore[assignment]

def body_list(
    file: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> BodyListResult: ...

class BodyWeightsReport(TypedDict, total=False):
    shapes: int
    vertices: int

class BodyWeightsResult(Result):
    report: BodyWeightsReport  # type: ignore[assignment]

def body_weights(
    file: Source,
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> BodyWeightsResult: ...

class BodyReplaceReportShapes(TypedDict, total=False):
    name: str
    block: int
    positions: int
    normals: int
    turned_normals: int
    tangents: int
    uvs: int
    colors: int
    weights: int
    unweighted: int
    added_vertices: int
    removed_vertices: int
    added_triangles: int
    removed_triangles: int
    added_bones: list[str]
    new_numbers: bool
    worst_rounding: float

class BodyReplaceReport(TypedDict, total=False):
    shapes: list[BodyReplaceReportShapes]
    untouched: list[str]
    left_out: list[str]

class BodyReplaceResult(Result):
    report: BodyReplaceReport  # type: ignore[assignment]

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
) -> BodyReplaceResult: ...

class BodyNewReportShapes(TypedDict, total=False):
    name: str
    like: str
    vertices: int
    triangles: int
    added_bones: list[str]
    transferred: bool
    farthest: float
    faces_away: int
    mean_difference: Optional[float]
    worst_difference: Optional[float]
    worst_rounding: float

class BodyNewReport(TypedDict, total=False):
    shapes: list[BodyNewReportShapes]

class BodyNewResult(Result):
    report: BodyNewReport  # type: ignore[assignment]

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
) -> BodyNewResult: ...

class BodyPictureReport(TypedDict, total=False):
    shapes: int
    vertices: int
    triangles: int
    textures: int
    width: int
    height: int

class BodyPictureResult(Result):
    report: BodyPictureReport  # type: ignore[assignment]

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
) -> BodyPictureResult: ...

class RigListReportBonesLocal(TypedDict, total=False):
    position: list[float]
    rotation: list[float]

class RigListReportBonesGlobal(TypedDict, total=False):
    position: list[float]
    rotation: list[float]

class RigListReportBonesModifiers(TypedDict, total=False):
    type: str
    origin: str
    fields: Any
    different: Any
    defaults: Any
    units: Any

RigListReportBones = TypedDict("RigListReportBones", {"index": int, "id": int, "name": str, "parent": Optional[str], "depth": int, "origin": str, "local": RigListReportBonesLocal, "global": RigListReportBonesGlobal, "mirror": Optional[str], "fields": Any, "modifiers": list[RigListReportBonesModifiers]}, total=False)

class RigListReport(TypedDict, total=False):
    skeleton: Any
    bones: list[RigListReportBones]

class RigListResult(Result):
    report: RigListReport  # type: ignore[assignment]

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
) -> RigListResult: ...

class RigShowReportBonesLocal(TypedDict, total=False):
    position: list[float]
    rotation: list[float]

class RigShowReportBonesGlobal(TypedDict, total=False):
    position: list[float]
    rotation: list[float]

class RigShowReportBonesModifiers(TypedDict, total=False):
    type: str
    origin: str
    fields: Any
    different: Any
    defaults: Any
    units: Any

RigShowReportBones = TypedDict("RigShowReportBones", {"index": int, "id": int, "name": str, "parent": Optional[str], "depth": int, "origin": str, "local": RigShowReportBonesLocal, "global": RigShowReportBonesGlobal, "mirror": Optional[str], "fields": Any, "modifiers": list[RigShowReportBonesModifiers]}, total=False)

class RigShowReport(TypedDict, total=False):
    skeleton: Any
    bones: list[RigShowReportBones]

class RigShowResult(Result):
    report: RigShowReport  # type: ignore[assignment]

def rig_show(
    file: Source,
    *,
    bone: Optional[Sequence[str]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigShowResult: ...

class RigFieldsReportModifiersFieldsFields(TypedDict, total=False):
    name: str
    unit: str
    help: str
    default: Any
    start: Optional[float]
    min: Optional[float]
    max: Optional[float]
    choices: Optional[list[str]]

class RigFieldsReportModifiersFields(TypedDict, total=False):
    name: str
    unit: str
    help: str
    default: Any
    start: Optional[float]
    min: Optional[float]
    max: Optional[float]
    choices: Optional[list[str]]
    fields: Optional[list[RigFieldsReportModifiersFieldsFields]]

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

class RigMergeReportFindingsCure(TypedDict, total=False):
    operation: str
    options: Any

class RigMergeReportFindings(TypedDict, total=False):
    code: str
    level: str
    message: str
    where: str
    cure: Optional[RigMergeReportFindingsCure]

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
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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

class RigPlanReportFindingsCure(TypedDict, total=False):
    operation: str
    options: Any

class RigPlanReportFindings(TypedDict, total=False):
    code: str
    level: str
    message: str
    where: str
    cure: Optional[RigPlanReportFindingsCure]

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
    next: str

class RigNewAddonResult(Result):
    report: RigNewAddonReport  # type: ignore[assignment]

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
) -> RigNewAddonResult: ...

class RigExtractAddonReport(TypedDict, total=False):
    id: int
    root: str
    bones: int
    next: str

class RigExtractAddonResult(Result):
    report: RigExtractAddonReport  # type: ignore[assignment]

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
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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
    force: bool = False,
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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
    force: bool = False,
    id_base: Optional[int] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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
) -> RigCopyModifiersResult: ...

class RigApplyReportModifiers(TypedDict, total=False):
    bone: str
    type: str
    replaced: bool

class RigApplyReport(TypedDict, total=False):
    bones: int
    modifiers: list[RigApplyReportModifiers]
    changes: list[str]

class RigApplyResult(Result):
    report: RigApplyReport  # type: ignore[assignment]

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
) -> RigApplyResult: ...

class RigExtractModifiersReport(TypedDict, total=False):
    sidecar: str
    modifiers: int

class RigExtractModifiersResult(Result):
    report: RigExtractModifiersReport  # type: ignore[assignment]

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
) -> RigExtractModifiersResult: ...

class RigRenumberReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigRenumberReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigRenumberReportBreaks]

class RigRenumberResult(Result):
    report: RigRenumberReport  # type: ignore[assignment]

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
) -> RigRenumberResult: ...

class RigEditReportBreaks(TypedDict, total=False):
    path: str
    why: str

class RigEditReport(TypedDict, total=False):
    bones: int
    changes: list[str]
    breaks: list[RigEditReportBreaks]

class RigEditResult(Result):
    report: RigEditReport  # type: ignore[assignment]

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
) -> RigEditResult: ...

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
    format: Optional[Literal["anvil-standard", "anvil-schema", "json"]] = None,
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
    name: Sequence[str],
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigHashResult: ...

class RigNamesReport(TypedDict, total=False):
    names: str
    files: int
    hashes: int
    known: int
    by_pattern: int
    unknown: int

class RigNamesResult(Result):
    report: RigNamesReport  # type: ignore[assignment]

def rig_names(
    file: Union[TextSource, Iterable[TextSource]],
    *,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> RigNamesResult: ...

class RigTableReportReferences(TypedDict, total=False):
    line: int
    element: str
    id: int
    skeleton: Optional[str]

class RigTableReport(TypedDict, total=False):
    references: list[RigTableReportReferences]
    replaced: int

class RigTableResult(Result):
    report: RigTableReport  # type: ignore[assignment]

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
) -> RigTableResult: ...

class CollisionListReportSystemsBodiesShape(TypedDict, total=False):
    type: str
    vertices: int
    triangles: int
    children: int
    material: str
    radius: float
    size: Optional[list[float]]
    center: Optional[list[float]]
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
    mass: Optional[float]
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
    block: Optional[int]
    type: Optional[str]
    object: Optional[str]
    object_flags: Optional[int]
    motion_system: Optional[int]
    quality: Optional[int]
    deactivator: Optional[int]
    solver_deactivation: Optional[int]
    penetration_depth: Optional[float]
    center: Optional[list[float]]
    inertia: Optional[list[float]]

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
    length: Optional[float]

class CollisionListReportSystems(TypedDict, total=False):
    block: Optional[int]
    kind: str
    bodies: list[CollisionListReportSystemsBodies]
    constraints: list[CollisionListReportSystemsConstraints]
    bones: Optional[int]

class CollisionListReportLegacy(TypedDict, total=False):
    block: int
    type: str
    node: Optional[str]
    body: Optional[str]
    layer: Optional[str]
    shape: Optional[str]

class CollisionListReport(TypedDict, total=False):
    systems: list[CollisionListReportSystems]
    legacy: Optional[list[CollisionListReportLegacy]]

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
    show: bool = False,
    units: Literal["metre", "game", "blender"] = 'metre',
    format: Optional[Literal["obj", "glb", "gltf"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionExportResult: ...

class CollisionExtractReport(TypedDict, total=False):
    block: Optional[int]
    blocks: list[int]

class CollisionExtractResult(Result):
    report: CollisionExtractReport  # type: ignore[assignment]

def collision_extract(
    nif: Source,
    *,
    block: Optional[int] = None,
    format: Optional[Literal["hkx", "nif"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionExtractResult: ...

class CollisionReplaceReportChanged(TypedDict, total=False):
    block: Optional[int]
    body: int
    name: str
    shape: str

class CollisionReplaceReport(TypedDict, total=False):
    block: Optional[int]
    changed: list[CollisionReplaceReportChanged]
    removed: list[str]

class CollisionReplaceResult(Result):
    report: CollisionReplaceReport  # type: ignore[assignment]

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
) -> CollisionReplaceResult: ...

class CollisionAttachReport(TypedDict, total=False):
    block: int

class CollisionAttachResult(Result):
    report: CollisionAttachReport  # type: ignore[assignment]

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
) -> CollisionAttachResult: ...

class CollisionDetachReport(TypedDict, total=False):
    nodes: list[str]

class CollisionDetachResult(Result):
    report: CollisionDetachReport  # type: ignore[assignment]

def collision_detach(
    nif: Source,
    *,
    node: Optional[Sequence[str]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionDetachResult: ...

class CollisionSetShapeReport(TypedDict, total=False):
    block: Optional[int]
    body: int
    shape: str

class CollisionSetShapeResult(Result):
    report: CollisionSetShapeReport  # type: ignore[assignment]

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
) -> CollisionSetShapeResult: ...

class CollisionAddBodyReport(TypedDict, total=False):
    block: Optional[int]
    body: int

class CollisionAddBodyResult(Result):
    report: CollisionAddBodyReport  # type: ignore[assignment]

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
) -> CollisionAddBodyResult: ...

class CollisionRemoveBodyReport(TypedDict, total=False):
    block: Optional[int]
    body: int

class CollisionRemoveBodyResult(Result):
    report: CollisionRemoveBodyReport  # type: ignore[assignment]

def collision_remove_body(
    file: Source,
    *,
    body: str,
    block: Optional[int] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionRemoveBodyResult: ...

class CollisionSetReport(TypedDict, total=False):
    bodies: int

class CollisionSetResult(Result):
    report: CollisionSetReport  # type: ignore[assignment]

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
) -> CollisionSetResult: ...

class CollisionJointsReportJointsMotors(TypedDict, total=False):
    drives: str
    type: str
    min_force: Optional[float]
    max_force: Optional[float]
    stiffness: Optional[float]
    damping: Optional[float]

class CollisionJointsReportJoints(TypedDict, total=False):
    block: Optional[int]
    joint: int
    type: str
    body: int
    node: Optional[str]
    to: Optional[int]
    to_node: Optional[str]
    pivot: Optional[list[float]]
    to_pivot: Optional[list[float]]
    axis: Optional[list[float]]
    to_axis: Optional[list[float]]
    normal: Optional[list[float]]
    to_normal: Optional[list[float]]
    twist: Optional[list[float]]
    cone: Optional[float]
    plane: Optional[list[float]]
    angle: Optional[list[float]]
    distance: Optional[list[float]]
    friction: Optional[float]
    break_threshold: Optional[float]
    length: Optional[float]
    chain: Optional[list[str]]
    tau: Optional[float]
    damping: Optional[float]
    cfm: Optional[float]
    max_error: Optional[float]
    remove_when_broken: Optional[bool]
    strength: Optional[float]
    system: Optional[int]
    stabilized: bool
    motors_on: Optional[bool]
    motors: list[CollisionJointsReportJointsMotors]

class CollisionJointsReport(TypedDict, total=False):
    joints: list[CollisionJointsReportJoints]

class CollisionJointsResult(Result):
    report: CollisionJointsReport  # type: ignore[assignment]

def collision_joints(
    file: Source,
    *,
    block: Optional[int] = None,
    joint: Optional[Sequence[int]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionJointsResult: ...

class CollisionAddJointReport(TypedDict, total=False):
    block: Optional[int]
    joints: list[int]

class CollisionAddJointResult(Result):
    report: CollisionAddJointReport  # type: ignore[assignment]

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
) -> CollisionAddJointResult: ...

class CollisionSetJointReport(TypedDict, total=False):
    block: Optional[int]
    joints: list[int]

class CollisionSetJointResult(Result):
    report: CollisionSetJointReport  # type: ignore[assignment]

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
) -> CollisionSetJointResult: ...

class CollisionRemoveJointReport(TypedDict, total=False):
    block: Optional[int]
    joints: list[int]

class CollisionRemoveJointResult(Result):
    report: CollisionRemoveJointReport  # type: ignore[assignment]

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
) -> CollisionRemoveJointResult: ...

class CollisionRagdollReportBones(TypedDict, total=False):
    body: int
    bone: str
    mass: float
    mirrored: bool

class CollisionRagdollReport(TypedDict, total=False):
    bodies: int
    joints: int
    bones: list[CollisionRagdollReportBones]

class CollisionRagdollResult(Result):
    report: CollisionRagdollReport  # type: ignore[assignment]

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
) -> CollisionRagdollResult: ...

class CollisionBuildReportBodies(TypedDict, total=False):
    body: int
    name: str

class CollisionBuildReportDecompositions(TypedDict, total=False):
    object: str
    hulls: int
    volume_error: float
    worst_distance: float
    coverage: float

class CollisionBuildReport(TypedDict, total=False):
    bytes: int
    count: int
    bodies: list[CollisionBuildReportBodies]
    decompositions: list[CollisionBuildReportDecompositions]

class CollisionBuildResult(Result):
    report: CollisionBuildReport  # type: ignore[assignment]

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
) -> CollisionBuildResult: ...

class CollisionMaterialsReportMaterials(TypedDict, total=False):
    name: str
    plain: str
    crc: str
    used_by: Optional[str]

class CollisionMaterialsReport(TypedDict, total=False):
    materials: list[CollisionMaterialsReportMaterials]

class CollisionMaterialsResult(Result):
    report: CollisionMaterialsReport  # type: ignore[assignment]

def collision_materials(
    *,
    pattern: Optional[str] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionMaterialsResult: ...

class CollisionLayersReportLayers(TypedDict, total=False):
    number: int
    name: str

class CollisionLayersReport(TypedDict, total=False):
    layers: list[CollisionLayersReportLayers]

class CollisionLayersResult(Result):
    report: CollisionLayersReport  # type: ignore[assignment]

def collision_layers(
    *,
    pattern: Optional[str] = None,
    game: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CollisionLayersResult: ...

class ArchiveListReportFilesTexture(TypedDict, total=False):
    width: int
    height: int
    mips: int
    format: int

class ArchiveListReportFiles(TypedDict, total=False):
    path: str
    size: int
    packed: int
    compressed: bool
    texture: Optional[ArchiveListReportFilesTexture]

class ArchiveListReport(TypedDict, total=False):
    format: str
    version: int
    game: str
    flags: int
    files: list[ArchiveListReportFiles]

class ArchiveListResult(Result):
    report: ArchiveListReport  # type: ignore[assignment]

def archive_list(
    archive: Source,
    *,
    match: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> ArchiveListResult: ...

class ArchiveExtractReportFailed(TypedDict, total=False):
    path: str
    error: Any

class ArchiveExtractReport(TypedDict, total=False):
    files: int
    bytes: int
    failed: list[ArchiveExtractReportFailed]

class ArchiveExtractResult(Result):
    report: ArchiveExtractReport  # type: ignore[assignment]

def archive_extract(
    archive: Source,
    *,
    match: Optional[str] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> ArchiveExtractResult: ...

class ArchiveCheckReportFindingsCure(TypedDict, total=False):
    operation: str
    options: Any

class ArchiveCheckReportFindings(TypedDict, total=False):
    code: str
    level: str
    message: str
    where: str
    cure: Optional[ArchiveCheckReportFindingsCure]

class ArchiveCheckReport(TypedDict, total=False):
    findings: list[ArchiveCheckReportFindings]

class ArchiveCheckResult(Result):
    report: ArchiveCheckReport  # type: ignore[assignment]

def archive_check(
    archive: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> ArchiveCheckResult: ...

class ArchivePackReport(TypedDict, total=False):
    format: str
    files: int
    unpacked: int
    bytes: int

class ArchivePackResult(Result):
    report: ArchivePackReport  # type: ignore[assignment]

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
) -> ArchivePackResult: ...

class BehaviorListReportVariables(TypedDict, total=False):
    index: int
    name: str
    type: str
    value: Any

class BehaviorListReportClipsTriggers(TypedDict, total=False):
    event: Optional[str]
    time: float
    from_end: bool

class BehaviorListReportClips(TypedDict, total=False):
    node: str
    name: str
    animation: str
    speed: float
    crop_start: float
    crop_end: float
    mode: str
    triggers: list[BehaviorListReportClipsTriggers]

class BehaviorListReportMachinesStates(TypedDict, total=False):
    id: int
    node: str
    name: str
    generator: Optional[str]

BehaviorListReportMachinesTransitions = TypedDict("BehaviorListReportMachinesTransitions", {"from": Optional[int], "to": int, "event": Optional[str], "flags": int, "blend": Optional[float], "condition": Optional[str]}, total=False)

class BehaviorListReportMachines(TypedDict, total=False):
    node: str
    name: str
    start: int
    states: list[BehaviorListReportMachinesStates]
    transitions: list[BehaviorListReportMachinesTransitions]

class BehaviorListReportBindings(TypedDict, total=False):
    node: str
    member: str
    variable: Optional[str]
    property: bool

class BehaviorListReport(TypedDict, total=False):
    kind: str
    root: str
    nodes: int
    characters: Optional[list[str]]
    name: Any
    rig: Any
    ragdoll: Any
    behavior: Any
    animations: Optional[list[str]]
    events: Optional[list[str]]
    variables: Optional[list[BehaviorListReportVariables]]
    properties: Any
    references: Optional[list[str]]
    clips: Optional[list[BehaviorListReportClips]]
    machines: Optional[list[BehaviorListReportMachines]]
    bindings: Optional[list[BehaviorListReportBindings]]

class BehaviorListResult(Result):
    report: BehaviorListReport  # type: ignore[assignment]

def behavior_list(
    file: Source,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> BehaviorListResult: ...

BehaviorFindReportUses = TypedDict("BehaviorFindReportUses", {"node": str, "class": str, "field": str}, total=False)

class BehaviorFindReport(TypedDict, total=False):
    uses: list[BehaviorFindReportUses]

class BehaviorFindResult(Result):
    report: BehaviorFindReport  # type: ignore[assignment]

def behavior_find(
    file: Source,
    *,
    event: Optional[str] = None,
    clip: Optional[str] = None,
    variable: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> BehaviorFindResult: ...

class BehaviorGraphReport(TypedDict, total=False):
    nodes: int
    machines: int
    states: int

class BehaviorGraphResult(Result):
    report: BehaviorGraphReport  # type: ignore[assignment]

def behavior_graph(
    file: Source,
    *,
    format: Literal["svg", "dot", "json"] = 'svg',
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> BehaviorGraphResult: ...

BehaviorRunReportChanges = TypedDict("BehaviorRunReportChanges", {"time": float, "machine": str, "from": str, "to": str, "event": str}, total=False)

class BehaviorRunReportSent(TypedDict, total=False):
    time: float
    event: str
    sender: str

class BehaviorRunReport(TypedDict, total=False):
    rows: int
    changes: list[BehaviorRunReportChanges]
    sent: list[BehaviorRunReportSent]
    not_evaluated: list[str]

class BehaviorRunResult(Result):
    report: BehaviorRunReport  # type: ignore[assignment]

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
) -> BehaviorRunResult: ...

class BehaviorAddEventReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorAddEventResult(Result):
    report: BehaviorAddEventReport  # type: ignore[assignment]

def behavior_add_event(
    file: Source,
    *,
    name: Sequence[str],
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> BehaviorAddEventResult: ...

class BehaviorAddVariableReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorAddVariableResult(Result):
    report: BehaviorAddVariableReport  # type: ignore[assignment]

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
) -> BehaviorAddVariableResult: ...

class BehaviorAddAnimationReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorAddAnimationResult(Result):
    report: BehaviorAddAnimationReport  # type: ignore[assignment]

def behavior_add_animation(
    file: Source,
    *,
    animation: Sequence[str],
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> BehaviorAddAnimationResult: ...

class BehaviorAddClipReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorAddClipResult(Result):
    report: BehaviorAddClipReport  # type: ignore[assignment]

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
) -> BehaviorAddClipResult: ...

class BehaviorAddStateReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorAddStateResult(Result):
    report: BehaviorAddStateReport  # type: ignore[assignment]

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
) -> BehaviorAddStateResult: ...

class BehaviorAddTransitionReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorAddTransitionResult(Result):
    report: BehaviorAddTransitionReport  # type: ignore[assignment]

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
) -> BehaviorAddTransitionResult: ...

class BehaviorSetReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorSetResult(Result):
    report: BehaviorSetReport  # type: ignore[assignment]

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
) -> BehaviorSetResult: ...

class BehaviorRemoveReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorRemoveResult(Result):
    report: BehaviorRemoveReport  # type: ignore[assignment]

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
) -> BehaviorRemoveResult: ...

class BehaviorRenameReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorRenameResult(Result):
    report: BehaviorRenameReport  # type: ignore[assignment]

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
) -> BehaviorRenameResult: ...

class BehaviorEditReport(TypedDict, total=False):
    nodes: int
    node: Optional[str]
    state: Optional[int]
    index: Optional[int]
    changes: list[str]

class BehaviorEditResult(Result):
    report: BehaviorEditReport  # type: ignore[assignment]

def behavior_edit(
    file: Source,
    script: Union[TextSource, Iterable[TextSource]],
    *,
    to: Optional[Literal["skyrim-le", "skyrim-se", "fallout4", "ac1", "ac2", "brotherhood", "revelations", "ac3", "ac4", "rogue", "unity", "syndicate", "origins", "odyssey", "valhalla", "mirage"]] = None,
    output: Optional[FileTarget] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> BehaviorEditResult: ...

class BehaviorPatchReportFiles(TypedDict, total=False):
    path: str
    output: Optional[str]
    mods: list[str]
    nodes: int
    changed: int
    added: int

class BehaviorPatchReportNotes(TypedDict, total=False):
    code: str
    level: str
    mod: str
    file: str
    where: str
    message: str

class BehaviorPatchReportFailed(TypedDict, total=False):
    path: str
    error: Any

class BehaviorPatchReport(TypedDict, total=False):
    files: list[BehaviorPatchReportFiles]
    notes: list[BehaviorPatchReportNotes]
    failed: list[BehaviorPatchReportFailed]

class BehaviorPatchResult(Result):
    report: BehaviorPatchReport  # type: ignore[assignment]

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
) -> BehaviorPatchResult: ...

class BehaviorMakePatchReport(TypedDict, total=False):
    code: str
    changed: int
    added: int

class BehaviorMakePatchResult(Result):
    report: BehaviorMakePatchReport  # type: ignore[assignment]

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
) -> BehaviorMakePatchResult: ...

class CacheListReport(TypedDict, total=False):
    kind: str
    projects: Any

class CacheListResult(Result):
    report: CacheListReport  # type: ignore[assignment]

def cache_list(
    file: Source,
    *,
    project: Optional[str] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CacheListResult: ...

class CacheAddReport(TypedDict, total=False):
    project: str
    id: Optional[str]
    clips: int
    motions: int
    files: int
    attacks: int

class CacheAddResult(Result):
    report: CacheAddReport  # type: ignore[assignment]

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
) -> CacheAddResult: ...

class CacheRemoveReport(TypedDict, total=False):
    project: str
    id: Optional[str]
    clips: int
    motions: int
    files: int
    attacks: int

class CacheRemoveResult(Result):
    report: CacheRemoveReport  # type: ignore[assignment]

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
) -> CacheRemoveResult: ...

class CacheCheckReportFindingsCure(TypedDict, total=False):
    operation: str
    options: Any

class CacheCheckReportFindings(TypedDict, total=False):
    code: str
    level: str
    message: str
    where: str
    cure: Optional[CacheCheckReportFindingsCure]

class CacheCheckReport(TypedDict, total=False):
    findings: list[CacheCheckReportFindings]

class CacheCheckResult(Result):
    report: CacheCheckReport  # type: ignore[assignment]

def cache_check(
    file: Source,
    *,
    project: Optional[Union[Source, Iterable[Source]]] = None,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> CacheCheckResult: ...
