// SPDX-License-Identifier: MIT
// Any text either is refused with its line, or becomes bones with parents before children and a clip that can be
// sampled.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "exchange/bvh/read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  Notes notes;
  const Limits limits{.max_expanded_bytes = std::size_t{1} << 20, .max_objects = 10000};
  const auto source = bvh::read_bvh({reinterpret_cast<const char*>(data), size}, limits, notes);
  if (!source) return 0;
  for (std::size_t i = 0; i < (*source)->bones.size(); ++i)
    if ((*source)->bones[i].parent >= static_cast<std::int32_t>(i)) std::abort();
  skeleton_from(**source, {}, notes);
  SourcePose pose;
  if (!(*source)->clips.empty()) (*source)->evaluate(0, (*source)->clips[0].end_seconds / 2, pose);
  return 0;
}
