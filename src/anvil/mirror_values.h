// SPDX-License-Identifier: MIT
// The values of a modifier as its counterpart on the other side has them.
//
// Let S be the reflection in X, R the rotation of a bone at rest in model space and R' that of its counterpart. A
// direction v of the bone becomes R'^-1 S R v there, a rotation vector minus that, and a rotation q of the bone's space
// K^-1 (S q S) K with K = (S R S)^-1 R'. The bones of the games are such that directions cross with Y negated.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include "marrow/model/modifiers.h"

namespace marrow::anvil {

/// How directions and rotations cross from a bone to its counterpart.
class Crossing {
 public:
  /// Of model space itself.
  Crossing() : Crossing(Quat(1, 0, 0, 0), Quat(1, 0, 0, 0)) {}
  Crossing(const Quat& rest, const Quat& other_rest);

  Vec4 vector(const Vec4& v) const;
  /// A rotation that is applied after this bone's and before that of the bone of `after`.
  Quat rotation(const Quat& q, const Crossing& after) const;
  Quat rotation(const Quat& q) const { return rotation(q, *this); }
  /// Returns the axis that one of six axes (X Y Z -X -Y -Z) becomes; nothing if it is not one of them.
  std::optional<int> axis(int index) const;
  /// True if axes become axes.
  bool is_aligned() const { return aligned_; }
  const glm::dquat& turn() const { return turn_; }

 private:
  glm::dquat turn_;  // K
  glm::dmat3 map_;   // R'^-1 S R
  bool aligned_ = true;
};

/// The crossings that the values of one modifier need.
struct Crossings {
  Crossing owner, parent;
  std::function<Crossing(BoneLink)> of;  ///< of the bone of a link; of model space for null
};

/// Mirrors the values of a modifier; links stay as they are. Returns why the result cannot be an exact mirror image,
/// empty if it is one.
std::string mirror_values(marrow::Modifier& modifier, const Crossings& crossings);

}  // namespace marrow::anvil
