#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hostile content: no wrong answer with exit code 0, no name that leads elsewhere, no small file with a large body.

    hostile_test.py MARROW REPOSITORY
"""
import base64
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
CLIP = REPOSITORY / "fuzz/seeds/clip/spline.hkx"
SANITIZED = b"__asan_init" in pathlib.Path(MARROW).read_bytes()  # has memory of its own beside that of the program
SECTION_FIELDS = 20  # of a section header, after its tag


def marrow(*args, **more):
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=300, **more)


def peak_megabytes(*args):
    """Runs marrow; returns its exit code and the most memory that it had."""
    script = ("import resource,subprocess,sys\nr=subprocess.run(sys.argv[1:],capture_output=True)\n"
              "print(r.returncode,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss//1024)")
    run = subprocess.run([sys.executable, "-c", script, MARROW, *map(str, args)], capture_output=True, text=True, timeout=300)
    return tuple(map(int, run.stdout.split()))


def data_uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-hostile-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def gltf(self, name, last=1.0, names=("walk",), uri=data_uri, animated=True):
        """Two bones, with one animation of two keys per name."""
        data = struct.pack("<2f6f", 0, last, 0, 0, 0, 1, 0, 0)
        scene = {
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "Root", "children": [1]}, {"name": "Bone"}], "skins": [{"joints": [0, 1]}],
            "buffers": [{"byteLength": len(data), "uri": uri(data)}],
            "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [last]},
                          {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
            "animations": [{"name": each, "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
                            "samplers": [{"input": 0, "output": 1}]} for each in names if animated]}
        path = self.folder / name
        path.write_text(json.dumps(scene))
        return path

    def mesh(self, name, size):
        """One triangle in metres."""
        data = struct.pack("<9f", 0, 0, 0, size, 0, 0, 0, size, 0)
        scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "m", "mesh": 0}],
                 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                 "buffers": [{"byteLength": 36, "uri": data_uri(data)}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
                 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
                                "max": [size, size, 0]}]}
        path = self.folder / name
        path.write_text(json.dumps(scene))
        return path

    def xml(self, source, *more):
        out = self.folder / "made.xml"
        self.assertEqual(marrow("convert", source, "-o", out, *more).returncode, 0)
        return out.read_text()

    # --- no wrong answer with exit code 0
    def test_a_duration_past_what_frames_can_count_is_refused(self):
        self.assertIn("31 frames", marrow("info", self.gltf("good.gltf")).stdout)
        for last in (1e8, 1e9, 1e20, 3e38):
            run = marrow("info", self.gltf("long.gltf", last))
            self.assertEqual(run.returncode, 1, f"{last}: {run.stdout}")
            self.assertIn("too long", run.stderr)

    def test_a_skeleton_that_gltf_cannot_say_is_refused(self):
        text = self.xml(self.gltf("rig.gltf", animated=False), "--to", "skyrim-se")
        wrong, out = self.folder / "wrong.xml", self.folder / "out.glb"
        for number, code in (("1e29", 0), ("1e-40", 0), ("1e31", 1), ("3e38", 1)):
            wrong.write_text(re.sub(r'(name="referencePose"[^>]*>\s*\()[^ ]+', r"\g<1>" + number, text, count=1))
            run = marrow("convert", wrong, "-o", out)
            self.assertEqual(run.returncode, code, f"{number}: {run.stderr}")
            self.assertEqual(out.exists(), code == 0)
            if code == 0:  # what is written comes back
                self.assertIn(number.replace("1e29", "1e+29"), self.xml(out, "--to", "skyrim-se"))
                out.unlink()

    def test_vertices_at_the_ends_of_floats_stay_numbers_or_are_refused(self):
        out = self.folder / "out.obj"
        for size, code in ((1e-40, 0), (1e30, 0), (1e38, 1), (3e38, 1)):
            run = marrow("convert", self.mesh("m.gltf", size), "-o", out)
            self.assertEqual(run.returncode, code, f"{size}: {run.stderr}")
            if code == 0:
                self.assertNotIn("0x", out.read_text())
                self.assertEqual(marrow("convert", out, "-o", self.folder / "again.glb").returncode, 0)
                out.unlink()
        for size in ("1e-40", "1e38"):
            obj = self.folder / "v.obj"
            obj.write_text(f"o a\nv 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 3 4\n")
            for shape in ("hull", "mesh", "box", "sphere", "capsule", "decompose"):
                run = marrow("collision", "build", obj, "--shape", shape, "-o", self.folder / "v.hkx")
                self.assertEqual(run.returncode, 1, f"{shape} of {size}: {run.stdout}")

    def test_annotations_for_a_clip_that_is_not_there_are_refused(self):
        text, out = self.folder / "events.txt", self.folder / "out.hkx"
        for words, code in (("0.1 A\n# clip: 0\n0.2 B\n", 0), ("0.1 A\n# clip: 7\n0.2 B\n", 1), ("# clip: -1\n0.2 B\n", 1),
                            ("nan A\n", 1), ("1e38% A\n", 0), ("1e39 A\n", 1)):
            text.write_text(words)
            run = marrow("annotations", "import", CLIP, text, "-o", out)
            self.assertEqual(run.returncode, code, words + run.stderr)
            self.assertEqual(out.exists(), code == 0)
            out.unlink(missing_ok=True)

    def test_tables_have_numbers_that_a_file_can_hold(self):
        table = self.folder / "table.csv"
        for text in ("0,0,1e300\n", "0,nan,1\n", "0,1e19,1\n"):
            table.write_text("frame,slot,value\n0,0,0\n" + text)
            self.assertEqual(marrow("floats", "import", CLIP, table, "-o", self.folder / "x.hkx").returncode, 1, text)
        table.write_text("frame,x,y,z,turn\n0,0,0,0,0\n5,1e300,0,0,0\n")
        self.assertEqual(marrow("root-motion", "set", CLIP, "--motion", table, "-o", self.folder / "x.hkx").returncode, 1)
        self.assertFalse((self.folder / "x.hkx").exists())

    def test_a_clip_without_frames_is_not_sampled(self):
        path = self.folder / "empty.xml"
        path.write_text(
            '<?xml version="1.0" encoding="ascii"?>\n<hkpackfile classversion="8" contentsversion="hk_2010.2.0-r1" '
            'toplevelobject="#0001">\n<hksection name="__data__">\n<hkobject name="#0001" class="hkaAnimationContainer" '
            'signature="0x8dc20333"><hkparam name="animations" numelements="1">#0003</hkparam></hkobject>\n<hkobject '
            'name="#0003" class="hkaInterleavedUncompressedAnimation" signature="0x930af031"><hkparam name="duration">1.0'
            '</hkparam><hkparam name="numberOfTransformTracks">4000</hkparam></hkobject>\n</hksection>\n</hkpackfile>\n')
        run = marrow("sample", path, "--frames", "0,0.5,3", "-o", self.folder / "x.csv")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("no frames", run.stderr)
        for verb in ("info", "check"):
            self.assertIn(marrow(verb, path).returncode, (0, 3))

    # --- no amplification
    def packfile_of_one_body(self, count):
        """Animations whose data all are the whole file."""
        names = " ".join(f"#{i + 10:04}" for i in range(count))
        objects = "".join(f'<hkobject name="#{i + 10:04}" class="hkaSplineCompressedAnimation" signature="0x792ee0bb">'
                          '<hkparam name="data" numelements="16">' + " ".join(["171"] * 16) + "</hkparam></hkobject>\n"
                          for i in range(count))
        source = self.folder / "many.xml"
        source.write_text(
            '<?xml version="1.0" encoding="ascii"?>\n<hkpackfile classversion="8" contentsversion="hk_2010.2.0-r1" '
            'toplevelobject="#0001">\n<hksection name="__data__">\n<hkobject name="#0001" class="hkaAnimationContainer" '
            f'signature="0x8dc20333"><hkparam name="animations" numelements="{count}">{names}</hkparam></hkobject>\n'
            + objects + "</hksection>\n</hkpackfile>\n")
        packed = self.folder / "many.hkx"
        self.assertEqual(marrow("convert", source, "-o", packed, "--to", "skyrim-se").returncode, 0)
        data = bytearray(packed.read_bytes())
        header = data.index(b"__data__") + SECTION_FIELDS
        start, local, after = struct.unpack_from("<3I", data, header)
        changed = 0
        for row in range(start + local, start + after, 8):
            slot, to = struct.unpack_from("<2I", data, row)
            if slot != 0xFFFFFFFF and data[start + to:start + to + 16] == b"\xab" * 16:
                struct.pack_into("<I", data, row + 4, 0)
                struct.pack_into("<I", data, start + slot + 8, local)
                changed += 1
        self.assertEqual(changed, count)
        packed.write_bytes(data)
        return packed

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_bodies_that_overlap_do_not_take_the_memory_of_many(self):
        packed = self.packfile_of_one_body(3000)
        size = packed.stat().st_size
        for verb in ("info", "check", "dump", "convert"):
            out = ("-o", self.folder / "out.xml") if verb in ("convert", "dump") else ()
            code, memory = peak_megabytes(verb, packed, *out)
            self.assertIn(code, (0, 1, 3), verb)
            self.assertLess(memory, 64 + 20 * size / 2**20 + 30, verb)

    def lossless(self, frames):
        """A lossless clip of one track that never moves, with any number of frames."""
        path = self.folder / "still.xml"
        path.write_text(
            '<?xml version="1.0" encoding="ascii"?>\n<hkpackfile classversion="11" contentsversion="hk_2014.1.0-r1" '
            'toplevelobject="#0001">\n<hksection name="__data__">\n<hkobject name="#0001" class="hkRootLevelContainer" '
            'signature="0x2772c11e"><hkparam name="namedVariants" numelements="1"><hkobject><hkparam name="name">a</hkparam>'
            '<hkparam name="className">hkaAnimationContainer</hkparam><hkparam name="variant">#0002</hkparam></hkobject>'
            '</hkparam></hkobject>\n<hkobject name="#0002" class="hkaAnimationContainer" signature="0x8dc20333"><hkparam '
            'name="animations" numelements="1">#0003</hkparam></hkobject>\n<hkobject name="#0003" '
            'class="hkaLosslessCompressedAnimation"><hkparam name="duration">1.0</hkparam><hkparam '
            'name="numberOfTransformTracks">1</hkparam>' +
            "".join(f'<hkparam name="{kind}TypeAndOffsets" numelements="{n}">{" ".join(["0"] * n)}</hkparam>'
                    for kind, n in (("translation", 4), ("rotation", 1), ("scale", 4))) +
            f'<hkparam name="numFrames">{frames}</hkparam></hkobject>\n</hksection>\n</hkpackfile>\n')
        return path

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
    def test_frames_without_data_behind_them_take_no_memory(self):
        self.assertEqual(marrow("sample", self.lossless(31), "-o", self.folder / "x.csv").returncode, 0)
        for frames in (50_000_000, 2_000_000_000):
            for verb in ("info", "check", "sample", "compress"):
                out = ("-o", self.folder / "out.hkx") if verb in ("sample", "compress") else ()
                code, memory = peak_megabytes(verb, self.lossless(frames), *out)
                self.assertIn(code, (0, 1, 3), f"{verb} {frames}")
                self.assertLess(memory, 95, f"{verb} {frames}")
                self.assertFalse((self.folder / "out.hkx").exists(), f"{verb} {frames}")

    # --- names
    def test_clips_whose_names_are_one_file_name_are_kept_apart(self):
        names = ["a/b", "a:b", "walk", "walk", "WALK", "x\0y", "..", "../../up", "con", ""]
        out = self.folder / "out"
        run = marrow("convert", self.gltf("many.gltf", names=names), "-o", out, "--format", "hkx", "--to",
                     "skyrim-se")
        self.assertEqual(run.returncode, 0, run.stderr)
        files = [path for path in out.rglob("*")]
        self.assertEqual(len(files), len(names), files)
        self.assertEqual(len({path.name.lower() for path in files}), len(names))  # also where case does not count
        self.assertEqual({path.parent for path in files}, {out})
        self.assertEqual(sorted(os.listdir(self.folder)), ["many.gltf", "out"])
        for path in files:
            self.assertEqual(marrow("info", path).returncode, 0)
            self.assertIsNone(re.search(r'[\x00-\x1f/\\:*?"<>|]', path.name), path.name)

    def test_a_name_that_ends_in_a_slash_is_a_folder(self):
        out = self.folder / "new"
        self.assertEqual(marrow("convert", CLIP, "-o", f"{out}/", "--format", "xml").returncode, 0)
        self.assertEqual(os.listdir(out), ["spline.xml"])

    def test_control_bytes_are_escaped_in_xml(self):
        data = CLIP.read_bytes()
        name = b"Bone 0"
        self.assertIn(name, data)
        bad = self.folder / "bad.hkx"
        bad.write_bytes(data.replace(name, b"B\x01\x1b\x07 0"))
        for style in ((), ("--format", "xml-tagfile")):
            out, back = self.folder / "bad.xml", self.folder / "back.hkx"
            self.assertEqual(marrow("convert", bad, "-o", out, *style).returncode, 0)
            text = out.read_bytes()
            self.assertIsNone(re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", text))
            self.assertEqual(marrow("convert", out, "-o", back, "--to", "skyrim-se").returncode, 0)
            if not style:
                self.assertEqual(back.read_bytes(), bad.read_bytes())

    def test_a_gltf_is_read_from_its_own_folder(self):
        def beside(data):
            (self.folder / "walk.bin").write_bytes(data)
            return "walk.bin"
        path = self.gltf("walk.gltf", uri=beside)
        for where, name in ((self.folder, "walk.gltf"), (self.folder, "./walk.gltf"), (self.folder.parent, path)):
            run = marrow("convert", name, "-o", self.folder / "x.hkx", "--to", "skyrim-se", cwd=where)
            self.assertEqual(run.returncode, 0, f"{name}: {run.stderr}")
            (self.folder / "x.hkx").unlink()
        (self.folder / "walk.bin").unlink()
        run = marrow("info", "walk.gltf", cwd=self.folder)
        self.assertEqual(run.returncode, 1)
        self.assertIn("walk.bin", run.stderr)

    def test_a_gltf_reads_nothing_outside_its_folder(self):
        secret = pathlib.Path(tempfile.mkdtemp(prefix="marrow-secret-"))
        self.addCleanup(shutil.rmtree, secret)

        def outside(data):
            (secret / "walk.bin").write_bytes(data)
            return str(secret / "walk.bin")
        self.assertEqual(marrow("info", self.gltf("walk.gltf", uri=outside)).returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
