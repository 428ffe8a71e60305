#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modifiers as people run them: from a skeleton and a sidecar to CSV, glTF and HKX, and a clip left for right.

    simulate_test.py MARROW REPOSITORY
"""
import csv
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

MARROW, REPOSITORY = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
SKELETON = REPOSITORY / "fuzz/seeds/gltf/skeleton.glb"
PRESETS = REPOSITORY / "examples/modifiers"
BONE = "NPC L UpperArm [LUar]"
NUMBERS = ("tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz")


def marrow(*args):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120)


def rows(path):
    with open(path, newline="") as file:
        return {(int(r["frame"]), r["bone"]): [float(r[k]) for k in NUMBERS] for r in csv.DictReader(file)}


def degrees(a, b):
    # By the chord: the arc cosine knows nothing of small angles.
    qa, qb = ([x / math.hypot(*q[3:7]) for x in q[3:7]] for q in (a, b))
    return math.degrees(4 * math.asin(min(1.0, min(math.dist(qa, qb), math.dist(qa, [-x for x in qb])) / 2)))


class Simulate(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-simulate-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def simulate(self, name, *args):
        out = self.folder / name
        run = marrow("simulate", SKELETON, "-o", out, *args)
        self.assertEqual(run.returncode, 0, run.stderr)
        return out

    def test_every_preset_runs_and_moves_its_bone(self):
        for preset in sorted(PRESETS.glob("*.json")):
            out = self.simulate("a.csv", "--modifiers", preset, "--bone", BONE, "--shake", "0.1,1.3", "--seconds", "2")
            table = rows(out)
            moved = max(degrees(table[(f, BONE)], table[(0, BONE)]) for f in range(61))
            self.assertGreater(moved, 0.5, preset.name)

    def test_the_same_run_gives_the_same_bytes_and_nearly_the_same_at_another_rate(self):
        args = ("--modifiers", PRESETS / "ponytail.json", "--bone", BONE, "--shake", "0.05,1", "--seconds", "2")
        one, two = self.simulate("1.csv", *args, "--fps", "60"), self.simulate("2.csv", *args, "--fps", "60")
        self.assertEqual(one.read_bytes(), two.read_bytes())
        fine, coarse = rows(self.simulate("3.csv", *args, "--fps", "240")), rows(one)
        errors = [degrees(coarse[(f, BONE)], fine[(4 * f, BONE)]) for f in range(121)]
        self.assertLess(math.sqrt(sum(e * e for e in errors) / len(errors)), 1.0)

    def test_it_bakes_to_glb_and_hkx_which_read_back_as_the_same_motion(self):
        args = ("--modifiers", PRESETS / "chain.json", "--bone", BONE, "--shake", "0.1,1", "--seconds", "1")
        table = rows(self.simulate("a.csv", *args))
        hkx, glb = self.simulate("a.hkx", *args, "--game", "skyrim-se"), self.simulate("a.glb", *args)
        for path in (hkx, glb):
            clip = json.loads(marrow("info", path, "--json").stdout)[0]["clips"][0]
            self.assertEqual(clip["frames"], 31)
        # Played again under a rig without modifiers, the baked clip is the simulation.
        for path in (hkx, glb):
            again = rows(self.simulate("b.csv", "--clip", path, "--fps", "30", "--seconds", "1"))
            for key, values in table.items():
                self.assertLess(degrees(values, again[key]), 0.05, (path.name, key))

    def test_a_loop_ends_as_it_begins_in_every_format(self):
        args = ("--modifiers", "chain", "--bone", BONE, "--shake", "0.1,1", "--seconds", "2", "--loop")
        run = marrow("simulate", SKELETON, *args, "-o", self.folder / "a.csv")
        self.assertRegex(run.stdout, r"a loop after \d+ rounds")
        table = rows(self.folder / "a.csv")
        bones = {bone for _, bone in table}
        for bone in bones:
            self.assertLess(math.dist(table[(0, bone)], table[(60, bone)]), 1e-4, bone)
        self.assertEqual(table[(0, BONE)], table[(60, BONE)])
        self.assertGreater(max(degrees(table[(0, BONE)], table[(f, BONE)]) for f in range(61)), 3)
        for name, more in (("a.glb", ()), ("a.hkx", ("--game", "skyrim-se"))):
            again = rows(self.simulate("b.csv", "--clip", self.simulate(name, *args, *more)))
            self.assertLess(degrees(again[(0, BONE)], again[(60, BONE)]), 0.1, name)
        told = json.loads(marrow("simulate", SKELETON, *args, "--json", "-o", self.folder / "a.csv").stdout)[0]["loop"]
        self.assertTrue(told["closed"] and told["rounds"] > 1 and told["open_degrees"] <= 0.01, told)
        # At a rate that does not fit its length, a loop is still as long as its clip.
        told = json.loads(marrow("simulate", SKELETON, *args[:4], "--clip", self.folder / "a.glb", "--fps", "17.3", "--loop",
                                 "--json", "-o", self.folder / "d.csv").stdout)[0]
        self.assertTrue(told["loop"]["closed"])
        self.assertEqual((told["frames"], told["fps"]), (36, 17.5))
        # Two and a half swings end on the other side of where they start.
        run = marrow("simulate", SKELETON, *args, "--seconds", "1.2", "-o", self.folder / "c.csv")
        self.assertEqual(run.returncode, 0)
        self.assertIn("is not a loop", run.stderr)
        self.assertNotIn("a loop after", run.stdout)

    def test_a_folder_of_clips_is_baked_at_once(self):
        clips = self.folder / "clips"
        (clips / "sub").mkdir(parents=True)
        for name, shake in (("a.hkx", "0.1,1"), ("sub/b.hkx", "0.2,1"), ("sub/c.clip", "0.1,2")):
            self.simulate("x.hkx", "--shake", shake, "--seconds", "1", "--game", "skyrim-se").rename(clips / name)
        marrow("convert", SKELETON, "-o", clips / "skeleton.hkx", "--to", "skyrim-se")
        (clips / "broken.hkx").write_bytes((clips / "a.hkx").read_bytes()[:100])
        args = ("--modifiers", "chain", "--bone", BONE, "--clip", clips)
        run = marrow("simulate", SKELETON, *args, "-o", self.folder / "out", "-j", "3")
        self.assertEqual(run.returncode, 1)
        self.assertIn("broken.hkx:", run.stderr)
        self.assertIn("skeleton.hkx: the file contains no clip; skipped", run.stderr)
        out = sorted(str(p.relative_to(self.folder / "out")) for p in (self.folder / "out").rglob("*") if p.is_file())
        self.assertEqual(out, ["a.hkx", "sub/b.hkx", "sub/c.clip"])
        alone = self.simulate("alone.hkx", *args[:-1], clips / "sub/b.hkx")
        self.assertEqual(alone.read_bytes(), (self.folder / "out/sub/b.hkx").read_bytes())
        one = clips / "a.hkx"
        told = json.loads(marrow("simulate", SKELETON, *args[:-1], one, "--clip", clips / "sub/b.hkx", "--format", "glb",
                                 "--json", "-o", self.folder / "glb").stdout)
        self.assertEqual([t["path"] for t in told], [str(one), str(clips / "sub/b.hkx")])
        self.assertEqual((self.folder / "glb/a.glb").read_bytes()[:4], b"glTF")
        mirrored = marrow("mirror", clips, "--skeleton", SKELETON, "-o", self.folder / "mirrored", "-j", "3")
        self.assertEqual(mirrored.returncode, 1)  # the broken one
        self.assertTrue((self.folder / "mirrored/sub/c.clip").exists(), mirrored.stderr)

    def test_a_clip_starts_settled_unless_it_is_told_not_to(self):
        clip = self.simulate("clip.glb", "--seconds", "1")
        args = ("--modifiers", "hair", "--bone", BONE, "--clip", clip)
        rest = rows(self.simulate("rest.csv", "--seconds", "1"))
        usual, none, longer = (rows(self.simulate(f"{i}.csv", *args, *more)) for i, more in
                               enumerate(((), ("--no-settle",), ("--settle", "20"))))
        self.assertLess(degrees(usual[(0, BONE)], usual[(30, BONE)]), 0.2)
        self.assertLess(degrees(usual[(0, BONE)], longer[(0, BONE)]), 0.2)
        self.assertEqual(none[(0, BONE)], rest[(0, BONE)])
        self.assertGreater(degrees(none[(0, BONE)], none[(30, BONE)]), 3)
        run = marrow("simulate", SKELETON, *args, "--no-settle", "--settle", "1", "-o", self.folder / "x.csv")
        self.assertEqual(run.returncode, 2, run.stderr)

    def test_colliders_keep_a_chain_out_and_mistakes_in_them_are_told(self):
        side = self.folder / "solid.json"
        args = ("--modifiers", "chain", "--bone", BONE, "--shake", "0.1,1.3", "--seconds", "2")
        free = self.simulate("free.csv", *args).read_bytes()
        far = {"colliders": [{"shape": "sphere", "bone": BONE, "center": [9, 9, 9], "radius": 0.1}]}
        side.write_text(json.dumps(far))
        # What is out of reach changes nothing.
        self.assertEqual(self.simulate("far.csv", *args, "--collide", side).read_bytes(),
                         self.simulate("deep.csv", *args, "--ground", "-100").read_bytes())
        two = rows(self.folder / "far.csv")
        high = rows(self.simulate("high.csv", *args, "--ground", "1.1"))
        self.assertGreater(max(degrees(high[k], two[k]) for k in two), 5)
        self.assertNotEqual(free, (self.folder / "high.csv").read_bytes())
        side.write_text('{"colliders": [{"shape": "spher", "bone": "x", "radius": 1}]}')
        run = marrow("simulate", SKELETON, *args, "--collide", side, "-o", self.folder / "x.csv")
        self.assertEqual(run.returncode, 1)
        self.assertIn("solid.json: colliders[0].shape: unknown shape 'spher'; did you mean sphere?", run.stderr)
        run = marrow("simulate", SKELETON, *args, "--collide", "boddy", "-o", self.folder / "x.csv")
        self.assertIn("presets are body", run.stderr)

    def test_a_plot_shows_bones_with_their_limits_and_needs_no_other_output(self):
        plot = self.folder / "x.svg"
        args = ("--modifiers", "pouch", "--bone", BONE, "--shake", "0.1,1", "--plot", plot)
        run = marrow("simulate", SKELETON, *args)
        self.assertEqual(run.returncode, 0, run.stderr)
        root = xml.etree.ElementTree.parse(plot).getroot()
        text = "".join(root.itertext())
        self.assertIn(f"{BONE}: BallJointBoneModifier", text)
        self.assertIn("±", text)
        lines = [e for e in root.iter() if e.tag.endswith("polyline")]
        self.assertEqual([len(e.get("points").split()) for e in lines], [121, 121])
        other = "NPC R UpperArm [RUar]"
        self.assertEqual(marrow("simulate", SKELETON, *args, "--plot-bone", other).returncode, 0)
        self.assertIn(f"{other}: turn from rest", "".join(xml.etree.ElementTree.parse(plot).getroot().itertext()))
        for more, code in ((("--plot-bone", "nobody"), 1), (("--clip", self.folder, "-o", self.folder / "out"), 1)):
            self.assertEqual(marrow("simulate", SKELETON, *args, *more).returncode, code, more)
        self.assertEqual(marrow("simulate", SKELETON, "--plot-bone", BONE, "-o", self.folder / "a.csv").returncode, 2)

    def test_a_glb_has_visible_bones_unless_they_are_hidden(self):
        def meshes(path):
            data = path.read_bytes()
            return len(json.loads(data[20:20 + int.from_bytes(data[12:16], "little")]).get("meshes", []))
        args = ("--modifiers", "pouch", "--bone", BONE, "--seconds", "0.5")
        self.assertGreater(meshes(self.simulate("a.glb", *args)), 0)
        self.assertEqual(meshes(self.simulate("b.glb", *args, "--hide-bones")), 0)

    def test_all_clips_of_a_file_are_run_or_the_one_that_is_named(self):
        for name, shake in (("slow", "0.1,1"), ("fast", "0.1,2")):
            self.simulate(f"{name}.hkx", "--shake", shake, "--seconds", "1", "--game", "skyrim-se")
        both = self.folder / "both.glb"
        run = marrow("convert", self.folder / "slow.hkx", self.folder / "fast.hkx", "--skeleton", SKELETON, "-o", both)
        self.assertEqual(run.returncode, 0, run.stderr)
        args = ("--modifiers", "chain", "--bone", BONE, "--clip", both)
        out = self.simulate("out.glb", *args)
        self.assertEqual(len(json.loads(marrow("info", out, "--json").stdout)[0]["clips"]), 2)
        told = json.loads(marrow("simulate", SKELETON, *args, "--clip-name", "fast", "--json", "-o", self.folder / "one.glb").stdout)[0]
        self.assertEqual([c["name"] for c in told["clips"]], ["fast"])
        self.assertEqual(len(json.loads(marrow("info", self.folder / "one.glb", "--json").stdout)[0]["clips"]), 1)
        run = marrow("simulate", SKELETON, *args, "--clip-name", "fats", "-o", self.folder / "x.glb")
        self.assertEqual(run.returncode, 1)
        self.assertIn("'slow', 'fast'", run.stderr)

    def test_what_has_settled_does_not_drop_in_the_first_frames(self):
        args = ("--modifiers", "hair", "--bone", BONE, "--seconds", "1")
        loose, settled = rows(self.simulate("a.csv", *args)), rows(self.simulate("b.csv", *args, "--settle", "10"))
        self.assertGreater(degrees(loose[(0, BONE)], loose[(30, BONE)]), 3)
        self.assertLess(degrees(settled[(0, BONE)], settled[(30, BONE)]), 0.2)
        self.assertEqual(marrow("simulate", SKELETON, *args, "--settle", "-1", "-o", self.folder / "c.csv").returncode, 2)

    def test_explain_tells_what_a_modifier_did(self):
        args = ("--modifiers", PRESETS / "pouch.json", "--bone", BONE, "--shake", "0.1,1", "--explain", BONE)
        run = marrow("simulate", SKELETON, "-o", self.folder / "a.csv", *args)
        for word in ("BallJointBoneModifier", "weight 1", "input", "target", "limit hit"):
            self.assertIn(word, run.stdout)
        # The numbers are those of the JSON, to the last digit.
        trace = json.loads(marrow("simulate", SKELETON, "-o", self.folder / "a.csv", *args, "--json").stdout)[0]["explain"]["modifiers"][0]
        printed = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", run.stdout.split("input", 1)[1])]
        for value in (*trace["input"]["position"], *trace["result"]["rotation"], trace["moved_degrees"], trace["moved_metres"]):
            self.assertIn(value, printed)
        told = json.loads(marrow("simulate", SKELETON, "-o", self.folder / "a.csv", *args, "--frame", "3", "--json").stdout)[0]
        self.assertEqual((told["explain"]["frame"], len(told["explain"]["modifiers"])), (3, 1))

    def test_a_preset_is_saved_to_go_on_from(self):
        saved, bones = self.folder / "my.json", ("--bone", BONE, "--bone", "NPC R UpperArm*")
        one = self.simulate("a.csv", "--modifiers", "hair", *bones, "--shake", "0.1,1", "--save-modifiers", saved)
        self.assertEqual(json.loads(saved.read_text())["modifiers"][0]["chain"], [BONE, "NPC R UpperArm*"])
        two = self.simulate("b.csv", "--modifiers", saved, "--shake", "0.1,1")
        self.assertEqual(one.read_bytes(), two.read_bytes())
        other = self.folder / "other.json"
        self.assertEqual(marrow("simulate", SKELETON, "-o", self.folder / "c.csv", "--modifiers", "hair", "--bone", "nobody",
                                "--save-modifiers", other).returncode, 1)
        self.assertFalse(other.exists())
        for args in (("--save-modifiers", saved), ("--modifiers", saved, "--save-modifiers", saved)):
            self.assertEqual(marrow("simulate", SKELETON, "-o", self.folder / "c.csv", *args).returncode, 2)

    def test_explain_needs_no_output(self):
        args = ("--modifiers", "pouch", "--bone", BONE, "--shake", "0.1,1")
        run = marrow("simulate", SKELETON, *args, "--explain", BONE)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(run.stdout.startswith(BONE), run.stdout)
        self.assertIsNone(json.loads(marrow("simulate", SKELETON, *args, "--explain", BONE, "--json").stdout)[0]["output"])
        self.assertEqual(marrow("simulate", SKELETON, *args).returncode, 2)

    def test_a_preset_is_taken_by_name_and_put_on_several_bones(self):
        args = ("--bone", BONE, "--bone", "NPC R UpperArm*", "--shake", "0.1,1.3", "--seconds", "1")
        told = json.loads(marrow("simulate", "--modifiers", "hair", *args, "--json", SKELETON, "-o", self.folder / "a.csv").stdout)[0]
        same = self.simulate("b.csv", "--modifiers", PRESETS / "hair.json", *args)
        self.assertEqual((self.folder / "a.csv").read_bytes(), same.read_bytes())
        one = json.loads(marrow("simulate", SKELETON, "--modifiers", "hair", "--bone", BONE, "--json", "-o",
                                self.folder / "c.csv").stdout)[0]
        self.assertGreater(told["modifiers"], one["modifiers"])
        (self.folder / "hair").write_text('{"modifiers": []}')  # a file of that name comes first
        run = subprocess.run([MARROW, "simulate", SKELETON.resolve(), "--modifiers", "hair", "-o", "d.csv"], cwd=self.folder,
                             capture_output=True, text=True)
        self.assertIn("0 modifiers", run.stdout)

    def test_a_mistake_is_told_with_the_file_that_it_is_in(self):
        def error(*args):
            run = marrow("simulate", SKELETON, "-o", self.folder / "x.csv", *args)
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertFalse((self.folder / "x.csv").exists())
            return run.stderr

        bad = self.folder / "bad.json"
        for text, told in (('{\n "modifiers": [,]}', "bad.json:17: not JSON: line 2, column 16: unexpected ','"),
                           ("", "bad.json:0: the file is empty"),
                           ('{"modifiers": [{"bone": "NPC L Uperarm", "type": "BallJoint"}]}',
                            f"bad.json: modifiers[0].bone: the skeleton has no bone 'NPC L Uperarm'; did you mean {BONE}?")):
            bad.write_text(text)
            self.assertIn(told, error("--modifiers", bad))
        self.assertIn("bad.json", error("--clip", bad))
        bad.write_text("")
        self.assertIn("bad.json:0: the file is empty", error("--clip", bad))
        self.assertIn("bad.json:0: the file is empty", error("--common", bad))
        self.assertIn("presets are cape, chain, hair", error("--modifiers", "hare"))
        self.assertIn(f"did you mean {BONE}?", error("--modifiers", "hair", "--bone", BONE.lower()))
        copy = self.folder / "copy.glb"
        shutil.copy(SKELETON, copy)
        run = marrow("simulate", copy, "-o", copy)
        self.assertEqual((run.returncode, copy.read_bytes()), (2, SKELETON.read_bytes()), run.stderr)

    def test_mistakes_name_their_cure_and_leave_no_output(self):
        out = self.folder / "x.csv"
        bad = self.folder / "bad.json"
        bad.write_text('{"modifiers": [{"bone": "nobody", "type": "BallJoint"}]}')
        for code, args in ((2, ("--shake", "1")), (2, ("--fps", "0")), (2, ("--wind", "a,b,c")), (2, ("--gusts", "nan")),
                           (2, ("--gusts", "2")), (2, ("--lod", "-1")), (2, ("--frame", "1")), (2, ("--bone", BONE)), (1, ("--modifiers", bad)),
                           (1, ("--modifiers", PRESETS / "hair.json")), (1, ("--explain", "nobody")), (1, ("--clip", bad))):
            run = marrow("simulate", SKELETON, "-o", out, *args)
            self.assertEqual(run.returncode, code, (args, run.stderr))
            self.assertTrue(run.stderr.strip())
            self.assertFalse(out.exists(), args)
        self.assertEqual(marrow("simulate", SKELETON, "-o", self.folder / "x.bmp").returncode, 2)
        self.assertIn("--bone", marrow("simulate", SKELETON, "-o", out, "--modifiers", PRESETS / "hair.json").stderr)

    def test_mirroring_twice_gives_the_clip_back(self):
        args = ("--modifiers", PRESETS / "chain.json", "--bone", BONE, "--shake", "0.1,1", "--seconds", "1")
        glb = self.simulate("a.glb", *args)
        once, twice, table = self.folder / "once.glb", self.folder / "twice.csv", rows(self.simulate("a.csv", *args))
        self.assertEqual(marrow("mirror", glb, "--skeleton", SKELETON, "-o", once).returncode, 0)
        self.assertEqual(marrow("mirror", once, "--skeleton", SKELETON, "-o", twice).returncode, 0)
        for key, values in rows(twice).items():
            self.assertLess(degrees(values, table[key]), 0.05, key)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
