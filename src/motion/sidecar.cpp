// SPDX-License-Identifier: MIT
#include "marrow/motion/sidecar.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/motion/compiled_rig.h"
#include "model/modifier_faults.h"
#include "model/modifiers_fields.h"
#include "model/named_bone.h"
#include "motion/json_fields.h"
#include "motion/math.h"
#include "motion/sidecar_colliders.h"

namespace marrow::motion {
namespace {

constexpr std::array<std::string_view, 7> kKeys = {"modifiers",       "priority", "bone_axis", "colliders",
                                                   "metres_per_unit", "ground",   "comment"};
constexpr std::array<std::string_view, 8> kEntryKeys = {"bone",      "chain", "to",      "type",
                                                        "bone_axis", "hang",  "comment", "id"};

// A bone that an entry applies to, and its position along the chain.
struct Placed {
  std::int32_t bone;
  double along;
};

class Reader {
 public:
  Reader(Rig& rig, std::span<const std::string> bones) : rig_(rig), named_(bones) {}

  Result<void> read(const Json& root) {
    if (!root.is_object()) return fail(ErrorCode::Malformed, "expected an object with a list named 'modifiers'");
    // The modifiers need it, wherever it stands.
    if (const Json* axis = root.find("bone_axis")) {
      MARROW_TRY(turns_, directions(*axis));
    }
    for (const auto& [key, value] : root.members()) {
      if (key == "metres_per_unit") {
        if (!value.is_number() || !(value.number() > 0.0))
          return fail(ErrorCode::Malformed, "expected a positive number", kNoOffset, key);
        rig_.metres_per_unit = value.number();
      } else if (key == "priority") {
        MARROW_CHECK(priorities(value));
      } else if (key == "modifiers") {
        if (!value.is_array()) return fail(ErrorCode::Malformed, "expected a list", kNoOffset, key);
        for (std::size_t i = 0; i < value.size(); ++i)
          MARROW_CHECK(entry(value.items()[i], "modifiers[" + std::to_string(i) + "]"));
      } else if (key == "colliders") {
        MARROW_CHECK(read_colliders(value, rig_));
      } else if (key == "ground") {
        if (!value.is_number()) return fail(ErrorCode::Malformed, "expected a height in metres", kNoOffset, key);
        rig_.ground = static_cast<float>(value.number());
      } else if (key != "bone_axis" && key != "comment") {
        return fail(ErrorCode::NotFound, "unknown key" + known_instead(key, kKeys), kNoOffset, key);
      }
    }
    if (!root.contains("modifiers") && !root.contains("colliders") && !root.contains("ground"))
      return fail(ErrorCode::Malformed, "expected a list named 'modifiers', or 'colliders'");
    return {};
  }

 private:
  // Returns the direction along each bone, as a rotation from X.
  Result<std::vector<Quat>> directions(const Json& json) const {
    const std::string& word = json.text();
    if (word == "child") return directions_along_bones(rig_.skeleton);
    if (word == "down") return directions_down(rig_.skeleton);
    constexpr std::string_view kAxes[] = {"X", "Y", "Z", "-X", "-Y", "-Z"};
    for (int i = 0; i < 6; ++i)
      if (word == kAxes[i])
        return std::vector<Quat>(rig_.skeleton.bones.size(), to_float(least_rotation({1, 0, 0}, axis_of(i))));
    return fail(ErrorCode::Malformed, "expected X, Y, Z, -X, -Y, -Z, child or down", kNoOffset, "bone_axis");
  }

  // Sets the direction along the bones of one entry. Other bones keep theirs, and with it the skeleton's own modifiers.
  Result<void> direct(const Json& json, std::span<const Placed> placed) {
    std::vector<Quat> turns = turns_;
    if (json.contains("bone_axis")) {
      MARROW_TRY(turns, directions(json["bone_axis"]));
    }
    if (turns.empty()) return {};
    if (rig_.along_bone.empty()) rig_.along_bone.assign(turns.size(), make_quat(0, 0, 0, 1));
    for (const Placed& place : placed) {
      const auto bone = static_cast<std::size_t>(place.bone);
      rig_.along_bone[bone] = turns[bone];
    }
    return {};
  }

  Result<void> priorities(const Json& json) {
    if (!json.is_object()) return fail(ErrorCode::Malformed, "expected an object of bones", kNoOffset, "priority");
    rig_.solving_priority.resize(rig_.skeleton.bones.size(), 0);
    for (const auto& [name, value] : json.members()) {
      MARROW_TRY(const std::int32_t bone, find(name, kNoBone));
      const auto priority = value.natural();
      if (!priority || !std::in_range<std::uint8_t>(*priority))
        return fail(ErrorCode::Malformed, "expected a number from 0 to 255", kNoOffset, "priority." + name);
      rig_.solving_priority[static_cast<std::size_t>(bone)] = static_cast<std::uint8_t>(*priority);
    }
    return {};
  }

  Result<void> entry(const Json& json, const std::string& path) {
    const auto inside = [&](Error error) {
      error.path = error.path.empty() ? path : path + "." + error.path;
      return std::unexpected(std::move(error));
    };
    if (!json["type"].is_text())
      return inside({ErrorCode::Malformed, "expected an object with a 'type' such as BallJoint", kNoOffset, {}});
    const auto type = find_modifier_type(json["type"].text());
    if (!type)
      return inside({ErrorCode::NotFound,
                     "unknown modifier '" + json["type"].text() + "'" + types_instead(json["type"].text()), kNoOffset,
                     "type"});
    auto placed = places(json);
    if (!placed) return inside(placed.error());
    if (auto status = direct(json, *placed); !status) return inside(status.error());
    for (const Placed& place : *placed) {
      Modifier modifier = make_modifier(*type);
      modifier.owner = {static_cast<std::uint64_t>(place.bone)};
      modifier.id = rig_.modifiers.size() + 1;
      const FieldContext context{.find_bone = [&](const std::string& name) -> Result<BoneLink> {
                                   MARROW_TRY(const std::int32_t bone, find(name, place.bone));
                                   return BoneLink{static_cast<std::uint64_t>(bone)};
                                 },
                                 .along_chain = place.along};
      if (auto status = set_fields(modifier, json, context, kEntryKeys); !status) return inside(status.error());
      agree_on_axis(modifier, has_key(json, "AxisConstraintType"), has_key(json, "LocalAxisConstraint"));
      for (const FieldFault& fault : find_faults(modifier))
        return inside({ErrorCode::Malformed, fault.message, kNoOffset, fault.field});
      if (json.contains("hang"))
        if (auto status = hang(modifier, json["hang"], place.bone); !status) return inside(status.error());
      rig_.modifiers.push_back(std::move(modifier));
    }
    return {};
  }

  // Points gravity, at the same strength, toward the rest direction of the bone; it turns with the parent.
  Result<void> hang(Modifier& modifier, const Json& json, std::int32_t bone) const {
    const bool rest = json.text() == "rest";
    if (!rest && json.text() != "down") return fail(ErrorCode::Malformed, "expected down or rest", kNoOffset, "hang");
    auto* joint = std::get_if<BallJointModifier>(&modifier.data);
    auto* hinge = std::get_if<HingeModifier>(&modifier.data);
    if (!joint && !hinge) return fail(ErrorCode::Malformed, "only BallJoint and Hinge have 'hang'", kNoOffset, "hang");
    if (!rest) return {};
    const auto& bones = rig_.skeleton.bones;
    const std::int32_t parent = bones[static_cast<std::size_t>(bone)].parent;
    const DQuat local = placement(bones[static_cast<std::size_t>(bone)].rest, 1.0).rot;
    if (hinge) {
      // In the space of the parent, if there is one.
      const DVec toward = local * axis_of(std::clamp(static_cast<int>(hinge->axis_look_at_type), 0, 2));
      hinge->gravity = Vec4(Vec3(toward * glm::length(DVec(hinge->gravity))), hinge->gravity.w);
      hinge->gravity_associated_bone = parent == kNoBone ? BoneLink{} : BoneLink{static_cast<std::uint64_t>(parent)};
      return {};
    }
    DQuat model = local;
    for (std::int32_t up = parent; up != kNoBone; up = bones[static_cast<std::size_t>(up)].parent)
      model = placement(bones[static_cast<std::size_t>(up)].rest, 1.0).rot * model;
    DVec along(1, 0, 0);
    if (!rig_.along_bone.empty()) {
      const Quat& turn = rig_.along_bone[static_cast<std::size_t>(bone)];
      along = DQuat(turn.w, turn.x, turn.y, turn.z) * along;
    }
    along = rotation_about({0, 0, 1}, kRadians * static_cast<double>(joint->local_yaw_offset)) *
            rotation_about({0, 1, 0}, kRadians * static_cast<double>(joint->local_pitch_offset)) *
            rotation_about({1, 0, 0}, kRadians * static_cast<double>(joint->local_roll_offset)) * along;
    const double strength = glm::length(DVec(joint->own_gravity));
    joint->own_gravity = Vec4(Vec3(model * along * (strength > 0.0 ? strength : 9.81)), joint->own_gravity.w);
    joint->gravity_mode = 1;
    return {};
  }

  Result<std::vector<Placed>> places(const Json& json) const {
    // An entry without bones is for those that are named.
    const bool is_open = !json.contains("bone") && !json.contains("chain") && !named_.empty();
    if (!is_open && json.contains("bone") == json.contains("chain"))
      return fail(ErrorCode::Malformed,
                  "expected either 'bone' (a name, a pattern or a list) or 'chain' (the same for its first bone)");
    const bool chains = json.contains("chain");
    const char* key = chains ? "chain" : "bone";
    const Json bones = is_open ? Json("$bone") : json[key];
    if (bones.text() == "$bone" && names_chain()) return named_chains();
    auto named = bones_of(bones);
    if (!named) {
      if (named.error().path.empty()) named.error().path = key;
      return std::unexpected(std::move(named.error()));
    }
    std::vector<Placed> placed;
    if (!chains) {
      for (const std::int32_t bone : *named) placed.push_back({bone, 0.0});
      return placed;
    }
    std::int32_t last = kNoBone;
    if (json.contains("to")) {
      if (!json["to"].is_text()) return fail(ErrorCode::Malformed, "expected a name", kNoOffset, "to");
      if (named->size() != 1)
        return fail(ErrorCode::Malformed, "several chains always go down to their ends; remove 'to'", kNoOffset, "to");
      MARROW_TRY(last, find(json["to"].text(), kNoBone));
    }
    for (const std::int32_t first : *named) {
      if (std::ranges::any_of(*named, [&](std::int32_t other) { return is_below(first, other); })) continue;
      MARROW_TRY(const std::vector<Placed> one, chain(first, last));
      placed.insert(placed.end(), one.begin(), one.end());
    }
    return placed;
  }

  // True if the bones that are named are whole chains, `FIRST..LAST`.
  bool names_chain() const {
    return std::ranges::any_of(named_, [](const std::string& name) { return name.find("..") != std::string::npos; });
  }

  // Returns the bones of the chains that are named, each with its place along its chain.
  Result<std::vector<Placed>> named_chains() const {
    std::vector<Placed> placed;
    for (const std::string& name : named_) {
      const std::size_t dots = name.find("..");
      MARROW_TRY(const std::int32_t first, named_bone(rig_.skeleton, trim(std::string_view(name).substr(0, dots))));
      std::int32_t last = first;
      if (dots != std::string::npos) {
        MARROW_TRY(last, named_bone(rig_.skeleton, trim(std::string_view(name).substr(dots + 2))));
      }
      MARROW_TRY(const std::vector<Placed> one, chain(first, last));
      placed.insert(placed.end(), one.begin(), one.end());
    }
    return placed;
  }

  static bool has_key(const Json& json, std::string_view key) {
    for (const auto& [name, value] : json.members())
      if (equal_ignoring_case(name, key)) return true;
    return false;
  }

  // Returns the bones of a name, a pattern or a list of these, each once.
  Result<std::vector<std::int32_t>> bones_of(const Json& json) const {
    std::vector<std::int32_t> bones;
    const auto add = [&](std::int32_t bone) {
      if (std::ranges::find(bones, bone) == bones.end()) bones.push_back(bone);
    };
    const auto add_named = [&](const std::string& text) -> Result<void> {
      if (text.find_first_of("*?") == std::string::npos) {
        MARROW_TRY(const std::int32_t bone, find(text, kNoBone));
        add(bone);
        return {};
      }
      bool any = false;
      for (std::size_t i = 0; i < rig_.skeleton.bones.size(); ++i) {
        if (!matches(text, rig_.skeleton.bones[i].name)) continue;
        add(static_cast<std::int32_t>(i));
        any = true;
      }
      if (!any) return fail(ErrorCode::NotFound, "no bone matches '" + text + "'");
      return {};
    };
    for (const Json& item : one_or_many(json)) {
      if (!item.is_text()) return fail(ErrorCode::Malformed, "expected a name");
      const std::string& text = item.text();
      if (text != "$bone" || named_.empty()) {
        MARROW_CHECK(add_named(text));
        continue;
      }
      for (const std::string& name : named_)
        if (auto status = add_named(name); !status) {
          status.error().message = "the bones given for $bone: " + status.error().message;
          return std::unexpected(std::move(status.error()));
        }
    }
    return bones;
  }

  bool is_below(std::int32_t bone, std::int32_t ancestor) const {
    do bone = rig_.skeleton.bones[static_cast<std::size_t>(bone)].parent;
    while (bone != kNoBone && bone != ancestor);
    return bone != kNoBone;
  }

  // Returns the bones from the first to the last, or everything below if no last bone is given.
  Result<std::vector<Placed>> chain(std::int32_t first, std::int32_t last) const {
    const auto& bones = rig_.skeleton.bones;
    std::vector<Placed> placed;
    if (last != kNoBone) {
      for (std::int32_t bone = last; bone != kNoBone; bone = bones[static_cast<std::size_t>(bone)].parent) {
        placed.push_back({bone, 0.0});
        if (bone == first) break;
      }
      if (placed.back().bone != first)
        return fail(ErrorCode::Malformed, "the last bone is not below the first bone of the chain", kNoOffset, "to");
      std::ranges::reverse(placed);
      for (std::size_t i = 1; i < placed.size(); ++i)
        placed[i].along = static_cast<double>(i) / static_cast<double>(placed.size() - 1);
      return placed;
    }
    std::vector<std::int32_t> depth(bones.size(), -1);
    std::int32_t deepest = 0;
    for (std::size_t i = static_cast<std::size_t>(first); i < bones.size(); ++i) {
      const std::int32_t parent = bones[i].parent;
      if (static_cast<std::int32_t>(i) == first)
        depth[i] = 0;
      else if (parent != kNoBone && depth[static_cast<std::size_t>(parent)] >= 0)
        depth[i] = depth[static_cast<std::size_t>(parent)] + 1;
      if (depth[i] >= 0) placed.push_back({static_cast<std::int32_t>(i), static_cast<double>(depth[i])});
      deepest = std::max(deepest, depth[i]);
    }
    for (Placed& place : placed) place.along = deepest > 0 ? place.along / deepest : 0.0;
    return placed;
  }

  Result<std::int32_t> find(const std::string& name, std::int32_t owner) const {
    const auto& bones = rig_.skeleton.bones;
    if (name == "$bone") {
      if (named_.empty()) return fail(ErrorCode::NeedsChoice, "the file leaves its bone open: name one");
      if (named_.size() > 1) return fail(ErrorCode::Malformed, "one bone is needed here, and several are given");
      return named_bone(rig_.skeleton, named_[0]);
    }
    if (owner != kNoBone && name == "$owner") return owner;
    if (owner != kNoBone && name == "$parent" && bones[static_cast<std::size_t>(owner)].parent != kNoBone)
      return bones[static_cast<std::size_t>(owner)].parent;
    if (owner != kNoBone && name == "$child")
      for (std::size_t i = static_cast<std::size_t>(owner); i < bones.size(); ++i)
        if (bones[i].parent == owner) return static_cast<std::int32_t>(i);
    return named_bone(rig_.skeleton, name);
  }

  static std::string_view short_name(std::string_view name) {
    for (const std::string_view end : {"BoneModifier", "Modifier"})
      if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
    return name;
  }

  // Suggests the nearest type, or all of them.
  static std::string types_instead(std::string_view word) {
    std::vector<std::string_view> names;
    for (const ModifierRow& row : known_modifiers()) names.push_back(short_name(row.class_name));
    if (std::string near = did_you_mean(word, names); !near.empty()) return near;
    std::string all;
    for (const std::string_view name : names) all += (all.empty() ? "; there are " : ", ") + std::string(name);
    return all;
  }

  Rig& rig_;
  std::span<const std::string> named_;
  std::vector<Quat> turns_;  // the direction along each bone that the whole file asks for; empty: none
};

}  // namespace

namespace {

struct PlacedModifier {
  Modifier modifier;
  ModifierOrigin origin;
};

// Lets the modifiers of a sidecar, which follow the first `count`, take the places of those of their class and bone.
// Returns the places that nothing has taken.
std::vector<bool> take_places(std::vector<PlacedModifier>& all, std::size_t count) {
  using Group = std::pair<std::uint64_t, ModifierType>;
  std::map<Group, std::vector<std::size_t>> there;
  for (std::size_t i = 0; i < count; ++i) there[{all[i].modifier.owner.target, all[i].modifier.type()}].push_back(i);
  std::map<Group, std::size_t> taken;
  std::vector<bool> gone(all.size(), false);
  for (std::size_t i = count; i < all.size(); ++i) {
    const Group group{all[i].modifier.owner.target, all[i].modifier.type()};
    const auto places = there.find(group);
    if (places == there.end()) continue;
    const std::size_t next = taken[group]++;
    if (next >= places->second.size()) continue;
    PlacedModifier& place = all[places->second[next]];
    take_place_of(all[i].modifier, place.modifier);
    place.modifier = std::move(all[i].modifier);
    place.origin.is_given = true;
    gone[i] = true;
  }
  for (const auto& [group, used] : taken)
    for (const auto& places = there[group];
         const std::size_t place : std::span(places).subspan(std::min(used, places.size())))
      gone[place] = true;
  return gone;
}

}  // namespace

Result<std::vector<ModifierOrigin>> apply_sidecar(std::span<const std::byte> bytes, Rig& rig,
                                                  std::span<const std::string> bones, SameClass same_class) {
  MARROW_TRY(const Json root, parse_json(as_text(bytes)));
  Rig changed = rig;
  MARROW_CHECK(Reader(changed, bones).read(root));
  const std::size_t count = rig.modifiers.size();
  std::vector<PlacedModifier> all;
  for (std::size_t i = 0; i < changed.modifiers.size(); ++i)
    all.push_back(
        {std::move(changed.modifiers[i]), {.before = i < count ? i : ModifierOrigin::kNew, .is_given = i >= count}});
  if (same_class == SameClass::Replace) {
    const std::vector<bool> gone = take_places(all, count);
    std::size_t i = 0;
    std::erase_if(all, [&](const PlacedModifier&) { return gone[i++]; });
  }
  // Schedules rely on the order of bones; within a bone the existing modifiers stay in front.
  std::ranges::stable_sort(all, {}, [](const PlacedModifier& each) { return each.modifier.owner.target; });
  changed.modifiers.clear();
  std::vector<ModifierOrigin> origins;
  for (PlacedModifier& each : all) {
    changed.modifiers.push_back(std::move(each.modifier));
    origins.push_back(each.origin);
  }
  rig = std::move(changed);
  return origins;
}

}  // namespace marrow::motion
