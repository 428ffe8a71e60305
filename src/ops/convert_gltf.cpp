// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <string>

#include "core/try.h"
#include "marrow/anvil/games.h"
#include "marrow/gltf/write.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"
#include "marrow/havok/xml.h"
#include "marrow/ops/paired.h"
#include "marrow/ops/scene.h"
#include "ops/formats.h"
#include "ops/kept_spline.h"

namespace marrow {
namespace {

gltf::Units units_of(Units units) {
  return units == Units::Game ? gltf::Units::Game : units == Units::Blender ? gltf::Units::Blender : gltf::Units::Metre;
}

Result<Game> game_for(const gltf::Armature& rig, const ConvertOptions& options) {
  const auto kept = rig.properties.find(kGameProperty);
  const std::string word = !options.game.empty() ? options.game : kept == rig.properties.end() ? "" : kept->second;
  if (word.empty())
    return fail(ErrorCode::InvalidArgument,
                "the file does not say for which game it is; give --to skyrim-le, skyrim-se or fallout4");
  const auto game = find_game(word, GameFamily::Havok);
  if (!game)
    return fail(ErrorCode::InvalidArgument,
                "a Havok file is not written for " + word + "; --to takes skyrim-le, skyrim-se or fallout4");
  return *game;
}

Result<gltf::NamedClip> choose_clip(const gltf::Armature& rig, const ConvertOptions& options) {
  if (options.clip.empty() && rig.clips.size() == 1) return rig.clips[0];
  std::string names;
  for (const gltf::NamedClip& clip : rig.clips) {
    if (clip.name == options.clip && !options.clip.empty()) return clip;
    names += (names.empty() ? "" : ", ") + clip.name;
  }
  if (options.clip.empty())
    return fail(
        ErrorCode::InvalidArgument,
        "the file has several animations and a .hkx has one; choose with --clip, or give a folder for all: " + names);
  return fail(ErrorCode::NotFound, "there is no animation \"" + options.clip + "\" in the file; there is " + names);
}

Result<havok::Packfile> clip_file(const gltf::Armature& rig, Game game, const ConvertOptions& options, Notes& notes) {
  MARROW_TRY(const gltf::NamedClip named, choose_clip(rig, options));
  Clip clip = named.clip;
  if (!options.skeleton.empty()) {
    MARROW_TRY(Skeleton skeleton, load_skeleton(options.skeleton, {.limits = options.limits}));
    if (is_paired(rig.skeleton)) skeleton = rig.recorded ? skeleton_for(clip, skeleton) : paired_skeleton(skeleton);
    clip = fit_to_skeleton(rig, clip, skeleton, &notes);
    // The names are how a paired clip is told from others.
    if (is_paired(skeleton) && clip.annotation_tracks.empty())
      for (const Bone& bone : skeleton.bones) clip.annotation_tracks.push_back({bone.name, {}});
  } else if (!rig.recorded) {
    notes.push_back(
        {"without --skeleton the bones are taken in the order of the file, which no game may share", kNoOffset, {}});
  }
  const auto kept = named.properties.find(kSplineProperty);
  std::optional<codec::SplineBlob> spline;
  if (kept != named.properties.end()) spline = kept_spline(kept->second, options.limits);
  MARROW_TRY(const codec::SplineBlob motion, spline_of(clip, spline));
  return havok::make_clip_file(clip, game, &motion, &notes);
}

// Into the file that it came from where that is given: ragdoll, physics and mappers are there and nowhere else.
Result<havok::Packfile> skeleton_file(const gltf::Scene& scene, Game game, const ConvertOptions& options,
                                      Notes& notes) {
  if (!options.skeleton.empty()) {
    MARROW_TRY(havok::Packfile file, read_havok(options.skeleton, {.limits = options.limits}));
    const auto ids = havok::find_skeletons(file);
    if (ids.empty()) return fail(ErrorCode::NotFound, "there is no skeleton in the file given with --skeleton");
    MARROW_TRY(const Skeleton before, havok::read_skeleton(file, ids[0]));
    if (before.bones.size() != scene.armatures[0].skeleton.bones.size())
      notes.push_back({"the skeleton had " + std::to_string(before.bones.size()) +
                           " bones; the ragdoll and the mappers of the file still count those",
                       kNoOffset,
                       {}});
    MARROW_CHECK(havok::set_skeleton(file, ids[0], scene.armatures[0].skeleton, &notes));
    if (havok::game_of(file) != game) return havok::with_pointer_size_of(std::move(file), game);
    return file;
  }
  std::vector<Skeleton> skeletons;
  for (const gltf::Armature& rig : scene.armatures) skeletons.push_back(rig.skeleton);
  notes.push_back({"ragdoll and physics are not in the file; give the game's skeleton.hkx with --skeleton to keep them",
                   kNoOffset,
                   {}});
  return havok::make_skeleton_file(skeletons, game, &notes);
}

}  // namespace

Result<Converted> convert_to_gltf(std::span<const std::byte> bytes, const ConvertOptions& options) {
  return merge_to_gltf({{{.bytes = bytes, .skeleton = options.skeleton, .name = options.name}}}, options);
}

Result<Converted> merge_to_gltf(std::span<const MergeInput> inputs, const ConvertOptions& options) {
  Converted converted;
  converted.format = options.format == OutputFormat::Gltf ? OutputFormat::Gltf : OutputFormat::Glb;
  gltf::Scene merged;
  for (const MergeInput& input : inputs) {
    MARROW_TRY(gltf::Scene scene, load_scene(input.bytes,
                                             {.skeleton = input.skeleton,
                                              .ragdoll = options.ragdoll,
                                              .name = input.name,
                                              .folder = options.folder,
                                              .names = options.names,
                                              .limits = options.limits},
                                             &converted.notes));
    if (!merged.armatures.empty() && merged.metres_per_unit != scene.metres_per_unit)
      return fail(ErrorCode::InvalidArgument, "files of games with other units do not go into one glTF file");
    merged.metres_per_unit = scene.metres_per_unit;
    for (gltf::Armature& rig : scene.armatures) {
      const auto same = std::ranges::find(merged.armatures, rig.skeleton, &gltf::Armature::skeleton);
      if (same == merged.armatures.end())
        merged.armatures.push_back(std::move(rig));
      else
        std::ranges::move(rig.clips, std::back_inserter(same->clips));
    }
    std::ranges::move(scene.meshes, std::back_inserter(merged.meshes));
  }
  MARROW_TRY(converted.bytes,
             gltf::write_gltf(merged, {.container = converted.format == OutputFormat::Gltf ? gltf::Container::Gltf
                                                                                           : gltf::Container::Glb,
                                       .units = units_of(options.units),
                                       .show_bones = options.show_bones}));
  return converted;
}

Result<std::vector<std::string>> clip_names(std::span<const std::byte> bytes, const ConvertOptions& options) {
  std::vector<std::string> names;
  const Format format = detect(bytes);
  if (format != Format::Glb && format != Format::Gltf) return names;
  MARROW_TRY(const gltf::Scene scene, load_scene(bytes, {.folder = options.folder, .limits = options.limits}));
  for (const gltf::Armature& rig : scene.armatures)
    for (const gltf::NamedClip& clip : rig.clips) names.push_back(clip.name);
  return names;
}

Result<Converted> convert_gltf(std::span<const std::byte> bytes, const ConvertOptions& options) {
  ConvertOptions chosen = options;
  if (chosen.format == OutputFormat::Same)
    chosen.format = detect(bytes) == Format::Gltf ? OutputFormat::Gltf : OutputFormat::Glb;
  if (chosen.format == OutputFormat::Glb || chosen.format == OutputFormat::Gltf) return convert_to_gltf(bytes, chosen);
  bool to_anvil = chosen.format == OutputFormat::AnvilStandard || chosen.format == OutputFormat::AnvilSchema;
  if (chosen.format != OutputFormat::Hkx && chosen.format != OutputFormat::Xml && !to_anvil)
    return fail(ErrorCode::Unsupported, "a glTF file is not written as " + std::string(to_string(chosen.format)) +
                                            "; --format takes hkx, xml, anvil-standard, anvil-schema, glb or gltf");
  // A bare .xml is Anvil's where the game is one of those.
  const bool anvil_game = find_game(chosen.game, GameFamily::Anvil).has_value();
  to_anvil |= chosen.format == OutputFormat::Xml && anvil_game;
  Converted converted;
  converted.format = chosen.format;
  MARROW_TRY(gltf::Scene scene, load_scene(bytes,
                                           {.folder = options.folder,
                                            .metres_per_unit = to_anvil ? kMetresPerAnvilUnit : kMetresPerGameUnit,
                                            .limits = options.limits},
                                           &converted.notes));
  if (scene.armatures.empty())
    return fail(ErrorCode::NotFound, "there is neither a skeleton nor an animation in the file");
  to_anvil |= chosen.format == OutputFormat::Xml && chosen.game.empty() &&
              scene.armatures[0].properties.contains(kAnvilProperty);
  if (to_anvil) {
    MARROW_TRY(Converted written, gltf_to_anvil(scene, chosen));
    written.notes.insert(written.notes.begin(), converted.notes.begin(), converted.notes.end());
    return written;
  }
  const auto moved =
      std::ranges::find_if(scene.armatures, [](const gltf::Armature& rig) { return !rig.clips.empty(); });
  const gltf::Armature& rig = moved == scene.armatures.end() ? scene.armatures[0] : *moved;
  MARROW_TRY(const Game game, game_for(rig, options));
  MARROW_TRY(const havok::Packfile file, moved == scene.armatures.end()
                                             ? skeleton_file(scene, game, options, converted.notes)
                                             : clip_file(rig, game, options, converted.notes));
  MARROW_TRY(converted.bytes,
             chosen.format == OutputFormat::Xml ? havok::write_xml(file) : havok::write_packfile(file));
  return converted;
}

}  // namespace marrow
