# SPDX-License-Identifier: MIT
"""Clips in Blender: what is seen, what goes back untouched, and what an edit changes."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from support import ANGLE, DISTANCE, SCRATCH, angle_between, corpus, in_model_space, marrow, run, sampled, seen_pose

from marrow_addon import armature, channels, curves
from marrow_addon.export_animation import ExportOptions, write
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


def import_clip(path, skeleton, **options):
    return import_file(bpy.context, path, ImportOptions(skeleton=str(skeleton) if skeleton else "", **options))


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


def export(owner, action, name, **options):
    path = SCRATCH / name
    return path, write(bpy.context, owner, action, ExportOptions(**options), str(path))


def turn_bone(action, bone, degrees=10.0):
    """Turns a bone in all keys, handles too."""
    found = curves.by_path(action)
    rows = [found[(channels.bone_path(bone, "rotation_quaternion"), index)] for index in range(4)]
    half = numpy.radians(degrees) / 2
    w, x = numpy.cos(half), numpy.sin(half)
    for part in ("co", "handle_left", "handle_right"):
        values = []
        for curve in rows:
            row = numpy.empty(len(curve.keyframe_points) * 2, numpy.float32)
            curve.keyframe_points.foreach_get(part, row)
            values.append(row)
        count = max(map(len, values))
        if len({len(row) for row in values}) > 1:
            raise AssertionError("choose a bone all of whose rotation curves move")
        q = [row[1::2].copy() for row in values]
        turned = (w * q[0] - x * q[1], w * q[1] + x * q[0], w * q[2] + x * q[3], w * q[3] - x * q[2])
        for curve, row, new in zip(rows, values, turned):
            row[1::2] = new
            curve.keyframe_points.foreach_set(part, row)
        assert count


def lively_bone(owner, action):
    """Returns a bone whose rotation curves all move."""
    found = curves.by_path(action)
    for bone in owner.data.bones:
        rows = channels.part_curves(found, bone.name, "rotation_quaternion", 4)
        if bone.parent and all(curve is not None and len(curve.keyframe_points) > 1 for curve in rows):
            return bone.name
    raise AssertionError("no bone moves")


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


def rig_of(count=4):
    """Makes a skeleton with odd axes."""
    lean = (0.1825742, 0.3651484, 0.5477226, 0.7302967)
    bones = [("Root", None)]
    bones += [(f"Bone {i}", i - 1, marrow.Transform((1.0 + i, 0.5 * i, 2.0), lean)) for i in range(1, count)]
    return marrow.Skeleton.new("Root", bones, game="skyrim-se")


def tracks_of(names, count=40, size=0.3):
    """Makes lively tracks: every bone turns and moves."""
    t = numpy.linspace(0.0, 2.0, count)[:, None]
    out = {}
    for place, name in enumerate(names):
        turn = size * numpy.sin(t * (1.0 + 0.3 * place) + [[0.0, 1.0, 2.0]])
        q = numpy.concatenate([turn, numpy.ones_like(t)], axis=1)
        q /= numpy.linalg.norm(q, axis=1, keepdims=True)
        moves = numpy.cos(t * (1.0 + place)) * [[0.2, 0.5, 1.0]]
        out[name] = {"translations": moves, "rotations": q}
    return out


def authored(name, names, blend="normal", skeleton=None, **options):
    rig = rig_of()
    rig_path, path = SCRATCH / f"{name}-skeleton.hkx", SCRATCH / f"{name}.hkx"
    rig.save(str(rig_path))
    events = [(0.1, "FootLeft"), (0.5, "SoundPlay." + "A" * 80)]
    clip = marrow.Clip(
        tracks_of(names), skeleton=rig if skeleton else None, blend=blend, annotations=events, game="skyrim-se", name=name
    )
    clip.save(str(path), game="skyrim-se", max_rotation_error=0.01, **options)
    return path, rig_path


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


def lengths_follow_the_frame_range():
    path, rig = authored("length", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    made.actions[0].frame_end = 20
    out, _ = export(made.armatures[0], made.actions[0], "shorter.hkx")
    was, now = marrow.load(str(path)).clip, marrow.load(str(out)).clip
    assert now.frame_count == 21 and abs(now.duration - 20 / was.fps) < 1e-4
    assert numpy.abs(now.frames[:, :, :3] - was.frames[:21, :, :3]).max() < 0.02


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
        a_clip_made_in_blender_is_a_file_of_the_game,
        properties_of_existing_files_are_understood,
        xml_files_go_both_ways,
        what_is_seen_can_be_written,
        lengths_follow_the_frame_range,
        curves_are_written_faster_than_key_by_key,
    )
