// SPDX-License-Identifier: MIT
// What every door must decide alike: which skeleton is the main one, whether a clip fits it, where a pose and root
// motion bring the bones, what the name of an object asks for.
#include "c/convert.h"
#include "c/objects.h"
#include "core/try.h"
#include "marrow/model/pose.h"
#include "marrow/ops/collision/build.h"
#include "ops/clip/skeleton_fit.h"

using namespace marrow;
using namespace marrow::c;

marrow_status marrow_get_main_skeleton(marrow_document document, std::uint32_t* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<DocumentObject>(document));
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
    CallContext called(context);
    std::optional<Skeleton> on;  // a copy: the lock of a document is not taken twice by one thread
    {
      MARROW_TRY(const auto holder, reading<DocumentObject>(skeleton_document));
      MARROW_CHECK(in_range(skeleton, holder->document.skeletons.size(), "skeleton"));
      on = holder->document.skeletons[skeleton].skeleton;
    }
    MARROW_TRY(const auto from, reading<DocumentObject>(document));
    MARROW_CHECK(in_range(clip, from->document.clips.size(), "clip"));
    auto fit = fit_of(from->document.clips[clip], *on, called->limits);
    if (!fit) return in_file(std::move(fit).error(), from->document.name);
    *out = fit->is_excluded() ? MARROW_FIT_OTHER : fit->is_right() ? MARROW_FIT_RIGHT : MARROW_FIT_UNKNOWN;
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
