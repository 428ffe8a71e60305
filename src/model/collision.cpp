// SPDX-License-Identifier: MIT
#include "marrow/model/collision.h"

#include <glm/gtc/quaternion.hpp>

#include <array>
#include <limits>

#include "core/try.h"

namespace marrow {
namespace {

template <class T>
auto* find_in(T& values, std::size_t index) {
  return index < values.size() ? &values[index] : nullptr;
}

std::string place(std::string_view array, std::size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

std::unexpected<Error> out_of_range(std::string path, std::string_view what, std::uint64_t index, std::size_t count) {
  return fail(ErrorCode::Malformed,
              std::string(what) + " " + std::to_string(index) + " is not there; there are " + std::to_string(count),
              kNoOffset, std::move(path));
}

// The shapes that a shape is made of.
std::vector<ShapeId> children_of(const Shape& shape) {
  std::vector<ShapeId> children;
  if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry))
    for (const ShapeInstance& instance : compound->instances) children.push_back(instance.shape);
  if (const auto* scaled = std::get_if<ScaledShape>(&shape.geometry)) children.push_back(scaled->core);
  if (const auto* moved = std::get_if<MovedShape>(&shape.geometry)) children.push_back(moved->core);
  return children;
}

// Depth-first over the shapes: 1 is on the way, 2 is done. Meeting a 1 closes a loop.
bool has_loop(const CollisionSystem& system, std::size_t shape, std::vector<std::uint8_t>& state) {
  std::vector<std::pair<std::size_t, bool>> stack = {{shape, false}};
  while (!stack.empty()) {
    const auto [at, leaving] = stack.back();
    stack.pop_back();
    if (leaving) {
      state[at] = 2;
      continue;
    }
    if (state[at] == 2) continue;
    if (state[at] == 1) return true;
    state[at] = 1;
    stack.emplace_back(at, true);
    for (const ShapeId child : children_of(system.shapes[at])) {
      const auto index = static_cast<std::size_t>(child);
      if (state[index] == 1) return true;
      stack.emplace_back(index, false);
    }
  }
  return false;
}

std::uint64_t add_up(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return a > kMost - b ? kMost : a + b;
}

// What a shape has by itself. One that needs no vertices gets them when it is listed or exported; round ones many.
std::uint64_t own_size(const Shape& shape) {
  constexpr std::uint64_t kBox = 32, kRound = 256;
  if (const auto* hull = std::get_if<Polytope>(&shape.geometry)) return 1 + hull->vertices.size() + hull->faces.size();
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) return 1 + mesh->vertices.size() + mesh->faces.size();
  if (std::holds_alternative<BoxShape>(shape.geometry)) return kBox;
  if (std::holds_alternative<BallShape>(shape.geometry) || std::holds_alternative<CapsuleShape>(shape.geometry) ||
      std::holds_alternative<CylinderShape>(shape.geometry))
    return kRound;
  return 1;
}

// Adds the size of a shape and of all below it to `sizes`; 0 is not known yet. There are no loops.
void measure(const CollisionSystem& system, std::size_t shape, std::vector<std::uint64_t>& sizes) {
  std::vector<std::pair<std::size_t, bool>> stack = {{shape, false}};
  while (!stack.empty()) {
    const auto [at, leaving] = stack.back();
    stack.pop_back();
    if (sizes[at] != 0) continue;
    const std::vector<ShapeId> children = children_of(system.shapes[at]);
    if (leaving) {
      std::uint64_t size = own_size(system.shapes[at]);
      for (const ShapeId child : children) size = add_up(size, sizes[static_cast<std::size_t>(child)]);
      sizes[at] = size;
      continue;
    }
    stack.emplace_back(at, true);
    for (const ShapeId child : children)
      if (sizes[static_cast<std::size_t>(child)] == 0) stack.emplace_back(static_cast<std::size_t>(child), false);
  }
}

Result<void> validate_shapes(const CollisionSystem& system) {
  for (std::size_t i = 0; i < system.shapes.size(); ++i)
    for (const ShapeId child : children_of(system.shapes[i]))
      if (!system.find_shape(child))
        return out_of_range(place("shapes", i), "shape", static_cast<std::uint32_t>(child), system.shapes.size());
  std::vector<std::uint8_t> state(system.shapes.size());
  for (std::size_t i = 0; i < system.shapes.size(); ++i)
    if (has_loop(system, i, state))
      return fail(ErrorCode::Malformed, "a compound shape contains itself", kNoOffset, place("shapes", i));
  // No mesh of the games has a tenth of this, and whoever walks the shapes walks all of it.
  constexpr std::uint64_t kMost = 1'000'000;
  std::uint64_t stored = 0;
  for (const Shape& shape : system.shapes) stored += own_size(shape);
  if (expanded_size(system) > kMost + stored)
    return fail(ErrorCode::LimitExceeded,
                "shapes are used so often that they are more than " + std::to_string(kMost + stored) +
                    " vertices, faces and children",
                kNoOffset, "shapes");
  return {};
}

Result<void> validate_constraints(const CollisionSystem& system) {
  for (std::size_t i = 0; i < system.constraints.size(); ++i) {
    const Constraint& constraint = system.constraints[i];
    for (const std::uint32_t body : {constraint.body_a, constraint.body_b})
      if (body != kNoBody && body >= system.bodies.size())
        return out_of_range(place("constraints", i), "body", body, system.bodies.size());
    if (const auto* chain = std::get_if<ChainJoint>(&constraint.joint))
      for (const std::uint32_t body : chain->bodies)
        if (body != kNoBody && body >= system.bodies.size())
          return out_of_range(place("constraints", i), "body", body, system.bodies.size());
    MotorId missing = MotorId::None;
    for_each_motor(constraint.joint, [&](MotorId motor) {
      if (motor != MotorId::None && static_cast<std::size_t>(motor) >= system.motors.size()) missing = motor;
    });
    if (missing != MotorId::None)
      return out_of_range(place("constraints", i), "motor", static_cast<std::uint32_t>(missing), system.motors.size());
  }
  return {};
}

}  // namespace

std::string_view to_string(EmbeddedKind kind) {
  constexpr std::array<std::string_view, 3> kWords = {"physics", "ragdoll", "cloth"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string_view to_string(MotionType type) {
  switch (type) {
    case MotionType::Static: return "static";
    case MotionType::Keyframed: return "keyframed";
    case MotionType::Dynamic: return "dynamic";
    case MotionType::Phantom: return "phantom";
  }
  return "static";
}

std::string_view type_name(const Shape& shape) {
  struct Name {
    std::string_view operator()(const Polytope&) const { return "polytope"; }
    std::string_view operator()(const BallShape&) const { return "sphere"; }
    std::string_view operator()(const CapsuleShape&) const { return "capsule"; }
    std::string_view operator()(const MeshShape&) const { return "mesh"; }
    std::string_view operator()(const CompoundShape& c) const { return c.is_static ? "static compound" : "compound"; }
    std::string_view operator()(const ScaledShape&) const { return "scaled"; }
    std::string_view operator()(const UnknownShape& u) const { return u.class_name; }
    std::string_view operator()(const BoxShape&) const { return "box"; }
    std::string_view operator()(const CylinderShape&) const { return "cylinder"; }
    std::string_view operator()(const MovedShape&) const { return "moved"; }
  };
  return std::visit(Name{}, shape.geometry);
}

float radius_of(const Shape& shape, const CapsuleShape& capsule) { return shape.convex_radius / capsule.radius_part; }

std::string_view type_name(const Constraint& constraint) {
  struct Name {
    std::string_view operator()(const RagdollJoint&) const { return "ragdoll"; }
    std::string_view operator()(const LimitedHingeJoint&) const { return "limited hinge"; }
    std::string_view operator()(const HingeJoint&) const { return "hinge"; }
    std::string_view operator()(const BallJoint&) const { return "ball"; }
    std::string_view operator()(const PrismaticJoint&) const { return "prismatic"; }
    std::string_view operator()(const FixedJoint&) const { return "fixed"; }
    std::string_view operator()(const UnknownJoint& u) const { return u.class_name; }
    std::string_view operator()(const SpringJoint&) const { return "spring"; }
    std::string_view operator()(const ChainJoint&) const { return "ball chain"; }
  };
  return std::visit(Name{}, constraint.joint);
}

std::string_view type_name(const Motor& motor) {
  struct Name {
    std::string_view operator()(const PositionMotor&) const { return "position"; }
    std::string_view operator()(const VelocityMotor&) const { return "velocity"; }
    std::string_view operator()(const SpringDamperMotor&) const { return "spring-damper"; }
    std::string_view operator()(const UnknownMotor& u) const { return u.class_name; }
  };
  return std::visit(Name{}, motor.drive);
}

const Shape* CollisionSystem::find_shape(ShapeId id) const { return find_in(shapes, static_cast<std::size_t>(id)); }
Shape* CollisionSystem::find_shape(ShapeId id) { return find_in(shapes, static_cast<std::size_t>(id)); }
const Motion* CollisionSystem::motion_of(const Body& body) const { return find_in(motions, body.motion); }
const SurfaceProperties* CollisionSystem::surface_of(const Body& body) const { return find_in(surfaces, body.surface); }

const MotionProperties* CollisionSystem::motion_properties_of(const Body& body) const {
  const Motion* motion = motion_of(body);
  return motion ? find_in(motion_properties, motion->properties) : nullptr;
}

ShapeId CollisionSystem::add_shape(Shape shape) {
  shapes.push_back(std::move(shape));
  return static_cast<ShapeId>(shapes.size() - 1);
}

MotorId CollisionSystem::add_motor(Motor motor) {
  motors.push_back(std::move(motor));
  return static_cast<MotorId>(motors.size() - 1);
}

Frame Body::shape_frame() const {
  if (!skyrim || skyrim->type != "bhkRigidBodyT") return {};
  return {glm::mat3_cast(orientation), Vec3(position)};
}

MotionType motion_type(const CollisionSystem& system, const Body& body) {
  const Motion* motion = system.motion_of(body);
  if (body.skyrim) {
    constexpr std::uint8_t kKeyframed = 6, kFixed = 7, kAnimStatic = 2;
    if (body.skyrim->is_phantom()) return MotionType::Phantom;
    const std::uint8_t how = body.skyrim->motion_system;
    const bool has_mass = motion && motion->inverse_mass != 0.0f;
    if (how == kKeyframed || (!has_mass && body.layer() == kAnimStatic && how != kFixed)) return MotionType::Keyframed;
    return how == kFixed || !has_mass ? MotionType::Static : MotionType::Dynamic;
  }
  if (!motion) return MotionType::Static;
  return motion->inverse_mass > 0.0f ? MotionType::Dynamic : MotionType::Keyframed;
}

float mass_of(const CollisionSystem& system, const Body& body) {
  const Motion* motion = system.motion_of(body);
  return motion && motion->inverse_mass > 0.0f ? 1.0f / motion->inverse_mass : 0.0f;
}

void move_body(CollisionSystem& system, std::size_t index, const Vec3& position, const Quat& orientation) {
  Body& body = system.bodies[index];
  if (body.motion < system.motions.size() && !system.motions[body.motion].local) {
    Motion& motion = system.motions[body.motion];
    const Quat back = glm::conjugate(body.orientation);
    const Vec3 local_center = back * (Vec3(motion.center_of_mass) - Vec3(body.position));
    const Quat local_axes = back * motion.orientation;
    motion.center_of_mass = Vec4(position + orientation * local_center, motion.center_of_mass.w);
    motion.orientation = glm::normalize(orientation * local_axes);
  }
  body.position = Vec4(position, body.position.w);
  body.orientation = orientation;
}

void place_body(CollisionSystem& system, std::size_t index, const Transform& node_world) {
  // Of Skyrim's bodies only bones record the place of their node.
  if (const auto& own = system.bodies[index].skyrim; own && own->object != "bhkBlendCollisionObject") return;
  const Quat orientation = glm::normalize(node_world.rotation);
  Vec3 position = node_world.translation / system.game_units;
  if (const Shape* shape = system.find_shape(system.bodies[index].shape))
    if (const auto* ball = std::get_if<BallShape>(&shape->geometry))
      position += orientation * (node_world.scale * ball->center);
  move_body(system, index, position, orientation);
}

SystemTraits traits_of(const CollisionSystem& system) {
  constexpr std::uint8_t kActorZone = 22, kNavcut = 49;
  SystemTraits traits;
  std::vector<bool> is_volume(system.bodies.size());
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Body& body = system.bodies[i];
    traits.has_dynamic_body |= motion_type(system, body) == MotionType::Dynamic && body.layer() != kNavcut;
    is_volume[i] = body.skyrim ? body.skyrim->is_phantom()
                               : body.layer() == kActorZone || (body.flags & body_flag::kTriggerEvents) != 0;
    if (is_volume[i]) traits.volumes.push_back(static_cast<std::uint32_t>(i));
  }
  // Every joint between two pieces makes one of them.
  std::vector<std::size_t> piece(system.bodies.size());
  for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = i;
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (a >= piece.size() || b >= piece.size()) return;
    const std::size_t from = piece[a], to = piece[b];
    for (std::size_t& p : piece)
      if (p == from) p = to;
  };
  for (const Constraint& constraint : system.constraints) {
    join(constraint.body_a, constraint.body_b);
    if (const auto* chain = std::get_if<ChainJoint>(&constraint.joint))
      for (std::size_t i = 1; i < chain->bodies.size(); ++i) join(chain->bodies[i - 1], chain->bodies[i]);
  }
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (is_volume[i]) continue;
    if (!first) first = piece[i];
    traits.is_joined &= piece[i] == *first;
  }
  return traits;
}

std::uint64_t expanded_size(const CollisionSystem& system) {
  std::vector<std::uint64_t> sizes(system.shapes.size());
  std::uint64_t total = 0;
  for (const Body& body : system.bodies) {
    const auto shape = static_cast<std::size_t>(body.shape);
    if (shape >= sizes.size()) continue;
    measure(system, shape, sizes);
    total = add_up(total, sizes[shape]);
  }
  return total;
}

Result<void> validate(const CollisionSystem& system) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Body& body = system.bodies[i];
    if (body.shape != ShapeId::None && !system.find_shape(body.shape))
      return out_of_range(place("bodies", i), "shape", static_cast<std::uint32_t>(body.shape), system.shapes.size());
    if (body.motion != kNoBody && !system.motion_of(body))
      return out_of_range(place("bodies", i), "motion", body.motion, system.motions.size());
    if (!system.surface_of(body))
      return out_of_range(place("bodies", i), "surface", body.surface, system.surfaces.size());
  }
  for (std::size_t i = 0; i < system.motions.size(); ++i) {
    const std::uint16_t properties = system.motions[i].properties;
    if (properties != kNoMotionProperties && properties >= system.motion_properties.size())
      return out_of_range(place("motions", i), "motion properties", properties, system.motion_properties.size());
  }
  MARROW_CHECK(validate_constraints(system));
  if (system.ragdoll)
    for (std::size_t i = 0; i < system.ragdoll->bone_to_body.size(); ++i) {
      const std::int32_t body = system.ragdoll->bone_to_body[i];
      if (body < -1 || body >= static_cast<std::int32_t>(system.bodies.size()))
        return out_of_range(place("bone_to_body", i), "body", static_cast<std::uint32_t>(body), system.bodies.size());
    }
  return validate_shapes(system);
}

}  // namespace marrow
