// SPDX-License-Identifier: MIT
#include "support/motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace marrow::test {
namespace {

// A generator whose numbers are the same everywhere; those of <random> distributions are not.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : state_(seed * 2654435761u + 1u) {}
  double roll(double low, double high) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * static_cast<double>(state_ >> 33) / 2147483648.0;
  }

 private:
  std::uint64_t state_;
};

std::vector<double> curve(MotionKind kind, std::uint32_t frames, double amplitude, Dice& dice) {
  std::vector<double> values(frames);
  const double phase = dice.roll(0, 6), slow = dice.roll(0.02, 0.1), fast = dice.roll(0.15, 0.4);
  double level = dice.roll(-amplitude, amplitude);
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    if (kind == MotionKind::Step && dice.roll(0, 1) < 0.08) level = dice.roll(-amplitude, amplitude);
    double value = level;
    if (kind == MotionKind::Smooth || kind == MotionKind::Noisy)
      value = amplitude * (std::sin(slow * frame + phase) + 0.2 * std::sin(fast * frame));
    if (kind == MotionKind::Noisy) value += amplitude * dice.roll(-0.02, 0.02);
    values[frame] = value;
  }
  return values;
}

std::array<double, 4> unit(std::array<double, 4> q) {
  double length = 0;
  for (const double x : q) length += x * x;
  for (double& x : q) x /= std::sqrt(length);
  return q;
}

double angle_between(const codec::Quaternion& a, const std::array<double, 4>& b) {
  const auto u = unit({a[0], a[1], a[2], a[3]}), v = unit(b);
  double same = 0, opposite = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    same += (u[i] - v[i]) * (u[i] - v[i]);
    opposite += (u[i] + v[i]) * (u[i] + v[i]);
  }
  return 4 * std::asin(std::min(1.0, 0.5 * std::sqrt(std::min(same, opposite)))) * 180 / std::numbers::pi;
}

double distance(const std::array<float, 3>& a, const std::array<double, 3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

struct Pose {
  std::array<double, 3> translation;
  std::array<double, 4> rotation;
  std::array<double, 3> scale;
};

// Raw frames at a fraction of a frame: linear, rotations the shorter way and normalised.
Pose pose_of(const Motion& motion, std::size_t track, double frame) {
  const auto from = static_cast<std::uint32_t>(frame);
  const std::uint32_t to = std::min(from + 1, motion.frame_count - 1);
  const double t = frame - from;
  const float* a = &motion.transforms[(from * motion.track_count + track) * 10];
  const float* b = &motion.transforms[(to * motion.track_count + track) * 10];
  double dot = 0;
  for (int i = 3; i < 7; ++i) dot += static_cast<double>(a[i]) * b[i];
  const auto mix = [&](int i) {
    const double sign = i >= 3 && i < 7 && dot < 0 ? -1 : 1;
    return (1 - t) * a[i] + t * sign * b[i];
  };
  return {{mix(0), mix(1), mix(2)}, unit({mix(3), mix(4), mix(5), mix(6)}), {mix(7), mix(8), mix(9)}};
}

double float_of(const Motion& motion, std::size_t track, double frame) {
  const auto from = static_cast<std::uint32_t>(frame);
  const std::uint32_t to = std::min(from + 1, motion.frame_count - 1);
  const double t = frame - from;
  return (1 - t) * motion.floats[from * motion.float_count + track] +
         t * motion.floats[to * motion.float_count + track];
}

using PoseAt = std::function<Pose(std::size_t block, std::size_t track, double local_frame)>;
using FloatAt = std::function<double(std::size_t block, std::size_t track, double local_frame)>;

codec::EncodeErrors difference(const codec::SplineBlob& blob, const PoseAt& pose_at, const FloatAt& float_at) {
  codec::EncodeErrors worst;
  for (std::size_t block = 0; block < blob.blocks.size(); ++block) {
    const std::uint32_t frames =
        codec::frames_in_block(blob.frame_count, blob.max_frames_per_block, static_cast<std::uint32_t>(block));
    for (std::uint32_t quarter = 0; quarter <= 4 * (frames - 1); ++quarter) {
      const double frame = quarter / 4.0;
      for (std::size_t track = 0; track < blob.blocks[block].transforms.size(); ++track) {
        const codec::TransformTrack& stored = blob.blocks[block].transforms[track];
        const Pose pose = pose_at(block, track, frame);
        worst.translation =
            std::max(worst.translation, distance(evaluate(stored.translation, frame, 0), pose.translation));
        worst.rotation_degrees =
            std::max(worst.rotation_degrees, angle_between(evaluate(stored.rotation, frame), pose.rotation));
        worst.scale = std::max(worst.scale, distance(evaluate(stored.scale, frame, 1), pose.scale));
      }
      for (std::size_t track = 0; track < blob.blocks[block].floats.size(); ++track)
        worst.value = std::max(
            worst.value, std::abs(evaluate(blob.blocks[block].floats[track], frame) - float_at(block, track, frame)));
    }
  }
  return worst;
}

}  // namespace

Motion make_motion(MotionKind kind, std::uint32_t frames, std::size_t tracks, std::size_t floats, std::uint32_t seed) {
  Motion motion{frames, tracks, floats, std::vector<float>(frames * tracks * 10), std::vector<float>(frames * floats)};
  Dice dice(seed);
  for (std::size_t track = 0; track < tracks; ++track) {
    std::array<std::vector<double>, 10> lanes;
    for (std::size_t lane = 0; lane < 10; ++lane) {
      const double amplitude = lane < 3 ? 10.0 : lane < 7 ? 0.5 : 0.1;
      lanes[lane] = curve(kind, frames, amplitude, dice);
    }
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      float* out = &motion.transforms[(frame * tracks + track) * 10];
      const auto q = unit({lanes[3][frame], lanes[4][frame], lanes[5][frame], 1.0 + lanes[6][frame]});
      for (std::size_t lane = 0; lane < 10; ++lane) {
        const double value = lane < 3 ? lanes[lane][frame] : lane < 7 ? q[lane - 3] : 1.0 + lanes[lane][frame];
        out[lane] = static_cast<float>(value);
      }
    }
  }
  for (std::size_t track = 0; track < floats; ++track) {
    const auto values = curve(kind, frames, 1.0, dice);
    for (std::uint32_t frame = 0; frame < frames; ++frame)
      motion.floats[frame * floats + track] = static_cast<float>(values[frame]);
  }
  return motion;
}

codec::EncodeErrors decoded_difference(const codec::SplineBlob& blob, const Motion& motion) {
  const auto global = [&](std::size_t block, double frame) {
    return static_cast<double>(block * blob.stride()) + frame;
  };
  return difference(
      blob,
      [&](std::size_t block, std::size_t track, double frame) { return pose_of(motion, track, global(block, frame)); },
      [&](std::size_t block, std::size_t track, double frame) {
        return float_of(motion, track, global(block, frame));
      });
}

codec::EncodeErrors decoded_difference(const codec::SplineBlob& blob, const codec::SplineBlob& source) {
  return difference(
      blob,
      [&](std::size_t block, std::size_t track, double frame) {
        const codec::TransformTrack& stored = source.blocks[block].transforms[track];
        const auto t = evaluate(stored.translation, frame, 0), s = evaluate(stored.scale, frame, 1);
        const codec::Quaternion q = evaluate(stored.rotation, frame);
        return Pose{{t[0], t[1], t[2]}, {q[0], q[1], q[2], q[3]}, {s[0], s[1], s[2]}};
      },
      [&](std::size_t block, std::size_t track, double frame) {
        return static_cast<double>(evaluate(source.blocks[block].floats[track], frame));
      });
}

}  // namespace marrow::test
