// SPDX-License-Identifier: MIT
// What is behind a schema: an index of its text, and the classes that have been read so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/sync.h"
#include "havok/object/schema.h"

namespace marrow::havok {

/// A class, from its lines in the text to its layout.
struct SchemaRow {
  std::string_view text;
  std::uint64_t line = 0;                    ///< of the first line of `text`
  bool is_borrowed = false;                  ///< the lines are those of another version
  std::unique_ptr<Class> type = nullptr;     ///< guarded by the table's mutex
  std::atomic<std::uint32_t> layouts{0};     ///< a bit for each layout, beside the usual ones, that is complete
  std::atomic<const Class*> ready{nullptr};  ///< `type`, once it and all it refers to are complete
};

using SchemaRows = std::unordered_map<std::string_view, SchemaRow>;

struct Schema::Table {
  std::string own_text;  ///< of a schema that outlives the text it was parsed from
  Mutex mutex;
  SchemaRows rows;
  const Schema* base = nullptr;  ///< has the classes that are not among the rows
};

/// Finds the lines of every class. Fails if a line is outside a class or a class is defined twice.
Result<SchemaRows> index_classes(std::string_view text);
/// Adds the classes of another version's table that `rows` does not have.
Result<void> borrow_classes(std::string_view text, SchemaRows& rows);
/// Lays out a class that has been read, and all it holds, for files of another layout.
void lay_out_row(SchemaRow& row, SchemaRows& rows, std::size_t layout);

/// Reads the class of a row of `rows`, and those it refers to, unless they have been read before. The offset of an
/// error is the line.
Result<void> read_class(SchemaRow& row, SchemaRows& rows);

}  // namespace marrow::havok
