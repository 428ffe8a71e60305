// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "nif/nif_file.h"

namespace marrow::nif {

/// One value of a block.
struct NamedValue {
  std::string path;        ///< `friction`, `chunks[2].vertices[7]`
  std::string text;        ///< a vector is `(1 2 3)`, a reference `block 4 bhkBoxShape` or `none`
  std::size_t offset = 0;  ///< from the start of the block

  bool operator==(const NamedValue&) const = default;
};

/// Returns the values of a block in the order of its bytes; long arrays of bytes are one value. Fails as `read_block`
/// does.
Result<std::vector<NamedValue>> values_of(const NifFile& file, std::int32_t block, const Limits& limits = {});

/// Prints every block with its values and their offsets in the file; blocks that no table describes with their size.
/// `only` is one block.
std::string dump_text(const NifFile& file, std::optional<std::int32_t> only, const Limits& limits = {});
/// The same as JSON: a list of blocks with `block`, `type`, `offset` and `fields` [{`name`, `value`, `offset`}].
std::string dump_json(const NifFile& file, std::optional<std::int32_t> only, const Limits& limits = {});

}  // namespace marrow::nif
