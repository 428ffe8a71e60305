// SPDX-License-Identifier: MIT
/// Handles of the C ABI: numbers that stand for objects of the library, checked on every use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "c/failure.h"
#include "core/sync.h"

namespace marrow::c {

/// What a handle stands for. The number is part of the handle.
enum class Kind : std::uint8_t { Document = 1, Result, Sampler, Meshes, Rig, Simulation, Shapes, Archive };

/// Anything that has a handle. Readers share the lock, whoever changes the object holds it alone.
struct Object {
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  mutable SharedMutex mutex = {};
};

/// Gives an object a handle: slot, generation and kind.
marrow_handle open(Kind kind, std::shared_ptr<Object> object);
/// Returns the object of a handle. Fails with `MARROW_BAD_HANDLE`.
Outcome<std::shared_ptr<Object>> find(marrow_handle handle, Kind kind);
Outcome<void> release(marrow_handle handle);
std::size_t open_handles();

/// An object that is held for the length of a call, together with other readers or alone. It lives on if its handle is
/// released meanwhile.
template <class T, class Lock>
class Held {
 public:
  explicit Held(std::shared_ptr<T> object) : object_(std::move(object)), lock_(object_->mutex) {}

  T* operator->() const { return object_.get(); }
  T& operator*() const { return *object_; }
  const std::shared_ptr<T>& shared() const { return object_; }

 private:
  std::shared_ptr<T> object_;
  Lock lock_;
};
template <class T>
using Reading = Held<const T, SharedLock<SharedMutex>>;
template <class T>
using Writing = Held<T, ScopedLock<SharedMutex>>;

template <class T>
Outcome<std::shared_ptr<T>> find(marrow_handle handle) {
  auto found = find(handle, T::kKind);
  if (!found) return std::unexpected(std::move(found).error());
  return std::static_pointer_cast<T>(std::move(*found));
}
template <class T>
Outcome<Reading<T>> reading(marrow_handle handle) {
  auto found = find<T>(handle);
  if (!found) return std::unexpected(std::move(found).error());
  return Reading<T>(std::move(*found));
}
template <class T>
Outcome<Writing<T>> writing(marrow_handle handle) {
  auto found = find<T>(handle);
  if (!found) return std::unexpected(std::move(found).error());
  return Writing<T>(std::move(*found));
}

/// Makes an object and gives it a handle.
template <class T, class... Arguments>
marrow_handle open_new(Arguments&&... arguments) {
  return open(T::kKind, std::make_shared<T>(std::forward<Arguments>(arguments)...));
}

}  // namespace marrow::c
