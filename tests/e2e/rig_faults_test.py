#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Seventy faults of Anvil skeletons, each made in a file that has none: `check` reports each by its code, and reports no
error and no warning on the files that the project carries.

    rig_faults_test.py MARROW REPOSITORY
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
EXAMPLES = REPOSITORY / "examples/anvil"
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="marrow-faults-"))


def decoded(path):
    data = path.read_bytes()
    return data.decode("utf-16") if data[:2] == b"\xff\xfe" else data.decode("utf-8-sig")


def check(path, *options):
    run = subprocess.run([MARROW, "check", str(path), "--json", *options], capture_output=True, text=True, timeout=60)
    try:
        return {f["code"] for f in json.loads(run.stdout)[0]["findings"] if f["level"] != "info"}, \
            {f["code"] for f in json.loads(run.stdout)[0]["findings"]}
    except (ValueError, KeyError, IndexError):
        return {"no report: " + run.stderr}, set()


class Rig:
    """A skeleton to break. Elements are found by bone and field."""

    def __init__(self, name):
        text = decoded(EXAMPLES / f"{name}.xml")
        self.root = ET.fromstring(re.sub(r"<\?.*?\?>", "", text))
        self.after = ""

    def bone(self, name):
        return next(b for b in self.root.iter("Bone") if b.find("Value[@Name='Name']").get("HashName") == name)

    def id(self, name):
        return self.bone(name).get("ID")

    def modifier(self, kind, bone=None):
        return next(m for b in ([self.bone(bone)] if bone else self.root.iter("Bone"))
                    for m in b.find("List[@Name='BoneModifiers']") if m.tag == kind)

    def owner(self, kind):
        return next(b for b in self.root.iter("Bone") if any(m.tag == kind for m in b.find("List[@Name='BoneModifiers']")))

    @staticmethod
    def field(element, name):
        return next(e for e in element.iter() if e.get("Name") == name)

    def set(self, element, name, value):
        self.field(element, name).text = str(value)

    def vector(self, element, name, *values):
        for axis, value in zip("XYZW", values):
            self.field(element, name).find(axis).text = str(value)

    def link(self, element, name, target):
        field = self.field(element, name)
        for child in list(field):
            field.remove(child)
        if target is not None:
            ET.SubElement(ET.SubElement(field, "Link"), "Value", Name="Value", Type="UInt64").text = str(target)

    def write(self, path):
        text = ET.tostring(self.root, encoding="unicode")
        path.write_text('<?xml version="1.0" encoding="utf-8"?>\n<?info tool="AnvilToolkit" toolVersion="1.2.10" type="0"?>\n'
                        + text + self.after, encoding="utf-8")


FAULTS = []


def fault(code, name="generic_male", *options):
    def add(make):
        FAULTS.append((code, name, options, make))
        return make
    return add


def faults(code, makes, name="generic_male", *options):
    for make in makes:
        FAULTS.append((code, name, options, make))


def lists(rig, element, name):
    return rig.field(element, name)


EVERY, MALE, HAIR = "every_modifier", "generic_male", "addon_hair_strand"
BALL, HINGE = "BallJointBoneModifier", "HingeBoneModifier"

# The tree.
faults("E_MULTI_ROOT", [lambda r: r.link(r.bone("LeftArm"), "Parent", None)])
faults("E_CYCLE", [lambda r: r.link(r.bone("Spine"), "Parent", r.id("Spine2")),
                   lambda r: r.link(r.bone("LeftHand"), "Parent", r.id("LeftHand"))])
faults("E_NO_ROOT", [lambda r: r.link(r.bone("Reference"), "Parent", r.id("Hips"))])
faults("E_ROOT_PTR", [lambda r: r.link(r.root, "RootBone", r.id("Hips"))])
faults("E_DANGLING_LINK", [lambda r: r.link(r.bone("LeftArm"), "Parent", 12345),
                           lambda r: r.link(r.root, "RootBone", 777)])
faults("E_DANGLING_LINK", [lambda r: r.link(r.modifier("MaxLookAtBoneModifier"), "LookAtBone", 4321),
                           lambda r: r.link(r.modifier("FollowBoneModifier"), "AssociatedBone", 999)], EVERY)
faults("E_DUP_BONEID", [lambda r: r.bone("LeftHand").find("Value[@Name='Name']").__setattr__(
    "text", r.bone("Head").find("Value[@Name='Name']").text)])
faults("E_DUP_OBJECTID", [lambda r: r.bone("LeftHand").set("ID", r.id("Head"))])
faults("E_DUP_OBJECTID", [lambda r: r.modifier(BALL).set("ID", r.root.get("ID"))], EVERY)
faults("W_HASHNAME_CASE", [lambda r: r.bone("Head").find("Value[@Name='Name']").set("HashName", "head")])


def reorder(r):
    bones = r.root.find("List[@Name='Bones']")
    last = list(bones)[-1]
    bones.remove(last)
    bones.insert(1, last)


FAULTS.append(("W_NOT_PREORDER", MALE, (), reorder))

# Numbers and poses.
faults("E_NAN", [lambda r: r.vector(r.bone("Head"), "LocalPosition", "NaN"),
                 lambda r: r.vector(r.bone("Spine"), "GlobalPosition", 0, "Infinity")])
faults("E_NAN", [lambda r: r.set(r.modifier(BALL), "Mass", "NaN")], EVERY)
faults("E_ZERO_QUAT", [lambda r: r.vector(r.bone("Head"), "LocalRotation", 0, 0, 0, 0)])
faults("W_QUAT_NORM", [lambda r: r.vector(r.bone("Head"), "LocalRotation", 0, 0, 0, 2)])
faults("W_GLOBAL_LOCAL", [lambda r: r.vector(r.bone("LeftHand"), "GlobalPosition", 5, 5, 5)])
faults("E_ENUM_RANGE", [lambda r: r.set(r.bone("Head"), "MirroringType", 9),
                        lambda r: r.set(r.bone("Head"), "WrinkleCategory", 12)])

# Mirrors.
faults("W_MIRROR_ASYM", [lambda r: r.link(r.bone("LeftArm"), "MirrorBone", r.id("Head"))])
faults("W_MIRROR_DANGLING", [lambda r: r.link(r.bone("LeftArm"), "MirrorBone", 5)])


def cross(r):
    for a, b in (("LeftArm", "RightForeArm"), ("RightForeArm", "LeftArm"), ("RightArm", "LeftForeArm"), ("LeftForeArm", "RightArm")):
        r.link(r.bone(a), "MirrorBone", r.id(b))


def own(r):
    for a in ("LeftHand", "RightHand"):
        r.link(r.bone(a), "MirrorBone", r.id(a))


FAULTS += [("W_MIRROR_NAME", MALE, (), cross), ("W_MIRROR_SELF", MALE, (), own),
           ("W_MIRROR_SELF", MALE, (), lambda r: [r.link(r.bone(b), "MirrorBone", r.id(b)) for b in ("LeftFoot", "RightFoot")])]

# Words and numbers.
faults("W_WORD_NUMBER", [lambda r: r.set(r.bone("Head"), "MirroringType", 2),
                         lambda r: r.set(r.bone("LeftHand"), "MirroringType", 0)])


def gravity_word(r):
    field = r.field(r.modifier(BALL), "GravityMode")
    words = {"0": "GlobalGravity", "1": "LocalGravity"}
    usual = field.get("ValueName")
    field.text = "1" if field.text == "0" else "0"
    field.set("ValueName", usual or words[field.text])


FAULTS.append(("W_WORD_NUMBER", EVERY, (), gravity_word))
faults("W_WORD_NUMBER", [lambda r: r.set(r.modifier("MaxLookAtBoneModifier"), "UpNodeControl",
                                         (int(r.field(r.modifier("MaxLookAtBoneModifier"), "UpNodeControl").text) + 1) % 3)], EVERY)

# Modifiers.
faults("E_AXIS_EQUAL", [lambda r: r.set(r.modifier(HINGE), "AxisLookAtType",
                                        r.field(r.modifier(HINGE), "AxisConstraintType").text),
                        lambda r: r.set(r.modifier("MaxLookAtBoneModifier"), "UpUsedAxis",
                                        r.field(r.modifier("MaxLookAtBoneModifier"), "LookAtUsedAxis").text)], EVERY)
faults("E_SELF_TARGET", [lambda r: r.link(r.modifier("MaxLookAtBoneModifier"), "LookAtBone", r.owner("MaxLookAtBoneModifier").get("ID")),
                         lambda r: r.link(r.modifier("FollowBoneModifier"), "AssociatedBone", r.owner("FollowBoneModifier").get("ID")),
                         lambda r: r.link(r.modifier("RollBoneModifier"), "SourceBone", r.owner("RollBoneModifier").get("ID"))], EVERY)
faults("W_TARGET_MISSING", [lambda r: r.link(r.modifier("MaxLookAtBoneModifier"), "LookAtBone", None),
                            lambda r: r.link(r.modifier("RotationPasteModifier"), "LinkedBone", None)], EVERY)
faults("W_MASS_ZERO", [lambda r: r.set(r.modifier("PendulumBoneModifier"), "Mass", 0)], EVERY)
faults("W_MASS_ZERO", [lambda r: r.set(r.modifier(BALL, "BJ_Hair01"), "Mass", 0),
                       lambda r: r.set(r.modifier(BALL, "BJ_Hair03"), "Mass", 0)], HAIR)
faults("W_NEGATIVE", [lambda r: r.set(r.modifier(BALL, "BJ_Hair01"), "Mass", -1),
                      lambda r: r.set(r.modifier(BALL, "BJ_Hair02"), "MechanicalFriction", -0.5)], HAIR)
faults("W_NEGATIVE", [lambda r: r.set(r.modifier("SpringBoxModifier"), "Stiffness", -5)], EVERY)
faults("W_UNITS", [lambda r: r.set(r.modifier(BALL, "BJ_Hair01"), "ConstraintAngle", 0.2)], HAIR)
faults("W_UNITS", [lambda r: r.set(r.modifier(HINGE), "MaxAngle", 45)], EVERY)
faults("W_LIMIT_ORDER", [lambda r: (r.set(r.modifier(HINGE), "MinAngle", 1), r.set(r.modifier(HINGE), "MaxAngle", -1)),
                         lambda r: (r.vector(r.modifier("SpringBoxModifier"), "BoxMin", 1, 1, 1),
                                    r.vector(r.modifier("SpringBoxModifier"), "BoxMax", -1, -1, -1))], EVERY)
faults("W_HINGE_SOFT", [lambda r: r.set(r.modifier(HINGE), "DeltaMinDamping", 6)], EVERY)
faults("W_BLEND_RANGE", [lambda r: r.modifier(BALL, "BJ_Hair01").set("BlendWeight", "1.5"),
                         lambda r: r.modifier(BALL, "BJ_Hair01").set("BlendWeight", "-0.5")], HAIR)
faults("W_MODIFIER_INERT", [lambda r: r.modifier(BALL, "BJ_Hair01").set("BlendWeight", "0")], HAIR)
faults("W_AXIS_MISMATCH", [lambda r: r.vector(r.modifier(HINGE), "LocalAxisConstraint", 0.6, 0.8, 0)], EVERY)
faults("E_ENUM_RANGE", [lambda r: r.set(r.modifier(HINGE), "AxisConstraintType", 7),
                        lambda r: r.set(r.modifier("MaxLookAtBoneModifier"), "UpNodeControl", 8)], EVERY)


def twice(r):
    owner = r.owner(BALL).find("List[@Name='BoneModifiers']")
    copy = ET.fromstring(ET.tostring(r.modifier(BALL)))
    copy.set("ID", "4242424242")
    r.set(copy, "Mass", 0.7)
    owner.append(copy)


FAULTS += [("W_MODIFIER_TWICE", HAIR, (), twice), ("W_MODIFIER_TWICE", EVERY, (), twice)]


def flags(r):
    for kind in ("PositionConstraintBoneModifier", "OrientationConstraintBoneModifier"):
        targets, keep = lists(r, r.modifier(kind), "Targets"), lists(r, r.modifier(kind), "KeepInitialOffset")
        while len(targets) < 3:
            targets.append(ET.fromstring(ET.tostring(targets[0])))
        while len(keep) > 1:
            keep.remove(keep[0])
        if len(keep) == 0:
            ET.SubElement(keep, "Value", Type="Boolean").text = "true"


FAULTS.append(("W_LIST_LENGTH", EVERY, (), flags))


def unknown(r):
    ET.SubElement(r.bone("Head").find("List[@Name='BoneModifiers']"), "WobbleBoneModifier", ID="4242424243", BlendWeight="1")


FAULTS.append(("W_UNKNOWN_CLASS", HAIR, (), unknown))


def stray(r):
    r.bone("Head").text = "\n lost words \n"


def stray_in_list(r):
    r.root.find("List[@Name='Bones']")[0].tail = " lost "


FAULTS += [("W_DROPPED", MALE, (), stray), ("W_DROPPED", MALE, (), stray_in_list),
           ("W_DROPPED", MALE, (), lambda r: setattr(r, "after", "\n<Extra><Value>1</Value></Extra>\n"))]

faults("W_LIMIT_ORDER", [lambda r: (r.set(r.modifier("StretchBoneModifier"), "MinScale", 5), r.set(r.modifier("StretchBoneModifier"), "MaxScale", 0.5))], EVERY)
faults("W_UNITS", [lambda r: r.set(r.modifier("AnvilLookAtBoneModifier"), "MaxAngle", 90)], EVERY)
faults("E_ZERO_QUAT", [lambda r: r.vector(r.modifier("CompressBoneModifier"), "RotOffset1", 0, 0, 0, 0)], EVERY)

# Games and addons.
BASE = ("--base", str(EXAMPLES / "generic_male.xml"))
faults("E_MODIFIER_UNAVAILABLE", [lambda r: None], HAIR, "--game", "ac1")
faults("E_MODIFIER_UNAVAILABLE", [lambda r: None], HAIR, "--game", "ac2")
faults("W_MODIFIER_INERT", [lambda r: None], HAIR, "--game", "mirage")
faults("W_TYPE_NOT_CUSTOM", [lambda r: r.set(r.root, "SkeletonType", 0)], HAIR, *BASE)
faults("E_HIERARCHY_MISMATCH", [lambda r: r.link(r.bone("Head"), "Parent", r.id("Spine2"))], HAIR, *BASE)


def other_root(r):
    name = r.bone("Spine2").find("Value[@Name='Name']")
    name.set("HashName", "x12345678")
    name.text = str(0x12345678)


FAULTS.append(("E_ADDON_ROOT_MISSING", HAIR, BASE, other_root))
faults("W_REST_MISMATCH", [lambda r: (r.vector(r.bone("Head"), "LocalPosition", 0.3, 0, 0),
                                      r.vector(r.bone("Head"), "GlobalPosition", 0.485, 0, -0.01))], HAIR, *BASE)


def main():
    failures = []
    good = [p for p in sorted(EXAMPLES.rglob("*.xml"))]
    for path in good:
        serious, _ = check(path)
        if serious:
            failures.append(f"{path.name}: {serious}, and it is good")
    for i, (code, name, options, make) in enumerate(FAULTS):
        rig = Rig(name)
        make(rig)
        path = FOLDER / f"{i:02}_{code}.xml"
        rig.write(path)
        serious, every = check(path, *options)
        if code not in every:
            failures.append(f"{path.name} ({name}): {code} is not among {sorted(every) or serious}")
    print(f"{len(FAULTS)} faults, {len(good)} good files, {len(failures)} wrong")
    print("\n".join(failures))
    assert len(FAULTS) >= 70, len(FAULTS)
    sys.exit(bool(failures))


main()
