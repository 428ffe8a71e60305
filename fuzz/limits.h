// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace marrow::fuzz {

/// What an input may expand to. Small inputs that are not hostile need less, and hostile ones are refused soon: more
/// inputs are tried in the same time.
inline constexpr std::size_t kMaxExpandedBytes = std::size_t{1} << 20;

}  // namespace marrow::fuzz
