// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "ops/body/list.h"
#include "ops/table/describe.h"

namespace marrow {

/// A row of the table of bones.
struct BoneInfo {
  std::size_t index = 0;
  std::string name = {};
  std::optional<std::int32_t> parent = {};  ///< null: a root
  Vec3 position{};                          ///< at rest, local to the parent
  Quat rotation{};
  Vec3 scale{};
  std::vector<std::string> flags = {};  ///< `lock-translation`, `FX`
};

struct SkeletonInfo {
  std::string name = {};
  std::size_t bones = 0;
  std::size_t fx_bones = 0;                         ///< Anvil: bones with an FX modifier
  std::optional<std::vector<BoneInfo>> table = {};  ///< if asked for
};

/// Where the bytes of stored motion go. All but `total` are of spline-compressed clips.
struct MotionBytes {
  std::size_t masks = 0, translation = 0, rotation = 0, scale = 0, floats = 0, padding = 0, total = 0;
};

struct ClipInfo {
  std::optional<std::string> name = {};  ///< glTF, FBX and BVH
  std::int64_t frames = 0;
  std::int64_t tracks = 0;
  std::int64_t float_tracks = 0;
  double duration_seconds = 0;
  std::size_t annotations = 0;
  bool root_motion = false;
  bool additive = false;
  double frames_per_second = 0;             ///< 0 if the clip has one frame, or no duration
  std::string skeleton = {};                ///< the skeleton that the binding names
  std::string blend_hint = {};              ///< `normal`, `additive` or `additive-deprecated`
  std::string encoding = {};                ///< class of the animation, or `frames`
  std::vector<std::string> encodings = {};  ///< of its channels, `rotation 40-bit`, `curve of degree 3`
  MotionBytes bytes = {};
  std::optional<float> first_annotation = {}, last_annotation = {};  ///< seconds
  std::optional<double> start_seconds = {};                          ///< FBX and BVH: by the clock of the file
};

/// A mesh of an FBX file.
struct MeshInfo {
  std::string name = {};
  std::size_t vertices = 0;
  std::size_t triangles = 0;            ///< a polygon of n corners counts n - 2
  std::vector<std::string> bones = {};  ///< that bend it
};

/// What a project, character or behaviour file of Skyrim is about.
struct BehaviourInfo {
  std::string kind = {};                     ///< `project`, `character` or `behavior`
  std::string name = {};                     ///< of the character or the graph
  std::string rig = {}, behavior = {};       ///< of a character: the files that it names
  std::vector<std::string> characters = {};  ///< of a project
  std::vector<std::string> references = {};  ///< of a behaviour: further behaviour files
  std::size_t animations = 0;                ///< of a character
  std::size_t events = 0, variables = 0, machines = 0, states = 0, clips = 0;  ///< of a behaviour
};

/// What a file is and holds.
struct InfoReport {
  Format format = Format::Unknown;
  std::optional<Game> game = {};
  Json version = "";  ///< as the file states it: a text, of FBX a number, of BVH null
  std::optional<std::uint32_t> pointer_size = {};
  std::vector<std::pair<std::string, std::size_t>> classes = {};  ///< in order of first object
  std::vector<SkeletonInfo> skeletons = {};
  std::vector<ClipInfo> clips = {};
  // What only some formats have.
  std::optional<std::string> endian = {};                 ///< Havok's binary files: `little` or `big`
  std::optional<std::vector<std::uint32_t>> layout = {};  ///< packfiles: pointer size, little, reuse, empty
  std::optional<std::string> known_as = {};               ///< another game that has such files, as far as they tell
  std::optional<int> actors = {};                         ///< 2 if a clip is paired
  std::optional<std::string> actor_order = {};            ///< of a paired clip: `NPC, 2_`, `2_, NPC`, or `not named`
  std::optional<BehaviourInfo> about = {};                ///< project, character and behaviour files
  std::optional<Json> meshes = {};                        ///< glTF and OBJ: how many; FBX: the meshes
  std::optional<std::string> up_axis = {};                ///< FBX and BVH: `y`, `-z`
  std::optional<double> unit_cm = {};                     ///< FBX and BVH: centimetres per unit
  std::optional<std::size_t> systems = {};                ///< NIF: physics systems, ragdolls and cloth
  std::optional<std::size_t> bodies = {};                 ///< NIF
  std::optional<std::vector<BodyShapeInfo>> shapes = {};  ///< NIF
  std::optional<std::uint32_t> type = {};                 ///< Anvil: `SkeletonType`, 8 for addons
  std::optional<std::uint64_t> id = {};                   ///< Anvil
  std::optional<std::size_t> modifiers = {};              ///< Anvil
  std::optional<std::size_t> named = {};                  ///< Anvil: bones whose name is known
};

struct InfoOptions {
  bool bones = false;  ///< adds a table of the bones of each skeleton
};

void describe(FieldList& fields, InfoOptions& options);
void describe(FieldList& fields, BoneInfo& bone);
void describe(FieldList& fields, SkeletonInfo& skeleton);
void describe(FieldList& fields, MotionBytes& bytes);
void describe(FieldList& fields, ClipInfo& clip);
void describe(FieldList& fields, MeshInfo& mesh);
void describe(FieldList& fields, BehaviourInfo& info);
void describe(FieldList& fields, InfoReport& report);

/// Sums up a document as it would be saved.
Result<InfoReport> info(const Document& document, const InfoOptions& options, Context& context);

}  // namespace marrow
