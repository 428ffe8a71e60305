// SPDX-License-Identifier: MIT
// The record that exported collision carries: JSON with packfiles inside. What is read can be written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "limits.h"
#include "marrow/ops/document/load.h"
#include "ops/collision/record.h"

using namespace marrow;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Limits limits{.max_expanded_bytes = fuzz::kMaxExpandedBytes};
  const auto record = read_collision_record({reinterpret_cast<const char*>(data), size}, limits);
  if (!record) return 0;
  for (const RecordedSystem& system : record->systems) {
    Context context{.limits = limits};
    const auto bytes = havok::write_packfile(system.packfile);
    auto document = bytes ? load(*bytes, {.parts = Parts::Collision}, context) : std::unexpected(bytes.error());
    if (!document || system.collision.ordinal >= document->collision.size()) continue;
    const std::string text = write_collision_record(*document, record->solid);
    if (!text.empty() && !read_collision_record(text, limits)) std::abort();
  }
  return 0;
}
