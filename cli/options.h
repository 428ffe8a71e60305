// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "verb.h"

namespace marrow::cli {

/// The word given with `--to` or `--game`, checked to be a game; empty where the option was not given.
std::string game_option(const Arguments& arguments, std::string_view name);
/// The bytes of the file given with `--skeleton` or `--base`; empty where the option was not given.
std::vector<std::byte> file_option(const Arguments& arguments, std::string_view name);
/// The lines of the file given with `--names`.
std::vector<std::string> names_option(const Arguments& arguments);

}  // namespace marrow::cli
