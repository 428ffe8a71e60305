#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rooms of the house may include only what lies below them; every public header is listed in its room. Only
core/file touches the disk, nothing throws, and nothing below cli/ knows a command line: texts there name neither flags
nor verbs.

    check_layers.py REPOSITORY
"""
import pathlib
import re
import sys

FORMATS = {"havok", "nif", "anvil", "archive", "motion", "exchange"}
# Behaviours are made of Havok objects: the room stands on havok, and on no other format.
ROOMS = FORMATS | {"behavior"}
MAY_INCLUDE = {
    "core": set(),
    "model": {"core"},
    "codec": {"core"},
    "geometry": {"core"},
    "image": {"core", "codec"},
    **{room: {"core", "model", "codec", "geometry"} for room in FORMATS},
    "behavior": {"core", "model", "codec", "geometry", "havok"},
    "ops": {"core", "model", "codec", "geometry", "image"} | ROOMS,
    "c": {"core", "model", "codec", "geometry", "image", "ops"} | ROOMS,
}
# Who may include <filesystem>, <fstream> and the like: the one place for the disk (files, and the temporary ones they are written through).
DISK = re.compile(r"^\s*#\s*include\s+<(filesystem|fstream)>", re.M)
TOUCHES_DISK = {"include/marrow/core/file.h", "src/core/path.h", "src/core/file.cpp", "src/core/path.cpp",
                "src/core/system.h", "src/core/temporary_file.h", "src/core/temporary_file.cpp"}
# Texts and comments, and the flags that must not be in them.
SPOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# Verbs in quotes, as `run 'check'` or `collision attach` in backquotes. What helps is data (`marrow::Cure`), which each door words.
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
VERB = re.compile(
    r"[`'](?:marrow )?(?:"
    r"(?:annotations|archive|behaviou?r|body|cache|clip|collision|floats|pair|rig|root-motion) [a-z]+(?:-[a-z]+)*"
    r"|info|convert|merge|check|diff|dump|sample|compress|retarget|simulate|doctor|knots"
    r"|attach|detach|build|extract|replace|plan|(?:add|remove|set)-(?:bone|body|joint|shape|modifier)|reparent|rename|to-game"
    r")(?: [^`'\n]*)?[`']"
)
# The same without quotes: what is done with a verb, and the name of an operation of two words inside a longer text.
BARE_VERB = re.compile(r"\b(?:run|use|with|by|from|as) (?:convert|compress|retarget|simulate|dump|sample|knots|doctor)\b(?![-\w])")
OPERATION = re.compile(r'\.name = "([a-z-]+ [a-z-]+)"')
# How many public headers a reader of the library has to know about at the most.
MOST_PUBLIC_HEADERS = 50
# The library throws nothing and catches nothing; the C ABI catches what a host's allocation throws.
THROWS = re.compile(r"\b(?:throw|try|catch|noexcept\(false\))\b(?!-)")
COMMENT_OR_TEXT = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?:.|\n)*?\*/')
INCLUDE = re.compile(r'^\s*#\s*include\s+"(?:marrow/)?([a-z_]+)/', re.M)
# The first header is for users of the library: below it, documents are loaded by their own.
FIRST = re.compile(r'^\s*#\s*include\s+"marrow/marrow\.h"', re.M)
# A public header sees public headers only.
PRIVATE = re.compile(r'^\s*#\s*include\s+"((?!marrow/)[^"]+)"', re.M)
# Behaviours know Havok's objects and their texts, not its animations and physics.
BEYOND_BEHAVIOR = re.compile(r'^\s*#\s*include\s+"(?:marrow/)?(havok/(?:animation|physics))/', re.M)
# Formats of the exchange room do not include each other.
EXCHANGE = re.compile(r'^\s*#\s*include\s+"(?:marrow/)?exchange/([a-z_]+)/', re.M)


def main(root):
    problems = []
    rows = "".join(file.read_text() for file in sorted((root / "src/ops/table").glob("rows*.cpp")))
    named = re.compile(r"\b(?:" + "|".join(sorted(OPERATION.findall(rows), key=len, reverse=True)) + r")\b(?![-\w])")
    for room, allowed in MAY_INCLUDE.items():
        listed = (root / "src" / room / "CMakeLists.txt").read_text()
        for folder in (root / "include/marrow" / room, root / "src" / room):
            for file in sorted(folder.rglob("*")):
                if file.suffix not in (".h", ".cpp"):
                    continue
                text, name = file.read_text(), file.relative_to(root).as_posix()
                if FIRST.search(text) and name != "src/ops/files/file.cpp":
                    problems.append(f"{name}: include marrow/ops/document/load.h, not marrow/marrow.h")
                if DISK.search(text) and name not in TOUCHES_DISK:
                    problems.append(f"{name}: only core/file touches the disk")
                if room != "c" and (thrown := THROWS.search(COMMENT_OR_TEXT.sub("", text))):
                    problems.append(f"{name}: the library has no exceptions, and no '{thrown.group()}'")
                for spoken in SPOKEN.findall(text):
                    for flag in FLAG.findall(spoken):
                        problems.append(f"{name}: {flag} is a word of the command line")
                for spoken in TEXT.findall(text):
                    is_name = named.fullmatch(spoken[1:-1])
                    for verb in [*VERB.findall(spoken), *BARE_VERB.findall(spoken), *([] if is_name else named.findall(spoken))]:
                        problems.append(f"{name}: {verb} is a verb of the command line; say what helps with a Cure")
                if room == "exchange":
                    format = file.relative_to(folder).parts[0]
                    problems += [f"{name}: {format} may not include {other}" for other in EXCHANGE.findall(text) if other != format]
                if room == "behavior":
                    problems += [f"{name}: behavior may not include {other}" for other in BEYOND_BEHAVIOR.findall(text)]
                for other in INCLUDE.findall(text):
                    if other in MAY_INCLUDE and other != room and other not in allowed:
                        problems.append(f"{file.relative_to(root)}: {room} may not include {other}")
        for header in sorted((root / "include/marrow" / room).rglob("*.h")):
            problems += [f"{header.relative_to(root)}: a public header includes the private {other}" for other in PRIVATE.findall(header.read_text())]
            if not re.search(rf"(?<![\w/]){re.escape(header.relative_to(root / 'include/marrow' / room).as_posix())}\b", listed):
                problems.append(f"{header.relative_to(root)}: not listed in src/{room}/CMakeLists.txt")
    public = [file for file in (root / "include").rglob("*") if file.suffix in (".h", ".hpp")]
    if len(public) > MOST_PUBLIC_HEADERS:
        problems.append(f"include: {len(public)} public headers are more than {MOST_PUBLIC_HEADERS}; keep in src what no program needs")
    for folder in ("panels", "scene", "files"):
        for file in sorted((root / "viewer/src" / folder).rglob("*.ts")):
            if re.search(r"\bstore\.set\(", file.read_text()):
                problems.append(f"{file.relative_to(root)}: only viewer/src/store changes the state")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
