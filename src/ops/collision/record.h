// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/ops/document/document.h"

/// The record that exported collision carries, so that it comes back as the same bodies:
/// docs/formats/collision-record.md.
namespace marrow {

/// One system of a record, with the packfile that it was exported from.
struct RecordedSystem {
  havok::Packfile packfile;
  DocumentCollision collision;  ///< as `load` reads it; `packfile` and `ordinal` are those of this record
};

struct CollisionRecord {
  bool solid = false;         ///< hulls were exported with their convex radius
  bool has_packfiles = true;  ///< false for collision that is kept as blocks: only the NIF itself has it
  std::vector<RecordedSystem> systems = {};
};

/// Returns the record of a document's systems as JSON text; empty if the document holds none or was not read from a
/// file. Cloth is not in it.
std::string write_collision_record(const Document& document, bool solid);

/// Reads a record. Safe on untrusted text: the packfiles are read as any others, within `limits`.
Result<CollisionRecord> read_collision_record(std::string_view text, const Limits& limits = {});
/// Reads the record of a mesh file; nothing if it has none. Errors name the file.
Result<std::optional<CollisionRecord>> record_of(const Document& mesh, const Limits& limits = {});

}  // namespace marrow
