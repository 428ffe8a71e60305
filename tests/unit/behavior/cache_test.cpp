// SPDX-License-Identifier: MIT
#include "behavior/cache.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace marrow;
using namespace marrow::behavior;

namespace {

constexpr std::string_view kData =
    "2\r\nWolf.txt\r\nDoor.txt\r\n"
    "21\r\n1\r\n2\r\nBehaviors\\Wolf.hkx\r\nCharacters\\Wolf.hkx\r\n1\r\n"
    "Run\r\n3\r\n1\r\n0\r\n0\r\n2\r\nFootLeft:0.25\r\nFootRight:0.75\r\n\r\n"
    "Bite\r\n4\r\n1.5\r\n0.1\r\n0\r\n0\r\n\r\n"
    "15\r\n3\r\n1\r\n2\r\n0.5 0 40 0\r\n1 0 100 0\r\n1\r\n1 0 0 0 1\r\n\r\n"
    "4\r\n0.5\r\n1\r\n0.5 0 0 0\r\n1\r\n0.5 0 0 0 1\r\n\r\n"
    "3\r\n1\r\n0\r\n0\r\n";

constexpr std::string_view kSets =
    "1\nWolfData\\Wolf.txt\n"
    "1\nFull.txt\n"
    "V3\n1\nunequip\n1\niRight\n0\n2\n"
    "1\nattackStart\n0\n2\nBite\nClaw\n"
    "1\n3064642194\n12\n7891816\n";

std::string with_lf(std::string_view text) {
  std::string lf(text);
  std::erase(lf, '\r');
  return lf;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string changed(text);
  const std::size_t at = changed.find(from);
  REQUIRE(at != std::string::npos);
  return changed.replace(at, from.size(), to);
}

std::set<std::string> codes_of(std::string_view text) {
  std::set<std::string> codes;
  for (const Finding& finding : check_cache(text)) codes.insert(finding.code);
  return codes;
}

}  // namespace

TEST_CASE("a cache is written back byte for byte, whatever ends its lines") {
  for (const std::string& text :
       {std::string(kData), with_lf(kData), std::string(kSets), std::string(kData.substr(0, kData.size() - 2)),
        std::string(kSets.substr(0, kSets.size() - 1))}) {
    const auto cache = read_cache(text);
    REQUIRE(cache);
    CHECK(write_cache(*cache) == text);
  }
}

TEST_CASE("the entries of a cache are what the lines say") {
  const auto cache = read_cache(kData);
  REQUIRE(cache);
  const auto& data = std::get<AnimationData>(*cache);
  REQUIRE(data.projects.size() == 2);
  const DataProject& wolf = data.projects[0];
  CHECK(wolf.assets.size() == 2);
  CHECK(wolf.clips.size() == 2);
  CHECK(wolf.clips[0].triggers == std::vector<std::string>{"FootLeft:0.25", "FootRight:0.75"});
  CHECK(wolf.clips[1].speed == "1.5");
  CHECK(wolf.motions[0].translations.size() == 2);
  CHECK(wolf.motions[1].rotations == std::vector<std::string>{"0.5 0 0 0 1"});
  CHECK_FALSE(data.projects[1].has_motion);
  CHECK(next_id(wolf) == 5);
  const auto sets = read_cache(kSets);
  REQUIRE(sets);
  const AnimationSet& full = std::get<AnimationSets>(*sets).projects[0].sets[0];
  CHECK(full.conditions[0].highest == "2");
  CHECK(full.attacks[0].clips == std::vector<std::string>{"Bite", "Claw"});
  CHECK(plain_name("WolfData\\Wolf.txt") == "Wolf");
}

TEST_CASE("counts are computed when a cache is written") {
  auto cache = read_cache(kData);
  REQUIRE(cache);
  auto& data = std::get<AnimationData>(*cache);
  data.projects[0].clips.push_back({.name = "Howl", .id = "5", .triggers = {"Sound:1"}});
  data.projects[0].motions.push_back({"5", "2", {"2 0 0 0"}, {"2 0 0 0 1"}});
  const auto back = read_cache(write_cache(*cache));
  REQUIRE(back);
  CHECK(*back == *cache);
}

TEST_CASE("checksums of paths are those that the game has") {
  const auto file = cache_file_of("meshes/actors/character/Animations/MT_Idle.hkx");
  REQUIRE(file);
  CHECK(file->folder == "3064642194");
  CHECK(file->extension == "7891816");
  CHECK(*cache_file_of("MESHES\\Actors\\Character\\animations\\mt_idle.HKX") == *file);
  CHECK_FALSE(cache_file_of("idle.hkx"));
  CHECK_FALSE(cache_file_of("meshes\\"));
}

TEST_CASE("numbers have up to six digits and no trailing zeros") {
  CHECK(cache_number(1.0) == "1");
  CHECK(cache_number(0.75) == "0.75");
  CHECK(cache_number(1.0 / 3.0) == "0.333333");
  CHECK(cache_number(-0.0) == "0");
}

TEST_CASE("sound caches have no findings, and each fault has its code") {
  CHECK(codes_of(kData).empty());
  CHECK(codes_of(kSets).empty());
  CHECK(codes_of(replaced(kData, "21\r\n1", "22\r\n1")) == std::set<std::string>{"CACHE_COUNT"});
  CHECK(codes_of(replaced(kData, "0\r\n2\r\nFoot", "0\r\ntwo\r\nFoot")) == std::set<std::string>{"CACHE_COUNT"});
  CHECK(codes_of(std::string(kData) + "more\r\n") == std::set<std::string>{"CACHE_COUNT"});
  for (const std::string_view whole : {kData, kSets}) {
    const std::string rest(whole.substr(whole.find('\n')));
    for (const char* count : {"two", "", "-1", "99999999999999999999"}) {
      CHECK(cache_kind(count + rest) == cache_kind(whole));
      CHECK(codes_of(count + rest) == std::set<std::string>{"CACHE_COUNT"});
    }
  }
  // A line too many, or a damaged first name, is a fault of a cache, and no other format.
  for (const std::string_view whole : {kData, kSets}) {
    const std::string end = whole.contains('\r') ? "\r\n" : "\n";
    const std::size_t first = whole.find('\n') + 1;
    CHECK(codes_of("xyz" + end + std::string(whole)) == std::set<std::string>{"CACHE_COUNT"});
    CHECK(codes_of(std::string(whole).insert(first, "xyz" + end)) == std::set<std::string>{"CACHE_COUNT"});
  }
  CHECK(cache_kind("1\r\nxyz\r\nDoor.txt\r\n") == CacheKind::Data);
  CHECK(codes_of(replaced(kData, "Run\r\n", "Run\n")) == std::set<std::string>{"CACHE_COUNT"});
  CHECK(codes_of(replaced(kData, "0.5 0 40 0", "0.5 0 40")) == std::set<std::string>{"CACHE_MOTION_KEY"});
  CHECK(codes_of(replaced(kData, "0.5 0 40 0", "0.5 0 40 x")) == std::set<std::string>{"CACHE_MOTION_KEY"});
  CHECK(codes_of(replaced(kData, "0.5 0 40 0", "1.5 0 40 0")) == std::set<std::string>{"CACHE_MOTION_TIME"});
  CHECK(codes_of(replaced(kData, "FootLeft:0.25", "FootLeft")) == std::set<std::string>{"CACHE_TRIGGER"});
  CHECK(codes_of(replaced(kSets, "3064642194", "5000000000")) == std::set<std::string>{"CACHE_SET_NUMBER"});
  // The motion of the second clip gets the id of the first.
  CHECK(codes_of(replaced(kData, "\r\n4\r\n0.5\r\n", "\r\n3\r\n0.5\r\n")) ==
        std::set<std::string>{"CACHE_MOTION_TWICE", "CACHE_CLIP_NO_MOTION"});
  CHECK(codes_of(replaced(kData, "Bite\r\n4", "Run\r\n4")) == std::set<std::string>{"CACHE_CLIP_TWICE"});
  CHECK(codes_of(replaced(kData, "Bite\r\n4", "Bite\r\n3")) == std::set<std::string>{"CACHE_MOTION_UNUSED"});
}

TEST_CASE("clips are compared with the generators of a project") {
  const auto cache = read_cache(kData);
  Findings findings;
  compare_clips(std::get<AnimationData>(*cache).projects[0], {"Run", "Howl"}, findings);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].code == "CACHE_CLIP_UNKNOWN");
  CHECK(findings[0].where == "Wolf, Bite");
  CHECK(findings[1].code == "CACHE_CLIP_MISSING");
  CHECK(findings[1].where == "Wolf, Howl");
}

TEST_CASE("a cache that is cut anywhere is refused, never misread") {
  for (const std::string_view whole : {kData, kSets})
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::string cut(whole.substr(0, size));
      const auto cache = read_cache(cut);
      // Only the last line end may be missing, or digits of the last number.
      if (cache) CHECK(std::count(cut.begin(), cut.end(), '\n') + 1 >= std::count(whole.begin(), whole.end(), '\n'));
      if (cache) CHECK(write_cache(*cache) == cut);
    }
}

TEST_CASE("a count that the file cannot hold is refused before memory is taken") {
  CHECK_FALSE(read_cache("999999999\nA.txt\n"));
  CHECK_FALSE(read_cache(replaced(kData, "0\r\n2\r\nFoot", "0\r\n999999999\r\nFoot")));
  CHECK_FALSE(read_cache(replaced(kSets, "2\nBite", "99999999999999999999\nBite")));
  CHECK_FALSE(read_cache(kData, {.max_expanded_bytes = 100}));
  CHECK(cache_kind("") == CacheKind::None);
  CHECK(cache_kind("1\nwalk.hkx\n") == CacheKind::None);
  CHECK(cache_kind("notes\nwalk.txt\nrun\n") == CacheKind::None);
  CHECK(cache_kind("a.txt\nb.txt\nc.txt\n") == CacheKind::None);
}

TEST_CASE("the parts that archives hold are read, changed and written byte for byte") {
  const std::string_view clips =
      "1\r\n2\r\nBehaviors\\Wolf.hkx\r\nCharacters\\Wolf.hkx\r\n1\r\nRun\r\n3\r\n1\r\n0\r\n0\r\n1\r\nFootLeft:0."
      "25\r\n\r\n";
  const std::string_view motion = "3\r\n1\r\n1\r\n1 0 100 0\r\n1\r\n1 0 0 0 1\r\n\r\n";
  const std::string_view set = "V3\n1\nunequip\n0\n1\nattackStart\n0\n1\nBite\n1\n3064642194\n12\n7891816\n";
  for (const std::string_view text : {clips, motion, set}) {
    const auto cache = read_cache(text);
    REQUIRE(cache);
    CHECK(write_cache(*cache) == text);
    CHECK(check_cache(text).empty());
    // A part has no counts of its own: whole entries may be missing at the end, and nothing else.
    for (std::size_t end = text.find('\n'); end + 1 < text.size(); end = text.find('\n', end + 1))
      if (const auto cut = read_cache(text.substr(0, end + 1))) CHECK(write_cache(*cut) == text.substr(0, end + 1));
  }
  CHECK(cache_part(clips) == CachePart::Clips);
  CHECK(cache_part(motion) == CachePart::Motion);
  CHECK(cache_part(set) == CachePart::Set);
  CHECK(cache_part(kData) == CachePart::Whole);
  CHECK(cache_part(kSets) == CachePart::Whole);
  auto cache = read_cache(clips);
  const DataProject* project = find_project(std::get<AnimationData>(*cache), "Wolf");
  REQUIRE(project);
  CHECK(project->clips.front().name == "Run");
}
