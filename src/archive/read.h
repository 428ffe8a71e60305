// SPDX-License-Identifier: MIT
// The readers of the two kinds of archive. Both fill the tables of an `Archive` whose source is set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "marrow/core/byte_reader.h"

namespace marrow::archive {

Result<void> read_bsa(Archive& archive, const Limits& limits);
Result<void> read_ba2(Archive& archive, const Limits& limits);

/// Returns `count` bytes of a source. The caller has checked that the source has them.
Result<std::vector<std::byte>> bytes_at(const ByteSource& source, std::uint64_t offset, std::size_t count);

/// Fails unless `count` bytes at `offset` are inside the source. `at` is where the table says so.
Result<void> check_inside(const ByteSource& source, std::uint64_t offset, std::uint64_t count, std::uint64_t at,
                          const std::string& path);

/// Returns a number as so many hexadecimal digits.
std::string hex(std::uint64_t value, int digits);

}  // namespace marrow::archive
