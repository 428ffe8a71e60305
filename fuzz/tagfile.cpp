// SPDX-License-Identifier: MIT
// XML tagfiles from hostile bytes: what reads must survive being written as a tagfile again, and is a packfile as any
// other.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "havok/object/compare.h"
#include "havok/text/tagfile.h"
#include "limits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  Findings findings;
  const havok::ReadOptions options{.limits = {.max_expanded_bytes = fuzz::kMaxExpandedBytes}, .findings = &findings};
  const auto file = havok::read_tagfile_xml(std::as_bytes(std::span(data, size)), options);
  if (!file) return 0;
  const auto text = havok::write_tagfile_xml(*file);
  if (!text) std::abort();
  const auto back = havok::read_tagfile_xml(*text, options);
  if (!back || !havok::compare(*file, *back).empty()) std::abort();
  // The root comes first now, and stays there.
  const auto again = havok::write_tagfile_xml(*back);
  if (!again || *again != *text) std::abort();
  (void)havok::write_packfile(*file);
  return 0;
}
