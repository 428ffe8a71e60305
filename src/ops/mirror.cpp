// SPDX-License-Identifier: MIT
#include "marrow/ops/mirror.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/anvil/to_model.h"
#include "marrow/motion/mirror.h"
#include "marrow/ops/fit.h"
#include "ops/clip_on_skeleton.h"

namespace marrow {
namespace {

Result<motion::MirrorMap> mirror_map(const Document& holder, const Skeleton& skeleton) {
  if (!is_anvil(holder.format)) return motion::mirror_by_names(skeleton);
  MARROW_TRY(const Rig rig, anvil::to_model(*holder.anvil()));
  return motion::mirror_by_bones(rig.mirror, rig.mirroring_types);
}

}  // namespace

DocumentClip clip_on_skeleton(const Document& document, std::size_t index, const Skeleton& target, bool is_named,
                              Context& context) {
  Document own{.name = document.name, .skeletons = document.skeletons, .clips = {document.clips[index]}};
  const std::size_t before = context.notes.size();
  DocumentClip& clip = own.clips[0];
  const std::string& made_for = clip.clip.skeleton_name;
  if (document.packfile()) attach_skeleton(own, {&target}, context);
  if (is_named && !made_for.empty() && !target.name.empty() && made_for != target.name)
    context.note("the clip is for a skeleton '" + made_for + "', but this one is '" + target.name +
                 "'; check that it is the right one");
  if (clip.skeleton) clip.clip = fit_to_skeleton(own.skeletons[*clip.skeleton], clip.clip, target, context.notes);
  for (std::size_t i = before; i < context.notes.size(); ++i) context.notes[i].file = document.name;
  clip.skeleton = 0;
  clip.source = {};
  clip.kept_file.clear();
  return std::move(clip);
}

Document document_of(const Skeleton& skeleton, const Document& origin) {
  return {.name = origin.name,
          .format = origin.format,
          .game = origin.game,
          .metres_per_unit = origin.metres_per_unit,
          .parts = Parts::Skeletons | Parts::Frames,
          .skeletons = {{.skeleton = skeleton}}};
}

void describe(FieldList& fields, MirrorOptions& options) {
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeleton that the clips are for; twice for the actors of paired clips",
                .placeholder = "FILE",
                .otherwise = "skeleton.hkx near them"});
  fields("game", options.game, {.help = "write for this game", .placeholder = "GAME", .otherwise = "the skeleton's"});
}

void describe(FieldList& fields, MirrorReport& report) {
  fields("pairs", report.pairs, {.help = "pairs of bones, left and right"});
  fields("centred", report.centred, {.help = "bones in the middle"});
}

Result<MirrorReport> mirror(Document& document, const MirrorOptions& options, Context& context) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  MARROW_TRY(const Document* found, skeleton_document(document, options.skeleton, context));
  const Document own = found == &document ? document : Document{};
  const Document& holder = found == &document ? own : *found;
  MARROW_TRY(const DocumentSkeleton* target, main_skeleton(holder));
  Actors actors{.first = &target->skeleton};
  if (options.second_skeleton) {
    MARROW_TRY(const DocumentSkeleton* second, main_skeleton(*options.second_skeleton));
    actors.second = &second->skeleton;
  }
  if (auto valid = validate(target->skeleton); !valid) return in_file(std::move(valid.error()), holder.name);
  MirrorReport report;
  Document out = document_of(target->skeleton, holder);
  out.skeletons.clear();
  out.name = document.name;
  out.format = is_gltf(document.format) ? document.format : Format::Hkx;
  if (!out.game) out.game = document.game;
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    // Both actors of a paired clip are mirrored in the plane of their common root.
    Skeleton skeleton = skeleton_for(document.clips[i].clip, actors);
    const bool is_pair = is_paired(skeleton) && !is_paired(target->skeleton);
    MARROW_CHECK(validate(skeleton));
    MARROW_TRY(const motion::MirrorMap map,
               is_pair ? Result<motion::MirrorMap>(motion::mirror_by_names(skeleton)) : mirror_map(holder, skeleton));
    report = {};
    for (std::size_t bone = 0; bone < map.partner.size(); ++bone) {
      report.pairs += map.partner[bone] > static_cast<std::int32_t>(bone);
      report.centred += map.partner[bone] == static_cast<std::int32_t>(bone);
    }
    DocumentClip clip = clip_on_skeleton(document, i, skeleton, holder.packfile() != nullptr && !is_pair, context);
    MARROW_TRY(clip.clip, motion::mirror_clip(clip.clip, skeleton, map, &context.notes));
    auto place = std::ranges::find(out.skeletons, skeleton, &DocumentSkeleton::skeleton);
    if (place == out.skeletons.end()) place = out.skeletons.insert(place, {.skeleton = std::move(skeleton)});
    clip.skeleton = static_cast<std::size_t>(place - out.skeletons.begin());
    out.clips.push_back(std::move(clip));
  }
  document = std::move(out);
  return report;
}

}  // namespace marrow
