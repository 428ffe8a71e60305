#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs the Blender add-on with the Python package and the library into one zip.

The same file is a legacy add-on (Install from File, 3.4 and later) and an extension (Install from Disk, 4.2 and later): a
legacy add-on is a folder in the zip, and an extension may be one, too. The bytes depend on the contents only.
"""
import argparse
import pathlib
import re
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = "marrow_addon"


#: The platform of Blender's manifest for each name of the library.
PLATFORMS = {"libmarrow.so": "linux-x64", "marrow.dll": "windows-x64"}


def manifest(text, libraries):
    """Returns the manifest with the platforms of the libraries that the zip holds, and no others."""
    names = ", ".join(f'"{platform}"' for name, platform in PLATFORMS.items() if name in libraries)
    out, count = re.subn(r"(?m)^platforms = .*$", f"platforms = [{names}]", text)
    if count != 1:
        raise SystemExit("the manifest has no line `platforms`")
    return out


def contents(libraries, licences=None):
    """Returns the files of the add-on: names in the zip, and bytes."""
    out, held = {}, set()
    for path in sorted((ROOT / "blender" / FOLDER).iterdir()):
        if path.suffix in (".py", ".toml"):
            out[f"{FOLDER}/{path.name}"] = path.read_bytes()
    for path in sorted((ROOT / "python" / "marrow").iterdir()):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            out[f"{FOLDER}/marrow/{path.name}"] = path.read_bytes()
    for path in libraries:
        name = "marrow.dll" if path.suffix == ".dll" else "libmarrow.so"
        held.add(name)
        out[f"{FOLDER}/marrow/{name}"] = path.resolve().read_bytes()
    own = f"{FOLDER}/blender_manifest.toml"
    out[own] = manifest(out[own].decode(), held).encode()
    out[f"{FOLDER}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    if licences:
        out[f"{FOLDER}/{licences.name}"] = licences.read_bytes()
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=pathlib.Path, action="append", required=True, help="libmarrow.so, marrow.dll")
    parser.add_argument("--licences", type=pathlib.Path, help="a file with the licences of what is inside")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(options.output, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in contents(options.library, options.licences).items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    print(f"{options.output}: {options.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
