// SPDX-License-Identifier: MIT
#include "ops/collision/bodies.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/try.h"
#include "havok/physics/measure.h"
#include "nif/bhk_measure.h"

namespace marrow {
namespace {

std::string body_place(std::size_t body) { return "bodies[" + std::to_string(body) + "]"; }

// Lengths times a factor. Mass properties of hulls are measured anew.
void scale_shape(Shape& shape, float factor) {
  shape.convex_radius *= factor;
  if (auto* polytope = std::get_if<Polytope>(&shape.geometry)) {
    for (Vec3& vertex : polytope->vertices) vertex *= factor;
    for (Vec4& plane : polytope->planes) plane.w *= factor;
    for (Vec4& plane : polytope->outer_planes) plane.w *= factor;
    if (shape.mass) shape.mass = havok::shape_of(*havok::hull_of(shape)).mass;
  }
  if (auto* ball = std::get_if<BallShape>(&shape.geometry)) ball->center *= factor;
  if (auto* capsule = std::get_if<CapsuleShape>(&shape.geometry)) {
    capsule->a *= factor;
    capsule->b *= factor;
  }
  if (auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    for (Vec3& vertex : mesh->vertices) vertex *= factor;
    for (MergedSolid& solid : mesh->solids) {
      solid.radius *= factor;
      for (Vec3& vertex : solid.vertices) vertex *= factor;
    }
  }
  if (auto* compound = std::get_if<CompoundShape>(&shape.geometry)) {
    for (ShapeInstance& instance : compound->instances) instance.frame.translation *= factor;
    compound->nodes.clear();  // the writer builds the tree
    compound->min *= factor;
    compound->max *= factor;
  }
  if (auto* scaled = std::get_if<ScaledShape>(&shape.geometry)) scaled->translation *= factor;
  if (auto* moved = std::get_if<MovedShape>(&shape.geometry)) moved->frame.translation *= factor;
  if (auto* box = std::get_if<BoxShape>(&shape.geometry)) box->half_extents *= factor;
  if (auto* cylinder = std::get_if<CylinderShape>(&shape.geometry)) {
    cylinder->a *= factor;
    cylinder->b *= factor;
    cylinder->radius *= factor;
  }
}

template <class Action>
void for_each_child(Shape& shape, Action&& action) {
  if (auto* compound = std::get_if<CompoundShape>(&shape.geometry))
    for (ShapeInstance& instance : compound->instances) action(instance.shape);
  if (auto* scaled = std::get_if<ScaledShape>(&shape.geometry)) action(scaled->core);
  if (auto* moved = std::get_if<MovedShape>(&shape.geometry)) action(moved->core);
}

Vec3 ball_center(const CollisionSystem& system, const Body& body) {
  const Shape* shape = system.find_shape(body.shape);
  const auto* ball = shape ? std::get_if<BallShape>(&shape->geometry) : nullptr;
  return ball ? ball->center : Vec3(0.0f);
}

void take_filter(CollisionSystem& system, const Body& body) {
  if (Shape* shape = system.find_shape(body.shape))
    if (auto* mesh = std::get_if<MeshShape>(&shape->geometry))
      for (MeshMaterial& material : mesh->materials) material.filter = body.filter;
}

// Takes an element out of a list that bodies or motions refer to by index, unless it is still used.
template <class Index, class Values, class Users, class Member>
void erase_unused(Values& values, Users& users, Member Users::value_type::* member, Index index) {
  if (index >= values.size() || std::ranges::count(users, index, member) > 0) return;
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(index));
  for (auto& user : users)
    if (user.*member > index && static_cast<std::size_t>(user.*member) <= values.size()) --(user.*member);
}

// Takes out shapes that no body leads to. Shape numbers change.
void drop_unused_shapes(CollisionSystem& system) {
  std::vector<bool> used(system.shapes.size());
  std::vector<ShapeId> open;
  const auto visit = [&](ShapeId id) {
    if (system.find_shape(id) && !used[static_cast<std::size_t>(id)]) {
      used[static_cast<std::size_t>(id)] = true;
      open.push_back(id);
    }
  };
  for (const Body& body : system.bodies) visit(body.shape);
  while (!open.empty()) {
    Shape& shape = *system.find_shape(open.back());
    open.pop_back();
    for_each_child(shape, visit);
  }
  std::vector<ShapeId> renumbered(used.size(), ShapeId::None);
  std::vector<Shape> kept;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) {
      renumbered[i] = static_cast<ShapeId>(kept.size());
      kept.push_back(std::move(system.shapes[i]));
    }
  const auto renumber = [&](ShapeId& id) {
    if (static_cast<std::size_t>(id) < renumbered.size()) id = renumbered[static_cast<std::size_t>(id)];
  };
  for (Shape& shape : kept) for_each_child(shape, renumber);
  for (Body& body : system.bodies) renumber(body.shape);
  system.shapes = std::move(kept);
}

// The penetration depth follows the shape also of what does not move.
Result<void> update_block_motion(CollisionSystem& system, std::size_t index) {
  const Body& body = system.bodies[index];
  const MotionType type = motion_type(system, body);
  const Shape* shape = system.find_shape(body.shape);
  if (type == MotionType::Phantom || !shape) return {};
  system.bodies[index].skyrim->penetration_depth = bhk::penetration_depth(system, *shape, type != MotionType::Static);
  if (type != MotionType::Dynamic) return {};
  const auto measured = bhk::measure(system, *shape, mass_of(system, body));
  if (!measured)
    return fail(ErrorCode::InvalidArgument, "the body is dynamic, and the volume of its shape is not known", kNoOffset,
                body_place(index));
  system.motions[body.motion].local = *measured;
  return {};
}

Result<void> update_packfile_motion(CollisionSystem& system, std::size_t index) {
  const Body& body = system.bodies[index];
  if (motion_type(system, body) != MotionType::Dynamic) return {};
  const Shape* shape = system.find_shape(body.shape);
  const auto mass = shape ? havok::mass_properties(system, *shape) : std::nullopt;
  if (!mass || !(mass->volume > 0.0))
    return fail(ErrorCode::InvalidArgument, "the body is dynamic, and the volume of its shape is not known", kNoOffset,
                body_place(index));
  const float mass_kg = mass_of(system, body);
  const geometry::BodyInertia inertia = geometry::body_inertia(*mass, double{mass_kg});
  Motion& motion = system.motions[body.motion];
  motion.mass_factor = inertia.mass_factor;
  motion.inverse_inertia = Vec4(inertia.inverse_inertia, motion.inverse_inertia.w);
  motion.center_of_mass =
      Vec4(Vec3(body.position) + body.orientation * inertia.center_of_mass, motion.center_of_mass.w);
  motion.orientation = body.orientation * inertia.rotation;
  return {};
}

}  // namespace

Result<void> update_motion(CollisionSystem& system, std::size_t index) {
  // By `CollisionGame`.
  constexpr std::array kUpdateMotion = {&update_packfile_motion, &update_block_motion};
  return kUpdateMotion[static_cast<std::size_t>(system.game)](system, index);
}

Result<ShapeId> copy_shape(const CollisionSystem& from, ShapeId root, CollisionSystem& to) {
  const float factor = from.game_units / to.game_units;
  std::unordered_map<std::uint32_t, ShapeId> copies;
  std::vector<ShapeId> order;
  const auto visit = [&](ShapeId id) {
    if (id == ShapeId::None || !from.find_shape(id)) return;
    if (copies.try_emplace(static_cast<std::uint32_t>(id), static_cast<ShapeId>(to.shapes.size() + order.size()))
            .second)
      order.push_back(id);
  };
  visit(root);
  std::vector<Shape> added;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Shape copy = *from.find_shape(order[i]);
    if (std::holds_alternative<UnknownShape>(copy.geometry))
      return fail(ErrorCode::Unsupported, "a shape of class " + std::string(type_name(copy)) + " cannot be copied");
    copy.source = {};
    if (factor != 1.0f) scale_shape(copy, factor);
    for_each_child(copy, visit);
    for_each_child(copy, [&](ShapeId& id) {
      if (const auto found = copies.find(static_cast<std::uint32_t>(id)); found != copies.end()) id = found->second;
    });
    added.push_back(std::move(copy));
  }
  if (added.empty()) return fail(ErrorCode::InvalidArgument, "the body has no shape");
  for (Shape& shape : added) to.shapes.push_back(std::move(shape));
  return copies.at(static_cast<std::uint32_t>(root));
}

Result<void> set_shape(CollisionSystem& system, std::size_t index, const CollisionSystem& from, std::size_t from_body) {
  CollisionSystem edited = system;
  const Vec3 center_before = ball_center(system, system.bodies[index]);
  MARROW_TRY(const ShapeId shape, copy_shape(from, from.bodies[from_body].shape, edited));
  Body& body = edited.bodies[index];
  body.shape = shape;
  take_filter(edited, body);
  const Vec3 moved = ball_center(edited, body) - center_before;
  if (moved != Vec3(0.0f) && !body.skyrim) body.position += Vec4(body.orientation * moved, 0.0f);
  MARROW_CHECK(update_motion(edited, index));
  drop_unused_shapes(edited);
  system = std::move(edited);
  return {};
}

Result<std::size_t> add_body(CollisionSystem& system, const CollisionSystem& from, std::size_t from_body) {
  const float factor = from.game_units / system.game_units;
  Body body = from.bodies[from_body];
  MARROW_TRY(body.shape, copy_shape(from, body.shape, system));
  body.source = {};
  body.position = Vec4(Vec3(body.position) * factor, body.position.w);
  SurfaceProperties surface;
  if (const SurfaceProperties* own = from.surface_of(body)) surface = *own;
  surface.source = {};
  const Motion* motion = from.motion_of(body);
  const MotionProperties* properties = from.motion_properties_of(body);
  body.surface = static_cast<std::uint16_t>(system.surfaces.size());
  system.surfaces.push_back(std::move(surface));
  body.motion = kNoBody;
  if (motion) {
    Motion copy = *motion;
    copy.properties = kNoMotionProperties;
    if (properties) {
      copy.properties = static_cast<std::uint16_t>(system.motion_properties.size());
      system.motion_properties.push_back(*properties);
    }
    body.motion = static_cast<std::uint32_t>(system.motions.size());
    copy.center_of_mass = Vec4(Vec3(copy.center_of_mass) * factor, copy.center_of_mass.w);
    system.motions.push_back(copy);
  }
  system.bodies.push_back(std::move(body));
  const std::size_t added = system.bodies.size() - 1;
  if (factor != 1.0f) MARROW_CHECK(update_motion(system, added));
  return added;
}

Result<void> remove_body(CollisionSystem& system, std::size_t index, Notes& notes) {
  if (system.bodies.size() == 1)
    return fail(ErrorCode::InvalidArgument, "it is the only body; detach the whole system from its nodes instead",
                Cure{"collision detach"}, body_place(index));
  const auto bone = static_cast<std::int32_t>(index);
  if (system.ragdoll && std::ranges::find(system.ragdoll->bone_to_body, bone) != system.ragdoll->bone_to_body.end())
    return fail(ErrorCode::InvalidArgument, "a bone of the ragdoll uses the body", kNoOffset, body_place(index));
  const auto number = static_cast<std::uint32_t>(index);
  const std::size_t joints = std::erase_if(
      system.constraints, [&](const Constraint& joint) { return joint.body_a == number || joint.body_b == number; });
  if (joints > 0)
    notes.push_back({std::to_string(joints) + (joints == 1 ? " joint" : " joints") + " of the body went with it",
                     kNoOffset, body_place(index)});
  const Body gone = system.bodies[index];
  system.bodies.erase(system.bodies.begin() + static_cast<std::ptrdiff_t>(index));
  for (Constraint& joint : system.constraints)
    for (std::uint32_t* body : {&joint.body_a, &joint.body_b})
      if (*body != kNoBody && *body > number) --*body;
  if (system.ragdoll)
    for (std::int32_t& body : system.ragdoll->bone_to_body)
      if (body > bone) --body;
  erase_unused(system.surfaces, system.bodies, &Body::surface, gone.surface);
  if (const Motion* motion = system.motion_of(gone)) {
    const std::uint16_t properties = motion->properties;
    erase_unused(system.motions, system.bodies, &Body::motion, gone.motion);
    erase_unused(system.motion_properties, system.motions, &Motion::properties, properties);
  }
  drop_unused_shapes(system);
  return {};
}

}  // namespace marrow
