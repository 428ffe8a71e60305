// SPDX-License-Identifier: MIT
#include "drop.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "core/path.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"

using namespace marrow;
using namespace marrow::cli;

namespace {

using Words = std::vector<std::string>;

bool nothing_exists(const std::string&) { return false; }
bool everything_exists(const std::string&) { return true; }

}  // namespace

TEST_CASE("only paths in a window of its own are files that were dropped") {
  CHECK(start_of({}, true, nothing_exists) == Start::DoubleClick);
  CHECK(start_of({"C:\\a.hkx"}, true, everything_exists) == Start::DroppedFiles);
  CHECK(start_of({"check", "a.hkx"}, true, [](const std::string& path) { return path == "a.hkx"; }) == Start::Command);
  CHECK(start_of({}, false, nothing_exists) == Start::Command);
  CHECK(start_of({"C:\\a.hkx"}, false, everything_exists) == Start::Command);
}

TEST_CASE("files of every game are checked, and a folder as a whole") {
  const auto offers = offers_for({{.path = "a.hkx", .dropped = "a.hkx", .game = "skyrim-se"},
                                  {.path = "mod/b.nif", .dropped = "mod", .game = "fallout4"},
                                  {.path = "mod/c.txt", .dropped = "mod", .game = "", .is_readable = false}},
                                 nothing_exists);
  REQUIRE(offers.size() == 1);
  CHECK(offers[0].key == 'c');
  CHECK(offers[0].commands == std::vector<Words>{{"check", "a.hkx", "mod"}});
  CHECK(offers_for({}, nothing_exists).empty());
}

TEST_CASE("files are shown in the browser if there is a page to show them in, and they are not too many") {
  std::vector<DroppedFile> files = {{.path = "mod/a.hkx", .dropped = "mod", .game = "fallout4"},
                                    {.path = "mod/b.hkx", .dropped = "mod", .game = "fallout4"}};
  const auto offers = offers_for(files, nothing_exists, true);
  REQUIRE(offers.size() == 2);
  CHECK(offers[1].key == 'v');
  CHECK(offers[1].commands == std::vector<Words>{{"view", "mod"}});
  CHECK(offers_for(files, nothing_exists, false).size() == 1);
  for (DroppedFile& file : files) file.is_readable = false;
  CHECK(offers_for(files, nothing_exists, true).size() == 1);
  CHECK(offers_for(std::vector<DroppedFile>(1000, {.path = "a", .dropped = "a"}), nothing_exists, true).size() == 1);
}

TEST_CASE("files of Skyrim LE are offered for SE, beside the original and under a name that is free") {
  const std::vector<DroppedFile> files = {
      {.path = "C:\\m.x\\walk.hkx", .dropped = "C:\\m.x\\walk.hkx", .game = "skyrim-le"},
      {.path = "run", .dropped = "run", .game = "skyrim-le"},
      {.path = "new.hkx", .dropped = "new.hkx", .game = "skyrim-se"},
      {.path = "bad.hkx", .dropped = "bad.hkx", .game = "skyrim-le", .is_readable = false}};
  const auto offers = offers_for(files, [](const std::string& path) { return path == "C:\\m.x\\walk_se.hkx"; });
  REQUIRE(offers.size() == 2);
  CHECK(offers[1].key == 's');
  CHECK(offers[1].commands ==
        std::vector<Words>{{"convert", "C:\\m.x\\walk.hkx", "-o", "C:\\m.x\\walk_se_2.hkx", "--to", "skyrim-se"},
                           {"convert", "run", "-o", "run_se", "--to", "skyrim-se"}});
}

TEST_CASE("a folder with files of Skyrim LE becomes a folder beside it") {
  const auto offers = offers_for({{.path = "mod/a.hkx", .dropped = "mod", .game = "skyrim-le"},
                                  {.path = "mod/b.hkx", .dropped = "mod", .game = "skyrim-le"}},
                                 nothing_exists);
  REQUIRE(offers.size() == 2);
  CHECK(offers[1].commands == std::vector<Words>{{"convert", "mod", "-o", "mod_se", "--to", "skyrim-se"}});
  CHECK(offers[1].text.find("2 files") != std::string::npos);
}

TEST_CASE("two dropped files never get the same new name") {
  const auto offers = offers_for({{.path = "a.hkx", .dropped = "a.hkx", .game = "skyrim-le"},
                                  {.path = "a_se.hkx", .dropped = "a_se.hkx", .game = "skyrim-le"},
                                  {.path = "a.hkx", .dropped = "./a.hkx", .game = "skyrim-le"}},
                                 [](const std::string& path) { return path == "a_se.hkx"; });
  std::vector<std::string> names;
  for (const Words& command : offers.back().commands) names.push_back(command[3]);
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
  CHECK(std::ranges::find(names, "a_se.hkx") == names.end());
}

TEST_CASE("a window with dropped files runs what the keys say, and closes at any other") {
  const std::string path = text_of_path(std::filesystem::temp_directory_path() / "marrow-drop-test.xml");
  REQUIRE(write_file(path_of_text(path), as_bytes("<nothing/>")));
  std::vector<Words> runs;
  std::string shown, keys = "cx";
  const DropHost host{.run = [&](const Words& words) { return runs.push_back(words), static_cast<int>(runs.size()); },
                      .show = [&](const std::string& text) { shown += text; },
                      .wait_for_key = [&] { return std::exchange(keys, keys.substr(1)).front(); }};
  CHECK(run_dropped({path}, host) == 2);
  CHECK(runs == std::vector<Words>{{"info", path}, {"check", path}});
  CHECK(shown.find("C  check the file") != std::string::npos);
  CHECK(keys.empty());
  std::filesystem::remove(path_of_text(path));
}
