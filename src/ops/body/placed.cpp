// SPDX-License-Identifier: MIT
#include "ops/body/placed.h"

#include <array>
#include <string>
#include <unordered_map>

#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/body/rig.h"

namespace marrow {
namespace {

// The bones of glTF meshes are nodes of the file's own skeletons, and are found by name.
void find_bones(const Skeleton& rig, const DocumentBody& body, PlacedShape& placed) {
  std::unordered_map<std::string, std::int32_t> by_name;
  for (std::size_t i = 0; i < rig.bones.size(); ++i)
    by_name.try_emplace(to_lower(rig.bones[i].name), static_cast<std::int32_t>(i));
  for (const BodyBone& bone : body.shape.bones) {
    const auto found = by_name.find(to_lower(bone.name));
    placed.bones.push_back(found == by_name.end() ? kNoBone : found->second);
  }
}

}  // namespace

Result<PlacedShapes> placed_shapes(Document document, const Document* skeleton, Context& context) {
  MARROW_CHECK(read_parts(document, Parts::Skeletons | Parts::Bodies, context));
  PlacedShapes placed;
  if (document.nif()) {
    MARROW_CHECK(place_bodies(document, std::array{skeleton}, context));
    if (!document.skeletons.empty()) placed.rig = std::move(document.skeletons.front().skeleton);
  } else if (const auto main = main_skeleton(skeleton ? *skeleton : document)) {
    placed.rig = (*main)->skeleton;
  }
  for (DocumentBody& body : document.bodies) {
    if (body.shape.triangles.empty()) continue;
    PlacedShape& shape = placed.shapes.emplace_back();
    shape.parent = body.rig_parent;
    shape.place = body.place;
    if (document.nif()) {
      shape.bones = std::move(body.rig_bones);
      for (const BodyBone& bone : body.shape.bones) shape.inverse_binds.push_back(matrix_of(bone.bind));
    } else {
      find_bones(placed.rig, body, shape);
      shape.inverse_binds = std::move(body.inverse_binds);
    }
    shape.shape = std::move(body.shape);
  }
  return placed;
}

}  // namespace marrow
