// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "marrow/core/error.h"
#include "marrow/model/collision.h"
#include "nif/nif_file.h"

namespace marrow {

/// Bits of a root's BSXFlags. docs/formats/nif-embedding.md has the table that the rules were found from.
namespace bsx_flag {
inline constexpr std::uint32_t kAnimated = 0x01;      ///< something has a controller
inline constexpr std::uint32_t kHavok = 0x02;         ///< something collides; without it the game ignores collision
inline constexpr std::uint32_t kRagdoll = 0x04;       ///< there is a ragdoll
inline constexpr std::uint32_t kBelowRoot = 0x08;     ///< a node other than the root collides; not in ragdolls
inline constexpr std::uint32_t kEditorMarker = 0x20;  ///< a node is an editor marker
inline constexpr std::uint32_t kDynamic = 0x40;       ///< a body is moved by the simulation
inline constexpr std::uint32_t kArticulated = 0x80;   ///< the bodies of every system are joined to one piece
/// Those that follow from collision alone, and that attaching and detaching keep right.
inline constexpr std::uint32_t kCollision = kHavok | kRagdoll | kBelowRoot | kDynamic | kArticulated;
}  // namespace bsx_flag

/// Says what is in an embedded packfile. The container does not read packfiles, so whoever can does it for it.
using SystemProbe = Result<SystemTraits> (*)(std::span<const std::byte> packfile);

/// The flags in the file's BSXFlags block; nothing if it has none.
std::optional<std::uint32_t> bsx_flags(const NifFile& file);

/// The flags that a file should have. Bits of `bsx_flag::kCollision` follow from what is there; the others are kept, or
/// derived if the file has no flags. Without a probe, or for a system that it cannot read, the bits that depend on
/// bodies (dynamic, articulated) are kept too; a file without flags is taken to be of single static bodies.
Result<std::uint32_t> expected_bsx_flags(const NifFile& file, SystemProbe probe = nullptr);

/// Writes the expected flags, into a new block on the root if there is none, and adds a note about what changed. Fails
/// if the file cannot be read as a scene. A file without a root node to put flags on is left alone, with a note.
Result<void> update_bsx_flags(NifFile& file, SystemProbe probe, Notes& notes);

}  // namespace marrow
