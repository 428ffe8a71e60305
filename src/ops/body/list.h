// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// One shape in `info`.
struct BodyShapeInfo {
  std::string name;
  std::string type;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::size_t bones = 0;
  std::size_t partitions = 0;  ///< of Fallout 4: segments
  bool is_skinned = false;
  std::string material;
  std::vector<std::string> textures;
};

struct ListedPartition {
  std::optional<std::uint32_t> body_part = {};
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::size_t bones = 0;
};

struct ListedSegment {
  std::size_t triangles = 0;
  std::size_t sub_segments = 0;
};

/// One shape in `body list`.
struct ListedShape {
  std::string name;
  std::int32_t block = -1;
  std::string type;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  bool is_skinned = false;
  std::vector<std::string> bones;
  std::string material;
  std::string shader;
  std::vector<std::string> textures;
  Vec4 bound{0.0f};
  std::vector<ListedPartition> partitions;
  std::vector<ListedSegment> segments;
};

struct BodyListOptions {};

struct BodyListReport {
  std::optional<Game> game = {};
  std::vector<ListedShape> shapes = {};
};

struct BodyWeightsOptions {};

/// Weights as they are drawn.
struct BodyWeightsReport {
  std::size_t shapes = 0;
  std::size_t vertices = 0;
  std::string csv = {};

  /// Returns `shape,vertex,bone,weight`, one row per weight above 0.
  SavedFile text() const;
};

void describe(FieldList& fields, BodyShapeInfo& shape);
void describe(FieldList& fields, ListedPartition& partition);
void describe(FieldList& fields, ListedSegment& segment);
void describe(FieldList& fields, ListedShape& shape);
void describe(FieldList& fields, BodyListOptions& options);
void describe(FieldList& fields, BodyListReport& report);
void describe(FieldList& fields, BodyWeightsOptions& options);
void describe(FieldList& fields, BodyWeightsReport& report);

/// Returns the shapes of a NIF with their counts.
Result<std::vector<BodyShapeInfo>> shape_infos(const NifFile& nif, const Limits& limits);

/// Lists the shapes of a NIF: bones, partitions or segments, bounds, looks. Fails with `WrongKind` on other formats.
Result<BodyListReport> list_bodies(const Document& document, const BodyListOptions& options, Context& context);
/// Writes the weights of a NIF as a table.
Result<BodyWeightsReport> body_weights(const Document& document, const BodyWeightsOptions& options, Context& context);

}  // namespace marrow
