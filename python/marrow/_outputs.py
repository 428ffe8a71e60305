# SPDX-License-Identifier: MIT
"""Where the files of an operation go: the rules of the command line, for one input."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._errors import OptionError, WrongTypeError
from ._files import is_path, write_files, write_target

if TYPE_CHECKING:
    from ._run import File


class Plan:
    """Decides where one operation writes to, and in which format.

    Content and options decide first; then the extension of a file; in a folder the file keeps its name.
    """

    def __init__(self, described: dict[str, Any], output: Any, main: str, options: Mapping[str, Any]) -> None:
        self._described = described
        self._formats: dict[str, str] = described.get("extensions", {})  # words by extension
        self.options = dict(options)
        self.stem = ""
        self._target: Any = None
        self._is_path = output is not None and not hasattr(output, "write")
        self._is_folder = is_path(output) and os.path.isdir(output)
        self._has_format = "format" in options
        if output is None:
            return
        if described["output"] == "none":
            raise OptionError(f"{described['name']} writes no file", path="output")
        if not self._is_path:
            self._target = output
            return
        if not is_path(output):
            raise WrongTypeError(f"a path or a binary file is needed, not {output!r}", path="output")
        if described["output"] in ("files", "folder"):
            self._target = os.fspath(output)
            return
        self._target = self._in_folder(os.fspath(output), main) if self._is_folder else os.fspath(output)
        known = described.get("file_extensions", ())
        if described["output"] == "file" and os.path.splitext(self._target)[1].lower() not in known:
            raise OptionError(f"the output is one of {', '.join(known)}", path="output", file=self._target)
        self.stem = os.path.splitext(os.path.basename(self._target))[0]
        if described["output"] == "document" and not self._has_format and not self._is_folder:
            self._choose_format()

    def _own_format(self, path: str) -> str | None:
        return self._formats.get(os.path.splitext(path)[1].lower())

    def _choose_format(self) -> None:
        extension = os.path.splitext(self._target)[1]
        if not extension or not self._formats:  # files of many kinds have its extension: content decides
            return
        word = self._formats.get(extension.lower())
        if word is None:
            known = ", ".join(self._formats)
            raise OptionError(
                f"{extension!r} is not an extension that is written here; these are: {known}. Or give format=",
                path="output",
                file=self._target,
            )
        self.options["format"] = word

    def _in_folder(self, folder: str, main: str) -> str:
        path = os.path.join(folder, os.path.basename(main) or "output")
        described = self._described
        extension = ""
        if described["output"] == "text":
            extension = described.get("text_extension", "")
        elif self._has_format:
            word = self.options["format"]
            if self._own_format(path) != word:
                extension = next((each for each, format in self._formats.items() if format == word), "")
        elif described["formats"]:
            own = self._own_format(path)
            if own in described["formats"] and not described.get("writes_any"):
                self.options["format"] = own
        return os.path.splitext(path)[0] + extension if extension else path

    def refuse(self, inputs: Sequence[str]) -> None:
        """Raises `OptionError` if the output would replace an input."""
        if not self._is_path or self._target is None:
            return
        place = os.path.realpath(self._target)
        for path in inputs:
            if os.path.realpath(path) == place:
                raise OptionError("the output would replace this input; load, change and save it", file=path)

    def write(self, files: Sequence["File"]) -> tuple[str, ...]:
        """Writes files; returns their paths, none if they went to an open file."""
        if self._target is None or not files:
            return ()
        if self._described["output"] in ("files", "folder"):
            return self._write_below(files)
        is_one_per_clip = len(files) > 1 and bool(files[0].name)
        if not self._is_path:
            if is_one_per_clip:
                raise OptionError("there are several files; give a folder", path="output")
            write_target(self._target, files[0].data)
            return ()
        stem, extension = os.path.splitext(self._target)
        self._check_extension(extension, files[0])
        if is_one_per_clip and not self._is_folder and extension:
            several = ", ".join(file.name for file in files)
            raise OptionError(f"the file has several animations and the output holds one: {several}", path="output")
        paths: list[str] = []
        for file in files:
            if is_one_per_clip:
                paths.append(os.path.join(stem if self._is_folder else self._target, file.name + file.extension))
            elif paths or self._changes_extension(file):
                paths.append(stem + file.extension)
            else:
                paths.append(self._target)
        write_files((path, file.data) for path, file in zip(paths, files))
        return tuple(paths)

    def _check_extension(self, extension: str, file: "File") -> None:
        """Raises `OptionError` if no extension decides the format, and the file's own is another."""
        if self._described["output"] != "document" or self._formats or self._has_format or self._is_folder:
            return
        if extension and extension.lower() != file.extension.lower():
            raise OptionError(
                f"{extension!r} is not an extension that is written here; these are: {file.extension}. Or give format=",
                path="output",
                file=self._target,
            )

    def _write_below(self, files: Sequence["File"]) -> tuple[str, ...]:
        if not self._is_path:
            raise OptionError("there are several files; give a folder", path="output")
        paths: list[str] = []
        for file in files:
            name = file.name + file.extension
            if os.path.isabs(name) or ".." in name.replace("\\", "/").split("/"):
                raise OptionError("the name leads out of the output folder", path="output", file=name)
            path = os.path.join(self._target, *name.split("/"))
            if self._described["output"] == "files" and os.path.exists(path):
                raise OptionError("exists already, and is not replaced", file=path)
            paths.append(path)
        for path in paths:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        write_files((path, file.data) for path, file in zip(paths, files))
        return tuple(paths)

    def _changes_extension(self, file: "File") -> bool:
        described = self._described
        if not self._is_folder or self._has_format or described["output"] != "document":
            return False
        if not described["formats"] or described.get("writes_any"):
            return False
        own = self._own_format(self._target)
        return own is not None and own != self._formats.get(file.extension)
