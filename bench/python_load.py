#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How fast the Python package is: the longest clip of the corpus into numpy, against a reader in pure Python and against
the same calls in C++, and one pose at a time.

    python_load.py BUILD_FOLDER [CLIP]
"""
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
os.environ.setdefault("MARROW_LIBRARY", str(BUILD / "lib" / "libmarrow.so"))
sys.path.insert(0, str(ROOT / "python"))

import numpy

import marrow
from pure_reader import read_clip


def best_of(times, function):
    """Returns the shortest time in seconds of several runs."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def longest_clip():
    corpus = pathlib.Path(os.environ.get("MARROW_CORPUS", ROOT.parent / "shared" / "corpus"))
    longest, path = 0, None
    for file in sorted((corpus / "hkx").rglob("*.hkx")):
        for clip in marrow.load(file).clips:
            if clip.frame_count * clip.track_count > longest:
                longest, path = clip.frame_count * clip.track_count, file
    return path


def main():
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else longest_clip()
    if path is None:
        print("there is no corpus; nothing is measured")
        return
    data = path.read_bytes()
    frames = marrow.load(data).clip.frames
    pure = numpy.array(read_clip(data), "f4")
    error = float(numpy.abs(pure - frames).max())
    print(f"{path.name}: {frames.shape[0]} frames of {frames.shape[1]} tracks; both readers agree within {error:.1e}")
    in_python = best_of(3, lambda: numpy.array(read_clip(data), "f4"))
    in_marrow = best_of(50, lambda: marrow.load(data, name="clip.hkx").clip.frames)
    print(f"all frames into numpy, pure Python    {in_python * 1e3:10.2f} ms")
    print(f"all frames into numpy, marrow         {in_marrow * 1e3:10.2f} ms   {in_python / in_marrow:.0f} times faster")
    program = BUILD / "bin" / "load_clip"
    if program.exists():
        in_cpp = float(subprocess.run([program, path], check=True, capture_output=True, text=True).stdout) / 1e3
        print(f"load and decode_frames in C++         {in_cpp * 1e3:10.2f} ms   marrow takes {in_marrow / in_cpp:.2f} of it")
    skeleton = path.parent / "skeleton.hkx"
    clip = marrow.load(path, skeleton=skeleton if skeleton.exists() else None).clip
    times = [clip.duration * i / 100 for i in range(100)]
    for space in ("local", "model"):
        taken = best_of(300, lambda: [clip.pose(at, space=space) for at in times]) / len(times)
        print(f"pose(t) of {len(clip.pose(0))} bones, {space} space       {taken * 1e6:10.2f} us")


if __name__ == "__main__":
    main()
