// SPDX-License-Identifier: MIT
#include "ops/clip/limb_codes.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "codec/code_search.h"
#include "core/try.h"
#include "marrow/model/pose.h"
#include "motion/edit/two_bone.h"

namespace marrow {
namespace {

using Vec3d = glm::dvec3;
using Quatd = glm::dquat;

Quat quat_of(const codec::Quaternion& q) { return make_quat(q[0], q[1], q[2], q[3]); }
codec::Quaternion packed_of(const Quat& q) { return {q.x, q.y, q.z, q.w}; }

/// The two bones of one frame, as they would be decoded.
class LimbFrame {
 public:
  LimbFrame(const Skeleton& skeleton, const motion::Limb& limb, std::vector<Transform> local)
      : skeleton_(skeleton), limb_(limb), local_(std::move(local)), model_(local_.size()) {}

  Vec3d end_with(const Quat& upper, const Quat& lower) {
    local_[count_of(limb_.upper)].rotation = upper;
    local_[count_of(limb_.lower)].rotation = lower;
    return chain(limb_.end).second;
  }
  Vec3d knee_with(const Quat& upper) {
    local_[count_of(limb_.upper)].rotation = upper;
    return chain(limb_.lower).second;
  }
  // Both rotations turned so that the end is at a place, with what is stored above the limb: encoding that has moved
  // the shoulder or the hip since the limb was bent, by more than the neighbours of a code make up for.
  std::pair<Quat, Quat> bent_to(const Vec3d& place, const Quat& upper, const Quat& lower) {
    local_[count_of(limb_.upper)].rotation = upper;
    local_[count_of(limb_.lower)].rotation = lower;
    const auto [upper_turn, a] = chain(limb_.upper);
    const auto [lower_turn, b] = chain(limb_.lower);
    const Vec3d c = chain(limb_.end).second, axis = glm::cross(b - a, c - b);
    // A straight limb says nothing about its axis; it stays as it is.
    if (glm::length(axis) < 1e-3 * glm::length(b - a) * glm::length(c - b)) return {upper, lower};
    const motion::LimbTurns turns = motion::solve_two_bones(a, b, c, place, axis);
    const Quat new_upper = local_of(limb_.upper, turns.upper * upper_turn);
    local_[count_of(limb_.upper)].rotation = new_upper;
    return {new_upper, local_of(limb_.lower, turns.upper * turns.lower * lower_turn)};
  }
  // The rotation of the lower bone that points the end to a place.
  Quat lower_towards(const Vec3d& place, const Quat& lower) {
    local_[count_of(limb_.lower)].rotation = lower;
    const Vec3d knee = chain(limb_.lower).second, from = chain(limb_.end).second - knee, to = place - knee;
    return local_of(limb_.lower, motion::shortest_turn(from, to) * chain(limb_.lower).first);
  }

 private:
  // The rotation of a bone in the space of its parent that gives it one in model space.
  Quat local_of(std::int32_t bone, const Quatd& wanted) const {
    const std::int32_t parent = skeleton_.bones[count_of(bone)].parent;
    const Quatd above = parent == kNoBone ? Quatd(1, 0, 0, 0) : chain(parent).first;
    const Quatd local = glm::normalize(glm::conjugate(above) * wanted);
    return make_quat(static_cast<float>(local.x), static_cast<float>(local.y), static_cast<float>(local.z),
                     static_cast<float>(local.w));
  }
  // Rotation and place of a bone in model space, in double precision, since a hundredth of a unit counts.
  std::pair<Quatd, Vec3d> chain(std::int32_t bone) const {
    std::vector<std::int32_t> bones;
    for (; bone != kNoBone; bone = skeleton_.bones[count_of(bone)].parent) bones.push_back(bone);
    Quatd rotation(1, 0, 0, 0);
    Vec3d place(0.0), scale(1.0);
    for (auto each = bones.rbegin(); each != bones.rend(); ++each) {
      const Transform& local = local_[count_of(*each)];
      place += rotation * (scale * Vec3d(local.translation));
      rotation =
          glm::normalize(rotation * Quatd(local.rotation.w, local.rotation.x, local.rotation.y, local.rotation.z));
      scale *= Vec3d(local.scale);
    }
    return {rotation, place};
  }

  const Skeleton& skeleton_;
  const motion::Limb& limb_;
  std::vector<Transform> local_, model_;
};

/// The codes of one frame and how far they leave the end from its place.
struct LimbCodes {
  codec::CodedRotation upper, lower;
  double distance = INFINITY;
};

LimbCodes choose_codes(LimbFrame& frame, const Quat& wanted_upper, const Quat& wanted_lower, const Vec3d& place) {
  const auto [upper, lower] = frame.bent_to(place, wanted_upper, wanted_lower);
  const Vec3d knee = frame.knee_with(upper);
  const double length = glm::length(frame.end_with(upper, lower) - knee);
  std::vector<std::pair<double, codec::CodedRotation>> uppers;
  for (const codec::CodedRotation& code : codec::codes_near(packed_of(upper)))
    uppers.emplace_back(std::abs(glm::length(place - frame.knee_with(quat_of(code.value))) - length), code);
  const auto best_four = uppers.begin() + std::min<std::ptrdiff_t>(4, static_cast<std::ptrdiff_t>(uppers.size()));
  std::ranges::partial_sort(uppers, best_four, {}, [](const auto& each) { return each.first; });
  LimbCodes best;
  for (auto each = uppers.begin(); each != best_four; ++each) {
    const Quat turned = quat_of(each->second.value);
    frame.knee_with(turned);
    const Quat wanted = frame.lower_towards(place, lower);
    for (const codec::CodedRotation& code : codec::codes_near(packed_of(wanted))) {
      const double distance = glm::length(frame.end_with(turned, quat_of(code.value)) - place);
      if (distance < best.distance) best = {each->second, code, distance};
    }
  }
  return best;
}

std::vector<std::int32_t> tracks_by_bone(const Clip& clip, const Skeleton& skeleton) {
  std::vector<std::int32_t> tracks(skeleton.bones.size(), -1);
  for (std::size_t t = 0; t < count_of(clip.track_count); ++t)
    if (const std::int32_t bone = bone_of_track(clip, t); bone >= 0 && count_of(bone) < tracks.size())
      tracks[count_of(bone)] = static_cast<std::int32_t>(t);
  return tracks;
}

}  // namespace

Result<double> store_limb(DocumentClip& clip, const Skeleton& skeleton, const motion::Limb& limb, const Clip& after,
                          std::span<const glm::dvec3> places, FrameRange range, const ClipEditOptions& options,
                          EditedClip& report, Context& context) {
  const std::vector<std::int32_t> tracks = tracks_by_bone(after, skeleton);
  const auto width = count_of(after.track_count);
  const std::size_t upper = count_of(tracks[count_of(limb.upper)]), lower = count_of(tracks[count_of(limb.lower)]);
  std::vector<bool> is_below(skeleton.bones.size(), false);  // of the limb itself
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const std::int32_t parent = skeleton.bones[b].parent;
    is_below[b] = static_cast<std::int32_t>(b) == limb.upper || (parent >= 0 && is_below[count_of(parent)]);
  }
  // First everything that is not below the limb.
  MARROW_TRY(Clip stage, with_frames(clip, context.limits));
  for (std::size_t b = 0; b < tracks.size(); ++b)
    if (tracks[b] >= 0 && !is_below[b])
      for (std::int32_t f = range.first; f <= range.last; ++f)
        stage.transforms[count_of(f) * width + count_of(tracks[b])] = after.frame(f)[count_of(tracks[b])];
  std::size_t changed_tracks = 0;
  MARROW_CHECK(replace_frames(clip, std::move(stage), range, options, report, context));
  changed_tracks += report.tracks;
  MARROW_TRY(const Clip before, with_frames(clip, context.limits));
  MARROW_TRY(auto curves, curves_of(clip, context.limits));
  Clip posed = before;
  double worst = 0.0;
  std::vector<std::vector<codec::ThreeComponentCode>> codes(2);
  // Helpers between the lower bone and the end carry it, so they count as they are wanted.
  for (std::int32_t f = range.first; f <= range.last; ++f) {
    std::vector<Transform> local(skeleton.bones.size());
    pose_from_frame(skeleton, before, before.frame(f), local);
    for (std::int32_t bone = limb.end; bone != limb.lower && bone != kNoBone;
         bone = skeleton.bones[count_of(bone)].parent)
      if (tracks[count_of(bone)] >= 0) local[count_of(bone)] = after.frame(f)[count_of(tracks[count_of(bone)])];
    LimbFrame frame(skeleton, limb, std::move(local));
    const Quat &upper_turn = after.frame(f)[upper].rotation, &lower_turn = after.frame(f)[lower].rotation;
    // Where the limb is left alone it meets its own curves: the nearest codes are those that a cut has there.
    const bool is_alone =
        upper_turn == before.frame(f)[upper].rotation && lower_turn == before.frame(f)[lower].rotation;
    const LimbCodes chosen = is_alone ? LimbCodes{codec::codes_near(packed_of(upper_turn)).front(),
                                                  codec::codes_near(packed_of(lower_turn)).front(), 0.0}
                                      : choose_codes(frame, upper_turn, lower_turn, places[count_of(f)]);
    codes[0].push_back(chosen.upper.code);
    codes[1].push_back(chosen.lower.code);
    worst = std::max(worst, chosen.distance);
    posed.transforms[count_of(f) * width + upper].rotation =
        curves ? quat_of(chosen.upper.value) : after.frame(f)[upper].rotation;
    posed.transforms[count_of(f) * width + lower].rotation =
        curves ? quat_of(chosen.lower.value) : after.frame(f)[lower].rotation;
  }
  if (curves && range.last > range.first) {
    const std::vector<std::size_t> changed = {upper, lower};
    codec::SplineBlob old{.frame_count = curves->frame_count, .max_frames_per_block = curves->max_frames_per_block};
    for (const codec::SplineBlock& block : curves->blocks)
      old.blocks.push_back({.transforms = {block.transforms[upper], block.transforms[lower]}});
    const codec::SplineBlob coded = codec::coded_tracks(codes);
    MARROW_TRY(const codec::SpliceReport spliced,
               put_tracks(*curves, changed, old, coded, static_cast<std::uint32_t>(range.first), before, posed,
                          options.splice()));
    report.take(spliced);
    MARROW_CHECK(set_curves(clip, *curves));
  }
  // Last what is below: the end keeps its rotation in model space against the limb as it is stored.
  MARROW_TRY(Clip last, with_frames(clip, context.limits));
  std::vector<Transform> stored(skeleton.bones.size()), wanted(skeleton.bones.size());
  for (std::int32_t f = range.first; f <= range.last; ++f) {
    if (!curves)
      for (const std::size_t t : {upper, lower}) last.transforms[count_of(f) * width + t] = posed.frame(f)[t];
    for (std::size_t b = 0; b < tracks.size(); ++b)
      if (tracks[b] >= 0 && is_below[b] && count_of(tracks[b]) != upper && count_of(tracks[b]) != lower)
        last.transforms[count_of(f) * width + count_of(tracks[b])] = after.frame(f)[count_of(tracks[b])];
    if (tracks[count_of(limb.end)] < 0) continue;
    pose_from_frame(skeleton, last, last.frame(f), stored);
    pose_from_frame(skeleton, after, after.frame(f), wanted);
    local_to_model(skeleton, stored, stored);
    local_to_model(skeleton, wanted, wanted);
    const std::int32_t parent = skeleton.bones[count_of(limb.end)].parent;
    Transform& end = last.transforms[count_of(f) * width + count_of(tracks[count_of(limb.end)])];
    if (!(after.frame(f)[count_of(tracks[count_of(limb.end)])] ==
          before.frame(f)[count_of(tracks[count_of(limb.end)])]))
      end.rotation =
          glm::normalize(glm::conjugate(stored[count_of(parent)].rotation) * wanted[count_of(limb.end)].rotation);
  }
  MARROW_CHECK(replace_frames(clip, std::move(last), range, options, report, context));
  report.tracks += changed_tracks + 2;
  return worst;
}

}  // namespace marrow
