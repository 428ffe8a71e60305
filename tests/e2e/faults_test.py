#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults of disks, streams and users: nothing crashes, nothing is lost, and a run that was stopped goes on.

    faults_test.py MARROW REPOSITORY
"""
import base64
import json
import os
import pathlib
import pty
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])
SEEDS = REPOSITORY / "fuzz/seeds/packfile"
CLIP, BEHAVIOUR = SEEDS / "clip-2010-32.hkx", SEEDS / "behaviour-32.hkx"
MALE = REPOSITORY / "examples/anvil/generic_male.xml"


def marrow(*args, **more):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120, **more)


SANITIZED = b"__asan_init" in pathlib.Path(MARROW).read_bytes()  # has memory of its own beside that of the program


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-faults-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def files(self, name="in", count=6):
        folder = self.folder / name
        folder.mkdir()
        for i in range(count):
            shutil.copy(CLIP, folder / f"c{i}.hkx")
        return folder

    def names(self, folder):
        return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())

    # --- paths
    def test_paths_that_cannot_be_are_failed_inputs(self):
        (self.folder / "loop").symlink_to(self.folder / "loop")
        for path in ("x" * 300, self.folder / "loop", self.folder / "missing.hkx"):
            self.assertEqual(marrow("info", path).returncode, 1, path)
        self.assertEqual(marrow("x" * 300).returncode, 2)

    @unittest.skipIf(os.geteuid() == 0 and not shutil.which("setpriv"), "root reads every folder")
    def test_a_folder_that_cannot_be_read_is_a_failed_input(self):
        folder = self.files()
        secret = folder / "secret"
        secret.mkdir()
        secret.chmod(0)
        self.addCleanup(secret.chmod, 0o755)
        self.folder.chmod(0o755)
        prefix = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        run = subprocess.run([*prefix, MARROW, "info", folder], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("secret", run.stderr)
        self.assertIn("c5.hkx", run.stdout)

    def test_links_that_lead_round_are_walked_once(self):
        folder = self.files()
        (folder / "again").symlink_to(folder)
        other = self.files("other", 2)
        (folder / "linked").symlink_to(other)
        self.assertEqual(len(json.loads(marrow("info", folder, "--json").stdout)), 6)
        self.assertEqual(len(json.loads(marrow("info", folder, "--json", "--follow").stdout)), 8)

    def test_an_empty_folder_is_a_failed_input(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertEqual(marrow("check", empty).returncode, 1)

    # --- outputs
    def test_devices_pipes_and_folders_are_never_replaced(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for out in (fifo, "/dev/null", "/dev/full"):
            run = marrow("convert", CLIP, "-o", out)
            self.assertEqual(run.returncode, 2, out)
        self.assertTrue(fifo.is_fifo())
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        (self.folder / "x.hkx").mkdir()
        self.assertEqual(marrow("convert", CLIP, "-o", self.folder / "x.hkx").returncode, 0)  # a folder to write into
        self.assertEqual(self.names(self.folder / "x.hkx"), [CLIP.name])

    def test_folders_are_made_only_inside_one_that_exists(self):
        self.assertEqual(marrow("convert", CLIP, "-o", self.folder / "a/b/x.xml").returncode, 2)
        self.assertEqual(marrow("convert", self.files(), "-o", self.folder / "a/b").returncode, 2)
        self.assertFalse((self.folder / "a").exists())
        self.assertEqual(marrow("convert", CLIP, "-o", self.folder / "a/x.xml").returncode, 0)

    def test_no_output_replaces_anything_that_is_read(self):
        folder = self.files()
        skeleton, clip, report = folder / "c0.hkx", folder / "c1.hkx", folder / "c2.hkx"
        before = clip.read_bytes()
        self.assertEqual(marrow("sample", clip, "--skeleton", skeleton, "-o", skeleton).returncode, 2)
        self.assertEqual(marrow("info", folder, "--report", report).returncode, 2)
        self.assertEqual(marrow("retarget", clip, "--from", skeleton, "--to", skeleton, "--save-map", skeleton, "-o",
                                self.folder / "x.hkx").returncode, 2)
        self.assertEqual(marrow("convert", clip, "--report", self.folder / "o.xml", "-o", self.folder / "o.xml").returncode, 2)
        for path in (skeleton, clip, report):
            self.assertEqual(path.read_bytes(), before)

    def test_a_link_to_a_file_is_written_through(self):
        target = self.folder / "target.xml"
        target.write_text("old")
        (self.folder / "link.xml").symlink_to(target)
        self.assertEqual(marrow("convert", CLIP, "-o", self.folder / "link.xml").returncode, 0)
        self.assertTrue((self.folder / "link.xml").is_symlink())
        self.assertIn("hkpackfile", target.read_text())

    def test_output_below_the_input_is_not_read_again(self):
        folder = self.files()
        for _ in range(2):
            self.assertEqual(marrow("convert", folder, "-o", folder / "out", "--format", "hkx").returncode, 0)
        self.assertEqual(len(self.names(folder / "out")), 6)

    def test_backups_and_temporary_files_are_not_inputs(self):
        folder = self.files(count=2)
        self.assertEqual(marrow("annotations", "add", folder, "--time", "0", "--text", "A", "--in-place").returncode, 0)
        self.assertEqual(len(self.names(folder)), 4)
        shutil.copy(CLIP, folder / ".marrow-abc-1-0.tmp")
        self.assertEqual(len(json.loads(marrow("info", folder, "--json").stdout)), 2)

    # --- amplification
    def peak(self, *args):
        """Runs marrow and returns its exit code, peak memory in MB and seconds."""
        script = ("import resource,subprocess,sys,time\nt=time.time()\nr=subprocess.run(sys.argv[1:],capture_output=True)\n"
                  "print(r.returncode,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss//1024,time.time()-t)")
        run = subprocess.run([sys.executable, "-c", script, MARROW, *map(str, args)], capture_output=True, text=True, timeout=120)
        code, memory, seconds = run.stdout.split()
        return int(code), int(memory), float(seconds)

    def gltf(self, name, **changes):
        """A bone with two keys, as one data URI, and whatever is changed about it."""
        data = struct.pack("<2f6f", 0, changes.pop("last", 1.0), 0, 0, 0, 1, 0, 0)
        scene = {
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "Root", "children": [1]}, {"name": "Bone"}],
            "skins": [{"joints": [0, 1]}],
            "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
            "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
                          {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
            "animations": [{"channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
                            "samplers": [{"input": 0, "output": 1}]}],
            **changes}
        path = self.folder / name
        path.write_text(json.dumps(scene))
        return path

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_a_small_file_does_not_take_the_memory_of_a_large_one(self):
        self.assertEqual(marrow("info", self.gltf("good.gltf")).returncode, 0)
        unbacked = {"componentType": 5126, "count": 2**31 - 2, "type": "SCALAR", "min": [0], "max": [1]}
        attacks = [self.gltf("keys.gltf", last=1e6),
                   self.gltf("accessor.gltf", accessors=[unbacked, {**unbacked, "type": "VEC3"}]),
                   self.gltf("instances.gltf", nodes=[{"name": f"n{i}", "mesh": 0} for i in range(20000)],
                             scenes=[{"nodes": list(range(20000))}], animations=[], skins=[],
                             accessors=[{"componentType": 5126, "count": 30000, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}],
                             meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}])]
        for attack in attacks:
            for verb in ("info", "check", "convert"):
                out = ("-o", self.folder / "out.glb") if verb == "convert" else ()
                code, memory, seconds = self.peak(verb, attack, *out)
                self.assertLess(memory, 64 + 20 * attack.stat().st_size / 2**20 + 30, f"{verb} {attack.name}")
                self.assertLess(seconds, 5, f"{verb} {attack.name}")
                self.assertIn(code, (0, 1, 3))

    # --- streams
    def test_a_full_or_closed_stdout_is_an_error(self):
        for args in (("info", CLIP), ("--help",), ("info", CLIP, "--json"), ("dump", CLIP), ("convert", CLIP, "-o", "-")):
            with open("/dev/full", "w") as full:
                run = subprocess.run([MARROW, *map(str, args)], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(run.returncode, 1, args)
            self.assertIn("stdout", run.stderr)
            closed = subprocess.run(f'"{MARROW}" {" ".join(map(str, args))} >&-', shell=True, capture_output=True)
            self.assertEqual(closed.returncode, 1, args)

    def test_a_closed_stdout_does_not_leak_into_the_output(self):
        out = self.folder / "x.hkx"
        subprocess.run(f'"{MARROW}" convert {CLIP} -o {out} >&-', shell=True, capture_output=True)
        self.assertTrue(not out.exists() or out.read_bytes() == CLIP.read_bytes())

    # --- memory and threads
    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_no_memory_is_one_failed_file(self):
        folder = self.files(count=3)
        for limit in (20000, 24000, 26000, 27000, 28000, 29000, 32000, 60000):
            run = subprocess.run(["bash", "-c", f'ulimit -v {limit}; "$0" check "$1" -j 2', MARROW, folder], capture_output=True,
                                 text=True, timeout=60)
            # 127: the loader itself had no memory. Below 19 MB the program is not even mapped, and the system ends it.
            self.assertIn(run.returncode, (0, 1, 3, 127), run.stderr)

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_more_threads_than_the_system_gives(self):
        run = subprocess.run(["bash", "-c", 'ulimit -v 2000000; "$0" info "$1" -j 2000', MARROW, self.files(count=300)],
                             capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.count("c299.hkx"), 1)

    # --- signals and reports
    def test_an_interrupted_run_keeps_what_it_said_and_goes_on(self):
        folder, out, report = self.files(count=400), self.folder / "out", self.folder / "r.jsonl"
        args = [MARROW, "convert", folder, "-o", out, "--format", "xml", "--report", report, "-j", "2"]
        for stop in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            process = subprocess.Popen([*args, *(["--resume"] if report.exists() else [])], stdout=subprocess.PIPE, text=True)
            while not report.exists() or report.stat().st_size < 200:
                time.sleep(0.001)
            process.send_signal(stop)
            said = process.communicate()[0]
            self.assertNotEqual(process.returncode, 0)
            if stop != signal.SIGKILL:
                self.assertEqual([name for name in self.names(out) if name.endswith(".tmp")], [])
            for line in said.splitlines()[:-1]:
                self.assertTrue(pathlib.Path(line.split(" -> ")[1]).exists(), line)
        done = report.read_text().count('"done"')
        run = marrow(*args[1:], "--resume")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(run.stdout.splitlines()), 400 - done)  # only the rest is done again
        self.assertEqual(self.names(out), sorted(f"c{i}.xml" for i in range(400)))  # and leftovers of the kill are gone
        lines = [json.loads(line) for line in report.read_text().splitlines() if line.startswith("{") and line.endswith("}")]
        self.assertEqual(set(lines[0]), {"path", "output", "status", "error", "seconds", "input_hash", "options_hash"})
        (folder / "c7.hkx").write_bytes(BEHAVIOUR.read_bytes())
        (out / "c9.xml").unlink()
        again = marrow(*args[1:], "--resume")
        self.assertEqual([line.split("/")[-1] for line in again.stdout.splitlines()], ["c7.xml", "c9.xml"])
        other = marrow("convert", folder, "-o", out, "--format", "xml-tagfile", "--report", report, "--resume")
        self.assertEqual(len(other.stdout.splitlines()), 400)  # other options: everything is done again

    def test_shards_share_all_files_and_nothing_twice(self):
        folder = self.files(count=40)
        seen = []
        for part in range(1, 5):
            run = marrow("info", folder, "--shard", f"{part}/4", "--json")
            self.assertEqual(run.returncode, 0)
            seen += [each["path"] for each in json.loads(run.stdout)]
        self.assertEqual(sorted(seen), sorted(str(folder / f"c{i}.hkx") for i in range(40)))
        (self.folder / "one").mkdir()
        shutil.copy(CLIP, self.folder / "one/a.hkx")
        codes = {marrow("info", self.folder / "one", "--shard", f"{part}/3").returncode for part in (1, 2, 3)}
        self.assertEqual(codes, {0})  # an empty part is not a failure
        for wrong in ("0/3", "4/3", "1", "a/b", "1/0"):
            self.assertEqual(marrow("info", folder, "--shard", wrong).returncode, 2)

    def many(self, count):
        """Links to one file, a thousand per folder."""
        folder = self.folder / f"many{count}"
        for i in range(count):
            part = folder / f"part{i // 1000}"
            if i % 1000 == 0:
                part.mkdir(parents=True)
                shutil.copy(CLIP, part / "c0.hkx")
            else:
                os.link(part / "c0.hkx", part / f"c{i}.hkx")
        return folder

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_memory_grows_only_by_the_names_of_files(self):
        few, lots = (self.peak("info", self.many(count), "-j", "2")[1] for count in (1000, 16000))
        self.assertLess((lots - few) * 1024, 0.6 * 15000, f"{few} MB, {lots} MB")  # kilobytes; a path is one of them

    def test_progress_has_a_rate_and_the_time_left(self):
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be opened: {error}")
        run = subprocess.Popen([MARROW, "check", self.many(12000), "-j", "1"], stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        time.sleep(0.1)  # stopped for a while, since 12,000 files alone are done before there is anything to say
        run.send_signal(signal.SIGSTOP)
        time.sleep(2)
        run.send_signal(signal.SIGCONT)
        seen = b""
        try:
            while piece := os.read(ours, 65536):
                seen += piece
        except OSError:
            pass  # the other end is closed
        run.wait()
        self.assertRegex(seen.decode(), r"\d+/12000 files, \d+ per second, \d+:\d\d left")

    # --- words
    def test_control_bytes_do_not_reach_the_terminal(self):
        name = self.folder / "a\x1b[31mred.hkx"
        shutil.copy(CLIP, name)
        run = marrow("info", name)
        self.assertNotIn("\x1b", run.stdout + run.stderr)
        name.write_bytes(b"W\xe0\xe0W" + b"\x1b" * 60)
        self.assertNotIn("\x1b", marrow("info", name).stderr)

    def test_an_error_is_one_line_of_at_most_500_characters(self):
        deep = self.folder / ("y" * 200) / ("z" * 200)
        deep.mkdir(parents=True)
        bad = deep / ("w" * 200 + ".hkx")
        bad.write_bytes(CLIP.read_bytes()[:300])
        lines = marrow("info", bad).stderr.splitlines()
        self.assertEqual(len(lines), 1)
        self.assertLessEqual(len(lines[0]), 500)

    def test_a_bone_name_that_is_not_unicode_does_not_stop_a_sidecar(self):
        out = self.folder / "x.json"
        run = subprocess.run([MARROW.encode(), b"simulate", bytes(MALE), b"--modifiers", b"ponytail", b"--bone", b"H\xe9ad",
                              b"--save-modifiers", bytes(out), b"-o", bytes(self.folder / "x.csv")], capture_output=True)
        self.assertIn(run.returncode, (1, 2))

    def test_max_memory_is_a_bound(self):
        self.assertEqual(marrow("info", CLIP, "--max-memory", "64M").returncode, 0)
        self.assertEqual(marrow("sample", CLIP, "--frames", "0", "--max-memory", "64").returncode, 1)
        for wrong in ("lots", "-1", "nan", "0"):
            self.assertEqual(marrow("info", CLIP, "--max-memory", wrong).returncode, 2, wrong)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
