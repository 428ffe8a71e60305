# SPDX-License-Identifier: MIT
"""What the tests of the Python package share: where things are, and files to work on."""
import atexit
import contextlib
import functools
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MARROW_BUILD", ROOT / "build"))
PROGRAM = BUILD / "bin" / "marrow"
LIBRARY = BUILD / "lib" / "libmarrow.so"
CORPUS = pathlib.Path(os.environ.get("MARROW_CORPUS", ROOT.parent / "shared" / "corpus"))
GOLDEN = pathlib.Path(os.environ.get("MARROW_GOLDEN", ROOT.parent / "shared" / "golden"))

os.environ.setdefault("MARROW_LIBRARY", str(LIBRARY))
if str(ROOT / "python") not in sys.path:
    sys.path.insert(0, str(ROOT / "python"))

#: A box as vertices and triangles, in game units.
CUBE = [(x, y, z) for x in (-20, 20) for y in (-10, 10) for z in (0, 30)]
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
needs_numpy = unittest.skipUnless(HAS_NUMPY, "numpy is not installed")


def needs(path):
    """Skips a test that needs real files, and says so."""
    return unittest.skipUnless(pathlib.Path(path).exists(), f"{path} is not there")


@functools.lru_cache(maxsize=None)
def samples():
    """Returns a folder with a walk cycle for three games, as `example_walk_cycle` writes it."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-samples-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run([BUILD / "bin" / "example_walk_cycle", folder / "walk"], check=True, stdout=subprocess.DEVNULL)
    return folder / "walk"


def walk(game="skyrim-se"):
    return samples() / game / "walk.hkx"


def skeleton(game="skyrim-se"):
    return samples() / game / "characterassets" / "skeleton.hkx"


@functools.lru_cache(maxsize=None)
def tries():
    """Returns a folder with one call of every operation (tries.json) and the files that the calls need, as
    tests/unit/ops/operation_test.cpp writes them."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-tries-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run(
        [BUILD / "bin" / "test_unit_ops", "-tc=every operation runs by name*"],
        env={**os.environ, "MARROW_KEEP_TRIES": str(folder)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return folder


@contextlib.contextmanager
def folder():
    """A folder that is the current one for a while, and empty."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="marrow-python-") as path:
        os.chdir(path)
        try:
            yield pathlib.Path(path)
        finally:
            os.chdir(before)


def command(*words, cwd=None, codes=(0,)):
    """Runs the program; returns what it printed."""
    done = subprocess.run([PROGRAM, *map(str, words)], cwd=cwd, capture_output=True, text=True)
    if done.returncode not in codes:
        raise AssertionError(f"marrow {' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run_tests():
    """Runs the tests of the calling module. Skipped tests are named; exit 1 on failure."""
    unittest.main(module="__main__", verbosity=2 if "-v" in sys.argv else 1)
