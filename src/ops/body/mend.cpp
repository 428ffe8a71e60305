// SPDX-License-Identifier: MIT
#include "ops/body/mend.h"

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "nif/edit_shape.h"
#include "nif/partition.h"
#include "nif/record.h"
#include "nif/shape.h"
#include "ops/body/check.h"
#include "ops/body/findings.h"

namespace marrow {
namespace {

// Sizes follow from the counts, and nothing else reads them.
Result<bool> mend_data_size(NifFile& nif, const BodyShape& shape) {
  MARROW_TRY(nif::Record record, nif::read_block(nif, shape.block));
  if (!record.has("data_size") || record.integer("data_size") == 0) return false;
  const std::uint64_t size = record.size("vertices") + 6 * record.size("triangles");
  if (record.integer("data_size") == size) return false;
  record.set_integer("data_size", size);
  MARROW_CHECK(nif::write_block(nif, shape.block, record));
  return true;
}

bool mend_path(nif::Record& record, std::string_view field) {
  const auto path = below_data(std::string(record.text(field)));
  if (path) record.set_text(field, *path);
  return path.has_value();
}

// Cuts paths of textures down to what lies below the data folder. Returns how many.
Result<std::size_t> mend_textures(NifFile& nif, const BodyShape& shape) {
  MARROW_TRY(const nif::Record own, nif::read_block(nif, shape.block));
  const std::int32_t at = own.has("shader") ? own.reference("shader") : kNoBlock;
  if (!nif::type_of(nif, at)) return 0;
  MARROW_TRY(nif::Record shader, nif::read_block(nif, at));
  std::size_t count = 0;
  if (!shader.has("texture_set")) {
    for (const std::string_view field : {"source", "greyscale", "environment", "normal", "mask"})
      count += shader.has(field) && mend_path(shader, field);
    if (count > 0) MARROW_CHECK(nif::write_block(nif, at, shader));
    return count;
  }
  const std::int32_t set = shader.reference("texture_set");
  MARROW_TRY(std::optional<nif::Record> textures, nif::read_block_of(nif, set, "BSShaderTextureSet"));
  if (!textures) return 0;
  for (nif::Record& each : textures->records("textures")) count += mend_path(each, "value");
  if (count > 0) MARROW_CHECK(nif::write_block(nif, set, *textures));
  return count;
}

// The weights that the partitions of a shape state, by vertex.
Result<std::vector<nif::Influences>> stated_weights(const NifFile& nif, const BodyShape& shape) {
  MARROW_TRY(const nif::Record own, nif::read_block(nif, shape.block));
  MARROW_TRY(const auto instance, nif::read_block_of(nif, own.reference("skin"), "NiSkinInstance"));
  if (!instance) return std::vector<nif::Influences>(shape.positions.size());
  MARROW_TRY(const auto partitions, nif::read_block_of(nif, instance->reference("partition"), "NiSkinPartition"));
  if (!partitions) return std::vector<nif::Influences>(shape.positions.size());
  return nif::partition_weights(*partitions, shape.positions.size());
}

/// What is to be mended by writing the shape again.
struct Faults {
  bool bound = false, weights = false;
  bool partitions = false;         ///< they lack triangles or bones, or have too many
  bool partition_weights = false;  ///< their weights are not those of the vertices

  bool any() const { return bound || weights || partitions; }
};

float sum_of(const VertexWeights& weights) {
  return weights.weights[0] + weights.weights[1] + weights.weights[2] + weights.weights[3];
}

Result<void> write_again(NifFile& nif, const BodyShape& shape, const Faults& faults) {
  ShapeEdit edit{.vertices = {}, .triangles = shape.triangles, .groups = {}};
  edit.has_new_triangles = faults.partitions;  // the same ones; partitions are made again
  MARROW_TRY(edit.groups, triangle_groups(nif, shape));
  std::vector<nif::Influences> stated;
  if (faults.partitions) {
    MARROW_TRY(stated, stated_weights(nif, shape));
  }
  for (std::size_t i = 0; i < shape.positions.size(); ++i) {
    VertexEdit vertex{.source = static_cast<std::uint16_t>(i)};
    // A position that is set anew keeps its bits, and the bound follows.
    if (faults.bound) vertex.position = shape.positions[i];
    if (i < shape.weights.size()) {
      const bool is_unstated = faults.partitions && stated[i].empty();
      if (faults.partition_weights || is_unstated) vertex.weights = shape.weights[i];
      const float sum = sum_of(shape.weights[i]);
      if (sum > 0.0f && std::abs(sum - 1.0f) > 0.02f) {
        vertex.weights = shape.weights[i];
        for (float& weight : vertex.weights->weights) weight /= sum;
      }
    }
    edit.vertices.push_back(std::move(vertex));
  }
  return edit_shape(nif, shape, edit);
}

}  // namespace

Result<Notes> mend_bodies(NifFile& nif, const Limits& limits) {
  Notes notes;
  auto shapes = read_shapes(nif, {.limits = limits});
  if (!shapes) return notes;  // what is broken is not mended by guessing
  for (const BodyShape& shape : *shapes) {
    Findings findings;
    check_shape(nif, shape, {}, findings);
    const auto has = [&](std::string_view code) {
      return std::ranges::find(findings, code, &Finding::code) != findings.end();
    };
    const auto note = [&](std::string message) { notes.push_back({std::move(message), kNoOffset, place_of(shape)}); };
    MARROW_TRY(const bool is_resized, mend_data_size(nif, shape));
    if (is_resized) note("the size of its data is computed");
    MARROW_TRY(const std::size_t paths, mend_textures(nif, shape));
    if (paths > 0) note(std::to_string(paths) + " paths of textures start at the data folder now");
    const bool has_bad_weights = has("W_PARTITION_PALETTE") || has("E_PARTITION_BONES");
    const Faults faults{.bound = has("W_BOUND"),
                        .weights = has("W_WEIGHT_SUM"),
                        .partitions = has_bad_weights || has("E_PARTITION_TRIANGLE"),
                        .partition_weights = has_bad_weights};
    if (!faults.any()) continue;
    MARROW_CHECK(write_again(nif, shape, faults));
    if (faults.bound) note("its bound is computed");
    if (faults.partitions) note("its partitions are made again");
    if (faults.weights) note("weights are divided by their sum");
  }
  return notes;
}

}  // namespace marrow
