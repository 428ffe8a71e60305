// SPDX-License-Identifier: MIT
// Joints of Skyrim NIFs as the model has them: docs/formats/bhk.md, "Joints".
#include "nif/bhk/joints.h"

#include <algorithm>

#include "core/try.h"

namespace marrow::bhk {
namespace {

/// The numbers of joint types inside breakable and malleable ones.
enum Wrapped : std::uint32_t { kBall = 0, kHinge = 1, kLimitedHinge = 2, kPrismatic = 6, kRagdoll = 7, kSpring = 8 };

struct JointRow {
  std::string_view type;
  Wrapped number;
};
constexpr std::array kRows = {
    JointRow{"bhkBallAndSocketConstraint", kBall},        JointRow{"bhkHingeConstraint", kHinge},
    JointRow{"bhkLimitedHingeConstraint", kLimitedHinge}, JointRow{"bhkPrismaticConstraint", kPrismatic},
    JointRow{"bhkRagdollConstraint", kRagdoll},           JointRow{"bhkStiffSpringConstraint", kSpring}};

// Frame 0 is that of entity A: three axes and a pivot, four numbers each.
Frame frame_at(const std::array<float, 32>& numbers, std::size_t which) {
  Frame frame;
  const std::size_t first = 16 * which;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < 3; ++i)
      frame.rotation[static_cast<int>(axis)][static_cast<int>(i)] = numbers[first + 4 * axis + i];
  for (std::size_t i = 0; i < 3; ++i) frame.translation[static_cast<int>(i)] = numbers[first + 12 + i];
  return frame;
}

void put_frame(std::array<float, 32>& numbers, std::size_t which, const Frame& frame) {
  const std::size_t first = 16 * which;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < 3; ++i)
      numbers[first + 4 * axis + i] = frame.rotation[static_cast<int>(axis)][static_cast<int>(i)];
  for (std::size_t i = 0; i < 3; ++i) numbers[first + 12 + i] = frame.translation[static_cast<int>(i)];
}

struct ReadMotor {
  MotorId id = MotorId::None;
  bool is_on = false;
};

ReadMotor read_motor(const nif::Record& record, CollisionSystem& system) {
  const std::uint64_t kind = record.integer("motor");
  if (kind == 0 || kind > 3) return {};
  Motor motor;
  if (kind == 1) {
    const auto v = record.reals<6>("motor_1");
    motor.drive = PositionMotor{v[0], v[1], v[2], v[3], v[4], v[5]};
  } else if (kind == 2) {
    const auto v = record.reals<4>("motor_2");
    motor.drive = VelocityMotor{v[0], v[1], v[2], v[3], record.integer("motor_2_uses_target") != 0};
  } else {
    const auto v = record.reals<4>("motor_3");
    motor.drive = SpringDamperMotor{v[0], v[1], v[2], v[3]};
  }
  return {system.add_motor(std::move(motor)), record.integer("motor_on") != 0};
}

void write_motor(nif::Record& record, const CollisionSystem& system, MotorId id, bool is_on) {
  const bool has_motor = static_cast<std::size_t>(id) < system.motors.size();
  const Motor* motor = has_motor ? &system.motors[static_cast<std::size_t>(id)] : nullptr;
  std::uint64_t kind = 0;
  if (const auto* position = motor ? std::get_if<PositionMotor>(&motor->drive) : nullptr) {
    kind = 1;
    record.set_reals<6>("motor_1", {position->min_force, position->max_force, position->tau, position->damping,
                                    position->proportional_recovery_velocity, position->constant_recovery_velocity});
  } else if (const auto* velocity = motor ? std::get_if<VelocityMotor>(&motor->drive) : nullptr) {
    kind = 2;
    record.set_reals<4>("motor_2",
                        {velocity->min_force, velocity->max_force, velocity->tau, velocity->velocity_target});
    record.set_integer("motor_2_uses_target", velocity->uses_constraint_targets ? 1 : 0);
  } else if (const auto* spring = motor ? std::get_if<SpringDamperMotor>(&motor->drive) : nullptr) {
    kind = 3;
    record.set_reals<4>("motor_3",
                        {spring->min_force, spring->max_force, spring->spring_constant, spring->spring_damping});
  }
  record.set_integer("motor", kind);
  record.set_integer("motor_on", kind != 0 && is_on ? 1 : 0);
}

Joint read_data(const nif::Record& record, std::uint64_t number, CollisionSystem& system, std::string_view type) {
  if (number == kBall || number == kSpring) {
    const auto p = record.reals<8>("pivots");
    const Vec3 a(p[0], p[1], p[2]), b(p[4], p[5], p[6]);
    if (number == kBall) return BallJoint{a, b};
    return SpringJoint{a, b, record.get<float>("length")};
  }
  if (number != kHinge && number != kLimitedHinge && number != kPrismatic && number != kRagdoll)
    return UnknownJoint{std::string(type)};
  const auto numbers = record.reals<32>("frames");
  const Frame a = frame_at(numbers, 0), b = frame_at(numbers, 1);
  if (number == kHinge) return HingeJoint{a, b};
  const ReadMotor motor = read_motor(record, system);
  if (number == kRagdoll) {
    const auto v = record.reals<6>("ragdoll_limits");
    RagdollJoint joint{.frame_a = a,
                       .frame_b = b,
                       .max_friction_torque = v[5],
                       .twist_min = v[3],
                       .twist_max = v[4],
                       .cone_max = v[0],
                       .plane_min = v[1],
                       .plane_max = v[2]};
    joint.motors = {motor.id, motor.id, motor.id};
    joint.motors_enabled = motor.is_on;
    return joint;
  }
  const auto v = record.reals<3>("limits");
  if (number == kLimitedHinge)
    return LimitedHingeJoint{.frame_a = a,
                             .frame_b = b,
                             .max_friction_torque = v[2],
                             .min_angle = v[0],
                             .max_angle = v[1],
                             .motor = motor.id,
                             .motor_enabled = motor.is_on};
  return PrismaticJoint{.frame_a = a,
                        .frame_b = b,
                        .max_friction_force = v[2],
                        .min_distance = v[0],
                        .max_distance = v[1],
                        .motor = motor.id,
                        .motor_enabled = motor.is_on};
}

ChainJoint read_chain(const nif::Record& record, const std::unordered_map<std::int32_t, std::uint32_t>& body_of) {
  ChainJoint chain{.tau = record.get<float>("tau"),
                   .damping = record.get<float>("damping"),
                   .cfm = record.get<float>("cfm"),
                   .max_error = record.get<float>("max_error")};
  const std::vector<float> p = record.values<float>("chain_pivots");
  for (std::size_t i = 0; i + 8 <= p.size(); i += 8)
    chain.links.push_back({{p[i], p[i + 1], p[i + 2]}, {p[i + 4], p[i + 5], p[i + 6]}});
  for (const std::int32_t block : record.values<std::int32_t>("chained")) {
    const auto body = body_of.find(block);
    chain.bodies.push_back(body == body_of.end() ? kNoBody : body->second);
  }
  return chain;
}

std::optional<std::uint64_t> number_of(std::string_view type) {
  const auto row = std::ranges::find(kRows, type, &JointRow::type);
  return row == kRows.end() ? std::nullopt : std::optional<std::uint64_t>(row->number);
}

std::optional<Wrapped> number_of(const Joint& joint) {
  if (std::holds_alternative<BallJoint>(joint)) return kBall;
  if (std::holds_alternative<HingeJoint>(joint)) return kHinge;
  // A joint that does not move is a hinge that turns by nothing.
  if (std::holds_alternative<LimitedHingeJoint>(joint) || std::holds_alternative<FixedJoint>(joint))
    return kLimitedHinge;
  if (std::holds_alternative<PrismaticJoint>(joint)) return kPrismatic;
  if (std::holds_alternative<RagdollJoint>(joint)) return kRagdoll;
  if (std::holds_alternative<SpringJoint>(joint)) return kSpring;
  return std::nullopt;
}

void put_pivots(nif::Record& record, const Vec3& a, const Vec3& b) {
  auto p = record.reals<8>("pivots");
  for (std::size_t i = 0; i < 3; ++i) {
    p[i] = a[static_cast<int>(i)];
    p[4 + i] = b[static_cast<int>(i)];
  }
  record.set_reals<8>("pivots", p);
}

void write_data(nif::Record& record, const Joint& joint, const CollisionSystem& system) {
  const auto put_frames = [&](const Frame& a, const Frame& b) {
    auto numbers = record.reals<32>("frames");
    put_frame(numbers, 0, a);
    put_frame(numbers, 1, b);
    record.set_reals<32>("frames", numbers);
  };
  if (const auto* ball = std::get_if<BallJoint>(&joint)) put_pivots(record, ball->pivot_a, ball->pivot_b);
  if (const auto* spring = std::get_if<SpringJoint>(&joint)) {
    put_pivots(record, spring->pivot_a, spring->pivot_b);
    record.set("length", spring->length);
  }
  if (const auto* hinge = std::get_if<HingeJoint>(&joint)) put_frames(hinge->frame_a, hinge->frame_b);
  if (const auto* fixed = std::get_if<FixedJoint>(&joint)) {
    put_frames(fixed->frame_a, fixed->frame_b);
    record.set_reals<3>("limits", {0.0f, 0.0f, 0.0f});
  }
  if (const auto* hinge = std::get_if<LimitedHingeJoint>(&joint)) {
    put_frames(hinge->frame_a, hinge->frame_b);
    record.set_reals<3>("limits", {hinge->min_angle, hinge->max_angle, hinge->max_friction_torque});
    write_motor(record, system, hinge->motor, hinge->motor_enabled);
  }
  if (const auto* slide = std::get_if<PrismaticJoint>(&joint)) {
    put_frames(slide->frame_a, slide->frame_b);
    record.set_reals<3>("limits", {slide->min_distance, slide->max_distance, slide->max_friction_force});
    write_motor(record, system, slide->motor, slide->motor_enabled);
  }
  if (const auto* ragdoll = std::get_if<RagdollJoint>(&joint)) {
    put_frames(ragdoll->frame_a, ragdoll->frame_b);
    record.set_reals<6>("ragdoll_limits", {ragdoll->cone_max, ragdoll->plane_min, ragdoll->plane_max,
                                           ragdoll->twist_min, ragdoll->twist_max, ragdoll->max_friction_torque});
    write_motor(record, system, ragdoll->motors.front(), ragdoll->motors_enabled);
  }
}

}  // namespace

Result<void> read_joints(const NifFile& file, CollisionSystem& system, const Limits& limits) {
  std::unordered_map<std::int32_t, std::uint32_t> body_of;
  for (std::size_t i = 0; i < system.bodies.size(); ++i)
    body_of.try_emplace(static_cast<std::int32_t>(system.bodies[i].source.value), static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    const nif::RecordType* type = nif::type_of(file, block);
    if (!type || !(type->is_a("bhk_constraint") || type->is_a("bhk_chain"))) continue;
    MARROW_TRY(const nif::Record record, nif::read_block(file, block, limits));
    const auto a = body_of.find(record.reference("entity_a"));
    if (a == body_of.end()) continue;
    const auto b = body_of.find(record.reference("entity_b"));
    Constraint constraint{
        .body_a = a->second, .body_b = b == body_of.end() ? kNoBody : b->second, .is_stabilized = false};
    constraint.source.value = static_cast<std::uint32_t>(block);
    const std::string_view name = file.type_of(block);
    if (type->is_a("bhk_chain")) {
      constraint.joint = read_chain(record, body_of);
    } else if (type->is_a("bhk_wrapping_constraint")) {
      constraint.joint = read_data(record, record.integer("wrapped"), system, name);
      if (record.has("threshold")) {
        constraint.break_threshold = record.get<float>("threshold");
        constraint.remove_when_broken = record.integer("remove_when_broken") != 0;
      } else {
        constraint.malleable_strength = record.get<float>("strength");
      }
    } else {
      constraint.joint = read_data(record, number_of(name).value_or(~0ull), system, name);
    }
    system.constraints.push_back(std::move(constraint));
  }
  return {};
}

std::string_view joint_type(const Constraint& constraint) {
  if (std::holds_alternative<ChainJoint>(constraint.joint)) return "bhkBallSocketConstraintChain";
  const auto number = number_of(constraint.joint);
  if (!number) return {};
  if (constraint.break_threshold) return "bhkBreakableConstraint";
  if (constraint.malleable_strength) return "bhkMalleableConstraint";
  return std::ranges::find(kRows, *number, &JointRow::number)->type;
}

void write_joint(nif::Record& record, const Constraint& constraint, const CollisionSystem& system,
                 const std::vector<std::int32_t>& block_of_body) {
  const auto block = [&](std::uint32_t body) { return body < block_of_body.size() ? block_of_body[body] : kNoBlock; };
  record.set<std::uint32_t>("entity_count", 2);
  record.set("entity_a", block(constraint.body_a));
  record.set("entity_b", block(constraint.body_b));
  if (record.integer("priority") == 0) record.set<std::uint32_t>("priority", 1);
  if (const auto* chain = std::get_if<ChainJoint>(&constraint.joint)) {
    std::vector<float> pivots;
    for (const ChainJoint::Link& link : chain->links)
      for (const Vec3& p : {link.pivot_a, link.pivot_b}) pivots.insert(pivots.end(), {p.x, p.y, p.z, 0.0f});
    record.set_values("chain_pivots", pivots);
    std::vector<std::int32_t> bodies;
    for (const std::uint32_t body : chain->bodies) bodies.push_back(block(body));
    record.set_values("chained", bodies);
    record.set("tau", chain->tau);
    record.set("damping", chain->damping);
    record.set("cfm", chain->cfm);
    record.set("max_error", chain->max_error);
    return;
  }
  if (record.has("wrapped")) {
    if (const auto number = number_of(constraint.joint)) record.set<std::uint32_t>("wrapped", *number);
    if (record.integer("inner_entity_count") == 0) {
      record.set<std::uint32_t>("inner_entity_count", 2);
      record.set<std::uint32_t>("inner_priority", 1);
    }
    if (record.has("threshold") && constraint.break_threshold) {
      record.set("threshold", *constraint.break_threshold);
      record.set_integer("remove_when_broken", constraint.remove_when_broken ? 1 : 0);
    }
    if (record.has("strength") && constraint.malleable_strength) record.set("strength", *constraint.malleable_strength);
  }
  write_data(record, constraint.joint, system);
}

}  // namespace marrow::bhk
