// SPDX-License-Identifier: MIT
// Bodies taken out of files.
#pragma once

#include "ops/collision/author.h"

namespace marrow {

/// Takes a body out of its system and, in a NIF, off its nodes; a NIF loses the whole system with its last body.
/// `Document::collision` is up to date afterwards.
Result<void> remove_body_at(Document& document, const BodyPlace& place, Context& context);

}  // namespace marrow
