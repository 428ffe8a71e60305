// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "archive/check.h"
#include "core/byte_writer.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"

using namespace marrow;
using namespace marrow::archive;

namespace {

std::vector<std::byte> from_hex(std::string_view text) {
  std::vector<std::byte> bytes;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t i = 0; i + 1 < text.size();) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    bytes.push_back(static_cast<std::byte>(digit(text[i]) * 16 + digit(text[i + 1])));
    i += 2;
  }
  return bytes;
}

// Two files in two folders that share 31 bytes, names embedded.
std::vector<std::byte> shared_bsa() {
  ByteWriter out;
  out.bytes(from_hex("42534100 68000000 24000000 03010000 02000000 02000000 0c000000 1a000000 00010000"));
  out.bytes(from_hex("3163056d4a1a6900 01000000 5e000000 3263056d4a1a6900 01000000 75000000"));
  out.u8(6);
  out.text({"misc1\0", 6});
  out.bytes(from_hex("3165086582fdce43 1f000000 8c000000"));
  out.u8(6);
  out.text({"misc2\0", 6});
  out.bytes(from_hex("3265086582fdce43 1f000000 8c000000"));
  out.text({"example1.txt\0example2.txt\0", 26});
  out.u8(18);
  out.text("misc1\\example1.txthello world!");
  return out.take();
}

std::vector<std::byte> small_ba2() {
  ByteWriter out;
  out.text("BTDX");
  out.u32(1);
  out.text("GNRL");
  out.bytes(from_hex("01000000 4a00000000000000 e14480f3 74787400 a6c5e35e 00 01 1000"));
  out.bytes(from_hex("3c00000000000000 00000000 0e000000 0df0adba"));
  out.text("hello world!\r\n");
  out.u16(16);
  out.text("misc/example.txt");
  return out.take();
}

Result<Archive> open(std::vector<std::byte> bytes) {
  return open_archive(std::make_shared<MemorySource>(std::move(bytes)));
}

}  // namespace

TEST_CASE("a BSA whose files share data gives both, under the names of the tables") {
  const auto archive = open(shared_bsa());
  REQUIRE(archive);
  CHECK(archive->version == 104);
  CHECK(archive->game() == "skyrim-le");
  REQUIRE(archive->entries.size() == 2);
  CHECK(archive->entries[0].path == "misc1/example1.txt");
  CHECK(archive->entries[1].path == "misc2/example2.txt");
  for (const Entry& entry : archive->entries) {
    const auto bytes = read_entry(*archive, entry);
    REQUIRE(bytes);
    CHECK(as_text(*bytes) == "hello world!");
    CHECK(entry.size() == 12);
    CHECK_FALSE(entry.is_compressed());
  }
  const Findings findings = check_archive(*archive);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "I_ARCHIVE_SHARED");
}

TEST_CASE("a BA2 gives its file by any case and either slash") {
  const auto archive = open(small_ba2());
  REQUIRE(archive);
  CHECK(archive->game() == "fallout4");
  for (const char* path : {"misc/example.txt", "MISC\\Example.TXT"}) {
    const Entry* entry = archive->find(path);
    REQUIRE(entry);
    CHECK(as_text(read_entry(*archive, *entry).value()) == "hello world!\r\n");
  }
  CHECK(archive->find("misc/../misc/example.txt") == nullptr);
  CHECK(check_archive(*archive).empty());
}

TEST_CASE("an archive that is cut short is refused or unpacks to an error, at every length") {
  for (const std::vector<std::byte>& whole : {shared_bsa(), small_ba2()})
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const auto archive = open({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
      CHECK_MESSAGE(!archive, length);
    }
}

TEST_CASE("every byte of an archive may be wrong") {
  for (const std::vector<std::byte>& whole : {shared_bsa(), small_ba2()})
    for (std::size_t at = 0; at < whole.size(); ++at)
      for (const int value : {0, 1, 0x7F, 0x80, 0xFF}) {
        std::vector<std::byte> damaged = whole;
        damaged[at] = static_cast<std::byte>(value);
        if (const auto archive = open(std::move(damaged)))
          for (const Entry& entry : archive->entries)
            if (const auto bytes = read_entry(*archive, entry)) CHECK(bytes->size() == entry.size());
      }
}

TEST_CASE("counts beyond the bytes of an archive are refused before anything is allocated") {
  for (std::vector<std::byte> bytes : {shared_bsa(), small_ba2()}) {
    const std::size_t at = bytes.front() == std::byte{'B'} && bytes[1] == std::byte{'S'} ? 20 : 12;
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = std::byte{0x7F};
    const auto archive = open(std::move(bytes));
    REQUIRE_FALSE(archive);
    CHECK(archive.error().code == ErrorCode::Truncated);
  }
}

TEST_CASE("a wrong hash, a name that leaves the folder and a wrong offset are findings") {
  std::vector<std::byte> bytes = small_ba2();
  bytes[24] ^= std::byte{1};
  CHECK(check_archive(open(bytes).value()).front().code == "E_ARCHIVE_HASH");
  bytes = small_ba2();
  bytes[bytes.size() - 16] = std::byte{'/'};
  const Findings findings = check_archive(open(bytes).value());
  REQUIRE_FALSE(findings.empty());
  CHECK(findings.front().code == "E_ARCHIVE_NAME");
  bytes = shared_bsa();
  bytes[36 + 12] ^= std::byte{1};
  CHECK(check_archive(open(bytes).value()).front().code == "W_ARCHIVE_OFFSET");
}

TEST_CASE("an archive that changes while it is read is an error") {
  const auto path = write_new_file(std::filesystem::temp_directory_path(), "marrow-archive-test", ".bsa", shared_bsa());
  REQUIRE(path);
  const auto archive = open_archive(*open_source(*path));
  REQUIRE(archive);
  CHECK(read_entry(*archive, archive->entries.front()));
  std::ofstream(*path, std::ios::binary | std::ios::app).put('x');
  const auto read = read_entry(*archive, archive->entries.front());
  REQUIRE(!read);
  CHECK(read.error().code == ErrorCode::Io);
  CHECK(read.error().message.find("has changed") != std::string::npos);
  std::error_code ignored;
  std::filesystem::remove(*path, ignored);
}
