// SPDX-License-Identifier: MIT
// A walk cycle made from nothing: a figure with hands, feet and a ponytail, one second of steps with footstep events
// and root motion, written for Skyrim LE, Skyrim SE and Fallout 4, read back and compared.
//
//     walk_cycle FOLDER
//
// The figure looks along +y, its left is -x. Places are in game units, times in cycles: the left heel comes down at
// 0.25, the right one at 0.75.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include "marrow/marrow.h"
#include "marrow/model/pose.h"
#include "marrow/ops/document/load.h"

using namespace marrow;

namespace {

constexpr int kFrames = 31;  // one second, the last frame the same as the first
constexpr float kStrideUnits = 110.0f;
constexpr float kThigh = 29.5f, kCalf = 29.0f, kAnkle = 6.5f;  // lengths, and the height of the ankle above the sole
constexpr Vec3 kBall{0, 12, -5}, kHeel{0, -4.5f, -kAnkle};     // what the foot rolls over, from the ankle

struct BoneRow {
  const char* name;
  const char* parent;
  Vec3 place;  // from the parent
};
// A row of the left side stands for the right one too.
constexpr BoneRow kBones[] = {
    {"NPC Root [Root]", "", {0, 0, 0}},
    {"NPC COM [COM ]", "NPC Root [Root]", {0, 0, 68}},
    {"NPC Pelvis [Pelv]", "NPC COM [COM ]", {0, 0, 0}},
    {"NPC Spine [Spn0]", "NPC Pelvis [Pelv]", {0, -1, 5}},
    {"NPC Spine1 [Spn1]", "NPC Spine [Spn0]", {0, -1, 9}},
    {"NPC Spine2 [Spn2]", "NPC Spine1 [Spn1]", {0, 0, 10}},
    {"NPC Neck [Neck]", "NPC Spine2 [Spn2]", {0, -0.5f, 18}},
    {"NPC Head [Head]", "NPC Neck [Neck]", {0, 2, 10}},
    {"HairBone01", "NPC Head [Head]", {0, -6.5f, 10}},
    {"HairBone02", "HairBone01", {0, -7, -1.5f}},
    {"HairBone03", "HairBone02", {0, -4.5f, -7.5f}},
    {"HairBone04", "HairBone03", {0, -2, -9}},
    {"NPC L Thigh [LThg]", "NPC Pelvis [Pelv]", {-6.5f, 0, -3}},
    {"NPC L Calf [LClf]", "NPC L Thigh [LThg]", {0, 0, -kThigh}},
    {"NPC L Foot [Lft ]", "NPC L Calf [LClf]", {0, 0, -kCalf}},
    {"NPC L Toe0 [LToe]", "NPC L Foot [Lft ]", kBall},
    {"NPC L Clavicle [LClv]", "NPC Spine2 [Spn2]", {-2.5f, 1, 14}},
    {"NPC L UpperArm [LUar]", "NPC L Clavicle [LClv]", {-12, -1.5f, -0.5f}},
    {"NPC L Forearm [LLar]", "NPC L UpperArm [LUar]", {-7.5f, -1, -22}},
    {"NPC L Hand [LHnd]", "NPC L Forearm [LLar]", {-4.5f, 3, -18.5f}},
    {"NPC L Finger00 [LF00]", "NPC L Hand [LHnd]", {0.8f, 2.6f, -2}},
    {"NPC L Finger01 [LF01]", "NPC L Finger00 [LF00]", {0.8f, 1.4f, -3}},
    {"NPC L Finger10 [LF10]", "NPC L Hand [LHnd]", {0, 2.4f, -7.6f}},
    {"NPC L Finger11 [LF11]", "NPC L Finger10 [LF10]", {0, 0.3f, -3.6f}},
    {"NPC L Finger20 [LF20]", "NPC L Hand [LHnd]", {-0.3f, 0.8f, -8}},
    {"NPC L Finger21 [LF21]", "NPC L Finger20 [LF20]", {0, 0, -4}},
    {"NPC L Finger30 [LF30]", "NPC L Hand [LHnd]", {-0.3f, -0.8f, -7.6f}},
    {"NPC L Finger31 [LF31]", "NPC L Finger30 [LF30]", {0, -0.2f, -3.6f}},
    {"NPC L Finger40 [LF40]", "NPC L Hand [LHnd]", {0, -2.3f, -6.8f}},
    {"NPC L Finger41 [LF41]", "NPC L Finger40 [LF40]", {0, -0.3f, -2.8f}},
};

enum Axis { X, Y, Z };  // positive turns: X leans back and swings a limb ahead, Y lowers the right, Z brings it ahead

struct CurveRow {
  const char* bone;
  Axis axis;
  float mean, swing;  // degrees
  int times;          // swings per cycle
  float peak;         // when the angle is largest
};
// Arms and fingers of the left side; the right ones do the same, mirrored, half a cycle later.
constexpr CurveRow kCurves[] = {
    {"NPC Pelvis [Pelv]", X, -4, 1, 2, 0.30f},
    {"NPC Pelvis [Pelv]", Y, 0, 4, 1, 0.42f},
    {"NPC Pelvis [Pelv]", Z, 0, 7, 1, 0.75f},
    {"NPC Spine [Spn0]", X, 0, 1, 2, 0.05f},
    {"NPC Spine [Spn0]", Y, 0, 3, 1, 0.92f},
    {"NPC Spine [Spn0]", Z, 0, 4, 1, 0.25f},
    {"NPC Spine1 [Spn1]", Y, 0, 2, 1, 0.92f},
    {"NPC Spine1 [Spn1]", Z, 0, 5, 1, 0.26f},
    {"NPC Spine2 [Spn2]", X, 1, 1, 2, 0.08f},
    {"NPC Spine2 [Spn2]", Z, 0, 5, 1, 0.27f},
    {"NPC Neck [Neck]", X, -6, 0, 1, 0},
    {"NPC Neck [Neck]", Z, 0, 3, 1, 0.76f},
    {"NPC Head [Head]", X, 8, 1.5f, 2, 0.36f},
    {"NPC Head [Head]", Y, 0, 1, 1, 0.42f},
    {"NPC Head [Head]", Z, 0, 4, 1, 0.76f},
    {"NPC L Clavicle [LClv]", Y, -2, 1.5f, 2, 0.3f},
    {"NPC L Clavicle [LClv]", Z, 0, 4, 1, 0.25f},
    {"NPC L UpperArm [LUar]", X, -3, 23, 1, 0.77f},
    {"NPC L UpperArm [LUar]", Y, -12, 1, 2, 0.02f},
    {"NPC L UpperArm [LUar]", Z, -8, 6, 1, 0.77f},
    {"NPC L Forearm [LLar]", X, 17, 12, 1, 0.83f},
    {"NPC L Forearm [LLar]", Y, -3, 0, 1, 0},
    {"NPC L Hand [LHnd]", X, -6, 8, 1, 0.90f},
    {"NPC L Hand [LHnd]", Y, -4, 3, 1, 0.87f},
    {"NPC L Finger00 [LF00]", Y, -6, 2, 1, 0.8f},
    {"NPC L Finger01 [LF01]", X, -14, 0, 1, 0},
    {"NPC L Finger10 [LF10]", Y, -16, 4, 1, 0.25f},
    {"NPC L Finger11 [LF11]", Y, -22, 5, 1, 0.27f},
    {"NPC L Finger20 [LF20]", Y, -22, 4, 1, 0.25f},
    {"NPC L Finger21 [LF21]", Y, -28, 5, 1, 0.27f},
    {"NPC L Finger30 [LF30]", Y, -27, 4, 1, 0.25f},
    {"NPC L Finger31 [LF31]", Y, -33, 5, 1, 0.27f},
    {"NPC L Finger40 [LF40]", Y, -31, 4, 1, 0.25f},
    {"NPC L Finger41 [LF41]", Y, -36, 5, 1, 0.27f},
};

// A foot is on the ground from 0, when its heel comes down, to kLift, when its toes leave it.
constexpr float kLift = 0.61f;
constexpr float kAhead = 25.5f;  // how far ahead of the root the ankle is as the heel comes down

struct Key {
  float time, value;
};
// Degrees by which the toes are up, over the cycle of one foot.
constexpr Key kPitch[] = {{0, 21},      {0.09f, 0},   {0.30f, 0},   {0.42f, -11}, {0.52f, -30},
                          {kLift, -58}, {0.68f, -62}, {0.80f, -22}, {0.90f, 12},  {1, 21}};

bool is_left(const std::string& name) { return name.starts_with("NPC L "); }

std::string mirrored(std::string name) {
  if (!is_left(name)) return name;
  name[4] = 'R';
  name[name.find('[') + 1] = 'R';
  return name;
}

std::size_t index_of(const Skeleton& skeleton, const std::string& name) {
  return static_cast<std::size_t>(find_bone(skeleton, name).value());
}

Skeleton make_biped() {
  Skeleton skeleton;
  skeleton.name = kBones[0].name;
  const auto add = [&](const std::string& name, const std::string& parent, const Vec3& place) {
    const std::int32_t above = find_bone(skeleton, parent).value_or(kNoBone);
    skeleton.bones.push_back({name, above, {place}, above > 0});
  };
  for (const auto& [name, parent, place] : kBones) {
    add(name, parent, place);
    if (is_left(name)) add(mirrored(name), mirrored(parent), place * Vec3(-1, 1, 1));
  }
  return skeleton;
}

Quat turn(Axis axis, float degrees) {
  Vec3 about(0.0f);
  about[axis] = 1.0f;
  return glm::angleAxis(degrees * std::numbers::pi_v<float> / 180.0f, about);
}

float wave(float cycles) { return std::cos(2.0f * std::numbers::pi_v<float> * cycles); }

/// Returns the part of a cycle that has passed since `start`.
float since(float start, float time) { return time - start - std::floor(time - start); }

/// Returns the value of a smooth curve through keys, which does not overshoot them. The last key is the first again.
float follow(std::span<const Key> keys, float time) {
  const std::size_t last = keys.size() - 1;
  const auto slope = [&](std::size_t i) {
    return (keys[i + 1].value - keys[i].value) / (keys[i + 1].time - keys[i].time);
  };
  const auto tangent = [&](std::size_t i) {
    const float before = slope((i + last - 1) % last), after = slope(i % last);
    return before * after <= 0.0f ? 0.0f : 2.0f * before * after / (before + after);
  };
  std::size_t i = 0;
  while (i + 1 < last && keys[i + 1].time <= time) ++i;
  const float length = keys[i + 1].time - keys[i].time, s = (time - keys[i].time) / length;
  return std::lerp(keys[i].value, keys[i + 1].value, s * s * (3.0f - 2.0f * s)) +
         length * s * (1.0f - s) * (tangent(i) * (1.0f - s) - tangent(i + 1) * s);
}

/// Turns all bones that have curves, and sways the body.
void pose_body(const Skeleton& skeleton, float time, std::span<Transform> pose) {
  const auto apply = [&](const std::string& name, Axis axis, float degrees) {
    Quat& rotation = pose[index_of(skeleton, name)].rotation;
    rotation = turn(axis, degrees) * rotation;
  };
  for (const auto& [name, axis, mean, swing, times, peak] : kCurves) {
    const auto angle = [&](float at) { return mean + swing * wave(static_cast<float>(times) * (at - peak)); };
    apply(name, axis, angle(time));
    if (is_left(name)) apply(mirrored(name), axis, angle(time + 0.5f) * (axis == X ? 1.0f : -1.0f));
  }
  // Over the foot that carries; highest as the other one passes it, lowest with both on the ground.
  pose[index_of(skeleton, "NPC COM [COM ]")].translation +=
      Vec3(1.6f * wave(time - 0.05f), 0.5f * wave(2.0f * (time - 0.18f)), -2.6f + 1.3f * wave(2.0f * (time - 0.54f)));
}

/// Where an ankle is, in the space of the moving root, and how its foot and toes are pitched.
struct Step {
  Vec3 ankle;
  float pitch, toes;
};

/// Returns the step of a foot, at a time since its heel came down. `outward`: how far it is from the middle.
Step step_at(float time, float outward) {
  const float back = kAhead - kStrideUnits * kLift;  // how far behind the ankle would be, were the foot still flat
  float ahead = kAhead - kStrideUnits * time, lift = 0.0f;
  if (time > kLift) {  // swings ahead: leaves at the speed of the ground, and is a little drawn back as it comes down
    const float part = 1.0f - kLift, s = (time - kLift) / part;
    const float speed = -kStrideUnits * part;
    ahead = std::lerp(back, kAhead, s * s * (3.0f - 2.0f * s)) + speed * s * (1.0f - s) * (1.0f - 1.3f * s);
    lift = 2.0f * (1.0f - wave(s));
  }
  const float pitch = follow(kPitch, time);
  // It rolls over the heel while the toes are up, over the ball while the heel is.
  const Vec3 pivot = pitch > 0.0f ? kHeel : kBall;
  const Vec3 flat(outward, ahead, kAnkle + lift);
  return {flat + pivot - turn(X, pitch) * pivot, pitch, std::max(0.0f, -pitch) * std::max(0.0f, 1.0f - 0.4f * lift)};
}

/// Bends a leg so that its ankle is where the step has it: two bones of known length, the knee ahead.
void pose_leg(const Skeleton& skeleton, const std::string& side, const Step& step, std::span<Transform> pose) {
  std::vector<Transform> model(pose.size());
  local_to_model(skeleton, pose, model);
  const std::size_t thigh = index_of(skeleton, "NPC " + side + " Thigh [" + side + "Thg]");
  const std::size_t calf = index_of(skeleton, "NPC " + side + " Calf [" + side + "Clf]");
  const std::size_t foot = index_of(skeleton, "NPC " + side + " Foot [" + side + "ft ]");
  const Vec3 reach = step.ankle - model[thigh].translation;
  const float length = std::min(glm::length(reach), 0.999f * (kThigh + kCalf));
  const auto corner = [&](float own, float other) {  // the angle between a bone and the line from hip to ankle
    const float cosine = (own * own + length * length - other * other) / (2.0f * own * length);
    return std::acos(cosine) * 180.0f / std::numbers::pi_v<float>;
  };
  const Vec3 up = -glm::normalize(reach), across = glm::normalize(Vec3(1, 0, 0) - up * up.x);
  const Quat leg = glm::quat_cast(glm::mat3(across, glm::cross(up, across), up));
  const Quat upper = leg * turn(X, corner(kThigh, kCalf)), lower = leg * turn(X, -corner(kCalf, kThigh));
  pose[thigh].rotation = glm::inverse(model[static_cast<std::size_t>(skeleton.bones[thigh].parent)].rotation) * upper;
  pose[calf].rotation = glm::inverse(upper) * lower;
  pose[foot].rotation = glm::inverse(lower) * turn(X, step.pitch);
  pose[index_of(skeleton, "NPC " + side + " Toe0 [" + side + "Toe]")].rotation = turn(X, step.toes);
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
    const float time = static_cast<float>(f) / static_cast<float>(kFrames - 1);
    std::vector<Transform> pose;
    for (const Bone& bone : skeleton.bones) pose.push_back(bone.rest);
    pose_body(skeleton, time, pose);
    pose_leg(skeleton, "L", step_at(since(0.25f, time), -4.5f), pose);
    pose_leg(skeleton, "R", step_at(since(0.75f, time), 4.5f), pose);
    clip.transforms.insert(clip.transforms.end(), pose.begin(), pose.end());
    motion.samples.push_back({0, kStrideUnits * time, 0, 0});
  }
  // The last frame is the first, to the last bit: a loop.
  std::copy_n(clip.transforms.begin(), skeleton.bones.size(), clip.transforms.end() - clip.track_count);
  clip.root_motion = motion;
  clip.annotation_tracks.resize(skeleton.bones.size());
  clip.annotation_tracks[0].annotations = {{0.25f, "FootLeft"}, {0.75f, "FootRight"}};
  return clip;
}

/// Writes a file for a game, reads it again and reports whether it came back the same.
template <class Read>
bool write_and_compare(const std::filesystem::path& path, Document document, Game game, Read&& read) {
  File file(std::move(document));
  const auto saved = save_file(file, path.string(), {.game = game});
  if (!saved) std::fprintf(stderr, "%s\n", describe(saved.error()).c_str());
  const auto again = saved ? load_file(path.string()) : Result<File>(std::unexpect);
  const bool same = again && read(again->document());
  std::printf("%s: %zu bytes, read back %s\n", path.string().c_str(), again ? again->document().byte_count : 0,
              same ? "the same" : "DIFFERENT");
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {  // a flag is not a folder to make
    std::fprintf(stderr, "usage: walk_cycle FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const Skeleton skeleton = make_biped();
  const Clip walk = make_walk(skeleton);
  Document clip_file{.format = Format::Hkx}, skeleton_file{.format = Format::Hkx};
  clip_file.clips.push_back({.name = "walk", .clip = walk, .as_frames = true});
  skeleton_file.skeletons.push_back({.skeleton = skeleton});
  bool same = true;
  for (const auto game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    const auto place = folder / to_string(game);
    same &= write_and_compare(place / "walk.hkx", clip_file, game,
                              [&](const Document& back) { return back.clips.at(0).clip == walk; });
    same &= write_and_compare(place / "characterassets" / "skeleton.hkx", skeleton_file, game,
                              [&](const Document& back) { return back.skeletons.at(0).skeleton == skeleton; });
  }
  return same ? 0 : 1;
}
