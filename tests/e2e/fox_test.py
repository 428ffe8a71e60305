#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The behaviour project of examples/fox: sound as it is, named faults when it is broken, patched, walked and drawn.

    fox_test.py MARROW REPOSITORY
"""
import csv
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

MARROW, REPOSITORY = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
FOX = REPOSITORY / "examples/fox"
GRAPH, CHARACTER = "fox/behaviors/FoxBehavior.xml", "fox/characters/Fox.xml"


class Fox(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow fox "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.meshes = self.folder / "meshes"
        shutil.copytree(FOX / "meshes", self.meshes)
        self.project = self.meshes / "fox/FoxProject.xml"

    def run_it(self, *words, expect=0, **more):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
        self.assertEqual(done.returncode, expect, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def marrow(self, *words, **more):
        return self.run_it(MARROW, *words, **more)

    def json_of(self, *words, **more):
        return json.loads(self.marrow(*words, "--json", **more))

    def serious(self, folder):
        done = subprocess.run([MARROW, "check", folder, "--json"], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 3), done.stderr)
        return {finding["code"] for file in json.loads(done.stdout) for finding in file["findings"] if finding["level"] != "info"}

    def replace(self, file, pattern, new):
        path = self.meshes / file
        text, count = re.subn(pattern, lambda match: new, path.read_text(), count=1)
        self.assertEqual(count, 1, pattern)
        path.write_text(text)

    def rows(self, *words):
        return list(csv.DictReader(io.StringIO(self.marrow("behavior", "run", self.project, *words, "--quiet"))))

    def test_the_project_is_sound_as_xml_and_as_packfiles_of_both_games(self):
        self.assertEqual(self.serious(self.meshes), set())
        for game in ("skyrim-se", "skyrim-le"):
            out = self.folder / game
            self.marrow("convert", self.meshes, "--match", "*.xml", "--to", game, "--format", "hkx", "-o", out, "--quiet")
            self.assertEqual(self.serious(out), set(), game)

    def test_it_is_broken_in_many_ways_and_each_is_named(self):
        def remove(file):
            return lambda: (self.meshes / file).unlink()

        def change(file, pattern, new):
            return lambda: self.replace(file, pattern, new)

        def other_width():
            for file, game in ((CHARACTER, "skyrim-se"), ("fox/character assets/skeleton.xml", "skyrim-le")):
                path = self.meshes / file
                self.marrow("convert", path, "--to", game, "-o", path.with_suffix(".hkx"), "--quiet")
                path.unlink()

        ways = [
            ("BHV_FILE_MISSING", remove(GRAPH)),
            ("BHV_FILE_MISSING", remove(CHARACTER)),
            ("BHV_RIG_MISSING", remove("fox/character assets/skeleton.xml")),
            ("BHV_ANIMATION_MISSING", remove("fox/animations/Run.xml")),
            ("BHV_ANIMATION_UNKNOWN", change(GRAPH, r"Animations\\Walk.hkx", "Animations\\Wlak.hkx")),
            ("BHV_EVENT", change(GRAPH, '"eventId">0<', '"eventId">99<')),
            ("BHV_VARIABLE", change(GRAPH, '"variableIndex">1<', '"variableIndex">9<')),
            ("BHV_TRANSITION", change(GRAPH, '"toStateId">1<', '"toStateId">7<')),
            ("BHV_START_STATE", change(GRAPH, '"startStateId">0<', '"startStateId">5<')),
            ("BHV_NO_GENERATOR", change(GRAPH, r'"generator">#\d+', '"generator">null')),
            ("BHV_EXPRESSION", change(GRAPH, "Speed &gt; 0.5", "Speeed &gt; 0.5")),
            ("BHV_TABLE_COUNT", change(GRAPH, r'"eventNames" numelements="5">\s*<hkcstring>moveStart', '"eventNames" numelements="6"><hkcstring>more</hkcstring><hkcstring>moveStart')),
            ("BHV_CLASS", change(CHARACTER, r"Behaviors\\FoxBehavior.hkx", "Characters\\Fox.hkx")),
            ("BHV_REFERENCE", change(GRAPH, '"stringData">#', '"stringData">#9')),
            ("BHV_GAME", other_width),
            ("E_TRACK_BONE", change("fox/animations/Walk.xml", '"transformTrackToBoneIndices" numelements="0">', '"transformTrackToBoneIndices" numelements="24">' + " ".join(map(str, [*range(23), 24])))),
        ]
        for code, damage in ways:
            with self.subTest(code):
                shutil.rmtree(self.meshes)
                shutil.copytree(FOX / "meshes", self.meshes)
                damage()
                self.assertEqual(self.serious(self.meshes), {code})

    def test_a_name_that_leads_elsewhere_is_mended_by_the_command_that_check_gives(self):
        (self.meshes / "fox/moved").mkdir()
        (self.meshes / "fox/animations/Run.xml").rename(self.meshes / "fox/moved/Run.xml")
        done = subprocess.run([MARROW, "check", self.meshes, "--json"], capture_output=True, text=True)
        finding = next(each for file in json.loads(done.stdout) for each in file["findings"] if each["code"] == "BHV_ANIMATION_MISSING")
        cure = finding["cure"]
        self.assertEqual(cure["operation"], "behavior set")
        self.marrow("behavior", "set", self.meshes / CHARACTER, cure["options"]["node"], *cure["options"]["field"], "--in-place", "--no-backup")
        self.replace(GRAPH, r"Animations\\Run.hkx", "moved\\Run.hkx")
        self.assertEqual(self.serious(self.meshes), set())

    def mend(self):
        """Runs the first command that check prints, as it is but for OUT. Returns the command."""
        done = subprocess.run([MARROW, "check", self.meshes], capture_output=True, text=True)
        command = re.search(r"cure: marrow (.*) -o OUT$", done.stdout, re.M)
        self.assertIsNotNone(command, done.stdout)
        words, fixed = shlex.split(command[1]), self.folder / "fixed.xml"
        file = next(word for word in words if word.startswith(str(self.meshes)))
        subprocess.run([MARROW, *words, "-o", fixed], capture_output=True)
        shutil.move(fixed, file)
        return command[1]

    def test_the_commands_that_check_prints_mend_what_it_finds(self):
        def change(file, *edits):
            def damage():
                for pattern, new in edits:
                    self.replace(file, pattern, new)
            return damage

        project = "fox/FoxProject.xml"
        property_name = (r'"characterPropertyNames" numelements="0">', '"characterPropertyNames" numelements="1"><hkcstring>Weight</hkcstring>')
        property_info = (r'"characterPropertyInfos" numelements="0">',
                         '"characterPropertyInfos" numelements="1"><hkobject><hkparam name="role"><hkobject><hkparam name="role">ROLE_DEFAULT</hkparam>'
                         '<hkparam name="flags">FLAG_NONE</hkparam></hkobject></hkparam><hkparam name="type">VARIABLE_TYPE_REAL</hkparam></hkobject>')
        ways = [
            ("BHV_EVENT", change(GRAPH, ('"eventId">0<', '"eventId">99<'))),
            ("BHV_VARIABLE", change(GRAPH, ('"variableIndex">1<', '"variableIndex">9<'))),
            ("BHV_PROPERTY", change(GRAPH, ("BINDING_TYPE_VARIABLE", "BINDING_TYPE_CHARACTER_PROPERTY"))),
            ("BHV_BINDING", change(GRAPH, ('"memberPath">selectedGeneratorIndex', '"memberPath">nothing/like:3/it'))),
            ("BHV_SELECTOR", change(GRAPH, ('"variableBindingSet">#0060', '"variableBindingSet">null'), ('"selectedGeneratorIndex">0', '"selectedGeneratorIndex">2'))),
            ("BHV_TRANSITION", change(GRAPH, ('"toStateId">1<', '"toStateId">7<'))),
            ("BHV_START_STATE", change(GRAPH, ('"startStateId">0<', '"startStateId">5<'))),
            ("BHV_NO_GENERATOR", change(GRAPH, (r'"generator">#0061', '"generator">null'))),
            ("BHV_NO_GENERATOR", change(GRAPH, (r'(?s)"generators" numelements="2">.*?</', '"generators" numelements="0"></'))),
            ("BHV_NO_GENERATOR", change(GRAPH, (r"#0059\n", "null\n"))),
            ("BHV_NO_GENERATOR", change(GRAPH, (r'"rootGenerator">#\d+', '"rootGenerator">null'))),
            ("BHV_CYCLE", change(GRAPH, (r'"generator">#0061', '"generator">#0069'))),
            ("BHV_EXPRESSION", change(GRAPH, ("Speed &gt; 0.5", "Speeed &gt; 0.5"))),
            ("BHV_EXPRESSION", change(GRAPH, ("Speed &gt; 0.5", "bSomethingElse"))),
            ("BHV_TABLE_COUNT", change(GRAPH, (r'"eventNames" numelements="5">', '"eventNames" numelements="6"><hkcstring>more</hkcstring>'))),
            ("BHV_TABLE_COUNT", change(GRAPH, (r'(?s)"wordVariableValues" numelements="2">\s*<hkobject>.*?</hkobject>', '"wordVariableValues" numelements="1">'))),
            ("BHV_TABLE_COUNT", change(CHARACTER, property_name)),
            ("BHV_PROPERTY_NAME", change(GRAPH, property_name, property_info)),
            ("BHV_REFERENCE", change(GRAPH, (r'"generators" numelements="2">', '"generators" numelements="3">#9999'))),
            ("BHV_REFERENCE", change(GRAPH, (r'"stringData">#0054', '"stringData">#0099'))),
            ("BHV_CLASS", change(CHARACTER, (r"Behaviors\\FoxBehavior.hkx", "Characters\\Fox.hkx"))),
            ("BHV_CLASS", change(project, (r"Characters\\Fox.hkx", "Behaviors\\FoxBehavior.hkx"))),
            ("BHV_FILE_MISSING", change(CHARACTER, (r"Behaviors\\FoxBehavior.hkx", "Behaviors\\Wolf.hkx"))),
            ("BHV_FILE_MISSING", change(project, (r'(?s)"characterFilenames" numelements="1">.*?</hkparam>', '"characterFilenames" numelements="0"></hkparam>'))),
            ("BHV_RIG_MISSING", change(CHARACTER, ('"rigName">[^<]*', '"rigName">'))),
            ("BHV_ANIMATION_UNKNOWN", change(GRAPH, (r"Animations\\Walk.hkx", "Animations\\Wlak.hkx"))),
            ("BHV_ANIMATION_UNKNOWN", change(CHARACTER, (r'"animationNames" numelements="3">\s*<hkcstring>Animations\\Idle.hkx</hkcstring>', '"animationNames" numelements="2">'))),
        ]
        for code, damage in ways:
            shutil.rmtree(self.meshes)
            shutil.copytree(FOX / "meshes", self.meshes)
            damage()
            with self.subTest(code):
                self.assertEqual(self.serious(self.meshes), {code})
                done = [self.mend()]
                while len(done) < 3 and self.serious(self.meshes):
                    done.append(self.mend())
                self.assertEqual(self.serious(self.meshes), set(), done)

    def test_two_states_with_one_id_are_told_apart_by_the_one_that_is_waited_for(self):
        self.replace(GRAPH, '"stateId">1<', '"stateId">0<')
        self.assertEqual(self.serious(self.meshes), {"BHV_STATE_TWICE", "BHV_TRANSITION"})
        self.assertIn("stateId=1", self.mend())
        self.assertEqual(self.serious(self.meshes), set())

    def test_the_mod_teaches_it_to_howl(self):
        out = self.folder / "out"
        self.run_it(FOX / "teach_fox.sh", out, env={**os.environ, "MARROW": str(MARROW)})
        listed = self.json_of("behavior", "list", out / "meshes" / GRAPH)[0]
        self.assertEqual(listed["events"][-2:], ["howlEnd", "howl"])
        self.assertEqual([state["name"] for state in listed["machines"][0]["states"]], ["Standing", "Moving", "Howl"])
        rows = list(csv.DictReader(io.StringIO((out / "run.csv").read_text())))
        states = {time: {row["state"] for row in rows if float(row["time"]) == time} for time in (0.5, 2, 3.8, 5, 7.5)}
        self.assertEqual(states, {0.5: {"Standing"}, 2: {"Moving"}, 3.8: {"Standing"}, 5: {"Howl"}, 7.5: {"Standing"}})
        ElementTree.parse(out / "fox.svg")
        clip = self.json_of("info", out / "run.hkx")[0]["clips"][0]
        self.assertEqual((clip["frames"], clip["root_motion"]), (241, True))
        cache = self.json_of("cache", "list", out / "meshes/animationdatasinglefile.txt")[0]
        howl = cache["projects"][0]["clips"][-1]
        self.assertEqual((howl["name"], howl["triggers"]), ("Howl", [{"event": "SoundPlay.FoxHowl", "time": 0.5}]))

    def test_a_patch_made_of_the_patched_project_makes_it_again(self):
        patched, again = self.folder / "patched", self.folder / "again"
        self.marrow("behavior", "patch", FOX / "meshes", "--mods", FOX / "mods", "--format", "xml", "-o", patched)
        (self.folder / "made").mkdir()
        self.marrow("behavior", "make-patch", FOX / "meshes" / GRAPH, patched / GRAPH, "--code", "howl", "-o", self.folder / "made/howl")
        for file in sorted((FOX / "mods/howl/foxbehavior").iterdir()):
            self.assertEqual((self.folder / "made/howl/foxbehavior" / file.name).read_bytes(), file.read_bytes(), file.name)
        self.marrow("behavior", "patch", FOX / "meshes", "--mods", self.folder / "made/howl", "--format", "xml", "-o", again)
        self.assertEqual((again / GRAPH).read_bytes(), (patched / GRAPH).read_bytes())

    def test_patches_are_for_the_character_and_not_for_a_project_of_its_name(self):
        self.project.rename(self.meshes / "fox/Fox.xml")
        (self.meshes / "fox/foxbehavior.txt").write_text("what I have changed\n")
        report = self.json_of("behavior", "patch", self.meshes, "--mods", FOX / "mods", "-o", self.folder / "out")
        self.assertEqual({each["path"] for each in report["files"]}, {str(self.meshes / CHARACTER), str(self.meshes / GRAPH)})
        self.assertEqual((report["notes"], report["failed"]), ([], []))
        alone = self.json_of("behavior", "patch", self.meshes / "fox/Fox.xml", "--mods", FOX / "mods", "-o", self.folder / "alone", expect=1)
        self.assertIn("patches are for", alone["failed"][0]["error"]["message"])

    def patched_by(self, *mods):
        """The notes of mods that each replace the generator of the first state."""
        for mod, generator in mods:
            folder = self.folder / "mods" / mod / "foxbehavior"
            folder.mkdir(parents=True)
            (folder / "#0068.txt").write_text(
                '<hkobject name="#0068" class="hkbStateMachineStateInfo">\n<!-- MOD_CODE ~x~ OPEN -->\n'
                f'<hkparam name="generator">{generator}</hkparam>\n<!-- CLOSE -->\n</hkobject>\n')
        return self.json_of("behavior", "patch", self.meshes, "--mods", self.folder / "mods", "-o", self.folder / "out")["notes"]

    def test_a_patched_file_is_checked_before_it_is_written(self):
        state = next(each for machine in self.json_of("behavior", "list", self.meshes / GRAPH)[0]["machines"] for each in machine["states"])
        notes = self.patched_by(("a", "null"))
        self.assertEqual([(each["code"], each["level"], each["where"]) for each in notes if each["code"].startswith("BHV")],
                         [("BHV_NO_GENERATOR", "warning", f"{state['node']} generator")])

    def test_a_conflict_has_both_sides_and_who_wins(self):
        notes = self.patched_by(("a", "null"), ("b", "#0065"))
        self.assertEqual([each["message"] for each in notes if each["code"] == "PATCH_CONFLICT"],
                         ["both a (null) and b (#0065) change it; b comes later and wins"])

    def test_clips_are_compared_with_the_animation_cache_beside_the_project(self):
        found = {finding["code"] for file in self.json_of("check", self.meshes) for finding in file["findings"]}
        self.assertEqual(found, set())
        self.marrow("cache", "remove", self.meshes / "animationdatasinglefile.txt", "--project", "FoxProject", "--clip", "Walk", "--in-place", "--no-backup")
        found = [(file["path"], finding["code"], finding["where"]) for file in self.json_of("check", self.meshes) for finding in file["findings"]]
        self.assertEqual(found, [(str(self.meshes / "animationdatasinglefile.txt"), "CACHE_CLIP_MISSING", "FoxProject, Walk")])

    def test_patches_are_the_same_for_any_number_of_threads(self):
        shutil.copytree(self.meshes, self.folder / "more/first")
        shutil.copytree(self.meshes, self.folder / "more/second")
        for jobs in "1", "4":
            self.marrow("behavior", "patch", self.folder / "more", "--mods", FOX / "mods", "-o", self.folder / jobs, "-j", jobs)
        files = sorted(path.relative_to(self.folder / "1") for path in (self.folder / "1").rglob("*.hkx"))
        self.assertEqual(len(files), 4)
        for file in files:
            self.assertEqual((self.folder / "1" / file).read_bytes(), (self.folder / "4" / file).read_bytes(), file)

    def test_a_run_plays_the_clips_that_the_states_say(self):
        rows = self.rows("--events", "moveStart@1,moveStop@3", "--seconds", "4", "--set", "iGait=1")
        at = lambda time: [(row["state"], row["clip"]) for row in rows if abs(float(row["time"]) - time) < 1e-9 and float(row["weight"]) > 0]
        self.assertEqual(at(0.5), [("Standing", "Idle")])
        self.assertEqual(at(2), [("Moving", "Run")])
        self.assertEqual(at(4), [("Standing", "Idle")])
        # The condition of moveStart holds the fox back.
        self.assertEqual({row["state"] for row in self.rows("--events", "moveStart@1", "--set", "Speed=0.2")}, {"Standing"})
        sent = json.loads(self.marrow("behavior", "run", self.project, "--events", "moveStart@1", "--seconds", "3", "--json", "--quiet"))
        sent = sent[0] if isinstance(sent, list) else sent
        self.assertEqual([(each["event"], round(each["time"], 4)) for each in sent["sent"]][:4],
                         [("moveStart", 1), ("FootFront", 1.25), ("pant", 1.5), ("FootBack", 1.75)])

    def test_the_clip_of_a_run_has_the_poses_and_the_way_of_what_plays(self):
        out, rig = self.folder / "run.hkx", self.meshes / "fox/character assets/skeleton.xml"
        self.marrow("behavior", "run", self.project, "--events", "moveStart@1", "--seconds", "3", "-o", out, "--quiet")

        def poses(clip, frames):
            text = self.marrow("sample", clip, "--skeleton", rig, "--frames", frames)
            return [[float(row[key]) for key in ("tx", "ty", "tz", "qx", "qy", "qz", "qw")] for row in csv.DictReader(io.StringIO(text))]

        # Frame 15 is Idle alone at its own frame 15; frame 60 is Walk alone, one second in, which is its first frame.
        for frame, name, own in ((15, "Idle", 15), (75, "Walk", 15)):
            for ours, theirs in zip(poses(out, frame), poses(self.meshes / f"fox/animations/{name}.xml", own), strict=True):
                side = 1 if sum(a * b for a, b in zip(ours[3:], theirs[3:])) >= 0 else -1
                for a, b in zip(ours[:3] + [side * each for each in ours[3:]], theirs):
                    self.assertAlmostEqual(a, b, delta=0.02)
        way = [[float(each) for each in line.split(",")] for line in self.marrow("root-motion", "show", out).splitlines()[1:]]
        step = 35.014 / 30
        self.assertEqual(way[30][1:], [0, 0, 0, 0])
        self.assertAlmostEqual(way[90][2] - way[60][2], 30 * step, delta=0.05)
        self.assertLess(way[39][2], 9 * step)  # the blend begins at rest
        missing = subprocess.run([MARROW, "behavior", "run", self.meshes / GRAPH, "-o", out], capture_output=True, text=True)
        self.assertEqual(missing.returncode, 1)
        self.assertIn("has no rig", missing.stderr)

    def test_replacers_are_checked_with_the_project(self):
        animations = self.meshes / "fox/animations"
        clip = (animations / "Walk.xml").read_text()

        def put(path, text=clip):
            (animations / path).parent.mkdir(parents=True, exist_ok=True)
            (animations / path).write_text(text)

        put("OpenAnimationReplacer/Mod/config.json", '{"name": "Mod"}')
        put("OpenAnimationReplacer/Mod/Sub/config.json", '{"name": "Sub", "priority": 1, "conditions": []}')
        put("OpenAnimationReplacer/Mod/Sub/Walk.xml")
        put("OpenAnimationReplacer/Mod/Sub/_variants_Idle/a.xml")
        put("DynamicAnimationReplacer/_CustomConditions/100/_conditions.txt", 'IsFemale() AND\nNOT IsInFaction("Skyrim.esm" | 0x00013)\n')
        put("DynamicAnimationReplacer/_CustomConditions/100/Run.xml")
        put("DynamicAnimationReplacer/Fox.esp/00000D62/Walk.xml")
        self.assertEqual(self.serious(self.meshes), set())
        for path, text, code in [
            ("OpenAnimationReplacer/Mod/Sub/Trot.xml", clip, "REPLACER_NO_TARGET"),
            ("OpenAnimationReplacer/Mod/Other/Walk.xml", clip, "REPLACER_CONDITIONS"),
            ("OpenAnimationReplacer/Walk.xml", clip, "REPLACER_FOLDER"),
            ("DynamicAnimationReplacer/_CustomConditions/high/Walk.xml", clip, "REPLACER_FOLDER"),
            ("DynamicAnimationReplacer/_CustomConditions/7/Walk.xml", clip, "REPLACER_CONDITIONS"),
            ("DynamicAnimationReplacer/Fox.esp/D62/Walk.xml", clip, "REPLACER_FOLDER"),
            ("DynamicAnimationReplacer/_CustomConditions/100/_conditions.txt", "IsFemale( AND", "REPLACER_CONDITIONS"),
            ("OpenAnimationReplacer/Mod/Sub/config.json", "{name", "REPLACER_CONDITIONS"),
        ]:
            with self.subTest(path):
                place = animations / path
                before = place.read_text() if place.exists() else None
                put(path, text)
                self.assertEqual(self.serious(self.meshes), {code})
                place.write_text(before) if before is not None else place.unlink()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
