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
    assert tracks == {f"tracks[{clip.track_of(bone)}]"}, tracks
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


if __name__ == "__main__":
    run(
        every_bone_is_where_sample_says,
        game_axes_and_units_are_right_too,
        other_scene_rates_are_right,
        untouched_clips_are_the_same_bytes,
        an_edit_changes_one_bone_and_one_event,
    )
