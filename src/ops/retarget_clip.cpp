// SPDX-License-Identifier: MIT
#include "marrow/ops/retarget.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "marrow/model/pose.h"
#include "ops/retarget_body.h"

namespace marrow {
namespace {

class Retargeter {
 public:
  Retargeter(const Skeleton& from, const Skeleton& to, const BodyPair& bodies)
      : from_(from),
        to_(to),
        bodies_(bodies),
        from_model_(from.bones.size()),
        to_model_(to.bones.size()),
        stance_(bodies.legs.size()) {
    // Where the feet stand if the legs just point as the source's do at rest. This is the same for every clip, so that
    // clips can be blended.
    std::vector<Transform> rest, to_local(to.bones.size());
    for (const Bone& bone : from.bones) rest.push_back(bone.rest);
    turn_bones(rest, to_local);
    for (std::size_t i = 0; i < bodies_.legs.size(); ++i) {
      const Leg& leg = bodies_.legs[i];
      stance_[i] = to_model_[leg.to_foot].translation - scaled_foot(leg);
      // Soles touch the ground in both bodies.
      stance_[i].z =
          bodies_.to_rest[leg.to_foot].translation.z - bodies_.scale * bodies_.from_rest[leg.from_foot].translation.z;
    }
  }

  float worst_miss = 0.0f;
  std::int32_t misses = 0;

  /// Converts a local pose of the source to a local pose of the target.
  void pose(std::span<const Transform> from_local, std::span<Transform> to_local) {
    turn_bones(from_local, to_local);
    for (std::size_t i = 0; i < bodies_.legs.size(); ++i) plant(bodies_.legs[i], i, to_local);
  }

 private:
  void turn_bones(std::span<const Transform> from_local, std::span<Transform> to_local) {
    local_to_model(from_, from_local, from_model_);
    for (std::size_t i = 0; i < to_local.size(); ++i) {
      to_local[i] = to_.bones[i].rest;
      if (bodies_.links[i]) follow(i, *bodies_.links[i], from_local, to_local[i]);
      to_model_[i] = above(i) * to_local[i];
    }
    if (bodies_.hips) carry_legs(*bodies_.hips, to_local);
  }

  // Thighs are attached to the hips differently in every body. For the legs to point as the source's do, they must
  // start as far from the source's start as they did at rest: the hips are moved to achieve that.
  void carry_legs(std::size_t hips, std::span<Transform> to_local) {
    Vec3 ours(0.0f), theirs(0.0f);
    for (const Leg& leg : bodies_.legs) {
      ours += to_model_[leg.to_thigh].translation - bodies_.to_rest[leg.to_thigh].translation;
      theirs += from_model_[leg.from_thigh].translation - bodies_.from_rest[leg.from_thigh].translation;
    }
    const Vec3 way = (bodies_.turn * (bodies_.scale * theirs) - ours) / static_cast<float>(bodies_.legs.size());
    to_local[hips].translation +=
        (glm::conjugate(above(hips).rotation) * (way + Vec3(0, 0, bodies_.hip_lift))) / above(hips).scale;
    for (std::size_t i = hips; i < to_local.size(); ++i) to_model_[i] = above(i) * to_local[i];
  }

  Vec3 scaled_foot(const Leg& leg) const {
    return bodies_.turn * (bodies_.scale * from_model_[leg.from_foot].translation);
  }

  Transform above(std::size_t bone) const {
    const std::int32_t parent = to_.bones[bone].parent;
    return parent == kNoBone ? Transform{} : to_model_[static_cast<std::size_t>(parent)];
  }

  void follow(std::size_t bone, const Link& link, std::span<const Transform> from_local, Transform& local) const {
    const Transform& rest = from_.bones[link.from].rest;
    const Quat model = bodies_.turn * from_model_[link.from].rotation * link.offset;
    local.rotation = glm::normalize(glm::conjugate(above(bone).rotation) * model);
    local.scale *= from_local[link.from].scale / rest.scale;
    if (link.role != Role::Root && link.role != Role::Hips && link.role != Role::Prop) return;
    const std::int32_t parent = from_.bones[link.from].parent;
    const Quat frame =
        parent == kNoBone ? make_quat(0, 0, 0, 1) : from_model_[static_cast<std::size_t>(parent)].rotation;
    // The movement from rest, in model space, scaled by the leg length.
    const Vec3 way = bodies_.turn * (frame * (bodies_.scale * (from_local[link.from].translation - rest.translation)));
    local.translation += (glm::conjugate(above(bone).rotation) * way) / above(bone).scale;
  }

  // Returns how much a foot must follow the source's position: fully near the ground, not at all high in the air, where
  // legs of other proportions should rather point as the source's do.
  float hold_of(const Leg& leg) const {
    constexpr float kWhole = 0.05f, kNot = 0.3f;  // share of the leg's length, above the foot's rest height
    const auto& rest = bodies_.from_rest;
    const float length = glm::length(rest[leg.from_thigh].translation - rest[leg.from_calf].translation) +
                         glm::length(rest[leg.from_calf].translation - rest[leg.from_foot].translation);
    const float height = (from_model_[leg.from_foot].translation.z - rest[leg.from_foot].translation.z) / length;
    const float x = std::clamp((kNot - height) / (kNot - kWhole), 0.0f, 1.0f);
    return x * x * (3.0f - 2.0f * x);
  }

  // Bends a leg so that its foot follows the source's, scaled and offset by the same amount in every frame: a foot that
  // stands still there stands still here. The knee keeps its plane, the foot its direction.
  void plant(const Leg& leg, std::size_t index, std::span<Transform> local) {
    const Vec3 free = to_model_[leg.to_foot].translation, held = scaled_foot(leg) + stance_[index];
    const Vec3 goal = free + hold_of(leg) * (held - free);
    const Vec3 hip = to_model_[leg.to_thigh].translation, knee = to_model_[leg.to_calf].translation,
               foot = to_model_[leg.to_foot].translation;
    const float upper = glm::length(knee - hip), lower = glm::length(foot - knee);
    const float wanted = glm::length(goal - hip);
    if (upper < 1e-6f || lower < 1e-6f || wanted < 1e-6f) return;
    // A fully straight leg has no plane to bend in and snaps from frame to frame.
    const float reach = std::clamp(wanted, std::abs(upper - lower) + 1e-4f, 0.9995f * (upper + lower));
    if (const float miss = std::abs(wanted - reach); miss > 1e-3f * (upper + lower)) {
      worst_miss = std::max(worst_miss, miss);
      ++misses;
    }
    const Vec3 to_goal = (goal - hip) / wanted;
    Vec3 forward = (knee - hip) - glm::dot(knee - hip, foot - hip) / glm::dot(foot - hip, foot - hip) * (foot - hip);
    if (glm::length(forward) < 1e-4f * upper) forward = bodies_.turn * Vec3(0, 1, 0);
    forward -= glm::dot(forward, to_goal) * to_goal;
    if (glm::length(forward) < 1e-6f) return;
    forward = glm::normalize(forward);
    const float along = (upper * upper - lower * lower + reach * reach) / (2.0f * reach);
    const float aside = std::sqrt(std::max(0.0f, upper * upper - along * along));
    const Vec3 new_knee = hip + along * to_goal + aside * forward, new_foot = hip + reach * to_goal;

    const Quat foot_turn = to_model_[leg.to_foot].rotation;
    turn_towards(leg.to_thigh, leg.to_calf, new_knee, local);
    turn_towards(leg.to_calf, leg.to_foot, new_foot, local);
    set_rotation(leg.to_foot, foot_turn, local);
  }

  // Rotates `bone` in model space until `end` lies in the direction of `place`.
  void turn_towards(std::size_t bone, std::size_t end, const Vec3& place, std::span<Transform> local) {
    const Vec3 here = to_model_[bone].translation;
    const Vec3 now = glm::normalize(to_model_[end].translation - here), then = glm::normalize(place - here);
    const Vec3 axis = glm::cross(now, then);
    const Quat turn = glm::normalize(Quat(1.0f + glm::dot(now, then), axis.x, axis.y, axis.z));
    set_rotation(bone, turn * to_model_[bone].rotation, local);
  }

  void set_rotation(std::size_t bone, const Quat& model, std::span<Transform> local) {
    local[bone].rotation = glm::normalize(glm::conjugate(above(bone).rotation) * model);
    for (std::size_t i = bone; i < local.size(); ++i) to_model_[i] = above(i) * local[i];
  }

  const Skeleton& from_;
  const Skeleton& to_;
  const BodyPair& bodies_;
  std::vector<Transform> from_model_, to_model_;
  std::vector<Vec3> stance_;  // by leg
};

// Returns a frame on the source's body. An additive clip is played on the rest pose; the difference is taken again from
// the retargeted rest pose.
void source_pose(const Clip& clip, const Skeleton& from, std::int32_t frame, std::span<Transform> local) {
  pose_from_frame(from, clip, clip.frame(frame), local);
  if (clip.blend_hint == BlendHint::Normal) return;
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track) {
    const std::int64_t bone = bone_of_track(clip, track);
    if (bone >= 0 && bone < static_cast<std::int64_t>(local.size()))
      local[static_cast<std::size_t>(bone)] =
          from.bones[static_cast<std::size_t>(bone)].rest * clip.frame(frame)[track];
  }
}

// Returns the bones of the target that get a track: all if the source moves all of its bones, else those that follow a
// moved bone.
std::vector<std::size_t> target_tracks(const Clip& clip, const Skeleton& from, const Skeleton& to,
                                       const BodyPair& bodies) {
  std::vector<bool> moved(from.bones.size(), false);
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track) {
    const std::int64_t bone = bone_of_track(clip, track);
    if (bone >= 0 && bone < static_cast<std::int64_t>(moved.size())) moved[static_cast<std::size_t>(bone)] = true;
  }
  const bool all = std::ranges::find(moved, false) == moved.end();
  std::vector<std::size_t> tracks;
  for (std::size_t i = 0; i < to.bones.size(); ++i)
    if (all || (bodies.links[i] && moved[bodies.links[i]->from])) tracks.push_back(i);
  return tracks;
}

void carry_floats(const Clip& clip, const Skeleton& from, const Skeleton& to, Clip& out, BodyFit& report) {
  std::vector<std::size_t> kept;
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.float_track_count); ++track) {
    const std::size_t slot = clip.float_to_slot.empty() ? track
                             : track < clip.float_to_slot.size() && clip.float_to_slot[track] >= 0
                                 ? static_cast<std::size_t>(clip.float_to_slot[track])
                                 : from.float_slots.size();
    const std::string name =
        slot < from.float_slots.size() ? from.float_slots[slot].name : "slot " + std::to_string(slot);
    const auto found = std::ranges::find(to.float_slots, name, &FloatSlot::name);
    if (found == to.float_slots.end()) {
      report.lost_floats.push_back(name);
      continue;
    }
    kept.push_back(track);
    out.float_to_slot.push_back(static_cast<std::int16_t>(found - to.float_slots.begin()));
  }
  out.float_track_count = static_cast<std::int32_t>(kept.size());
  for (std::size_t frame = 0; frame < static_cast<std::size_t>(clip.frame_count); ++frame)
    for (const std::size_t track : kept)
      out.floats.push_back(clip.floats[frame * static_cast<std::size_t>(clip.float_track_count) + track]);
}

// Events stay on the first track, where the games look for them; those of other tracks follow their bones.
void carry_annotations(const Clip& clip, const BodyPair& bodies, const std::vector<std::size_t>& tracks, Clip& out) {
  if (clip.annotation_tracks.empty()) return;
  out.annotation_tracks.resize(std::max<std::size_t>(tracks.size(), 1));
  for (std::size_t track = 0; track < clip.annotation_tracks.size(); ++track) {
    const AnnotationTrack& events = clip.annotation_tracks[track];
    if (events.annotations.empty()) continue;
    const std::size_t bone =
        track < clip.track_to_bone.size() ? static_cast<std::size_t>(clip.track_to_bone[track]) : track;
    std::size_t at = 0;
    for (std::size_t i = 0; i < tracks.size() && track > 0; ++i)
      if (bodies.links[tracks[i]] && bodies.links[tracks[i]]->from == bone) at = i;
    auto& target = out.annotation_tracks[at].annotations;
    target.insert(target.end(), events.annotations.begin(), events.annotations.end());
    std::ranges::stable_sort(target, {}, &Annotation::time_seconds);
  }
}

void carry_root_motion(const Clip& clip, const BodyPair& bodies, Clip& out) {
  if (!clip.root_motion) return;
  out.root_motion = clip.root_motion;
  for (Vec4& sample : out.root_motion->samples) {
    const Vec3 way = bodies.turn * (bodies.scale * Vec3(sample));
    sample = Vec4(way, sample.w);
  }
}

BodyFit report_of(const Clip& clip, const Skeleton& from, const Skeleton& to, const BodyPair& bodies) {
  BodyFit report;
  report.scale = bodies.scale;
  std::vector<bool> used(from.bones.size(), false);
  for (std::size_t i = 0; i < to.bones.size(); ++i) {
    if (bodies.links[i])
      used[bodies.links[i]->from] = true;
    else
      report.at_rest.push_back(to.bones[i].name);
  }
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track) {
    const std::int64_t bone = bone_of_track(clip, track);
    if (bone >= 0 && bone < static_cast<std::int64_t>(used.size()) && !used[static_cast<std::size_t>(bone)])
      report.left_out.push_back(from.bones[static_cast<std::size_t>(bone)].name);
  }
  return report;
}

}  // namespace

Result<RetargetedClip> retarget_clip(const Clip& clip, const Skeleton& from, const Skeleton& to, const BoneMap& map) {
  MARROW_CHECK(validate(clip));
  MARROW_CHECK(validate(from));
  MARROW_CHECK(validate(to));
  if (map.bones.empty())
    return fail(ErrorCode::InvalidArgument, "the two skeletons have no bones in common; give a bone map");
  for (const MappedBone& bone : map.bones)
    if (bone.from < 0 || bone.to < 0 || static_cast<std::size_t>(bone.from) >= from.bones.size() ||
        static_cast<std::size_t>(bone.to) >= to.bones.size())
      return fail(ErrorCode::InvalidArgument, "the map refers to a bone that does not exist");

  const BodyPair bodies = pair_bodies(from, to, map);
  const std::vector<std::size_t> tracks = target_tracks(clip, from, to, bodies);
  RetargetedClip out{.clip = {}, .fit = report_of(clip, from, to, bodies)};
  Clip& result = out.clip;
  result.skeleton_name = to.name;
  result.frame_count = clip.frame_count;
  result.duration_seconds = clip.duration_seconds;
  result.blend_hint = clip.blend_hint;
  result.track_count = static_cast<std::int32_t>(tracks.size());
  if (tracks.size() != to.bones.size())
    for (const std::size_t bone : tracks) result.track_to_bone.push_back(static_cast<std::int16_t>(bone));

  Retargeter retargeter(from, to, bodies);
  std::vector<Transform> rest, from_local(from.bones.size()), to_local(to.bones.size()), to_reference(to.bones.size());
  for (const Bone& bone : from.bones) rest.push_back(bone.rest);
  const bool additive = clip.blend_hint != BlendHint::Normal;
  retargeter.pose(rest, to_reference);
  retargeter.worst_miss = 0.0f;
  retargeter.misses = 0;
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) {
    source_pose(clip, from, frame, from_local);
    retargeter.pose(from_local, to_local);
    for (const std::size_t bone : tracks)
      result.transforms.push_back(additive ? inverse(to_reference[bone]) * to_local[bone] : to_local[bone]);
  }
  out.fit.worst_reach_miss = retargeter.worst_miss;
  out.fit.reach_misses = retargeter.misses;
  carry_floats(clip, from, to, result, out.fit);
  carry_annotations(clip, bodies, tracks, result);
  carry_root_motion(clip, bodies, result);
  return out;
}

}  // namespace marrow
