// SPDX-License-Identifier: MIT
#include "ops/retarget/bone_map.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include <glm/geometric.hpp>

#include "core/lines.h"
#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "ops/retarget/body_parts.h"

namespace marrow {
namespace {

// Returns the joints at rest in a body of size one whose lowest joint is on the ground, so that rigs can be compared.
std::vector<Vec3> body_places(const Skeleton& skeleton) {
  std::vector<Transform> pose(skeleton.bones.size());
  for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = skeleton.bones[i].rest;
  local_to_model(skeleton, pose, pose);
  float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
  for (std::size_t i = 0; i < pose.size(); ++i) {
    if (is_helper_name(skeleton.bones[i].name)) continue;
    low = std::min(low, pose[i].translation.z);
    high = std::max(high, pose[i].translation.z);
  }
  const float scale = high > low ? 1.0f / (high - low) : 1.0f;
  std::vector<Vec3> places;
  for (const Transform& joint : pose) places.push_back(scale * (joint.translation - Vec3(0, 0, low)));
  return places;
}

class Mapper {
 public:
  Mapper(const Skeleton& from, const Skeleton& to)
      : from_(from), to_(to), from_taken_(from.bones.size(), kNoBone), to_taken_(to.bones.size(), kNoBone) {}

  BoneMap map() {
    const BodyParts from_parts = find_parts(from_), to_parts = find_parts(to_);
    // Between two rigs that are known, one name may be two parts: what the name means comes first.
    const bool two_namings = from_parts.naming && to_parts.naming && from_parts.naming != to_parts.naming;
    if (two_namings) by_part(from_parts, to_parts, MapReason::Known);
    by_name();
    by_part(from_parts, to_parts, MapReason::Known);
    // Where names end, bodies alike have their bones in the same places, and others the same structure.
    Mapper by_structure = *this;
    by_structure.by_part(from_parts, to_parts, MapReason::Guessed);
    by_structure.by_place();
    by_place();
    if (by_structure.map_.bones.size() > map_.bones.size()) map_ = std::move(by_structure.map_);
    std::ranges::sort(map_.bones, {}, &MappedBone::to);
    return std::move(map_);
  }

 private:
  void add(std::size_t from, std::size_t to, MapReason reason) {
    from_taken_[from] = static_cast<std::int32_t>(to);
    to_taken_[to] = static_cast<std::int32_t>(from);
    map_.bones.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), reason});
  }

  template <class Key>
  void by_key(MapReason reason, Key key) {
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < from_.bones.size(); ++i)
      if (std::string k = key(from_, i); from_taken_[i] == kNoBone && !k.empty()) known.try_emplace(std::move(k), i);
    for (std::size_t i = 0; i < to_.bones.size(); ++i) {
      const auto found = to_taken_[i] == kNoBone ? known.find(key(to_, i)) : known.end();
      if (found != known.end() && from_taken_[found->second] == kNoBone) add(found->second, i, reason);
    }
  }

  void by_name() {
    by_key(MapReason::Name,
           [](const Skeleton& skeleton, std::size_t bone) { return to_lower(skeleton.bones[bone].name); });
  }

  // Parts that only the structure of a body gives count if `reason` is a guess.
  void by_part(const BodyParts& from_parts, const BodyParts& to_parts, MapReason reason) {
    by_key(reason, [&](const Skeleton& skeleton, std::size_t bone) {
      const BodyParts& body = &skeleton == &from_ ? from_parts : to_parts;
      const auto part = reason == MapReason::Known && body.is_guessed[bone] ? std::nullopt : body.parts[bone];
      return part ? std::to_string(*part) : std::string();
    });
  }

  // True if the bones that are mapped stand on opposite sides.
  bool faces_other_way(const std::vector<Vec3>& from_places, const std::vector<Vec3>& to_places) const {
    float alike = 0.0f;
    for (const MappedBone& bone : map_.bones)
      alike += from_places[static_cast<std::size_t>(bone.from)].x * to_places[static_cast<std::size_t>(bone.to)].x;
    return alike < 0.0f;
  }

  // Maps a bone below a mapped one if a bone below its partner is in the same place. Parents come first, so a whole
  // limb follows once it has begun.
  void by_place() {
    constexpr float kNear = 0.06f;  // share of the body's height
    std::vector<Vec3> from_places = body_places(from_);
    const std::vector<Vec3> to_places = body_places(to_);
    if (faces_other_way(from_places, to_places))
      for (Vec3& place : from_places) place = Vec3(-place.x, -place.y, place.z);
    for (std::size_t i = 0; i < to_.bones.size(); ++i) {
      if (to_taken_[i] != kNoBone || is_helper_name(to_.bones[i].name)) continue;
      const std::int32_t parent = to_.bones[i].parent;
      const std::int32_t partner = parent == kNoBone ? kNoBone : to_taken_[static_cast<std::size_t>(parent)];
      if (parent != kNoBone && partner == kNoBone) continue;
      std::size_t best = from_.bones.size();
      float best_distance = kNear;
      for (std::size_t k = 0; k < from_.bones.size(); ++k) {
        if (from_taken_[k] != kNoBone || from_.bones[k].parent != partner || is_helper_name(from_.bones[k].name))
          continue;
        const float distance = glm::length(from_places[k] - to_places[i]);
        if (distance < best_distance) {
          best = k;
          best_distance = distance;
        }
      }
      if (best < from_.bones.size()) add(best, i, MapReason::Guessed);
    }
  }

  const Skeleton& from_;
  const Skeleton& to_;
  std::vector<std::int32_t> from_taken_, to_taken_;
  BoneMap map_;
};

std::string nearest_bone(const Skeleton& skeleton, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Bone& bone : skeleton.bones) names.push_back(bone.name);
  return did_you_mean(name, names);
}

}  // namespace

std::string_view to_string(MapReason reason) {
  switch (reason) {
    case MapReason::Name: return "name";
    case MapReason::Known: return "known";
    case MapReason::Guessed: return "guessed";
    case MapReason::Given: return "given";
  }
  return "name";
}

std::optional<std::int32_t> BoneMap::from_of(std::int32_t to) const {
  const auto found = std::ranges::find(bones, to, &MappedBone::to);
  if (found == bones.end()) return std::nullopt;
  return found->from;
}

BoneMap map_bones(const Skeleton& from, const Skeleton& to) { return Mapper(from, to).map(); }

std::string write_bone_map(const BoneMap& map, const Skeleton& from, const Skeleton& to) {
  std::string out = "# bone of the source = bone of the target; \"NAME = -\" leaves a bone out\n";
  std::vector<bool> used(from.bones.size(), false);
  for (const MappedBone& bone : map.bones) {
    used[static_cast<std::size_t>(bone.from)] = true;
    out +=
        from.bones[static_cast<std::size_t>(bone.from)].name + " = " + to.bones[static_cast<std::size_t>(bone.to)].name;
    if (bone.reason == MapReason::Guessed) out += "  # guessed";
    out += '\n';
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) out += from.bones[i].name + " = -\n";
  return out;
}

Result<BoneMap> read_bone_map(std::string_view text, const Skeleton& from, const Skeleton& to,
                              const BoneMap& automatic) {
  BoneMap map = automatic;
  for (const auto& [whole_line, offset, number] : Lines(text)) {
    std::string_view line = trim(whole_line);
    if (line.starts_with('#') || line.empty()) continue;
    if (const std::size_t comment = line.find("  #"); comment != std::string_view::npos)
      line = trim(line.substr(0, comment));
    const std::string path = "line " + std::to_string(number);
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) return fail(ErrorCode::Malformed, "a line must be NAME = NAME", offset, path);
    const std::string_view source = trim(line.substr(0, equals)), target = trim(line.substr(equals + 3));
    const auto source_bone = find_bone(from, source);
    if (!source_bone)
      return fail(ErrorCode::NotFound,
                  "the source has no bone \"" + std::string(source) + "\"" + nearest_bone(from, source), offset, path);
    std::erase_if(map.bones, [&](const MappedBone& bone) { return bone.from == *source_bone; });
    if (target == "-") continue;
    const auto target_bone = find_bone(to, target);
    if (!target_bone)
      return fail(ErrorCode::NotFound,
                  "the target has no bone \"" + std::string(target) + "\"" + nearest_bone(to, target), offset, path);
    std::erase_if(map.bones, [&](const MappedBone& bone) { return bone.to == *target_bone; });
    map.bones.push_back({*source_bone, *target_bone, MapReason::Given});
  }
  std::ranges::sort(map.bones, {}, &MappedBone::to);
  return map;
}

}  // namespace marrow
