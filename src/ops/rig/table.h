// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct BuildTableOptions {
  std::string_view table = {};                  ///< a BuildTable as XML
  std::vector<const Document*> skeletons = {};  ///< whose references are wanted
  std::optional<std::uint64_t> from = {}, to = {};
  const Document* before = nullptr;  ///< a skeleton before it was renumbered
  const Document* after = nullptr;   ///< the same skeleton now
};

struct TableEntry {
  std::uint32_t line = 0;
  std::string element = {};
  std::uint64_t id = 0;
  std::optional<std::string> skeleton = {};  ///< the file that has the id, if it was given
};

struct BuildTableReport {
  std::vector<TableEntry> references = {};
  std::size_t replaced = 0;
  std::vector<std::byte> table = {};  ///< with the new ids; empty if none were asked for

  /// Returns the table with the new ids, or the references as text.
  SavedFile text() const;
};

void describe(FieldList& fields, BuildTableOptions& options);
void describe(FieldList& fields, TableEntry& entry);
void describe(FieldList& fields, BuildTableReport& report);

/// Lists what refers to skeletons in a BuildTable, or changes ids in it: one, or those of a skeleton that was
/// renumbered. Every other byte stays. Fails with `NotFound` if an id that is to be changed is not there.
Result<BuildTableReport> build_table(const BuildTableOptions& options, Context& context);

}  // namespace marrow
