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

marrow, repository, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
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


STYLE = """
  .flesh{stroke:#7d8fa6;fill:none;stroke-linecap:round;stroke-linejoin:round}.skull{fill:#7d8fa6}.bone{fill:#b08d45}.left{fill:#2f68ab}.right{fill:#d2521f}
  .tail{stroke:#1f8f76;stroke-linecap:round}.text{fill:#3a424d}.frame{fill:none;stroke:#b8bec6}.line{stroke:#b8bec6;stroke-opacity:.35}
  @media (prefers-color-scheme:dark){.text{fill:#c3cbd6}.tail{stroke:#3fc0a0}.flesh{stroke:#8ea3bf}.skull{fill:#8ea3bf}.frame{stroke:#5d6877}}"""


def svg(name, width, height, body):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="system-ui,sans-serif" font-size="13">\n'
    text = head + f"<style>{STYLE}\n</style>\n" + "".join(body) + "</svg>\n"
    (repository / "docs/images" / name).write_text(text, encoding="utf-8")


run("simulate", "generic_male.xml", "tail.xml", "--modifiers", "ponytail", "--bone", "P_Tail_01..P_Tail_04", *SIMULATE, "-o",
    "preset.csv")
preset, tuned = poses("preset.csv"), poses("tuned.csv")

# From behind and from the side: at rest, at the two ends of the swing, and faintly in between.
swing = [joints(frame) for frame in tuned]
sideways = [places["P_Tail_End"][0] - places["Head"][0] for places in swing]
ends = sideways.index(min(sideways)), sideways.index(max(sideways))
FLESH = [("Hips", "Spine2", 0.27), ("Spine2", "Neck", 0.2), ("LeftArm", "RightArm", 0.11), ("Neck", "Head", 0.11), ("LeftArm", "LeftForeArm", 0.1),
         ("RightArm", "RightForeArm", 0.1), ("LeftForeArm", "LeftHand", 0.08), ("RightForeArm", "RightHand", 0.08)]
SPINE = [("Hips", "Spine"), ("Spine", "Spine1"), ("Spine1", "Spine2"), ("Spine2", "Neck"), ("Neck", "Head"), ("Head", "P_Tail_01")]
ARMS = [(f"{side}{bone}", f"{side}{end}") for side in ("Left", "Right") for bone, end in (("Clavicle", "Arm"), ("Arm", "ForeArm"), ("ForeArm", "Hand"))]
SCALE = 470


def path_of_bone(a, b):
    """Returns a kite from one joint to the next."""
    (ax, ay), (bx, by) = a, b
    wx, wy, sx, sy = ax + 0.16 * (bx - ax), ay + 0.16 * (by - ay), -0.1 * (by - ay), 0.1 * (bx - ax)
    return f"M{ax:.1f} {ay:.1f}L{wx + sx:.1f} {wy + sy:.1f}L{bx:.1f} {by:.1f}L{wx - sx:.1f} {wy - sy:.1f}z"


def tail_at(frame, place, opacity):
    points = [place(swing[frame], name) for name in TAIL]
    lines = "".join(f'<line class="tail" x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke-width="{17 - 3.5 * i:.1f}"/>'
                    for i, (a, b) in enumerate(zip(points, points[1:])))
    return f'<g opacity="{opacity}">{lines}</g>\n'


body = ['<defs><linearGradient id="fade" x2="0" y2="1"><stop offset=".75" stop-color="#fff"/><stop offset="1" stop-color="#000"/></linearGradient>'
        '<mask id="bottom"><rect width="760" height="372" fill="url(#fade)"/></mask></defs>\n']
for column, (axis, view) in enumerate(((0, "from behind"), (1, "from the side"))):
    middle = (235, 600)[column]

    def place(places, name):
        at, head = places[name], places["Head"]
        return middle + SCALE * (at[axis] - head[axis]), 128 - SCALE * (at[2] - head[2])

    rest = swing[0]
    x, y = place(rest, "Head")
    flesh = "".join('<path class="flesh" stroke-width="%.0f" d="M%.1f %.1fL%.1f %.1f"/>' % (wide * SCALE, *place(rest, a), *place(rest, b)) for a, b, wide in FLESH)
    skull = f'<ellipse cx="{x + 0.02 * axis * SCALE:.1f}" cy="{y - 0.1 * SCALE:.1f}" rx="{(0.085, 0.105)[axis] * SCALE:.1f}" ry="{0.125 * SCALE:.1f}" class="skull"/>'
    bones_drawn = "".join(f'<path class="{("left" if "Left" in a else "right" if "Right" in a else "bone")}" d="{path_of_bone(place(rest, a), place(rest, b))}"/>'
                          for a, b in (*ARMS, *SPINE))
    body.append(f'<g mask="url(#bottom)"><g opacity=".3">{flesh}{skull}</g>{bones_drawn}</g>\n')
    low, high = sorted(ends)
    body += [tail_at(frame, place, 0.1) for frame in range(low, high, max((high - low) // 9, 1))]
    body += [tail_at(0, place, 0.35), *(tail_at(frame, place, 1) for frame in ends)]
    body.append(f'<text class="text" x="{middle}" y="392" text-anchor="middle">{view}</text>\n')
svg("rig-walk-swing.svg", 760, 400, body)

# Angles from rest over time.
body = []
for row, (title, frames) in enumerate((("preset", preset), ("tuned", tuned))):
    left, top, width, height, most = 50, 20 + 190 * row, 560, 140, 50
    rate = (len(frames) - 1) / 3
    body.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" class="frame"/>\n')
    for degrees in range(0, most + 1, 10):
        y = top + height - height * degrees / most
        body.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" class="line"/>'
                    f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end" class="text">{degrees}°</text>\n')
    for second in range(4):
        body.append(f'<text x="{left + width * second / 3:.1f}" y="{top + height + 15}" text-anchor="middle" class="text">'
                    f'{second} s</text>\n')
    for i, name in enumerate(TAIL[:4]):
        points = " ".join(f"{left + width * k / rate / 3:.1f},{top + height - height * angle(f[name][1], frames[0][name][1]) / most:.1f}"
                          for k, f in enumerate(frames))
        body.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[i]}" stroke-width="2" stroke-linejoin="round"/>\n')
        if row == 0:
            body.append(f'<text x="{left + width + 8}" y="{top + 14 + 18 * i}" fill="{COLOURS[i]}">{name}</text>\n')
    body.append(f'<text x="{left + 8}" y="{top + 16}" class="text">{title}</text>\n')
svg("rig-walk-angles.svg", 700, 390, body)
