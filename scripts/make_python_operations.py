#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes python/marrow/operations.py and its stub from the library's description of operations.

    make_python_operations.py LIBRARY [--check]

With --check nothing is written; exit 1 if a file is not what would be written.
"""
import ctypes
import json
import keyword
import pathlib
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 120
SCALARS = {"flag": "bool", "integer": "int", "number": "float", "text": "str", "vector": "Sequence[float]"}
COMMON = [
    ("bone_names", "Sequence[str]", "()", "more names of Anvil bones, beside those that are known"),
    ("progress", "Optional[ProgressCallback]", "None", "called with the share that is done; returning False stops the work"),
    ("limits", "Optional[Limits]", "None", "bounds on what files may ask for"),
]

HEAD = '''# SPDX-License-Identifier: MIT
# Made by scripts/make_python_operations.py from the description of operations. Do not edit.
"""Every operation of Marrow as a function: whatever the command line can do.

    marrow.ops.compress("a.hkx", max_rotation_error=0.05, output="b.hkx")

Inputs are paths, bytes, open files, documents, clips or skeletons. Without `output` the file stays in memory, as
`Result.bytes`. Functions raise `marrow.Error`.
"""
'''


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def described(library):
    lib = ctypes.CDLL(str(pathlib.Path(library).resolve()))
    lib.marrow_describe.restype = Text
    text = lib.marrow_describe()
    return json.loads(ctypes.string_at(text.data, text.size))


def name_of(text):
    name = text.replace(" ", "_").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def sentence(text):
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", ":")) else ".")


def literal(words):
    return f"Literal[{', '.join(json.dumps(word) for word in words)}]"


def type_of(field):
    kind = literal(field["choices"]) if field.get("choices") else SCALARS.get(field["type"], "Any")
    return f"Sequence[{kind}]" if field.get("list") else kind


def default_of(field):
    """The default in the signature: a value that says the same when it is passed on."""
    simple = field["type"] in ("flag", "integer", "number", "choice") and not field.get("list")
    if simple and not field.get("optional") and "default" in field:
        return repr(field["default"])
    return "None"


def help_of(field):
    parts = [field.get("help", "")]
    if field.get("unit") and field["unit"] not in parts[0]:
        parts.append(f"in {field['unit']}")
    low, high = field.get("min"), field.get("max")
    if low is not None and high is not None:
        parts.append(f"{low:g} to {high:g}")
    elif low is not None:
        parts.append(f"{'more than' if field.get('above_min') else 'at least'} {low:g}")
    elif high is not None:
        parts.append(f"at most {high:g}")
    if field.get("default_text"):
        parts.append(f"default: {field['default_text']}")
    return "; ".join(part for part in parts if part)


def main_help(text):
    """Help of the input that the command line takes many of: a function takes one."""
    own = text.removesuffix(", or a folder of them")
    return own if own != text else "what to work on, one file at a time"


class Function:
    """One operation as a function."""

    def __init__(self, operation):
        self.operation = operation
        self.name = name_of(operation["name"])
        self.parameters = []  # name, type, default or None, help; before and after the star
        self.keywords = []
        self.inputs, self.options = [], []
        self.add_inputs()
        self.add_options()
        self.add_outputs()
        self.keywords += COMMON

    def add_inputs(self):
        for each in self.operation["inputs"]:
            name = name_of(each["name"])
            self.inputs.append((each["name"], name))
            kind = "TextSource" if each["kind"] in ("text", "tree") else "Source"
            if each["list"]:
                kind = f"Union[{kind}, Iterable[{kind}]]"
            help_text = main_help(each["help"]) if each["main"] else each["help"]
            if each.get("presets"):
                help_text += f"; or a preset: {', '.join(each['presets'])}"
            if each["required"]:
                self.parameters.append((name, kind, None, help_text))
            else:
                self.keywords.append((name, f"Optional[{kind}]", "None", help_text))

    def add_options(self):
        for each in self.operation["options"]:
            name = name_of(each["name"])
            if any(name == taken for _, taken in self.inputs):  # `sample` has a file and a number of that name
                name += "_index" if each["type"] == "integer" else "_name"
            self.options.append((each["name"], name))
            kind, otherwise = type_of(each), default_of(each)
            if each.get("required"):
                self.keywords.insert(self.required(), (name, kind, None, help_of(each)))
            else:
                kind = f"Optional[{kind}]" if otherwise == "None" else kind
                self.keywords.append((name, kind, otherwise, help_of(each)))

    def required(self):
        return sum(1 for each in self.keywords if each[2] is None)

    def add_outputs(self):
        operation = self.operation
        has_format = any(each["name"] == "format" for each in operation["options"])
        if operation["output"] == "document" and operation["formats"] and not has_format:
            self.options.append(("format", "format"))
            self.keywords.append(("format", f"Optional[{literal(operation['formats'])}]", "None", "the format to write; by default as `output` is called, else the input's"))
        if operation.get("output_flag"):
            self.keywords.append((operation["output_flag"], "bool", "False", "write a mended copy, too"))
        if operation["output"] != "none":
            self.keywords.append(("output", "Optional[FileTarget]", "None", "a path, a folder or an open file to write to"))
        for extra in operation.get("extras", []):
            self.keywords.append((name_of(extra["name"]), "Optional[PathLike]", "None", extra["help"]))

    def signature(self, result):
        rows = [f"    {name}: {kind}," for name, kind, _, _ in self.parameters]
        rows.append("    *,")
        rows += [f"    {name}: {kind}{'' if otherwise is None else ' = ' + otherwise}," for name, kind, otherwise, _ in self.keywords]
        return "\n".join([f"def {self.name}(", *rows, f") -> {result}:"])

    def docstring(self):
        operation = self.operation
        lines = [f'"""{sentence(operation["summary"])}']
        if operation["details"]:
            lines += ["", *textwrap.wrap(sentence(" ".join(operation["details"].split())), WIDTH - 4)]
        lines += ["", "Args:"]
        for name, _, _, help_text in self.parameters + self.keywords:
            lines += textwrap.wrap(f"{name}: {sentence(help_text)}", WIDTH - 8, initial_indent="    ", subsequent_indent="        ")
        if operation["report"]:
            lines += ["", "Returns:"]
            fields = ", ".join(f"`{each['name']}`" for each in operation["report"])
            lines += textwrap.wrap(f"A result whose report has {fields}.", WIDTH - 8, initial_indent="    ", subsequent_indent="    ")
        lines.append('"""')
        return "\n".join("    " + line if line else "" for line in lines).replace("\\", "\\\\")

    def body(self):
        operation = self.operation
        inputs = ", ".join(f'("{role}", {name})' for role, name in self.inputs)
        options = ", ".join(f'"{option}": {name}' for option, name in self.options)
        lines = ["    return run(", f'        "{operation["name"]}",', f"        [{inputs}],", f"        {{{options}}},"]
        if operation["output"] != "none":
            lines.append("        output=output,")
        if operation.get("extras"):
            pairs = ", ".join(f'"{each["name"]}": {name_of(each["name"])}' for each in operation["extras"])
            lines.append(f"        extras={{{pairs}}},")
        if operation.get("output_flag"):
            lines.append(f"        wants_files={operation['output_flag']} or output is not None,")
        lines += ["        bone_names=bone_names,", "        progress=progress,", "        limits=limits,", "    )"]
        return "\n".join(lines)


def camel(text):
    return "".join(part[:1].upper() + part[1:] for part in text.replace("-", "_").replace(" ", "_").split("_"))


def record(name, fields, out):
    """Appends the TypedDict of a record, after those that it needs."""
    rows = []
    for each in fields:
        if each["type"] == "record" and each.get("fields"):
            kind = record(name + camel(each["name"]), each["fields"], out)
            kind = f"list[{kind}]" if each.get("list") else kind
        elif each["type"] == "record":
            kind = "list[Any]" if each.get("list") else "Any"
        else:
            kind = {"vector": "list[float]", "choice": "str"}.get(each["type"]) or SCALARS.get(each["type"], "Any")
            kind = f"list[{kind}]" if each.get("list") else kind
        rows.append((each["name"], f"Optional[{kind}]" if each.get("optional") else kind))
    if all(key.isidentifier() and not keyword.iskeyword(key) for key, _ in rows):
        body = "\n".join(f"    {key}: {kind}" for key, kind in rows) or "    pass"
        out.append(f"class {name}(TypedDict, total=False):\n{body}")
    else:
        body = ", ".join(f'"{key}": {kind}' for key, kind in rows)
        out.append(f'{name} = TypedDict("{name}", {{{body}}}, total=False)')
    return name


IMPORTS = '''from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import {typing}

from ._context import Limits, ProgressCallback
from ._files import FileSource, FileTarget
from ._run import Result, run
'''
TYPES = '''
if TYPE_CHECKING:
    from ._clip import Clip
    from ._document import Document
    from ._skeleton import Skeleton

PathLike = Union[str, "os.PathLike[str]"]
#: What an operation reads: also what another one made.
Source = Union[FileSource, "Document", "Clip", "Skeleton", Result]
#: What an operation reads that takes a text: a file, values that become JSON, or a number.
TextSource = Union[Source, Mapping[str, Any], int]
'''


def module(functions):
    names = ["run", *(each.name for each in functions)]
    listed = "\n".join(f'    "{name}",' for name in sorted(names))
    parts = [HEAD + IMPORTS.format(typing="TYPE_CHECKING, Any, Literal, Optional, Union") + TYPES]
    parts.append(f"__all__ = [\n{listed}\n]")
    parts.append("def __dir__() -> list[str]:\n    return __all__")
    parts += [f"\n{each.signature('Result')}\n{each.docstring()}\n{each.body()}" for each in functions]
    return "\n".join(part + "\n" for part in parts)


def stub(functions):
    parts = [HEAD.split('"""')[0] + IMPORTS.format(typing="TYPE_CHECKING, Any, Literal, Optional, TypedDict, Union").replace("Result, run", "Result as Result, run as run") + TYPES]
    for each in functions:
        records = []
        report = record(camel(each.name) + "Report", each.operation["report"], records)
        parts += records
        parts.append(f"class {camel(each.name)}Result(Result):\n    report: {report}  # type: ignore[assignment]")
        parts.append(each.signature(camel(each.name) + "Result") + " ...")
    return "\n".join(part + "\n" for part in parts)


def main(library, check=None):
    functions = [Function(each) for each in described(library)]
    stale = []
    for name, text in (("operations.py", module(functions)), ("operations.pyi", stub(functions))):
        path = ROOT / "python/marrow" / name
        if path.exists() and path.read_text() == text:
            continue
        if check:
            stale.append(name)
        else:
            path.write_text(text)
    for name in stale:
        print(f"python/marrow/{name} is not what the library describes; run scripts/make_python_operations.py {library}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
