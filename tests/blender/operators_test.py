# SPDX-License-Identifier: MIT
"""The operators: import of many, export of all, check, estimate, cancel, errors in words."""
import pathlib
import shutil
import sys
import time
import types

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from clips import authored
from support import SCRATCH, corpus, marrow, program, run, seen_pose

from marrow_addon import batch

#: Options of `collision set-joint` that are the place and the choice of an object in Blender.
JOINT_PLACE = ("block", "joint", "body", "to", "at", "pivot", "axis", "normal")


def folder_of_clips(count):
    path, rig = corpus("hkx", "skyrim-le", "1hm_staggerbacksmallest.hkx"), corpus("hkx", "skyrim-le", "skeleton.hkx")
    if not path or not rig:
        return None, None
    folder = SCRATCH / f"clips{count}"
    folder.mkdir(exist_ok=True)
    for index in range(count):
        shutil.copy(path, folder / f"clip{index:03}.hkx")
    return folder, rig


def import_many(folder, rig, names):
    return bpy.ops.marrow.import_files(
        directory=str(folder), filepath=str(folder / names[0]), files=[{"name": name} for name in names], skeleton=str(rig)
    )


def many_clips_become_actions_of_one_armature_and_go_back():
    folder, rig = folder_of_clips(6)
    if folder is None:
        return
    bpy.context.scene.render.fps = 24
    names = sorted(each.name for each in folder.glob("*.hkx"))
    assert import_many(folder, rig, names) == {"FINISHED"}
    assert bpy.context.scene.render.fps == 30
    assert len(bpy.data.actions) == 6
    out = SCRATCH / "all"
    out.mkdir()
    assert bpy.ops.marrow.export_animation(filepath=str(out), what="all") == {"FINISHED"}
    assert sorted(each.name for each in out.iterdir()) == names
    assert all((out / name).read_bytes() == (folder / name).read_bytes() for name in names)


def check_and_estimate_fill_the_panel():
    path, rig = corpus("hkx", "skyrim-se", "dialogueangrya.hkx"), corpus("hkx", "skyrim-se", "skeleton.hkx")
    if not path or not rig:
        return
    assert bpy.ops.marrow.import_files(filepath=str(path), skeleton=str(rig)) == {"FINISHED"}
    assert bpy.ops.marrow.check() == {"FINISHED"}
    assert bpy.ops.marrow.estimate() == {"FINISHED"}
    kept = bpy.context.object.data.marrow
    assert "bytes" in kept.estimate and "degrees" in kept.estimate and " 0 then" not in kept.estimate, kept.estimate
    finding = kept.findings.add()
    finding.bone = bpy.context.object.data.bones[7].name
    kept.active_finding = len(kept.findings) - 1
    assert bpy.context.object.data.bones.active == bpy.context.object.data.bones[7]


def a_cure_repairs_the_action():
    """The button runs what a finding carries and puts the clip that comes out in the place of the action."""
    path, skeleton = authored("cured", [f"Bone {i}" for i in range(1, 4)], skeleton=True)
    assert bpy.ops.marrow.import_files(filepath=str(path), skeleton=str(skeleton)) == {"FINISHED"}
    owner = bpy.context.object
    action, name = owner.animation_data.action, owner.animation_data.action.name
    assert not bpy.ops.marrow.fix.poll()
    assert bpy.ops.marrow.check() == {"FINISHED"}
    owner.data.marrow.findings.clear()
    finding = owner.data.marrow.findings.add()
    finding.cure = '{"operation": "clip reverse", "options": {}}'
    owner.data.marrow.active_finding = 0
    assert bpy.ops.marrow.fix.poll() and bpy.ops.marrow.fix() == {"FINISHED"}
    made = owner.animation_data.action
    assert made != action and made.name == name and action.name == name + " (before)"
    out, before = SCRATCH / "cured-out.hkx", marrow.load(str(path), skeleton=str(skeleton)).clip
    assert bpy.ops.marrow.export_animation(filepath=str(out)) == {"FINISHED"}
    after = marrow.load(str(out), skeleton=str(skeleton)).clip
    assert abs(numpy.asarray(after.translations)[0] - numpy.asarray(before.translations)[-1]).max() < 0.02
    for operation in ('{"operation": "retarget", "options": {}}', '{"operation": "info", "options": {}}', ""):
        finding = owner.data.marrow.findings.add()
        finding.cure = operation
        owner.data.marrow.active_finding = len(owner.data.marrow.findings) - 1
        assert not bpy.ops.marrow.fix.poll(), operation  # needs more than it carries, or makes no file


def bounds_make_files_smaller():
    path, rig = corpus("hkx", "skyrim-se", "dialogueangrya.hkx"), corpus("hkx", "skyrim-se", "skeleton.hkx")
    if not path or not rig:
        return
    bpy.ops.marrow.import_files(filepath=str(path), skeleton=str(rig))
    out = SCRATCH / "small.hkx"
    assert bpy.ops.marrow.export_animation(
        filepath=str(out), encode=True, max_rotation_error=0.5, max_position_error=0.2, effort="fast"
    ) == {"FINISHED"}
    assert out.stat().st_size < path.stat().st_size
    other = SCRATCH / "other-game.hkx"
    assert bpy.ops.marrow.export_animation(filepath=str(other), game="skyrim-le") == {"FINISHED"}
    assert marrow.load(str(other)).game == "skyrim-le"


def broken_files_are_reported_in_words():
    broken = SCRATCH / "broken.hkx"
    broken.write_bytes(b"no animation at all")
    try:
        outcome = bpy.ops.marrow.import_files(filepath=str(broken))
        text = ""
    except RuntimeError as error:  # Blender raises errors that operators report
        outcome, text = {"CANCELLED"}, str(error)
    assert outcome == {"CANCELLED"} and "broken.hkx" in text, (outcome, text)


def work_can_be_cancelled_between_steps():
    done = []

    def work(steps):
        for index in range(200):
            yield f"clip {index}"
            done.append(index)
            time.sleep(0.001)

    steps = batch.Steps(200, work)
    while steps.done < 3:
        steps.advance(0.0001)
    steps.cancel()
    assert steps.is_over and 1 <= len(done) < 200


def options_come_from_the_description():
    """Every option that is one of an operation has its name, bounds and help, and the unit."""
    rna = lambda name: getattr(bpy.ops.marrow, name).get_rna_type().properties  # noqa: E731
    kept = bpy.types.Object.bl_rna.properties["marrow"].fixed_type.properties
    scene = bpy.types.Scene.bl_rna.properties["marrow"].fixed_type.properties
    owners = {
        "compress": (rna("export_animation"), [each["name"] for each in marrow.descriptions()["compress"]["options"]]),
        "collision build": (rna("export_collision"), ["fit", "radius", "pieces", "hull_vertices", "concavity"]),
        "collision set": (kept, ["material", "layer", "motion", "mass", "friction", "restitution"]),
        "collision add-joint": (rna("add_joint"), ["kind"]),
        "collision set-joint": (
            kept["joint"].fixed_type.properties,
            [each["name"] for each in marrow.descriptions()["collision set-joint"]["options"] if each["name"] not in JOINT_PLACE],
        ),
        "simulate": (scene, ["wind", "gusts", "gravity"]),
    }
    for operation, (properties, names) in owners.items():
        described = {each["name"]: each for each in marrow.descriptions()[operation]["options"]}
        for name in names:
            made, option = properties[name], described[name]
            assert option["help"][1:] in made.description, (operation, name, made.description)
            assert option.get("unit", "") in made.description, (operation, name, made.description)
            if option["type"] in ("number", "integer") and "min" in option:
                assert made.hard_min == option["min"], (operation, name)
            if option["type"] == "choice":
                assert set(option["choices"]) <= set(made.enum_items.keys()), (operation, name)


def collision_and_rigs_go_through_the_same_operator():
    nif, base = corpus("nif", "AlarmClock.nif"), corpus("anvil", "generic_male.xml")
    if nif:
        assert bpy.ops.marrow.import_files(filepath=str(nif)) == {"FINISHED"}
        owner = bpy.data.objects["AlarmClock"]
        bpy.context.view_layer.objects.active = owner
        out = SCRATCH / "again.nif"
        assert bpy.ops.marrow.export_collision(filepath=str(out)) == {"FINISHED"}
        assert out.read_bytes() == nif.read_bytes()
    if base:
        assert bpy.ops.marrow.import_files(filepath=str(base)) == {"FINISHED"}
        out = SCRATCH / "again.xml"
        assert bpy.ops.marrow.export_skeleton(filepath=str(out)) == {"FINISHED"}
        assert out.read_bytes() == base.read_bytes()


def a_ragdoll_of_its_own_is_collision():
    figure, path = pathlib.Path(__file__).parents[2] / "examples/ragdoll", SCRATCH / "ragdoll.hkx"
    program("collision", "ragdoll", figure / "figure.gltf", figure / "figure.csv", "-o", path)
    assert bpy.ops.marrow.import_files(filepath=str(path)) == {"FINISHED"}
    bodies = [each for each in bpy.data.objects if each.type == "MESH"]
    assert len(bodies) == len(marrow.load(str(path)).collision[0].bodies) > 10
    assert not [each for each in bpy.data.objects if each.type == "ARMATURE"]


def made_clip(name, **options):
    """Writes a small skeleton and a clip for it. Returns their paths."""
    rig = marrow.Skeleton.new("Root", [("Root", None), ("Arm", "Root", marrow.Transform((0, 0, 5)))], game="skyrim-se")
    rig.save(str(SCRATCH / "skeleton.hkx"))
    clip = marrow.Clip({"Arm": {"translations": [[0, i * 0.5, 5] for i in range(9)]}}, skeleton=rig, game="skyrim-se")
    clip.save(str(SCRATCH / name), **options)
    return SCRATCH / name, SCRATCH / "skeleton.hkx"


def dropped_files_are_imported():
    """As Blender does it: the handler of the extension is asked, then its operator is invoked with what was dropped."""
    path, rig = made_clip("dropped.hkx")
    if hasattr(bpy.types, "FileHandler"):
        handler = bpy.types.MARROW_FH_files
        assert {".hkx", ".nif", ".xml"} <= set(handler.bl_file_extensions.split(";"))
        area = types.SimpleNamespace(type="VIEW_3D")
        assert handler.poll_drop(types.SimpleNamespace(area=area))
        assert not handler.poll_drop(types.SimpleNamespace(area=types.SimpleNamespace(type="TEXT_EDITOR")))
        assert not handler.poll_drop(types.SimpleNamespace(area=None))
        assert handler.bl_import_operator == "marrow.import_files"
    else:
        assert bpy.app.version < (4, 1, 0)
    files = [{"name": "skeleton.hkx"}, {"name": path.name}]
    outcome = bpy.ops.marrow.import_files(
        "INVOKE_DEFAULT", filepath=str(rig), directory=str(SCRATCH), files=files
    )
    assert outcome == {"FINISHED"} and [each.name for each in bpy.data.actions] == ["dropped"]
    assert len(bpy.data.armatures) == 1 and bpy.context.object.animation_data.action.name == "dropped"


def save_preset(name, operator):
    """Keeps the options of an operator, as its preset menu does. Returns the file."""
    try:
        assert bpy.ops.wm.operator_preset_add(name=name, operator=operator) == {"FINISHED"}
    except RuntimeError as error:
        if "name 'op' is not defined" not in str(error):
            raise
        # Blender 4.3 with Python 3.13, as Debian has it, can save no preset of any operator. Users still load them.
        print("SKIPPED: this Blender saves no presets; one is written by hand")
        used, folder = bpy.context.active_operator, SCRATCH / "scripts" / "presets" / "operator" / "marrow.export_animation"
        lines = [f"op.{each} = {getattr(used.properties, each)!r}" for each in ("max_rotation_error", "game", "encode")]
        (folder / f"{name}.py").write_text("\n".join(["import bpy", "op = bpy.context.active_operator", *lines, ""]))
    found = bpy.utils.preset_paths("operator/marrow.export_animation")
    presets = [each for folder in found for each in pathlib.Path(folder).glob("*.py")]
    assert [each.stem for each in presets] == [name], presets
    return presets[0]


def options_are_kept_as_presets():
    """As the preset menu of the file browser does it: adds one from the operator, and executes it later."""
    path, rig = made_clip("preset.hkx")
    assert bpy.ops.marrow.import_files(filepath=str(path), skeleton=str(rig)) == {"FINISHED"}
    out = str(SCRATCH / "preset-out.hkx")
    bpy.ops.marrow.export_animation("EXEC_DEFAULT", True, filepath=out, encode=True, max_rotation_error=0.75, game="fallout4")
    used = bpy.context.window_manager.operators[-1]
    assert used.bl_idname == "MARROW_OT_export_animation", used.bl_idname
    with bpy.context.temp_override(active_operator=used):
        preset = save_preset("Tight", "MARROW_OT_export_animation")
        text = preset.read_text()
        assert "max_rotation_error = 0.75" in text and "filepath" not in text and "game = 'fallout4'" in text, text
        used.properties.max_rotation_error, used.properties.game = 0.05, "original"
        bpy.ops.script.execute_preset(filepath=str(preset), menu_idname="WM_MT_operator_presets")
        assert abs(used.properties.max_rotation_error - 0.75) < 1e-6 and used.properties.game == "fallout4"


def tagfiles_are_imported():
    path, rig = made_clip("plain.hkx")
    tagged = SCRATCH / "tagged.hkt"
    program("convert", path, "-o", tagged, "--format", "xml-tagfile")
    assert marrow.load(str(tagged)).format == "xml-tagfile"
    assert bpy.ops.marrow.import_files(filepath=str(tagged), skeleton=str(rig)) == {"FINISHED"}
    owner = bpy.context.object
    bpy.context.scene.frame_set(4)
    skeleton = marrow.load(str(rig)).skeleton
    places, _ = seen_pose(owner, skeleton, 4)
    assert abs(places[1][1] - 2.0) < 1e-4, places
    named = SCRATCH / "named.hkx"  # tagfiles are mostly called .hkx
    named.write_bytes(tagged.read_bytes())
    bpy.ops.marrow.import_files(filepath=str(named))
    assert bpy.ops.marrow.export_animation(filepath=str(SCRATCH / "named-again.hkx")) == {"FINISHED"}
    assert (SCRATCH / "named-again.hkx").read_bytes() == named.read_bytes()
    bpy.context.object.animation_data.action = bpy.data.actions["tagged"]
    again, converted = SCRATCH / "again.hkt", SCRATCH / "tagged-as.hkx"
    assert bpy.ops.marrow.export_animation(filepath=str(again)) == {"FINISHED"}
    assert again.read_bytes() == tagged.read_bytes()
    assert bpy.ops.marrow.export_animation(filepath=str(converted)) == {"FINISHED"}
    assert marrow.load(str(converted)).format == "hkx" and marrow.diff(str(path), str(converted)) == []


def skeletons_go_back():
    path = corpus("hkx", "skyrim-se", "skeleton.hkx")
    if path:
        assert bpy.ops.marrow.import_files(filepath=str(path), with_ragdoll=True) == {"FINISHED"}
        kinds = [each for each in bpy.data.objects if each.type == "ARMATURE"]
        assert len(kinds) == 2
        out = SCRATCH / "skeleton.hkx"
        assert bpy.ops.marrow.export_skeleton(filepath=str(out)) == {"FINISHED"}
        assert out.read_bytes() == path.read_bytes()


if __name__ == "__main__":
    run(
        dropped_files_are_imported,
        options_are_kept_as_presets,
        tagfiles_are_imported,
        many_clips_become_actions_of_one_armature_and_go_back,
        check_and_estimate_fill_the_panel,
        a_cure_repairs_the_action,
        bounds_make_files_smaller,
        broken_files_are_reported_in_words,
        work_can_be_cancelled_between_steps,
        options_come_from_the_description,
        collision_and_rigs_go_through_the_same_operator,
        a_ragdoll_of_its_own_is_collision,
        skeletons_go_back,
    )
