// SPDX-License-Identifier: MIT
#pragma once

#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// Calls `action` with each pointer of an array and of what it contains, in member order; null ones too.
template <class Action>
void for_each_pointer(const Array& array, Action&& action) {
  for (const Ref& ref : array.refs())
    if (ref.is_array())
      for_each_pointer(ref.array(), action);
    else if (!ref.text())
      action(ref.pointer());
}

template <class Action>
void for_each_pointer_of(const Object& object, Action&& action) {
  for_each_pointer(object.body(), action);
  for (const auto& fixup : object.opaque().global_fixups) action(fixup.second);
}

}  // namespace marrow::havok
