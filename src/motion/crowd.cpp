// SPDX-License-Identifier: MIT
#include "marrow/motion/crowd.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

#include "core/try.h"
#include "motion/crowd_kernel.h"

namespace marrow::motion {
namespace {

constexpr std::size_t kMostLanes = 8, kAlignment = 8;  // doubles

// The most lanes that the processor has.
std::size_t best_lane_count() {
#if defined(MARROW_HAS_AVX2_KERNEL)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return 8;
  if (__builtin_cpu_supports("avx2")) return 4;
#endif
  return 2;
}

bool collides(const CompiledRigData& rig) {
  return !rig.colliders.empty() || rig.ground.has_value() || !rig.ball_steps.empty();
}

EvaluateJob job_of(const EvaluateCrowdJob& crowd, std::size_t i) {
  return {.rig = crowd.rig,
          .state = crowd.states[i],
          .environment = crowd.environments[crowd.environments.size() == 1 ? 0 : i],
          .delta_seconds = crowd.delta_seconds,
          .input = crowd.inputs[i],
          .weights = crowd.weights.empty() ? std::span<const float>{} : crowd.weights[i],
          .output = crowd.outputs[i],
          .stretch = crowd.stretch.empty() ? std::span<Vec3>{} : crowd.stretch[i],
          .trace = {}};
}

template <int N>
Cast<Lanes<N>> cast_of(const EvaluateCrowdJob& crowd, std::size_t first) {
  Cast<Lanes<N>> cast{.rig = &crowd.rig->data(), .delta_seconds = crowd.delta_seconds};
  for (std::size_t k = 0; k < N; ++k) {
    const std::size_t i = first + k;
    cast.environments[k] = &crowd.environments[crowd.environments.size() == 1 ? 0 : i];
    cast.values[k] = crowd.states[i]->values().data();
    cast.inputs[k] = crowd.inputs[i].data();
    cast.outputs[k] = crowd.outputs[i].data();
    cast.weights[k] = crowd.weights.empty() || crowd.weights[i].empty() ? nullptr : crowd.weights[i].data();
    cast.stretch[k] = crowd.stretch.empty() || crowd.stretch[i].empty() ? nullptr : crowd.stretch[i].data();
  }
  return cast;
}

}  // namespace

struct CrowdMemory::Data {
  std::vector<double> numbers;
  std::vector<Touched> touched;
  std::size_t lanes = 0;
  bool scaled = false;  // scales of the globals are not all 1

  CrowdScratch scratch() {
    const auto misplaced = reinterpret_cast<std::uintptr_t>(numbers.data()) / sizeof(double) % kAlignment;
    return {numbers.data() + (kAlignment - misplaced) % kAlignment, touched.data(), &scaled};
  }
};

CrowdMemory::CrowdMemory(const CompiledRig& rig) : data_(std::make_unique<Data>()) {
  data_->lanes = best_lane_count();
  data_->touched.resize(rig.bone_count());
  data_->numbers.resize(rig.bone_count() * kDeskDoubles * kMostLanes + kAlignment);
  // Globals start unscaled in any number of lanes only if they are set once: the first frame does that.
  data_->scaled = true;
}
CrowdMemory::~CrowdMemory() = default;
CrowdMemory::CrowdMemory(CrowdMemory&&) noexcept = default;
CrowdMemory& CrowdMemory::operator=(CrowdMemory&&) noexcept = default;

void CrowdMemory::use_lanes(std::size_t most) { data_->lanes = std::min(most, best_lane_count()); }

Result<void> EvaluateCrowdJob::validate() const {
  if (!rig || !memory) return fail(ErrorCode::InvalidArgument, "a crowd needs a rig and memory");
  if (memory->data().touched.size() != rig->bone_count())
    return fail(ErrorCode::InvalidArgument, "the memory was made for another rig");
  const std::size_t count = states.size();
  if (inputs.size() != count || outputs.size() != count || (environments.size() != 1 && environments.size() != count) ||
      (!weights.empty() && weights.size() != count) || (!stretch.empty() && stretch.size() != count))
    return fail(ErrorCode::InvalidArgument, "a crowd needs one state, pose and environment per character");
  for (std::size_t i = 0; i < count; ++i)
    if (auto valid = job_of(*this, i).validate(); !valid) {
      valid.error().path = "characters[" + std::to_string(i) + "]";
      return valid;
    }
  return {};
}

void EvaluateCrowdJob::run() const {
  assert(validate());
  CrowdMemory::Data& work = memory->data();
  const std::size_t lanes = collides(rig->data()) ? 1 : work.lanes;
  std::size_t next = 0;
  const auto left = [&] { return states.size() - next; };
  // Memory that was laid out for another number of lanes has other numbers in its place.
  const auto with = [&]<int N>(auto kernel, std::integral_constant<int, N>) {
    if (lanes < N || left() < N) return;
    work.scaled = true;
    for (; left() >= N; next += N) kernel(cast_of<N>(*this, next), work.scratch());
  };
#if defined(MARROW_HAS_AVX2_KERNEL)
  with(evaluate_lanes_8, std::integral_constant<int, 8>{});
  with(evaluate_lanes_4, std::integral_constant<int, 4>{});
#endif
  with(evaluate_lanes_2, std::integral_constant<int, 2>{});
  for (; left() > 0; ++next) job_of(*this, next).run();
}

}  // namespace marrow::motion
