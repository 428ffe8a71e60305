#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs Marrow into an empty prefix and builds a project outside the tree against it: C++ with the static library and
C with the shared one, found by CMake and by pkg-config.

    consumer_test.py BUILD REPOSITORY CXX CC WALK_CYCLE
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, REPOSITORY, CXX, CC, WALK_CYCLE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:5], pathlib.Path(sys.argv[5])


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Consumer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow consumer "))  # a space, since people have them
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        first = cls.folder / "first"
        run("cmake", "--install", BUILD, "--prefix", first)
        cls.prefix = cls.folder / "prefix"
        first.rename(cls.prefix)  # an installed tree can be moved
        cls.project = cls.folder / "project"
        shutil.copytree(REPOSITORY / "tests/e2e/consumer", cls.project)
        run(WALK_CYCLE, cls.folder / "walk")
        cls.clip = cls.folder / "walk/skyrim-se/walk.hkx"
        cls.library = next(cls.prefix.rglob("libmarrow.so")).parent

    def check_programs(self, with_cpp, with_c):
        self.assertRegex(run(with_cpp, self.clip), r"^1 clips, \d{4,} bytes of XML\n$")
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.library)}
        self.assertRegex(run(with_c, self.clip, env=environment), r"^\d+\.\d+\.\d+: 31 frames\n$")

    def check_player(self, program):
        compiled = self.folder / "walk.clip"
        run(WALK_CYCLE.parent / "example_compile_clip", self.clip, self.clip.parent / "characterassets/skeleton.hkx", compiled)
        self.assertRegex(run(program, compiled, "0.5"), r"^48 bones, the last at -?\d+\.\d{3}\n$")
        self.assertEqual(run(program, compiled, "0.25"), run(program, compiled, "7.25"))  # it loops after a second
        stripped = self.folder / "stripped"
        run("strip", "-o", stripped, program)
        size = stripped.stat().st_size
        print(f"a program with marrow::runtime alone: {size} bytes, stripped")
        self.assertLess(size, 400_000)

    def test_cmake_finds_both_libraries(self):
        build = self.folder / "build"
        run("cmake", "-S", self.project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={CXX}", f"-DCMAKE_C_COMPILER={CC}")
        run("cmake", "--build", build)
        self.check_programs(build / "with_cpp", build / "with_c")
        self.check_player(build / "with_runtime")

    def test_pkg_config_finds_both_libraries(self):
        if not shutil.which("pkg-config"):
            self.skipTest("pkg-config is not installed")
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.library / "pkgconfig")}
        flags = {}
        for name in ("marrow", "marrow-c"):
            flags[name] = shlex.split(run("pkg-config", "--cflags", "--libs", name, env=environment))
        run(CXX, "-std=c++23", self.project / "with_cpp.cpp", *flags["marrow"], "-o", self.folder / "cpp")
        run(CC, "-std=c11", self.project / "with_c.c", *flags["marrow-c"], "-o", self.folder / "c")
        self.check_programs(self.folder / "cpp", self.folder / "c")

    def test_the_first_header_is_light(self):
        (self.folder / "first.cpp").write_text("#include <marrow/marrow.h>\n")
        text = run(CXX, "-std=c++23", f"-I{self.prefix / 'include'}", "-E", self.folder / "first.cpp")
        print(f"marrow.h: {text.count(chr(10))} preprocessed lines")
        self.assertLess(text.count("\n"), 60_000)
        for heavy in ("/glm/", "/functional\"", "/filesystem\""):
            self.assertNotIn(heavy, text)

    def test_another_minor_version_is_refused_until_1_0(self):
        text, count = re.subn(r"marrow 0\.\d+", "marrow 0.99", (self.project / "CMakeLists.txt").read_text())
        self.assertEqual(count, 1)
        other = self.folder / "other"
        other.mkdir()
        (other / "CMakeLists.txt").write_text(text)
        with self.assertRaisesRegex(AssertionError, r"compatible\s+with requested"):
            run("cmake", "-S", other, "-B", other / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")

    def test_the_program_comes_with_its_manual_page_and_completions(self):
        for name in ("bin/marrow", "share/man/man1/marrow.1", "share/bash-completion/completions/marrow",
                     "share/zsh/vendor-completions/_marrow", "share/fish/vendor_completions.d/marrow.fish"):
            self.assertGreater((self.prefix / name).stat().st_size, 100, name)
        self.assertIn("commit: ", run(self.prefix / "bin/marrow", "--version"))

    def test_the_manual_page_and_the_completions_are_well_formed(self):
        share = self.prefix / "share"
        checks = {"groff": ("-man", "-wall", "-ww", "-Tutf8", "-z", share / "man/man1/marrow.1"),
                  "bash": ("-n", share / "bash-completion/completions/marrow"),
                  "zsh": ("-n", share / "zsh/vendor-completions/_marrow"),
                  "fish": ("-n", share / "fish/vendor_completions.d/marrow.fish")}
        for tool, arguments in checks.items():
            if not shutil.which(tool):
                print(f"{tool} is not installed: not asked")
                continue
            done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), tool)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
