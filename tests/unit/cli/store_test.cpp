// SPDX-License-Identifier: MIT
#include "store.h"

#include <doctest/doctest.h>

#include "archive/pack.h"
#include "data_folder.h"
#include "files.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"

using namespace marrow;
using namespace marrow::cli;
namespace fs = std::filesystem;

namespace {

/// A folder that goes away with the test.
struct Folder {
  explicit Folder(const char* name) : path(fs::temp_directory_path() / name) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }

  void write(const fs::path& name, std::string_view text) const { REQUIRE(write_file(path / name, as_bytes(text))); }
  void pack(const char* name, const std::vector<std::pair<std::string, std::string>>& files) const {
    std::vector<archive::PackFile> packed;
    for (const auto& [file, text] : files)
      packed.push_back({file, [&text]() -> Result<std::vector<std::byte>> {
                          return std::vector<std::byte>(as_bytes(text).begin(), as_bytes(text).end());
                        }});
    const auto bytes = archive::pack_archive(packed, {.game = Game::SkyrimSe});
    REQUIRE(bytes);
    REQUIRE(write_file(path / name, *bytes));
  }

  fs::path path;
};

std::string text_at(const fs::path& path) {
  const auto bytes = read_any(path);
  return bytes ? std::string(as_text(*bytes)) : "error: " + bytes.error().message;
}

}  // namespace

TEST_CASE("a path goes on inside an archive, with either slash and in any case") {
  const Folder folder("marrow-store-test");
  folder.pack("a.bsa", {{"meshes/One.hkx", "one"}, {"meshes/deep/two.hkx", "two"}, {"root.txt", "root"}});
  const std::string archive = text_of_path(folder.path / "a.bsa");
  CHECK(text_at(path_of_text(archive + "/meshes/one.hkx")) == "one");
  CHECK(text_at(path_of_text(archive + "\\MESHES\\Deep/TWO.hkx")) == "two");
  CHECK(text_at(path_of_text(archive + "/root.txt")) == "root");
  CHECK(is_any_file(path_of_text(archive + "/meshes/one.hkx")));
  CHECK(!is_any_file(path_of_text(archive + "/meshes")));
  CHECK(!is_any_file(path_of_text(archive + "/meshes/../root.txt")));
  CHECK(!is_any_file(path_of_text(archive + "/none.txt")));
  CHECK(normal_inside(path_of_text(archive + "/meshes/deep/../one.hkx")) == path_of_text(archive + "/meshes/one.hkx"));
  CHECK(names_of_files_in(path_of_text(archive + "/meshes")) == std::vector<std::string>{"one.hkx"});
  CHECK(!place_in_archive(path_of_text(archive)));
  CHECK(!place_in_archive(folder.path / "none" / "x.hkx"));
}

TEST_CASE("what is unpacked counts against the limit") {
  const Folder folder("marrow-store-limit-test");
  folder.pack("a.bsa", {{"a/large.hkx", std::string(100'000, 'x')}});
  const auto refused = read_any(folder.path / "a.bsa/a/large.hkx", {.max_expanded_bytes = 1000});
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::LimitExceeded);
}

TEST_CASE("an archive is walked as a folder, and its files may be chosen") {
  const Folder folder("marrow-store-walk-test");
  folder.pack("a.bsa", {{"meshes/one.hkx", "one"}, {"meshes/two.nif", "two"}, {"readme.md", "text"}});
  const std::string archive = text_of_path(folder.path / "a.bsa");
  std::size_t others = 0;
  const std::vector<Input> all = expand_inputs({archive}, {.other_kinds = &others});
  REQUIRE(all.size() == 2);
  CHECK(others == 1);
  CHECK(all[0].relative() == fs::path("meshes/one.hkx"));
  CHECK(expand_inputs({archive}, {.match = "*/ONE*"}).size() == 1);
  CHECK(expand_inputs({archive}, {.wanted = Wanted::Everything}).size() == 3);
  CHECK(expand_inputs({archive}, {.wanted = Wanted::Archives}).size() == 1);
  CHECK(expand_inputs({text_of_path(folder.path)}).empty());
  CHECK(expand_inputs({text_of_path(folder.path)}, {.opens_archives = true}).size() == 2);
  CHECK(names_many({archive}));
  CHECK(!names_many({archive}, Wanted::Archives));
}

TEST_CASE("names that Windows keeps for itself get a report") {
  CHECK(!unsafe_on_windows("meshes/con.hkx").empty());
  CHECK(!unsafe_on_windows("meshes/aux/x.hkx").empty());
  CHECK(!unsafe_on_windows("meshes./x.hkx").empty());
  CHECK(!unsafe_on_windows("meshes/x.hkx ").empty());
  CHECK(unsafe_on_windows("meshes/console.hkx").empty());
}

TEST_CASE("a data folder has loose files over archives, and plugins over the game") {
  const Folder folder("marrow-data-test");
  folder.pack("Skyrim - Animations.bsa", {{"meshes/a.hkx", "game"},
                                          {"meshes/b.hkx", "game"},
                                          {"meshes/c.hkx", "game"},
                                          {"meshes/actors/dragon/character assets/skeleton.hkx", "dragon"}});
  folder.pack("Mod.bsa", {{"meshes/b.hkx", "mod"}, {"meshes/c.hkx", "mod"}});
  folder.pack("Zoo.bsa", {{"meshes/c.hkx", "zoo"}});
  folder.write("Meshes/Loose.hkx", "loose");
  folder.write("Meshes/A.hkx", "loose");
  const DataFolder data(folder.path);
  const auto found = [&](const char* path) { return data.find(path) ? text_at(*data.find(path)) : "none"; };
  CHECK(found("meshes/a.hkx") == "loose");
  CHECK(found("meshes\\loose.hkx") == "loose");
  CHECK(found("meshes/b.hkx") == "mod");
  CHECK(found("meshes/c.hkx") == "zoo");
  CHECK(found("meshes/d.hkx") == "none");
  CHECK(found("../x.hkx") == "none");
  CHECK(text_at(*data.find_skeleton("Dragon")) == "dragon");
  CHECK(!data.find_skeleton("nobody"));
  CHECK(text_at(*data.find_like("somewhere/mod/meshes/actors/dragon/animations/../character assets/skeleton.hkx")) ==
        "dragon");
  CHECK(!data.find_like("somewhere/else/skeleton.hkx"));
}

TEST_CASE("the libraries of Steam are read from its list") {
  const std::vector<fs::path> folders = library_folders(
      "\"libraryfolders\"\n{\n \"0\"\n {\n  \"path\"  \"/home/a/.local/share/Steam\"\n }\n"
      " \"1\" { \"path\" \"D:\\\\Games\\\\Steam\" \"label\" \"\" }\n}\n");
  REQUIRE(folders.size() == 2);
  CHECK(text_of_path(folders[0]) == "/home/a/.local/share/Steam");
  CHECK(text_of_path(folders[1]) == "D:\\Games\\Steam");
  CHECK(library_folders("\"path\" \"cut").empty());
}
