#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real files through the command line: every clip and skeleton validated as glTF, some of them through Blender and back
to the game's own bytes.

    gltf_corpus_test.py MARROW FOLDER
"""
import filecmp
import glob
import os
import shutil
import subprocess
import sys

marrow, folder = sys.argv[1:3]
here = os.path.dirname(os.path.abspath(__file__))
corpus = os.environ.get("MARROW_CORPUS", "../shared/corpus")
if not os.path.isdir(corpus):
    print(f"SKIPPED: no folder {corpus}; set MARROW_CORPUS to run these checks on real files")
    sys.exit(77)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
failures = []


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, **options)
    if result.returncode != 0:
        failures.append(" ".join(map(str, command)))
        print(result.stdout[-2000:], result.stderr[-2000:])
    return result


def skeleton_of(path):
    name = "skeleton_troll.hkx" if "troll" in path else "skeleton.hkx"
    return os.path.join(os.path.dirname(path), name)


# Every file in a shape of its own: containers, units and the mesh of the bones take turns.
shapes = [(".glb", []), (".gltf", []), (".glb", ["--units", "game"]), (".glb", ["--units", "blender", "--show-bones"]),
          (".glb", ["--show-bones", "--ragdoll"])]
inputs = sorted(glob.glob(f"{corpus}/hkx/*/*.hkx")) + [
    path for path in sorted(glob.glob(f"{corpus}/anvil/*.xml")) if not os.path.basename(path).startswith("bad_")]
for i, path in enumerate(inputs):
    extension, options = shapes[i % len(shapes)]
    out = os.path.join(folder, f"{i:02}{extension}")
    given = ["--skeleton", skeleton_of(path)] if path.endswith(".hkx") and os.path.exists(skeleton_of(path)) else []
    run(marrow, "convert", path, "-o", out, *given, *options)
node = shutil.which("node")
if node and os.path.isdir(os.path.join(here, "node_modules")):
    print(run(node, os.path.join(here, "validate.mjs"), folder).stdout.strip())
else:
    print("SKIPPED: no gltf-validator; run scripts/setup test")

blender = shutil.which("blender")
trips = ["fo4/run_forward_to_idle", "skyrim-se/1hm_staggerbacksmallest", "skyrim-le/troll_h2hattackleftd"]
trips = [trip for trip in trips if os.path.exists(f"{corpus}/hkx/{trip}.hkx")]
if blender and trips:
    pairs = []
    for i, trip in enumerate(trips):
        there, back = os.path.join(folder, f"trip{i}.glb"), os.path.join(folder, f"trip{i}.back.glb")
        path = f"{corpus}/hkx/{trip}.hkx"
        run(marrow, "convert", path, "-o", there, "--skeleton", skeleton_of(path))
        pairs += [there, back]
    run(blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python",
        os.path.join(here, "blender_rewrite.py"), "--", *pairs, env={**os.environ, "PATH": os.defpath})
    for i, trip in enumerate(trips):
        path, hkx = f"{corpus}/hkx/{trip}.hkx", os.path.join(folder, f"trip{i}.hkx")
        run(marrow, "convert", pairs[2 * i + 1], "-o", hkx, "--skeleton", skeleton_of(path))
        same = os.path.exists(hkx) and filecmp.cmp(path, hkx, shallow=False)
        print(f"{trip}: through Blender and back, {'the same bytes' if same else 'OTHER BYTES'}")
        if not same:
            failures.append(trip)
else:
    print("SKIPPED: no blender; run scripts/setup test")
for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
