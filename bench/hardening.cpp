// SPDX-License-Identifier: MIT
// Work on hostile ground: reads packfiles, decodes their clips and writes them again. bench/hardening.py runs two
// builds of this program, with and without hardening, and compares them.
//   hardening_hardened|hardening_plain [FOLDER of .hkx]    default: $MARROW_CORPUS/hkx, else ../shared/corpus/hkx, else
//                                                          files it makes; prints nanoseconds per byte of each kind
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "havok/animation/animation.h"
#include "havok/packfile/packfile.h"
#include "marrow/core/file.h"
#include "support/sample_packfile.h"

using namespace marrow;
namespace fs = std::filesystem;

namespace {

std::vector<std::vector<std::byte>> files_below(const fs::path& folder) {
  std::vector<std::vector<std::byte>> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (auto bytes = entry.path().extension() == ".hkx" ? read_file(entry.path()) : Result<std::vector<std::byte>>{};
          bytes && havok::read_packfile(*bytes))
        files.push_back(std::move(*bytes));
  if (files.empty())
    for (const std::string_view version : {havok::kVersion2010, havok::kVersion2014})
      files.push_back(*havok::write_packfile(test::sample_packfile(version, 8)));
  return files;
}

/// Returns the best time of a round over all files, in nanoseconds per byte.
template <class Work>
double measure(const std::vector<std::vector<std::byte>>& files, Work work) {
  using Clock = std::chrono::steady_clock;
  std::size_t bytes = 0;
  for (const auto& file : files) bytes += file.size();
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < 40; ++round) {
    const auto start = Clock::now();
    for (const auto& file : files) work(file);
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  return best / static_cast<double>(bytes);
}

}  // namespace

int main(int argc, char** argv) {
  const char* corpus = std::getenv("MARROW_CORPUS");
  const auto files = files_below(argc > 1 ? fs::path(argv[1]) : fs::path(corpus ? corpus : "../shared/corpus") / "hkx");
  std::size_t used = 0;
  const double read = measure(files, [&](const auto& bytes) { used += havok::read_packfile(bytes)->objects.size(); });
  const double decode = measure(files, [&](const auto& bytes) {
    const auto file = havok::read_packfile(bytes);
    for (const havok::ObjectId id : havok::find_animations(*file))
      if (const auto clip = havok::read_clip(*file, id, Limits{})) used += clip->transforms.size();
  });
  const double write =
      measure(files, [&](const auto& bytes) { used += havok::write_packfile(*havok::read_packfile(bytes))->size(); });
  std::printf("{\"files\": %zu, \"read\": %.5f, \"read and decode\": %.5f, \"read and write\": %.5f, \"used\": %d}\n",
              files.size(), read, decode, write, used != 0);
}
