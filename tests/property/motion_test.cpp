// SPDX-License-Identifier: MIT
// Laws of modifiers that hold for every rig: random trees, all types, any values, any steps of time.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <tuple>

#include "property/motion.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

// Steps of any length, resets that come soon or never, the engine's laws or ours.
Settings any_settings() {
  return {.substep_seconds = *rc::gen::element(1.0 / 240, 1.0 / 1000, 1.0 / 50),
          .reset_seconds = *rc::gen::element(0.1, 10.0),
          .reset_distance = *rc::gen::element(2.0, 1e9),
          .native_law = kPick(0, 4) == 0,
          .self_collision = kPick(0, 2) == 0};
}

Rig without(const Rig& rig, const std::function<bool(std::size_t)>& dropped) {
  Rig rest = rig;
  rest.modifiers.clear();
  for (std::size_t i = 0; i < rig.modifiers.size(); ++i)
    if (!dropped(i)) rest.modifiers.push_back(rig.modifiers[i]);
  return rest;
}

bool is_past(const Modifier& modifier, std::int32_t lod) {
  return modifier.limit_lod_level >= 0 && lod > modifier.limit_lod_level;
}

}  // namespace

TEST_CASE("whatever the values, every pose is one of numbers and every state can be saved and gone on from") {
  holds("finite, save and restore", [] {
    const Rig rig = any_rig(kPick, {.values = Values::Extreme});
    const CompiledRig compiled = compile(rig, any_settings());
    AnyRun run = any_run(rig, Values::Extreme);
    State state(compiled), other(compiled);
    const int saved_at = kPick(0, kFrames);
    std::vector<Vec3> stretch(run.pose.size());
    for (int i = 0; i < kFrames; ++i) {
      run.next();
      if (i == saved_at) RC_ASSERT(other.restore(state.save()).has_value());
      const auto out = evaluate(compiled, state, run, stretch);
      RC_ASSERT(all_finite(out));
      for (std::size_t k = 0; k < out.size(); ++k) {
        RC_ASSERT(std::isfinite(stretch[k].x + stretch[k].y + stretch[k].z));
        RC_ASSERT(std::abs(glm::length(out[k].rotation) - 1.0f) < 1e-4f);
      }
      if (i >= saved_at) RC_ASSERT(same_bits(evaluate(compiled, other, run), out));
    }
    RC_ASSERT(other.save() == state.save());
  });
}

TEST_CASE(
    "bones whose modifiers have weight 0, or are past their level of detail, leave with the bits they came with") {
  holds("untouched", [] {
    const Rig rig = any_rig(kPick, {.values = Values::Extreme});
    const CompiledRig compiled = compile(rig, any_settings());
    State state(compiled);
    AnyRun run = any_run(rig, Values::Extreme);
    for (int i = 0; i < kFrames; ++i) {
      run.next();
      const auto out = evaluate(compiled, state, run);
      for (std::size_t bone = 0; bone < out.size(); ++bone) {
        bool untouched = true;
        for (std::size_t k = 0; k < run.weights.size(); ++k) {
          const Modifier& m = rig.modifiers[k];
          if (m.owner.target == bone && m.blend_weight * run.weights[k] > 0.0f && !is_past(m, run.environment.lod))
            untouched = false;
        }
        if (untouched) RC_ASSERT(same_bits({out[bone]}, {run.pose[bone]}));
      }
    }
  });
}

TEST_CASE("a modifier of weight 0, or past its level of detail, might as well not be there") {
  holds("absent", [] {
    Rig rig = any_rig(kPick, {});
    calm(rig);
    const std::int32_t lod = kPick(0, 4);
    std::vector<bool> off;
    for (const Modifier& m : rig.modifiers) off.push_back(is_past(m, lod) || kPick(0, 2) == 0);
    const Rig fewer = without(rig, [&](std::size_t i) { return off[i]; });
    const Settings settings{.self_collision = kPick(0, 2) == 0};
    const CompiledRig compiled = compile(rig, settings), rest = compile(fewer, settings);
    State state(compiled), rest_state(rest);
    AnyRun run = any_run(rig);
    for (int i = 0; i < kFrames; ++i) {
      run.next();
      run.environment.lod = lod;
      AnyRun rest_run = run;
      rest_run.weights.clear();
      for (std::size_t k = 0; k < off.size(); ++k) {
        if (!off[k])
          rest_run.weights.push_back(run.weights[k]);
        else if (!is_past(rig.modifiers[k], lod))
          run.weights[k] = 0.0f;
      }
      // Not to the bit: a bone may be placed from its local transform once more, which rounds.
      RC_ASSERT(apart(evaluate(compiled, state, run), evaluate(rest, rest_state, rest_run)) < 1e-3);
    }
  });
}

TEST_CASE("with all weights 0 the pose leaves with the bits it came with, and motion is forgotten") {
  holds("all weights 0", [] {
    Rig rig = any_rig(kPick, {});
    // Its random wind goes on with time, which a fresh state has not seen.
    for (Modifier& modifier : rig.modifiers)
      if (auto* joint = std::get_if<BallJointModifier>(&modifier.data)) joint->wind_random_factor = 0.0f;
    const CompiledRig compiled = compile(rig, {.self_collision = kPick(0, 2) == 0});
    State state(compiled), fresh(compiled);
    AnyRun run = any_run(rig);
    const auto steady = [&] {
      run.next();
      run.environment.wind = {.velocity = {2, 1, 0}};
    };
    for (int i = 0; i < 10; ++i) {
      steady();
      evaluate(compiled, state, run);
    }
    steady();
    std::ranges::fill(run.weights, 0.0f);
    RC_ASSERT(same_bits(evaluate(compiled, state, run), run.pose));
    for (int i = 0; i < 10; ++i) {
      steady();
      std::ranges::fill(run.weights, 1.0f);
      RC_ASSERT(same_bits(evaluate(compiled, state, run), evaluate(compiled, fresh, run)));
    }
  });
}

TEST_CASE("no time leaves the state and gives the last result again") {
  holds("dt = 0", [] {
    const Rig rig = any_rig(kPick, {});
    const CompiledRig compiled = compile(rig, any_settings());
    State state(compiled);
    AnyRun run = any_run(rig);
    for (int i = 0; i < kFrames; ++i) {
      run.next();
      const auto last = evaluate(compiled, state, run);
      const auto saved = state.save();
      AnyRun still = run;
      still.environment.teleported = false;
      still.seconds = i % 2 == 0 ? 0.0 : -0.25;
      RC_ASSERT(same_bits(evaluate(compiled, state, still), last));
      RC_ASSERT(state.save() == saved);
    }
  });
}

TEST_CASE("no time leaves the state even where the pose has changed") {
  holds("dt = 0, other pose", [] {
    const Rig rig = any_rig(kPick, {});
    const CompiledRig compiled = compile(rig, any_settings());
    State state(compiled);
    AnyRun run = any_run(rig);
    for (int i = 0; i < 10; ++i) {
      run.next();
      evaluate(compiled, state, run);
    }
    const auto saved = state.save();
    AnyRun still = run;
    still.next();
    still.weights = run.weights;
    still.environment.lod = run.environment.lod;
    still.environment.teleported = false;
    still.seconds = 0.0;
    evaluate(compiled, state, still);
    RC_ASSERT(state.save() == saved);
  });
}

TEST_CASE("threads, copies of a state and evaluating in place give the same bits") {
  holds("same bits", [] {
    const Rig rig = any_rig(kPick, {});
    const CompiledRig compiled = compile(rig, any_settings());
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    const auto frames = [&](int variant) {
      State state(compiled);
      AnyRun run(rig, chooser(seed));
      std::vector<Transform> all;
      for (int i = 0; i < kFrames; ++i) {
        run.next();
        if (variant == 2) state = State(state);
        std::vector<Transform> out = run.pose;
        if (variant == 1) {
          const EvaluateJob job{.rig = &compiled,
                                .state = &state,
                                .environment = run.environment,
                                .delta_seconds = run.seconds,
                                .input = out,
                                .weights = run.weights,
                                .output = out};
          job.run();
        } else {
          out = evaluate(compiled, state, run);
        }
        all.insert(all.end(), out.begin(), out.end());
      }
      return all;
    };
    std::vector<std::vector<Transform>> results(4);
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) threads.emplace_back([&, i] { results[static_cast<std::size_t>(i)] = frames(i); });
    }
    for (const auto& result : results) RC_ASSERT(same_bits(result, frames(0)));
  });
}

TEST_CASE("modifiers are solved by priority, depth, bone and list, whatever the order they are given in") {
  holds("schedule", [] {
    const Rig rig = any_rig(kPick, {.most_bones = 16, .most_modifiers = 20});
    const CompiledRig compiled = compile(rig);
    const auto key = [&](std::uint32_t index) {
      const auto owner = static_cast<std::size_t>(rig.modifiers[index].owner.target);
      int depth = 0;
      for (auto bone = rig.skeleton.bones[owner].parent; bone != kNoBone; ++depth)
        bone = rig.skeleton.bones[static_cast<std::size_t>(bone)].parent;
      const auto& priority = rig.solving_priority;
      return std::tuple(priority.empty() ? 0 : static_cast<int>(priority[owner]), depth, owner, index);
    };
    const auto schedule = compiled.schedule();
    for (std::size_t i = 1; i < schedule.size(); ++i) RC_ASSERT(key(schedule[i - 1]) < key(schedule[i]));
    // Nothing that can do something is left out: what is, explains why.
    Notes notes;
    RC_ASSERT(CompiledRig::compile(rig, {}, &notes).has_value());
    const auto fx =
        std::ranges::count_if(rig.modifiers, [](const Modifier& m) { return m.type() == ModifierType::Fx; });
    const auto left_out =
        std::ranges::count_if(notes, [](const Note& note) { return note.message.starts_with("it has no effect: "); });
    RC_ASSERT(schedule.size() + static_cast<std::size_t>(left_out + fx) == rig.modifiers.size());
  });
}
