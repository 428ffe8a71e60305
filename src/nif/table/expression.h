// SPDX-License-Identifier: MIT
// Counts and conditions of the block table: integers, `stream`, earlier fields, `up.FIELD` of the record around,
// `sum(FIELD)` of an array, and C's operators from || to *. A float counts as its bits.
#pragma once

#include <cstdint>
#include <string_view>

#include "nif/schema.h"

namespace marrow::nif {

class Record;

/// Parses an expression over the fields that `type` has so far. An expression of constants becomes one value. Returns
/// false if it is not one.
bool parse_expression(std::string_view text, RecordType& type, std::uint32_t stream, Expression& expression);

/// Returns the value of an expression; for conditions 0 is false. Operations that leave 64 bits give the largest
/// number, which no count survives.
std::uint64_t evaluate(const Expression& expression, const Record& record, const Record* up);

}  // namespace marrow::nif
