// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace marrow {

/// Appends bytes as base64, with padding.
void append_base64(std::string& out, std::span<const std::byte> bytes);

/// Returns the bytes of base64 text, padded or not. Nothing if a character is not base64. Safe on untrusted text.
std::optional<std::vector<std::byte>> read_base64(std::string_view text);

}  // namespace marrow
