// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// What the header of a NIF says, of any version and game.
struct NifHeader {
  std::string line = {};           ///< `Gamebryo File Format, Version 20.2.0.7`
  std::uint32_t version = 0;       ///< 0x14020007
  bool is_little_endian = true;    ///< console files are not
  std::uint32_t user_version = 0;  ///< 0 if the version has none
  std::uint32_t bethesda_version = 0;
  std::string_view game = {};  ///< `Skyrim SE`; empty if it is not known
  std::uint32_t block_count = 0;
  std::vector<std::pair<std::string, std::size_t>> types = {};  ///< with how many blocks have them, in file order;
                                                                ///< none before version 5, which has no table

  bool operator==(const NifHeader&) const = default;
};

/// Reads the header of a NIF of any version, as far as its table of block types. Safe on untrusted bytes. `read_nif`
/// reads the rest of Fallout 4's.
Result<NifHeader> read_nif_header(std::span<const std::byte> bytes, const Limits& limits = {});

/// Returns the game of a version and Bethesda's own number; empty if it is not known.
std::string_view nif_game(std::uint32_t version, std::uint32_t bethesda_version);
/// Returns what there is to say about why files of that game are not read; empty if nothing.
std::string_view why_not_read(std::uint32_t version, std::uint32_t bethesda_version);
/// Returns a version as text, `20.2.0.7`.
std::string nif_version_text(std::uint32_t version);

/// True if blocks of this type belong to the rigid bodies of before Fallout 4's packfiles: bhkRigidBody,
/// bhkConvexVerticesShape, bhkMoppBvTreeShape and their like, which Fallout 4 does not load.
bool is_legacy_collision(std::string_view type);

/// Returns one line about a file: game, versions, number of blocks of each type, and whether it has collision of the
/// old kind.
std::string describe(const NifHeader& header);

}  // namespace marrow
