# SPDX-License-Identifier: MIT
"""The library's operations as operators: options of the description, a new action, faults in words."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from clips import authored, export, import_clip, rig_of
from names_test import saved_body
from support import SCRATCH, marrow, run

from marrow_addon import clip_operations, curves, export_operators
from marrow_addon.export_animation import ExportOptions, export_action


def rna(name):
    space, _, operator = clip_operations.identifier(name).partition(".")
    return getattr(bpy.ops.marrow, operator)


def shown():
    return bpy.context.object.animation_data.action


def every_operation_has_the_options_of_its_description():
    names = clip_operations.offered()
    assert {"compress", "mirror", "retarget", "clip trim", "clip loop", "clip blend", "clip additive", "clip set-pose", "root-motion extract", "annotations add"} <= set(names), names
    for name in names:
        properties = rna(name).get_rna_type().properties
        assert [o["name"] for o in marrow.descriptions()[name]["options"] if o.get("required") and o["name"] not in properties] == []
        for option in marrow.descriptions()[name]["options"]:
            if option["name"] in clip_operations.options_of(name):
                assert option["help"][1:] in properties[option["name"]].description, (name, option["name"])


def operations_make_a_new_action():
    path, rig = authored("operated", rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner, action = made.armatures[0], made.actions[0]
    assert bpy.ops.marrow.op_clip_trim(from_frame=10, to_frame=20) == {"FINISHED"}
    trimmed = shown()
    assert trimmed != action and trimmed.frame_end == 10, trimmed.frame_end
    out, report = export(owner, trimmed, "op-trimmed.hkx")
    assert report.is_original and marrow.load(str(out)).clip.frame_count == 11
    assert bpy.ops.marrow.op_clip_speed(factor=2.0) == {"FINISHED"}
    assert abs(shown().frame_end - 5.0) < 0.51
    assert bpy.ops.marrow.op_annotations_add(time=0.1, text="HitFrame") == {"FINISHED"}
    assert "HitFrame" in [marker.name for marker in shown().pose_markers]
    assert bpy.ops.marrow.op_compress(max_rotation_error=0.5) == {"FINISHED"}
    frames = shown().frame_end
    assert bpy.ops.marrow.op_clip_join(input_next=action.name) == {"FINISHED"}
    assert round(shown().frame_end - frames) >= 39, shown().frame_end
    assert action.name in bpy.data.actions, "the first one stays"


def long_names_keep_their_ends():
    path, rig = authored("a" * 70, rig_of().names, skeleton=True)
    made = import_clip(path, rig)
    owner, action = made.armatures[0], made.actions[0]
    assert export_operators._jobs(owner, "action", "x.hkx")[0].name == action.name
    assert export_operators._name_of(action) == "a" * 70
    for _ in range(4):
        assert bpy.ops.marrow.op_clip_reverse() == {"FINISHED"}
        assert bpy.ops.marrow.op_mirror() == {"FINISHED"}
        assert len(shown().name.encode()) <= curves.MOST_NAME and " mirror" in shown().name, shown().name
    names = [job.path for job in export_operators._jobs(owner, "all", "/tmp/x.hkx")]
    assert len(names) == 9 and not any(name.endswith(" .hkx") for name in names), names


def bones_are_named_as_they_are_drawn():
    path, rig = saved_body("op-names")
    owner = import_clip(path, rig, naming="blender").armatures[0]
    action = shown()
    was = marrow.load(str(path), skeleton=str(rig)).clip

    def changed(call):
        owner.animation_data.action = action
        assert call() == {"FINISHED"}
        out, _ = export(owner, shown(), "op-named.hkx")
        now = marrow.load(str(out), skeleton=str(rig)).clip
        moved = numpy.abs(now.rotations - was.rotations).max(axis=(0, 2)) > 0.01
        return [name for name, is_moved in zip(now.bone_names, moved) if is_moved], now

    assert changed(lambda: bpy.ops.marrow.op_clip_offset(bone="Forearm.L", turn=(20.0, 0.0, 0.0)))[0] == ["NPC L Forearm [LLar]"]
    assert changed(lambda: bpy.ops.marrow.op_clip_offset(bone="NPC Head [Head]", turn=(20.0, 0.0, 0.0)))[0] == ["NPC Head [Head]"]
    for pattern in ("Hand.L, Hand.R", "Hand.*", "NPC * Hand*"):
        owner.animation_data.action = action
        assert bpy.ops.marrow.op_clip_tracks(keep=pattern) == {"FINISHED"}
        data = export_action(bpy.context, owner, shown(), ExportOptions()).data
        assert marrow.load(data, skeleton=str(rig)).clip.bone_names == ("NPC L Hand [LHnd]", "NPC R Hand [RHnd]"), pattern


def a_pose_is_a_frame_or_another_action():
    path, rig = authored("op-pose", rig_of().names, skeleton=True)
    owner = import_clip(path, rig).armatures[0]
    first = shown()
    still = []
    for reference in ("rest", "10", first.name):
        owner.animation_data.action = first
        assert bpy.ops.marrow.op_clip_additive(input_reference=reference) == {"FINISHED"}
        assert shown().marrow.blend == "additive-deprecated"
        data = export_action(bpy.context, owner, shown(), ExportOptions()).data
        rotations = marrow.load(data, skeleton=str(rig)).clip.rotations
        still.append([frame for frame in (0, 10) if numpy.abs(rotations[frame, :, :3]).max() < 0.01])
    assert still == [[], [10], [0]], still
    owner.animation_data.action = first
    assert bpy.ops.marrow.op_clip_set_pose(input_pose=first.name, from_frame=20, to_frame=25) == {"FINISHED"}


def mirror_and_retarget_know_the_armatures():
    path, rig = saved_body("op-mirror")
    made = import_clip(path, rig)
    owner = made.armatures[0]
    assert bpy.ops.marrow.op_mirror() == {"FINISHED"}
    out, _ = export(owner, shown(), "op-mirrored.hkx")
    was, now = marrow.load(str(path), skeleton=str(rig)).clip, marrow.load(str(out), skeleton=str(rig)).clip
    wanted = was.mirror()
    assert numpy.abs(numpy.abs(now.rotations) - numpy.abs(wanted.rotations)).max() < 0.01
    other = import_clip(path, rig).armatures[0]
    bpy.context.view_layer.objects.active = owner
    assert bpy.ops.marrow.op_retarget(input_to=other.name) == {"FINISHED"}
    assert other.animation_data.action.name.endswith("retarget")


def tracks_of_another_armature():
    path, rig = authored("like", ["Bone 1", "Bone 2"], skeleton=True)
    small = import_clip(path, rig).armatures[0]
    larger = marrow.Skeleton.new("Root", [*rig_of(), ("Bone 4", 3, marrow.Transform((0.0, 1.0, 0.0)))], game="skyrim-se")
    other_path = SCRATCH / "larger-skeleton.hkx"
    larger.save(str(other_path))
    other = import_clip(other_path, None).armatures[0]
    bpy.context.view_layer.objects.active = small
    assert bpy.ops.marrow.op_clip_tracks(input_like=other.name) == {"FINISHED"}
    action = other.animation_data.action
    data = export_action(bpy.context, other, action, ExportOptions()).data
    assert marrow.load(data, skeleton=larger).clip.track_count == 5, action.name


def what_is_refused_is_reported_in_words():
    path, rig = authored("op-words", rig_of().names, skeleton=True)
    import_clip(path, rig)
    for call in (
        lambda: bpy.ops.marrow.op_clip_trim(from_event="NoSuchEvent"),
        lambda: bpy.ops.marrow.op_clip_offset(bone="No Such Bone", turn=(10.0, 0.0, 0.0)),
        lambda: bpy.ops.marrow.op_retarget(),
        lambda: bpy.ops.marrow.op_root_motion_extract(),
    ):
        try:
            call()
        except RuntimeError as error:
            assert "Traceback" not in str(error) and len(str(error)) > 10, error
        else:
            raise AssertionError("nothing was refused")
    assert len(bpy.data.actions) == 1


def work_stops_when_it_is_told_to():
    path, rig = authored("op-stop", rig_of().names, skeleton=True)
    work = clip_operations._Work("compress", [("clip", str(path))], {"effort": "best"})
    work.is_stopped = True
    work.run()
    assert isinstance(work.error, marrow.CancelledError), work.error


if __name__ == "__main__":
    run(
        every_operation_has_the_options_of_its_description,
        operations_make_a_new_action,
        long_names_keep_their_ends,
        bones_are_named_as_they_are_drawn,
        a_pose_is_a_frame_or_another_action,
        mirror_and_retarget_know_the_armatures,
        tracks_of_another_armature,
        what_is_refused_is_reported_in_words,
        work_stops_when_it_is_told_to,
    )
