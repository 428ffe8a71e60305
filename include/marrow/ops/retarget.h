// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/marrow.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"
#include "marrow/ops/bone_map.h"
#include "marrow/ops/describe.h"

namespace marrow {

/// What was done to bring a clip to another body.
struct BodyFit {
  float scale = 1.0f;  ///< length of the target's legs, or of its body, in the source's
  /// Feet near the ground go the way of the source's, scaled. How far a leg fell short of that, and how often.
  float worst_reach_miss = 0.0f;               ///< in the target's units
  std::int32_t reach_misses = 0;               ///< foot contacts per frame
  std::vector<std::string> left_out = {};      ///< bones of the source with a track that nothing takes over
  std::vector<std::string> at_rest = {};       ///< bones of the target that nothing moves
  std::vector<std::string> lost_floats = {};   ///< float tracks whose slot the target does not have
};

struct RetargetedClip {
  Clip clip;
  BodyFit fit;
};

/// Plays a clip on another skeleton. Bones of the target turn so that limbs point where those of the source point,
/// whatever the two rest poses are; free bones move by the source's way times the ratio of the legs; root motion is
/// scaled alike; feet are put back by bending the legs, so that one that stands still stands still.
///
/// Both skeletons are Z up, each in its own units. Events, float tracks (by the name of their slot) and the blend hint
/// are carried over. Fails if the map names a bone that is not there or nothing is mapped.
Result<RetargetedClip> retarget_clip(const Clip& clip, const Skeleton& from, const Skeleton& to, const BoneMap& map);

struct RetargetOptions {
  const Document* from = nullptr;  ///< the skeleton that the clips are for
  const Document* to = nullptr;    ///< the skeleton that they shall move
  std::string_view map = {};       ///< text of a map file, laid over what is found by itself
  std::optional<Game> game = {};   ///< by default the game of the target skeleton
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
  std::string map = {};  ///< the map as text, to be edited and given again
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
