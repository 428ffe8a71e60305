// SPDX-License-Identifier: MIT
#include "ops/collision/edit.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/try.h"
#include "havok/physics/measure.h"
#include "marrow/model/collision_names.h"
#include "nif/bhk_measure.h"

namespace marrow {
namespace {

std::unexpected<Error> refuse(std::size_t body, std::string message) {
  return fail(ErrorCode::InvalidArgument, std::move(message), kNoOffset, "bodies[" + std::to_string(body) + "]");
}

// A body may only change its own data: a copy is made if another body uses it too.
SurfaceProperties& own_surface(CollisionSystem& system, std::size_t body) {
  Body& own = system.bodies[body];
  const bool is_shared = std::ranges::count(system.bodies, own.surface, &Body::surface) > 1;
  if (is_shared) {
    system.surfaces.push_back(SurfaceProperties(system.surfaces[own.surface]));
    own.surface = static_cast<std::uint16_t>(system.surfaces.size() - 1);
  }
  return system.surfaces[own.surface];
}

MotionProperties* own_motion_properties(CollisionSystem& system, std::size_t body) {
  if (!system.motion_properties_of(system.bodies[body])) return nullptr;
  Motion& motion = system.motions[system.bodies[body].motion];
  if (std::ranges::count(system.motions, motion.properties, &Motion::properties) > 1) {
    system.motion_properties.push_back(MotionProperties(system.motion_properties[motion.properties]));
    motion.properties = static_cast<std::uint16_t>(system.motion_properties.size() - 1);
  }
  return &system.motion_properties[motion.properties];
}

void remove_motion_properties(CollisionSystem& system, std::uint16_t index) {
  if (index >= system.motion_properties.size()) return;
  if (std::ranges::any_of(system.motions, [&](const Motion& m) { return m.properties == index; })) return;
  system.motion_properties.erase(system.motion_properties.begin() + index);
  for (Motion& motion : system.motions)
    if (motion.properties != kNoMotionProperties && motion.properties > index) --motion.properties;
}

void remove_motion(CollisionSystem& system, std::size_t body) {
  const std::uint32_t index = system.bodies[body].motion;
  system.bodies[body].motion = kNoBody;
  if (index >= system.motions.size() || std::ranges::count(system.bodies, index, &Body::motion) > 0) return;
  const std::uint16_t properties = system.motions[index].properties;
  system.motions.erase(system.motions.begin() + index);
  for (Body& other : system.bodies)
    if (other.motion != kNoBody && other.motion > index) --other.motion;
  remove_motion_properties(system, properties);
}

// Mass and inertia are proportional, so the game's own inertia is kept and scaled.
void scale_mass(Motion& motion, float mass_kg) {
  const float ratio = mass_kg * motion.inverse_mass;
  motion.inverse_mass = 1.0f / mass_kg;
  if (motion.local) motion.local->inertia *= ratio;
  motion.mass_factor *= ratio;
  motion.inverse_inertia = Vec4(Vec3(motion.inverse_inertia) / ratio, motion.inverse_inertia.w);
}

void set_material(CollisionSystem& system, ShapeId id, std::uint32_t material, std::uint32_t depth = 0) {
  Shape* shape = system.find_shape(id);
  if (!shape || depth > 64) return;
  shape->material = material;
  if (auto* mesh = std::get_if<MeshShape>(&shape->geometry))
    for (MeshMaterial& own : mesh->materials) own.crc = material;
  if (const auto* compound = std::get_if<CompoundShape>(&shape->geometry))
    for (const ShapeInstance& instance : std::vector(compound->instances))
      set_material(system, instance.shape, material, depth + 1);
  if (const auto* scaled = std::get_if<ScaledShape>(&shape->geometry))
    set_material(system, ShapeId(scaled->core), material, depth + 1);
  if (const auto* moved = std::get_if<MovedShape>(&shape->geometry))
    set_material(system, ShapeId(moved->core), material, depth + 1);
}

// The triangles of a mesh repeat the filter of their body, also of one in another place.
void set_filter(CollisionSystem& system, Body& body, std::uint32_t filter) {
  Shape* shape = system.find_shape(body.shape);
  if (const auto* moved = shape ? std::get_if<MovedShape>(&shape->geometry) : nullptr)
    shape = system.find_shape(moved->core);
  if (auto* mesh = shape ? std::get_if<MeshShape>(&shape->geometry) : nullptr)
    for (MeshMaterial& own : mesh->materials)
      if (own.filter == body.filter) own.filter = filter;
  body.filter = filter;
}

void set_flag(Body& body, std::uint32_t flag, bool on) { body.flags = on ? body.flags | flag : body.flags & ~flag; }

Result<void> check_numbers(std::size_t body, const BodyEdit& edit) {
  const auto not_negative = [](const std::optional<float>& value) {
    return !value || (std::isfinite(*value) && *value >= 0.0f);
  };
  if (edit.mass_kg && !(std::isfinite(*edit.mass_kg) && *edit.mass_kg > 0.0f))
    return refuse(body, "the mass must be more than 0 kg; a body that never moves is static");
  for (const auto& value : {edit.friction, edit.restitution, edit.linear_damping, edit.angular_damping,
                            edit.max_linear_speed, edit.max_angular_speed})
    if (!not_negative(value))
      return refuse(body, "friction, restitution, damping and speed limits must not be negative");
  if (edit.gravity_factor && !std::isfinite(*edit.gravity_factor))
    return refuse(body, "the gravity factor is not finite");
  if (edit.position &&
      !(std::isfinite(edit.position->x) && std::isfinite(edit.position->y) && std::isfinite(edit.position->z)))
    return refuse(body, "the position is not finite");
  if (edit.rotation && !(std::abs(glm::length(*edit.rotation) - 1.0f) < 0.01f))
    return refuse(body, "a rotation must be a unit quaternion x, y, z, w");
  return {};
}

Result<void> edit_motion(CollisionSystem& system, std::size_t index, const BodyEdit& edit) {
  const MotionType before = motion_type(system, system.bodies[index]);
  const MotionType after = edit.motion.value_or(before);
  const float old_mass = mass_of(system, system.bodies[index]);
  if (edit.mass_kg && after != MotionType::Dynamic)
    return refuse(index, "the body is " + std::string(to_string(after)) + " and has no mass; make it dynamic");
  if (after != before) {
    if (after == MotionType::Dynamic && !edit.mass_kg) return refuse(index, "a dynamic body needs a mass");
    return set_motion(system, index, after, edit.mass_kg.value_or(old_mass));
  }
  if (edit.mass_kg) scale_mass(system.motions[system.bodies[index].motion], *edit.mass_kg);
  return {};
}

Result<void> edit_motion_properties(CollisionSystem& system, std::size_t index, const BodyEdit& edit) {
  struct Field {
    const std::optional<float>& value;
    float MotionProperties::* field;
  };
  const std::array fields = {Field{edit.linear_damping, &MotionProperties::linear_damping},
                             Field{edit.angular_damping, &MotionProperties::angular_damping},
                             Field{edit.gravity_factor, &MotionProperties::gravity_factor},
                             Field{edit.max_linear_speed, &MotionProperties::max_linear_speed},
                             Field{edit.max_angular_speed, &MotionProperties::max_angular_speed}};
  if (std::ranges::none_of(fields, [](const Field& field) { return field.value.has_value(); })) return {};
  MotionProperties* properties = own_motion_properties(system, index);
  if (!properties)
    return refuse(index, "only dynamic bodies have damping, gravity and speed limits; make it dynamic, with a mass");
  for (const Field& field : fields)
    if (field.value) properties->*field.field = *field.value;
  return {};
}

// A body that starts or stops moving belongs on another layer: the game decides by it what collides with what.
void follow_with_layer(CollisionSystem& system, std::size_t index, MotionType before, Notes& notes) {
  Body& body = system.bodies[index];
  const MotionType after = motion_type(system, body);
  const std::string where = "bodies[" + std::to_string(index) + "]";
  if (body.layer() == usual_layer(before)) {
    set_filter(system, body, (body.filter & ~0x7Fu) | usual_layer(after));
    notes.push_back({"the layer is now " + layer_name(body.layer(), system.game) + ", as it is of " +
                         std::string(to_string(after)) + " props of the game",
                     kNoOffset, where});
  } else if (body.layer() != usual_layer(after)) {
    notes.push_back({"the layer stays " + layer_name(body.layer(), system.game) + "; " + std::string(to_string(after)) +
                         " props of the game are on " + layer_name(usual_layer(after), system.game),
                     kNoOffset, where});
  }
  const Shape* shape = system.find_shape(body.shape);
  if (after == MotionType::Dynamic && shape && std::holds_alternative<MeshShape>(shape->geometry))
    notes.push_back(
        {"the shape is a mesh, which has no volume: inertia is that of its box, and moving meshes are slow in "
         "the game; a hull or a compound fits better",
         kNoOffset, where});
}

// Bodies of packfiles have motions of their own if they move.
Result<void> set_packfile_motion(CollisionSystem& system, std::size_t index, MotionType type, float mass_kg) {
  if (type == MotionType::Static) {
    remove_motion(system, index);
    set_flag(system.bodies[index], body_flag::kContactImpulseEvents, false);
    return {};
  }
  const Shape* shape = system.find_shape(system.bodies[index].shape);
  const auto mass = shape ? havok::mass_properties(system, *shape) : std::nullopt;
  if (type == MotionType::Dynamic && (!mass || !(mass->volume > 0.0)))
    return refuse(index, "the volume of the shape is unknown, so the body cannot be made dynamic");
  remove_motion(system, index);
  Body& body = system.bodies[index];
  Motion motion;
  motion.center_of_mass = Vec4(Vec3(body.position), 0.0f);
  motion.orientation = body.orientation;
  set_flag(body, body_flag::kContactImpulseEvents, type == MotionType::Dynamic);
  if (type == MotionType::Dynamic) {
    const geometry::BodyInertia inertia = geometry::body_inertia(*mass, static_cast<double>(mass_kg));
    motion.properties = static_cast<std::uint16_t>(system.motion_properties.size());
    system.motion_properties.emplace_back();
    motion.inverse_mass = inertia.inverse_mass;
    motion.mass_factor = inertia.mass_factor;
    motion.inverse_inertia = Vec4(inertia.inverse_inertia, 1.0f);
    motion.center_of_mass = Vec4(Vec3(body.position) + body.orientation * inertia.center_of_mass, 0.0f);
    motion.orientation = body.orientation * inertia.rotation;
  }
  body.motion = static_cast<std::uint32_t>(system.motions.size());
  system.motions.push_back(motion);
  return {};
}

}  // namespace

std::uint8_t usual_layer(MotionType motion) {
  constexpr std::array<std::uint8_t, 4> kLayers = {1, 2, 4, 30};  // STATIC, ANIMSTATIC, CLUTTER, CHARCONTROLLER
  return kLayers[static_cast<std::size_t>(motion)];
}

Result<void> set_motion(CollisionSystem& system, std::size_t index, MotionType type, float mass_kg) {
  // By `CollisionGame`.
  constexpr std::array kSetMotion = {&set_packfile_motion, &bhk::set_motion};
  return kSetMotion[static_cast<std::size_t>(system.game)](system, index, type, mass_kg);
}

Result<void> edit_body(CollisionSystem& system, std::size_t index, const BodyEdit& edit, Notes& notes) {
  if (index >= system.bodies.size())
    return fail(ErrorCode::NotFound, "there is no body " + std::to_string(index) + "; the system has " +
                                         std::to_string(system.bodies.size()) + ", counted from 0");
  MARROW_CHECK(check_numbers(index, edit));
  const bool is_of_motion = edit.motion || edit.mass_kg || edit.friction || edit.restitution || edit.linear_damping ||
                            edit.angular_damping || edit.gravity_factor || edit.max_linear_speed ||
                            edit.max_angular_speed;
  if (is_of_motion && motion_type(system, system.bodies[index]) == MotionType::Phantom)
    return refuse(index, "a phantom has no mass, motion or surface");
  CollisionSystem edited = system;
  const MotionType motion_before = motion_type(system, system.bodies[index]);
  MARROW_CHECK(edit_motion(edited, index, edit));
  MARROW_CHECK(edit_motion_properties(edited, index, edit));
  if (edit.friction || edit.restitution) {
    SurfaceProperties& surface = own_surface(edited, index);
    if (edit.friction) surface.dynamic_friction = surface.static_friction = *edit.friction;
    if (edit.restitution) surface.restitution = *edit.restitution;
  }
  Body& body = edited.bodies[index];
  if (edit.material) {
    set_material(edited, body.shape, *edit.material);
    if (std::ranges::count(edited.bodies, body.shape, &Body::shape) > 1)
      notes.push_back({"the shape is shared, so other bodies have the new material too", kNoOffset,
                       "bodies[" + std::to_string(index) + "]"});
  }
  if (edit.layer)
    set_filter(edited, body, (body.filter & ~0x7Fu) | (*edit.layer & 0x7Fu));
  else if (motion_type(edited, body) != motion_before)
    follow_with_layer(edited, index, motion_before, notes);
  if (body.skyrim && (edit.enter_keyframed || edit.impact_events))
    return refuse(index, "bodies of Skyrim have no flags for impact events or for entering keyframed");
  if (edit.collides && body.skyrim)
    set_filter(edited, body,
               *edit.collides ? body.filter & ~filter_flag::kNoCollision : body.filter | filter_flag::kNoCollision);
  else if (edit.collides)
    set_flag(body, body_flag::kDontCollide, !*edit.collides);
  if (edit.enter_keyframed) set_flag(body, body_flag::kEnterKeyframed, *edit.enter_keyframed);
  if (edit.impact_events) set_flag(body, body_flag::kContactImpulseEvents, *edit.impact_events);
  if (edit.position || edit.rotation)
    move_body(edited, index, edit.position.value_or(Vec3(body.position)),
              edit.rotation ? glm::normalize(*edit.rotation) : body.orientation);
  system = std::move(edited);
  return {};
}

}  // namespace marrow
