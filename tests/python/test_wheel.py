# SPDX-License-Identifier: MIT
"""The wheel: the same bytes from the same files, installed by pip into a fresh environment."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from support import LIBRARY, PROGRAM, ROOT, run_tests, skeleton, walk


def make(folder):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/make_wheel.py", "--library", LIBRARY, "--program", PROGRAM, "--output", folder],
        check=True, capture_output=True, text=True,
    )
    return pathlib.Path(done.stdout.strip().splitlines()[-1])


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory(prefix="marrow-wheel-")
        cls.folder = pathlib.Path(cls.work.name)
        cls.wheel = make(cls.folder / "a")

    @classmethod
    def tearDownClass(cls):
        cls.work.cleanup()

    def test_it_is_the_same_every_time(self):
        again = make(self.folder / "b")
        self.assertEqual(again.name, self.wheel.name)
        self.assertEqual(again.read_bytes(), self.wheel.read_bytes())

    def test_its_tag_is_true(self):
        needed = lambda path: set(re.findall(r"NEEDED\s+(\S+)", subprocess.run(["objdump", "-p", path], check=True, capture_output=True, text=True).stdout))
        self.assertLessEqual(needed(LIBRARY), {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"})
        system = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2"}
        expected = "-manylinux_" if needed(PROGRAM) <= system else "-linux_"
        self.assertIn(expected, self.wheel.name)
        self.assertRegex(self.wheel.name, r"^marrow-[\d.]+-py3-none-(many)?linux_.*\.whl$")

    def test_everything_is_inside(self):
        with zipfile.ZipFile(self.wheel) as archive:
            names = set(archive.namelist())
        sources = {f"marrow/{path.name}" for path in (ROOT / "python/marrow").glob("*.py*")}
        self.assertLessEqual(sources | {"marrow/py.typed", "marrow/libmarrow.so", "marrow/bin/marrow"}, names)

    def test_it_installs_into_a_fresh_environment_and_runs(self):
        environment = self.folder / "venv"
        # Debian's own interpreter lends its numpy; nothing is downloaded.
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", environment], check=True)
        python = environment / "bin" / "python"
        clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MARROW_LIBRARY")}
        run = lambda *words: subprocess.run([python, *words], check=True, capture_output=True, text=True, env=clean, cwd=self.folder).stdout
        run("-m", "pip", "install", "--no-index", "--disable-pip-version-check", "--quiet", self.wheel)
        program = f"""
import marrow, pathlib
assert pathlib.Path(marrow.__file__).is_relative_to({str(environment)!r}), marrow.__file__
clip = marrow.load({str(walk())!r}, skeleton={str(skeleton())!r}).clip
clip.annotations.add(0.5, "FootLeft")
clip.save("out.hkx", game="fallout4", max_rotation_error=0.05)
print(marrow.__version__, clip.frame_count, marrow.load("out.hkx").game)
"""
        version = re.search(r"project\(marrow VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(run("-c", program).split(), [version, "31", "fallout4"])
        wanted = subprocess.run([PROGRAM, "info", walk()], check=True, capture_output=True, text=True).stdout
        self.assertEqual(run("-m", "marrow", "info", walk()), wanted)
        self.assertIn("operations.pyi", run("-m", "pip", "show", "-f", "marrow"))


# Takes the loader for one on Windows, and shows which file it would open.
FAKED = """
import ctypes, os, pathlib, subprocess, sys, typing, weakref
sys.path.insert(0, sys.argv[1])
sys.platform = "win32"
class Opened(Exception): pass
def opened(path): raise Opened(path)
ctypes.CDLL = opened
try:
    import marrow
except Opened as found:
    print(found)
import importlib.util
spec = importlib.util.spec_from_file_location("main", sys.argv[1] + "/marrow/__main__.py")
main = importlib.util.module_from_spec(spec)
spec.loader.exec_module(main)
print(main.program())
"""


class OnWindows(unittest.TestCase):
    def test_the_package_finds_the_dll_and_the_program_beside_itself(self):
        with tempfile.TemporaryDirectory(prefix="marrow-windows-") as folder:
            package = pathlib.Path(folder).resolve() / "marrow"
            shutil.copytree(ROOT / "python/marrow", package)
            (package / "bin").mkdir()
            for name in ("marrow.dll", "libmarrow.so", "bin/marrow.exe", "bin/marrow"):
                (package / name).write_bytes(b"")
            clean = {name: value for name, value in os.environ.items() if name != "MARROW_LIBRARY"}
            done = subprocess.run([sys.executable, "-c", FAKED, folder], capture_output=True, text=True, env=clean)
            self.assertEqual(done.stdout.split(), [str(package / "marrow.dll"), str(package / "bin/marrow.exe")], done.stderr)


if __name__ == "__main__":
    run_tests()
