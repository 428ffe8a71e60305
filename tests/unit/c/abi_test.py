#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the ABI of the shared library with the recorded one (abi.txt): exported functions, sizes and offsets of
structs, values of enumerations. A line that is gone breaks every program that uses the library: it can be recorded only
with another MARROW_ABI_VERSION. A new line is a new function, struct or number beside the old ones; record it with --write.

    abi_test.py LIBRARY REPOSITORY C_COMPILER [--write]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ALLOWED = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return sorted(name.split("@")[0] for name in (line.split()[-1] for line in lines.splitlines())
                  if not name.startswith("MARROW_1"))


def layouts(header, compiler, folder, launcher=()):
    """Sizes of all structs with the offsets of their fields, as the compiler sees them. `launcher` runs its programs."""
    lines = []
    for body, name in re.findall(r"typedef struct marrow_\w+ \{(.*?)\} (marrow_\w+);", header, re.S):
        body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
        fields = re.findall(r"(\w+)(?:\[\d+\])?\s*;", body)
        offsets = " ".join(f"{field}=%zu" for field in fields)
        values = "".join(f", offsetof({name}, {field})" for field in fields)
        lines.append(f'  printf("struct {name} %zu {offsets}\\n", sizeof({name}){values});')
    for body, name in re.findall(r"typedef enum marrow_\w+ \{(.*?)\} (marrow_\w+);", header, re.S):
        for word in re.findall(r"\b(MARROW_\w+) = ", body):
            lines.append(f'  printf("enum {word} %d\\n", (int){word});')
    source = folder / "layout.c"
    source.write_text('#include <stdio.h>\n#include "marrow/marrow_c.h"\nint main(void) {\n' + "\n".join(lines) +
                      "\n  return 0;\n}\n")
    program = folder / "layout"
    subprocess.run([compiler, "-I", header_folder(header_path), source, "-o", program], check=True)
    program = next(path for path in (program, program.with_suffix(".exe")) if path.exists())
    return subprocess.run([*launcher, program], capture_output=True, text=True, check=True).stdout.splitlines()


def header_folder(path):
    return path.parent.parent


def needed(library):
    text = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))


def runs_alone(library, compiler, folder):
    """Runs a program with the library in a root that has nothing but the C library."""
    if os.geteuid() != 0:
        print("not root: the library is not tried in an empty root")
        return True
    source = folder / "alone.c"
    source.write_text('#include <marrow/marrow_c.h>\nint main(void) { return marrow_abi_version() == '
                      'MARROW_ABI_VERSION && marrow_describe().size > 1000 ? 0 : 1; }\n')
    root = folder / "root"
    (root / "lib64").mkdir(parents=True)
    (root / "lib").symlink_to("lib64")
    program = root / "alone"
    subprocess.run([compiler, "-I", header_folder(header_path), source, library, "-o", program,
                    "-Wl,-rpath,/lib64"], check=True)
    shutil.copy(library, root / "lib64" / "libmarrow.so.1")
    for line in subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout.splitlines():
        found = re.search(r"(/\S+)", line)
        if found:
            shutil.copy(found[1], root / "lib64" / pathlib.Path(found[1]).name)
    return subprocess.run(["chroot", root, "/alone"], check=False).returncode == 0


def main(library, root, compiler, write):
    global header_path
    header_path = root / "include/marrow/marrow_c.h"
    record = root / "tests/unit/c/abi.txt"
    header = header_path.read_text()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        now = [f"version {re.search(r'MARROW_ABI_VERSION ([0-9]+)', header)[1]}"]
        now += [f"function {name}" for name in exported(library)] + layouts(header, compiler, folder)
        failed = False
        before = record.read_text().splitlines()
        if write:
            gone = [line for line in before if line not in now]
            if gone and before[0] == now[0]:
                print("MARROW_ABI_VERSION must change, since this is gone:", *gone, sep="\n")
                return 1
            record.write_text("\n".join(now) + "\n")
            return 0
        for line in sorted(set(before) ^ set(now)):
            print(("gone:  " if line in before else "new:   ") + line)
            failed = True
        declared = set(re.findall(r"MARROW_API [^;]*?\b(marrow_\w+)\(", header))
        for name in sorted(declared ^ set(exported(library))):
            print(f"{name}: declared and not exported, or the other way round")
            failed = True
        if not needed(library) <= ALLOWED:
            print("the library needs", ", ".join(sorted(needed(library) - ALLOWED)))
            failed = True
        if not runs_alone(library, compiler, folder):
            print("the library does not run beside a C library alone")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], "--write" in sys.argv))
