# SPDX-License-Identifier: MIT
"""Names of bones: the game's, Blender's, and those of other add-ons; and clips on armatures that they fit, or do not."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy
from clips import export, import_clip, tracks_of
from support import SCRATCH, angle_between, corpus, marrow, run, seen_pose

from marrow_addon import armature, channels, curves
from marrow_addon.import_animation import ImportOptions, import_file

#: A small body with the names of Skyrim's.
BONES = (
    ("NPC Root [Root]", None, (0, 0, 0)),
    ("NPC COM [COM ]", 0, (0, 0, 68)),
    ("NPC Spine [Spn0]", 1, (0, -2, 6)),
    ("NPC L UpperArm [LUar]", 2, (-12, 0, 20)),
    ("NPC L Forearm [LLar]", 3, (-15, 1, -12)),
    ("NPC L Hand [LHnd]", 4, (-12, 2, -10)),
    ("NPC R UpperArm [RUar]", 2, (12, 0, 20)),
    ("NPC R Forearm [RLar]", 6, (15, 1, -12)),
    ("NPC R Hand [RHnd]", 7, (12, 2, -10)),
    ("NPC Head [Head]", 2, (0, 1, 30)),
    ("Weapon", 8, (3, 0, 1)),
    ("AnimObjectL", 5, (1, 0, 0)),
    ("AnimObjectR", 8, (1, 0, 0)),
)


def body(bones=BONES, game="skyrim-se"):
    turn = (0.1825742, 0.3651484, 0.5477226, 0.7302967)
    rows = [(name, parent, marrow.Transform(tuple(map(float, place)), turn)) for name, parent, place in bones]
    return marrow.Skeleton.new("NPC Root [Root]", rows, game=game)


def still_tracks(skeleton, count=20):
    """Makes tracks that turn every bone and leave it where it is at rest, as the games' clips do."""
    out = tracks_of(skeleton.names, count)
    for bone in skeleton:
        out[bone.name]["translations"] = numpy.tile(bone.rest.translation, (count, 1))
    return out


def saved_body(name, bones=BONES):
    """Writes a skeleton and a clip of it into a folder of their own."""
    folder = SCRATCH / name
    folder.mkdir()
    rig = body(bones)
    rig.save(str(folder / "skeleton.hkx"))
    clip = marrow.Clip(still_tracks(rig), skeleton=rig, game="skyrim-se", name=name, annotations=[(0.1, "FootLeft")])
    clip.save(str(folder / "clip.hkx"), max_rotation_error=0.01)
    return folder / "clip.hkx", folder / "skeleton.hkx"


#: How another add-on calls the bones.
PYN = {
    "NPC Root [Root]": "NPC Root",
    "NPC COM [COM ]": "NPC COM",
    "NPC Spine [Spn0]": "NPC Spine",
    "NPC L UpperArm [LUar]": "NPC UpperArm.L",
    "NPC L Forearm [LLar]": "NPC Forearm.L",
    "NPC L Hand [LHnd]": "NPC Hand.L",
    "NPC R UpperArm [RUar]": "NPC UpperArm.R",
    "NPC R Forearm [RLar]": "NPC Forearm.R",
    "NPC R Hand [RHnd]": "NPC Hand.R",
    "NPC Head [Head]": "NPC Head",
    "Weapon": "Weapon",
    "AnimObjectL": "AnimObject.L",
    "AnimObjectR": "AnimObject.R",
}


def foreign_armature(skeleton, names=PYN, with_list=True):
    """Makes an armature as another add-on does: renamed bones, and its published properties."""
    data = bpy.data.armatures.new("Scene Root")
    owner = bpy.data.objects.new("Scene Root", data)
    bpy.context.collection.objects.link(owner)
    bpy.context.view_layer.objects.active = owner
    owner.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    model = skeleton.to_model(skeleton.rest_pose)
    made = {}
    for bone in reversed(list(skeleton)):  # Blender's order says nothing
        drawn = data.edit_bones.new(names[bone.name])
        x, y, z, w = model.rotations[bone.index].tolist()
        from mathutils import Quaternion, Vector

        drawn.head = Vector(model.translations[bone.index].tolist())
        matrix = Quaternion((w, x, y, z)).to_matrix()
        drawn.tail = drawn.head + matrix.col[1] * 3.0
        drawn.align_roll(matrix.col[2])
        made[bone.index] = drawn
    for bone in skeleton:
        if bone.parent_index >= 0:
            made[bone.index].parent = made[bone.parent_index]
    bpy.ops.object.mode_set(mode="OBJECT")
    owner["PYN_RENAME_BONES"], owner["PYN_HKX_GAME"], owner["PYN_HKX_PTR_SIZE"] = True, "SKYRIMSE", 8
    if with_list:
        owner["PYN_HKX_BONES"] = "\n".join(skeleton.names)
    return owner


def wave(owner, bone):
    """Gives an armature a new action that turns one bone."""
    action = bpy.data.actions.new("Wave")
    curves.assign(owner, action)
    pose = owner.pose.bones[bone]
    pose.rotation_mode = "QUATERNION"
    for frame, turn in ((1, 0.0), (16, 0.4), (31, 0.0)):
        pose.rotation_quaternion = (numpy.cos(turn / 2), numpy.sin(turn / 2), 0.0, 0.0)
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    return action


def error_of(call):
    try:
        call()
    except marrow.Error as error:
        return error
    raise AssertionError("nothing was refused")


def renamed_bones_of_other_add_ons_are_mapped_back():
    rig = body()
    owner = foreign_armature(rig)
    action = wave(owner, "NPC Forearm.R")
    out, _ = export(owner, action, "renamed.hkx")
    clip = marrow.load(str(out), skeleton=rig).clip
    assert clip.track_count == len(BONES) and clip.frame_count == 31, clip
    assert clip.bone_names == rig.names and clip.track_to_bone == tuple(range(len(BONES)))
    turning = [name for name in rig.names if numpy.ptp(clip.rotations[:, name], axis=0).max() > 0.01]
    assert turning == ["NPC R Forearm [RLar]"], turning
    still = clip.frames[0, :, :3] - rig.rest_pose.translations
    assert numpy.abs(still).max() < 0.02, numpy.abs(still).max()


def renamed_by_rule(name):
    """Renames a bone of a game as another add-on does."""
    side = re.fullmatch(r"NPC ([LR]) (.+?) \[.*\]|([LR])((?:Arm|Leg)_.+)", name)
    if side:
        return f"NPC {side[2]}.{side[1]}" if side[1] else f"{side[4]}.{side[3]}"
    middle = re.fullmatch(r"(NPC .+?) \[.*\]", name)
    return middle[1] if middle else name


def all_bones_of_the_games_skeletons_are_mapped_back():
    for folder, game, bone, name in (
        ("skyrim-le", "SKYRIM", "NPC R Forearm [RLar]", "1hm_staggerbacksmallest.hkx"),
        ("skyrim-se", "SKYRIMSE", "NPC R Forearm [RLar]", "1hm_staggerbacksmallest.hkx"),
        ("fo4", "FO4", "RArm_ForeArm1", "run_forward_to_idle.hkx"),
    ):
        path, clip_path = corpus("hkx", folder, "skeleton.hkx"), corpus("hkx", folder, name)
        if not path or not clip_path:
            continue
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = 30
        rig = marrow.load(str(path)).skeleton
        names = {each: renamed_by_rule(each) for each in rig.names}
        owner = foreign_armature(rig, names)
        owner["PYN_HKX_GAME"], owner["PYN_HKX_PTR_SIZE"] = game, 4 if folder == "skyrim-le" else 8
        out, _ = export(owner, wave(owner, names[bone]), f"whole-{folder}.hkx")
        clip = marrow.load(str(out), skeleton=rig).clip
        assert clip.bone_names == rig.names and clip.track_count == len(rig), (folder, clip)
        turning = [each for each in rig.names if numpy.ptp(clip.rotations[:, each], axis=0).max() > 0.01]
        assert turning == [bone], (folder, turning)
        made = import_file(bpy.context, clip_path, ImportOptions(), owner)
        assert len(bpy.data.armatures) == 1, folder
        places, _ = seen_pose(owner, rig, 10)
        assert numpy.abs(places - marrow.load(str(clip_path), skeleton=rig).clip.pose(frame=10, space="model").translations).max() < 1e-3
        out, _ = export(owner, made.actions[0], f"whole-again-{folder}.hkx")
        assert out.read_bytes() == clip_path.read_bytes(), folder


def what_cannot_be_mapped_is_refused_by_name():
    rig = body()
    owner = foreign_armature(rig)
    action = wave(owner, "NPC Forearm.R")
    owner.data.bones["NPC Forearm.L"].name = "Elbow"
    error = error_of(lambda: export(owner, action, "refused.hkx"))
    assert "NPC L Forearm [LLar]" in str(error) and "1 of 13" in str(error), error
    assert not (SCRATCH / "refused.hkx").exists()


def without_a_list_of_bones_the_skeleton_is_asked_for():
    clip_path, rig_path = saved_body("asked")
    owner = foreign_armature(body(), with_list=False)
    action = wave(owner, "NPC Hand.L")
    error = error_of(lambda: export(owner, action, "no-list.hkx"))
    assert "PYN_RENAME_BONES" in str(error) and "skeleton" in str(error), error
    out, _ = export(owner, action, "listed.hkx", skeleton=str(rig_path))
    clip = marrow.load(str(out), skeleton=str(rig_path)).clip
    turning = [name for name in clip.bone_names if numpy.ptp(clip.rotations[:, name], axis=0).max() > 0.01]
    assert turning == ["NPC L Hand [LHnd]"], turning


def clips_go_onto_armatures_of_other_add_ons_and_back():
    clip_path, rig_path = saved_body("onto")
    owner = foreign_armature(body())
    made = import_file(bpy.context, clip_path, ImportOptions(), owner)
    assert made.armatures == [] and len(bpy.data.armatures) == 1
    clip = marrow.load(str(clip_path), skeleton=str(rig_path)).clip
    for frame in (0, 7, 12.5):
        places, turns = seen_pose(owner, clip.skeleton, frame)
        model = clip.pose(frame=frame, space="model")
        assert numpy.abs(places - model.translations).max() < 1e-2
        assert angle_between(turns, model.rotations.astype(float)).max() < 1e-2
    out, report = export(owner, made.actions[0], "onto.hkx")
    assert report.is_original and out.read_bytes() == clip_path.read_bytes()


def blenders_names_mirror_and_go_back():
    clip_path, rig_path = saved_body("mirrored")
    made = import_clip(clip_path, rig_path, naming="blender")
    owner, action = made.armatures[0], made.actions[0]
    assert {"UpperArm.L", "UpperArm.R", "AnimObject.L", "Head", "Weapon"} <= set(owner.data.bones.keys())
    assert owner.data.bones["UpperArm.L"][armature.GAME_NAME] == "NPC L UpperArm [LUar]"
    bpy.ops.object.mode_set(mode="POSE")
    for pose in owner.pose.bones:  # selection is the pose bone's from 5.0 on
        (pose if hasattr(pose, "select") else pose.bone).select = pose.name == "UpperArm.L"
    owner.pose.bones["UpperArm.L"].rotation_quaternion = (0.9, 0.1, 0.2, 0.3)
    bpy.ops.pose.copy()
    bpy.ops.pose.paste(flipped=True)
    assert tuple(owner.pose.bones["UpperArm.R"].rotation_quaternion) != (1.0, 0.0, 0.0, 0.0), "paste flipped finds it"
    bpy.ops.object.mode_set(mode="OBJECT")
    out, report = export(owner, action, "mirrored-same.hkx")
    assert report.is_original and out.read_bytes() == clip_path.read_bytes()
    other = wave(owner, "Hand.L")
    out, _ = export(owner, other, "mirrored-new.hkx")
    clip = marrow.load(str(out), skeleton=str(rig_path)).clip
    turning = [name for name in clip.bone_names if numpy.ptp(clip.rotations[:, name], axis=0).max() > 0.01]
    assert turning == ["NPC L Hand [LHnd]"], turning


def names_can_be_changed_later_with_all_curves():
    clip_path, rig_path = saved_body("later")
    made = import_clip(clip_path, rig_path)
    owner, action = made.armatures[0], made.actions[0]
    hidden = import_file(bpy.context, clip_path, ImportOptions(), owner).actions[0]
    for naming, bone in (("blender", "Forearm.L"), ("game", "NPC L Forearm [LLar]")):
        assert bpy.ops.marrow.rename_bones(naming=naming) == {"FINISHED"}
        assert bone in owner.data.bones, list(owner.data.bones.keys())
        for each in (action, hidden):
            assert (channels.bone_path(bone, "rotation_quaternion"), 0) in curves.by_path(each), (naming, each.name)
            out, report = export(owner, each, f"later-{naming}-{each.name}.hkx")
            assert report.is_original and out.read_bytes() == clip_path.read_bytes(), naming
    assert not any(armature.GAME_NAME in bone for bone in owner.data.bones)


def a_renamed_bone_is_named_in_words():
    clip_path, rig_path = saved_body("words")
    made = import_clip(clip_path, rig_path)
    owner = made.armatures[0]
    owner.data.bones["NPC Head [Head]"].name = "Skull"
    error = error_of(lambda: export(owner, made.actions[0], "words.hkx"))
    assert "NPC Head [Head]" in str(error) and armature.GAME_NAME in str(error), error
    try:
        outcome, text = bpy.ops.marrow.export_animation(filepath=str(SCRATCH / "words.hkx")), ""
    except RuntimeError as raised:
        outcome, text = {"CANCELLED"}, str(raised)
    assert outcome == {"CANCELLED"} and "NPC Head [Head]" in text and "KeyError" not in text, text
    owner.data.bones["Skull"][armature.GAME_NAME] = "NPC Head [Head]"
    out, report = export(owner, made.actions[0], "words.hkx")
    assert report.is_original


def clips_of_other_bodies_are_refused_with_numbers():
    clip_path, rig_path = saved_body("own")
    small = tuple(BONES[:4])
    other_clip, other_rig = saved_body("small", small)
    owner = import_file(bpy.context, other_rig, ImportOptions()).armatures[0]
    error = error_of(lambda: import_file(bpy.context, clip_path, ImportOptions(), owner))
    text = str(error)
    assert "13 tracks" in text and "4 bones" in text and "9 tracks move bones" in text and str(rig_path) in text, text
    assert len(bpy.data.actions) == 0
    fo4, skyrim = corpus("hkx", "fo4", "Death1.hkx"), corpus("hkx", "skyrim-se", "skeleton.hkx")
    if fo4 and skyrim:
        owner = import_file(bpy.context, skyrim, ImportOptions()).armatures[0]
        text = str(error_of(lambda: import_file(bpy.context, fo4, ImportOptions(), owner)))
        assert "made for another skeleton" in text and "99 bones" in text and "skeleton.hkx" in text, text


def the_skeleton_that_fits_is_found_by_another_name():
    clip_path, rig_path = saved_body("named")
    renamed = rig_path.rename(rig_path.with_name("skeleton_beast.hkx"))
    _, other_rig = saved_body("other", tuple(BONES[:4]))
    (rig_path.parent / "skeleton_small.hkx").write_bytes(other_rig.read_bytes())
    (rig_path.parent / "a_skeleton.hkx").write_bytes(b"nothing")
    owner = import_file(bpy.context, other_rig, ImportOptions()).armatures[0]
    text = str(error_of(lambda: import_file(bpy.context, clip_path, ImportOptions(), owner)))
    assert f"{renamed} fits" in text, text


def an_unrelated_armature_is_left_alone():
    clip_path, rig_path = saved_body("apart")
    data = bpy.data.armatures.new("Tree")
    tree = bpy.data.objects.new("Tree", data)
    bpy.context.collection.objects.link(tree)
    made = import_file(bpy.context, clip_path, ImportOptions(), tree)
    assert len(made.armatures) == 1 and any("Tree" in note for note in made.notes), made.notes


if __name__ == "__main__":
    run(
        renamed_bones_of_other_add_ons_are_mapped_back,
        all_bones_of_the_games_skeletons_are_mapped_back,
        what_cannot_be_mapped_is_refused_by_name,
        without_a_list_of_bones_the_skeleton_is_asked_for,
        clips_go_onto_armatures_of_other_add_ons_and_back,
        blenders_names_mirror_and_go_back,
        names_can_be_changed_later_with_all_curves,
        a_renamed_bone_is_named_in_words,
        clips_of_other_bodies_are_refused_with_numbers,
        the_skeleton_that_fits_is_found_by_another_name,
        an_unrelated_armature_is_left_alone,
    )
