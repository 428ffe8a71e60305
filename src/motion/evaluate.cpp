// SPDX-License-Identifier: MIT
#include "marrow/motion/evaluate.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "motion/frame.h"
#include "motion/noise.h"
#include "motion/solve.h"

namespace marrow::motion {
namespace {

bool finite(const Transform& t) {
  return std::isfinite(t.translation.x + t.translation.y + t.translation.z) &&
         std::isfinite(t.rotation.x + t.rotation.y + t.rotation.z + t.rotation.w) &&
         std::isfinite(t.scale.x + t.scale.y + t.scale.z);
}

}  // namespace

DVec Wind::at(double seconds) const {
  if (gust_share == 0.0f) return DVec(velocity);
  return DVec(velocity) * (1.0 + gust_share * value_noise(mix_bits(gust_seed), seconds * gusts_per_second));
}

std::string_view to_string(LimitHit hit) {
  constexpr std::array<std::string_view, 8> kWords = {"none", "lower", "upper", "cone",
                                                      "box",  "angle", "scale", "contact"};
  return kWords[static_cast<std::size_t>(hit)];
}

Result<void> EvaluateJob::validate() const {
  if (!rig || !state) return fail(ErrorCode::InvalidArgument, "a job needs a rig and a state");
  const std::size_t bones = rig->bone_count(), modifiers = rig->modifier_count();
  if (state->values().size() != rig->data().state_size)
    return fail(ErrorCode::InvalidArgument, "the state was made for another rig");
  if (input.size() != bones || output.size() != bones || (!stretch.empty() && stretch.size() != bones))
    return fail(ErrorCode::InvalidArgument, "poses must have one transform per bone");
  if ((!weights.empty() && weights.size() != modifiers) || (!trace.empty() && trace.size() != modifiers))
    return fail(ErrorCode::InvalidArgument, "weights and traces must have one entry per modifier");
  if (!std::isfinite(delta_seconds)) return fail(ErrorCode::InvalidArgument, "the time step is not finite");
  const Vec3 &g = environment.gravity, &w = environment.wind.velocity;
  const Wind& wind = environment.wind;
  if (!std::isfinite(g.x + g.y + g.z + w.x + w.y + w.z + wind.gust_share + wind.gusts_per_second) ||
      !finite(environment.entity))
    return fail(ErrorCode::InvalidArgument, "gravity, wind or entity is not finite");
  if (!std::ranges::all_of(input, finite)) return fail(ErrorCode::InvalidArgument, "the pose is not finite");
  if (!std::ranges::all_of(weights, [](float weight) { return std::isfinite(weight); }))
    return fail(ErrorCode::InvalidArgument, "a weight is not finite");
  return {};
}

void EvaluateJob::run() const {
  assert(validate());
  for (Trace& entry : trace) entry = {};
  Workspace& work = state->workspace();
  const Cast<double> cast{.rig = &rig->data(),
                          .delta_seconds = delta_seconds,
                          .environments = {&environment},
                          .values = {state->values().data()},
                          .inputs = {input.data()},
                          .outputs = {output.data()},
                          .weights = {weights.empty() ? nullptr : weights.data()},
                          .stretch = {stretch.empty() ? nullptr : stretch.data()},
                          .trace = trace};
  const Desk<double> desk{.locals = work.locals.data(),
                          .globals = work.globals.data(),
                          .stretch = work.stretch.data(),
                          .touched = work.touched.data(),
                          .scaled = &work.scaled,
                          .balls = work.balls,
                          .solids = &work.solids};
  Frame<double>(cast, desk).run();
}

}  // namespace marrow::motion
