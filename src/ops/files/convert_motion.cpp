// SPDX-License-Identifier: MIT
#include "ops/files/convert_motion.h"

#include "core/try.h"
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

}  // namespace

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
    clip.clip = with_all_tracks(fitted.clip, target);
  }
  return {};
}

}  // namespace marrow
