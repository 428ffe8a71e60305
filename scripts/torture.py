#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages files in every way that this script knows and runs every verb on them, in batches, as people run them over mod
folders. A crash, a hang, a sanitizer's report, an unknown exit code, a leftover or a changed input is a finding.

    torture.py MARROW FOLDER [--files PATH ...] [--per-file N] [--batch N] [--seconds S]

FOLDER keeps the state: a run that was stopped goes on where it was, with the same damages. Findings are kept in
FOLDER/findings, each as the damaged file and the command. Exit code 1 if there is any.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
# Ways of verbs that their required words do not show. {in} is the folder of damaged files, {first} and {second} are two
# of them, {behavior} is the first behaviour, {out} is a folder or file of its own.
WAYS = [
    ["convert", "{in}", "--format", "xml", "-o", "{out}"], ["convert", "{in}", "--format", "hkx", "-o", "{out}"],
    ["convert", "{in}", "--format", "glb", "-o", "{out}/"], ["convert", "{in}", "--to", "fallout4", "-o", "{out}"],
    ["convert", "{in}", "--format", "anvil-schema", "-o", "{out}"],
    ["sample", "{in}", "--frames", "0,0.5,3", "-o", "{out}"], ["compress", "{in}", "--effort", "fast", "-o", "{out}"],
    ["check", "{in}", "--fix", "-o", "{out}"],
    ["annotations", "remove", "{in}", "--match", "*", "-o", "{out}"],
    ["annotations", "replace", "{in}", "--match", "*", "--text", "Text", "-o", "{out}"],
    ["archive", "pack", "{in}", "--to", "skyrim-se", "-o", "{out}.bsa"],
    ["doctor", "{in}"], ["behavior", "patch", "{in}", "--mods", "{in}", "-o", "{out}"],
    ["behavior", "find", "{behavior}", "--event", "FootLeft"],
    ["behavior", "add-state", "{behavior}", "--machine", "#0003", "--name", "New", "--generator", "#0006", "-o", "{out}.xml"],
    ["behavior", "add-clip", "{behavior}", "--machine", "#0003", "--name", "New", "--animation", "Animations\\New.hkx", "-o", "{out}.xml"],
    ["behavior", "add-transition", "{behavior}", "--machine", "#0003", "--from", "any", "--to", "0", "--event", "E", "-o", "{out}.xml"],
    ["behavior", "set", "{behavior}", "#0003", "startStateId=1", "-o", "{out}.xml"],
    ["behavior", "remove", "{behavior}", "#0006", "-o", "{out}.xml"],
    ["behavior", "rename", "{behavior}", "--event", "FootLeft", "Other", "-o", "{out}.xml"],
    ["clip", "additive", "{in}", "--reference", "0", "-o", "{out}"],
    ["clip", "offset", "{in}", "--bone", "Bone", "--turn", "0,0,10", "-o", "{out}"],
    ["clip", "speed", "{in}", "--factor", "2", "-o", "{out}"], ["clip", "tracks", "{in}", "--keep", "*", "-o", "{out}"],
    ["root-motion", "set", "{in}", "--move", "1,2,3", "-o", "{out}"],
    ["simulate", "{first}", "--seconds", "0.1", "-o", "{out}.csv"],
]
# Words for placeholders that are not files.
WORDS = {"NAME": "Bone", "BONE": "Bone", "PATTERN": "*", "TEXT": "Text", "N": "1", "S": "0.1", "SECONDS": "0.1", "F": "1.5",
         "X,Y,Z": "1,2,3", "X,Y,Z,W": "0,0,0,1", "FIELD=VALUE": "Mass=1", "GAME": "skyrim-se", "MODIFIER": "BallJoint", "SHAPE": "box",
         "KIND": "hinge", "TYPE": "BallJoint", "PARENT": "Bone", "LIMIT": "1", "VALUE": "1", "SLOT": "0", "DEG": "10", "B": "0", "OLD": "Bone", "NEW": "Bone2", "W": "0.5"}
FILES = {"FILE", "CLIP", "A", "B", "NIF", "MESH", "SKELETON", "BASE", "ADDON", "PATH", "SCRIPT", "TABLE", "RIG", "BLOB", "MERGED", "FROM",
         "TO", "JSON", "SIDECAR", "IN", "TEXT", "CSV", "POSE", "OVER", "SOURCE", "TARGET", "ARCHIVE", "FOLDER", "PROJECT",
         "CHARACTER", "EDITED", "ADDITIVE", "BASES", "MOD"}


def verbs_of(program):
    """Every verb of the program, from its own completions."""
    text = subprocess.run([program, "--completion", "fish"], capture_output=True, text=True, check=True).stdout
    groups = re.findall(r"-n __fish_use_subcommand -a (\S+)", text)
    verbs = []
    for name in dict.fromkeys(groups):
        words = re.findall(rf"-n '__fish_seen_subcommand_from {re.escape(name)}' -a '?([\w-]+)", text)
        verbs += [[name, word] for word in dict.fromkeys(words)] if words else [[name]]
    return [verb for verb in verbs if verb != ["view"]]


def command_of(program, verb):
    """The shortest command of a verb that its help allows: its inputs, what is required, and an output if it writes one."""
    text = subprocess.run([program, *verb, "--help"], capture_output=True, text=True).stdout
    usage = re.search(r"^Usage: marrow (.*)$", text, re.MULTILINE)
    words = usage.group(1).split()[len(verb):] if usage else []
    places = iter(["{in}" if any(word.endswith("...") for word in words) else "{first}", "{second}", "{first}", "{second}"])
    command = [*verb]
    for word in words:
        if word.startswith(("-", "[")):
            break
        plain = word.rstrip(".")
        command.append(next(places, "{second}") if plain in FILES else WORDS.get(plain, "1"))
    entries = re.sub(r"\n {20,}", " ", text)  # one line each
    for option, placeholder in re.findall(r"^  (?:-\w, )?(--[\w-]+) (\S+) .*\(required\)", entries, re.MULTILINE):
        command += [option, WORDS.get(placeholder) or ("{second}" if placeholder in FILES else "1")]
    return command + (["-o", "{out}"] if "-o" in words or "  -o, --output" in text else [])


def all_commands(program):
    return [command_of(program, verb) for verb in verbs_of(program)] + WAYS


TIMEOUT = 300
KNOWN_EXITS = {0, 1, 2, 3}
BAD_WORDS = (b"Sanitizer", b"runtime error", b"terminate called")


def damages(data, count, rng):
    """Deterministic for a seed: cuts, flips, fills, wild numbers, and pieces in wrong places."""
    wild = [b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\x00\x00\x00\x80", b"\x00\x00\x00\x00", b"\x01\x00\x00\x00",
            b"\xff\xff\xff\xff\xff\xff\xff\xff", b"\x00\x00\xc0\x7f", b"\x00\x00\x80\x7f", b"\x7f\x7f\x7f\x7f"]
    for _ in range(count):
        at = rng.randrange(max(len(data), 1))
        kind = rng.randrange(7)
        if kind == 0:
            yield data[:at]
        elif kind == 1:
            yield data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:] if data else b""
        elif kind == 2:
            value = rng.choice(wild)
            at -= at % 4
            yield data[:at] + value + data[at + len(value):]
        elif kind == 3:
            size = rng.randrange(1, 64)
            yield data[:at] + bytes([rng.choice((0, 0xFF, 0x7F, 0x20))]) * size + data[at + size:]
        elif kind == 4:
            other, size = rng.randrange(max(len(data), 1)), rng.randrange(1, 256)
            yield data[:at] + data[other:other + size] + data[at + size:]
        elif kind == 5:
            yield data[:at] + data[at + rng.randrange(1, 64):]
        else:
            yield data[:at] + rng.randbytes(rng.randrange(1, 16)) + data[at:]


def sources(paths):
    files = []
    for path in paths:
        path = pathlib.Path(path)
        files += sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return [path for path in files if path.stat().st_size < 4 << 20]


def digest(folder):
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()


class Torture:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.commands, self.refused = all_commands(program), set()
        self.verbs, self.taken = verbs_of(program), set()
        self.inputs, self.out, self.findings = folder / "inputs", folder / "out", folder / "findings"
        self.state_path = folder / "state.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.findings.mkdir(exist_ok=True)
        self.state = json.loads(self.state_path.read_text()) if self.state_path.exists() else {"batches": 0, "files": 0, "runs": 0}

    def run(self, verb, inputs):
        """Runs one verb; returns what is wrong with how it ended, or nothing."""
        for left in [self.out, *self.out.parent.glob(self.out.name + ".*")]:
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
        first = sorted(inputs.iterdir())[:2] if inputs.is_dir() else [inputs, inputs]
        if len(first) < 2:
            first = [first[0], first[0]]
        graphs = [path for path in sorted(inputs.iterdir()) if "behav" in path.name] if inputs.is_dir() else []
        places = {"{in}": inputs, "{behavior}": (graphs or first)[0], "{first}": first[0], "{second}": first[1], "{out}": self.out}
        command = [self.program]
        for word in verb:
            place = re.match(r"\{\w+\}", word)
            command.append(str(places[place.group()]) + word[place.end():] if place else word)
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, env=environment)
        except subprocess.TimeoutExpired:
            return "does not end"
        if done.returncode == 2:
            self.refused.add(" ".join(verb))
        else:
            self.taken.add(" ".join(verb))
        if done.returncode not in KNOWN_EXITS:
            return f"exit {done.returncode}"
        if any(word in done.stderr for word in BAD_WORDS):
            return "a sanitizer reports"
        if self.out.exists() and any(path.suffix == ".tmp" for path in self.out.rglob("*")):
            return "a temporary file is left"
        return None

    def batch(self, damaged):
        shutil.rmtree(self.inputs, ignore_errors=True)
        self.inputs.mkdir()
        for number, (name, data) in enumerate(damaged):
            (self.inputs / f"{number:04}-{name}").write_bytes(data)
        before = digest(self.inputs)
        for verb in self.commands:
            wrong = self.run(verb, self.inputs)
            self.state["runs"] += len(damaged)
            if wrong:
                self.keep(verb, wrong)
            if digest(self.inputs) != before:
                self.keep(verb, "an input was changed")
                return

    def keep(self, verb, wrong):
        """Finds the file of the batch that is to blame and keeps it."""
        blamed = [path for path in sorted(self.inputs.iterdir()) if self.run(verb, path)] or [None]
        for path in blamed[:4]:
            number = len(list(self.findings.glob("*.txt")))
            print(f"finding {number}: {' '.join(verb)}: {wrong}: {path.name if path else 'only in a batch'}", flush=True)
            if path:
                shutil.copy(path, self.findings / f"{number}-{path.name}")
            (self.findings / f"{number}.txt").write_text(f"{' '.join(verb)}\n{wrong}\n{path.name if path else ''}\n")

    def work(self, files, per_file, batch, seconds):
        plan = [(path, part) for part in range(-(-per_file // 8)) for path in files]
        step = max(batch // 8, 1)
        start = time.time()
        batches = [plan[i:i + step] for i in range(0, len(plan), step)]
        for number, group in enumerate(batches):
            if number < self.state["batches"]:
                continue
            if seconds and time.time() - start > seconds:
                break
            damaged = [(path.name, data) for path, part in group
                       for data in damages(path.read_bytes(), 8, random.Random(f"{path.name}-{part}"))]
            self.batch(damaged)
            self.state["batches"] = number + 1
            self.state["files"] += len(damaged)
            self.state_path.write_text(json.dumps(self.state))
            if sys.stderr.isatty():
                print(f"\rbatch {number + 1} of {len(batches)}, {self.state['runs']} runs\033[K", end="", file=sys.stderr)
        found = len(list(self.findings.glob("*.txt")))
        print(f"{self.state['batches']} of {len(batches)} batches: {self.state['files']} damaged files, {self.state['runs']} runs of "
              f"{len(self.commands)} commands, {found} findings, {time.time() - start:.0f} s")
        if self.refused:
            print(f"{len(self.refused)} commands were refused as usage at least once:", *sorted(self.refused), sep="\n  ")
        # A verb that only ever refuses its words has not been tried: it needs a row in WAYS.
        untried = [" ".join(verb) for verb in self.verbs if not any(f"{taken} ".startswith(" ".join(verb) + " ") for taken in self.taken)]
        if untried and self.state["batches"]:
            print(f"{len(untried)} verbs were never tried:", *untried, sep="\n  ")
        return 1 if found or (untried and self.taken) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--files", nargs="+", default=None)
    parser.add_argument("--per-file", type=int, default=64)
    parser.add_argument("--batch", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0, help="stop after this long; run again to go on")
    given = parser.parse_args()
    corpus = pathlib.Path(os.environ.get("MARROW_CORPUS", REPOSITORY / "../shared/corpus"))
    paths = given.files or [REPOSITORY / "fuzz/seeds", REPOSITORY / "examples", *([corpus] if corpus.exists() else [])]
    return Torture(given.program, given.folder).work(sources(paths), given.per_file, given.batch, given.seconds)


if __name__ == "__main__":
    sys.exit(main())
