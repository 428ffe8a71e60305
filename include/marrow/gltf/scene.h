// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "marrow/model/clip.h"
#include "marrow/model/game.h"
#include "marrow/model/skeleton.h"
#include "marrow/model/transform.h"

namespace marrow::gltf {

/// What one unit of the written file is. The turn from Z up to Y up and the scale sit on a root node, never in the
/// bones, and are undone on reading.
enum class Units : std::uint8_t {
  Metre,    ///< as glTF asks: true size
  Game,     ///< the numbers of the game: one unit is one unit
  Blender,  ///< a tenth of the game's numbers, facing the viewer of Blender's front view
};

/// What else should come back unchanged, by name: a game, an encoding. Kept in the file, not understood here.
using Properties = std::map<std::string, std::string>;

/// A clip under the name that players and Blender show.
struct NamedClip {
  std::string name;
  Clip clip;
  Properties properties = {};

  bool operator==(const NamedClip&) const = default;
};

/// A skeleton with the clips that move it; `track_to_bone` of each counts its bones.
struct Armature {
  Skeleton skeleton;
  std::vector<NamedClip> clips = {};
  Properties properties = {};
  bool recorded = false;  ///< read: the file carries Marrow's record of the skeleton, so that nothing was guessed
  std::vector<std::int32_t> missing = {};  ///< read: bones of the record that the file itself has no longer

  bool operator==(const Armature&) const = default;
};

/// Triangles of one colour at a place: a collision shape, a hull, a hint for the eye. Neighbours of one name and place
/// are parts of one object, each with its material.
struct Mesh {
  std::string name;
  std::vector<Vec3> positions = {};                          ///< in the space of `placement`
  std::vector<std::array<std::uint32_t, 3>> triangles = {};  ///< counter-clockwise from outside
  Vec4 colour{0.8f, 0.8f, 0.8f, 1.0f};                       ///< linear red, green, blue and opacity, 0 to 1
  Transform placement = {};
  std::string material = {};  ///< the name of what it is made of; may be empty

  bool operator==(const Mesh&) const = default;
};

/// What a glTF file holds, in the games' own space: Z up, in units of `metres_per_unit`.
struct Scene {
  std::vector<Armature> armatures = {};
  std::vector<Mesh> meshes = {};
  float metres_per_unit = kMetresPerGameUnit;

  bool operator==(const Scene&) const = default;
};

}  // namespace marrow::gltf
