#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a clip of the sample figure as a picture that moves, an animated SVG: bones as `marrow sample` places them, the
body around them, the ground and earlier steps passing by as the root motion says, events as they are fired.

    draw_walk.py MARROW CLIP SKELETON OUT.svg
    (docs/images/walk.svg: CLIP is walk-hair.hkx of `make demo`)
"""
import csv
import io
import json
import math
import subprocess
import sys

# Places are whole numbers at twice the size of the picture, so that text stays short.
WIDTH, HEIGHT, SCALE, MIDDLE, GROUND = 1520, 680, 4.6, 900, 624
YAW, PITCH = math.radians(60), math.radians(4)
KEYS = 21  # poses per cycle
PASSED = 2  # cycles for which earlier steps are shown
L, R = "NPC L %s [L%s]", "NPC R %s [R%s]"
# What is around the bones: from a bone to another one or to a place in its own space, and the radius at both ends.
FLESH = [("NPC Pelvis [Pelv]", "NPC Spine1 [Spn1]", 7.5, 7), ("NPC Spine1 [Spn1]", "NPC Spine2 [Spn2]", 7, 8.5),
         ("NPC Spine2 [Spn2]", (0, 1, 11), 8.8, 8), (L % ("Thigh", "Thg"), R % ("Thigh", "Thg"), 7, 7),
         (L % ("UpperArm", "Uar"), R % ("UpperArm", "Uar"), 4.6, 4.6), ("NPC Neck [Neck]", "NPC Head [Head]", 4.6, 4),
         ("NPC Head [Head]", (0, -0.5, 6), 6.5, 8), ("NPC Head [Head]", (0, 3.5, 0), 4, 3.6)]
for side in (L, R):
    FLESH += [(side % ("Thigh", "Thg"), side % ("Calf", "Clf"), 7.2, 4.7), (side % ("Calf", "Clf"), side % ("Foot", "ft "), 4.9, 3),
              (side % ("Foot", "ft "), side % ("Toe0", "Toe"), 3.2, 2.4), (side % ("Foot", "ft "), (0, -3, -3.5), 3.2, 2.8),
              (side % ("Toe0", "Toe"), (0, 6, 0), 2.4, 1.7), (side % ("UpperArm", "Uar"), side % ("Forearm", "Lar"), 4.6, 3.5),
              (side % ("Forearm", "Lar"), side % ("Hand", "Hnd"), 3.5, 2.4), (side % ("Hand", "Hnd"), side % ("Finger20", "F20"), 2.5, 2.9),
              (side % ("Finger20", "F20"), side % ("Finger21", "F21"), 2.9, 2.4), (side % ("Finger21", "F21"), (0, 0, -3), 2.4, 1.6)]
STYLE = """
  .l0{fill:#5b9be0}.l1{fill:#2f68ab}.r0{fill:#ff8f5a}.r1{fill:#d2521f}.m0{fill:#d8b25f}.m1{fill:#9c7a35}.h0{fill:#4cc3a5}.h1{fill:#1f8f76}
  .flesh{fill:#7d8fa6}.ground{stroke:#8a95a5;stroke-width:3}.text{fill:#2b3138;font:600 38px system-ui,sans-serif}.small{font:25px ui-monospace,monospace}.plain{fill:#5b6470}
  @media (prefers-color-scheme:dark){.flesh{fill:#8ea3bf}.text{fill:#eceff4}.plain{fill:#a4aebb}.ground{stroke:#5d6877}text.l1,text .l1{fill:#5b9be0}
  text.r1,text .r1{fill:#ff8f5a}text.h1,text .h1{fill:#4cc3a5}}"""


def printed(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def project(point):
    x, y, z = point
    right = -x * math.cos(YAW) + y * math.sin(YAW)
    away = x * math.sin(YAW) + y * math.cos(YAW)
    return MIDDLE + right * SCALE, GROUND - (z * math.cos(PITCH) + away * math.sin(PITCH)) * SCALE


def turned(q, v):
    x, y, z, w = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def poses_of(marrow, clip, skeleton, last_frame):
    """Returns places and rotations of all bones in model space, at KEYS moments of the clip."""
    moments = [last_frame * key / (KEYS - 1) for key in range(KEYS)]
    listed = printed(marrow, "sample", clip, "--frames", ",".join(map(str, moments)), "--space", "model", "--skeleton", skeleton)
    poses = {}
    for row in csv.DictReader(io.StringIO(listed)):
        numbers = [float(row[key]) for key in ("tx", "ty", "tz", "qx", "qy", "qz", "qw")]
        poses.setdefault(row["frame"], {})[row["bone"]] = (numbers[:3], numbers[3:])
    return list(poses.values())


def ends(frame, bone, end):
    """Returns where a bone starts and ends in the picture; it ends at another bone, or at a place in its own space."""
    place, rotation = frame[bone]
    to = frame[end][0] if isinstance(end, str) else [a + b for a, b in zip(place, turned(rotation, end))]
    return project(place), project(to)


def closed(*points):
    """Returns a path through points: the first as it is, the others from the one before."""
    whole = [(round(x), round(y)) for x, y in points]
    steps = " ".join(f"{b[0] - a[0]} {b[1] - a[1]}" for a, b in zip(whole, whole[1:]))
    return f"M{whole[0][0]} {whole[0][1]}l{steps}z".replace(" -", "-")


def flesh(frame, bone, end, start_radius, end_radius):
    """Returns a path around two circles."""
    (ax, ay), (bx, by) = ends(frame, bone, end)
    a, b, length = start_radius * SCALE, end_radius * SCALE, max(math.hypot(bx - ax, by - ay), 1e-3)
    along, lean = math.atan2(by - ay, bx - ax), math.acos(max(-1.0, min(1.0, (a - b) / length)))
    (px, py), (qx, qy), (rx, ry), (sx, sy) = ((round(x + radius * math.cos(along + turn)), round(y + radius * math.sin(along + turn)))
        for x, y, radius, turn in ((ax, ay, a, lean), (bx, by, b, lean), (bx, by, b, -lean), (ax, ay, a, -lean)))
    large = int(a > b)
    return (f"M{px} {py}l{qx - px} {qy - py}a{b:.0f} {b:.0f} 0 {1 - large} 0 {rx - qx} {ry - qy}"
            f"l{sx - rx} {sy - ry}a{a:.0f} {a:.0f} 0 {large} 0 {px - sx} {py - sy}z").replace(" -", "-")


def bone_halves(frame, bone, end, thick):
    """Returns paths of the light and the dark half of an octahedron."""
    (ax, ay), (bx, by) = ends(frame, bone, end)
    length = max(math.hypot(bx - ax, by - ay), 1e-3)
    wide = thick * SCALE
    wx, wy = ax + 0.16 * (bx - ax), ay + 0.16 * (by - ay)
    sx, sy = -(by - ay) / length * wide, (bx - ax) / length * wide
    return [closed((ax, ay), (wx + side * sx, wy + side * sy), (bx, by)) for side in (1, -1)]


def moving(kind, shapes, seconds):
    """A path that goes through the shapes of all frames; one that stands still if there is only one."""
    if len(shapes) == 1:
        return f'<path class="{kind}" d="{shapes[0]}"/>'
    return f'<path class="{kind}" d="{shapes[0]}"><animate attributeName="d" dur="{seconds:.4g}s" repeatCount="indefinite" values="{";".join(shapes)}"/></path>'


def figure(frames, bones, seconds):
    """The body, see-through, and the bones in it: those of the left side are farthest from who looks on."""
    body = "".join(moving("flesh", [flesh(frame, *row) for frame in frames], seconds) for row in FLESH)
    drawn = {"l": [], "h": [], "m": [], "r": []}
    for bone, end, thick in bones:
        kind = "l" if " L " in bone else "r" if " R " in bone else "h" if "Hair" in bone else "m"
        halves = zip(*(bone_halves(frame, bone, end, thick) for frame in frames))
        drawn[kind] += [moving(f"{kind}{shade}", list(half), seconds) for shade, half in enumerate(halves)]
    return f'<g opacity=".3">{body}</g>' + "".join("".join(each) for each in drawn.values()) + "\n"


def bones_of(listed):
    """Returns what to draw of a skeleton: from each bone to its children, and a little more at the ends."""
    named = [(bone["name"], bone["parent"], bone["position"]) for bone in listed]
    rows = []
    for number, (name, parent, place) in enumerate(named):
        length = math.hypot(*place)
        if parent and length > 0.1:
            rows.append((named[parent][0], name, min(0.12 * length, 2.4)))
        if not any(above == number for _, above, _ in named):
            rows.append((name, tuple(0.7 * each for each in place), min(0.1 * length, 1.5)))
    return [row for row in rows if "Finger" not in row[0] or "Finger2" in row[0]]


def passing(stride, cycle, begin, seconds, shown):
    """Moves a group with the ground, from `cycle` cycles ago on, and lets it fade."""
    (ax, ay), (bx, by) = project((0, 0, 0)), project((0, -stride, 0))
    dx, dy = bx - ax, by - ay
    timing = f'dur="{seconds:.4g}s" begin="{begin - seconds:.4g}s" repeatCount="indefinite"'
    fade = f'<animate attributeName="opacity" {timing} values="{";".join(map(str, shown))}"/>' if shown else ""
    return (f'<animateTransform attributeName="transform" type="translate" {timing} '
            f'from="{cycle * dx:.0f} {cycle * dy:.0f}" to="{(cycle + 1) * dx:.0f} {(cycle + 1) * dy:.0f}"/>{fade}')


def ghosts(frames, bones, events, stride, seconds):
    """Leaves the figure behind where a heel came down."""
    out = []
    for event in events:
        pose = figure([frames[round(event["time"] / seconds * (len(frames) - 1))]], bones, seconds)
        out.append(f'<defs><g id="{event["text"]}">{pose}</g></defs>\n')
        for cycle in range(PASSED):
            shown = [round(0.6 * (1 - part / PASSED), 2) for part in (cycle, cycle + 0.5, cycle + 1)]
            shown[0] = 0 if cycle == 0 else shown[0]  # it shows as the figure leaves it
            out.append(f'<use href="#{event["text"]}">{passing(stride, cycle, event["time"], seconds, shown)}</use>\n')
    return "".join(out)


def ground(stride, seconds):
    lines = []
    for i in range(-7, 12):
        (ax, ay), (bx, by) = project((-20, i * stride / 4, 0)), project((20, i * stride / 4, 0))
        lines.append(f"M{ax:.0f} {ay:.0f}L{bx:.0f} {by:.0f}")
    return f'<path class="ground" opacity=".45" d="{"".join(lines)}">{passing(stride / 4, 0, 0, seconds / 4, ())}</path>\n'


def words(title, events, seconds):
    """What the file is, a line per event, which lights up when it is fired, and what the colours mean."""
    out = ['<text class="text" x="1150" y="116">walk.hkx</text>']
    out += [f'<text class="small plain" x="1150" y="{160 + 36 * i}">{line}</text>' for i, line in enumerate(title)]
    for i, event in enumerate(events):
        at = event["time"] / seconds
        kind = "l" if "Left" in event["text"] else "r"
        out.append(f'<text class="small {kind}1" x="1150" y="{196 + 36 * (len(title) + i)}" opacity=".3">{event["time"]:.2f} s {event["text"]}'
                   f'<animate attributeName="opacity" dur="{seconds:.4g}s" repeatCount="indefinite" values=".3;.3;1;.3;.3" '
                   f'keyTimes="0;{max(at - 0.001, 0):.3f};{at:.3f};{min(at + 0.3, 0.999):.3f};1"/></text>')
    out.append('<text class="small" x="1150" y="384"><tspan class="l1">left</tspan> <tspan class="r1">right</tspan> <tspan class="h1">simulated</tspan></text>')
    return "\n".join(out) + "\n"


def main(marrow, clip, skeleton, output):
    info = json.loads(printed(marrow, "info", clip, "--json"))[0]
    count, seconds = info["clips"][0]["frames"], info["clips"][0]["duration_seconds"]
    bones = bones_of(json.loads(printed(marrow, "info", skeleton, "--bones", "--json"))[0]["skeletons"][0]["table"])
    events = json.loads(printed(marrow, "annotations", "list", clip, "--json"))[0]["annotations"]
    stride = json.loads(printed(marrow, "root-motion", "show", clip, "--json"))[0]["samples"][-1][1]
    frames = poses_of(marrow, clip, skeleton, count - 1)
    title = [f'{info["clips"][0]["tracks"]} bones, {count} frames', info["game"]]
    with open(output, "w", encoding="utf-8") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="A walk cycle, drawn from an .hkx file">\n'
                  f'<style>{STYLE}\n</style>\n' + ground(stride, seconds) + ghosts(frames, bones, events, stride, seconds)
                  + figure(frames, bones, seconds) + words(title, events, seconds) + "</svg>\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
