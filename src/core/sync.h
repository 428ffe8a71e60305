// SPDX-License-Identifier: MIT
#pragma once

/// Locks that cost nothing on hosts without threads (wasm).
#if defined(__wasi__)

namespace marrow {

struct Mutex {
  void lock() {}
  void unlock() {}
  void lock_shared() {}
  void unlock_shared() {}
};
using SharedMutex = Mutex;

template <class M>
class ScopedLock {
 public:
  explicit ScopedLock(M&) {}
};
template <class M>
using SharedLock = ScopedLock<M>;

}  // namespace marrow

#else

#include <mutex>
#include <shared_mutex>

namespace marrow {

using Mutex = std::mutex;
using SharedMutex = std::shared_mutex;
template <class M>
using ScopedLock = std::unique_lock<M>;
template <class M>
using SharedLock = std::shared_lock<M>;

}  // namespace marrow

#endif
