// SPDX-License-Identifier: MIT
#include "archive/names.h"

#include <doctest/doctest.h>

#include "archive/archive.h"

using namespace marrow::archive;

TEST_CASE("folders of a BSA have the hashes that the game's tools give them") {
  CHECK(bsa_folder_hash("textures/architecture/windhelm") == 0xC1D97EBE741E6C6D);
  CHECK(bsa_folder_hash("meshes/actors/character/animations") == 0xEE022B076D226E73);
  CHECK(bsa_folder_hash("Share") == 0x006819F973057265);
}

TEST_CASE("files of a BSA have the hashes that the game's tools give them") {
  CHECK(bsa_file_hash("skeleton.hkx") == 0x846A9E0873086F6E);
  CHECK(bsa_file_hash("elder_council_amulet_n.dds") == 0xDC531E2F6516DFEE);
  CHECK(bsa_file_hash("a.nif") == 0x92CD45FD61018061);
  CHECK(bsa_file_hash("idle.kf") == 0x1711E44D69046CE5);
  CHECK(bsa_file_hash("sound.wav") == 0x97A2EB64F3056E64);
  CHECK(bsa_file_hash("v.adp") == 0x8C617B3FF6018076);
  CHECK(bsa_file_hash("ab.hkx") == 0x8FDAE98761020062);
  CHECK(bsa_file_hash("noext") == 0x006F1BB66E057874);
  CHECK(bsa_file_hash("Mar\xED"
                      "a_F.fuz") == 0x690E07826D075F66);
  CHECK(bsa_file_hash(".hkx") == 0);
  CHECK(bsa_file_hash("a.extension_of_16_b") == 0);
}

TEST_CASE("files of a BA2 have the three hashes that the game's tools give them") {
  CHECK(ba2_hash("Meshes\\Actors\\Character\\Animations\\Death1.hkx") == Ba2Hash{0xEE2F040E, 0x00786B68, 0xB6AABA92});
  CHECK(ba2_hash("Textures\\Terrain\\Commonwealth\\Commonwealth.4.-80.8_msn.DDS") ==
        Ba2Hash{0xDA3234A4, 0x00736464, 0x4409E1A9});
  CHECK(ba2_hash("Sound\\Voice\\Fallout4.esm\\RobotMrHandy\\Mar\xED"
                 "a_M.fuz") == Ba2Hash{0xC9FB26F9, 0x007A7566, 0x8A9C014E});
}

TEST_CASE("names are shown as the text that they are, else as Windows-1252") {
  CHECK(shown_path("meshes\\Mar\xC3\xAD"
                   "a.nif") ==
        "meshes/Mar\xC3\xAD"
        "a.nif");
  CHECK(shown_path("Mar\xED"
                   "a\\\x80.nif") ==
        "Mar\xC3\xAD"
        "a/\xE2\x82\xAC.nif");
}

TEST_CASE("names are stored in Windows-1252 if it has their characters, as the games store them") {
  CHECK(stored_path("Mar\xC3\xAD"
                    "a/\xE2\x82\xAC.nif") ==
        "Mar\xED"
        "a/\x80.nif");
  CHECK(stored_path("meshes/a.nif") == "meshes/a.nif");
  // Cyrillic is not in it, and these two letters would read as one of UTF-8.
  for (const char* kept : {"\xD0\x9C\xD0\xB8.nif", "\xC3\x83\xC2\xAD.nif"}) CHECK(stored_path(kept) == kept);
}

TEST_CASE("a path that would leave the folder is never one on disk") {
  for (const char* path :
       {"", "/tmp/a", "\\tmp\\a", "c:/a", "a/../b", "a//b", "./a", "a/.", "..", "a/", "a/b\n.txt", "a:b"})
    CHECK_MESSAGE(!unsafe_because(path).empty(), path);
  for (const char* path : {"a", "a/b.nif", "a\\b.nif", "a b/..c", "a.b/c."})
    CHECK_MESSAGE(unsafe_because(path).empty(), path);
}
