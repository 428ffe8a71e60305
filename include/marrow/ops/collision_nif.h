// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/nif/embedded.h"
#include "marrow/ops/collision_edit.h"

/// Whole files in, whole files out: what `marrow collision` does to NIF files and packfiles.
namespace marrow {

/// A file that was made, and the block that it is about.
struct CollisionOutput {
  std::vector<std::byte> bytes = {};
  std::int32_t block = kNoBlock;
};

/// Takes a packfile out of a NIF: the one in `block`, or the only one.
Result<CollisionOutput> extract_collision(std::span<const std::byte> nif, std::optional<std::int32_t> block);

/// Puts a packfile in the place of the one in `block`, or of the only one of its kind. Refuses one of another kind, and
/// one with fewer bodies than the nodes use.
Result<CollisionOutput> replace_collision(std::span<const std::byte> nif, std::span<const std::byte> blob,
                                          std::optional<std::int32_t> block);

/// Hangs a packfile on nodes, see `attach`. Refuses bodies that it does not have.
Result<CollisionOutput> attach_collision(std::span<const std::byte> nif, std::span<const std::byte> blob,
                                         std::span<const Attachment> attachments, Notes& notes);

/// The bodies that an edit is for; all of a system where none is named.
struct BodySelection {
  std::optional<std::int32_t> block = {};  ///< of a NIF with several systems
  std::vector<std::size_t> bodies = {};
  std::vector<std::string> nodes = {};  ///< the bodies of these nodes
};

/// Edits bodies of a NIF or a packfile and writes it in its own form. `changed` gets their number.
Result<std::vector<std::byte>> edit_collision(std::span<const std::byte> file, const BodySelection& selection,
                                              const BodyEdit& edit, std::size_t& changed, Notes& notes);

}  // namespace marrow
