// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "havok/packfile/packfile.h"

// Bones and annotation tracks: records in an array, and objects behind an array of pointers before version 7.

namespace marrow::havok {

/// Returns the fields of entry `i` of an array of records or of pointers to objects; nothing if the pointer leads to no
/// object whose class is known.
std::optional<FieldsView> row_at(const Packfile& file, const ArrayView& array, std::uint32_t i);

/// Makes an array of records or of pointers have `count` rows for writing, of class `row_class` if they are objects.
/// Records start out zero, objects keep what they hold.
void resize_rows(Packfile& file, ObjectId owner, std::string_view member, std::uint32_t count,
                 std::string_view row_class);
/// Returns the fields of such a row. Valid until an object is added to the file.
Fields row_for_writing(Packfile& file, ObjectId owner, std::string_view member, std::uint32_t i);

}  // namespace marrow::havok
