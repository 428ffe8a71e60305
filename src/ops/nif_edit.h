// SPDX-License-Identifier: MIT
// Edits of a NIF's collision that go through the container.
#pragma once

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

}  // namespace marrow
