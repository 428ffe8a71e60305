#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every example on files of the project's own. Those in C, of batches and of Dask have tests of their own
(c_examples, e2e_batch, python_dask).

    examples_test.py MARROW REPOSITORY WALK_CYCLE SAMPLE_CLIP LIBRARY C_COMPILER
"""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY, WALK_CYCLE, SAMPLE_CLIP, LIBRARY = (pathlib.Path(each).resolve() for each in sys.argv[1:6])
COMPILER = sys.argv[6]
EXAMPLES = REPOSITORY / "examples"
PROGRAMS = SAMPLE_CLIP.parent
sys.path.insert(0, str(REPOSITORY / "tests/e2e"))
import sample_nif  # noqa: E402

SECTIONS = ["Description", "Concept", "Usage", "Implementation"]
TASKS = ["convert_mod", "fox", "annotations", "collision", "anvil_outfit", "sample_clip", "retarget", "github", "batch", "c", "languages", "python",
         "play_clip", "add_collision", "heavier_hair"]
CRATE = "o crate\nusemtl wood\n" + "".join(f"v {x} {y} {z}\n" for x in (-20, 20) for y in (-10, 10) for z in (0, 30)) + \
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow examples "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.run_it(WALK_CYCLE, self.folder / "walk")

    def run_it(self, *words, expect=0, **more):
        environment = {**os.environ, "MARROW": str(MARROW), "MARROW_LIBRARY": str(LIBRARY),
                       "PYTHONPATH": str(REPOSITORY / "python"), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(self.folder),
                       **more.pop("env", {})}
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment, **more)
        self.assertEqual(done.returncode, expect, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def json_of(self, *words):
        return json.loads(self.run_it(MARROW, *words, "--json"))

    def test_every_example_has_a_page_with_four_sections_and_is_listed(self):
        listed = (EXAMPLES / "README.md").read_text()
        for task in TASKS:
            text = (EXAMPLES / task / "README.md").read_text()
            self.assertEqual(re.findall(r"^## (.+)$", text, re.M), SECTIONS, task)
            self.assertIn(f"]({task})", listed)

    def test_a_mod_becomes_one_for_skyrim_se_and_the_rest_comes_along(self):
        mod, out = self.folder / "mod", self.folder / "mod se"
        shutil.copytree(self.folder / "walk/skyrim-le", mod / "meshes")
        (mod / "textures").mkdir()
        (mod / "textures/a.dds").write_bytes(b"DDS ")
        self.run_it(EXAMPLES / "convert_mod/convert_mod.sh", mod, out)
        clip = next(out.rglob("walk.hkx"))
        self.assertEqual(self.json_of("info", clip)[0]["game"], "skyrim-se")
        self.assertEqual((out / "textures/a.dds").read_bytes(), b"DDS ")
        self.assertEqual(self.json_of("info", next(mod.rglob("walk.hkx")))[0]["game"], "skyrim-le")
        self.assertEqual(sorted(p.name for p in mod.rglob("*")), sorted(p.name for p in out.rglob("*")))

    def test_events_are_renamed_in_a_whole_folder(self):
        clips = self.folder / "clips"
        clips.mkdir()
        for name in ("a", "b"):
            shutil.copy(self.folder / "walk/skyrim-se/walk.hkx", clips / f"{name}.hkx")
        printed = self.run_it(EXAMPLES / "annotations/weapon_swap.sh", clips, self.folder / "out", "Foot", "Hoof")
        self.assertNotIn("Foot", printed)
        self.assertGreaterEqual(printed.count("Hoof"), 4)

    def test_a_mesh_becomes_collision_of_a_nif(self):
        (self.folder / "crate.obj").write_text(CRATE)
        nif, out = self.folder / "a.nif", self.folder / "out.nif"
        sample_nif.write_nif(nif)
        self.run_it(EXAMPLES / "collision/mesh_into_nif.sh", self.folder / "crate.obj", nif, "Lamp", out, "wood", "12")
        body = self.json_of("collision", "list", out)[0]["bodies"][0]
        self.assertEqual((round(body["mass"], 3), body["motion"]), (12, "dynamic"))
        self.assertIn("wood", body["material"].lower())

    def test_a_rig_is_merged_tuned_and_delivered(self):
        rigs, out = EXAMPLES / "anvil", self.folder / "out"
        before = self.json_of("rig", "list", rigs / "addon_hair_strand.xml")[0]["bones"]
        chain = [bone["name"] for bone in before if "Hair0" in bone["name"]]
        self.run_it(EXAMPLES / "anvil_outfit/deliver_rig.sh", rigs / "generic_male.xml", rigs / "addon_hair_strand.xml",
                    f"{chain[0]}..{chain[-1]}", "rogue", out)
        after = self.json_of("rig", "list", out / "addon.xml")[0]["bones"]
        count = lambda bones: sum(len(bone["modifiers"]) for bone in bones)
        self.assertGreater(count(after), 0)
        self.assertNotEqual([bone["modifiers"] for bone in before], [bone["modifiers"] for bone in after])
        self.assertEqual((out / "preview.glb").read_bytes()[:4], b"glTF")

    def test_three_languages_print_the_same_pose(self):
        clip, skeleton = self.folder / "walk/skyrim-se/walk.hkx", self.folder / "walk/skyrim-se/characterassets/skeleton.hkx"
        in_c = self.folder / "in_c"
        self.run_it(COMPILER, "-std=c11", f"-I{REPOSITORY / 'include'}", EXAMPLES / "c/sample_clip.c", LIBRARY,
                    f"-Wl,-rpath,{LIBRARY.parent}", "-o", in_c)
        numbers = lambda text: [[float(each) for each in line.split()[-3:]] for line in text.splitlines()]
        cpp = self.run_it(SAMPLE_CLIP, clip, 0.37, skeleton)
        python = self.run_it(sys.executable, EXAMPLES / "sample_clip/sample_clip.py", clip, 0.37, skeleton)
        c = self.run_it(in_c, clip, 0.37, skeleton)
        self.assertEqual(len(numbers(cpp)), 48)
        for other in (python, c):
            for ours, theirs in zip(numbers(cpp), numbers(other), strict=True):
                for one, two in zip(ours, theirs, strict=True):
                    self.assertAlmostEqual(one, two, delta=2e-4)
        printed = self.run_it(MARROW, "sample", clip, "--frames", 0.37 * 30, "--space", "model", "--skeleton", skeleton)
        rows = [line.split(",") for line in printed.splitlines()[1:]]
        for ours, row in zip(numbers(cpp), rows, strict=True):
            for one, two in zip(ours, row[2:5], strict=True):
                self.assertAlmostEqual(one, float(two), delta=2e-4)

    def test_a_clip_is_compiled_mapped_and_played_without_the_library(self):
        if not (PROGRAMS / "example_play_clip").exists():
            self.skipTest("example_play_clip is not built here")
        clip, skeleton = self.folder / "walk/skyrim-se/walk.hkx", self.folder / "walk/skyrim-se/characterassets/skeleton.hkx"
        compiled = self.folder / "walk.clip"
        self.run_it(PROGRAMS / "example_compile_clip", clip, skeleton, compiled)
        places = lambda text: [[float(each) for each in line.split()[-3:]] for line in text.splitlines()]
        for seconds in (0, 0.37):
            wanted = places(self.run_it(SAMPLE_CLIP, clip, seconds, skeleton))
            played = places(self.run_it(PROGRAMS / "example_play_clip", compiled, seconds))
            self.assertEqual(len(played), len(wanted) + 1)  # the last line is root motion
            for one, two in zip(played, wanted):
                for a, b in zip(one, two, strict=True):
                    self.assertAlmostEqual(a, b, delta=2e-3)
        once, later = (places(self.run_it(PROGRAMS / "example_play_clip", compiled, seconds)) for seconds in (0.37, 1.37))
        self.assertEqual(once[:-1], later[:-1])  # the walk takes a second, and loops
        self.assertGreater(later[-1][1], once[-1][1] + 10)
        damaged = bytearray(compiled.read_bytes())
        compiled.write_bytes(damaged[:-64])
        self.run_it(PROGRAMS / "example_play_clip", compiled, 0, expect=1)
        self.run_it(PROGRAMS / "example_play_clip", self.folder / "missing", 0, expect=1)

    def test_three_calls_add_collision_to_a_nif(self):
        (self.folder / "crate.obj").write_text(CRATE)
        nif, out = self.folder / "a.nif", self.folder / "out.nif"
        sample_nif.write_nif(nif)
        self.run_it(PROGRAMS / "example_add_collision", nif, self.folder / "crate.obj", "Lamp", out)
        bodies = [body for system in self.json_of("collision", "list", out) for body in system["bodies"]]
        ours = [body for body in bodies if body["node"] == "Lamp"]
        self.assertEqual(len(ours), 1)
        self.assertEqual((round(ours[0]["mass"], 3), ours[0]["motion"]), (8, "dynamic"))
        self.assertIn("wood", ours[0]["material"].lower())
        self.run_it(PROGRAMS / "example_add_collision", nif, self.folder / "crate.obj", "No such node", out, expect=1)

    def test_a_modifier_is_changed_as_the_command_line_changes_it(self):
        rig, out, wanted = EXAMPLES / "anvil/addon_hair_strand.xml", self.folder / "ours.xml", self.folder / "ours" / "wanted.xml"
        bones = self.json_of("rig", "list", rig)[0]["bones"]
        bone = next(each["name"] for each in bones if any("BallJoint" in m["type"] for m in each["modifiers"]))
        wanted.parent.mkdir()
        self.run_it(PROGRAMS / "example_heavier_hair", rig, bone, 2, out)
        self.run_it(MARROW, "rig", "set", rig, "--bone", bone, "--modifier", "BallJoint", "Mass=2", "-o", wanted)
        self.assertEqual(out.read_bytes(), wanted.read_bytes())
        self.assertNotEqual(out.read_bytes(), rig.read_bytes())
        self.run_it(PROGRAMS / "example_heavier_hair", rig, "No bone", 2, out, expect=1)

    def test_the_sample_walk_stands_on_its_feet(self):
        clip = self.folder / "walk/skyrim-se/walk.hkx"
        printed = self.run_it(MARROW, "sample", clip, "--frames", ",".join(map(str, range(31))), "--space", "model", "--skeleton",
                              clip.parent / "characterassets/skeleton.hkx")
        places = [{} for _ in range(31)]
        for row in csv.DictReader(printed.splitlines()):
            places[int(float(row["frame"]))][row["bone"]] = [float(row[key]) for key in ("tx", "ty", "tz")]
        self.assertEqual(places[0], places[30])
        for side, down in (("L", 0.25), ("R", 0.75)):
            steps = [(places[f][f"NPC {side} Toe0 [{side}Toe]"], places[f][f"NPC {side} Foot [{side}ft ]"], (f / 30 - down) % 1) for f in range(30)]
            # From the heel being down to the toes leaving, the ball of the foot stays where it is in the world.
            standing = [ball[1] + 110 * since for ball, _, since in steps if 0.1 < since < 0.6]
            self.assertGreater(len(standing), 12)
            self.assertLess(max(standing) - min(standing), 0.01)
            self.assertGreater(min(ball[2] for ball, _, _ in steps), 1.4)
            self.assertGreater(max(ankle[1] for _, ankle, _ in steps) - min(ankle[1] for _, ankle, _ in steps), 50)
        # An arm swings with the leg of the other side, and half a cycle later all is the other way round.
        hand, foot = (places[8][name][1] for name in ("NPC R Hand [RHnd]", "NPC L Foot [Lft ]"))
        self.assertGreater(min(hand, foot), 10)
        for left, right in (("NPC L Hand [LHnd]", "NPC R Hand [RHnd]"), ("NPC L Foot [Lft ]", "NPC R Foot [Rft ]")):
            x, y, z = places[4][left]
            for one, two in zip((-x, y, z), places[19][right]):
                self.assertAlmostEqual(one, two, delta=1e-3)

    def test_a_folder_is_retargeted(self):
        walk = self.folder / "walk"
        clips = self.folder / "clips"
        clips.mkdir()
        for name in ("a", "b"):
            shutil.copy(walk / "skyrim-se/walk.hkx", clips / f"{name}.hkx")
        target = next((walk / "fallout4").rglob("skeleton.hkx"))
        self.run_it(EXAMPLES / "retarget/retarget_folder.sh", clips, walk / "skyrim-se/characterassets/skeleton.hkx", target,
                    self.folder / "out")
        self.assertEqual([each["game"] for each in self.json_of("info", self.folder / "out")], ["fallout4"] * 2)

    def workflow(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        return yaml.safe_load((EXAMPLES / "github/check-mod.yml").read_text())

    def test_the_workflow_has_the_shape_that_github_reads(self):
        workflow = self.workflow()
        self.assertEqual(workflow[True], ["push", "pull_request"])  # `on` means true in YAML 1.1
        job = workflow["jobs"]["check"]
        self.assertEqual(job["permissions"], {"contents": "read", "security-events": "write"})
        for step in job["steps"]:
            self.assertEqual(("uses" in step) + ("run" in step), 1, step)
            self.assertEqual(set(step) - {"name", "id", "if", "uses", "with", "run"}, set(), step)
            if "run" in step:
                self.run_it("bash", "-n", "-c", step["run"].replace("${{ steps.check.outputs.code }}", "3"))
        upload = next(step for step in job["steps"] if "upload-sarif" in step.get("uses", ""))
        self.assertEqual((upload["if"], upload["with"]), ("always()", {"sarif_file": "marrow.sarif"}))

    def test_the_workflow_installs_a_package_from_an_address(self):
        steps = self.workflow()["jobs"]["check"]["steps"]
        commands = next(step["run"] for step in steps if step.get("name") == "install marrow")
        bin_folder, package = self.folder / "bin", self.folder / "it is a.deb"
        bin_folder.mkdir()
        package.write_text("package")
        # What gets installed is written down instead; `curl` is the real one if there is one.
        (bin_folder / "sudo").write_text('#!/bin/sh\necho "$@" > installed\n')
        (bin_folder / "sudo").chmod(0o755)
        if not shutil.which("curl"):
            self.skipTest("curl is not installed")
        self.run_it("bash", "-e", "-c", commands, cwd=self.folder,
                    env={"PATH": f"{bin_folder}:{os.environ['PATH']}", "MARROW_DEB": package.as_uri()})
        self.assertEqual((self.folder / "installed").read_text(), "apt-get install -y ./marrow.deb\n")
        self.assertEqual((self.folder / "marrow.deb").read_text(), "package")

    def test_the_workflow_fails_in_the_end_if_something_was_found(self):
        commands = self.workflow()["jobs"]["check"]["steps"][-1]["run"]
        for code in (0, 3):
            self.run_it("bash", "-e", "-c", commands.replace("${{ steps.check.outputs.code }}", str(code)), expect=code)

    def test_the_workflow_checks_a_mod_and_keeps_its_findings(self):
        workflow = self.workflow()
        steps = workflow["jobs"]["check"]["steps"]
        commands = next(step["run"] for step in steps if step.get("id") == "check").replace("marrow check", f"'{MARROW}' check")
        for game, code in (("skyrim-se", "3"), ("skyrim-le", "0")):
            output = self.folder / "github_output"
            output.write_text("")
            self.run_it("bash", "-e", "-c", commands, cwd=self.folder / "walk/skyrim-le",
                        env={"FOLDER": ".", "GAME": game, "GITHUB_OUTPUT": str(output)})
            self.assertEqual(output.read_text(), f"code={code}\n")
            results = json.loads((self.folder / "walk/skyrim-le/marrow.sarif").read_text())["runs"][0]["results"]
            self.assertEqual(any(each["level"] == "error" for each in results), code == "3")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
