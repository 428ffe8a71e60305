// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "marrow/motion/evaluate.h"

// Modifiers are written with designated initialisers that name only what differs from the defaults.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

// Small rigs in code, and runs of them: what tests, benchmarks and plots of modifiers share.
namespace marrow::motion::support {

struct RigBuilder {
  Rig rig;

  /// Adds a bone and returns its index. Lengths in metres.
  std::int32_t bone(std::int32_t parent, Vec3 translation, Quat rotation = make_quat(0, 0, 0, 1));
  /// Adds a modifier to a bone and returns it, to set its base fields. Valid until the next is added.
  Modifier& modifier(std::int32_t owner, ModifierData data);
  std::vector<Transform> rest() const;
};

inline constexpr double kGravity = 9.81;
inline constexpr float kDegreesPerRadian = 180.0f / std::numbers::pi_v<float>;

/// A bone as what vectors take.
inline std::size_t at(std::int32_t bone) { return static_cast<std::size_t>(bone); }

inline BoneLink link(std::int32_t bone) { return {static_cast<std::uint64_t>(bone)}; }
Quat axis_angle(Vec3 axis, float degrees);

/// Drives a rig: called for each frame with its time, to move the pose and the environment.
using Drive = std::function<void(double seconds, std::vector<Transform>& pose, Environment& environment)>;

/// Poses by frame; the first is the input, before any step. Aborts on a rig that does not compile.
std::vector<std::vector<Transform>> run(const Rig& rig, double frames_per_second, double seconds, const Drive& drive,
                                        const Settings& settings = {});

/// The pose after one frame without any time.
std::vector<Transform> solved(const RigBuilder& builder, const std::vector<Transform>& pose,
                              const Settings& settings = {});

/// The hinges of the sword: about X by 45 degrees to both sides, about Y by 0 to 10.
HingeModifier sword_hinge(int axis);

/// A root that walks: forward with a surge, up and down twice a stride, swaying and turning once.
void walk(double seconds, Transform& root);

/// One modifier of the type with lively values, on a chain of bones that gives every link something to point to.
struct Specimen {
  RigBuilder builder;
  std::int32_t owner = 0;
};
Specimen specimen(ModifierType type);

/// The types that move something, in the order of the list: all but FX.
std::vector<ModifierType> moving_types();

}  // namespace marrow::motion::support
