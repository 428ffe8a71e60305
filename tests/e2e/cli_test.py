#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line's contract, on files of the project's own: exit codes, JSON, folders, and no output where it failed.

    cli_test.py MARROW REPOSITORY
"""
import filecmp
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
SEEDS = REPOSITORY / "fuzz/seeds/packfile"
CLIP_LE, CLIP_SE, CLIP_FO4 = SEEDS / "clip-2010-32.hkx", SEEDS / "clip-2010-64-opaque.hkx", SEEDS / "clip-2014-64.hkx"
BEHAVIOUR = SEEDS / "behaviour-32.hkx"


def marrow(*args):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=60)


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def out(self, name):
        return self.folder / name

    def test_help_and_version_are_done_and_wrong_usage_is_two(self):
        self.assertEqual(marrow("--help").returncode, 0)
        self.assertRegex(marrow("--version").stdout, r"^marrow \d+\.\d+\.\d+")
        self.assertEqual(marrow("-V").stdout, marrow("--version").stdout)
        bare = marrow()
        self.assertEqual((bare.returncode, bare.stdout), (2, marrow("--help").stdout))
        self.assertEqual(marrow("help").stdout, bare.stdout)
        self.assertEqual(marrow("help", "rig", "merge").stdout, marrow("rig", "merge", "--help").stdout)
        self.assertIn("Run marrow convert --help", marrow("convert").stderr)
        for args in ((), ("nosuchverb",), ("convert", CLIP_LE), ("convert", CLIP_LE, "-o", self.out("x"), "--to", "tetris"),
                     ("info", CLIP_LE, "-j", "0"), ("convert", CLIP_LE, "-o", self.out("x"), "--format", "bmp")):
            run = marrow(*args)
            self.assertEqual(run.returncode, 2, args)
            self.assertTrue(run.stderr.strip(), args)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_info_gives_what_the_contract_says(self):
        run = marrow("info", CLIP_LE, CLIP_SE, BEHAVIOUR, "--json")
        self.assertEqual(run.returncode, 0)
        le, se, behaviour = json.loads(run.stdout)
        self.assertEqual((le["format"], le["game"], le["version"], le["pointer_size"]), ("hkx", "skyrim-le", "hk_2010.2.0-r1", 4))
        self.assertEqual(le["skeletons"], [{"name": "Root", "bones": 3, "fx_bones": 0}])
        clip = le["clips"][0]
        self.assertEqual((clip["frames"], clip["tracks"], clip["annotations"], clip["root_motion"], clip["additive"]), (1, 1, 2, False, True))
        self.assertEqual(se["classes"]["CustomClothThing"], 1)
        self.assertEqual(behaviour["clips"], [])

    def test_a_file_dragged_onto_the_program_is_described(self):
        self.assertIn("skyrim-le", marrow(CLIP_LE).stdout)

    def test_rewriting_and_xml_and_the_other_pointer_size_give_the_same_bytes_back(self):
        for source in (CLIP_LE, CLIP_SE, CLIP_FO4, BEHAVIOUR):
            same, xml, back = self.out("same.hkx"), self.out("a.xml"), self.out("back.hkx")
            self.assertEqual(marrow("convert", source, "-o", same).returncode, 0)
            self.assertTrue(filecmp.cmp(source, same, shallow=False), source)
            self.assertEqual(marrow("convert", source, "-o", xml).returncode, 0)
            self.assertEqual(marrow("convert", xml, "-o", back).returncode, 0)
            self.assertTrue(filecmp.cmp(source, back, shallow=False), source)
            self.assertEqual(marrow("diff", source, xml).returncode, 0)
        there, back = self.out("se.hkx"), self.out("le.hkx")
        marrow("convert", BEHAVIOUR, "-o", there, "--to", "skyrim-se")
        self.assertEqual(there.read_bytes()[16], 8)
        marrow("convert", there, "-o", back, "--to", "skyrim-le")
        self.assertTrue(filecmp.cmp(BEHAVIOUR, back, shallow=False))

    def test_folders_keep_their_tree_and_one_bad_file_does_not_stop_the_others(self):
        source = self.out("in")
        (source / "actors/troll").mkdir(parents=True)
        shutil.copy(CLIP_LE, source / "actors/troll/a.hkx")
        shutil.copy(BEHAVIOUR, source / "b.HKX")
        (source / "empty.hkx").write_bytes(b"")
        (source / "cut.hkx").write_bytes(CLIP_LE.read_bytes()[:700])
        (source / "notes.txt").write_text("not ours")
        run = marrow("convert", source, "-o", self.out("out"), "--to", "skyrim-se", "-j", "2")
        self.assertEqual(run.returncode, 1)
        written = sorted(str(p.relative_to(self.out("out"))) for p in self.out("out").rglob("*") if p.is_file())
        self.assertEqual(written, ["actors/troll/a.hkx", "b.HKX"])
        lines = run.stderr.strip().splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual(lines[0], "2 done, 2 failed")
        self.assertRegex(lines[1], r"cut\.hkx:\d+: ")
        self.assertIn("empty.hkx", lines[2])
        run = marrow("convert", source / "actors", "-o", self.out("xml"), "--format", "xml")
        self.assertTrue((self.out("xml") / "troll/a.xml").exists())

    def test_a_failed_input_leaves_no_output_and_is_not_harmed(self):
        bad = self.out("bad.hkx")
        good = CLIP_LE.read_bytes()
        for length in range(0, len(good), 97):
            bad.write_bytes(good[:length])
            run = marrow("convert", bad, "-o", self.out("out.hkx"))
            self.assertEqual(run.returncode, 1, length)
            self.assertTrue(run.stderr.startswith(str(bad)), run.stderr)
            self.assertEqual(bad.read_bytes(), good[:length])
        self.assertEqual([p.name for p in self.folder.iterdir()], ["bad.hkx"])

    def test_check_finds_and_fix_mends(self):
        good = self.out("good.hkx")
        marrow("convert", REPOSITORY / "examples/anvil/generic_male.xml", "-o", good, "--to", "skyrim-le")
        self.assertEqual(marrow("check", good, "--game", "skyrim-le").returncode, 0)
        run = marrow("check", good, "--game", "skyrim-se", "--json")
        self.assertEqual(run.returncode, 3)
        finding = json.loads(run.stdout)[0]["findings"][0]
        self.assertEqual((finding["code"], finding["level"]), ("E_POINTER_SIZE", "error"))
        self.assertEqual(finding["cure"], {"operation": "convert", "options": {"to": "skyrim-se"}})
        self.assertIn(f"    cure: marrow convert {shlex.quote(str(good))} --to skyrim-se -o OUT\n", marrow("check", good, "--game", "skyrim-se").stdout)
        run = marrow("check", good, "--game", "skyrim-se", "--fix", "-o", self.out("se.hkx"))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(marrow("check", self.out("se.hkx"), "--game", "skyrim-se").returncode, 0)
        cut = self.out("cut.hkx")
        cut.write_bytes(good.read_bytes()[:700])
        self.assertEqual(json.loads(marrow("check", cut, "--json").stdout)[0]["findings"][0]["code"], "E_TRUNCATED")
        self.assertEqual(marrow("check", self.out("none.hkx")).returncode, 1)

    def test_an_error_ends_with_the_command_that_helps(self):
        rig = REPOSITORY / "examples/anvil/generic_male.xml"
        run = marrow("rig", "set", rig, "--bone", "Head", "Parent=Hips", "-o", self.out("rig.xml"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("run `marrow rig reparent FILE Head Hips -o OUT`", run.stderr)

    def test_help_shows_only_options_that_make_a_difference(self):
        shown = marrow("collision", "replace", "--help").stdout
        self.assertNotIn("--names", shown)
        self.assertIn("-o, --output OUT", shown)
        self.assertIn("-j, --jobs N", shown)
        self.assertIn("--names FILE", marrow("rig", "list", "--help").stdout)
        self.assertNotIn("--jobs", marrow("rig", "fields", "--help").stdout)
        self.assertNotIn("--max-memory", marrow("collision", "materials", "--help").stdout)
        # What is not shown is taken all the same: options are the same on every verb.
        self.assertEqual(marrow("collision", "materials", "wood", "-j", "2", "--quiet").returncode, 0)

    def test_diff_names_the_field_that_differs(self):
        xml = self.out("a.xml")
        marrow("convert", CLIP_LE, "-o", xml)
        xml.write_text(xml.read_text().replace("FootLeft", "FootRight"))
        run = marrow("diff", CLIP_LE, xml, "--json")
        self.assertEqual(run.returncode, 3)
        report = json.loads(run.stdout)
        self.assertEqual((report["a"], report["b"]), (str(CLIP_LE), str(xml)))
        events = [d for d in report["differences"] if d["kind"] == "event"]
        self.assertTrue(any("FootLeft" in (d["left"] or "") for d in events), events)
        self.assertTrue(any("FootRight" in (d["right"] or "") for d in events), events)

    def test_dump_prints_objects_with_offsets_and_json_that_parses(self):
        run = marrow("dump", CLIP_LE, "--object", "2")
        self.assertRegex(run.stdout, r"^object 2 hkaSkeleton at 0x[0-9a-f]+\n0x[0-9a-f]+  name: \"Root\"")
        self.assertEqual(len(json.loads(marrow("dump", BEHAVIOUR, "--json").stdout)["objects"]), 12)
        self.assertEqual(marrow("dump", CLIP_LE, "--object", "99").returncode, 1)
        marrow("convert", BEHAVIOUR, "-o", self.out("b.json"))
        self.assertEqual(len(json.loads(self.out("b.json").read_text())["objects"]), 12)

    def test_nothing_is_overwritten_in_silence(self):
        a, b = self.out("a"), self.out("b")
        a.mkdir(), b.mkdir()
        shutil.copy(CLIP_LE, a / "x.hkx"), shutil.copy(CLIP_SE, b / "x.hkx")
        before = (a / "x.hkx").read_bytes()
        for args in (("convert", a, b, "-o", self.out("out")),
                     ("convert", a / "x.hkx", "-o", a / "x.hkx"),
                     ("convert", a / "x.hkx", "-o", self.out("x.fbx")),
                     ("compress", a / "x.hkx", "-o", self.out("y.hkx"), "--max-position-error", "inf")):
            run = marrow(*args)
            self.assertEqual(run.returncode, 2, (args, run.stderr))
        self.assertFalse(self.out("out").exists())
        self.assertEqual((a / "x.hkx").read_bytes(), before)
        run = marrow("annotations", "add", a / "x.hkx", "--time", "0", "--text", "T", "--in-place")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotEqual((a / "x.hkx").read_bytes(), before)
        self.assertEqual((a / "x.hkx.bak").read_bytes(), before)
        (a / "x.hkx.bak").unlink()
        marrow("annotations", "add", a / "x.hkx", "--time", "0", "--text", "T", "--in-place", "--no-backup")
        self.assertFalse((a / "x.hkx.bak").exists())

    def test_json_has_one_object_per_file_and_failed_ones_too(self):
        cut = self.out("cut.hkx")
        cut.write_bytes(CLIP_LE.read_bytes()[:700])
        run = marrow("info", CLIP_LE, cut, "--json")
        self.assertEqual(run.returncode, 1)
        good, bad = json.loads(run.stdout)
        self.assertEqual(good["path"], str(CLIP_LE))
        self.assertEqual((bad["path"], bad["error"]["code"]), (str(cut), "truncated"))
        self.assertIsInstance(bad["error"]["offset"], int)
        run = marrow("convert", CLIP_LE, "-o", self.out("se.hkx"), "--to", "skyrim-se", "--json")
        self.assertEqual(json.loads(run.stdout)[0]["output"], str(self.out("se.hkx")))

    def test_a_wrong_skeleton_fails_the_whole_run_and_a_folder_without_clips_is_a_failed_input(self):
        folder = self.out("clips")
        folder.mkdir()
        shutil.copy(CLIP_FO4, folder / "a.hkx")
        run = marrow("compress", folder, "--skeleton", BEHAVIOUR, "--max-model-error", "1", "-o", self.out("out"))
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(BEHAVIOUR.name, run.stderr)
        behaviours = self.out("behaviours")
        behaviours.mkdir()
        shutil.copy(BEHAVIOUR, behaviours / "b.hkx")
        run = marrow("compress", behaviours, "-o", self.out("none"))
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("skipped", run.stderr)

    def test_output_goes_to_stdout_on_request(self):
        run = subprocess.run([MARROW, "convert", str(CLIP_LE), "-o", "-"], capture_output=True, timeout=60)
        self.assertEqual(run.stdout, CLIP_LE.read_bytes())

    def test_man_page_and_completions_are_made(self):
        self.assertIn(".SS \"marrow compress", marrow("--man").stdout)
        for shell in ("bash", "zsh", "fish"):
            self.assertIn("annotations", marrow("--completion", shell).stdout)
        script = self.out("complete.bash")
        script.write_text(marrow("--completion", "bash").stdout)
        words = subprocess.run(["bash", "-c", f"source {script}; COMP_WORDS=(marrow rig add); COMP_CWORD=2; _marrow; "
                                              "echo ${COMPREPLY[@]}"], capture_output=True, text=True)
        self.assertEqual(words.stdout.split(), ["add-bone", "add-modifier"])
        self.assertEqual(marrow("--completion", "tcsh").returncode, 2)

    def test_json_of_dump_and_convert_reads_back_into_the_same_bytes(self):
        for source in (CLIP_LE, CLIP_SE, CLIP_FO4, BEHAVIOUR, *SEEDS.glob("padded*.hkx")):
            dumped, converted, back = self.out("a.json"), self.out("b.json"), self.out("back.hkx")
            self.assertEqual(marrow("dump", source, "--format", "json", "-o", dumped).returncode, 0)
            self.assertEqual(marrow("convert", source, "-o", converted).returncode, 0)
            self.assertEqual(dumped.read_bytes(), converted.read_bytes())
            self.assertEqual(json.loads(dumped.read_text())["format"], "havok-packfile")
            self.assertEqual(marrow("convert", dumped, "-o", back).returncode, 0)
            self.assertTrue(filecmp.cmp(source, back, shallow=False), source)
            self.assertEqual(marrow("diff", source, dumped).returncode, 0)
        part = self.out("part.json")
        marrow("dump", CLIP_LE, "--object", "1", "--format", "json", "-o", part)
        self.assertEqual(marrow("convert", part, "-o", self.out("part.hkx")).returncode, 1)

    def test_plain_xml_is_written_on_request_and_says_what_it_loses(self):
        run = marrow("convert", CLIP_LE, "-o", self.out("plain.xml"), "--xml-style", "plain")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("32-bit", run.stderr)
        text = self.out("plain.xml").read_text()
        self.assertNotIn("pointersize", text)
        back = marrow("convert", self.out("plain.xml"), "-o", self.out("back.hkx"), "--to", "skyrim-le")
        self.assertEqual(back.returncode, 0, back.stderr)
        self.assertEqual(marrow("convert", CLIP_LE, "-o", self.out("x.xml"), "--xml-style", "hkxcmd").returncode, 2)

    def test_unknown_parameters_of_xml_are_named_with_object_and_line_by_convert(self):
        xml = self.out("a.xml")
        marrow("convert", CLIP_LE, "-o", xml)
        xml.write_text(xml.read_text().replace('name="duration"', 'name="durration"', 1))
        run = marrow("convert", xml, "-o", self.out("b.hkx"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, r"note: .*a\.xml.*line \d+.*durration")
        self.assertRegex(run.stderr, r"note: .*a\.xml.*lacks 'duration'")

    def test_commands_of_other_tools_work(self):
        clip = self.out("a.hkx")
        shutil.copy(CLIP_LE, clip)
        self.assertEqual(marrow("unpack", clip).returncode, 0)
        self.assertTrue(self.out("a.xml").read_text().startswith("<?xml"))
        self.assertEqual(marrow("unpack", clip).returncode, 2)  # a.xml is there already
        self.assertEqual(marrow("pack", self.out("a.xml"), "-o", self.out("b.hkx")).returncode, 0)
        self.assertTrue(filecmp.cmp(clip, self.out("b.hkx"), shallow=False))
        self.assertEqual(marrow("verify", clip).returncode, marrow("check", clip).returncode)
        run = marrow("convert", "-i", clip, "-o", self.out("se.hkx"), "-v:AMD64")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.out("se.hkx").read_bytes()[16], 8)
        run = marrow("convert", "-i", CLIP_FO4, "-o", self.out("fo4.hkx"), "-v", "WIN32")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(marrow("dump", "-o", self.out("events.txt"), clip).returncode, 0)
        events = self.out("events.txt").read_text()
        self.assertTrue(events.startswith("# numOriginalFrames"), events)
        self.out("events.txt").write_text(events + "0.5 Added\n")
        self.assertEqual(marrow("update", "-i", self.out("events.txt"), clip).returncode, 0)
        self.assertIn("Added", marrow("annotations", "list", clip).stdout)
        self.assertTrue(filecmp.cmp(CLIP_LE, self.out("a.hkx.bak"), shallow=False))

    def test_32_bit_files_of_an_se_folder_are_found_and_converted_in_one_command(self):
        folder = self.out("mod")
        folder.mkdir()
        for name, source in (("a.hkx", CLIP_SE), ("b.hkx", CLIP_SE), ("old.hkx", BEHAVIOUR), ("fo4.hkx", CLIP_FO4)):
            shutil.copy(source, folder / name)
        run = marrow("convert", folder, "--only-wrong", "--in-place")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((folder / "old.hkx").read_bytes()[16], 8)
        self.assertTrue(filecmp.cmp(BEHAVIOUR, folder / "old.hkx.bak", shallow=False))
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["a.hkx", "b.hkx", "fo4.hkx", "old.hkx", "old.hkx.bak"])
        shutil.move(folder / "old.hkx.bak", folder / "old.hkx")
        marrow("convert", folder, "--only-wrong", "--to", "skyrim-se", "-o", self.out("out"))
        self.assertEqual([p.name for p in self.out("out").iterdir()], ["old.hkx"])

    def test_many_findings_and_notes_of_a_kind_are_one_line_unless_all_are_asked_for(self):
        folder = self.out("mod")
        folder.mkdir()
        for i in range(6):
            shutil.copy(BEHAVIOUR, folder / f"{i}.hkx")
        shutil.copy(CLIP_LE, folder / "clip.hkx")
        grouped, each = marrow("annotations", "list", folder), marrow("annotations", "list", folder, "--all")
        self.assertEqual(len(grouped.stderr.strip().splitlines()), 5, grouped.stderr)
        self.assertIn("3 more of this kind", grouped.stderr)
        self.assertEqual(grouped.stderr.splitlines()[-1], "1 done, 6 skipped; 6 notes of 1 kind")
        self.assertEqual(each.stderr.count("skipped\n"), 6)
        self.assertEqual(len(each.stderr.strip().splitlines()), 7, each.stderr)
        xml = self.out("a.xml")
        marrow("convert", CLIP_LE, "-o", xml)
        text = xml.read_text()
        for name in ("duration", "type", "numberOfTransformTracks", "numberOfFloatTracks", "extractedMotion"):
            text = text.replace(f'<hkparam name="{name}"', f'<hkparam name="x{name}"', 1)
        xml.write_text(text)
        grouped, each = marrow("check", xml).stdout, marrow("check", xml, "--all").stdout
        self.assertRegex(grouped, r"5 of this kind, first at .*line \d+")
        self.assertEqual(grouped.count("W_UNKNOWN_PARAM"), 1)
        self.assertEqual(each.count("W_UNKNOWN_PARAM"), 5)

    def test_numbers_that_are_not_finite_are_refused_wherever_they_are_given(self):
        for number in ("inf", "nan", "-inf", "1e999"):
            for args in (("sample", CLIP_LE, "--frames", f"0,{number}"), ("sample", CLIP_LE, "--fps", number),
                         ("annotations", "add", CLIP_LE, "--time", number, "--text", "x", "-o", self.out("x.hkx")),
                         ("annotations", "shift", CLIP_LE, "--by", number, "-o", self.out("x.hkx")),
                         ("annotations", "scale", CLIP_LE, "--by", number, "-o", self.out("x.hkx")),
                         ("annotations", "list", CLIP_LE, "--since", number)):
                run = marrow(*args)
                self.assertEqual(run.returncode, 2, args)
                self.assertNotIn("null", run.stderr, args)  # JSON's word for it, not the user's
            text = self.out("events.txt")
            text.write_text(f"{number} Foot\n")
            run = marrow("annotations", "import", CLIP_LE, text, "-o", self.out("x.hkx"))
            self.assertEqual(run.returncode, 1)
            self.assertIn("events.txt:1:", run.stderr)
        self.assertFalse(self.out("x.hkx").exists())

    def test_a_mistyped_verb_is_answered(self):
        self.assertIn("compress", marrow("compres", CLIP_LE).stderr)
        self.assertIn("rig rename", marrow("rig", "renam", "x").stderr)
        self.assertIn("unpack", marrow("unpakc", CLIP_LE).stderr)
        self.assertIn("did you mean glb?", marrow("convert", CLIP_LE, "-o", self.out("x"), "--format", "glbb").stderr)
        self.assertIn("did you mean skyrim-se?", marrow("convert", CLIP_LE, "-o", self.out("x"), "--to", "skyrm-se").stderr)
        self.assertEqual(marrow("convert", CLIP_LE, "-o", self.out("x.hkx"), "--to", "skyrimse").returncode, 0)

    def test_what_is_not_supported_is_named(self):
        tagfile = self.out("new.hkx")
        tagfile.write_bytes(b"\x1e\x0d\xb0\xca\xce\xfa\x11\xd0" + bytes(100))
        run = marrow("convert", tagfile, "-o", self.out("x.hkx"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("binary tagfile", run.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
