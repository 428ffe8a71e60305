// SPDX-License-Identifier: MIT
// The program's operator new. The library counts what it reads and refuses what is too much; this is the net below it:
// a cap that holds whatever the cause.
#include "memory.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "core/memory.h"

#if defined(__linux__)
#include <malloc.h>
#endif

namespace marrow::cli {
namespace {

thread_local MemoryAccount* account = nullptr;

}  // namespace

struct CountedMemory {
  static bool take(std::size_t bytes) {
    MemoryAccount* own = account;
    if (!own) return true;
    const auto held = own->held_.fetch_add(static_cast<std::int64_t>(bytes)) + static_cast<std::int64_t>(bytes);
    const std::size_t cap = own->cap_;
    if (held <= 0 || static_cast<std::size_t>(held) <= cap) return true;
    // What cannot be taken back is let through; the next allocation fails. So is what destructors need on the way out.
    if (must_allocate() || std::uncaught_exceptions() > 0) return true;
    own->held_ -= static_cast<std::int64_t>(bytes);
    own->exceeded_ = cap;
    return false;
  }
  static void give(std::size_t bytes) {
    if (MemoryAccount* own = account) own->held_ -= static_cast<std::int64_t>(bytes);
  }
};

void MemoryAccount::cap_more(std::size_t bytes) {
  const auto held = static_cast<std::size_t>(std::max<std::int64_t>(held_, 0));
  const std::size_t most = hard_cap_;
  cap_ = bytes == 0 || bytes >= most - std::min(held, most) ? most : held + bytes;
}

void MemoryAccount::raise_cap(std::size_t bytes) {
  for (std::atomic<std::size_t>* each : {&hard_cap_, &cap_}) {
    std::size_t now = *each;
    while (!each->compare_exchange_weak(now, bytes < first_cap_ - now ? now + bytes : first_cap_)) {
    }
  }
}

CountMemory::CountMemory(MemoryAccount* next) : before_(std::exchange(account, next)) {}
CountMemory::~CountMemory() { account = before_; }

MemoryAccount* current_account() { return account; }

}  // namespace marrow::cli

#if defined(__has_feature)
#define MARROW_HAS_FEATURE(x) __has_feature(x)
#else
#define MARROW_HAS_FEATURE(x) 0
#endif

#if !defined(__SANITIZE_ADDRESS__) && !MARROW_HAS_FEATURE(address_sanitizer) && defined(__GLIBC__)

namespace {

using marrow::cli::CountedMemory;

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  void* memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(bytes)
                     : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory || CountedMemory::take(malloc_usable_size(memory))) return memory;
  std::free(memory);
  return nullptr;
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* memory = allocate(std::max<std::size_t>(bytes, 1), alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (!memory) return;
  CountedMemory::give(malloc_usable_size(memory));
  std::free(memory);
}

constexpr std::size_t kPlain = alignof(std::max_align_t);

}  // namespace

// The other forms of the standard library call these.
void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, kPlain); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

#endif
