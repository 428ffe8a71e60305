// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// A reference to no block, or a name that is not set.
inline constexpr std::int32_t kNoBlock = -1;

/// The bits of a block's type that are an index; the top one is a flag of the exporter.
inline constexpr std::uint16_t kTypeIndexMask = 0x7FFF;

/// One block of a NIF: its type and its bytes, whatever they mean.
struct NifBlock {
  std::uint16_t type = 0;        ///< index into `NifFile::types`; the top bit is a flag of the exporter and is kept
  std::vector<std::byte> bytes;  ///< without the size, which is in the header

  bool operator==(const NifBlock&) const = default;
};

/// The parts of a NIF of Skyrim LE, Skyrim SE or Fallout 4 (version 20.2.0.7, user version 12). Blocks stay bytes,
/// which `nif/record.h` makes values of: reading and writing an unchanged file gives the same file.
struct NifFile {
  std::uint32_t stream = 130;              ///< Bethesda's version: 83 Skyrim LE, 100 Skyrim SE, 130 Fallout 4
  std::array<std::string, 4> export_info;  ///< author, process script, export script, with their NULs; from stream 103
                                           ///< on also the source path
  std::vector<std::string> types;
  std::vector<NifBlock> blocks;
  std::vector<std::string> strings;
  std::uint32_t longest_string = 0;  ///< as the header states it
  std::vector<std::uint32_t> groups;
  std::vector<std::int32_t> roots;
  std::vector<std::byte> trailing;  ///< bytes after the footer; the games write none

  bool operator==(const NifFile&) const = default;

  /// Returns the type name of a block; empty if the type index is outside the table.
  std::string_view type_of(std::int32_t block) const;
  /// Returns the string at that index; empty for none.
  std::string_view string_at(std::int32_t index) const;
  bool has_block(std::int32_t block) const { return block >= 0 && static_cast<std::size_t>(block) < blocks.size(); }
};

/// Reads the container. Safe on untrusted bytes. Other NIF versions are refused by name.
Result<NifFile> read_nif(std::span<const std::byte> bytes, const Limits& limits = {});
std::vector<std::byte> write_nif(const NifFile& file);

/// Appends a block, and its type if that is new; the numbers of other blocks do not change. Returns the new block's
/// number.
std::int32_t add_block(NifFile& file, std::string_view type, std::vector<std::byte> bytes);
/// Returns the index of a string, which is added if it is new.
std::int32_t add_string(NifFile& file, std::string_view text);

}  // namespace marrow
