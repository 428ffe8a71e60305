// SPDX-License-Identifier: MIT
// Data that glTF cannot express, as JSON text in the extras of a root node: docs/formats/gltf-extras.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/gltf/scene.h"
#include "marrow/core/error.h"

namespace marrow::gltf {

/// The key in `extras`. Its value is JSON in a string: Blender and other programs keep only strings unchanged.
inline constexpr const char* kExtrasKey = "marrow";
/// Increased if an older reader would misunderstand the record; a reader accepts any version up to its own.
inline constexpr int kExtrasVersion = 1;

enum class RecordKind : std::uint8_t {
  Armature,  ///< the root node of a skeleton; `rig` in files
  Meshes,    ///< the root node of meshes
  Bones,     ///< a mesh that only shows something, as bones; never read back
};

/// Everything in a clip except the motion of the bones, which is in the animation itself.
struct ClipRecord {
  Clip clip;  ///< `transforms` is empty
  std::optional<codec::StoredSpline> spline;
  std::vector<std::byte> file;                       ///< `NamedClip::file`
  std::vector<std::int32_t> places;                  ///< `NamedClip::places`
  RootMotionAs root_motion_as = RootMotionAs::None;  ///< what shows the root motion in this file
  std::string constant;  ///< one digit per track: 1 translation, 2 rotation, 4 scale are constant
  /// Tracks that move no bone of the skeleton, or one that another track moves too: every frame of each.
  std::map<std::int32_t, std::vector<Transform>> loose;
};

/// A shape that a mesh was written from.
struct BodyRecord {
  std::string mesh;  ///< name of the mesh
  std::string file;
  std::int32_t block = -1;
  std::string shape;  ///< its name in the file

  bool operator==(const BodyRecord&) const = default;
};

struct Record {
  RecordKind kind = RecordKind::Armature;
  Units units = Units::Metre;
  float metres_per_unit = kMetresPerGameUnit;
  Skeleton skeleton;
  std::vector<std::int32_t> places;  ///< `Armature::places`
  std::optional<Game> game;
  std::string anvil;      ///< an Anvil skeleton as Schema XML
  std::string collision;  ///< `Scene::collision`
  std::vector<BodyRecord> bodies = {};
  std::vector<std::pair<std::string, ClipRecord>> clips;  ///< by the name of the animation
};

std::string write_record(const Record& record);
/// Reads a record. Safe on untrusted text. `path` is the node's place, for messages.
Result<Record> read_record(std::string_view text, const std::string& path);

/// Returns a double whose text is as short as the float's own and reads back as the same bits.
double short_double(float value);

/// Returns a name that JSON can hold: bytes that are not UTF-8 are read as Latin-1.
std::string utf8_name(std::string_view name);

}  // namespace marrow::gltf
