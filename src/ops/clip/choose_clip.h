// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Keeps one clip of a document: the one of that name, else of that number, counted from 0. Without a name all stay; of
/// FBX the first, with a note. Fails with `NotFound`.
Result<void> choose_clip(Document& document, const std::string& name, Context& context);

}  // namespace marrow
