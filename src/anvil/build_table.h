// SPDX-License-Identifier: MIT
/// Build tables, through which the games load addon skeletons. Their layout is not published: a table is kept as it is,
/// and only the numbers in it are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::anvil {

/// A number in a table that refers to a skeleton, or may do so.
struct TableReference {
  std::uint32_t line = 0;
  std::string element;  ///< its path, `BuildTable/Columns/BuildColumn[2]/Value`
  std::uint64_t id = 0;
};

/// Returns the references of an XML file to any of `ids`, and to whatever stands in an element that names the type
/// Skeleton. Fails if it is not XML. Safe on untrusted input.
Result<std::vector<TableReference>> find_references(std::span<const std::byte> table,
                                                    std::span<const std::uint64_t> ids, const Limits& limits = {});

/// Replaces whole numbers in the values and attributes of an XML file. Every other byte stays as it is. Returns how
/// often each was replaced, by its old value.
std::map<std::uint64_t, std::size_t> replace_ids(std::vector<std::byte>& table,
                                                 const std::map<std::uint64_t, std::uint64_t>& ids);

}  // namespace marrow::anvil
