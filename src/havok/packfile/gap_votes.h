// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// What a gap follows.
enum class GapKind : std::uint8_t { Body, Array, String };

/// Finds the fill of each kind of gap. A writer uses one value per kind, mostly one for the whole file; a file that was
/// patched afterwards may have others here and there, so the value that most gaps hold wins.
class GapVotes {
 public:
  /// Counts a gap that holds one value; others are not padding. `gap` is not empty.
  void note(GapKind kind, std::span<const std::byte> gap) {
    if (std::memcmp(gap.data(), gap.data() + 1, gap.size() - 1) != 0) return;
    const auto fill = std::to_integer<std::size_t>(gap.front());
    ++votes_[static_cast<std::size_t>(kind)][fill];
    ++all_[fill];
  }

  /// A kind that the file has no gap of takes the value of the others.
  Padding padding() const {
    Padding result;
    result.bodies = fill_of(votes_[static_cast<std::size_t>(GapKind::Body)]);
    result.arrays = fill_of(votes_[static_cast<std::size_t>(GapKind::Array)]);
    result.strings = fill_of(votes_[static_cast<std::size_t>(GapKind::String)]);
    return result;
  }

 private:
  using Counts = std::array<std::uint32_t, 256>;

  std::uint8_t fill_of(const Counts& votes) const {
    const auto most = std::ranges::max_element(votes);
    if (*most > 0) return static_cast<std::uint8_t>(most - votes.begin());
    return static_cast<std::uint8_t>(std::ranges::max_element(all_) - all_.begin());
  }

  std::array<Counts, 3> votes_{};
  Counts all_{};
};

}  // namespace marrow::havok
