# SPDX-License-Identifier: MIT
"""Export of what was made or changed in Blender: new clips, locks, float tracks, lengths, and edited skeletons."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from clips import authored, export, import_clip, rig_of, turn_bone
from support import SCRATCH, angle_between, corpus, marrow, run, seen_pose

from marrow_addon import armature, channels, curves
from marrow_addon.import_animation import ImportOptions, import_file


def a_clip_made_in_blender_is_a_file_of_the_game():
    path, rig = authored("base", rig_of().names, skeleton=True)
    owner = import_clip(path, rig).armatures[0]
    action = bpy.data.actions.new("Wave")
    curves.assign(owner, action)
    for each in owner.pose.bones:  # what is not keyed is written at rest
        each.matrix_basis = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    bone = owner.pose.bones["Bone 2"]
    for frame, turn in ((0, 0.0), (10, 0.4), (20, 0.0)):
        bone.rotation_quaternion = (numpy.cos(turn / 2), numpy.sin(turn / 2), 0.0, 0.0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    action.pose_markers.new("FootRight").frame = 10
    for tracks, count in (("original", 4), ("keyed", 1)):
        for game in ("skyrim-le", "skyrim-se", "fallout4"):
            out, _ = export(owner, action, f"wave-{tracks}-{game}.hkx", tracks=tracks, game=game)
            clip = marrow.load(str(out), skeleton=str(rig)).clip
            assert clip.document.game == game and clip.track_count == count and clip.frame_count == 21
            assert [(round(each.time, 4), each.text) for each in clip.annotations] == [(0.3333, "FootRight")]
            places, turns = seen_pose(owner, rig_of(), 10)
            model = clip.pose(frame=10, space="model")
            assert angle_between(turns, model.rotations.astype(float)).max() < 0.05
            errors = [each for each in marrow.check(out.read_bytes()) if each.level == "error"]
            assert errors == [], errors


def properties_of_existing_files_are_understood():
    path, rig = authored("pyn", rig_of().names, skeleton=True)
    owner = import_clip(path, rig).armatures[0]
    for name in ("source", "source_name"):
        setattr(owner.data.marrow, name, "")
    owner.data.marrow.game = ""
    owner["PYN_HKX_BONES"] = "\n".join(reversed([bone.name for bone in owner.data.bones][2:])) + "\nBone 1\nRoot"
    owner["PYN_HKX_GAME"], owner["PYN_HKX_PTR_SIZE"], owner["PYN_HKX_ADDITIVE"] = "SKYRIM", 4, True
    action = bpy.data.actions.new("Nod")
    curves.assign(owner, action)
    owner.pose.bones["Bone 1"].rotation_quaternion = (0.96, 0.28, 0.0, 0.0)
    owner.pose.bones["Bone 1"].keyframe_insert("rotation_quaternion", frame=0)
    out, _ = export(owner, action, "nod.hkx")
    clip = marrow.load(str(out)).clip
    assert clip.document.game == "skyrim-le" and clip.is_additive and clip.track_count == 4, clip


def what_is_seen_can_be_written():
    path, rig = authored("seen", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner, action = made.armatures[0], made.actions[0]
    out, report = export(owner, action, "seen-same.hkx", motion="seen")
    assert not any(each.size and each.size > 0.02 for each in marrow.diff(str(path), str(out)))
    bone = owner.pose.bones["Bone 2"]
    limit = bone.constraints.new("LIMIT_ROTATION")
    limit.use_limit_x = limit.use_limit_y = limit.use_limit_z = True
    limit.owner_space = "LOCAL"
    out, report = export(owner, action, "seen.hkx", motion="seen")
    assert "Bone 2" in report.changed_bones
    clip = marrow.load(str(out), skeleton=str(rig)).clip
    places, turns = seen_pose(owner, rig_of(), 12)
    assert angle_between(turns, clip.pose(frame=12, space="model").rotations.astype(float)).max() < 0.1


def transforms_of_the_whole_armature_may_be_applied():
    path, rig = authored("applied", rig_of().names, skeleton=True)
    for name, value in (("scale", (2.0, 2.0, 2.0)), ("scale", (0.1, 0.1, 0.1)), ("rotation_euler", (0.3, 0.2, 1.2)), ("location", (3.0, 4.0, 5.0))):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = 30
        made = import_clip(path, rig, root_motion="apart")
        owner, action = made.armatures[0], made.actions[0]
        armature.activate(bpy.context, owner)
        owner.rotation_mode = "XYZ"
        setattr(owner, name, value)
        bpy.ops.object.transform_apply()
        out, report = export(owner, action, "applied.hkx")
        assert report.is_original and out.read_bytes() == path.read_bytes(), name
        again = import_file(bpy.context, path, ImportOptions(), owner).actions[0]  # and what comes now fits what is there now
        places, _ = seen_pose(owner, rig_of(), 7)
        model = marrow.load(str(path), skeleton=str(rig)).clip.pose(frame=7, space="model").translations
        grown = value[0] if name == "scale" else 1.0
        apart = numpy.linalg.norm(places[1:] - places[0], axis=1) / grown - numpy.linalg.norm(model[1:] - model[0], axis=1)
        assert numpy.abs(apart).max() < 1e-3, (name, apart)
        out, report = export(owner, again, "applied-again.hkx")
        assert report.is_original, name
        still = bpy.data.actions.new("Still")
        curves.assign(owner, still)
        for pose in owner.pose.bones:
            pose.matrix_basis = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
        bone = owner.pose.bones["Bone 2"]
        bone.location = (0.5, 0.0, 0.0)
        for frame in (0, 10):
            bone.keyframe_insert("location", frame=frame)
        out, _ = export(owner, still, "applied-new.hkx", lock_translations=False)
        moved = marrow.load(str(out), skeleton=str(rig)).clip.translations[0] - rig_of().rest_pose.translations
        wanted = 0.5 / (owner.data.marrow.scale * grown)
        assert abs(numpy.linalg.norm(moved[2]) - wanted) < 0.01 * wanted, (name, moved, wanted)
        assert numpy.abs(moved[[0, 1, 3]]).max() < 0.01, (name, moved)


def edited_rest_poses_are_no_growth():
    path, rig = authored("stretched", rig_of().names, skeleton=True)
    owner = import_clip(path, rig).armatures[0]
    skeleton = armature.skeleton_of(owner)
    assert armature.drawn_and_growth(owner, skeleton)[1] == 1.0
    armature.activate(bpy.context, owner)
    bpy.ops.object.mode_set(mode="EDIT")
    owner.data.edit_bones["Bone 3"].head.x += 1.0
    bpy.ops.object.mode_set(mode="OBJECT")
    places, growth = armature.drawn_and_growth(owner, skeleton)
    assert growth == 1.0 and numpy.array_equal(places, armature.matrices_now(owner, skeleton))


def lengths_follow_the_frame_range():
    path, rig = authored("length", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    made.actions[0].frame_end = 20
    out, _ = export(made.armatures[0], made.actions[0], "shorter.hkx")
    was, now = marrow.load(str(path)).clip, marrow.load(str(out)).clip
    assert now.frame_count == 21 and abs(now.duration - 20 / was.fps) < 1e-4
    assert numpy.abs(now.frames[:, :, :3] - was.frames[:21, :, :3]).max() < 0.02


def keyed_property(owner, name, values):
    """Gives a custom property of an object a curve."""
    for frame, value in values:
        owner[name] = value
        owner.keyframe_insert(channels.float_path(name), frame=frame)


def float_slots_of_existing_files_get_their_curves():
    path, rig = authored("slots", rig_of().names, skeleton=True)
    owner = import_clip(path, rig).armatures[0]
    owner.data.marrow.source = owner.data.marrow.source_name = owner.data.marrow.game = ""
    owner["PYN_HKX_GAME"], owner["PYN_HKX_PTR_SIZE"] = "SKYRIM", 8
    owner["PYN_HKX_FLOAT_SLOTS"] = "hkVis:Bow;hkFade:Bow"
    action = bpy.data.actions.new("Draw")
    curves.assign(owner, action)
    owner.pose.bones["Bone 1"].keyframe_insert("rotation_quaternion", frame=0)
    owner.pose.bones["Bone 1"].keyframe_insert("rotation_quaternion", frame=10)
    keyed_property(owner, "hkFade:Bow", ((0, 0.0), (10, 1.0)))
    for curve in curves.all_curves(owner.animation_data.action):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    action.pose_markers.new("BowDraw").frame = 5
    out, _ = export(owner, owner.animation_data.action, "slots.hkx")
    clip = marrow.load(str(out)).clip
    assert clip.float_track_count == 1 and clip.track_to_slot == (1,), clip.track_to_slot
    assert numpy.abs(clip.floats[:, 0] - numpy.linspace(0.0, 1.0, 11)).max() < 1e-3, clip.floats
    assert [each.text for each in clip.annotations] == ["BowDraw"] and clip.track_count == 4
    assert [each for each in marrow.check(out.read_bytes()) if each.level == "error"] == []


def locked_rig():
    bones = [marrow.Bone(bone.index, bone.name, bone.parent_index, bone.rest, bone.name == "Bone 2") for bone in rig_of()]
    return marrow.Skeleton.new("Root", bones, game="skyrim-se")


def locked_translations_are_kept():
    """Of an imported clip: a locked bone that was moved keeps what the file had, and export reports it."""
    path, _ = authored("locks", rig_of().names, skeleton=True)
    rig = SCRATCH / "locked-skeleton.hkx"
    locked_rig().save(str(rig))
    made = import_clip(path, rig)
    owner, action = made.armatures[0], made.actions[0]
    assert tuple(owner.pose.bones["Bone 2"].lock_location) == (True, True, True)
    found = curves.by_path(action)
    for bone in ("Bone 2", "Bone 3"):
        curve = found[(channels.bone_path(bone, "location"), 0)]
        for point in curve.keyframe_points:
            point.co[1] += 0.5
            point.handle_left[1] += 0.5
            point.handle_right[1] += 0.5
    turn_bone(action, "Bone 2")
    out, report = export(owner, action, "locked.hkx")
    changes = {(each.object, each.field) for each in marrow.diff(str(path), str(out)) if each.kind == "track"}
    assert changes == {("Bone 2", "rotation"), ("Bone 3", "position")}, changes
    assert len(report.notes) == 1 and "Bone 2" in report.notes[0], report.notes
    out, report = export(owner, action, "unlocked.hkx", lock_translations=False)
    changes = {(each.object, each.field) for each in marrow.diff(str(path), str(out)) if each.kind == "track"}
    assert ("Bone 2", "position") in changes and report.notes == []


def export_skeleton(owner, name):
    bpy.context.view_layer.objects.active = owner
    path = SCRATCH / name
    assert bpy.ops.marrow.export_skeleton(filepath=str(path)) == {"FINISHED"}
    return path


def edited_skeletons_keep_their_ragdoll():
    path = corpus("hkx", "skyrim-se", "skeleton.hkx")
    if not path:
        return
    owner = import_file(bpy.context, path, ImportOptions()).armatures[0]
    assert export_skeleton(owner, "same.hkx").read_bytes() == path.read_bytes()
    bone = "NPC L Finger02 [LF02]"
    owner.data.bones[bone][armature.LOCK] = not owner.data.bones[bone].get(armature.LOCK, False)
    bpy.ops.object.mode_set(mode="EDIT")
    owner.data.edit_bones["MagicEffectsNode"].head.z += 0.5
    owner.data.edit_bones["MagicEffectsNode"].tail.z += 0.5
    added = owner.data.edit_bones.new("Tail 1")
    added.head, added.tail, added.parent = (0, -1, 7), (0, -2, 7), owner.data.edit_bones["NPC Pelvis [Pelv]"]
    bpy.ops.object.mode_set(mode="OBJECT")
    out = export_skeleton(owner, "edited.hkx")
    differences = marrow.diff(str(path), str(out))
    assert {each.object for each in differences} == {bone, "MagicEffectsNode", "Tail 1"}, differences
    before, after = marrow.load(str(path)), marrow.load(str(out))
    assert [each.name for each in after.skeletons] == [each.name for each in before.skeletons] and len(after.skeletons) == 2
    assert after.skeleton["Tail 1"].parent_index == before.skeleton.index_of("NPC Pelvis [Pelv]")
    model = after.skeleton.to_model(after.skeleton.rest_pose).translations[-1]
    assert numpy.abs(model - (0.0, -10.0, 70.0)).max() < 1e-3, model
    assert [each for each in marrow.check(out.read_bytes()) if each.level == "error"] == []


def what_an_edit_loses_is_reported():
    path = corpus("hkx", "skyrim-se", "skeleton.hkx")
    if not path:
        return
    from marrow_addon import skeleton_export

    owner = import_file(bpy.context, path, ImportOptions()).armatures[0]
    bpy.ops.object.mode_set(mode="EDIT")
    owner.data.edit_bones.remove(owner.data.edit_bones["MagicEffectsNode"])
    bpy.ops.object.mode_set(mode="OBJECT")
    out = skeleton_export.export_skeleton(owner, "x.hkx")
    assert "MagicEffectsNode" in out.notes[0] and "ragdoll" in out.notes[0], out.notes
    names = marrow.load(out.data).skeleton.names
    assert "MagicEffectsNode" not in names and len(names) == len(marrow.load(str(path)).skeleton) - 1


if __name__ == "__main__":
    run(
        a_clip_made_in_blender_is_a_file_of_the_game,
        properties_of_existing_files_are_understood,
        what_is_seen_can_be_written,
        transforms_of_the_whole_armature_may_be_applied,
        edited_rest_poses_are_no_growth,
        lengths_follow_the_frame_range,
        float_slots_of_existing_files_get_their_curves,
        locked_translations_are_kept,
        edited_skeletons_keep_their_ragdoll,
        what_an_edit_loses_is_reported,
    )
