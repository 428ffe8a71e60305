// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace marrow::havok {

inline constexpr std::uint32_t kNowhere = UINT32_MAX;

/// Finds where a slot leads. A file lists its fixups in the order in which its values are read, so the one that is
/// asked for is nearly always the next one; one bit for each slot answers for those that lead nowhere. Files in any
/// other order are searched. Borrows the fixups.
class FixupIndex {
 public:
  /// Every slot (`first`) is a multiple of 4 inside the data.
  FixupIndex(std::span<const std::pair<std::uint32_t, std::uint32_t>> fixups, std::size_t data_size)
      : fixups_(fixups), is_used_(data_size / (4 * kBits) + 1) {
    bool twice = false;
    for (const auto& [slot, target] : fixups_) {
      std::uint64_t& word = is_used_[slot / (4 * kBits)];
      const std::uint64_t bit = std::uint64_t{1} << (slot / 4 % kBits);
      twice |= (word & bit) != 0;
      word |= bit;
    }
    if (twice) next_ = fixups_.size();  // the last one counts, which only a search finds
    is_ordered_ = !twice;
  }

  /// Returns the target of a slot, `kNowhere` if it has none.
  std::uint32_t find(std::uint32_t slot) {
    if (slot % 4 != 0 || !(is_used_[slot / (4 * kBits)] >> (slot / 4 % kBits) & 1)) return kNowhere;
    if (next_ < fixups_.size() && fixups_[next_].first == slot) return fixups_[next_++].second;
    return search(slot);
  }

 private:
  static constexpr std::uint32_t kBits = 64;

  std::uint32_t search(std::uint32_t slot) {
    const auto slot_of = [&](std::uint32_t i) { return fixups_[i].first; };
    if (by_slot_.empty()) {
      by_slot_.resize(fixups_.size());
      for (std::uint32_t i = 0; i < by_slot_.size(); ++i) by_slot_[i] = i;
      std::ranges::stable_sort(by_slot_, {}, slot_of);
    }
    const std::uint32_t found = *(std::ranges::upper_bound(by_slot_, slot, {}, slot_of) - 1);
    if (is_ordered_) next_ = found + 1;
    return fixups_[found].second;
  }

  std::span<const std::pair<std::uint32_t, std::uint32_t>> fixups_;
  std::vector<std::uint64_t> is_used_;
  std::vector<std::uint32_t> by_slot_;  // made by the first search
  std::size_t next_ = 0;
  bool is_ordered_ = true;  // false if a slot has several fixups
};

}  // namespace marrow::havok
