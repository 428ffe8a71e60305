# SPDX-License-Identifier: MIT
"""A folder through `concurrent.futures`: a broken file is reported, a worker that dies is replaced."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

from support import ROOT, command, folder, run_tests, walk

EXAMPLE = ROOT / "examples/python/pool_convert.py"
sys.path.insert(0, str(EXAMPLE.parent))
import pool_convert  # noqa: E402


def fragile(operation, role, source, target, options):
    """Kills its worker the first time that it sees a file of the name; runs in a worker."""
    mark = pathlib.Path(target).with_suffix(".seen")
    if "deadly" in source and not mark.exists():
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return pool_convert.work(operation, role, source, target, options)


def always_dies(operation, role, source, target, options):
    if "deadly" in source:
        os.kill(os.getpid(), signal.SIGKILL)
    return pool_convert.work(operation, role, source, target, options)


def make_files():
    for name in ("a.hkx", "deep/b.hkx", "deadly.hkx", "c.hkx"):
        path = pathlib.Path("in") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(walk(), path)
    return [("compress", "clip", str(path), str("out" / path.relative_to("in")), {}) for path in sorted(pathlib.Path("in").rglob("*.hkx"))]


class Pool(unittest.TestCase):
    def test_results_are_those_of_the_command_line(self):
        with folder():
            make_files()
            pathlib.Path("in/broken.hkx").write_bytes(b"nothing of ours")
            done = subprocess.run(
                [sys.executable, EXAMPLE, "in", "out", "--operation", "compress", "--workers", "2"],
                env={**os.environ, "PYTHONPATH": str(ROOT / "python")}, capture_output=True, text=True, timeout=120,
            )
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stdout.count('"report"'), 4)
            self.assertIn("broken.hkx", next(line for line in done.stdout.splitlines() if '"error"' in line))
            command("compress", "in", "-o", "wanted", codes=(1,))
            for path in pathlib.Path("wanted").rglob("*.hkx"):
                self.assertEqual((pathlib.Path("out") / path.relative_to("wanted")).read_bytes(), path.read_bytes())

    def test_a_worker_that_dies_is_replaced(self):
        with folder():
            done = list(pool_convert.run_all(make_files(), 2, 3, fragile))
            self.assertEqual([each for each in done if "error" in each], [])
            self.assertEqual(len(done), 4)

    def test_a_file_that_always_kills_its_worker_is_named(self):
        with folder():
            done = list(pool_convert.run_all(make_files(), 2, 3, always_dies))
            self.assertEqual(len(done), 4)
            wrong = [each for each in done if "error" in each]
            self.assertEqual([pathlib.Path(each["path"]).name for each in wrong], ["deadly.hkx"])


if __name__ == "__main__":
    run_tests()
