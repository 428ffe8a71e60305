// SPDX-License-Identifier: MIT
// Finds the bones on the other side by what the skeleton itself says: two names that differ only by L for R, and two
// places that are each other's mirror image in the rest pose.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <string>
#include <vector>

#include "marrow/model/pose.h"
#include "model/named_bone.h"
#include "motion/edit/mirror.h"

namespace marrow::motion {
namespace {

// Shares of the size of the skeleton: how far from the mirror image a partner may lie before it counts as a guess, and
// how far from the middle a bone without a partner.
constexpr float kOffImage = 0.05f;
constexpr float kOffMiddle = 0.05f;

// The name with what could say a side blotted out. Partners have the same.
std::string blotted(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (c == 'L' || c == 'R')
      c = '\1';
    else if (c == 'l' || c == 'r')
      c = '\2';
  return out;
}

bool is_left(char c) { return c == 'L' || c == 'l'; }

// True if names of the same blot differ in one direction throughout: all left here and all right there, or the reverse.
bool differ_by_side(std::string_view a, std::string_view b) {
  bool to_right = false, to_left = false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) (is_left(a[i]) ? to_right : to_left) = true;
  return to_right != to_left;
}

class Pairing {
 public:
  explicit Pairing(const Skeleton& skeleton) : bones_(skeleton.bones), places_(skeleton.bones.size()) {
    std::vector<Transform> rest;
    for (const Bone& bone : bones_) rest.push_back(bone.rest);
    std::vector<Transform> model(bones_.size());
    local_to_model(skeleton, rest, model);
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      places_[i] = model[i].translation;
      size_ = std::max(size_, glm::length(places_[i] - places_[0]));
      by_name_.emplace(bones_[i].name, i);
      by_blot_[blotted(bones_[i].name)].push_back(i);
    }
  }

  MirrorMap run() const {
    std::vector<std::size_t> choice(bones_.size());
    for (std::size_t i = 0; i < bones_.size(); ++i) choice[i] = nearest_candidate(i);
    MirrorMap map;
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      // A pair counts only if it holds both ways.
      const bool is_paired = choice[choice[i]] == i;
      const std::size_t partner = is_paired ? choice[i] : i;
      map.partner.push_back(static_cast<std::int32_t>(partner));
      const bool has_partner = partner != i;
      const float off = has_partner ? distance(i, partner) : std::abs(places_[i].x);
      if (off > (has_partner ? kOffImage : kOffMiddle) * size_) map.unsure.push_back(static_cast<std::int32_t>(i));
    }
    return map;
  }

 private:
  // Of the bones whose names fit, the one nearest to the mirror image; itself if there is none.
  std::size_t nearest_candidate(std::size_t bone) const {
    std::size_t best = bone;
    const auto offer = [&](std::size_t candidate) {
      if (candidate != bone && (best == bone || distance(bone, candidate) < distance(bone, best))) best = candidate;
    };
    if (const auto found = by_name_.find(other_side(bones_[bone].name)); found != by_name_.end()) offer(found->second);
    const std::vector<std::size_t>& alike = by_blot_.at(blotted(bones_[bone].name));
    if (alike.size() <= kMostAlike)
      for (const std::size_t candidate : alike)
        if (differ_by_side(bones_[bone].name, bones_[candidate].name)) offer(candidate);
    return best;
  }

  // From the mirror image of one bone to another.
  float distance(std::size_t bone, std::size_t other) const {
    return glm::length(Vec3(-places_[bone].x, places_[bone].y, places_[bone].z) - places_[other]);
  }

  // Names are the file's: many that are alike but for L and R must not take quadratic time.
  static constexpr std::size_t kMostAlike = 64;

  const std::vector<Bone>& bones_;
  std::vector<Vec3> places_;
  float size_ = 0.0f;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<std::string, std::vector<std::size_t>> by_blot_;
};

}  // namespace

MirrorMap mirror_by_names(const Skeleton& skeleton) {
  return skeleton.bones.empty() ? MirrorMap{} : Pairing(skeleton).run();
}

}  // namespace marrow::motion
