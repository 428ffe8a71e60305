// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/havok/packfile.h"
#include "marrow/model/collision.h"
#include "marrow/nif/embedded.h"
#include "marrow/nif/nif_file.h"

namespace marrow {

/// A node that uses a body of a system.
struct BodyNode {
  std::uint32_t body = 0;
  std::string name;
  Transform world;  ///< in game units
};

/// One physics system, ragdoll or cloth of a file.
struct CollisionEntry {
  std::optional<std::int32_t> block;  ///< of the NIF; none where the file is a bare packfile
  EmbeddedKind kind = EmbeddedKind::Physics;
  std::size_t packfile = 0;     ///< in `CollisionFile::packfiles`
  std::size_t ordinal = 0;      ///< which system of the packfile
  CollisionSystem system;       ///< empty for cloth
  std::vector<BodyNode> nodes;  ///< empty for a bare packfile
};

/// The collision of a NIF file, of a bare packfile (an extracted or a built blob) or of a skeleton.hkx.
struct CollisionFile {
  std::optional<NifFile> nif;
  std::vector<havok::Packfile> packfiles;
  std::vector<CollisionEntry> entries;
};

/// Reads NIF files and packfiles, binary or XML. A NIF without collision gives no entries; a packfile without is an
/// error. Cloth is listed and its packfile kept.
Result<CollisionFile> read_collision(std::span<const std::byte> bytes, const Limits& limits = {});

/// The same for a packfile that has been read already; without physics it gives no entries.
Result<CollisionFile> collision_of(const havok::Packfile& packfile);

/// Puts the systems of the entries back and writes the file in the form in which it was read; what has not changed
/// keeps its bytes. `notes` gets what compressing meshes left out.
Result<std::vector<std::byte>> write_collision(const CollisionFile& file, Notes* notes = nullptr);

/// The entry in that block, or the only one that holds bodies where no block is given. NotFound tells which there are.
Result<std::size_t> find_entry(const CollisionFile& file, std::optional<std::int32_t> block);

/// What a NIF's flags depend on, for `attach`, `detach` and `expected_bsx_flags`. Fails if the packfile is not a
/// system.
Result<SystemTraits> probe_system(std::span<const std::byte> bytes);

/// What kind of block a packfile belongs in, by what it holds. Fails where it holds neither bodies nor cloth.
Result<EmbeddedKind> embedded_kind(const havok::Packfile& packfile);

}  // namespace marrow
