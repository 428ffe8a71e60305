#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bodies through Blender's own glTF and back: body_blender_test.py MARROW WRITE_BODIES FOLDER

Whatever Blender does to axes of bones, bind poses and vertices, what nobody changed comes back byte for byte.
"""
import json
import os
import shutil
import subprocess
import sys

marrow, write_bodies, folder = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
blender = shutil.which("blender")
if not blender:
    print("SKIPPED: no blender; run scripts/setup test")
    sys.exit(77)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
samples = os.path.join(folder, "samples")
subprocess.run([write_bodies, samples], check=True)
failed = []


def expect(fine, what):
    if not fine:
        failed.append(what)


def content(path):
    return open(path, "rb").read() if os.path.exists(path) else None


for name in sorted(os.listdir(samples)):
    if "skinned" not in name:
        continue
    nif, glb, out = os.path.join(samples, name), os.path.join(folder, name + ".glb"), os.path.join(folder, name + ".out")
    os.makedirs(out)
    subprocess.run([marrow, "convert", nif, "-o", glb, "--quiet"], check=True)
    run = subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                          os.path.join(here, "blender_body_habits.py"), "--", glb, out], capture_output=True, text=True,
                         timeout=600, env={**os.environ, "PATH": os.defpath})
    if run.returncode != 0:
        print(run.stdout[-3000:], run.stderr[-3000:])
        failed.append(f"{name}: Blender")
        continue
    for edited in sorted(os.listdir(out)):
        what, back = f"{name}: {edited}", os.path.join(out, edited + ".nif")
        put = subprocess.run([marrow, "body", "replace", nif, os.path.join(out, edited), "-o", back, "--json"],
                             capture_output=True, text=True)
        if put.returncode != 0:
            failed.append(f"{what}: {put.stderr.strip()}")
            continue
        report = json.loads(put.stdout)
        report = report[0] if isinstance(report, list) else report
        shape = report["shapes"][0]
        if edited.startswith("move"):
            expect(shape["positions"] >= 12, f"{what}: {shape}")
        elif edited.startswith("split"):  # Blender changes normals along the cut
            expect(shape["added_triangles"] == shape["removed_triangles"], f"{what}: {shape}")
        elif edited.startswith("take_group"):
            expect(shape["positions"] == 0 and shape["unweighted"] > 0, f"{what}: {shape}")
        else:
            expect(content(back) == content(nif), f"{what}: not the same bytes, {shape}")
        check = subprocess.run([marrow, "check", back], capture_output=True, text=True)
        expect(check.returncode == 0, f"{what}: {check.stdout}")
for each in failed:
    print(each)
sys.exit(1 if failed else 0)
