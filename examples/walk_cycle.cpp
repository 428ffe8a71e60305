// SPDX-License-Identifier: MIT
// A walk cycle made from nothing: a small biped, one second of steps with footstep events and root motion, written for
// Skyrim LE, Skyrim SE and Fallout 4, read back and compared.
//
//     walk_cycle FOLDER
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <string>

#include "marrow/core/file.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"

using namespace marrow;

namespace {

constexpr int kFrames = 31;  // one second, the last frame the same as the first
constexpr float kStrideUnits = 110.0f;

Skeleton make_biped() {
  struct Row {
    const char* name;
    int parent;
    Vec3 place;
  };
  constexpr Row kBones[] = {
      {"NPC Root [Root]", -1, {0, 0, 0}},         {"NPC COM [COM ]", 0, {0, 0, 68}},
      {"NPC Spine [Spn0]", 1, {0, 0, 12}},        {"NPC Head [Head]", 2, {0, 0, 40}},
      {"NPC L Thigh [LThg]", 1, {-6, 0, -2}},     {"NPC L Calf [LClf]", 4, {0, 0, -32}},
      {"NPC L Foot [Lft ]", 5, {0, 0, -30}},      {"NPC R Thigh [RThg]", 1, {6, 0, -2}},
      {"NPC R Calf [RClf]", 7, {0, 0, -32}},      {"NPC R Foot [Rft ]", 8, {0, 0, -30}},
      {"NPC L UpperArm [LUar]", 2, {-16, 0, 34}}, {"NPC L Forearm [LLar]", 10, {0, 0, -26}},
      {"NPC R UpperArm [RUar]", 2, {16, 0, 34}},  {"NPC R Forearm [RLar]", 12, {0, 0, -26}},
  };
  Skeleton skeleton;
  skeleton.name = kBones[0].name;
  for (const Row& row : kBones) skeleton.bones.push_back({row.name, row.parent, {row.place}, row.parent > 1});
  return skeleton;
}

/// A turn about the axis that points to the actor's side, x: legs and arms swing in it.
Quat swing(float degrees) {
  const float half = degrees * std::numbers::pi_v<float> / 360.0f;
  return make_quat(std::sin(half), 0, 0, std::cos(half));
}

Clip make_walk(const Skeleton& skeleton) {
  Clip clip;
  clip.skeleton_name = skeleton.name;
  clip.frame_count = kFrames;
  clip.duration_seconds = static_cast<float>(kFrames - 1) / 30.0f;
  clip.track_count = static_cast<std::int32_t>(skeleton.bones.size());
  RootMotion motion;
  motion.duration_seconds = clip.duration_seconds;
  for (int f = 0; f < kFrames; ++f) {
    const float part = static_cast<float>(f) / static_cast<float>(kFrames - 1);
    const float phase = 2.0f * std::numbers::pi_v<float> * part;
    std::vector<Transform> pose;
    for (const Bone& bone : skeleton.bones) pose.push_back(bone.rest);
    const auto turn = [&](const char* name, float degrees) {
      pose[static_cast<std::size_t>(find_bone(skeleton, name).value())].rotation = swing(degrees);
    };
    pose[1].translation.z += 1.5f * std::cos(2.0f * phase);  // highest when a leg passes under the body
    for (const auto& [side, leg] : {std::pair{"L", 0.0f}, {"R", std::numbers::pi_v<float>}}) {
      const std::string name(side);
      const float ahead = std::sin(phase + leg), lift = std::max(0.0f, std::cos(phase + leg));
      turn(("NPC " + name + " Thigh [" + name + "Thg]").c_str(), 28.0f * ahead);
      turn(("NPC " + name + " Calf [" + name + "Clf]").c_str(), -45.0f * lift - 5.0f);
      turn(("NPC " + name + " Foot [" + name + "ft ]").c_str(), 12.0f * lift - 20.0f * ahead);
      turn(("NPC " + name + " UpperArm [" + name + "Uar]").c_str(), -22.0f * ahead);
      turn(("NPC " + name + " Forearm [" + name + "Lar]").c_str(), 20.0f + 8.0f * ahead);
    }
    clip.transforms.insert(clip.transforms.end(), pose.begin(), pose.end());
    motion.samples.push_back({0, kStrideUnits * part, 0, 0});
  }
  clip.root_motion = motion;
  clip.annotation_tracks.resize(skeleton.bones.size());
  clip.annotation_tracks[0].annotations = {{0.25f, "FootLeft"}, {0.75f, "FootRight"}};
  return clip;
}

/// Writes a file, reads it again and says whether it came back the same.
template <class Value, class Read>
bool write_and_compare(const std::filesystem::path& path, const havok::Packfile& file, const Value& value,
                       Read&& read) {
  const auto bytes = havok::write_packfile(file);
  if (!bytes || !write_file(path, *bytes)) return false;
  const auto stored = read_file(path);
  const auto again = stored ? havok::read_packfile(*stored) : Result<havok::Packfile>(std::unexpect);
  const bool same = again && read(*again) == value;
  std::printf("%s: %zu bytes, read back %s\n", path.string().c_str(), bytes->size(), same ? "the same" : "DIFFERENT");
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: walk_cycle FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const Skeleton skeleton = make_biped();
  const Clip walk = make_walk(skeleton);
  bool same = true;
  for (const auto game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    const auto place = folder / to_string(game);
    same &= write_and_compare(
        place / "walk.hkx", havok::make_clip_file(walk, game).value(), walk,
        [](const havok::Packfile& file) { return havok::read_clip(file, havok::find_animations(file).at(0)).value(); });
    same &= write_and_compare(place / "characterassets" / "skeleton.hkx",
                              havok::make_skeleton_file({&skeleton, 1}, game).value(), skeleton,
                              [](const havok::Packfile& file) {
                                return havok::read_skeleton(file, havok::find_skeletons(file).at(0)).value();
                              });
  }
  return same ? 0 : 1;
}
