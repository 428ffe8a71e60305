// SPDX-License-Identifier: MIT
#include "motion/simulate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/try.h"
#include "marrow/core/text.h"
#include "motion/clip_path.h"
#include "motion/clip_time.h"
#include "motion/compiled_rig_data.h"

namespace marrow::motion {
namespace {

constexpr double kMostFrames = 1e6;
constexpr double kLongestSettling = 3600.0;

// A loop is closed if its ends are this close; the rest is spread over its frames.
constexpr double kClosedDegrees = 0.01, kClosedMetres = 1e-4;
// Seconds that a loop may take to close, and the fewest rounds.
constexpr double kLongestApproach = 60.0;
constexpr int kFewestRounds = 4;
// The ends of a clip that is meant to loop are closer than this.
constexpr double kLoopingDegrees = 1.0, kLoopingMetres = 0.005;
constexpr double kSettleStep = 1.0 / 60.0;
// Between the frames that are written, a clip is followed in steps no longer than this: its path is known there, and
// every frame rate comes to the same.
constexpr double kPathStep = 1.0 / 240.0;

std::string tenths(double value) { return float_text(static_cast<float>(std::round(value * 10.0) / 10.0)); }

// How far apart two poses are, at a bone.
struct Apart {
  double degrees = 0.0, metres = 0.0;
  std::size_t bone = 0;

  bool within(double most_degrees, double most_metres) const {
    return degrees <= most_degrees && metres <= most_metres;
  }
};

class Run {
 public:
  Run(const Rig& rig, const CompiledRig& compiled, const Clip* clip, const SimulateOptions& options)
      : rig_(rig), compiled_(compiled), clip_(clip), options_(options), state_(compiled) {
    const std::size_t bones = compiled.bone_count();
    input_.resize(bones);
    output_.resize(bones);
    stretch_.resize(bones);
    owns_.resize(bones);
    for (const Step& step : compiled.data().steps) owns_[static_cast<std::size_t>(step.owner)] = true;
    read_.resize(bones);
    for (const std::int32_t bone : compiled.data().read) read_[static_cast<std::size_t>(bone)] = true;
    has_chains_ = find_chains();
    if (clip) path_.emplace(rig.skeleton, *clip, compiled.settings().reset_distance / rig.metres_per_unit);
  }

  Simulation run() {
    frames_ = static_cast<std::int64_t>(std::llround(options_.seconds * options_.frames_per_second)) + 1;
    Simulation out;
    out.clip.frame_count = static_cast<std::int32_t>(frames_);
    out.clip.duration_seconds = static_cast<float>(length());
    out.clip.track_count = static_cast<std::int32_t>(compiled_.bone_count());
    out.clip.skeleton_name = rig_.skeleton.name;
    out.clip.transforms.reserve(static_cast<std::size_t>(frames_) * compiled_.bone_count());
    std::vector<Trace> trace;
    if (is_traced(0)) trace.resize(compiled_.modifier_count());
    settle();
    if (options_.loop) come_round(out);
    // Without settling, what swings starts from the given pose; constraints hold from the first frame on.
    step(0.0, 0.0, 0.0, trace);
    apply_stretch();
    if (options_.settle_seconds == 0.0 && !options_.loop) start_from_pose();
    record(0, trace, out);
    for (std::int64_t frame = 1; frame < frames_; ++frame) {
      trace.clear();
      if (is_traced(frame)) trace.resize(compiled_.modifier_count());
      advance(frame, trace);
      record(frame, trace, out);
    }
    if (options_.loop) close(out);
    return out;
  }

 private:
  // Gives bones that only swing their input to the bit.
  void start_from_pose() {
    std::vector<bool> is_held(output_.size(), false);
    for (const Step& each : compiled_.data().steps)
      if (!each.anchored) is_held[static_cast<std::size_t>(each.owner)] = true;
    for (std::size_t i = 0; i < output_.size(); ++i)
      if (owns_[i] && !is_held[i]) output_[i] = input_[i];
  }

  // True if a bone that swings hangs on another: it must see when that one meets its limit within a frame.
  bool find_chains() const {
    std::vector<bool> swings(owns_.size(), false), hangs(owns_.size(), false);
    for (const Step& each : compiled_.data().steps)
      if (each.anchored) swings[static_cast<std::size_t>(each.owner)] = true;
    for (std::size_t i = 0; i < swings.size(); ++i) {
      const std::int32_t parent = rig_.skeleton.bones[i].parent;
      if (parent == kNoBone) continue;
      const auto above = static_cast<std::size_t>(parent);
      hangs[i] = swings[above] || hangs[above];
      if (hangs[i] && swings[i]) return true;
    }
    return false;
  }

  double length() const { return static_cast<double>(frames_ - 1) / options_.frames_per_second; }

  bool is_traced(std::int64_t frame) const { return options_.trace_frame == frame || options_.on_trace; }

  void record(std::int64_t frame, std::vector<Trace>& trace, Simulation& out) {
    out.clip.transforms.insert(out.clip.transforms.end(), output_.begin(), output_.end());
    if (options_.on_trace) options_.on_trace(frame, trace);
    if (options_.trace_frame == frame) out.trace = std::move(trace);
    if (options_.on_frame) options_.on_frame();
  }

  // Holds the first pose until hanging parts have come to rest, moving at the speed at which the clip starts.
  void settle() {
    const auto steps = static_cast<std::int64_t>(std::ceil(options_.settle_seconds / kSettleStep - 1e-9));
    for (std::int64_t i = 0; i <= steps && steps > 0; ++i)
      step(0.0, static_cast<double>(i - steps) * kSettleStep, i == 0 ? 0.0 : kSettleStep, no_trace_);
    start_again();
  }

  // Repeats the whole length until it ends as it began. Each round has the same wind: time restarts, while positions
  // and speeds continue.
  void come_round(Simulation& out) {
    double rounds = std::clamp(std::ceil(kLongestApproach / std::max(length(), 1e-3)), 1.0 * kFewestRounds, 1e4);
    step(0.0, 0.0, 0.0, no_trace_);
    std::vector<Transform> before = output_;
    const std::vector<Transform> first_input = input_;
    for (int round = 1; round <= static_cast<int>(rounds); ++round) {
      for (std::int64_t frame = 1; frame < frames_; ++frame) advance(frame, no_trace_);
      if (round == 1) ends_meet_ = check_ends(first_input, out.notes);
      if (!ends_meet_) rounds = kFewestRounds;
      if (clip_ && clip_->root_motion) start_ = start_ * travelled(*clip_, length()).placed;
      start_again();
      step(0.0, 0.0, 0.0, no_trace_);
      const Apart left = apart(before, output_, owns_);
      out.loop = {.rounds = round, .closed = ends_meet_, .open_degrees = left.degrees, .open_metres = left.metres};
      if (left.within(kClosedDegrees, kClosedMetres)) return;
      before = output_;
    }
    if (!ends_meet_) return;
    out.notes.push_back({"the loop does not come to rest: after " + std::to_string(out.loop.rounds) +
                             " rounds its ends are " + tenths(out.loop.open_degrees) +
                             " degrees apart; the difference is spread over its frames; more friction helps",
                         kNoOffset,
                         {}});
  }

  // True if the bones with modifiers, and their ancestors, end where they start.
  bool check_ends(std::span<const Transform> first, Notes& notes) const {
    std::vector<bool> counts = owns_;
    for (std::size_t i = counts.size(); i-- > 0;)
      if (const std::int32_t parent = rig_.skeleton.bones[i].parent; counts[i] && parent != kNoBone)
        counts[static_cast<std::size_t>(parent)] = true;
    const Apart ends = apart(first, input_, counts);
    if (ends.within(kLoopingDegrees, kLoopingMetres)) return true;
    notes.push_back({"is not a loop: it ends " + tenths(ends.degrees) + " degrees and " + tenths(100.0 * ends.metres) +
                         " cm from its start at bone '" + rig_.skeleton.bones[ends.bone].name + "'",
                     kNoOffset,
                     {}});
    return false;
  }

  // Resets the time, so that the wind is that of time 0 again.
  void start_again() { state_.values()[kTimeIndex] = 0.0; }

  // Returns the difference at the bone where it is greatest.
  Apart apart(std::span<const Transform> a, std::span<const Transform> b, const std::vector<bool>& counts) const {
    Apart most;
    const auto badness = [](const Apart& x) { return x.degrees / kLoopingDegrees + x.metres / kLoopingMetres; };
    for (std::size_t i = 0; i < a.size(); ++i) {
      Apart here = distance(a[i], b[i]);
      here.bone = i;
      if (counts[i] && badness(here) > badness(most)) most = here;
    }
    return most;
  }
  Apart distance(const Transform& a, const Transform& b) const {
    return {.degrees = static_cast<double>(angle_degrees(a.rotation, b.rotation)),
            .metres = glm::length(DVec(a.translation - b.translation)) * rig_.metres_per_unit};
  }

  // Spreads the remaining gap between the ends of bones that modifiers move over the frames; the last frame becomes
  // equal to the first.
  void close(Simulation& out) const {
    if (frames_ < 2 || !ends_meet_) return;
    const std::size_t bones = owns_.size(), last = static_cast<std::size_t>(frames_ - 1) * bones;
    auto& all = out.clip.transforms;
    for (std::size_t i = 0; i < bones; ++i) {
      if (!owns_[i]) continue;
      const Transform first = all[i], end = all[last + i];
      const DQuat turn = glm::conjugate(placement(end, 1.0).rot) * placement(first, 1.0).rot;
      for (std::size_t frame = 1; frame + 1 < static_cast<std::size_t>(frames_); ++frame) {
        const double share = static_cast<double>(frame) / static_cast<double>(frames_ - 1);
        Transform& t = all[frame * bones + i];
        t.rotation = to_float(unit(placement(t, 1.0).rot * short_arc(DQuat(1, 0, 0, 0), turn, share)));
        t.translation += (first.translation - end.translation) * static_cast<float>(share);
        t.scale += (first.scale - end.scale) * static_cast<float>(share);
      }
      all[last + i] = first;
    }
  }

  void advance(std::int64_t frame, std::vector<Trace>& trace) {
    const double dt = 1.0 / options_.frames_per_second, time = static_cast<double>(frame) / options_.frames_per_second;
    const bool is_fine = path_ || !rig_.colliders.empty() || rig_.ground || has_chains_;
    const double longest = is_fine ? kPathStep : compiled_.settings().reset_seconds;
    const int cuts = static_cast<int>(std::clamp(std::ceil(dt / longest - 1e-9), 1.0, 1e6));
    for (int i = 1; i <= cuts; ++i) {
      const double at = time - dt + dt * i / cuts;
      const bool is_frame = i == cuts;
      step(at, at, dt / cuts, is_frame ? trace : no_trace_, is_frame ? nullptr : &read_);
    }
    apply_stretch();
  }

  // Makes one step to the pose at `pose_time`, with the entity at `entity_time`. The two differ only while settling.
  // Between frames only the bones that modifiers read, `bones`, are posed.
  void step(double pose_time, double entity_time, double dt, std::vector<Trace>& trace,
            const std::vector<bool>* bones = nullptr) {
    EvaluateJob job{.rig = &compiled_,
                    .state = &state_,
                    .environment = options_.environment,
                    .delta_seconds = dt,
                    .input = input_,
                    .output = output_,
                    .stretch = stretch_,
                    .trace = trace};
    pose(pose_time, entity_time, bones, job.environment);
    job.run();
  }

  void pose(double time, double entity_time, const std::vector<bool>* bones, Environment& environment) {
    if (path_)
      path_->at(time_in_round(*clip_, time), input_, bones);
    else
      for (std::size_t i = 0; i < input_.size(); ++i) input_[i] = rig_.skeleton.bones[i].rest;
    if (clip_) {
      if (clip_->root_motion) {
        const Placement moved = placement(environment.entity, 1.0) * start_ * travelled(*clip_, entity_time).placed;
        environment.entity.translation = Vec3(moved.pos);
        environment.entity.rotation = to_float(moved.rot);
      }
    }
    const double shake = options_.shake_metres * std::sin(2.0 * kPi * options_.shake_hertz * time);
    for (std::size_t i = 0; i < input_.size(); ++i)
      if (rig_.skeleton.bones[i].parent == kNoBone && (!bones || (*bones)[i]))
        input_[i].translation.x += static_cast<float>(shake / rig_.metres_per_unit);
  }

  void apply_stretch() {
    for (std::size_t i = 0; i < output_.size(); ++i) {
      if (stretch_[i] != Vec3(1.0f)) output_[i].scale *= stretch_[i];
      const std::int32_t parent = rig_.skeleton.bones[i].parent;
      if (!options_.compensate_stretch || parent == kNoBone) continue;
      const Vec3& above = stretch_[static_cast<std::size_t>(parent)];
      if (above == Vec3(1.0f)) continue;
      output_[i].translation /= above;
      output_[i].scale /= above;
    }
  }

  const Rig& rig_;
  const CompiledRig& compiled_;
  const Clip* clip_;
  const SimulateOptions& options_;
  State state_;
  std::vector<Transform> input_, output_;
  std::vector<Vec3> stretch_;
  std::vector<Trace> no_trace_;
  std::optional<ClipPath> path_;
  std::vector<bool> owns_;  // by bone: it has modifiers
  std::vector<bool> read_;  // by bone: modifiers read it
  bool has_chains_ = false;
  std::int64_t frames_ = 0;
  bool ends_meet_ = true;  // for the input of a loop
  Placement start_;        // where the completed rounds of a loop have moved the entity
};

}  // namespace

void pose_at(const Skeleton& skeleton, const Clip& clip, double seconds, std::span<Transform> local) {
  ClipPath(skeleton, clip, std::numeric_limits<double>::infinity()).at(seconds, local);
}

Result<Simulation> simulate(const Rig& rig, const CompiledRig& compiled, const Clip* clip,
                            const SimulateOptions& options) {
  if (!(options.frames_per_second > 0.0) || !std::isfinite(options.frames_per_second))
    return fail(ErrorCode::InvalidArgument, "the frame rate must be a positive number");
  if (!(options.seconds >= 0.0) || options.seconds * options.frames_per_second > kMostFrames)
    return fail(ErrorCode::InvalidArgument,
                "the length must be a number of seconds that gives at most a million frames");
  if (!(options.settle_seconds >= 0.0 && options.settle_seconds <= kLongestSettling))
    return fail(ErrorCode::InvalidArgument, "the time to settle must be at most an hour");
  if (!std::isfinite(options.shake_metres) || !std::isfinite(options.shake_hertz))
    return fail(ErrorCode::InvalidArgument, "the shake must be finite");
  if (compiled.bone_count() != rig.skeleton.bones.size())
    return fail(ErrorCode::InvalidArgument, "the compiled rig belongs to another rig");
  if (clip) MARROW_CHECK(validate(*clip));
  return Run(rig, compiled, clip, options).run();
}

}  // namespace marrow::motion
