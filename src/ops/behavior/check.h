// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "marrow/core/finding.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "ops/files/check.h"

namespace marrow {

/// Returns what is wrong with a file of a behaviour project: by itself, and with the files that are checked with it.
Findings check_behavior(const Document& document, const CheckOptions& options, const Context& context);

/// Returns the finding for a behaviour in XML that could not be read because a pointer names no object; nothing if
/// another reason stopped reading.
std::optional<Finding> dangling_reference(const Error& error, std::span<const std::byte> bytes);

/// Returns such a file with the pointers that lead nowhere taken out; `error` if another reason stopped reading.
Result<Document> without_dangling(std::span<const std::byte> bytes, const std::string& name, Error error,
                                  Context& context);

}  // namespace marrow
