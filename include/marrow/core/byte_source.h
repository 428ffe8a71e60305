// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "marrow/core/error.h"

namespace marrow {

/// Bytes that are read at any place, for what is too large to be in memory as a whole. Safe to read from several
/// threads.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  virtual std::uint64_t size() const = 0;
  /// Fills `out` with the bytes at `offset`. Fails with `Truncated` if they are not all there, and with `Io` if the
  /// system refuses them or the file has changed since it was opened.
  virtual Result<void> read(std::uint64_t offset, std::span<std::byte> out) const = 0;
};

/// Bytes in memory as a source.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  std::uint64_t size() const override { return bytes_.size(); }
  Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::vector<std::byte> bytes_;
};

/// The same for bytes of somebody else, which must outlive it.
class ByteSourceView final : public ByteSource {
 public:
  explicit ByteSourceView(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t size() const override { return bytes_.size(); }
  Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::span<const std::byte> bytes_;
};

/// Returns the error for bytes that end before `offset + count`.
std::unexpected<Error> beyond_end(std::uint64_t offset, std::uint64_t count, std::uint64_t size);

}  // namespace marrow
