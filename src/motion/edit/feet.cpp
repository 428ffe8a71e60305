// SPDX-License-Identifier: MIT
#include "motion/edit/feet.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "motion/edit/foot_chains.h"
#include "motion/edit/posed_body.h"
#include "motion/edit/splice_clip.h"

namespace marrow::motion {
namespace {

constexpr double kLoopDegrees = 0.1, kLoopUnits = 0.05;
constexpr double kLyingShare = 0.6;  // of the height of the hips at first

Vec3d over_ground(const GroundFrame& ground, const Vec3d& point) { return ground.way + ground.turn * point; }

GroundFrame joined(const GroundFrame& first, const GroundFrame& then) {
  return {over_ground(first, then.way), first.turn * then.turn};
}

bool meets(const Clip& clip) {
  const auto first = clip.frame(0), last = clip.frame(clip.frame_count - 1);
  for (std::size_t t = 0; t < first.size(); ++t)
    if (glm::length(turn_between(first[t].rotation, last[t].rotation)) * kDegrees > kLoopDegrees ||
        glm::length(Vec3d(first[t].translation - last[t].translation)) > kLoopUnits)
      return false;
  return true;
}

std::vector<GroundFrame> ground_of(const Clip& clip, const Vec3d& treadmill) {
  std::vector<GroundFrame> ground(at(clip.frame_count));
  for (std::size_t f = 0; f < ground.size(); ++f) {
    ground[f].way = -static_cast<double>(f) * treadmill;
    if (!clip.root_motion) continue;
    const Transform moved = root_motion_at(
        *clip.root_motion, static_cast<double>(f) / std::max(1.0, static_cast<double>(ground.size() - 1)));
    ground[f] = {Vec3d(moved.translation), wide(moved.rotation)};
  }
  return ground;
}

bool goes_somewhere(const Clip& clip) {
  return clip.root_motion && std::ranges::any_of(clip.root_motion->samples, [](const Vec4& sample) {
           return glm::length(Vec3(sample)) > 1e-3f || std::abs(sample.w) > 1e-4f;
         });
}

/// A clip as it is played: a loop three times over, so that what goes on through the seam is seen whole.
struct Play {
  std::size_t frames = 0;  ///< of the clip
  std::size_t copies = 1;
  std::vector<GroundFrame> ground = {};

  std::size_t size() const { return copies == 1 ? frames : copies * (frames - 1) + 1; }
  std::size_t start() const { return copies == 1 ? 0 : frames - 1; }  ///< of the copy that counts
  /// Returns the frame of the clip. The very last is the clip's last; other seams are the first frame of the next copy.
  std::size_t frame(std::size_t i) const {
    if (copies == 1) return i;
    return i + 1 == size() ? frames - 1 : i % (frames - 1);
  }
};

Play play_of(const std::vector<GroundFrame>& ground, bool is_loop) {
  Play play{.frames = ground.size(), .copies = is_loop ? std::size_t{3} : std::size_t{1}};
  GroundFrame base;
  for (std::size_t i = 0; i < play.size(); ++i) {
    const bool is_seam = play.copies > 1 && i > 0 && i + 1 < play.size() && i % (play.frames - 1) == 0;
    if (is_seam) base = joined(base, ground.back());
    play.ground.push_back(joined(base, ground[play.frame(i)]));
  }
  return play;
}

/// Builds a plan step by step.
class Planner {
 public:
  Planner(const Skeleton& skeleton, std::span<const Limb> legs, const Clip& clip, const FeetOptions& options)
      : skeleton_(skeleton), legs_(legs), clip_(clip), options_(options), seconds_(frame_seconds_of(clip)) {}

  FeetPlan plan() {
    for (const Limb& leg : legs_) paths_.push_back(leg_paths(skeleton_, leg, clip_));
    Vec3d treadmill(0.0);
    if (!goes_somewhere(clip_)) treadmill = find_treadmill(paths_, seconds_);
    plan_.treadmill = {treadmill.x, treadmill.y};
    plan_.ground = ground_of(clip_, treadmill);
    if (clip_.frame_count < 4) return finish();
    plan_.is_loop = meets(clip_);
    find();
    place();
    // A foot that never leaves the ground and drifts on from round to round has no place in a loop.
    if (plan_.is_loop && !closes()) {
      plan_.is_loop = false;
      find();
      place();
    }
    leave_far_turns();
    return finish();
  }

 private:
  void find() {
    play_ = play_of(plan_.ground, plan_.is_loop);
    feet_.clear();
    PosedBody body(skeleton_, clip_);
    std::vector<double> heights;
    for (std::int32_t f = 0; f < clip_.frame_count; ++f) {
      body.pose(f);
      heights.push_back(body.place(hips()).z);
    }
    for (const LegPaths& path : paths_) {
      LegPlay leg;
      for (std::size_t i = 0; i < play_.size(); ++i) {
        leg.ankle.push_back(over_ground(play_.ground[i], path.ankle[play_.frame(i)]));
        leg.toe.push_back(over_ground(play_.ground[i], path.toe[play_.frame(i)]));
      }
      leg.chains = chains_of(find_stances(leg.toe, leg.ankle, path.length, seconds_));
      for (ContactChain& chain : leg.chains) {
        double height = 0.0;
        for (std::size_t i = chain.first(); i <= chain.last(); ++i)
          height += heights[play_.frame(i)] / static_cast<double>(chain.last() - chain.first() + 1);
        for (const ContactRun& run : chain.runs)
          if (drift_of(std::span(leg.point(run.is_toe)).subspan(run.first, run.last - run.first + 1)) >=
              options_.least_drift)
            chain.left = ContactLeft::Locked;
        if (!options_.all && height < kLyingShare * heights.front()) chain.left = ContactLeft::Lying;
        anchor(chain, leg, path.length, seconds_, options_.height);
      }
      feet_.push_back(std::move(leg));
    }
  }

  std::int32_t hips() const { return legs_.front().hips != kNoBone ? legs_.front().hips : legs_.front().upper; }

  void place() {
    const double fade = options_.fade_seconds / seconds_;
    plan_.places.assign(legs_.size(), {});
    plan_.rotations.assign(legs_.size(), {});
    plan_.is_bent.assign(legs_.size(), std::vector<std::uint8_t>(play_.frames, 0));
    offsets_.clear();
    for (std::size_t l = 0; l < legs_.size(); ++l) {
      const std::vector<Vec3d> all = faded_offsets(feet_[l].chains, play_.size(), fade);
      offsets_.emplace_back();
      for (std::size_t f = 0; f < play_.frames; ++f) {
        const Vec3d offset = all[play_.start() + f];
        offsets_.back().push_back(offset);
        plan_.places[l].push_back(paths_[l].ankle[f] + glm::conjugate(plan_.ground[f].turn) * offset);
        plan_.is_bent[l][f] = glm::length(offset) > 1e-6;
      }
    }
    shift_hips();
  }

  bool closes() const {
    return std::ranges::all_of(
        offsets_, [](const std::vector<Vec3d>& leg) { return glm::length(leg.front() - leg.back()) < 0.01; });
  }

  // Hips come along if a foot's place is out of reach: as far as needed, a little earlier and later, and smoothly.
  void shift_hips() {
    plan_.hips.assign(play_.frames, Vec3d(0.0));
    std::vector<Vec3d> needed(play_.frames, Vec3d(0.0));
    PosedBody body(skeleton_, clip_);
    bool is_needed = false;
    for (std::size_t f = 0; f < play_.frames; ++f) {
      body.pose(static_cast<std::int32_t>(f));
      for (std::size_t l = 0; l < legs_.size(); ++l) plan_.rotations[l].push_back(body.rotation(legs_[l].end));
      if (legs_.front().hips == kNoBone) continue;
      for (int round = 0; round < 30; ++round) {
        double worst = 0.0;
        for (std::size_t l = 0; l < legs_.size(); ++l) {
          const Vec3d hip = body.place(legs_[l].upper), way = plan_.places[l][f] - (hip + needed[f]);
          const double most = std::max(glm::length(paths_[l].ankle[f] - hip), 0.999 * reach_of(body, legs_[l]));
          const double missing = glm::length(way) - most;
          if (missing <= 1e-6) continue;
          worst = std::max(worst, missing);
          needed[f] += 0.6 * missing * glm::normalize(way);
        }
        if (worst <= 1e-5) break;
      }
      is_needed |= glm::length(needed[f]) > 1e-5;
    }
    if (!is_needed) return;
    const auto count = static_cast<std::ptrdiff_t>(play_.frames);
    const auto wrapped_frame = [&](std::ptrdiff_t f) {
      return plan_.is_loop ? static_cast<std::size_t>(((f % (count - 1)) + count - 1) % (count - 1))
                           : static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(f, 0, count - 1));
    };
    std::vector<Vec3d> widest(play_.frames, Vec3d(0.0));
    for (std::ptrdiff_t f = 0; f < count; ++f)
      for (std::ptrdiff_t k = -3; k <= 3; ++k) {
        const Vec3d& each = needed[wrapped_frame(f + k)];
        Vec3d& into = widest[static_cast<std::size_t>(f)];
        if (glm::length(each) > glm::length(into)) into = each;
      }
    for (std::ptrdiff_t f = 0; f < count; ++f) {
      Vec3d sum(0.0);
      double total = 0.0;
      for (std::ptrdiff_t k = -6; k <= 6; ++k) {
        const double weight = std::exp(-static_cast<double>(k * k) / 8.0);
        sum += weight * widest[wrapped_frame(f + k)];
        total += weight;
      }
      Vec3d shift = sum / total;
      const double length = glm::length(shift);
      if (length > options_.max_hips) shift *= options_.max_hips / length;
      if (length < 1e-5) continue;
      plan_.hips[static_cast<std::size_t>(f)] = shift;
      for (auto& leg : plan_.is_bent) leg[static_cast<std::size_t>(f)] = 1;
    }
  }

  // Tries the plan. A contact that turns some bone too far is left alone.
  void leave_far_turns() {
    for (std::size_t tries = 0; tries < 64; ++tries) {
      Clip trial = clip_;
      if (legs_.front().hips != kNoBone) move_hips(skeleton_, legs_.front().hips, plan_, trial);
      bool is_far = false;
      for (std::size_t l = 0; l < legs_.size(); ++l) {
        const std::vector<double> turns = bend_leg(skeleton_, legs_[l], l, plan_, trial);
        const auto worst = std::ranges::max_element(turns);
        if (worst == turns.end() || *worst <= options_.max_turn_degrees) continue;
        const auto frame = play_.start() + static_cast<std::size_t>(worst - turns.begin());
        ContactChain* nearest = nullptr;
        std::size_t distance = 0;
        for (ContactChain& chain : feet_[l].chains) {
          if (chain.left != ContactLeft::Locked) continue;
          const std::size_t away = frame < chain.first()  ? chain.first() - frame
                                   : frame > chain.last() ? frame - chain.last()
                                                          : 0;
          if (!nearest || away < distance) nearest = &chain, distance = away;
        }
        if (!nearest) continue;
        leave(feet_[l], *nearest);
        is_far = true;
      }
      if (!is_far) return;
      place();
    }
  }

  // In a loop the same contact is there three times.
  void leave(LegPlay& leg, const ContactChain& chosen) {
    const std::size_t period = play_.copies == 1 ? 0 : play_.frames - 1, first = chosen.first();
    for (ContactChain& chain : leg.chains)
      if (chain.left == ContactLeft::Locked &&
          (&chain == &chosen || (period > 0 && chain.first() % period == first % period)))
        chain.left = ContactLeft::TurnsFar;
  }

  FeetPlan finish() {
    if (plan_.places.empty()) {
      for (const LegPaths& path : paths_) plan_.places.push_back(path.ankle);
      plan_.is_bent.assign(legs_.size(), std::vector<std::uint8_t>(at(clip_.frame_count), 0));
      plan_.hips.assign(at(clip_.frame_count), Vec3d(0.0));
      return std::move(plan_);
    }
    const std::size_t start = play_.start(), end = start + play_.frames - 1;
    for (std::size_t l = 0; l < legs_.size(); ++l)
      for (const ContactChain& chain : feet_[l].chains)
        for (const ContactRun& run : chain.runs) {
          if (run.last < start || run.first > end) continue;
          const std::size_t first = std::max(run.first, start), last = std::min(run.last, end);
          if (play_.copies > 1 && first == last) continue;  // the seam belongs to the other side
          plan_.contacts.push_back(
              {.leg = l,
               .is_toe = run.is_toe,
               .first = static_cast<std::int32_t>(first - start),
               .last = static_cast<std::int32_t>(last - start),
               .drift = drift_of(std::span(feet_[l].point(run.is_toe)).subspan(first, last - first + 1)),
               .left = chain.left});
        }
    return std::move(plan_);
  }

  const Skeleton& skeleton_;
  std::span<const Limb> legs_;
  const Clip& clip_;
  const FeetOptions& options_;
  double seconds_;
  std::vector<LegPaths> paths_;
  Play play_;
  std::vector<LegPlay> feet_;
  std::vector<std::vector<Vec3d>> offsets_;
  FeetPlan plan_;
};

}  // namespace

FeetPlan plan_feet(const Skeleton& skeleton, std::span<const Limb> legs, const Clip& clip, const FeetOptions& options) {
  return Planner(skeleton, legs, clip, options).plan();
}

void move_hips(const Skeleton& skeleton, std::int32_t hips, const FeetPlan& plan, Clip& clip) {
  const std::vector<std::int32_t> track_of = tracks_by_bone(skeleton, clip);
  if (track_of[at(hips)] < 0) return;
  const Clip source = clip;
  PosedBody body(skeleton, source);
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    if (plan.hips[at(f)] == Vec3d(0.0)) continue;
    body.pose(f);
    body.move(hips, plan.hips[at(f)]);
    put_pose(body, track_of, source, f, clip);
  }
}

std::vector<double> bend_leg(const Skeleton& skeleton, const Limb& leg, std::size_t index, const FeetPlan& plan,
                             Clip& clip) {
  const std::vector<std::int32_t> track_of = tracks_by_bone(skeleton, clip);
  const Clip source = clip;
  const std::vector<Vec3d> axes = bending_axes(skeleton, leg, source);
  PosedBody body(skeleton, source);
  std::vector<double> turns(at(clip.frame_count), 0.0);
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    if (!plan.is_bent[index][at(f)]) continue;
    body.pose(f);
    const Quat before[] = {body.local(leg.upper).rotation, body.local(leg.lower).rotation,
                           body.local(leg.end).rotation};
    bend_limb(body, leg, plan.places[index][at(f)], axes[at(f)]);
    body.set_rotation(leg.end, plan.rotations[index][at(f)]);
    const std::int32_t bones[] = {leg.upper, leg.lower, leg.end};
    for (std::size_t i = 0; i < 3; ++i)
      turns[at(f)] =
          std::max(turns[at(f)], glm::length(turn_between(before[i], body.local(bones[i]).rotation)) * kDegrees);
    put_pose(body, track_of, source, f, clip);
  }
  return turns;
}

std::vector<double> contact_drifts(const Skeleton& skeleton, std::span<const Limb> legs, const FeetPlan& plan,
                                   const Clip& clip) {
  std::vector<LegPaths> paths;
  for (const Limb& leg : legs) paths.push_back(leg_paths(skeleton, leg, clip));
  std::vector<double> drifts;
  for (const FootContact& contact : plan.contacts) {
    std::vector<Vec3d> points;
    for (std::int32_t f = contact.first; f <= contact.last; ++f)
      points.push_back(over_ground(plan.ground[at(f)], paths[contact.leg].point(contact.is_toe)[at(f)]));
    drifts.push_back(drift_of(points));
  }
  return drifts;
}

}  // namespace marrow::motion
