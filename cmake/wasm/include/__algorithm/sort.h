// SPDX-License-Identifier: MIT
// libc++ makes 2 KB of code for each type that is sorted, and a module sorts sixty. Here one routine sorts numbers of
// items, and each type adds how two are compared and how they are moved. These overloads are declared before libc++'s
// own and are preferred to them, since they are constrained.
#pragma once

#include <__algorithm/iterator_operations.h>
#include <__config>
#include <__iterator/iterator_traits.h>
#include <__type_traits/is_trivially_relocatable.h>
#include <__utility/move.h>
#include <cstddef>
#include <new>

_LIBCPP_BEGIN_NAMESPACE_STD

/// Fills `order` with 0 to `count - 1`, sorted: equal items stay in the order in which they stand.
void __marrow_sort_order(unsigned* order, size_t count, bool (*less)(void* items, unsigned a, unsigned b), void* items);
/// Moves `count` items of `size` bytes, so that item `order[i]` becomes item `i`.
void __marrow_move_bytes(void* items, size_t size, const unsigned* order, size_t count);

template <class Iterator, class Compare>
struct __marrow_items {
  Iterator first;
  Compare& compare;

  auto&& at(unsigned i) const { return first[static_cast<typename iterator_traits<Iterator>::difference_type>(i)]; }
  static bool less(void* items, unsigned a, unsigned b) {
    const auto& self = *static_cast<const __marrow_items*>(items);
    return static_cast<bool>(self.compare(self.at(a), self.at(b)));
  }
};

/// Sorts by moving each item twice. Stable, and never slower than n log n.
template <class Policy, class Iterator, class Compare>
void __marrow_sort(Iterator first, Iterator last, Compare& compare) {
  using Item = typename iterator_traits<Iterator>::value_type;
  const auto count = static_cast<size_t>(last - first);
  if (count < 2) return;
  auto* const order = static_cast<unsigned*>(::operator new(count * sizeof(unsigned)));
  __marrow_items<Iterator, Compare> items{first, compare};
  __marrow_sort_order(order, count, &__marrow_items<Iterator, Compare>::less, &items);
  if constexpr (is_pointer_v<Iterator> && __libcpp_is_trivially_relocatable<Item>::value) {
    __marrow_move_bytes(first, sizeof(Item), order, count);
  } else {
    auto* const moved = static_cast<Item*>(::operator new(count * sizeof(Item)));
    for (size_t i = 0; i < count; ++i)
      ::new (static_cast<void*>(moved + i)) Item(_IterOps<Policy>::__iter_move(first + static_cast<ptrdiff_t>(order[i])));
    for (size_t i = 0; i < count; ++i, ++first) {
      *first = std::move(moved[i]);
      moved[i].~Item();
    }
    ::operator delete(moved);
  }
  ::operator delete(order);
}

template <class Policy, class Iterator, class Compare>
  requires true
void __sort_dispatch(Iterator first, Iterator last, Compare& compare) {
  std::__marrow_sort<Policy>(first, last, compare);
}

_LIBCPP_END_NAMESPACE_STD

#include_next <__algorithm/sort.h>
