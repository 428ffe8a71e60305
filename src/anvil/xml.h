// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "anvil/games.h"
#include "anvil/names.h"
#include "anvil/skeleton.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::anvil {

/// Reads either dialect in UTF-8, UTF-16, UTF-32 or Latin-1, with or without a byte order mark. The content decides,
/// not the encoding that the prolog declares. Safe on untrusted input. A file with contradictory meaning (a cycle, a
/// link to nothing, a number that is not finite) is read as it is; `check` reports it. An error has the byte offset in
/// `bytes`.
Result<Skeleton> read_xml(std::span<const std::byte> bytes, const NameTable& names = NameTable::builtin(),
                          const Limits& limits = {});

struct WriteOptions {
  Dialect dialect = Dialect::Standard;
  std::optional<Game> game = {};  ///< decides the width of indices in Schema files; unset: as the skeleton was read
  bool keep_order = false;        ///< keeps the current order of bones, as made by `MergeOptions::append`
};

/// Writes bones in depth-first order and recomputes indices and descendant counts. Standard is UTF-16 with a byte order
/// mark, Schema UTF-8. Fails on numbers that are not finite and on more bones than the game can index.
Result<std::vector<std::byte>> write_xml(const Skeleton& skeleton, const WriteOptions& options = {});

}  // namespace marrow::anvil
