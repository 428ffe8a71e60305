// SPDX-License-Identifier: MIT
// Numbers of objects: the names that patches of behaviours use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// Returns `#0051` for 51: at least four digits.
std::string numbered_name(std::uint64_t number);
/// Returns 51 for `#0051`; nothing if the name is not a number.
std::optional<std::uint64_t> number_of_name(std::string_view name);

/// The numbers that the modders' converter gives the objects of a plain packfile, and the order in which it writes them
/// (docs/formats/packfile.md).
struct NodeNumbers {
  std::vector<std::uint64_t> of;        ///< by object
  std::vector<std::uint32_t> in_order;  ///< the objects as a document lists them
};

/// Numbers the objects of a project, character or behaviour file. Returns nothing for other files, and if an object
/// carries a name already. Objects that the root does not reach come last.
std::optional<NodeNumbers> behaviour_numbers(const Packfile& file);

/// Returns the number of each object of a file with node ids: that of its name, or the next free one. Fails if two
/// objects have the same.
Result<std::vector<std::uint64_t>> node_ids(const Packfile& file);

}  // namespace marrow::havok
