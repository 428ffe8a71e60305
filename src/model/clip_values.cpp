// SPDX-License-Identifier: MIT
#include "model/clip_values.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <utility>

namespace marrow {
namespace {

std::unexpected<Error> refuse(std::string why, std::size_t index, std::size_t width, const char* kind) {
  return fail(ErrorCode::Malformed, std::move(why), kNoOffset,
              "frame " + std::to_string(index / width) + ", " + kind + " " + std::to_string(index % width));
}

}  // namespace

Result<void> check_values(const Clip& clip) {
  for (std::size_t i = 0; i < clip.transforms.size(); ++i) {
    const Transform& t = clip.transforms[i];
    const float square = glm::dot(t.rotation, t.rotation);
    const float sum = glm::dot(t.translation, Vec3(1.0f)) + glm::dot(t.scale, Vec3(1.0f)) + square;
    const auto tracks = static_cast<std::size_t>(clip.track_count);
    if (!std::isfinite(sum)) return refuse("a transform is not finite", i, tracks, "track");
    if (square == 0.0f) return refuse("a rotation is all 0", i, tracks, "track");
  }
  for (std::size_t i = 0; i < clip.floats.size(); ++i)
    if (!std::isfinite(clip.floats[i]))
      return refuse("a number is not finite", i, static_cast<std::size_t>(clip.float_track_count), "float track");
  return {};
}

}  // namespace marrow
