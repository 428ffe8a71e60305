# SPDX-License-Identifier: MIT
"""Documents: files in and out, copies, and errors that say where."""
import base64
import copy
import io
import json
import os
import pathlib
import pickle
import stat
import unittest

from support import folder, needs_numpy, run_tests, skeleton, walk

import marrow
from marrow import Transform


class Files(unittest.TestCase):
    def test_sources_are_paths_bytes_and_open_files(self):
        data = walk().read_bytes()
        with open(walk(), "rb") as file:
            sources = [str(walk()), walk(), data, bytearray(data), memoryview(data), io.BytesIO(data), file]
            for source in sources:
                self.assertEqual(marrow.load(source).clip.frame_count, 31, type(source).__name__)
        self.assertEqual(marrow.detect(walk()), "hkx")
        self.assertIsNone(marrow.detect(b"hello"))
        with self.assertRaises(TypeError):
            marrow.load(io.StringIO("text"))
        with self.assertRaises(TypeError):
            marrow.load(12)
        with self.assertRaises(FileNotFoundError):
            marrow.load("no such file.hkx")

    def test_targets_are_paths_and_open_files(self):
        document = marrow.load(walk())
        with folder() as here:
            document.save(here / "new" / "folder" / "a.hkx")
            with open("b.hkx", "wb") as file:
                document.save(file)
            memory = io.BytesIO()
            document.save(memory)
            for data in (pathlib.Path("new/folder/a.hkx").read_bytes(), pathlib.Path("b.hkx").read_bytes(), memory.getvalue()):
                self.assertEqual(data, walk().read_bytes())
            self.assertEqual(sorted(os.listdir(".")), ["b.hkx", "new"])

    def test_a_failed_save_leaves_what_was_there(self):
        with folder():
            pathlib.Path("a.hkx").write_bytes(b"before")
            os.mkdir("a folder")
            with self.assertRaises(marrow.Error):
                marrow.load(walk()).save("a.hkx", game="valhalla")
            self.assertEqual(pathlib.Path("a.hkx").read_bytes(), b"before")
            os.symlink("a.hkx", "link.hkx")
            marrow.load(walk()).save("link.hkx")
            self.assertTrue(os.path.islink("link.hkx"))
            self.assertEqual(pathlib.Path("a.hkx").read_bytes(), walk().read_bytes())
            os.remove("link.hkx")
            os.mkfifo("pipe.hkx")
            with self.assertRaises(marrow.OptionError):
                marrow.load(walk()).save("pipe.hkx")
            self.assertTrue(stat.S_ISFIFO(os.stat("pipe.hkx").st_mode))
            self.assertEqual(sorted(os.listdir(".")), ["a folder", "a.hkx", "pipe.hkx"])

    @needs_numpy
    def test_several_clips_become_several_files(self):
        document = marrow.load(walk())
        for name in ("Wave", "wave", "a/b."):
            clip = document.add_clip(name, skeleton_name="Root")
            clip.set_frames(document.clips[0].frames[:1])
        with folder():
            with self.assertRaises(marrow.OptionError):
                document.save("one.hkx")
            self.assertEqual(os.listdir("."), [])
            result = document.save("many")
            self.assertEqual(sorted(os.listdir("many")), ["Wave.hkx", "a_b_.hkx", "walk.hkx", "wave_2.hkx"])
            self.assertEqual(len(result.paths), 4)
            document.clips[1].save("one.hkx")
            self.assertEqual(marrow.load("one.hkx").clip.frame_count, 1)

    def test_a_gltf_brings_its_buffer(self):
        with folder():
            marrow.load(walk()).save("walk.gltf", skeleton=skeleton())
            scene = json.loads(pathlib.Path("walk.gltf").read_text())
            (buffer,) = scene["buffers"]
            pathlib.Path("walk.bin").write_bytes(base64.b64decode(buffer["uri"].split(",", 1)[1]))
            buffer["uri"] = "walk.bin"
            os.mkdir("scenes")
            pathlib.Path("scenes/walk.gltf").write_text(json.dumps(scene))
            with self.assertRaises(marrow.Error):
                marrow.load("scenes/walk.gltf")
            os.rename("walk.bin", "scenes/walk.bin")
            self.assertEqual(marrow.load("scenes/walk.gltf").clip.frame_count, 31)

    def test_documents_tell_what_they_are_and_close(self):
        with marrow.load(walk()) as document:
            self.assertIn("hkx, skyrim-se, 1 clip", repr(document))
            self.assertEqual((document.format, document.game, document.name), ("hkx", "skyrim-se", str(walk())))
            self.assertAlmostEqual(document.metres_per_unit, 0.01428, 4)
            self.assertEqual(document.info()["clips"][0]["frames"], 31)
        self.assertIn("closed", repr(document))
        with self.assertRaises(ValueError):
            document.clips

    def test_copies_and_pickles_stand_alone(self):
        document = marrow.load(walk())
        other = copy.deepcopy(document)
        other.clip.annotations = [(0.5, "only here")]
        self.assertNotEqual(document.clip.annotations, other.clip.annotations)
        revived = pickle.loads(pickle.dumps(other))
        self.assertEqual(revived.clip.annotations, [(0.5, "only here")])
        self.assertEqual(revived.name, document.name)
        clip = marrow.load(walk(), skeleton=skeleton()).clip
        clip["NPC Head [Head]"][3] = Transform((1, 2, 3))
        revived = pickle.loads(pickle.dumps(clip))
        self.assertAlmostEqual(revived["NPC Head [Head]"][3].translation[2], 3, 2)
        result = pickle.loads(pickle.dumps(marrow.ops.compress(walk(), max_rotation_error=0.1)))
        self.assertTrue(result.bytes and result["clips"])

    def test_clips_are_added_and_removed(self):
        document = marrow.load(walk())
        first = document.clip
        second = document.add_clip("second", duration=1.0)
        self.assertIs(document.clips[0], first)
        self.assertEqual([clip.name for clip in document.clips], [first.name, "second"])
        with self.assertRaises(marrow.OptionError):
            document.clip
        self.assertEqual(first.alone().name, first.name)
        document.remove_clip(first)
        self.assertEqual((second.name, document.clip), ("second", second))
        with self.assertRaises(ValueError):
            first.name
        self.assertIn("removed", repr(first))
        with self.assertRaises(marrow.NoClipError):
            marrow.load(skeleton()).clip


class Errors(unittest.TestCase):
    def test_a_broken_file_says_where(self):
        with folder():
            pathlib.Path("half.hkx").write_bytes(walk().read_bytes()[:900])
            with self.assertRaises(marrow.FormatError) as caught:
                marrow.load("half.hkx")
        error = caught.exception
        self.assertEqual(error.file, "half.hkx")
        self.assertIsInstance(error.offset, int)
        self.assertTrue(str(error).startswith(f"half.hkx:{error.offset}: "), str(error))
        self.assertIsInstance(pickle.loads(pickle.dumps(error)), type(error))
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_kinds_can_be_told_apart(self):
        with self.assertRaises(marrow.UnknownFormatError):
            marrow.load(b"not a file of ours, but long enough to be one, or so it seems")
        with self.assertRaises(marrow.LimitError):
            marrow.load(walk(), limits=marrow.Limits(max_file_bytes=100))
        with self.assertRaises(marrow.NotFoundError):
            marrow.Document.new("tetris")
        for kind in (marrow.TruncatedError, marrow.NoClipError, marrow.NoSkeletonError, marrow.UnsupportedError):
            self.assertTrue(issubclass(kind, marrow.FormatError))
        self.assertTrue(issubclass(marrow.FormatError, marrow.Error))

    def test_every_prefix_of_a_file_is_an_error_or_a_document(self):
        data = walk().read_bytes()
        for size in range(0, len(data), 97):
            try:
                document = marrow.load(data[:size])
                if document.clips:
                    document.clip.sample(0.5)
            except marrow.Error as error:
                self.assertTrue(error.message)

    def test_progress_is_reported_and_can_stop_the_work(self):
        seen = []
        marrow.ops.compress(walk(), max_rotation_error=0.01, progress=seen.append)
        self.assertTrue(seen and all(0 <= share <= 1 for share in seen))
        with self.assertRaises(marrow.CancelledError):
            marrow.ops.compress(walk(), max_rotation_error=0.01, progress=lambda share: False)

        def raises(share):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            marrow.ops.compress(walk(), max_rotation_error=0.01, progress=raises)


if __name__ == "__main__":
    run_tests()
