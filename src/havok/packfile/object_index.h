// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "havok/packfile/container.h"
#include "havok/packfile/fixup_index.h"

namespace marrow::havok {

/// Finds the object that starts at an offset of the data. Borrows the objects.
class ObjectIndex {
 public:
  /// `objects` are ascending and inside the data.
  ObjectIndex(std::span<const VirtualFixup> objects, std::size_t data_size)
      : objects_(objects), firsts_(data_size / kStretch + 2) {
    std::uint32_t i = 0;
    for (std::size_t stretch = 0; stretch < firsts_.size(); ++stretch) {
      while (i < objects.size() && objects[i].object < stretch * kStretch) ++i;
      firsts_[stretch] = i;
    }
  }

  /// Returns the number of the object that starts there, `kNowhere` if none does. `offset` is inside the data.
  std::uint32_t at(std::uint32_t offset) const {
    const std::size_t stretch = offset / kStretch;
    const auto near = objects_.subspan(firsts_[stretch], firsts_[stretch + 1] - firsts_[stretch]);
    const auto found = std::ranges::lower_bound(near, offset, {}, &VirtualFixup::object);
    if (found == near.end() || found->object != offset) return kNowhere;
    return firsts_[stretch] + static_cast<std::uint32_t>(found - near.begin());
  }

 private:
  static constexpr std::size_t kStretch = 256;

  std::span<const VirtualFixup> objects_;
  std::vector<std::uint32_t> firsts_;  // the first object that starts in a stretch of the data or after it
};

}  // namespace marrow::havok
