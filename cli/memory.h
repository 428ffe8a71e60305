// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace marrow::cli {

/// Counts the memory that the work on one file takes, whatever takes it: every allocation of the threads that work for
/// it. An allocation beyond the cap throws `std::bad_alloc`. Under sanitizers, which allocate themselves, nothing is
/// counted.
class MemoryAccount {
 public:
  explicit MemoryAccount(std::size_t cap) : first_cap_(cap), hard_cap_(cap), cap_(cap) {}
  MemoryAccount(const MemoryAccount&) = delete;
  MemoryAccount& operator=(const MemoryAccount&) = delete;

  /// Caps what is allocated from now on, beside what is held; 0 leaves the cap of the whole account only.
  void cap_more(std::size_t bytes);
  /// Lowers the cap of the whole account, before other threads count for it.
  void lower_cap(std::size_t bytes) { cap_ = hard_cap_ = std::min(hard_cap_.load(), bytes); }
  /// Raises a cap that was lowered, since the work reads one more file; never beyond the first.
  void raise_cap(std::size_t bytes);

  bool is_exceeded() const { return exceeded_ != 0; }
  /// Returns the cap that an allocation would have exceeded.
  std::size_t exceeded() const { return exceeded_; }
  /// Returns the bytes that are held.
  std::int64_t held() const { return held_; }

 private:
  friend struct CountedMemory;
  const std::size_t first_cap_;
  std::atomic<std::size_t> hard_cap_;
  std::atomic<std::size_t> cap_;
  std::atomic<std::int64_t> held_{0};
  std::atomic<std::size_t> exceeded_{0};
};

/// Makes the allocations of this thread count for an account while it lives; null: for none.
class CountMemory {
 public:
  explicit CountMemory(MemoryAccount* account);
  ~CountMemory();
  CountMemory(const CountMemory&) = delete;
  CountMemory& operator=(const CountMemory&) = delete;

 private:
  MemoryAccount* before_;
};

/// Returns the account of this thread; null if there is none.
MemoryAccount* current_account();

}  // namespace marrow::cli
