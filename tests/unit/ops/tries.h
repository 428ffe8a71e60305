// SPDX-License-Identifier: MIT
// One call of every operation on authored files, for tests of what holds for all of them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/documents.h"

namespace marrow::test {

struct Try {
  std::string_view operation, options;
  std::vector<std::pair<std::string_view, std::string>> inputs;  ///< role and file
};

/// A call of every operation. An operation that is in the table and not here fails a test.
std::span<const Try> tries();
/// The files that they are tried on, by what they are.
std::map<std::string, Bytes> tried_files();

/// True if two files mean the same, but for motion that was encoded once more. By default that is twice the bound of
/// `save`, and what adds up along a chain.
bool mean_the_same(const Bytes& a, const Bytes& b, double most_degrees = 0.1, double most_units = 0.05);

}  // namespace marrow::test
