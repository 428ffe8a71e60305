// SPDX-License-Identifier: MIT
// Targets that do several things with what they read do one of them per input when they are fuzzed: more inputs are
// tried in the same time. Replays do all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace marrow::fuzz {

/// Calls one of the steps, which the input chooses; all if the input is replayed.
template <class... Steps>
void run_steps(std::span<const std::byte> input, const Steps&... steps) {
#ifdef MARROW_FUZZ_REPLAY
  static_cast<void>(input);
  (steps(), ...);
#else
  std::uint32_t hash = 2166136261u;
  for (const std::byte byte : input) hash = (hash ^ static_cast<std::uint32_t>(byte)) * 16777619u;
  std::size_t left = (hash >> 8) % sizeof...(Steps) + 1;
  ((--left == 0 ? steps() : void()), ...);
#endif
}

}  // namespace marrow::fuzz
