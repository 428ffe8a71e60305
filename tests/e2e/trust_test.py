#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Aimed attacks: nothing overwritten, nothing mixed up, nothing infinite, nothing that steers a terminal.

    trust_test.py MARROW REPOSITORY
"""
import glob
import json
import os
import pathlib
import pty
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.parsers.expat

MARROW, REPOSITORY = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
CLIP = REPOSITORY / "fuzz/seeds/clip/spline.hkx"
SANITIZED = b"__asan_init" in pathlib.Path(MARROW).read_bytes()
ATTACKS = REPOSITORY / "fuzz/attacks.py"


def marrow(*args, **more):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, timeout=300, **more)


class Trust(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-trust-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def copy(self, name, folder=""):
        path = self.folder / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CLIP, path)
        return path

    # --- loss and mix-up
    def test_processes_of_one_number_do_not_share_temporary_files(self):
        # Names are not made of what two machines may have in common: no name comes twice from runs of one command.
        seen = set()
        tracer = shutil.which("strace")
        if not tracer:
            self.skipTest("no strace to see the names of temporary files")
        for i in range(3):
            log = self.folder / f"log{i}"
            subprocess.run([tracer, "-f", "-e", "trace=openat", "-o", log, MARROW, "convert", CLIP, "-o", self.folder / "x.xml"],
                           capture_output=True, timeout=120)
            lines = [line for line in log.read_text().splitlines() if ".marrow-" in line and ".tmp" in line]
            self.assertTrue(lines)
            for line in lines:
                self.assertIn("O_EXCL", line)
                self.assertIn("O_NOFOLLOW", line)
                seen.add(line.split('"')[1])
        self.assertEqual(len(seen), 3)

    def test_only_leftovers_that_are_provably_dead_are_removed(self):
        boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip().replace("-", "")
        space = "".join(c for c in os.readlink("/proc/self/ns/pid") if c.isdigit())
        dead = subprocess.Popen(["true"])
        dead.wait()
        names = [f".marrow-{boot}-{space}-{dead.pid}-00.tmp", f".marrow-{boot}-{space}-{os.getpid()}-00.tmp",
                 f".marrow-{boot}-1-{dead.pid}-00.tmp", f".marrow-{'0' * 32}-{space}-{dead.pid}-00.tmp"]
        for name in names:
            (self.folder / name).write_text("half")
        target = self.folder / "target"
        target.write_text("keep")
        (self.folder / f".marrow-{boot}-{space}-{dead.pid}-01.tmp").symlink_to(target)
        self.assertEqual(marrow("convert", CLIP, "-o", self.folder / "x.xml").returncode, 0)
        self.assertEqual([(self.folder / name).exists() for name in names], [False, True, True, True])
        self.assertEqual(target.read_text(), "keep")

    def test_every_output_is_planned_before_the_first_is_written(self):
        first, second = self.copy("a.hkx", "in"), self.copy("b.hkx", "in")
        before = first.read_bytes()
        out = self.folder / "out"
        out.mkdir()
        inputs = self.folder / "in"
        for words in (("compress", inputs, "-o", out, "--effort", "fast", "--report", out / "b.hkx"),
                      ("check", inputs, "--fix", "-o", out, "--sarif", out / "b.hkx"),
                      ("annotations", "add", inputs, "--time", "0", "--text", "A", "--in-place", "--report", inputs / "a.hkx.bak"),
                      ("annotations", "add", first, first, "--time", "0", "--text", "A", "--in-place"),
                      ("convert", inputs, "-o", out, "--format", "xml", "--report", out / "a.xml")):
            self.assertEqual(marrow(*words).returncode, 2, words)
            self.assertEqual(list(out.iterdir()), [], words)
            self.assertEqual((first.read_bytes(), second.read_bytes()), (before, before), words)
            self.assertEqual(sorted(os.listdir(inputs)), ["a.hkx", "b.hkx"], words)

    def test_a_material_file_does_not_replace_the_input(self):
        mesh = self.folder / "box.obj"
        mesh.write_text("".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "f 1 2 4\nf 1 5 6\nf 3 4 8\n")
        self.assertEqual(marrow("collision", "build", mesh, "--shape", "hull", "-o", self.folder / "n.hkx").returncode, 0)
        source = self.folder / "n.mtl"
        os.rename(self.folder / "n.hkx", source)
        before = source.read_bytes()
        self.assertEqual(marrow("collision", "export", source, "-o", self.folder / "n.obj").returncode, 2)
        self.assertEqual(source.read_bytes(), before)
        self.assertFalse((self.folder / "n.obj").exists())

    def test_in_place_keeps_mode_owner_and_every_original(self):
        path = self.copy("k.hkx")
        os.chmod(path, 0o600)
        first = path.read_bytes()
        for text in ("One", "Two", "Three"):
            self.assertEqual(marrow("annotations", "add", path, "--time", "0.1", "--text", text, "--in-place").returncode, 0)
        kept = [self.folder / name for name in ("k.hkx.bak", "k.hkx.bak.1", "k.hkx.bak.2")]
        self.assertEqual(kept[0].read_bytes(), first)
        self.assertEqual({stat.S_IMODE(os.stat(each).st_mode) for each in (path, *kept)}, {0o600})
        self.assertEqual(len({each.read_bytes() for each in (path, *kept)}), 4)
        # Backups are no inputs of the next run.
        self.assertEqual(len(json.loads(marrow("info", self.folder, "--json").stdout)), 1)

    def test_a_read_only_file_is_refused(self):
        path = self.copy("r.hkx")
        before = path.read_bytes()
        os.chmod(path, 0o444)
        nobody = {}
        if os.geteuid() == 0:  # who may write everything
            nobody = {"user": 65534, "group": 65534}
            os.chmod(self.folder, 0o777)
            if subprocess.run(["test", "-x", MARROW], **nobody).returncode != 0:
                self.skipTest("another user cannot run the program")
        run = marrow("annotations", "add", path, "--time", "0", "--text", "A", "--in-place", **nobody)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"read-only", run.stderr)
        self.assertEqual((path.read_bytes(), sorted(os.listdir(self.folder))), (before, ["r.hkx"]))

    def test_a_torn_report_is_taken_up_again(self):
        for i in range(4):
            self.copy(f"c{i}.hkx", "in")
        words = ("convert", self.folder / "in", "-o", self.folder / "out", "--format", "xml", "--report", self.folder / "r.jsonl")
        self.assertEqual(marrow(*words).returncode, 0)
        whole = (self.folder / "r.jsonl").read_bytes()
        for cut in (1, 30, len(whole) - whole.rindex(b"\n", 0, -1) - 3):
            (self.folder / "r.jsonl").write_bytes(whole[:-cut])
            self.assertEqual(marrow(*words, "--resume").returncode, 0, cut)
            lines = [json.loads(line) for line in (self.folder / "r.jsonl").read_text().splitlines()]
            self.assertEqual({pathlib.Path(line["path"]).name for line in lines}, {f"c{i}.hkx" for i in range(4)}, cut)
        # A file that is no report stays what it is.
        (self.folder / "r.jsonl").write_text("dear diary\n")
        self.assertEqual(marrow(*words, "--resume").returncode, 2)
        self.assertEqual((self.folder / "r.jsonl").read_text(), "dear diary\n")

    def test_links_that_lead_out_of_a_folder_are_not_followed(self):
        outside = self.copy("secret.hkx", "outside").parent
        self.copy("own.hkx", "mod")
        (self.folder / "mod/out").symlink_to(outside)
        (self.folder / "mod/file.hkx").symlink_to(outside / "secret.hkx")
        (self.folder / "mod/again").symlink_to(self.folder / "mod")
        run = marrow("info", self.folder / "mod", "--json")
        self.assertEqual([pathlib.Path(each["path"]).name for each in json.loads(run.stdout)], ["own.hkx"])
        self.assertIn(b"--follow", run.stderr)
        self.assertEqual(len(json.loads(marrow("info", self.folder / "mod", "--json", "--follow").stdout)), 3)

    def test_a_buffer_is_read_from_its_own_folder_only(self):
        data = bytes(36)
        (self.folder / "scene").mkdir()
        (self.folder / "secret.bin").write_bytes(data)
        (self.folder / "scene/own.bin").write_bytes(data)
        (self.folder / "scene/l.bin").symlink_to(self.folder / "secret.bin")
        (self.folder / "scene/inside.bin").symlink_to(self.folder / "scene/own.bin")
        for uri, code in (("own.bin", 0), ("inside.bin", 0), ("l.bin", 1), ("l.bin%00.png", 1), ("own.bin%00.png", 1)):
            path = self.folder / "scene/s.gltf"
            path.write_text(json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "n"}],
                                        "buffers": [{"byteLength": 36, "uri": uri}]}))
            self.assertEqual(marrow("info", path).returncode, code, uri)
        path.write_text(path.read_text().replace("own.bin%00.png", "l.bin"))
        self.assertEqual(marrow("info", path, "--follow").returncode, 0)

    # --- values
    def test_numbers_that_a_float_cannot_hold_are_refused(self):
        out = self.folder / "n.hkx"
        for words in (("root-motion", "set", CLIP, "--move", "0,1e39,0"), ("root-motion", "set", CLIP, "--move", "0,0,0", "--turn", "1e308"),
                      ("annotations", "add", CLIP, "--time", "1e39", "--text", "T"), ("annotations", "shift", CLIP, "--by", "1e308"),
                      ("annotations", "shift", CLIP, "--by", "1e999999999")):
            self.assertEqual(marrow(*words, "-o", out).returncode, 2, words)
            self.assertFalse(out.exists(), words)

    def test_tables_and_texts_have_numbers_that_mean_something(self):
        out = self.folder / "n.hkx"
        table = self.folder / "t.csv"
        for frame in ("-5", "2147483648", "4294967296", "1e39"):
            table.write_text(f"frame,x,y,z,turn\n{frame},0,0,0,0\n")
            self.assertEqual(marrow("root-motion", "set", CLIP, "--motion", table, "-o", out).returncode, 1, frame)
        events = self.folder / "e.txt"
        for track in ("99999999999999999999", "-1", "x"):
            events.write_text(f"# track: {track}\n0.1 Hello\n")
            self.assertEqual(marrow("annotations", "import", CLIP, events, "-o", out).returncode, 1, track)
        self.assertFalse(out.exists())

    def test_check_finds_numbers_that_are_not_finite_in_any_field(self):
        made = self.folder / "m.xml"
        self.assertEqual(marrow("convert", CLIP, "-o", made).returncode, 0)
        text = made.read_text()
        start = text.index(">", text.index('<hkparam name="duration"')) + 1
        made.write_text(text[:start] + "0x7fc00000" + text[text.index("<", start):])
        found = json.loads(marrow("check", made, "--json").stdout)[0]["findings"]
        self.assertTrue([each for each in found if each["code"] == "E_NOT_FINITE" and "duration" in each["where"]], found)
        self.assertFalse([each for each in json.loads(marrow("check", CLIP, "--json").stdout)[0]["findings"] if each["code"] == "E_NOT_FINITE"])

    # --- what people see
    def on_terminal(self, *args):
        """What a terminal gets from a command."""
        leader, follower = pty.openpty()
        done = subprocess.Popen([MARROW, *map(str, args)], stdout=follower, stderr=subprocess.DEVNULL)
        os.close(follower)
        text = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        os.close(leader)
        done.wait()
        return text

    def test_nothing_steers_a_terminal(self):
        events = self.folder / "e.txt"
        evil = "\x1b]0;owned\x07 \x9b31m \u202e \x7f"
        events.write_text(f"0.1 {evil}\n")
        named = self.folder / "evil.hkx"
        self.assertEqual(marrow("annotations", "import", CLIP, events, "-o", named).returncode, 0)
        text = self.on_terminal("annotations", "export", named)
        for raw in (b"\x1b", b"\x07", b"\x7f", "\x9b".encode(), "\u202e".encode()):
            self.assertNotIn(raw, text)
        self.assertIn(b"\\x1b", text)
        # A pipe gets what is in the file.
        self.assertIn(evil.encode(), marrow("annotations", "export", named).stdout)

    def test_a_line_end_in_a_file_name_forges_no_line(self):
        path = self.folder / "a\nb.hkx: ok"
        shutil.copy(CLIP, path)
        for words in (("check",), ("info",)):
            self.assertFalse([line for line in marrow(*words, path).stdout.splitlines() if line.startswith(b"b.hkx")], words)

    def test_xml_of_any_name_is_well_formed(self):
        data = CLIP.read_bytes()
        events = self.folder / "e.txt"
        events.write_bytes(b"0.1 bad \x01\x1b\x07 ]]> \xef\xbf\xbf\n")
        named, back = self.folder / "n.hkx", self.folder / "b.hkx"
        self.assertEqual(marrow("annotations", "import", CLIP, events, "-o", named).returncode, 0)
        for style in ((), ("--format", "xml-tagfile")):
            made = self.folder / "n.xml"
            self.assertEqual(marrow("convert", named, "-o", made, *style).returncode, 0)
            xml.parsers.expat.ParserCreate().Parse(made.read_bytes(), True)
            self.assertEqual(marrow("convert", made, "-o", back, "--to", "skyrim-se").returncode, 0)
            self.assertEqual(marrow("annotations", "export", back).stdout, marrow("annotations", "export", named).stdout)
        self.assertTrue(data)

    def test_an_archive_is_not_packed_into_itself_nor_replaced_by_what_it_holds(self):
        mod = self.folder / "mod"
        self.copy("a.hkx", "mod")
        packed = mod / "mod.bsa"
        self.assertEqual(marrow("archive", "pack", mod, "--to", "skyrim-se", "-o", packed).returncode, 0)
        first = packed.read_bytes()
        self.assertEqual(marrow("archive", "pack", mod, "--to", "skyrim-se", "-o", packed).returncode, 2)
        self.assertEqual(packed.read_bytes(), first)
        # An archive that holds a file of its own name.
        inside = self.folder / "inside"
        inside.mkdir()
        shutil.copy(packed, inside / "a.hkx")
        run = marrow("archive", "extract", inside / "a.hkx", "-o", inside, "--force")
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"would replace a file that this run reads", run.stderr)
        self.assertEqual((inside / "a.hkx").read_bytes(), first)

    def test_the_page_of_doctor_does_not_replace_what_it_examines(self):
        clip = self.copy("a.hkx", "mod")
        run = marrow("doctor", self.folder / "mod", "--html", clip)
        self.assertEqual(run.returncode, 2)
        self.assertEqual(clip.read_bytes(), CLIP.read_bytes())

    def test_whole_numbers_beyond_every_integer_are_refused(self):
        for words in (["annotations", "add", CLIP, "--time", "0", "--text", "T", "--track"], ["clip", "trim", CLIP, "--from-frame"],
                      ["clip", "pose", CLIP, "--frame"], ["clip", "repeat", CLIP, "--times"]):
            for number in ("99999999999999999999", "1e20", "-1e20", "18446744073709551616"):
                out = self.folder / "x.hkx"
                run = marrow(*words, number, "-o", out)
                self.assertIn(run.returncode, (1, 2), (words, number))
                self.assertFalse(out.exists(), (words, number))
        run = marrow("clip", "speed", CLIP, "--factor", "1e-30", "-o", self.folder / "x.hkx")
        self.assertEqual(run.returncode, 2, run.stderr)

    def test_an_archive_whose_files_share_a_bomb_is_refused(self):
        folder = self.folder / "attacks"
        subprocess.run([sys.executable, ATTACKS, "--write", folder], check=True)
        for verb in (["archive", "check"], ["info"], ["archive", "list"]):
            run = marrow(*verb, folder / "entries-of-a-BA2-that-share-a-bomb.ba2")
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(b"its files unpack to more than", run.stderr)

    def test_a_skeleton_whose_parents_are_not_there_is_refused(self):
        skeleton = self.folder / "s.xml"
        bones = "".join(f"<hkobject><hkparam name=\"name\">B{i}</hkparam></hkobject>" for i in range(3))
        skeleton.write_text(
            '<?xml version="1.0" encoding="ascii"?>\n<hkpackfile classversion="8" contentsversion="hk_2010.2.0-r1" toplevelobject="#0001">'
            '<hksection name="__data__"><hkobject name="#0001" class="hkaAnimationContainer"><hkparam name="skeletons" numelements="1">'
            '#0002</hkparam></hkobject><hkobject name="#0002" class="hkaSkeleton"><hkparam name="name">s</hkparam><hkparam '
            'name="parentIndices" numelements="3">-1 0 30000</hkparam><hkparam name="bones" numelements="3">' + bones + '</hkparam><hkparam '
            'name="referencePose" numelements="3">' + "(0 0 0)(0 0 0 1)(1 1 1)" * 3 + "</hkparam></hkobject></hksection></hkpackfile>\n")
        other = self.folder / "other.xml"
        other.write_text(skeleton.read_text().replace("30000", "0"))
        body, out = REPOSITORY / "fuzz/seeds/nif/skyrim-se-body.nif", self.folder / "out"
        self.assertEqual(marrow("diff", skeleton, skeleton).returncode, 0)
        self.assertEqual(marrow("diff", skeleton, other).returncode, 3)
        picture = marrow("body", "picture", body, "--skeleton", skeleton, "-o", out.with_suffix(".png"))
        self.assertIn(picture.returncode, (0, 1), picture.stderr)
        for words in (("retarget", CLIP, "--from", skeleton, "--to", other), ("retarget", CLIP, "--from", other, "--to", skeleton),
                      ("mirror", CLIP, "--skeleton", skeleton)):
            run = marrow(*words, "-o", out.with_suffix(".hkx"))
            self.assertEqual(run.returncode, 1, (words, run.stderr))
            self.assertIn(b"its parent 30000 does not exist", run.stderr, words)
        self.assertIn(marrow("check", CLIP, "--skeleton", skeleton).returncode, (0, 1, 3))
        # One that only lies beside a clip is not asked.
        clip = self.copy("clip.hkx", "mod")
        self.assertEqual(marrow("convert", skeleton, "-o", self.folder / "mod/other.hkx", "--format", "hkx", "--pointer-size", "8").returncode, 0)
        self.assertIn(marrow("check", clip).returncode, (0, 3))

    # --- bounds
    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_verbs_that_write_are_held_to_the_bound_too(self):
        # 2,000 bones that share 60,000 keys: 1.4 MB, of which two gigabytes were made before it was refused.
        subprocess.run([sys.executable, ATTACKS, "--write", self.folder, "--scale", "1", "--only", "share a"], check=True)
        scene = self.folder / "channels-of-glTF-that-share-a-sampler.gltf"
        run = marrow("convert", scene, "-o", self.folder / "x.glb")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr.decode(), r"it takes more than \d+ MB of memory, which is the limit for a file of its size")
        self.assertFalse((self.folder / "x.glb").exists())
        # Options may ask for more than a file of that size.
        many = self.folder / "many.hkx"
        self.assertEqual(marrow("clip", "repeat", CLIP, "--times", "10000", "-o", many).returncode, 0)

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_attacks_stay_within_the_bounds_of_memory(self):
        run = subprocess.run([sys.executable, ATTACKS, MARROW, self.folder, "--scale", "0.3"], capture_output=True, text=True)
        past = [line for line in run.stdout.splitlines() if line.startswith("FAIL") and ("memory" in line[:18] or "exit" in line[:18])]
        self.assertEqual(past, [])
        self.assertIn("worst:", run.stdout)

    def test_a_rig_script_that_grows_with_the_square_of_its_lines_is_refused(self):
        script = self.folder / "s.txt"
        script.write_text("".join(f"add-bone Bone{i} --parent Head\n" for i in range(4000)))
        out = self.folder / "rig.xml"
        run = marrow("rig", "edit", REPOSITORY / "fuzz/seeds/anvil/ball_joint.xml", script, "-o", out)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr.decode(), r"line \d+: the script is too long for a skeleton of \d+ bones")
        self.assertFalse(out.exists())

    def test_notes_are_counted_not_kept(self):
        subprocess.run([sys.executable, ATTACKS, "--write", self.folder, "--scale", "0.1"], check=True)
        run = marrow("check", self.folder / "empty-objects.xml", "--json")
        findings = json.loads(run.stdout)[0]["findings"]
        self.assertLess(len(findings), 5000)
        self.assertTrue(any("more like this are not listed" in each["message"] for each in findings), findings[:3])

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_max_memory_ends_a_file_with_a_clear_error(self):
        subprocess.run([sys.executable, ATTACKS, "--write", self.folder, "--scale", "0.3"], check=True)
        run = marrow("convert", self.folder / "many-animations.xml", "-o", self.folder / "x.hkx", "--max-memory", "1M")
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"memory", run.stderr)
        self.assertEqual(glob.glob(f"{self.folder}/x.hkx"), [])

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_a_file_that_is_past_its_memory_fails_alone(self):
        mods, free = self.folder / "mods", self.folder / "free"
        mods.mkdir()
        for i in range(4):
            shutil.copy(CLIP, mods / f"good{i}.hkx")
        subprocess.run([sys.executable, ATTACKS, "--write", self.folder, "--scale", "0.3"], check=True)
        for i in (1, 3):
            shutil.copy(self.folder / "many-animations.xml", mods / f"good{i}-bad.xml")
        self.assertEqual(marrow("convert", mods, "-o", free, "--format", "json").returncode, 0)
        wanted = {path.name: path.read_bytes() for path in free.iterdir() if "bad" not in path.name}
        self.assertEqual(len(wanted), 4)
        for jobs in ("1", "3"):
            report = self.folder / f"report{jobs}.jsonl"
            out = self.folder / f"capped{jobs}"
            run = marrow("convert", mods, "-o", out, "--format", "json", "--max-memory", "1M", "-j", jobs, "--report", report)
            self.assertEqual(run.returncode, 1, run.stderr)
            failures = [line for line in run.stderr.decode().splitlines() if "-bad.xml" in line]
            self.assertEqual(len(failures), 2, run.stderr)
            for line in failures:
                self.assertIn("it takes more than 1 MB of memory", line)
            self.assertEqual({path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}, wanted)
            lines = [json.loads(line) for line in report.read_text().splitlines()]
            self.assertEqual(sorted(line["status"] for line in lines), ["done"] * 4 + ["failed"] * 2)

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_files_past_their_memory_give_it_back(self):
        subprocess.run([sys.executable, ATTACKS, "--write", self.folder, "--scale", "1"], check=True)
        mods = self.folder / "mods"
        mods.mkdir()
        peaks = []
        for count in (2, 30):
            for i in range(count):
                shutil.copy(self.folder / "many-animations.xml", mods / f"{i}.xml")
            measure = ("import resource,subprocess,sys;r=subprocess.run(sys.argv[1:],capture_output=True).returncode;"
                       "print(r,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss//1024)")
            run = subprocess.run([sys.executable, "-c", measure, MARROW, "convert", mods, "-o", self.folder / "out", "--format",
                                  "json", "--max-memory", "6M", "-j", "1"], capture_output=True, text=True)
            code, peak = map(int, run.stdout.split())
            self.assertEqual(code, 1)
            peaks.append(peak)
        self.assertLess(peaks[1], peaks[0] + 12, "megabytes; each file that fails leaves some behind")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
