// SPDX-License-Identifier: MIT
#include "motion/edit/posed_body.h"

#include <glm/geometric.hpp>
#include <optional>

#include "marrow/model/pose.h"
#include "motion/edit/two_bone.h"

namespace marrow::motion {

void PosedBody::pose(std::int32_t frame) {
  pose_from_frame(skeleton_, clip_, clip_.frame(frame), local_);
  update();
}

void PosedBody::update() { local_to_model(skeleton_, local_, model_); }

void PosedBody::set_rotation(std::int32_t bone, const Quatd& wanted) {
  local_[at(bone)].rotation = narrow(glm::conjugate(above(bone)) * wanted);
  update();
}

void PosedBody::move(std::int32_t bone, const Vec3d& way) {
  const std::int32_t parent = skeleton_.bones[at(bone)].parent;
  const Vec3 scale = parent == kNoBone ? Vec3(1.0f) : model_[at(parent)].scale;
  local_[at(bone)].translation += Vec3(glm::conjugate(above(bone)) * way) / scale;
  update();
}

std::vector<Vec3d> bending_axes(const Skeleton& skeleton, const Limb& limb, const Clip& clip) {
  PosedBody body(skeleton, clip);
  std::vector<std::optional<Vec3d>> axes;
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    body.pose(f);
    const Vec3d upper = body.place(limb.lower) - body.place(limb.upper),
                lower = body.place(limb.end) - body.place(limb.lower);
    const Vec3d axis = glm::cross(upper, lower);
    const bool is_bent = glm::length(axis) >= 0.02 * glm::length(upper) * glm::length(lower);
    axes.push_back(is_bent ? std::optional(glm::conjugate(body.rotation(limb.upper)) * axis) : std::nullopt);
  }
  std::vector<Vec3d> out;
  const auto count = static_cast<std::int32_t>(axes.size());
  for (std::int32_t f = 0; f < count; ++f) {
    std::optional<Vec3d> found;
    for (std::int32_t away = 0; away < count && !found; ++away) {
      if (f - away >= 0) found = axes[at(f - away)];
      if (!found && f + away < count) found = axes[at(f + away)];
    }
    out.push_back(found.value_or(Vec3d(0, 0, 1)));
  }
  return out;
}

void bend_limb(PosedBody& body, const Limb& limb, const Vec3d& goal, const Vec3d& axis) {
  const Vec3d a = body.place(limb.upper), b = body.place(limb.lower), c = body.place(limb.end);
  const LimbTurns turns = solve_two_bones(a, b, c, goal, body.rotation(limb.upper) * axis);
  const Quatd upper = turns.upper * body.rotation(limb.upper);
  const Quatd lower = turns.upper * turns.lower * body.rotation(limb.lower);
  body.set_rotation(limb.upper, upper);
  body.set_rotation(limb.lower, lower);
}

double reach_of(const PosedBody& body, const Limb& limb) {
  return glm::length(body.place(limb.lower) - body.place(limb.upper)) +
         glm::length(body.place(limb.end) - body.place(limb.lower));
}

std::vector<std::int32_t> tracks_by_bone(const Skeleton& skeleton, const Clip& clip) {
  std::vector<std::int32_t> tracks(skeleton.bones.size(), -1);
  for (std::size_t t = 0; t < at(clip.track_count); ++t)
    if (const std::int32_t bone = bone_of_track(clip, t); bone >= 0 && at(bone) < tracks.size())
      tracks[at(bone)] = static_cast<std::int32_t>(t);
  return tracks;
}

void put_pose(const PosedBody& body, const std::vector<std::int32_t>& track_of, const Clip& source, std::int32_t frame,
              Clip& clip) {
  for (std::size_t b = 0; b < track_of.size(); ++b) {
    if (track_of[b] < 0) continue;
    const Transform& from = body.local(static_cast<std::int32_t>(b));
    if (!(from == source.frame(frame)[at(track_of[b])]))
      clip.transforms[at(frame) * at(clip.track_count) + at(track_of[b])] = from;
  }
}

}  // namespace marrow::motion
