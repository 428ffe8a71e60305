// SPDX-License-Identifier: MIT
#include "archive/pack.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "archive/check.h"
#include "core/compression.h"
#include "marrow/core/byte_reader.h"

using namespace marrow;
using namespace marrow::archive;

namespace {

struct Named {
  std::string path, content;
};

std::vector<Named> folder() {
  std::string noise(3000, '\0');
  std::uint32_t state = 1;
  for (char& c : noise) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  return {{"meshes/a/walk.hkx", std::string(5000, 'w')},
          {"root.txt", "in the root"},
          {"Interface/Empty File.TXT", ""},
          {"meshes/b/noise.bin", noise},
          {"meshes/a/run.hkx", std::string(200000, 'r')}};
}

Result<std::vector<std::byte>> packed(std::vector<Named> files, const PackOptions& options) {
  std::vector<PackFile> list;
  for (const Named& file : files)
    list.push_back({file.path, [&file]() -> Result<std::vector<std::byte>> {
                      const auto bytes = as_bytes(file.content);
                      return std::vector(bytes.begin(), bytes.end());
                    }});
  return pack_archive(list, options);
}

}  // namespace

TEST_CASE("what is packed for a game is found in it again, with nothing to report") {
  for (const Game game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4})
    for (const bool compress : {false, true})
      for (const bool embed : {false, true}) {
        const auto bytes = packed(folder(), {.game = game, .compress = compress, .embed_names = embed});
        REQUIRE(bytes);
        const auto archive = open_archive(std::make_shared<MemorySource>(*bytes));
        REQUIRE(archive);
        CHECK(archive->version == (game == Game::SkyrimLe ? 104u : game == Game::SkyrimSe ? 105u : 1u));
        CHECK(archive->entries.size() == folder().size());
        CHECK(check_archive(*archive).empty());
        for (const Named& file : folder()) {
          const Entry* entry = archive->find(file.path);
          REQUIRE(entry);
          CHECK(as_text(read_entry(*archive, *entry).value()) == file.content);
          CHECK(entry->is_compressed() == (compress && file.content.size() >= 5000));
        }
      }
}

TEST_CASE("hints of another archive are kept, and bits of its layout are those that are written") {
  const auto bytes = packed(folder(), {.game = Game::SkyrimSe, .hints = 0xFFFFFFFF});
  REQUIRE(bytes);
  const auto archive = open_archive(std::make_shared<MemorySource>(*bytes));
  REQUIRE(archive);
  CHECK(archive->flags == ((0xFFFFFFFF & ~kLayoutFlags) | kFolderNames | kFileNames));
  CHECK(check_archive(*archive).empty());
  CHECK(read_entry(*archive, *archive->find("root.txt")));
}

TEST_CASE("the order in which files are given does not matter") {
  std::vector<Named> files = folder();
  const auto one = packed(files, {.compress = true});
  std::ranges::reverse(files);
  CHECK(one == packed(files, {.compress = true}));
}

TEST_CASE("names that the game would lose are refused by name") {
  const auto refused = [](std::vector<Named> files, PackOptions options) {
    const auto bytes = packed(std::move(files), options);
    return bytes ? std::string() : bytes.error().path;
  };
  CHECK(refused({{"a/x.nif", ""}, {"A/X.nif", ""}}, {}) == "A/X.nif");
  CHECK(refused({{"a/x.nif", ""}, {"A/X.nif", ""}}, {.game = Game::Fallout4}) == "a/x.nif");
  CHECK(refused({{"a/../x.nif", ""}}, {}) != "");
  CHECK(refused({{std::string(300, 'a'), ""}}, {}) != "");
  CHECK(refused({{"t/a.dds", ""}}, {.game = Game::Fallout4}) == "t/a.dds");
  CHECK(refused({{"t/a.dds", ""}}, {.game = Game::Fallout4, .textures_as_files = true}) == "");
}

TEST_CASE("an LZ4 frame has the header that the games write") {
  const std::string text = "bone bone bone bone ";
  const auto frame = pack(Packing::Lz4Frame, as_bytes(text));
  REQUIRE(frame);
  const std::string_view bytes = as_text(*frame);
  CHECK(bytes.substr(0, 7) == std::string_view("\x04\x22\x4d\x18\x60\x40\x82", 7));
  CHECK(bytes.substr(7) == std::string_view("\x0e\0\0\0\x56"
                                            "bone \x05\0\x50"
                                            "bone \0\0\0\0",
                                            22));
}

TEST_CASE("a size that lies is an error, whichever way it lies") {
  const std::string text(5000, 'x');
  for (const Packing packing : {Packing::Zlib, Packing::Lz4Frame, Packing::Lz4Block}) {
    const auto bytes = pack(packing, as_bytes(text));
    REQUIRE(bytes);
    std::vector<std::byte> out;
    CHECK(unpack(packing, *bytes, 5000, 1 << 20, out));
    CHECK(as_text(out) == text);
    for (const std::uint64_t claim : {0ull, 4999ull, 5001ull, 0xFFFFFFF0ull}) {
      out.clear();
      CHECK_FALSE(unpack(packing, *bytes, claim, 0xFFFFFFFF, out));
      CHECK(out.size() < 1 << 20);
    }
    CHECK_FALSE(unpack(packing, *bytes, 5000, 4000, out));
    for (std::size_t cut = 0; cut < bytes->size(); cut += 3) {
      out.clear();
      const bool is_whole = unpack(packing, std::span(*bytes).first(cut), 5000, 1 << 20, out).has_value();
      // The end mark of a frame and the checksum of a stream may be missing; then all bytes are there.
      if (is_whole) CHECK(as_text(out) == text);
    }
  }
}
