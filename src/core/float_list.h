// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace marrow {

/// Parses decimal numbers that are separated by commas, with white space around them. False, with `values` in any
/// state, if the text is anything but as many such numbers: it may still be text that `parse_float` takes piece by
/// piece.
bool parse_floats(std::string_view text, std::span<float> values);

}  // namespace marrow
