// SPDX-License-Identifier: MIT
#include "ops/body/edited.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <glm/gtc/matrix_inverse.hpp>
#include <glm/mat3x3.hpp>

#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/body/joint_axes.h"
#include "ops/document/object_names.h"

namespace marrow {
namespace {

using DMat4 = glm::dmat4;

bool is_near(const Mat4& a, const Mat4& b) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      if (std::abs(a[column][row] - b[column][row]) > 1e-6f * (1.0f + std::abs(b[column][row]))) return false;
  return true;
}

// The joint of the shape that a joint of the file is: by name, of several by the bind transform.
int joint_of(const DocumentBody& edited, std::size_t bone, const BodyShape& shape, const Joints& joints) {
  int found = -1;
  for (std::size_t i = 0; i < joints.bone_of.size(); ++i) {
    const BodyBone& own = shape.bones[joints.bone_of[i]];
    if (!equal_ignoring_case(own.name, edited.shape.bones[bone].name)) continue;
    if (is_near(edited.inverse_binds[bone], matrix_of(own.bind))) return static_cast<int>(i);
    if (found < 0) found = static_cast<int>(i);
  }
  return found;
}

void transform_vertex(const DMat4& to_skin, BodyShape& mesh, std::size_t i) {
  mesh.positions[i] = Vec3(to_skin * glm::dvec4(glm::dvec3(mesh.positions[i]), 1.0));
  if (i < mesh.normals.size()) {
    const glm::dvec3 turned = glm::dmat3(to_skin) * glm::dvec3(mesh.normals[i]);
    const double length = glm::length(turned);
    if (length > 0.0) mesh.normals[i] = Vec3(turned / length);
  }
}

Result<std::vector<int>> joints_of(const DocumentBody& edited, const BodyShape& shape, const Joints& joints) {
  std::vector<bool> is_used(edited.shape.bones.size());
  for (const VertexWeights& weights : edited.shape.weights)
    for (std::size_t k = 0; k < 4; ++k)
      if (weights.weights[k] > 0.0f && weights.bones[k] < is_used.size()) is_used[weights.bones[k]] = true;
  std::vector<int> found;
  for (std::size_t i = 0; i < edited.shape.bones.size(); ++i) {
    found.push_back(joint_of(edited, i, shape, joints));
    if (found.back() < 0 && is_used[i])
      return fail(ErrorCode::NotFound,
                  "the mesh has weights for '" + edited.shape.bones[i].name +
                      "', which is not a bone of the shape; remove them, or add the bone to the NIF",
                  kNoOffset, "shape '" + shape.name + "'");
  }
  return found;
}

// Where the file shows a vertex, and from there back through the shape's own bind transforms. Nothing for a vertex
// without weights.
std::optional<DMat4> to_skin_space(const VertexWeights& weights, const std::vector<DMat4>& shown,
                                   const std::vector<DMat4>& stored) {
  DMat4 there(0.0), back(0.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double weight = static_cast<double>(weights.weights[k]);
    if (!(weight > 0.0) || weights.bones[k] >= shown.size()) continue;
    there += shown[weights.bones[k]] * weight;
    back += stored[weights.bones[k]] * weight;
    sum += weight;
  }
  if (!(sum > 0.0) || std::abs(glm::determinant(back)) < 1e-12) return std::nullopt;
  return glm::inverse(back / sum) * (there / sum);
}

Vec3 middle_of(const std::vector<Vec3>& positions) {
  Vec3 sum(0.0f);
  for (const Vec3& position : positions) sum += position / static_cast<float>(positions.size());
  return sum;
}

// A mesh that lost its skin: it stands in the model as another program shows it, or still in the space of the skin.
// What is nearer to the shape is meant.
void take_unskinned(const DocumentBody& edited, const BodyShape& shape, const BonePlaces& places, EditedMesh& result) {
  result.is_exact = false;
  result.mesh.weights.clear();
  const std::optional<Mat4> to_model = skin_to_model(shape, places);
  if (!to_model || std::abs(glm::determinant(DMat4(*to_model))) < 1e-12) return;
  BodyShape moved = result.mesh;
  const DMat4 back = glm::inverse(DMat4(*to_model)) * DMat4(edited.place);
  for (std::size_t i = 0; i < moved.positions.size(); ++i) transform_vertex(back, moved, i);
  const Vec3 own = middle_of(shape.positions);
  if (glm::distance(middle_of(moved.positions), own) < glm::distance(middle_of(result.mesh.positions), own))
    result.mesh = std::move(moved);
}

}  // namespace

Joints::Joints(const BodyShape& shape) {
  for (std::size_t i = 0; i < shape.bones.size(); ++i) {
    const auto same = std::ranges::find_if(bone_of, [&](std::uint16_t bone) {
      return shape.bones[bone].node == shape.bones[i].node && shape.bones[bone].bind == shape.bones[i].bind;
    });
    of_bone.push_back(static_cast<std::uint16_t>(same - bone_of.begin()));
    if (same == bone_of.end()) bone_of.push_back(static_cast<std::uint16_t>(i));
  }
}

Result<EditedMesh> bring_into_space(const DocumentBody& given, const BodyShape& shape, const Joints& joints,
                                    const BonePlaces& places) {
  DocumentBody edited = given;
  EditedMesh result{.mesh = edited.shape};
  BodyShape& mesh = result.mesh;
  if (!shape.is_skinned) {
    mesh.weights.clear();
    const DMat4 place = glm::inverse(DMat4(matrix_of(shape.world))) * DMat4(edited.place);
    result.is_exact = is_near(edited.place, matrix_of(shape.world));
    for (std::size_t i = 0; i < mesh.positions.size() && !result.is_exact; ++i) transform_vertex(place, mesh, i);
    if (glm::determinant(glm::dmat3(place)) < 0.0)
      for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return result;
  }
  if (!edited.shape.is_skinned) {
    take_unskinned(edited, shape, places, result);
    return result;
  }
  const std::size_t bones = edited.shape.bones.size();
  if (edited.joints.size() != bones || edited.inverse_binds.size() != bones ||
      edited.shape.weights.size() != mesh.positions.size())
    return fail(ErrorCode::InvalidArgument, "the mesh does not state where its joints are at rest", kNoOffset,
                "mesh '" + edited.shape.name + "'");
  MARROW_TRY(const std::vector<int> found, joints_of(edited, shape, joints));
  std::vector<int> own;
  for (std::size_t i = 0; i < found.size(); ++i) {
    own.push_back(found[i] < 0 ? -1 : joints.bone_of[static_cast<std::size_t>(found[i])]);
    if (own[i] >= 0)
      result.is_exact &=
          is_near(edited.inverse_binds[i], matrix_of(shape.bones[static_cast<std::size_t>(own[i])].bind));
  }
  std::optional<DMat4> move;
  if (!result.is_exact) move = restore_axes(edited, shape, own);
  std::vector<DMat4> shown, stored;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Mat4 bind =
        own[i] < 0 ? edited.inverse_binds[i] : matrix_of(shape.bones[static_cast<std::size_t>(own[i])].bind);
    shown.push_back(DMat4(edited.joints[i]) * DMat4(edited.inverse_binds[i]));
    stored.push_back(DMat4(edited.joints[i]) * DMat4(bind));
  }
  std::optional<DMat4> any = move;
  for (std::size_t i = 0; i < mesh.positions.size() && !any && !result.is_exact; ++i)
    any = to_skin_space(mesh.weights[i], shown, stored);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (!result.is_exact) {
      const auto own_move = move ? move : to_skin_space(mesh.weights[i], shown, stored);
      transform_vertex(own_move.value_or(any.value_or(DMat4(1.0))), mesh, i);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const int joint = mesh.weights[i].weights[k] > 0.0f ? found[mesh.weights[i].bones[k]] : 0;
      mesh.weights[i].bones[k] = static_cast<std::uint16_t>(std::max(joint, 0));
    }
  }
  return result;
}

std::vector<int> match_shapes(const std::vector<BodyShape>& shapes, const std::vector<DocumentBody>& edited) {
  std::vector<int> match(edited.size(), -1);
  std::vector<bool> is_taken(shapes.size());
  const auto take = [&](std::size_t body, std::size_t shape) {
    match[body] = static_cast<int>(shape);
    is_taken[shape] = true;
  };
  for (std::size_t i = 0; i < edited.size(); ++i)
    for (std::size_t k = 0; k < shapes.size() && match[i] < 0; ++k)
      if (edited[i].shape.block == shapes[k].block && edited[i].shape.block >= 0) take(i, k);
  for (std::size_t i = 0; i < edited.size(); ++i)
    for (std::size_t k = 0; k < shapes.size() && match[i] < 0; ++k)
      if (!is_taken[k] && !shapes[k].name.empty() && edited[i].shape.name == shapes[k].name) take(i, k);
  // Parts of a shape that another program split are named after it: `Body.001`.
  for (std::size_t i = 0; i < edited.size(); ++i)
    for (std::size_t k = 0; k < shapes.size() && match[i] < 0; ++k)
      if (!shapes[k].name.empty() && comparable_name(edited[i].shape.name) == comparable_name(shapes[k].name))
        take(i, k);
  for (std::size_t i = 0; i < edited.size(); ++i)
    for (std::size_t k = 0; k < shapes.size() && match[i] < 0; ++k)
      if (!is_taken[k] && shapes[k].name.empty() && !shapes[k].triangles.empty() &&
          edited[i].shape.positions.size() == shapes[k].positions.size())
        take(i, k);
  return match;
}

void append_mesh(EditedMesh& all, EditedMesh more) {
  const auto first = static_cast<std::uint16_t>(all.mesh.positions.size());
  const auto join = [&](auto& to, const auto& from) {
    if (to.size() == first && from.size() == more.mesh.positions.size())
      to.insert(to.end(), from.begin(), from.end());
    else
      to.clear();
  };
  join(all.mesh.normals, more.mesh.normals);
  join(all.mesh.uvs, more.mesh.uvs);
  join(all.mesh.colors, more.mesh.colors);
  join(all.mesh.weights, more.mesh.weights);
  for (auto triangle : more.mesh.triangles) {
    for (std::uint16_t& corner : triangle) corner = static_cast<std::uint16_t>(corner + first);
    all.mesh.triangles.push_back(triangle);
  }
  all.mesh.positions.insert(all.mesh.positions.end(), more.mesh.positions.begin(), more.mesh.positions.end());
  all.is_exact = all.is_exact && more.is_exact;
}

}  // namespace marrow
