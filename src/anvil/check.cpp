// SPDX-License-Identifier: MIT
#include "anvil/check.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <glm/geometric.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "anvil/at.h"
#include "anvil/match.h"
#include "anvil/names.h"
#include "anvil/report.h"
#include "anvil/slots.h"
#include "core/crc32.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

// ---- the tree
// --------------------------------------------------------------------------------------------------------

void check_roots(Report& report) {
  const Hierarchy& tree = report.tree();
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < tree.parent.size(); ++i)
    if (tree.parent[i] == Hierarchy::kNone) roots.push_back(i);
  if (roots.empty())
    return report.add("E_NO_ROOT",
                      "every bone has a parent, so the game finds no root. Clear the parent of the bone "
                      "that should be the root");
  for (std::size_t i = 1; i < roots.size(); ++i)
    report.add("E_MULTI_ROOT", roots[i],
               report.name(roots[i]) + " has no parent, and neither has " + report.name(roots[0]) +
                   ": a skeleton has one root, and the others need a parent",
               report.cure_of(roots[i], "rig reparent"));
  const std::int32_t pointed = tree.find(report.skeleton().root);
  if (pointed == Hierarchy::kDangling)
    report.add("E_DANGLING_LINK",
               "RootBone leads to object " + std::to_string(report.skeleton().root.target) +
                   ", which is not in the file; it must lead to " + report.name(roots[0]),
               automatic_cure());
  else if (std::ranges::find(roots, static_cast<std::size_t>(pointed)) == roots.end())
    report.add("E_ROOT_PTR",
               "RootBone is " + report.name(report.skeleton().root) + ", but the bone without a parent is " +
                   report.name(roots[0]) + "; RootBone must lead to it",
               automatic_cure());
}

// Reports every cycle once: walking up from a bone that no root reaches always ends in one.
void check_rings(Report& report) {
  const Hierarchy& tree = report.tree();
  std::vector<std::int32_t> walk(tree.parent.size(), Hierarchy::kNone);  // the walk that visited a bone
  for (const std::int32_t start : tree.cyclic) {
    std::int32_t bone = start;
    for (; walk[at(bone)] == Hierarchy::kNone; bone = tree.parent[at(bone)]) walk[at(bone)] = start;
    if (walk[at(bone)] != start) continue;  // it ran into a cycle that is already reported
    const std::string name = report.name(at(bone));
    report.add("E_CYCLE", at(bone),
               "the parents of " + name + " lead back to itself (" + chain_of(report.skeleton(), tree, bone) +
                   "), so no root reaches it or the bones below it and the game hangs. Give " + name +
                   " another parent",
               report.cure_of(at(bone), "rig reparent"));
  }
}

void check_parents(Report& report) {
  const Hierarchy& tree = report.tree();
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    if (tree.parent[i] == Hierarchy::kDangling)
      report.add("E_DANGLING_LINK", i,
                 "the parent is object " + std::to_string(report.skeleton().bones[i].parent.target) +
                     ", which is not in the file; the bone needs another parent",
                 report.cure_of(i, "rig reparent"));
    else if (tree.parent[i] > static_cast<std::int32_t>(i))
      report.add(
          "W_PARENT_AFTER_CHILD", i,
          "the parent " + report.name(at(tree.parent[i])) + " comes later in the file; writing the file corrects this",
          tree.cyclic.empty() ? std::optional(automatic_cure()) : std::nullopt);
  }
  check_rings(report);
  if (tree.cyclic.empty() && !std::ranges::is_sorted(tree.depth_first))
    report.add("W_NOT_PREORDER",
               "bones are not in depth-first order, which the game relies on to find the bones below another; writing "
               "the file corrects this",
               automatic_cure());
}

void check_stated_numbers(Report& report) {
  const Hierarchy& tree = report.tree();
  for (std::size_t i = 0; i < report.skeleton().bones.size(); ++i) {
    const Bone& bone = report.skeleton().bones[i];
    if (bone.index.stated && *bone.index.stated != i)
      report.add("E_INDEX", i,
                 "Index says " + std::to_string(*bone.index.stated) + ", but the bone is number " + std::to_string(i) +
                     "; writing the file sets it",
                 automatic_cure());
    if (bone.child_bone_count.stated && tree.cyclic.empty() && *bone.child_bone_count.stated != tree.descendants[i])
      report.add("E_CHILDCOUNT", i,
                 "ChildBoneCount says " + std::to_string(*bone.child_bone_count.stated) + ", but " +
                     std::to_string(tree.descendants[i]) +
                     " bones are below it at all depths; writing the file sets it",
                 automatic_cure());
  }
}

// ---- names and ids
// ---------------------------------------------------------------------------------------------------

void check_names(Report& report) {
  std::unordered_map<std::uint32_t, std::size_t> first;
  for (std::size_t i = 0; i < report.skeleton().bones.size(); ++i) {
    const BoneName& name = report.skeleton().bones[i].name;
    const auto [found, fresh] = first.try_emplace(name.hash, i);
    if (!fresh)
      report.add("E_DUP_BONEID", i,
                 "two bones have the name " + report.name(i) + " (" + std::to_string(name.hash) +
                     "); the game tells bones apart by name only, so one needs another name",
                 report.cure_of(i, "rig rename"));
    if (!name.text.empty() && crc32(name.text) != name.hash && !equal_ignoring_case(name.text, unknown_name(name.hash)))
      report.add("W_HASHNAME_CASE", i,
                 "its name in the file is '" + name.text + "', but the number " + std::to_string(name.hash) + " is " +
                     display_name(name) + ". The game uses the number; names are case-sensitive");
  }
}

class IdCheck {
 public:
  explicit IdCheck(Report& report) : report_(report) {}
  void run() {
    see(report_.skeleton().id, "the skeleton", 0);
    const auto& bones = report_.skeleton().bones;
    for (std::size_t i = 0; i < bones.size(); ++i) {
      see(bones[i].id, "a bone", i);
      for (const Modifier& modifier : bones[i].modifiers) {
        see(modifier.id, "a modifier", i);
        walk_fields(modifier, [&](const Field&, const auto& value) {
          if constexpr (kIsPartList<std::remove_cvref_t<decltype(value)>>)
            for (const auto& item : value) see(item.id, "a part of a modifier", i);
        });
      }
    }
  }

 private:
  void see(std::uint64_t id, std::string_view what, std::size_t bone) {
    if (id == 0 || ids_.insert(id).second) return;
    report_.add("E_DUP_OBJECTID", bone,
                "the id " + std::to_string(id) + " of " + std::string(what) +
                    " is used twice, so links to it are ambiguous; give one a new id");
  }
  Report& report_;
  std::unordered_set<std::uint64_t> ids_;
};

// ---- numbers and rest poses
// ------------------------------------------------------------------------------------------

// Only float: integers are always finite.
bool is_finite(std::same_as<float> auto value) { return std::isfinite(value); }
bool is_finite(const Vec4& v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z) && is_finite(v.w); }
bool is_finite(const Quat& q) { return is_finite(q.x) && is_finite(q.y) && is_finite(q.z) && is_finite(q.w); }
bool is_finite(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

class NumberCheck {
 public:
  explicit NumberCheck(Report& report) : report_(report) {}

  void run() {
    walk(slots_to_read(report_.skeleton()),
         [&](auto code, auto, auto text) { report_.add(code, text, Cure{"rig set"}); });
    const auto& bones = report_.skeleton().bones;
    for (std::size_t i = 0; i < bones.size(); ++i) {
      walk(slots_to_read(bones[i]), [&](std::string_view code, const std::string& field, auto text) {
        // The pose has one correct repair: the same rotation with the length 1.
        const bool is_pose = field == "LocalRotation" || field == "GlobalRotation";
        report_.add(code, i, text, is_pose && code == "W_QUAT_NORM" ? automatic_cure() : report_.cure_of(i, "rig set"));
      });
      for (const Modifier& modifier : bones[i].modifiers) {
        const auto say = [&](auto code, auto, auto text) {
          report_.add(code, i, modifier, text, report_.set_cure(i, modifier));
        };
        walk(slots_to_read(modifier), say);
        walk_fields(modifier, [&](const Field&, const auto& value) {
          if constexpr (kIsPartList<std::remove_cvref_t<decltype(value)>>)
            for (const auto& item : value) walk(slots_to_read(item), say);
        });
      }
    }
  }

 private:
  template <class Say>
  static void walk(const Slots& slots, const Say& say) {
    for (const Slot& slot : slots)
      std::visit(
          [&](auto* value) {
            if constexpr (requires { is_finite(*value); }) look(std::string(slot.standard_name), *value, say);
          },
          slot.at);
  }

  template <class Value, class Say>
  static void look(const std::string& name, const Value& value, const Say& say) {
    if (!is_finite(value)) {
      say("E_NAN", name, name + " is not a finite number");
    } else if constexpr (std::is_same_v<Value, Quat>) {
      if (name == "InitialGlobalRotation") return;  // a cache that the game recomputes
      const float length = glm::length(value);
      if (length < 1e-6f)
        say("E_ZERO_QUAT", name,
            name + " is a quaternion of length 0, which is not a rotation; 0, 0, 0, 1 is the identity");
      else if (std::abs(length - 1.0f) > 1e-3f)
        say("W_QUAT_NORM", name,
            name + " has the length " + float_text(length) + " instead of 1, so the bone is scaled");
    }
  }

  Report& report_;
};

// Enumerated values of the skeleton and its bones; those of modifiers are checked with them.
void check_choices(Report& report) {
  const auto look = [](const Slots& slots, const auto& say) {
    for (const Slot& slot : slots)
      std::visit(
          [&](auto* value) {
            using T = std::remove_pointer_t<decltype(value)>;
            if constexpr (std::integral<T> && !std::same_as<T, bool>)
              if (slot.words && (std::cmp_less(*value, 0) || std::cmp_greater_equal(*value, slot.words->words.size())))
                say(std::string(slot.standard_name) + " is " + std::to_string(*value) + "; it goes from 0 to " +
                    std::to_string(slot.words->words.size() - 1));
          },
          slot.at);
  };
  look(slots_to_read(report.skeleton()), [&](std::string text) { report.add("E_ENUM_RANGE", std::move(text)); });
  for (std::size_t i = 0; i < report.skeleton().bones.size(); ++i)
    look(slots_to_read(report.skeleton().bones[i]),
         [&](std::string text) { report.add("E_ENUM_RANGE", i, std::move(text)); });
}

void check_rest_poses(Report& report, bool addon) {
  const auto& bones = report.skeleton().bones;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const std::int32_t parent = report.tree().parent[i];
    if (parent < 0 && (addon || parent == Hierarchy::kDangling)) continue;
    if (parent > static_cast<std::int32_t>(i) && !report.tree().cyclic.empty()) continue;
    const Transform local = local_rest(bones[i]), global = global_rest(bones[i]);
    const Transform expected = parent < 0 ? local : global_rest(bones[at(parent)]) * local;
    // Broken numbers have their own findings; these comparisons are false for them.
    const float distance = glm::length(expected.translation - global.translation);
    const float angle = angle_degrees(expected.rotation, global.rotation);
    if (distance > 1e-4f || angle > 0.05f)
      report.add("W_GLOBAL_LOCAL", i,
                 "the global rest pose is " + float_text(distance) + " m and " + float_text(angle) +
                     " degrees from where the parent and the local pose place it",
                 parent >= 0 && report.tree().cyclic.empty() ? automatic_cure() : report.cure_of(i, "rig set"));
  }
}

// ---- games
// -----------------------------------------------------------------------------------------------------------

void check_bone_count(Report& report, std::optional<Game> game, std::size_t count, std::string_view of) {
  // If no game is given, 8-bit indices show that the file is for a game before Unity.
  const Origin& origin = report.skeleton().origin;
  const bool narrow = !game && origin.dialect == Dialect::Schema && !origin.wide_indices;
  const std::size_t limit = game ? bone_limit(*game) : narrow ? 255 : 65535;
  const std::string who = game ? std::string(title(*game)) : narrow ? "a game with 8-bit indices" : "any game";
  const std::string bones = std::to_string(count) + " bones" + std::string(of);
  if (count > limit)
    report.add("E_BONE_LIMIT",
               bones + ", and " + who + " crashes past " + std::to_string(limit) + "; remove bones or addons");
  else if (10 * count >= 9 * limit)
    report.add("W_BONE_LIMIT_NEAR", bones + " of the " + std::to_string(limit) + " that " + who +
                                        " supports: little room is left for further addons");
  else if (!game && count > 255)
    report.add("I_WIDE_INDICES", bones + ", which only Unity and later games support; earlier games crash past 255");
}

void check_availability(Report& report, Game game) {
  const Cure port{"rig to-game", {{"to", std::string(to_string(game))}}};
  const auto& bones = report.skeleton().bones;
  for (std::size_t i = 0; i < bones.size(); ++i)
    for (const Modifier& modifier : bones[i].modifiers) {
      if (modifier.type() == ModifierType::Unknown) continue;
      const std::string what = std::string(class_name(modifier));
      const std::string where = std::string(title(game));
      switch (availability(game, modifier.type())) {
        case Availability::Yes: break;
        case Availability::No:
          report.add(
              "E_MODIFIER_UNAVAILABLE", i, modifier,
              where + " has no " + what + "; porting the skeleton renames or drops what the game does not support",
              port);
          break;
        case Availability::Renamed:
          report.add("E_MODIFIER_UNAVAILABLE", i, modifier,
                     what + " is AnvilLookAtBoneModifier in " + where + "; porting the skeleton renames it", port);
          break;
        case Availability::Observed:
          report.add("W_MODIFIER_OBSERVED", i, modifier,
                     what + " is documented as newer than " + where + ", but data of the first game contain it");
          break;
        case Availability::Partial:
          report.add("I_MODIFIER_UNCERTAIN", i, modifier,
                     where + " is known to lack some modifiers, and it is not documented whether " + what + " is one");
          break;
        case Availability::Vestigial:
          report.add("I_MODIFIER_VESTIGIAL", i, modifier,
                     what + " still works in " + where + ", which itself uses Reflex3");
          break;
        case Availability::NoEffect:
          report.add("W_MODIFIER_INERT", i, modifier,
                     where + " reads " + what + " and does nothing with it; only Reflex3 moves bones there");
          break;
      }
    }
}

// Origins still runs modifiers; its own content no longer uses them.
void advise_reflex3(Report& report, Game game) {
  if (game != Game::Origins) return;
  const auto moves = [](const Bone& bone) { return !bone.modifiers.empty(); };
  if (std::ranges::any_of(report.skeleton().bones, moves))
    report.add("I_REFLEX3", std::string(title(game)) +
                                " still runs modifiers, but its own content uses Reflex3, which Reflex3Constraints "
                                "describes; new content for it should use Reflex3 too");
}

bool is_base_itself(const Skeleton& skeleton, const Skeleton& base) {
  return skeleton.id == base.id && skeleton.type == base.type && skeleton.bones.size() == base.bones.size();
}

}  // namespace

Findings check(const Skeleton& skeleton, const CheckOptions& options) {
  Findings findings;
  const Hierarchy tree = hierarchy_of(skeleton);
  Report report(skeleton, tree, findings);
  for (const Dropped& each : skeleton.origin.dropped)
    findings.push_back({"W_DROPPED", Level::Warning, each.what + "; any verb that writes the file leaves it out",
                        "line " + std::to_string(each.line)});
  const bool against_base = options.base && !is_base_itself(skeleton, *options.base);
  check_roots(report);
  check_parents(report);
  check_names(report);
  IdCheck(report).run();
  check_stated_numbers(report);
  NumberCheck(report).run();
  check_choices(report);
  check_rest_poses(report, against_base || skeleton.type == kCustomSkeleton);
  check_agreement(report);
  check_modifiers(report);
  if (options.game) {
    check_availability(report, *options.game);
    advise_reflex3(report, *options.game);
  }
  if (!against_base) {
    check_bone_count(report, options.game, skeleton.bones.size(), "");
    return findings;
  }
  if (skeleton.type != kCustomSkeleton)
    report.add("W_TYPE_NOT_CUSTOM",
               "SkeletonType is " + std::to_string(skeleton.type) + "; addons are 8, SKELETONTYPE_CUSTOM",
               Cure{"rig set", {{"type", std::int64_t{kCustomSkeleton}}}});
  const Hierarchy base_tree = hierarchy_of(*options.base);
  const Match match = match_addon(report, *options.base, base_tree);
  check_bone_count(report, options.game, options.base->bones.size() + match.added, " with the base");
  return findings;
}

Result<void> refuse_new_errors(const Skeleton& before, const Skeleton& after) {
  std::unordered_map<std::string, std::ptrdiff_t> known;  // errors that are there
  for (const Finding& finding : check(before))
    if (finding.level == Level::Error) ++known[finding.code + finding.message];
  for (const Finding& finding : check(after))
    if (finding.level == Level::Error && --known[finding.code + finding.message] < 0)
      return fail(ErrorCode::InvalidArgument,
                  finding.code + ": " + finding.message + "; nothing is written unless it is forced", kNoOffset,
                  finding.where);
  return {};
}

bool has_errors(const Findings& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) { return finding.level == Level::Error; });
}

}  // namespace marrow::anvil
