#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs docs/rig-walk.md and docs/rig-round.md: blocks named after a file are that file, blocks of `console` are commands
with their output.

    rig_walk_test.py MARROW REPOSITORY [KEEP_FOLDER]
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

marrow, repository = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
page = (repository / "docs/rig-walk.md").read_text(encoding="utf-8")
folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp(prefix="marrow-walk-"))
folder.mkdir(exist_ok=True)
for name in ("generic_male.xml", "addon_hair_strand.xml"):
    shutil.copy(repository / "examples/anvil" / name, folder)
failures, commands = [], 0


def compare(command, shown, printed):
    """Every line that is shown was printed, in this order; `...` stands for any number of lines."""
    skips, at = False, 0
    for line in shown:
        if line == "...":
            skips = True
            continue
        found = next((i for i in range(at, len(printed)) if printed[i].strip() == line.strip() or
                      re.sub(r"^\s*\d+\s+", "", printed[i]).strip() == line.strip()), None)
        if found is None or (found != at and not skips):
            failures.append(f"{command}\n  does not print: {line}\n  but: " + "\n       ".join(printed))
            return
        skips, at = False, found + 1
    if at < len(printed) and not skips:
        failures.append(f"{command}\n  prints more: " + "\n       ".join(printed[at:]))


round_page = (repository / "docs/rig-round.md").read_text(encoding="utf-8")
if round_page.count("$ marrow") != 6:
    failures.append("the round is six commands")
for name, block in re.findall(r"^```([\w.]+)\n(.*?)^```$", page + round_page, re.M | re.S):
    if name != "console":
        (folder / name).write_text(block, encoding="utf-8")
        continue
    for text in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, *shown = text.rstrip("\n").split("\n")
        words = shlex.split(command)
        assert words[0] == "marrow", command
        run = subprocess.run([marrow, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=120)
        commands += 1
        if run.returncode != 0:
            failures.append(f"{command}: exit {run.returncode}\n{run.stdout}{run.stderr}")
        compare(command, shown, run.stdout.splitlines())
tuned, delivered = ((folder / name).read_bytes() for name in ("tuned.csv", "delivered.csv"))
if tuned != delivered:
    failures.append("tuned.csv and delivered.csv differ")
for image in re.findall(r"\]\((images/[^)]+)\)", page):
    if not (repository / "docs" / image).exists():
        failures.append(f"{image} is missing")
if commands < 18:
    failures.append(f"only {commands} commands were found")
for failure in failures:
    print("FAILED:", failure)
if len(sys.argv) <= 3:
    shutil.rmtree(folder)
sys.exit(1 if failures else 0)
