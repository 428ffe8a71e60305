// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "havok/object/schema.h"

namespace marrow::havok {

/// One number of a kind, read from or written to the bytes that memory holds. Halves are the upper half of a float.
double load_real(Kind kind, std::span<const std::byte> from);
std::int64_t load_integer(Kind kind, std::span<const std::byte> from);
void store_real(Kind kind, std::span<std::byte> to, double value);
void store_integer(Kind kind, std::span<std::byte> to, std::int64_t value);
/// Whether the kind can hold the value without loss.
bool fits(Kind kind, std::int64_t value);

}  // namespace marrow::havok
