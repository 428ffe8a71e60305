// SPDX-License-Identifier: MIT
// What every door must decide alike: which skeleton is the main one, whether a clip fits it, where a pose and root
// motion bring the bones, what the name of an object asks for, what a file may be called.
#include <cmath>

#include "c/convert.h"
#include "c/parts.h"
#include "core/file_name.h"
#include "core/try.h"
#include "marrow/model/pose.h"
#include "model/blender_names.h"
#include "ops/clip/skeleton_fit.h"
#include "ops/collision/build.h"
#include "ops/pair/paired.h"

using namespace marrow;
using namespace marrow::c;

namespace {

// A copy: the lock of a document is not taken twice by one thread.
Outcome<Skeleton> skeleton_in(marrow_document document, std::uint32_t skeleton) {
  MARROW_TRY(const auto holder, reading_with(document, kSkeletonParts));
  MARROW_CHECK(in_range(skeleton, holder->document.skeletons.size(), "skeleton"));
  return holder->document.skeletons[skeleton].skeleton;
}

// Whom each bone of the skeleton that a clip refers to belongs to.
std::vector<marrow_track_owner> owners_of(const Skeleton& both, const Actors& actors) {
  std::vector<marrow_track_owner> out(both.bones.size(), {.actor = 0, .bone = -1, .place = 0, .reserved = 0});
  if (!is_paired(both)) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i].bone = static_cast<std::int32_t>(i);
    return out;
  }
  const PairedParts parts = paired_parts(both);
  const auto at = [&](std::int32_t bone) -> marrow_track_owner& { return out[static_cast<std::size_t>(bone)]; };
  for (const std::int32_t bone : parts.first)
    at(bone).bone = find_bone(*actors.first, both.bones[static_cast<std::size_t>(bone)].name).value_or(-1);
  for (const std::int32_t bone : parts.second)
    at(bone) = {
        .actor = 1,
        .bone = find_bone(actors.other(), own_name(both.bones[static_cast<std::size_t>(bone)].name)).value_or(-1),
        .place = 0,
        .reserved = 0};
  if (parts.first_place != kNoBone) at(parts.first_place).place = 2;
  if (parts.second_place != kNoBone) at(parts.second_place) = {.actor = 1, .bone = -1, .place = 2, .reserved = 0};
  if (parts.root != kNoBone) at(parts.root) = {.actor = -1, .bone = -1, .place = 1, .reserved = 0};
  return out;
}

Outcome<SkeletonFit> compare(marrow_document document, std::uint32_t clip, marrow_document skeleton_document,
                             std::uint32_t skeleton, const marrow_context* context) {
  CallContext called(context);
  MARROW_TRY(const Skeleton on, skeleton_in(skeleton_document, skeleton));
  MARROW_TRY(const auto from, with_clip(document, clip));
  auto fit = fit_of(from->document.clips[clip], on, called->limits);
  if (!fit) return in_file(std::move(fit).error(), from->document.name);
  return std::move(*fit);
}

marrow_fit verdict(const SkeletonFit& fit) {
  return fit.is_excluded() ? MARROW_FIT_OTHER : fit.is_right() ? MARROW_FIT_RIGHT : MARROW_FIT_UNKNOWN;
}

std::vector<std::string> strings_of(std::span<const marrow_text> texts) {
  std::vector<std::string> out;
  out.reserve(texts.size());
  for (const marrow_text& text : texts) out.emplace_back(view_of(text));
  return out;
}

Outcome<std::vector<std::string>> required_names(const marrow_text* names, std::uint32_t count, const void* out) {
  MARROW_CHECK(required(out, "out"));
  if (count > 0) MARROW_CHECK(required(names, "names"));
  return strings_of({names, count});
}

void open_names(std::vector<std::string> names, marrow_result* out) {
  Json list = Json::array();
  for (std::string& name : names) list.push(std::move(name));
  auto object = std::make_shared<ResultObject>();
  object->report = to_text(Json::object().set("names", std::move(list)), false);
  object->notes = "[]";
  *out = open(ResultObject::kKind, std::move(object));
}

}  // namespace

marrow_status marrow_get_main_skeleton(marrow_document document, std::uint32_t* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading_with(document, kSkeletonParts));
    MARROW_TRY(const DocumentSkeleton* found, main_skeleton(from->document));
    *out = static_cast<std::uint32_t>(found - from->document.skeletons.data());
    return {};
  });
}

marrow_status marrow_pose_to_model(const std::int32_t* parents, const float* local, float* model,
                                   std::uint32_t bone_count) {
  return guarded([&]() -> Outcome<void> {
    if (bone_count == 0) return {};
    MARROW_CHECK(required(parents, "parents"));
    MARROW_CHECK(required(local, "local"));
    MARROW_CHECK(required(model, "model"));
    std::vector<std::int32_t> order(parents, parents + bone_count);
    for (std::uint32_t i = 0; i < bone_count; ++i) {
      if (order[i] >= static_cast<std::int64_t>(i))
        return fail_with(MARROW_BAD_ARGUMENT, "the parent of bone " + std::to_string(i) + " does not come before it",
                         "parents");
      if (order[i] < 0) order[i] = kNoBone;
    }
    local_to_model(order, transforms_of(local, bone_count), transforms_of(model, bone_count));
    return {};
  });
}

marrow_status marrow_sample_root_motion(marrow_sampler sampler, double frame, float* transform) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(transform, "transform"));
    if (!std::isfinite(frame)) return fail_with(MARROW_BAD_ARGUMENT, "is not a number", "frame");
    MARROW_TRY(const auto from, reading<SamplerObject>(sampler));
    const std::int32_t last = from->sampler.frame_count() - 1;
    const auto& motion = from->clip.root_motion;
    copy_transform(motion ? root_motion_at(*motion, last > 0 ? frame / last : 0.0) : Transform{}, transform);
    return {};
  });
}

marrow_status marrow_fit_skeleton(marrow_document document, std::uint32_t clip, marrow_document skeleton_document,
                                  std::uint32_t skeleton, const marrow_context* context, marrow_fit* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const SkeletonFit fit, compare(document, clip, skeleton_document, skeleton, context));
    *out = verdict(fit);
    return {};
  });
}

marrow_status marrow_get_fit(marrow_document document, std::uint32_t clip, marrow_document skeleton_document,
                             std::uint32_t skeleton, const marrow_context* context, marrow_fit_info* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const SkeletonFit fit, compare(document, clip, skeleton_document, skeleton, context));
    *out = {.fit = verdict(fit),
            .compared = static_cast<std::uint32_t>(fit.compared),
            .same = static_cast<std::uint32_t>(fit.same),
            .outside = static_cast<std::uint32_t>(fit.outside),
            .misnamed = static_cast<std::uint32_t>(fit.misnamed),
            .reserved = 0};
    return {};
  });
}

marrow_status marrow_get_track_owners(marrow_document document, std::uint32_t clip, marrow_document skeleton_document,
                                      std::uint32_t skeleton, marrow_document second_document,
                                      std::uint32_t second_skeleton, marrow_track_owner* out, std::uint32_t capacity,
                                      std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const Skeleton first, skeleton_in(skeleton_document, skeleton));
    std::optional<Skeleton> second;
    if (second_document != 0) {
      MARROW_TRY(second, skeleton_in(second_document, second_skeleton));
    }
    const Actors actors{.first = &first, .second = second ? &*second : nullptr};
    MARROW_TRY(const auto from, with_clip(document, clip));
    const Clip& moved = from->document.clips[clip].clip;
    const std::vector<marrow_track_owner> owners = owners_of(skeleton_for(moved, actors), actors);
    return write_list(static_cast<std::size_t>(moved.track_count), out, capacity, count, [&](std::size_t track) {
      const std::int32_t bone = bone_of_track(moved, track);
      const bool is_there = bone >= 0 && static_cast<std::size_t>(bone) < owners.size();
      return is_there ? owners[static_cast<std::size_t>(bone)]
                      : marrow_track_owner{.actor = -1, .bone = -1, .place = 0, .reserved = 0};
    });
  });
}

marrow_status marrow_get_blender_names(const marrow_text* names, std::uint32_t count, marrow_result* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const std::vector<std::string> given, required_names(names, count, out));
    open_names(blender_names(given), out);
    return {};
  });
}

marrow_status marrow_get_file_names(const marrow_text* names, std::uint32_t count, marrow_result* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(std::vector<std::string> given, required_names(names, count, out));
    for (std::string& name : given) name = portable_file_name(std::move(name), "_");
    open_names(std::move(given), out);
    return {};
  });
}

marrow_status marrow_match_bones(const marrow_text* names, std::uint32_t count, const marrow_text* known,
                                 std::uint32_t known_count, std::int32_t* out) {
  return guarded([&]() -> Outcome<void> {
    if (count == 0) return {};
    MARROW_CHECK(required(names, "names"));
    MARROW_CHECK(required(out, "out"));
    if (known_count > 0) MARROW_CHECK(required(known, "known"));
    const auto found = match_bone_names(strings_of({names, count}), strings_of({known, known_count}));
    std::ranges::copy(found, out);
    return {};
  });
}

marrow_status marrow_get_shape_in_name(const char* name, marrow_text* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    const auto shape = shape_in_name(view_of(name));
    *out = text_of(shape ? ChoiceWords<BuildShape>::words[static_cast<std::size_t>(*shape)] : std::string_view());
    return {};
  });
}
