// SPDX-License-Identifier: MIT
// The writers of the two kinds of archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "archive/pack.h"
#include "core/byte_writer.h"
#include "core/compression.h"

namespace marrow::archive {

Result<std::vector<std::byte>> write_bsa(std::span<const PackFile> files, const PackOptions& options);
Result<std::vector<std::byte>> write_ba2(std::span<const PackFile> files, const PackOptions& options);

/// The bytes of a file as an archive holds them.
struct PackedBytes {
  std::vector<std::byte> bytes;
  std::size_t unpacked = 0;
  bool is_packed = false;
};
/// Takes memory for tables of a size and for files that are stored as they are. A buffer that grows would need twice as
/// much for a moment.
void reserve_for(std::span<const PackFile> files, const PackOptions& options, std::size_t tables, ByteWriter& out);
/// Reads a file and packs it if `packing` is given and that saves more than `overhead` bytes.
Result<PackedBytes> packed_bytes(const PackFile& file, std::optional<Packing> packing, std::size_t overhead);

}  // namespace marrow::archive
