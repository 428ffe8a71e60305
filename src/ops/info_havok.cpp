// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/try.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/game.h"
#include "marrow/ops/paired.h"
#include "ops/formats.h"

namespace marrow {
namespace {

using namespace havok;

std::int64_t frame_count(const FieldsView& animation, std::int64_t tracks) {
  if (animation.has("numFrames")) return animation.integer("numFrames");
  if (animation.has("transforms") && tracks > 0) return animation.array("transforms").size() / tracks;
  return 0;
}

ClipInfo clip_info(const Packfile& file, ObjectId id) {
  const FieldsView animation = file.at(id).fields();
  ClipInfo clip;
  clip.tracks = animation.integer("numberOfTransformTracks");
  clip.float_tracks = animation.integer("numberOfFloatTracks");
  clip.duration_seconds = animation.real("duration");
  clip.frames = frame_count(animation, clip.tracks);
  clip.root_motion = !animation.pointer("extractedMotion").is_null();
  const ArrayView tracks = animation.array("annotationTracks");
  for (std::uint32_t i = 0; i < tracks.size(); ++i) clip.annotations += tracks.record(i).array("annotations").size();
  for (const ObjectId other : file.find_all("hkaAnimationBinding"))
    if (file.at(other).type && file.at(other).fields().pointer("animation") == id)
      clip.additive = file.at(other).fields().integer("blendHint") != 0;
  return clip;
}

}  // namespace

Result<FileInfo> info_havok(std::span<const std::byte> bytes, const Limits& limits) {
  MARROW_TRY(const Packfile file, read_havok(bytes, {.limits = limits}));
  FileInfo info;
  info.format = to_string(detect(bytes));
  info.game = to_string(game_of(file));
  info.version = file.schema->version();
  info.pointer_size = file.pointer_size;
  for (const Object& object : file.objects) {
    const auto known =
        std::ranges::find(info.classes, object.class_name(), &std::pair<std::string, std::size_t>::first);
    if (known == info.classes.end())
      info.classes.emplace_back(object.class_name(), 1);
    else
      ++known->second;
  }
  for (const ObjectId id : file.find_all("hkaSkeleton"))
    if (file.at(id).type) {
      const FieldsView skeleton = file.at(id).fields();
      info.skeletons.push_back({std::string(skeleton.text("name").value_or("")), skeleton.array("bones").size(), 0});
    }
  int actors = 1;
  for (const ObjectId id : file.find_all("hkaAnimation"))
    if (file.at(id).type) {
      info.clips.push_back(clip_info(file, id));
      if (const auto header = read_clip_header(file, id); header && is_paired(*header)) actors = 2;
    }
  if (actors > 1) info.details.emplace_back("actors", std::to_string(actors));
  return info;
}

}  // namespace marrow
