// SPDX-License-Identifier: MIT
#include "marrow/ops/scene.h"

#include <algorithm>
#include <array>

#include "core/try.h"
#include "marrow/anvil/to_model.h"
#include "marrow/anvil/xml.h"
#include "marrow/core/text.h"
#include "marrow/gltf/conform.h"
#include "marrow/gltf/read.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"
#include "marrow/model/pose.h"
#include "marrow/ops/paired.h"
#include "ops/formats.h"
#include "ops/kept_spline.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

Result<gltf::Scene> load_havok(std::span<const std::byte> bytes, const SceneOptions& options, Notes& notes) {
  MARROW_TRY(const havok::Packfile file, read_havok(bytes, {.limits = options.limits}));
  const std::vector<havok::ObjectId> skeletons = havok::find_skeletons(file), animations = havok::find_animations(file);
  if (skeletons.empty() && animations.empty())
    return fail(ErrorCode::NotFound, "there is neither a skeleton nor an animation in the file");
  const std::string game(to_string(havok::game_of(file)));
  gltf::Scene scene;
  gltf::Armature rig;
  rig.properties[kGameProperty] = game;
  if (!animations.empty() && !options.skeleton.empty()) {
    MARROW_TRY(rig.skeleton, load_skeleton(options.skeleton, {.limits = options.limits}));
  } else if (!skeletons.empty()) {
    MARROW_TRY(rig.skeleton, havok::read_skeleton(file, skeletons[0]));
  } else {
    return fail(ErrorCode::InvalidArgument,
                "a clip does not say where its bones are; give its skeleton with --skeleton skeleton.hkx");
  }
  for (std::size_t i = 0; i < animations.size(); ++i) {
    gltf::NamedClip named;
    named.name = options.name.empty() ? "clip" : options.name;
    if (animations.size() > 1) named.name += "_" + std::to_string(i + 1);
    MARROW_TRY(named.clip, havok::read_clip(file, animations[i], options.limits));
    if (const auto spline = havok::spline_data(file, animations[i]))
      named.properties[kSplineProperty] = keep_spline(*spline);
    // A paired clip has a rig of its own, that of both actors.
    Skeleton skeleton = skeleton_for(named.clip, rig.skeleton);
    if (named.clip.track_to_bone.empty() && static_cast<std::size_t>(named.clip.track_count) != skeleton.bones.size())
      notes.push_back({"the clip has " + std::to_string(named.clip.track_count) + " tracks and the skeleton " +
                           std::to_string(skeleton.bones.size()) + " bones: is it the one that the clip was made for?",
                       kNoOffset,
                       {}});
    auto mover = std::ranges::find(scene.armatures, skeleton, &gltf::Armature::skeleton);
    if (mover == scene.armatures.end())
      mover =
          scene.armatures.insert(mover, {.skeleton = std::move(skeleton), .clips = {}, .properties = rig.properties});
    mover->clips.push_back(std::move(named));
  }
  if (scene.armatures.empty()) scene.armatures.push_back(std::move(rig));
  for (std::size_t i = 1; i < skeletons.size() && options.ragdoll; ++i) {
    gltf::Armature ragdoll;
    MARROW_TRY(ragdoll.skeleton, havok::read_skeleton(file, skeletons[i]));
    ragdoll.properties[kGameProperty] = game;
    scene.armatures.push_back(std::move(ragdoll));
  }
  return scene;
}

Result<gltf::Scene> load_anvil(std::span<const std::byte> bytes, const SceneOptions& options, Notes& notes) {
  MARROW_TRY(const anvil::Skeleton skeleton, anvil::read_xml(bytes, names_with(options.names), options.limits));
  MARROW_TRY(Rig model, anvil::to_model(skeleton));
  gltf::Scene scene;
  scene.metres_per_unit = kMetresPerAnvilUnit;
  scene.armatures.push_back({.skeleton = std::move(model.skeleton)});
  if (const auto text = anvil::write_xml(skeleton, {.dialect = anvil::Dialect::Schema}))
    scene.armatures[0].properties[kAnvilProperty].assign(reinterpret_cast<const char*>(text->data()), text->size());
  else
    notes.push_back({"only the bones are kept, for the way back to XML lacks this: " + text.error().message, kNoOffset,
                     text.error().path});
  return scene;
}

bool same_bones(const Skeleton& a, const Skeleton& b) {
  return std::ranges::equal(a.bones, b.bones, {}, &Bone::name, &Bone::name);
}

// Tracks keep their values and go with their bones' names.
Clip follow_names(const Clip& clip, const Skeleton& from, const Skeleton& target, Notes& notes) {
  std::vector<std::pair<std::size_t, std::int16_t>> kept;  // track, bone of the target
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track) {
    const std::int64_t bone = clip.track_to_bone.empty() ? static_cast<std::int64_t>(track) : clip.track_to_bone[track];
    const bool there = bone >= 0 && bone < static_cast<std::int64_t>(from.bones.size());
    const auto found = there ? find_bone(target, from.bones[static_cast<std::size_t>(bone)].name) : std::nullopt;
    if (found)
      kept.emplace_back(track, static_cast<std::int16_t>(*found));
    else
      notes.push_back({"the skeleton has no such bone; its track is left out", kNoOffset,
                       there ? "bone \"" + from.bones[static_cast<std::size_t>(bone)].name + "\""
                             : "track " + std::to_string(track)});
  }
  Clip out = clip;
  out.transforms.clear();
  out.track_to_bone.clear();
  out.annotation_tracks.clear();
  out.track_count = static_cast<std::int32_t>(kept.size());
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame)
    for (const auto& [track, bone] : kept) out.transforms.push_back(clip.frame(frame)[track]);
  bool straight = kept.size() == target.bones.size();
  for (const auto& [track, bone] : kept) {
    straight = straight && static_cast<std::size_t>(bone) == out.track_to_bone.size();
    out.track_to_bone.push_back(bone);
    if (!clip.annotation_tracks.empty())
      out.annotation_tracks.push_back(track < clip.annotation_tracks.size() ? clip.annotation_tracks[track]
                                                                            : AnnotationTrack{});
  }
  if (straight) out.track_to_bone.clear();
  // The games look for events on the first track only.
  if (!kept.empty() && kept.front().first != 0 && !clip.annotation_tracks.empty())
    out.annotation_tracks.front() = clip.annotation_tracks.front();
  out.skeleton_name = target.name;
  return out;
}

Clip conform_to(const gltf::Armature& rig, const Clip& clip, const Skeleton& target, Notes& notes) {
  const gltf::Conform conform = gltf::make_conform(rig.skeleton, target);
  if (!conform.agrees)
    notes.push_back(
        {"the rest pose of the file is not that of the skeleton: bones turn as in the file, which may look "
         "wrong. `retarget` fits one body to another",
         kNoOffset,
         {}});
  for (std::size_t i = 0; i < target.bones.size(); ++i)
    if (!conform.source[i])
      notes.push_back({"is not in the file; it rests", kNoOffset, "bone \"" + target.bones[i].name + "\""});
  Clip out = clip;
  out.skeleton_name = target.name;
  out.track_count = static_cast<std::int32_t>(target.bones.size());
  out.track_to_bone.clear();
  out.transforms.clear();
  std::vector<Transform> from(rig.skeleton.bones.size()), to(target.bones.size());
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) {
    pose_from_frame(rig.skeleton, clip, clip.frame(frame), from);
    gltf::apply_conform(conform, rig.skeleton, target, from, to);
    out.transforms.insert(out.transforms.end(), to.begin(), to.end());
  }
  if (out.annotation_tracks.size() > target.bones.size()) out.annotation_tracks.resize(target.bones.size());
  return out;
}

}  // namespace

Result<gltf::Scene> load_scene(std::span<const std::byte> bytes, const SceneOptions& options, Notes* notes) {
  Notes ignored;
  Notes& told = notes ? *notes : ignored;
  switch (detect(bytes)) {
    case Format::HavokPackfile:
    case Format::HavokXml: return load_havok(bytes, options, told);
    case Format::AnvilXml: return load_anvil(bytes, options, told);
    case Format::Glb:
    case Format::Gltf:
      return gltf::read_gltf(
          bytes, {.folder = options.folder, .metres_per_unit = options.metres_per_unit, .limits = options.limits},
          &told);
    default: return refuse_format(bytes, "this");
  }
}

Result<Skeleton> load_skeleton(std::span<const std::byte> bytes, const SceneOptions& options) {
  const Format format = detect(bytes);
  if (format == Format::HavokPackfile || format == Format::HavokXml) {
    MARROW_TRY(const havok::Packfile file, read_havok(bytes, {.limits = options.limits}));
    const auto skeletons = havok::find_skeletons(file);
    if (skeletons.empty()) return fail(ErrorCode::NotFound, "there is no skeleton in the file");
    return havok::read_skeleton(file, skeletons[0]);
  }
  MARROW_TRY(gltf::Scene scene, load_scene(bytes, options));
  if (scene.armatures.empty()) return fail(ErrorCode::NotFound, "there is no skeleton in the file");
  return std::move(scene.armatures[0].skeleton);
}

std::optional<fs::path> find_skeleton_near(const fs::path& clip) {
  constexpr std::array<std::string_view, 3> folders = {"", "character assets", "characterassets"};
  fs::path folder = clip.parent_path();
  // meshes/actors/character/animations/mod/submod/x.hkx: some folders up, not the whole disk.
  for (int up = 0; up < 6; ++up) {
    for (const std::string_view name : folders) {
      const fs::path candidate = folder / name / "skeleton.hkx";
      std::error_code error;
      if (fs::is_regular_file(candidate, error) && !fs::equivalent(candidate, clip, error)) return candidate;
    }
    if (folder.empty() || folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return std::nullopt;
}

Clip fit_to_skeleton(const gltf::Armature& rig, const Clip& clip, const Skeleton& target, Notes* notes) {
  Notes ignored;
  Notes& told = notes ? *notes : ignored;
  if (rig.recorded && same_bones(rig.skeleton, target)) return clip;
  if (is_paired(rig.skeleton) && !is_paired(target))
    told.push_back(
        {"the clip moves two actors and the skeleton is that of one: the second is left out", kNoOffset, {}});
  return rig.recorded ? follow_names(clip, rig.skeleton, target, told) : conform_to(rig, clip, target, told);
}

}  // namespace marrow
