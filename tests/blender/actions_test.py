# SPDX-License-Identifier: MIT
"""Many actions and strips, frame ranges, events, rates, curves: what animators expect of an export."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from clips import authored, export, import_clip, rig_of, tracks_of, turn_bone
from support import SCRATCH, angle_between, marrow, run, seen_pose

from marrow_addon import armature, checks, curves, export_file, notes
from marrow_addon.import_animation import ImportOptions, import_file


def keyed(owner, name, first, last, bone="Bone 2"):
    """Makes a new action that moves a bone from one frame to another."""
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    curves.assign(owner, action)
    for each in owner.pose.bones:  # what is not keyed is written at rest
        each.matrix_basis = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    pose = owner.pose.bones[bone]
    for frame, turn in ((first, 0.0), (last, 0.6)):
        pose.rotation_quaternion = (numpy.cos(turn / 2), numpy.sin(turn / 2), 0.0, 0.0)
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    return action


def rejected(**options):
    """Returns what an export is refused with."""
    try:
        outcome = bpy.ops.marrow.export_animation(**options)
    except RuntimeError as error:
        return str(error)
    raise AssertionError(f"nothing was refused: {outcome}")


def frame_ranges_are_respected():
    path, rig = authored("ranges", rig_of().names, skeleton=True)
    owner = import_clip(path, rig).armatures[0]
    action = keyed(owner, "One", 1, 31)
    clip = marrow.load(str(export(owner, action, "one.hkx")[0])).clip
    assert clip.frame_count == 31 and abs(clip.duration - 1.0) < 1e-5, clip
    action = keyed(owner, "Hundred", 50, 250)
    action.use_frame_range, action.frame_start, action.frame_end = True, 100, 200
    action.pose_markers.new("FootLeft").frame = 130
    action.pose_markers.new("Late").frame = 240
    out, report = export(owner, action, "hundred.hkx")
    clip = marrow.load(str(out), skeleton=str(rig)).clip
    assert clip.frame_count == 101, clip
    assert [(round(each.time, 4), each.text) for each in clip.annotations] == [(1.0, "FootLeft")]
    assert any("outside" in note for note in report.notes), report.notes
    _, turns = seen_pose(owner, rig_of(), 100)
    assert angle_between(turns, clip.pose(frame=0, space="model").rotations.astype(float)).max() < 0.1


def keys_outside_the_range_are_noted():
    path, rig = authored("outside", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner, action = made.armatures[0], made.actions[0]
    assert export(owner, action, "inside.hkx")[1].notes == []
    owner.pose.bones["Bone 2"].keyframe_insert("rotation_quaternion", frame=action.frame_end + 20)
    notes = export(owner, action, "outside.hkx")[1].notes
    assert len(notes) == 1 and "0 to 59" in notes[0] and "0 to 39" in notes[0], notes
    action = keyed(owner, "New", 1, 31)
    action.use_frame_range, action.frame_start, action.frame_end = True, 1, 20
    assert any("1 to 31" in each and "1 to 20" in each for each in export(owner, action, "new.hkx")[1].notes)


def moved_locked_bones_are_noted():
    path, rig = authored("locked", rig_of().names, skeleton=True)
    owner = import_clip(path, rig).armatures[0]
    action = keyed(owner, "Held", 1, 31)
    owner.data.bones["Bone 2"]["lock_translation"] = True
    assert export(owner, action, "held.hkx")[1].notes == []
    owner.pose.bones["Bone 2"].location = (0.0, 0.5, 0.0)
    owner.pose.bones["Bone 2"].keyframe_insert("location", frame=15)
    notes = export(owner, action, "moved.hkx")[1].notes
    assert notes == ["Bone 2 keeps its translation: the game takes it from the rest pose"], notes


def the_start_of_an_imported_action_is_respected():
    path, rig = authored("start", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner, action = made.armatures[0], made.actions[0]
    action.frame_start, action.frame_end = 10, 30
    out, report = export(owner, action, "later-start.hkx")
    was, now = marrow.load(str(path)).clip, marrow.load(str(out)).clip
    assert now.frame_count == 21 and not report.is_original
    assert numpy.abs(now.frames[..., :3] - was.frames[10:31, :, :3]).max() < 0.02
    assert [round(each.time, 3) for each in now.annotations] == [round(0.5 - 10 / 30, 3)], now.annotations


def all_actions_are_named_by_action_and_never_collide():
    path, rig = authored("many", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner = made.armatures[0]
    keyed(owner, "Walk", 0, 20)
    run_action = keyed(owner, "Run", 0, 10)
    folder = SCRATCH / "by-action"
    folder.mkdir()
    assert bpy.ops.marrow.export_animation(filepath=str(folder), what="all") == {"FINISHED"}
    assert sorted(each.name for each in folder.iterdir()) == ["Run.hkx", "Walk.hkx", "many.hkx"]
    assert (folder / "many.hkx").read_bytes() == path.read_bytes()
    run_action.name = "WALK"
    text = rejected(filepath=str(folder), what="all")
    assert "'Walk' and 'WALK'" in text or "'WALK' and 'Walk'" in text, text
    other = bpy.data.objects.new("Other", owner.data.copy())
    bpy.context.collection.objects.link(other)
    curves.assign(other, run_action)
    curves.assign(owner, made.actions[0])
    assert bpy.ops.marrow.export_animation(filepath=str(folder), what="all") == {"FINISHED"}


def files_are_called_exactly_like_their_actions():
    for name, wanted in (
        ("Sneak 1HM (left)+2", "Sneak 1HM (left)+2"),
        ("a/b:c", "a_b_c"),
        ("walk. ", "walk._"),
        ("con", "_con"),
        ("LPT1.left", "_LPT1.left"),
        ("console", "console"),
        ("...", ".._"),
    ):
        assert marrow.file_name(name) == wanted, (name, marrow.file_name(name))
    made_path, rig = authored("spaced", rig_of().names, skeleton=True)
    path = made_path.with_name("Idle (1).left.hkx")
    path.write_bytes(made_path.read_bytes())
    made = import_clip(path, rig)
    copy = made.actions[0].copy()  # as people try a variant
    turn_bone(copy, "Bone 2")
    copy.use_fake_user = True
    folder = SCRATCH / "exactly"
    folder.mkdir()
    (folder / "Idle (1).left.hkx.part").write_text("of somebody else")
    assert bpy.ops.marrow.export_animation(filepath=str(folder), what="all") == {"FINISHED"}
    assert sorted(each.name for each in folder.iterdir()) == ["Idle (1).left.001.hkx", path.name, path.name + ".part"]
    assert (folder / path.name).read_bytes() == path.read_bytes()
    changes = {(each.object, each.field) for each in marrow.diff(str(path), str(folder / "Idle (1).left.001.hkx"))}
    assert changes == {("Bone 2", "rotation")}, changes


class Chosen(export_file.ExportFile):
    filename_ext, extensions = ".hkx", (".hkx", ".xml")

    def __init__(self, filepath, suggested):
        self.filepath, self.suggested = filepath, suggested

    def suggestion(self, context):
        return self.suggested


def names_without_an_extension_get_one():
    for typed, suggested, wanted in (
        ("/a/walk", "", "/a/walk.hkx"),
        ("/a/walk.fast", "walk.hkx", "/a/walk.fast.hkx"),
        ("/a/walk.xml", "walk.hkx", "/a/walk.xml"),
        ("/a/walk.HKX", "walk.hkx", "/a/walk.HKX"),
        ("/a/walk", "walk.hkt", "/a/walk.hkt"),
        ("/a/walk.hkt", "walk.hkt", "/a/walk.hkt"),
        ("/a/", "walk.hkx", "/a/"),
    ):
        chosen = Chosen(typed, suggested)
        assert chosen.check(None) == (typed != wanted) and chosen.filepath == wanted, (typed, chosen.filepath)


def a_table_comes_before_writing():
    path, rig = authored("table", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner = made.armatures[0]
    keyed(owner, "Walk", 0, 20)
    folder = SCRATCH / "table"
    folder.mkdir()
    scene = bpy.context.scene.marrow
    scene.folder = str(folder)
    assert bpy.ops.marrow.plan_export() == {"FINISHED"}
    rows = {row.name: row for row in scene.plan}
    assert set(rows) == {"table", "Walk"}
    assert not rows["table"].is_changed and rows["table"].byte_count == path.stat().st_size
    assert rows["table"].degrees == 0.0 and rows["table"].file == "table.hkx"
    assert rows["Walk"].is_changed and 0.0 < rows["Walk"].degrees < 0.1 and rows["Walk"].byte_count > 0
    assert list(folder.iterdir()) == [], "nothing is written"
    assert not any(row.is_there for row in scene.plan)
    (folder / "Walk.hkx").write_text("there already")
    turn_bone(made.actions[0], "Bone 2")
    assert bpy.ops.marrow.plan_export() == {"FINISHED"}
    assert {row.name: row.is_changed for row in scene.plan} == {"table": True, "Walk": True}
    assert {row.name: row.is_there for row in scene.plan} == {"table": False, "Walk": True}


def strips_are_clips():
    path, rig = authored("strips", rig_of().names, skeleton=True)
    owner = import_clip(path, rig).armatures[0]
    walk, nod = keyed(owner, "Walk", 0, 20), keyed(owner, "Nod", 0, 10, "Bone 3")
    walk.pose_markers.new("FootLeft").frame = 10
    curves.assign(owner, None)
    data = owner.animation_data
    for start, action in ((40, walk), (100, nod)):
        track = data.nla_tracks.new()
        strip = track.strips.new(action.name, start, action)
        strip.name = action.name
    data.nla_tracks[0].strips[0].scale = 2.0
    folder = SCRATCH / "strips"
    folder.mkdir()
    assert bpy.ops.marrow.export_animation(filepath=str(folder), what="strips") == {"FINISHED"}
    assert sorted(each.name for each in folder.iterdir()) == ["Nod.hkx", "Walk.hkx"]
    clip = marrow.load(str(folder / "Walk.hkx"), skeleton=str(rig)).clip
    assert clip.frame_count == 41, clip
    turning = [name for name in clip.bone_names if numpy.ptp(clip.rotations[:, name], axis=0).max() > 0.01]
    assert turning == ["Bone 2"], turning
    assert [(round(each.time, 3), each.text) for each in clip.annotations] == [(0.667, "FootLeft")], clip.annotations
    assert not any(track.mute for track in data.nla_tracks)
    out = SCRATCH / "only-strips.hkx"
    assert bpy.ops.marrow.export_animation(filepath=str(out), motion="seen") == {"FINISHED"}
    clip = marrow.load(str(out), skeleton=str(rig)).clip
    assert clip.frame_count == 71, clip
    turning = [name for name in clip.bone_names if numpy.ptp(clip.rotations[:, name], axis=0).max() > 0.01]
    assert turning == ["Bone 2", "Bone 3"], turning
    assert "As Seen" in rejected(filepath=str(out))


def a_strip_of_an_untouched_clip_is_that_clip():
    path, rig = authored("pushed", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner, action = made.armatures[0], made.actions[0]
    curves.assign(owner, None)  # pushed down
    strip = owner.animation_data.nla_tracks.new().strips.new(action.name, 40, action)
    folder = SCRATCH / "pushed"
    folder.mkdir()
    assert bpy.ops.marrow.export_animation(filepath=str(folder), what="strips") == {"FINISHED"}
    assert (folder / "pushed.hkx").read_bytes() == path.read_bytes()
    was = marrow.load(str(path), skeleton=str(rig)).clip
    for name, value in (("scale", 2.0), ("use_reverse", True), ("action_frame_end", 20.0)):
        before = getattr(strip, name)
        setattr(strip, name, value)
        assert bpy.ops.marrow.export_animation(filepath=str(folder), what="strips") == {"FINISHED"}
        clip = marrow.load(str(folder / "pushed.hkx"), skeleton=str(rig)).clip
        same = clip.frame_count == was.frame_count and numpy.abs(clip.rotations - was.rotations).max() < 0.01
        assert not same, (name, clip)
        setattr(strip, name, before)


def what_strips_show_has_their_events_and_way():
    path, rig = authored("shown", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner, action = made.armatures[0], made.actions[0]
    owner.location = (0.0, 0.0, 0.0)
    owner.keyframe_insert("location", frame=0)
    owner.location = (0.0, 3.9, 0.0)
    owner.keyframe_insert("location", frame=39)
    for curve in curves.all_curves(action):
        if curve.data_path == "location":
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
    track = owner.animation_data.nla_tracks.new()
    strip = track.strips.new("Slow", 10, action)
    curves.assign(owner, None)
    strip.scale, strip.repeat = 2.0, 2.0
    out, _ = export(owner, None, "shown.hkx", motion="seen")
    clip = marrow.load(str(out), skeleton=str(rig)).clip
    assert clip.frame_count == 157, clip
    found = [(round(each.time, 3), each.text[:8]) for each in clip.annotations]
    assert found == [(0.2, "FootLeft"), (1.0, "SoundPla"), (2.8, "FootLeft"), (3.6, "SoundPla")], found
    way = clip.root_motion.array
    assert abs(way[39, 1] - 19.5) < 0.01 and abs(way[:, 0]).max() < 1e-3, way[39]


def keys_that_were_all_moved_are_the_clip_at_another_time():
    bones = [marrow.Bone(each.index, each.name, each.parent_index, each.rest, each.name == "Bone 2") for each in rig_of()]
    path, _ = authored("moved-keys", rig_of().names, skeleton=True)
    rig = SCRATCH / "moved-keys-locked.hkx"
    marrow.Skeleton.new("Root", bones, game="skyrim-se").save(str(rig))  # the game does not play the translation of one
    for frames, with_range, with_markers in ((10, True, True), (1, False, True), (-5, True, False)):
        made = import_clip(path, rig)
        owner, action = made.armatures[0], made.actions[0]
        for curve in curves.all_curves(action):
            for point in curve.keyframe_points:
                for each in (point.co, point.handle_left, point.handle_right):
                    each[0] += frames
        action.use_frame_range = with_range
        if with_range:
            action.frame_start, action.frame_end = action.frame_start + frames, action.frame_end + frames
        for marker in action.pose_markers if with_markers else ():
            marker.frame += frames
        out, report = export(owner, action, "moved-keys-out.hkx")
        assert not any("keeps its translation" in note for note in report.notes), report.notes
        if with_markers:
            assert report.is_original and out.read_bytes() == path.read_bytes(), (frames, report)
            continue
        kinds = {each.kind for each in marrow.diff(str(path), str(out))}
        assert kinds == {"event"} and not report.changed_bones, kinds
    made = import_clip(path, rig)  # keys that are gone at the start are not keys that were moved
    action = made.actions[0]
    for curve in curves.all_curves(action):
        while curve.keyframe_points and curve.keyframe_points[0].co[0] < 9.5 and len(curve.keyframe_points) > 1:
            curve.keyframe_points.remove(curve.keyframe_points[0])
    action.frame_start = 10
    out, _ = export(made.armatures[0], action, "fewer-keys-out.hkx")
    was, now = marrow.load(str(path)).clip, marrow.load(str(out)).clip
    assert now.frame_count == was.frame_count - 10
    assert numpy.abs(now.translations - was.translations[10:]).max() < 0.02


def timeline_markers_are_events():
    path, rig = authored("timeline", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner = made.armatures[0]
    scene = bpy.context.scene
    for name, frame in (("FootRight", 5), ("Far", 300)):
        scene.timeline_markers.new(name, frame=frame)
    out, report = export(owner, made.actions[0], "timeline-same.hkx")
    assert report.is_original, "it has events of its own"
    action = keyed(owner, "Walk", 0, 20)
    read = lambda name, **options: [  # noqa: E731
        each.text for each in marrow.load(str(export(owner, action, name, **options)[0])).clip.annotations
    ]
    assert read("timeline-new.hkx") == ["FootRight"]
    assert read("timeline-never.hkx", markers="never") == []
    action.pose_markers.new("FootLeft").frame = 10
    assert read("timeline-own.hkx") == ["FootLeft"]
    assert read("timeline-both.hkx", markers="always") == ["FootRight", "FootLeft"]


def events_are_added_moved_and_removed_in_a_list():
    path, rig = authored("events", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    action, scene = made.actions[0], bpy.context.scene
    from marrow_addon import events

    assert {"FootLeft", "HitFrame"} <= set(events.known_names())
    scene.frame_set(7)
    assert bpy.ops.marrow.add_event(text="HitFrame") == {"FINISHED"}
    assert [(each.name, each.frame) for each in action.pose_markers][-1] == ("HitFrame", 7)
    scene.frame_set(9)
    assert bpy.ops.marrow.retime_event() == {"FINISHED"}
    action.pose_markers.active_index = 0
    assert bpy.ops.marrow.remove_event() == {"FINISHED"}
    out, report = export(made.armatures[0], action, "events.hkx")
    texts = [(round(each.time * 30), each.text[:12]) for each in marrow.load(str(out)).clip.annotations]
    assert sorted(texts) == [(9, "HitFrame"), (15, "SoundPlay.AA")] and report.changed_bones == [], texts


def slow_clip(name, fps):
    """Writes a clip with another rate than the games'."""
    rig = rig_of()
    folder = SCRATCH / name
    folder.mkdir()
    rig.save(str(folder / "skeleton.hkx"))
    clip = marrow.Clip(tracks_of(rig.names, 41), fps=fps, skeleton=rig, game="skyrim-se", name=name)
    clip.save(str(folder / "clip.hkx"), max_rotation_error=0.01)
    return folder / "clip.hkx", folder / "skeleton.hkx"


def frames_of_the_scene_are_frames_of_a_new_clip():
    path, rig = slow_clip("rates", 24.0)
    scene = bpy.context.scene
    scene.render.fps = 24
    assert bpy.ops.marrow.import_files(filepath=str(rig)) == {"FINISHED"}
    assert scene.render.fps == 30, "a skeleton comes with the rate of the games"
    scene.render.fps = 24
    owner = bpy.context.object
    action = keyed(owner, "Wave", 1, 31)
    out, report = export(owner, action, "as-seen.hkx")
    clip = marrow.load(str(out)).clip
    assert clip.frame_count == 31 and abs(clip.fps - 24.0) < 1e-3, clip
    assert any("24 frames per second" in note for note in report.notes), report.notes
    out, report = export(owner, action, "told.hkx", rate=30.0)
    assert marrow.load(str(out)).clip.frame_count == 39 and report.notes == [], report.notes
    assert bpy.ops.marrow.import_files(filepath=str(rig), onto_active=False) == {"FINISHED"}
    assert scene.render.fps == 24, "somebody animates at this rate"


def a_clip_that_is_refused_leaves_the_rate():
    path, _ = slow_clip("refused", 24.0)
    alone = SCRATCH / "refused-alone"
    alone.mkdir()
    (alone / "clip.hkx").write_bytes(path.read_bytes())
    try:
        bpy.ops.marrow.import_files(filepath=str(alone / "clip.hkx"))
    except RuntimeError as error:
        assert "choose it as Skeleton" in str(error), error
    assert bpy.context.scene.render.fps == 30 and not bpy.data.actions


def files_of_other_programs_are_not_written():
    path, rig = authored("extension", rig_of().names, skeleton=True)
    import_clip(path, rig)
    said = rejected(filepath=str(SCRATCH / "clip.fbx"))
    assert "'.fbx'" in said and ".glb" in said and not (SCRATCH / "clip.fbx").exists(), said


def the_scene_takes_the_rate_of_the_clip_or_keeps_its_own():
    path, rig = slow_clip("slow", 24.0)
    scene = bpy.context.scene
    assert bpy.ops.marrow.import_files(filepath=str(path), skeleton=str(rig)) == {"FINISHED"}
    assert scene.render.fps == 24 and scene.render.fps_base == 1.0
    points = [p.co[0] for curve in curves.all_curves(bpy.data.actions[0]) for p in curve.keyframe_points]
    assert all(abs(x - round(x)) < 1e-4 for x in points) and max(points) == 40
    scene.render.fps = 30
    made = import_file(bpy.context, path, ImportOptions(skeleton=str(rig)))
    action = made.actions[0]
    points = [p.co[0] for curve in curves.all_curves(action) for p in curve.keyframe_points]
    assert all(abs(x - round(x)) < 1e-4 for x in points) and max(points) == 50, max(points)
    assert any("whole frames" in note for note in made.notes), made.notes
    owner = made.armatures[0]
    clip = marrow.load(str(path), skeleton=str(rig)).clip
    for frame in (0, 10, 25):
        _, turns = seen_pose(owner, clip.skeleton, frame)
        model = clip.pose(time=frame / 30.0, space="model").rotations.astype(float)
        assert angle_between(turns, model).max() < 0.05
    out, report = export(owner, action, "slow-same.hkx")
    assert report.is_original and out.read_bytes() == path.read_bytes()
    out, report = export(owner, action, "resampled.hkx", rate=30.0)
    again = marrow.load(str(out)).clip
    assert again.frame_count == 51 and abs(again.duration - clip.duration) < 1e-4


def only_moving_channels_get_curves():
    rig = rig_of()
    rig.save(str(SCRATCH / "moving-skeleton.hkx"))
    tracks = {bone.name: [bone.rest] * 20 for bone in rig}
    tracks["Bone 2"] = tracks_of(["Bone 2"], 20)["Bone 2"]
    clip = marrow.Clip(tracks, skeleton=rig, game="skyrim-se")
    path = SCRATCH / "moving.hkx"
    clip.save(str(path), uncompressed=True)  # packed rotations are not exactly at rest
    counts = []
    for only in (False, True):
        made = import_clip(path, SCRATCH / "moving-skeleton.hkx", only_moving=only)
        counts.append(len(curves.all_curves(made.actions[0])))
        out, report = export(made.armatures[0], made.actions[0], "moving-same.hkx")
        assert report.is_original
    assert counts == [40, 7], counts
    turn_bone(made.actions[0], "Bone 2")
    out, report = export(made.armatures[0], made.actions[0], "moving-turned.hkx")
    assert report.changed_bones == ["Bone 2"], report.changed_bones


def locked_bones_are_marked_and_the_root_is_small():
    bones = [marrow.Bone(b.index, b.name, b.parent_index, b.rest, b.name == "Bone 2") for b in rig_of()]
    rig = marrow.Skeleton.new("Root", bones, game="skyrim-se")
    path = SCRATCH / "marked.hkx"
    rig.save(str(path))
    owner = import_file(bpy.context, path, ImportOptions()).armatures[0]
    pose = owner.pose.bones["Bone 2"]
    if hasattr(owner.pose, "bone_groups"):
        assert pose.bone_group.name == "Locked Translation" and owner.pose.bones["Bone 3"].bone_group is None
    else:
        assert "Locked Translation" in [each.name for each in pose.bone.collections]
    size = max(bone.head_local.length for bone in owner.data.bones)
    assert owner.data.bones["Root"].length < 0.2 * size, (owner.data.bones["Root"].length, size)


def notes_are_grouped_and_all_can_be_seen():
    many = [f"Bone {i} keeps its translation: the game takes it from the rest pose" for i in range(9)]
    lines = notes.grouped([*many, "walk: 2 events are left out"])
    assert len(lines) == 2 and "8 more like it" in lines[0], lines
    notes.keep(many)
    assert notes.kept() == many and bpy.ops.marrow.show_notes() == {"FINISHED"}
    notes.keep([])
    assert notes.kept() == []


def an_estimate_belongs_to_its_clip():
    path, rig = authored("estimate", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner = made.armatures[0]
    assert bpy.ops.marrow.estimate() == {"FINISHED"}
    kept = owner.data.marrow
    assert kept.estimate and kept.estimate_of == made.actions[0].name
    other = keyed(owner, "Other", 0, 10)
    assert kept.estimate_of != other.name
    assert checks.is_current(owner) is False
    assert bpy.ops.marrow.check() == {"FINISHED"} and checks.is_current(owner)
    curves.assign(owner, made.actions[0])
    assert not checks.is_current(owner), "findings of one clip are not those of the next"
    assert armature.is_ours(owner)


if __name__ == "__main__":
    run(
        frame_ranges_are_respected,
        keys_outside_the_range_are_noted,
        moved_locked_bones_are_noted,
        the_start_of_an_imported_action_is_respected,
        all_actions_are_named_by_action_and_never_collide,
        files_are_called_exactly_like_their_actions,
        names_without_an_extension_get_one,
        a_table_comes_before_writing,
        strips_are_clips,
        a_strip_of_an_untouched_clip_is_that_clip,
        what_strips_show_has_their_events_and_way,
        keys_that_were_all_moved_are_the_clip_at_another_time,
        timeline_markers_are_events,
        events_are_added_moved_and_removed_in_a_list,
        frames_of_the_scene_are_frames_of_a_new_clip,
        the_scene_takes_the_rate_of_the_clip_or_keeps_its_own,
        a_clip_that_is_refused_leaves_the_rate,
        files_of_other_programs_are_not_written,
        only_moving_channels_get_curves,
        locked_bones_are_marked_and_the_root_is_small,
        notes_are_grouped_and_all_can_be_seen,
        an_estimate_belongs_to_its_clip,
    )
