#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A game's data folder: loose files over archives, plugins' archives over the game's, skeletons by the name of the
character, textures of bodies, and Steam's libraries if asked for.

    data_folder_test.py MARROW WALK_CYCLE PROJECT
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

MARROW, WALK_CYCLE, PROJECT = (str(pathlib.Path(each).resolve()) for each in sys.argv[1:4])
CHARACTERS = pathlib.Path(os.environ.get("MARROW_CHARACTERS", pathlib.Path(PROJECT, "..", "shared", "characters")))
PLACE = "meshes/actors/character/character assets/skeleton.hkx"


def marrow(*args, home=None, **more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("ProgramFiles")}
    env.update({"HOME": str(home)} if home else {}, **more)
    return subprocess.run([MARROW, *map(str, args)], capture_output=True, text=True, timeout=120, env=env)


def dds(colour):
    """Four by four pixels of one colour, blue green red alpha, as DDS files without compression are."""
    header = struct.pack("<4s7I44x", b"DDS ", 124, 0x100F, 4, 4, 16, 0, 1)
    header += struct.pack("<2I4s5I", 32, 0x41, bytes(4), 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000)
    return header + struct.pack("<5I", 0x1000, 0, 0, 0, 0) + bytes(colour) * 16


class DataFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = pathlib.Path(tempfile.mkdtemp(prefix="marrow-data-"))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        subprocess.run([WALK_CYCLE, cls.made / "walk"], check=True, stdout=subprocess.DEVNULL)
        cls.walk = cls.made / "walk/skyrim-se/walk.hkx"
        cls.skeleton = cls.made / "walk/skyrim-se/characterassets/skeleton.hkx"

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-data-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.data = self.folder / "Data"
        self.data.mkdir()

    def ok(self, *args, code=0, **more):
        run = marrow(*args, **more)
        self.assertEqual(run.returncode, code, f"{args}\n{run.stdout}\n{run.stderr}")
        return run

    def pack(self, name, files, data=None):
        """An archive with files of other names in it."""
        tree = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for path, source in files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(source, bytes):
                (tree / path).write_bytes(source)
            else:
                shutil.copy(source, tree / path)
        self.ok("archive", "pack", tree, "--to", "skyrim-se", "-o", (data or self.data) / name)

    def bones(self, *args, **more):
        """The rows of the first bone of a clip on the skeleton that is found: its name tells which one it was."""
        run = self.ok("sample", self.walk, "--frames", "0", "--skeleton", "character", *args, **more)
        return run.stdout.splitlines()[1].split(",")[-1]

    def other_skeleton(self, name):
        """The walk's skeleton with another name of its first bone, as JSON and back."""
        out, text = self.folder / f"{name}.json", ""
        self.ok("convert", self.skeleton, "--format", "json", "-o", out)
        text = out.read_text()
        first = json.loads(self.ok("info", self.skeleton, "--json").stdout)[0]["skeletons"][0]["name"]
        self.assertIn(f'"{first}"', text)
        out.write_text(text.replace(f'"{first}"', f'"{name}"'))
        self.ok("convert", out, "--to", "skyrim-se", "-o", self.folder / f"{name}.hkx")
        return self.folder / f"{name}.hkx"

    def test_a_skeleton_is_found_by_the_name_of_the_character_in_the_games_order(self):
        names = {each: self.other_skeleton(each) for each in ("OfTheGame", "OfAPlugin", "Loose")}
        run = self.ok("sample", self.walk, "--frames", "0", "--skeleton", "character", "--data", self.data, code=1)
        self.assertIn("character", run.stderr)
        self.pack("Skyrim - Animations.bsa", {PLACE: names["OfTheGame"]})
        self.assertEqual(self.bones("--data", self.data), "OfTheGame")
        # Any case, and the folder as some mods write it.
        self.pack("A plugin.bsa", {PLACE.replace("character assets", "characterassets"): names["OfAPlugin"]})
        self.assertEqual(self.bones("--data", self.data), "OfTheGame")
        os.remove(self.data / "A plugin.bsa")
        self.pack("A plugin.bsa", {PLACE.upper(): names["OfAPlugin"]})
        self.assertEqual(self.bones("--data", self.data), "OfAPlugin")
        loose = self.data / "Meshes/Actors/Character/Character Assets"
        loose.mkdir(parents=True)
        shutil.copy(names["Loose"], loose / "Skeleton.HKX")
        self.assertEqual(self.bones("--data", self.data), "Loose")

    def test_archives_are_asked_in_the_order_in_which_the_game_loads_their_plugins(self):
        # Each wins over those before it, whatever the alphabet says.
        order = ["Skyrim - Animations", "Update", "Dawnguard", "Zero without a plugin", "Yard - Main", "Axe"]
        for plugin in ("Yard.esm", "Axe.esp"):
            (self.data / plugin).write_bytes(b"TES4")
        for i, name in enumerate(order):
            self.pack(f"{name}.bsa", {PLACE: self.other_skeleton(f"Number{i}")})
            self.assertEqual(self.bones("--data", self.data), f"Number{i}")

    def test_a_path_below_the_data_folder_is_a_file(self):
        self.pack("Skyrim - Animations.bsa", {PLACE: self.skeleton, "meshes/actors/character/animations/mt_walk.hkx": self.walk})
        out = self.folder / "out.glb"
        self.ok("convert", "meshes/actors/character/animations/MT_walk.hkx", "--skeleton", PLACE, "--data", self.data, "-o", out)
        self.assertTrue(out.exists())
        # What is not there stays an error that names it, and a path that leaves the folder is not looked for.
        for wrong in ("meshes/none.hkx", "../Data/meshes/none.hkx"):
            run = self.ok("convert", wrong, "--data", self.data, "-o", self.folder / "no.glb", code=1)
            self.assertIn("none.hkx", run.stderr)

    def test_the_skeleton_of_a_clip_in_an_archive_is_found_in_another_archive(self):
        self.pack("Skyrim - Meshes0.bsa", {PLACE: self.skeleton})
        self.pack("Mod.bsa", {"meshes/actors/character/animations/mt_walk.hkx": self.walk})
        clip = f"{self.data / 'Mod.bsa'}/meshes/actors/character/animations/mt_walk.hkx"
        out = self.folder / "walk.glb"
        self.ok("convert", clip, "-o", out, code=1)
        self.ok("convert", clip, "--data", self.data, "-o", out)
        self.assertTrue(out.exists())
        self.ok("convert", clip.replace("/", "\\") if os.name == "nt" else clip, "--data", self.data, "-o", self.folder / "again.glb")

    def test_a_folder_that_is_not_there_is_said_so(self):
        run = self.ok("info", self.walk, "--data", self.folder / "none", code=2)
        self.assertIn("is not a folder", run.stderr)

    def steam(self, root, libraries):
        (root / "steamapps").mkdir(parents=True)
        entries = "".join(f'\t"{i}"\n\t{{\n\t\t"path"\t\t"{str(path).replace(chr(92), chr(92) * 2)}"\n\t}}\n' for i, path in enumerate(libraries))
        (root / "steamapps/libraryfolders.vdf").write_text('"libraryfolders"\n{\n' + entries + "}\n")

    def game(self, library, name, skeleton):
        data = library / "steamapps/common" / name / "Data"
        data.mkdir(parents=True)
        self.pack("Skyrim - Animations.bsa", {PLACE: skeleton}, data)
        return data

    def test_steam_is_asked_only_if_the_user_says_so(self):
        home, library = self.folder / "home", self.folder / "my games"
        self.steam(home / ".local/share/Steam", [home / ".local/share/Steam", library])
        data = self.game(library, "Skyrim Special Edition", self.other_skeleton("FromSteam"))
        self.ok("sample", self.walk, "--frames", "0", "--skeleton", "character", home=home, code=1)
        run = self.ok("sample", self.walk, "--frames", "0", "--skeleton", "character", "--data", "auto", home=home)
        self.assertIn(str(data), run.stderr)
        self.assertIn("FromSteam", run.stdout)
        # Nothing there: said, not guessed.
        run = self.ok("info", self.walk, "--data", "auto", home=self.folder / "nobody", code=2)
        self.assertIn("Steam", run.stderr)
        # Another game than the one that is there.
        run = self.ok("convert", self.walk, "--to", "fallout4", "--data", "auto", "-o", self.folder / "x.hkx", home=home, code=2)
        self.assertIn("fallout4", run.stderr)

    def test_steam_of_flatpak_and_of_windows_are_found(self):
        for where in (".var/app/com.valvesoftware.Steam/data/Steam", ".steam/steam"):
            home = self.folder / where.split("/")[1]
            self.steam(home / where, [])
            self.game(home / where, "Skyrim Special Edition", self.other_skeleton("Found"))
            self.assertEqual(self.bones("--data", "auto", home=home), "Found")
        files = self.folder / "Program Files (x86)"
        self.steam(files / "Steam", [files / "Steam", self.folder / "D"])
        self.game(self.folder / "D", "Skyrim Special Edition", self.other_skeleton("OnD"))
        self.assertEqual(self.bones("--data", "auto", home=self.folder / "nobody", **{"ProgramFiles(x86)": str(files)}), "OnD")

    def test_textures_and_the_skeleton_of_a_body_come_from_archives(self):
        body = CHARACTERS / "body/skyrim-se/farmbench01.nif"
        if not body.exists():
            self.skipTest("the characters are missing (MARROW_CHARACTERS)")
        self.pack("Skyrim - Textures0.bsa", {"textures/architecture/farmhouse/woodpost02.dds": dds((0, 0, 255, 255))})
        self.pack("Skyrim - Meshes0.bsa", {"meshes/architecture/farmbench01.nif": body})
        inside = f"{self.data / 'Skyrim - Meshes0.bsa'}/meshes/architecture/farmbench01.nif"
        for source in (body, inside):
            out = self.folder / "bench.glb"
            self.ok("convert", source, "--textures", "--data", self.data, "-o", out)
            glb = out.read_bytes()
            gltf = json.loads(glb[20:20 + struct.unpack_from("<I", glb, 12)[0]])
            self.assertGreaterEqual(len(gltf["images"]), 1)
            view = gltf["bufferViews"][gltf["images"][0]["bufferView"]]
            start = 20 + struct.unpack_from("<I", glb, 12)[0] + 8 + view.get("byteOffset", 0)
            self.assertEqual(glb[start:start + 8], b"\x89PNG\r\n\x1a\n")
        # A loose texture wins.
        loose = self.data / "Textures/Architecture/Farmhouse"
        loose.mkdir(parents=True)
        (loose / "WoodPost02.DDS").write_bytes(dds((0, 255, 0, 255)))
        before = self.folder.joinpath("bench.glb").read_bytes()
        self.ok("convert", body, "--textures", "--data", self.data, "-o", self.folder / "green.glb")
        self.assertNotEqual(before, self.folder.joinpath("green.glb").read_bytes())
        # A body on its skeleton, both from archives.
        skinned = CHARACTERS / "body/skyrim-se/femalefeet_1.nif"
        self.ok("convert", skinned, "--skeleton", "character", "--data", self.data, "-o", self.folder / "x.glb", code=1)
        self.pack("Skyrim - Animations.bsa", {PLACE: self.skeleton})
        self.ok("convert", skinned, "--skeleton", "character", "--data", self.data, "-o", self.folder / "x.glb")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
