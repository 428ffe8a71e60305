# SPDX-License-Identifier: MIT
"""Findings of `check`, and the size and error that `compress` would give, for the panel."""
import re

from . import armature, curves, files, record, rig
from .export_animation import ExportOptions, export_action
from .import_animation import ImportOptions, import_file
from .package import marrow


def _file(context, owner):
    """Returns what would be exported: the action, else the skeleton."""
    action = owner.animation_data.action if owner.animation_data else None
    if action is not None:
        return export_action(context, owner, action, ExportOptions()).data, action
    if owner.data.marrow.kind == "anvil":
        return rig.export_rig(owner).data, None
    return armature.skeleton_of(owner).document.to_bytes(), None


def _subject(owner):
    """Returns the name of the action that is shown; empty if the skeleton is."""
    action = owner.animation_data.action if owner.animation_data else None
    return action.name if action is not None else ""


def is_current(owner):
    """True if the findings are about what the armature shows now."""
    return owner.data.marrow.is_checked and owner.data.marrow.findings_of == _subject(owner)


def run(context, owner):
    """Fills the list of findings. Returns how many there are."""
    data, action = _file(context, owner)
    owner.data.marrow.findings_of, owner.data.marrow.is_checked = _subject(owner), True
    skeleton = armature.skeleton_of(owner)
    found = marrow.check(data, skeleton=skeleton if action is not None else None)
    clip = marrow.load(data, skeleton=skeleton).clips[0] if action is not None else None
    names = armature.game_names(owner)
    return fill(owner.data.marrow, found, lambda each: _bone_of(each, clip, names))


def fill(kept, found, bone_of=lambda finding: ""):
    """Fills the list of findings of a record. Returns how many there are."""
    kept.findings.clear()
    for each in found:
        row = kept.findings.add()
        row.level, row.code, row.message, row.where = each.level, each.code, each.message, each.where
        row.cure = record.write_json({"operation": each.cure.operation, "options": each.cure.options}) if each.cure else ""
        row.bone = bone_of(each)
    return len(found)


def _bone_of(finding, clip, names):
    """Returns the bone that a finding is about, or an empty text."""
    text = f"{finding.where} {finding.message}"
    number = re.search(r"tracks?\[(\d+)\]|\btrack (\d+)", text)
    if number and clip is not None:
        track = int(number.group(1) or number.group(2))
        if track < clip.track_count:
            return names.get(clip.bone_names[track], "")
    found = [name for name in names if name and name in text]
    return names[max(found, key=len)] if found else ""


def cure_of(owner):
    """Returns the cure of the chosen finding, or None."""
    return chosen_cure(owner.data.marrow)


def chosen_cure(kept):
    """Returns the cure of the chosen finding of a record, or None."""
    if not 0 <= kept.active_finding < len(kept.findings):
        return None
    described = record.read_json(kept.findings[kept.active_finding].cure, None)
    return marrow.Cure(**described) if described else None


def can_fix(owner):
    """True if the chosen finding can be repaired here: in a rig or an action, by an operation that needs to know nothing
    more."""
    has_action = owner.animation_data is not None and owner.animation_data.action is not None
    return is_current(owner) and is_complete(cure_of(owner)) and (owner.data.marrow.kind == "anvil" or has_action)


def is_complete(cure):
    """True if a cure has all that its operation needs, and the operation makes one file."""
    described = marrow.descriptions().get(cure.operation) if cure is not None else None
    if described is None or "extensions" not in described:
        return False
    inputs = [each for each in described["inputs"] if each["required"] and not each["main"]]
    return not inputs and all(each["name"] in cure.options for each in described["options"] if each.get("required"))


def cured(cure, data, skeleton=None):
    """Returns a file after a cure."""
    inputs = marrow.descriptions()[cure.operation]["inputs"]
    given = [(next(each["name"] for each in inputs if each["main"]), data)]
    if skeleton is not None and any(each["name"] == "skeleton" for each in inputs):
        given.append(("skeleton", skeleton))
    return marrow.run(cure.operation, given, cure.options).bytes


def fix(context, owner):
    """Repairs the chosen finding in the action, or in the file that a rig was made of, and checks again. Returns how many
    are left."""
    cure, kept = cure_of(owner), owner.data.marrow
    if kept.kind != "anvil":
        return _fix_action(context, owner, cure)
    before = rig.export_rig(owner).data
    after = cured(cure, before)
    repaired = marrow.load(after)
    old, new = marrow.load(before).skeleton, repaired.skeleton
    if (old.names, list(old.parents)) != (new.names, list(new.parents)):
        raise marrow.OptionError(f"this changes the bones of the armature; {cure} on the file and import it again")
    record.keep_source(kept, after, kept.source_name)
    rig.fill_modifiers(kept, repaired)
    return run(context, owner)


def _fix_action(context, owner, cure):
    """Puts the repaired clip in the place of the action that is shown."""
    data, action = _file(context, owner)
    after = cured(cure, data, armature.skeleton_of(owner))
    name, own = action.name, action.marrow.source_name or action.name + ".hkx"
    action.name = name + " (before)"
    out = import_file(context, own, ImportOptions(), owner, files.Loaded(after, marrow.load(after, name=own)))
    out.actions[0].name = name
    curves.assign(owner, out.actions[0])
    return run(context, owner)


def select_bone(context, kept):
    """Selects the bone of the chosen finding."""
    owner = context.object
    if owner is None or owner.type != "ARMATURE" or not 0 <= kept.active_finding < len(kept.findings):
        return
    name = kept.findings[kept.active_finding].bone
    bone = owner.data.bones.get(name)
    if bone is None:
        return
    for each in owner.pose.bones:
        _select(each, each.name == name)
    owner.data.bones.active = bone


def _select(pose, is_selected):
    """Selects a bone: on the pose bone in 5.x, on the bone before."""
    if hasattr(pose, "select"):
        pose.select = is_selected
    else:
        pose.bone.select = is_selected


def estimate(context, owner):
    """Returns in words what compressing the action would give."""
    data, _ = _file(context, owner)
    scene = context.scene.marrow
    bounds = {"max_rotation_error": scene.max_rotation_error, "max_position_error": scene.max_position_error}
    report = marrow.run("compress", [("clip", data)], bounds).report
    clip = report["clips"][0]
    return (
        f"{report['bytes_before']:,} bytes now, {report['bytes_after']:,} then; "
        f"{clip['rotation_error_degrees']:.3f} degrees, {clip['position_error']:.4f} units off"
    )


