// SPDX-License-Identifier: MIT
#include "model/conform.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>

#include <glm/geometric.hpp>

#include "marrow/model/pose.h"

namespace marrow {
namespace {

// Joints closer than this, as a share of the skeleton's size, are the same.
constexpr float kSamePlace = 2e-3f;
// If fewer joints than this agree, it is another rest pose, not another notation.
constexpr float kEnoughAgree = 0.8f;
// Axes rotated by less are rounding; values then pass unchanged, bit for bit.
constexpr float kSameAxesDegrees = 0.01f;

std::vector<Transform> rest_in_model(const Skeleton& skeleton) {
  std::vector<Transform> pose(skeleton.bones.size());
  for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = skeleton.bones[i].rest;
  local_to_model(skeleton, pose, pose);
  return pose;
}

struct Similarity {
  Quat turn = make_quat(0, 0, 0, 1);
  float scale = 1.0f;
  Vec3 shift{0.0f};

  Vec3 operator()(const Vec3& p) const { return shift + turn * (scale * p); }
};

using Pairs = std::vector<std::pair<Vec3, Vec3>>;  // joints of the source and the target

bool agrees(const Similarity& similarity, const Pairs& pairs, float size) {
  const auto near = std::ranges::count_if(
      pairs, [&](const auto& pair) { return glm::length(similarity(pair.first) - pair.second) <= kSamePlace * size; });
  return !pairs.empty() && static_cast<float>(near) >= kEnoughAgree * static_cast<float>(pairs.size());
}

// Returns the 24 rotations that map axes to axes.
std::vector<Quat> right_angle_turns() {
  constexpr float kHalf = 0.70710678118654752f;
  const Quat about_x = make_quat(kHalf, 0, 0, kHalf), about_y = make_quat(0, kHalf, 0, kHalf),
             about_z = make_quat(0, 0, kHalf, kHalf), none = make_quat(0, 0, 0, 1);
  const Quat faces[] = {
      none, about_x, about_x * about_x, about_x * about_x * about_x, about_y, about_y * about_y * about_y};
  std::vector<Quat> turns;
  for (const Quat& face : faces) {
    Quat turn = face;
    for (int i = 0; i < 4; ++i, turn = turn * about_z) turns.push_back(glm::normalize(turn));
  }
  return turns;
}

// Returns how far joints are from their centre, and that centre.
std::pair<float, Vec3> spread(const Pairs& pairs, Vec3 std::pair<Vec3, Vec3>::* side) {
  Vec3 middle(0.0f);
  for (const auto& pair : pairs) middle += pair.*side;
  middle /= static_cast<float>(std::max<std::size_t>(pairs.size(), 1));
  float sum = 0.0f;
  for (const auto& pair : pairs) sum += glm::length(pair.*side - middle);
  return {sum, middle};
}

Similarity find_similarity(const Pairs& pairs, float size, const Transform& guess, bool& found) {
  const Similarity guessed{guess.rotation, guess.scale.x, guess.translation};
  found = true;
  if (agrees({}, pairs, size)) return {};
  if (agrees(guessed, pairs, size)) return guessed;
  const auto [source_spread, source_middle] = spread(pairs, &std::pair<Vec3, Vec3>::first);
  const auto [target_spread, target_middle] = spread(pairs, &std::pair<Vec3, Vec3>::second);
  if (source_spread > 0.0f && target_spread > 0.0f) {
    const float scale = target_spread / source_spread;
    for (const Quat& turn : right_angle_turns()) {
      const Similarity candidate{turn, scale, target_middle - turn * (scale * source_middle)};
      if (agrees(candidate, pairs, size)) return candidate;
    }
  }
  found = false;
  return guessed;
}

// A name without what exporters change: case, blanks, underscores and a namespace before a colon.
std::string loose_name(std::string_view name) {
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  std::string out;
  for (const char c : name)
    if (c != ' ' && c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Returns the bone of the source for each of the target: the one of the very name, else one of a name that is alike and
// that no other bone has.
std::vector<std::optional<std::size_t>> matched_by_name(const Skeleton& source, const Skeleton& target) {
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < source.bones.size(); ++i) by_name.try_emplace(source.bones[i].name, i);
  std::vector<std::optional<std::size_t>> matched(target.bones.size());
  std::vector<bool> is_taken(source.bones.size());
  for (std::size_t i = 0; i < target.bones.size(); ++i)
    if (const auto found = by_name.find(target.bones[i].name); found != by_name.end()) {
      matched[i] = found->second;
      is_taken[found->second] = true;
    }
  std::unordered_map<std::string, std::size_t> by_loose_name;
  for (std::size_t i = 0; i < source.bones.size(); ++i)
    if (!is_taken[i]) by_loose_name.try_emplace(loose_name(source.bones[i].name), i);
  for (std::size_t i = 0; i < target.bones.size(); ++i) {
    if (matched[i]) continue;
    const auto found = by_loose_name.find(loose_name(target.bones[i].name));
    if (found == by_loose_name.end() || is_taken[found->second]) continue;
    matched[i] = found->second;
    is_taken[found->second] = true;
  }
  return matched;
}

bool same_axes(const Quat& q) { return angle_degrees(q, make_quat(0, 0, 0, 1)) < kSameAxesDegrees; }

}  // namespace

bool same_parent(const Conform& conform, const Skeleton& source, const Skeleton& target, std::size_t bone) {
  const std::int32_t theirs = source.bones[*conform.source[bone]].parent, ours = target.bones[bone].parent;
  if (theirs == kNoBone || ours == kNoBone) return theirs == ours;
  const auto parent = conform.source[static_cast<std::size_t>(ours)];
  return parent && *parent == static_cast<std::size_t>(theirs);
}

float skeleton_size(const Skeleton& skeleton) {
  Vec3 low(0.0f), high(0.0f);
  for (const Transform& joint : rest_in_model(skeleton)) {
    low = glm::min(low, joint.translation);
    high = glm::max(high, joint.translation);
  }
  return std::max(glm::length(high - low), 1e-6f);
}

Conform make_conform(const Skeleton& source, const Skeleton& target, const Transform& guess) {
  Conform out;
  const std::vector<Transform> source_rest = rest_in_model(source), target_rest = rest_in_model(target);
  Pairs pairs;
  out.source = matched_by_name(source, target);
  for (std::size_t i = 0; i < target.bones.size(); ++i)
    if (out.source[i]) pairs.emplace_back(source_rest[*out.source[i]].translation, target_rest[i].translation);
  const Similarity similarity = find_similarity(pairs, skeleton_size(target), guess, out.agrees);
  out.turn = similarity.turn;
  out.scale = similarity.scale;
  out.shift = similarity.shift;
  out.axes.assign(target.bones.size(), make_quat(0, 0, 0, 1));
  for (std::size_t i = 0; i < target.bones.size() && out.agrees; ++i) {
    if (!out.source[i]) continue;
    const Quat axes = glm::conjugate(out.turn * source_rest[*out.source[i]].rotation) * target_rest[i].rotation;
    if (!same_axes(axes)) out.axes[i] = glm::normalize(axes);
  }
  out.through.assign(target.bones.size(), false);
  const bool same_space = same_axes(out.turn) && out.shift == Vec3(0.0f);
  for (std::size_t i = 0; i < target.bones.size(); ++i) {
    if (!out.source[i] || !same_parent(out, source, target, i) || !same_axes(out.axes[i])) continue;
    const std::int32_t parent = target.bones[i].parent;
    out.through[i] = parent == kNoBone ? same_space : same_axes(out.axes[static_cast<std::size_t>(parent)]);
  }
  return out;
}

void apply_conform(const Conform& conform, const Skeleton& source, const Skeleton& target,
                   std::span<const Transform> source_local, std::span<Transform> target_local) {
  std::vector<Transform> source_model(source_local.begin(), source_local.end());
  for (std::size_t i = 0; i < source_model.size(); ++i) {
    Transform& t = source_model[i];
    t.translation *= conform.scale;
    if (source.bones[i].parent != kNoBone) continue;
    t.translation = conform.shift + conform.turn * t.translation;
    t.rotation = conform.turn * t.rotation;
  }
  local_to_model(source, source_model, source_model);

  std::vector<Transform> model(target.bones.size());
  for (std::size_t i = 0; i < target.bones.size(); ++i) {
    const std::int32_t parent = target.bones[i].parent;
    const auto above = parent == kNoBone ? Transform{} : model[static_cast<std::size_t>(parent)];
    if (!conform.source[i]) {
      target_local[i] = target.bones[i].rest;
      model[i] = above * target_local[i];
      continue;
    }
    model[i] = source_model[*conform.source[i]];
    model[i].rotation = glm::normalize(model[i].rotation * conform.axes[i]);
    if (conform.through[i]) {
      target_local[i] = source_local[*conform.source[i]];
      if (conform.scale != 1.0f) target_local[i].translation *= conform.scale;
    } else {
      target_local[i] = inverse(above) * model[i];
      target_local[i].rotation = glm::normalize(target_local[i].rotation);
    }
  }
}

}  // namespace marrow
