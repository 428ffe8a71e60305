// SPDX-License-Identifier: MIT
#include "ops/body/joint_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/mat3x3.hpp>

namespace marrow {
namespace {

using DMat3 = glm::dmat3;
using DMat4 = glm::dmat4;
using DVec3 = glm::dvec3;

/// Rotations that differ by less in every number are the same: a degree.
constexpr double kSameTurn = 0.02;
/// Places that differ by less, in units and as a part of the distance, are the same.
constexpr double kSameMove = 0.002, kSamePart = 1e-5;
/// Bones of a game are scaled by less than this; a larger scale of all is that of the armature.
constexpr double kScaleOfBones = 10.0;
/// Joints that agree: the others may have been moved.
constexpr double kEnough = 0.9;

double scale_of(const DMat4& matrix) { return std::cbrt(std::abs(glm::determinant(DMat3(matrix)))); }

bool is_same(const DMat3& a, const DMat3& b) {
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row)
      if (!(std::abs(a[column][row] - b[column][row]) <= kSameTurn)) return false;
  return true;
}

// The 24 turns by right angles, none first.
std::vector<DMat3> right_angles() {
  std::vector<DMat3> turns;
  std::array<int, 3> order = {0, 1, 2};
  do {
    for (unsigned signs = 0; signs < 8; ++signs) {
      DMat3 turn(0.0);
      for (int column = 0; column < 3; ++column)
        turn[column][order[static_cast<std::size_t>(column)]] = (signs >> column & 1u) != 0 ? -1.0 : 1.0;
      if (glm::determinant(turn) > 0.0) turns.push_back(turn);
    }
  } while (std::ranges::next_permutation(order).found);
  return turns;
}

/// A joint that moves vertices, and its bone.
struct Bound {
  std::size_t joint = 0;
  double weight = 0.0;        // of all vertices
  DMat4 own{1.0}, file{1.0};  // the bind transforms of the shape and of the file
  DMat3 own_turn{1.0}, file_turn{1.0};
  double size = 1.0;  // of the joint, if people applied the scale of the armature
};

std::vector<Bound> bound_joints(const DocumentBody& edited, const BodyShape& shape, const std::vector<int>& own) {
  std::vector<double> weight(own.size(), 0.0);
  for (const VertexWeights& each : edited.shape.weights)
    for (std::size_t k = 0; k < 4; ++k)
      if (each.bones[k] < weight.size()) weight[each.bones[k]] += static_cast<double>(each.weights[k]);
  std::vector<Bound> bound;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] < 0 || !(weight[i] > 0.0)) continue;
    Bound each{.joint = i,
               .weight = weight[i],
               .own = DMat4(matrix_of(shape.bones[static_cast<std::size_t>(own[i])].bind)),
               .file = DMat4(edited.inverse_binds[i])};
    const double sizes[] = {scale_of(each.own), scale_of(each.file)};
    if (std::ranges::any_of(sizes, [](double size) { return !(size > 1e-9) || !std::isfinite(size); })) continue;
    each.own_turn = DMat3(each.own) / sizes[0];
    each.file_turn = DMat3(each.file) / sizes[1];
    each.size = scale_of(DMat4(edited.joints[i]));
    bound.push_back(each);
  }
  const bool is_scaled = std::ranges::all_of(bound, [](const Bound& each) { return each.size >= kScaleOfBones; });
  for (Bound& each : bound)
    if (!is_scaled) each.size = 1.0;
  return bound;
}

// The bind matrix of a joint whose axes were turned is (turn back) * (bind transform of the shape) * (a move of the
// whole mesh), and that move is the same for all joints.
DMat3 turn_of_mesh(const Bound& bound, const DMat3& turn) {
  return glm::transpose(bound.own_turn) * turn * bound.file_turn;
}
DMat4 move_of_mesh(const Bound& bound, const DMat3& turn) {
  return glm::inverse(bound.own) * DMat4(turn * bound.size) * bound.file;
}

/// The turn of each joint's axes that agrees with the others about the mesh.
struct Agreement {
  std::vector<std::optional<DMat3>> turns;  // by bound joint
  std::size_t count = 0;
};

Agreement agreement(const std::vector<Bound>& bound, const DMat3& of_mesh, const std::vector<DMat3>& candidates) {
  Agreement found;
  for (const Bound& each : bound) {
    const auto turn = std::ranges::find_if(
        candidates, [&](const DMat3& candidate) { return is_same(turn_of_mesh(each, candidate), of_mesh); });
    found.turns.push_back(turn == candidates.end() ? std::nullopt : std::optional(*turn));
    found.count += found.turns.back().has_value();
  }
  return found;
}

// How far the mesh would be from the shape: by vertices if these are as many, else by its box.
double distance_of(const DMat4& move, const std::vector<Vec3>& mesh, const std::vector<Vec3>& shape) {
  const auto moved = [&](const Vec3& p) { return DVec3(move * glm::dvec4(DVec3(p), 1.0)); };
  double sum = 0.0;
  if (mesh.size() == shape.size()) {
    for (std::size_t i = 0; i < mesh.size(); ++i)
      sum += glm::distance(moved(mesh[i]), DVec3(shape[i])) / static_cast<double>(mesh.size());
    return sum;
  }
  std::array<DVec3, 4> ends;
  ends.fill(DVec3(std::numeric_limits<double>::max()));
  for (const Vec3& p : mesh) ends[0] = glm::min(ends[0], moved(p)), ends[1] = glm::min(ends[1], -moved(p));
  for (const Vec3& p : shape) ends[2] = glm::min(ends[2], DVec3(p)), ends[3] = glm::min(ends[3], -DVec3(p));
  return glm::distance(ends[0], ends[2]) + glm::distance(ends[1], ends[3]);
}

Agreement best_agreement(const std::vector<Bound>& bound, const DocumentBody& edited, const BodyShape& shape) {
  const std::vector<DMat3> candidates = right_angles();
  const Bound& heaviest = *std::ranges::max_element(bound, {}, &Bound::weight);
  Agreement best;
  double least = std::numeric_limits<double>::infinity();
  for (const DMat3& candidate : candidates) {
    Agreement found = agreement(bound, turn_of_mesh(heaviest, candidate), candidates);
    if (static_cast<double>(found.count) < kEnough * static_cast<double>(bound.size())) continue;
    // Bones that all stand alike fit any turn. An edit is less than a turn by a right angle.
    const double distance = distance_of(move_of_mesh(heaviest, candidate), edited.shape.positions, shape.positions);
    if (distance < least) least = distance, best = std::move(found);
  }
  return best;
}

// The one move, if there is one: the mean of those of all joints.
std::optional<DMat4> common_move(const std::vector<Bound>& bound, const Agreement& found, const DocumentBody& edited) {
  if (found.count < bound.size()) return std::nullopt;
  DMat4 mean(0.0);
  double sum = 0.0;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    mean += bound[i].weight * move_of_mesh(bound[i], *found.turns[i]);
    sum += bound[i].weight;
  }
  mean /= sum;
  Vec3 low(std::numeric_limits<float>::max()), high(-std::numeric_limits<float>::max());
  for (const Vec3& p : edited.shape.positions) low = glm::min(low, p), high = glm::max(high, p);
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const DMat4 own = move_of_mesh(bound[i], *found.turns[i]);
    for (unsigned corner = 0; corner < 8; ++corner) {
      const glm::dvec4 p(corner & 1u ? high.x : low.x, corner & 2u ? high.y : low.y, corner & 4u ? high.z : low.z, 1.0);
      const DVec3 there(mean * p);
      if (!(glm::distance(DVec3(own * p), there) <= kSameMove + kSamePart * glm::length(there))) return std::nullopt;
    }
  }
  return mean;
}

}  // namespace

std::optional<glm::dmat4> restore_axes(DocumentBody& edited, const BodyShape& shape, const std::vector<int>& own) {
  const std::vector<Bound> bound = bound_joints(edited, shape, own);
  if (bound.empty()) return std::nullopt;
  const Agreement found = best_agreement(bound, edited, shape);
  if (found.turns.empty()) return std::nullopt;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (!found.turns[i]) continue;
    const std::size_t at = bound[i].joint;
    const DMat4 joint(edited.joints[at]);
    // joint * back * (inverse of back) * bind: the product is as it was.
    const DMat4 back(glm::transpose(*found.turns[i]) / bound[i].size);
    edited.joints[at] = Mat4(joint * back);
    edited.inverse_binds[at] = Mat4(glm::inverse(back) * DMat4(edited.inverse_binds[at]));
  }
  // The bind matrices are turned now: what is left of each is the bind transform of the shape and the move.
  return common_move(bound, found, edited);
}

}  // namespace marrow
