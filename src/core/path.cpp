// SPDX-License-Identifier: MIT
// What is the same on every system; the rest is in system_NAME.cpp.
#include "core/path.h"

#include <algorithm>

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

}  // namespace marrow
