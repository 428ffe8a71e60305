// SPDX-License-Identifier: MIT
// The parts of a port that both directions share.
#pragma once

#include "marrow/model/body.h"
#include "nif/port.h"
#include "nif/record.h"

namespace marrow::nif {

/// A file that is being rewritten: blocks are read as they were, and written by the tables of the new stream.
struct Port {
  const NifFile& from;
  NifFile& to;
  const PortOptions& options;
  Notes& notes;
  std::vector<PortChange>& changes;
  std::vector<std::int32_t> removed = {};                          ///< blocks that go
  std::vector<std::pair<std::int32_t, std::int32_t>> placed = {};  ///< new blocks, each with the one it stands behind

  void change(const BodyShape& shape, std::string what, std::string was, std::string is) {
    changes.push_back({"shape '" + shape.name + "'", std::move(what), std::move(was), std::move(is)});
  }
};

Result<void> to_skyrim_se(Port& port, const std::vector<BodyShape>& shapes);
Result<void> to_skyrim_le(Port& port, const std::vector<BodyShape>& shapes);

/// Copies the fields that two records have in common, by name.
void copy_common(const Record& from, Record& to);
/// Writes a block in place of another, with its type.
Result<void> replace_block(NifFile& file, std::int32_t block, const Record& record);

}  // namespace marrow::nif
