// SPDX-License-Identifier: MIT
#include "marrow/ops/simulate.h"

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/gltf/write.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/xml.h"
#include "marrow/model/named_bone.h"
#include "marrow/model/pose.h"
#include "marrow/motion/mirror.h"
#include "marrow/ops/detect.h"
#include "marrow/ops/scene.h"
#include "ops/csv.h"
#include "ops/formats.h"
#include "ops/kept_spline.h"
#include "ops/named_file.h"

namespace marrow {
namespace {

void append_name(std::string& out, std::string_view name) {
  if (name.find_first_of(",\"\n\r") == std::string_view::npos) {
    out += name;
    return;
  }
  out += '"';
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  out += '"';
}

Result<std::vector<std::byte>> write_clip(const LoadedRig& loaded, const std::string& name,
                                          const std::string& game_word, const Clip& clip, const gltf::Properties& kept,
                                          SimulationFormat format, const Limits& limits, Notes& notes) {
  if (format == SimulationFormat::Csv) {
    const std::string text = to_csv(clip, loaded.rig.skeleton);
    const auto bytes = as_bytes(text);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }
  if (format == SimulationFormat::Glb || format == SimulationFormat::Gltf) {
    gltf::Scene scene;
    scene.metres_per_unit = static_cast<float>(loaded.rig.metres_per_unit);
    gltf::Armature& out = scene.armatures.emplace_back();
    out.skeleton = loaded.rig.skeleton;
    if (!loaded.game.empty()) out.properties.emplace(kGameProperty, loaded.game);
    out.clips.push_back({.name = name, .clip = clip, .properties = kept});
    return gltf::write_gltf(
        scene, {.container = format == SimulationFormat::Glb ? gltf::Container::Glb : gltf::Container::Gltf});
  }
  const auto game = find_game(game_word, GameFamily::Havok);
  if (!game)
    return fail(ErrorCode::InvalidArgument,
                "a .hkx is for skyrim-le, skyrim-se or fallout4, which neither --game nor the "
                "skeleton or the clip says; write .glb or .csv");
  std::optional<codec::SplineBlob> stored;
  if (const auto spline = kept.find(kSplineProperty); spline != kept.end())
    stored = kept_spline(spline->second, limits);
  MARROW_TRY(const codec::SplineBlob motion, spline_of(clip, stored));
  MARROW_TRY(const havok::Packfile file, havok::make_clip_file(clip, *game, &motion, &notes));
  return format == SimulationFormat::Xml ? havok::write_xml(file) : havok::write_packfile(file);
}

bool is_havok(std::span<const std::byte> bytes) {
  const Format format = detect(bytes);
  return format == Format::HavokPackfile || format == Format::HavokXml;
}

// The first of some words that is not empty.
std::string first_said(std::initializer_list<std::string> words) {
  for (const std::string& word : words)
    if (!word.empty()) return word;
  return {};
}

struct LoadedClip {
  Clip clip;
  gltf::Properties kept;  // its motion as it was stored
  std::string game;       // that it is of, where it says
};

// The first clip of a file, as one that moves the skeleton.
Result<LoadedClip> load_clip(const NamedBytes& file, std::span<const std::byte> skeleton_bytes,
                             const Skeleton& skeleton, const Limits& limits, Notes& notes) {
  Notes own;
  auto scene = load_scene(file.bytes, {.skeleton = skeleton_bytes, .folder = folder_of(file), .limits = limits}, &own);
  if (!scene) return in_file(file, scene.error());
  const auto rig = std::ranges::find_if(scene->armatures, [](const gltf::Armature& r) { return !r.clips.empty(); });
  if (rig == scene->armatures.end())
    return in_file(file, {ErrorCode::NotFound, "there is no clip in the file", kNoOffset, {}});
  const Clip& read = rig->clips[0].clip;
  // The skeleton of a Havok clip is the one it was read with; nothing was guessed.
  if (is_havok(file.bytes)) rig->recorded = true;
  // Skeletons of glTF files bear the name of their armature.
  if (is_havok(skeleton_bytes) && !read.skeleton_name.empty() && !skeleton.name.empty() &&
      read.skeleton_name != skeleton.name)
    own.push_back({"the clip is for a skeleton '" + read.skeleton_name + "' and this one is '" + skeleton.name +
                       "': is it the right one?",
                   kNoOffset,
                   {}});
  LoadedClip loaded{.clip = fit_to_skeleton(*rig, read, skeleton, &own), .kept = rig->clips[0].properties, .game = {}};
  if (const auto game = rig->properties.find(kGameProperty); game != rig->properties.end()) loaded.game = game->second;
  for (Note& note : own) {
    note.path = note.path.empty() ? file.name : file.name + ": " + note.path;
    notes.push_back(std::move(note));
  }
  return loaded;
}

std::vector<ModifierReport> explain(const Rig& rig, const motion::CompiledRig& compiled,
                                    const std::vector<motion::Trace>& trace, std::size_t bone) {
  std::vector<ModifierReport> reports;
  std::size_t order = 0;
  for (const std::uint32_t index : compiled.schedule()) {
    const Modifier& modifier = rig.modifiers[index];
    if (modifier.owner.target == bone) reports.push_back({order, std::string(class_name(modifier)), trace[index]});
    ++order;
  }
  return reports;
}

}  // namespace

std::string to_csv(const Clip& clip, const Skeleton& skeleton) {
  std::string out = std::string("frame,bone,") + kTransformColumns + "\n";
  std::vector<std::string> names;
  for (const Bone& bone : skeleton.bones) append_name(names.emplace_back(), bone.name);
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) {
    const auto pose = clip.frame(frame);
    for (std::size_t i = 0; i < pose.size(); ++i) {
      append_int(out, frame);
      out += ',';
      out += names[i];
      append_transform_row(out, pose[i]);
    }
  }
  return out;
}

Result<SimulatedFile> simulate_file(const SimulateFileOptions& options) {
  SimulatedFile out;
  MARROW_TRY(const LoadedRig loaded, load_rig(options.rig, &out.notes));
  const Rig& rig = loaded.rig;
  MARROW_TRY(const motion::CompiledRig compiled, motion::CompiledRig::compile(rig, options.settings, &out.notes));
  if (compiled.schedule().empty())
    out.notes.push_back({"no modifier moves anything; put some on it with --modifiers", kNoOffset, {}});

  std::optional<LoadedClip> loaded_clip;
  if (!options.clip.name.empty()) {
    MARROW_TRY(loaded_clip,
               load_clip(options.clip, options.rig.skeletons[0].bytes, rig.skeleton, options.rig.limits, out.notes));
    if (loaded_clip->clip.blend_hint != BlendHint::Normal)
      return in_file(options.clip,
                     {ErrorCode::Unsupported,
                      "an additive clip holds differences, not poses; simulate the clip that it is added to",
                      kNoOffset,
                      {}});
  }
  const Clip* clip = loaded_clip ? &loaded_clip->clip : nullptr;
  motion::SimulateOptions run = options.run;
  run.compensate_stretch = options.format != SimulationFormat::Csv;
  if (clip && options.own_rate && clip->frame_count > 1 && clip->duration_seconds > 0.0f)
    run.frames_a_second = (clip->frame_count - 1) / static_cast<double>(clip->duration_seconds);
  if (clip && options.own_seconds && clip->duration_seconds > 0.0f) run.seconds = clip->duration_seconds;
  // A loop is as long as its clip to the bit: at another rate its frames come a little closer together or further
  // apart.
  if (clip && options.own_seconds && run.loop && run.seconds > 0.0)
    run.frames_a_second = std::max(1.0, std::round(run.seconds * run.frames_a_second)) / run.seconds;
  const double frames = std::round(run.seconds * run.frames_a_second);
  if (options.on_start && frames >= 0.0 && frames < 1e7) options.on_start(static_cast<std::int64_t>(frames) + 1);
  std::size_t bone = 0;
  if (options.explain) {
    MARROW_TRY(const std::int32_t found, named_bone(rig.skeleton, *options.explain));
    bone = static_cast<std::size_t>(found);
    if (!run.trace_frame) run.trace_frame = static_cast<std::int64_t>(frames);
    if (*run.trace_frame > static_cast<std::int64_t>(frames))
      return fail(ErrorCode::InvalidArgument,
                  "the frame to explain is past the last one, " + std::to_string(static_cast<std::int64_t>(frames)));
  }
  MARROW_TRY(motion::Simulation result, motion::simulate(rig, compiled, clip, run));

  for (Note& note : result.notes) {
    if (clip) note.path = options.clip.name;
    out.notes.push_back(std::move(note));
  }
  out.loop = result.loop;
  out.frames = result.clip.frame_count;
  out.frames_a_second = run.frames_a_second;
  out.modifiers = compiled.schedule().size();
  out.wrinkles.assign(compiled.wrinkles().begin(), compiled.wrinkles().end());
  for (const Bone& b : rig.skeleton.bones) out.bone_names.push_back(b.name);
  for (const std::int32_t fx : compiled.fx_bones())
    out.fx_bones.push_back(out.bone_names[static_cast<std::size_t>(fx)]);
  if (options.explain) {
    out.explained_frame = *run.trace_frame;
    out.explanation = explain(rig, compiled, result.trace, bone);
  }
  Clip final = std::move(result.clip);
  if (clip && options.format != SimulationFormat::Csv) final = motion::bake(*clip, final, rig, compiled);
  final.skeleton_name = rig.skeleton.name;
  const std::string game = first_said({options.rig.game, loaded.game, loaded_clip ? loaded_clip->game : ""});
  MARROW_TRY(out.bytes,
             write_clip(loaded, options.clip_name, game, final, loaded_clip ? loaded_clip->kept : gltf::Properties{},
                        options.format, options.rig.limits, out.notes));
  return out;
}

Result<MirroredFile> mirror_file(const NamedBytes& file, const MirrorFileOptions& options) {
  MirroredFile out;
  MARROW_TRY(const LoadedRig loaded, load_rig({.skeletons = {options.skeleton}, .limits = options.limits}, &out.notes));
  const Skeleton& skeleton = loaded.rig.skeleton;
  MARROW_TRY(const LoadedClip source, load_clip(file, options.skeleton.bytes, skeleton, options.limits, out.notes));
  const motion::MirrorMap map = loaded.rig.mirror.empty()
                                    ? motion::mirror_by_names(skeleton)
                                    : motion::mirror_by_bones(loaded.rig.mirror, loaded.rig.mirroring_types);
  for (std::size_t i = 0; i < map.partner.size(); ++i) {
    if (map.partner[i] > static_cast<std::int32_t>(i)) ++out.pairs;
    if (map.partner[i] == static_cast<std::int32_t>(i)) ++out.centred;
  }
  MARROW_TRY(Clip mirrored, motion::mirror_clip(source.clip, skeleton, map, &out.notes));
  if (options.format == SimulationFormat::Csv) {
    // Every bone a row, whether it has a track or not.
    std::vector<Transform> pose(skeleton.bones.size());
    Clip all;
    all.frame_count = mirrored.frame_count;
    all.duration_seconds = mirrored.duration_seconds;
    all.track_count = static_cast<std::int32_t>(pose.size());
    for (std::int32_t frame = 0; frame < mirrored.frame_count; ++frame) {
      pose_from_frame(skeleton, mirrored, mirrored.frame(frame), pose);
      all.transforms.insert(all.transforms.end(), pose.begin(), pose.end());
    }
    mirrored = std::move(all);
  }
  MARROW_TRY(out.bytes, write_clip(loaded, options.name, first_said({options.game, loaded.game, source.game}), mirrored,
                                   source.kept, options.format, options.limits, out.notes));
  return out;
}

}  // namespace marrow
