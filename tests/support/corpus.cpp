// SPDX-License-Identifier: MIT
#include "support/corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "marrow/core/file.h"
#include "marrow/core/text.h"

namespace marrow::test {
namespace fs = std::filesystem;

namespace {

fs::path folder_or_skip(const char* variable, const char* fallback) {
  const char* set = std::getenv(variable);
  const fs::path folder = set ? set : fallback;
  if (fs::is_directory(folder)) return folder;
  MESSAGE("SKIPPED: no folder " << folder.string() << "; set " << std::string(variable)
                                << " to run these checks on real files");
  return {};
}

}  // namespace

fs::path corpus() {
  static const fs::path folder = folder_or_skip("MARROW_CORPUS", "../shared/corpus");
  return folder;
}

fs::path golden() {
  static const fs::path folder = folder_or_skip("MARROW_GOLDEN", "../shared/golden");
  return folder;
}

fs::path characters() {
  static const fs::path folder = folder_or_skip("MARROW_CHARACTERS", "../shared/characters");
  return folder;
}

fs::path foreign() {
  static const fs::path folder = folder_or_skip("MARROW_FOREIGN", "../shared/foreign");
  return folder;
}

std::vector<fs::path> files_below(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;  // "" / "hkx" of a folder that is skipped, too
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && equal_ignoring_case(entry.path().extension().string(), extension))
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<std::byte> bytes_of(const fs::path& path) {
  auto bytes = read_file(path);
  REQUIRE_MESSAGE(bytes.has_value(), path.string());
  return std::move(*bytes);
}

}  // namespace marrow::test
