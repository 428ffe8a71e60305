// SPDX-License-Identifier: MIT
/// Failures of the C ABI: an error of the library, or a mistake of the caller that only this door can see.
#pragma once

#include <exception>
#include <expected>
#include <new>
#include <string>
#include <utility>

#include "marrow/core/error.h"
#include "marrow/marrow_c.h"

namespace marrow::c {

struct Failure {
  marrow_status status = MARROW_INTERNAL;
  Error error;

  Failure(marrow_status code, std::string message, std::string path = {})
      : status(code), error{ErrorCode::InvalidArgument, std::move(message), kNoOffset, std::move(path), {}} {}
  // Implicit, so that errors of the library pass through MARROW_TRY.
  Failure(Error from);
};

template <class T>
using Outcome = std::expected<T, Failure>;

inline std::unexpected<Failure> fail_with(marrow_status status, std::string message, std::string path = {}) {
  return std::unexpected(Failure(status, std::move(message), std::move(path)));
}

/// Keeps a failure as the last one of this thread. Returns its code.
marrow_status remember(Failure failure) noexcept;
/// The same when there is no memory to keep anything.
marrow_status remember_out_of_memory() noexcept;

/// Fails with `MARROW_BAD_ARGUMENT` if the pointer is null.
inline Outcome<void> required(const void* pointer, const char* name) {
  if (pointer) return {};
  return fail_with(MARROW_BAD_ARGUMENT, "is null", name);
}

/// Runs the body of an exported function: its failure becomes the last error, and no exception leaves it. The library
/// itself never throws; allocation does.
template <class Body>
marrow_status guarded(Body&& body) noexcept {
#if defined(__cpp_exceptions)
  try {
#endif
    Outcome<void> done = body();
    return done ? MARROW_OK : remember(std::move(done).error());
#if defined(__cpp_exceptions)
  } catch (const std::bad_alloc&) {
    return remember_out_of_memory();
  } catch (...) {
    return remember(Failure(MARROW_INTERNAL, "an exception reached the C ABI"));
  }
#endif
}

}  // namespace marrow::c
