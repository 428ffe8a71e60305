#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Through Blender and back: gltf_blender_test.py GLTF_SAMPLES FOLDER"""
import os
import shutil
import subprocess
import sys

samples, folder = sys.argv[1:3]
here = os.path.dirname(os.path.abspath(__file__))
blender = shutil.which("blender")
if not blender:
    print("SKIPPED: no blender; run scripts/setup test")
    sys.exit(77)
back = os.path.join(folder, "from-blender")
shutil.rmtree(back, ignore_errors=True)
files = [os.path.join(folder, name) for name in ("walk.glb", "additive.glb", "show_bones.glb")]
run = subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                      os.path.join(here, "blender_trip.py"), "--", os.path.join(folder, "walk.expected.json"), back,
                      *files], capture_output=True, text=True, timeout=300,
                     # Blender looks for its Python along PATH; one of the user's own has not what it needs.
                     env={**os.environ, "PATH": os.defpath})
print("\n".join(line for line in run.stdout.splitlines() if line.startswith("blender")))
failed = run.returncode != 0
if failed:
    print(run.stdout[-3000:], run.stderr[-3000:])
written = sorted(os.listdir(back)) if os.path.isdir(back) else []
for name in written:
    verb = "foreign" if name.startswith("foreign.") else "compare"
    result = subprocess.run([samples, verb, os.path.join(back, name)] + (["additive"] if "additive" in name else []))
    failed |= result.returncode != 0
sys.exit(1 if failed or len(written) != 10 else 0)
