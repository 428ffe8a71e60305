#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the examples in C, and the one at the head of the header, with a plain compiler and runs them, under valgrind if
it is installed.

    examples_test.py LIBRARY REPOSITORY C_COMPILER WALK_CYCLE
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def head_of(header):
    """Returns the program at the head of the header: ten lines as they stand there, which clang-format must not reflow."""
    lines = re.findall(r"^ \*   (\S.*)$", header.partition("Two halves.")[0], re.M)
    assert len(lines) == 10 and all(line.endswith((";", "return 1;")) for line in lines), lines
    return "#include <marrow/marrow_c.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n"


def main(library, root, compiler, walk_cycle):
    library = pathlib.Path(library)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([walk_cycle, folder / "walk"], check=True, stdout=subprocess.DEVNULL)
        clip = next((folder / "walk").rglob("*walk*.hkx"))
        skeleton = next((folder / "walk").rglob("*skeleton*.hkx"))
        programs = {}
        (folder / "head.c").write_text(head_of((root / "include/marrow/marrow_c.h").read_text()))
        for source in [*sorted((root / "examples/c").glob("*.c")), folder / "head.c"]:
            programs[source.stem] = folder / source.stem
            subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{root / 'include'}", source,
                            library, f"-Wl,-rpath,{library.parent}", "-o", programs[source.stem]], check=True)
        checked = []
        if shutil.which("valgrind"):
            checked = ["valgrind", "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect,possible", "--error-exitcode=9"]
        else:
            print("valgrind is not installed: the examples run without it")

        def run(name, *arguments, expect=0):
            done = subprocess.run([*checked, programs[name], *map(str, arguments)], capture_output=True, text=True, cwd=folder)
            assert done.returncode == expect, f"{name}: {done.returncode}\n{done.stderr}"
            return done

        lines = run("sample_clip", clip, 0.5, skeleton).stdout.splitlines()
        assert len(lines) > 10 and all(len(line.rsplit(" ", 3)) == 4 for line in lines), lines
        run("add_event", clip, 0.25, "FootLeft", folder / "out.hkx")
        before = json.loads(run("run_operation", "annotations list", "clip", clip).stdout)
        after = json.loads(run("run_operation", "annotations list", "clip", folder / "out.hkx").stdout)
        count = lambda report: json.dumps(report).count('"text"')
        assert count(after) == count(before) + 1, (before, after)
        assert "FootLeft" in json.dumps(after)
        (folder / "walk.hkx").write_bytes(clip.read_bytes())
        run("head")
        after = json.loads(run("run_operation", "annotations list", "clip", folder / "walk2.hkx").stdout)
        assert count(after) == count(before) + 1, (before, after)
        differences = run("run_operation", "compress", "clip", clip, '{"effort":"fast"}')
        assert "would write" in differences.stderr
        bad = folder / "bad.hkx"
        bad.write_bytes(clip.read_bytes()[:100])
        assert "bad.hkx:" in run("sample_clip", bad, 0, expect=1).stderr
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]))
