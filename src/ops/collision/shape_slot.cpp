// SPDX-License-Identifier: MIT
#include "ops/collision/shape_slot.h"

#include <algorithm>

#include "core/try.h"
#include "havok/physics/measure.h"
#include "ops/collision/bodies.h"

namespace marrow {
namespace {

std::size_t use_count(const CollisionSystem& system, ShapeId id) {
  std::size_t count = 0;
  for (const Body& body : system.bodies) count += body.shape == id;
  for (const Shape& shape : system.shapes) {
    if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry))
      count += static_cast<std::size_t>(std::ranges::count(compound->instances, id, &ShapeInstance::shape));
    if (const auto* scaled = std::get_if<ScaledShape>(&shape.geometry)) count += scaled->core == id;
    if (const auto* moved = std::get_if<MovedShape>(&shape.geometry)) count += moved->core == id;
  }
  return count;
}

// Returns the shape, or a copy of it if it has other users.
ShapeId owned(CollisionSystem& system, ShapeId id) {
  if (use_count(system, id) <= 1) return id;
  Shape copy = *system.find_shape(id);
  copy.source = {};
  return system.add_shape(std::move(copy));
}

}  // namespace

std::optional<PlacedShape> find_slot(const CollisionSystem& system, const ShapeSlot& slot) {
  if (slot.body >= system.bodies.size()) return std::nullopt;
  PlacedShape at{.shape = system.bodies[slot.body].shape, .frame = system.bodies[slot.body].shape_frame()};
  if (const Shape* shape = system.find_shape(at.shape))
    if (const auto* moved = std::get_if<MovedShape>(&shape->geometry)) {
      at.frame.translation = at.frame.rotation * moved->frame.translation + at.frame.translation;
      at.frame.rotation = at.frame.rotation * moved->frame.rotation;
      at.shape = moved->core;
    }
  for (const std::uint32_t child : slot.path) {
    const Shape* shape = system.find_shape(at.shape);
    const auto* compound = shape ? std::get_if<CompoundShape>(&shape->geometry) : nullptr;
    if (!compound || child >= compound->instances.size()) return std::nullopt;
    const ShapeInstance& instance = compound->instances[child];
    at.frame.translation = at.frame.rotation * (at.scale * instance.frame.translation) + at.frame.translation;
    at.frame.rotation = at.frame.rotation * instance.frame.rotation;
    at.scale *= instance.scale;
    at.shape = instance.shape;
  }
  if (!system.find_shape(at.shape)) return std::nullopt;
  return at;
}

Shape& own_shape(CollisionSystem& system, const ShapeSlot& slot) {
  ShapeId id = owned(system, system.bodies[slot.body].shape);
  system.bodies[slot.body].shape = id;
  if (auto* moved = std::get_if<MovedShape>(&system.find_shape(id)->geometry)) {
    const ShapeId own = owned(system, moved->core);
    std::get<MovedShape>(system.find_shape(id)->geometry).core = own;
    id = own;
  }
  for (const std::uint32_t child : slot.path) {
    const ShapeId old = std::get<CompoundShape>(system.find_shape(id)->geometry).instances[child].shape;
    const ShapeId own = owned(system, old);
    std::get<CompoundShape>(system.find_shape(id)->geometry).instances[child].shape = own;
    id = own;
  }
  return *system.find_shape(id);
}

Result<void> finish_shapes(CollisionSystem& system, std::size_t body) {
  // Parents before children; compounds are then computed from the last to the first, so that children are done.
  std::vector<ShapeId> open = {system.bodies[body].shape};
  for (std::size_t i = 0; i < open.size() && open.size() <= system.shapes.size() * 2; ++i)
    if (const Shape* shape = system.find_shape(open[i]))
      if (const auto* compound = std::get_if<CompoundShape>(&shape->geometry))
        for (const ShapeInstance& instance : compound->instances)
          if (const Shape* child = system.find_shape(instance.shape);
              child && std::holds_alternative<CompoundShape>(child->geometry))
            open.push_back(instance.shape);
  for (auto id = open.rbegin(); id != open.rend(); ++id)
    if (Shape* shape = system.find_shape(*id))
      if (const auto* compound = std::get_if<CompoundShape>(&shape->geometry)) {
        CompoundShape changed = *compound;
        MARROW_CHECK(havok::build_tree(system, changed));
        shape->geometry = std::move(changed);
      }
  return update_motion(system, body);
}

}  // namespace marrow
