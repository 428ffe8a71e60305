// SPDX-License-Identifier: MIT
// Paths of members inside a node: `startStateId`, `transitions[2].eventId`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"

namespace marrow::behavior {

struct PathStep {
  std::string_view member;
  std::optional<std::uint64_t> index = {};
};

/// Splits the first step off a path.
Result<PathStep> take_step(std::string_view& path);

/// Returns the member of that name; the error names those that are like it.
Result<const havok::Member*> member_of(const havok::Class& type, std::string_view name);

/// The error of a path or value that does not fit the node.
std::unexpected<Error> bad_field(std::string message, std::string option = "field");

}  // namespace marrow::behavior
