// SPDX-License-Identifier: MIT
// What the operations that build shapes from meshes have in common.
#pragma once

#include <string>

#include "ops/collision/build.h"
#include "ops/collision/record.h"

namespace marrow {

/// The options of a shape: convex radius, limits of a decomposition.
void describe_fitting(FieldList& fields, BuildOptions& options);
/// The options of a body: mass, motion, surface.
void describe_body(FieldList& fields, BuildOptions& options);

/// Find a material or layer by name. Fail with `BadOption`, naming the option.
Result<std::uint32_t> option_material(const std::string& name, CollisionGame game);
Result<std::uint8_t> option_layer(const std::string& name, CollisionGame game);
/// Returns whose names and rules the collision of a document follows, or would.
CollisionGame collision_game(const Document& document);

/// Returns the objects of a mesh file whose lengths are in that unit, whatever its format takes for granted.
Result<BuildInput> input_in_units(const Document& mesh, std::optional<Units> units);
/// Brings objects from the space of the scene into that of a node.
void move_into(BuildInput& input, const Transform& node);
/// Makes one object of several.
void join_objects(BuildInput& input);

/// Builds one body. Several objects become the children of a compound, or one mesh.
Result<CollisionSystem> build_one_body(BuildInput input, const BuildOptions& options, Notes& notes);

/// The objects of an export in the space of their nodes, one per body unless they are to be children of a compound.
struct RecordedInput {
  BuildInput input;
  std::vector<Transform> nodes;  ///< one per object: the node that it is in the space of
};
Result<RecordedInput> input_on_nodes(const Document& mesh, const CollisionRecord& record, bool keep_children,
                                     Notes& notes);

}  // namespace marrow
