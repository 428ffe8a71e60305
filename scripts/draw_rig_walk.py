#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/rig-walk.md from the files that its commands write.

    tests/e2e/rig_walk_test.py MARROW REPOSITORY FOLDER && draw_rig_walk.py MARROW REPOSITORY FOLDER
"""
import csv
import json
import math
import pathlib
import subprocess
import sys

marrow, repository, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
TAIL = [f"P_Tail_0{i}" for i in range(1, 5)] + ["P_Tail_End"]
COLOURS = ["#3b6fb6", "#d9822b", "#4d9a4d", "#b5483f", "#7a5ba6"]
SIMULATE = ["--game", "unity", "--shake", "0.08,1", "--seconds", "3", "--fps", "60"]


def run(*words):
    done = subprocess.run([marrow, *map(str, words)], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def turn(q, v):
    x, y, z, w = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx]


def times(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def angle(a, b):
    return math.degrees(2 * math.acos(min(1.0, abs(sum(x * y for x, y in zip(a, b))))))


run("rig", "merge", "generic_male.xml", "ponytail.xml", "--game", "unity", "-o", "merged.xml")
bones = json.loads(run("rig", "list", "merged.xml", "--json"))[0]["bones"]
parent = {bone["name"]: bone["parent"] for bone in bones}


def poses(path):
    frames = {}
    with open(folder / path) as stream:
        for row in csv.DictReader(stream):
            frames.setdefault(int(row["frame"]), {})[row["bone"]] = (
                [float(row[k]) for k in ("tx", "ty", "tz")], [float(row[k]) for k in ("qx", "qy", "qz", "qw")])
    return [frames[i] for i in sorted(frames)]


def joints(frame):
    """Places of all bones in the model."""
    world = {}
    for bone in bones:  # parents come first
        name = bone["name"]
        t, q = frame[name]
        if parent[name]:
            pt, pq = world[parent[name]]
            t, q = [a + b for a, b in zip(pt, turn(pq, t))], times(pq, q)
        world[name] = (t, q)
    return {name: place for name, (place, _) in world.items()}


def svg(name, width, height, body):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">\n'
    text = head + f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + "".join(body) + "</svg>\n"
    (repository / "docs/images" / name).write_text(text, encoding="utf-8")


run("simulate", "generic_male.xml", "tail.xml", "--modifiers", "ponytail", "--bone", "P_Tail_01..P_Tail_04", *SIMULATE, "-o",
    "preset.csv")
preset, tuned = poses("preset.csv"), poses("tuned.csv")

# From behind and from the side: at rest, and at the two ends of the swing.
swing = [joints(frame) for frame in tuned]
sideways = [places["P_Tail_End"][0] - places["Head"][0] for places in swing]
shown = [("at rest", 0), ("one end of the swing", sideways.index(min(sideways))), ("the other", sideways.index(max(sideways)))]
body = []
for column, (title, frame) in enumerate(shown):
    for row, (axis, view) in enumerate(((0, "from behind"), (1, "from the side"))):
        middle, top, scale = 120 + 220 * column, 20 + 230 * row, 260
        head = swing[frame]["Head"]

        def at(name):
            place = swing[frame][name]
            return middle + scale * (place[axis] - head[axis]), top + 60 - scale * (place[2] - head[2])

        for bone in bones:
            name = bone["name"]
            ends = [swing[frame][end] for end in (name, parent[name]) if end]
            if not parent[name] or any(end[2] < head[2] - 0.55 or abs(end[axis] - head[axis]) > 0.38 for end in ends):
                continue
            (x1, y1), (x2, y2) = at(parent[name]), at(name)
            is_tail = name in TAIL[1:]
            body.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke-linecap="round" '
                        f'stroke="{COLOURS[1] if is_tail else "#b8bec6"}" stroke-width="{6 if is_tail else 3}"/>\n')
        body.append(f'<text x="{middle}" y="{top + 215}" text-anchor="middle" fill="#444">{title}, {view}</text>\n')
svg("rig-walk-swing.svg", 700, 480, body)

# Angles from rest over time.
body = []
for row, (title, frames) in enumerate((("preset", preset), ("tuned", tuned))):
    left, top, width, height, most = 50, 20 + 190 * row, 560, 140, 50
    rate = (len(frames) - 1) / 3
    body.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#b8bec6"/>\n')
    for degrees in range(0, most + 1, 10):
        y = top + height - height * degrees / most
        body.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" stroke="#eceff3"/>'
                    f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#444">{degrees}°</text>\n')
    for second in range(4):
        body.append(f'<text x="{left + width * second / 3:.1f}" y="{top + height + 15}" text-anchor="middle" fill="#444">'
                    f'{second} s</text>\n')
    for i, name in enumerate(TAIL[:4]):
        points = " ".join(f"{left + width * k / rate / 3:.1f},{top + height - height * angle(f[name][1], frames[0][name][1]) / most:.1f}"
                          for k, f in enumerate(frames))
        body.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[i]}" stroke-width="1.5"/>\n')
        if row == 0:
            body.append(f'<text x="{left + width + 8}" y="{top + 14 + 18 * i}" fill="{COLOURS[i]}">{name}</text>\n')
    body.append(f'<text x="{left + 8}" y="{top + 16}" fill="#444">{title}</text>\n')
svg("rig-walk-angles.svg", 700, 390, body)
