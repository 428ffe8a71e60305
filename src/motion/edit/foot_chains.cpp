// SPDX-License-Identifier: MIT
#include "motion/edit/foot_chains.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "motion/edit/blend.h"

namespace marrow::motion {

double drift_of(std::span<const Vec3d> points) {
  Vec3d mean(0.0);
  for (const Vec3d& point : points) mean += point / static_cast<double>(points.size());
  double drift = 0.0;
  for (const Vec3d& point : points) drift = std::max(drift, std::hypot(point.x - mean.x, point.y - mean.y));
  return drift;
}

std::vector<ContactChain> chains_of(const std::vector<Stance>& stances) {
  std::vector<ContactChain> chains;
  for (std::size_t i = 0; i < stances.size();) {
    std::size_t end = i;
    while (end < stances.size() && stances[end] == stances[i]) ++end;
    if (stances[i] != Stance::None) {
      if (i == 0 || stances[i - 1] == Stance::None) chains.emplace_back();
      chains.back().runs.push_back({stances[i] == Stance::Toe, i, end - 1});
    }
    i = end;
  }
  return chains;
}

void anchor(ContactChain& chain, const LegPlay& leg, double leg_length, double frame_seconds, bool height) {
  chain.offsets.clear();
  Vec3d sum(0.0), carried(0.0);
  double total = 0.0;
  for (const ContactRun& run : chain.runs) {
    const std::vector<Vec3d>& points = leg.point(run.is_toe);
    const std::vector<double> speeds =
        speeds_of(std::span(points).subspan(run.first, run.last - run.first + 1), frame_seconds);
    const Vec3d held = points[run.first] + carried;
    for (std::size_t i = run.first; i <= run.last; ++i) {
      const Vec3d offset = held - points[i];
      const double weight = std::pow(speeds[i - run.first] * frame_seconds + 0.02 * leg_length * frame_seconds, -2.0);
      sum += weight * offset;
      total += weight;
      chain.offsets.push_back(offset);
    }
    carried = chain.offsets.back();
  }
  for (Vec3d& offset : chain.offsets) {
    offset -= sum / total;
    if (!height) offset.z = 0.0;
  }
}

std::vector<Vec3d> faded_offsets(const std::vector<ContactChain>& chains, std::size_t frames, double fade_frames) {
  std::vector<Vec3d> offsets(frames, Vec3d(0.0));
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const ContactChain& chain = chains[c];
    if (chain.left != ContactLeft::Locked) continue;
    for (std::size_t i = 0; i < chain.offsets.size(); ++i) offsets[chain.first() + i] = chain.offsets[i];
    const auto before = static_cast<double>(c > 0 ? chain.first() - chains[c - 1].last() : chain.first() + 1);
    const auto after =
        static_cast<double>(c + 1 < chains.size() ? chains[c + 1].first() - chain.last() : frames - chain.last());
    const double out = std::min(fade_frames, after), in = std::min(fade_frames, before);
    for (std::size_t k = 1; static_cast<double>(k) < out && chain.last() + k < frames; ++k)
      offsets[chain.last() + k] += chain.offsets.back() * ease(1.0 - static_cast<double>(k) / out);
    for (std::size_t k = 1; static_cast<double>(k) < in && k <= chain.first(); ++k)
      offsets[chain.first() - k] += chain.offsets.front() * ease(1.0 - static_cast<double>(k) / in);
  }
  return offsets;
}

}  // namespace marrow::motion
