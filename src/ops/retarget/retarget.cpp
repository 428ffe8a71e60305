// SPDX-License-Identifier: MIT
#include "ops/retarget/retarget.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "model/conform.h"
#include "ops/clip/bound.h"
#include "ops/clip/choose_clip.h"
#include "ops/clip/fit.h"
#include "ops/clip/root_motion.h"
#include "ops/retarget/body_parts.h"
#include "ops/retarget/ground.h"
#include "ops/retarget/pair.h"
#include "ops/retarget/upright.h"

namespace marrow {
namespace {

std::vector<RetargetedBone> named(const BoneMap& map, const Skeleton& from, const Skeleton& to) {
  std::vector<RetargetedBone> bones;
  for (const MappedBone& bone : map.bones)
    bones.push_back({from.bones[static_cast<std::size_t>(bone.from)].name,
                     to.bones[static_cast<std::size_t>(bone.to)].name, bone.reason});
  return bones;
}

Result<Actors> actors_of(const Document& first, const Document* second) {
  MARROW_TRY(const DocumentSkeleton* found, main_skeleton(first));
  Actors actors{.first = &found->skeleton};
  if (second) {
    MARROW_TRY(const DocumentSkeleton* other, main_skeleton(*second));
    actors.second = &other->skeleton;
  }
  return actors;
}

// Finds which bone is which, with the lines of a map file on top, and reports every guess.
Result<BoneMap> map_of(const Skeleton& from, const Skeleton& to, std::string_view text, Context& context) {
  BoneMap map = map_bones(from, to);
  if (!text.empty()) {
    auto read = read_bone_map(text, from, to, map);
    if (!read) {
      read.error().file = "map";
      return std::unexpected(std::move(read.error()));
    }
    map = std::move(*read);
  }
  for (const MappedBone& bone : map.bones)
    if (bone.reason == MapReason::Guessed)
      context.note("is guessed by its place to be \"" + to.bones[static_cast<std::size_t>(bone.to)].name +
                       "\"; say otherwise in a map",
                   "bone \"" + from.bones[static_cast<std::size_t>(bone.from)].name + "\"");
  return map;
}

void note_standing(const Standing& standing, Context& context) {
  if (standing.turn != make_quat(0, 0, 0, 1)) context.note("the source does not stand along Z; it is turned upright");
  if (standing.is_mirrored)
    context.note("the axes of the source are left-handed: its toes point behind it. It is mirrored");
}

std::string rig_title(const Skeleton& skeleton) {
  const auto naming = find_parts(skeleton).naming;
  return naming ? std::string(naming_title(*naming)) : std::string();
}

/// Of the limb bones of the target, mapped: below the first share the result is doubtful, below the second it is not a
/// result.
constexpr double kEnoughLimbs = 0.75, kTooFewLimbs = 0.35;

Result<void> judge_limbs(const BodyFit& fit, bool has_map, Context& context) {
  if (fit.limb_bones == 0) return {};
  const double share = static_cast<double>(fit.mapped_limb_bones) / static_cast<double>(fit.limb_bones);
  if (share >= kEnoughLimbs) return {};
  const std::string what = "only " + std::to_string(fit.mapped_limb_bones) + " of the " +
                           std::to_string(fit.limb_bones) + " limb bones are mapped (" +
                           std::to_string(std::lround(100.0 * share)) + " %); ";
  if (share < kTooFewLimbs && !has_map)
    return fail(ErrorCode::InvalidArgument,
                what + "fewer than 35 % are refused. Give a map that says which bone is which");
  context.note(what + "the others stay at rest. Below 75 % look at the result, and say in a map which bone is which");
  return {};
}

void note_ground(const BodyFit& fit, Context& context) {
  if (fit.raised != 0.0f)
    context.note("the rest pose of the source does not stand on the ground of its motion; it is taken to stand there");
}

// A capture is taken anywhere in a room. In the game a body begins over its root, and faces ahead.
void begin_over_root(Clip& clip, const Skeleton& skeleton, std::size_t hips, Context& context) {
  if (clip.blend_hint != BlendHint::Normal) return;
  constexpr std::array<const char*, 4> kFaced = {"", "right", "backwards", "left"};
  const int quarters = start_over_root(clip, skeleton, hips);
  if (quarters == 0) return;
  context.note(std::string("the body faces ") + kFaced[static_cast<std::size_t>(quarters)] +
               " in its first frame; it is turned to face ahead");
}

// Moves the way of the hips into root motion. A body that goes nowhere has none unless it is asked for.
Result<void> extract_way(Document& document, bool is_asked_for, bool is_capture, RetargetReport& report,
                         Context& context) {
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    if (!document.clips[i].skeleton) continue;
    const Skeleton skeleton = document.skeletons[*document.clips[i].skeleton].skeleton;
    const BodyParts parts = find_parts(skeleton);
    const auto found = std::ranges::find(parts.parts, part_named("hips"));
    if (found == parts.parts.end()) {
      if (is_asked_for) return fail(ErrorCode::NotFound, "no bone of the target is known to be its hips");
      continue;
    }
    const auto hips = static_cast<std::size_t>(found - parts.parts.begin());
    const std::string& bone = skeleton.bones[hips].name;
    if (is_capture) begin_over_root(document.clips[i].clip, skeleton, hips, context);
    Document one{.name = document.name, .format = document.format, .game = document.game};
    one.skeletons.push_back({.skeleton = skeleton});
    one.clips.push_back(document.clips[i]);
    one.clips.front().skeleton = 0;
    const RootMotionExtractOptions extract{.bone = bone, .no_turn = true, .skeleton = &skeleton};
    MARROW_TRY(const RootMotionReport done, extract_root_motion(one, extract, context));
    const float height = skeleton_size(skeleton);
    constexpr float kSomewhere = 0.1f;  // of the size of the body
    if (!is_asked_for && glm::length(done.moved) < kSomewhere * height) continue;
    report.moved = done.moved;
    document.clips[i].clip = std::move(one.clips.front().clip);
  }
  return {};
}

}  // namespace

void describe(FieldList& fields, RetargetOptions& options) {
  fields.input("from", options.from, options.second_from,
               {.help = "the skeleton that the clips are for; twice for the actors of paired clips",
                .placeholder = "FILE",
                .required = true});
  fields.input("to", options.to, options.second_to,
               {.help = "the skeleton that they should move; twice for the actors of paired clips",
                .placeholder = "FILE",
                .required = true});
  fields.input(
      "map", options.map,
      {.help = "which bone is which, one per line: NAME = NAME, or NAME = - to leave one out", .placeholder = "FILE"});
  fields("game", options.game,
         {.help = "write for this game", .placeholder = "GAME", .otherwise = "that of the target skeleton"});
  fields("clip", options.clip,
         {.help = "the clip to take, if a file has several: its name, else its number, counted from 0",
          .placeholder = "CLIP",
          .otherwise = "all; of FBX the first"});
  fields(
      "root_motion", options.root_motion,
      {.help = "what the path of the hips becomes: root motion, or motion of the hips; auto extracts it from FBX and "
               "BVH, whose body then starts over its root and faces ahead",
       .placeholder = "HOW"});
  describe_bound(fields, options.bound);
}

void describe(FieldList& fields, RetargetedBone& bone) {
  fields("from", bone.from);
  fields("to", bone.to);
  fields("reason", bone.reason, {.help = "how it was found"});
}

void describe(FieldList& fields, RetargetReport& report) {
  fields("scale", report.fit.scale, {.help = "length of the target's legs, or of its body, relative to the source's"});
  fields("bones", report.bones);
  fields("source_rig", report.source_rig, {.help = "whose names the source has; empty if they are of no known rig"});
  fields("target_rig", report.target_rig, {.help = "whose names the target has"});
  fields("target_bones", report.target_bones, {.help = "number of bones of the target"});
  fields("limb_bones", report.fit.limb_bones, {.help = "thighs, calves, feet, arms and hands of the target"});
  fields("mapped_limb_bones", report.fit.mapped_limb_bones, {.help = "those that a bone of the source moves"});
  fields("relative", report.fit.is_relative,
         {.help = "true if one body is upright and the other is not: bones turn from their own rest"});
  fields("left_out", report.fit.left_out, {.help = "bones of the source that are mapped to nothing"});
  fields("at_rest", report.fit.at_rest, {.help = "bones of the target that stay at rest"});
  fields("lost_floats", report.fit.lost_floats, {.help = "float tracks whose slot the target does not have"});
  fields("mean_direction_error", report.fit.mean_direction_error,
         {.help = "angle between the directions from bones to their children in source and result", .unit = "degrees"});
  fields("worst_direction_error", report.fit.worst_direction_error, {.unit = "degrees"});
  fields("worst_direction_bone", report.fit.worst_direction_bone, {.help = "the bone of the target that has it"});
  fields("mean_contact_error", report.fit.mean_contact_error,
         {.help = "how far feet are from where the source has them, scaled", .unit = "percent of the leg"});
  fields("worst_contact_error", report.fit.worst_contact_error, {.unit = "percent of the leg"});
  fields("moved", report.moved, {.help = "the path that became root motion", .unit = "units", .sparse = true});
  fields("map", report.map, {.help = "the map as text, to edit and use again"});
}

Result<RetargetReport> retarget(Document& document, const RetargetOptions& options, Context& context) {
  if (!options.from || !options.to)
    return fail(ErrorCode::BadOption, "is missing", kNoOffset, options.from ? "to" : "from");
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  MARROW_CHECK(choose_clip(document, options.clip, context));
  const bool is_capture = document.motion_source() != nullptr;
  const bool extracts = options.root_motion == HipsWay::Extract || (options.root_motion == HipsWay::Auto && is_capture);
  MARROW_TRY(const Actors from, actors_of(*options.from, options.second_from));
  MARROW_TRY(const Actors to, actors_of(*options.to, options.second_to));
  Skeleton upright = *from.first;
  const Standing standing = find_standing(upright);
  stand_up(standing, upright);
  note_standing(standing, context);
  MARROW_TRY(const BoneMap map, map_of(upright, *to.first, options.map, context));
  std::optional<BoneMap> second_map;
  if (is_havok(document.format)) attach_skeleton(document, from, context);

  Document out{.name = document.name,
               .format = is_gltf(document.format) ? document.format : Format::Hkx,
               .game = options.to->game,
               .metres_per_unit = options.to->metres_per_unit};
  RetargetReport report{.bones = named(map, *from.first, *to.first), .target_bones = to.first->bones.size()};
  report.source_rig = rig_title(*from.first);
  report.target_rig = rig_title(*to.first);
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    MARROW_CHECK(context.report(static_cast<double>(i) / static_cast<double>(document.clips.size())));
    DocumentClip& each = document.clips[i];
    const DocumentSkeleton source = each.skeleton ? document.skeletons[*each.skeleton] : DocumentSkeleton{*from.first};
    DocumentClip done{.name = std::move(each.name), .clip = {}};
    Skeleton skeleton = *to.first;
    if (is_paired(source.skeleton) && !is_paired(*from.first)) {
      if (!second_map) {
        MARROW_TRY(second_map, map_of(from.other(), to.other(), from.second || to.second ? "" : options.map, context));
      }
      MARROW_TRY(RetargetedPair pair, retarget_pair(each.clip, source.skeleton, {from, to, map, *second_map}));
      done.clip = std::move(pair.clip);
      report.fit = std::move(pair.fit);
      skeleton = std::move(pair.skeleton);
    } else {
      Clip clip = fit_to_skeleton(source, each.clip, *from.first, context.notes);
      stand_up(standing, upright, clip);
      MARROW_TRY(RetargetedClip retargeted, retarget_clip(clip, upright, *to.first, map));
      done.clip = std::move(retargeted.clip);
      report.fit = std::move(retargeted.fit);
      if (i == 0) note_ground(report.fit, context);
    }
    auto place = std::ranges::find(out.skeletons, skeleton, &DocumentSkeleton::skeleton);
    if (place == out.skeletons.end()) place = out.skeletons.insert(place, {.skeleton = std::move(skeleton)});
    done.skeleton = static_cast<std::size_t>(place - out.skeletons.begin());
    out.clips.push_back(std::move(done));
  }
  MARROW_CHECK(judge_limbs(report.fit, !options.map.empty(), context));
  report.map = write_bone_map(map, *from.first, *to.first);
  document = std::move(out);
  if (extracts)
    MARROW_CHECK(extract_way(document, options.root_motion == HipsWay::Extract, is_capture, report, context));
  return report;
}

}  // namespace marrow
