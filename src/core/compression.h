// SPDX-License-Identifier: MIT
// zlib and LZ4 over untrusted bytes. The unpacked size that a file states is a claim: no function allocates for it
// before the packed bytes could hold so much, and each fails unless the stream gives exactly that many bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/core/error.h"

namespace marrow {

/// How bytes are packed.
enum class Packing : std::uint8_t {
  Zlib,      ///< a zlib stream
  Lz4Frame,  ///< an LZ4 frame
  Lz4Block,  ///< one LZ4 block without a frame
};

/// Appends what `packed` unpacks to, which must be `claimed` bytes. Fails with `Malformed`, or with `LimitExceeded` if
/// the claim is more than `most`. `out` is unspecified after a failure.
Result<void> unpack(Packing packing, std::span<const std::byte> packed, std::uint64_t claimed, std::uint64_t most,
                    std::vector<std::byte>& out);

/// Packs bytes as small as the library can: zlib at level 9, an LZ4 frame of independent blocks of 64 KB without
/// checksums. The same bytes on every machine.
Result<std::vector<std::byte>> pack(Packing packing, std::span<const std::byte> bytes);

}  // namespace marrow
