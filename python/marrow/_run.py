# SPDX-License-Identifier: MIT
"""Operations by name: sources in, a result out. `operations.py` has a function for each of them."""
from __future__ import annotations

import builtins
import ctypes
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _abi, _outputs
from ._context import CallContext, Limits, ProgressCallback
from ._errors import NotFoundError, OptionError, WrongTypeError
from ._files import is_path, name_of, read_source, write_file, write_target
from ._library import encoded, lib, opened

if TYPE_CHECKING:
    from ._document import Document

@lru_cache(maxsize=None)
def descriptions() -> dict[str, dict[str, Any]]:
    """Returns the description of every operation, by name."""
    return {each["name"]: each for each in json.loads(str(lib.marrow_describe()))}


class File(NamedTuple):
    """A file that an operation made."""

    name: str  #: if there are several files: a name of the clip that every disk takes; else empty
    extension: str  #: ".hkx"
    data: bytes


class Result:
    """What an operation gave.

    Attributes:
        operation: its name.
        report: what it reports, as described for the operation.
        notes: what is worth reporting and did not stop the work.
        found: True if `check` or `diff` found something.
        files: the files that it made.
        paths: where they were written to, if an output was named.
    """

    def __init__(
        self, operation: str, report: dict[str, Any], notes: list[dict[str, Any]], found: bool, files: Sequence[File]
    ) -> None:
        self.operation = operation
        self.report = report
        self.notes = notes
        self.found = found
        self.files = tuple(files)
        self.paths: tuple[str, ...] = ()
        self._name = ""  # of what it was made of

    @property
    def bytes(self) -> bytes:
        """The first file."""
        if not self.files:
            raise OptionError(f"{self.operation} made no file", path="files")
        return self.files[0].data

    @property
    def text(self) -> str:
        """The first file as text."""
        return self.bytes.decode("utf-8")

    def document(self, name: str = "") -> "Document":
        """Returns the first file, loaded."""
        from ._document import load

        return load(self.bytes, name=name)

    def _as_file(self) -> "tuple[builtins.bytes, str]":
        """What one operation made is what the next one takes."""
        if len(self.files) > 1:
            raise OptionError(f"{self.operation} made {len(self.files)} files; give one of them, or a list of them", path="files")
        return self.bytes, self._name

    def save(self, target: Any) -> None:
        """Writes the first file to a path or an open binary file."""
        write_target(target, self.bytes)

    def __getitem__(self, field: str) -> Any:
        return self.report[field]

    def __contains__(self, field: object) -> bool:
        return field in self.report

    def __repr__(self) -> str:
        files = ", ".join(f"{len(each.data)} bytes of {each.extension}" for each in self.files)
        fields = ", ".join(self.report)
        return f"<marrow.Result of {self.operation}: report of {fields or 'nothing'}{'; ' + files if files else ''}>"


class _Given:
    """The inputs of one call, and what has to stay alive for it."""

    def __init__(self, operation: str) -> None:
        self._roles = {each["name"]: each for each in descriptions()[operation]["inputs"]}
        self._kept: list[Any] = []
        self.inputs: list[_abi.Input] = []
        self.paths: list[str] = []  # that were read
        self.main = ""  # the name of what the operation runs on

    def add(self, role: str, source: Any) -> None:
        if role not in self._roles:
            raise OptionError(f"there is no such input; there are {', '.join(self._roles) or 'none'}", path=str(role))
        described = self._roles[role]
        if source is None:
            return
        many = described["list"] and isinstance(source, Iterable) and not isinstance(source, (str, bytes, bytearray, Mapping))
        if many and not hasattr(source, "read") and not hasattr(source, "_as_input") and not isinstance(source, memoryview):
            for each in source:
                self._add_one(role, described, each)
        else:
            self._add_one(role, described, source)

    def _add_tree(self, role: str, described: dict[str, Any], folder: str) -> None:
        """Adds all files below a folder; `/./` in their names ends the folder."""
        for place, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(place, name)
                below = os.path.relpath(path, folder).replace(os.sep, "/")
                with open(path, "rb") as file:
                    self._add_bytes(role, described, file.read(), f"{folder}/./{below}")
                self.paths.append(path)

    def _add_bytes(self, role: str, described: dict[str, Any], data: bytes, name: str) -> None:
        if described["main"] or not self.inputs:
            self.main = name
        row = _abi.Input()
        row.role, row.name = encoded(role), encoded(name)
        row.bytes, row.byte_count = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data)
        self._kept.append(data)
        self.inputs.append(row)

    def _add_one(self, role: str, described: dict[str, Any], source: Any) -> None:
        if described["kind"] == "tree" and is_path(source) and os.path.isdir(source):
            return self._add_tree(role, described, os.fspath(source))
        document = None
        data: Optional[bytes] = None
        if hasattr(source, "_as_input") and described["kind"] == "text":
            data, name = source.document.to_bytes() if hasattr(source, "document") else source.to_bytes(), role
        elif hasattr(source, "_as_input"):
            document, name = source._as_input()
        elif isinstance(source, int) and described["kind"] == "text":
            data, name = str(source).encode(), role
        elif isinstance(source, Mapping) and described["kind"] == "text":
            data, name = json.dumps(source).encode(), role
        elif is_path(source) and os.fspath(source) in described.get("presets", ()) and not os.path.exists(source):
            data, name = b"", os.fspath(source)
        elif isinstance(source, str) and described.get("presets") and source.isdigit() and not os.path.exists(source):
            data, name = source.encode(), role
        elif isinstance(source, str) and described.get("presets") and not os.path.splitext(source)[1] and not os.path.exists(source):
            known = ", ".join(described["presets"])
            raise NotFoundError(f"there is neither a file nor a preset {source!r}; presets are {known}", path=role)
        else:
            data, name = read_source(source)
            if is_path(source):
                self.paths.append(os.fspath(source))
        if described["main"] or not self.inputs:
            self.main = name
        row = _abi.Input()
        row.role, row.name = encoded(role), encoded(name)
        if document is not None:
            row.document = document.value
        elif data is not None:
            row.bytes, row.byte_count = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data)
        self._kept += (document, data)
        self.inputs.append(row)


def _plain(value: Any) -> Any:
    """Makes JSON of what json does not know: numpy's numbers and arrays, paths."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (set, frozenset, range)):
        return list(value)
    raise WrongTypeError(f"{value!r} is not a value of an option")


def _result_of(operation: str, handle: int) -> Result:
    info = _abi.ResultInfo()
    lib.marrow_get_result(handle, ctypes.byref(info))
    files = []
    for index in range(info.file_count):
        file = _abi.File()
        lib.marrow_get_file(handle, index, ctypes.byref(file))
        data = ctypes.string_at(file.bytes, file.byte_count) if file.byte_count else b""
        files.append(File(str(file.name), str(file.extension), data))
    return Result(operation, json.loads(str(info.report)), json.loads(str(info.notes)), bool(info.found), files)


def run(
    operation: str,
    inputs: Sequence[tuple[str, Any]] = (),
    options: Optional[Mapping[str, Any]] = None,
    *,
    output: Any = None,
    extras: Optional[Mapping[str, Union[str, "os.PathLike[str]", None]]] = None,
    wants_files: bool = True,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Runs an operation by name.

    Args:
        operation: "compress", "collision build".
        inputs: pairs of a role and a source, or sources if the role takes several. None is left out.
        options: by the names of the description; None is left out.
        output: a path, a folder or an open binary file to write to.
        extras: paths for texts of the report, by the names of the description ("save_map").
        wants_files: False if only the report is needed.
        bone_names: more names of Anvil bones, beside those that are known.
        progress: called with the share that is done; returning False stops the work.
        limits: bounds on what files may ask for.
    """
    if operation not in descriptions():
        raise OptionError(f"there is no operation {operation!r}", path="operation")
    described = descriptions()[operation]
    given = _Given(operation)
    for role, source in inputs:
        given.add(role, source)
    chosen = {name: value for name, value in (options or {}).items() if value is not None}
    wants_files = bool(chosen.pop(described.get("output_flag", ""), wants_files))
    plan = _outputs.Plan(described, output, given.main, chosen)
    plan.refuse(given.paths)
    rows = (_abi.Input * len(given.inputs))(*given.inputs)
    near = bool(given.main)
    with CallContext(progress, limits, near=near, wants_files=wants_files, bone_names=bone_names) as context:
        handle = opened(
            lib.marrow_run,
            encoded(operation),
            encoded(json.dumps(plan.options, default=_plain, allow_nan=True)),
            rows,
            len(rows),
            encoded(plan.stem),
            context.pointer,
        )
    result = _result_of(operation, handle.value)
    result._name = given.main
    result.paths = plan.write(result.files)
    for extra in described.get("extras", ()):
        path = (extras or {}).get(extra["name"])
        if path is not None:
            if not isinstance(result.report.get(extra["field"]), str):
                raise OptionError("there is nothing to save", path=extra["name"])
            write_file(path, encoded(result.report[extra["field"]]))
    return result


#: The options of saving: those of the format, and those of `compress`.
_SAVE_OPTIONS = (
    "units show_bones root_motion ragdoll head_parts textures data texture_size allow_loss scale rest xml_style pointer_size "
    "layout max_rotation_error max_position_error max_scale_error max_float_error max_model_error shell effort encodings "
    "uncompressed"
).split()


def save_options(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options of saving among the arguments of a function."""
    return {name: arguments[name] for name in _SAVE_OPTIONS}


def save(
    document: "Document",
    skeleton: Any,
    options: Mapping[str, Any],
    output: Any,
    progress: Optional[ProgressCallback],
    limits: Optional[Limits],
) -> Result:
    """Writes a document. In its own format nothing is rewritten that nobody changed; anything else is a conversion."""
    chosen = {name: value for name, value in options.items() if value is not None}
    plan = _outputs.Plan(descriptions()["convert"], output, document.name, chosen)
    if skeleton is not None or plan.options not in ({}, {"format": document.format}):
        inputs = [("file", document), ("skeleton", skeleton)]
        return run("convert", inputs, chosen, output=output, progress=progress, limits=limits)
    with CallContext(progress, limits) as context:
        handle = opened(lib.marrow_save, document._handle.value, b"", encoded(plan.stem), context.pointer)
    result = _result_of("convert", handle.value)
    result.paths = plan.write(result.files)
    return result


def apply(
    document: "Document",
    operation: str,
    inputs: Sequence[tuple[str, Any]] = (),
    options: Optional[Mapping[str, Any]] = None,
    *,
    bone_names: Sequence[str] = (),
    progress: Optional[ProgressCallback] = None,
    limits: Optional[Limits] = None,
) -> Result:
    """Changes a document by an operation, in memory. Arguments as in `run`, without the document itself."""
    if operation not in descriptions():
        raise OptionError(f"there is no operation {operation!r}", path="operation")
    given = _Given(operation)
    for role, source in inputs:
        given.add(role, source)
    chosen = {name: value for name, value in (options or {}).items() if value is not None}
    rows = (_abi.Input * len(given.inputs))(*given.inputs)
    document._move_frames()
    near = bool(document.name)
    with CallContext(progress, limits, near=near, wants_files=False, bone_names=bone_names) as context:
        handle = opened(
            lib.marrow_apply,
            document._handle.value,
            encoded(operation),
            encoded(json.dumps(chosen, default=_plain, allow_nan=True)),
            rows,
            len(rows),
            context.pointer,
        )
    return _result_of(operation, handle.value)


__all__ = ["File", "Result", "apply", "descriptions", "name_of", "run", "save", "save_options"]
