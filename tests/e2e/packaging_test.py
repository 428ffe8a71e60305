#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The parts of `make package` that need no build: archives, the SBOM, licences, and the zip for Windows with stand-ins for
its files. `make test-package` tries the packages themselves.

    packaging_test.py REPOSITORY
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import tarfile
import tempfile
import unittest
import zipfile

REPOSITORY = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(REPOSITORY / "scripts"), str(REPOSITORY / "scripts/packaging")]
import archives  # noqa: E402
import components  # noqa: E402
import make_packages  # noqa: E402

EPOCH = 1_700_000_000


class Packaging(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-packaging-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def tree(self, name, mask):
        """The same files, made at another time by somebody with another umask."""
        root = self.folder / name
        before = os.umask(mask)
        for path, text in (("share/b.txt", "b"), ("bin/a", "a"), ("share/c.txt", "c")):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
            os.utime(root / path, (mask, mask))
        (root / "bin/a").chmod(0o700 if mask else 0o755)
        (root / "share/link").symlink_to("b.txt")
        os.umask(before)
        return root

    def component(self, name, text="the text"):
        file = self.folder / f"{name}.licence"
        file.write_text(text)
        return components.component(name, name, "MIT", "1:2.3+ds1-4", [file], f"pkg:deb/debian/{name}@1")

    def packer(self, windows, page=None):
        made = object.__new__(make_packages.Packer)
        made.version, made.epoch, made.windows, made.page = "1.2.3", EPOCH, windows, page
        made.work, made.output = self.folder / "work", self.folder / "out"
        for each in (made.work, made.output):
            each.mkdir(exist_ok=True)
        made.native, made.for_windows = [self.component("one")], [self.component("two")]
        made.in_page, made.made = [self.component("three")] if page else [], {}
        return made

    def test_a_tar_has_the_same_bytes_whoever_packed_it_and_when(self):
        made = []
        for name, mask in (("x", 0o077), ("y", 0)):
            out = self.folder / f"{name}.tar.gz"
            archives.write_tar_gz(out, self.tree(name, mask), "top", EPOCH)
            made.append(out.read_bytes())
        self.assertEqual(*made)
        with tarfile.open(self.folder / "x.tar.gz") as archive:
            modes = {each.name: (each.mode, each.mtime, each.uid) for each in archive if each.isfile()}
            self.assertEqual(archive.getmember("top/share/link").linkname, "b.txt")
        self.assertEqual(modes["top/bin/a"], (0o755, EPOCH, 0))
        self.assertEqual(modes["top/share/b.txt"], (0o644, EPOCH, 0))

    def test_the_zip_for_windows_has_all_that_it_needs(self):
        windows, page = self.folder / "build-windows", self.folder / "viewer.html"
        page.write_text("<html>")
        for name in ("bin/marrow.exe", "bin/marrow.dll", "lib/libmarrow.dll.a"):
            (windows / name).parent.mkdir(parents=True, exist_ok=True)
            (windows / name).write_bytes(b"MZ stand-in " + name.encode())
        digests = set()
        for _ in range(2):
            packer = self.packer(windows, page)
            packer.make_windows_zip()
            file = packer.output / "marrow-1.2.3-windows-x86_64.zip"
            digests.add(hashlib.sha256(file.read_bytes()).hexdigest())
        self.assertEqual(len(digests), 1)
        with zipfile.ZipFile(file) as archive:
            names = {name.removeprefix("marrow-1.2.3-windows-x86_64/") for name in archive.namelist()}
            licences = archive.read("marrow-1.2.3-windows-x86_64/THIRD-PARTY-LICENSES.txt").decode()
        self.assertEqual(names, {"marrow.exe", "marrow.dll", "lib/libmarrow.dll.a", "include/marrow/marrow_c.h", "README.txt",
                                 "LICENSE.txt", "THIRD-PARTY-LICENSES.txt", "share/marrow/viewer.html"})
        self.assertIn("two 2.3 (MIT)", licences)
        self.assertIn("three 2.3 (MIT)", licences)
        self.assertNotIn("one 2.3", licences)  # that is in the programs of this system

    def test_without_a_build_for_windows_there_is_no_zip(self):
        packer = self.packer(self.folder / "none")
        packer.make_windows_zip()
        self.assertEqual(list(packer.output.iterdir()), [])

    def test_the_sbom_names_every_file_and_what_is_in_it(self):
        one, two = self.component("one"), self.component("two")
        document = json.loads(components.sbom("1.2.3", "abc", "2026-01-01T00:00:00Z", {"a.deb": ("00", [one, two]), "b.zip": ("11", [one])}))
        self.assertEqual((document["spdxVersion"], document["dataLicense"], document["SPDXID"]), ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        identifiers = [each["SPDXID"] for each in document["packages"]]
        self.assertEqual(len(identifiers), len(set(identifiers)))
        for each in document["packages"]:
            self.assertRegex(each["SPDXID"], r"^SPDXRef-[A-Za-z0-9.-]+$")
            for field in ("name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText"):
                self.assertTrue(each[field], field)
        for each in document["relationships"]:
            self.assertIn(each["spdxElementId"], [*identifiers, "SPDXRef-DOCUMENT"])
            self.assertIn(each["relatedSpdxElement"], identifiers)
        self.assertEqual(sum(each["relationshipType"] == "CONTAINS" for each in document["relationships"]), 3)

    def test_a_licence_that_is_missing_stops_the_packaging(self):
        gone = self.component("gone")
        gone["texts"][0].unlink()
        with self.assertRaisesRegex(SystemExit, "licence of gone"):
            components.licence_text([gone])
        text = components.licence_text([self.component("kept", "Permission is granted")])
        self.assertIn("Permission is granted", text)
        self.assertTrue(text.startswith("Marrow\n\nMIT License") or "MIT" in text[:200], text[:200])

    def test_versions_are_those_of_the_makers(self):
        for debian, version in (("9.1.0+ds1-2", "9.1.0"), ("1.13-0.2", "1.13"), ("1:19.1.7-3~deb12u1", "19.1.7"), ("2.7.0+dfsg-2", "2.7.0")):
            self.assertEqual(components.upstream(debian), version)

    def test_every_header_library_of_the_build_has_a_licence(self):
        groups = (REPOSITORY / "scripts/setup").read_text()
        wanted = re.search(r"build\) echo (.*?);;", groups, re.S)[1].replace("\\", " ").split()
        libraries = {name for name in wanted if name.endswith("-dev")} - {"libqhull-dev"}  # compiled from its sources
        self.assertEqual(libraries - set(components.LICENCES), set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
