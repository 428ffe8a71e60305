#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a clip as a picture that moves, an animated SVG: limbs as `marrow sample` places them, the ground passing by as
its root motion says, events as they are fired.

    draw_walk.py MARROW CLIP SKELETON OUT.svg
"""
import csv
import io
import json
import math
import subprocess
import sys

WIDTH, HEIGHT, SCALE, GROUND = 760, 340, 2.05, 296
YAW, PITCH = math.radians(62), math.radians(9)
STRIDE = 110.0  # units per cycle, as examples/walk_cycle.cpp has it
# Bones from joint to joint, how thick, and how near to who looks on.
LIMBS = [("far", "NPC L UpperArm [LUar]", "NPC L Forearm [LLar]", 8), ("far", "NPC L Forearm [LLar]", (0, 0, -24), 7),
         ("far", "NPC L Thigh [LThg]", "NPC L Calf [LClf]", 13), ("far", "NPC L Calf [LClf]", "NPC L Foot [Lft ]", 10),
         ("far", "NPC L Foot [Lft ]", (0, 14, -3), 7),
         ("body", "NPC COM [COM ]", "NPC Spine [Spn0]", 24), ("body", "NPC Spine [Spn0]", (0, 0, 34), 26),
         ("body", "NPC L UpperArm [LUar]", "NPC R UpperArm [RUar]", 12),
         ("near", "NPC R Thigh [RThg]", "NPC R Calf [RClf]", 13), ("near", "NPC R Calf [RClf]", "NPC R Foot [Rft ]", 10),
         ("near", "NPC R Foot [Rft ]", (0, 14, -3), 7),
         ("near", "NPC R UpperArm [RUar]", "NPC R Forearm [RLar]", 8), ("near", "NPC R Forearm [RLar]", (0, 0, -24), 7)]
STYLE = """
  .far{stroke:#2f6db3}.body{stroke:#b9a27c}.near{stroke:#e0602c}.head{fill:#b9a27c}.ground{stroke:#8a919c}
  .text{fill:#3a404a;font:600 17px system-ui,sans-serif}.small{fill:#6a717c;font:13px ui-monospace,monospace}
  line{stroke-linecap:round}.joint{fill:#fff;fill-opacity:.55}
  @media (prefers-color-scheme:dark){.text{fill:#e4e7ec}.small{fill:#9aa3b0}.ground{stroke:#5c6470}}"""


def printed(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def project(point):
    x, y, z = point
    right = -x * math.cos(YAW) + y * math.sin(YAW)
    away = x * math.sin(YAW) + y * math.cos(YAW)
    return WIDTH / 2 + right * SCALE, GROUND - (z * math.cos(PITCH) + away * math.sin(PITCH)) * SCALE


def turned(q, v):
    x, y, z, w = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def frames_of(marrow, clip, skeleton, count):
    """Returns for each frame the place and rotation of every bone in model space."""
    frames = [{} for _ in range(count)]
    listed = printed(marrow, "sample", clip, "--frames", ",".join(map(str, range(count))), "--space", "model", "--skeleton", skeleton)
    for row in csv.DictReader(io.StringIO(listed)):
        numbers = [float(row[key]) for key in ("tx", "ty", "tz", "qx", "qy", "qz", "qw")]
        frames[round(float(row["frame"]))][row["bone"]] = (numbers[:3], numbers[3:])
    return frames


def joint(frame, bone, end):
    """Returns the end of a limb: another bone, or a place in this one."""
    if isinstance(end, str):
        return frame[end][0]
    place, rotation = frame[bone]
    return [a + b for a, b in zip(place, turned(rotation, end))]


def animated(name, values, seconds):
    text = ";".join(f"{value:.1f}" for value in values)
    return f'<animate attributeName="{name}" dur="{seconds:.4g}s" repeatCount="indefinite" values="{text}"/>'


def limb(frames, row, seconds):
    kind, bone, end, thick = row
    starts, ends = ([project(p) for p in points] for points in
                    zip(*((frame[bone][0], joint(frame, bone, end)) for frame in frames)))
    tracks = {"x1": [p[0] for p in starts], "y1": [p[1] for p in starts], "x2": [p[0] for p in ends], "y2": [p[1] for p in ends]}
    now = " ".join(f'{name}="{values[0]:.1f}"' for name, values in tracks.items())
    moves = "".join(animated(name, values, seconds) for name, values in tracks.items())
    dot = (f'<circle class="joint" r="{thick * 0.42:.1f}" cx="{starts[0][0]:.1f}" cy="{starts[0][1]:.1f}">' +
           animated("cx", tracks["x1"], seconds) + animated("cy", tracks["y1"], seconds) + "</circle>")
    dot = dot if kind != "body" else ""
    return f'<line class="{kind}" stroke-width="{thick * SCALE * 0.62:.1f}" {now}>{moves}</line>{dot}\n'


def head(frames, seconds):
    places = [project([a + b for a, b in zip(frame["NPC Head [Head]"][0], (0, 1, 7))]) for frame in frames]
    return (f'<circle class="head" r="{9.5 * SCALE:.1f}" cx="{places[0][0]:.1f}" cy="{places[0][1]:.1f}">' +
            animated("cx", [p[0] for p in places], seconds) + animated("cy", [p[1] for p in places], seconds) + "</circle>\n")


def ground(seconds):
    """Marks that pass by as fast as the root motion goes."""
    step = STRIDE / 2
    out = []
    for i in range(-6, 8):
        (ax, ay), (bx, by) = project((-26, i * step, 0)), project((26, i * step, 0))
        (cx, cy) = project((-26, i * step - STRIDE, 0))
        out.append(f'<line class="ground" stroke-width="2" x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}">'
                   f'<animateTransform attributeName="transform" type="translate" from="0 0" to="{cx - ax:.1f} {cy - ay:.1f}" '
                   f'dur="{seconds:.4g}s" repeatCount="indefinite"/></line>\n')
    return "".join(out)


def events(listed, seconds):
    """A text per event, which lights up when it is fired."""
    out = []
    for i, event in enumerate(listed):
        at = event["time"] / seconds
        values, times = ("1;0.15;0.15", "0;0.3;1") if at < 0.01 else ("0.15;0.15;1;0.15;0.15", f"0;{at:.3f};{at + 0.001:.3f};{min(at + 0.3, 0.999):.3f};1")
        out.append(f'<text class="small" x="26" y="{92 + 21 * i}" opacity="0.15">{event["time"]:.2f} s  {event["text"]}'
                   f'<animate attributeName="opacity" dur="{seconds:.4g}s" repeatCount="indefinite" values="{values}" keyTimes="{times}"/></text>\n')
    return "".join(out)


def main(marrow, clip, skeleton, output):
    info = json.loads(printed(marrow, "info", clip, "--json"))[0]
    count, seconds = info["clips"][0]["frames"], info["clips"][0]["duration_seconds"]
    found = json.loads(printed(marrow, "annotations", "list", clip, "--json"))
    rows = found[0].get("annotations") or found[0].get("events") or []
    frames = frames_of(marrow, clip, skeleton, count)
    parts = [limb(frames, row, seconds) for row in LIMBS]
    arms = sum(row[0] != "near" for row in LIMBS)
    parts.insert(arms, head(frames, seconds))
    title = f'{info["clips"][0]["tracks"]} bones, {count} frames, {info["version"]}'
    with open(output, "w", encoding="utf-8") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="A walk cycle, drawn from an .hkx file">\n'
                  f'<style>{STYLE}\n</style>\n<text class="text" x="26" y="42">walk.hkx</text><text class="small" x="26" y="64">{title}</text>\n'
                  + events(rows, seconds) + ground(seconds) + "".join(parts) + "</svg>\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
