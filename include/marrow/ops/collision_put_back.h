// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "marrow/ops/describe.h"
#include "marrow/ops/document.h"

namespace marrow {

/// A body that an edited export has changed.
struct ChangedBody {
  std::optional<std::int32_t> block = {};  ///< of the NIF
  std::size_t body = 0;
  std::string name = {};   ///< of the object, or of the first if there are several
  std::string shape = {};  ///< what it is now, as `list` names it

  bool operator==(const ChangedBody&) const = default;
};
void describe(FieldList& fields, ChangedBody& body);

/// Puts the meshes of an exported file, edited or not, back into the systems that they were exported from. Objects are
/// matched to shapes by name. A shape whose object has not changed is not touched. One that has changed is built anew
/// as what it was: a hull keeps its convex radius, a mesh its filters, spheres and capsules stay such if they still are
/// some, and become hulls otherwise, with a note. `solid` says that hulls were exported with their convex radius.
/// Objects named after a body are added to it, children of compounds whose object is missing are removed, with notes.
/// Mass, motion, layer and joints stay. Fails if no object is a shape of the systems, or if a shape cannot be built;
/// then nothing has changed.
Result<std::vector<ChangedBody>> put_back(std::vector<DocumentCollision>& systems, const Document& exported, bool solid,
                                          Notes& notes);

}  // namespace marrow
