// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace marrow {

/// Calls `work` on the calling thread and, at the same time, on as many others as the caller can spare. Returns when
/// all calls have returned. The library starts no threads itself; results do not depend on how many there are.
using RunOnThreads = std::function<void(const std::function<void()>& work)>;

}  // namespace marrow
