// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/codec/compiled_clip.h"
#include "marrow/core/error.h"

namespace marrow::codec {

/// Alignment of a compiled clip in memory: a cache line.
inline constexpr std::size_t kCompiledAlignment = 64;

/// Compiled clips as bytes that can be mapped: the memory of the clip with offsets in place of pointers.
struct CompiledFile {
  /// Returns the bytes of a clip that was compiled, not opened here. Their size is a multiple of `kCompiledAlignment`.
  static std::vector<std::byte> save(const CompiledClip& clip);
  /// Returns the clip in `bytes`, which must be aligned to `kCompiledAlignment`, are used in place and must outlive it.
  /// Safe on untrusted bytes: whatever sampling reads or writes by is checked. Values are not: they may be any number.
  static Result<CompiledClip> open(std::span<const std::byte> bytes);
};

}  // namespace marrow::codec
