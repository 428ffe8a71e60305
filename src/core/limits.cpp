// SPDX-License-Identifier: MIT
#include "marrow/core/limits.h"

namespace marrow {

Limits Limits::for_input(std::size_t bytes) const {
  // Below what is promised, since the parsers of XML and glTF need some of it themselves.
  constexpr std::size_t kAnyInput = std::size_t{40} << 20, kPerByte = 12;
  Limits own = *this;
  if (max_expanded_bytes > kAnyInput && bytes < (max_expanded_bytes - kAnyInput) / kPerByte)
    own.max_expanded_bytes = kAnyInput + kPerByte * bytes;
  return own;
}

}  // namespace marrow
