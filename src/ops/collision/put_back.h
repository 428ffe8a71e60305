// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "marrow/ops/document/document.h"
#include "ops/table/describe.h"

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

/// A body, or the place of one on a node, whose objects an edited export no longer has.
struct GoneBody {
  std::size_t system = 0;  ///< of those that were put back
  std::size_t body = 0;
  std::string name = {};                 ///< of the object
  std::optional<std::size_t> node = {};  ///< of `DocumentCollision::nodes`: only this one is gone

  bool operator==(const GoneBody&) const = default;
};

struct PutBackOptions {
  bool solid = false;         ///< hulls were exported with their convex radius
  bool keep_missing = false;  ///< bodies and children whose objects are gone stay
  /// All systems were exported, as the record of the file says. Else a system without any object is left alone.
  bool all_exported = false;
};

struct PutBackReport {
  std::vector<ChangedBody> changed = {};
  std::vector<GoneBody> gone = {};  ///< still there: the caller removes them, from the last to the first
};

/// Puts the meshes of an exported file, edited or not, back into the systems that they were exported from. Objects are
/// matched to shapes, see `match_objects`; where an object is in the scene counts, whatever node holds it. A shape
/// whose object has not changed is not touched. One that has changed is built anew as what it was: a hull keeps its
/// convex radius, a mesh its filters, spheres and capsules stay such if they still are some, and become hulls
/// otherwise. Copies of an object are added to its body as shapes of its kind, other objects named after a body as
/// hulls. Children of compounds whose object is missing are removed. Mass, motion, layer and joints stay. One note per
/// object says what has become of it. Fails if no object is a shape of the systems, or if a shape cannot be built; then
/// nothing has changed.
Result<PutBackReport> put_back(std::vector<DocumentCollision>& systems, const Document& exported,
                               const PutBackOptions& options, Notes& notes);

}  // namespace marrow
