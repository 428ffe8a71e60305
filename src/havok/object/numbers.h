// SPDX-License-Identifier: MIT
/// The numbers of all objects of a file, checked in one walk over the class descriptions.
#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "havok/packfile/packfile.h"
#include "marrow/core/finding.h"

namespace marrow::havok {

/// What holds for the numbers of one member of a class.
struct NumberRule {
  std::string_view class_name;
  std::string_view member;
  double min = std::numeric_limits<double>::lowest();
  double max = std::numeric_limits<double>::max();
  std::string_view not_above = {};   ///< another member of the record, which is at least as large
  std::string_view as_many_as = {};  ///< another array of the record: elements beyond its number are not used
  bool is_unit = false;              ///< a quaternion of unit length
  std::string_view why = {};         ///< what goes wrong otherwise
};

/// True if the numbers of a value are finite, or if it is of a kind that has none. `bytes` are those of one value.
/// Fourth lanes of vectors and matrices do not count.
bool is_finite(Kind kind, std::span<const std::byte> bytes);

/// Checks every floating-point number of every object: it must be finite (`E_NOT_FINITE`), and keep the rules for its
/// member (`E_RANGE`). Fourth lanes do not count, since Havok keeps other data there. Reports each member of an object
/// once. Safe for untrusted files.
Findings check_numbers(const Packfile& file, std::span<const NumberRule> rules = {});

}  // namespace marrow::havok
