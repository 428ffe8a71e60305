// SPDX-License-Identifier: MIT
// Contacts that follow each other, and how far a foot is held from where it was.
#pragma once

#include "motion/edit/foot_contacts.h"

namespace marrow::motion {

/// Frames in which a foot stands on one point, both included.
struct ContactRun {
  bool is_toe = false;
  std::size_t first = 0, last = 0;
};

/// Runs that follow each other at once: the foot rolls from one point to the other.
struct ContactChain {
  std::vector<ContactRun> runs = {};
  ContactLeft left = ContactLeft::Still;
  std::vector<Vec3d> offsets = {};  ///< by frame, over the ground

  std::size_t first() const { return runs.front().first; }
  std::size_t last() const { return runs.back().last; }
};

/// The points of one leg over the ground, by frame, and its contacts.
struct LegPlay {
  std::vector<Vec3d> ankle = {}, toe = {};
  std::vector<ContactChain> chains = {};

  const std::vector<Vec3d>& point(bool is_toe) const { return is_toe ? toe : ankle; }
};

std::vector<ContactChain> chains_of(const std::vector<Stance>& stances);

/// Returns the largest horizontal distance of points from their mean.
double drift_of(std::span<const Vec3d> points);

/// Computes the offsets of a chain. Each run holds its point where it is when the run begins; as a whole the chain
/// stands where it stands stillest.
void anchor(ContactChain& chain, const LegPlay& leg, double leg_length, double frame_seconds, bool height);

/// Returns the offsets of a leg at all frames: those of locked chains, fading outside of them.
std::vector<Vec3d> faded_offsets(const std::vector<ContactChain>& chains, std::size_t frames, double fade_frames);

}  // namespace marrow::motion
