#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Collision through Blender and back: collision_blender_test.py MARROW PROJECT FOLDER

An authored NIF, and NIFs of the corpus if it is there. Untouched files must come back byte for byte, one moved vertex must
change one body, with and without custom properties."""
import glob
import json
import os
import shutil
import subprocess
import sys

import sample_nif

marrow, project, folder = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
blender = shutil.which("blender")
if not blender:
    print("SKIPPED: no blender; run scripts/setup test")
    sys.exit(77)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
corpus = os.path.join(os.environ.get("MARROW_CORPUS", os.path.join(project, "..", "shared", "corpus")), "nif")
wanted = ("BOSRadarDish", "GibAttachRThigh", "HitExtAWindowCDmg01", "Prewar_Ball01", "DiamondShack04", "skeleton", "Workshop_BldWoodPDoor02")
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
if '"code"' in run("check", authored, "--json"):
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
    others = [k for k in before if k != name and k in after and max(abs(a - b) for p, q in zip(before[k], after[k]) for a, b in zip(p, q)) > 0.2]
    if len(changed) != 1 or up is None or abs(up - 10) > 1 or others:
        failed.append(f"{what}: up by {up}, changed {[b['name'] for b in changed]}, also {others}")
print(f"{len(trips)} trips of {len(nifs)} NIFs through Blender, {len(failed)} failed")
for line in failed:
    print(line)
sys.exit(1 if failed else 0)
