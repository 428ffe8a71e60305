# SPDX-License-Identifier: MIT
"""Clips in Blender: what is seen, what goes back untouched, and what an edit changes."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from clips import authored, export, import_clip, lively_bone, rig_of, turn_bone
from support import ANGLE, DISTANCE, SCRATCH, angle_between, corpus, in_model_space, marrow, run, sampled, seen_pose

from marrow_addon import armature, channels, curves
from marrow_addon.import_animation import ImportOptions, import_file

CLIPS = (
    ("skyrim-le", "1hm_staggerbacksmallest", "skeleton"),
    ("skyrim-le", "troll_h2hattackleftd", "skeleton_troll"),
    ("skyrim-se", "bow_drawlight", "skeleton"),
    ("skyrim-se", "dialogueangrya", "skeleton"),
    ("fo4", "Death1", "skeleton"),
    ("fo4", "CoughingAfterCryo", "skeleton"),
)


def fractional(count):
    """Returns frames, whole and between, over the whole clip and around the border of blocks."""
    last = count - 1
    places = {0.0, 0.5, 0.25, last * 0.5, last - 0.25, float(last), 1.125, last // 3 + 0.375}
    places |= {frame for frame in (254.5, 255.0, 255.75, 256.5) if frame < last}
    return sorted(place for place in places if 0 <= place <= last)


def laid_over(rest, delta):
    """Returns an additive pose over the rest pose, from first principles: rest times delta."""
    q = marrow.blender
    turn = rest[:, 3:7] / numpy.linalg.norm(rest[:, 3:7], axis=1, keepdims=True)
    place = rest[:, :3] + q.rotated(turn, rest[:, 7:] * delta[:, :3])
    return numpy.concatenate([place, q.quaternion_product(turn, delta[:, 3:7]), rest[:, 7:] * delta[:, 7:]], axis=1)


def compare(path, skeleton_path, made, step=1.0):
    """Compares every bone with `marrow sample`, in model space, where errors of all parents come together."""
    owner, action = made.armatures[0], made.actions[0]
    curves.assign(owner, action)
    clip = marrow.load(path, skeleton=skeleton_path).clip
    frames = fractional(clip.frame_count)
    expected = sampled(path, skeleton_path, frames)
    skeleton, bones = clip.skeleton, list(clip.track_to_bone)
    rest = skeleton.rest_pose.array.astype(numpy.float64)
    far, off = 0.0, 0.0
    for frame, tracks in zip(frames, expected):
        right = rest.copy()
        right[bones] = laid_over(rest[bones], tracks) if clip.is_additive else tracks
        right_places, right_turns = in_model_space(skeleton.parents, right)
        places, turns = seen_pose(owner, skeleton, frame * step)
        far = max(far, numpy.abs(places - right_places).max())
        off = max(off, angle_between(turns, right_turns).max())
    print(f"  {path.name}: {far:.2g} units, {off:.2g} degrees off")
    assert far < DISTANCE and off < ANGLE, (path.name, far, off)


def edit_and_diff(path, made, name, expect_event=True):
    owner, action = made.armatures[0], made.actions[0]
    bone = lively_bone(owner, action)
    turn_bone(action, bone)
    marker = action.pose_markers[0] if len(action.pose_markers) else None
    if marker is not None:
        marker.frame += 2
    elif expect_event:
        action.pose_markers.new("FootLeft").frame = 3
    out, report = export(owner, action, name)
    assert report.changed_bones == [bone], report.changed_bones
    differences = marrow.diff(str(path), str(out))
    for each in differences:
        print("   ", each)
    tracks = {each.object for each in differences if each.kind == "track"}
    events = [each for each in differences if each.kind == "event"]
    clip = marrow.load(str(path), skeleton=armature.skeleton_of(owner)).clip
    assert tracks in ({f"tracks[{clip.track_of(bone)}]"}, {bone}), tracks
    assert [each.field for each in differences if each.kind == "track"] == ["rotation"], differences
    assert bool(events) == expect_event and len(events) <= 2, events
    assert all(each.kind in ("track", "event") for each in differences), differences


def every_bone_is_where_sample_says():
    for game, clip, skeleton in CLIPS:
        path, rig = corpus("hkx", game, clip + ".hkx"), corpus("hkx", game, skeleton + ".hkx")
        if path and rig:
            compare(path, rig, import_clip(path, rig))


def game_axes_and_units_are_right_too():
    path, rig = corpus("hkx", "skyrim-se", "bow_drawlight.hkx"), corpus("hkx", "skyrim-se", "skeleton.hkx")
    if path and rig:
        for units in ("game", "metre"):
            compare(path, rig, import_clip(path, rig, axes="game", units=units))


def other_scene_rates_are_right():
    path, rig = corpus("hkx", "skyrim-se", "bow_drawlight.hkx"), corpus("hkx", "skyrim-se", "skeleton.hkx")
    if path and rig:
        bpy.context.scene.render.fps = 60
        made = import_clip(path, rig)
        compare(path, rig, made, 2.0)
        out, report = export(made.armatures[0], made.actions[0], "rate.hkx")
        assert report.is_original and out.read_bytes() == path.read_bytes()


def untouched_clips_are_the_same_bytes():
    for game, clip, skeleton in CLIPS:
        path, rig = corpus("hkx", game, clip + ".hkx"), corpus("hkx", game, skeleton + ".hkx")
        if not path or not rig:
            continue
        made = import_clip(path, rig)
        out, report = export(made.armatures[0], made.actions[0], clip + ".hkx")
        assert out.read_bytes() == path.read_bytes() and report.is_original, clip


def an_edit_changes_one_bone_and_one_event():
    for game, clip, skeleton in CLIPS:
        path, rig = corpus("hkx", game, clip + ".hkx"), corpus("hkx", game, skeleton + ".hkx")
        if path and rig:
            edit_and_diff(path, import_clip(path, rig), f"edited-{clip}.hkx")


def additive_clips_lie_over_the_rest_pose_and_stay_additive():
    for blend in ("additive-deprecated", "additive"):
        path, rig = authored(blend, rig_of().names, blend, skeleton=True)
        if marrow.load(str(path)).clip.blend == "normal":
            raise AssertionError("the clip is not additive")
        made = import_clip(path, rig)
        assert made.actions[0].marrow.blend == marrow.load(str(path)).clip.blend
        compare(path, rig, made)
        out, report = export(made.armatures[0], made.actions[0], f"again-{blend}.hkx")
        assert out.read_bytes() == path.read_bytes() and report.is_original
        edit_and_diff(path, made, f"edited-{blend}.hkx")
        assert marrow.load(str(SCRATCH / f"edited-{blend}.hkx")).clip.is_additive


def paired_clips_are_two_armatures():
    names = rig_of().names
    path, rig = authored("paired", [*names, *("2_" + name for name in names)])
    made = import_clip(path, rig)
    assert len(made.armatures) == 2 and len(made.actions) == 2
    tracks = marrow.load(str(path)).clip
    count = len(names)
    frames = fractional(tracks.frame_count)
    for owner, first in zip(made.armatures, (0, count)):
        assert [bone.name for bone in owner.data.bones] == list(names)
        for frame, local in zip(frames, sampled(path, rig, frames)):
            places, turns = seen_pose(owner, rig_of(), frame)
            right_places, right_turns = in_model_space(rig_of().parents, local[first : first + count])
            assert numpy.abs(places - right_places).max() < DISTANCE
            assert angle_between(turns, right_turns).max() < ANGLE
    for owner, action in zip(made.armatures, made.actions):
        out, report = export(owner, action, "paired-again.hkx")
        assert out.read_bytes() == path.read_bytes() and report.is_original
    turn_bone(made.actions[1], "Bone 2")
    made.actions[0].pose_markers[1].frame += 3
    out, report = export(made.armatures[0], made.actions[0], "paired-edited.hkx")
    differences = marrow.diff(str(path), str(out))
    assert {each.object for each in differences if each.kind == "track"} == {"2_Bone 2"}, differences
    events = [each for each in differences if each.kind == "event"]
    assert len(differences) == 3 and len(events) == 2, differences
    assert any("A" * 80 in (each.right or "") for each in events), "the whole text comes back"


def several_clips_share_the_active_armature():
    first, rig = authored("one", rig_of().names, skeleton=True)
    second, _ = authored("two", rig_of().names, skeleton=True)
    made = import_clip(first, rig)
    again = import_file(bpy.context, second, ImportOptions(), onto=made.armatures[0])
    assert not again.armatures and len(bpy.data.armatures) == 1
    for path, action in ((first, made.actions[0]), (second, again.actions[0])):
        out, _ = export(made.armatures[0], action, "shared.hkx")
        assert out.read_bytes() == path.read_bytes()


def root_motion_and_floats_come_along():
    path, rig = corpus("hkx", "fo4", "CoughingAfterCryo.hkx"), corpus("hkx", "fo4", "skeleton.hkx")
    if path and rig:
        made = import_clip(path, rig)
        owner, action = made.armatures[0], made.actions[0]
        bpy.context.scene.frame_set(825)
        right = marrow.load(str(path)).clip.root_motion.array[-1]
        assert numpy.abs(numpy.array(owner.location) / owner.data.marrow.scale - right[:3]).max() < 1e-3
        assert abs(owner.rotation_euler.z - right[3]) < 1e-5
        curve = curves.by_path(action)[("location", 1)]
        curve.keyframe_points[825].co[1] += 1.0
        out, _ = export(owner, action, "root.hkx")
        moved = marrow.load(str(out)).clip.root_motion.array[-1]
        assert abs(moved[1] - right[1] - 10.0) < 1e-2, (moved, right)
    path, rig = corpus("hkx", "skyrim-se", "bow_drawlight.hkx"), corpus("hkx", "skyrim-se", "skeleton.hkx")
    if path and rig:
        made = import_clip(path, rig)
        owner, action = made.armatures[0], made.actions[0]
        clip = marrow.load(str(path), skeleton=str(rig)).clip
        name = clip.float_names[0]
        assert owner[name] == float(clip.alone().floats[0, 0])
        curve = curves.by_path(action)[(channels.float_path(name), 0)]
        curve.keyframe_points[0].co[1] = 0.75
        out, _ = export(owner, action, "floats.hkx")
        assert abs(marrow.load(str(out)).clip.floats[0, 0] - 0.75) < 1e-3


def xml_files_go_both_ways():
    path, rig = authored("plain", rig_of().names, skeleton=True)
    text = SCRATCH / "plain.xml"
    marrow.load(str(path)).save(str(text))
    made = import_clip(text, rig)
    compare(text, rig, made)
    out, report = export(made.armatures[0], made.actions[0], "again.xml")
    assert report.is_original and out.read_bytes() == text.read_bytes()
    out, report = export(made.armatures[0], made.actions[0], "from-xml.hkx")
    assert marrow.load(str(out)).format == "hkx" and marrow.diff(str(text), str(out)) == []


def curves_are_written_faster_than_key_by_key():
    """Prints how much; bench/RESULTS.md has the figure. Both are measured here, in processor time of this run."""
    import time

    path, rig = corpus("hkx", "fo4", "CoughingAfterCryo.hkx"), corpus("hkx", "fo4", "skeleton.hkx")
    if not path or not rig:
        return
    made = import_clip(path, rig)
    owner = made.armatures[0]
    begin = time.process_time()
    again = import_file(bpy.context, path, ImportOptions(), onto=owner)
    bulk = time.process_time() - begin
    kept = sum(len(curve.keyframe_points) for curve in curves.all_curves(again.actions[0]))
    clip = marrow.load(str(path), skeleton=str(rig)).clip
    motion = marrow.blender.to_blender(clip)
    slow = bpy.data.actions.new("slow")
    curves.assign(owner, slow)
    bones = list(range(6))
    begin, inserted = time.process_time(), 0
    for bone in bones:
        pose = owner.pose.bones[motion.bone_names[bone]]
        for frame in range(clip.frame_count):
            pose.location = motion.locations[frame, bone]
            pose.rotation_quaternion = motion.quaternions[frame, bone]
            pose.scale = motion.scales[frame, bone]
            for part in ("location", "rotation_quaternion", "scale"):
                pose.keyframe_insert(part, frame=frame)
            inserted += 1
    every = (time.process_time() - begin) / inserted * clip.track_count * clip.frame_count
    print(f"  {clip.track_count} bones, {clip.frame_count} frames: {bulk:.2f} s ({kept} keys), key by key {every:.1f} s: {every / bulk:.0f} times")
    assert every > 2.0 * bulk


if __name__ == "__main__":
    run(
        every_bone_is_where_sample_says,
        game_axes_and_units_are_right_too,
        other_scene_rates_are_right,
        untouched_clips_are_the_same_bytes,
        an_edit_changes_one_bone_and_one_event,
        additive_clips_lie_over_the_rest_pose_and_stay_additive,
        paired_clips_are_two_armatures,
        several_clips_share_the_active_armature,
        root_motion_and_floats_come_along,
        xml_files_go_both_ways,
        curves_are_written_faster_than_key_by_key,
    )
