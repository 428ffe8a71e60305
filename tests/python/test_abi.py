# SPDX-License-Identifier: MIT
"""The declarations of the package are those of the header, and the generated functions those of the table."""
import ctypes
import re
import subprocess
import sys
import unittest

from support import LIBRARY, ROOT, run_tests

from marrow import _abi

HEADER = re.sub(r"/\*.*?\*/", "", (ROOT / "include/marrow/marrow_c.h").read_text(), flags=re.S)
VERSION = int(re.search(r"#define MARROW_ABI_VERSION (\d+)", HEADER)[1])
HEADER = re.sub(r"^#.*$", "", HEADER, flags=re.M)
NUMBERS = {
    "uint64_t": ctypes.c_uint64,
    "int64_t": ctypes.c_int64,
    "uint32_t": ctypes.c_uint32,
    "uint16_t": ctypes.c_uint16,
    "int32_t": ctypes.c_int32,
    "int16_t": ctypes.c_int16,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "marrow_progress": _abi.Progress,
    "marrow_read": _abi.Read,
    "marrow_list": _abi.List,
    "marrow_sink": _abi.Sink,
}


def handles():
    return set(re.findall(r"typedef (?:uint64_t|marrow_handle) (marrow_\w+);", HEADER))


def enums():
    found = {}
    for body, name in re.findall(r"typedef enum marrow_\w+ \{(.*?)\} (\w+);", HEADER, re.S):
        found[name] = {word: int(number) for word, number in re.findall(r"(\w+) = (\d+)", body)}
    return found


def type_of(text):
    """Returns every ctypes type that may stand for a type of C; buffers of numbers may be addresses."""
    text = text.replace("const", "").strip()
    stars = text.count("*")
    base = text.replace("*", "").strip()
    if stars == 0:
        if base in handles():
            return [_abi.Handle]
        if base in enums():
            return [_abi.Enum]
        return [_abi.STRUCTS[base] if base in _abi.STRUCTS else NUMBERS[base]]
    if base == "void":
        return [ctypes.c_void_p]
    if base == "char":
        return [ctypes.c_char_p, ctypes.c_void_p] if stars == 1 else [ctypes.POINTER(ctypes.c_char_p)]
    inner = type_of(base)[0]
    return [ctypes.POINTER(inner)] + ([ctypes.c_void_p] if base in NUMBERS else [])


def split(declaration):
    """`const char* name` as its type and name; `float rest[10]` with its count."""
    match = re.fullmatch(r"\s*(.*?)\s*(\w+)(?:\[(\d+)\])?\s*", declaration, re.S)
    return match[1], match[2], match[3] and int(match[3])


class Declarations(unittest.TestCase):
    def test_structs_have_the_fields_of_the_header(self):
        found = re.findall(r"typedef struct marrow_\w+ \{(.*?)\} (\w+);", HEADER, re.S)
        self.assertEqual({name for _, name in found}, set(_abi.STRUCTS))
        for body, name in found:
            wanted = [split(line) for line in body.split(";") if line.strip()]
            fields = _abi.STRUCTS[name]._fields_
            self.assertEqual([each[1] for each in wanted], [each[0] for each in fields], name)
            for (kind, field, count), (_, given) in zip(wanted, fields):
                allowed = [each * count for each in type_of(kind)] if count else type_of(kind)
                self.assertIn(given, allowed, f"{name}.{field}")

    def test_functions_take_what_the_header_says(self):
        found = re.findall(r"MARROW_API (.*?)(marrow_\w+)\((.*?)\);", HEADER, re.S)
        self.assertEqual({name for _, name, _ in found}, set(_abi.FUNCTIONS))
        for result, name, parameters in found:
            returns, takes = _abi.FUNCTIONS[name]
            if result.strip() == "void":
                self.assertIsNone(returns, name)
            else:
                self.assertIn(returns, type_of(result), name)
            wanted = [] if parameters.strip() == "void" else parameters.split(",")
            self.assertEqual(len(wanted), len(takes), name)
            for declaration, given in zip(wanted, takes):
                kind = re.sub(r"\w+\s*$", "", declaration.strip())
                self.assertIn(given, type_of(kind), f"{name}: {declaration.strip()}")

    def test_numbers_are_those_of_the_header(self):
        found = enums()
        self.assertEqual(found["marrow_status"], _abi.STATUS)
        self.assertEqual(found["marrow_blend"], _abi.BLEND)
        self.assertEqual(found["marrow_space"], _abi.SPACE)
        self.assertEqual(found["marrow_motion"], _abi.MOTION)
        self.assertEqual(found["marrow_surface"], _abi.SURFACE)
        self.assertEqual(found["marrow_alpha"], _abi.ALPHA)
        self.assertEqual(found["marrow_fit"], _abi.FIT)
        self.assertEqual(VERSION, _abi.ABI_VERSION)

    def test_every_status_has_an_exception(self):
        from marrow import _errors

        self.assertEqual(set(_errors._KINDS), set(_abi.STATUS) - {"MARROW_OK"})

    def test_functions_of_operations_are_up_to_date(self):
        script = ROOT / "scripts/make_python_operations.py"
        done = subprocess.run([sys.executable, script, LIBRARY, "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    run_tests()
