# SPDX-License-Identifier: MIT
"""Every operation of the table through the command line, C and Python: the same bytes, the same report.

The calls are those of tests/unit/ops/operation_test.cpp, which writes them down for us.
"""
import ctypes
import inspect
import json
import keyword
import os
import pathlib
import unittest

from support import command, run_tests, tries

import marrow
from marrow import _abi
from marrow._context import CallContext
from marrow._library import lib, opened

WORK = tries()


def setUpModule():
    os.chdir(WORK)  # all three doors see the same names


def tearDownModule():
    os.chdir("/")


def word_of(value):
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else json.dumps(value)


def words_of(each, described):
    """Returns a call as words of the command line."""
    words, positional = [], {}
    for role, file in each["inputs"]:
        place = next(row for row in described["inputs"] if row["name"] == role)
        if place["positional"]:
            positional.setdefault(role, []).append(file)
        else:
            words += [f"--{role.replace('_', '-')}={file}"]
    fields = {row["name"]: row for row in described["options"]}
    for name, value in each["options"].items():
        field, flag = fields.get(name, {"type": "text"}), f"--{name.replace('_', '-')}"
        if field["type"] == "flag" and value is True:
            words.append(flag)
        elif field["type"] == "vector":
            words.append(f"{flag}={','.join(json.dumps(number) for number in value)}")
        elif isinstance(value, list):
            words += [f"{flag}={word_of(item)}" for item in value]
        else:
            words.append(f"{flag}={word_of(value)}")
    for place in described["inputs"]:
        words += positional.get(place["name"], [])
    return [*described["name"].split(), *words]


def through_command_line(each, described, output):
    """Returns the report and the bytes of the output. Notes, path and output are the command line's own."""
    words = words_of(each, described)
    if output:
        words += ["-o", output]
        if described.get("output_flag"):
            words.append(f"--{described['output_flag']}")
    if each["operation"] == "dump":  # its JSON is another text
        command(*words)
        return None, pathlib.Path(output).read_bytes()
    printed = command(*words, "--json", codes=(0, 3))
    report, rows = json.loads(printed), described.get("rows")
    if rows:
        for row in report:
            for own in ("path", "output"):
                row.pop(own, None)
        report = {rows: report}
    else:
        report = report[0] if isinstance(report, list) else report
        for own in ("output", "notes"):
            report.pop(own, None)
        if any(row["main"] for row in described["inputs"]):
            report.pop("path", None)
    return report, pathlib.Path(output).read_bytes() if output else None


def through_c(each, described, output):
    """The call as a program in C would make it."""
    options = dict(each["options"])
    extension = os.path.splitext(output or "")[1]
    if described["output"] == "document" and "format" not in options and extension in described["extensions"]:
        options["format"] = described["extensions"][extension]
    rows, kept = [], []
    for role, file in each["inputs"]:
        data = pathlib.Path(file).read_bytes() if os.path.exists(file) else b""
        kept += [role.encode(), file.encode(), data]
        address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p)
        rows.append(_abi.Input(kept[-3], kept[-2], address, len(data), 0))
    inputs = (_abi.Input * len(rows))(*rows)
    wants = output is not None or described["output"] == "text"
    with CallContext(wants_files=wants) as context:
        stem = os.path.splitext(os.path.basename(output or ""))[0].encode()
        handle = opened(
            lib.marrow_run,
            each["operation"].encode(),
            json.dumps(options).encode(),
            inputs,
            len(rows),
            stem,
            context.pointer,
        )
    info, file = _abi.ResultInfo(), _abi.File()
    lib.marrow_get_result(handle.value, ctypes.byref(info))
    data = None
    if info.file_count:
        lib.marrow_get_file(handle.value, 0, ctypes.byref(file))
        data = ctypes.string_at(file.bytes, file.byte_count)
    return json.loads(str(info.report)), data


def through_python(each, described, output):
    """The call through the generated function."""
    spelled = lambda name: name + "_" if keyword.iskeyword(name) else name
    function = getattr(marrow.ops, each["operation"].replace(" ", "_").replace("-", "_"))
    lists = {row["name"] for row in described["inputs"] if row["list"]}
    given = {}
    for role, file in each["inputs"]:
        if role in lists:
            given.setdefault(spelled(role), []).append(file)
        else:
            given[spelled(role)] = file
    parameters = inspect.signature(function).parameters
    for name, value in each["options"].items():
        names = [spelled(name)] if spelled(name) not in given else [f"{name}_index", f"{name}_name"]
        given[next(each for each in names if each in parameters or each == spelled(name))] = value
    if output:
        given["output"] = output
    if "format" not in parameters:
        given.pop("format", None)
    result = function(**given)
    data = pathlib.Path(output).read_bytes() if output else (result.bytes if result.files else None)
    if output:
        assert result.paths[0] == output
    return result.report, data


class Parity(unittest.TestCase):
    maxDiff = 4000

    def test_every_operation_gives_the_same_through_three_doors(self):
        calls = json.loads((WORK / "tries.json").read_text())
        table = marrow.descriptions()
        self.assertEqual({each["operation"] for each in calls}, set(table), "an operation of the table is not tried")
        for number, each in enumerate(calls):
            described = table[each["operation"]]
            with self.subTest(operation=each["operation"]):
                self.compare(number, each, described)

    def compare(self, number, each, described):
        # The extension that the operation itself would give.
        made = marrow.run(each["operation"], self.sources(each), each["options"])
        if described["output"] == "files":
            return self.compare_trees(number, each, described)
        if described["output"] == "folder":
            return self.compare_written_trees(number, each, described, made)
        if len(made.files) > 1 and made.files[0].name:
            return self.compare_folders(number, each, described)
        outputs = [None] if made.files == () else [f"{door}-{number}/out{made.files[0].extension}" for door in "abc"]
        if outputs == [None]:
            outputs = [None] * 3
        for output in outputs:
            if output:
                os.mkdir(os.path.dirname(output))
        by_words, cli_bytes = through_command_line(each, described, outputs[0])
        by_c, c_bytes = through_c(each, described, outputs[1])
        by_python, python_bytes = through_python(each, described, outputs[2])
        self.assertEqual(by_c, by_python)
        if by_words is not None:
            self.assertEqual(by_words, by_python)
        self.assertEqual(c_bytes, python_bytes)
        if cli_bytes is not None:
            self.assertEqual(cli_bytes, python_bytes)
            self.assertTrue(python_bytes)

    def compare_folders(self, number, each, described):
        """Several files go into a folder, each named after its clip."""
        folder = f"several-{number}"
        os.mkdir(folder)
        command(*words_of(each, described), "-o", folder)
        made = marrow.run(each["operation"], self.sources(each), each["options"])
        written = {path.name: path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}
        self.assertEqual(written, {file.name + file.extension: file.data for file in made.files})

    def compare_trees(self, number, each, described):
        """Files go below a folder, each under its path."""
        folders = [f"{door}-tree-{number}" for door in "ac"]
        printed = json.loads(command(*words_of(each, described), "-o", folders[0], "--json"))
        by_c, _ = through_c(each, described, folders[0])
        made = marrow.run(each["operation"], self.sources(each), each["options"], output=folders[1])
        self.assertEqual(printed, made.report)
        self.assertEqual(by_c, made.report)
        trees = [{path.relative_to(folder).as_posix(): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()} for folder in folders]
        self.assertEqual(trees[0], {file.name: file.data for file in made.files})
        self.assertEqual(trees[1], trees[0])

    def compare_written_trees(self, number, each, described, made):
        """Files that the operation names go below a folder."""
        folders = [pathlib.Path(f"{door}-{number}") for door in "ab"]
        command(*words_of(each, described), "-o", str(folders[0]))
        function = getattr(marrow.ops, each["operation"].replace(" ", "_").replace("-", "_"))
        function(**dict(self.sources(each)), **each["options"], output=str(folders[1]))
        wanted = {file.name + file.extension: file.data for file in made.files}
        for folder in folders:
            written = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
            self.assertEqual(written, wanted)
        by_c, data = through_c(each, described, "out")
        self.assertEqual(by_c, made.report)
        self.assertEqual(data, made.files[0].data)

    def test_values_give_the_same_as_files(self):
        """Documents that may have been changed are handed over as values, and files by their bytes."""
        for each in json.loads((WORK / "tries.json").read_text()):
            described = marrow.descriptions()[each["operation"]]
            kinds = {row["name"]: row["kind"] for row in described["inputs"]}
            as_values = []
            for role, file in each["inputs"]:
                source = file
                if kinds[role] not in ("text", "bytes", "tree"):
                    source = marrow.load(file)
                    source._touch()
                as_values.append((role, source))
            with self.subTest(operation=each["operation"]):
                wanted = marrow.run(each["operation"], self.sources(each), each["options"])
                made = marrow.run(each["operation"], as_values, each["options"])
                self.assertEqual([file.data for file in wanted.files], [file.data for file in made.files])
                self.assertEqual(wanted.report, made.report)

    def test_a_cache_is_written_under_its_own_extension_only(self):
        """Files of many kinds are called .txt, so that content decides; another extension is refused, as in words."""
        each = next(each for each in json.loads((WORK / "tries.json").read_text()) if each["operation"] == "cache add")
        described = marrow.descriptions()["cache add"]
        command(*words_of(each, described), "-o", "cache-out.hkx", codes=(2,))
        with self.assertRaisesRegex(marrow.OptionError, "not an extension that is written here; these are: .txt"):
            marrow.run("cache add", self.sources(each), each["options"], output="cache-out.hkx")
        self.assertFalse(os.path.exists("cache-out.hkx"))

    def sources(self, each):
        lists = {}
        for role, file in each["inputs"]:
            lists.setdefault(role, []).append(file)
        return [(role, files if len(files) > 1 else files[0]) for role, files in lists.items()]


if __name__ == "__main__":
    run_tests()
