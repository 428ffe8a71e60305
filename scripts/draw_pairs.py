#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pairs of the README, before and after, from files that the program makes:

    draw_pairs.py MARROW WALK OUT
    (docs/images/pair-*.svg: WALK is the folder `walk` of `make demo`)

pair-port.svg: a clip of Skyrim LE in Skyrim SE, and converted. pair-chair.svg: a chair's collision as one hull, and in
parts. pair-hair.svg: a ponytail as it was animated, and simulated.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import draw_walk

WIDTH, HEIGHT = 1400, 520
STYLE = draw_walk.STYLE + """
  .card{fill:#f3f5f8}.no{fill:#c5352b}.yes{fill:#1f8f4e}.label{font:600 30px system-ui,sans-serif}.command{font:21px ui-monospace,monospace;fill:#4b525e}
  .wood{fill:#d8b98c}.wood1{fill:#b8925f}.part{fill-opacity:.55;stroke:#23272f;stroke-opacity:.35;stroke-width:1.5;stroke-linejoin:round}
  @media (prefers-color-scheme:dark){.card{fill:#1e2430}.no{fill:#ff8a80}.yes{fill:#5fd08f}.command{fill:#a4aebb}.part{stroke:#eceff4}}"""
PARTS = ["#5b9be0", "#ff8f5a", "#4cc3a5", "#d8b25f", "#b48ead", "#88a34e", "#e06c9f", "#6c7bd0"]
# A chair in game units: seat, back and legs as boxes from corner to corner.
CHAIR = [((-18, -18, 30), (18, 18, 34)), ((-18, 15, 34), (18, 18, 74))] + [
    ((x, y, 0), (x + 5, y + 5, 30)) for x in (-18, 13) for y in (-18, 13)]


def printed(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def write_obj(path, boxes):
    lines, first = ["o chair"], 1
    for low, high in boxes:
        lines += [f"v {(low, high)[i & 1][0]} {(low, high)[i >> 1 & 1][1]} {(low, high)[i >> 2 & 1][2]}" for i in range(8)]
        lines += ["f " + " ".join(str(first + corner) for corner in face) for face in
                  ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))]
        first += 8
    path.write_text("\n".join(lines) + "\n")


def read_obj(path):
    """Returns the faces, each as its object and its corners."""
    corners, faces, count = [], [], -1
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            corners.append(tuple(map(float, words[1:4])))
        elif words[:1] in (["o"], ["g"]):
            count += 1
        elif words[:1] == ["f"]:
            faces.append((max(count, 0), [corners[int(word.split("/")[0]) - 1] for word in words[1:]]))
    return faces


def hulls_of(faces):
    """Numbers the faces by what hangs together: each hull has corners of its own."""
    parent = {}

    def find(key):
        while parent.setdefault(key, key) != key:
            key = parent[key]
        return key

    for part, face in faces:
        for corner in face:
            parent[find((part, corner))] = find((part, face[0]))
    roots = {}
    return [(roots.setdefault(find((part, face[0])), len(roots)), face) for part, face in faces]


def drawn_faces(faces, middle, scale, classes=None):
    """Faces from far to near, in parallel projection from the right and above."""
    turn, tilt = math.radians(-125), math.radians(22)

    def place(corner):
        x, y, z = corner
        right, away = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        return (right, z * math.cos(tilt) + away * math.sin(tilt), away * math.cos(tilt) - z * math.sin(tilt))

    out = []
    placed = sorted((([place(corner) for corner in face], part) for part, face in faces),
                    key=lambda each: -sum(corner[2] for corner in each[0]) / len(each[0]))
    for corners, part in placed:
        (ax, ay, _), (bx, by, _), (cx, cy, _) = corners[:3]
        if (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) <= 0:
            continue  # its back
        points = " ".join(f"{middle[0] + x * scale:.0f},{middle[1] - y * scale:.0f}" for x, y, _ in corners)
        light = min(1, abs(corners[0][1] - corners[1][1]) / 40)
        out.append(f'<polygon class="{"wood" if light < .3 else "wood1"}" points="{points}"/>' if classes == "wood" else
                   f'<polygon class="part" fill="{PARTS[part % len(PARTS)]}" points="{points}"/>')
    return "".join(out)


def rest_pose(table):
    """Places and rotations of all bones at rest, as `draw_walk` has frames."""
    frame, whole = {}, []
    for bone in table:
        place, rotation = bone["position"], bone["rotation"]
        if bone["parent"] is not None:
            above_place, above = whole[bone["parent"]]
            place = [a + b for a, b in zip(above_place, draw_walk.turned(above, place))]
            (ax, ay, az, aw), (bx, by, bz, bw) = above, rotation
            rotation = (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
                        aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)
        whole.append((place, rotation))
        frame[bone["name"]] = (place, rotation)
    return frame


def card(left, kind, label, command, picture):
    wide = WIDTH // 2 - 10
    return (f'<g transform="translate({left} 0)"><rect class="card" width="{wide}" height="{HEIGHT}" rx="16"/>'
            f'<svg width="{wide}" height="{HEIGHT - 110}" viewBox="{picture[0]}" preserveAspectRatio="xMidYMid meet">{picture[1]}</svg>'
            f'<text class="label {kind}" x="28" y="{HEIGHT - 62}">{label}</text><text class="command" x="28" y="{HEIGHT - 22}">{command}</text></g>\n')


def write_pair(path, title, before, after):
    with open(path, "w", encoding="utf-8") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">\n<style>{STYLE}\n</style>\n'
                  + card(0, "no", *before) + card(WIDTH // 2 + 10, "yes", *after) + "</svg>\n")


def main(marrow, walk, out):
    walk, out = pathlib.Path(walk), pathlib.Path(out)
    clip, skeleton = walk / "skyrim-se/walk.hkx", walk / "skyrim-se/characterassets/skeleton.hkx"
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        info = json.loads(printed(marrow, "info", clip, "--json"))[0]["clips"][0]
        seconds, last = info["duration_seconds"], info["frames"] - 1
        table = json.loads(printed(marrow, "info", skeleton, "--bones", "--json"))[0]["skeletons"][0]["table"]
        bones = draw_walk.bones_of(table)

        # What `check` says of the clip for LE is why it does not play; the converted one is what is drawn as walking.
        found = json.loads(subprocess.run([marrow, "check", walk / "skyrim-le/walk.hkx", "--game", "skyrim-se", "--json"],
                                          capture_output=True, text=True).stdout)[0]["findings"]
        assert any(each["code"] == "E_POINTER_SIZE" for each in found)
        printed(marrow, "convert", walk / "skyrim-le/walk.hkx", "--to", "skyrim-se", "-o", work / "ported.hkx")
        frames = draw_walk.poses_of(marrow, work / "ported.hkx", skeleton, last)
        still = draw_walk.figure([rest_pose(table)], bones, seconds)
        moving = draw_walk.figure(frames, bones, seconds)
        view = "500 0 800 660"
        write_pair(out / "pair-port.svg", "A clip of Skyrim LE in Skyrim SE, and converted",
                   ("a 32-bit clip in Skyrim SE: rest pose", "marrow check animations/", (view, still)),
                   ("converted, the same motion", "marrow convert animations/ --to skyrim-se", (view, moving)))

        printed(marrow, "simulate", skeleton, "--modifiers", "ponytail", "--bone", "HairBone01", "--clip", clip, "--loop", "-o", work / "hair.hkx")
        swinging = draw_walk.poses_of(marrow, work / "hair.hkx", skeleton, last)
        stiff = draw_walk.poses_of(marrow, clip, skeleton, last)
        view = "740 10 300 250"
        write_pair(out / "pair-hair.svg", "A ponytail, animated with the head and simulated",
                   ("hair without keys: stiff", "marrow view walk.hkx", (view, draw_walk.figure(stiff, bones, seconds))),
                   ("simulated, baked, still a loop", "marrow simulate … --modifiers ponytail --loop", (view, draw_walk.figure(swinging, bones, seconds))))

        write_obj(work / "chair.obj", CHAIR)
        pictures = []
        for shape in ("hull", "decompose"):
            printed(marrow, "collision", "build", work / "chair.obj", "--shape", shape, "--material", "wood", "--mass", "8", "-o", work / f"{shape}.hkx")
            printed(marrow, "collision", "export", work / f"{shape}.hkx", "-o", work / f"{shape}.obj")
            pictures.append(drawn_faces(read_obj(work / "chair.obj"), (350, 380), 4.6, "wood")
                            + drawn_faces(hulls_of(read_obj(work / f"{shape}.obj")), (350, 380), 4.6))
        view = "0 0 700 420"
        write_pair(out / "pair-chair.svg", "Collision of a chair: one hull, and parts",
                   ("one hull: nobody can sit on it", "marrow collision build chair.obj --shape hull", (view, pictures[0])),
                   ("parts: seat, back and legs", "marrow collision build chair.obj --shape decompose", (view, pictures[1])))


if __name__ == "__main__":
    main(*sys.argv[1:])
