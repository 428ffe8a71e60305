#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Anvil skeletons to glTF and back: untouched, edited, and made in another program.

    gltf_anvil_test.py MARROW REPOSITORY FOLDER
"""
import glob
import json
import os
import shutil
import subprocess
import sys

from trial import Trial

marrow, repository, folder = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
trial = Trial(marrow, folder)
out, run, check = trial.out, trial.run, trial.check


def edited(name, change):
    """The male rig as glTF with its JSON changed, back as XML; the differences to what it was."""
    with open(out("male.gltf")) as stream:
        document = json.load(stream)
    change(document, {node.get("name"): node for node in document["nodes"]})
    with open(out(name + ".gltf"), "w") as stream:
        json.dump(document, stream)
    run("convert", out(name + ".gltf"), "-o", out(name + ".xml"), "--format", "anvil-standard")
    checked = subprocess.run([marrow, "check", out(name + ".xml"), "--json"], capture_output=True, text=True).stdout
    codes = [finding["code"] for finding in json.loads(checked)[0]["findings"]]
    check(f"{name}: {codes}", not any(code.startswith("E_") for code in codes))
    return run("diff", male, out(name + ".xml"), expect=3).stdout


# Untouched: nothing differs, in both dialects, both containers and all units.
examples = os.path.join(repository, "examples/anvil")
rigs = sorted(glob.glob(f"{examples}/*.xml") + glob.glob(f"{examples}/schema/*.xml"))
corpus = os.environ.get("MARROW_CORPUS", os.path.join(repository, "../shared/corpus"))
real = sorted(path for path in glob.glob(f"{corpus}/anvil/*.xml") + glob.glob(f"{corpus}/anvil/schema/*.xml")
              if not os.path.basename(path).startswith("bad_"))
if not real:
    print(f"SKIPPED: no rigs in {corpus}; set MARROW_CORPUS to run these checks on real files")
shapes = [(".glb", "metre"), (".gltf", "metre"), (".glb", "game"), (".gltf", "blender")]
for i, path in enumerate(rigs + real):
    extension, units = shapes[i % len(shapes)]
    there = out(f"{i:02}{extension}")
    run("convert", path, "-o", there, "--units", units)
    for dialect in ("anvil-standard", "anvil-schema"):
        run("convert", there, "-o", out(f"{i:02}.{dialect}.xml"), "--format", dialect)
        run("diff", path, out(f"{i:02}.{dialect}.xml"))
print(f"{len(rigs)} rigs of the project and {len(real)} real ones came back without a difference")
check("no rigs", len(rigs) >= 8)

male = f"{examples}/generic_male.xml"
run("convert", male, "-o", out("male.gltf"))
run("convert", out("male.gltf"), "-o", out("bare.xml"))  # the file knows that it is no Havok skeleton
run("diff", male, out("bare.xml"))
run("convert", out("male.gltf"), "-o", out("unity.xml"), "--format", "anvil-schema", "--to", "unity")
error = run("convert", out("male.gltf"), "-o", out("no.xml"), "--format", "anvil-schema", "--to", "fallout4", expect=1)
check(f"no cure in: {error.stderr}", "choose one of ac1" in error.stderr and not os.path.exists(out("no.xml")))


# Moved, and turned: the bone's own pose, and the places of what hangs on it.
def move(document, nodes):
    nodes["LeftHand"]["translation"] = [0.5, 0.25, 0.125]


def turn(document, nodes):
    nodes["LeftHand"]["rotation"] = [0.6, 0, 0, 0.8]


for name, change, field, value in (("moved", move, "LocalPosition", "0.5, 0.25, 0.125"),
                                   ("turned", turn, "LocalRotation", "0.6, 0, 0, 0.8")):
    told = edited(name, change)
    local = [line for line in told.splitlines() if "Local" in line]
    check(f"{name}: {local}", local == [f"bone LeftHand: {field}"] and f"+ {value}" in told)


# Added, on a bone of the rig.
def add(document, nodes):
    document["nodes"].append({"name": "Lantern", "translation": [0, 0.125, 0]})
    new = len(document["nodes"]) - 1
    nodes["LeftHand"].setdefault("children", []).append(new)
    document["skins"][0]["joints"].append(new)


told = edited("added", add)
check(f"added: {told}", "Lantern" in told and len(told.splitlines()) <= 3)
run("diff", male, out("added.xml"), expect=3)


# Removed, with what hangs on it: the nodes are still listed, but outside the rig.
def remove(document, nodes):
    gone = document["nodes"].index(nodes["LeftHand"])
    parent = next(node for node in document["nodes"] if gone in node.get("children", []))
    parent["children"].remove(gone)
    if not parent["children"]:
        del parent["children"]
    below, open_nodes = set(), [gone]
    while open_nodes:
        node = open_nodes.pop()
        below.add(node)
        open_nodes += document["nodes"][node].get("children", [])
    document["skins"][0]["joints"] = [joint for joint in document["skins"][0]["joints"] if joint not in below]


before = json.loads(run("info", male, "--json").stdout)[0]["skeletons"][0]["bones"]
told = edited("removed", remove)
after = json.loads(run("info", out("removed.xml"), "--json").stdout)[0]["skeletons"][0]["bones"]
check(f"removed: {before} to {after} bones, {told}", after < before and "LeftHand" in told)


# Removed from the middle: its children hang on its parent and stay where they are.
def dissolve(document, nodes):
    gone = document["nodes"].index(nodes["LeftHandThumb2"])
    tip = nodes["LeftHandThumb2"].pop("children")
    parent = nodes["LeftHandThumb1"]
    parent["children"] = tip
    # Thumb2 is not turned against Thumb1, so that the two steps add up.
    child = document["nodes"][tip[0]]
    child["translation"] = [a + b for a, b in zip(child["translation"], nodes["LeftHandThumb2"]["translation"])]
    document["skins"][0]["joints"].remove(gone)


told = edited("dissolved", dissolve)
check(f"dissolved: {told}", "bone LeftHandThumb2" in told and "GlobalPosition" not in told)

# Made in another program: no record. Metres and Y up become metres and Z up.
def forget(document, nodes):
    for node in document["nodes"]:
        node.pop("extras", None)


told = edited("foreign", forget)
check(f"foreign: poses changed: {told[:2000]}", "LocalPosition" not in told)
run("check", out("foreign.xml"))
notes = run("convert", out("foreign.gltf"), "-o", out("again.xml"), "--to", "unity").stderr
check(f"nothing is said of what was assumed: {notes}", "its root is Reference" in notes)

node = shutil.which("node")
if node and os.path.isdir(os.path.join(here, "node_modules")):
    valid = subprocess.run([node, os.path.join(here, "validate.mjs"), *glob.glob(out("[0-9]*.gl*"))],
                           capture_output=True, text=True, timeout=120)
    print(valid.stdout.strip())
    check("the validator", valid.returncode == 0)
else:
    print("SKIPPED: no gltf-validator; run scripts/setup test")
trial.end()
