#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clips as animators bring them: frame rates, mirrors, pairs, long clips of other tools, creatures, root motion as events.

    clips_test.py MARROW REPOSITORY
"""
import csv
import filecmp
import io
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(REPOSITORY / "tests/e2e"))
from bodies import BEAST, HUMAN, turn, walk, write_glb  # noqa: E402
from fbx_writer import PERSON, bvh, joints, walk_frames  # noqa: E402

SEEDS = REPOSITORY / "fuzz/seeds/packfile"


def marrow(*args):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def places(clip, skeleton, frames):
    """Model-space places by frame and bone."""
    run = marrow("sample", clip, "--skeleton", skeleton, "--space", "model", "--frames", ",".join(map(str, frames)))
    assert run.returncode == 0, run.stderr
    return {(round(float(r["frame"]), 3), r["bone"]): [float(r[k]) for k in ("tx", "ty", "tz")] for r in rows(run.stdout)}


def other_side(name):
    pairs = [("SkirtL", "SkirtR"), ("BLHair", "BRHair")]
    if " L " in name or " R " in name:
        pairs += [(" L ", " R "), ("[L", "[R")]
    for a, b in pairs:
        name = name.replace(a, "\1").replace(b, a).replace("\1", b)
    return name


class Clips(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-clips-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def out(self, name):
        return self.folder / name

    def run_ok(self, *args):
        run = marrow(*args)
        self.assertEqual(run.returncode, 0, (args, run.stderr))
        return run

    def human(self, actions=None, name="human"):
        """A human's skeleton and clips for Skyrim SE, made from glTF."""
        skeleton, scene = self.out("skeleton.hkx"), self.out(name + ".glb")
        if not skeleton.exists():
            write_glb(self.out("rest.glb"), HUMAN)
            self.run_ok("convert", self.out("rest.glb"), "-o", skeleton, "--to", "sse")
        write_glb(scene, HUMAN, actions or {name: walk(40, 30)})
        clip = self.out(name + ".hkx")
        if len(actions or {1: 1}) == 1:
            self.run_ok("convert", scene, "-o", clip, "--to", "se", "--skeleton", skeleton)
        return skeleton, clip, scene

    def clip_of(self, path):
        return json.loads(self.run_ok("info", path, "--json").stdout)[0]["clips"][0]

    # ---- frame rates ----

    def test_the_rate_of_a_clip_is_that_of_its_keys(self):
        for fps in (24, 25, 30, 60, 120):
            _, clip, _ = self.human({"take": walk(31, fps)}, f"take{fps}")
            info = self.clip_of(clip)
            self.assertEqual(info["frames"], 31, fps)
            self.assertAlmostEqual(info["frames_per_second"], fps, places=2)

    def test_a_rate_can_be_given_and_keys_between_frames_are_noted(self):
        _, _, scene = self.human({"take": walk(31, 60)}, "take")
        run = self.run_ok("convert", scene, "-o", self.out("half.hkx"), "--to", "se", "--fps", "30")
        self.assertEqual(self.clip_of(self.out("half.hkx"))["frames"], 16)
        self.assertIn("keys lie between the frames of 30", run.stderr)
        run = self.run_ok("convert", scene, "-o", self.out("own.hkx"), "--to", "se")
        self.assertNotIn("keys lie between", run.stderr)
        times = [0, 0.0113, 0.043, 0.0871, 0.1009, 0.2]
        write_glb(self.out("odd.glb"), HUMAN, {"odd": (times, {"NPC Head [Head]": [turn((1, 0, 0), 100 * t) for t in times]}, {})})
        run = self.run_ok("convert", self.out("odd.glb"), "-o", self.out("odd.hkx"), "--to", "se")
        self.assertIn("keys lie between the frames of 30", run.stderr)

    # ---- several actions ----

    def test_every_action_of_a_file_keeps_its_name_its_range_and_its_events(self):
        actions = {"walk": walk(31, 30), "walk_fast": walk(21, 60), "jump": walk(11, 24)}
        skeleton, _, scene = self.human(actions, "three")
        self.run_ok("convert", scene, "-o", self.out("clips"), "--to", "se", "--skeleton", skeleton, "--format", "hkx")
        got = {p.stem: p for p in self.out("clips").rglob("*.hkx")}
        self.assertEqual(set(got), set(actions))
        for name, (times, _, _) in actions.items():
            self.assertEqual(self.clip_of(got[name])["frames"], len(times))
            self.run_ok("annotations", "add", got[name], "--time", "0.1", "--text", "Event_" + name, "-o", self.out(name + ".hkx"))
        merged = self.out("all.glb")
        self.run_ok("convert", *[self.out(n + ".hkx") for n in actions], "-o", merged, "--skeleton", skeleton)
        self.run_ok("convert", merged, "-o", self.out("back"), "--to", "se", "--format", "hkx")
        back = {p.stem: p for p in self.out("back").rglob("*.hkx")}
        self.assertEqual(set(back), set(actions))
        for name, (times, _, _) in actions.items():
            self.assertEqual(self.clip_of(back[name])["frames"], len(times))
            self.assertIn("Event_" + name, self.run_ok("annotations", "list", back[name]).stdout)

    def test_names_with_an_armature_behind_find_the_record_of_their_clip(self):
        actions = {"walk": walk(31, 30), "walk_fast": walk(21, 30)}
        skeleton, _, scene = self.human(actions, "two")
        self.run_ok("convert", scene, "-o", self.out("clips"), "--to", "se", "--skeleton", skeleton, "--format", "hkx")
        for name in actions:
            self.run_ok("annotations", "add", self.out("clips") / "two" / (name + ".hkx") if (self.out("clips") / "two").is_dir() else next(self.out("clips").rglob(name + ".hkx")),
                        "--time", "0.1", "--text", "Event_" + name, "-o", self.out(name + ".hkx"))
        merged = self.out("all.gltf")
        self.run_ok("convert", self.out("walk.hkx"), self.out("walk_fast.hkx"), "-o", merged, "--skeleton", skeleton)
        document = json.loads(merged.read_text())
        document["animations"].reverse()  # as other programs sort them
        for animation in document["animations"]:
            animation["name"] += "_Armature"
        merged.write_text(json.dumps(document))
        self.run_ok("convert", merged, "-o", self.out("back"), "--to", "se", "--format", "hkx")
        for path in self.out("back").rglob("*.hkx"):
            name = path.stem.removesuffix("_Armature")
            self.assertEqual(self.clip_of(path)["frames"], len(actions[name][0]))
            self.assertIn("Event_" + name, self.run_ok("annotations", "list", path).stdout)

    # ---- mirror ----

    def test_mirror_exchanges_every_pair_as_exactly_between_frames_as_at_them(self):
        skeleton, clip, _ = self.human()
        mirrored, back = self.out("mirrored.hkx"), self.out("back.hkx")
        report = json.loads(self.run_ok("mirror", clip, "--skeleton", skeleton, "-o", mirrored, "--json").stdout)[0]
        self.assertEqual(report["pairs"], 11)
        self.assertEqual(report["unsure"], [])
        frames = [0, 0.3, 0.5, 7, 7.25, 7.5, 20.5, 38.7, 39]
        a, b = places(clip, skeleton, frames), places(mirrored, skeleton, frames)
        worst = max(math.dist([-v[0], v[1], v[2]], b[frame, other_side(bone)]) for (frame, bone), v in a.items())
        self.assertLess(worst, 0.07)
        moved = max(math.dist(v, b[key]) for key, v in a.items() if "Skirt" in key[1])
        self.assertGreater(moved, 0.1)
        # The curves are mirrored, not fitted again: knots stay.
        knots = lambda p: sorted(k["knots"] for k in json.loads(marrow("knots", p, "--json").stdout)[0].get("tracks", []) if "knots" in k)
        self.assertEqual(knots(clip), knots(mirrored))
        self.run_ok("mirror", mirrored, "--skeleton", skeleton, "-o", back)
        c = places(back, skeleton, frames)
        self.assertLess(max(math.dist(v, c[key]) for key, v in a.items()), 0.07)

    def test_bones_without_a_sure_counterpart_are_named(self):
        bones = HUMAN + [("Quiver", 13, (12, -6, 4)), ("Lump L", 13, (-4, 0, 3)), ("Lump R", 13, (20, 9, -8))]
        write_glb(self.out("odd.glb"), bones)
        write_glb(self.out("clip.glb"), bones, {"clip": walk(10, 30)})
        self.run_ok("convert", self.out("odd.glb"), "-o", self.out("odd.hkx"), "--to", "se")
        self.run_ok("convert", self.out("clip.glb"), "-o", self.out("clip.hkx"), "--to", "se")
        run = self.run_ok("mirror", self.out("clip.hkx"), "--skeleton", self.out("odd.hkx"), "-o", self.out("m.hkx"), "--json")
        self.assertEqual(set(json.loads(run.stdout)[0]["unsure"]), {"Quiver", "Lump L", "Lump R"})
        self.assertIn("is not sure", run.stderr)

    def test_verbs_that_encode_take_a_bound(self):
        skeleton, clip, scene = self.human()
        loose, tight = self.out("loose.hkx"), self.out("tight.hkx")
        self.run_ok("convert", scene, "-o", loose, "--to", "se", "--max-rotation-error", "2", "--max-position-error", "0.5")
        self.run_ok("convert", scene, "-o", tight, "--to", "se")
        self.assertLess(loose.stat().st_size, tight.stat().st_size)
        for verb in (("mirror",), ("retarget",), ("pair", "join"), ("pair", "split"), ("pair", "swap"), ("simulate",), ("root-motion", "bake")):
            self.assertIn("--max-rotation-error", marrow(*verb, "--help").stdout, verb)

    # ---- long clips of other tools ----

    def shorten_last_block(self, path):
        """Ends the curves of the last block one frame early, as a tool that counts 256 frames per block does."""
        data = bytearray(path.read_bytes())
        start, local, glob, virtual, end = struct.unpack_from("<5I", data, 0x40 + 2 * 48 + 20)
        fixups = {a: b for a, b in struct.iter_unpack("<ii", data[start + local:start + glob]) if a >= 0}
        names, = struct.unpack_from("<I", data, 0x40 + 20)
        for at, _, name in struct.iter_unpack("<3i", data[start + virtual:start + end - (end - virtual) % 12]):
            if at < 0 or not data[names + name:].startswith(b"hkaSplineCompressedAnimation"):
                continue
            tracks, = struct.unpack_from("<i", data, start + at + 24)
            frames, blocks = struct.unpack_from("<ii", data, start + at + 56)
            self.assertGreater(blocks, 1)
            base = start + fixups[at + 152] + struct.unpack_from("<I", data, start + fixups[at + 88] + 4 * (blocks - 1))[0]
            return self.shorten_curves(data, base, tracks, frames - 255 * (blocks - 1) - 1, path)
        self.fail("no clip")

    def shorten_curves(self, data, base, tracks, last, path):
        q, changed = 4 * tracks, 0
        align = lambda v, n: (v + n - 1) // n * n

        def shape(q):
            nonlocal changed
            count, degree = struct.unpack_from("<HB", data, base + q)
            knots = range(base + q + 3, base + q + 3 + count + 1 + degree + 1)
            for k in knots:
                if data[k] == last and (knots[0] == k or data[knots[0]] == 0):
                    data[k] = last - 1
                    changed += 1
            return q + 3 + len(knots), count + 1

        for t in range(tracks):
            packing, *flags = data[base + 4 * t:base + 4 * t + 4]
            for channel, encoding in ((0, packing & 3), (1, packing >> 2 & 15), (2, packing >> 6)):
                f = flags[channel]
                if channel == 1:
                    count = 1
                    if f & 0xF0:
                        q, count = shape(q)
                    if f:
                        q = align(q + count * 5, 4)
                    continue
                count = axes = 0
                if f & 0x70:
                    q, count = shape(q)
                    q = align(q, 4)
                for axis in range(3):
                    static, moving = f >> axis & 1, f >> axis & 16
                    q += 4 if static else 8 if moving else 0
                    axes += bool(moving and not static)
                if f & 0x70:
                    q = align(q + count * axes * (1 if encoding == 0 else 2), 4)
        self.assertGreater(changed, 0)
        path.write_bytes(data)
        return last

    def test_curves_that_end_early_are_continued_and_mended(self):
        skeleton, clip, _ = self.human({"long": walk(300, 30)}, "long")
        sound = self.run_ok("sample", clip, "--frames", "290,298,298.5").stdout
        self.shorten_last_block(clip)
        run = self.run_ok("sample", clip, "--frames", "0,254.5,298.5,299")
        self.assertIn("end 1 frame early", run.stderr)
        found = marrow("check", clip, "--json")
        findings = json.loads(found.stdout)[0]["findings"]
        self.assertEqual(found.returncode, 3)
        self.assertEqual([f["level"] for f in findings if f["code"] == "W_SHORT_CURVES"], ["warning"])
        self.assertFalse([f for f in findings if f["level"] == "error"])
        self.run_ok("convert", clip, "-o", self.out("same.hkx"))
        self.assertTrue(filecmp.cmp(clip, self.out("same.hkx"), shallow=False))
        mended = self.out("mended.hkx")
        marrow("check", clip, "--fix", "-o", mended)
        left = json.loads(marrow("check", mended, "--json").stdout)[0]["findings"]
        self.assertNotIn("W_SHORT_CURVES", [f["code"] for f in left])
        a, b = rows(run.stdout), rows(self.run_ok("sample", mended, "--frames", "0,254.5,298.5,299").stdout)
        for x, y in zip(a, b):
            self.assertLess(max(abs(float(x[k]) - float(y[k])) for k in x if k not in ("frame", "track")), 0.005)
        self.assertTrue(sound)
        # Edits cut curves, and continue those that end early first.
        whole, edited = list(range(250, 300)), self.out("edited.hkx")
        expected = [list(map(float, list(r.values())[2:9])) for r in rows(self.run_ok("sample", clip, "--frames", ",".join(map(str, whole))).stdout)]
        for words, places in ((("trim", "--from-frame", "20"), [f - 20 for f in whole]), (("reverse",), [299 - f for f in whole]),
                              (("resample", "--fps", "60"), [2 * f for f in whole])):
            self.run_ok("clip", words[0], clip, *words[1:], "-o", edited)
            got = rows(self.run_ok("sample", edited, "--frames", ",".join(map(str, places))).stdout)
            for a, r in zip(expected, got):
                b = list(map(float, list(r.values())[2:9]))
                sign = -1 if sum(x * y for x, y in zip(a[3:], b[3:])) < 0 else 1
                self.assertLess(math.dist(a[3:], [sign * x for x in b[3:]]), math.radians(0.12) / 2, (words, r["frame"]))
                self.assertLess(math.dist(a[:3], b[:3]), 0.02, (words, r["frame"]))

    # ---- pairs ----

    def test_join_and_split_give_the_same_bytes_and_so_does_swapping_twice(self):
        skeleton, first, _ = self.human({"a": walk(30, 30)}, "a")
        _, second, _ = self.human({"b": walk(30, 30, lift=9)}, "b")
        pair = self.out("pair.hkx")
        for order, listed in ((None, "2_, NPC"), ("npc-first", "NPC, 2_"), ("second-first", "2_, NPC")):
            self.run_ok("pair", "join", first, second, "--skeleton", skeleton, "--place", "0,90,0,180", "-o", pair, *(("--order", order) if order else ()))
            info = json.loads(self.run_ok("info", pair, "--json").stdout)[0]
            self.assertEqual((info["actors"], info["actor_order"]), (2, listed), order)
            self.run_ok("pair", "swap", pair, "-o", self.out("once.hkx"))
            self.assertEqual(json.loads(self.run_ok("info", self.out("once.hkx"), "--json").stdout)[0]["actor_order"], listed)
            self.run_ok("pair", "swap", self.out("once.hkx"), "-o", self.out("twice.hkx"))
            self.assertTrue(filecmp.cmp(pair, self.out("twice.hkx"), shallow=False), order)
            shutil.rmtree(self.out("parts"), ignore_errors=True)
            self.run_ok("pair", "split", pair, "-o", self.out("parts"))
            parts = sorted(self.out("parts").rglob("*.hkx"))
            self.assertEqual(len(parts), 2)
            again = self.out("again.hkx")
            self.run_ok("pair", "join", *parts, "--place", "0,90,0,180", "-o", again, "--order", "npc-first" if order == "npc-first" else "second-first")
            self.assertTrue(filecmp.cmp(pair, again, shallow=False), order)

    def test_actors_without_names_keep_the_skeletons_name_and_lost_root_motion_is_noted(self):
        skeleton, first, _ = self.human({"a": walk(30, 30)}, "a")
        _, second, _ = self.human({"b": walk(30, 30, lift=9)}, "b")
        alone = pathlib.Path(tempfile.mkdtemp(prefix="marrow-alone-"))  # where no skeleton lies near
        self.addCleanup(shutil.rmtree, alone)
        for clip in (first, second):
            shutil.copy(clip, alone / clip.name)
        for order in ("npc-first", "second-first"):
            self.run_ok("pair", "join", alone / "a.hkx", alone / "b.hkx", "--place", "0,90,0,180", "--order", order, "-o", alone / "pair.hkx")
            self.run_ok("pair", "split", alone / "pair.hkx", "--skeleton", skeleton, "--order", order, "-o", self.out("parts"))
            for part, clip in zip(sorted(self.out("parts").rglob("*.hkx")), (first, second)):
                self.assertTrue(filecmp.cmp(part, clip, shallow=False), (order, clip.name))
            shutil.rmtree(self.out("parts"))
        self.run_ok("root-motion", "set", second, "--move", "0,0,0", "-o", self.out("still.hkx"))
        run = self.run_ok("pair", "join", first, self.out("still.hkx"), "--skeleton", skeleton, "-o", self.out("pair.hkx"))
        self.assertIn("root motion that moves nobody is left out", run.stderr)
        run = self.run_ok("pair", "join", self.out("still.hkx"), self.out("still.hkx"), "--skeleton", skeleton, "-o", self.out("pair.hkx"))
        self.assertNotIn("left out", run.stderr)
        self.assertTrue(self.clip_of(self.out("pair.hkx"))["root_motion"])

    # ---- root motion ----

    def test_root_motion_goes_to_events_and_back(self):
        _, clip, _ = self.human({"a": walk(31, 30)}, "a")
        moving, events, back = self.out("moving.hkx"), self.out("events.hkx"), self.out("back.hkx")
        self.run_ok("root-motion", "set", clip, "--move", "10,200,0", "--turn", "90", "-o", moving)
        self.run_ok("annotations", "add", moving, "--time", "0.5", "--text", "HitFrame", "-o", moving.with_suffix(".2.hkx"))
        moving = moving.with_suffix(".2.hkx")
        self.run_ok("root-motion", "to-annotations", moving, "-o", events)
        listed = self.run_ok("annotations", "list", events).stdout
        self.assertIn("animmotion 10 200 0", listed)
        self.assertIn("animrotation 90", listed)
        self.assertIn("HitFrame", listed)
        self.assertFalse(self.clip_of(events)["root_motion"])
        self.run_ok("root-motion", "from-annotations", events, "-o", back)
        self.assertNotIn("animmotion", self.run_ok("annotations", "list", back).stdout)
        a, b = (rows(self.run_ok("root-motion", "show", p).stdout) for p in (moving, back))
        self.assertEqual(len(a), len(b))
        for x, y in zip(a, b):
            self.assertLess(max(abs(float(x[k]) - float(y[k])) for k in ("x", "y", "z")), 0.02)
            self.assertLess(abs(float(x["turn"]) - float(y["turn"])), 0.001)
        self.assertEqual(marrow("root-motion", "from-annotations", moving, "-o", self.out("no.hkx")).returncode, 1)

    # ---- creatures ----

    def retargeted(self, source, target, skeleton_from, skeleton_to, clip, *more):
        out = self.out("retargeted.hkx")
        run = marrow("retarget", clip, "--from", skeleton_from, "--to", skeleton_to, "-o", out, "--json", *more)
        return out, run

    def test_a_walk_goes_from_two_legs_to_four_by_structure(self):
        skeleton, clip, _ = self.human()
        write_glb(self.out("beast.glb"), BEAST)
        beast = self.out("beast.hkx")
        self.run_ok("convert", self.out("beast.glb"), "-o", beast, "--to", "se")
        out, run = self.retargeted("human", "beast", skeleton, beast, clip)
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)[0]
        mapped = {b["to"]: b["from"] for b in report["bones"]}
        for target, source in (("hind_a_L", "NPC L Thigh [LThg]"), ("hind_a_R", "NPC R Thigh [RThg]"), ("fore_a_L", "NPC L UpperArm [LUar]"),
                               ("fore_c_R", "NPC R Hand [RHnd]"), ("hind_d_L", "NPC L Foot [Lft ]"), ("skull", "NPC Head [Head]"), ("back3", "NPC Spine2 [Spn2]")):
            self.assertEqual(mapped.get(target), source, target)
        self.assertEqual((report["limb_bones"], report["mapped_limb_bones"]), (12, 12))
        self.assertTrue(report["relative"])
        rest = places(out, beast, [0])
        frames = list(range(0, 40, 3))
        moved = places(out, beast, frames)
        # It stays on four legs, and its hind legs walk.
        backs = [moved[f, "back3"][2] - moved[f, "Body"][2] for f in frames]
        self.assertLess(max(map(abs, backs)), 12)
        self.assertGreater(max(math.dist(moved[f, "hind_d_L"], rest[0, "hind_d_L"]) for f in frames), 3)

    def test_too_few_limb_bones_are_refused_and_a_map_is_enough(self):
        skeleton, clip, _ = self.human()
        worm = [("Worm", None, (0, 0, 0)), ("NPC Head [Head]", 0, (0, 0, 10))] + [
            (f"leg{i}{side}", 0, (x, 4 * i, 12)) for i in range(1) for side, x in (("L", -4), ("R", 4))]
        legs = []
        for name, parent, place in worm:
            legs.append((name, parent, place))
        for side in "LR":
            root = next(i for i, b in enumerate(legs) if b[0] == f"leg0{side}")
            legs += [(f"shin{side}", root, (0, 1, -6)), (f"paw{side}", len(legs), (0, 0, -5.5))]
        write_glb(self.out("worm.glb"), legs)
        self.run_ok("convert", self.out("worm.glb"), "-o", self.out("worm.hkx"), "--to", "se")
        (self.out("map.txt")).write_text("".join(f"{n} = -\n" for n in ("NPC L Thigh [LThg]", "NPC L Calf [LClf]", "NPC L Foot [Lft ]", "NPC R Thigh [RThg]", "NPC R Calf [RClf]", "NPC R Foot [Rft ]")))
        _, run = self.retargeted("human", "worm", skeleton, self.out("worm.hkx"), clip, "--map", self.out("map.txt"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("limb bones are mapped (0 %)", run.stderr)

    def test_toes_stay_on_the_floor_and_twists_share_the_roll(self):
        skeleton, clip, _ = self.human()
        longer = [(n, p, (v[0], v[1] * 2.2, v[2]) if "Toe0" in n else v) for n, p, v in HUMAN]
        write_glb(self.out("big.glb"), longer)
        big = self.out("big.hkx")
        self.run_ok("convert", self.out("big.glb"), "-o", big, "--to", "se")
        out, run = self.retargeted("human", "big", skeleton, big, clip)
        self.assertEqual(run.returncode, 0, run.stderr)
        frames = list(range(40))
        theirs, ours = places(clip, skeleton, frames), places(out, big, frames)
        for side in "LR":
            toe = f"NPC {side} Toe0 [{side}Toe]"
            low = min(theirs[f, toe][2] for f in frames)
            self.assertGreater(min(ours[f, toe][2] for f in frames), min(low, 1.0) - 0.05)

    # ---- packfiles with node ids, and XML ----

    def test_packfiles_with_node_ids_keep_their_numbers(self):
        source, ids, plain, back = SEEDS / "behaviour-32.hkx", self.out("ids.hkx"), self.out("plain.hkx"), self.out("back.hkx")
        self.run_ok("convert", source, "-o", plain, "--to", "se")
        self.run_ok("convert", plain, "-o", ids, "--format", "hkx-ids")
        self.assertNotEqual(ids.read_bytes(), plain.read_bytes())
        info = json.loads(self.run_ok("info", ids, "--json").stdout)[0]
        self.assertEqual(info["format"], "hkx-ids")
        self.assertEqual(info["classes"], json.loads(self.run_ok("info", plain, "--json").stdout)[0]["classes"])
        self.run_ok("convert", ids, "-o", back)
        self.assertTrue(filecmp.cmp(ids, back, shallow=False))
        self.run_ok("convert", ids, "-o", back, "--format", "hkx")
        self.assertTrue(filecmp.cmp(plain, back, shallow=False))
        self.run_ok("convert", ids, "-o", self.out("ids.xml"))
        self.run_ok("convert", plain, "-o", self.out("plain.xml"))
        names = lambda p: sorted(l.split('name="')[1].split('"')[0] for l in p.read_text().splitlines() if l.strip().startswith("<hkobject name="))
        self.assertEqual(names(self.out("ids.xml")), names(self.out("plain.xml")))
        self.run_ok("convert", self.out("plain.xml"), "-o", back, "--format", "hkx-ids")
        self.assertTrue(filecmp.cmp(ids, back, shallow=False))
        for size in range(0, ids.stat().st_size, 97):  # cut short, it fails and does not crash
            self.out("cut.hkx").write_bytes(ids.read_bytes()[:size])
            self.assertIn(marrow("info", self.out("cut.hkx")).returncode, (0, 1))

    def test_packfiles_with_node_ids_take_another_layout_without_the_ids(self):
        source = SEEDS / "behaviour-32.hkx"
        plain, ids, out, wide = self.out("plain.hkx"), self.out("ids.hkx"), self.out("layout.hkx"), self.out("wide.hkx")
        self.run_ok("convert", source, "-o", plain, "--to", "se")
        self.run_ok("convert", plain, "-o", ids, "--format", "hkx-ids")
        own = "".join(map(str, json.loads(self.run_ok("info", ids, "--json").stdout)[0]["layout"]))
        self.run_ok("convert", ids, "-o", out, "--layout", own)
        self.assertEqual(out.read_bytes(), ids.read_bytes())
        other = "4" + own[1:]
        noted = self.run_ok("convert", ids, "-o", out, "--layout", other)
        self.assertIn("node ids", noted.stdout + noted.stderr)
        self.run_ok("convert", plain, "-o", wide, "--layout", other)
        self.assertEqual(out.read_bytes(), wide.read_bytes())
        refused = marrow("convert", ids, "-o", self.out("both.hkx"), "--layout", other, "--format", "hkx-ids")
        self.assertEqual(refused.returncode, 2)
        self.assertFalse(self.out("both.hkx").exists())

    def test_plain_xml_is_what_other_tools_write(self):
        source = SEEDS / "behaviour-32.hkx"
        one, two = self.out("one.xml"), self.out("two.xml")
        self.run_ok("convert", source, "-o", one, "--xml-style", "plain")
        self.run_ok("convert", one, "-o", two, "--xml-style", "plain")
        self.assertEqual(one.read_bytes(), two.read_bytes())
        text = one.read_text()
        self.assertNotIn("SERIALIZE_IGNORED", text)
        self.assertNotIn("\n\n", text)
        self.assertNotIn('signature="0x0', text)

    def test_a_writer_that_would_drop_something_says_so_and_fails(self):
        sound, broken, out = self.out("sound.hkx"), self.out("broken.hkx"), self.out("out.hkx")
        self.run_ok("convert", SEEDS / "behaviour-32.hkx", "-o", sound, "--to", "se")
        data = bytearray(sound.read_bytes())
        start, local, glob, virtual, end = struct.unpack_from("<5I", data, 0x40 + 2 * 48 + 20)
        fixups = [at for at in range(start + local, start + glob, 8) if struct.unpack_from("<i", data, at)[0] >= 0]
        objects = [o for o, _, _ in struct.iter_unpack("<3i", data[start + virtual:start + end - (end - virtual) % 12]) if o > 0]
        # A string now hangs on the vtable pointer of an object, where no class has a field.
        struct.pack_into("<i", data, fixups[-1], objects[0])
        broken.write_bytes(data)
        run = marrow("convert", broken, "-o", out)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("would be dropped", run.stderr)
        self.assertFalse(out.exists())
        run = self.run_ok("convert", broken, "-o", out, "--allow-loss")
        self.assertIn("would be dropped", run.stderr)
        self.assertIn("W_UNUSED_FIXUP", [f["code"] for f in json.loads(marrow("check", broken, "--json").stdout)[0]["findings"]])

    def test_objects_that_another_game_cannot_hold_are_dropped_only_if_told(self):
        skeleton, _, _ = self.human()
        text = self.run_ok("convert", skeleton, "--format", "xml", "-o", "-").stdout
        extra = '<hkobject name="#0900" class="hkpSphereShape" signature="0x795d9fa"></hkobject>\n\t</hksection>'
        self.out("more.xml").write_text(text.replace("</hksection>", extra, 1))
        more, other = self.out("more.hkx"), self.out("other.hkx")
        self.run_ok("convert", self.out("more.xml"), "-o", more, "--to", "se")
        run = marrow("convert", more, "-o", other, "--to", "fo4")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("1 object has no counterpart in hk_2014.1.0-r1: 1 hkpSphereShape", run.stderr)
        self.assertFalse(other.exists())
        run = self.run_ok("convert", more, "-o", other, "--to", "fo4", "--allow-loss")
        self.assertIn("left out: 1 hkpSphereShape", run.stderr)
        self.run_ok("convert", skeleton, "-o", other, "--to", "fo4")  # bones alone lose nothing

    # ---- words and runs ----

    def test_an_option_that_one_file_of_many_cannot_follow_fails_that_file(self):
        skeleton, clip, _ = self.human()
        clips = self.out("clips")
        clips.mkdir()
        shutil.copy(clip, clips / "plain.hkx")
        self.run_ok("annotations", "add", clip, "--time", 0.5, "--text", "Hit", "-o", clips / "hit.hkx")
        run = marrow("clip", "trim", clips, "--from-event", "Hit", "-o", self.out("cut"))
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("plain.hkx: --from-event: the clip has no event 'Hit'", run.stderr.strip().splitlines()[-1])
        self.assertEqual([p.name for p in self.out("cut").iterdir()], ["hit.hkx"])
        run = marrow("clip", "trim", clips, "--from-event", "Nope", "-o", self.out("none"))
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("marrow: --from-event:", run.stderr)

    def test_a_scene_gets_the_skeleton_that_lies_near_or_is_given(self):
        skeleton, clip, _ = self.human()
        for words in (("trim", "--to", "0.5"), ("reverse",), ("pose", "--frame", "9"), ("speed", "--factor", "2")):
            run = self.run_ok("clip", words[0], clip, *words[1:], "-o", self.out("near.glb"))
            self.assertIn("the skeleton is taken from", run.stderr)
            self.assertEqual(run.stderr.count("the skeleton is taken from"), 1, run.stderr)
            self.assertEqual(json.loads(self.run_ok("info", self.out("near.glb"), "--json").stdout)[0]["skeletons"][0]["bones"], len(HUMAN))
        # A pose in any format goes into a clip.
        frames = "10,20,30"
        self.run_ok("clip", "pose", clip, "--frame", "9", "-o", self.out("pose.hkx"))
        self.run_ok("clip", "set-pose", clip, self.out("pose.hkx"), "--from", "0.5", "--to", "1", "-o", self.out("posed.hkx"))
        for name in ("pose.glb", "pose.json", "pose.xml"):
            self.run_ok("clip", "pose", clip, "--frame", "9", "-o", self.out(name))
            self.run_ok("clip", "set-pose", clip, self.out(name), "--from", "0.5", "--to", "1", "-o", self.out("other.hkx"))
            a, b = (rows(self.run_ok("sample", p, "--frames", frames).stdout) for p in (self.out("posed.hkx"), self.out("other.hkx")))
            self.assertLess(max(abs(float(x[k]) - float(y[k])) for x, y in zip(a, b) for k in x), 0.002, name)
        far = self.out("far")
        far.mkdir()
        lone = far / "lone.hkx"
        shutil.copy(clip, lone)
        skeleton.rename(far / "body.hkx")
        self.run_ok("clip", "loop", lone, "--skeleton", far / "body.hkx", "-o", self.out("given.glb"))
        self.assertEqual(json.loads(self.run_ok("info", self.out("given.glb"), "--json").stdout)[0]["skeletons"][0]["bones"], len(HUMAN))
        run = marrow("clip", "trim", lone, "--to", "0.5", "-o", self.out("lone.glb"))
        self.assertEqual(run.returncode, 1)
        self.assertNotIn("give it with --skeleton", run.stderr)  # trim has no such option
        self.assertIn("convert that with --skeleton FILE", run.stderr)

    def test_one_clip_of_several_is_chosen_by_name_or_by_number_from_0(self):
        actions = {"walk": walk(31, 30), "run": walk(21, 30), "jump": walk(11, 30)}
        skeleton, _, scene = self.human(actions, "three")
        self.run_ok("convert", scene, "-o", self.out("clips"), "--to", "se", "--skeleton", skeleton, "--format", "hkx")
        self.run_ok("convert", *sorted(self.out("clips").rglob("*.hkx")), "-o", self.out("kept.glb"), "--skeleton", skeleton)
        frames = lambda p: {c["name"]: c["frames"] for c in json.loads(self.run_ok("info", p, "--json").stdout)[0]["clips"]}
        names = list(frames(self.out("kept.glb")))
        for number, name in enumerate(names):
            whole = frames(self.out("kept.glb"))
            for word in (name, str(number)):
                self.run_ok("clip", "trim", self.out("kept.glb"), "--clip", word, "--to-frame", "5", "-o", self.out("cut.glb"))
                self.assertEqual(frames(self.out("cut.glb")), {**whole, name: 6}, word)
                # A file of the games holds one clip: the one that was named.
                self.run_ok("clip", "trim", self.out("kept.glb"), "--clip", word, "--to-frame", "5", "-o", self.out("cut.hkx"))
                self.assertEqual(self.clip_of(self.out("cut.hkx"))["frames"], 6)
        for word in ("3", "wlak"):
            run = marrow("clip", "trim", self.out("kept.glb"), "--clip", word, "--to-frame", "5", "-o", self.out("no.glb"))
            self.assertEqual(run.returncode, 1)
            self.assertIn("counted from 0" if word == "3" else "did you mean walk?", run.stderr)
        run = marrow("clip", "trim", self.out("kept.glb"), "--to-frame", "5", "-o", self.out("no.hkx"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("choose with --clip", run.stderr)

    def test_feet_are_found_in_rigs_of_other_programs_and_by_structure(self):
        other = {"NPC COM [COM ]": "Hips", "NPC Spine [Spn0]": "LowerBack", "NPC Spine1 [Spn1]": "Spine", "NPC Spine2 [Spn2]": "Spine1",
                 "NPC Neck [Neck]": "Neck", "NPC Head [Head]": "Head"}
        for side, word in (("L", "Left"), ("R", "Right")):
            other.update({f"NPC {side} Thigh [{side}Thg]": word + "UpLeg", f"NPC {side} Calf [{side}Clf]": word + "Leg", f"NPC {side} Foot [{side}ft ]": word + "Foot",
                          f"NPC {side} Toe0 [{side}Toe]": word + "ToeBase", f"NPC {side} UpperArm [{side}Uar]": word + "Arm", f"NPC {side} Hand [{side}Hnd]": word + "Hand"})
        named = [(other.get(n, n), p, place) for n, p, place in HUMAN]
        times, still = [i / 30 for i in range(31)], [(0, 0, 0, 1)] * 31
        sway = lambda root: {"sway": (times, {root: still}, {root: [(0.05 * i, 0, 0) for i in range(31)]})}
        write_glb(self.out("own.glb"), HUMAN, sway("NPC COM [COM ]"))
        write_glb(self.out("take.glb"), named, sway("Hips"))
        reports = [json.loads(self.run_ok("clip", "feet", self.out(name), "-o", self.out("feet.glb"), "--json").stdout)[0]["clips"][0] for name in ("own.glb", "take.glb")]
        self.assertGreater(len(reports[0]["contacts"]), 0)
        back = {v: k for k, v in other.items()}
        self.assertEqual([(c["bone"], c["from_frame"], c["to_frame"]) for c in reports[0]["contacts"]],
                         [(back[c["bone"]], c["from_frame"], c["to_frame"]) for c in reports[1]["contacts"]])
        self.assertLess(reports[1]["drift_after"], 0.1)
        # A creature whose names say nothing has four.
        write_glb(self.out("beast.glb"), BEAST, sway("Body"))
        run = self.run_ok("clip", "feet", self.out("beast.glb"), "-o", self.out("stood.glb"), "--json")
        self.assertIn("legs end with hind_d_L, hind_d_R, fore_c_L, fore_c_R", run.stderr)
        self.assertEqual(len({c["bone"] for c in json.loads(run.stdout)[0]["clips"][0]["contacts"]}), 4)

    def test_a_rate_that_keeps_the_frames_is_noted_too(self):
        _, clip, _ = self.human()
        run = self.run_ok("clip", "resample", clip, "--fps", "29.97", "-o", self.out("x.hkx"))
        self.assertIn("there are 30 frames per second", run.stderr)
        run = self.run_ok("clip", "resample", clip, "--fps", "30", "-o", self.out("x.hkx"))
        self.assertNotIn("frames per second", run.stderr)

    def test_motion_of_other_programs_is_edited_at_the_rate_of_the_games_with_a_note(self):
        names = {part: part for part in PERSON}
        for rate in (120, 30):
            capture = self.out(f"{rate}.bvh")
            capture.write_bytes(bvh(joints(names), walk_frames(names), 1 / rate))
            run = self.run_ok("clip", "reverse", capture, "-o", self.out("back.glb"))
            self.assertEqual("has 120 frames per second and is read at 30" in run.stderr, rate == 120, run.stderr)
            self.assertAlmostEqual(self.clip_of(self.out("back.glb"))["duration_seconds"], self.clip_of(capture)["duration_seconds"], delta=0.02)

    def test_bones_are_suggested_by_their_words(self):
        skeleton, clip, _ = self.human()
        for words, wanted in ((("pin", "--bone", "HandL"), "NPC L Hand [LHnd]"), (("feet", "--foot", "LFoot"), "NPC L Foot [Lft ]"),
                              (("layer", clip, "--below", "NPC L Clavicl"), "NPC L Clavicle [LClv]"), (("offset", "--turn", "1,0,0", "--bone", "NPC Haed"), "NPC Head [Head]")):
            run = marrow("clip", words[0], clip, *words[1:], "--skeleton", skeleton, "-o", self.out("x.hkx"))
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(f"did you mean {wanted}?", run.stderr)

    def test_games_answer_to_what_people_call_them(self):
        clip = SEEDS / "clip-2010-32.hkx"
        for word, size in (("le", 4), ("sse", 8), ("se", 8), ("SE", 8), ("skyrim-se", 8)):
            self.run_ok("convert", clip, "-o", self.out("x.hkx"), "--to", word)
            self.assertEqual(self.out("x.hkx").read_bytes()[16], size, word)
        asked = marrow("convert", clip, "-o", self.out("y.hkx"), "--to", "skyrim")
        self.assertEqual(asked.returncode, 2)
        self.assertIn("skyrim-le", asked.stderr)
        self.assertIn("--to", asked.stderr)
        self.assertIn("skyrim-se", marrow("convert", clip, "-o", self.out("y.hkx"), "--to", "skyrim-sse").stderr)

    def test_a_closed_pipe_ends_quietly(self):
        process = subprocess.Popen([MARROW, "dump", SEEDS / "behaviour-32.hkx"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(10)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.wait()

    def test_a_run_over_a_folder_ends_with_a_summary_and_its_failures(self):
        mods = self.out("mods")
        mods.mkdir()
        for name in ("a.hkx", "b.hkx"):
            shutil.copy(SEEDS / "clip-2010-32.hkx", mods / name)
        (mods / "bad.hkx").write_bytes((SEEDS / "clip-2010-32.hkx").read_bytes()[:200])
        run = marrow("convert", mods, "-o", self.out("out"), "--to", "se")
        self.assertEqual(run.returncode, 1)
        lines = run.stderr.strip().splitlines()
        self.assertIn("bad.hkx", lines[-1])
        self.assertTrue(any("2 done" in l and "1 failed" in l for l in lines), run.stderr)

    def test_a_folder_of_one_kind_says_what_it_is_taken_for(self):
        mods = self.out("mods")
        mods.mkdir()
        for name in ("a.hkx", "b.hkx"):
            shutil.copy(SEEDS / "clip-2010-32.hkx", mods / name)
        run = marrow("convert", mods, "--only-wrong", "--in-place")
        self.assertEqual(run.returncode, 0)
        self.assertIn("taken to be skyrim-le: 2 of 2", run.stderr)
        self.assertIn("nothing to do", run.stderr)
        run = self.run_ok("convert", mods, "--only-wrong", "--in-place", "--to", "se")
        self.assertEqual((mods / "a.hkx").read_bytes()[16], 8)
        shutil.copy(SEEDS / "clip-2010-32.hkx", mods / "a.hkx")
        run = self.run_ok("convert", mods, "--only-wrong", "--in-place")
        self.assertIn("the game is not known: 1 of 2", run.stderr)

    def test_info_says_what_a_behaviour_is_about(self):
        about = json.loads(self.run_ok("info", SEEDS / "behaviour-32.hkx", "--json").stdout)[0]["about"]
        self.assertIn(about["kind"], ("behavior", "character", "project"))

    def test_an_additive_clip_of_another_skeleton_is_found(self):
        skeleton, clip, _ = self.human()
        write_glb(self.out("beast.glb"), BEAST)
        self.run_ok("convert", self.out("beast.glb"), "-o", self.out("beast.hkx"), "--to", "se")
        xml = self.out("clip.xml")
        self.run_ok("convert", clip, "-o", xml)
        xml.write_text(xml.read_text().replace('<hkparam name="blendHint">NORMAL</hkparam>', '<hkparam name="blendHint">ADDITIVE</hkparam>'))
        additive = self.out("additive.hkx")
        self.run_ok("convert", xml, "-o", additive)
        self.assertTrue(self.clip_of(additive)["additive"])
        codes = lambda s: [f["code"] for f in json.loads(marrow("check", additive, "--skeleton", s, "--json").stdout)[0]["findings"]]
        self.assertIn("W_ADDITIVE_SKELETON", codes(self.out("beast.hkx")))
        self.assertNotIn("W_ADDITIVE_SKELETON", codes(skeleton))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
