// SPDX-License-Identifier: MIT
#include "core/large_pages.h"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace marrow {

void use_large_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t size) {
#if defined(__linux__)
  // Only whole pages inside the block, so that it takes no more memory than before.
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  const auto at = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t begin = (at + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t end = (at + size) / kLargePage * kLargePage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace marrow
