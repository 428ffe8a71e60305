// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "nif/nif_file.h"

namespace marrow {

struct PortOptions {
  bool head_parts = false;  ///< to Skyrim SE: shapes become BSDynamicTriShape, which the game deforms by morphs
  Limits limits = {};
};

/// One thing that the other game stores otherwise.
struct PortChange {
  std::string where;  ///< the shape or node
  std::string what;
  std::string from;
  std::string to;

  bool operator==(const PortChange&) const = default;
};

/// Rewrites a file of Skyrim LE (stream 83) for SE (100), or back: shapes and partitions are stored otherwise in the
/// two games, all other blocks are the same. NiTriShape, NiTriStrips and BSLODTriShape become BSTriShape, and
/// BSTriShape and BSDynamicTriShape become NiTriShape. `notes` gets what was lost, `changes` what each shape became.
/// Partitions with more bones than the other game moves become several. Fails with `WrongGame` for Fallout 4, whose
/// shapes are other ones.
Result<void> port_nif(NifFile& file, std::uint32_t stream, const PortOptions& options, Notes& notes,
                      std::vector<PortChange>* changes = nullptr);

/// The nodes of a file, as the file of another game has them.
struct PortedNodes {
  NifFile file;
  std::vector<std::int32_t> number;  ///< of each block in the new file; `kNoBlock` for what is left out
};

/// Returns the nodes of a file for another game, with extra data that both store alike: names, flags, places and tree
/// stay, other types of nodes become NiNode, and collision is taken off. `left_out` counts all other blocks by type,
/// but for those of bodies, shapes and joints; `changes` names nodes of other types.
Result<PortedNodes> port_nodes(const NifFile& from, std::uint32_t stream, std::map<std::string, std::size_t>& left_out,
                               std::vector<PortChange>* changes = nullptr);

}  // namespace marrow
