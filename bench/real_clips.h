// SPDX-License-Identifier: MIT
// The clips of real files, for programs that measure on them.
#pragma once

#include <filesystem>

#include "havok/animation/animation.h"
#include "marrow/core/file.h"

namespace marrow::bench {

/// Calls `use(packfile, animation)` for every animation below a folder; not at all if there is none.
template <class Use>
void for_each_animation(const std::filesystem::path& folder, const Use& use) {
  if (!std::filesystem::is_directory(folder)) return;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".hkx") continue;
    const auto bytes = read_file(entry.path());
    const auto file = bytes ? havok::read_packfile(*bytes) : Result<havok::Packfile>(std::unexpect);
    if (!file) continue;
    for (const havok::ObjectId id : havok::find_animations(*file)) use(*file, id);
  }
}

}  // namespace marrow::bench
