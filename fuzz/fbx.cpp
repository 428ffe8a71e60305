// SPDX-License-Identifier: MIT
// Any bytes either are refused, or become motion that can be evaluated and turned into a clip of finite size.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "exchange/fbx/read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  Notes notes;
  const Limits limits{.max_expanded_bytes = std::size_t{1} << 20, .max_objects = 10000};
  const auto source = fbx::read_fbx({reinterpret_cast<const std::byte*>(data), size}, limits, notes);
  if (!source) return 0;
  const Skeleton skeleton = skeleton_from(**source, {}, notes);
  if (skeleton.bones.size() != (*source)->bones.size()) std::abort();
  SourcePose pose;
  for (std::size_t clip = 0; clip < (*source)->clips.size() && clip < 4; ++clip)
    (*source)->evaluate(clip, (*source)->clips[clip].end_seconds, pose);
  return 0;
}
