// SPDX-License-Identifier: MIT
#include "ops/retarget/retarget.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "marrow/model/pose.h"
#include "ops/retarget/body.h"
#include "ops/retarget/grip.h"
#include "ops/retarget/ground.h"
#include "ops/retarget/secondary.h"

namespace marrow {
namespace {

/// Sums and worst cases of an error.
struct ErrorSum {
  double sum = 0.0;
  std::size_t count = 0;
  float worst = 0.0f;
  std::size_t worst_at = 0;

  void add(float error, std::size_t at) {
    sum += static_cast<double>(error);
    ++count;
    if (error <= worst) return;
    worst = error;
    worst_at = at;
  }
  float mean() const { return count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : 0.0f; }
};

class Retargeter {
 public:
  Retargeter(const Skeleton& from, const Skeleton& to, const BodyPair& bodies)
      : from_(from), to_(to), bodies_(bodies), from_model_(from.bones.size()), to_model_(to.bones.size()) {}

  ErrorSum directions;  ///< in degrees, by bone of the target
  ErrorSum contacts;    ///< of feet, as a share of the leg, by bone of the target

  /// Converts a local pose of the source to a local pose of the target. `frame` says which hands hold one thing.
  void pose(std::span<const Transform> from_local, std::span<Transform> to_local, std::span<const Grip> grips = {},
            std::size_t frame = 0) {
    local_to_model(from_, from_local, from_model_);
    for (std::size_t i = 0; i < to_local.size(); ++i) {
      to_local[i] = to_.bones[i].rest;
      if (bodies_.links[i]) follow(i, *bodies_.links[i], from_local, to_local[i]);
      to_model_[i] = above(i) * to_local[i];
    }
    if (bodies_.hips) reach_feet(*bodies_.hips, to_local);
    std::vector<Vec3> goals;
    for (const Limb& limb : bodies_.limbs) goals.push_back(goal_of(limb));
    for (const Grip& grip : grips) keep_hands_together(grip, grip.weight[frame], goals);
    for (std::size_t i = 0; i < bodies_.limbs.size(); ++i) bend(bodies_.limbs[i], goals[i], to_local);
    for (const Limb& limb : bodies_.limbs)
      if (limb.to_toe) lift_toe(limb, to_local);
    pose_secondary_bones(to_, bodies_, to_local, to_model_);
  }

  /// Adds the errors of the last pose.
  void measure() {
    for (std::size_t i = 0; i < to_model_.size(); ++i) {
      if (!bodies_.links[i] || !bodies_.aims[i]) continue;
      const Role role = bodies_.links[i]->role;
      if (role == Role::Root || role == Role::Hips || role == Role::Prop) continue;
      const Vec3 ours = to_model_[*bodies_.aims[i]].translation - to_model_[i].translation;
      const Vec3 theirs = wanted_direction(i);
      if (glm::length(ours) > 1e-4f && glm::length(theirs) > 1e-4f) directions.add(angle_between(ours, theirs), i);
    }
    for (const Limb& limb : bodies_.limbs)
      if (limb.is_leg)
        contacts.add(glm::length(to_model_[limb.to_end].translation - goal_of(limb)) / limb.to_length, limb.to_end);
  }

 private:
  // Where a bone should point: as the source's does, or as far from its own rest as the source's is from its.
  Vec3 wanted_direction(std::size_t bone) const {
    const std::size_t aim = *bodies_.aims[bone], from = bodies_.links[bone]->from;
    if (!bodies_.is_relative)
      return bodies_.turn * (from_model_[bodies_.links[aim]->from].translation - from_model_[from].translation);
    const Quat turned = from_model_[from].rotation * glm::conjugate(bodies_.from_rest[from].rotation);
    return bodies_.turn * turned * glm::conjugate(bodies_.turn) *
           (bodies_.to_rest[aim].translation - bodies_.to_rest[bone].translation);
  }

  static float angle_between(const Vec3& a, const Vec3& b) {
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)) * 57.2957795f;
  }

  // A place of the source's body in the target's: scaled, and standing on the ground.
  Vec3 placed(const Vec3& place) const { return bodies_.turn * (bodies_.scale * place) + Vec3(0, 0, bodies_.lift); }

  // Feet go where the source has them, relative to the body. A hand that touches nothing goes where its arm points: to
  // hold its place would cost up to 26 degrees at the elbow, between bodies of the games.
  Vec3 goal_of(const Limb& limb) const {
    if (!limb.is_leg) return to_model_[limb.to_end].translation;
    // Bodies of other proportions stand as they do at rest, and step as far as the source, scaled.
    return bodies_.is_relative || !limb.is_hind ? moved_from_rest(limb.to_end, limb.from_end)
                                                : placed(from_model_[limb.from_end].translation);
  }

  Vec3 moved_from_rest(std::size_t to, std::size_t from) const {
    return bodies_.to_rest[to].translation +
           bodies_.turn * (bodies_.scale * (from_model_[from].translation - bodies_.from_rest[from].translation));
  }

  // Toes touch the ground too: a foot whose ankle is where it should be may still point its toe through the floor. It
  // is tipped until the toe is as high above its rest as the source's, but never below the lower of both.
  void lift_toe(const Limb& limb, std::span<Transform> local) {
    const float source = from_model_[*limb.from_toe].translation.z - bodies_.from_rest[*limb.from_toe].translation.z;
    const float floor = bodies_.to_rest[*limb.to_toe].translation.z + bodies_.scale * std::min(source, 0.0f);
    const Vec3 ankle = to_model_[limb.to_end].translation, toe = to_model_[*limb.to_toe].translation;
    if (toe.z >= floor - 1e-4f) return;
    const Vec3 way = toe - ankle, flat(way.x, way.y, 0.0f);
    const float length = glm::length(way), rise = floor - ankle.z;
    if (!(glm::length(flat) > 1e-4f) || std::abs(rise) >= length) return;
    const Vec3 tipped = glm::normalize(flat) * std::sqrt(length * length - rise * rise) + Vec3(0.0f, 0.0f, rise);
    turn_towards(limb.to_end, *limb.to_toe, ankle + tipped, local);
  }

  // Returns how far a limb can go at most: a fully straight one has no plane to bend in and snaps from frame to frame.
  static float reach_of(float upper, float lower) { return 0.9998f * (upper + lower); }

  // Thighs are attached to the hips differently in every body, so a leg that is stretched out may not reach. The hips
  // then give way, by no more than it takes.
  void reach_feet(std::size_t hips, std::span<Transform> local) {
    constexpr int kSteps = 8;  // two legs may pull in different directions
    for (int step = 0; step < kSteps; ++step) {
      Vec3 way(0.0f);
      for (const Limb& limb : bodies_.limbs) {
        if (!limb.is_leg) continue;
        const Vec3 root = to_model_[limb.to_root].translation, mid = to_model_[limb.to_mid].translation;
        const float reach = reach_of(glm::length(mid - root), glm::length(to_model_[limb.to_end].translation - mid));
        const Vec3 leg = goal_of(limb) - root;
        if (const float wanted = glm::length(leg); wanted > reach) way += leg * (1.0f - reach / wanted);
      }
      if (glm::length(way) < 1e-4f) return;
      const Transform parent = above(hips);
      local[hips].translation += (glm::conjugate(parent.rotation) * way) / parent.scale;
      for (std::size_t i = hips; i < local.size(); ++i) to_model_[i] = above(i) * local[i];
    }
  }

  // Hands that hold one thing stay as far apart as they are, whatever the width of the shoulders.
  void keep_hands_together(const Grip& grip, float weight, std::vector<Vec3>& goals) const {
    const Limb &a = bodies_.limbs[grip.first], &b = bodies_.limbs[grip.second];
    const Vec3 apart = from_model_[a.from_end].translation - from_model_[b.from_end].translation;
    const Vec3 wanted = bodies_.turn * (bodies_.scale * apart);
    const Vec3 shift = 0.5f * weight * (wanted - (goals[grip.first] - goals[grip.second]));
    goals[grip.first] += shift;
    goals[grip.second] -= shift;
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
    if (bodies_.hips == bone) {
      const Vec3 place =
          bodies_.is_relative ? moved_from_rest(bone, link.from) : placed(from_model_[link.from].translation);
      local.translation = (inverse(above(bone)) * Transform{place}).translation;
      return;
    }
    if (link.role != Role::Root && link.role != Role::Hips && link.role != Role::Prop) return;
    const std::int32_t parent = from_.bones[link.from].parent;
    const Quat frame =
        parent == kNoBone ? make_quat(0, 0, 0, 1) : from_model_[static_cast<std::size_t>(parent)].rotation;
    // The movement from rest, in model space, scaled by the leg length.
    const Vec3 way = bodies_.turn * (frame * (bodies_.scale * (from_local[link.from].translation - rest.translation)));
    local.translation += (glm::conjugate(above(bone).rotation) * way) / above(bone).scale;
  }

  // Returns the way in which the middle joint is bent: as the source's, seen from the line between root and end. A limb
  // that is almost straight there has no such way; the bone itself then tells.
  Vec3 pole_of(const Limb& limb, const Vec3& axis) const {
    const Vec3 root = from_model_[limb.from_root].translation;
    const Vec3 mid = from_model_[limb.from_mid].translation - root, end = from_model_[limb.from_end].translation - root;
    const float square = glm::dot(end, end);
    const Vec3 theirs = square > 0 ? bodies_.turn * (mid - glm::dot(mid, end) / square * end) : Vec3(0.0f);
    const Vec3 ours = to_model_[limb.to_mid].translation - to_model_[limb.to_root].translation;
    constexpr float kStraight = 0.02f;  // share of the limb's length
    // Hocks of one body bend where another has no joint: then the bones themselves say how a limb bends.
    const float trust =
        bodies_.is_relative ? 0.0f : std::clamp(glm::length(theirs) / (kStraight * limb.from_length), 0.0f, 1.0f);
    const auto across = [&](const Vec3& way) {
      const Vec3 flat = way - glm::dot(way, axis) * axis;
      return glm::length(flat) > 1e-6f ? glm::normalize(flat) : Vec3(0.0f);
    };
    return across(trust * across(theirs) + (1.0f - trust) * across(ours));
  }

  // Bends a limb until its end is at the goal, or as near as it reaches. The end keeps its direction.
  void bend(const Limb& limb, const Vec3& goal, std::span<Transform> local) {
    const Vec3 root = to_model_[limb.to_root].translation, mid = to_model_[limb.to_mid].translation,
               end = to_model_[limb.to_end].translation;
    const float upper = glm::length(mid - root), lower = glm::length(end - mid), wanted = glm::length(goal - root);
    if (goal == end) return;
    if (upper < 1e-6f || lower < 1e-6f || wanted < 1e-6f) return;
    const Vec3 axis = (goal - root) / wanted;
    const Vec3 pole = pole_of(limb, axis);
    if (pole == Vec3(0.0f)) return;
    const float reach = std::clamp(wanted, std::abs(upper - lower) + 1e-4f, reach_of(upper, lower));
    const float along = (upper * upper - lower * lower + reach * reach) / (2.0f * reach);
    const float aside = std::sqrt(std::max(0.0f, upper * upper - along * along));
    const Quat end_turn = to_model_[limb.to_end].rotation;
    turn_towards(limb.to_root, limb.to_mid, root + along * axis + aside * pole, local);
    turn_towards(limb.to_mid, limb.to_end, root + reach * axis, local);
    set_rotation(limb.to_end, end_turn, local);
  }

  // Rotates `bone` in model space until `end` lies in the direction of `place`.
  void turn_towards(std::size_t bone, std::size_t end, const Vec3& place, std::span<Transform> local) {
    const Vec3 here = to_model_[bone].translation;
    const Vec3 now = glm::normalize(to_model_[end].translation - here), then = glm::normalize(place - here);
    const Vec3 axis = glm::cross(now, then);
    // Opposite directions have no shortest way; a limb is never turned by that much.
    if (glm::dot(now, then) < -0.99999f) return;
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
};

// Returns which bones of the source the clip moves.
std::vector<bool> moved_bones(const Clip& clip, const Skeleton& from) {
  std::vector<bool> moved(from.bones.size(), false);
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track) {
    const std::int64_t bone = bone_of_track(clip, track);
    if (bone >= 0 && bone < static_cast<std::int64_t>(moved.size())) moved[static_cast<std::size_t>(bone)] = true;
  }
  return moved;
}

// Returns the bones of the target that get a track: all if the source moves all of its bones, else those that follow a
// moved bone.
std::vector<std::size_t> target_tracks(const std::vector<bool>& moved, const BodyPair& bodies) {
  const bool all = std::ranges::find(moved, false) == moved.end();
  std::vector<std::size_t> tracks;
  std::vector<bool> follows(bodies.links.size(), false);
  for (std::size_t i = 0; i < bodies.links.size(); ++i) follows[i] = bodies.links[i] && moved[bodies.links[i]->from];
  // Twist bones and skirts go with the limbs that move them.
  std::vector<bool> gets_track = follows;
  for (const Twist& twist : bodies.twists) gets_track[twist.bone] = follows[twist.start] && follows[twist.end];
  for (const Skirt& skirt : bodies.skirts)
    gets_track[skirt.bone] = follows[skirt.left_thigh] && follows[skirt.right_thigh];
  for (std::size_t i = 0; i < bodies.links.size(); ++i)
    if (all || gets_track[i]) tracks.push_back(i);
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
    else if (std::ranges::find(bodies.twists, i, &Twist::bone) == bodies.twists.end() &&
             std::ranges::find(bodies.skirts, i, &Skirt::bone) == bodies.skirts.end())
      report.at_rest.push_back(to.bones[i].name);
  }
  report.limb_bones = bodies.limb_bones;
  report.mapped_limb_bones = bodies.mapped_limb_bones;
  report.is_relative = bodies.is_relative;
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track) {
    const std::int64_t bone = bone_of_track(clip, track);
    if (bone >= 0 && bone < static_cast<std::int64_t>(used.size()) && !used[static_cast<std::size_t>(bone)])
      report.left_out.push_back(from.bones[static_cast<std::size_t>(bone)].name);
  }
  return report;
}

}  // namespace

Result<RetargetedClip> retarget_clip(const Clip& clip, const Skeleton& source, const Skeleton& to, const BoneMap& map) {
  MARROW_CHECK(validate(clip));
  MARROW_CHECK(validate(source));
  MARROW_CHECK(validate(to));
  if (map.bones.empty())
    return fail(ErrorCode::InvalidArgument, "the two skeletons have no bones in common; give a bone map");
  for (const MappedBone& bone : map.bones)
    if (bone.from < 0 || bone.to < 0 || static_cast<std::size_t>(bone.from) >= source.bones.size() ||
        static_cast<std::size_t>(bone.to) >= to.bones.size())
      return fail(ErrorCode::InvalidArgument, "the map refers to a bone that does not exist");

  const float rise = rise_to_ground(source, clip);
  const Skeleton from = raised(source, rise);
  BodyPair bodies = pair_bodies(from, to, map);
  const std::vector<bool> moved = moved_bones(clip, from);
  const std::vector<std::size_t> tracks = target_tracks(moved, bodies);
  // A limb of which the clip moves only a part is not bent: its other bones have no track to take the result.
  std::erase_if(bodies.limbs, [&](const Limb& limb) {
    return !moved[limb.from_root] || !moved[limb.from_mid] || !moved[limb.from_end];
  });
  RetargetedClip out{.clip = {}, .fit = report_of(clip, from, to, bodies)};
  out.fit.raised = rise;
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
  const std::vector<Grip> grips = find_grips(clip, from, bodies);
  retargeter.pose(rest, to_reference);
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) {
    // An additive clip is played on the rest pose; the difference is taken again from the retargeted rest pose.
    pose_from_frame(from, clip, clip.frame(frame), from_local);
    retargeter.pose(from_local, to_local, grips, static_cast<std::size_t>(frame));
    retargeter.measure();
    for (const std::size_t bone : tracks)
      result.transforms.push_back(additive ? additive_value(to_reference[bone], to_local[bone]) : to_local[bone]);
  }
  out.fit.mean_direction_error = retargeter.directions.mean();
  out.fit.worst_direction_error = retargeter.directions.worst;
  if (retargeter.directions.worst > 0.0f) out.fit.worst_direction_bone = to.bones[retargeter.directions.worst_at].name;
  out.fit.mean_contact_error = 100.0f * retargeter.contacts.mean();
  out.fit.worst_contact_error = 100.0f * retargeter.contacts.worst;
  carry_floats(clip, from, to, result, out.fit);
  carry_annotations(clip, bodies, tracks, result);
  carry_root_motion(clip, bodies, result);
  return out;
}

}  // namespace marrow
