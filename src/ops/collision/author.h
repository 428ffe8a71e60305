// SPDX-License-Identifier: MIT
/// One body at a time: another shape, a new body, one less, collision taken off a node. And the names to use.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/collision/build.h"

namespace marrow {

// ---- set-shape

struct SetShapeOptions {
  const Document* mesh = nullptr;
  std::string body = {};  ///< its number, or the name of a node that uses it
  std::optional<std::int32_t> block = {};
  BuildShape shape = BuildShape::Hull;
  std::optional<std::string> material = {};  ///< by default that of the body, for what the mesh names none for
  std::optional<Units> units = {};           ///< of the mesh
  bool world = false;                        ///< the mesh is in the space of the scene, not of the node
  BuildOptions build = {};                   ///< radius, pieces and concavity
};
struct SetShapeReport {
  std::optional<std::int32_t> block = {};
  std::size_t body = 0;
  std::string shape = {};  ///< as `list` names it
};

// ---- add-body, remove-body, detach

struct AddBodyOptions {
  const Document* mesh = nullptr;
  std::optional<std::string> node = {};  ///< of a NIF, that the body goes on
  std::optional<std::int32_t> block = {};
  BuildShape shape = BuildShape::Hull;
  std::optional<std::string> material = {};
  std::optional<std::string> layer = {};
  std::optional<Units> units = {};
  bool world = false;
  BuildOptions build = {};
};

struct RemoveBodyOptions {
  std::string body = {};
  std::optional<std::int32_t> block = {};
};

struct BodyReport {
  std::optional<std::int32_t> block = {};
  std::size_t body = 0;
};

struct DetachCollisionOptions {
  std::vector<std::string> nodes = {};  ///< empty: all
};
struct DetachCollisionReport {
  std::vector<std::string> nodes = {};  ///< that lost their collision
};

// ---- materials, layers

struct FindNamesOptions {
  std::string pattern = {};       ///< part of a name, one with * and ?, a CRC or a number; empty: all
  std::optional<Game> game = {};  ///< Fallout 4 if none is given
};
struct MaterialInfo {
  std::string name = {};
  std::string plain = {};                   ///< what is hashed
  std::string crc = {};                     ///< hexadecimal
  std::optional<std::string> used_by = {};  ///< what has a material that the game's lists do not name
};
struct MaterialsReport {
  std::vector<MaterialInfo> materials = {};
};
struct LayerInfo {
  std::uint8_t number = 0;
  std::string name = {};
};
struct LayersReport {
  std::vector<LayerInfo> layers = {};
};

void describe(FieldList& fields, SetShapeOptions& options);
void describe(FieldList& fields, SetShapeReport& report);
void describe(FieldList& fields, AddBodyOptions& options);
void describe(FieldList& fields, RemoveBodyOptions& options);
void describe(FieldList& fields, BodyReport& report);
void describe(FieldList& fields, DetachCollisionOptions& options);
void describe(FieldList& fields, DetachCollisionReport& report);
void describe(FieldList& fields, FindNamesOptions& options);
void describe(FieldList& fields, MaterialInfo& material);
void describe(FieldList& fields, MaterialsReport& report);
void describe(FieldList& fields, LayerInfo& layer);
void describe(FieldList& fields, LayersReport& report);

/// Replaces the shape of a body. Mass, motion, layer, flags, surface and joints stay; inertia follows. Several objects
/// become one shape: a compound, or one mesh.
Result<SetShapeReport> set_shape_of(Document& document, const SetShapeOptions& options, Context& context);
/// Adds a body to a system, on a node of the NIF that has none; without a system, starts one. The place of the body is
/// that of the node, and BSXFlags follow.
Result<BodyReport> add_body_to(Document& document, const AddBodyOptions& options, Context& context);
/// Removes a body, and the collision objects of the nodes that use it. The bodies behind it and the nodes that use them
/// are renumbered; BSXFlags follow. The only body of a system in a NIF goes with the system.
Result<BodyReport> remove_body_of(Document& document, const RemoveBodyOptions& options, Context& context);
/// Takes collision off nodes, with bodies and systems that no other node uses; BSXFlags follow.
Result<DetachCollisionReport> detach_collision(Document& document, const DetachCollisionOptions& options,
                                               Context& context);

/// Return the materials and layers of a game whose name has the pattern in it; fail with `NotFound` if none has.
Result<MaterialsReport> find_materials(const FindNamesOptions& options);
Result<LayersReport> find_layers(const FindNamesOptions& options);

/// Finds a body by number or by the name of a node. Searches all systems if no block is given; `NeedsChoice` if several
/// have it.
struct BodyPlace {
  std::size_t system = 0, body = 0;

  auto operator<=>(const BodyPlace&) const = default;
};
Result<BodyPlace> find_body(const Document& document, const std::string& body, std::optional<std::int32_t> block);

}  // namespace marrow
