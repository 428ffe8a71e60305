# SPDX-License-Identifier: MIT
"""The zip that users install, as they install it, into an empty home: an add-on until 4.1, an extension from 4.2 on.

Each step is a Blender of its own, as it is for a user: one installs, the next one starts with what is installed.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback
import zipfile

import bpy

ZIP = os.environ.get("MARROW_ADDON", "")
HOME = pathlib.Path(tempfile.mkdtemp(prefix="marrow-install-"))
IS_EXTENSION = bpy.app.version >= (4, 2, 0)
MODULE = "bl_ext.user_default.marrow" if IS_EXTENSION else "marrow_addon"

#: What the next Blender does with the add-on: a skeleton and a clip made by the package that was installed, imported,
#: exported, and the preferences of the add-on.
USE = f"""
import os, pathlib, sys, bpy
assert "{MODULE}" in bpy.context.preferences.addons, list(bpy.context.preferences.addons.keys())
addon = sys.modules["{MODULE}"]
marrow = sys.modules["{MODULE}.marrow"]
home = pathlib.Path(r"{HOME}")
assert home in pathlib.Path(marrow.__file__).parents, marrow.__file__
assert bpy.context.preferences.addons["{MODULE}"].preferences.units == "blender"
rig = marrow.Skeleton.new("Root", [("Root", None), ("Arm", "Root", marrow.Transform((0, 0, 5)))], game="skyrim-se")
rig.save(str(home / "skeleton.hkx"))
clip = marrow.Clip({{"Arm": {{"translations": [[0, i, 5] for i in range(9)]}}}}, skeleton=rig, game="skyrim-se")
clip.save(str(home / "clip.hkx"))
assert bpy.ops.marrow.import_files(filepath=str(home / "skeleton.hkx")) == {{"FINISHED"}}
assert bpy.ops.marrow.import_files(filepath=str(home / "clip.hkx")) == {{"FINISHED"}}
assert bpy.ops.marrow.export_skeleton(filepath=str(home / "skeleton-again.hkx")) == {{"FINISHED"}}
assert bpy.ops.marrow.export_animation(filepath=str(home / "clip-again.hkx")) == {{"FINISHED"}}
bpy.ops.preferences.addon_disable(module="{MODULE}")
assert not hasattr(bpy.types.Action, "marrow")
print("used", addon.__name__)
"""
INSTALL = f"""
import bpy
assert bpy.ops.preferences.addon_install(filepath=r"{ZIP}") == {{"FINISHED"}}
assert bpy.ops.preferences.addon_enable(module="{MODULE}") == {{"FINISHED"}}
bpy.ops.wm.save_userpref()
"""


def blender(*words):
    """Runs a Blender that has nothing but its empty home. Returns what it prints; fails if it does."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("MARROW_", "PYTHON"))}
    environment.update(HOME=str(HOME), BLENDER_USER_RESOURCES=str(HOME / "blender"), XDG_CONFIG_HOME=str(HOME / "config"))
    done = subprocess.run([bpy.app.binary_path, *words], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, f"blender {' '.join(words)[:200]}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def check_platforms():
    """The manifest names the platforms whose library is in the zip, and no others."""
    with zipfile.ZipFile(ZIP) as archive:
        names = {pathlib.PurePosixPath(each).name for each in archive.namelist()}
        text = archive.read("marrow_addon/blender_manifest.toml").decode()
    platforms = set(re.findall(r'"([^"]+)"', re.search(r"(?m)^platforms = (.*)$", text)[1]))
    held = {platform for name, platform in (("libmarrow.so", "linux-x64"), ("marrow.dll", "windows-x64")) if name in names}
    assert platforms == held and held, (platforms, held)


def main():
    check_platforms()
    if IS_EXTENSION:
        assert "Success" in blender("--command", "extension", "validate", ZIP)
        blender("--command", "extension", "install-file", "--repo", "user_default", "--enable", ZIP)
        assert "marrow" in blender("--command", "extension", "list")
    else:
        blender("-b", "--python-exit-code", "1", "--python-expr", INSTALL)
    out = blender("-b", "--python-exit-code", "1", "--python-expr", USE)
    assert f"used {MODULE}" in out, out
    for name in ("skeleton", "clip"):
        assert (HOME / f"{name}-again.hkx").read_bytes() == (HOME / f"{name}.hkx").read_bytes(), name
    if IS_EXTENSION:
        blender("--command", "extension", "remove", "marrow")
        assert not (HOME / "blender" / "extensions" / "user_default" / "marrow").exists()


if not os.path.isfile(ZIP):
    print("SKIPPED: MARROW_ADDON names no zip; `make blender` makes it")
    sys.exit(0)
try:
    main()
except BaseException:
    traceback.print_exc()
    sys.exit(1)
print(f"ok: the zip is installed and works in Blender {bpy.app.version_string} as {MODULE}")
