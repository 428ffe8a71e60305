// SPDX-License-Identifier: MIT
#include "marrow/core/limits.h"

#include <algorithm>

#include "core/memory.h"

namespace marrow {
namespace {

thread_local int unfailing = 0;

}  // namespace

MustAllocate::MustAllocate() { ++unfailing; }
MustAllocate::~MustAllocate() { --unfailing; }

bool must_allocate() { return unfailing > 0; }

bool Limits::charge(std::uint64_t bytes) const {
  if (!spent) return bytes <= max_expanded_bytes;
  std::uint64_t before = spent->load();
  do {
    if (before > max_expanded_bytes || bytes > max_expanded_bytes - before) return false;
  } while (!spent->compare_exchange_weak(before, before + bytes));
  return true;
}

bool Limits::charge(std::uint64_t count, std::uint64_t each) const {
  return each == 0 || (count <= max_expanded_bytes / each && charge(count * each));
}

std::uint64_t Limits::left() const {
  const std::uint64_t taken = spent ? spent->load() : 0;
  return max_expanded_bytes - std::min<std::uint64_t>(taken, max_expanded_bytes);
}

Limits Limits::for_input(std::size_t bytes) const {
  // Below what is promised, since the parsers of XML and glTF need some of it themselves.
  constexpr std::size_t kAnyInput = std::size_t{40} << 20, kPerByte = 12;
  Limits own = *this;
  own.spent = std::make_shared<std::atomic<std::uint64_t>>(0);
  if (max_expanded_bytes > kAnyInput && bytes < (max_expanded_bytes - kAnyInput) / kPerByte)
    own.max_expanded_bytes = kAnyInput + kPerByte * bytes;
  return own;
}

std::size_t Limits::most_memory(std::size_t bytes) const {
  constexpr std::size_t kAnyInput = std::size_t{64} << 20, kPerByte = 20;
  const std::size_t room = max_expanded_bytes > kAnyInput ? (max_expanded_bytes - kAnyInput) / kPerByte : 0;
  return bytes < room ? kAnyInput + kPerByte * bytes : max_expanded_bytes;
}

}  // namespace marrow
