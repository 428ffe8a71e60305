// SPDX-License-Identifier: MIT
#include "ops/collision/compare_ragdoll.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "marrow/core/text.h"
#include "ops/collision/joint_edit.h"

namespace marrow {
namespace {

// What rounding in either file explains: degrees, game units, parts of a mass.
constexpr double kDegrees = 0.5, kUnits = 0.05, kMassShare = 0.01;

double degrees_of(double radians) { return radians * 180.0 / std::numbers::pi; }

std::string short_text(double value) { return float_text(static_cast<float>(std::round(value * 100.0) / 100.0)); }

std::string range_text(double low, double high) { return short_text(low) + " to " + short_text(high); }

// Nodes and bones are found in any case, as the game finds them.
bool has_name(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::any_of(names, [&](const std::string& each) { return equal_ignoring_case(each, name); });
}

/// A limit as both files have it.
struct Limit {
  std::string name;
  double low, high;
};

std::vector<Limit> limits_of(const Constraint& constraint, float game_units) {
  if (const auto* j = std::get_if<RagdollJoint>(&constraint.joint))
    return {{"twist", degrees_of(j->twist_min), degrees_of(j->twist_max)},
            {"plane", degrees_of(j->plane_min), degrees_of(j->plane_max)},
            {"cone", 0.0, degrees_of(j->cone_max)}};
  if (const auto* j = std::get_if<LimitedHingeJoint>(&constraint.joint))
    return {{"angle", degrees_of(j->min_angle), degrees_of(j->max_angle)}};
  if (const auto* j = std::get_if<PrismaticJoint>(&constraint.joint))
    return {{"distance", double{j->min_distance * game_units}, double{j->max_distance * game_units}}};
  return {};
}

/// Compares body by body and joint by joint; both are found by the name of their bone.
class Comparison {
 public:
  Comparison(const DocumentCollision& nif, const havok::CharacterRagdoll& character)
      : nif_(nif), character_(character) {
    bones_.resize(nif.system.bodies.size());
    for (const BodyNode& node : nif.nodes)
      if (node.body < bones_.size()) bones_[node.body] = node.name;
  }

  Findings run() && {
    for (std::size_t i = 0; i < bones_.size(); ++i) compare_body(i);
    for (const std::string& bone : character_.bones)
      if (!has_name(bones_, bone))
        add("W_RAGDOLL_BONE", Level::Warning,
            "the ragdoll of the skeleton has a body for '" + bone + "', but this file has none on that node", "file");
    for (std::size_t i = 0; i < nif_.system.constraints.size(); ++i) compare_joint(i);
    for (const Constraint& theirs : character_.system.constraints)
      if (const std::string bone = bone_of(character_.bones, theirs.body_a);
          has_name(bones_, bone) && !joint_of(nif_.system, bones_, bone))
        add("W_RAGDOLL_JOINT", Level::Warning,
            "the skeleton hangs '" + bone + "' on '" + bone_of(character_.bones, theirs.body_b) +
                "', but no joint does so here",
            "node '" + bone + "'");
    return std::move(findings_);
  }

 private:
  static std::string bone_of(const std::vector<std::string>& bones, std::uint32_t body) {
    return body < bones.size() ? bones[body] : "the world";
  }

  static const Constraint* joint_of(const CollisionSystem& system, const std::vector<std::string>& bones,
                                    const std::string& bone) {
    for (const Constraint& each : system.constraints)
      if (each.body_a < bones.size() && equal_ignoring_case(bones[each.body_a], bone)) return &each;
    return nullptr;
  }

  void add(std::string code, Level level, std::string message, std::string where) {
    findings_.push_back({std::move(code), level, std::move(message), std::move(where)});
  }

  void compare_body(std::size_t i) {
    if (bones_[i].empty()) return;
    const auto theirs = std::ranges::find_if(
        character_.bones, [&](const std::string& each) { return equal_ignoring_case(each, bones_[i]); });
    const std::string where = "node '" + bones_[i] + "'";
    if (theirs == character_.bones.end())
      return add("W_RAGDOLL_BONE", Level::Warning,
                 "the body is not in the ragdoll of the skeleton: nothing moves it when the character falls", where);
    const auto place = static_cast<std::size_t>(theirs - character_.bones.begin());
    const double own = mass_of(nif_.system, nif_.system.bodies[i]);
    const double other = mass_of(character_.system, character_.system.bodies[place]);
    if (std::abs(own - other) > kMassShare * std::max(own, other))
      add("I_RAGDOLL_MASS", Level::Info,
          "the body has " + short_text(own) + " kg, in the skeleton " + short_text(other) + " kg", where);
  }

  void compare_joint(std::size_t i) {
    const Constraint& own = nif_.system.constraints[i];
    if (own.body_a >= bones_.size() || bones_[own.body_a].empty()) return;
    const std::string& bone = bones_[own.body_a];
    const Constraint* theirs = joint_of(character_.system, character_.bones, bone);
    const std::string where = "joint of node '" + bone + "'";
    if (!theirs) {
      if (has_name(character_.bones, bone))
        add("W_RAGDOLL_JOINT", Level::Warning, "the ragdoll of the skeleton has no joint for this bone", where);
      return;
    }
    const std::string parent = bone_of(bones_, own.body_b), their_parent = bone_of(character_.bones, theirs->body_b);
    if (!equal_ignoring_case(parent, their_parent))
      return add("W_RAGDOLL_PARENT", Level::Warning,
                 "the bone hangs on '" + parent + "', in the skeleton on '" + their_parent + "'", where);
    if (own.joint.index() != theirs->joint.index())
      return add(
          "W_RAGDOLL_KIND", Level::Warning,
          "the joint is a " + std::string(type_name(own)) + ", in the skeleton a " + std::string(type_name(*theirs)),
          where);
    compare_frames(own, *theirs, where);
    compare_limits(own, *theirs, where);
  }

  void compare_frames(const Constraint& own, const Constraint& theirs, const std::string& where) {
    const auto here = frames_of(own.joint), there = frames_of(theirs.joint);
    if (!here || !there) return;
    const auto compare = [&](const Frame& a, const Frame& b, const std::string& side) {
      const double apart =
          double{glm::distance(a.translation * nif_.system.game_units, b.translation * character_.system.game_units)};
      if (!(apart <= kUnits))
        add("W_RAGDOLL_FRAME", Level::Warning,
            "the pivot on the " + side + " is " + short_text(apart) + " units from that in the skeleton", where);
      if (std::holds_alternative<BallJoint>(own.joint) || std::holds_alternative<SpringJoint>(own.joint)) return;
      double turned = 0.0;
      for (const int axis : {0, 1}) {
        const double cosine = double{glm::dot(a.rotation[axis], b.rotation[axis])};
        turned = std::max(turned, degrees_of(std::acos(std::clamp(cosine, -1.0, 1.0))));
      }
      if (!(turned <= kDegrees))
        add("W_RAGDOLL_FRAME", Level::Warning,
            "the axes on the " + side + " are turned by " + short_text(turned) + " degrees from those in the skeleton",
            where);
    };
    compare(here->a, there->a, "body");
    compare(here->b, there->b, "other body");
  }

  void compare_limits(const Constraint& own, const Constraint& theirs, const std::string& where) {
    const std::vector<Limit> here = limits_of(own, nif_.system.game_units);
    const std::vector<Limit> there = limits_of(theirs, character_.system.game_units);
    for (std::size_t i = 0; i < here.size() && i < there.size(); ++i)
      if (!(std::abs(here[i].low - there[i].low) <= kDegrees && std::abs(here[i].high - there[i].high) <= kDegrees))
        add("W_RAGDOLL_LIMITS", Level::Warning,
            "the " + here[i].name + " goes from " + range_text(here[i].low, here[i].high) + ", in the skeleton from " +
                range_text(there[i].low, there[i].high),
            where);
  }

  const DocumentCollision& nif_;
  const havok::CharacterRagdoll& character_;
  std::vector<std::string> bones_;  ///< the node of each body
  Findings findings_;
};

}  // namespace

Findings compare_ragdolls(const DocumentCollision& nif, const havok::CharacterRagdoll& character) {
  return Comparison(nif, character).run();
}

}  // namespace marrow
