// SPDX-License-Identifier: MIT
#include "ops/files/convert_motion.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "core/try.h"
#include "marrow/model/motion_source.h"
#include "model/conform.h"
#include "ops/clip/fit.h"
#include "ops/retarget/retarget.h"

namespace marrow {
namespace {

BoneMap map_of(const Conform& conform) {
  BoneMap map;
  for (std::size_t i = 0; i < conform.source.size(); ++i)
    if (conform.source[i])
      map.bones.push_back({static_cast<std::int32_t>(*conform.source[i]), static_cast<std::int32_t>(i)});
  return map;
}

// Bones that the source does not move get a track, too: a clip of the game has one per bone.
Clip with_all_tracks(const Clip& clip, const Skeleton& target) {
  if (clip.track_to_bone.empty()) return clip;
  Clip out = clip;
  out.track_count = static_cast<std::int32_t>(target.bones.size());
  out.track_to_bone.clear();
  out.transforms.clear();
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) {
    std::vector<Transform> pose;
    for (const Bone& bone : target.bones) pose.push_back(bone.rest);
    for (std::size_t track = 0; track < clip.track_to_bone.size(); ++track)
      pose[static_cast<std::size_t>(clip.track_to_bone[track])] = clip.frame(frame)[track];
    out.transforms.insert(out.transforms.end(), pose.begin(), pose.end());
  }
  return out;
}

// Units that captures come in; those of CMU's library are 1/0.45 inch.
struct LikelyUnit {
  std::string_view name;
  double centimetres;
};
constexpr std::array<LikelyUnit, 5> kLikelyUnits = {{{"metres", 100.0},
                                                     {"feet", 30.48},
                                                     {"units of 1/0.45 inch", 2.54 / 0.45},
                                                     {"inches", 2.54},
                                                     {"millimetres", 0.1}}};
constexpr double kBody = 170.0, kSmallestBody = 60.0, kLargestBody = 400.0;  // centimetres
constexpr std::size_t kLeastBones = 10;                                      // of what may be a body

// Returns how far a source reaches along one axis in its first pose, in its own units.
double reach_of(const MotionSource& source) {
  SourcePose pose;
  source.evaluate(0, source.clips.empty() ? 0.0 : source.clips.front().start_seconds, pose);
  std::vector<Transform> world(source.bones.size());
  Vec3 low(0.0f), high(0.0f);
  for (std::size_t i = 0; i < world.size(); ++i) {
    const std::int32_t parent = source.bones[i].parent;
    world[i] = (parent == kNoBone ? pose.holder[i] : world[static_cast<std::size_t>(parent)]) * pose.local[i];
    low = i == 0 ? world[i].translation : glm::min(low, world[i].translation);
    high = i == 0 ? world[i].translation : glm::max(high, world[i].translation);
  }
  const Vec3 size = high - low;
  return static_cast<double>(std::max({size.x, size.y, size.z}));
}

std::string short_number(double value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), written.ptr};
}

}  // namespace

void note_taken_unit(const MotionSource& source, double units_per_centimetre, Context& context) {
  const double reach = reach_of(source);
  if (source.space.states_unit || !(reach > 0.0) || !std::isfinite(reach)) return;
  std::string text = "the file does not say how long its unit is; taken as a centimetre, its skeleton measures " +
                     short_number(reach) + " cm";
  if (source.bones.size() < kLeastBones || (reach >= kSmallestBody && reach <= kLargestBody))
    return context.note(std::move(text));
  const auto distance = [&](const LikelyUnit& unit) { return std::abs(std::log(reach * unit.centimetres / kBody)); };
  const LikelyUnit& likely = *std::ranges::min_element(kLikelyUnits, {}, distance);
  context.note(text + ", and in " + std::string(likely.name) + " " + short_number(reach * likely.centimetres) +
                   " cm: the scale says so",
               {}, {}, Cure{"convert", {{"scale", short_number(likely.centimetres * units_per_centimetre)}}});
}

Result<void> fit_motion_source(Document& document, const Skeleton& target, std::vector<std::string>& left_out,
                               Context& context) {
  MARROW_TRY(const DocumentSkeleton* own, main_skeleton(document));
  const DocumentSkeleton from = *own;
  const Conform conform = make_conform(from.skeleton, target);
  const BoneMap map = map_of(conform);
  if (map.bones.empty())
    return fail(ErrorCode::WrongSkeleton,
                "no bone of the file has a name of the skeleton; retargeting finds bones by the names of known rigs",
                Cure{"retarget"});
  std::vector<bool> used(from.skeleton.bones.size());
  for (const MappedBone& bone : map.bones) used[static_cast<std::size_t>(bone.from)] = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) left_out.push_back(from.skeleton.bones[i].name);
  if (!left_out.empty())
    context.note(std::to_string(left_out.size()) + " of " + std::to_string(used.size()) +
                 " bones of the file are not in the skeleton and are left out: " + left_out.front() +
                 (left_out.size() > 1 ? ", ..." : ""));
  for (DocumentClip& clip : document.clips) {
    if (conform.agrees) {
      clip.clip = fit_to_skeleton(from, clip.clip, target, context.notes);
      continue;
    }
    MARROW_TRY(RetargetedClip fitted, retarget_clip(clip.clip, from.skeleton, target, map));
    if (fitted.fit.raised != 0.0f && &clip == &document.clips.front())
      context.note("the rest pose of the file does not stand on the ground of its motion; it is taken to stand there");
    clip.clip = with_all_tracks(fitted.clip, target);
  }
  return {};
}

}  // namespace marrow
