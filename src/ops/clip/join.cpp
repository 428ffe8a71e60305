// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "marrow/core/text.h"
#include "motion/edit/blend.h"
#include "motion/edit/splice_clip.h"
#include "ops/clip/cut.h"
#include "ops/clip/edit_support.h"

namespace marrow {
namespace {

// The frames of a fade, within both clips.
Result<std::int32_t> fade_frames(const Clip& a, const Clip& b, double seconds, std::string_view option) {
  const std::int32_t frames = std::max(1, frame_at(a, seconds));
  const std::int32_t most = std::min(a.frame_count, b.frame_count) - 1;
  if (frames <= most) return frames;
  return fail(ErrorCode::BadOption,
              "is longer than one of the clips; the longest possible is " +
                  float_text(static_cast<float>(most * motion::frame_seconds_of(a))) + " s",
              kNoOffset, std::string(option));
}

// Bones that only one of two clips moves rest in the other: that needs a skeleton, which may lie near the clips.
const Skeleton* skeleton_for_rest(const Document& document, const Clip& a, const Clip& b, const JoinOptions& options,
                                  Context& context) {
  if (options.skeleton || a.track_count <= b.track_count || a.skeleton_name != b.skeleton_name) return options.skeleton;
  const auto near = skeleton_for_clips(document, nullptr, context);
  return near ? *near : nullptr;
}

Result<void> append(const Document& document, DocumentClip& clip, const DocumentClip& given, const JoinOptions& options,
                    EditedClip& report, Context& context) {
  const DocumentClip a = clip;
  const Skeleton* skeleton = skeleton_for_rest(document, a.clip, given.clip, options, context);
  MARROW_TRY(const MatchedClip found, matched(a, given, skeleton, options.edit, context));
  const DocumentClip& b = found.clip;
  const std::int32_t last_a = a.clip.frame_count - 1, last_b = b.clip.frame_count - 1;
  if (last_a < 1 || last_b < 1) return fail(ErrorCode::WrongKind, "a clip of one frame cannot be joined");
  std::vector<MotionPart> parts;
  DocumentClip between;
  FrameRange changed{last_a - 1, last_a + 1};
  if (options.crossfade || options.inertial) {
    const bool is_fade = options.crossfade.has_value();
    MARROW_TRY(const std::int32_t frames, fade_frames(a.clip, b.clip, is_fade ? *options.crossfade : *options.inertial,
                                                      is_fade ? "crossfade" : "inertial"));
    MARROW_TRY(between, made_between(a, b, frames, is_fade ? &motion::crossfade : &motion::inertial_start, options.edit,
                                     report, context));
    const std::int32_t start = is_fade ? last_a - frames : last_a;
    if (start > 0) parts.push_back({&a, 0, start});
    parts.push_back({&between, 0, frames});
    if (last_b > frames) parts.push_back({&b, frames, last_b});
    changed = {start - 1, start + frames + 1};
  } else {
    parts = {{&a, 0, last_a}, {&b, 0, last_b}};
  }
  MARROW_CHECK(replace_by_parts(clip, parts, motion::frame_seconds_of(a.clip), options.edit, report, context));
  const std::vector<const DocumentClip*> sources = {&a, &b};
  const auto seam = seam_of(clip, changed, sources, skeleton, context);
  if (seam && (!report.seam || seam->factor > report.seam->factor)) report.seam = seam;
  return {};
}

}  // namespace

void describe(FieldList& fields, JoinOptions& options) {
  fields.input("next", options.next,
               {.help = "the clips that follow, in order",
                .placeholder = "B",
                .required = true,
                .positional = true,
                .parts = Parts::Skeletons | Parts::Clips});
  fields("crossfade", options.crossfade,
         {.help = "let one clip become the next over this time; the result is shorter by it",
          .unit = "seconds",
          .placeholder = "S",
          .min = 0,
          .above_min = true});
  fields("inertial", options.inertial,
         {.help = "or let the difference at the seam die out over this time, in the next clip",
          .unit = "seconds",
          .placeholder = "S",
          .min = 0,
          .above_min = true});
  fields.input("skeleton", options.skeleton,
               {.help = "the skeleton of the clips, if their tracks differ", .placeholder = "FILE"});
  describe_edit(fields, options.edit);
}

Result<ClipEditReport> join_clips(Document& document, const JoinOptions& options, Context& context) {
  if (options.crossfade && options.inertial)
    return fail(ErrorCode::BadOption, "cannot be combined with a crossfade", kNoOffset, "inertial");
  const Document* holder = &document;
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    for (const Document* next : options.next) {
      MARROW_TRY(const DocumentClip* other, first_clip(*next));
      if (auto done = append(*holder, clip, *other, options, report, context); !done) {
        if (done.error().code == ErrorCode::BadOption) return done;
        return in_file(std::move(done.error()), next->name);
      }
    }
    return {};
  });
}

}  // namespace marrow
