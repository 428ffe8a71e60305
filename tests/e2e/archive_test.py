#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Archives as folders: list, extract, check and pack, every verb on them, and archives that lie.

    archive_test.py MARROW WALK_CYCLE
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

MARROW, WALK_CYCLE = (str(pathlib.Path(each).resolve()) for each in sys.argv[1:3])


def marrow(*args, **more):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120, **more)


def tree(folder):
    return {str(p.relative_to(folder)).replace(os.sep, "/"): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def crc(text):
    return zlib.crc32(text, 0xFFFFFFFF) ^ 0xFFFFFFFF


def ba2(files):
    """A BA2 of [(name, stored bytes, packed size, unpacked size)], as one writes it by hand."""
    out = b"BTDX" + struct.pack("<I4sIQ", 1, b"GNRL", len(files), 0)
    at, records, data = 24 + 36 * len(files), b"", b""
    for name, stored, packed, unpacked in files:
        low = name.lower().replace(b"/", b"\\")
        folder, _, file = low.rpartition(b"\\")
        stem, _, extension = file.rpartition(b".")
        records += struct.pack("<I4sIBBHQIII", crc(stem or file), extension[:4] if stem else b"", crc(folder), 0, 1, 16,
                               at + len(data), packed, unpacked, 0xBAADF00D)
        data += stored
    names = b"".join(struct.pack("<H", len(name)) + name for name, *_ in files)
    out = out[:16] + struct.pack("<Q", at + len(data))
    return out + records + data + names


class Archives(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = pathlib.Path(tempfile.mkdtemp(prefix="marrow-archives-"))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        subprocess.run([WALK_CYCLE, cls.made / "walk"], check=True, stdout=subprocess.DEVNULL)
        cls.loose = cls.made / "loose"
        actors = cls.loose / "meshes/actors/character"
        (actors / "animations").mkdir(parents=True)
        (actors / "character assets").mkdir()
        source = cls.made / "walk/skyrim-se"
        shutil.copy(source / "walk.hkx", actors / "animations/mt_walk.hkx")
        shutil.copy(source / "walk.hkx", actors / "animations/Idle.hkx")
        shutil.copy(source / "characterassets/skeleton.hkx", actors / "character assets/skeleton.hkx")
        (cls.loose / "Readme.txt").write_text("not ours")
        (cls.loose / "empty.dat").write_bytes(b"")
        cls.bsa = cls.made / "Mod.bsa"
        run = marrow("archive", "pack", cls.loose, "--to", "skyrim-se", "--compress", "-o", cls.bsa)
        assert run.returncode == 0, run.stderr

    def setUp(self):
        self.out = pathlib.Path(tempfile.mkdtemp(prefix="marrow-archives-"))
        self.addCleanup(shutil.rmtree, self.out)

    def ok(self, *args, code=0, **more):
        run = marrow(*args, **more)
        self.assertEqual(run.returncode, code, f"{args}\n{run.stdout}\n{run.stderr}")
        return run

    def json(self, *args, code=0):
        return json.loads(self.ok(*args, "--json", code=code).stdout)

    def test_what_is_packed_is_listed_and_extracted_again(self):
        for game, name in (("skyrim-le", "a.bsa"), ("skyrim-se", "b.bsa"), ("fallout4", "c.ba2")):
            for options in ((), ("--compress",)):
                archive, back = self.out / name, self.out / ("back-" + name + "x" * len(options))
                self.ok("archive", "pack", self.loose, "--to", game, *options, "-o", archive)
                listed = self.json("archive", "list", archive)[0]
                self.assertEqual(listed["game"], game)
                self.assertEqual({f["path"].lower(): f["size"] for f in listed["files"]},
                                 {k.lower(): len(v) for k, v in tree(self.loose).items()})
                self.ok("archive", "extract", archive, "-o", back)
                self.assertEqual({k.lower(): v for k, v in tree(back).items()},
                                 {k.lower(): v for k, v in tree(self.loose).items()})
                self.assertEqual(self.json("archive", "check", archive)[0]["findings"], [])

    def test_the_same_folder_gives_the_same_bytes_and_so_does_its_archive(self):
        again = self.out / "again.bsa"
        self.ok("archive", "pack", self.loose, "--to", "skyrim-se", "--compress", "-o", again)
        self.assertEqual(again.read_bytes(), self.bsa.read_bytes())
        repacked = self.out / "repacked.bsa"
        self.ok("archive", "pack", self.bsa, "--to", "skyrim-se", "--compress", "-o", repacked)
        self.assertEqual(repacked.read_bytes(), self.bsa.read_bytes())

    def test_the_flags_of_another_archive_can_be_given(self):
        archive = self.out / "flags.bsa"
        self.ok("archive", "pack", self.loose, "--to", "skyrim-se", "--flags", "0x11f", "-o", archive)
        listed = self.json("archive", "list", archive)[0]
        self.assertEqual(listed["flags"], 0x11F)
        self.assertTrue(any(file["compressed"] for file in listed["files"]))
        again = self.out / "again.bsa"
        self.ok("archive", "pack", archive, "--to", "skyrim-se", "--flags", str(listed["flags"]), "-o", again)
        self.assertEqual(again.read_bytes(), archive.read_bytes())
        self.ok("archive", "pack", self.loose, "--to", "skyrim-se", "--flags", "0x40", "-o", self.out / "x.bsa", code=2)
        self.ok("archive", "pack", self.loose, "--to", "fallout4", "--flags", "4", "-o", self.out / "x.ba2", code=2)

    def test_a_pattern_chooses_in_any_case(self):
        listed = self.json("archive", "list", self.bsa, "--match", "*/ANIMATIONS/mt_*")[0]["files"]
        self.assertEqual([f["path"] for f in listed], ["meshes/actors/character/animations/mt_walk.hkx"])
        self.ok("archive", "extract", self.bsa, "--match", "*.txt", "-o", self.out / "texts")
        self.assertEqual(list(tree(self.out / "texts")), ["readme.txt"])

    def test_nothing_is_replaced_unless_asked_for(self):
        self.ok("archive", "extract", self.bsa, "-o", self.out / "x")
        (self.out / "x/readme.txt").write_text("mine")
        run = self.ok("archive", "extract", self.bsa, "-o", self.out / "x", code=1)
        self.assertIn("exists already", run.stderr)
        self.assertEqual((self.out / "x/readme.txt").read_text(), "mine")
        self.ok("archive", "extract", self.bsa, "-o", self.out / "x", "--force")
        self.assertEqual((self.out / "x/readme.txt").read_text(), "not ours")

    def test_a_path_goes_on_inside_an_archive(self):
        loose = self.loose / "meshes/actors/character/animations/mt_walk.hkx"
        want = self.json("info", loose)[0]["clips"]
        for inside in ("meshes/actors/character/animations/mt_walk.hkx", "MESHES/Actors\\character/animations\\MT_Walk.hkx",
                       "meshes\\actors\\character\\animations\\mt_walk.hkx"):
            for slash in "/\\":
                self.assertEqual(self.json("info", f"{self.bsa}{slash}{inside}")[0]["clips"], want)
        self.ok("convert", f"{self.bsa}/meshes/actors/character/animations/mt_walk.hkx", "-o", self.out / "a.hkx")
        self.assertEqual((self.out / "a.hkx").read_bytes(), loose.read_bytes())
        # The skeleton is found in the archive, too, and may be given by such a path.
        skeleton = f"{self.bsa}/meshes/actors/character/character assets/SKELETON.hkx"
        self.ok("convert", f"{self.bsa}/meshes/actors/character/animations/idle.hkx", "-o", self.out / "near.glb")
        self.ok("convert", loose, "--skeleton", skeleton, "-o", self.out / "given.glb")
        for wrong in ("meshes/nothing.hkx", "meshes/../meshes/actors/character/animations/idle.hkx"):
            self.ok("convert", f"{self.bsa}/{wrong}", "-o", self.out / "no.glb", code=1)
        # A folder in it is a folder, too.
        self.assertEqual(len(self.json("info", f"{self.bsa}/MESHES/actors/character/animations")), 2)
        self.assertEqual(len(self.json("info", f"{self.bsa}/")), 3)
        self.ok("convert", f"{self.bsa}/meshes/actors", "--format", "xml", "-o", self.out / "some")
        self.assertIn("character/animations/idle.xml", tree(self.out / "some"))

    def test_an_archive_is_a_folder_for_every_verb(self):
        listed = self.json("info", self.bsa)
        self.assertEqual({o["path"].split("Mod.bsa/")[1] for o in listed},
                         {k.lower() for k in tree(self.loose) if k.endswith(".hkx")})
        self.ok("check", self.bsa, "--quiet", code=marrow("check", self.loose).returncode)
        run = self.ok("convert", self.bsa, "-o", self.out / "xml", "--format", "xml", "--match", "*/mt_*")
        self.assertEqual(list(tree(self.out / "xml")), ["meshes/actors/character/animations/mt_walk.xml"])
        run = self.ok("convert", self.bsa, "-o", self.out / "all", "--to", "skyrim-le")
        self.assertEqual(len(tree(self.out / "all")), 3)
        self.assertIn("of other kinds", run.stderr)

    def test_an_archive_or_folder_without_a_file_to_convert_fails_in_words(self):
        folder = self.out / "texts"
        folder.mkdir()
        (folder / "a.txt").write_text("not ours")
        archive = self.out / "texts.bsa"
        self.ok("archive", "pack", folder, "--to", "skyrim-se", "-o", archive)
        for given in (folder, archive, f"{self.bsa}/meshes/actors/character/animations/"):
            match = ["--match", "*/nothing*"] if str(given).endswith("/") else []
            for name, words in (("one.glb", ()), ("one.gltf", ()), ("many", ("--format", "glb"))):
                run = self.ok("convert", given, *match, "-o", self.out / name, *words, code=1)
                self.assertTrue(run.stderr.strip())
                self.assertFalse((self.out / name).exists())

    def test_archives_in_a_folder_are_opened_only_if_asked_for(self):
        folder = self.out / "data"
        folder.mkdir()
        shutil.copy(self.bsa, folder / "Mod.bsa")
        shutil.copy(self.loose / "meshes/actors/character/animations/mt_walk.hkx", folder / "loose.hkx")
        self.assertEqual(len(self.json("info", folder)), 1)
        listed = self.json("info", folder, "--archives")
        self.assertEqual(len(listed), 4)
        self.ok("convert", folder, "--archives", "--format", "xml", "-o", self.out / "xml")
        self.assertIn("Mod.bsa/meshes/actors/character/animations/idle.xml", tree(self.out / "xml"))

    def test_nothing_is_written_into_an_archive(self):
        inside = f"{self.bsa}/meshes/actors/character/animations/idle.hkx"
        before = self.bsa.read_bytes()
        self.ok("compress", inside, "--in-place", code=2)
        self.ok("compress", self.bsa, "--in-place", code=2)
        self.ok("convert", self.loose / "meshes/actors/character/animations/mt_walk.hkx", "-o", f"{self.bsa}/new.hkx", code=2)
        self.assertEqual(self.bsa.read_bytes(), before)

    def test_the_extension_of_an_archive_is_that_of_the_game(self):
        self.ok("archive", "pack", self.loose, "--to", "fallout4", "-o", self.out / "x.bsa", code=2)
        self.ok("archive", "pack", self.loose, "--to", "skyrim-se", "-o", self.out / "x.zip", code=2)
        self.ok("archive", "pack", self.loose, "--to", "unity", "-o", self.out / "x.bsa", code=2)
        self.ok("archive", "pack", self.loose, "-o", self.out / "x.bsa", code=2)
        self.assertEqual(tree(self.out), {})

    def test_names_of_the_game_keep_their_bytes(self):
        archive = self.out / "names.ba2"
        names = [b"Sound\\Mar\xeda_M.fuz", b"Sound\\\xd0\x9c.fuz", b"Sound\\a.fuz"]
        archive.write_bytes(ba2([(name, b"data", 0, 4) for name in sorted(names, key=bytes.lower)]))
        self.ok("archive", "extract", archive, "-o", self.out / "names")
        self.assertEqual(set(tree(self.out / "names")), {"Sound/María_M.fuz", "Sound/М.fuz", "Sound/a.fuz"})
        for source in (archive, self.out / "names"):
            again = self.out / "again.ba2"
            self.ok("archive", "pack", source, "--to", "fallout4", "-o", again)
            for name in names:
                self.assertIn(name, again.read_bytes())
            self.assertEqual(self.json("archive", "check", again)[0]["findings"], [])

    def test_the_doctor_looks_into_archives(self):
        mod = self.out / "mod"
        mod.mkdir()
        shutil.copy(self.bsa, mod / "Mod.bsa")
        report = self.json("doctor", mod, code=3)
        self.assertEqual([each["code"] for each in report["problems"] if each["level"] == "warning"], ["W_ARCHIVE_PLUGIN"])
        self.assertIn("animation", [each["kind"] for each in report["contents"]])
        (mod / "Mod.esp").write_bytes(b"TES4")
        self.json("doctor", mod, code=0)
        self.ok("doctor", mod, "--html", self.out / "page.html")
        self.assertIn("data:image/png", (self.out / "page.html").read_text())

    def test_textures_are_packed_as_files_only_if_asked_for(self):
        folder = self.out / "t"
        folder.mkdir()
        (folder / "a.dds").write_bytes(b"DDS " + bytes(200))
        run = self.ok("archive", "pack", folder, "--to", "fallout4", "-o", self.out / "t.ba2", code=1)
        self.assertIn("texture", run.stderr)
        self.ok("archive", "pack", folder, "--to", "fallout4", "--textures-as-files", "-o", self.out / "t.ba2")

    def test_more_than_the_game_reads_is_refused_before_it_is_read(self):
        folder = self.out / "large"
        folder.mkdir()
        for name in ("a.nif", "b.nif", "c.nif"):
            with open(folder / name, "wb") as file:
                file.truncate(800 << 20)
        run = self.ok("archive", "pack", folder, "--to", "skyrim-se", "-o", self.out / "large.bsa", code=1)
        self.assertIn("2 GiB", run.stderr)
        self.assertFalse((self.out / "large.bsa").exists())

    def test_an_archive_takes_memory_once(self):
        folder = self.out / "many"
        folder.mkdir()
        for i in range(10):
            (folder / f"{i}.nif").write_bytes(bytes([i]) * (4 << 20))
        for game, name in (("skyrim-se", "a.bsa"), ("fallout4", "a.ba2")):
            self.ok("archive", "pack", folder, "--to", game, "--max-memory", "60M", "-o", self.out / name)

    def test_names_that_leave_the_folder_are_never_written(self):
        names = [b"../evil.txt", b"/tmp/evil.txt", b"C:\\evil.txt", b"a\\..\\..\\evil.txt", b"a//b.txt", b"con\x01.txt", b"good.txt"]
        archive = self.out / "evil.ba2"
        archive.write_bytes(ba2([(name, b"data", 0, 4) for name in names]))
        self.assertEqual(len(self.json("archive", "list", archive)[0]["files"]), len(names))
        deep = self.out / "a/b/c"
        deep.parent.mkdir(parents=True)
        run = self.ok("archive", "extract", archive, "-o", deep, code=1)
        self.assertEqual(tree(self.out / "a"), {"b/c/good.txt": b"data"})
        self.assertIn("evil.txt", run.stderr)
        self.assertNotIn("\x01", run.stderr)
        codes = {f["code"] for f in self.json("archive", "check", archive, code=3)[0]["findings"]}
        self.assertIn("E_ARCHIVE_NAME", codes)
        # As a folder: such an entry fails by name, and the others are done.
        bad = self.out / "bad.ba2"
        clip = (self.loose / "meshes/actors/character/animations/mt_walk.hkx").read_bytes()
        bad.write_bytes(ba2([(b"../x.hkx", clip, 0, len(clip)), (b"y.hkx", clip, 0, len(clip))]))
        self.ok("convert", bad, "--format", "xml", "-o", self.out / "bad", code=1)
        self.assertEqual(list(tree(self.out / "bad")), ["y.xml"])

    def test_the_second_of_two_names_that_differ_in_case_only_fails(self):
        archive = self.out / "twice.ba2"
        archive.write_bytes(ba2([(b"a\\x.txt", b"first", 0, 5), (b"A\\X.TXT", b"other", 0, 5)]))
        self.ok("archive", "extract", archive, "-o", self.out / "x", code=1)
        self.assertEqual(tree(self.out / "x"), {"a/x.txt": b"first"})
        self.ok("archive", "extract", archive, "-o", self.out / "x", "--force", code=1)
        self.assertEqual(tree(self.out / "x"), {"a/x.txt": b"first"})

    def test_sizes_that_lie_are_errors_and_cost_nothing(self):
        packed = zlib.compress(bytes(1 << 20), 9)
        lies = {
            "more than it claims": (packed, len(packed), 1000),
            "less than it claims": (packed, len(packed), 2 << 20),
            "4 GiB from a few bytes": (b"x\x9c\x03\x00\x00\x00\x00\x01", 8, 0xFFFFFFFF),
            "no stream": (b"nothing at all", 14, 100),
        }
        for what, (stored, size, claim) in lies.items():
            archive = self.out / "lie.ba2"
            archive.write_bytes(ba2([(b"lie.bin", stored, size, claim), (b"good.txt", b"good", 0, 4)]))
            self.ok("archive", "list", archive)
            run = self.ok("archive", "extract", archive, "-o", self.out / what.replace(" ", "-"), code=1)
            self.assertIn("lie.bin", run.stderr, what)
            self.assertEqual(tree(self.out / what.replace(" ", "-")), {"good.txt": b"good"}, what)
            codes = [f["code"] for f in self.json("archive", "check", archive, code=3)[0]["findings"]]
            self.assertEqual(codes, ["E_ARCHIVE_UNPACK"], what)

    def test_data_that_overlap_are_read_and_reported(self):
        clip = b"shared bytes"
        one = bytearray(ba2([(b"a.txt", clip, 0, 12), (b"b.txt", b"", 0, 12)]))
        first = struct.unpack_from("<Q", one, 24 + 16)[0]
        struct.pack_into("<Q", one, 24 + 36 + 16, first)
        (self.out / "shared.ba2").write_bytes(one)
        self.ok("archive", "extract", self.out / "shared.ba2", "-o", self.out / "x")
        self.assertEqual(tree(self.out / "x"), {"a.txt": clip, "b.txt": clip})
        findings = self.json("archive", "check", self.out / "shared.ba2")[0]["findings"]
        self.assertEqual([f["code"] for f in findings], ["I_ARCHIVE_SHARED"])
        # Data behind the end refuse the whole archive.
        struct.pack_into("<Q", one, 24 + 36 + 16, len(one) - 4)
        (self.out / "outside.ba2").write_bytes(one)
        run = self.ok("archive", "list", self.out / "outside.ba2", code=1)
        self.assertRegex(run.stderr, r"outside\.ba2:\d+:")

    def test_the_limit_on_memory_holds_for_what_is_unpacked(self):
        archive = self.out / "large.ba2"
        packed = zlib.compress(bytes(64 << 20), 9)
        archive.write_bytes(ba2([(b"large.hkx", packed, len(packed), 64 << 20)]))
        run = self.ok("info", f"{archive}/large.hkx", "--max-memory", "16M", code=1)
        self.assertIn("at most 16777216", run.stderr)

    def test_every_prefix_of_an_archive_is_refused_in_words(self):
        whole = self.bsa.read_bytes()
        tables = 36 + 24 * 4 + 400
        for cut in [*range(0, 200, 7), *range(200, tables, 53), len(whole) - 1]:
            (self.out / "cut.bsa").write_bytes(whole[:cut])
            run = marrow("archive", "list", self.out / "cut.bsa")
            self.assertEqual(run.returncode, 1, cut)
            self.assertTrue(run.stderr.strip(), cut)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
