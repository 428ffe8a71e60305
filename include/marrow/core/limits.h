// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace marrow {

/// Limits for reading one input. A file beyond a limit is refused with `ErrorCode::LimitExceeded` before memory is
/// allocated. The defaults are far above anything that the games ship.
struct Limits {
  std::size_t max_file_bytes = std::size_t{1} << 30;      ///< largest file that is opened
  std::size_t max_expanded_bytes = std::size_t{1} << 31;  ///< memory that the decoded form may take
  std::uint32_t max_objects = 1'000'000;                  ///< objects, blocks or bones in one file
  std::uint32_t max_depth = 64;                           ///< nesting of arrays, elements and structures

  /// Returns the limits for an input of so many bytes: a small file does not get the memory of a large one. Reading it
  /// takes at most 64 MB and twenty times its size.
  Limits for_input(std::size_t bytes) const;
};

}  // namespace marrow
