// SPDX-License-Identifier: MIT
#include "marrow/ops/retarget.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/ops/fit.h"

namespace marrow {
namespace {

std::vector<RetargetedBone> named(const BoneMap& map, const Skeleton& from, const Skeleton& to) {
  std::vector<RetargetedBone> bones;
  for (const MappedBone& bone : map.bones)
    bones.push_back({from.bones[static_cast<std::size_t>(bone.from)].name,
                     to.bones[static_cast<std::size_t>(bone.to)].name, bone.reason});
  return bones;
}

}  // namespace

void describe(FieldList& fields, RetargetOptions& options) {
  fields.input("from", options.from,
               {.help = "the skeleton that the clips are for", .placeholder = "FILE", .required = true});
  fields.input("to", options.to,
               {.help = "the skeleton that they should move", .placeholder = "FILE", .required = true});
  fields.input("map", options.map,
               {.help = "which bone is which, one per line: NAME = NAME, or NAME = - to leave one out",
                .placeholder = "FILE"});
  fields("game", options.game,
         {.help = "write for this game", .placeholder = "GAME", .otherwise = "that of the target skeleton"});
}

void describe(FieldList& fields, RetargetedBone& bone) {
  fields("from", bone.from);
  fields("to", bone.to);
  fields("reason", bone.reason, {.help = "how it was found"});
}

void describe(FieldList& fields, RetargetReport& report) {
  fields("scale", report.fit.scale, {.help = "length of the target's legs, or of its body, relative to the source's"});
  fields("bones", report.bones);
  fields("target_bones", report.target_bones, {.help = "number of bones of the target"});
  fields("left_out", report.fit.left_out, {.help = "bones of the source that are mapped to nothing"});
  fields("at_rest", report.fit.at_rest, {.help = "bones of the target that stay at rest"});
  fields("lost_floats", report.fit.lost_floats, {.help = "float tracks whose slot the target does not have"});
  fields("reach_misses", report.fit.reach_misses, {.help = "feet out of reach, counted per frame"});
  fields("worst_reach_miss", report.fit.worst_reach_miss, {.unit = "units"});
  fields("map", report.map, {.help = "the map as text, to edit and use again"});
}

Result<RetargetReport> retarget(Document& document, const RetargetOptions& options, Context& context) {
  if (!options.from || !options.to)
    return fail(ErrorCode::BadOption, "is missing", kNoOffset, options.from ? "to" : "from");
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  MARROW_TRY(const DocumentSkeleton* from, main_skeleton(*options.from));
  MARROW_TRY(const DocumentSkeleton* to, main_skeleton(*options.to));
  BoneMap map = map_bones(from->skeleton, to->skeleton);
  if (!options.map.empty()) {
    auto read = read_bone_map(options.map, from->skeleton, to->skeleton, map);
    if (!read) {
      read.error().file = "map";
      return std::unexpected(std::move(read.error()));
    }
    map = std::move(*read);
  }
  if (document.packfile()) attach_skeleton(document, from->skeleton, context);

  Document out{.name = document.name,
               .format = is_gltf(document.format) ? document.format : Format::Hkx,
               .game = options.to->game,
               .metres_per_unit = options.to->metres_per_unit,
               .parts = Parts::Skeletons | Parts::Frames,
               .skeletons = {{.skeleton = to->skeleton}}};
  RetargetReport report{.bones = named(map, from->skeleton, to->skeleton), .target_bones = to->skeleton.bones.size()};
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    MARROW_CHECK(context.report(static_cast<double>(i) / static_cast<double>(document.clips.size())));
    DocumentClip& each = document.clips[i];
    // Clips of packfiles are fitted to every bone of the skeleton, like those of other programs.
    DocumentSkeleton source = each.skeleton ? document.skeletons[*each.skeleton] : *from;
    source.is_guessed |= document.packfile() != nullptr;
    const Clip clip = fit_to_skeleton(source, each.clip, from->skeleton, context.notes);
    MARROW_TRY(RetargetedClip retargeted, retarget_clip(clip, from->skeleton, to->skeleton, map));
    report.fit = std::move(retargeted.fit);
    out.clips.push_back({.name = std::move(each.name), .clip = std::move(retargeted.clip), .skeleton = 0});
  }
  report.map = write_bone_map(map, from->skeleton, to->skeleton);
  document = std::move(out);
  return report;
}

}  // namespace marrow
