// SPDX-License-Identifier: MIT
#include "ops/files/doctor.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "archive/pack.h"
#include "core/base64.h"
#include "support/documents.h"
#include "support/nif_sample.h"

namespace marrow {
namespace {

ExaminedFile file(std::string name, test::Bytes bytes) {
  return {std::move(name), std::make_shared<const MemorySource>(std::move(bytes))};
}

const Diagnosis* find(const DoctorReport& report, std::string_view code) {
  const auto found = std::ranges::find(report.problems, code, &Diagnosis::code);
  return found == report.problems.end() ? nullptr : &*found;
}

DoctorReport examined(const std::vector<ExaminedFile>& files, const DoctorOptions& options = {}) {
  Context context;
  auto report = examine(files, options, context);
  REQUIRE(report);
  return *report;
}

// Two clips and their skeleton for Skyrim SE, as a mod has them.
std::vector<ExaminedFile> healthy_mod() {
  const test::Bytes clip = test::saved(test::clip_document(4, 12));
  return {file("meshes/actors/x/animations/walk.hkx", clip), file("meshes/actors/x/animations/run.hkx", clip),
          file("meshes/actors/x/character assets/skeleton.hkx", test::saved(test::skeleton_document_of(4))),
          file("readme.txt", test::Bytes(10, std::byte{'x'}))};
}

// The same mod as people publish it: everything in an archive beside its plugin.
std::vector<ExaminedFile> packed_mod(const std::vector<ExaminedFile>& files, Game game = Game::SkyrimSe) {
  std::vector<archive::PackFile> list;
  for (const ExaminedFile& each : files)
    list.push_back({each.name, [&each]() -> Result<test::Bytes> {
                      test::Bytes bytes(static_cast<std::size_t>(each.source->size()));
                      REQUIRE(each.source->read(0, bytes));
                      return bytes;
                    }});
  auto packed = archive::pack_archive(list, {.game = game, .compress = true});
  REQUIRE(packed);
  return {file("Mod.bsa", *packed), file("Mod.esp", test::Bytes(20, std::byte{1}))};
}

}  // namespace

TEST_CASE("what lies in an archive is examined as if it were loose") {
  std::vector<ExaminedFile> files = healthy_mod();
  const DoctorReport healthy = examined(packed_mod(files));
  CHECK(healthy.files == 6);
  CHECK(healthy.game == Game::SkyrimSe);
  CHECK_FALSE(healthy.found());
  CHECK(healthy.contents.front().kind == "animation");
  for (const char* name : {"old.hkx", "older.hkx"})
    files.push_back(file(std::string("meshes/actors/x/animations/") + name,
                         test::saved(test::clip_document(4, 12, Game::SkyrimLe), {.game = Game::SkyrimLe})));
  std::vector<ExaminedFile> given = packed_mod(files);
  for (ExaminedFile& each : given) each.folder = "My Mod";
  const DoctorReport report = examined(given);
  const Diagnosis* wrong = find(report, "E_POINTER_SIZE");
  REQUIRE(wrong);
  CHECK(wrong->files.front().starts_with("Mod.bsa/meshes/"));
  CHECK(wrong->count == 2);
  CHECK(wrong->path == "My Mod/Mod.bsa");  // a folder for the verb that mends it
  CHECK(examined(packed_mod(healthy_mod()), {.pictures = 2}).pictures.size() == 2);
}

TEST_CASE("archives that the game does not load are named, and so are those that lie") {
  std::vector<ExaminedFile> alone = packed_mod(healthy_mod());
  alone.pop_back();
  REQUIRE(find(examined(alone), "W_ARCHIVE_PLUGIN"));
  for (const char* name : {"Skyrim - Animations.bsa", "sub/Mod - Textures.bsa"}) {
    std::vector<ExaminedFile> files = alone;
    files[0].name = name;
    files.push_back(file("sub/MOD.esl", test::Bytes(20)));
    CHECK_MESSAGE(!find(examined(files), "W_ARCHIVE_PLUGIN"), name);
  }
  const DoctorReport other = examined(packed_mod(healthy_mod(), Game::SkyrimLe));
  REQUIRE(find(other, "W_OTHER_ARCHIVE"));
  std::vector<ExaminedFile> cut = packed_mod(healthy_mod());
  test::Bytes bytes(static_cast<std::size_t>(cut[0].source->size() / 2));
  REQUIRE(cut[0].source->read(0, bytes));
  cut[0] = file("Mod.bsa", bytes);
  CHECK(examined(cut).found());
}

TEST_CASE("a healthy mod has its game and its contents named, and no problem") {
  const DoctorReport report = examined(healthy_mod());
  CHECK(report.files == 4);
  CHECK(report.game == Game::SkyrimSe);
  CHECK_FALSE(report.found());
  REQUIRE(report.contents.size() == 3);
  CHECK(report.contents[0].kind == "animation");
  CHECK(report.contents[0].files == 2);
}

TEST_CASE("a file of another game among many is an error that names it and how to convert it") {
  std::vector<ExaminedFile> files = healthy_mod();
  files.push_back(file("meshes/actors/x/animations/old.hkx",
                       test::saved(test::clip_document(4, 12, Game::SkyrimLe), {.game = Game::SkyrimLe})));
  const DoctorReport report = examined(files);
  CHECK(report.game == Game::SkyrimSe);
  const Diagnosis* wrong = find(report, "E_POINTER_SIZE");
  REQUIRE(wrong);
  CHECK(wrong->files == std::vector<std::string>{"meshes/actors/x/animations/old.hkx"});
  REQUIRE(wrong->cure);
  CHECK(wrong->cure->operation == "convert");
  CHECK(report.problems.front().level == Level::Error);
  CHECK(report.found());

  const DoctorReport as_le = examined(files, {.game = Game::SkyrimLe});
  REQUIRE(find(as_le, "E_POINTER_SIZE"));
  CHECK(find(as_le, "E_POINTER_SIZE")->count == 3);
}

TEST_CASE("a cure names the file that it is for, or the folder of several") {
  const auto found_in = [](std::vector<ExaminedFile> files, std::size_t wrong) {
    for (std::size_t i = 0; i < wrong; ++i)
      files.push_back(file("meshes/actors/x/animations/old" + std::to_string(i) + ".hkx",
                           test::saved(test::clip_document(4, 12, Game::SkyrimLe), {.game = Game::SkyrimLe})));
    for (ExaminedFile& each : files) each.folder = "My Mod";
    files.back().folder = wrong < 3 ? "My Mod" : "Other Mod";
    const DoctorReport report = examined(files, {.game = Game::SkyrimSe});
    REQUIRE(find(report, "E_POINTER_SIZE"));
    return find(report, "E_POINTER_SIZE")->path;
  };
  CHECK(found_in(healthy_mod(), 1) == "My Mod/meshes/actors/x/animations/old0.hkx");
  CHECK(found_in(healthy_mod(), 2) == "My Mod");
  CHECK(found_in(healthy_mod(), 3) == "");
}

TEST_CASE("what the game never looks at is named: sources, other folders, names that differ in case") {
  std::vector<ExaminedFile> files = healthy_mod();
  files.push_back(file("walk.glb", test::saved(test::skeleton_document_of(4), {.format = Format::Glb})));
  files.push_back(file("animations/lost.hkx", test::saved(test::clip_document(4, 12))));
  files.push_back(file("meshes/actors/x/animations/WALK.hkx", test::saved(test::clip_document(4, 12))));
  const DoctorReport report = examined(files);
  REQUIRE(find(report, "I_SOURCE_FILE"));
  CHECK(find(report, "I_SOURCE_FILE")->files.front() == "walk.glb");
  REQUIRE(find(report, "W_OUTSIDE_MESHES"));
  CHECK(find(report, "W_OUTSIDE_MESHES")->files.front() == "animations/lost.hkx");
  REQUIRE(find(report, "W_SAME_NAME"));
  CHECK(find(report, "W_SAME_NAME")->count == 1);
}

TEST_CASE("a mesh of Fallout 4 in a mod for Skyrim is an error, though the file itself is sound") {
  std::vector<ExaminedFile> files = healthy_mod();
  files.push_back(file("meshes/room.nif", test::saved(test::clip_document(4, 12))));
  CHECK_FALSE(find(examined(files), "E_OTHER_GAME"));  // what it is called does not matter
  files.back() = file("meshes/room.nif", write_nif(test::sample_nif()));
  const DoctorReport report = examined(files);
  REQUIRE(find(report, "E_OTHER_GAME"));
  CHECK(find(report, "E_OTHER_GAME")->files.front() == "meshes/room.nif");
}

TEST_CASE("a broken file is a problem of its own and does not stop the examination") {
  std::vector<ExaminedFile> files = healthy_mod();
  test::Bytes cut = test::saved(test::clip_document(4, 12));
  cut.resize(cut.size() / 2);
  files.push_back(file("meshes/actors/x/animations/cut.hkx", cut));
  const DoctorReport report = examined(files);
  CHECK(report.found());
  CHECK(report.problems.front().files == std::vector<std::string>{"meshes/actors/x/animations/cut.hkx"});
  CHECK(report.contents.front().kind == "animation");
}

TEST_CASE("pictures show clips on the skeleton that lies near them") {
  const DoctorReport report = examined(healthy_mod(), {.pictures = 2});
  REQUIRE(report.pictures.size() == 2);
  const auto png = read_base64(report.pictures.front().png);
  REQUIRE(png);
  CHECK(std::to_integer<int>((*png)[1]) == 'P');
  CHECK(png->size() > 500);
}

TEST_CASE("without files only the installation is reported") {
  const DoctorReport report = examined({}, {.installed = {"page=/usr/share/page.html", "library="}});
  REQUIRE(report.installed.size() == 2);
  CHECK(report.installed[0].place == "/usr/share/page.html");
  CHECK(report.installed[1].place.empty());
  CHECK(report.games.size() >= 3);
}

}  // namespace marrow
