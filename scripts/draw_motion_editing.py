#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/motion-editing.md: a clip before and after `clip loop`, and a walk whose stride was scaled,
before and after `clip feet`. Both show what `marrow sample` says of the files.

    draw_motion_editing.py MARROW WALK_CYCLE FOLDER        (FOLDER is docs/images)
"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 260, 60, 20, 34, 40
BEFORE, AFTER, OTHER = "#c2571a", "#2f7fb5", "#808080"
FOOT, TOES = "NPC L Foot [Lft ]", ("NPC L Toe0 [LToe]", "NPC R Toe0 [RToe]")


def run(*words):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True).stdout


class Files:
    """Clips of the sample figure, and places of their bones."""

    def __init__(self, marrow, walk_cycle, folder):
        run(walk_cycle, folder / "walk")
        self.marrow, self.folder = marrow, folder
        self.walk = folder / "walk/skyrim-se/walk.hkx"
        self.skeleton = folder / "walk/skyrim-se/characterassets/skeleton.hkx"

    def edit(self, clip, name, *words):
        run(self.marrow, *words[:2], clip, *words[2:], "-o", self.folder / name)
        return self.folder / name

    def ahead(self, clip, bone, steps):
        """How far a bone is ahead of the root, in units, `steps` times per frame."""
        frames = json.loads(run(self.marrow, "info", clip, "--json"))[0]["clips"][0]["frames"]
        moments = [i / steps for i in range((frames - 1) * steps + 1)]
        text = run(self.marrow, "sample", clip, "--skeleton", self.skeleton, "--space", "model", "--frames", ",".join(map(str, moments)))
        return moments, [float(r["ty"]) for r in csv.DictReader(io.StringIO(text)) if r["bone"] == bone]

    def way(self, clip, moments):
        """How far root motion has gone ahead at some moments."""
        samples = json.loads(run(self.marrow, "root-motion", "show", clip, "--json"))[0]["samples"]
        along = [s[1] for s in samples]
        return [along[int(m)] + (along[min(int(m) + 1, len(along) - 1)] - along[int(m)]) * (m - int(m)) for m in moments]


class Plot:
    """Curves over frames."""

    def __init__(self, frames, low, high):
        self.frames, self.low, self.high, self.parts = frames, low, high, []

    def place(self, frame, value):
        x = LEFT + (WIDTH - LEFT - RIGHT) * frame / self.frames
        return x, TOP + (HEIGHT - TOP - BOTTOM) * (self.high - value) / (self.high - self.low)

    def line(self, frames, values, colour, dash=""):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.place, frames, values))
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>')

    def band(self, first, last):
        (a, y), (b, z) = self.place(first, self.high), self.place(last, self.low)
        self.parts.append(f'<rect x="{a:.1f}" y="{y:.1f}" width="{b - a:.1f}" height="{z - y:.1f}" fill="{OTHER}" opacity=".15"/>')

    def text(self, x, y, words, colour=OTHER, anchor="start"):
        self.parts.append(f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}" text-anchor="{anchor}">{words}</text>')

    def axes(self, step, every):
        for value in range(int(self.low // step + 1) * step, int(self.high) + 1, step):
            x, y = self.place(0, value)
            self.parts.append(f'<line x1="{x}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="{OTHER}" stroke-width=".4"/>')
            self.text(x - 6, y + 4, value, anchor="end")
        for frame in range(0, int(self.frames) + 1, every):
            self.text(self.place(frame, 0)[0], HEIGHT - 22, frame, anchor="middle")
        self.text(WIDTH - RIGHT, HEIGHT - 6, "frame", anchor="end")

    def write(self, path):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
        path.write_text("\n".join([head, *self.parts, "</svg>"]) + "\n", encoding="utf-8")


def draw_loop(files, path):
    """Two rounds of a part of a walk that is no cycle."""
    part = files.edit(files.walk, "part.hkx", "clip", "trim", "--from-frame", 2, "--to-frame", 28)
    closed = files.edit(part, "closed.hkx", "clip", "loop")
    curves = [files.ahead(clip, FOOT, 4) for clip in (part, closed)]
    last = curves[0][0][-1]
    values = [v for _, each in curves for v in each]
    plot = Plot(2 * last, min(values) - 2, max(values) + 2)
    plot.axes(10, 5)
    for (moments, each), colour, dash in zip(curves, (BEFORE, AFTER), ("5 4", "")):
        plot.line(moments + [m + last for m in moments], each + each, colour, dash)
    plot.text(LEFT, 18, "the left foot ahead of the hips, in units; two rounds:")
    plot.text(LEFT + 330, 18, "before", BEFORE)
    plot.text(LEFT + 380, 18, "after clip loop", AFTER)
    plot.write(path)


def draw_feet(files, path):
    """Toes over the ground of a walk whose way was made shorter than its steps."""
    short = files.edit(files.walk, "short.hkx", "root-motion", "scale", "--factor", 0.8)
    report = json.loads(run(files.marrow, "clip", "feet", short, "--skeleton", files.skeleton, "-o", files.folder / "locked.hkx", "--json"))
    curves = []
    for clip in (short, files.folder / "locked.hkx"):
        for toe in TOES:
            moments, ahead = files.ahead(clip, toe, 4)
            curves.append((moments, [a + w for a, w in zip(ahead, files.way(clip, moments))]))
    values = [v for _, each in curves for v in each]
    plot = Plot(curves[0][0][-1], min(values) - 4, max(values) + 4)
    for contact in report[0]["clips"][0]["contacts"]:
        plot.band(contact["from_frame"], contact["to_frame"])
    plot.axes(20, 5)
    for i, (moments, each) in enumerate(curves):
        plot.line(moments, each, BEFORE if i < 2 else AFTER, "5 4" if i < 2 else "")
    plot.text(LEFT, 18, "both toes over the ground, in units; contacts are grey:")
    plot.text(LEFT + 345, 18, "before", BEFORE)
    plot.text(LEFT + 395, 18, "after clip feet", AFTER)
    plot.write(path)


def main(marrow, walk_cycle, out):
    with tempfile.TemporaryDirectory() as name:
        files = Files(marrow, walk_cycle, pathlib.Path(name))
        draw_loop(files, pathlib.Path(out) / "clip-loop.svg")
        draw_feet(files, pathlib.Path(out) / "clip-feet.svg")


if __name__ == "__main__":
    main(*sys.argv[1:4])
