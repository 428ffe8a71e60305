// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/geometry/shapes.h"
#include "marrow/model/collision.h"

namespace marrow {

/// What a mesh becomes.
enum class BuildShape : std::uint8_t { Hull, Mesh, Box, Sphere, Capsule, Compound, Decompose };
std::optional<BuildShape> find_build_shape(std::string_view word);

/// One object of a mesh file, in game units and Z up.
struct BuildObject {
  std::string name;
  geometry::TriangleMesh mesh;  ///< `materials` index `BuildInput::materials`
};

struct BuildInput {
  std::vector<BuildObject> objects = {};
  std::vector<std::string> materials = {};  ///< names as the file has them
};

/// What one unit of a mesh file is; `Own` is game units for .obj and metres for glTF.
enum class BuildUnits : std::uint8_t { Own, Game, Metre };

/// Reads .obj (Z up) or .glb and .gltf (Y up), by content.
Result<BuildInput> read_build_input(std::span<const std::byte> bytes, BuildUnits units = BuildUnits::Own,
                                    const Limits& limits = {});

struct BuildOptions {
  BuildShape shape = BuildShape::Hull;
  std::optional<std::uint32_t> material = {};  ///< for what the file names no collision material for
  std::optional<float> mass_kg = {};
  std::optional<std::uint8_t> layer = {};  ///< by default STATIC, ANIMSTATIC or CLUTTER, as the motion is
  std::optional<MotionType> motion = {};   ///< by default dynamic where there is a mass; a mesh is static
  std::optional<float> friction = {};
  std::optional<float> restitution = {};
  float convex_radius = 0.01f;    ///< in Havok units; hulls and boxes are shrunk by it
  std::uint32_t max_pieces = 32;  ///< of a decomposition
  float max_concavity = 0.0f;     ///< in game units; 0: 2 % of the diagonal
};

/// Builds a system: a body for each object, or one body for all of them where they are a compound. `notes` tells what
/// was assumed, left out or made smaller.
Result<CollisionSystem> build_collision(const BuildInput& input, const BuildOptions& options, Notes& notes);

/// A system that was built, and the packfile that holds it.
struct BuiltPackfile {
  CollisionSystem system;
  std::vector<std::byte> bytes = {};
};

/// The same, written as a bare packfile that goes into a NIF.
Result<BuiltPackfile> build_packfile(const BuildInput& input, const BuildOptions& options, Notes& notes);

}  // namespace marrow
