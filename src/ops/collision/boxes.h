// SPDX-License-Identifier: MIT
/// The boxes of the bounding trees that collision is searched with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct CollisionBoxesOptions {
  std::int64_t depth = 6;  ///< boxes further below the root are left out
};

/// One box of a tree, in the space of the node, in game units.
struct CollisionBox {
  std::size_t system = 0, body = 0;
  std::int64_t depth = 0;  ///< 0 for the root
  Vec3 centre{0.0f};
  Vec3 size{0.0f};
  Quat rotation = make_quat(0, 0, 0, 1);
};

struct CollisionBoxesReport {
  std::vector<CollisionBox> boxes = {};
};

void describe(FieldList& fields, CollisionBoxesOptions& options);
void describe(FieldList& fields, CollisionBox& box);
void describe(FieldList& fields, CollisionBoxesReport& report);

/// Returns the boxes of meshes and compounds, as decoded from the file. Shapes without a tree have none. Needs
/// `Parts::Collision`. Fails with `NoCollision`, or as the decoding of a mesh does.
Result<CollisionBoxesReport> list_collision_boxes(const Document& document, const CollisionBoxesOptions& options,
                                                  Context& context);

}  // namespace marrow
