#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program of examples/languages in every language whose compiler is here: all print and write the same, and report a
broken file.

    languages_test.py LIBRARY REPOSITORY CXX_COMPILER WALK_CYCLE
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main(library, root, compiler, walk_cycle):
    library, root = pathlib.Path(library).resolve(), root.resolve()
    source = root / "examples/languages"
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library.parent), "LC_ALL": "C.UTF-8"}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([walk_cycle, folder / "walk"], check=True, stdout=subprocess.DEVNULL)
        clip = next((folder / "walk").rglob("*walk*.hkx"))
        (folder / "broken.hkx").write_bytes(clip.read_bytes()[:100])

        def built(words, result):
            subprocess.run(list(map(str, words)), check=True, cwd=folder, env=environment)
            return result

        ways = [("C++", compiler, lambda tool: [built(
            [tool, "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{root / 'include'}", source / "first.cpp", library, "-o", "cpp"],
            folder / "cpp")])]
        ways.append(("Rust", "rustc", lambda tool: [built(
            [tool, "-L", library.parent, source / "first.rs", "-o", folder / "rust"], folder / "rust")]))
        ways.append(("C#", "mcs", lambda tool: [shutil.which("mono"), built(
            [tool, f"-out:{folder / 'First.exe'}", source / "First.cs"], folder / "First.exe")]))
        ways.append(("Lua", "luajit", lambda tool: [tool, source / "first.lua"]))
        printed, written = {}, {}
        for name, tool, make in ways:
            found = shutil.which(tool)
            if not found or (name == "C#" and not shutil.which("mono")):
                print(f"SKIPPED: {name}, since {tool} is not installed")
                continue
            program, out = make(found), folder / f"{tool.split('/')[-1]}.hkx"
            run = lambda *words: subprocess.run(  # noqa: E731
                [*map(str, program), *map(str, words)], capture_output=True, text=True, env=environment)
            done = run(clip, out)
            assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
            printed[name], written[name] = done.stdout, out.read_bytes()
            done = run(folder / "broken.hkx", out)
            assert done.returncode == 1 and "broken.hkx" in done.stderr, f"{name}: {done.returncode} {done.stderr}"
        assert "C++" in printed and "frames" in printed["C++"], printed
        assert len(set(printed.values())) == 1, printed
        assert len(set(written.values())) == 1, {name: len(data) for name, data in written.items()}
        assert b"FootLeft" in written["C++"]
        print("ran:", ", ".join(printed))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]))
