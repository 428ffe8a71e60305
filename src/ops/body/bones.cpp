// SPDX-License-Identifier: MIT
#include "ops/body/bones.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_inverse.hpp>
#include <glm/mat3x3.hpp>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "nif/add_shape.h"
#include "nif/node.h"
#include "ops/body/rig.h"

namespace marrow {
namespace {

// Skins store nine numbers and one scale.
BindTransform bind_of(const glm::dmat4& matrix) {
  const double scale = std::cbrt(glm::determinant(glm::dmat3(matrix)));
  BindTransform bind;
  bind.scale = static_cast<float>(scale);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      bind.rotation[static_cast<std::size_t>(3 * row + column)] = static_cast<float>(matrix[column][row] / scale);
  bind.translation = Vec3(glm::dvec3(matrix[3]));
  return bind;
}

}  // namespace

BonePlaces::BonePlaces(std::span<const Document* const> skeletons, std::optional<Game> game) {
  for (const Document* document : skeletons)
    if (document)
      for (const DocumentSkeleton& each : document->skeletons)
        if (!each.is_ragdoll) add(each.skeleton);
  if (game != Game::Fallout4) return;
  for (const SkinBone& each : fallout4_skin_bones())
    if (const Transform* parent = find(each.parent)) places_.try_emplace(to_lower(each.name), *parent * each.local);
}

BonePlaces::BonePlaces(const NifFile& file) {
  if (const auto nodes = read_nodes(file))
    for (const NifNode& node : *nodes) places_.try_emplace(to_lower(node.name), node.world);
}

void BonePlaces::add(const Skeleton& skeleton) {
  std::vector<Transform> model;
  for (const Bone& bone : skeleton.bones) model.push_back(bone.rest);
  local_to_model(skeleton, model, model);
  for (std::size_t i = 0; i < model.size(); ++i) places_.try_emplace(to_lower(skeleton.bones[i].name), model[i]);
}

const Transform* BonePlaces::find(std::string_view name) const {
  const auto found = places_.find(to_lower(name));
  return found == places_.end() ? nullptr : &found->second;
}

std::optional<Mat4> skin_to_model(const BodyShape& shape, const BonePlaces& places) {
  std::vector<double> moved(shape.bones.size(), 0.0);
  for (const VertexWeights& weights : shape.weights)
    for (std::size_t k = 0; k < 4; ++k)
      if (weights.bones[k] < moved.size()) moved[weights.bones[k]] += static_cast<double>(weights.weights[k]);
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < shape.bones.size(); ++i)
    if (places.find(shape.bones[i].name) && (!best || moved[i] > moved[*best])) best = i;
  if (!best) return std::nullopt;
  return matrix_of(*places.find(shape.bones[*best].name)) * matrix_of(shape.bones[*best].bind);
}

std::vector<std::string> missing_bones(const BodyShape& mesh, const BodyShape& shape) {
  std::vector<std::string> names;
  std::vector<bool> is_used(mesh.bones.size());
  for (const VertexWeights& weights : mesh.weights)
    for (std::size_t k = 0; k < 4; ++k)
      if (weights.weights[k] > 0.0f && weights.bones[k] < is_used.size()) is_used[weights.bones[k]] = true;
  for (std::size_t i = 0; i < mesh.bones.size(); ++i) {
    const auto is_same = [&](std::string_view known) { return equal_ignoring_case(known, mesh.bones[i].name); };
    if (is_used[i] && std::ranges::none_of(shape.bones, is_same, &BodyBone::name) &&
        std::ranges::none_of(names, is_same))
      names.push_back(mesh.bones[i].name);
  }
  return names;
}

Result<void> add_bones(NifFile& file, const BodyShape& shape, const std::vector<std::string>& names,
                       const BonePlaces& skeleton) {
  const BonePlaces own(file);
  for (const std::string& name : names) {
    // The place of the bone and those of the others must come from one source.
    const BonePlaces& places = skeleton.find(name) ? skeleton : own;
    const Transform* place = places.find(name);
    std::optional<Mat4> to_model = skin_to_model(shape, places);
    if (!to_model) to_model = skin_to_model(shape, own);  // a shape of another character: its own nodes say where it is
    if (!place || !to_model)
      return fail(ErrorCode::NotFound,
                  "the mesh has weights for '" + name +
                      "', which is not a bone of the shape; give the skeleton that has it, or remove the weights",
                  kNoOffset, "shape '" + shape.name + "'");
    const glm::dmat4 bind = glm::inverse(glm::dmat4(matrix_of(*place))) * glm::dmat4(*to_model);
    MARROW_CHECK(add_skin_bone(file, shape.block, {.name = name, .place = *place, .bind = bind_of(bind)}));
  }
  return {};
}

}  // namespace marrow
