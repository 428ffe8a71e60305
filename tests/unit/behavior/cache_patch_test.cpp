// SPDX-License-Identifier: MIT
#include "behavior/cache_patch.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace marrow;
using namespace marrow::behavior;

namespace {

AnimationData wolf() {
  AnimationData data;
  data.projects.push_back(
      {.name = "Wolf.txt",
       .assets = {"Behaviors\\Wolf.hkx"},
       .has_motion = true,
       .clips = {{.name = "Run", .id = "3", .triggers = {"A:0", "B:1"}}, {.name = "Bite", .id = "7"}},
       .motions = {{"3", "1", {"1 0 100 0"}, {"1 0 0 0 1"}}}});
  data.projects.push_back({.name = "Door.txt"});
  return data;
}

AnimationSets wolf_sets() {
  AnimationSets sets;
  sets.projects.push_back({"WolfData\\Wolf.txt",
                           {{.name = "Full.txt",
                             .triggers = {"go"},
                             .attacks = {{"one", "0", {"A"}}, {"two", "1", {"B", "C"}}},
                             .files = {{"1", "2", "7891816"}}}}});
  return sets;
}

std::vector<std::string> codes_of(const MergeReport& report) {
  std::vector<std::string> codes;
  for (const PatchNote& note : report.notes) codes.push_back(note.code);
  return codes;
}

}  // namespace

TEST_CASE("new clips and motions of a mod share one free id, and later mods get the next") {
  const std::vector<Patch> mods = {{"m",
                                    {{"Wolf~1/Howl~m$0.txt", "Howl\r\nm$0\r\n1\r\n0\r\n0\r\n1\r\nSound:1\r\n"},
                                     {"Wolf~1/m$0.txt", "m$0\r\n2\r\n1\r\n2 0 5 0\r\n1\r\n2 0 0 0 1\r\n\r\n"}}},
                                   {"n", {{"wolf~1/n$0.txt", "n$0\n2\n0\n0\n"}}}};
  MergeReport report;
  const Cache merged = merge_cache(wolf(), mods, report);
  CHECK(report.notes.empty());
  const DataProject& project = std::get<AnimationData>(merged).projects[0];
  REQUIRE(project.clips.size() == 3);
  CHECK(project.clips[2] == CacheClip{.name = "Howl", .id = "8", .triggers = {"Sound:1"}});
  REQUIRE(project.motions.size() == 3);
  CHECK(project.motions[1] == CacheMotion{"8", "2", {"2 0 5 0"}, {"2 0 0 0 1"}});
  CHECK(project.motions[2].id == "9");
  CHECK(report.added == 3);
  CHECK(report.changed == 0);
  CHECK(report.nodes == 2);
}

TEST_CASE("a new id of a mod is one number in all its folders of one project") {
  const std::vector<Patch> mods = {
      {"m", {{"Wolf~1/Howl~m$0.txt", "Howl\nm$0\n1\n0\n0\n0\n"}, {"Wolf~2/m$0.txt", "m$0\n2\n0\n0\n"}}}};
  MergeReport report;
  const Cache merged = merge_cache(wolf(), mods, report);
  const DataProject& project = std::get<AnimationData>(merged).projects[0];
  CHECK(project.clips.back().id == "8");
  CHECK(project.motions.back().id == "8");
}

TEST_CASE("marks edit lines of the game's entries, and counts are computed") {
  const std::vector<Patch> mods = {
      {"m",
       {{"Wolf~1/Run~3.txt",
         "Run\n3\n<!-- MOD_CODE ~m~ OPEN -->\n2\n<!-- ORIGINAL -->\n1\n<!-- CLOSE -->\n0\n0\n2\nA:0\nB:1\n<!-- "
         "MOD_CODE ~m~ OPEN -->\nC:2\n<!-- CLOSE -->\n"}}},
      {"n",
       {{"Wolf~1/Run~3.txt",
         "Run\n3\n<!-- MOD_CODE ~n~ OPEN -->\n4\n<!-- ORIGINAL -->\n1\n<!-- CLOSE -->\n0\n0\n2\n<!-- MOD_CODE ~n~ OPEN "
         "-->\n//* delete this line *//\n<!-- ORIGINAL -->\nA:0\n<!-- CLOSE -->\nB:1\n"}}}};
  MergeReport report;
  const Cache merged = merge_cache(wolf(), mods, report);
  CHECK(std::get<AnimationData>(merged).projects[0].clips[0] ==
        CacheClip{.name = "Run", .id = "3", .speed = "4", .triggers = {"B:1", "C:2"}});
  CHECK(codes_of(report) == std::vector<std::string>{"PATCH_CONFLICT"});
  CHECK(report.notes[0].message.find("both m and n") != std::string::npos);
  CHECK(report.changed == 1);
  CHECK(read_cache(write_cache(merged)));
}

TEST_CASE("a project is made by its header, and stands where the list puts it") {
  const std::vector<Patch> mods = {
      {"m",
       {{"$header$/$header$.txt",
         "Other.txt\nWolf.txt\n<!-- MOD_CODE ~m~ OPEN -->\nBear.txt\nGhost.txt\n<!-- CLOSE -->\nDoor.txt\n"},
        {"Bear~1/$header$.txt", "1\n1\nBehaviors\\Bear.hkx\n0\n"},
        {"Cat~1/$header$.txt", "1\n0\n0\n"},
        {"Dog~1/m$0.txt", "m$0\n2\n0\n0\n"}}}};
  MergeReport report;
  const Cache merged = merge_cache(wolf(), mods, report);
  const auto& projects = std::get<AnimationData>(merged).projects;
  REQUIRE(projects.size() == 4);
  CHECK(projects[1].name == "Bear.txt");
  CHECK(projects[1].assets == std::vector<std::string>{"Behaviors\\Bear.hkx"});
  CHECK(projects[2].name == "Door.txt");
  CHECK(projects[3].name == "Cat.txt");
  // A name without a folder, and a folder without a head.
  CHECK(codes_of(report) == std::vector<std::string>{"PATCH_NO_FILE", "PATCH_NO_FILE"});
}

TEST_CASE("attacks, files and sets are inserted at the end of their lists") {
  const std::string set = "V3\n1\ngo\n0\n2\none\n0\n1\nA\ntwo\n1\n2\nB\nC\n";
  const std::string by_m = set +
                           "<!-- MOD_CODE ~m~ OPEN -->\nthree\n0\n1\nD\n<!-- CLOSE -->\n1\n1\n2\n7891816\n<!-- "
                           "MOD_CODE ~m~ OPEN -->\n5\n6\n7891816\n<!-- CLOSE -->\n";
  const std::string by_n = set + "<!-- MOD_CODE ~n~ OPEN -->\nfour\n0\n1\nE\n<!-- CLOSE -->\n1\n1\n2\n7891816\n";
  const std::vector<Patch> mods = {
      {"m", {{"WolfData~Wolf/Full.txt", by_m}, {"WolfData~Wolf/m$Extra.txt", "V3\n0\n0\n0\n0\n"}}},
      {"n", {{"WolfData~Wolf/full.txt", by_n}}}};
  MergeReport report;
  const Cache merged = merge_cache(wolf_sets(), mods, report);
  CHECK(report.notes.empty());
  const auto& sets = std::get<AnimationSets>(merged).projects[0].sets;
  REQUIRE(sets.size() == 2);
  REQUIRE(sets[0].attacks.size() == 4);
  CHECK(sets[0].attacks[1].clips == std::vector<std::string>{"B", "C"});
  CHECK(sets[0].attacks[2] == CacheAttack{"three", "0", {"D"}});
  CHECK(sets[0].attacks[3] == CacheAttack{"four", "0", {"E"}});
  CHECK(sets[0].files.size() == 2);
  CHECK(sets[1].name == "Extra.txt");
  CHECK(report.changed == 1);
  CHECK(report.added == 1);
  CHECK(read_cache(write_cache(merged)));
}

TEST_CASE("a clip that is inserted inside an attack is one of its clips") {
  const std::vector<Patch> mods = {{"m",
                                    {{"WolfData~Wolf/Full.txt",
                                      "V3\n1\ngo\n0\n2\none\n0\n1\nA\ntwo\n1\n2\nB\n<!-- MOD_CODE ~m~ OPEN "
                                      "-->\nX\n<!-- CLOSE -->\nC\n1\n1\n2\n7891816\n"}}}};
  MergeReport report;
  const Cache merged = merge_cache(wolf_sets(), mods, report);
  CHECK(std::get<AnimationSets>(merged).projects[0].sets[0].attacks[1].clips ==
        std::vector<std::string>{"B", "X", "C"});
}

TEST_CASE("patches that are not closed, or that leave an entry without lines, are errors") {
  for (const char* text : {"Run\n3\n<!-- MOD_CODE ~m~ OPEN -->\n2\n", "Run\n3\n<!-- CLOSE -->\n",
                           "Run\n3\n1\n0\n<!-- MOD_CODE ~m~ OPEN -->\n//* delete this line *//\n<!-- ORIGINAL "
                           "-->\n0\n<!-- CLOSE -->\n2\nA:0\nB:1\n"}) {
    const std::vector<Patch> mods = {{"m", {{"Wolf~1/Run~3.txt", text}}}};
    MergeReport report;
    merge_cache(wolf(), mods, report);
    CHECK(report.is_broken);
    CHECK(std::ranges::count(codes_of(report), "PATCH_SYNTAX") == 1);
  }
}
