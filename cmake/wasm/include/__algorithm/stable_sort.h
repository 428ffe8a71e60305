// SPDX-License-Identifier: MIT
// Stable sorting by the one routine of sort.h.
#pragma once

#include <__algorithm/sort.h>
#include <__algorithm/unwrap_iter.h>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class Policy, class Iterator, class Compare>
  requires true
void __stable_sort_impl(Iterator first, Iterator last, Compare& compare) {
  std::__marrow_sort<Policy>(std::__unwrap_iter(first), std::__unwrap_iter(last), compare);
}

_LIBCPP_END_NAMESPACE_STD

#include_next <__algorithm/stable_sort.h>
