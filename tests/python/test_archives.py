# SPDX-License-Identifier: MIT
"""Archives as folders, from Python."""
import pathlib
import unittest

from support import folder, run_tests, skeleton, walk

import marrow


class Archives(unittest.TestCase):
    def packed(self, game="skyrim-se", name="mod.bsa"):
        root = pathlib.Path("data/meshes/actors/character")
        for path, source in ((root / "animations/walk.hkx", walk()), (root / "character assets/skeleton.hkx", skeleton())):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(pathlib.Path(source).read_bytes())
        files = [str(path) for path in sorted(pathlib.Path("data").rglob("*.hkx"))]
        result = marrow.ops.archive_pack(files, to=game, compress=True, output=name)
        self.assertEqual(result["files"], 2)
        return name

    def test_an_archive_is_listed_and_read_in_any_case(self):
        with folder():
            with marrow.Archive(self.packed()) as archive:
                self.assertEqual((archive.format, archive.game, len(archive)), ("bsa", "skyrim-se", 2))
                entry = archive.find("DATA\\meshes/actors/character/animations/WALK.hkx")
                self.assertTrue(entry.safe)
                self.assertEqual(archive.read(entry), pathlib.Path(walk()).read_bytes())
                self.assertEqual(entry.size, pathlib.Path(walk()).stat().st_size)
                self.assertEqual([each.path for each in archive.match("*/animations/*")], [entry.path])
                self.assertIn(entry.path, archive)
                self.assertNotIn("nothing.hkx", archive)
                with self.assertRaises(marrow.NotFoundError):
                    archive.read("nothing.hkx")
            with self.assertRaises(ValueError):
                archive.find("x")

    def test_an_archive_in_memory_is_the_same(self):
        with folder():
            name = self.packed("fallout4", "mod.ba2")
            archive = marrow.Archive(pathlib.Path(name).read_bytes())
            self.assertEqual((archive.format, archive.game), ("ba2", "fallout4"))
            self.assertEqual(sorted(each.path for each in archive), sorted(each.path for each in marrow.Archive(name)))

    def test_a_path_goes_on_inside_an_archive(self):
        with folder():
            name = self.packed()
            inside = f"{name}/data/meshes/actors/character/animations/walk.hkx"
            frames = marrow.load(walk()).clip.frame_count
            self.assertEqual(marrow.load(inside).clip.frame_count, frames)
            self.assertEqual(marrow.Archive(name).load("data/meshes/actors/character/animations/walk.hkx").clip.frame_count, frames)
            self.assertEqual(marrow.ops.info(inside)["clips"][0]["frames"], frames)
            pathlib.Path("data").rename("elsewhere")
            self.assertIn("NPC Head [Head]", marrow.load(inside).skeleton)  # the one that lies near it in the archive

    def test_a_damaged_archive_is_refused(self):
        with self.assertRaises(marrow.Error):
            marrow.Archive(b"BSA\0" + bytes(40))
        with self.assertRaises(marrow.Error):
            marrow.Archive(b"nothing")


if __name__ == "__main__":
    run_tests()
