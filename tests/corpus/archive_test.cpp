// SPDX-License-Identifier: MIT
// Real archives, and hostile ones, against what an independent reader says of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "archive/archive.h"
#include "archive/check.h"
#include "archive/pack.h"
#include "core/json.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "support/corpus.h"

using namespace marrow;
using namespace marrow::archive;

namespace {

struct Case {
  std::string name;
  Json right;
  Result<Archive> archive;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  if (test::golden().empty() || test::characters().empty()) return all;
  const auto right = parse_json(as_text(test::bytes_of(test::golden() / "sources/archives.json")));
  REQUIRE(right);
  for (const auto& [name, value] : right->members())
    all.push_back(
        {name, value,
         open_archive(std::make_shared<MemorySource>(test::bytes_of(test::characters() / "sources/archives" / name)))});
  return all;
}

std::map<std::string, int> codes_of(const Archive& archive) {
  std::map<std::string, int> codes;
  for (const Finding& finding : check_archive(archive)) ++codes[finding.code];
  return codes;
}

/// The options that an archive was packed with; nothing if such archives are not made.
std::optional<PackOptions> options_of(const Archive& archive) {
  PackOptions options{.compress = std::ranges::any_of(archive.entries, &Entry::is_compressed),
                      .embed_names = (archive.flags & kEmbeddedNames) != 0,
                      .hints = archive.flags};
  if (archive.kind == Kind::Ba2 ? archive.version != 1 : (archive.version < 104 || (archive.flags & kXboxOrder)))
    return std::nullopt;
  options.game = archive.kind == Kind::Ba2 ? Game::Fallout4 : archive.version == 104 ? Game::SkyrimLe : Game::SkyrimSe;
  const bool has_all = std::ranges::all_of(archive.entries, [&](const Entry& entry) {
    return !entry.name.empty() && !entry.texture && unsafe_because(entry.path).empty() && read_entry(archive, entry);
  });
  return has_all && !codes_of(archive).contains("E_ARCHIVE_TWICE") ? std::optional(options) : std::nullopt;
}

/// What an archive holds, by path. Names of a BSA are in lower case for the game.
std::map<std::string, std::vector<std::byte>> content_of(const Archive& archive) {
  std::map<std::string, std::vector<std::byte>> content;
  for (const Entry& entry : archive.entries) content[to_lower(entry.path)] = read_entry(archive, entry).value();
  return content;
}

}  // namespace

TEST_CASE("real archives are packed again: content, order and flags are the same, and the bytes where they can be") {
  std::set<std::string> same, alike;
  for (const Case& each : cases()) {
    if (!each.archive) continue;
    CAPTURE(each.name);
    const auto options = options_of(*each.archive);
    if (!options) continue;
    std::vector<PackFile> files;
    for (const Entry& entry : each.archive->entries)
      files.push_back({entry.path, [&] { return read_entry(*each.archive, entry); }});
    const auto bytes = pack_archive(files, *options);
    REQUIRE(bytes);
    const auto again = open_archive(std::make_shared<MemorySource>(*bytes));
    REQUIRE(again);
    CHECK(content_of(*again) == content_of(*each.archive));
    CHECK(again->flags == each.archive->flags);
    CHECK(again->version == each.archive->version);
    if (each.archive->kind == Kind::Bsa)  // a BA2 may have any order
      CHECK(std::ranges::equal(again->entries, each.archive->entries, {}, &Entry::file_hash, &Entry::file_hash));
    (*bytes == test::bytes_of(test::characters() / "sources/archives" / each.name) ? same : alike).insert(each.name);
  }
  if (cases().empty()) return;
  const auto names = [](const std::set<std::string>& all) {
    std::string text;
    for (const std::string& each : all) text += each + " ";
    return text;
  };
  // The others were compressed by another writer, hold one datum twice or have garbage in their padding.
  CHECK(names(same) == "le_plain.bsa ");
  CHECK(names(alike) == "fo4_clips.ba2 fo4_zlib.ba2 le_clips.bsa le_zlib.bsa se_clips.bsa se_lz4.bsa shared_data.bsa ");
}

TEST_CASE("each archive holds what it holds, or is refused") {
  for (const Case& each : cases()) {
    CAPTURE(each.name);
    CHECK(each.archive.has_value() == !each.right.contains("error"));
    if (!each.archive || each.right.contains("error")) continue;
    CHECK(to_string(each.archive->kind) == each.right.find("kind")->text());
    CHECK(each.archive->version == static_cast<std::uint32_t>(each.right.find("version")->integer()));
    std::set<std::tuple<std::string, std::int64_t, std::int64_t, bool>> got, want;
    for (const Entry& entry : each.archive->entries)
      got.insert({to_lower(entry.path), entry.size(), entry.stored(), entry.is_compressed()});
    for (const Json& file : each.right.find("files")->items())
      want.insert({to_lower(file.find("path")->text()), file.find("size")->integer(), file.find("packed")->integer(),
                   file.find("compressed")->boolean()});
    CHECK(got == want);
  }
}

TEST_CASE("the check of an archive reports what is wrong with it and nothing else") {
  const std::map<std::string, std::map<std::string, int>> right = {
      {"evil_root.ba2", {{"E_ARCHIVE_NAME", 3}}},   {"evil_up.bsa", {{"E_ARCHIVE_NAME", 1}}},
      {"evil_twice.ba2", {{"E_ARCHIVE_TWICE", 1}}}, {"bomb_more.ba2", {{"E_ARCHIVE_UNPACK", 1}}},
      {"bomb_size.bsa", {{"E_ARCHIVE_UNPACK", 1}}}, {"shared_data.bsa", {{"I_ARCHIVE_SHARED", 1}}},
  };
  for (const Case& each : cases()) {
    if (!each.archive) continue;
    CAPTURE(each.name);
    const auto found = right.find(each.name);
    CHECK(codes_of(*each.archive) == (found == right.end() ? std::map<std::string, int>() : found->second));
  }
}
