#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rooms of the house may include only what lies below them; every public header is listed in its room. Only
core/file touches the disk, and nothing below cli/ knows a command line.

    check_layers.py REPOSITORY
"""
import pathlib
import re
import sys

FORMATS = {"havok", "nif", "anvil", "motion", "gltf"}
MAY_INCLUDE = {
    "core": set(),
    "model": {"core"},
    "codec": {"core"},
    "geometry": {"core"},
    **{room: {"core", "model", "codec", "geometry"} for room in FORMATS},
    "ops": {"core", "model", "codec", "geometry"} | FORMATS,
    "c": {"core", "model", "codec", "geometry", "ops"} | FORMATS,
}
# Who may include <filesystem>, <fstream> and the like: the one place for the disk (files, and the temporary ones they are written through).
DISK = re.compile(r"^\s*#\s*include\s+<(filesystem|fstream)>", re.M)
TOUCHES_DISK = {"include/marrow/core/file.h", "include/marrow/core/path.h", "src/core/file.cpp", "src/core/path.cpp",
                "src/core/system.h", "src/core/temporary_file.h", "src/core/temporary_file.cpp"}
# Texts and comments, and the flags that must not be in them.
SPOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
INCLUDE = re.compile(r'^\s*#\s*include\s+"(?:marrow/)?([a-z_]+)/', re.M)


def main(root):
    problems = []
    for room, allowed in MAY_INCLUDE.items():
        listed = (root / "src" / room / "CMakeLists.txt").read_text()
        for folder in (root / "include/marrow" / room, root / "src" / room):
            for file in sorted(folder.rglob("*")):
                if file.suffix not in (".h", ".cpp"):
                    continue
                text, name = file.read_text(), file.relative_to(root).as_posix()
                if DISK.search(text) and name not in TOUCHES_DISK:
                    problems.append(f"{name}: only core/file touches the disk")
                for spoken in SPOKEN.findall(text):
                    for flag in FLAG.findall(spoken):
                        problems.append(f"{name}: {flag} is a word of the command line")
                for other in INCLUDE.findall(text):
                    if other in MAY_INCLUDE and other != room and other not in allowed:
                        problems.append(f"{file.relative_to(root)}: {room} may not include {other}")
        for header in sorted((root / "include/marrow" / room).rglob("*.h")):
            if not re.search(rf"(?<![\w/]){re.escape(header.relative_to(root / 'include/marrow' / room).as_posix())}\b", listed):
                problems.append(f"{header.relative_to(root)}: not listed in src/{room}/CMakeLists.txt")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
