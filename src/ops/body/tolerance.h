// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <glm/geometric.hpp>

#include "marrow/model/body.h"

namespace marrow {

/// What differs by more than this was edited. A file that another program put into a bind pose of its own has more
/// rounding in it than one whose numbers are as they were written.
struct Tolerance {
  bool is_exact;

  bool same(float a, float b, float loose) const {
    return std::abs(a - b) <= (is_exact ? 2e-6f : loose) * (1.0f + std::abs(b));
  }
  bool position(const Vec3& a, const Vec3& b) const {
    for (int i = 0; i < 3; ++i) {
      const float limit = is_exact ? 2e-6f * (1.0f + std::abs(b[i])) : 0.001f + 4e-6f * std::abs(b[i]);
      if (!(std::abs(a[i] - b[i]) <= limit)) return false;
    }
    return true;
  }
  bool normal(const Vec3& a, const Vec3& b) const {
    if (!is_exact) return glm::dot(a, b) >= 0.99984769f * glm::length(a) * glm::length(b);  // one degree
    for (int i = 0; i < 3; ++i)
      if (!same(a[i], b[i], 0.0f)) return false;
    return true;
  }
  bool uv(const Vec2& a, const Vec2& b) const { return same(a.x, b.x, 1e-5f) && same(a.y, b.y, 1e-5f); }
  bool color(const Vec4& a, const Vec4& b) const {
    for (int i = 0; i < 4; ++i)
      if (!(std::abs(a[i] - b[i]) <= (is_exact ? 2e-6f * (1.0f + std::abs(b[i])) : 0.004f))) return false;
    return true;
  }
  bool weights(const VertexWeights& a, const VertexWeights& b) const {
    const float limit = is_exact ? 4e-6f : 0.002f;
    const auto of = [](const VertexWeights& all, std::uint16_t joint) {
      float sum = 0.0f;
      for (std::size_t k = 0; k < 4; ++k)
        if (all.bones[k] == joint) sum += all.weights[k];
      return sum;
    };
    for (const VertexWeights* each : {&a, &b})
      for (std::size_t k = 0; k < 4; ++k)
        if (each->weights[k] > 0.0f && std::abs(of(a, each->bones[k]) - of(b, each->bones[k])) > limit) return false;
    return true;
  }
};

}  // namespace marrow
