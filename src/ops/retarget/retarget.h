// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"
#include "marrow/ops/document/load.h"
#include "ops/retarget/bone_map.h"
#include "ops/table/describe.h"

namespace marrow {

/// What was done to bring a clip to another body.
struct BodyFit {
  float scale = 1.0f;  ///< length of the target's legs, or of its body, in the source's
  /// The angle between the direction from a bone to its child in source and result, both in the frame of the hips, in
  /// degrees, over all frames and all mapped bones that point at another.
  float mean_direction_error = 0.0f, worst_direction_error = 0.0f;
  std::string worst_direction_bone = {};  ///< of the target
  /// How far a foot is from where the source has it, scaled, in percent of the leg, over all frames.
  float mean_contact_error = 0.0f, worst_contact_error = 0.0f;
  float raised = 0.0f;  ///< how far the source was raised at rest to stand on the ground of its clip, in its units
  std::size_t limb_bones = 0, mapped_limb_bones = 0;  ///< thighs, calves, feet, arms and hands of the target
  /// The bodies are built differently, one upright and one on four legs: bones turn from their own rest as the source's
  /// do from theirs, and directions are measured so.
  bool is_relative = false;
  std::vector<std::string> left_out = {};     ///< bones of the source with a track that nothing takes over
  std::vector<std::string> at_rest = {};      ///< bones of the target that nothing moves
  std::vector<std::string> lost_floats = {};  ///< float tracks whose slot the target does not have
};

struct RetargetedClip {
  Clip clip;
  BodyFit fit;
};

/// Plays a clip on another skeleton. Bones of the target turn so that they point where those of the source point,
/// whatever the two rest poses are. Hips and feet go where the source has them, scaled by the ratio of the legs, and
/// legs are bent to reach them, with knees in the plane of the source's; so a foot that stands still stands still.
/// Hands near each other keep their distance, and arms are bent likewise. Free bones and root motion move by the
/// source's way, scaled. An additive clip is played on the rest pose. A source whose rest pose lies around the origin
/// while its clip stands on the ground is raised at rest.
///
/// Both skeletons are Z up, each in its own units. Events, float tracks (by the name of their slot) and the blend hint
/// are carried over. Toes that would be under the floor are lifted. Twist bones take their share of the roll of their
/// limb, skirts follow the thighs. Fails if the map names a bone that is not there or nothing is mapped.
Result<RetargetedClip> retarget_clip(const Clip& clip, const Skeleton& from, const Skeleton& to, const BoneMap& map);

/// What becomes of the way that the hips go.
enum class HipsWay : std::uint8_t {
  Auto,     ///< FBX and BVH start over their root, and go by root motion if they go anywhere; else as it is
  Extract,  ///< root motion
  Keep,     ///< stays in the hips
};
template <>
struct ChoiceWords<HipsWay> {
  static constexpr std::array<std::string_view, 3> words = {"auto", "extract", "keep"};
};

struct RetargetOptions {
  const Document* from = nullptr;  ///< the skeleton that the clips are for
  const Document* to = nullptr;    ///< the skeleton that they shall move
  /// Those of the second actor of paired clips; by default the first's.
  const Document* second_from = nullptr;
  const Document* second_to = nullptr;
  std::string_view map = {};      ///< text of a map file, laid over what is found by itself; of the first actor
  std::optional<Game> game = {};  ///< by default the game of the target skeleton
  std::string clip = {};          ///< of several in the document, the one to take: its name, else its number
  HipsWay root_motion = HipsWay::Auto;
  EncodingBound bound = {};  ///< of the motion that is encoded
};

/// One pair of the map that was used.
struct RetargetedBone {
  std::string from = {}, to = {};
  MapReason reason = MapReason::Name;
};

struct RetargetReport {
  BodyFit fit = {};
  std::vector<RetargetedBone> bones = {};
  std::size_t target_bones = 0;
  std::string source_rig = {}, target_rig = {};  ///< whose names the bones have, `CMU`; empty if they are not known
  std::optional<Vec3> moved = {};                ///< the way that became root motion, in units
  std::string map = {};                          ///< the map as text, to be edited and given again
};

template <>
struct ChoiceWords<MapReason> {
  static constexpr std::array<std::string_view, 4> words = {"name", "known", "guessed", "given"};
};

void describe(FieldList& fields, RetargetOptions& options);
void describe(FieldList& fields, RetargetedBone& bone);
void describe(FieldList& fields, RetargetReport& report);

/// Retargets every clip of a document, which becomes one of the target skeleton with its clips. Needs `Parts::Frames`.
Result<RetargetReport> retarget(Document& document, const RetargetOptions& options, Context& context);

}  // namespace marrow
