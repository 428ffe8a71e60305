// SPDX-License-Identifier: MIT
// Writes the files that other programs are shown, and looks at what they give back.
//   gltf_samples write FOLDER            every kind of file, and walk.expected.json: where the joints are
//   gltf_samples compare BACK [additive] whether a file that has been elsewhere still says what walk.glb said
//   gltf_samples foreign BACK            the same for one that has lost its record: the motion, fitted to the skeleton
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

#include <glm/geometric.hpp>

#include "exchange/gltf/read.h"
#include "exchange/gltf/write.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "model/conform.h"
#include "ops/clip/fit.h"
#include "support/rigs.h"

namespace {

using namespace marrow;
using namespace marrow::gltf;

constexpr int kFrames = 41;

Scene walk_scene() {
  const Skeleton skeleton = test::make_human();
  return {
      .armatures = {{.skeleton = skeleton, .clips = {{.name = "walk", .clip = test::make_walk(skeleton, kFrames)}}}}};
}

Scene short_scene() {
  Scene scene = walk_scene();
  scene.armatures[0].clips[0].clip = test::make_walk(scene.armatures[0].skeleton, 3);
  return scene;
}

Scene additive_scene() {
  Scene scene = walk_scene();
  Clip& clip = scene.armatures[0].clips[0].clip;
  const auto& bones = scene.armatures[0].skeleton.bones;
  for (std::size_t i = 0; i < clip.transforms.size(); ++i)
    clip.transforms[i] = inverse(bones[i % bones.size()].rest) * clip.transforms[i];
  clip.blend_hint = BlendHint::Additive;
  return scene;
}

Scene many_scene() {
  Scene scene = walk_scene();
  Armature& armature = scene.armatures[0];
  armature.clips.push_back({.name = "short", .clip = test::make_walk(armature.skeleton, 7)});
  armature.clips.push_back({.name = "pose", .clip = test::make_walk(armature.skeleton, 1)});
  Skeleton ragdoll;
  ragdoll.name = "Ragdoll";
  ragdoll.bones = {{"Ragdoll_NPC COM", kNoBone, {Vec3(0, 0, 68)}, false},
                   {"Ragdoll_NPC Spine", 0, {Vec3(0, 0, 10)}, false}};
  scene.armatures.push_back({.skeleton = ragdoll});
  return scene;
}

Scene mesh_scene() {
  return {.meshes = {{.name = "hull",
                      .positions = {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}},
                      .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
                      .colour = {1.0f, 0.4f, 0.1f, 0.5f},
                      .placement = {Vec3(1, 2, 3)}},
                     {.name = "empty"}}};
}

// Where the joints stand in the file's world, at some frames: metres, Y up.
std::string expected_json(const Scene& scene) {
  const Skeleton& skeleton = scene.armatures[0].skeleton;
  const Clip& clip = scene.armatures[0].clips[0].clip;
  std::string out = "{\"size\":" + float_text(skeleton_size(skeleton) * kMetresPerGameUnit) + ",\"frames\":[";
  std::vector<Transform> pose(skeleton.bones.size());
  const auto number = [&](float v) { append_float(out, v); };
  for (const int frame : {-1, 0, 1, 7, 20, 33, kFrames - 1}) {
    if (frame < 0)
      for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = skeleton.bones[i].rest;
    else
      pose_from_frame(skeleton, clip, clip.frame(frame), pose);
    local_to_model(skeleton, pose, pose);
    out += out.ends_with('[') ? "{" : ",{";
    out += "\"frame\":" + std::to_string(frame) + ",\"bones\":{";
    for (std::size_t i = 0; i < pose.size(); ++i) {
      const Vec3 p = kMetresPerGameUnit * pose[i].translation;
      const Quat q = make_quat(-0.70710678f, 0, 0, 0.70710678f) * pose[i].rotation;
      out += (i ? ",\"" : "\"") + skeleton.bones[i].name + "\":[";
      for (const float v : {p.x, p.z, -p.y, q.x, q.y, q.z}) number(v), out += ',';
      number(q.w);
      out += ']';
    }
    out += "}}";
  }
  return out + "]}";
}

bool save(const std::filesystem::path& path, const Scene& scene, const WriteOptions& options) {
  const auto bytes = write_gltf(scene, options);
  if (bytes && write_file(path, *bytes)) return true;
  std::fprintf(stderr, "%s: not written\n", path.string().c_str());
  return false;
}

int write_samples(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  Scene skeleton = walk_scene();
  skeleton.armatures[0].clips.clear();
  const Scene other{.armatures = {{.skeleton = test::make_other_human()}}};
  const bool ok = save(folder / "other.glb", other, {}) && save(folder / "walk.glb", walk_scene(), {}) &&
                  save(folder / "walk.gltf", walk_scene(), {.container = Container::Gltf}) &&
                  save(folder / "short.gltf", short_scene(), {.container = Container::Gltf}) &&
                  save(folder / "game_units.glb", walk_scene(), {.units = Units::Game}) &&
                  save(folder / "blender_units.glb", walk_scene(), {.units = Units::Blender}) &&
                  save(folder / "show_bones.glb", walk_scene(), {.show_bones = true}) &&
                  save(folder / "additive.glb", additive_scene(), {}) && save(folder / "skeleton.glb", skeleton, {}) &&
                  save(folder / "many.glb", many_scene(), {}) && save(folder / "meshes.glb", mesh_scene(), {});
  return ok && write_file(folder / "walk.expected.json", as_bytes(expected_json(walk_scene()))) ? 0 : 1;
}

int compare(const char* path, bool additive) {
  const auto bytes = read_file(path);
  Notes notes;
  const auto scene = bytes ? read_gltf(*bytes, {}, &notes) : std::unexpected(bytes.error());
  if (!scene) return std::fprintf(stderr, "%s: %s\n", path, describe(scene.error()).c_str()), 1;
  for (const Note& note : notes) std::printf("%s: note: %s: %s\n", path, note.path.c_str(), note.message.c_str());
  const Scene original = additive ? additive_scene() : walk_scene();
  if (scene->armatures.size() != 1 || scene->armatures[0].clips.size() != 1)
    return std::fprintf(stderr, "%s: not one rig with one clip\n", path), 1;
  const Armature &armature = scene->armatures[0], &want_armature = original.armatures[0];
  Clip got = armature.clips[0].clip;
  const Clip& want = want_armature.clips[0].clip;
  if (got.transforms.size() != want.transforms.size())
    return std::fprintf(stderr, "%s: %d frames of %d tracks\n", path, got.frame_count, got.track_count), 1;
  float turn = 0, place = 0;
  for (std::size_t i = 0; i < got.transforms.size(); ++i) {
    turn = std::max(turn, angle_degrees(got.transforms[i].rotation, want.transforms[i].rotation));
    place = std::max(place, glm::length(got.transforms[i].translation - want.transforms[i].translation));
  }
  got.transforms = want.transforms;
  const bool skeleton = armature.skeleton == want_armature.skeleton, rest = got == want;
  std::printf("%s: skeleton %s, record %s, worst %.5f degrees %.6f units\n", path, skeleton ? "the same" : "DIFFERS",
              rest ? "the same" : "DIFFERS", static_cast<double>(turn), static_cast<double>(place));
  return skeleton && rest && turn <= 0.05f && place <= 0.01f ? 0 : 1;
}

int compare_foreign(const char* path) {
  const auto bytes = read_file(path);
  const auto scene = bytes ? read_gltf(*bytes) : std::unexpected(bytes.error());
  if (!scene || scene->armatures.size() != 1 || scene->armatures[0].clips.size() != 1 || scene->armatures[0].recorded)
    return std::fprintf(stderr, "%s: not one rig with one clip and no record\n", path), 1;
  const Scene original = walk_scene();
  const Clip& want = original.armatures[0].clips[0].clip;
  Notes notes;
  const Clip got = fit_to_skeleton({.skeleton = scene->armatures[0].skeleton, .is_guessed = true},
                                   scene->armatures[0].clips[0].clip, original.armatures[0].skeleton, notes);
  for (const Note& note : notes) std::printf("%s: note: %s: %s\n", path, note.path.c_str(), note.message.c_str());
  if (got.transforms.size() != want.transforms.size())
    return std::fprintf(stderr, "%s: %d frames of %d tracks\n", path, got.frame_count, got.track_count), 1;
  float turn = 0, place = 0;
  for (std::size_t i = 0; i < got.transforms.size(); ++i) {
    turn = std::max(turn, angle_degrees(got.transforms[i].rotation, want.transforms[i].rotation));
    place = std::max(place, glm::length(got.transforms[i].translation - want.transforms[i].translation));
  }
  std::printf("%s: without a record, worst %.5f degrees %.6f units\n", path, static_cast<double>(turn),
              static_cast<double>(place));
  return turn <= 0.05f && place <= 0.01f && notes.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 2 ? argv[1] : "";
  if (verb == "write") return write_samples(argv[2]);
  if (verb == "compare") return compare(argv[2], argc > 3);
  if (verb == "foreign") return compare_foreign(argv[2]);
  std::fprintf(stderr, "gltf_samples write FOLDER | compare FILE [additive] | foreign FILE\n");
  return 2;
}
