// SPDX-License-Identifier: MIT
#include "ops/retarget/grip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "marrow/model/pose.h"

namespace marrow {
namespace {

// Distances are in lengths of an arm, times in seconds.
constexpr float kTouching = 0.3f, kNotTouching = 0.6f;     // between the hands
constexpr float kWithinReach = 0.8f, kBeyondReach = 1.1f;  // between hands at work
constexpr float kInFront = 0.35f, kNotInFront = 0.15f;     // from the shoulders to the front
constexpr float kAboveHips = 0.05f, kBelowHips = -0.15f;
constexpr float kRigid = 0.02f;  // how far rigid hands may wander, the rounding of codes included
constexpr float kMoving = 0.02f, kMovingPerWander = 4.0f;
constexpr double kLeastSeconds = 0.3, kFadeSeconds = 0.15;

/// Returns 1 from `one` on, 0 from `zero` on, and a smooth way between.
float fade(float value, float zero, float one) {
  const float x = std::clamp((value - zero) / (one - zero), 0.0f, 1.0f);
  return x * x * (3.0f - 2.0f * x);
}

/// The box that a place stays in.
struct Extent {
  Vec3 low{std::numeric_limits<float>::max()}, high{std::numeric_limits<float>::lowest()};

  void add(const Vec3& place) {
    low = glm::min(low, place);
    high = glm::max(high, place);
  }
  float size() const { return glm::length(high - low); }
};

/// One frame of two hands.
struct Hands {
  Vec3 second_in_first, first_in_second;  // each as the other sees it
  Vec3 first_in_chest, second_in_chest;
  float still_weight = 0.0f;  // what the frame alone tells
};

std::optional<std::size_t> common_ancestor(const Skeleton& skeleton, std::size_t a, std::size_t b) {
  const auto parent_of = [&](std::size_t bone) { return skeleton.bones[bone].parent; };
  for (std::int32_t up = parent_of(a); up != kNoBone; up = parent_of(static_cast<std::size_t>(up)))
    for (std::int32_t other = parent_of(b); other != kNoBone; other = parent_of(static_cast<std::size_t>(other)))
      if (up == other) return static_cast<std::size_t>(up);
  return std::nullopt;
}

class GripFinder {
 public:
  GripFinder(const Clip& clip, const Skeleton& from, const BodyPair& bodies, const Limb& a, const Limb& b)
      : clip_(clip),
        from_(from),
        bodies_(bodies),
        a_(a),
        b_(b),
        chest_(common_ancestor(from, a.from_root, b.from_root)) {
    for (const Limb& limb : bodies.limbs) {
      if (!limb.is_leg || !limb.is_hind) continue;
      hips_height_ += 0.5f * bodies.from_rest[limb.from_root].translation.z;
      if (limb.from_toe)
        front_ += bodies.from_rest[*limb.from_toe].translation - bodies.from_rest[limb.from_end].translation;
    }
    front_.z = 0.0f;
    front_ = glm::length(front_) > 1e-4f ? glm::normalize(front_) : Vec3(0.0f);
  }

  std::vector<float> run() {
    std::vector<Transform> local(from_.bones.size()), model(from_.bones.size());
    for (std::int32_t f = 0; f < clip_.frame_count; ++f) {
      pose_from_frame(from_, clip_, clip_.frame(f), local);
      local_to_model(from_, local, model);
      frames_.push_back(seen(model));
    }
    std::vector<float> weight;
    for (const Hands& hands : frames_) weight.push_back(hands.still_weight);
    for (std::size_t start = 0; start < frames_.size();) {
      const std::size_t end = rigid_until(start);
      if (moves_as_one(start, end)) hold(start, end, weight);
      start = end;
    }
    return weight;
  }

 private:
  Hands seen(std::span<const Transform> model) const {
    const Transform &first = model[a_.from_end], &second = model[b_.from_end];
    const Transform chest = chest_ ? model[*chest_] : Transform{};
    const auto within = [](const Transform& frame, const Vec3& place) {
      return glm::conjugate(frame.rotation) * (place - frame.translation);
    };
    const float apart = glm::length(second.translation - first.translation) / a_.from_length;
    const float work = at_work(model) * fade(apart, kBeyondReach, kWithinReach);
    return {.second_in_first = within(first, second.translation),
            .first_in_second = within(second, first.translation),
            .first_in_chest = within(chest, first.translation),
            .second_in_chest = within(chest, second.translation),
            .still_weight = std::max(fade(apart, kNotTouching, kTouching), work)};
  }

  // Hands that hang at the sides are on two sides of the body, and so are those of a runner: one is behind.
  float at_work(std::span<const Transform> model) const {
    if (front_ == Vec3(0.0f) || !chest_) return 0.0f;
    const Quat turn = model[*chest_].rotation * glm::conjugate(bodies_.from_rest[*chest_].rotation);
    const Vec3 front = turn * front_, up = turn * Vec3(0.0f, 0.0f, 1.0f);
    const Vec3 shoulders = 0.5f * (model[a_.from_root].translation + model[b_.from_root].translation);
    const Vec3 at_rest =
        0.5f * (bodies_.from_rest[a_.from_root].translation + bodies_.from_rest[b_.from_root].translation);
    float weight = 1.0f;
    for (const std::size_t hand : {a_.from_end, b_.from_end}) {
      const Vec3 arm = (model[hand].translation - shoulders) / a_.from_length;
      const float hips = (hips_height_ - at_rest.z) / a_.from_length;
      weight *=
          fade(glm::dot(arm, front), kNotInFront, kInFront) * fade(glm::dot(arm, up) - hips, kBelowHips, kAboveHips);
    }
    return weight;
  }

  // Returns the end of the longest run of frames in which each hand stands still as the other sees it.
  std::size_t rigid_until(std::size_t start) const {
    Extent first, second;
    std::size_t end = start;
    for (; end < frames_.size(); ++end) {
      first.add(frames_[end].first_in_second);
      second.add(frames_[end].second_in_first);
      if (std::max(first.size(), second.size()) > kRigid * a_.from_length) break;
    }
    return std::max(end, start + 1);
  }

  bool moves_as_one(std::size_t start, std::size_t end) const {
    if (static_cast<double>(end - start) * frame_seconds() < kLeastSeconds) return false;
    Extent first, second, first_in_chest, second_in_chest;
    for (std::size_t f = start; f < end; ++f) {
      first.add(frames_[f].first_in_second);
      second.add(frames_[f].second_in_first);
      first_in_chest.add(frames_[f].first_in_chest);
      second_in_chest.add(frames_[f].second_in_chest);
    }
    const float wander = std::max(first.size(), second.size());
    return std::min(first_in_chest.size(), second_in_chest.size()) >
           kMovingPerWander * wander + kMoving * a_.from_length;
  }

  // Frames beside the run fade, so that no hand jumps.
  void hold(std::size_t start, std::size_t end, std::vector<float>& weight) const {
    const auto width = static_cast<std::size_t>(std::ceil(kFadeSeconds / frame_seconds()));
    for (std::size_t f = start - std::min(start, width); f < std::min(weight.size(), end + width); ++f) {
      const std::size_t away = f < start ? start - f : f >= end ? f - end + 1 : 0;
      weight[f] = std::max(weight[f], fade(static_cast<float>(away) / static_cast<float>(width + 1), 1.0f, 0.0f));
    }
  }

  double frame_seconds() const {
    return clip_.frame_count > 1 && clip_.duration_seconds > 0.0f
               ? static_cast<double>(clip_.duration_seconds) / (clip_.frame_count - 1)
               : 1.0 / 30.0;
  }

  const Clip& clip_;
  const Skeleton& from_;
  const BodyPair& bodies_;
  const Limb &a_, &b_;
  std::optional<std::size_t> chest_;
  Vec3 front_{0.0f};
  float hips_height_ = 0.0f;
  std::vector<Hands> frames_;
};

}  // namespace

std::vector<Grip> find_grips(const Clip& clip, const Skeleton& from, const BodyPair& bodies) {
  std::vector<Grip> grips;
  for (std::size_t i = 0; i < bodies.limbs.size(); ++i)
    for (std::size_t k = i + 1; k < bodies.limbs.size(); ++k) {
      const Limb &a = bodies.limbs[i], &b = bodies.limbs[k];
      if (a.is_leg || b.is_leg || !(a.from_length > 0.0f)) continue;
      grips.push_back({i, k, GripFinder(clip, from, bodies, a, b).run()});
    }
  return grips;
}

}  // namespace marrow
