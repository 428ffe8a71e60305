// SPDX-License-Identifier: MIT
// A frame allocates nothing: this program's own operator new counts.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/any_rig.h"
#include "support/motion_rig.h"

namespace {

std::atomic<std::size_t> allocations = 0;

}  // namespace

// All of them: a sanitizer has its own for those that are left out, and minds when one allocates and another frees.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return operator new(size, std::nothrow); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

TEST_CASE("frames of every type allocate nothing, from the first one on") {
  for (const ModifierType type : moving_types()) {
    CAPTURE(class_name(type));
    Specimen s = specimen(type);
    // Two of them, so that balls have something to meet, and a curve longer than most.
    s.builder.modifier(3, s.builder.rig.modifiers[0].data);
    if (auto* curve = std::get_if<SplineConstraintModifier>(&s.builder.rig.modifiers[0].data))
      for (int i = 0; i < 12; ++i) curve->targets.push_back(link(i % 4));
    s.builder.rig.colliders = {{.bone = 0, .to_bone = 1, .radius = 0.2f}, {.bone = 2, .radius = 0.1f}};
    s.builder.rig.ground = 0.5f;
    for (const bool native : {false, true}) {
      const auto compiled = CompiledRig::compile(s.builder.rig, {.native_law = native, .self_collision = true});
      REQUIRE(compiled);
      State state(*compiled);
      AnyRun run(s.builder.rig, chooser(1));
      std::vector<Transform> out = run.pose;
      std::vector<Vec3> stretch(out.size());
      std::vector<Trace> trace(run.weights.size());
      std::size_t counted = 0;
      for (int i = 0; i < 60; ++i) {
        run.next();
        const EvaluateJob job{.rig = &*compiled,
                              .state = &state,
                              .environment = run.environment,
                              .delta_seconds = run.seconds,
                              .input = run.pose,
                              .weights = run.weights,
                              .output = out,
                              .stretch = stretch,
                              .trace = trace};
        const std::size_t before = allocations;
        job.run();
        counted += allocations - before;
      }
      CHECK(counted == 0);
    }
  }
  // The count counts: making a state does allocate.
  const std::size_t before = allocations;
  const auto compiled = CompiledRig::compile(specimen(ModifierType::Hinge).builder.rig);
  const State state(*compiled);
  CHECK(allocations > before);
}

TEST_CASE("characters that compute in the same memory do what they do alone, and other rigs get their own") {
  const Specimen ball = specimen(ModifierType::BallJoint);
  const auto compiled = CompiledRig::compile(ball.builder.rig),
             larger = CompiledRig::compile([] {
               RigBuilder b;
               for (int i = 0; i < 200; ++i) b.modifier(b.bone(i - 1, {0.1f, 0, 0}), BallJointModifier{});
               return b.rig;
             }());
  REQUIRE(compiled);
  REQUIRE(larger);
  State alone(*compiled), other(*compiled), beside(*compiled, other);
  State of_another(*larger, other);
  AnyRun run(ball.builder.rig, chooser(3)), neighbour(ball.builder.rig, chooser(4));
  for (int i = 0; i < 60; ++i) {
    run.next();
    neighbour.next();
    const auto expected = evaluate(*compiled, alone, run);
    // Scaled poses in between, which leave their scales in the memory.
    neighbour.pose[1].scale = Vec3(i % 3 == 0 ? 2.0f : 1.0f);
    evaluate(*compiled, other, neighbour);
    CHECK(evaluate(*compiled, beside, run) == expected);
  }
  std::vector<Transform> pose(larger->bone_count());
  const EvaluateJob job{.rig = &*larger, .state = &of_another, .input = pose, .output = pose};
  REQUIRE(job.validate());
  job.run();
}
