// SPDX-License-Identifier: MIT
// Makes the partitions of a skin again, by the limits of the game.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "nif/record.h"

namespace marrow::nif {

/// The bones of one vertex, strongest first, with their weights.
using Influences = std::vector<std::pair<std::uint16_t, float>>;

/// Returns the most bones that a game moves in one partition.
std::size_t most_bones(std::uint32_t stream);

struct PartitionInput {
  std::vector<std::array<std::uint16_t, 3>> triangles;  ///< in the order of the mesh
  std::vector<std::uint32_t> groups;                    ///< by triangle: the old partition
  std::vector<Influences> weights;                      ///< by vertex of the mesh
};

/// Writes partitions into a NiSkinPartition record, and body parts into its instance, if that has them. Triangles of
/// one old partition stay together, in several partitions if they have too many bones for one. Old partitions that have
/// no triangle left go.
Result<void> make_partitions(const PartitionInput& input, Record& partitions, Record& instance);

/// Returns the influences that the partitions of a file state, by vertex of the mesh. A vertex that is in none has
/// none.
std::vector<Influences> partition_weights(const Record& partitions, std::size_t vertex_count);

/// Returns the mesh triangles of a partition, wherever its numbers are of.
std::vector<std::array<std::uint16_t, 3>> mesh_triangles(const Record& partition, bool is_of_mesh);

}  // namespace marrow::nif
