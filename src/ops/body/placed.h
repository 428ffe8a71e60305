// SPDX-License-Identifier: MIT
// Bodies ready to be drawn: each shape with the bones of one rig, for doors that pose and draw them.
#pragma once

#include <vector>

#include "marrow/model/body.h"
#include "marrow/model/skeleton.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// One shape on a rig.
struct PlacedShape {
  BodyShape shape;
  std::vector<std::int32_t> bones = {};  ///< by bone of the shape: a bone of the rig, or `kNoBone`
  std::vector<Mat4> inverse_binds = {};  ///< by bone of the shape: from the space of the positions to that of the bone
  std::int32_t parent = kNoBone;         ///< of a shape without skin: the bone of the rig that it hangs on
  Mat4 place{1.0f};                      ///< of a shape without skin: to the space of `parent`, or of the scene
};

struct PlacedShapes {
  Skeleton rig;  ///< the bones of the given skeleton first, in their order; those that only shapes have follow
  std::vector<PlacedShape> shapes;
};

/// Places the visible shapes of a NIF or glTF document on a skeleton, by the names of bones; without one, on the bones
/// of the file. Fails as `read_parts` does.
Result<PlacedShapes> placed_shapes(Document document, const Document* skeleton, Context& context);

}  // namespace marrow
