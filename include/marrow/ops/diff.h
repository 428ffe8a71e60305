// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// One place where two files mean something else.
struct Difference {
  std::string where;
  std::string left;  ///< empty where the left file has nothing there
  std::string right;

  bool operator==(const Difference&) const = default;
};

/// Compares two files by meaning: counts that are computed, encodings, dialects and pointer sizes are no difference.
/// Files of two kinds cannot be compared.
Result<std::vector<Difference>> diff(std::span<const std::byte> left, std::span<const std::byte> right,
                                     const Limits& limits = {});

}  // namespace marrow
