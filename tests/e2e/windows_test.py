#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""marrow.exe and marrow.dll under wine: the same bytes as the program of this system, names in every script, and
Windows' own ways.

    windows_test.py MARROW WALK_CYCLE REPOSITORY [TEST...]

Skipped (exit 77) without wine, or if build-windows/bin/marrow.exe is not there (`make test-windows` builds it).
"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

MARROW, WALK_CYCLE, REPOSITORY = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
BUILD = REPOSITORY / "build-windows"
EXE, DLL, WINE = BUILD / "bin/marrow.exe", BUILD / "bin/marrow.dll", REPOSITORY / "scripts/wine"
CORPUS = pathlib.Path(os.environ.get("MARROW_CORPUS", REPOSITORY.parent / "shared/corpus"))
TOOLS = "x86_64-w64-mingw32-"
SYSTEM = {"kernel32.dll", "msvcrt.dll", "shell32.dll"}
MALE, BLADE = (REPOSITORY / f"examples/anvil/{name}.xml" for name in ("generic_male", "addon_hidden_blade"))
NAMES = ("шаг", "走る", "élan", "bone 🦴", "한국어")  # Cyrillic, Japanese, accented, beyond the first plane, Korean
# Opens a file so that nobody else may, until its stdin ends.
HOLDER = r"""
#include <stdio.h>
#include <windows.h>
int main(int argc, char** argv) {
  HANDLE file = CreateFileA(argv[1], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
  (void)argc;
  puts(file == INVALID_HANDLE_VALUE ? "failed" : "held");
  fflush(stdout);
  getchar();
  return 0;
}
"""


def run(program, *args, **more):
    return subprocess.run([*program, *map(str, args)], capture_output=True, timeout=300, **more)


def here(*args, **more):
    return run([MARROW], *args, **more)


def wine(*args, **more):
    return run([WINE, EXE], *args, **more)


def windows_path(path):
    return "Z:" + str(path).replace("/", "\\")


class Windows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="marrow-windows-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        subprocess.run([WALK_CYCLE, cls.shared / "walk"], check=True, stdout=subprocess.DEVNULL)
        cls.clip = next((cls.shared / "walk").rglob("*walk*.hkx"))
        cls.skeleton = next((cls.shared / "walk").rglob("*skeleton*.hkx"))
        cls.old = cls.shared / "old.hkx"  # of Skyrim LE
        assert here("convert", cls.clip, "-o", cls.old, "--to", "skyrim-le").returncode == 0

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-windows-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def works(self, *args, **more):
        done = wine(*args, **more)
        self.assertEqual(done.returncode, 0, (args, done.stderr.decode(errors="replace")))
        return done.stdout

    def fails(self, status, *args, **more):
        done = wine(*args, **more)
        self.assertEqual(done.returncode, status, (args, done.stdout, done.stderr))
        return done.stderr.decode()

    def files(self):
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file())

    # --- the files themselves
    def test_exe_and_dll_need_nothing_but_windows(self):
        for file in (EXE, DLL):
            text = run([TOOLS + "objdump"], "-p", file).stdout.decode()
            needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)", text)}
            self.assertTrue(needed and needed <= SYSTEM, needed)
            self.assertIn(b"no symbols", run([TOOLS + "nm"], file).stderr)

    def test_the_exe_asks_for_utf_8_and_long_paths(self):
        data = EXE.read_bytes()
        self.assertRegex(data, rb"<activeCodePage [^>]*>UTF-8</activeCodePage>")
        self.assertRegex(data, rb"<longPathAware [^>]*>true</longPathAware>")

    def test_the_dll_exports_exactly_the_abi(self):
        text = run([TOOLS + "objdump"], "-p", DLL).stdout.decode()
        table = text[text.index("[Ordinal/Name Pointer] Table"):].split("\n\n")[0]
        recorded = (REPOSITORY / "tests/unit/c/abi.txt").read_text()
        self.assertEqual(re.findall(r"\[ *\d+\] (\w+)$", table, re.M), re.findall(r"^function (\w+)", recorded, re.M))

    def test_structs_have_the_layout_of_the_abi(self):
        sys.path.insert(0, str(REPOSITORY / "tests/unit/c"))
        import abi_test
        abi_test.header_path = REPOSITORY / "include/marrow/marrow_c.h"
        lines = abi_test.layouts(abi_test.header_path.read_text(), TOOLS + "gcc", self.folder, [WINE])
        recorded = (REPOSITORY / "tests/unit/c/abi.txt").read_text().splitlines()
        self.assertEqual(sorted(lines), sorted(line for line in recorded if line.startswith(("struct", "enum"))))

    def test_the_examples_in_c_run_with_the_dll(self):
        shutil.copy(DLL, self.folder)
        for source in sorted((REPOSITORY / "examples/c").glob("*.c")):
            subprocess.run([TOOLS + "gcc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                            f"-I{REPOSITORY / 'include'}", source, DLL, "-o", self.folder / f"{source.stem}.exe"],
                           check=True)

        def example(name, *args):
            done = run([WINE, self.folder / f"{name}.exe"], *args)
            self.assertEqual(done.returncode, 0, (name, done.stderr))
            return done.stdout.replace(b"\r\n", b"\n").decode()

        self.assertGreater(len(example("sample_clip", self.clip, 0.5, self.skeleton).splitlines()), 10)
        before = example("run_operation", "annotations list", "clip", self.clip)
        example("add_event", self.clip, 0.25, "FootLeft", self.folder / "out.hkx")
        after = example("run_operation", "annotations list", "clip", self.folder / "out.hkx")
        self.assertEqual(after.count('"text"'), before.count('"text"') + 1)
        self.assertIn("FootLeft", after)

    def test_the_wheel_and_the_blender_zip_carry_both(self):
        script = lambda name, *args: subprocess.run([sys.executable, REPOSITORY / "scripts" / name, *args], check=True,
                                                    capture_output=True, text=True).stdout
        made = script("make_wheel.py", "--library", DLL, "--program", EXE, "--output", self.folder)
        wheel = pathlib.Path(made.strip().splitlines()[-1])
        self.assertRegex(wheel.name, r"^marrow-[\d.]+-py3-none-win_amd64\.whl$")
        with zipfile.ZipFile(wheel) as archive:
            names = set(archive.namelist())
            archive.extract("marrow/bin/marrow.exe", self.folder)
            self.assertEqual(archive.read("marrow/marrow.dll")[:2], b"MZ")
        self.assertTrue({"marrow/marrow.dll", "marrow/bin/marrow.exe", "marrow/__init__.py"} <= names, names)
        self.assertFalse(names & {"marrow/libmarrow.so", "marrow/bin/marrow"})
        printed = run([WINE, self.folder / "marrow/bin/marrow.exe"], "--version").stdout
        self.assertEqual(printed.splitlines()[0], here("--version").stdout.splitlines()[0])
        library = MARROW.parent.parent / "lib/libmarrow.so"
        if not library.exists():
            self.skipTest(f"no {library} for the zip")
        script("make_blender_addon.py", "--library", library, "--library", DLL, "--output", self.folder / "a.zip")
        with zipfile.ZipFile(self.folder / "a.zip") as archive:
            self.assertEqual(archive.read("marrow_addon/marrow/marrow.dll"), DLL.read_bytes())
            self.assertEqual(archive.read("marrow_addon/marrow/libmarrow.so"), library.read_bytes())

    # --- the same bytes
    def assert_same(self, name, *args):
        here_out, wine_out = self.folder / "here" / name, self.folder / "wine" / name
        for path in (here_out, wine_out):
            path.parent.mkdir(parents=True, exist_ok=True)
        self.assertEqual(here(*args, "-o", here_out).returncode, 0, args)
        self.works(*args, "-o", wine_out)
        self.assertEqual(here_out.read_bytes(), wine_out.read_bytes(), args)

    def test_samples_give_the_same_bytes(self):
        clip, skeleton = self.clip, self.skeleton
        for name, *args in (
                ("le.hkx", "convert", clip, "--to", "skyrim-le"), ("fo4.hkx", "convert", clip, "--to", "fallout4"),
                ("a.xml", "convert", clip), ("a.json", "convert", clip),
                ("a.glb", "convert", clip, "--skeleton", skeleton), ("a.txt", "annotations", "export", clip),
                ("a.csv", "sample", clip, "--fps", "12"), ("small.hkx", "compress", clip),
                ("mirror.hkx", "mirror", clip, "--skeleton", skeleton),
                ("merged.xml", "rig", "merge", MALE, BLADE), ("schema.xml", "convert", MALE, "--format", "anvil-schema", "--to", "rogue"),
                ("rig.csv", "simulate", MALE, BLADE, "--shake", "0.05,1", "--seconds", "0.5", "--game", "rogue")):
            with self.subTest(args):
                self.assert_same(name, *args)

    def test_real_files_give_the_same_bytes(self):
        if not CORPUS.is_dir():
            self.skipTest(f"no corpus at {CORPUS}")
        clips = sorted(CORPUS.glob("hkx/*/*.hkx"))
        nifs = sorted(CORPUS.glob("nif/*.nif"))
        for arguments in ((clips, "--to", "skyrim-se"), (clips, "--format", "xml"), (nifs,)):
            paths, *options = arguments
            for path in {str(each.parent) for each in paths}:
                out = [self.folder / kind for kind in ("here", "wine")]
                self.assertEqual(here("convert", path, *options, "-o", out[0], "-q").returncode, 0, path)
                self.works("convert", path, *options, "-o", out[1], "-q")
                names = [sorted(each.relative_to(side) for each in side.rglob("*") if each.is_file()) for side in out]
                self.assertEqual(*names)
                self.assertGreater(len(names[0]), 0)
                for name in names[0]:
                    self.assertEqual((out[0] / name).read_bytes(), (out[1] / name).read_bytes(), name)
                for side in out:
                    shutil.rmtree(side)

    def test_stdout_carries_bytes(self):
        self.assertEqual(self.works("convert", self.clip, "-o", "-"), here("convert", self.clip, "-o", "-").stdout)
        self.assertNotIn(b"\r", self.works("info", self.clip))
        self.assertEqual(json.loads(self.works("info", self.clip, "--json")),
                         json.loads(here("info", self.clip, "--json").stdout))

    # --- names
    def test_names_in_every_script(self):
        for name in NAMES:
            with self.subTest(name):
                folder = self.folder / name
                folder.mkdir()
                source, target = folder / f"{name}.hkx", folder / f"{name} 2.hkx"
                shutil.copy(self.clip, source)
                printed = self.works("convert", source, "-o", target, "--to", "skyrim-le").decode()
                self.assertEqual(printed, f"{source} -> {target}\n")
                self.assertEqual(target.read_bytes(), self.old.read_bytes())
                self.assertEqual(json.loads(self.works("info", target, "--json"))[0]["path"], str(target))
                self.assertIn(f"{name}.xml: ", self.fails(1, "info", folder / f"{name}.xml"))
        self.assertEqual(len(self.files()), 2 * len(NAMES))

    def test_a_folder_of_names_is_a_batch(self):
        source, out, report = (self.folder / name for name in ("вход", "出口", "rapport é.jsonl"))
        (source / "внутри").mkdir(parents=True)
        for name in NAMES:
            shutil.copy(self.clip, source / "внутри" / f"{name}.hkx")
        self.works("convert", source, "-o", out, "--to", "skyrim-le", "--report", report)
        self.assertEqual(sorted(path.name for path in (out / "внутри").iterdir()), sorted(f"{name}.hkx" for name in NAMES))
        lines = [json.loads(line) for line in report.read_text("utf-8").splitlines()]
        self.assertEqual({pathlib.PurePosixPath(line["path"].replace("\\", "/")).name for line in lines},
                         {f"{name}.hkx" for name in NAMES})
        before = report.read_bytes()
        self.works("convert", source, "-o", out, "--to", "skyrim-le", "--report", report, "--resume")
        self.assertEqual(report.read_bytes(), before)

    def test_arguments_are_text_of_any_script(self):
        out = self.folder / "out.hkx"
        self.works("annotations", "add", self.clip, "--time", "0.1", "--text", "Нога \"левая\" 🦶", "-o", out)
        self.assertIn("Нога \"левая\" 🦶".encode(), self.works("annotations", "export", out))

    def test_paths_of_windows(self):
        out = self.folder / "out.hkx"
        for path in (windows_path(self.clip), windows_path(self.clip).replace("\\", "/"), "\\\\?\\" + windows_path(self.clip),
                     str(self.clip)):
            with self.subTest(path):
                self.works("convert", path, "-o", windows_path(out))
                self.assertEqual(out.read_bytes(), here("convert", self.clip, "-o", "-").stdout)
        for path in ("\\\\no-such-server\\share\\a.hkx", "//no-such-server/share/a.hkx", "Q:\\a.hkx"):
            self.assertIn("cannot be opened: ", self.fails(1, "info", path))

    def test_a_skeleton_is_found_beside_a_clip_with_backslashes(self):
        shutil.copy(self.clip, self.folder / "walk.hkx")
        shutil.copy(self.skeleton, self.folder / "skeleton.hkx")
        self.works("convert", windows_path(self.folder / "walk.hkx"), "-o", self.folder / "walk.glb")

    def test_paths_of_more_than_260_characters(self):
        deep = self.folder.joinpath(*["a long name of a folder" * 4] * 4)
        os.makedirs(deep)
        shutil.copy(self.clip, deep / "a.hkx")
        self.assertGreater(len(str(deep)), 300)
        self.works("convert", deep / "a.hkx", "-o", deep / "new" / "b.hkx")
        self.works("convert", self.folder, "-o", self.folder / "out", "--to", "skyrim-le")
        self.assertEqual(sum(path.endswith(".hkx") for path in self.files()), 4)
        # Its own folder must have a short path, but not all that lies below.
        below = deep.relative_to(deep.parent.parent.parent) / "a.hkx"
        self.assertIn("31 frames", self.works("info", below, cwd=deep.parent.parent.parent).decode())

    def test_stars_are_expanded_by_the_program(self):
        for name in ("a1.hkx", "a2.hkx", "b.hkx"):
            shutil.copy(self.clip, self.folder / name)
        listed = json.loads(self.works("info", "a?.hkx", "--json", cwd=self.folder))
        self.assertEqual([each["path"] for each in listed], ["a1.hkx", "a2.hkx"])
        self.works("convert", windows_path(self.folder / "*.hkx"), "-o", self.folder / "out")
        self.assertEqual(len(list((self.folder / "out").iterdir())), 3)
        self.assertIn("none*.hkx", self.fails(1, "info", "none*.hkx", cwd=self.folder))

    def test_names_differ_by_more_than_case(self):
        shutil.copy(self.clip, self.folder / "walk.hkx")
        self.assertIn("would replace the input", self.fails(2, "convert", self.folder / "walk.hkx", "-o", self.folder / "WALK.hkx"))

    def test_devices_are_never_written(self):
        for name in ("NUL", "nul.hkx", "aux.hkx", "COM1"):
            self.assertIn("is not a regular file", self.fails(2, "convert", self.clip, "-o", self.folder / name))
        self.assertEqual(self.files(), [])

    # --- text
    def test_lines_that_end_in_crlf_and_a_mark_before_utf_8_change_nothing(self):
        clip, skeleton = self.clip, self.skeleton
        events = self.works("annotations", "export", clip)
        mapped = self.folder / "map.txt"
        self.works("retarget", clip, "--from", skeleton, "--to", skeleton, "-o", self.folder / "r.hkx", "--save-map", mapped)
        cases = ((events, "out.hkx", lambda text: ("annotations", "import", clip, text)),
                 (mapped.read_bytes(), "out.hkx",
                  lambda text: ("retarget", clip, "--from", skeleton, "--to", skeleton, "--map", text)),
                 (b"rename Fx_Jaw Jaw_New\nadd-bone Cape --parent Spine2\n", "out.xml", lambda text: ("rig", "edit", MALE, text)),
                 ((REPOSITORY / "examples/modifiers/pouch.json").read_bytes(), "out.xml",
                  lambda text: ("rig", "apply", MALE, "--modifiers", text, "--bone", "Hips", "--game", "rogue")))
        for content, out, words in cases:
            results = []
            for form in (content, content.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")):
                text = self.folder / "text.txt"
                text.write_bytes(form)
                self.works(*words(text), "-o", self.folder / out)
                results.append((self.folder / out).read_bytes())
            self.assertEqual(len(set(results)), 1, words("TEXT"))

    # --- files that cannot be written
    def test_an_existing_file_is_replaced(self):
        out = self.folder / "out.hkx"
        out.write_bytes(b"old")
        self.works("convert", self.clip, "-o", out, "--to", "skyrim-le")
        self.assertEqual(out.read_bytes(), self.old.read_bytes())
        self.works("convert", out, "--in-place", "--to", "skyrim-se")
        self.assertEqual(self.files(), ["out.hkx", "out.hkx.bak"])
        self.assertEqual((self.folder / "out.hkx.bak").read_bytes(), self.old.read_bytes())

    def test_a_read_only_file_is_not_replaced(self):
        out = self.folder / "out.hkx"
        out.write_bytes(b"mine")
        out.chmod(0o444)
        self.assertIn("cannot be written: it is read-only", self.fails(1, "convert", self.clip, "-o", out))
        self.assertEqual((self.files(), out.read_bytes()), (["out.hkx"], b"mine"))
        out.chmod(0o644)
        shutil.copy(self.clip, out)
        out.chmod(0o444)
        self.assertIn("it is read-only", self.fails(1, "convert", out, "--in-place", "--to", "fallout4"))
        self.assertEqual(self.files(), ["out.hkx"])

    def test_a_file_that_is_open_elsewhere_is_reported(self):
        out = self.folder / "out.hkx"
        shutil.copy(self.clip, out)
        source, program = self.folder / "holder.c", self.shared / "holder.exe"
        source.write_text(HOLDER)
        subprocess.run([TOOLS + "gcc", source, "-o", program], check=True)
        source.unlink()
        with subprocess.Popen([WINE, program, windows_path(out)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
            self.assertEqual(holder.stdout.readline().strip(), b"held")
            self.assertIn("another program has it open", self.fails(1, "convert", self.old, "-o", out))
            self.assertIn("another program has it open", self.fails(1, "info", out))
            self.assertEqual((self.files(), out.read_bytes()), (["out.hkx"], self.clip.read_bytes()))
            holder.communicate(b"\n")
        self.works("convert", self.old, "-o", out)

    def test_what_a_killed_run_left_is_removed_by_the_next(self):
        # The name of a temporary file of this host, of a process that cannot run.
        names = self.names_of_temporaries()
        stale = self.folder / re.sub(r"-\d+-\d+\.tmp$", "-99999996-0.tmp", names[0])
        stale.write_bytes(b"half")
        self.works("convert", self.clip, "-o", self.folder / "a.hkx")
        self.assertEqual(self.files(), ["a.hkx"])

    def names_of_temporaries(self):
        """Names that a run uses, seen while it works."""
        out = self.folder / "seen"
        out.mkdir()
        sources = self.folder / "many"
        sources.mkdir()
        for i in range(200):
            shutil.copy(self.clip, sources / f"{i}.hkx")
        names = set()
        with subprocess.Popen([WINE, EXE, "convert", sources, "-o", out, "-q"]) as process:
            while process.poll() is None:
                names.update(path.name for path in out.iterdir() if path.name.startswith(".marrow-"))
        shutil.rmtree(out)
        shutil.rmtree(sources)
        self.assertTrue(names)
        return sorted(names)

    # --- a window of its own
    def in_window(self, keys, *args):
        """Runs the program in a terminal that is its own; presses a key whenever it waits for one. Returns the text."""
        child, terminal = pty.fork()
        if child == 0:
            os.environ["TERM"] = "xterm"
            os.execv(WINE, [str(WINE), str(EXE), *map(str, args)])
        seen, until, asked = b"", time.monotonic() + 60, 0
        while time.monotonic() < until:
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    part = os.read(terminal, 65536)
                except OSError:
                    break
                if not part:
                    break
                seen += part
            text = re.sub(rb"\x1b\[[?0-9;]*[a-zA-Z]|\s", b"", seen)
            if len(re.findall(rb"thiswindow\.", text)) > asked and asked < len(keys):
                os.write(terminal, keys[asked].encode())
                asked += 1
        os.close(terminal)
        _, status = os.waitpid(child, 0)
        self.assertEqual(asked, len(keys), text)
        return text.decode(errors="replace"), status

    def test_dropped_files_are_shown_and_checked_and_converted_beside(self):
        old, new = self.folder / "бег.hkx", self.folder / "new.hkx"
        shutil.copy(self.old, old)
        self.assertEqual(here("convert", self.clip, "-o", new, "--to", "skyrim-se").returncode, 0)
        (self.folder / "бег_se.hkx").write_bytes(b"mine")
        text, _ = self.in_window("csx", old, new)
        self.assertIn("skyrim-le", text)
        self.assertIn("Ccheck2files", text)
        self.assertIn("бег_se_2.hkx", text)
        self.assertEqual(self.files(), ["new.hkx", "бег.hkx", "бег_se.hkx", "бег_se_2.hkx"])
        self.assertEqual((self.folder / "бег_se.hkx").read_bytes(), b"mine")
        self.assertEqual((self.folder / "бег_se_2.hkx").read_bytes(),
                         here("convert", self.old, "-o", "-", "--to", "skyrim-se").stdout)

    def test_a_double_click_explains_itself_and_waits(self):
        text, _ = self.in_window("x")
        self.assertIn("Dragfilesorawholefolderontomarrow.exe", text)
        self.assertIn("marrow--help", text)
        self.assertIn("Pressakeytoclosethiswindow.", text)


def main():
    if not any(shutil.which(name) for name in ("/usr/lib/wine/wine64", "wine64", "wine")):
        print("skipped: wine is not installed; make test-windows installs it")
        return 77
    if not EXE.is_file() or not DLL.is_file():
        print(f"skipped: there is no {EXE}; make test-windows builds it")
        return 77
    os.environ.setdefault("WINEPREFIX", str(BUILD / "wine"))
    pathlib.Path(os.environ["WINEPREFIX"]).mkdir(parents=True, exist_ok=True)
    # One server for all runs, which ends by itself a little after the last.
    server = shutil.which("wineserver") or "/usr/lib/wine/wineserver64"
    subprocess.run([server, "-p15"], stderr=subprocess.DEVNULL)
    return 0 if unittest.main(argv=[sys.argv[0], *sys.argv[4:]], exit=False, verbosity=2).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
