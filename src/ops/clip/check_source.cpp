// SPDX-License-Identifier: MIT
#include "ops/clip/check_source.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace marrow {
namespace {

constexpr float kVisibleScale = 0.01f;

bool is_scaled(const Transform& place) {
  return std::abs(place.scale.x - 1.0f) > kVisibleScale || std::abs(place.scale.y - 1.0f) > kVisibleScale ||
         std::abs(place.scale.z - 1.0f) > kVisibleScale;
}

// Returns which bones refuse the scale of a parent that has one somewhere in a clip. It is looked for at a few times.
std::vector<bool> refuse_scale(const MotionSource& source) {
  std::vector<bool> refuses(source.bones.size());
  const auto look = [&](const std::vector<Transform>& local) {
    for (std::size_t i = 0; i < source.bones.size(); ++i)
      if (const std::int32_t parent = source.bones[i].parent; source.bones[i].ignores_parent_scale && parent != kNoBone)
        refuses[i] = refuses[i] || is_scaled(local[static_cast<std::size_t>(parent)]);
  };
  if (std::ranges::none_of(source.bones, &SourceBone::ignores_parent_scale)) return refuses;
  constexpr int kTimes = 8;
  constexpr std::size_t kMostClips = 16;
  SourcePose pose;
  for (std::size_t clip = 0; clip < std::min(source.clips.size(), kMostClips); ++clip)
    for (int i = 0; i <= kTimes; ++i) {
      const SourceClip& each = source.clips[clip];
      source.evaluate(clip, each.start_seconds + each.duration_seconds() * i / kTimes, pose);
      look(pose.local);
    }
  return refuses;
}

std::string bone_named(const SourceBone& bone) { return "bone \"" + bone.name + "\""; }

}  // namespace

Findings check_source(const MotionSource& source) {
  Findings findings;
  if (source.bones.empty())
    findings.push_back({"W_SOURCE_EMPTY", Level::Warning, "the file has no bones; nothing can be made of it", ""});
  if (source.space.is_left_handed)
    findings.push_back(
        {"E_SOURCE_AXES", Level::Error,
         "the axes of the file are left-handed, which mirrors every turn; nothing can be made of it. Export "
         "it with right-handed axes (Y or Z up)",
         "GlobalSettings"});
  std::set<std::string_view> names;
  std::size_t roots = 0;
  SourcePose pose;
  if (!source.clips.empty()) source.evaluate(0, source.clips.front().start_seconds, pose);
  const std::vector<bool> refuses = refuse_scale(source);
  for (std::size_t i = 0; i < source.bones.size(); ++i) {
    const SourceBone& bone = source.bones[i];
    if (refuses[i])
      findings.push_back({"W_SOURCE_INHERIT", Level::Warning,
                          "does not take over the scale of its parent (InheritType 2), which the games' bones do: it "
                          "will be scaled twice. Apply the scale before the export",
                          bone_named(bone)});
    if (!names.insert(bone.name).second)
      findings.push_back({"W_SOURCE_NAME", Level::Warning,
                          "another bone has the same name; this one gets a number, and is not found by its name",
                          bone_named(bone)});
    if (is_scaled(bone.local) || (i < pose.local.size() && is_scaled(pose.local[i])))
      findings.push_back({"W_SOURCE_SCALE", Level::Warning,
                          "is scaled, which the games' bones seldom are; apply the scale before the export",
                          bone_named(bone)});
    roots += bone.parent == kNoBone;
  }
  if (roots > 1)
    findings.push_back({"W_SOURCE_ROOTS", Level::Warning,
                        std::to_string(roots) + " bones have no bone above them; a character has one root", ""});
  const bool is_skinned =
      std::ranges::any_of(source.meshes, [](const SourceMesh& mesh) { return !mesh.bindings.empty(); });
  if (source.version && !source.bones.empty() && std::ranges::none_of(source.bones, &SourceBone::has_bind))
    findings.push_back({"I_SOURCE_BIND", is_skinned ? Level::Warning : Level::Info,
                        "the file has no bind pose; the bones as they stand are taken for the rest pose", ""});
  return findings;
}

}  // namespace marrow
