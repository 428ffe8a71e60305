# SPDX-License-Identifier: MIT
"""Debian packages of an installed tree: marrow (program), libmarrow1 (C ABI), libmarrow-dev (headers, both libraries)."""
import email.utils
import hashlib
import os
import pathlib
import shutil
import subprocess

from archives import clear_times, tree, write_gzip

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAINTAINER = os.environ.get("DEBFULLNAME", "The Marrow authors") + f" <{os.environ.get('DEBEMAIL', 'marrow@users.noreply.github.com')}>"
ABOUT = """ Reads, checks, edits, converts and writes Havok animations and skeletons of
 Skyrim and Fallout 4, Fallout 4 collision inside NIF files, and Assassin's
 Creed (Anvil) skeletons with their bone modifiers.
"""
PACKAGES = {
    "marrow": dict(section="utils", summary="toolkit for skeletons, animation and collision of games", more=" .\n This package has the program.\n",
                   paths=["usr/bin", "usr/share"], depends="", suggests=""),
    "libmarrow1": dict(section="libs", summary="skeletons, animation and collision of games - C library", more=" .\n This package has the shared library.\n",
                       paths=["usr/lib/*/libmarrow.so.*"], depends="", suggests=""),
    "libmarrow-dev": dict(section="libdevel", summary="skeletons, animation and collision of games - development files",
                          more=" .\n This package has the headers, the static C++ library, and what CMake and\n pkg-config need.\n",
                          paths=["usr/include", "usr/lib/*/libmarrow.so", "usr/lib/*/libmarrow.a", "usr/lib/*/cmake", "usr/lib/*/pkgconfig"],
                          depends="libmarrow1 (= {version}), libglm-dev", suggests=""),
}
# What lintian says and is meant so, with the reason.
OVERRIDES = {
    "marrow": ["# A release of the project itself, not an upload to Debian.", "marrow: initial-upload-closes-no-bugs *"],
    "libmarrow1": ["# A release of the project itself, not an upload to Debian.", "libmarrow1: initial-upload-closes-no-bugs *",
                   "# Symbols are versioned by the ABI number in the name of the library.", "libmarrow1: no-symbols-control-file *"],
    "libmarrow-dev": ["# A release of the project itself, not an upload to Debian.", "libmarrow-dev: initial-upload-closes-no-bugs *"],
}


def copyright_file(components):
    """Returns the licences of everything inside, in Debian's form as far as it goes: texts follow as comments."""
    parts = ["Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: marrow\n",
             "Files: *\nCopyright: The Marrow authors\nLicense: Expat\n" +
             "".join(f" {line}\n" if line else " .\n" for line in (ROOT / "LICENSE").read_text().strip().splitlines())]
    text = "\n".join(parts)
    text += "\nComment: The program and the libraries have these inside, each under its own licence:\n"
    for each in components:
        text += f" {each['name']} {each['version']}: {each['licence']}\n"
    return text + " .\n The texts are in /usr/share/doc/PACKAGE/THIRD-PARTY-LICENSES.txt.gz of this package.\n"


def changelog(package, version, epoch):
    date = email.utils.formatdate(epoch)
    return f"{package} ({version}) unstable; urgency=medium\n\n  * Release {version}. CHANGELOG.md of the project has the changes.\n\n -- {MAINTAINER}  {date}\n"


def shared_dependencies(work, files):
    """Returns what dpkg-shlibdeps finds that ELF files need."""
    folder = work / "shlibdeps"
    (folder / "debian").mkdir(parents=True, exist_ok=True)
    (folder / "debian/control").write_text("Source: marrow\n\nPackage: marrow\nArchitecture: any\n")
    done = subprocess.run(["dpkg-shlibdeps", "-O", *files], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip().removeprefix("shlibs:Depends=")


def is_elf(path):
    return not path.is_symlink() and path.is_file() and path.open("rb").read(4) == b"\x7fELF"


def take(tree_folder, target, patterns):
    for pattern in patterns:
        for path in sorted(tree_folder.glob(pattern)):
            place = target / path.relative_to(tree_folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                shutil.copytree(path, place, symlinks=True)
            else:
                shutil.copy2(path, place, follow_symlinks=False)


def make(package, row, installed, work, version, epoch, components, licences, output):
    folder = work / package
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    take(installed, folder, row["paths"])
    doc = folder / "usr/share/doc" / package
    shutil.rmtree(folder / "usr/share/doc", ignore_errors=True)
    doc.mkdir(parents=True)
    write_gzip(doc / "changelog.gz", changelog("marrow", version, epoch).encode())
    write_gzip(doc / "THIRD-PARTY-LICENSES.txt.gz", licences.encode())
    (doc / "copyright").write_text(copyright_file(components))
    overrides = folder / "usr/share/lintian/overrides" / package
    overrides.parent.mkdir(parents=True)
    overrides.write_text("\n".join(OVERRIDES[package]) + "\n")
    for page in folder.glob("usr/share/man/man*/*.[0-9]"):
        write_gzip(page.with_name(page.name + ".gz"), page.read_bytes())
        page.unlink()
    for path in tree(folder):
        if is_elf(path):
            kind = "--strip-unneeded" if ".so" in path.name else "--strip-all"
            subprocess.run(["strip", kind, "--remove-section=.comment", "--remove-section=.note", path], check=True)
            path.chmod(0o644 if ".so" in path.name else 0o755)
        elif path.suffix == ".a":
            subprocess.run(["strip", "--strip-debug", "--enable-deterministic-archives", path], check=True)
    elf = [path for path in tree(folder) if is_elf(path)]
    depends = [each for each in (shared_dependencies(work, elf) if elf else "", row["depends"].format(version=version)) if each]
    control = folder / "DEBIAN"
    control.mkdir()
    size = sum(path.lstat().st_size for path in tree(folder)) // 1024 + 1
    text = f"Package: {package}\nSource: marrow\nVersion: {version}\nArchitecture: {architecture()}\nMaintainer: {MAINTAINER}\n"
    text = text.replace("Source: marrow\n", "") if package == "marrow" else text
    text += f"Installed-Size: {size}\n" + (f"Depends: {', '.join(depends)}\n" if depends else "")
    text += f"Section: {row['section']}\nPriority: optional\n" + ("Multi-Arch: same\n" if package != "marrow" else "")
    (control / "control").write_text(text + f"Description: {row['summary']}\n{ABOUT}{row['more']}")
    if package == "libmarrow1":
        (control / "shlibs").write_text(f"libmarrow 1 libmarrow1 (>= {version})\n")
        (control / "triggers").write_text("activate-noawait ldconfig\n")
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in tree(folder)
            if not path.is_symlink() and control not in path.parents]
    (control / "md5sums").write_text("".join(sums))
    clear_times(folder, epoch)
    file = output / f"{package}_{version}_{architecture()}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "--build", folder, file], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)})
    return file


def architecture():
    return subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
