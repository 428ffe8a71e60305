// SPDX-License-Identifier: MIT
// Edits of a NIF's collision that go through the container.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "marrow/nif/embedded.h"
#include "marrow/ops/context.h"
#include "marrow/ops/document.h"

namespace marrow {

/// Reads the packfiles of a NIF again after the container has changed; `Document::collision` is empty then.
Result<void> reread_packfiles(Document& document, NifOrigin& origin, const Limits& limits);

/// Makes `Document::collision` values of the packfiles again, with their nodes.
Result<void> reload_systems(Document& document, Context& context);

/// Writes the systems of a document into the blocks of its NIF, as `save` would. BSXFlags follow if what they state has
/// changed; others, right or wrong, are left alone. `about_flags` gets the note about that.
Result<void> store_systems(Document& document, NifOrigin& origin, Context& context, Notes& about_flags);

/// Updates BSXFlags if they should be others than `expected_before`.
Result<void> follow_with_flags(NifFile& nif, std::uint32_t expected_before, Notes& notes);

/// Adds one note about the flags for an edit of several steps.
void note_flags(std::optional<std::uint32_t> before, const NifFile& nif, Notes& notes);

/// Takes collision objects off their nodes until none is left that `is_gone` picks. Returns the names of the nodes.
Result<std::vector<std::string>> detach_all(NifFile& nif, bool (*is_gone)(const CollisionObject&), Notes& notes);

/// Marks collision objects that are to go. No system has so many bodies.
inline constexpr std::uint32_t kGoneBody = 0xFFFFFFF0;
inline bool is_marked_gone(const CollisionObject& object) { return object.body == kGoneBody; }

}  // namespace marrow
