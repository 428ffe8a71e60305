// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "marrow/ops/context.h"
#include "marrow/ops/describe.h"
#include "marrow/ops/document.h"

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
};

/// What a file is and holds.
struct InfoReport {
  Format format = Format::Unknown;
  std::optional<Game> game = {};
  std::string version = {};  ///< as the file states it
  std::optional<std::uint32_t> pointer_size = {};
  std::vector<std::pair<std::string, std::size_t>> classes = {};  ///< in order of first object
  std::vector<SkeletonInfo> skeletons = {};
  std::vector<ClipInfo> clips = {};
  // What only some formats have.
  std::optional<int> actors = {};             ///< 2 if a clip is paired
  std::optional<std::size_t> meshes = {};     ///< glTF and OBJ
  std::optional<std::size_t> systems = {};    ///< NIF: physics systems, ragdolls and cloth
  std::optional<std::size_t> bodies = {};     ///< NIF
  std::optional<std::uint32_t> type = {};     ///< Anvil: `SkeletonType`, 8 for addons
  std::optional<std::uint64_t> id = {};       ///< Anvil
  std::optional<std::size_t> modifiers = {};  ///< Anvil
  std::optional<std::size_t> named = {};      ///< Anvil: bones whose name is known
};

struct InfoOptions {
  bool bones = false;  ///< adds a table of the bones of each skeleton
};

void describe(FieldList& fields, InfoOptions& options);
void describe(FieldList& fields, BoneInfo& bone);
void describe(FieldList& fields, SkeletonInfo& skeleton);
void describe(FieldList& fields, MotionBytes& bytes);
void describe(FieldList& fields, ClipInfo& clip);
void describe(FieldList& fields, InfoReport& report);

/// Sums up a document. Needs no part of a packfile or an Anvil skeleton; `Parts::Collision` of a NIF.
Result<InfoReport> info(const Document& document, const InfoOptions& options, Context& context);

}  // namespace marrow
