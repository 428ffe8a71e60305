// SPDX-License-Identifier: MIT
// Documents as `save` would write them, for operations that look at files: what has been changed in memory counts.
#pragma once

#include <memory>

#include "marrow/core/finding.h"
#include "havok/packfile/packfile.h"
#include "marrow/ops/document/load.h"

namespace marrow {

/// Returns the document that loading the saved file would give, without writing it: values are laid over a copy of what
/// the document was read from, and no part is read yet. It shares what nobody changed. A document of values alone
/// (glTF, OBJ) is returned as it is. Of the options, game and pointer size of packfiles count.
Result<Document> as_saved(const Document& document, Context& context, const SaveOptions& options = {});

/// Returns the packfile that a document would be saved as; null if it is not a packfile.
Result<std::shared_ptr<const havok::Packfile>> packfile_as_saved(const Document& document, Context& context,
                                                                 const SaveOptions& options = {});

/// Returns what reading found wrong with the file without stopping. Of what `as_saved` returns, nothing if the document
/// has been changed, since saving writes by the rules.
Findings findings_of_reading(const Document& document);

}  // namespace marrow
