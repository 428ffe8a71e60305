// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "behavior/patch.h"

namespace marrow::fuzz {

/// Splits a text at lines of `====`.
inline std::vector<std::string_view> pieces_of(std::string_view text) {
  constexpr std::string_view kMark = "\n====\n";
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t end = text.find(kMark);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + kMark.size());
  }
}

/// Returns pieces as files of two mods, in turn: the first line of each is its name.
inline std::vector<behavior::Patch> mods_of(const std::vector<std::string_view>& pieces, std::size_t first) {
  std::vector<behavior::Patch> mods = {{"a", {}}, {"b", {}}};
  for (std::size_t i = first; i < pieces.size(); ++i) {
    const std::size_t line = pieces[i].find('\n');
    if (line == std::string_view::npos) continue;
    mods[i % 2].files.push_back({pieces[i].substr(0, line), pieces[i].substr(line + 1)});
  }
  return mods;
}

}  // namespace marrow::fuzz
