// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace marrow {

/// Returns the entry of `known` that `name` most likely stands for: one that differs in case or a few letters, or a
/// longer name that contains it. Returns an empty string if none is close. For messages; not fast.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

/// Returns `; did you mean NAME?` with the nearest of the known names, or an empty string if none is close. Every
/// message about an unknown name ends with it.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);
std::string did_you_mean(std::string_view name, std::span<const std::string> known);

}  // namespace marrow
