// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

enum class DumpFormat : std::uint8_t { Text, Json };
template <>
struct ChoiceWords<DumpFormat> {
  static constexpr std::array<std::string_view, 2> words = {"text", "json"};
};

struct DumpOptions {
  std::optional<std::uint32_t> object = {};  ///< only this one
  DumpFormat format = DumpFormat::Text;
};

struct DumpReport {
  std::string dump = {};
  bool is_json = false;

  SavedFile text() const;
};

void describe(FieldList& fields, DumpOptions& options);
void describe(FieldList& fields, DumpReport& report);

/// Lists every object and field of a packfile, as it would be saved, with its value and its offset in the file that was
/// read. Fails with `WrongKind` on
/// other documents.
Result<DumpReport> dump(const Document& document, const DumpOptions& options, Context& context);

}  // namespace marrow
