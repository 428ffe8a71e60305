#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the verbs of the group `clip` do to motion, measured by numpy on what `sample` says: on an authored walk, on a clip
of two actors, and on every clip of the corpus.

    clip_motion_test.py MARROW REPOSITORY
"""
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
except ImportError:
    system = "/usr/bin/python3"  # Debian's numpy is there, whatever Python comes first
    if os.path.exists(system) and os.path.realpath(sys.executable) != os.path.realpath(system):
        os.execv(system, [system, *sys.argv])
    print("numpy is missing; nothing is measured")
    sys.exit(77)

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(REPOSITORY / "tests/e2e"))
from bodies import HUMAN, walk, write_glb  # noqa: E402

CORPUS = pathlib.Path(os.environ.get("MARROW_CORPUS", REPOSITORY / "../shared/corpus")) / "hkx"
ARM = {"skyrim": ("NPC L UpperArm [LUar]", "NPC L Forearm [LLar]", "NPC L Hand [LHnd]"),
       "fo4": ("LArm_UpperArm", "LArm_ForeArm1", "LArm_Hand")}
LEG = {"skyrim": ("NPC R Thigh [RThg]", "NPC R Calf [RClf]", "NPC R Foot [Rft ]"), "fo4": ("RLeg_Thigh", "RLeg_Calf", "RLeg_Foot")}


def marrow(*args):
    run = subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, (args, run.stderr)
    return run.stdout


def about(clip):
    return json.loads(marrow("info", clip, "--json"))[0]["clips"][0]


def sample(clip, frames, *options):
    """Array of frames by tracks by x, y, z, qx, qy, qz, qw, and the names of the bones if there is a skeleton."""
    text = marrow("sample", clip, "--frames", ",".join(f"{f:.10g}" for f in frames), *options)
    rows = list(csv.reader(io.StringIO(text)))[1:]
    tracks = len(rows) // len(frames)
    names = [row[12] for row in rows[:tracks]] if len(rows[0]) > 12 else []
    return numpy.array([[float(v) for v in row[2:9]] for row in rows]).reshape(len(frames), tracks, 7), names


def degrees(a, b):
    """Angles between quaternions. By the chord: an arc cosine loses half of its digits near 1."""
    sign = numpy.where((a * b).sum(-1, keepdims=True) < 0, -1.0, 1.0)
    return numpy.degrees(4 * numpy.arcsin(numpy.clip(numpy.linalg.norm(a - sign * b, axis=-1) / 2, 0, 1)))


def apart(a, b):
    """Largest difference in degrees and units."""
    return degrees(a[..., 3:], b[..., 3:]).max(), numpy.linalg.norm(a[..., :3] - b[..., :3], axis=-1).max()


def moments(first, last, most=40, quarters=True):
    """Frames of a range, and quarters between them."""
    whole = numpy.arange(first, last + 1, max(1, (last - first) // most), dtype=float)
    if not quarters:
        return whole
    inside = whole[whole < last]
    return numpy.unique(numpy.concatenate([whole, inside + 0.25, inside + 0.5, inside + 0.75, [float(last)]]))


def events(clip):
    out = []
    for line in marrow("annotations", "list", clip).splitlines():
        words = line.split(" ")
        track = 0
        if words[0] == "track":
            track, words = int(words[1]), words[2:]
        out.append((track, float(words[0]), " ".join(words[1:])))
    return sorted(out)


def way(clip):
    return numpy.array(json.loads(marrow("root-motion", "show", clip, "--json"))[0]["samples"])


def other_side(name):
    """The bone on the other side, by the names of Skyrim and Fallout 4."""
    for left, right in ((" L ", " R "), ("[L", "[R"), ("SkirtL", "SkirtR"), ("BLHair", "BRHair"), ("LArm_", "RArm_"), ("LLeg_", "RLeg_")):
        name = name.replace(left, "\1").replace(right, left).replace("\1", right)
    return name


def mix(a, b, weight):
    """Poses between two, by slerp."""
    out = (1 - weight) * a + weight * b
    p, q = a[..., 3:], b[..., 3:] * numpy.where((a[..., 3:] * b[..., 3:]).sum(-1, keepdims=True) < 0, -1.0, 1.0)
    angle = 2 * numpy.arcsin(numpy.clip(numpy.linalg.norm(p - q, axis=-1, keepdims=True) / 2, 0, 1))
    with numpy.errstate(invalid="ignore"):
        turned = (p * numpy.sin((1 - weight) * angle) + q * numpy.sin(weight * angle)) / numpy.sin(angle)
    out[..., 3:] = numpy.where(angle < 1e-6, p, turned)
    return out


def for_each_clip(test):
    """Runs a test on every clip; a failure names its clip and the others go on."""
    def run_all(self):
        for clip, skeleton, kind in self.clips:
            with self.subTest(clip=f"{clip.parent.name}/{clip.name}"):
                test(self, clip, skeleton, kind, about(clip)["frames"])
    return run_all


def accelerations(rows, rate):
    """Angular accelerations by frame and track, in degrees per frame and frame of 30 per second."""
    a, b = rows[:-1, :, 3:], rows[1:, :, 3:]
    a = a * numpy.where((a * b).sum(-1, keepdims=True) < 0, -1.0, 1.0)
    ax, aw, bx, bw = a[..., :3], a[..., 3:], b[..., :3], b[..., 3:]
    part = -bw * ax + aw * bx - numpy.cross(bx, ax)  # the vector part of b times the inverse of a
    length = numpy.linalg.norm(part, axis=-1, keepdims=True)
    angle = 2 * numpy.arctan2(length, (a * b).sum(-1, keepdims=True))
    turns = numpy.degrees(part / numpy.maximum(length, 1e-12) * angle)
    return numpy.linalg.norm(turns[1:] - turns[:-1], axis=-1) * (rate / 30) ** 2


class Motion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-motion-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        write_glb(cls.folder / "rest.glb", HUMAN)
        marrow("convert", cls.folder / "rest.glb", "-o", cls.folder / "skeleton.hkx", "--to", "sse")
        write_glb(cls.folder / "walk.glb", HUMAN, {"walk": walk(61, 30)})
        authored, skeleton = cls.folder / "walk.hkx", cls.folder / "skeleton.hkx"
        marrow("convert", cls.folder / "walk.glb", "-o", cls.folder / "still.hkx", "--to", "se", "--skeleton", skeleton)
        marrow("root-motion", "set", cls.folder / "still.hkx", "--move", "12,90,0", "--turn", 40, "-o", cls.folder / "moving.hkx")
        marrow("annotations", "add", cls.folder / "moving.hkx", "--time", 1, "--text", "FootLeft", "-o", cls.folder / "one.hkx")
        marrow("annotations", "add", cls.folder / "one.hkx", "--time", 1.5, "--text", "FootRight", "-o", authored)
        cls.clips = [(authored, skeleton, "skyrim")]
        if not CORPUS.is_dir():
            print("the corpus is missing (MARROW_CORPUS): only the authored walk is measured")
            return
        for path in sorted(CORPUS.rglob("*.hkx")):
            if "skeleton" not in path.name:
                own = path.parent / ("skeleton_troll.hkx" if "troll" in path.name else "skeleton.hkx")
                cls.clips.append((path, own, "fo4" if path.parent.name == "fo4" else "skyrim"))

    def out(self, name):
        return self.folder / name

    @for_each_clip
    def test_a_cut_changes_no_value_beyond_the_rounding_of_codes(self, clip, skeleton, kind, frames):
        a, b = frames // 4, frames - 1 - frames // 5
        at = moments(a, b)
        for encodings, bound in (("seen", 0.04), ("all", 0.0055)):
            report = json.loads(marrow("clip", "trim", clip, "--from-frame", a, "--to-frame", b, "--encodings", encodings, "-o", self.out("t.hkx"), "--json"))
            turn, shift = apart(sample(self.out("t.hkx"), at - a)[0], sample(clip, at)[0])
            past = report[0]["clips"][0]["channels_past_bound"]
            self.assertLess(turn, bound if past == 0 else 0.02 + bound)
            self.assertLess(shift, 0.005)
            self.assertEqual(about(self.out("t.hkx"))["frames"], b - a + 1)

    @for_each_clip
    def test_parts_that_are_joined_again_are_the_clip(self, clip, skeleton, kind, frames):
        cut = frames // 2
        marrow("clip", "trim", clip, "--to-frame", cut, "-o", self.out("a.hkx"))
        marrow("clip", "trim", clip, "--from-frame", cut, "-o", self.out("b.hkx"))
        marrow("clip", "join", self.out("a.hkx"), self.out("b.hkx"), "-o", self.out("ab.hkx"))
        before, after = about(clip), about(self.out("ab.hkx"))
        self.assertEqual(after["frames"], frames)
        self.assertAlmostEqual(after["duration_seconds"], before["duration_seconds"], delta=1e-6 * max(1, before["duration_seconds"]))
        self.assertEqual([(t, w) for t, _, w in events(clip)], [(t, w) for t, _, w in events(self.out("ab.hkx"))])
        for (_, x, _), (_, y, _) in zip(events(clip), events(self.out("ab.hkx"))):
            self.assertAlmostEqual(x, y, delta=1e-6 * max(1, before["duration_seconds"]))
        self.assertEqual(before["root_motion"], after["root_motion"])
        if before["root_motion"]:
            path = way(clip)
            self.assertLess(abs(path - way(self.out("ab.hkx"))).max(), 1e-6 * max(1.0, abs(path).max()))
        for key in ("tracks", "float_tracks", "additive"):
            self.assertEqual(before[key], after[key], key)

    def test_root_motion_of_a_part_starts_at_its_own_place_and_goes_the_same_way(self):
        clip = self.clips[0][0]
        marrow("clip", "trim", clip, "--from-frame", 20, "--to-frame", 50, "-o", self.out("t.hkx"))
        whole, part = way(clip), way(self.out("t.hkx"))
        turn = -whole[20, 3]
        back = numpy.array([[numpy.cos(turn), -numpy.sin(turn)], [numpy.sin(turn), numpy.cos(turn)]])
        self.assertLess(abs((whole[20:51, :2] - whole[20, :2]) @ back.T - part[:, :2]).max(), 1e-4)
        self.assertLess(abs(whole[20:51, 3] - whole[20, 3] - part[:, 3]).max(), 1e-6)
        # An event at a cut is in both parts, and once in a join of the two.
        self.assertEqual([w for _, _, w in events(self.out("t.hkx"))], ["FootLeft", "FootRight"])

    @for_each_clip
    def test_every_rate_keeps_the_length_and_a_multiple_every_value(self, clip, skeleton, kind, frames):
        before = about(clip)
        rate = (frames - 1) / before["duration_seconds"]
        for fps in (24.0, 2 * rate):
            report = json.loads(marrow("clip", "resample", clip, "--fps", fps, "-o", self.out("f.hkx"), "--json"))[0]["clips"][0]
            after = about(self.out("f.hkx"))
            self.assertEqual(after["frames"], round(before["duration_seconds"] * fps) + 1)
            self.assertAlmostEqual(after["duration_seconds"], before["duration_seconds"], delta=1e-5)
            at = moments(0, after["frames"] - 1)
            turn, _ = apart(sample(self.out("f.hkx"), at)[0], sample(clip, numpy.minimum(at * (frames - 1) / (after["frames"] - 1), frames - 1))[0])
            self.assertLess(turn, 0.03 if fps != 24.0 else max(0.051, 1.02 * report["rotation_error_degrees"] + 0.02))
            # What no curve holds between frames is not taken from the frames.
            at = at[at == numpy.round(at)]
            turn, shift = apart(sample(self.out("f.hkx"), at)[0], sample(clip, numpy.minimum(at * (frames - 1) / (after["frames"] - 1), frames - 1))[0])
            self.assertLess(turn, 0.06 if frames <= 256 else 0.09)
            self.assertLess(shift, 0.012)

    @for_each_clip
    def test_rounds_are_alike(self, clip, skeleton, kind, frames):
        marrow("clip", "repeat", clip, "--times", 3, "-o", self.out("r.hkx"))
        last = frames - 1
        self.assertEqual(about(self.out("r.hkx"))["frames"], 3 * last + 1)
        at = moments(0, last)[1:-4]  # the last frame leads over to the next round
        at = at[at < last - 1]
        one, _ = sample(clip, at)
        for turns in range(3):
            turn, shift = apart(sample(self.out("r.hkx"), at + turns * last)[0], one)
            self.assertLess(turn, 0.09)
            self.assertLess(shift, 0.006)

    @for_each_clip
    def test_layers_blends_and_additive_clips_have_their_neutral_cases(self, clip, skeleton, kind, frames):
        marrow("clip", "layer", clip, clip, "--skeleton", skeleton, "--bones", "no such bone", "-o", self.out("l.hkx"))
        self.assertEqual(subprocess.run([MARROW, "diff", clip, self.out("l.hkx")], capture_output=True).returncode, 0)
        marrow("clip", "pose", clip, "--frame", 0, "-o", self.out("p.hkx"))
        marrow("clip", "set-pose", clip, self.out("p.hkx"), "--skeleton", skeleton, "-o", self.out("base.hkx"))
        marrow("clip", "additive", clip, "--reference", 0, "-o", self.out("add.hkx"))
        self.assertTrue(about(self.out("add.hkx"))["additive"])
        marrow("clip", "apply", self.out("base.hkx"), self.out("add.hkx"), "-o", self.out("again.hkx"))
        self.assertFalse(about(self.out("again.hkx"))["additive"])
        at = moments(0, frames - 1)
        turn, shift = apart(sample(self.out("again.hkx"), at)[0], sample(clip, at)[0])
        self.assertLess(turn, 0.15)  # encoded twice within 0.05, and the rounding of the pose
        self.assertLess(shift, 0.05)

    @for_each_clip
    def test_mixes_are_followed_between_frames_too(self, clip, skeleton, kind, frames):
        marrow("clip", "reverse", clip, "-o", self.out("b.hkx"))
        at = moments(0, frames - 1)
        (a, names), (b, _) = (sample(c, at, "--skeleton", skeleton) for c in (clip, self.out("b.hkx")))
        near = degrees(a[..., 3:], b[..., 3:]).max(0) < 150  # beyond, the side that a mix takes is a choice
        spine = numpy.array(["spine" in name.lower() for name in names])
        gap = 0.09 if frames > 256 else 0.0  # where blocks of the games' clips do not meet
        for words, weight, chosen in ((("blend", "--no-warp"), 0.5, near), (("blend", "--no-warp"), 0.25, near),
                                      (("layer", "--bones", "*Spine*"), 0.5, near & spine)):
            marrow("clip", words[0], clip, self.out("b.hkx"), *words[1:], "--weight", weight, "--skeleton", skeleton, "-o", self.out("m.hkx"))
            mixed = sample(self.out("m.hkx"), at)[0]
            turn, shift = apart(mixed[:, chosen], mix(a, b, weight)[:, chosen])
            self.assertLess(turn, 0.2 + gap, words)  # past the bound of 0.05 for a few fast bones only, between frames
            whole = at == numpy.round(at)
            turn, _ = apart(mixed[whole][:, chosen], mix(a, b, weight)[whole][:, chosen])
            self.assertLess(turn, 0.06 + gap, words)
            self.assertLess(shift, 0.012, words)
            if words[0] == "layer":
                self.assertEqual(apart(mixed[:, ~spine], a[:, ~spine]), (0, 0))
        if frames < 24:
            return
        fade, rate = 8, (frames - 1) / about(clip)["duration_seconds"]
        marrow("clip", "join", clip, clip, "--crossfade", fade / rate, "-o", self.out("j.hkx"))
        start = frames - 1 - fade
        at = numpy.arange(4 * fade + 1) / 4
        x = at / fade
        a, b = sample(clip, start + at)[0], sample(clip, at)[0]
        near = degrees(a[..., 3:], b[..., 3:]).max(0) < 120
        turn, _ = apart(sample(self.out("j.hkx"), start + at)[0][:, near], mix(a, b, (x ** 3 * (x * (6 * x - 15) + 10))[:, None, None])[:, near])
        self.assertLess(turn, 0.3)

    @for_each_clip
    def test_the_ends_of_a_loop_meet_at_every_rate(self, clip, skeleton, kind, frames):
        if frames > 256:
            return
        for fps in (24, 60):
            marrow("clip", "resample", clip, "--fps", fps, "-o", self.out("f.hkx"))
            marrow("clip", "loop", self.out("f.hkx"), "--skeleton", skeleton, "-o", self.out("l.hkx"))
            ends, _ = sample(self.out("l.hkx"), [0.0, about(self.out("l.hkx"))["frames"] - 1.0])
            turn, shift = apart(ends[:1], ends[1:])
            self.assertLess(turn, 0.001)
            self.assertLess(shift, 0.001)

    @for_each_clip
    def test_a_loop_leads_over_as_smoothly_as_is_reported(self, clip, skeleton, kind, frames):
        report = json.loads(marrow("clip", "loop", clip, "--skeleton", skeleton, "-o", self.out("l.hkx"), "--json"))[0]["clips"][0]
        rate = (frames - 1) / about(clip)["duration_seconds"]
        own, closed = (sample(c, numpy.arange(0.0, frames))[0] for c in (clip, self.out("l.hkx")))
        own = accelerations(own, rate)
        inside = numpy.maximum(numpy.percentile(own, 99, axis=0), max(0.1, 0.2 * numpy.percentile(own.max(1), 99)))
        rounds = accelerations(numpy.concatenate([closed, closed[1:]]), rate)
        near = rounds[frames - 3:frames] / inside
        self.assertAlmostEqual(report["seam"]["factor"], near.max(), delta=0.02 * near.max() + 0.05)

    def test_floats_go_through_an_additive_clip(self):
        clip, _, _ = self.clips[0]
        table, moving = self.out("floats.csv"), self.out("with-floats.hkx")
        frames = about(clip)["frames"]
        table.write_text("frame,slot,value\n" + "".join(f"{f},0,{0.2 + 0.01 * f}\n" for f in range(frames)))
        marrow("floats", "import", clip, table, "-o", moving)
        values = lambda c: numpy.array([float(row[2]) for row in list(csv.reader(io.StringIO(marrow("sample", c, "--floats", "--frames", "0,20,30.5,60"))))[1:]])
        marrow("clip", "additive", moving, "--reference", 20, "-o", self.out("add.hkx"))
        self.assertLess(abs(values(self.out("add.hkx")) - (values(moving) - 0.4)).max(), 0.002)
        marrow("clip", "pose", moving, "--frame", 20, "-o", self.out("p.hkx"))
        marrow("floats", "set", moving, "--slot", 0, "--value", 0.4, "-o", self.out("base.hkx"))
        marrow("clip", "apply", self.out("base.hkx"), self.out("add.hkx"), "-o", self.out("again.hkx"))
        self.assertLess(abs(values(self.out("again.hkx")) - values(moving)).max(), 0.003)

    def test_an_order_that_the_game_does_not_know_is_refused(self):
        run = subprocess.run([MARROW, "clip", "additive", self.clips[0][0], "--reference", "0", "--hint", "2", "-o", self.out("no.hkx")], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--hint", run.stderr)
        self.assertFalse(self.out("no.hkx").exists())

    def test_what_a_clip_lacks_stays_as_it_is(self):
        clip, skeleton, _ = self.clips[0]
        names = sample(clip, [0.0], "--skeleton", skeleton)[1]
        arms = numpy.array([any(word in n for word in ("Clavicle", "Arm", "arm", "Hand")) for n in names])
        marrow("clip", "reverse", clip, "-o", self.out("back.hkx"))
        marrow("clip", "tracks", self.out("back.hkx"), "--skeleton", skeleton, *(w for n in ("*Clavicle*", "*Arm*", "*Hand*") for w in ("--keep", n)), "-o", self.out("arms.hkx"))
        marrow("clip", "pose", self.out("arms.hkx"), "--frame", 9, "-o", self.out("pose.hkx"))
        marrow("clip", "additive", self.out("arms.hkx"), "--reference", 0, "-o", self.out("add.hkx"))
        at = moments(0, 60)
        own, reverse = sample(clip, at)[0], sample(self.out("back.hkx"), at)[0]
        for words, expected in ((("layer", clip, self.out("arms.hkx"), "--bones", "*"), reverse),
                                (("blend", clip, self.out("arms.hkx"), "--weight", 1, "--no-warp"), reverse),
                                (("blend", clip, self.out("arms.hkx"), "--weight", 0.5, "--no-warp"), mix(own, reverse, 0.5)),
                                (("set-pose", clip, self.out("pose.hkx")), numpy.repeat(sample(self.out("back.hkx"), [9.0])[0], len(at), axis=0)),
                                (("apply", clip, self.out("add.hkx")), None)):
            marrow("clip", *words, "-o", self.out("m.hkx"))
            mixed = sample(self.out("m.hkx"), at)[0]
            turn, shift = apart(mixed[:, ~arms], own[:, ~arms])
            self.assertLess(turn, 0.06, words)
            self.assertLess(shift, 0.012, words)
            if expected is not None:
                self.assertLess(apart(mixed[:, arms], expected[:, arms])[0], 0.12, words)

    def test_float_tracks_are_matched_by_their_slots(self):
        clip, _, _ = self.clips[0]
        marrow("floats", "set", clip, "--slot", 2, "--value", 2, "-o", self.out("a1.hkx"))
        marrow("floats", "set", self.out("a1.hkx"), "--slot", 5, "--value", 5, "-o", self.out("a.hkx"))
        marrow("floats", "set", clip, "--slot", 5, "--value", 7, "-o", self.out("b.hkx"))
        marrow("clip", "join", self.out("a.hkx"), self.out("b.hkx"), "-o", self.out("j.hkx"))
        rows = list(csv.reader(io.StringIO(marrow("sample", self.out("j.hkx"), "--floats", "--frames", "0,59,61,120"))))[1:]
        values = {(float(frame), int(slot)): float(value) for frame, slot, value in rows}
        for frame, slot, value in ((0, 2, 2), (59, 2, 2), (59, 5, 5), (61, 2, 0), (61, 5, 7), (120, 5, 7)):
            self.assertAlmostEqual(values[frame, slot], value, delta=0.01)

    def test_a_clip_of_another_body_is_noted(self):
        clip, skeleton, _ = self.clips[0]
        write_glb(self.out("big.glb"), [(n, p, tuple(1.4 * v for v in place)) for n, p, place in HUMAN], {"big": walk(61, 30)})
        marrow("convert", self.out("big.glb"), "-o", self.out("big.hkx"), "--to", "se")
        marrow("clip", "additive", self.out("big.hkx"), "--reference", 0, "-o", self.out("add.hkx"))
        marrow("clip", "tracks", self.out("add.hkx"), "--skeleton", skeleton, "--drop", "*Hand*", "-o", self.out("part.hkx"))
        for words, noted in ((("join", clip, self.out("big.hkx")), True), (("blend", clip, self.out("big.hkx"), "--weight", 0.5), True),
                             (("layer", clip, self.out("big.hkx"), "--bones", "*Head*"), True), (("join", clip, clip), False),
                             (("apply", clip, self.out("add.hkx")), False)):
            run = subprocess.run([MARROW, "clip", *map(str, words), "-o", self.out("m.hkx")], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual("was probably made for another skeleton" in run.stderr, noted, (words, run.stderr))

    def test_the_first_of_two_clips_may_be_a_folder(self):
        clip, skeleton, _ = self.clips[0]
        many = self.out("many")
        shutil.rmtree(many, ignore_errors=True)
        many.mkdir()
        shutil.copy(clip, many / "one.hkx")
        marrow("clip", "reverse", clip, "-o", many / "two.hkx")
        marrow("clip", "pose", clip, "--frame", 9, "-o", self.out("p.hkx"))
        marrow("clip", "additive", clip, "--reference", 0, "-o", self.out("add.hkx"))
        for words in (("join", clip), ("blend", clip, "--weight", 0.5), ("layer", clip, "--bones", "*Head*", "--skeleton", skeleton),
                      ("apply", self.out("add.hkx")), ("set-pose", self.out("p.hkx"), "--skeleton", skeleton)):
            shutil.rmtree(self.out("all"), ignore_errors=True)
            marrow("clip", words[0], many, *words[1:], "-o", self.out("all"))
            for name in ("one.hkx", "two.hkx"):
                marrow("clip", words[0], many / name, *words[1:], "-o", self.out("alone.hkx"))
                self.assertEqual((self.out("all") / name).read_bytes(), self.out("alone.hkx").read_bytes(), words)

    def test_tracks_that_are_left_of_a_pair_keep_their_names(self):
        clip, skeleton, _ = self.clips[0]
        for order in ("npc-first", "second-first"):
            marrow("pair", "join", clip, clip, "--skeleton", skeleton, "--order", order, "-o", self.out("pair.hkx"))
            _, names = sample(self.out("pair.hkx"), [0.0], "--skeleton", skeleton)
            for pattern, start in (("NPC L *", "NPC L "), ("2_NPC L *", "2_NPC L "), ("*Spine*", "")):
                marrow("clip", "tracks", self.out("pair.hkx"), "--keep", pattern, "-o", self.out("left.hkx"))
                wanted = [n for n in names if (n.startswith(start) if start else "Spine" in n)]
                self.assertEqual(sample(self.out("left.hkx"), [0.0], "--skeleton", skeleton)[1], wanted, (order, pattern))

    @for_each_clip
    def test_a_pose_fills_its_range_and_nothing_moves_outside_of_the_fades(self, clip, skeleton, kind, frames):
        if frames < 36:
            return
        a, b, fade = frames // 3, frames // 2, 6
        step = about(clip)["duration_seconds"] / (frames - 1)
        marrow("clip", "pose", clip, "--frame", 0, "-o", self.out("p.hkx"))
        marrow("clip", "set-pose", clip, self.out("p.hkx"), "--skeleton", skeleton, "--from-frame", a, "--to-frame", b, "--fade", fade * step, "-o", self.out("s.hkx"))
        inside = numpy.arange(a, b + 1.0)
        pose, _ = sample(self.out("p.hkx"), [0.0])
        turn, shift = apart(sample(self.out("s.hkx"), inside)[0], numpy.repeat(pose, len(inside), axis=0))
        self.assertLess(turn, 0.06)
        self.assertLess(shift, 0.011)
        # Up to the ends of the fades: between frames too, nothing beyond the bound and the rounding of a cut.
        outside = numpy.array([f for f in moments(0, frames - 1) if f <= a - fade or f >= b + fade])
        turn, shift = apart(sample(self.out("s.hkx"), outside)[0], sample(clip, outside)[0])
        self.assertLess(turn, 0.09)
        self.assertLess(shift, 0.011)

    @for_each_clip
    def test_a_pinned_hand_stays_and_no_limb_gets_longer(self, clip, skeleton, kind, frames):
        upper, lower, hand = ARM[kind]
        a, b = frames // 4, 3 * frames // 4
        report = json.loads(marrow("clip", "pin", clip, "--skeleton", skeleton, "--bone", hand, "--from-frame", a, "--to-frame", b, "-o", self.out("p.hkx"), "--json"))[0]["clips"][0]
        at = numpy.arange(0.0, frames)
        (before, names), (after, _) = (sample(c, at, "--skeleton", skeleton, "--space", "model") for c in (clip, self.out("p.hkx")))
        index = [names.index(n) for n in (upper, lower, hand)]
        goal = before[a, index[2], :3]
        reached = [f for f in range(a, b + 1) if f not in report["missed"]]
        self.assertGreater(len(reached), 0)  # a body that falls cannot hold on for long
        self.assertLess(numpy.linalg.norm(after[reached, index[2], :3] - goal, axis=1).max(), 0.05)
        for x, y in zip(index, index[1:]):
            lengths = [numpy.linalg.norm(m[:, x, :3] - m[:, y, :3], axis=1) for m in (before, after)]
            self.assertLess(abs(lengths[0] - lengths[1]).max(), 0.01)
        fade = int(numpy.ceil(0.2 * (frames - 1) / about(clip)["duration_seconds"])) + 1
        outside = [f for f in range(frames) if f < a - fade or f > b + fade]
        if outside:
            self.assertLess(numpy.linalg.norm(after[outside, :, :3] - before[outside, :, :3], axis=-1).max(), 0.08)

    @for_each_clip
    def test_a_pinned_foot_moves_nothing_outside_of_its_fades(self, clip, skeleton, kind, frames):
        foot = LEG[kind][2]
        a, b = frames // 4, 3 * frames // 4
        report = json.loads(marrow("clip", "pin", clip, "--skeleton", skeleton, "--bone", foot, "--from-frame", a, "--to-frame", b, "-o", self.out("p.hkx"), "--json"))[0]["clips"][0]
        at = numpy.arange(0.0, frames)
        (before, names), (after, _) = (sample(c, at, "--skeleton", skeleton, "--space", "model") for c in (clip, self.out("p.hkx")))
        index = names.index(foot)
        reached = [f for f in range(a, b + 1) if f not in report["missed"]]
        self.assertLess(numpy.linalg.norm(after[reached, index, :3] - before[a, index, :3], axis=1).max(), 0.05)
        # A leg that stands is stretched out. It may stay so: where the foot hardly has to move, the hips do not.
        if report["moved"] < 0.1:
            self.assertLess(report["hips_moved"], 0.2)
        fade = int(numpy.ceil(0.2 * (frames - 1) / about(clip)["duration_seconds"] - 1e-4))
        outside = [f for f in range(frames) if f <= a - fade or f >= b + fade]
        if outside:  # the rounding of the cuts, at the tips of the body
            self.assertLess(numpy.linalg.norm(after[outside, :, :3] - before[outside, :, :3], axis=-1).max(), 0.12)

    @for_each_clip
    def test_without_a_fade_the_whole_range_is_held_and_nothing_else_moves(self, clip, skeleton, kind, frames):
        hand, a, b = ARM[kind][2], frames // 4, frames // 4 + min(20, frames // 3)
        report = json.loads(marrow("clip", "pin", clip, "--skeleton", skeleton, "--bone", hand, "--from-frame", a, "--to-frame", b, "--fade", 0, "-o", self.out("p.hkx"), "--json"))[0]["clips"][0]
        at = numpy.arange(0.0, frames)
        (before, names), (after, _) = (sample(c, at, "--skeleton", skeleton, "--space", "model") for c in (clip, self.out("p.hkx")))
        index = names.index(hand)
        reached = [f for f in range(a, b + 1) if f not in report["missed"]]
        self.assertLess(numpy.linalg.norm(after[reached, index, :3] - before[a, index, :3], axis=1).max(), 0.05)
        outside = [f for f in range(frames) if f < a or f > b]
        self.assertLess(numpy.linalg.norm(after[outside, :, :3] - before[outside, :, :3], axis=-1).max(), 0.08)
        marrow("clip", "pose", clip, "--frame", 0, "-o", self.out("pose.hkx"))
        marrow("clip", "set-pose", clip, self.out("pose.hkx"), "--from-frame", a, "--to-frame", b, "--fade", 0, "-o", self.out("s.hkx"))
        held, (pose, _) = sample(self.out("s.hkx"), numpy.arange(a, b + 1.0))[0], sample(self.out("pose.hkx"), [0.0])
        turn, shift = apart(held, numpy.repeat(pose, len(held), axis=0))
        self.assertLess(turn, 0.06)
        self.assertLess(shift, 0.011)

    @for_each_clip
    def test_a_hand_that_is_pinned_to_a_bone_is_at_the_bone_in_the_result(self, clip, skeleton, kind, frames):
        other = {"skyrim": "NPC R Hand [RHnd]", "fo4": "RArm_Hand"}[kind]
        for target, words in ((other, ()), (other, ("--keep-offset",)), ({"skyrim": "NPC Spine2 [Spn2]", "fo4": "Chest"}[kind], ("--keep-offset",))):
            a, b = frames // 3, frames // 2
            report = json.loads(marrow("clip", "pin", clip, "--skeleton", skeleton, "--bone", ARM[kind][2], "--target", target, *words, "--from-frame", a, "--to-frame", b, "-o", self.out("p.hkx"), "--json"))[0]["clips"][0]
            at = numpy.arange(float(a), b + 1)
            (before, names), (after, _) = (sample(c, at, "--skeleton", skeleton, "--space", "model") for c in (clip, self.out("p.hkx")))
            hand, bone = names.index(ARM[kind][2]), names.index(target)
            way = before[0, hand, :3] - before[0, bone, :3] if words else numpy.zeros(3)
            reached = [f - a for f in range(a, b + 1) if f not in report["missed"]]
            if reached:
                self.assertLess(numpy.linalg.norm(after[reached, hand, :3] - after[reached, bone, :3] - way, axis=1).max(), 0.05, (target, words))

    def test_bones_that_share_a_twist_do_not_jump_where_it_passes_half_a_turn(self):
        clip = CORPUS / "skyrim-se/dialogueangrya.hkx"
        if not clip.exists():
            self.skipTest("the corpus is missing (MARROW_CORPUS)")
        skeleton = clip.parent / "skeleton.hkx"
        marrow("clip", "pin", clip, "--skeleton", skeleton, "--bone", "NPC L Hand", "--target", "NPC Head", "--from", 1, "--to", 3, "--fade", 0.3, "-o", self.out("p.hkx"))
        rows, names = sample(self.out("p.hkx"), numpy.arange(15.0, 45.0), "--skeleton", skeleton)
        steps = {n: degrees(rows[1:, names.index(n), 3:], rows[:-1, names.index(n), 3:]).max() for n in ("NPC L ForearmTwist1 [LLt1]", "NPC L ForearmTwist2 [LLt2]")}
        self.assertLess(steps["NPC L ForearmTwist2 [LLt2]"], 0.5 * steps["NPC L ForearmTwist1 [LLt1]"] + 1)

    def test_clips_with_other_tracks_are_joined_by_the_skeleton_that_lies_near(self):
        clip, skeleton, _ = self.clips[0]
        names = sample(clip, [0.0], "--skeleton", skeleton)[1]
        marrow("clip", "tracks", clip, "--skeleton", skeleton, "--drop", "NPC BRHair", "-o", self.out("less.hkx"))
        run = subprocess.run([MARROW, "clip", "join", clip, self.out("less.hkx"), "-o", self.out("j.hkx")], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("1 tracks are not in less; their bones rest there", run.stderr)
        run = subprocess.run([MARROW, "clip", "join", self.out("less.hkx"), clip, "-o", self.out("k.hkx")], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("1 track of walk left out", run.stderr)
        one, two = (sample(self.out(n), [80.0], "--skeleton", skeleton) for n in ("j.hkx", "k.hkx"))
        self.assertEqual(one[1], names)
        self.assertEqual(two[1], [n for n in names if n != "NPC BRHair"])

    @for_each_clip
    def test_smoothing_stays_within_its_bound(self, clip, skeleton, kind, frames):
        marrow("clip", "smooth", clip, "--skeleton", skeleton, "--bones", ARM[kind][0], "--degrees", 0.4, "-o", self.out("s.hkx"))
        at = numpy.arange(0.0, frames)
        one, two = sample(clip, at)[0], sample(self.out("s.hkx"), at)[0]
        self.assertLess(degrees(one[..., 3:], two[..., 3:]).max(), 0.4 + 0.001)

        def jolt(rows):
            turns = degrees(rows[1:, :, 3:], rows[:-1, :, 3:])
            return abs(turns[1:] - turns[:-1]).sum()

        self.assertLessEqual(jolt(two), jolt(one) + 1.0)

    @for_each_clip
    def test_a_seam_is_as_smooth_as_is_reported(self, clip, skeleton, kind, frames):
        if frames < 24:
            return
        seam = json.loads(marrow("clip", "join", clip, clip, "--crossfade", 0.25, "-o", self.out("j.hkx"), "--json"))[0]["clips"][0]["seam"]
        whole = about(self.out("j.hkx"))["frames"]
        rate = (frames - 1) / about(clip)["duration_seconds"]
        own, joined = (accelerations(sample(c, numpy.arange(0.0, n))[0], rate) for c, n in ((clip, frames), (self.out("j.hkx"), whole)))
        # A track that hardly moves is judged by the fastest ones.
        floor = max(0.1, 0.2 * numpy.percentile(numpy.repeat(own.max(1), 2), 99))
        inside = numpy.maximum(numpy.percentile(own, 99, axis=0), floor)
        fade = 2 * frames - 1 - whole
        near = joined[max(0, frames - fade - 3):frames] / inside
        self.assertAlmostEqual(seam["factor"], near.max(), delta=0.02 * near.max() + 0.05)

    def test_a_jerk_of_the_clips_own_is_not_a_pop(self):
        clip = CORPUS / "skyrim-se/1hm_staggerbacksmallest.hkx"
        if not clip.exists():
            self.skipTest("the corpus is missing (MARROW_CORPUS)")
        seam = json.loads(marrow("clip", "join", clip, clip, "--inertial", 0.3, "-o", self.out("j.hkx"), "--json"))[0]["clips"][0]["seam"]
        own = accelerations(sample(clip, numpy.arange(38.0))[0], 30)
        self.assertLessEqual(seam["acceleration"], own.max() + 0.01)  # a bone that jerks at the end of the clip, in one frame
        self.assertLess(seam["factor"], 2)

    @for_each_clip
    def test_a_hand_is_at_its_place_although_the_body_leans(self, clip, skeleton, kind, frames):
        # What leans is stored first, and not exactly: the limb is bent anew to what is stored.
        hand = {"skyrim": "NPC R Hand [RHnd]", "fo4": "RArm_Hand"}[kind]
        a, b = frames // 4, 3 * frames // 4
        at = numpy.arange(0.0, frames)
        before, names = sample(clip, at, "--skeleton", skeleton, "--space", "model")
        index = names.index(hand)
        goal = before[a, index, :3] + [4, 3, 2]
        report = json.loads(marrow("clip", "pin", clip, "--skeleton", skeleton, "--bone", hand, "--target", ",".join(f"{v:.5f}" for v in goal), "--from-frame", a, "--to-frame", b, "--fade", 0.15, "-o", self.out("p.hkx"), "--json"))[0]["clips"][0]
        between = numpy.arange(a, b) + 0.5
        after, halves = (sample(self.out("p.hkx"), t, "--skeleton", skeleton, "--space", "model")[0][:, index, :3] for t in (at, between))
        reached = [f for f in range(a, b + 1) if f not in report["missed"]]
        self.assertLess(numpy.linalg.norm(after[reached] - goal, axis=1).max(), 0.02)
        self.assertEqual(report["gap_units"], 0)  # no bone of the limb is moved
        sure = [f - a for f in range(a, b) if f not in report["missed"] and f + 1 not in report["missed"]]
        if sure:
            self.assertAlmostEqual(report["between"], numpy.linalg.norm(halves[sure] - goal, axis=1).max(), delta=0.002)

    @for_each_clip
    def test_mirrored_joints_are_where_the_mirror_shows_them_between_frames_too(self, clip, skeleton, kind, frames):
        marrow("mirror", clip, "--skeleton", skeleton, "-o", self.out("m.hkx"))
        at = moments(0, frames - 1)
        (before, names), (after, same) = (sample(c, at, "--skeleton", skeleton, "--space", "model") for c in (clip, self.out("m.hkx")))
        self.assertEqual(names, same)
        pairs = [(i, names.index(other_side(n))) for i, n in enumerate(names) if other_side(n) != n and other_side(n) in names]
        self.assertGreater(len(pairs), 16)
        left, right = zip(*pairs)
        image = before[:, left, :3] * [-1, 1, 1]
        self.assertLess(numpy.linalg.norm(image - after[:, right, :3], axis=-1).max(), 0.07)

    def test_a_clip_of_two_actors_is_edited_as_one(self):
        clip, skeleton, _ = self.clips[0]
        marrow("pair", "join", clip, clip, "--skeleton", skeleton, "--place", "0,90,0,180", "-o", self.out("pair.hkx"))
        for words in (("trim", "--from-frame", 10, "--to-frame", 40), ("reverse",), ("speed", "--factor", 2), ("repeat", "--times", 2)):
            marrow("clip", words[0], self.out("pair.hkx"), *words[1:], "-o", self.out("edited.hkx"))
            marrow("pair", "split", self.out("edited.hkx"), "-o", self.out("parts"))
            marrow("pair", "split", self.out("pair.hkx"), "-o", self.out("own"))
            for actor in (1, 2):
                alone = next(self.out("own").glob(f"*_{actor}.hkx"))
                marrow("clip", words[0], alone, *words[1:], "-o", self.out("alone.hkx"))
                both = next(self.out("parts").glob(f"*_{actor}.hkx"))
                frames = about(both)["frames"]
                self.assertEqual(frames, about(self.out("alone.hkx"))["frames"])
                at = moments(0, frames - 1)
                turn, shift = apart(sample(both, at)[0], sample(self.out("alone.hkx"), at)[0])
                self.assertLess(turn, 0.09, words)
                self.assertLess(shift, 0.02, words)
            for folder in ("parts", "own"):
                shutil.rmtree(self.out(folder))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
