// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace marrow {

/// Limits for reading one input. A file beyond a limit is refused with `ErrorCode::LimitExceeded` before memory is
/// allocated. The defaults are far above anything that the games ship.
struct Limits {
  std::size_t max_file_bytes = std::size_t{1} << 30;      ///< largest file that is opened
  std::size_t max_expanded_bytes = std::size_t{1} << 31;  ///< memory that the decoded form may take
  std::uint32_t max_objects = 1'000'000;                  ///< objects, blocks or bones in one file
  std::uint32_t max_depth = 64;                           ///< nesting of arrays, elements and structures
  /// What the readers of one input have taken of `max_expanded_bytes` together; shared by copies. Null: each reader
  /// has all of it.
  std::shared_ptr<std::atomic<std::uint64_t>> spent = {};

  /// Charges memory to the input. False, and nothing is charged, if that is more than is left.
  bool charge(std::uint64_t bytes) const;
  /// The same for `count` things of `each` bytes.
  bool charge(std::uint64_t count, std::uint64_t each) const;
  /// Returns the bytes that are left of `max_expanded_bytes`.
  std::uint64_t left() const;

  /// Returns the limits for an input of so many bytes: a small file does not get the memory of a large one. Reading it
  /// takes at most 64 MB and twenty times its size, all its readers together.
  Limits for_input(std::size_t bytes) const;
  /// Returns the most memory that reading so many bytes takes, with what its parsers need: the promise of `for_input`.
  std::size_t most_memory(std::size_t bytes) const;
};

}  // namespace marrow
