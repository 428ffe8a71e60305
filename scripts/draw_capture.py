#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/images/from-capture.svg: a captured walk, and the same walk on a skeleton of the game, seen from the side.

    draw_capture.py MARROW WALK_CYCLE OUT.svg
"""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/e2e"))
import fbx_writer  # noqa: E402

FRAMES = (0, 5, 10, 15, 20, 25, 30)
WIDTH, HEIGHT, STEP = 760, 250, 92


def rows(marrow, *args):
    text = subprocess.run([marrow, "sample", *args, "--space", "model", "--frames", ",".join(map(str, FRAMES))],
                          check=True, capture_output=True, text=True).stdout
    return {(round(float(r["frame"])), r["bone"]): (float(r["tx"]), float(r["ty"]), float(r["tz"])) for r in csv.DictReader(io.StringIO(text))}


def bones(marrow, path):
    import json

    table = json.loads(subprocess.run([marrow, "info", path, "--bones", "--json"], check=True, capture_output=True, text=True).stdout)
    return [(b["name"], None if b["parent"] is None else table[0]["skeletons"][0]["table"][b["parent"]]["name"])
            for b in table[0]["skeletons"][0]["table"]]


def figures(pairs, places, along, up, scale, ground):
    """One stick figure per frame: lines between bones and their parents, side by side."""
    out = []
    for i, frame in enumerate(FRAMES):
        here = {name: places[(frame, name)] for name, _ in pairs if (frame, name) in places}
        middle = sum(p[along[0]] for p in here.values()) / len(here)
        for name, parent in pairs:
            if parent not in here or name not in here or here[parent][up] < -1e3:
                continue
            side = "#c2571a" if "Right" in name or " R " in name else "#2f7fb5"
            (a, b) = (((p[along[0]] - middle) * along[1] * scale + 70 + i * STEP, ground - p[up] * scale) for p in (here[name], here[parent]))
            out.append(f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="{side}"/>')
    return out


def main(marrow, walk_cycle, out):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        capture, result = folder / "capture.bvh", folder / "out.hkx"
        capture.write_bytes(fbx_writer.captured_walk())
        subprocess.run([walk_cycle, folder / "walk"], check=True, stdout=subprocess.DEVNULL)
        skeleton = next((folder / "walk/skyrim-se").rglob("skeleton.hkx"))
        subprocess.run([marrow, "retarget", capture, "--from", capture, "--to", skeleton, "-o", result], check=True, stdout=subprocess.DEVNULL)
        lines = figures(bones(marrow, capture), rows(marrow, capture), (2, 1), 1, 0.55, 112)
        drawn = [b for b in bones(marrow, skeleton) if b[0].startswith("NPC") and "Finger" not in b[0]]
        lines += figures([(n, p if p and p != "NPC Root [Root]" else None) for n, p in drawn],
                         rows(marrow, result, "--skeleton", skeleton), (1, 1), 2, 0.79, 232)
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" fill="#808080">',
            '<g stroke-width="2.2" stroke-linecap="round">', *lines, "</g>",
            *(f'<line x1="20" y1="{y}" x2="{WIDTH - 20}" y2="{y}" stroke="#808080" stroke-width="0.6"/>' for y in (113, 233)),
            '<text x="20" y="12">capture.bvh</text>', '<text x="20" y="132">on the skeleton of the game</text>', "</svg>"]
    pathlib.Path(out).write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:4])
