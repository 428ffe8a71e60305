// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace marrow::nif {

/// The rows that describe Skyrim's collision blocks.
std::string_view bhk_table();

}  // namespace marrow::nif
