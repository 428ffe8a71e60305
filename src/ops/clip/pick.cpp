// SPDX-License-Identifier: MIT
#include "ops/clip/pick.h"

#include <algorithm>

#include "core/try.h"
#include "ops/clip/edit_support.h"
#include "ops/pair/paired.h"

namespace marrow {
namespace {

bool is_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) { return is_bone_name(pattern, name); });
}

/// The tracks of the result.
struct Choice {
  std::vector<std::int32_t> tracks;  ///< -1 for a bone that rests
  std::vector<Transform> fill;
  std::vector<std::int16_t> bones;
  std::vector<std::string> names;
};

Choice by_pattern(const Clip& clip, const std::vector<std::string>& names, const PickTracksOptions& options) {
  Choice choice;
  for (std::size_t t = 0; t < names.size(); ++t) {
    const bool is_kept = options.keep.empty() ? !is_any(options.drop, names[t])
                                              : is_any(options.keep, names[t]) && !is_any(options.drop, names[t]);
    if (!is_kept) continue;
    choice.tracks.push_back(static_cast<std::int32_t>(t));
    choice.fill.emplace_back();
    choice.bones.push_back(static_cast<std::int16_t>(bone_of_track(clip, t)));
    choice.names.push_back(names[t]);
  }
  return choice;
}

Choice like_skeleton(const Clip& clip, const std::vector<std::string>& names, const Skeleton& skeleton) {
  Choice choice;
  for (const Bone& bone : skeleton.bones) {
    const auto found = std::ranges::find(names, bone.name);
    choice.tracks.push_back(found == names.end() ? -1 : static_cast<std::int32_t>(found - names.begin()));
    // An additive clip that does nothing is identity.
    choice.fill.push_back(clip.blend_hint == BlendHint::Normal ? bone.rest : Transform{});
    choice.names.push_back(bone.name);
  }
  return choice;
}

Result<PickedTracks> pick(const Document& document, DocumentClip& clip, const PickTracksOptions& options,
                          Context& context) {
  MARROW_TRY(const std::vector<std::string> names, names_of(document, clip, options.skeleton, context));
  PickedTracks report{.name = clip.name, .tracks_before = clip.clip.track_count};
  const DocumentSkeleton* like = nullptr;
  if (options.like) {
    MARROW_TRY(like, main_skeleton(*options.like));
  }
  const Choice choice = like ? like_skeleton(clip.clip, names, like->skeleton) : by_pattern(clip.clip, names, options);
  if (std::ranges::all_of(choice.tracks, [](std::int32_t track) { return track < 0; }))
    return fail(ErrorCode::BadOption, "no track of the clip would be left", kNoOffset,
                like                   ? "like"
                : options.keep.empty() ? "drop"
                                       : "keep");
  for (std::size_t i = 0; i < choice.tracks.size(); ++i)
    if (choice.tracks[i] < 0) report.filled.push_back(choice.names[i]);
  for (const std::string& name : names)
    if (std::ranges::find(choice.names, name) == choice.names.end()) report.dropped.push_back(name);
  MARROW_CHECK(select_tracks(clip, choice.tracks, choice.fill, context.limits));
  clip.clip.track_to_bone = choice.bones;  // one per bone of a skeleton needs no list
  if (like) {
    clip.clip.skeleton_name = like->skeleton.name;
    clip.clip.partitions.clear();
    for (std::size_t i = 0; i < choice.names.size(); ++i) {
      std::string& name = clip.clip.annotation_tracks[i].name;
      if (name.empty() && std::ranges::any_of(clip.clip.annotation_tracks,
                                              [](const AnnotationTrack& track) { return !track.name.empty(); }))
        name = choice.names[i];
    }
  }
  report.tracks = clip.clip.track_count;
  return report;
}

}  // namespace

void describe(FieldList& fields, PickTracksOptions& options) {
  fields("keep", options.keep,
         {.help = "keep the tracks of bones that match; may be repeated", .placeholder = "PATTERN"});
  fields("drop", options.drop,
         {.help = "drop the tracks of bones that match; may be repeated", .placeholder = "PATTERN"});
  fields.input("like", options.like,
               {.help = "make a track for every bone of this skeleton, in its order; bones without a track rest",
                .placeholder = "SKELETON",
                .parts = Parts::Skeletons});
  fields.input("skeleton", options.skeleton, kClipSkeleton);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, PickedTracks& clip) {
  fields("name", clip.name);
  fields("tracks_before", clip.tracks_before);
  fields("tracks", clip.tracks);
  fields("dropped", clip.dropped, {.help = "bones that have no track any more"});
  fields("filled", clip.filled, {.help = "bones that rest, since the clip does not move them"});
}

void describe(FieldList& fields, PickTracksReport& report) { fields("clips", report.clips); }

Result<PickTracksReport> pick_tracks(Document& document, const PickTracksOptions& options, Context& context) {
  if (options.like ? !options.keep.empty() || !options.drop.empty() : options.keep.empty() && options.drop.empty())
    return fail(ErrorCode::BadOption, "give patterns to keep or drop, or a skeleton", kNoOffset, "keep");
  PickTracksReport report;
  const Document* holder = &document;
  MARROW_CHECK(for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip&) -> Result<void> {
    MARROW_TRY(PickedTracks picked, pick(*holder, clip, options, context));
    report.clips.push_back(std::move(picked));
    return {};
  }));
  return report;
}

}  // namespace marrow
