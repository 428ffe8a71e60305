#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles every public header alone, as the first line of a program has it: each includes what it needs, and none has a
warning.

    check_headers.py REPOSITORY COMPILER
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

FLAGS = ["-std=c++23", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion",
         "-Werror", "-x", "c++", "-"]


def problem_of(root, compiler, header):
    """Returns what the compiler says about a program that includes the header twice and nothing else; empty: nothing."""
    name = header.relative_to(root / "include").as_posix()
    program = f'#include "{name}"\n#include "{name}"\n'
    done = subprocess.run([compiler, f"-I{root / 'include'}", *FLAGS], input=program, capture_output=True, text=True)
    return f"{name} does not stand alone:\n{done.stderr}" if done.returncode else ""


def main(root, compiler):
    headers = sorted(path for path in (root / "include").rglob("*") if path.suffix in (".h", ".hpp"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [text for text in pool.map(lambda header: problem_of(root, compiler, header), headers) if text]
    print("\n".join(problems) or f"{len(headers)} public headers stand alone")
    return 1 if problems or not headers else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]))
