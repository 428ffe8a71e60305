#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every reader is linear: its worst input at n, 2n and 4n takes work in proportion.

    growth_test.py MARROW REPOSITORY

Work is instructions, which Valgrind counts: the same on every run and every machine, however busy. From 2n to 4n a linear
reader adds twice the work that it adds from n to 2n, a quadratic one four times; the bound is 2.8. What does not depend on
the input cancels out.
"""
import base64
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY = sys.argv[1], pathlib.Path(sys.argv[2])


def instructions(*args):
    """Runs the program; returns how many instructions it took, and the run."""
    counted = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", MARROW, *map(str, args)]
    run = subprocess.run(counted, capture_output=True, text=True, timeout=300)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if not found:
        raise AssertionError(f"nothing was counted: {run.stderr[-500:]}")
    return int(found[1]), run


HEAD = ('<?xml version="1.0" encoding="ascii"?>\n<hkpackfile classversion="8" contentsversion="hk_2010.2.0-r1" '
        'toplevelobject="#0001">\n<hksection name="__data__">\n')
TAIL = "</hksection>\n</hkpackfile>\n"
ROOT = ('<hkobject name="#0001" class="hkRootLevelContainer" signature="0x2772c11e"><hkparam name="namedVariants" '
        'numelements="1"><hkobject><hkparam name="name">a</hkparam><hkparam name="className">{kind}</hkparam>'
        '<hkparam name="variant">#0002</hkparam></hkobject></hkparam></hkobject>\n')


def container(animations="", bindings="", count=0, bound=0):
    return (ROOT.format(kind="hkaAnimationContainer") +
            '<hkobject name="#0002" class="hkaAnimationContainer" signature="0x8dc20333"><hkparam name="skeletons" '
            f'numelements="0"></hkparam><hkparam name="animations" numelements="{count}">{animations}</hkparam>'
            f'<hkparam name="bindings" numelements="{bound}">{bindings}</hkparam></hkobject>\n')


@unittest.skipUnless(shutil.which("valgrind"), "valgrind, which counts the work, is not installed")
class Growth(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-growth-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def linear(self, n, make, *verb, exits=(0, 1, 3)):
        """`make(path, n)` writes a file; `verb` has None where the file goes."""
        work = []
        for size in (n, 2 * n, 4 * n):
            path = self.folder / f"{size}"
            path = make(path, size) or path
            count, run = instructions(*(path if word is None else word for word in verb), "-j", "1")
            self.assertIn(run.returncode, exits, run.stderr[:300])
            work.append(count)
        first, second = work[1] - work[0], work[2] - work[1]
        self.assertGreater(first, 0, f"{verb}: the input makes no work: {work}")
        self.assertLess(second, 2.8 * first, f"{verb}: {work}")

    def test_numbers_of_an_xml_list(self):
        def make(path, n):
            data = " ".join(["17"] * n)
            path.write_text(HEAD + container("#0003", "", 1) +
                            '<hkobject name="#0003" class="hkaSplineCompressedAnimation" signature="0x792ee0bb">'
                            f'<hkparam name="data" numelements="{n}">{data}</hkparam></hkobject>\n' + TAIL)
        self.linear(20_000, make, "info", None)

    def test_objects_of_an_xml_file_and_of_the_packfile_made_from_it(self):
        def make(path, n):
            names = " ".join(f"#{i + 10:04}" for i in range(n))
            objects = "".join(f'<hkobject name="#{i + 10:04}" class="hkaAnimationBinding" signature="0x66eac971"><hkparam '
                              f'name="originalSkeletonName">s{i}</hkparam></hkobject>\n' for i in range(n))
            path.write_text(HEAD + container("", names, 0, n) + objects + TAIL)

        def make_binary(path, n):
            make(path, n)
            out = path.with_suffix(".hkx")
            subprocess.run([MARROW, "convert", path, "-o", out, "--to", "skyrim-se", "--quiet"], check=True, capture_output=True)
            return out
        self.linear(500, make, "info", None)
        self.linear(500, make_binary, "info", None)
        self.linear(500, make_binary, "check", None)
        self.linear(500, make_binary, "convert", None, "--format", "xml", "-o", self.folder / "out.xml")

    def test_a_polygon_with_many_corners(self):
        def make(path, n):
            # A comb: the worst case of cutting ears.
            corners = [(i, 100 if i % 2 else 0, 0) for i in range(n)] + [(n, -50, 0), (0, -50, 0)]
            path = path.with_suffix(".obj")
            path.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners) +
                            "f " + " ".join(str(i + 1) for i in range(len(corners))) + "\n")
            return path
        self.linear(500, make, "collision", "build", None, "--shape", "hull", "-o", self.folder / "out.hkx")

    def test_faces_of_an_obj_file(self):
        def make(path, n):
            path = path.with_suffix(".obj")
            path.write_text("".join(f"v {i} {i * i % 97} {i % 13}\n" for i in range(n)) +
                            "".join(f"g g{i}\nf {i + 1} {i + 2} {i + 3}\n" for i in range(n - 3)))
            return path
        self.linear(1000, make, "convert", None, "-o", self.folder / "out.glb")

    def test_vertices_below_a_chain_of_nodes(self):
        def make(path, n):
            data = struct.pack(f"<{3 * n}f", *[i % 7 for i in range(3 * n)])
            nodes = [{"name": f"n{i}", "children": [i + 1]} for i in range(n // 100)] + [{"name": "mesh", "mesh": 0}]
            scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
                     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                     "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
                     "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
                     "accessors": [{"bufferView": 0, "componentType": 5126, "count": n, "type": "VEC3", "min": [0, 0, 0], "max": [6, 6, 6]}]}
            path = path.with_suffix(".gltf")
            path.write_text(json.dumps(scene))
            return path
        self.linear(4_000, make, "info", None)

    def test_lines_of_annotation_text(self):
        clip = self.folder / "clip.hkx"
        shutil.copy(REPOSITORY / "fuzz/seeds/packfile/clip-2010-32.hkx", clip)

        def make(path, n):
            path.write_text("".join(f"0.{i % 10} Event{i}\n" for i in range(n)))
        self.linear(4_000, make, "annotations", "import", clip, None, "-o", self.folder / "out.hkx")

    def test_values_of_a_sidecar(self):
        def make(path, n):
            path.write_text(json.dumps({"modifiers": [{"type": "BallJoint", "bone": "Head", "fields": {}} for _ in range(n)]}))
        self.linear(200, make, "simulate", REPOSITORY / "examples/anvil/generic_male.xml", "--modifiers", None, "--seconds", "0.1",
                    "-o", self.folder / "out.csv")

    def test_lines_of_a_rig_script(self):
        def make(path, n):
            path.write_text("".join(f"set --bone Head {'Name=A' if i % 2 else 'Name=B'}\n" for i in range(n)))
        self.linear(100, make, "rig", "edit", REPOSITORY / "fuzz/seeds/anvil/ball_joint.xml", None, "-o", self.folder / "out.xml")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
