// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/rig.h"

namespace marrow::motion {

/// Returns rotations for `Rig::along_bone` of skeletons whose bones run along any axis: toward the first child, or away
/// from the parent if there is none. Y of the rotated axes points across the body (along X of the model, or up if the
/// bone itself points across), so that a rotation about it swings to the front and back.
std::vector<Quat> directions_along_bones(const Skeleton& skeleton);
/// Does the same with the axis of each bone, out of six, that points down the most at rest: for things that hang.
std::vector<Quat> directions_down(const Skeleton& skeleton);

/// How time is stepped. The tables in docs/modifiers were measured with the defaults.
struct Settings {
  double substep_seconds = 1.0 / 240.0;  ///< longest step of a solver; a frame is divided into equal steps
  double reset_seconds = 0.1;            ///< a longer frame resets physics to the pose
  double reset_distance = 2.0;           ///< metres; so does a bone that moved further in one frame
  double reference_rate = 60.0;          ///< frames per second that per-frame factors of the engine refer to
  bool native_law = false;       ///< use the engine's own per-frame laws for Hinge, SpringBox and Roll, for comparison
  bool self_collision = false;   ///< spheres of `CollisionRadius` at the ends of ball joints push each other apart
  std::uint32_t noise_seed = 0;  ///< seed of the random part of wind
};

struct CompiledRigData;

/// A rig prepared for evaluation: sorted, resolved, with everything that follows from the rest pose computed once.
/// Immutable, cheap to copy, and safe to use from any number of threads.
class CompiledRig {
 public:
  /// Compiles a rig. Fails with `Malformed` if a link leaves the skeleton, a parent does not come before its child, or
  /// a number is not finite. Modifiers without effect (unknown classes, two equal axes, no target) are left out of the
  /// schedule, each with a note.
  static Result<CompiledRig> compile(const Rig& rig, const Settings& settings = {}, Notes* notes = nullptr);

  std::size_t bone_count() const;
  std::size_t modifier_count() const;
  /// Returns the modifiers in solving order, as indices into `Rig::modifiers`.
  std::span<const std::uint32_t> schedule() const;
  /// Returns the bones with an FX modifier, in ascending order.
  std::span<const std::int32_t> fx_bones() const;
  std::span<const Wrinkle> wrinkles() const;
  const Settings& settings() const;

  const CompiledRigData& data() const { return *data_; }

 private:
  explicit CompiledRig(std::shared_ptr<const CompiledRigData> data) : data_(std::move(data)) {}
  std::shared_ptr<const CompiledRigData> data_;
};

}  // namespace marrow::motion
