// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "marrow/havok/packfile.h"
#include "marrow/ops/document.h"

namespace marrow {

/// Reads a packfile of any of its forms.
Result<havok::Packfile> read_havok(std::span<const std::byte> bytes, const havok::ReadOptions& options);

/// Reads the physics systems of a packfile into a document, as those of the packfile of that number.
Result<void> load_systems(const havok::Packfile& file, std::size_t packfile, std::optional<std::int32_t> block,
                          Document& document);

}  // namespace marrow
