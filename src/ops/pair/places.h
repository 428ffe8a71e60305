// SPDX-License-Identifier: MIT
// Where the actors of a paired clip stand, and how its tracks are named.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <glm/trigonometric.hpp>

#include "marrow/model/clip.h"

namespace marrow {

/// Returns a place on the ground: where an actor stands and which way it faces.
inline Transform standing(const Vec3& at, float turn) { return {at, glm::angleAxis(turn, Vec3(0, 0, 1)), Vec3(1.0f)}; }

/// Returns the turn about the vertical, in radians.
inline float turn_of(const Quat& rotation) { return 2.0f * std::atan2(rotation.z, rotation.w); }

inline Transform standing_of(const Transform& t) { return standing(t.translation, turn_of(t.rotation)); }

/// Returns the second actor's place seen from the first: x, y, z, heading in degrees.
inline Vec4 seen_place(const Transform& first, const Transform& second) {
  const Transform seen = inverse(standing_of(first)) * second;
  return {seen.translation, glm::degrees(turn_of(seen.rotation))};
}

/// Returns the names that the annotation tracks give to the tracks of a clip; empty for those without.
inline std::vector<std::string> annotation_names(const Clip& clip) {
  std::vector<std::string> names(static_cast<std::size_t>(clip.track_count));
  for (std::size_t i = 0; i < std::min(names.size(), clip.annotation_tracks.size()); ++i)
    names[i] = clip.annotation_tracks[i].name;
  return names;
}

}  // namespace marrow
