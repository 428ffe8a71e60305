// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "marrow/core/error.h"
#include "marrow/model/transform.h"
#include "marrow/motion/compiled_rig.h"
#include "marrow/motion/state.h"

namespace marrow::motion {

/// Wind as a pure function of time: the same time gives the same wind in every run and at every frame rate.
struct Wind {
  Vec3 velocity{0.0f};            ///< direction and strength, metres per second
  float gust_share = 0.0f;        ///< how much gusts vary the strength, as a share of it
  float gusts_per_second = 0.5f;  ///< how often gusts change
  std::uint32_t gust_seed = 0;

  /// Returns the wind at a time, including gusts.
  glm::dvec3 at(double seconds) const;
};

/// The world around a character.
struct Environment {
  Vec3 gravity{0.0f, 0.0f, -9.81f};  ///< metres per second squared
  Wind wind = {};
  std::int32_t lod = 0;     ///< level of detail; modifiers beyond their limit are off
  Transform entity = {};    ///< the character in the world, in units of the skeleton
  bool teleported = false;  ///< the entity was moved elsewhere: physics is reset to the pose
};

/// The limit that a modifier ran into.
enum class LimitHit : std::uint8_t { None, Lower, Upper, Cone, Box, Angle, Scale, Contact };
std::string_view to_string(LimitHit hit);

/// What one modifier did in one frame.
struct Trace {
  bool ran = false;    ///< false: weight 0, beyond its level of detail, or not in the schedule
  bool reset = false;  ///< physics was reset
  float weight = 0.0f;
  Transform input;   ///< its starting point, in the world, in metres
  Transform target;  ///< the result of its law before blending
  Transform result;  ///< the bone after blending
  LimitHit limit = LimitHit::None;
};

/// One frame of one character. Inputs are borrowed for the call. Allocates nothing.
struct EvaluateJob {
  const CompiledRig* rig = nullptr;
  State* state = nullptr;
  Environment environment = {};
  double delta_seconds = 0.0;             ///< since the last frame; 0 or less repeats it without any change
  std::span<const Transform> input = {};  ///< the animated pose, local, one per bone
  std::span<const float> weights = {};    ///< one per modifier, multiplied with `BlendWeight`; empty: 1 each
  std::span<Transform> output = {};       ///< the pose with all modifiers, local; may be `input`
  std::span<Vec3> stretch = {};           ///< scale of each bone by Stretch, which children do not inherit; optional
  std::span<Trace> trace = {};            ///< one per modifier; optional

  /// Checks that sizes agree and numbers are finite.
  Result<void> validate() const;
  /// Evaluates the frame. Requires that `validate` succeeds. Bones that no modifier moves are unchanged, bit for bit.
  void run() const;
};

}  // namespace marrow::motion
