// SPDX-License-Identifier: MIT
#pragma once

namespace marrow {

/// While one lives, allocations of this thread have to succeed: what is being changed is shared with other threads, or
/// half moved, and could not be taken back. The library refuses no memory itself. A host whose `operator new` throws
/// beyond a budget asks `must_allocate` first, and refuses the allocations that follow instead.
class MustAllocate {
 public:
  MustAllocate();
  ~MustAllocate();
  MustAllocate(const MustAllocate&) = delete;
  MustAllocate& operator=(const MustAllocate&) = delete;
};

/// True if a `MustAllocate` lives on this thread.
bool must_allocate();

}  // namespace marrow
