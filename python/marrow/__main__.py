# SPDX-License-Identifier: MIT
"""`python -m marrow` runs the program that the wheel carries."""
from __future__ import annotations

import os
import pathlib
import subprocess
import sys


def program() -> pathlib.Path:
    """Returns the path of the program: the wheel's, else that of a source tree. Raises SystemExit if there is none."""
    here = pathlib.Path(__file__).resolve().parent
    name = "marrow.exe" if sys.platform == "win32" else "marrow"
    for place in (here / "bin" / name, here.parent.parent / "build" / "bin" / name):
        if place.is_file():
            return place
    raise SystemExit(f"the program {name} is not there; install the wheel, or build it")


def main() -> None:
    path = str(program())
    arguments = [path, *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.call(arguments))
    os.execv(path, arguments)


if __name__ == "__main__":
    main()
