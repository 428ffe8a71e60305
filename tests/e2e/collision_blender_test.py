#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Collision through Blender and back: collision_blender_test.py MARROW PROJECT FOLDER [GAME]

An authored NIF, and NIFs of the corpus if it is there, of Fallout 4 or of a game of Skyrim's. Untouched files must come back byte for byte, one moved vertex must
change one body, with and without custom properties. Then what people do in Blender: nothing that leaves every surface where
it was may change a byte, and everything else must change what was meant, by numbers, and nothing else."""
import glob
import json
import os
import shutil
import subprocess
import sys

import sample_nif

marrow, project, folder = sys.argv[1:4]
game = sys.argv[4] if len(sys.argv) > 4 else "fallout4"
here = os.path.dirname(os.path.abspath(__file__))
blender = shutil.which("blender")
if not blender:
    print("SKIPPED: no blender; run scripts/setup test")
    sys.exit(77)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
shared = os.path.join(project, "..", "shared")
if game == "fallout4":
    corpus = os.path.join(os.environ.get("MARROW_CORPUS", os.path.join(shared, "corpus")), "nif")
    wanted = ("BOSRadarDish", "GibAttachRThigh", "HitExtAWindowCDmg01", "Prewar_Ball01", "DiamondShack04", "skeleton", "Workshop_BldWoodPDoor02")
else:
    corpus = os.path.join(os.environ.get("MARROW_CHARACTERS", os.path.join(shared, "characters")), "bhk")
    wanted = ("le-cheesewedge01", "le-falmerstaff", "le-noblechest01", "se-furniture", "se-rocks01", "se-spitpotopen01", "se-skeleton_vanilla")
nifs = [p for p in sorted(glob.glob(corpus + "/*.nif")) if os.path.basename(p)[:-4] in wanted]
if not nifs:
    print("the corpus is missing (MARROW_CORPUS): only the authored NIF goes through")
failed = []


def run(*words):
    done = subprocess.run([marrow, *words], capture_output=True, text=True)
    if done.returncode:
        failed.append(f"{' '.join(words[:3])}: {done.stderr.strip()}")
    return done.stdout


def boxes(nif):
    """Bounds of every object of a NIF's export."""
    out = os.path.join(folder, "boxes.obj")
    run("collision", "export", nif, "-o", out)
    found, name = {}, ""
    for line in open(out):
        if line.startswith("o "):
            name = line[2:].strip()
        elif line.startswith("v "):
            v = [float(x) for x in line.split()[1:4]]
            low, high = found.setdefault(name, [v[:], v[:]])
            for k in range(3):
                low[k], high[k] = min(low[k], v[k]), max(high[k], v[k])
    return found


authored = os.path.join(folder, "Table.nif")
sample_nif.write_nif(authored)
for node, kind, options, mesh in sample_nif.write_meshes(folder):
    bigger = os.path.join(folder, "bigger.nif")
    run("collision", "add-body", authored, mesh, "--node", node, "--shape", kind, *options, "-o", bigger)
    os.replace(bigger, authored)
if game != "fallout4":
    # The same bodies as blocks; a mesh below MOPP code, and a box that is turned.
    bigger = os.path.join(folder, "bigger.nif")
    run("convert", authored, "--to", game, "-o", bigger)
    meshes = {node: mesh for node, _, _, mesh in sample_nif.write_meshes(folder)}
    run("collision", "set-shape", bigger, meshes["Table"], "--body", "Table", "--shape", "mesh", "-o", authored)
    run("collision", "set-shape", authored, meshes["Lamp"], "--body", "Lamp", "--shape", "box", "-o", bigger)
    os.replace(bigger, authored)
# Its shapes have no shader, and need none here.
if {each["code"] for each in json.loads(run("check", authored, "--json"))[0]["findings"]} - {"I_NO_SHADER", "I_BSX_FLAGS"}:
    failed.append("the authored NIF is not clean: " + run("check", authored))
nifs.insert(0, authored)

jobs, trips = [], []
for nif in nifs:
    stem = os.path.join(folder, os.path.basename(nif)[:-4])
    run("collision", "export", nif, "-o", stem + ".glb")
    first = next(iter(boxes(nif)))
    for kind, name, extras in (("same", "", "extras"), ("plain", "", "plain"), ("moved", first, "extras"),
                               ("bare", first, "plain")):
        out = f"{stem}.{kind}.glb"
        jobs += [stem + ".glb", out, name, "0.1428", extras]
        trips.append((nif, kind, name, out))
done = subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                       os.path.join(here, "blender_move_vertex.py"), "--", *jobs], capture_output=True, text=True,
                      timeout=900, env={**os.environ, "PATH": os.defpath})
if done.returncode:
    print(done.stdout[-3000:], done.stderr[-3000:])
    sys.exit(1)
for nif, kind, name, out in trips:
    back = out[:-4] + ".nif"
    what = f"{os.path.basename(nif)} {kind}"
    changed = json.loads(run("collision", "replace", nif, out, "-o", back, "--json"))[0]["changed"]
    same = open(nif, "rb").read() == open(back, "rb").read()
    if not name:
        if not same:
            failed.append(f"{what}: not the same bytes, changed {[b['name'] for b in changed]}")
        continue
    before, after = boxes(nif), boxes(back)
    up = after[name][1][2] - before[name][1][2] if list(before) == list(after) else None
    others = [k for k in before if k != name and not k.startswith("marrow_joint") and k in after and max(abs(a - b) for p, q in zip(before[k], after[k]) for a, b in zip(p, q)) > 0.2]
    if len(changed) != 1 or up is None or abs(up - 10) > 1 or others:
        failed.append(f"{what}: up by {up}, changed {[b['name'] for b in changed]}, also {others}")

# What people do. Surfaces stay where they are: the same bytes.
SAME = ("apply", "rename", "join", "separate", "smooth", "plain")
habits = []
for nif in nifs:
    stem = os.path.join(folder, os.path.basename(nif)[:-4])
    names = list(boxes(nif))
    if len(names) > 40:
        continue
    run("collision", "export", nif, "-o", stem + ".obj")
    for habit in (*SAME, "move_root", "duplicate", "delete", "scale"):
        if habit in ("join", "delete") and len(names) < 2:
            continue
        for kind in ("glb", "obj"):
            # An .obj has no root and no custom properties.
            if kind == "obj" and habit in ("apply", "move_root", "plain"):
                continue
            # The authored NIF has a shape of every kind.
            for name in names if nif == authored and habit in ("duplicate", "delete", "scale") else names[:1]:
                other = next((each for each in names if each != name), "")
                out = os.path.join(folder, f"{len(habits)}.{kind}")
                habits.append((nif, habit, kind, name, other, f"{stem}.{kind}", out))
words = []
for nif, habit, kind, name, other, source, out in habits:
    words += [source, out, habit, name, other]
done = subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                       os.path.join(here, "blender_habits.py"), "--", *words], capture_output=True, text=True,
                      timeout=1800, env={**os.environ, "PATH": os.defpath})
if done.returncode:
    print(done.stdout[-3000:], done.stderr[-3000:])
    sys.exit(1)


def apart(a, b):
    return max(abs(p - q) for low, high in zip(a, b) for p, q in zip(low, high))


def aside(box):
    """A box 50 units along x."""
    return [[corner[0] + 50, *corner[1:]] for corner in box]


def shapes(nif):
    """The shape of every body, children of compounds instead of them, as (kind, triangles), sorted."""
    found = []
    for system in json.loads(run("collision", "list", nif, "--json")):
        for body in system["bodies"]:
            for shape in body["shape"].get("instances") or [body["shape"]]:
                found.append((shape["type"], shape["triangles"]))
    return sorted(found)


def serious(nif):
    done = subprocess.run([marrow, "check", nif, "--json"], capture_output=True, text=True)
    return [f["code"] for f in json.loads(done.stdout)[0]["findings"] if f["level"] != "info"]


def judge(nif, habit, name, back, report):
    """Returns what is wrong with a file that came back, or nothing."""
    is_ragdoll = any(system["kind"] == "ragdoll" for system in json.loads(run("collision", "list", nif, "--json")))
    # Bones of a ragdoll keep their bodies.
    if habit in SAME or (habit == "delete" and is_ragdoll):
        is_same = open(nif, "rb").read() == open(back, "rb").read()
        return "" if is_same else f"not the same bytes, changed {report['changed']}, removed {report['removed']}"
    # Joints are only shown, and those of a body that is removed go with it.
    before, after = ({k: v for k, v in boxes(n).items() if not k.startswith("marrow_joint")} for n in (nif, back))
    size = max(q - p for low, high in [before[name]] for p, q in zip(low, high))
    near = 0.1 + 0.005 * size
    others = [k for k in before if k != name and k in after and apart(before[k], after[k]) > near]
    if habit == "move_root":
        off = [k for k in before if k not in after or apart(aside(before[k]), after[k]) > near]
        return f"not moved by 50: {off}" if off else ""
    if habit == "delete":
        left = [k for k in before if k != name]
        if name in after and len(after) >= len(before):
            return "it is still there"
        return "" if len(after) == len(left) else f"left are {list(after)}"
    if habit == "duplicate":
        grown = shapes(back)
        for each in shapes(nif):
            if each in grown:
                grown.remove(each)
        is_like_one = len(grown) == 1 and grown[0] in shapes(nif)
        is_there = any(apart(box, aside(before[name])) <= near for box in after.values())
        is_here = any(apart(box, before[name]) <= near for box in after.values())
        return "" if is_like_one and is_there and is_here else f"new {grown}, there {is_there}, here {is_here}"
    if habit == "scale":
        middle = [(p + q) / 2 for p, q in zip(*before[name])]
        wanted = [[m + 2 * (p - m) for m, p in zip(middle, corner)] for corner in before[name]]
        if shapes(back) != shapes(nif) or others:
            return f"{shapes(back)} instead of {shapes(nif)}, moved {others}"
        return "" if apart(after[name], wanted) <= 2 * near else f"{after[name]} instead of {wanted}"
    return "unknown"


for nif, habit, kind, name, other, source, out in habits:
    back = out + ".nif"
    what = f"{os.path.basename(nif)} {habit} {kind} '{name}'"
    done = subprocess.run([marrow, "collision", "replace", nif, out, "-o", back, "--json", "--all"], capture_output=True, text=True)
    if done.returncode or not os.path.exists(back):
        failed.append(f"{what}: not put back: {done.stderr.strip()}")
        continue
    wrong = judge(nif, habit, name, back, json.loads(done.stdout)[0])
    if wrong:
        failed.append(f"{what}: {wrong}")
    findings = set(serious(back)) - set(serious(nif))
    # Blocks of an unknown type forbid new numbers, and `replace` says so.
    if "cannot be renumbered" in done.stderr:
        findings -= {"W_BLOCK_ORDER"}
    if findings:
        failed.append(f"{what}: check finds {findings}")
print(f"{len(trips)} trips and {len(habits)} habits of {len(nifs)} NIFs through Blender, {len(failed)} failed")
for line in failed:
    print(line)
sys.exit(1 if failed else 0)
