// SPDX-License-Identifier: MIT
// Mods merged into behaviours: their bases as XML, copied until they are 1, 10 and 100 MB, against a memcpy of the same
// bytes and a plain read and write. One core, processor time.
//   bench_behavior [FOLDER with base/ and mods/]    default: ../shared/characters/behaviour/patch, else examples/fox
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "marrow/core/file.h"
#include "marrow/ops/document/load.h"
#include "ops/behavior/patch.h"
#include "support/processor_time.h"

using namespace marrow;
namespace fs = std::filesystem;

namespace {

struct NamedFile {
  std::string name;
  std::vector<std::byte> bytes;
};

std::vector<NamedFile> files_below(const fs::path& folder) {
  std::vector<NamedFile> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file())
      if (auto bytes = read_file(entry.path()))
        files.push_back({folder.generic_string() + "/./" + entry.path().lexically_relative(folder).generic_string(),
                         std::move(*bytes)});
  std::ranges::sort(files, {}, &NamedFile::name);
  return files;
}

// The behaviours among files, as XML, which is what mods are made against.
std::vector<NamedFile> as_xml(const std::vector<NamedFile>& files) {
  std::vector<NamedFile> all;
  for (const NamedFile& file : files) {
    Context context;
    const auto document = load(file.bytes, {.name = file.name, .parts = Parts::None}, context);
    if (!document || !document->packfile()) continue;
    auto saved = save(*document, {.format = Format::Xml}, context);
    if (saved) all.push_back({file.name, std::move(saved->front().bytes)});
  }
  return all;
}

std::vector<TreeFile> tree_of(const std::vector<NamedFile>& files) {
  std::vector<TreeFile> tree;
  for (const NamedFile& file : files) tree.push_back({file.name, file.bytes});
  return tree;
}

void bench(const std::vector<NamedFile>& bases, const std::vector<TreeFile>& mods, std::size_t wanted) {
  std::vector<NamedFile> copies;
  std::size_t bytes = 0;
  for (std::size_t i = 0; bytes < wanted; ++i) {
    const NamedFile& base = bases[i % bases.size()];
    const std::size_t mark = base.name.find("/./");
    const std::string copy = "copy" + std::to_string(i / bases.size()) + "/";
    copies.push_back({base.name.substr(0, mark + 3) + copy + base.name.substr(mark + 3), base.bytes});
    bytes += base.bytes.size();
  }
  const std::vector<TreeFile> tree = tree_of(copies);
  std::vector<std::byte> target(bytes);
  const double copied = timing::seconds_of([&] {
    std::size_t at = 0;
    for (const TreeFile& file : tree) {
      std::memcpy(target.data() + at, file.bytes.data(), file.bytes.size());
      at += file.bytes.size();
    }
  });
  const double plain = timing::seconds_of([&] {
    for (const TreeFile& file : tree) {
      Context context;
      const auto document = load(file.bytes, {.name = std::string(file.name), .parts = Parts::None}, context);
      if (!document || !save(*document, {.format = Format::Xml}, context)) std::abort();
    }
  });
  const auto patched = [&](PatchedAs format) {
    return timing::seconds_of([&] {
      Context context;
      std::vector<SavedFile> files;
      const auto report = patch_behaviors(tree, mods, {.format = format}, context, files);
      if (!report || files.empty() || !report->failed.empty()) std::abort();
    });
  };
  const double to_xml = patched(PatchedAs::Xml), to_hkx = patched(PatchedAs::Hkx);
  const double megabytes = static_cast<double>(bytes) / 1e6;
  const auto row = [&](const char* name, double seconds) {
    std::printf("%8.1f MB %-28s %10.1f MB/s %10.1f x memcpy\n", megabytes, name, megabytes / seconds, seconds / copied);
  };
  row("memcpy", copied);
  row("read and write as XML", plain);
  row("patched, to XML", to_xml);
  row("patched, to packfiles", to_hkx);
}

}  // namespace

int main(int argc, char** argv) {
  fs::path folder = argc > 1 ? argv[1] : "../shared/characters/behaviour/patch";
  std::vector<NamedFile> bases = as_xml(files_below(folder / "base"));
  if (bases.empty()) {
    std::printf("no bases below %s: measuring examples/fox\n", folder.string().c_str());
    folder = "examples/fox";
    bases = as_xml(files_below(folder / "meshes"));
  }
  const std::vector<NamedFile> mods = files_below(folder / "mods");
  if (bases.empty() || mods.empty()) return 1;
  for (const std::size_t wanted : {1'000'000, 10'000'000, 100'000'000}) bench(bases, tree_of(mods), wanted);
}
