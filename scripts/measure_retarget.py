#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures retargeted clips from the outside, with numpy and `marrow sample`, for the table of docs/retarget.md.

    measure_retarget.py MARROW CORPUS

CORPUS has the folders skyrim-le, skyrim-se and fallout4 with a skeleton.hkx and clips each. The four-legged creature is
the one of tests/e2e/bodies.py.
"""
import csv
import glob
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/e2e"))
from bodies import BEAST, write_glb  # noqa: E402

MARROW = sys.argv[1]


def run(*args):
    done = subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def sampled(clip, skeleton, count):
    """Places of every bone in model space: bone -> array of frames by 3."""
    info = json.loads(run("info", clip, "--json")[1])[0]["clips"][0]
    frames = numpy.unique(numpy.linspace(0, info["frames"] - 1, min(count, info["frames"])).round().astype(int))
    code, text, error = run("sample", clip, "--skeleton", skeleton, "--space", "model", "--frames", ",".join(map(str, frames)))
    if code:
        raise SystemExit(error)
    places = {}
    for row in csv.DictReader(io.StringIO(text)):
        places.setdefault(row["bone"], []).append([float(row[k]) for k in ("tx", "ty", "tz")])
    return {bone: numpy.array(rows) for bone, rows in places.items()}


def angles(a, b):
    a, b = (v / numpy.maximum(numpy.linalg.norm(v, axis=1, keepdims=True), 1e-9) for v in (a, b))
    return numpy.degrees(numpy.arccos(numpy.clip((a * b).sum(axis=1), -1, 1)))


def measure(clip, source, target, name):
    out = os.path.join(TEMP, "out.hkx")
    code, text, error = run("retarget", clip, "--from", source, "--to", target, "-o", out, "--json")
    if code:
        return [name, "refused: " + error.strip().splitlines()[-1]]
    report = json.loads(text)[0]
    a, b = sampled(clip, source, 60), sampled(out, target, 60)
    pairs = {m["from"]: m["to"] for m in report["bones"] if m["from"] in a and m["to"] in b}
    limbs = []
    for side in "LR":
        for chain in ((f"NPC {side} Thigh [{side}Thg]", f"NPC {side} Calf [{side}Clf]", f"NPC {side} Foot [{side}ft ]"),
                      (f"{side}Leg_Thigh", f"{side}Leg_Calf", f"{side}Leg_Foot"),
                      (f"NPC {side} UpperArm [{side}Uar]", f"NPC {side} Forearm [{side}Lar]", f"NPC {side} Hand [{side}Hnd]"),
                      (f"{side}Arm_UpperArm", f"{side}Arm_ForeArm1", f"{side}Arm_Hand")):
            limbs += [(x, y) for x, y in zip(chain, chain[1:]) if x in pairs and y in pairs]
    errors = numpy.concatenate([angles(a[y] - a[x], b[pairs[y]] - b[pairs[x]]) for x, y in limbs]) if limbs else numpy.zeros(1)
    toes = [bone for bone in a if bone in pairs and "Toe" in bone]
    floor = min((b[pairs[t]][:, 2].min() - min(0.0, a[t][:, 2].min() * report["scale"]) for t in toes), default=float("nan"))
    hands = [h for h in ("NPC L Hand [LHnd]", "NPC R Hand [RHnd]", "LArm_Hand", "RArm_Hand") if h in pairs]
    apart = ""
    if len(hands) == 2:
        ours = numpy.linalg.norm(b[pairs[hands[0]]] - b[pairs[hands[1]]], axis=1)
        theirs = numpy.linalg.norm(a[hands[0]] - a[hands[1]], axis=1)
        near = theirs < 31
        if near.any():
            apart = f"{theirs[near].mean():.1f} to {(ours[near] / report['scale']).mean():.1f}"
    return [name, f"{report['mapped_limb_bones']}/{report['limb_bones']}", "yes" if report["relative"] else "no",
            f"{errors.mean():.2f}" if not report["relative"] else f"{report['mean_direction_error']:.2f} (from rest)",
            f"{errors.max():.1f}" if not report["relative"] else f"{report['worst_direction_error']:.1f} (from rest)",
            f"{report['worst_contact_error']:.2f} %", f"{floor:.2f}", apart]


with tempfile.TemporaryDirectory(prefix="marrow-retarget-") as TEMP:
    corpus = sys.argv[2]
    write_glb(os.path.join(TEMP, "beast.glb"), BEAST)
    beast = os.path.join(TEMP, "beast.hkx")
    run("convert", os.path.join(TEMP, "beast.glb"), "-o", beast, "--to", "skyrim-se")
    bodies = {"beast": beast}
    for path in sorted(glob.glob(corpus + "/**/skeleton*.hkx", recursive=True)):
        bodies[os.path.relpath(path, corpus)] = path
    print("| clip | to | limb bones | other plan | mean, degrees | worst, degrees | feet | lowest toe, units | hands apart |\n|---|---|---|---|---|---|---|---|---|")
    for clip in sorted(glob.glob(corpus + "/**/*.hkx", recursive=True)):
        own = "skeleton_troll.hkx" if "troll" in os.path.basename(clip).lower() else "skeleton.hkx"
        source = os.path.join(os.path.dirname(clip), own)
        if "skeleton" in os.path.basename(clip).lower() or not os.path.exists(source):
            continue
        info = json.loads(run("info", clip, "--json")[1])
        if not info[0]["clips"] or info[0]["clips"][0]["additive"]:
            continue
        for name, target in bodies.items():
            if os.path.abspath(target) != os.path.abspath(source):
                row = measure(clip, source, target, os.path.relpath(clip, corpus))
                print("| " + " | ".join([row[0], name, *row[1:]]) + " |", flush=True)
