// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct BodyNewOptions {
  const Document* like = nullptr;               ///< the NIF that shaders, textures and partitions come from
  const Document* body = nullptr;               ///< the NIF whose weights are transferred; by default `like`
  std::vector<const Document*> skeletons = {};  ///< skeleton.hkx and skeleton.nif files
  std::string shape = {};                       ///< of `like`; by default that with the mesh's name, else the largest
  bool transfer = false;                        ///< transfer weights even if the mesh has a skin
};

/// What became of one mesh.
struct NewShape {
  std::string name = {}, like = {};
  std::size_t vertices = 0, triangles = 0;
  std::vector<std::string> added_bones = {};
  bool is_transferred = false;  ///< weights come from the nearest surface
  double farthest = 0;          ///< units from there
  std::size_t faces_away = 0;   ///< vertices whose nearest surface faces another way
  /// How far transferred weights are from those of the mesh itself, if it has a skin: half of the sum of differences.
  std::optional<double> mean_difference = {}, worst_difference = {};
  float worst_rounding = 0;
};

struct BodyNewReport {
  std::vector<NewShape> shapes = {};
};

void describe(FieldList& fields, BodyNewOptions& options);
void describe(FieldList& fields, NewShape& shape);
void describe(FieldList& fields, BodyNewReport& report);

/// Makes a NIF of the meshes of a glTF file, like another NIF. The document becomes that NIF. Meshes with a skin keep
/// their weights; others get those of the body below them. Fails with `NotFound` if there is no mesh, or a bone stands
/// nowhere.
Result<BodyNewReport> new_body(Document& document, const BodyNewOptions& options, Context& context);

}  // namespace marrow
