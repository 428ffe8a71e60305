# SPDX-License-Identifier: MIT
"""Archives in the import: listed as folders, what is chosen is imported as from the disk."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
from clips import authored
from support import SCRATCH, marrow, program, run

from marrow_addon import archive_import, files, record


def packed(name, *options):
    """Returns an archive that holds a skeleton and a clip."""
    clip, skeleton = authored("packed", [f"Bone {i}" for i in range(1, 4)], skeleton=True)
    folder = SCRATCH / f"{name}-data"
    inner = folder / "meshes" / "actors" / "beast"
    (inner / "animations").mkdir(parents=True, exist_ok=True)
    (inner / "character assets").mkdir(exist_ok=True)
    (inner / "animations" / "walk.hkx").write_bytes(clip.read_bytes())
    (inner / "character assets" / "skeleton.hkx").write_bytes(skeleton.read_bytes())
    (inner / "readme.txt").write_text("not for Blender")
    path = SCRATCH / name
    program("archive", "pack", folder, "-o", path, *options)
    return path, clip


def archives_are_listed():
    for name, options in (("a.bsa", ("--to", "skyrim-se")), ("a.ba2", ("--to", "fallout4"))):
        path, _ = packed(name, *options)
        names = [entry for entry, _ in archive_import.entries_of(str(path))]
        assert len(names) == 2 and all(each.endswith(".hkx") for each in names), names
        assert bpy.ops.marrow.import_archive(filepath=str(path)) == {"FINISHED"}
        assert [each.name for each in bpy.context.window_manager.marrow.entries] == names


def what_is_chosen_is_imported():
    path, clip = packed("b.bsa", "--to", "skyrim-se")
    assert bpy.ops.marrow.import_archive(filepath=str(path)) == {"FINISHED"}
    for each in bpy.context.window_manager.marrow.entries:
        each.is_chosen = each.name.endswith("walk.hkx")
    assert bpy.ops.marrow.import_archive(filepath=str(path)) == {"FINISHED"}
    (action,) = bpy.data.actions
    assert record.source_bytes(action.marrow) == clip.read_bytes() and action.marrow.source_name == "walk.hkx"
    assert len(bpy.data.armatures) == 1  # of the skeleton in the archive


def patterns_choose_without_a_list():
    path, _ = packed("c.bsa", "--to", "skyrim-se")
    assert bpy.ops.marrow.import_archive(filepath=str(path), match="*skeleton.hkx") == {"FINISHED"}
    assert len(bpy.data.armatures) == 1 and not bpy.data.actions
    assert bpy.ops.marrow.import_archive(filepath=str(path)) == {"FINISHED"}  # lists
    try:
        bpy.ops.marrow.import_archive(filepath=str(path))
        raise AssertionError("nothing was chosen")
    except RuntimeError as error:
        assert "no file of the archive is chosen" in str(error), error


def the_file_browser_leads_to_the_list():
    path, _ = packed("d.bsa", "--to", "skyrim-se")
    assert files.is_archive(str(path)) and not files.is_archive(str(path / "meshes"))
    assert bpy.ops.marrow.import_files(filepath=str(path)) == {"FINISHED"}
    assert len(bpy.context.window_manager.marrow.entries) == 2
    broken = SCRATCH / "broken.bsa"
    broken.write_bytes(b"BSA\0" + bytes(20))
    try:
        bpy.ops.marrow.import_archive(filepath=str(broken))
        raise AssertionError("a broken archive is an error")
    except RuntimeError as error:
        assert str(error).startswith("Error"), error


run(archives_are_listed, what_is_chosen_is_imported, patterns_choose_without_a_list, the_file_browser_leads_to_the_list)
