#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A rig edited in Blender: bones hung elsewhere, added, removed and renamed come back as XML.

    rig_blender_test.py MARROW REPOSITORY FOLDER
"""
import json
import os
import shutil
import subprocess
import sys

from trial import Trial

marrow, repository, folder = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
male = os.path.join(repository, "examples/anvil/generic_male.xml")
blender = shutil.which("blender")
if not blender:
    print("SKIPPED: no blender; run scripts/setup test")
    sys.exit(77)
trial = Trial(marrow, folder)
out, run, check = trial.out, trial.run, trial.check


def bones(path):
    return {bone["name"]: bone for bone in json.loads(run("rig", "list", path, "--json").stdout)[0]["bones"]}


def moved(a, b):
    return max(abs(x - y) for x, y in zip(a["global"]["position"], b["global"]["position"]))


run("convert", male, "-o", out("male.glb"), "--show-bones")
edit = subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                       os.path.join(here, "blender_edit_rig.py"), "--", out("male.glb"), out("edited.glb")],
                      capture_output=True, text=True, timeout=300, env={**os.environ, "PATH": os.defpath})
if edit.returncode != 0:
    print(edit.stdout[-3000:], edit.stderr[-3000:])
    sys.exit(1)
told = run("convert", out("edited.glb"), "-o", out("edited.xml"), "--format", "anvil-standard").stderr
before, after = bones(male), bones(out("edited.xml"))
checked = json.loads(run("check", out("edited.xml"), "--json", expect=0).stdout)[0]["findings"]
check(f"findings: {checked}", not [f for f in checked if f["level"] != "info"])

check(f"{len(before)} bones became {len(after)}", len(after) == len(before) + 1 - 1)
# Hung elsewhere: the place in the world stays, modifiers and ids too.
check("LeftEye's parent", after["Fx_Jaw"]["parent"] == "Neck" and after["Fx_Jaw"]["id"] == before["Fx_Jaw"]["id"])
check("Fx_Jaw moved", moved(before["Fx_Jaw"], after["Fx_Jaw"]) < 1e-3)
# Added.
check("P_Lantern", after.get("P_Lantern", {}).get("parent") == "LeftHand")
# Removed: the bone below it hangs on its parent.
check("LeftHandThumb2 is there", "LeftHandThumb2" not in after)
check("LeftHandThumb3", after["LeftHandThumb3"]["parent"] == "LeftHandThumb1" and
      moved(before["LeftHandThumb3"], after["LeftHandThumb3"]) < 1e-3)
# Renamed: links follow, modifiers stay.
check("renamed", "L_LeftUpLeg_Roll" not in after and
      after["L_MyThigh"]["modifiers"][0]["type"] == "MaxLookAtBoneModifier" and
      after["L_MyThigh"]["id"] == before["L_LeftUpLeg_Roll"]["id"])
# Nothing else.
touched = {"Fx_Jaw", "LeftHandThumb3"}
for name in before:
    if name in after and name not in touched and after[name]["local"] != before[name]["local"]:
        trial.failures.append(f"{name} changed: {before[name]['local']} {after[name]['local']}")
if trial.failures:
    print(told)
trial.end()
