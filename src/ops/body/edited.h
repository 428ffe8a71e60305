// SPDX-License-Identifier: MIT
// What a glTF file makes of a shape, brought into the shape's own space.
#pragma once

#include <string>
#include <vector>

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "nif/nif_file.h"
#include "ops/body/bones.h"

namespace marrow {

/// Entries of a skin that are one joint: of one node, with one bind transform.
struct Joints {
  std::vector<std::uint16_t> of_bone;  ///< by bone of the shape
  std::vector<std::uint16_t> bone_of;  ///< by joint: its first bone

  explicit Joints(const BodyShape& shape);
};

/// An edited mesh in the space of the shape that it belongs to. Its weights name joints of the shape.
struct EditedMesh {
  BodyShape mesh;
  bool is_exact = true;  ///< the numbers are those that the export wrote, unless they were edited
};

/// Brings a mesh into the space of its shape: the bind pose of another program, and its axes of bones, are undone.
/// `places` is where the bones of the shape stand; a mesh that lost its skin is taken to stand there. Fails if a joint
/// is not a bone of the shape, naming it.
Result<EditedMesh> bring_into_space(const DocumentBody& edited, const BodyShape& shape, const Joints& joints,
                                    const BonePlaces& places);

/// Returns, by body of the edited file, the shape that it belongs to; -1 if it belongs to none.
std::vector<int> match_shapes(const std::vector<BodyShape>& shapes, const std::vector<DocumentBody>& edited);

/// Appends a mesh to another of the same shape, as after a split by material.
void append_mesh(EditedMesh& all, EditedMesh more);

}  // namespace marrow
