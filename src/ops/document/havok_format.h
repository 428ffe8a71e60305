// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/ops/document/load.h"

namespace marrow {

/// Reads a packfile of that one of its forms. `tag_types` is a compendium for tagfiles without types.
Result<havok::Packfile> read_havok(std::span<const std::byte> bytes, Format format, const havok::ReadOptions& options,
                                   std::span<const std::byte> tag_types = {});

/// A packfile that is to be written, with the name of its clip if there are several.
struct NamedPackfile {
  std::string name = {};
  std::shared_ptr<const havok::Packfile> file = {};
};

/// Returns the packfiles that a document is saved as: its values laid over the one that it was read from, or new ones.
Result<std::vector<NamedPackfile>> packfiles_as_saved(const Document& document, const SaveOptions& options,
                                                      Context& context);

/// Reads the physics systems of a packfile into a document, as those of the packfile of that number.
Result<void> load_systems(const havok::Packfile& file, std::size_t packfile, std::optional<std::int32_t> block,
                          Document& document, const Limits& limits = {});

}  // namespace marrow
