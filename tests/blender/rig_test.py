# SPDX-License-Identifier: MIT
"""Anvil skeletons in Blender: untouched the same bytes, a value or a bone exactly itself, and the live preview."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from support import ROOT, SCRATCH, angle_between, corpus, marrow, run, seen_pose

from marrow_addon import checks, collision_build, curves, live, rig


def value(owner, bone, kind, field):
    modifier = next(each for each in owner.data.marrow.modifiers if each.bone == bone and kind in each.type)
    return next(each for each in modifier.values if each.field == field)


def untouched_skeletons_are_the_same_bytes():
    for parts in (("generic_male.xml",), ("addon_sword.xml",), ("schema", "generic_male.xml"), ("addon_hair_strand.xml",)):
        path = corpus("anvil", *parts)
        if path:
            owner = rig.import_rig(bpy.context, path)
            out = rig.export_rig(owner)
            assert out.is_original and out.data == path.read_bytes(), parts
            skeleton = marrow.load(str(path)).skeleton
            assert [bone.name for bone in owner.data.bones] and len(owner.data.bones) == len(skeleton)


def bones_stand_where_the_skeleton_has_them():
    path = corpus("anvil", "generic_male.xml")
    if path:
        owner = rig.import_rig(bpy.context, path)
        skeleton = marrow.load(str(path)).skeleton
        right = skeleton.to_model(skeleton.rest_pose)
        places, turns = seen_pose(owner, skeleton, 0)
        assert numpy.abs(places - right.translations).max() < 1e-5
        assert angle_between(turns, right.rotations.astype(float)).max() < 1e-3


def a_value_changes_exactly_that():
    path = corpus("anvil", "addon_hair_strand.xml")
    if path:
        owner = rig.import_rig(bpy.context, path)
        value(owner, "T_Hair", "BallJoint", "Mass").number = 2.5
        out = rig.export_rig(owner)
        differences = marrow.diff(str(path), out.data)
        assert len(differences) == 1 and "Mass" in differences[0].field and differences[0].right == "2.5", differences


def a_moved_bone_changes_exactly_that():
    path = corpus("anvil", "generic_male.xml")
    if path:
        owner = rig.import_rig(bpy.context, path)
        skeleton = marrow.load(str(path)).skeleton
        leaf = next(bone for bone in reversed(skeleton.bones) if not skeleton.children(bone) and bone.parent_index > 0)
        bpy.ops.object.mode_set(mode="EDIT")
        bone = owner.data.edit_bones[leaf.name]
        bone.head.z += 0.02
        bone.tail.z += 0.02
        bpy.ops.object.mode_set(mode="OBJECT")
        out = rig.export_rig(owner)
        assert out.changed == [leaf.name], out.changed
        differences = marrow.diff(str(path), out.data)
        assert {each.object for each in differences} == {leaf.name}, differences


def addons_are_merged():
    base, addon = corpus("anvil", "generic_male.xml"), corpus("anvil", "addon_hair_strand.xml")
    if base and addon:
        owner = rig.import_rig(bpy.context, base, [addon])
        merged = marrow.run("rig merge", [("base", str(base)), ("addon", [str(addon)])]).bytes
        assert rig.export_rig(owner).data == merged
        assert "T_Hair" in owner.data.bones and any(each.bone == "T_Hair" for each in owner.data.marrow.modifiers)


def the_preview_follows_a_value():
    base, addon = corpus("anvil", "generic_male.xml"), corpus("anvil", "addon_hair_strand.xml")
    if not base or not addon:
        return
    owner = rig.import_rig(bpy.context, base, [addon])
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, 40
    scene.marrow.wind = (0.0, 6.0, 0.0)
    scene.marrow.live = True
    action = owner.animation_data.action
    assert action is not None and action.name.endswith("(simulated)")
    skeleton = marrow.load(rig.export_rig(owner).data).skeleton
    hair = skeleton.index_of("T_Hair")
    _, before = seen_pose(owner, skeleton, 30)
    value(owner, "T_Hair", "BallJoint", "ConstraintAngle").number = 60.0
    _, after = seen_pose(owner, skeleton, 30)
    print("  moved by", angle_between(before, after).max(), "degrees")
    assert angle_between(before[hair], after[hair]) > 0.1
    scene.marrow.live = False
    assert owner.animation_data.action is None and "(simulated)" not in "".join(each.name for each in bpy.data.actions)


def what_the_preview_lacks_is_shown():
    path = corpus("hkx", "skyrim-se", "skeleton.hkx")
    if path:
        from marrow_addon.import_animation import ImportOptions, import_file

        import_file(bpy.context, path, ImportOptions())
        scene = bpy.context.scene
        scene.marrow.live = True
        assert "preset" in scene.marrow.live_note, scene.marrow.live_note
        scene.marrow.preset, scene.marrow.preset_bone = "chain", "SkirtFBone01"
        assert scene.marrow.live_note == "" and bpy.context.object.animation_data.action is not None
        scene.marrow.live = False


def presets_swing_bones_of_any_skeleton():
    path = corpus("hkx", "skyrim-se", "skeleton.hkx")
    if not path:
        return
    from marrow_addon.import_animation import ImportOptions, import_file

    owner = import_file(bpy.context, path, ImportOptions()).armatures[0]
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, 20
    scene.marrow.preset, scene.marrow.preset_bone = "chain", "SkirtFBone01"
    scene.marrow.wind = (0.0, 8.0, 0.0)
    made = live.simulate(bpy.context, owner, None)
    moving = [curve for curve in curves.all_curves(made) if "SkirtFBone01" in curve.data_path and len(curve.keyframe_points) > 1]
    assert moving


def a_finding_is_fixed_by_its_cure():
    text = (ROOT / "examples/anvil/schema/addon_sword.xml").read_text()
    path = SCRATCH / "broken.xml"
    path.write_text(text.replace('Name="ChildBoneCount">2<', 'Name="ChildBoneCount">99<', 1))
    owner = rig.import_rig(bpy.context, path)
    bpy.context.view_layer.objects.active = owner
    kept = owner.data.marrow
    assert bpy.ops.marrow.check() == {"FINISHED"}
    codes = [each.code for each in kept.findings]
    assert "E_CHILDCOUNT" in codes, codes
    kept.active_finding = codes.index("E_CHILDCOUNT")
    assert checks.cure_of(owner) == marrow.Cure("check", {"fix": True})
    assert bpy.ops.marrow.fix() == {"FINISHED"}
    assert "E_CHILDCOUNT" not in [each.code for each in kept.findings]
    assert not [each for each in marrow.check(rig.export_rig(owner).data) if each.code == "E_CHILDCOUNT"]


def shapes_are_named_as_the_library_says():
    class Named:
        type = "MESH"

        class marrow:
            shape = "mesh"

        def __init__(self, name):
            self.name = name

    for name, shape in (("Leg_capsule2", "capsule"), ("Leg.capsule.001", "capsule"), ("box_Crate", "box"), ("Crate", "mesh")):
        assert collision_build.shape_of(Named(name)) == shape, name


def the_main_skeleton_of_several_files_is_the_one_that_merging_finds():
    from marrow_addon.operators import _base_first

    base, sword = (str(ROOT / "examples/anvil" / name) for name in ("generic_male.xml", "addon_sword.xml"))
    assert _base_first([sword, base]) == (base, [sword])
    assert _base_first([base]) == (base, [])


if __name__ == "__main__":
    run(
        a_finding_is_fixed_by_its_cure,
        shapes_are_named_as_the_library_says,
        the_main_skeleton_of_several_files_is_the_one_that_merging_finds,
        untouched_skeletons_are_the_same_bytes,
        bones_stand_where_the_skeleton_has_them,
        a_value_changes_exactly_that,
        a_moved_bone_changes_exactly_that,
        addons_are_merged,
        the_preview_follows_a_value,
        what_the_preview_lacks_is_shown,
        presets_swing_bones_of_any_skeleton,
    )
