// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace marrow::havok {

/// The text of a file in src/havok/schema, made into a source file when the build is configured.
struct ClassTable {
  std::string_view version;
  std::string_view text;
};

extern const std::span<const ClassTable> kClassTables;

}  // namespace marrow::havok
