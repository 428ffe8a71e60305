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

/// Turns for `Rig::along_bone` of skeletons whose bones run along any axis: toward the first child, or on
/// from the parent where there is none. Y of the turned axes lies across the body (along X of the model, or up where
/// the bone lies across itself), so that a turn about it swings fore and aft.
std::vector<Quat> directions_along_bones(const Skeleton& skeleton);
/// The same along that axis of each bone, of six, which points down the most at rest: for things that hang.
std::vector<Quat> directions_down(const Skeleton& skeleton);

/// How time is stepped. The defaults are what the tables of docs/modifiers were measured with.
struct Settings {
  double substep_seconds = 1.0 / 240.0;  ///< longest step of a solver; a frame is cut into equal ones
  double reset_seconds = 0.1;            ///< a longer frame starts the physics anew from the pose
  double reset_distance = 2.0;           ///< metres; so does a bone that moved further in one frame
  double reference_rate = 60.0;          ///< frames a second that factors "a frame" of the engine refer to
  bool native_law = false;       ///< the engine's own per-frame laws for Hinge, SpringBox and Roll, to compare with
  bool self_collision = false;   ///< spheres of `CollisionRadius` at the ends of ball joints push each other apart
  std::uint32_t noise_seed = 0;  ///< of the random part of wind
};

struct CompiledRigData;

/// A rig made ready to run: sorted, resolved, with all that follows from the rest pose computed once. Immutable, cheap
/// to copy, and safe to use from any number of threads.
class CompiledRig {
 public:
  /// Fails with `Malformed` where a link leaves the skeleton, a parent does not come before its child, or a number is
  /// not finite. Modifiers that cannot do anything (unknown classes, two equal axes, no target) are left out of the
  /// schedule, each with a note.
  static Result<CompiledRig> compile(const Rig& rig, const Settings& settings = {}, Notes* notes = nullptr);

  std::size_t bone_count() const;
  std::size_t modifier_count() const;
  /// Modifiers, as indices into `Rig::modifiers`, in the order they are solved.
  std::span<const std::uint32_t> schedule() const;
  /// Bones that carry an FX modifier, ascending.
  std::span<const std::int32_t> fx_bones() const;
  std::span<const Wrinkle> wrinkles() const;
  const Settings& settings() const;

  const CompiledRigData& data() const { return *data_; }

 private:
  explicit CompiledRig(std::shared_ptr<const CompiledRigData> data) : data_(std::move(data)) {}
  std::shared_ptr<const CompiledRigData> data_;
};

}  // namespace marrow::motion
