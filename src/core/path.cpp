// SPDX-License-Identifier: MIT
// What is the same on every system; the rest is in system_NAME.cpp.
#include "marrow/core/path.h"

#include <algorithm>
#include <array>

#include "marrow/core/text.h"

namespace marrow {
namespace fs = std::filesystem;

std::string generic_text_of_path(const fs::path& path) {
  std::string text = text_of_path(path);
  if constexpr (fs::path::preferred_separator != '/')
    std::ranges::replace(text, static_cast<char>(fs::path::preferred_separator), '/');
  return text;
}

bool path_exists(const fs::path& path) {
  const PathKind kind = path_kind(path);
  return kind != PathKind::Missing && kind != PathKind::Unknown;
}

bool is_device_name(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {"con", "prn", "aux", "nul", "conin$", "conout$"};
  const std::string stem(trim(to_lower(name.substr(0, name.find('.')))));
  if (std::ranges::find(kNames, stem) != kNames.end()) return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && stem[3] >= '1' && stem[3] <= '9';
}

}  // namespace marrow
