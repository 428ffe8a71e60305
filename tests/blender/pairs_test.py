# SPDX-License-Identifier: MIT
"""Paired clips: the tracks that place the actors are curves of the armature objects; float tracks go to their own actor."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from clips import export, import_clip, rig_of, tracks_of
from support import SCRATCH, marrow, run

from marrow_addon import channels, curves

COUNT = 20
TURNED = (0.0, 0.0, 1.0, 0.0)


def saved_pair(name, is_named=True, is_placed=True):
    """Writes a skeleton with a float slot and a paired clip of it."""
    rig = rig_of()
    slots = [marrow.FloatSlot("hkVis:Sword")]
    rig = marrow.Skeleton.new("Root", list(rig), slots, game="skyrim-se")
    folder = SCRATCH / name
    folder.mkdir()
    rig.save(str(folder / "skeleton.hkx"))
    t = numpy.arange(COUNT, dtype=float)[:, None]
    places = {
        "PairedRoot": {"translations": numpy.tile([5.0, 0.0, 0.0], (COUNT, 1))},
        "NPC": {"translations": numpy.concatenate([t * 0.0, t * 0.5, t * 0.0], axis=1)},
        "2_": {
            "translations": numpy.concatenate([t * 0.0, 60.0 - t, t * 0.0], axis=1),
            "rotations": numpy.tile(TURNED, (COUNT, 1)),
        },
    }
    body = tracks_of(rig.names, COUNT)
    tracks = {"PairedRoot": places["PairedRoot"], "NPC": places["NPC"]} if is_placed else {}
    tracks.update(body)
    if is_placed:
        tracks["2_"] = places["2_"]
    tracks.update({"2_" + bone: values for bone, values in body.items()})
    clip = marrow.Clip(tracks, fps=30.0, name=name, game="skyrim-se", annotations=[(0.1, "PairedHit")])
    frames = numpy.array(clip.frames)
    floats = numpy.concatenate([t / 100.0, 1.0 - t / 50.0], axis=1)
    clip.set_frames(frames, floats=floats, fps=30.0)
    clip.track_to_slot = [0, 1]
    clip.annotations = [(0.1, "PairedHit")]
    clip.save(str(folder / "pair.hkx"), max_rotation_error=0.005, max_position_error=0.001)
    return folder / "pair.hkx", folder / "skeleton.hkx"


def place_of(owner, frame):
    bpy.context.scene.frame_set(frame)
    matrix = owner.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    return numpy.array(matrix.translation) / owner.data.marrow.scale, matrix.to_euler().z


def actors_stand_where_the_clip_has_them():
    path, rig = saved_pair("stand")
    made = import_clip(path, rig)
    assert len(made.armatures) == 2
    first, second = made.armatures
    for frame in (0, 10, 19):
        place, _ = place_of(first, frame)
        assert numpy.abs(place - (5.0, 0.5 * frame, 0.0)).max() < 0.01, (frame, place)
        place, turn = place_of(second, frame)
        assert numpy.abs(place - (5.0, 60.0 - frame, 0.0)).max() < 0.01, (frame, place)
        assert abs(abs(turn) - numpy.pi) < 0.01
    for owner, action in zip(made.armatures, made.actions):
        out, report = export(owner, action, "stand-same.hkx")
        assert report.is_original and out.read_bytes() == path.read_bytes()


def places_can_be_edited():
    path, rig = saved_pair("edit")
    made = import_clip(path, rig)
    curve = curves.by_path(made.actions[1])[("location", 0)]
    for point in curve.keyframe_points:
        for each in (point.co, point.handle_left, point.handle_right):
            each[1] += 2.0
    for owner, action in zip(made.armatures, made.actions):
        out, report = export(owner, action, "edited.hkx")
        differences = [each for each in marrow.diff(str(path), str(out)) if each.kind == "track"]
        assert {(each.object, each.field) for each in differences} == {("2_", "position")}, differences
    clip = marrow.load(str(out)).clip
    place = clip.translations[:, clip.track_of("2_")]
    was = marrow.load(str(path)).clip.translations[:, clip.track_of("2_")]
    moved = place - was
    assert numpy.abs(moved - (2.0 / made.armatures[1].data.marrow.scale, 0.0, 0.0)).max() < 0.01, moved[:2]


def floats_go_to_their_own_actor():
    path, rig = saved_pair("floats")
    made = import_clip(path, rig)
    path_of = channels.float_path("hkVis:Sword")
    ends = [curves.by_path(action)[(path_of, 0)].evaluate(19) for action in made.actions]
    assert abs(ends[0] - 0.19) < 1e-3 and abs(ends[1] - 0.62) < 1e-3, ends
    curve = curves.by_path(made.actions[1])[(path_of, 0)]
    for point in curve.keyframe_points:
        for each in (point.co, point.handle_left, point.handle_right):
            each[1] = 0.25
    out, _ = export(made.armatures[0], made.actions[0], "floats.hkx")
    was, now = marrow.load(str(path)).clip.floats, marrow.load(str(out)).clip.floats
    assert numpy.abs(now[:, 1] - 0.25).max() < 1e-3 and numpy.abs(now[:, 0] - was[:, 0]).max() < 1e-4


def pairs_without_places_stand_at_the_origin():
    path, rig = saved_pair("bare", is_placed=False)
    made = import_clip(path, rig)
    assert len(made.armatures) == 2 and not made.actions[0].marrow.has_place
    out, report = export(made.armatures[1], made.actions[1], "bare.hkx")
    assert report.is_original and out.read_bytes() == path.read_bytes()


def all_actions_of_a_pair_are_its_file():
    path, rig = saved_pair("whole")
    made = import_clip(path, rig)
    bpy.context.view_layer.objects.active = made.armatures[0]
    folder = SCRATCH / "whole-out"
    folder.mkdir()
    assert bpy.ops.marrow.export_animation(filepath=str(folder), what="all") == {"FINISHED"}
    assert [each.name for each in folder.iterdir()] == ["pair.hkx"]
    assert (folder / "pair.hkx").read_bytes() == path.read_bytes()


def a_shorter_pair_keeps_both_actors():
    path, rig = saved_pair("short")
    made = import_clip(path, rig)
    made.actions[0].frame_start, made.actions[0].frame_end = 5, 14
    out, _ = export(made.armatures[1], made.actions[1], "short.hkx")
    was, now = marrow.load(str(path)).clip, marrow.load(str(out)).clip
    assert now.frame_count == 10 and now.track_count == was.track_count
    apart = numpy.abs(now.frames[..., :3] - was.frames[5:15, :, :3]).max()
    assert apart < 0.05, apart
    assert numpy.abs(now.floats - was.floats[5:15]).max() < 0.01


if __name__ == "__main__":
    run(
        actors_stand_where_the_clip_has_them,
        places_can_be_edited,
        floats_go_to_their_own_actor,
        pairs_without_places_stand_at_the_origin,
        all_actions_of_a_pair_are_its_file,
        a_shorter_pair_keeps_both_actors,
    )
