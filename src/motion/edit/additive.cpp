// SPDX-License-Identifier: MIT
#include "motion/edit/additive.h"

#include "marrow/model/pose.h"
#include "motion/edit/blend.h"

namespace marrow::motion {

Transform additive_difference(BlendHint hint, const Transform& reference, const Transform& pose) {
  if (hint == BlendHint::Additive) return additive_value(reference, pose);
  Transform value;
  value.rotation = glm::normalize(pose.rotation * glm::conjugate(reference.rotation));
  value.scale = pose.scale / reference.scale;
  value.translation = pose.translation - value.rotation * (value.scale * reference.translation);
  return value;
}

Transform with_additive(BlendHint hint, const Transform& base, const Transform& value, double weight) {
  Transform share = value;
  if (weight != 1.0) {
    Transform near = value;
    if (near.rotation.w < 0.0f) near.rotation = -near.rotation;
    share = mix(Transform{}, near, weight);
  }
  Transform out = hint == BlendHint::Additive ? base * share : share * base;
  out.rotation = glm::normalize(out.rotation);
  return out;
}

}  // namespace marrow::motion
