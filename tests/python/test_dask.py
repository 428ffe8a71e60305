# SPDX-License-Identifier: MIT
"""A folder through a cluster of worker processes: the command line's bytes, also if a worker is killed."""
import argparse
import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

from support import ROOT, command, folder, run_tests, skeleton, walk

HAS_DASK = importlib.util.find_spec("distributed") is not None
EXAMPLE = ROOT / "examples/python/dask_convert.py"


def make_files(count):
    for number in range(count):
        path = pathlib.Path("in") / f"part {number % 3}" / f"walk{number}.hkx"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(walk(), path)
    pathlib.Path("in/broken.hkx").write_bytes(b"nothing of ours")


def tree(folder):
    return {path.relative_to(folder): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


def environment():
    return {**os.environ, "PYTHONPATH": str(ROOT / "python")}


@unittest.skipUnless(HAS_DASK, "python3-distributed is not installed")
class Cluster(unittest.TestCase):
    def test_results_are_those_of_the_command_line(self):
        with folder():
            make_files(6)
            words = ["--operation", "retarget", "--input", f"from={skeleton()}", "--input", f"to={skeleton('fallout4')}"]
            done = subprocess.run(
                [sys.executable, EXAMPLE, "in", "out", "--workers", "2", *words],
                env=environment(), capture_output=True, text=True, timeout=300,
            )
            self.assertEqual(done.returncode, 1, done.stderr)  # one file is broken
            self.assertEqual(done.stdout.count('"report"'), 6)
            self.assertIn("broken.hkx", [line for line in done.stdout.splitlines() if '"error"' in line][0])
            command("retarget", "in", "--from", skeleton(), "--to", skeleton("fallout4"), "-o", "wanted", codes=(1,))
            self.assertEqual(tree("out"), tree("wanted"))

    def test_a_worker_that_is_killed_loses_nothing(self):
        os.environ["PYTHONPATH"] = environment()["PYTHONPATH"]  # workers inherit it
        sys.path.insert(0, str(EXAMPLE.parent))
        import dask_convert

        with folder():
            make_files(24)
            given = argparse.Namespace(
                source=pathlib.Path("in").resolve(), target=pathlib.Path("out").resolve(), operation="compress",
                options={"max_rotation_error": 0.05, "effort": "best"}, input=[], match="walk*.hkx", workers=2, scheduler=None,
            )
            client = dask_convert.connect(given)
            try:
                pids = list(client.run(os.getpid).values())
                self.assertEqual(len(set(pids)), 2)
                done = []
                for result in dask_convert.convert_folder(client, given):
                    done.append(result)
                    if len(done) == 3:
                        os.kill(pids[0], signal.SIGKILL)
            finally:
                client.close()
                client.cluster.close()
            self.assertEqual([each for each in done if "error" in each], [])
            self.assertEqual(len(done), 24)
            os.remove("in/broken.hkx")
            command("compress", "in", "--max-rotation-error", "0.05", "--effort", "best", "-o", "wanted")
            self.assertEqual(tree("out"), tree("wanted"))


if __name__ == "__main__":
    run_tests()
