// SPDX-License-Identifier: MIT
#include "marrow/ops/retarget_file.h"

#include "core/try.h"
#include "marrow/gltf/write.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/xml.h"
#include "marrow/ops/scene.h"
#include "ops/formats.h"
#include "ops/kept_spline.h"

namespace marrow {
namespace {

// A scene with one rig, for its skeleton, units and game.
Result<gltf::Scene> load_body(std::span<const std::byte> bytes, const Limits& limits, const char* option) {
  auto scene = load_scene(bytes, {.limits = limits});
  if (!scene) {
    scene.error().message = std::string(option) + ": " + scene.error().message;
    return scene;
  }
  if (scene->armatures.empty())
    return fail(ErrorCode::NotFound, std::string(option) + ": there is no skeleton in the file");
  return scene;
}

Result<std::vector<std::byte>> write_havok(const Clip& clip, const std::string& word, OutputFormat format,
                                           Notes& notes) {
  const auto game = find_game(word, GameFamily::Havok);
  if (!game)
    return fail(ErrorCode::InvalidArgument,
                word.empty() ? "the target skeleton does not say for which game it is; give --game, or write .glb"
                             : "clips are not written for " + word + "; write .glb");
  MARROW_TRY(const codec::SplineBlob motion, spline_of(clip, std::nullopt));
  MARROW_TRY(const havok::Packfile file, havok::make_clip_file(clip, *game, &motion, &notes));
  return format == OutputFormat::Xml ? havok::write_xml(file) : havok::write_packfile(file);
}

}  // namespace

Result<RetargetedFile> retarget_file(std::span<const std::byte> bytes, const RetargetFileOptions& options) {
  RetargetedFile out;
  MARROW_TRY(gltf::Scene from, load_body(options.from, options.limits, "--from"));
  MARROW_TRY(gltf::Scene to, load_body(options.to, options.limits, "--to"));
  out.from = from.armatures[0].skeleton;
  out.to = to.armatures[0].skeleton;
  MARROW_TRY(const gltf::Scene source,
             load_scene(bytes, {.skeleton = options.from, .name = options.name, .limits = options.limits}, &out.notes));
  out.map = map_bones(out.from, out.to);
  if (!options.map.empty()) {
    MARROW_TRY(out.map, read_bone_map(options.map, out.from, out.to, out.map));
  }
  gltf::Scene result;
  result.metres_per_unit = to.metres_per_unit;
  result.armatures.push_back({.skeleton = out.to, .clips = {}, .properties = to.armatures[0].properties});
  for (const gltf::Armature& rig : source.armatures)
    for (const gltf::NamedClip& named : rig.clips) {
      const Clip clip = fit_to_skeleton(rig, named.clip, out.from, &out.notes);
      MARROW_TRY(Retargeted retargeted, retarget(clip, out.from, out.to, out.map));
      out.report = std::move(retargeted.report);
      result.armatures[0].clips.push_back({.name = named.name, .clip = std::move(retargeted.clip)});
    }
  if (result.armatures[0].clips.empty()) return fail(ErrorCode::NotFound, "there is no clip in the file");

  out.format = options.format == OutputFormat::Same ? OutputFormat::Hkx : options.format;
  if (out.format == OutputFormat::Glb || out.format == OutputFormat::Gltf) {
    MARROW_TRY(out.bytes,
               gltf::write_gltf(result, {.container = out.format == OutputFormat::Gltf ? gltf::Container::Gltf
                                                                                       : gltf::Container::Glb}));
    return out;
  }
  if (out.format != OutputFormat::Hkx && out.format != OutputFormat::Xml)
    return fail(ErrorCode::Unsupported, "a clip is not written as " + std::string(to_string(out.format)));
  if (result.armatures[0].clips.size() > 1)
    return fail(ErrorCode::InvalidArgument, "the file has several clips and a .hkx takes one; write .glb");
  const auto& properties = result.armatures[0].properties;
  const auto kept = properties.find(kGameProperty);
  const std::string game = !options.game.empty() ? options.game : kept == properties.end() ? "" : kept->second;
  MARROW_TRY(out.bytes, write_havok(result.armatures[0].clips[0].clip, game, out.format, out.notes));
  return out;
}

}  // namespace marrow
