// SPDX-License-Identifier: MIT
// Motion of other programs: FBX and BVH. The document keeps the curves; skeleton and clips are made of them when
// somebody asks for them.
#include "core/try.h"
#include "exchange/bvh/read.h"
#include "exchange/fbx/read.h"
#include "marrow/core/byte_reader.h"
#include "ops/document/format_rows.h"
#include "ops/document/motion_bodies.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

constexpr double kUsualRate = 30.0;  // of the games

MotionOrigin origin_for(std::shared_ptr<const MotionSource> source, const LoadOptions& options) {
  MotionOrigin origin{.source = std::move(source)};
  origin.options = {.units_per_centimetre = 0.01 / static_cast<double>(options.metres_per_unit),
                    .scale = options.scale,
                    .rest = options.rest};
  origin.frames_per_second = options.own_rate ? 0.0 : options.frames_per_second.value_or(kUsualRate);
  return origin;
}

Document document_of(std::shared_ptr<const MotionSource> source, const LoadOptions& options) {
  Document document;
  document.metres_per_unit = options.metres_per_unit;
  OriginAccess::set(document, {origin_for(std::move(source), options)});
  return document;
}

}  // namespace

Result<Document> load_fbx(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  MARROW_TRY(auto source, fbx::read_fbx(bytes, context.limits, context.notes));
  return document_of(std::move(source), options);
}

Result<Document> load_bvh(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  MARROW_TRY(auto source, bvh::read_bvh(as_text(bytes), context.limits, context.notes));
  return document_of(std::move(source), options);
}

Result<void> read_motion_parts(Document& document, Parts parts, Context& context) {
  const MotionOrigin origin = *origin_of<MotionOrigin>(document);
  const MotionSource& source = *origin.source;
  if (source.bones.empty()) return {};
  if (source.space.is_left_handed)
    return fail(ErrorCode::Unsupported,
                "the axes of the file are left-handed; export it with right-handed axes (Y or Z up)", kNoOffset,
                "GlobalSettings");
  if (has(parts, Parts::Skeletons)) {
    DocumentSkeleton& made = document.skeletons.emplace_back();
    made.skeleton = skeleton_from(source, origin.options, context.notes);
    if (made.skeleton.name.empty()) made.skeleton.name = stem_of(document.name);
    made.is_guessed = made.goes_along = true;
  }
  if (has(parts, Parts::Clips)) {
    for (std::size_t i = 0; i < source.clips.size(); ++i) {
      const double rate = origin.frames_per_second > 0.0 ? origin.frames_per_second : source.clips[i].frames_per_second;
      MARROW_TRY(Clip clip, clip_from(source, i, rate, origin.options, context.limits));
      const std::string& name = source.clips[i].name;
      document.clips.push_back(
          {.name = name.empty() ? std::string(stem_of(document.name)) : name, .clip = std::move(clip), .skeleton = 0});
    }
  }
  if (has(parts, Parts::Bodies)) add_bodies(source, origin.options, document, context.notes);
  return {};
}

void read_source_with(Document& document, const LoadOptions& options) {
  const auto* before = origin_of<MotionOrigin>(document);
  if (!before) return;
  MotionOrigin origin = origin_for(before->source, options);
  if (origin == *before) return;
  document.bodies.clear();
  document.metres_per_unit = options.metres_per_unit;
  OriginAccess::set(document, {std::move(origin)});
}

Result<void> leave_motion_source(Document& document, Context& context) {
  if (!document.motion_source()) return {};
  MARROW_CHECK(read_parts(document, Parts::Skeletons | Parts::Frames | Parts::Bodies, context));
  OriginAccess::drop(document);
  return {};
}

}  // namespace marrow
