// SPDX-License-Identifier: MIT
#include "ops/clip/mirror.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "anvil/to_model.h"
#include "core/try.h"
#include "marrow/model/transform.h"
#include "motion/edit/mirror.h"
#include "ops/clip/bound.h"
#include "ops/clip/fit.h"
#include "ops/clip/on_skeleton.h"

namespace marrow {
namespace {

Result<motion::MirrorMap> mirror_map(const Document& holder, const Skeleton& skeleton) {
  if (!is_anvil(holder.format)) return motion::mirror_by_names(skeleton);
  MARROW_TRY(const Rig rig, anvil::to_model(*holder.anvil()));
  return motion::mirror_by_bones(rig.mirror, rig.mirroring_types);
}

// How close the frames of mirrored codes are to mirrored frames if the codes could be mirrored without rounding.
constexpr float kExactDegrees = 5e-5f;
constexpr float kExactPart = 1e-6f;

bool is_exact(const Vec3& a, const Vec3& b) {
  return glm::length(a - b) <= kExactPart * std::max(1.0f, glm::length(a));
}
bool is_exact(const Quat& a, const Quat& b) { return angle_degrees(a, b) <= kExactDegrees; }

// Gives a channel of a track the frames that its codes decode to, if those are the same but for the last bits.
template <class Channel>
void take_exact(const Clip& decoded, Clip& clip, std::size_t track, Channel Transform::* channel) {
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  for (std::size_t i = track; i < clip.transforms.size(); i += tracks)
    if (!is_exact(clip.transforms[i].*channel, decoded.transforms[i].*channel)) return;
  for (std::size_t i = track; i < clip.transforms.size(); i += tracks)
    clip.transforms[i].*channel = decoded.transforms[i].*channel;
}

// Mirrors frames, and their curves if there are any. Frames are exact, so that mirroring twice gives the clip; curves
// are rounded to codes. What the codes do not hold exactly, also what was edited in the frames alone, is encoded once,
// when the clip is saved.
Result<void> mirror_motion(DocumentClip& clip, const Clip& as_stored, const Skeleton& skeleton,
                           const motion::MirrorMap& map, Context& context) {
  const bool is_as_stored = clip.clip.track_to_bone == as_stored.track_to_bone &&
                            clip.clip.track_count == as_stored.track_count &&
                            clip.clip.transforms == as_stored.transforms;
  auto curves = clip.spline && is_as_stored
                    ? codec::read_spline_blob(clip.spline->view(), context.limits)
                    : Result<codec::SplineBlob>(fail(ErrorCode::NotFound, "the clip has frames only"));
  const Clip before = clip.clip;
  MARROW_TRY(clip.clip, motion::mirror_clip(before, skeleton, map, &context.notes));
  clip.spline.reset();
  if (!curves) return {};
  MARROW_TRY(const codec::SplineBlob mirrored, motion::mirror_spline(before, *curves, skeleton, map));
  MARROW_TRY(clip.spline, codec::stored(mirrored));
  DocumentClip decoded = clip;
  decoded.clip.transforms.clear();
  decoded.clip.floats.clear();
  MARROW_CHECK(decode_frames(decoded, context.limits));
  if (decoded.clip.transforms.size() != clip.clip.transforms.size()) return {};
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.clip.track_count); ++track) {
    take_exact(decoded.clip, clip.clip, track, &Transform::translation);
    take_exact(decoded.clip, clip.clip, track, &Transform::rotation);
    take_exact(decoded.clip, clip.clip, track, &Transform::scale);
  }
  return {};
}

void note_unsure(const std::vector<std::string>& bones, Context& context) {
  if (bones.empty()) return;
  constexpr std::size_t kMostNamed = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(bones.size(), kMostNamed); ++i) names += (i > 0 ? ", " : "") + bones[i];
  if (bones.size() > kMostNamed) names += " and " + std::to_string(bones.size() - kMostNamed) + " more";
  context.note("the counterpart of " + std::to_string(bones.size()) + (bones.size() == 1 ? " bone" : " bones") +
               " on the other side is not sure: " + names);
}

}  // namespace

DocumentClip clip_on_skeleton(const Document& document, std::size_t index, const Skeleton& target, bool is_named,
                              Context& context) {
  Document own{.name = document.name, .skeletons = document.skeletons, .clips = {document.clips[index]}};
  const std::size_t before = context.notes.size();
  DocumentClip& clip = own.clips[0];
  const std::string& made_for = clip.clip.skeleton_name;
  if (is_havok(document.format)) attach_skeleton(own, {&target}, context);
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
          .skeletons = {{.skeleton = skeleton}}};
}

void describe(FieldList& fields, MirrorOptions& options) {
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeleton that the clips are for; twice for the actors of paired clips",
                .placeholder = "FILE",
                .otherwise = "skeleton.hkx near them"});
  fields("game", options.game, {.help = "write for this game", .placeholder = "GAME", .otherwise = "the skeleton's"});
  describe_bound(fields, options.bound);
}

void describe(FieldList& fields, MirrorReport& report) {
  fields("pairs", report.pairs, {.help = "pairs of bones, left and right"});
  fields("centred", report.centred, {.help = "bones in the middle"});
  fields("unsure", report.unsure, {.help = "bones whose counterpart on the other side is a guess"});
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
    for (const std::int32_t bone : map.unsure)
      report.unsure.push_back(skeleton.bones[static_cast<std::size_t>(bone)].name);
    DocumentClip clip = clip_on_skeleton(document, i, skeleton, is_havok(holder.format) && !is_pair, context);
    MARROW_CHECK(mirror_motion(clip, document.clips[i].clip, skeleton, map, context));
    auto place = std::ranges::find(out.skeletons, skeleton, &DocumentSkeleton::skeleton);
    if (place == out.skeletons.end()) place = out.skeletons.insert(place, {.skeleton = std::move(skeleton)});
    clip.skeleton = static_cast<std::size_t>(place - out.skeletons.begin());
    out.clips.push_back(std::move(clip));
  }
  note_unsure(report.unsure, context);
  document = std::move(out);
  return report;
}

}  // namespace marrow
