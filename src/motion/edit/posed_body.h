// SPDX-License-Identifier: MIT
// A pose whose limbs are bent, for edits that hold hands and feet at places.
#pragma once

#include <vector>

#include "marrow/model/clip.h"
#include "motion/edit/limb.h"
#include "motion/edit/turns.h"

namespace marrow::motion {

inline std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// A pose whose bones are turned in model space.
class PosedBody {
 public:
  PosedBody(const Skeleton& skeleton, const Clip& clip)
      : skeleton_(skeleton), clip_(clip), local_(skeleton.bones.size()), model_(skeleton.bones.size()) {}

  void pose(std::int32_t frame);
  /// Computes places again after local transforms were changed.
  void update();

  Vec3d place(std::int32_t bone) const { return Vec3d(model_[at(bone)].translation); }
  Quatd rotation(std::int32_t bone) const { return wide(model_[at(bone)].rotation); }
  /// Returns the rotation of the parent.
  Quatd above(std::int32_t bone) const {
    const std::int32_t parent = skeleton_.bones[at(bone)].parent;
    return parent == kNoBone ? Quatd(1, 0, 0, 0) : rotation(parent);
  }
  const Transform& local(std::int32_t bone) const { return local_[at(bone)]; }
  Transform& local(std::int32_t bone) { return local_[at(bone)]; }

  void set_rotation(std::int32_t bone, const Quatd& wanted);
  void move(std::int32_t bone, const Vec3d& way);

 private:
  const Skeleton& skeleton_;
  const Clip& clip_;
  std::vector<Transform> local_, model_;
};

/// Returns the axis that a limb bends about, in the space of its upper bone, by frame. A straight limb takes it from
/// the nearest frame at which it is bent.
std::vector<Vec3d> bending_axes(const Skeleton& skeleton, const Limb& limb, const Clip& clip);

/// Bends a limb so that its end is at the goal, or towards it if that is out of reach.
void bend_limb(PosedBody& body, const Limb& limb, const Vec3d& goal, const Vec3d& axis);

/// Returns the length of a straight limb in this pose.
double reach_of(const PosedBody& body, const Limb& limb);

/// Returns the track of each bone of a skeleton; -1 if it has none.
std::vector<std::int32_t> tracks_by_bone(const Skeleton& skeleton, const Clip& clip);

/// Writes a pose into a frame of a clip. Bones that were not changed since `source` keep their bits.
void put_pose(const PosedBody& body, const std::vector<std::int32_t>& track_of, const Clip& source, std::int32_t frame,
              Clip& clip);

}  // namespace marrow::motion
