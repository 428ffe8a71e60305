// SPDX-License-Identifier: MIT
#include "nif/nif_file.h"

#include <doctest/doctest.h>

#include <cstring>

#include "marrow/core/byte_reader.h"
#include "support/corpus.h"
#include "support/nif_sample.h"

using namespace marrow;

namespace {

// The header line, then version (4), endianness (1), user version (4), block count (4), Bethesda version (4).
constexpr std::size_t kLine = 39;

std::vector<std::byte> sample_with(std::size_t at, std::uint32_t value) {
  std::vector<std::byte> bytes = write_nif(test::sample_nif());
  std::memcpy(bytes.data() + at, &value, 4);
  return bytes;
}

}  // namespace

TEST_CASE("a container comes back as it was written") {
  const NifFile file = test::sample_nif();
  const std::vector<std::byte> bytes = write_nif(file);
  const auto back = read_nif(bytes);
  REQUIRE(back);
  CHECK(*back == file);
  CHECK(write_nif(*back) == bytes);
  CHECK(back->type_of(2) == "BSFadeNode");
  CHECK(back->type_of(3).empty());
  CHECK(back->string_at(1) == "Door");
  CHECK(back->string_at(-1).empty());
}

TEST_CASE("every prefix of a container is an error with an offset, or lacks only what follows the footer") {
  const std::vector<std::byte> bytes = write_nif(test::sample_nif());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const auto file = read_nif(cut);
    REQUIRE_FALSE(file);
    CHECK(file.error().offset != kNoOffset);
    CHECK_FALSE(file.error().message.empty());
  }
}

TEST_CASE("files of Skyrim have no source path in their header") {
  NifFile file = test::sample_nif();
  for (const std::uint32_t stream : {83u, 100u}) {
    CAPTURE(stream);
    file.stream = stream;
    file.export_info[3] = "";
    const auto read = read_nif(write_nif(file));
    REQUIRE(read);
    CHECK(*read == file);
  }
}

TEST_CASE("bytes after the footer are kept") {
  std::vector<std::byte> bytes = write_nif(test::sample_nif());
  bytes.push_back(std::byte{7});
  const auto file = read_nif(bytes);
  REQUIRE(file);
  CHECK(file->trailing.size() == 1);
  CHECK(write_nif(*file) == bytes);
}

TEST_CASE("other versions and games are refused by name") {
  const auto message_of = [](std::span<const std::byte> bytes) {
    const auto file = read_nif(bytes);
    REQUIRE_FALSE(file);
    CHECK(file.error().code == ErrorCode::Unsupported);
    return file.error().message;
  };
  CHECK(message_of(sample_with(kLine + 13, 34)).find("Fallout 3") != std::string::npos);
  CHECK(message_of(sample_with(kLine + 13, 155)).find("Fallout 76") != std::string::npos);
  CHECK(message_of(sample_with(kLine + 13, 172)).find("Starfield") != std::string::npos);
  CHECK(message_of(sample_with(kLine, 0x14000005)).find("20.0.0.5") != std::string::npos);
  CHECK(message_of(as_bytes("NetImmerse File Format, Version 4.0.0.2\nxxxx")).find("4.0.0.2") != std::string::npos);
}

TEST_CASE("what is no NIF at all is told from one that is refused") {
  const auto file = read_nif(as_bytes("hello"));
  REQUIRE_FALSE(file);
  CHECK(file.error().code == ErrorCode::BadMagic);
}

TEST_CASE("huge counts are refused before memory is taken") {
  CHECK_FALSE(read_nif(sample_with(kLine + 9, 0xFFFFFFFF)));
  CHECK_FALSE(read_nif(sample_with(kLine + 9, 900'000)));
  CHECK_FALSE(read_nif(write_nif(test::sample_nif()), {.max_objects = 2}));
}

TEST_CASE("the game's own NIFs are written back byte for byte") {
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    const std::vector<std::byte> bytes = test::bytes_of(path);
    const auto file = read_nif(bytes);
    REQUIRE(file);
    CHECK(write_nif(*file) == bytes);
  }
}
