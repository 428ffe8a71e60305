// SPDX-License-Identifier: MIT
// What glTF has no word for, as JSON text in the extras of a root node: docs/formats/gltf-extras.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/gltf/scene.h"

namespace marrow::gltf {

/// The key in `extras`. Its value is JSON in a string: Blender and others keep a string as it is, and nothing else.
inline constexpr const char* kExtrasKey = "marrow";
/// Raised where an older reader would misunderstand; a reader takes any version up to its own.
inline constexpr int kExtrasVersion = 1;

enum class RecordKind : std::uint8_t {
  Armature,  ///< the root node of a skeleton; files say `rig`
  Meshes,    ///< the root node of meshes
  Bones,     ///< the mesh that shows the bones: for the eye, not for reading
};

/// All of a clip but the motion of the bones, which the animation itself carries.
struct ClipRecord {
  Clip clip;  ///< `transforms` is empty
  Properties properties;
  std::string constant;  ///< one digit a track: 1 translation, 2 rotation, 4 scale keep one value
  /// Tracks that move no bone of the skeleton, or one that another track moves too: every frame of each.
  std::map<std::int32_t, std::vector<Transform>> loose;
};

struct Record {
  RecordKind kind = RecordKind::Armature;
  Units units = Units::Metre;
  float metres_per_unit = kMetresPerGameUnit;
  Skeleton skeleton;
  Properties properties;
  std::vector<std::pair<std::string, ClipRecord>> clips;  ///< by the name of the animation
};

std::string write_record(const Record& record);
/// Safe on untrusted text. `path` is the node's place, for messages.
Result<Record> read_record(std::string_view text, const std::string& path);

/// A double whose text is as short as the float's own and reads back as the same bits.
double short_double(float value);

/// Names as JSON can hold them: bytes that are no UTF-8 are taken as Latin-1.
std::string utf8_name(std::string_view name);

}  // namespace marrow::gltf
