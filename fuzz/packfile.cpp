// SPDX-License-Identifier: MIT
// Packfiles from hostile bytes: what reads must write, and what was written must read back as the same.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "havok/packfile/packfile.h"
#include "limits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  Findings findings;
  const havok::ReadOptions options{.limits = {.max_expanded_bytes = fuzz::kMaxExpandedBytes}, .findings = &findings};
  const auto file = havok::read_packfile(std::as_bytes(std::span(data, size)), options);
  if (!file) return 0;
  const auto once = havok::write_packfile(*file);
  if (!once) return 0;
  const auto back = havok::read_packfile(*once, options);
  if (!back) std::abort();
  const auto twice = havok::write_packfile(*back);
  if (!twice || *once != *twice) std::abort();
  return 0;
}
