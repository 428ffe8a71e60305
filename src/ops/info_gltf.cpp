// SPDX-License-Identifier: MIT
#include "core/try.h"
#include "marrow/gltf/read.h"
#include "marrow/ops/paired.h"
#include "ops/formats.h"
#include "ops/kept_spline.h"

namespace marrow {

Result<FileInfo> info_gltf(std::span<const std::byte> bytes, const Limits& limits,
                           const std::filesystem::path& folder) {
  MARROW_TRY(const gltf::Scene scene, gltf::read_gltf(bytes, {.folder = folder, .limits = limits}));
  FileInfo info;
  info.format = to_string(detect(bytes));
  info.version = "2.0";
  int actors = 1;
  for (const gltf::Armature& rig : scene.armatures) {
    if (const auto game = rig.properties.find(kGameProperty); game != rig.properties.end()) info.game = game->second;
    info.skeletons.push_back({rig.skeleton.name, rig.skeleton.bones.size(), 0});
    for (const gltf::NamedClip& named : rig.clips) {
      const Clip& clip = named.clip;
      ClipInfo entry{.frames = clip.frame_count,
                     .tracks = clip.track_count,
                     .float_tracks = clip.float_track_count,
                     .duration_seconds = static_cast<double>(clip.duration_seconds),
                     .annotations = 0,
                     .root_motion = clip.root_motion.has_value(),
                     .additive = clip.blend_hint != BlendHint::Normal};
      for (const AnnotationTrack& track : clip.annotation_tracks) entry.annotations += track.annotations.size();
      info.clips.push_back(entry);
    }
    if (!rig.clips.empty() && is_paired(rig.skeleton)) actors = 2;
  }
  if (actors > 1) info.details.emplace_back("actors", std::to_string(actors));
  if (!scene.meshes.empty()) info.details.emplace_back("meshes", std::to_string(scene.meshes.size()));
  return info;
}

}  // namespace marrow
