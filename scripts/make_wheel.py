#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a wheel of the Python package with the library and the program inside. Needs only the standard library; the same
files give the same bytes.

    make_wheel.py --library LIBRARY --program PROGRAM [--licences FILE] --output FOLDER

The tag follows from the library: `win_amd64` for a DLL; for an ELF file `manylinux_X_Y` with the newest glibc that it or
the program asks for, or `linux` if they need another shared library than glibc's.
"""
import argparse
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIME = (2020, 1, 1, 0, 0, 0)  # of every file in the wheel, so that it does not depend on when it was made
# What manylinux allows to be taken from the system.
GLIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2",
         "ld-linux-aarch64.so.1", "libgcc_s.so.1", "libstdc++.so.6"}
METADATA = """Metadata-Version: 2.1
Name: marrow
Version: {version}
Summary: One toolkit for the bones of games: Havok animation, Fallout 4 collision, Assassin's Creed skeletons
License: MIT
Requires-Python: >=3.10
Provides-Extra: arrays
Requires-Dist: numpy; extra == "arrays"
Description-Content-Type: text/markdown

"""
WHEEL = """Wheel-Version: 1.0
Generator: marrow
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def version():
    return re.search(r"project\(marrow VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def machine(data):
    """Returns the processor of an ELF or PE file, and whether it is a PE file."""
    if data[:2] == b"MZ":
        return "amd64", True
    if data[:4] != b"\x7fELF":
        raise SystemExit("the library is neither an ELF file nor a DLL")
    return {0x3E: "x86_64", 0xB7: "aarch64"}[int.from_bytes(data[18:20], "little")], False


def platform_of(files):
    """Returns the tag of the platform that all files run on."""
    processor, is_windows = machine(files[0].read_bytes())
    if is_windows:
        return "win_amd64"
    newest = (2, 17)
    for file in files:
        printed = subprocess.run(["objdump", "-p", file], check=True, capture_output=True, text=True).stdout
        needed = set(re.findall(r"NEEDED\s+(\S+)", printed))
        if needed - GLIBC:
            print(f"{file.name} needs {', '.join(sorted(needed - GLIBC))}: the wheel is for this system only")
            return f"linux_{processor}"
        for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", printed):
            newest = max(newest, (int(major), int(minor)))
    return f"manylinux_{newest[0]}_{newest[1]}_{processor}"


def contents(library, program):
    """Yields the name, the bytes and the mode of every file of the package."""
    package = ROOT / "python" / "marrow"
    for path in sorted(package.rglob("*")):
        if path.suffix in (".py", ".pyi", ".typed"):
            yield f"marrow/{path.relative_to(package).as_posix()}", path.read_bytes(), 0o644
    is_windows = machine(library.read_bytes())[1]
    yield f"marrow/{'marrow.dll' if is_windows else 'libmarrow.so'}", library.read_bytes(), 0o755
    yield f"marrow/bin/{'marrow.exe' if is_windows else 'marrow'}", program.read_bytes(), 0o755


def stripped(path, folder):
    """Returns a copy without debugging symbols, if there is a tool for that. What is for Windows is linked without any, and
    its tool would write the time into the file."""
    if path.suffix in (".dll", ".exe"):
        return path
    copy = folder / path.name
    try:
        subprocess.run(["strip", "--strip-unneeded", "-o", copy, path], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return path
    return copy


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--licences", type=pathlib.Path, help="a file with the licences of what is inside")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    given = parser.parse_args()
    work = given.output / "stripped"
    work.mkdir(parents=True, exist_ok=True)
    library, program = stripped(given.library.resolve(), work), stripped(given.program.resolve(), work)
    tag = platform_of([library, program])
    info = f"marrow-{version()}.dist-info"
    files = list(contents(library, program))
    files.append((f"{info}/METADATA", (METADATA.format(version=version()) + (ROOT / "docs/python.md").read_text()).encode(), 0o644))
    files.append((f"{info}/WHEEL", WHEEL.format(platform=tag).encode(), 0o644))
    files.append((f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644))
    if given.licences:
        files.append((f"{info}/{given.licences.name}", given.licences.read_bytes(), 0o644))
    rows = []
    for name, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    record = f"{info}/RECORD"
    files.append((record, ("".join(rows) + f"{record},,\n").encode(), 0o644))
    wheel = given.output / f"marrow-{version()}-py3-none-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel)


if __name__ == "__main__":
    sys.exit(main())
