#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many processes over one folder: GNU parallel, also after kills, writes the bytes of one process.

    batch_test.py MARROW REPOSITORY
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
SEEDS = REPOSITORY / "fuzz/seeds/packfile"


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def main():
    if not shutil.which("parallel"):
        print("GNU parallel is not installed: skipped")
        return 77
    folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-batch-"))
    try:
        source = folder / "in"
        for i in range(120):
            (source / f"mod {i % 3}").mkdir(parents=True, exist_ok=True)
            shutil.copy(SEEDS / ("clip-2010-32.hkx" if i % 2 else "behaviour-32.hkx"), source / f"mod {i % 3}" / f"f{i}.hkx")
        one, many = folder / "one", folder / "many"
        subprocess.run([MARROW, "convert", source, "-o", one, "--to", "skyrim-se"], check=True, capture_output=True)
        command = [REPOSITORY / "examples/batch/parallel.sh", "4", folder / "reports", MARROW, "convert", source, "-o", many,
                   "--to", "skyrim-se"]
        killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        while killed.poll() is None and len(contents(many) if many.exists() else []) < 10:
            time.sleep(0.002)
        if killed.poll() is None:
            os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
        subprocess.run(command, check=True, capture_output=True)
        assert contents(many) == contents(one), "other files or bytes than one process writes"
        lines = sum(path.read_text().count("\n") for path in (folder / "reports").iterdir())
        assert lines >= 120, lines
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
