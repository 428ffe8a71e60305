// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <tuple>

#include "anvil/at.h"
#include "anvil/report.h"
#include "marrow/core/text.h"
#include "model/modifier_faults.h"
#include "model/modifiers_fields.h"

namespace marrow::anvil {
namespace {

constexpr std::size_t kMostBeside = 64;  // modifiers of a bone that others are compared with
constexpr float kTurn = 2.0f * std::numbers::pi_v<float>;

/// The rules that belong to one type. One overload per type; types without rules of their own share the last.
class TypeRules {
 public:
  TypeRules(Report& report, std::size_t bone, const Modifier& modifier)
      : report_(report), bone_(bone), modifier_(modifier) {}

  void operator()(const BallJointModifier& m) const {
    if (m.constraint_angle > 0.0f && m.constraint_angle < 0.5f)
      say("W_UNITS", "ConstraintAngle is " + float_text(m.constraint_angle) +
                         " degrees, almost no movement: the field is in degrees, not radians");
    // A locked joint with offsets turns its bone, and is meant to.
    const bool turns = m.local_yaw_offset != 0.0f || m.local_pitch_offset != 0.0f || m.local_roll_offset != 0.0f;
    if (m.constraint_angle == 0.0f && !turns && m.common_data.id == 0)
      say("I_JOINT_LOCKED", "ConstraintAngle is 0: the joint is locked and does not move");
    if (m.constraint_angle != 0.0f && m.common_data.id == 0) mass(m.mass);
  }
  void operator()(const PendulumModifier& m) const { mass(m.mass); }
  void operator()(const HingeModifier& m) const {
    if (m.axis_constraint_type == m.axis_look_at_type)
      say("E_AXIS_EQUAL", "the hinge turns about the axis that it looks along (" + axis(m.axis_constraint_type) +
                              "), so it has no angle; AxisConstraintType and AxisLookAtType must differ");
    for (const Hinge& hinge : m.constraints) (*this)(hinge);
  }
  void operator()(const RotationConstraintModifier& m) const {
    for (const Hinge& hinge : m.constraints) (*this)(hinge);
  }
  void operator()(const Hinge& hinge) const {
    order("MinAngle", hinge.min_angle, "MaxAngle", hinge.max_angle);
    radians("MinAngle", hinge.min_angle);
    radians("MaxAngle", hinge.max_angle);
    const float range = hinge.max_angle - hinge.min_angle, soft = hinge.delta_min_damping + hinge.delta_max_damping;
    if (range >= 0.0f && soft > range + 1e-6f)
      say("W_HINGE_SOFT", "the soft zones together are " + float_text(soft) + " radians wide, and the range only " +
                              float_text(range) + ": the bone is damped everywhere");
  }
  void operator()(const HingeVectorModifier& m) const {
    order("EffectRampDownMinAngle", m.effect_ramp_down_min_angle, "EffectRampDownMaxAngle",
          m.effect_ramp_down_max_angle);
    order("EffectRampDownMinDistance", m.effect_ramp_down_min_distance, "EffectRampDownMaxDistance",
          m.effect_ramp_down_max_distance);
    lengths("HingeTargetWeights", m.hinge_target_weights.size(), m.hinge_targets.size());
  }
  void operator()(const SpringBoxModifier& m) const {
    order("BoxMin.X", m.box_min.x, "BoxMax.X", m.box_max.x);
    order("BoxMin.Y", m.box_min.y, "BoxMax.Y", m.box_max.y);
    order("BoxMin.Z", m.box_min.z, "BoxMax.Z", m.box_max.z);
  }
  void operator()(const PositionConstraintModifier& m) const { targets(m); }
  void operator()(const OrientationConstraintModifier& m) const { targets(m); }
  void targets(const ConstraintTargets& m) const {
    lengths("Weights", m.weights.size(), m.targets.size());
    lengths("KeepInitialOffset", m.keep_initial_offset.size(), m.targets.size());
  }
  void operator()(const MaxLookAtModifier& m) const {
    if (m.look_at_used_axis % 3 == m.up_used_axis % 3)
      say("E_AXIS_EQUAL", "LookAtUsedAxis and UpUsedAxis are both " + axis(m.look_at_used_axis % 3) +
                              ": an axis cannot aim and point up at once");
    same_place(m.look_at_bone, m.look_at_pos_offset);
  }
  void operator()(const AnvilLookAtModifier& m) const {
    order("MinAngle", m.min_angle, "MaxAngle", m.max_angle);
    radians("MinAngle", m.min_angle);
    radians("MaxAngle", m.max_angle);
    same_place(m.look_at_bone, m.look_at_pos_offset);
  }
  void operator()(const StretchModifier& m) const { order("MinScale", m.min_scale, "MaxScale", m.max_scale); }
  void operator()(const RotationExpressionModifier& m) const {
    for (const RotationExpression& term : m.expressions) order("Min", term.min, "Max", term.max);
  }
  void operator()(const UnknownModifier& m) const {
    say("W_UNKNOWN_CLASS", m.class_name + " is an unknown class: it is kept unchanged, and not simulated");
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  // What these rules find is wrong in one or two fields, whose right value only the author knows.
  void say(std::string_view code, std::string message) const {
    const bool is_fault = code.front() != 'I' && modifier_.type() != ModifierType::Unknown;
    report_.add(code, bone_, modifier_, std::move(message),
                is_fault ? std::optional(report_.set_cure(bone_, modifier_)) : std::nullopt);
  }
  static std::string axis(std::int32_t index) {
    constexpr std::string_view names[] = {"X", "Y", "Z"};
    return index >= 0 && index < 3 ? std::string(names[index]) : std::to_string(index);
  }
  void order(std::string_view low_name, float low, std::string_view high_name, float high) const {
    if (low > high)
      say("W_LIMIT_ORDER", std::string(low_name) + " " + float_text(low) + " is above " + std::string(high_name) + " " +
                               float_text(high) + "; swap them");
  }
  void mass(float value) const {
    if (value == 0.0f)
      say("W_MASS_ZERO", "Mass is 0: how a weightless bone moves is not defined, and a simulation takes 0.001");
  }
  void radians(std::string_view name, float value) const {
    if (std::abs(value) > kTurn)
      say("W_UNITS", std::string(name) + " is " + float_text(value) +
                         ", more than a full turn: the field is in radians, not degrees");
  }
  void lengths(std::string_view name, std::size_t has, std::size_t targets) const {
    if (has != 0 && has != targets)
      say("W_LIST_LENGTH",
          std::string(name) + " has " + std::to_string(has) + " entries for " + std::to_string(targets) + " targets");
  }
  void same_place(BoneLink target, const Vec4& offset) const {
    const std::int32_t found = report_.tree().find(target);
    if (found < 0 || at(found) == bone_ || offset.x != 0 || offset.y != 0 || offset.z != 0) return;
    const auto& bones = report_.skeleton().bones;
    if (bones[at(found)].global_position == bones[bone_].global_position)
      say("I_TARGET_AT_REST", "at rest the bone is where its target " + report_.name(at(found)) +
                                  " is: it has no direction to look in until the two move apart");
  }

  Report& report_;
  std::size_t bone_;
  const Modifier& modifier_;
};

void check_links(Report& report, std::size_t bone, const Modifier& modifier) {
  bool first = true;
  walk_links(modifier, [&](const Field& field, const BoneLink& link) {
    const bool owner = std::exchange(first, false);  // the first link of a modifier is its owner
    const std::string name(field.name);
    const std::int32_t found = report.tree().find(link);
    if (owner) {
      if (found != static_cast<std::int32_t>(bone))
        report.add("E_OWNER", bone, modifier,
                   "Owner is " + report.name(link) + ", but the modifier is in " + report.name(bone) +
                       "; writing the file sets it",
                   automatic_cure());
    } else if (found == Hierarchy::kDangling) {
      report.add("E_DANGLING_LINK", bone, modifier,
                 name + " leads to object " + std::to_string(link.target) +
                     ", which is not in the file; the modifier needs another bone there, or goes",
                 report.set_cure(bone, modifier));
    } else if (field.role == LinkRole::Mandatory && found == static_cast<std::int32_t>(bone)) {
      report.add("E_SELF_TARGET", bone, modifier, name + " is the bone that has the modifier; it must be another bone");
    }
  });
}

// Values without a meaning. Numbers that are not finite and rotations of length 0 are found for all objects alike.
void check_values(Report& report, std::size_t bone, const Modifier& modifier) {
  for (const FieldFault& fault : find_faults(modifier)) {
    switch (fault.fault) {
      case ValueFault::OutOfRange: report.add("E_ENUM_RANGE", bone, modifier, fault.message); break;
      case ValueFault::Negative: report.add("W_NEGATIVE", bone, modifier, fault.message); break;
      case ValueFault::NoTarget:
        report.add("W_TARGET_MISSING", bone, modifier, fault.message, report.set_cure(bone, modifier));
        break;
      case ValueFault::AxisMismatch:
        report.add("W_AXIS_MISMATCH", bone, modifier, fault.message + "; AxisConstraintType decides", automatic_cure());
        break;
      case ValueFault::NotFinite:
      case ValueFault::NoRotation: break;
    }
  }
}

// ---- the order in which modifiers run
// --------------------------------------------------------------------------------

/// Bones are ordered by solving priority, then depth, then position.
using SolveKey = std::tuple<int, std::int32_t, std::int32_t>;

template <class Visit>
void for_each_read(const Report& report, std::size_t bone, const Visit& visit) {
  for (const Modifier& modifier : report.skeleton().bones[bone].modifiers) {
    bool first = true;
    walk_links(modifier, [&](const Field& field, const BoneLink& link) {
      if (std::exchange(first, false)) return;
      const std::int32_t target = report.tree().find(link);
      if (target >= 0 && at(target) != bone) visit(modifier, field, at(target));
    });
  }
}

void check_stale_reads(Report& report) {
  const auto& bones = report.skeleton().bones;
  const Hierarchy& tree = report.tree();
  constexpr SolveKey never{-1, -1, -1};
  const auto key = [&](std::size_t bone) {
    return SolveKey{bones[bone].solving_priority, tree.depth[bone], tree.position[bone]};
  };
  // The latest modifier that still moves a bone: its own, or one of a bone above it.
  std::vector<SolveKey> latest(bones.size(), never);
  for (const std::int32_t index : tree.depth_first) {
    const std::size_t bone = at(index);
    if (tree.parent[bone] >= 0) latest[bone] = latest[at(tree.parent[bone])];
    if (!bones[bone].modifiers.empty()) latest[bone] = std::max(latest[bone], key(bone));
  }
  for (std::size_t bone = 0; bone < bones.size(); ++bone)
    for_each_read(report, bone, [&](const Modifier& modifier, const Field& field, std::size_t target) {
      if (latest[target] > key(bone))
        report.add("W_STALE_READ", bone, modifier,
                   std::string(field.name) + " reads " + report.name(target) +
                       ", which a modifier moves later in the same frame, so the old place is read. Give " +
                       report.name(bone) + " a higher SolvingPriority");
    });
}

// Depth-first search with an explicit stack; an edge to a bone on the stack closes a cycle.
void check_cycles(Report& report) {
  const auto& bones = report.skeleton().bones;
  std::vector<std::vector<std::size_t>> reads(bones.size());
  for (std::size_t bone = 0; bone < bones.size(); ++bone)
    for_each_read(report, bone, [&](const Modifier&, const Field&, std::size_t target) {
      if (!bones[target].modifiers.empty()) reads[bone].push_back(target);
    });
  enum class Mark : std::uint8_t { New, Open, Done };
  std::vector<Mark> marks(bones.size(), Mark::New);
  std::vector<std::pair<std::size_t, std::size_t>> stack;  // a bone, and how many of its reads are visited
  for (std::size_t start = 0; start < bones.size(); ++start) {
    if (marks[start] != Mark::New || reads[start].empty()) continue;
    stack.assign(1, {start, 0});
    marks[start] = Mark::Open;
    while (!stack.empty()) {
      auto& [bone, next] = stack.back();
      if (next == reads[bone].size()) {
        marks[bone] = Mark::Done;
        stack.pop_back();
        continue;
      }
      const std::size_t reader = bone, target = reads[bone][next++];
      if (marks[target] == Mark::New) {
        marks[target] = Mark::Open;
        stack.emplace_back(target, 0);
      } else if (marks[target] == Mark::Open) {
        report.add("W_MODIFIER_CYCLE", reader,
                   "modifiers of " + report.name(reader) + " read " + report.name(target) +
                       ", whose modifiers read it in turn: one of the two always reads an old place");
      }
    }
  }
}

// ---- names that promise a modifier
// -----------------------------------------------------------------------------------

void check_naming(Report& report) {
  struct Promise {
    std::string_view prefix;
    std::initializer_list<ModifierType> types;
  };
  static const Promise promises[] = {
      {"BJ_", {ModifierType::BallJoint}},
      {"H_", {ModifierType::Hinge, ModifierType::HingeVector}},
      {"O_", {ModifierType::OrientationConstraint}},
      {"R_", {ModifierType::Roll}},
      {"C_", {ModifierType::Compress}},
  };
  if (report.skeleton().type == kCustomSkeleton) return;  // addons repeat bones of the base without their modifiers
  const auto& bones = report.skeleton().bones;
  std::size_t count = 0;
  std::string names;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const std::string name = report.name(i);
    const auto promise =
        std::ranges::find_if(promises, [&](const Promise& candidate) { return name.starts_with(candidate.prefix); });
    if (promise == std::end(promises)) continue;
    const bool kept = std::ranges::any_of(bones[i].modifiers, [&](const Modifier& modifier) {
      return std::ranges::find(promise->types, modifier.type()) != promise->types.end();
    });
    if (!kept && ++count <= 8) names += (names.empty() ? "" : ", ") + name;
  }
  if (count > 0)
    report.add("I_NAME_PROMISE",
               std::to_string(count) +
                   " bones lack the modifier that the games give bones of their prefix (BJ_ BallJoint, "
                   "H_ Hinge, O_ OrientationConstraint, R_ Roll, C_ Compress): " +
                   names + (count > 8 ? ", ..." : ""));
}

}  // namespace

bool acts_twice(const Modifier& a, const Modifier& b) {
  if (a.type() != b.type() || a.type() == ModifierType::Unknown || a.type() == ModifierType::Fx) return false;
  const auto* hinge = std::get_if<HingeModifier>(&a.data);
  if (hinge && hinge->axis_constraint_type != std::get<HingeModifier>(b.data).axis_constraint_type) return false;
  const auto* turn = std::get_if<RotationExpressionModifier>(&a.data);
  if (turn && turn->axis_constraint != std::get<RotationExpressionModifier>(b.data).axis_constraint) return false;
  // A locked joint only turns its bone.
  const auto is_locked = [](const Modifier& modifier) {
    const auto* joint = std::get_if<BallJointModifier>(&modifier.data);
    return joint && joint->constraint_angle == 0.0f && joint->common_data.id == 0;
  };
  return !is_locked(a) && !is_locked(b) && a.blend_weight != 0.0f && b.blend_weight != 0.0f;
}

void check_modifiers(Report& report) {
  const auto& bones = report.skeleton().bones;
  for (std::size_t i = 0; i < bones.size(); ++i)
    for (std::size_t k = 1; k < bones[i].modifiers.size(); ++k) {
      const Modifier& modifier = bones[i].modifiers[k];
      const auto before = std::span(bones[i].modifiers).first(std::min<std::size_t>(k, kMostBeside));
      if (std::ranges::any_of(before, [&](const Modifier& other) { return acts_twice(other, modifier); }))
        report.add(
            "W_MODIFIER_TWICE", i, modifier,
            report.name(i) + " has another " + std::string(class_name(modifier)) +
                ": the two act one after the other, and add up",
            Cure{"rig remove-modifier", {{"bone", report.name(i)}, {"type", std::string(class_name(modifier))}}});
    }
  for (std::size_t i = 0; i < bones.size(); ++i)
    for (const Modifier& modifier : bones[i].modifiers) {
      check_links(report, i, modifier);
      check_values(report, i, modifier);
      std::visit(TypeRules(report, i, modifier), modifier.data);
      if (modifier.blend_weight < 0.0f || modifier.blend_weight > 1.0f)
        report.add("W_BLEND_RANGE", i, modifier,
                   "BlendWeight is " + float_text(modifier.blend_weight) + "; it goes from 0 to 1");
      if (modifier.blend_weight == 0.0f)
        report.add("W_MODIFIER_INERT", i, modifier, "BlendWeight is 0: the modifier does nothing");
    }
  check_stale_reads(report);
  check_cycles(report);
  check_naming(report);
}

}  // namespace marrow::anvil
