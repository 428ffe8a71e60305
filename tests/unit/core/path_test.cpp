// SPDX-License-Identifier: MIT
#include "core/path.h"

#include <doctest/doctest.h>

#include "core/file_name.h"
#include "core/wide_text.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"

using namespace marrow;
namespace fs = std::filesystem;

namespace {

// Cyrillic, Chinese, accented, and a character outside the first plane.
const std::string kNames[] = {"шаг.hkx", "走る.hkx", "élan.hkx", "\xF0\x9F\xA6\xB4.hkx", "plain name.hkx"};

}  // namespace

TEST_CASE("text becomes UTF-16 and comes back, in every script") {
  for (const std::string& name : kNames) CHECK(utf8_of_utf16(utf16_of_utf8(name)) == name);
  CHECK(utf16_of_utf8("\xF0\x9F\xA6\xB4") == u"\xD83E\xDDB4");
  CHECK(utf16_of_utf8("a\xFFz") == u"a\uFFFDz");
}

TEST_CASE("a name with half a pair of UTF-16 comes back as it was") {
  const std::u16string lone = {u'a', 0xD83E, u'b', 0xDDB4};
  CHECK(utf16_of_utf8(utf8_of_utf16(lone)) == lone);
  CHECK(utf8_of_utf16(lone) ==
        "a\xED\xA0\xBE"
        "b\xED\xB6\xB4");
}

TEST_CASE("absolute Windows paths have a form without a limit on their length, and back") {
  CHECK(long_form(u"C:\\mods/a\\b.hkx") == u"\\\\?\\C:\\mods\\a\\b.hkx");
  CHECK(long_form(u"\\\\server\\share\\b.hkx") == u"\\\\?\\UNC\\server\\share\\b.hkx");
  CHECK(long_form(u"\\\\?\\C:\\b.hkx") == u"\\\\?\\C:\\b.hkx");
  CHECK(long_form(u"\\\\.\\pipe\\x") == u"\\\\.\\pipe\\x");
  for (const std::u16string path : {u"C:\\mods\\b.hkx", u"\\\\server\\share\\b.hkx"})
    CHECK(plain_form(long_form(path)) == path);
  CHECK(plain_form(u"\\\\?\\Volume{1}\\b") == u"\\\\?\\Volume{1}\\b");
}

TEST_CASE("names of Windows' devices are known with any extension and case") {
  for (const char* name : {"NUL", "con", "Aux.hkx", "com1", "LPT9.tar.gz", "nul .txt"}) CHECK(is_device_name(name));
  for (const char* name : {"null", "con1", "com", "com0", "walk.nul", ""}) CHECK_FALSE(is_device_name(name));
}

TEST_CASE("files are written, listed and read under names in every script") {
  const fs::path folder = fs::temp_directory_path() / path_of_text("marrow-путь-走");
  fs::remove_all(folder);
  for (const std::string& name : kNames) REQUIRE(write_file(folder / path_of_text(name), as_bytes(name)));
  const auto names = names_in_folder(folder);
  REQUIRE(names);
  CHECK(names->size() == std::size(kNames));  // nothing temporary is left
  CHECK(std::ranges::is_sorted(*names, {}, text_of_path));
  for (const fs::path& name : *names) {
    CHECK(is_file(folder / name));
    CHECK(as_text(*read_file(folder / name)) == text_of_path(name));
  }
  CHECK(path_kind(folder) == PathKind::Folder);
  CHECK(path_kind(folder / "none") == PathKind::Missing);
  CHECK_FALSE(names_in_folder(folder / "none"));
  fs::remove_all(folder);
}

TEST_CASE("a place is the same by every path to it, and need not exist") {
  const fs::path folder = fs::temp_directory_path() / "marrow-place-test";
  fs::create_directories(folder / "a");
  CHECK(place_of(folder / "a" / ".." / "b.hkx") == place_of(folder / "b.hkx"));
  CHECK(place_of(folder / "a") != place_of(folder / "b"));
#ifdef _WIN32
  CHECK(place_of(folder / "A" / "NEW.hkx") == place_of(folder / "a" / "new.HKX"));
#endif
  CHECK(place_of("b.hkx") == place_of(fs::current_path() / "b.hkx"));
  fs::remove_all(folder);
}

TEST_CASE("files are written and read below a path of more than 260 characters") {
  const fs::path folder = fs::temp_directory_path() / "marrow-long-test";
  const std::string part(100, 'x');
  fs::path deep = folder;
  for (int i = 0; i < 4; ++i) deep /= part;
  REQUIRE(write_file(deep / "a.hkx", as_bytes("deep")));
  REQUIRE(write_file(deep / "a.hkx", as_bytes("deeper")));
  CHECK(as_text(*read_file(deep / "a.hkx")) == "deeper");
  CHECK(names_in_folder(deep) == std::vector<fs::path>{"a.hkx"});
  CHECK(is_folder(deep));
  CHECK(text_of_path(deep).starts_with(text_of_path(folder)));
  std::error_code ignored;  // libstdc++ removes no long paths on Windows
  fs::remove_all(folder, ignored);
}
