# SPDX-License-Identifier: MIT
"""The zip that users install: with its own package and library, in an empty home of Blender."""
import os
import pathlib
import sys
import tempfile
import traceback

import bpy

ZIP = os.environ.get("MARROW_ADDON", "")
HOME = tempfile.mkdtemp(prefix="marrow-install-")


def main():
    import addon_utils
    import zipfile

    folder = pathlib.Path(HOME) / "addons"
    folder.mkdir()
    with zipfile.ZipFile(ZIP) as archive:
        names = archive.namelist()
        archive.extractall(folder)
    assert "marrow_addon/blender_manifest.toml" in names and "marrow_addon/__init__.py" in names
    os.environ.pop("MARROW_LIBRARY", None)
    sys.path.insert(0, str(folder))
    module = addon_utils.enable("marrow_addon")
    assert module is not None, "the add-on does not start"
    from marrow_addon.package import marrow

    assert marrow.__name__ == "marrow_addon.marrow", marrow.__name__
    skeleton = marrow.Skeleton.new("Root", [("Root", None), ("Arm", "Root", marrow.Transform((0, 0, 5)))], game="skyrim-se")
    path = os.path.join(HOME, "skeleton.hkx")
    skeleton.save(path)
    assert bpy.ops.marrow.import_files(filepath=path) == {"FINISHED"}
    out = os.path.join(HOME, "again.hkx")
    assert bpy.ops.marrow.export_skeleton(filepath=out) == {"FINISHED"}
    assert pathlib.Path(out).read_bytes() == pathlib.Path(path).read_bytes()
    addon_utils.disable("marrow_addon")
    assert not hasattr(bpy.types.Action, "marrow")


if not os.path.isfile(ZIP):
    print("SKIPPED: MARROW_ADDON names no zip; `make blender` makes it")
    sys.exit(0)
try:
    main()
except BaseException:
    traceback.print_exc()
    sys.exit(1)
print(f"ok: the zip works in Blender {bpy.app.version_string}")
