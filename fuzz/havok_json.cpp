// SPDX-License-Identifier: MIT
// Packfiles as JSON from hostile bytes: what reads must survive being written as JSON again.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "havok/text/dump.h"
#include "havok/text/json.h"
#include "limits.h"
#include "marrow/core/byte_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  Findings findings;
  const havok::ReadOptions options{.limits = {.max_expanded_bytes = fuzz::kMaxExpandedBytes}, .findings = &findings};
  const auto file = havok::read_json(std::as_bytes(std::span(data, size)), options);
  if (!file) return 0;
  const auto back = havok::read_json(as_bytes(havok::dump_json(*file)), options);
  if (!back || !(*back == *file)) std::abort();
  (void)havok::write_packfile(*file);
  return 0;
}
