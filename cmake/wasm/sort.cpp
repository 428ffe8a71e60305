// SPDX-License-Identifier: MIT
// What all sorting in a module shares; see include/__algorithm/sort.h.
#include <algorithm>
#include <cstring>
#include <memory>

_LIBCPP_BEGIN_NAMESPACE_STD

// Merges runs of doubling length from one array into the other.
void __marrow_sort_order(unsigned* order, size_t count, bool (*less)(void* items, unsigned a, unsigned b), void* items) {
  const auto scratch = std::make_unique<unsigned[]>(count);
  unsigned* from = order;
  unsigned* to = scratch.get();
  for (size_t i = 0; i < count; ++i) from[i] = static_cast<unsigned>(i);
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      const size_t middle = std::min(begin + width, count), end = std::min(middle + width, count);
      size_t left = begin, right = middle;
      for (size_t i = begin; i < end; ++i) {
        const bool takes_right = left == middle || (right < end && less(items, from[right], from[left]));
        to[i] = from[takes_right ? right++ : left++];
      }
    }
    std::swap(from, to);
  }
  if (from != order) std::memcpy(order, from, count * sizeof(unsigned));
}

void __marrow_move_bytes(void* items, size_t size, const unsigned* order, size_t count) {
  const auto moved = std::make_unique<char[]>(count * size);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(moved.get() + i * size, static_cast<const char*>(items) + order[i] * size, size);
  std::memcpy(items, moved.get(), count * size);
}

_LIBCPP_END_NAMESPACE_STD
