// SPDX-License-Identifier: MIT
#include "ops/retarget/structure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <glm/geometric.hpp>

#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "model/named_bone.h"
#include "motion/edit/mirror.h"

namespace marrow {
namespace {

using Chain = std::vector<std::size_t>;  // of bones, from the body outwards

constexpr float kOnGround = 0.12f;  // the highest that the last joint of a leg stands, as a share of the body's height
// Shares of the size of the body, its height or its length.
constexpr float kShortestLimb = 0.15f;  // ears and fingers are shorter
constexpr float kNearImage = 0.02f;     // how far from its mirror image a partner without a name may be

enum class Side : std::uint8_t { None, Left, Right };

// Returns the side that a name states: `NPC L Thigh`, `hand.left`, `thigh_l`, `lThigh`.
Side side_of(std::string_view name) {
  const auto side = [](char c) { return c == 'l' || c == 'L' ? Side::Left : Side::Right; };
  if (const std::string other = other_side(name); !other.empty()) return side(*std::ranges::mismatch(name, other).in1);
  const auto is_side = [](char c) { return c == 'l' || c == 'r' || c == 'L' || c == 'R'; };
  const auto parts = [](char c) { return c == '_' || c == '.' || c == '-' || c == ' '; };
  if (name.size() < 3) return Side::None;
  if (is_side(name.back()) && parts(name[name.size() - 2])) return side(name.back());
  const bool begins = parts(name[1]) || (name[0] >= 'a' && name[1] >= 'A' && name[1] <= 'Z');
  return is_side(name[0]) && begins ? side(name[0]) : Side::None;
}

class RestingBody {
 public:
  explicit RestingBody(const Skeleton& skeleton)
      : bones_(skeleton.bones), children_(bones_.size()), reach_(bones_.size()) {
    std::vector<Transform> pose;
    for (const Bone& bone : bones_) pose.push_back(bone.rest);
    local_to_model(skeleton, pose, pose);
    Vec3 low(std::numeric_limits<float>::max()), high(std::numeric_limits<float>::lowest());
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      places_.push_back(pose[i].translation);
      if (is_helper_name(bones_[i].name)) continue;
      low = glm::min(low, places_[i]);
      high = glm::max(high, places_[i]);
      if (bones_[i].parent != kNoBone) children_[static_cast<std::size_t>(bones_[i].parent)].push_back(i);
    }
    floor_ = low.z;
    height_ = high.z - low.z;
    size_ = std::max(height_, high.y - low.y);
    find_partners(skeleton);
    // Parents come before their children, so that the last bone is a leaf.
    for (std::size_t i = bones_.size(); i-- > 0;)
      for (const std::size_t child : children_[i]) reach_[i] = std::max(reach_[i], reach_[child] + length(i, child));
  }

  float length(std::size_t a, std::size_t b) const { return glm::length(places_[a] - places_[b]); }
  const Vec3& place(std::size_t bone) const { return places_[bone]; }
  float size() const { return size_; }
  bool is_low(std::size_t bone) const { return places_[bone].z < floor_ + kOnGround * height_; }
  bool is_sided(std::size_t bone) const { return partner_[bone] != bone; }
  std::size_t partner(std::size_t bone) const { return partner_[bone]; }
  const Chain& children(std::size_t bone) const { return children_[bone]; }

  /// Returns how many pairs have the bone that is named for the left where X is smaller, less those that have it where
  /// X is larger.
  int named_sides() const {
    int count = 0;
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      const std::size_t k = partner_[i];
      if (k <= i || places_[i].x == places_[k].x) continue;
      const Side a = side_of(bones_[i].name), b = side_of(bones_[k].name);
      if (a == Side::None || b == Side::None || a == b) continue;
      count += (a == Side::Left) == (places_[i].x < places_[k].x) ? 1 : -1;
    }
    return count;
  }
  std::size_t bone_count() const { return bones_.size(); }

  std::optional<std::size_t> parent(std::size_t bone) const {
    const std::int32_t up = bones_[bone].parent;
    return up == kNoBone ? std::nullopt : std::optional(static_cast<std::size_t>(up));
  }

  /// Returns the way from a bone to its farthest leaf that `may_enter` allows.
  template <class Test>
  Chain longest_way(std::size_t from, Test may_enter) const {
    Chain way = {from};
    for (;;) {
      std::optional<std::size_t> best;
      for (const std::size_t child : children_[way.back()])
        if (may_enter(child) &&
            (!best || reach_[child] + length(way.back(), child) > reach_[*best] + length(way.back(), *best)))
          best = child;
      if (!best) return way;
      way.push_back(*best);
    }
  }

  std::size_t depth(std::size_t bone) const {
    std::size_t count = 0;
    for (auto up = parent(bone); up; up = parent(*up)) ++count;
    return count;
  }

  Chain ancestors(std::size_t bone) const {
    Chain above = {bone};
    for (auto up = parent(bone); up; up = parent(*up)) above.push_back(*up);
    return above;
  }

 private:
  void find_partners(const Skeleton& skeleton) {
    const motion::MirrorMap map = motion::mirror_by_names(skeleton);
    for (const std::int32_t partner : map.partner) partner_.push_back(static_cast<std::size_t>(partner));
    const auto image = [&](std::size_t bone) { return Vec3(-places_[bone].x, places_[bone].y, places_[bone].z); };
    constexpr std::size_t kMostBones = 2000;  // pairs by place are looked for among all
    for (std::size_t i = 0; i < bones_.size() && bones_.size() <= kMostBones; ++i) {
      if (partner_[i] != i || std::abs(places_[i].x) < kNearImage * size_) continue;
      for (std::size_t k = i + 1; k < bones_.size(); ++k)
        if (partner_[k] == k && children_[i].size() == children_[k].size() &&
            glm::length(image(i) - places_[k]) < kNearImage * size_) {
          partner_[i] = k;
          partner_[k] = i;
          break;
        }
    }
    // Bones that carry a pair are one, too, however near to the middle they begin.
    for (std::size_t i = bones_.size(); i-- > 0;) {
      const auto a = parent(i), b = parent(partner_[i]);
      if (partner_[i] == i || !a || !b || *a == *b || partner_[*a] != *a || partner_[*b] != *b) continue;
      partner_[*a] = *b;
      partner_[*b] = *a;
    }
  }

  const std::vector<Bone>& bones_;
  std::vector<Vec3> places_;
  std::vector<Chain> children_;
  std::vector<float> reach_;  // to the farthest leaf below
  std::vector<std::size_t> partner_;
  float floor_ = 0.0f, height_ = 0.0f, size_ = 0.0f;
};

struct LimbPair {
  Chain left;
  std::size_t attached = 0;  // the bone in the middle that carries it
  float length = 0.0f;
  bool is_grounded = false;
};

class StructureFinder {
 public:
  StructureFinder(const Skeleton& skeleton, BodyParts& parts) : shape_(skeleton), parts_(parts) {}

  void run() {
    const int named = shape_.named_sides();
    left_is_low_x_ = named >= 0;
    find_limbs();
    const LimbPair* legs = hind_legs();
    // Nothing says which side is left: toes show where the body faces, as the games' do along +Y.
    if (legs && named == 0 && toes_of(*legs) < 0.0f) {
      left_is_low_x_ = false;
      limbs_.clear();
      find_limbs();
      legs = hind_legs();
    }
    if (!legs) return;
    const LimbPair* arms = arms_of(*legs);
    name_leg(*legs);
    if (arms) name_arm(*arms);
    name_middle(*legs, arms);
  }

 private:
  void find_limbs() {
    for (std::size_t i = 0; i < shape_.bone_count(); ++i) {
      const auto up = shape_.parent(i);
      if (!shape_.is_sided(i) || !up || shape_.is_sided(*up) || !is_left(i)) continue;
      LimbPair limb{.left = shape_.longest_way(i, [](std::size_t) { return true; }), .attached = *up};
      for (std::size_t k = 0; k + 1 < limb.left.size(); ++k)
        limb.length += shape_.length(limb.left[k], limb.left[k + 1]);
      limb.is_grounded = std::ranges::any_of(limb.left, [&](std::size_t bone) { return shape_.is_low(bone); });
      if (limb.left.size() >= 3 && limb.length > kShortestLimb * shape_.size()) limbs_.push_back(std::move(limb));
    }
  }

  bool is_left(std::size_t bone) const {
    return (shape_.place(bone).x < shape_.place(shape_.partner(bone)).x) == left_is_low_x_;
  }

  // Returns how far a leg reaches beyond its ankle along Y; 0 if that is too short to be a foot.
  float toes_of(const LimbPair& leg) const {
    constexpr float kFoot = 0.02f;  // share of the size of the body
    const auto ankle = std::ranges::find_if(leg.left, [&](std::size_t bone) { return shape_.is_low(bone); });
    const float way = shape_.place(leg.left.back()).y - shape_.place(*ankle).y;
    return std::abs(way) > kFoot * shape_.size() ? way : 0.0f;
  }

  // Of the pairs that stand on the ground, the one that is attached nearest to the root.
  const LimbPair* hind_legs() const {
    const LimbPair* best = nullptr;
    for (const LimbPair& limb : limbs_)
      if (limb.is_grounded && (!best || shape_.depth(limb.attached) < shape_.depth(best->attached))) best = &limb;
    return best;
  }

  // Of the other pairs, forelegs before arms, the longest.
  const LimbPair* arms_of(const LimbPair& legs) const {
    const LimbPair* best = nullptr;
    for (const LimbPair& limb : limbs_)
      if (&limb != &legs && limb.attached != legs.attached &&
          (!best || std::pair(limb.is_grounded, limb.length) > std::pair(best->is_grounded, best->length)))
        best = &limb;
    return best;
  }

  // The joint nearest to the middle of a way, ends left out.
  std::optional<std::size_t> middle(std::span<const std::size_t> way) const {
    float whole = 0.0f;
    for (std::size_t i = 0; i + 1 < way.size(); ++i) whole += shape_.length(way[i], way[i + 1]);
    std::optional<std::size_t> best;
    float at = 0.0f, least = whole;
    for (std::size_t i = 1; i + 1 < way.size(); ++i) {
      at += shape_.length(way[i - 1], way[i]);
      if (const float off = std::abs(at - 0.5f * whole); off < least) {
        least = off;
        best = i;
      }
    }
    return best;
  }

  void set(std::size_t bone, const std::string& part) {
    const auto known = part_named(part);
    if (!known || parts_.parts[bone] || std::ranges::find(parts_.parts, known) != parts_.parts.end()) return;
    parts_.parts[bone] = known;
    parts_.is_guessed[bone] = true;
  }

  void set_pair(std::size_t left, const std::string& part) {
    set(left, part + "L");
    set(shape_.partner(left), part + "R");
  }

  void name_leg(const LimbPair& limb) {
    const auto foot = std::ranges::find_if(limb.left, [&](std::size_t bone) { return shape_.is_low(bone); });
    const auto end = static_cast<std::size_t>(foot - limb.left.begin());
    if (end < 2 || end >= limb.left.size()) return;
    const std::span<const std::size_t> way(limb.left.data(), end + 1);
    const auto calf = middle(way);
    if (!calf) return;
    set_pair(way.front(), "thigh");
    set_pair(way[*calf], "calf");
    set_pair(way.back(), "foot");
    if (end + 1 < limb.left.size()) set_pair(limb.left[end + 1], "toe");
  }

  // An arm ends where fingers begin, a foreleg on the ground.
  void name_arm(const LimbPair& limb) {
    std::size_t end = limb.left.size() - 1;
    for (std::size_t i = 2; i < limb.left.size(); ++i)
      if (limb.is_grounded ? shape_.is_low(limb.left[i]) : shape_.children(limb.left[i]).size() > 1) {
        end = i;
        break;
      }
    // What comes before upper arm and forearm is a collarbone or a shoulder blade.
    const std::size_t start = end >= 3 ? 1 : 0;
    const std::span<const std::size_t> way(limb.left.data() + start, end - start + 1);
    const auto forearm = middle(way);
    if (!forearm) return;
    if (start > 0) set_pair(limb.left.front(), "clavicle");
    set_pair(way.front(), "upperarm");
    set_pair(way[*forearm], "forearm");
    set_pair(way.back(), "hand");
  }

  void name_middle(const LimbPair& legs, const LimbPair* arms) {
    const Chain to_legs = shape_.ancestors(legs.attached);
    const Chain to_arms = arms ? shape_.ancestors(arms->attached) : Chain{};
    const auto hips = std::ranges::find_first_of(to_arms, to_legs);
    const std::size_t centre = hips == to_arms.end() ? legs.attached : *hips;
    if (shape_.parent(centre)) set(shape_.ancestors(centre).back(), "root");
    set(centre, "hips");
    if (legs.attached != centre) set(legs.attached, "pelvis");
    const auto is_middle = [&](std::size_t bone) { return !shape_.is_sided(bone); };
    if (arms && centre != arms->attached) {
      Chain spine(to_arms.begin(), hips);  // from the arms downwards
      std::ranges::reverse(spine);
      set(spine.back(), "spine2");
      set(spine.front(), "spine");
      set(spine[spine.size() / 2], "spine1");
      name_neck(shape_.longest_way(spine.back(), is_middle));
    }
    name_tail(legs.attached, is_middle, to_arms);
  }

  // The head carries what comes in pairs, or is the last.
  void name_neck(const Chain& way) {
    if (way.size() < 2) return;
    std::size_t head = way.size() - 1;
    for (std::size_t i = 1; i < way.size(); ++i)
      if (std::ranges::any_of(shape_.children(way[i]), [&](std::size_t child) { return shape_.is_sided(child); })) {
        head = i;
        break;
      }
    set(way[head], "head");
    if (head > 1) set(way[1], "neck");
  }

  template <class Test>
  void name_tail(std::size_t from, Test is_middle, const Chain& to_arms) {
    const auto is_tail = [&](std::size_t bone) {
      return is_middle(bone) && std::ranges::find(to_arms, bone) == to_arms.end();
    };
    const Chain way = shape_.longest_way(from, is_tail);
    constexpr std::size_t kShortest = 3, kMost = 6;
    for (std::size_t i = 1; way.size() > kShortest && i < way.size() && i <= kMost; ++i)
      set(way[i], "tail" + std::to_string(i));
  }

  RestingBody shape_;
  BodyParts& parts_;
  std::vector<LimbPair> limbs_;
  bool left_is_low_x_ = true;  // as of a body that faces +Y
};

}  // namespace

void add_parts_by_structure(const Skeleton& skeleton, BodyParts& parts) {
  const auto has = [&](const char* name) {
    return std::ranges::find(parts.parts, part_named(name)) != parts.parts.end();
  };
  bool is_complete = true;
  for (const char* name : {"thighL", "thighR", "calfL", "calfR", "footL", "footR", "upperarmL", "upperarmR", "forearmL",
                           "forearmR", "handL", "handR"})
    is_complete = is_complete && has(name);
  if (!is_complete && !skeleton.bones.empty()) StructureFinder(skeleton, parts).run();
}

}  // namespace marrow
