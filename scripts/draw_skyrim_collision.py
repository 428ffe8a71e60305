#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/skyrim-collision.md: draw_skyrim_collision.py MARROW FOLDER

Makes a table of bodies and a ragdoll with Marrow, both for Skyrim, and has Blender draw their exports into docs/images."""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests/e2e"))
import bodies
import sample_nif

marrow, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
images = HERE.parent / "docs/images"

TABLE = """bone, radius, mass, joint, twist, cone, plane, angle, axis, length
NPC COM [COM ], 9, 8
NPC Spine1 [Spn1], 9, 8, ragdoll, -10 10, 25, -15 15
NPC Head [Head], 6, 4, ragdoll, -20 20, 35, -20 20, , , 8
NPC L UpperArm [LUar], 4, 3, ragdoll, -30 30, 60, -40 40
NPC L Forearm [LLar], 3.5, 2, limited-hinge, , , , -5 120, 0 0 1
NPC L Hand [LHnd], 3, 1, ragdoll, -10 10, 40, -30 30, , , 6
NPC L Thigh [LThg], 6, 6, ragdoll, -10 10, 45, -50 15
NPC L Calf [LClf], 5, 4, limited-hinge, , , , -110 0, 1 0 0
NPC L Foot [Lft ], 4, 2, limited-hinge, , , , -35 5, 1 0 0
"""


def run(*words):
    subprocess.run([marrow, *map(str, words)], check=True)


def draw(nif, name):
    glb = nif.with_suffix(".glb")
    run("collision", "export", nif, "--show", "-o", glb)
    subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python", HERE / "render_collision.py",
                    "--", glb, images / name], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PATH": os.defpath})


old, nif = folder / "old.nif", folder / "table.nif"
sample_nif.write_nif(old)
run("convert", old, "--to", "skyrim-se", "-o", nif)
for (node, kind, options, mesh), now in zip(sample_nif.write_meshes(folder), ("mesh", "hull", "sphere", "capsule")):
    options = ["--material", {"Table": "wood", "Chest": "wood", "Ball": "cloth", "Lamp": "SolidMetal"}[node],
               *(["--mass", "5"] if now != "mesh" else [])]
    run("collision", "add-body", nif, mesh, "--node", node, "--shape", now, *options, "-o", folder / "more.nif")
    (folder / "more.nif").replace(nif)
draw(nif, "skyrim-collision.png")
bodies.write_glb(folder / "figure.glb", bodies.HUMAN)
(folder / "table.csv").write_text(TABLE)
run("collision", "ragdoll", folder / "figure.glb", folder / "table.csv", "--to", "skyrim-se", "-o", folder / "skeleton.nif")
draw(folder / "skeleton.nif", "skyrim-ragdoll.png")
