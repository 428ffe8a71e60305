// SPDX-License-Identifier: MIT
// Events that carry root motion: `animmotion X Y Z` and `animrotation DEGREES`.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "marrow/model/clip.h"
#include "marrow/ops/document/context.h"

namespace marrow {

inline constexpr std::string_view kMoves = "animmotion";
inline constexpr std::string_view kTurns = "animrotation";

/// Numbers that change over time; even between keys.
struct MotionKey {
  double time = 0.0;
  std::array<double, 3> value{};
};

/// True if an event is one of the two kinds.
bool is_motion_event(std::string_view text);

/// Returns the keys of the events of one kind, in order of time, with one at the start; none if there is no such event.
/// Notes events that the plugins would not understand.
std::vector<MotionKey> motion_keys(const Clip& clip, std::string_view word, std::size_t numbers, Context& context);

/// Keeps the keys that are needed to stay within the bound: each span is as long as it can be. There is at least one
/// key.
std::vector<MotionKey> thinned(const std::vector<MotionKey>& keys, double bound);

}  // namespace marrow
