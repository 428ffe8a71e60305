// SPDX-License-Identifier: MIT
// Documents as `save` would write them, for operations that look at files: what has been changed in memory counts.
#pragma once

#include <memory>

#include "havok/packfile/packfile.h"
#include "marrow/core/finding.h"
#include "marrow/ops/document/load.h"

namespace marrow {

/// Returns the document that loading the saved file would give, without writing it: values are laid over a copy of what
/// the document was read from, and no part is read yet. It shares what nobody changed. A document of values alone
/// (glTF, OBJ) is returned as it is. Of the options, game and pointer size of packfiles count.
Result<Document> as_saved(const Document& document, Context& context, const SaveOptions& options = {});

/// Returns the packfile that a document would be saved as; null if it is not a packfile.
Result<std::shared_ptr<const havok::Packfile>> packfile_as_saved(const Document& document, Context& context,
                                                                 const SaveOptions& options = {});

/// True if what a document was read from has everything that was changed in its values, so that an operation may look
/// at either. Packfiles, which `packfile_as_saved` is for, always count as settled.
Result<bool> is_settled(const Document& document, Context& context);
/// Lays the values of a document over what it was read from, for operations that look at both: over the shapes of a NIF
/// and collision that is blocks of it, whose numbers may change, and over the bones of an Anvil skeleton.
Result<void> settle(Document& document, Context& context);

/// Returns what reading found wrong with the file without stopping. Of what `as_saved` returns, nothing if the document
/// has been changed, since saving writes by the rules.
Findings findings_of_reading(const Document& document);

}  // namespace marrow
