#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what every verb writes for the corpus, as SHA-256 sums.

    record_outputs.py MARROW              compare with tests/corpus/outputs.json
    record_outputs.py MARROW --write      record anew

Whoever restructures the program runs it before and after: files and CSV must not change by a byte. A change that is
meant is recorded in the commit that makes it. Skipped (exit 77) if the corpus is missing.
"""
import concurrent.futures
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = os.path.join(HERE, "outputs.json")
CORPUS = os.environ.get("MARROW_CORPUS", os.path.join(HERE, "..", "..", "..", "shared", "corpus"))

CUBE = "".join(f"v {x} {y} {z}\n" for x in (-20, 20) for y in (-10, 10) for z in (0, 30)) + "".join(
    f"f {a} {b} {c}\n" for a, b, c in ((1, 2, 4), (1, 4, 3), (5, 7, 8), (5, 8, 6), (1, 5, 6), (1, 6, 2), (3, 4, 8),
                                       (3, 8, 7), (1, 3, 7), (1, 7, 5), (2, 6, 8), (2, 8, 4)))
GAMES = {"fo4": "fallout4", "skyrim-le": "skyrim-le", "skyrim-se": "skyrim-se"}


class Recorder:
    def __init__(self, program, folder):
        self.program, self.folder, self.sums = program, folder, {}

    def path(self, label):
        path = os.path.join(self.folder, label)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def run(self, label, *arguments, output=True, also=()):
        """Runs a verb that writes `label`; `output` False takes what it prints instead. Returns the path."""
        path = self.path(label)
        extra = ["-o", path] if output else []
        done = subprocess.run([self.program, *map(str, arguments), *extra], capture_output=True, timeout=600)
        if not output and done.returncode == 0:
            with open(path, "wb") as file:
                file.write(done.stdout)
        for each in (path, *(os.path.splitext(path)[0] + extension for extension in also)):
            name = os.path.relpath(each, self.folder)
            self.sums[name] = hashlib.sha256(open(each, "rb").read()).hexdigest() if os.path.exists(each) else "none"
        return path


def record_clip(r, game, path, skeleton):
    name = f"{game}/{os.path.splitext(os.path.basename(path))[0]}"
    has_skeleton = os.path.exists(skeleton)
    r.run(f"{name}/same.hkx", "convert", path)
    xml = r.run(f"{name}/out.xml", "convert", path)
    r.run(f"{name}/from-xml.hkx", "convert", xml, "--to", GAMES[game])
    r.run(f"{name}/out.json", "convert", path)
    r.run(f"{name}/dump.txt", "dump", path, output=False)
    for other in GAMES.values():
        r.run(f"{name}/{other}.hkx", "convert", path, "--to", other)
    r.run(f"{name}/fixed.hkx", "check", path, "--fix")
    text = r.run(f"{name}/events.txt", "annotations", "export", path)
    r.run(f"{name}/imported.hkx", "annotations", "import", path, text)
    r.run(f"{name}/added.hkx", "annotations", "add", path, "--time", "0.1", "--text", "FootLeft")
    r.run(f"{name}/removed.hkx", "annotations", "remove", path, "--match", "*o*")
    r.run(f"{name}/replaced.hkx", "annotations", "replace", path, "--match", "*o*", "--text", "Other")
    r.run(f"{name}/local.csv", "sample", path, "--frames", "0,0.5,1,2.25", output=False)
    r.run(f"{name}/fps.csv", "sample", path, "--fps", "12")
    r.run(f"{name}/small.hkx", "compress", path, "--effort", "fast")
    r.run(f"{name}/stored.hkx", "compress", path, "--uncompressed")
    if not has_skeleton:
        return
    r.run(f"{name}/model.csv", "sample", path, "--frames", "0,1.5", "--space", "model", "--skeleton", skeleton,
          output=False)
    r.run(f"{name}/bound.hkx", "compress", path, "--effort", "fast", "--skeleton", skeleton, "--max-model-error", "0.2")
    glb = r.run(f"{name}/out.glb", "convert", path, "--skeleton", skeleton)
    r.run(f"{name}/blender.gltf", "convert", path, "--skeleton", skeleton, "--units", "blender", "--show-bones")
    r.run(f"{name}/from-glb.hkx", "convert", glb, "--to", GAMES[game])
    r.run(f"{name}/from-glb.xml", "convert", glb, "--to", GAMES[game], "--skeleton", skeleton)
    mirrored = r.run(f"{name}/mirrored.hkx", "mirror", path, "--skeleton", skeleton)
    r.run(f"{name}/mirrored.csv", "mirror", mirrored, "--skeleton", skeleton)
    r.run(f"{name}/mirrored.glb", "mirror", path, "--skeleton", skeleton)
    other = "fo4" if game != "fo4" else "skyrim-se"
    target = f"{CORPUS}/hkx/{other}/skeleton.hkx"
    r.run(f"{name}/retargeted.hkx", "retarget", path, "--from", skeleton, "--to", target)
    r.run(f"{name}/retargeted.glb", "retarget", path, "--from", skeleton, "--to", target)
    r.run(f"{name}/simulated.hkx", "simulate", skeleton, "--clip", path, "--modifiers", "pouch", "--bone", "*Spine*")
    r.run(f"{name}/simulated.csv", "simulate", skeleton, "--clip", path, "--modifiers", "pouch", "--bone", "*Spine*",
          "--seconds", "0.5")


def record_skeleton(r, game, path):
    name = f"{game}/{os.path.splitext(os.path.basename(path))[0]}"
    r.run(f"{name}/same.hkx", "convert", path)
    r.run(f"{name}/out.xml", "convert", path)
    glb = r.run(f"{name}/out.glb", "convert", path)
    r.run(f"{name}/ragdoll.glb", "convert", path, "--ragdoll")
    r.run(f"{name}/from-glb.hkx", "convert", glb, "--to", GAMES[game])
    r.run(f"{name}/over.hkx", "convert", glb, "--to", GAMES[game], "--skeleton", path)
    r.run(f"{name}/anvil.xml", "convert", glb, "--to", "unity", "--format", "anvil-standard")
    for other in GAMES.values():
        r.run(f"{name}/{other}.hkx", "convert", path, "--to", other)
    if game == "fo4":
        r.run(f"{name}/physics.obj", "collision", "export", path, also=(".mtl",))


def record_nif(r, path):
    name = f"nif/{os.path.splitext(os.path.basename(path))[0]}"
    r.run(f"{name}/same.nif", "convert", path)
    r.run(f"{name}/export.obj", "collision", "export", path, also=(".mtl",))
    r.run(f"{name}/export.glb", "collision", "export", path, "--solid")
    r.run(f"{name}/fixed.nif", "check", path, "--fix")
    listed = subprocess.run([r.program, "collision", "list", path, "--json"], capture_output=True)
    for system in json.loads(listed.stdout or b"[]"):
        if system.get("kind") not in ("physics", "ragdoll", "cloth"):
            continue
        block = system["block"]
        blob = r.run(f"{name}/{block}.hkx", "collision", "extract", path, "--block", block)
        r.run(f"{name}/{block}.nif", "collision", "replace", path, blob, "--block", block)
        if system["kind"] != "cloth":
            r.run(f"{name}/{block}-set.nif", "collision", "set", path, "--block", block, "--friction", "0.9",
                  "--material", "wood", "--layer", "CLUTTER")


def record_collision(r):
    mesh = r.path("build/cube.obj")
    with open(mesh, "w") as file:
        file.write(CUBE)
    for kind in ("hull", "mesh", "box", "sphere", "capsule", "compound", "decompose"):
        r.run(f"build/{kind}.hkx", "collision", "build", mesh, "--shape", kind, "--material", "wood", "--mass", "5")
    nif = f"{CORPUS}/nif/ToyBlock01.nif"
    r.run("build/attached.nif", "collision", "attach", nif, r.path("build/hull.hkx"), "--node", "ToyBlock01")
    r.run("build/mass.hkx", "collision", "set", r.path("build/hull.hkx"), "--mass", "9", "--linear-damping", "0.5")


def record_rigs(r):
    folder = f"{CORPUS}/anvil"
    base = f"{folder}/generic_male.xml"
    addons = [f"{folder}/addon_{name}.xml" for name in ("hidden_blade", "sword", "neck_setup", "quad_pistols",
                                                        "hair_strand")]
    for path in sorted(glob.glob(folder + "/*.xml") + glob.glob(folder + "/schema/*.xml")):
        name = "anvil/" + os.path.relpath(path, folder)[:-4]
        r.run(f"{name}/same.xml", "convert", path)
        r.run(f"{name}/schema.xml", "convert", path, "--format", "anvil-schema", "--to", "rogue")
        r.run(f"{name}/standard.xml", "convert", path, "--format", "anvil-standard", "--to", "unity")
        r.run(f"{name}/fixed.xml", "check", path, "--fix")
        glb = r.run(f"{name}/out.glb", "convert", path)
        r.run(f"{name}/from-glb.xml", "convert", glb)
    edit = lambda label, verb, *words: r.run(f"anvil/edit/{label}.xml", "rig", verb, base, *words)
    merged = edit("merged", "merge", *addons, "--game", "unity")
    edit("appended", "merge", *addons, "--append")
    edit("new-addon", "new-addon", "--attach", "Hips")
    r.run("anvil/edit/extracted.xml", "rig", "extract-addon", merged, "--base", base)
    edit("added", "add-bone", "Cape_01", "--parent", "Spine2", "--position", "0,0.1,0")
    edit("removed", "remove-bone", "Fx_Jaw")
    edit("renamed", "rename", "Fx_Jaw", "Jaw_New")
    edit("reparented", "reparent", "Fx_Jaw", "Hips")
    edit("mirrored", "mirror", "LeftHand", "RightHand")
    edit("modifier", "add-modifier", "Fx_Jaw", "BallJoint", "Mass=2.5")
    edit("rogue", "to-game", "--to", "rogue")
    r.run("anvil/edit/copied.xml", "rig", "copy-modifiers", merged, "--from", "BJ_Hair04", "--to", "Fx_Jaw")
    shake = ("--shake", "0.05,1", "--seconds", "1", "--game", "rogue")
    for addon in addons:
        name = os.path.basename(addon)[:-4]
        r.run(f"anvil/simulate/{name}.csv", "simulate", base, addon, *shake)
    r.run("anvil/simulate/all.glb", "simulate", base, *addons, *shake)


def record(program, folder):
    r = Recorder(program, folder)
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for game in GAMES:
            for path in sorted(glob.glob(f"{CORPUS}/hkx/{game}/*.hkx")):
                stem = os.path.basename(path)
                if "skeleton" in stem:
                    jobs.append(pool.submit(record_skeleton, r, game, path))
                else:
                    skeleton = "skeleton_troll.hkx" if "troll" in stem else "skeleton.hkx"
                    jobs.append(pool.submit(record_clip, r, game, path, f"{CORPUS}/hkx/{game}/{skeleton}"))
        for path in sorted(glob.glob(f"{CORPUS}/nif/*.nif")):
            jobs.append(pool.submit(record_nif, r, path))
        jobs += [pool.submit(record_collision, r), pool.submit(record_rigs, r)]
        for job in jobs:
            job.result()
    se = f"{CORPUS}/hkx/skyrim-se"
    r.run("merged.glb", "convert", f"{se}/bow_drawlight.hkx", f"{se}/1hm_staggerbacksmallest.hkx", "--skeleton",
          f"{se}/skeleton.hkx")
    return dict(sorted(r.sums.items()))


def main():
    if not os.path.isdir(CORPUS):
        print(f"skipped: no corpus at {CORPUS}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        now = record(os.path.abspath(sys.argv[1]), folder)
    if "--write" in sys.argv:
        with open(RECORD, "w") as file:
            json.dump(now, file, indent=0)
            file.write("\n")
        print(f"{len(now)} outputs recorded, {sum(v == 'none' for v in now.values())} of them none")
        return 0
    before = json.load(open(RECORD))
    changed = [name for name in sorted(before.keys() | now.keys()) if before.get(name) != now.get(name)]
    for name in changed:
        print(f"changed: {name}: {before.get(name, 'not recorded')[:12]} -> {now.get(name, 'not written')[:12]}")
    print(f"{len(now)} outputs, {len(changed)} changed")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
