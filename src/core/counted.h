// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/limits.h"

namespace marrow {

/// Returns options under whose limits the charges of a reader add up: with those of the other readers of the input, or
/// by themselves if nobody counts for the input.
template <class Options>
Options counted(Options options) {
  if (!options.limits.spent) options.limits.spent = std::make_shared<std::atomic<std::uint64_t>>(0);
  return options;
}

}  // namespace marrow
