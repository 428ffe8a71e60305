// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "havok/object/schema.h"

namespace marrow::havok {

enum class NumberStyle : std::uint8_t {
  Exact,  ///< the fewest digits that keep the bits, and the fourth lane of a tuple if it is not 0
  Fixed,  ///< six decimals, and the lanes that Havok's own tools write
};

/// Appends one number, enum or tuple as text: `0.5`, `true`, `ADDITIVE`, `(0 0 0)(0 0 0 1)(1 1 1)`. `pods` starts at
/// the value; `type` gives the names of an enum.
void append_value(std::string& out, const Type& type, Kind kind, std::span<const std::byte> pods,
                  NumberStyle style = NumberStyle::Exact);

/// Reads what `append_value` writes, and what other tools write: fewer digits, numbers for enums, tuples of three lanes
/// where the fourth is zero. Takes the value off the front of `text`; false if there is none of that kind.
bool take_value(std::string_view& text, const Type& type, Kind kind, std::span<std::byte> pods);

}  // namespace marrow::havok
