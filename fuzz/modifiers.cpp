// SPDX-License-Identifier: MIT
// Rigs of any modifiers with any values, run over any frames: what compiles gives numbers, and states that can be saved
// and gone on from with the same bits.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "support/any_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

// Every choice takes one byte of the input, or two where the range is wide; past the end all are the first.
Choose chooser_of(const std::uint8_t* data, std::size_t size) {
  return [data, size, at = std::make_shared<std::size_t>(0)](std::int32_t low, std::int32_t high) {
    std::uint32_t value = 0;
    for (int i = 0; i < (high - low > 256 ? 2 : 1) && *at < size; ++i) value = value << 8 | data[(*at)++];
    return high <= low ? low : low + static_cast<std::int32_t>(value % static_cast<std::uint32_t>(high - low));
  };
}

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Choose choose = chooser_of(data, size);
  const Settings settings{.substep_seconds = choose(0, 2) == 0 ? 1.0 / 240 : 1.0 / 50,
                          .reset_seconds = choose(0, 2) == 0 ? 0.1 : 10.0,
                          .reset_distance = choose(0, 2) == 0 ? 2.0 : 1e9,
                          .native_law = choose(0, 2) == 1,
                          .self_collision = choose(0, 2) == 1};
  const Rig rig = any_rig(choose, {.values = Values::Any, .most_bones = 6, .most_modifiers = 6});
  Notes notes;
  const auto compiled = CompiledRig::compile(rig, settings, &notes);
  if (!compiled) return 0;
  AnyRun run(rig, choose, Values::Extreme);
  State state(*compiled), restored(*compiled);
  std::vector<Vec3> stretch(run.pose.size());
  for (int i = 0; i < 12; ++i) {
    run.next();
    require(restored.restore(state.save()).has_value());
    const auto out = evaluate(*compiled, state, run, stretch);
    require(all_finite(out));
    for (const Vec3& scale : stretch) require(std::isfinite(scale.x + scale.y + scale.z));
    require(same_bits(evaluate(*compiled, restored, run), out));
    require(restored.save() == state.save());
  }
  return 0;
}
