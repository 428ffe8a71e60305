// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/geometry/shapes.h"
#include "marrow/marrow.h"
#include "marrow/model/collision.h"
#include "marrow/ops/collision.h"
#include "marrow/ops/convert.h"
#include "marrow/ops/describe.h"

namespace marrow {

/// What a mesh becomes.
enum class BuildShape : std::uint8_t { Hull, Mesh, Box, Sphere, Capsule, Compound, Decompose };
template <>
struct ChoiceWords<BuildShape> {
  static constexpr std::array<std::string_view, 7> words = {"hull",    "mesh",     "box",      "sphere",
                                                            "capsule", "compound", "decompose"};
};

/// One object to be built, in game units and Z up.
struct BuildObject {
  std::string name;
  geometry::TriangleMesh mesh;  ///< `materials` index `BuildInput::materials`
};

struct BuildInput {
  std::vector<BuildObject> objects = {};
  std::vector<std::string> materials = {};  ///< names as the files have them
};

/// Returns the objects of mesh documents; parts of one object that differ in material are one mesh again. Fails if there
/// is not a triangle. Needs `Parts::Meshes`.
Result<BuildInput> build_input(std::span<const Document* const> documents);

struct BuildOptions {
  BuildShape shape = BuildShape::Hull;
  std::optional<std::uint32_t> material = {};  ///< for what the file names no collision material for
  std::optional<float> mass_kg = {};
  std::optional<std::uint8_t> layer = {};  ///< by default STATIC, ANIMSTATIC or CLUTTER, as the motion is
  std::optional<MotionType> motion = {};   ///< by default dynamic if there is a mass; a mesh is static
  std::optional<float> friction = {};
  std::optional<float> restitution = {};
  float convex_radius = 0.01f;    ///< in Havok units; hulls and boxes are shrunk by it
  std::uint32_t max_pieces = 32;  ///< of a decomposition
  float max_concavity = 0.0f;     ///< in game units; 0: 2 % of the diagonal
};

/// Builds a system: a body for each object, or one body for all of them if they are a compound. Notes report what was
/// assumed, left out or made smaller.
Result<CollisionSystem> build_system(const BuildInput& input, const BuildOptions& options, Notes& notes);

/// The options of the operation, with materials and layers by name.
struct BuildCollisionOptions {
  BuildOptions build = {};                ///< `shape`, `material` and `layer` are those below
  std::optional<BuildShape> shape = {};   ///< not given: what exported collision was
  std::optional<std::vector<std::string>> from_shapes = {};  ///< visible shapes of a NIF; empty: all
  std::optional<std::string> node = {};   ///< for a body from visible shapes; by default the root
  std::optional<std::int32_t> block = {};  ///< of an export that shows several systems
  std::optional<std::string> material = {};
  std::optional<std::string> layer = {};
  std::optional<Units> input_units = {};  ///< of the meshes

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

  void saved(const Document& document, const std::vector<SavedFile>& files);
};

void describe(FieldList& fields, BuildCollisionOptions& options);
void describe(FieldList& fields, BuiltBody& body);
void describe(FieldList& fields, BuildCollisionReport& report);

/// Builds a bare packfile from meshes: fills `document` with it. Collision that was exported comes back as the bodies
/// that it was, with the edits of the meshes, see `put_back`; the other options then change all of its bodies. If a shape
/// is asked for, its objects are built anew, each in the space of its node.
Result<BuildCollisionReport> build_collision(std::span<const Document* const> meshes,
                                             const BuildCollisionOptions& options, Document& document,
                                             Context& context);

}  // namespace marrow
