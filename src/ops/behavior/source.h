// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "havok/packfile/packfile.h"
#include "marrow/ops/document/document.h"
#include "ops/document/as_saved.h"

namespace marrow {

/// Returns the packfile of a document with what has been changed since. Fails with `WrongKind` on other formats.
Result<std::shared_ptr<const havok::Packfile>> behavior_file(const Document& document, Context& context);
/// The same for files with a behaviour graph; `WrongKind` for others.
Result<std::shared_ptr<const havok::Packfile>> graph_file(const Document& document, Context& context);

}  // namespace marrow
