// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/codec/stored_spline.h"
#include "marrow/model/body.h"
#include "marrow/model/clip.h"
#include "marrow/model/game.h"
#include "marrow/model/skeleton.h"
#include "marrow/model/transform.h"
#include "marrow/model/units.h"

namespace marrow::gltf {

/// A clip under the name that players and Blender show.
struct NamedClip {
  std::string name;
  Clip clip;
  std::optional<codec::StoredSpline> spline = {};  ///< the motion as it was stored, in addition to the frames
  float key_rate = 0.0f;  ///< of a clip that was read densely: its keys per second, 30 if they are uneven; else 0
  std::vector<std::byte> file =
      {};  ///< the file that the clip was in; any bytes. Kept in the record, instead of `spline`
  /// The clip is part of the animation that the clip at the same place of the armature before it makes: two actors that
  /// move together.
  bool joins_previous = false;
  /// Of one actor of two: where each of its tracks stands among those of both.
  std::vector<std::int32_t> places = {};

  bool operator==(const NamedClip&) const = default;
};

/// A skeleton with the clips that move it; `track_to_bone` of each clip holds indices of its bones.
struct Armature {
  /// A bone of the record that hangs on another parent in the file; both are indices into `skeleton`, which keeps the
  /// parents of the record, and with them its order.
  struct Reparented {
    std::int32_t bone = kNoBone, parent = kNoBone;
    bool operator==(const Reparented&) const = default;
  };

  Skeleton skeleton;
  std::vector<NamedClip> clips = {};
  std::optional<Game> game = {};  ///< the game that the files are for
  /// An Anvil skeleton as stored in the record: everything that a tree of bones cannot hold.
  std::string anvil = {};
  bool recorded = false;  ///< after reading: the file has Marrow's record of the skeleton, so nothing was guessed
  std::vector<std::int32_t> missing = {};   ///< after reading: bones of the record that the file no longer has
  std::vector<Reparented> reparented = {};  ///< after reading, with `anvil`: the edits of parents
  /// Of one actor of two: where each of its bones stands in the skeleton of both.
  std::vector<std::int32_t> places = {};
  /// To write: names of nodes, if several bones shall have one name; by bone, empty ones are the bone's own.
  std::vector<std::string> node_names = {};

  bool operator==(const Armature&) const = default;
};

/// Triangles of one colour: a collision shape, a hull, a visual aid. Consecutive meshes with the same name and
/// placement are parts of one object, each with its material.
struct Mesh {
  std::string name;
  std::vector<Vec3> positions = {};                          ///< in the space of `placement`
  std::vector<std::array<std::uint32_t, 3>> triangles = {};  ///< counter-clockwise from outside
  Vec4 colour{0.8f, 0.8f, 0.8f, 1.0f};                       ///< linear red, green, blue and opacity, 0 to 1
  Transform placement = {};
  std::string material = {};  ///< name of the material; may be empty
  bool is_backdrop = false;   ///< only shown: marked in the file, and never read back
  /// Name of the mesh, if it is not that of the object. Only read: programs keep it when an object is renamed.
  std::string data_name = {};

  bool operator==(const Mesh&) const = default;
};

/// A visible shape of a body. Written, it hangs on an armature; read, it carries what its file says about the bones.
struct Body {
  BodyShape shape;
  std::string file = {};                     ///< name of the file that the shape is from; kept in the record
  std::optional<std::size_t> armature = {};  ///< to write: the one whose bones move it
  std::vector<std::int32_t> joints = {};     ///< to write: by bone of the shape, a bone of the armature
  std::int32_t parent = kNoBone;             ///< to write: the bone that a shape without skin hangs on
  Mat4 place{1.0f};                          ///< of a shape without skin: to its parent, or to the scene
  std::vector<Mat4> rest = {};               ///< read: by bone of the shape, its place at rest in game units
  std::vector<Mat4> inverse_binds = {};      ///< read: by bone of the shape
  /// To write: an image per texture slot of the shape, as PNG; empty ones are left out.
  std::vector<std::vector<std::byte>> images = {};

  bool operator==(const Body&) const = default;
};

/// What a glTF file holds, in the games' own space: Z up, in units of `metres_per_unit`.
struct Scene {
  std::vector<Armature> armatures = {};
  std::vector<Mesh> meshes = {};
  std::vector<Body> bodies = {};
  std::string collision = {};  ///< kept with the meshes as it is: the collision that they show
  float metres_per_unit = kMetresPerGameUnit;

  bool operator==(const Scene&) const = default;
};

}  // namespace marrow::gltf
