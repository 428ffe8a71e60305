#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""glTF and retargeting as people call them, on files that the project makes.

    gltf_cli_test.py MARROW SAMPLES FOLDER
"""
import json
import os
import shutil
import sys

from trial import Trial

marrow, samples, folder = sys.argv[1:4]
trial = Trial(marrow, folder)
out, run, check = trial.out, trial.run, trial.check


def sample(name):
    return os.path.join(samples, name)


def info(path):
    return json.loads(run("info", path, "--json").stdout)[0]


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


# glTF to Havok and back: the clip's own words, in every game.
run("convert", sample("skeleton.glb"), "-o", out("skeleton.hkx"), "--to", "skyrim-se")
run("convert", sample("other.glb"), "-o", out("other.hkx"), "--to", "fallout4")
for game in ("skyrim-le", "skyrim-se", "fallout4"):
    hkx = out(f"walk-{game}.hkx")
    run("convert", sample("walk.glb"), "-o", hkx, "--to", game)
    clip = info(hkx)["clips"][0]
    want = {"frames": 41, "tracks": 25, "float_tracks": 2, "annotations": 4, "root_motion": True, "additive": False}
    check(f"{game}: {clip}", all(clip[key] == value for key, value in want.items()))
    glb, again = out(f"walk-{game}.glb"), out(f"again-{game}.hkx")
    run("convert", hkx, "-o", glb, "--skeleton", out("skeleton.hkx"))
    run("convert", glb, "-o", again, "--skeleton", out("skeleton.hkx"))
    check(f"{game}: to glTF and back gives other bytes", read(hkx) == read(again))
run("convert", sample("additive.glb"), "-o", out("additive.hkx"), "--to", "fallout4")
check("additive is lost", info(out("additive.hkx"))["clips"][0]["additive"])

# Without a game or a skeleton the cure is named, and nothing is left behind.
cure = run("convert", sample("walk.glb"), "-o", out("nowhere.hkx"), expect=1).stderr
check(f"no cure in: {cure}", "--to" in cure and not os.path.exists(out("nowhere.hkx")))
shutil.copy(out("walk-skyrim-se.hkx"), out("lonely.hkx"))
os.makedirs(out("deep/er"))
shutil.move(out("lonely.hkx"), out("deep/er/lonely.hkx"))
run("convert", out("deep/er/lonely.hkx"), "-o", out("lonely.glb"))  # finds ../../skeleton.hkx

# One file of several clips, and several files of one.
cure = run("convert", sample("many.glb"), "-o", out("one.hkx"), "--to", "skyrim-se", expect=1).stderr
check(f"no cure in: {cure}", "--clip" in cure)
run("convert", sample("many.glb"), "-o", out("one.hkx"), "--to", "skyrim-se", "--clip", "short")
check("the wrong clip", info(out("one.hkx"))["clips"][0]["frames"] == 7)
run("convert", sample("many.glb"), "-o", out("split"), "--format", "hkx", "--to", "skyrim-se")
check("not split", sorted(os.listdir(out("split"))) == ["pose.hkx", "short.hkx", "walk.hkx"])
run("convert", out("split"), "-o", out("merged.glb"), "--skeleton", out("skeleton.hkx"))
merged = info(out("merged.glb"))
check(f"not merged: {merged}", len(merged["clips"]) == 3 and len(merged["skeletons"]) == 1)
run("convert", out("split"), "-o", out("each"), "--format", "glb", "--skeleton", out("skeleton.hkx"))
check("not one file per clip", sorted(os.listdir(out("each"))) == ["pose.glb", "short.glb", "walk.glb"])

# check: clean by itself and on its skeleton, a warning on another.
run("check", sample("walk.glb"))
run("check", sample("walk.glb"), "--skeleton", out("skeleton.hkx"))
findings = json.loads(run("check", sample("walk.glb"), "--skeleton", out("other.hkx"), "--json", expect=3).stdout)
check(f"{findings}", findings[0]["findings"][0]["code"] == "E_OTHER_SKELETON")

# Retargeting, with a map that is saved, edited and given.
report = run("retarget", out("walk-skyrim-se.hkx"), "--from", out("skeleton.hkx"), "--to", out("other.hkx"), "-o",
             out("other-walk.hkx"), "--save-map", out("map.txt")).stdout
check(f"no report: {report}", "mapped    25 of 25 bones" in report)
check("the game of --to", info(out("other-walk.hkx"))["game"] == "fallout4")
with open(out("map.txt"), "a") as stream:
    stream.write("NPC Head [Head] = -\n")
fields = json.loads(run("retarget", out("walk-skyrim-se.hkx"), "--from", out("skeleton.hkx"), "--to", out("other.hkx"),
                        "-o", out("headless.glb"), "--map", out("map.txt"), "--json").stdout)[0]
check(f"the map is not followed: {fields['left_out']}", fields["left_out"] == ["NPC Head [Head]"])
with open(out("bad.txt"), "w") as stream:
    stream.write("NPC Head [Head] = Kopf\n")
error = run("retarget", out("walk-skyrim-se.hkx"), "--from", out("skeleton.hkx"), "--to", out("other.hkx"), "-o",
            out("bad.hkx"), "--map", out("bad.txt"), expect=1).stderr
check(f"no line in: {error}", "line 1" in error and "Kopf" in error and not os.path.exists(out("bad.hkx")))

trial.end()
