// SPDX-License-Identifier: MIT
#include "c/handles.h"

#include <vector>

namespace marrow::c {
namespace {

// A handle is kind (8 bits), generation (32 bits) and slot (24 bits). Generations count from 1, so that no handle is 0.
constexpr std::uint64_t kSlotBits = 24, kGenerationBits = 32;
constexpr std::uint64_t kSlotMask = (std::uint64_t{1} << kSlotBits) - 1;

struct Slot {
  std::shared_ptr<Object> object;
  std::uint32_t generation = 1;
  Kind kind = Kind::Document;
};

struct Table {
  SharedMutex mutex = {};
  std::vector<Slot> slots = {};
  std::vector<std::size_t> free = {};
};

// Never destroyed: other threads may still call while the program exits.
Table& table() {
  static Table& only = *new Table;
  return only;
}

marrow_handle handle_of(std::size_t slot, const Slot& at) {
  return std::uint64_t{static_cast<std::uint8_t>(at.kind)} << (kSlotBits + kGenerationBits) |
         std::uint64_t{at.generation} << kSlotBits | slot;
}

std::unexpected<Failure> bad_handle() {
  return fail_with(MARROW_BAD_HANDLE, "not a handle of this kind, or one that was released");
}

}  // namespace

marrow_handle open(Kind kind, std::shared_ptr<Object> object) {
  Table& all = table();
  const ScopedLock<SharedMutex> lock(all.mutex);
  if (all.free.empty()) {
    all.slots.emplace_back();
    all.free.reserve(all.slots.size());  // so that releasing never allocates
    all.free.push_back(all.slots.size() - 1);
  }
  const std::size_t slot = all.free.back();
  all.free.pop_back();
  all.slots[slot].object = std::move(object);
  all.slots[slot].kind = kind;
  return handle_of(slot, all.slots[slot]);
}

Outcome<std::shared_ptr<Object>> find(marrow_handle handle, Kind kind) {
  Table& all = table();
  const SharedLock<SharedMutex> lock(all.mutex);
  const std::size_t slot = handle & kSlotMask;
  if (slot >= all.slots.size()) return bad_handle();
  const Slot& at = all.slots[slot];
  if (!at.object || at.kind != kind || handle_of(slot, at) != handle) return bad_handle();
  return at.object;
}

Outcome<void> release(marrow_handle handle) {
  std::shared_ptr<Object> last;  // freed after the lock
  Table& all = table();
  const ScopedLock<SharedMutex> lock(all.mutex);
  const std::size_t slot = handle & kSlotMask;
  if (slot >= all.slots.size()) return bad_handle();
  Slot& at = all.slots[slot];
  if (!at.object || handle_of(slot, at) != handle) return bad_handle();
  last = std::move(at.object);
  at.object = nullptr;
  if (++at.generation == 0) at.generation = 1;
  all.free.push_back(slot);
  return {};
}

std::size_t open_handles() {
  Table& all = table();
  const SharedLock<SharedMutex> lock(all.mutex);
  return all.slots.size() - all.free.size();
}

}  // namespace marrow::c
