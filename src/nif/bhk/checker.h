// SPDX-License-Identifier: MIT
// What the checks of blocks share.
#pragma once

#include <string>
#include <vector>

#include "marrow/core/finding.h"
#include "nif/node.h"
#include "nif/record.h"

namespace marrow::bhk {

/// A file that is being checked.
struct CheckedFile {
  const NifFile& file;
  const Limits& limits;
  Findings& findings;
  std::vector<std::string> owner = {};  ///< by block: the node that it belongs to, empty if none does

  bool is(std::int32_t block, std::string_view type) const {
    const nif::RecordType* found = nif::type_of(file, block);
    return found && found->is_a(type);
  }
  /// True if blocks of this type can be shapes.
  bool is_shape(std::int32_t block) const {
    const std::string_view type = file.type_of(block);
    return type.starts_with("bhk") && type.ends_with("Shape");
  }
  void add(std::string code, Level level, std::string message, std::int32_t block, std::optional<Cure> cure = {}) {
    std::string where = "blocks[" + std::to_string(block) + "]";
    const auto i = static_cast<std::size_t>(block);
    if (i < owner.size() && !owner[i].empty()) where += ", node '" + owner[i] + "'";
    findings.push_back({std::move(code), level, std::move(message), std::move(where), std::move(cure)});
  }
};

/// Check one block of a kind.
void check_hull(CheckedFile& checked, std::int32_t block, const nif::Record& record);
void check_mesh_data(CheckedFile& checked, std::int32_t block, const nif::Record& record);
void check_code(CheckedFile& checked, std::int32_t block, const nif::Record& record);

}  // namespace marrow::bhk
