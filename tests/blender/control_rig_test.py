# SPDX-License-Identifier: MIT
"""The control rig: it shows clips as they are, moves limbs by controls, and is baked on export."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from clips import export, import_clip
from support import ROOT, SCRATCH, corpus, marrow, run, seen_pose

from marrow_addon import armature, channels, control_plan, control_rig, curves, skeleton_export

sys.path.insert(0, str(ROOT / "tests" / "e2e"))
import bodies as people


def human():
    """Returns a skeleton and a clip that are made here: a walk of a human with Skyrim's names."""
    bones = [(name, parent, marrow.Transform(tuple(float(x) for x in place))) for name, parent, place in people.HUMAN]
    skeleton = marrow.Skeleton.new("NPC Root [Root]", bones, game="skyrim-se")
    path, clip = SCRATCH / "human.hkx", SCRATCH / "human-walk.hkx"
    skeleton.save(str(path))
    frames, _, moves = 31, *people.walk(31, 30)[1:]
    turns = people.walk(31, 30)[1]
    tracks = {name: {"rotations": numpy.array(rows)} for name, rows in turns.items()}
    for name, rows in moves.items():
        base = numpy.array(next(place for label, _, place in people.HUMAN if label == name), float)
        tracks.setdefault(name, {})["translations"] = base + numpy.array(rows)
    assert frames == 31
    marrow.Clip(tracks, skeleton=skeleton, game="skyrim-se", name="walk").save(str(clip), game="skyrim-se", max_rotation_error=0.01)
    return path, clip


def characters():
    """Returns pairs of a skeleton and a clip: one made here, and real ones."""
    out = [human()]
    for skeleton, clip in (("skyrim-se/skeleton.hkx", "skyrim-se/1hm_staggerbacksmallest.hkx"), ("fo4/skeleton.hkx", "fo4/run_forward_to_idle.hkx")):
        pair = corpus("hkx", *skeleton.split("/")), corpus("hkx", *clip.split("/"))
        if all(pair):
            out.append(pair)
    return out


def poses(owner, skeleton, frames):
    return [seen_pose(owner, skeleton, frame) for frame in frames]


def farthest(a, b):
    return max(float(numpy.abs(x[0] - y[0]).max()) for x, y in zip(a, b))


def imported(skeleton, clip, **options):
    out = import_clip(clip, skeleton, root_motion="apart", **options)
    return out.armatures[0], out.actions[0]


def the_rig_shows_a_clip_as_it_is():
    for skeleton_path, clip in characters():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = 30
        owner, action = imported(skeleton_path, clip)
        skeleton = armature.skeleton_of(owner)
        frames = [0, 3, 9, int(action.frame_end)]
        before = poses(owner, skeleton, frames)
        controls = control_rig.add(bpy.context, owner)
        assert len(controls) == 7, controls
        apart = farthest(before, poses(owner, skeleton, frames))
        assert apart < 0.01, (clip.name, apart)
        print(f"{clip.name}: with the rig bones are off by {apart:.5f} units at most")
        path, out = export(owner, action, f"rig-{clip.name}")
        assert out.is_original and path.read_bytes() == clip.read_bytes(), clip.name
        assert skeleton_export.export_skeleton(owner, "skeleton.hkx").data == skeleton_path.read_bytes()
        count = len(owner.data.bones)
        assert control_rig.remove(bpy.context, owner) == 0
        assert len(owner.data.bones) < count and not control_rig.has_rig(owner)
        assert farthest(before, poses(owner, skeleton, frames)) < 1e-4
        path, out = export(owner, action, f"norig-{clip.name}")
        assert out.is_original, clip.name


def move_control(owner, action, name, by):
    """Moves a control by units of the game in all keys."""
    found = curves.by_path(action)
    rest = numpy.array(owner.data.bones[name].matrix_local)[:3, :3]
    above = owner.data.bones[name].parent
    assert above is None or above.name == "CTL Root" or above.name == "CTL Hips"
    step = rest.T @ numpy.array(by) * owner.data.marrow.scale
    for index in range(3):
        curve = found[(channels.bone_path(name, "location"), index)]
        for part in ("co", "handle_left", "handle_right"):
            row = numpy.empty(len(curve.keyframe_points) * 2, numpy.float32)
            curve.keyframe_points.foreach_get(part, row)
            row[1::2] += step[index]
            curve.keyframe_points.foreach_set(part, row)
        curve.update()
    action.update_tag()


def a_control_moves_its_limb_and_export_bakes_it():
    for skeleton_path, clip in characters():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = 30
        owner, action = imported(skeleton_path, clip, control_rig=True)
        assert control_rig.has_rig(owner) and not control_rig.is_edited(owner, action)
        skeleton = armature.skeleton_of(owner)
        plan = control_plan.Plan(owner)
        foot = next(each for each in plan.limbs if each.label == "Foot.L")
        own = {game: index for index, game in enumerate(skeleton.names)}
        lower = {name.lower(): index for name, index in own.items()}
        end, middle = lower[foot.end.lower()], lower[foot.chain[1].lower()]
        other = lower[next(each for each in plan.limbs if each.label == "Foot.R").end.lower()]
        frames = list(range(0, int(action.frame_end) + 1, 5))
        before = poses(owner, skeleton, frames)
        move_control(owner, action, "CTL Foot.L", (0.0, 0.0, 6.0))
        assert control_rig.is_edited(owner, action)
        after = poses(owner, skeleton, frames)
        lifts = [b[0][end] - a[0][end] for a, b in zip(before, after)]
        reached = [lift for lift in lifts if abs(lift[2] - 6.0) < 0.5]
        assert len(reached) * 2 > len(frames), lifts  # a stretched leg cannot reach everywhere
        for a, b in zip(before, after):
            bones = skeleton.parents
            assert abs(numpy.linalg.norm(b[0][end] - b[0][middle]) - numpy.linalg.norm(a[0][end] - a[0][middle])) < 0.02, bones
            assert numpy.abs(b[0][other] - a[0][other]).max() < 0.02
        path, out = export(owner, action, f"edited-{clip.name}")
        assert not out.is_original and skeleton.names[middle] in [n for n in skeleton.names], out.changed_bones
        document = marrow.load(str(path), skeleton=str(skeleton_path))
        made = document.clips[0]
        original = marrow.load(str(clip), skeleton=str(skeleton_path)).clips[0]
        assert made.frame_count == original.frame_count and list(made.track_to_bone) == list(original.track_to_bone)
        hands = [track for track, bone in enumerate(made.track_to_bone) if "Hand" in skeleton.names[bone] or "Head" in skeleton.names[bone]]
        apart = numpy.abs(numpy.asarray(made.frames)[:, hands] - numpy.asarray(original.frames)[:, hands]).max()
        assert apart < 0.01, apart  # limbs that no control moved stay
        assert control_rig.remove(bpy.context, owner) == 1
        assert farthest(after, poses(owner, skeleton, frames)) < 0.01


def further_clips_move_the_controls():
    skeleton_path, clip = human()
    owner, action = imported(skeleton_path, clip, control_rig=True)
    skeleton = armature.skeleton_of(owner)
    before = poses(owner, skeleton, [0, 12])
    second = SCRATCH / "second.hkx"
    second.write_bytes(clip.read_bytes())
    from marrow_addon.import_animation import ImportOptions, import_file

    made = import_file(bpy.context, str(second), ImportOptions(root_motion="apart"), owner).actions[0]
    assert made != action and made.marrow.rig_print and farthest(before, poses(owner, skeleton, [0, 12])) < 0.01


def what_is_no_human_is_refused():
    bones = [("Root", None), ("Tail", "Root", marrow.Transform((0, 0, 5)))]
    path = SCRATCH / "tail.hkx"
    marrow.Skeleton.new("Root", bones, game="skyrim-se").save(str(path))
    assert bpy.ops.marrow.import_files(filepath=str(path)) == {"FINISHED"}
    try:
        bpy.ops.marrow.add_control_rig()
        raise AssertionError("a tail has no arms")
    except RuntimeError as error:
        assert "no arms, legs or spine" in str(error), error


def the_operators_work():
    skeleton_path, clip = human()
    assert bpy.ops.marrow.import_files(filepath=str(skeleton_path)) == {"FINISHED"}
    assert bpy.ops.marrow.import_files(filepath=str(clip), control_rig=True) == {"FINISHED"}
    owner = bpy.context.object
    assert control_rig.has_rig(owner) and len(bpy.data.armatures) == 1
    assert not bpy.ops.marrow.add_control_rig.poll() and bpy.ops.marrow.remove_control_rig.poll()
    assert bpy.ops.marrow.remove_control_rig() == {"FINISHED"}
    assert not control_rig.has_rig(owner)


run(
    the_rig_shows_a_clip_as_it_is,
    a_control_moves_its_limb_and_export_bakes_it,
    further_clips_move_the_controls,
    what_is_no_human_is_refused,
    the_operators_work,
)
