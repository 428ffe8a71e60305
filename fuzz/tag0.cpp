// SPDX-License-Identifier: MIT
// Binary tagfiles from hostile bytes: what reads must write, and what was written must read back as the same.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "havok/tag/tagfile.h"
#include "limits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  const havok::ReadOptions options{.limits = {.max_expanded_bytes = fuzz::kMaxExpandedBytes}};
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto file = havok::read_tagfile(bytes, bytes, options);
  if (!file) return 0;
  for (const havok::ObjectId id : havok::find_animations(*file)) (void)havok::read_clip(*file, id, options.limits);
  for (const havok::ObjectId id : havok::find_skeletons(*file)) (void)havok::read_skeleton(*file, id);
  const auto once = havok::write_tagfile(*file);
  if (!once) return 0;
  const auto back = havok::read_tagfile(*once, bytes, options);
  if (!back) return 0;  // arrays that shared an item take more room apart
  const auto twice = havok::write_tagfile(*back);
  if (!twice || *once != *twice) std::abort();
  return 0;
}
