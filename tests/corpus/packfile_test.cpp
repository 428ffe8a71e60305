// SPDX-License-Identifier: MIT
// Real files: each comes back byte for byte, because the writer follows the rules.
#include <doctest/doctest.h>

#include "havok/object/compare.h"
#include "havok/object/game.h"
#include "havok/text/tagfile.h"
#include "havok/text/xml.h"
#include "marrow/ops/document/format.h"
#include "support/corpus.h"

using namespace marrow;
using namespace marrow::havok;
namespace fs = std::filesystem;

namespace {

struct RealFile {
  fs::path path;
  std::vector<std::byte> bytes;
};

std::vector<RealFile> real_packfiles() {
  std::vector<RealFile> files;
  for (const fs::path& path : test::files_below(test::corpus(), ".hkx"))
    if (RealFile file{path, test::bytes_of(path)}; detect(file.bytes) == Format::Hkx) files.push_back(std::move(file));
  return files;
}

}  // namespace

TEST_CASE(
    "every packfile is rewritten byte for byte, through its objects and through XML and tagfiles, and raises no "
    "finding") {
  for (const auto& [path, bytes] : real_packfiles()) {
    CAPTURE(path.string());
    Findings findings;
    const auto file = read_packfile(bytes, {.findings = &findings});
    REQUIRE_MESSAGE(file.has_value(), describe(file.error()));
    CHECK(findings.empty());
    const auto again = write_packfile(*file);
    REQUIRE(again);
    CHECK(*again == bytes);
    const auto xml = write_xml(*file);
    REQUIRE(xml);
    const auto back = read_xml(*xml);
    REQUIRE_MESSAGE(back.has_value(), describe(back.error()));
    CHECK(*write_packfile(*back) == bytes);
    const auto tagfile = write_tagfile_xml(*file);
    REQUIRE_MESSAGE(tagfile.has_value(), describe(tagfile.error()));
    const auto from_tagfile = read_tagfile_xml(*tagfile);
    REQUIRE_MESSAGE(from_tagfile.has_value(), describe(from_tagfile.error()));
    CHECK(*write_packfile(*from_tagfile) == bytes);
  }
}

TEST_CASE("a file of one Skyrim becomes that of the other, as the game ships it, where both are there") {
  for (const auto& [path, bytes] : real_packfiles()) {
    const fs::path twin = path.parent_path().parent_path() / "skyrim-se" / path.filename();
    if (path.parent_path().filename() != "skyrim-le" || !fs::exists(twin)) continue;
    CAPTURE(path.string());
    const std::vector<std::byte> other = test::bytes_of(twin);
    CHECK(*write_packfile(*with_pointer_size_of(*read_packfile(bytes), Game::SkyrimSe)) == other);
    CHECK(*write_packfile(*with_pointer_size_of(*read_packfile(other), Game::SkyrimLe)) == bytes);
  }
}

TEST_CASE("skeletons with their ragdolls go to the other pointer size and back unchanged") {
  for (const auto& [path, bytes] : real_packfiles()) {
    const auto file = read_packfile(bytes);
    REQUIRE(file);
    if (file->schema->version() != kVersion2010) continue;
    CAPTURE(path.string());
    const Game own = game_of(*file).value(), other = own == Game::SkyrimLe ? Game::SkyrimSe : Game::SkyrimLe;
    const auto there = write_packfile(*with_pointer_size_of(*file, other));
    REQUIRE(there);
    CHECK(*write_packfile(*with_pointer_size_of(*read_packfile(*there), own)) == bytes);
  }
}

TEST_CASE("an XML packfile with an .hkx name is read, and is the same as its binary form") {
  for (const fs::path& path : test::files_below(test::corpus(), ".hkx")) {
    const std::vector<std::byte> bytes = test::bytes_of(path);
    if (detect(bytes) != Format::Xml) continue;
    CAPTURE(path.string());
    const auto file = read_xml(bytes);
    REQUIRE_MESSAGE(file.has_value(), describe(file.error()));
    const auto back = read_packfile(*write_packfile(*file));
    REQUIRE(back);
    CHECK(compare(*file, *back).empty());
    // In the style of the tool that wrote it, and with its names, the file comes back byte for byte.
    CHECK(write_xml(*file, {.style = XmlStyle::Plain}).value() == bytes);
  }
}
