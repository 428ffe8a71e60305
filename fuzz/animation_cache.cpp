// SPDX-License-Identifier: MIT
// Animation caches from hostile bytes: what reads is written back byte for byte, and patches of it do no harm.
#include <cstdint>
#include <cstdlib>

#include "behavior/cache_patch.h"
#include "limits.h"
#include "patch_pieces.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  const Limits limits{.max_expanded_bytes = fuzz::kMaxExpandedBytes};
  const auto pieces = fuzz::pieces_of({reinterpret_cast<const char*>(data), size});
  // The mark took the end of the last line with it.
  const std::string text = std::string(pieces[0]) + (pieces.size() > 1 ? "\n" : "");
  (void)behavior::check_cache(text, limits);
  const auto cache = behavior::read_cache(text, limits);
  if (!cache) return 0;
  if (behavior::write_cache(*cache) != text) std::abort();
  behavior::MergeReport report;
  const behavior::Cache merged = behavior::merge_cache(*cache, fuzz::mods_of(pieces, 1), report, limits);
  if (!report.is_broken) (void)behavior::write_cache(merged);
  return 0;
}
