# SPDX-License-Identifier: MIT
"""Documents: a file as values, of whatever format."""
from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union, cast

from . import _abi
from ._context import CallContext, Limits, ProgressCallback
from ._errors import Error, NoClipError, NoCollisionError, NoSkeletonError, OptionError
from ._files import FileSource, FileTarget, read_source
from ._library import Handle, encoded, lib, opened
from ._open_file import OpenFile
from ._run import Result, apply, descriptions, run, save, save_options
from ._clip import Clip
from ._collision import CollisionSystem
from ._findings import Difference, Finding, check, diff
from ._mesh import Mesh, meshes_of
from ._shape import Shapes, shapes_of
from ._skeleton import Bone, FloatSlot, Skeleton, append_skeleton


class Document(OpenFile):
    """A file as values: skeletons, clips, collision, meshes. What nobody changes is written back byte for byte.

    Each of these parts is read when it is first asked for, and raises an error then if it is damaged; the others can still
    be used, and saving keeps the bytes of all that was not asked for.

    Documents are made by `marrow.load` and `Document.new`. `with marrow.load(...) as document:` closes it at the end;
    without `with` it is closed when the last object or array that belongs to it is gone.
    """

    def __init__(self, handle: Handle, source: Optional[bytes] = None) -> None:
        super().__init__(handle, source)
        self._skeleton: Optional[Skeleton] = None
        self._near: Optional[Skeleton] = None
        self._has_looked = False

    @classmethod
    def new(cls, game: Optional[str] = None) -> "Document":
        """Makes an empty document, for a game ("skyrim-se") if it is given."""
        return cls(opened(lib.marrow_new_document, encoded(game) if game else None))

    def copy(self) -> "Document":
        """Returns a copy, so that one can be changed and the other kept."""
        made = Document(opened(lib.marrow_copy_document, self._handle.value), self._source)
        made._skeleton = self._skeleton
        return made

    def __copy__(self) -> "Document":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Document":
        return self.copy()

    def __reduce__(self) -> Any:
        """Pickles as the file that it would be saved as, with its name and skeleton: for worker processes."""
        data = self._source if self._source is not None else self.to_bytes()
        return _revived, (data, self.name, self._skeleton.document if self._skeleton else None)

    # ------------------------------------------------------------ what it is

    @property
    def name(self) -> str:
        """The name of the file, as it was given; empty if it came without."""
        return str(self._info().name)

    @property
    def format(self) -> str:
        """The format that it was read from: "hkx", "nif", "anvil-schema"."""
        return str(self._info().format)

    @property
    def game(self) -> Optional[str]:
        """The game that it is for, if that is known: "skyrim-se"."""
        return str(self._info().game) or None

    @property
    def notes(self) -> list[dict[str, Any]]:
        """What was noticed while reading and did not stop it."""
        return cast("list[dict[str, Any]]", json.loads(str(self._info().notes)))

    @property
    def metres_per_unit(self) -> float:
        return float(self._info().metres_per_unit)

    def __repr__(self) -> str:
        if self._open is None:
            return "<marrow.Document, closed>"
        info = self._info()
        parts = []
        for count, word in (
            (info.skeleton_count, "skeleton"),
            (info.clip_count, "clip"),
            (info.collision_count, "collision system"),
            (info.mesh_count, "mesh"),
        ):
            if count:
                plural = "es" if word == "mesh" else "s"
                parts.append(f"{count} {word}{plural if count > 1 else ''}")
        game = f", {info.game}" if str(info.game) else ""
        return f"<marrow.Document {str(info.name)!r}: {info.format}{game}, {', '.join(parts) or 'empty'}>"

    def _read(self, part: str) -> None:
        """Reads a part of the file, unless that has been done. Raises the error of a part that is damaged."""
        lib.marrow_read_parts(self._handle.value, _abi.PART[part])

    # ------------------------------------------------------------ skeletons

    @property
    def skeletons(self) -> tuple[Skeleton, ...]:
        """All skeletons in it, ragdolls too."""
        self._read("MARROW_PART_SKELETONS")
        return tuple(Skeleton(self, index) for index in range(self._info().skeleton_count))

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton that the clips move: the one that was given to `load`, else the document's own, else the one that
        the games keep near the file. Raises `NoSkeletonError` if there is none."""
        found = self._find_skeleton()
        if found is None:
            raise NoSkeletonError("there is no skeleton, neither in the file nor near it", file=self.name or None)
        return found

    @skeleton.setter
    def skeleton(self, skeleton: Union[Skeleton, "Document", FileSource, None]) -> None:
        self._skeleton = None if skeleton is None else skeleton_of(skeleton)
        for clip in list(self._clips.values()):
            clip._forget()

    def _find_skeleton(self) -> Optional[Skeleton]:
        if self._skeleton is not None:
            return self._skeleton
        main = ctypes.c_uint32()
        try:
            lib.marrow_get_main_skeleton(self._handle.value, ctypes.byref(main))
            return Skeleton(self, main.value)
        except NoSkeletonError:
            pass
        if not self._has_looked and self._info().clip_count and self.name:
            self._has_looked = True
            with CallContext() as context:
                try:
                    found = opened(lib.marrow_find_skeleton, self._handle.value, context.pointer)
                except NoSkeletonError:
                    return None
            self._near = Document(found).skeleton
        return self._near

    def add_skeleton(
        self,
        name: str,
        bones: Iterable[Union[Bone, Sequence[Any]]],
        float_slots: Iterable[FloatSlot] = (),
    ) -> Skeleton:
        """Appends a skeleton. See `Skeleton.new` for the form of bones."""
        self._touch()
        return Skeleton(self, append_skeleton(self._handle, name, bones, float_slots))

    # ------------------------------------------------------------ clips

    @property
    def clips(self) -> tuple[Clip, ...]:
        """All clips in it."""
        self._read("MARROW_PART_CLIPS")
        return tuple(self._clip(index) for index in range(self._info().clip_count))

    @property
    def clip(self) -> Clip:
        """The clip. Raises `NoClipError` if there is none, `OptionError` if there are several."""
        self._read("MARROW_PART_CLIPS")
        count = self._info().clip_count
        if count == 0:
            raise NoClipError("the file contains no clip", file=self.name or None)
        if count > 1:
            names = ", ".join(repr(clip.name) for clip in self.clips)
            raise OptionError(f"there are several clips, choose one of `clips`: {names}", file=self.name or None)
        return self._clip(0)

    def _clip(self, index: int) -> Clip:
        clip = self._clips.get(index)
        if clip is None:
            clip = self._clips[index] = Clip._of(self, index)
        return clip

    def add_clip(
        self,
        name: str,
        *,
        duration: float = 0.0,
        skeleton_name: str = "",
        blend: str = "normal",
    ) -> Clip:
        """Appends a clip without motion; `Clip.set_frames` gives it some."""
        info = _abi.ClipInfo()
        texts = encoded(name), encoded(skeleton_name)
        info.name, info.skeleton_name = _abi.Text.of(texts[0]), _abi.Text.of(texts[1])
        info.duration_seconds = duration
        info.blend = Clip._blend_number(blend)
        info.skeleton = -1
        index = ctypes.c_uint32()
        self._move_frames()
        lib.marrow_add_clip(self._handle.value, ctypes.byref(info), ctypes.byref(index))
        return self._clip(index.value)

    def remove_clip(self, clip: Clip) -> None:
        """Removes a clip. It cannot be used afterwards; the others can."""
        index = clip._place()
        self._move_frames()
        lib.marrow_remove_clip(self._handle.value, index)
        left = sorted(self._clips.items())
        self._clips.clear()
        for place, each in left:
            each._index = None if place == index else place - (place > index)
            if each._index is not None:
                self._clips[each._index] = each

    # ------------------------------------------------------------ collision and meshes

    @property
    def collision(self) -> tuple[CollisionSystem, ...]:
        """The physics systems, ragdolls and cloths in it, with their bodies and joints."""
        self._read("MARROW_PART_COLLISION")
        return tuple(CollisionSystem._of(self, index) for index in range(self._info().collision_count))

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """The visible meshes: shapes of a NIF, of a .glb or an .obj."""
        return meshes_of(self._handle, "MARROW_SURFACE_MESHES")

    def shapes(self, skeleton: "Optional[Document]" = None) -> Shapes:
        """The visible shapes of a NIF or glTF file with their skins.

        Args:
            skeleton: a document whose main skeleton they stand on, by the names of bones; None: the bones of the file.
        """
        return shapes_of(self._handle, skeleton._handle if skeleton else None)

    def collision_meshes(self, solid: bool = False) -> tuple[Mesh, ...]:
        """The surfaces of its collision shapes.

        Args:
            solid: hulls with their convex radius, as things touch them, instead of as the file holds them.
        """
        try:
            return meshes_of(self._handle, "MARROW_SURFACE_COLLISION_SOLID" if solid else "MARROW_SURFACE_COLLISION")
        except NoCollisionError:
            return ()

    def add_mesh(self, mesh: Mesh) -> None:
        """Appends a mesh, for `collision build` or for export."""
        self._touch()
        mesh._add_to(self._handle)

    # ------------------------------------------------------------ out

    def save(
        self,
        target: FileTarget,
        *,
        game: Optional[str] = None,
        format: Optional[str] = None,
        skeleton: Union[Skeleton, "Document", FileSource, None] = None,
        progress: Optional[ProgressCallback] = None,
        limits: Optional[Limits] = None,
        units: Optional[str] = None,
        show_bones: Optional[bool] = None,
        root_motion: Optional[str] = None,
        ragdoll: Optional[bool] = None,
        head_parts: Optional[bool] = None,
        textures: Optional[bool] = None,
        data: Optional[Sequence[str]] = None,
        texture_size: Optional[int] = None,
        allow_loss: Optional[bool] = None,
        scale: Optional[float] = None,
        rest: Optional[str] = None,
        xml_style: Optional[str] = None,
        pointer_size: Optional[int] = None,
        layout: Optional[str] = None,
        max_rotation_error: Optional[float] = None,
        max_position_error: Optional[float] = None,
        max_scale_error: Optional[float] = None,
        max_float_error: Optional[float] = None,
        max_model_error: Optional[float] = None,
        shell: Optional[float] = None,
        effort: Optional[str] = None,
        encodings: Optional[str] = None,
        uncompressed: Optional[bool] = None,
    ) -> Result:
        """Writes the document to a path or an open binary file; a path by way of a temporary file.

        Args:
            target: where to. Its extension decides the format if `format` is not given.
            game: the game to write for, "fallout4"; by default the document's own.
            format: "hkx", "xml", "glb", ...
            skeleton: that the clips are for; by default as in `Document.skeleton`.
            progress: called with the share that is done; returning False stops the work.
            limits: bounds on what files may ask for.
            units, show_bones, root_motion, ragdoll, head_parts, textures, data, texture_size, allow_loss, scale, rest,
                xml_style, pointer_size, layout: as `marrow.ops.convert` takes them.
            max_rotation_error, max_position_error, max_scale_error, max_float_error, max_model_error, shell, effort,
                encodings, uncompressed: as `marrow.ops.compress` takes them. With one of these the clips are encoded again
                first.

        Raises:
            FormatError: the format cannot hold the document, or a skeleton is missing.
            OptionError: an option is not known, or its value is impossible.
        """
        return self._saved(target, None, game, format, skeleton, progress, limits, save_options(locals()))

    def _saved(
        self,
        target: Any,
        clip: Optional[str],
        game: Optional[str],
        format: Optional[str],
        skeleton: Any,
        progress: Optional[ProgressCallback],
        limits: Optional[Limits],
        options: dict[str, Any],
    ) -> Result:
        options = {name: value for name, value in options.items() if value is not None}
        known = {each["name"] for each in descriptions()["compress"]["options"]}
        bounds = {name: options.pop(name) for name in list(options) if name in known}
        on = skeleton if skeleton is not None else self._skeleton
        source: Any = self
        calls: dict[str, Any] = {"progress": progress, "limits": limits}
        if bounds:
            measured = on if bounds.get("max_model_error") is not None else None
            source = self.copy()
            apply(source, "compress", [("skeleton", measured)], bounds, **calls)
        options.update(to=game, format=format, clip=clip)
        try:
            return save(source, on, options, target, **calls)
        except Error as error:
            if error.path == "to":  # as the caller wrote it
                error.path = "game"
            raise

    def to_bytes(
        self,
        *,
        game: Optional[str] = None,
        format: Optional[str] = None,
        units: Optional[str] = None,
        show_bones: Optional[bool] = None,
        root_motion: Optional[str] = None,
        ragdoll: Optional[bool] = None,
        head_parts: Optional[bool] = None,
        textures: Optional[bool] = None,
        data: Optional[Sequence[str]] = None,
        texture_size: Optional[int] = None,
        allow_loss: Optional[bool] = None,
        scale: Optional[float] = None,
        rest: Optional[str] = None,
        xml_style: Optional[str] = None,
        pointer_size: Optional[int] = None,
        layout: Optional[str] = None,
        max_rotation_error: Optional[float] = None,
        max_position_error: Optional[float] = None,
        max_scale_error: Optional[float] = None,
        max_float_error: Optional[float] = None,
        max_model_error: Optional[float] = None,
        shell: Optional[float] = None,
        effort: Optional[str] = None,
        encodings: Optional[str] = None,
        uncompressed: Optional[bool] = None,
    ) -> bytes:
        """Returns what `save` would write."""
        return self._saved(None, None, game, format, None, None, None, save_options(locals())).bytes

    # ------------------------------------------------------------ operations

    def _as_input(self) -> tuple[Handle, str]:
        """Returns the document as an operation takes it."""
        return self._handle, self.name

    def apply(
        self,
        operation: str,
        options: Optional[dict[str, Any]] = None,
        *,
        bone_names: Sequence[str] = (),
        progress: Optional[ProgressCallback] = None,
        limits: Optional[Limits] = None,
        **inputs: Any,
    ) -> Result:
        """Changes the document by an operation, in memory: nothing is encoded before it is saved, so that operations can
        be chained without loss.

        Args:
            operation: "mirror", "rig add-bone": one that changes a document.
            options: by the names of the description; None is left out.
            bone_names: more names of Anvil bones, beside those that are known.
            progress: called with the share that is done; returning False stops the work.
            limits: bounds on what files may ask for.
            inputs: what the operation takes beside the document, by role: `skeleton=...`.

        Returns:
            The report, without files.
        """
        return apply(
            self,
            operation,
            list(inputs.items()),
            options,
            bone_names=bone_names,
            progress=progress,
            limits=limits,
        )

    def check(self, **options: Any) -> list[Finding]:
        """Returns what would crash, T-pose or jitter in the game. Options: `marrow.ops.check`."""
        return check(self, **options)

    def diff(self, other: Union["Document", FileSource]) -> list[Difference]:
        """Returns the differences of meaning between this and another document or file."""
        return diff(self, other)

    def info(self) -> dict[str, Any]:
        """Returns what the file contains: format, game, version, classes, skeletons, clips."""
        return run("info", [("file", self)]).report


def _revived(data: bytes, name: str, skeleton: Optional[Document]) -> Document:
    return load(data, name=name, skeleton=skeleton)


def load(
    source: FileSource,
    *,
    skeleton: Union[Skeleton, Document, FileSource, None] = None,
    name: Optional[str] = None,
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Document:
    """Reads a file of any format, by content.

    Args:
        source: a path, bytes, or an open binary file.
        skeleton: the skeleton that its clips move: a path, a document or a skeleton. By default the file's own, or the
            one that the games keep near it.
        name: of the file, for messages and for what lies near it; by default the path.
        progress: called with the share that is done; returning False stops the work.
        limits: bounds on what the file may ask for.

    Raises:
        FormatError: the file is broken or of no known format; it has `file`, `offset` and `path`.
        OSError: the file cannot be read.
    """
    data, own = read_source(source)
    text = own if name is None else name
    with CallContext(progress, limits, near=bool(text)) as context:
        handle = opened(lib.marrow_load, data, len(data), encoded(text), context.pointer)
    document = Document(handle, data)
    if skeleton is not None:
        document.skeleton = skeleton  # type: ignore[assignment]
    return document


def skeleton_of(source: Union[Skeleton, Document, FileSource]) -> Skeleton:
    """Returns a skeleton of whatever has one."""
    if isinstance(source, Skeleton):
        return source
    return (source if isinstance(source, Document) else load(source)).skeleton


def detect(source: FileSource) -> Optional[str]:
    """Returns the format of a file, by its first bytes: "hkx", "nif"; None if it is not known."""
    data, _ = read_source(source)
    out = _abi.Text()
    lib.marrow_detect(data, len(data), ctypes.byref(out))
    return str(out) or None


__all__ = ["Document", "detect", "load"]
