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
