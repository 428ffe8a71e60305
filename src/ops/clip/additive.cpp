// SPDX-License-Identifier: MIT
#include "motion/edit/additive.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/clip/edit_support.h"
#include "ops/clip/mix.h"
#include "ops/clip/tracks.h"

namespace marrow {
namespace {

// A frame number or `rest` stands for itself; anything else is a file.
std::string_view reference_word(std::string_view name) {
  if (name.empty()) return "rest";
  return name == "rest" || parse_int(name) ? name : std::string_view();
}

BlendHint hint_for(AdditiveForm form, const Document& document) {
  if (form == AdditiveForm::Before) return BlendHint::AdditiveDeprecated;
  if (form == AdditiveForm::After) return BlendHint::Additive;
  return document.game == Game::Fallout4 ? BlendHint::Additive : BlendHint::AdditiveDeprecated;
}

/// What a difference is taken to, track by track.
struct Reference {
  std::vector<Transform> pose;
  std::vector<float> floats;
};

Result<Reference> rest_pose(const Document& document, const DocumentClip& clip, const Skeleton* given,
                            Context& context) {
  MARROW_TRY(const Skeleton skeleton, skeleton_of(document, clip, given, context));
  Reference rest;
  for (std::size_t t = 0; t < count_of(clip.clip.track_count); ++t) {
    const std::int32_t bone = bone_of_track(clip.clip, t);
    rest.pose.push_back(bone >= 0 && count_of(bone) < skeleton.bones.size() ? skeleton.bones[count_of(bone)].rest
                                                                            : Transform{});
  }
  for (std::size_t t = 0; t < count_of(clip.clip.float_track_count); ++t) {
    const std::int16_t slot = slot_of_track(clip.clip, t);
    rest.floats.push_back(slot >= 0 && count_of(slot) < skeleton.float_slots.size()
                              ? skeleton.float_slots[count_of(slot)].reference
                              : 0.0f);
  }
  return rest;
}

Result<Reference> reference_pose(const Document& document, const DocumentClip& clip, const Clip& frames,
                                 const AdditiveOptions& options, Context& context) {
  const auto pose_of = [](const Clip& each, std::int32_t frame) {
    const auto pose = each.frame(frame);
    const std::size_t count = count_of(each.float_track_count);
    const auto floats = std::span(each.floats).subspan(count_of(frame) * count, count);
    return Reference{{pose.begin(), pose.end()}, {floats.begin(), floats.end()}};
  };
  if (options.reference == "rest") return rest_pose(document, clip, options.skeleton, context);
  if (options.reference.size() < 16)
    if (const auto frame = parse_int(options.reference)) {
      if (*frame < 0 || *frame >= frames.frame_count)
        return fail(ErrorCode::BadOption,
                    "the clip has no such frame; its last is " + std::to_string(frames.frame_count - 1), kNoOffset,
                    "reference");
      return pose_of(frames, static_cast<std::int32_t>(*frame));
    }
  MARROW_TRY(const Document file, load(as_bytes(options.reference),
                                       {.name = "reference", .parts = Parts::Skeletons | Parts::Clips}, context));
  MARROW_TRY(const DocumentClip* given, first_clip(file));
  MARROW_TRY(const MatchedClip other, matched(clip, *given, options.skeleton, options.edit, context));
  MARROW_TRY(const Clip poses, with_frames(other.clip, context.limits));
  return pose_of(poses, 0);
}

// The difference of each row of `source` to the reference.
Clip difference_to(const Reference& reference, Clip source, BlendHint hint) {
  source.blend_hint = hint;
  const std::vector<Transform>& pose = reference.pose;
  for (std::size_t i = 0; i < source.transforms.size(); ++i)
    source.transforms[i] = motion::additive_difference(hint, pose[i % pose.size()], source.transforms[i]);
  for (std::size_t i = 0; i < source.floats.size(); ++i)
    source.floats[i] -= reference.floats[i % reference.floats.size()];
  return source;
}

// A value that is put before the pose turns its place too, so the translation is computed from the rotation as it is
// stored: its rounding then moves nothing.
Result<void> set_difference(DocumentClip& clip, const Clip& source, const Reference& reference,
                            const ClipEditOptions& options, EditedClip& report, Context& context) {
  MARROW_TRY(const auto curves, curves_of(clip, context.limits));
  const std::uint32_t per_frame = quarters_of(clip);
  MARROW_TRY(const Clip rows, with_quarters(clip, context.limits));
  const BlendHint hint = clip.clip.blend_hint;
  clip.clip = difference_to(reference, source, hint);
  clip.spline.reset();
  if (!curves) return {};
  Clip wanted = difference_to(reference, rows, hint);
  MARROW_TRY(codec::EncodedSpline encoded, encode_frames(wanted, options, context, per_frame));
  if (hint == BlendHint::AdditiveDeprecated) {
    MARROW_CHECK(set_curves(clip, encoded.blob));
    MARROW_TRY(const Clip stored, with_quarters(clip, context.limits));
    for (std::size_t i = 0; i < wanted.transforms.size(); ++i) {
      Transform& value = wanted.transforms[i];
      value.rotation = stored.transforms[i].rotation;
      value.translation = rows.transforms[i].translation -
                          value.rotation * (value.scale * reference.pose[i % reference.pose.size()].translation);
    }
    MARROW_TRY(const codec::EncodedSpline again, encode_frames(wanted, options, context, per_frame));
    for (std::size_t b = 0; b < encoded.blob.blocks.size(); ++b)
      for (std::size_t t = 0; t < encoded.blob.blocks[b].transforms.size(); ++t)
        encoded.blob.blocks[b].transforms[t].translation = again.blob.blocks[b].transforms[t].translation;
    encoded.errors.include(again.errors);
  }
  report.take(encoded.errors, count_of(source.track_count));
  return set_curves(clip, encoded.blob);
}

// Puts an additive motion on another, row by row; a shorter one holds its last pose.
Clip with_motion_on_top(const Clip& base, const Clip& additive, BlendHint hint, double weight) {
  Clip out = base;
  const auto tracks = count_of(base.track_count), floats = count_of(base.float_track_count);
  for (std::int32_t f = 0; f < base.frame_count; ++f) {
    const std::int32_t g = std::min(f, additive.frame_count - 1);
    for (std::size_t t = 0; t < tracks; ++t) {
      const Transform& value = additive.frame(g)[t];
      if (value != Transform{} && weight > 0.0)
        out.transforms[count_of(f) * tracks + t] = motion::with_additive(hint, base.frame(f)[t], value, weight);
    }
    for (std::size_t t = 0; t < floats; ++t)
      out.floats[count_of(f) * floats + t] += static_cast<float>(weight) * additive.floats[count_of(g) * floats + t];
  }
  return out;
}

}  // namespace

void describe(FieldList& fields, AdditiveOptions& options) {
  fields.input("reference", options.reference,
               {.help = "the pose that the difference is taken to: a frame of the clip, `rest`, or a file with a pose",
                .placeholder = "FRAME|FILE|rest",
                .required = true,
                .builtin = &reference_word});
  fields("hint", options.hint,
         {.help = "the order: 1 puts the value before the pose below (Skyrim), 2 after it (Fallout 4)",
          .placeholder = "N"});
  fields.input("skeleton", options.skeleton, kClipSkeleton);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, ApplyOptions& options) {
  fields.input("additive", options.additive,
               {.help = "the additive clip",
                .placeholder = "ADDITIVE",
                .required = true,
                .positional = true,
                .parts = Parts::Skeletons | Parts::Clips});
  fields("weight", options.weight, {.help = "share of the additive clip", .placeholder = "W", .min = 0});
  fields.input("skeleton", options.skeleton,
               {.help = "the skeleton of the clips, if their tracks differ", .placeholder = "FILE"});
  describe_edit(fields, options.edit);
}

Result<ClipEditReport> make_additive(Document& document, const AdditiveOptions& options, Context& context) {
  const Document* holder = &document;
  if (options.hint == AdditiveForm::After && (document.game == Game::SkyrimLe || document.game == Game::SkyrimSe))
    return fail(ErrorCode::BadOption, "Skyrim knows only the order 1", kNoOffset, "hint");
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    if (clip.clip.blend_hint != BlendHint::Normal) return fail(ErrorCode::WrongKind, "the clip is additive already");
    MARROW_TRY(const Clip source, with_frames(clip, context.limits));
    MARROW_TRY(const Reference reference, reference_pose(*holder, clip, source, options, context));
    if (std::ranges::any_of(reference.pose, [](const Transform& pose) {
          return pose.scale.x == 0.0f || pose.scale.y == 0.0f || pose.scale.z == 0.0f;
        }))
      return fail(ErrorCode::WrongKind, "a bone of the reference pose has a scale of zero");
    clip.clip.blend_hint = hint_for(options.hint, *holder);
    Clip without_motion = source;
    if (without_motion.root_motion)
      context.note("an additive clip moves nobody; its root motion is dropped", clip.name);
    without_motion.root_motion.reset();
    return set_difference(clip, without_motion, reference, options.edit, report, context);
  });
}

Result<ClipEditReport> apply_additive(Document& document, const ApplyOptions& options, Context& context) {
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    MARROW_TRY(const DocumentClip* given, first_clip(*options.additive));
    const BlendHint hint = given->clip.blend_hint;
    if (hint == BlendHint::Normal)
      return in_file({ErrorCode::WrongKind, "the clip is not additive"}, options.additive->name);
    if (clip.clip.blend_hint != BlendHint::Normal)
      return fail(ErrorCode::WrongKind, "the clip below is additive itself");
    DocumentClip like = clip;
    like.clip.blend_hint = hint;
    MARROW_TRY(const MatchedClip found,
               matched(like, *given, options.skeleton, options.edit, context, LackingTracks::Own));
    const DocumentClip& matching = found.clip;
    MARROW_TRY(const Clip additive, with_frames(matching, context.limits));
    MARROW_TRY(const Clip base, with_frames(clip, context.limits));
    Clip out = with_motion_on_top(base, additive, hint, options.weight);
    const FrameRange whole{0, base.frame_count - 1};
    if (quarters_of(clip) == 1 || quarters_of(matching) == 1)
      return replace_frames(clip, std::move(out), whole, options.edit, report, context);
    MARROW_TRY(const Clip additive_rows, with_quarters(matching, context.limits));
    MARROW_TRY(const Clip base_rows, with_quarters(clip, context.limits));
    const Clip rows = with_motion_on_top(base_rows, additive_rows, hint, options.weight);
    return replace_frames(clip, std::move(out), whole, options.edit, report, context, &rows);
  });
}

}  // namespace marrow
