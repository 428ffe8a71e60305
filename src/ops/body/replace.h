// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct BodyReplaceOptions {
  const Document* edited = nullptr;             ///< the glTF file with the meshes; needs `Parts::Bodies`
  std::vector<std::string> shapes = {};         ///< only these, by name; empty: all
  std::vector<const Document*> skeletons = {};  ///< for bones that a shape does not have yet
};

/// What an edit changed in one shape.
struct ShapeChange {
  std::string name;
  std::int32_t block = -1;
  std::size_t positions = 0;       ///< vertices that moved
  std::size_t normals = 0;         ///< edited ones, and those that turned with the surface
  std::size_t turned_normals = 0;  ///< of these: turned with the surface
  std::size_t tangents = 0;        ///< computed anew
  std::size_t uvs = 0;
  std::size_t colors = 0;
  std::size_t weights = 0;
  std::size_t unweighted = 0;  ///< vertices without weights in the edited file; they keep those of the nearest old one
  std::size_t added_vertices = 0;
  std::size_t removed_vertices = 0;
  std::size_t added_triangles = 0;
  std::size_t removed_triangles = 0;
  std::vector<std::string> added_bones = {};
  bool has_new_numbers = false;  ///< vertices have other numbers than before, which morph files count by
  float worst_rounding = 0.0f;   ///< largest distance that a position is off by because of the format

  bool changed() const {
    return positions + normals + tangents + uvs + colors + weights + added_vertices + removed_vertices +
               added_triangles + removed_triangles >
           0;
  }
};

struct BodyReplaceReport {
  std::vector<ShapeChange> shapes = {};     ///< those that have a mesh
  std::vector<std::string> untouched = {};  ///< shapes that have none, and stay
  std::vector<std::string> left_out = {};   ///< meshes that belong to no shape
};

void describe(FieldList& fields, BodyReplaceOptions& options);
void describe(FieldList& fields, ShapeChange& change);
void describe(FieldList& fields, BodyReplaceReport& report);

/// Puts edited meshes back into the shapes of a NIF. Meshes are matched by the record in the file, by name, and without
/// a name by the number of vertices. Positions, UVs, colours, weights and triangles follow the mesh; normals too if
/// they were edited, and turn with the surface if they were not; tangents, bounds, partitions and segments follow. What
/// did not change keeps its bits. Fails with `NotFound` if no mesh belongs to a shape.
Result<BodyReplaceReport> replace_bodies(Document& document, const BodyReplaceOptions& options, Context& context);

}  // namespace marrow
