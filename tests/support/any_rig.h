// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "marrow/motion/evaluate.h"

// Rigs and runs of them made of choices, for property tests and fuzzing: one maker for both.
namespace marrow::motion::support {

/// Where choices come from: a number from `low` up to and without `high`. Rapidcheck, a random engine, or bytes.
using Choose = std::function<std::int32_t(std::int32_t low, std::int32_t high)>;

/// Choices of a random engine.
Choose chooser(std::uint32_t seed);

enum class Values : std::uint8_t {
  Lively,   ///< what an author could have meant: things swing, and limits hold them now and then
  Extreme,  ///< anything finite: zeros, tiny and huge numbers, any bits
  Any,      ///< anything at all, which a rig may refuse
};

struct AnyRigOptions {
  Values values = Values::Lively;
  std::int32_t most_bones = 10;
  std::int32_t most_modifiers = 8;
};

/// A tree of bones with modifiers of all types, priorities and levels of detail.
Rig any_rig(const Choose& choose, const AnyRigOptions& options = {});
/// A modifier of the type with all fields chosen; its links lead to the first `bones` bones.
Modifier any_modifier(const Choose& choose, ModifierType type, std::int32_t bones, Values values = Values::Lively);

Vec3 any_vector(const Choose& choose, float reach);
Quat any_rotation(const Choose& choose);

/// A run: what a frame is given, changed a little by every `next`, now and then a lot.
struct AnyRun {
  AnyRun(const Rig& rig, Choose choices, Values kind = Values::Lively);

  void next();

  Choose choose;
  Values values;
  std::vector<Transform> pose;
  std::vector<float> weights;
  Environment environment;
  double seconds = 0.0;  ///< of the frame, from 0 to 0.5
};

/// One frame; the stretch of bones may be left out.
std::vector<Transform> evaluate(const CompiledRig& compiled, State& state, const AnyRun& run,
                                std::span<Vec3> stretch = {});

bool same_bits(const std::vector<Transform>& a, const std::vector<Transform>& b);
bool all_finite(const std::vector<Transform>& pose);
/// The largest difference of two poses: radians of rotations, or lengths of translations where those are longer than 1
/// as shares of them.
double apart(const std::vector<Transform>& a, const std::vector<Transform>& b);

}  // namespace marrow::motion::support
