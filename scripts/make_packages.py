#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes everything that is given to people, in one folder, with licences, an SBOM and checksums. The same commit gives
the same bytes. `make package` builds first and then runs this.

    make_packages.py --build build-package --output build-package/packages [--windows build-windows] [--page viewer.html]
"""
import argparse
import datetime
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts/packaging"))
import archives  # noqa: E402
import components  # noqa: E402
import debs  # noqa: E402
from make_wheel import version as project_version  # noqa: E402

LICENCES = "THIRD-PARTY-LICENSES.txt"
READ_ME_WINDOWS = """Marrow {version} for Windows

marrow.exe is the program. Drag files onto it, or open a terminal here and run:

    marrow --help
    marrow check FOLDER --game skyrim-se

marrow.dll, its import library and include\\marrow\\marrow_c.h are for other programs.
share\\marrow\\viewer.html, if it is there, is what `marrow view FILE` shows; it opens in a browser by itself, too.
THIRD-PARTY-LICENSES.txt has the licences of what is inside.
"""


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, text=True, stdout=subprocess.PIPE, **more).stdout


def epoch():
    """Returns the time that everything is said to be made at: SOURCE_DATE_EPOCH, else that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or run("git", "-C", ROOT, "log", "-1", "--format=%ct"))


def install(build, folder, libdir, prefix):
    """Installs into an empty folder. Where libraries go is part of the files for CMake, so it is configured."""
    shutil.rmtree(folder, ignore_errors=True)
    run("cmake", build, f"-DCMAKE_INSTALL_LIBDIR={libdir}")
    run("cmake", "--install", build, "--prefix", prefix, env={**os.environ, "DESTDIR": str(folder)})
    return folder


class Packer:
    def __init__(self, given):
        self.build, self.output, self.windows, self.page = given.build.resolve(), given.output.resolve(), given.windows, given.page
        self.version, self.epoch = project_version(), epoch()
        self.work = self.build / "packing"
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.rmtree(self.output, ignore_errors=True)
        self.work.mkdir()
        self.output.mkdir(parents=True)
        self.native = components.of_build(self.build)
        self.for_windows = components.of_build(self.windows) if self.windows_files() else []
        self.in_page = components.of_page() if self.page and self.page.exists() else []
        self.made = {}  # file -> components

    def licences(self, parts, name):
        file = self.work / name / LICENCES
        file.parent.mkdir(exist_ok=True)
        file.write_text(components.licence_text(parts))
        return file

    def add(self, file, parts):
        self.made[file.name] = parts
        print(f"  {file.name}: {file.stat().st_size:,} bytes")

    def page_into(self, tree):
        if self.in_page:
            place = tree / "share/marrow/viewer.html"
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.page, place)

    def make_debs(self):
        libdir = "lib/" + run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
        tree = install(self.build, self.work / "deb-tree", libdir, "/usr")
        self.page_into(tree / "usr")
        for package, row in debs.PACKAGES.items():
            parts = self.native + (self.in_page if package == "marrow" else [])
            text = components.licence_text(parts)
            self.add(debs.make(package, row, tree, self.work / "debs", self.version, self.epoch, parts, text, self.output), parts)

    def make_tar(self):
        tree = install(self.build, self.work / "tar-tree", "lib", "/")
        self.page_into(tree)
        for path in archives.tree(tree):
            if debs.is_elf(path):
                run("strip", "--strip-unneeded", path)
            elif path.suffix == ".a":
                run("strip", "--strip-debug", "--enable-deterministic-archives", path)
        parts = self.native + self.in_page
        shutil.copy(self.licences(parts, "tar"), tree)
        for name in ("README.md", "LICENSE", "CHANGELOG.md"):
            shutil.copy(ROOT / name, tree)
        name = f"marrow-{self.version}-linux-{platform.machine()}"
        archives.write_tar_gz(self.output / f"{name}.tar.gz", tree, name, self.epoch)
        self.add(self.output / f"{name}.tar.gz", parts)

    def windows_files(self):
        """Returns the program, the DLL and the import library of a build for Windows; empty if there is none."""
        places = {"marrow.exe": "bin/marrow.exe", "marrow.dll": "bin/marrow.dll", "lib/libmarrow.dll.a": "lib/libmarrow.dll.a"}
        found = {name: self.windows / place for name, place in places.items()} if self.windows else {}
        return found if all(path.exists() for path in found.values()) else {}

    def make_windows_zip(self):
        found = self.windows_files()
        if not found:
            print("  no zip for Windows: marrow.exe and marrow.dll are not there (`make windows` builds them)")
            return
        parts = self.for_windows + self.in_page
        files = {name: path.read_bytes() for name, path in found.items()}  # linked without symbols and times
        files["include/marrow/marrow_c.h"] = (ROOT / "include/marrow/marrow_c.h").read_bytes()
        files["README.txt"] = READ_ME_WINDOWS.format(version=self.version).replace("\n", "\r\n").encode()
        files["LICENSE.txt"] = (ROOT / "LICENSE").read_bytes()
        files[LICENCES] = self.licences(parts, "windows").read_bytes()
        if self.in_page:
            files["share/marrow/viewer.html"] = self.page.read_bytes()
        name = f"marrow-{self.version}-windows-x86_64"
        archives.write_zip(self.output / f"{name}.zip", {f"{name}/{each}": data for each, data in files.items()}, self.epoch)
        self.add(self.output / f"{name}.zip", parts)

    def make_wheels(self):
        scripts, native = ROOT / "scripts", self.licences(self.native, "wheel")
        builds = [(self.build / "lib/libmarrow.so", self.build / "bin/marrow", native, self.native)]
        if found := self.windows_files():
            parts = self.for_windows
            builds.append((found["marrow.dll"], found["marrow.exe"], self.licences(parts, "wheel-windows"), parts))
        for library, program, licences, parts in builds:
            made = run(sys.executable, scripts / "make_wheel.py", "--library", library, "--program", program, "--licences", licences,
                       "--output", self.work / "wheels").split()[-1]
            self.add(pathlib.Path(shutil.copy(made, self.output)), parts)

    def make_blender(self):
        found, parts = self.windows_files(), list(self.native)
        libraries = ["--library", self.build / "lib/libmarrow.so"]
        if found:
            libraries += ["--library", found["marrow.dll"]]
            names = {each["name"] for each in parts}
            parts += [each for each in self.for_windows if each["name"] not in names]
        else:
            print("  the Blender add-on is for Linux only: there is no marrow.dll")
        file = self.output / f"marrow-blender-{self.version}.zip"
        run(sys.executable, ROOT / "scripts/make_blender_addon.py", *libraries, "--licences", self.licences(parts, "blender"), "--output", file)
        self.add(file, parts)

    def make_page(self):
        if not self.in_page:
            print("  no viewer page: it is not built (`make viewer` builds it)")
            return
        file = pathlib.Path(shutil.copy(self.page, self.output / f"marrow-viewer-{self.version}.html"))
        parts = [each for each in self.native if each["name"] not in ("libstdc++", "libgcc", "fmt")] + self.in_page
        shutil.copy(self.licences(parts, "page"), self.output / f"marrow-viewer-{self.version}.licenses.txt")
        self.add(file, parts)

    def finish(self):
        digest = lambda path: hashlib.sha256(path.read_bytes()).hexdigest()
        created = datetime.datetime.fromtimestamp(self.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        commit = run("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD").strip()
        files = {name: (digest(self.output / name), parts) for name, parts in self.made.items()}
        (self.output / f"marrow-{self.version}.spdx.json").write_text(components.sbom(self.version, commit, created, files))
        sums = [f"{digest(path)}  {path.name}\n" for path in sorted(self.output.iterdir())]
        (self.output / "SHA256SUMS").write_text("".join(sums))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--windows", type=pathlib.Path, help="a build for Windows")
    parser.add_argument("--page", type=pathlib.Path, help="the viewer's page")
    packer = Packer(parser.parse_args())
    print(f"Packages in {packer.output}:")
    for make in (packer.make_debs, packer.make_tar, packer.make_windows_zip, packer.make_wheels, packer.make_blender, packer.make_page):
        make()
    packer.finish()


if __name__ == "__main__":
    main()
