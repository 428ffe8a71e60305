// SPDX-License-Identifier: MIT
#include "marrow/core/file.h"

#include <doctest/doctest.h>

#include "marrow/core/byte_reader.h"

using namespace marrow;
namespace fs = std::filesystem;

TEST_CASE("a file is written whole, folders and all, and read back") {
  const fs::path folder = fs::temp_directory_path() / "marrow-file-test";
  fs::remove_all(folder);
  const fs::path path = folder / "a" / "b.bin";
  REQUIRE(write_file(path, as_bytes("first")));
  REQUIRE(write_file(path, as_bytes("second")));
  const auto bytes = read_file(path);
  REQUIRE(bytes);
  CHECK(as_text(*bytes) == "second");
  CHECK(std::distance(fs::directory_iterator(path.parent_path()), {}) == 1);
  CHECK(read_file(path, {.max_file_bytes = 5}).error().code == ErrorCode::LimitExceeded);
  fs::remove_all(folder);
}

TEST_CASE("what cannot be opened or written is an error, and leaves nothing") {
  const fs::path folder = fs::temp_directory_path() / "marrow-file-test-2";
  fs::remove_all(folder);
  fs::create_directories(folder / "taken");
  CHECK(read_file(folder / "none").error().code == ErrorCode::Io);
  CHECK(read_file(folder).error().code == ErrorCode::Io);
  CHECK_FALSE(write_file(folder / "taken", as_bytes("x")));
  CHECK(std::distance(fs::directory_iterator(folder), {}) == 1);
  fs::remove_all(folder);
}

TEST_CASE("a file that is kept apart takes the first name that is free") {
  const fs::path folder = fs::temp_directory_path() / "marrow-file-test-3";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const fs::path path = folder / "x.bak";
  for (const std::string_view text : {"first", "second", "third"}) {
    const FileToWrite file{.path = path, .bytes = as_bytes(text), .is_kept_apart = true};
    REQUIRE(write_files({&file, 1}));
  }
  CHECK(as_text(*read_file(path)) == "first");
  CHECK(as_text(*read_file(folder / "x.bak.1")) == "second");
  CHECK(as_text(*read_file(folder / "x.bak.2")) == "third");
  CHECK(std::distance(fs::directory_iterator(folder), {}) == 3);
  fs::remove_all(folder);
}

TEST_CASE("a file in pieces is there when it is finished, and not before") {
  const fs::path folder = fs::temp_directory_path() / "marrow-file-test-4";
  fs::remove_all(folder);
  fs::create_directories(folder);
  {
    auto file = FileInPieces::open(folder / "x");
    REQUIRE(file);
    REQUIRE(file->add("one "));
    REQUIRE(file->add("two"));
    CHECK_FALSE(fs::exists(folder / "x"));
    REQUIRE(file->finish());
    CHECK(as_text(*read_file(folder / "x")) == "one two");
    auto never = FileInPieces::open(folder / "y");
    REQUIRE(never);
    REQUIRE(never->add("half"));
  }
  CHECK(std::distance(fs::directory_iterator(folder), {}) == 1);
  fs::remove_all(folder);
}

TEST_CASE("a new file never takes the place of another") {
  const fs::path folder = fs::temp_directory_path() / "marrow-file-test-5";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto a = write_new_file(folder, "page", ".html", as_bytes("a")),
             b = write_new_file(folder, "page", ".html", as_bytes("b"));
  REQUIRE((a && b));
  CHECK(*a != *b);
  CHECK(as_text(*read_file(*a)) == "a");
  fs::remove_all(folder);
}

TEST_CASE("a source is read where it is needed, and no longer once its file has changed") {
  const fs::path path = fs::temp_directory_path() / "marrow-source-test.bin";
  fs::remove(path);
  REQUIRE(write_file(path, as_bytes("0123456789")));
  const auto source = open_source(path);
  REQUIRE(source);
  CHECK((*source)->size() == 10);
  std::vector<std::byte> bytes(4);
  REQUIRE((*source)->read(3, bytes));
  CHECK(as_text(bytes) == "3456");
  CHECK((*source)->read(7, bytes).error().code == ErrorCode::Truncated);
  CHECK((*source)->read(~std::uint64_t{0}, bytes).error().code == ErrorCode::Truncated);
  // In place, as a program does that writes to an archive.
  auto* file = *open_to_write(path, true);
  std::fputs("more", file);
  std::fclose(file);
  const auto again = (*source)->read(3, bytes);
  REQUIRE(!again);
  CHECK(again.error().code == ErrorCode::Io);
  CHECK(again.error().message.contains("has changed"));
  CHECK(open_source(fs::temp_directory_path()).error().code == ErrorCode::Io);
  CHECK(open_source(path.parent_path() / "marrow-no-such-file").error().code == ErrorCode::Io);
  fs::remove(path);
}
