// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/hull/hull.h"
#include "marrow/geometry/solids/shapes.h"
#include "marrow/model/collision.h"
#include "marrow/ops/collision/build_shape.h"
#include "marrow/ops/document/load.h"
#include "ops/collision/collision.h"
#include "ops/files/convert.h"
#include "ops/table/describe.h"

namespace marrow {

template <>
struct ChoiceWords<BuildShape> {
  static constexpr std::array<std::string_view, 9> words = {"hull",     "mesh",      "box",      "sphere", "capsule",
                                                            "compound", "decompose", "cylinder", "by-name"};
};

/// On which side of the mesh a sphere, capsule or cylinder lies.
enum class BuildFit : std::uint8_t { Enclosing, Inscribed };
template <>
struct ChoiceWords<BuildFit> {
  static constexpr std::array<std::string_view, 2> words = {"enclosing", "inscribed"};
};

/// What the objects whose names match a pattern become.
struct ShapeRule {
  std::string pattern;
  BuildShape shape = BuildShape::Hull;

  bool operator==(const ShapeRule&) const = default;
};

/// Shapes as they are asked for: `hull`, or `Leg*=capsule` for objects by name, any number of each.
struct ShapeChoice {
  std::optional<BuildShape> shape = {};  ///< of objects that no rule names
  std::vector<ShapeRule> rules = {};

  bool is_given() const { return shape || !rules.empty(); }
};
namespace described {
template <>
struct Traits<ShapeChoice> {
  static void fill(FieldInfo& info);
  static Json get(const ShapeChoice& value);
  /// Takes a word or a list of words.
  static Result<void> set(ShapeChoice& value, const Json& json, const FieldInfo& info);
};
}  // namespace described

/// One object to be built, in game units and Z up.
struct BuildObject {
  std::string name;
  geometry::TriangleMesh mesh;  ///< `materials` index `BuildInput::materials`
};

struct BuildInput {
  std::vector<BuildObject> objects = {};
  std::vector<std::string> materials = {};  ///< names as the files have them
};

/// Returns the objects of mesh documents; parts of one object that differ in material are one mesh again. Fails if
/// there is not a triangle. Needs `Parts::Meshes`.
Result<BuildInput> build_input(std::span<const Document* const> documents);

struct BuildOptions {
  BuildShape shape = BuildShape::Hull;
  std::vector<ShapeRule> rules = {};  ///< for objects by name, before `shape`; the last that matches counts
  BuildFit fit = BuildFit::Enclosing;
  std::optional<std::uint32_t> material = {};  ///< for what the file names no collision material for
  std::optional<float> mass_kg = {};
  std::optional<std::uint8_t> layer = {};  ///< by default STATIC, ANIMSTATIC or CLUTTER, as the motion is
  std::optional<MotionType> motion = {};   ///< by default dynamic if there is a mass; a mesh is static
  std::optional<float> friction = {};
  std::optional<float> restitution = {};
  CollisionGame game = CollisionGame::Fallout4;
  /// In Havok units; hulls and boxes are shrunk by it. By default 0.01 in Fallout 4; in Skyrim 0.05, boxes 0.1.
  std::optional<float> convex_radius = {};
  std::uint32_t max_pieces = 24;                            ///< of a decomposition
  std::uint32_t max_vertices = geometry::kMaxHullVertices;  ///< of a hull
  float max_concavity = 0.0f;                               ///< in game units; 0: 2.5 % of the diagonal
};

/// Returns the shape that the name of an object asks for with its last or first word, as `Leg.capsule.001` or
/// `capsule_leg`. Words are runs of letters, in any case. Nothing if neither is a shape.
std::optional<BuildShape> shape_in_name(std::string_view name);
/// Returns what an object becomes by its name, the rules and the shape that is asked for.
BuildShape shape_for(std::string_view object, const BuildOptions& options);

/// How well the hulls of a decomposed object stand for it.
struct BuiltDecomposition {
  std::string object = {};
  std::size_t hulls = 0;
  double volume_error = 0.0;    ///< (hulls - mesh) / mesh; 0 if the mesh is open
  double worst_distance = 0.0;  ///< between the surfaces of the mesh and of all hulls, in game units
  double coverage = 0.0;        ///< the share of the mesh that is in a hull

  bool operator==(const BuiltDecomposition&) const = default;
};

/// Builds a system: a body for each object, and one body for all that are parts of a compound. Children of a compound
/// may be of every kind; a decomposed child gives its hulls. Notes report what was assumed, left out or made smaller.
Result<CollisionSystem> build_system(const BuildInput& input, const BuildOptions& options, Notes& notes,
                                     std::vector<BuiltDecomposition>* decompositions = nullptr);

/// The options of the operation, with materials and layers by name.
struct BuildCollisionOptions {
  BuildOptions build = {};                                   ///< `shape`, `material` and `layer` are those below
  ShapeChoice shape = {};                                    ///< not given: what exported collision was
  std::optional<std::vector<std::string>> from_shapes = {};  ///< visible shapes of a NIF; empty: all
  std::optional<std::string> node = {};                      ///< for a body from visible shapes; by default the root
  std::optional<std::int32_t> block = {};                    ///< of an export that shows several systems
  std::optional<std::string> material = {};
  std::optional<std::string> layer = {};
  std::optional<Units> input_units = {};  ///< of the meshes
  std::optional<Game> to = {};            ///< Skyrim: a NIF of its own; else a packfile of Fallout 4

  Parts parts() const { return from_shapes ? Parts::Shapes : Parts::None; }
};

struct BuiltBody {
  std::size_t body = 0;
  std::string name = {};
};

struct BuildCollisionReport {
  std::size_t bytes = 0;
  std::size_t count = 0;               ///< of bodies
  std::vector<BuiltBody> bodies = {};  ///< the object of each, if there is one
  std::vector<BuiltDecomposition> decompositions = {};

  void saved(const Document& document, const std::vector<SavedFile>& files);
};

void describe(FieldList& fields, BuildCollisionOptions& options);
void describe(FieldList& fields, BuiltBody& body);
void describe(FieldList& fields, BuiltDecomposition& decomposition);
void describe(FieldList& fields, BuildCollisionReport& report);

/// Builds a bare packfile from meshes: fills `document` with it. Collision that was exported comes back as the bodies
/// that it was, with the edits of the meshes, see `put_back`; the other options then change all of its bodies. If a
/// shape is asked for, its objects are built anew, each in the space of its node.
Result<BuildCollisionReport> build_collision(std::span<const Document* const> meshes,
                                             const BuildCollisionOptions& options, Document& document,
                                             Context& context);

}  // namespace marrow
