// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/collision_joint.h"
#include "marrow/model/collision_names.h"
#include "marrow/model/collision_shape.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// Game units per Havok unit. The packfiles inside NIF files use Havok units.
inline constexpr float kGameUnitsPerHavokUnit = 69.99125f;
/// A missing body, motion or material.
inline constexpr std::uint32_t kNoBody = 0x7FFFFFFF;
inline constexpr std::uint16_t kNoMotionProperties = 0xFFFF;

/// How a body moves.
enum class MotionType : std::uint8_t {
  Static,     ///< never moves; has no motion
  Keyframed,  ///< moved by the game; has a motion without mass
  Dynamic,    ///< moved by the simulation
  Phantom,    ///< Skyrim: nothing collides with it; it only detects
};
std::string_view to_string(MotionType type);

/// What a physics system of a NIF is for.
enum class EmbeddedKind : std::uint8_t { Physics, Ragdoll, Cloth };
std::string_view to_string(EmbeddedKind kind);

/// Contact properties of a surface. The defaults are those of the game's own props.
struct SurfaceProperties {
  std::string name = {};
  std::uint32_t is_exclusive = 0;
  std::int32_t flags = 0;         ///< 0x200000: a trigger volume
  std::uint8_t trigger_type = 0;  ///< 0 none, 1 broad phase, 2 narrow phase, 3 contact solver
  std::uint8_t trigger_manifold_tolerance = 0xFF;
  float dynamic_friction = 0.5f;
  float static_friction = 0.5f;
  float restitution = 0.400390625f;
  std::uint8_t friction_policy = 1;  ///< 0 average, 1 minimum, 2 maximum of the two surfaces
  std::uint8_t restitution_policy = 2;
  float welding_tolerance = 0.0498046875f;
  float max_contact_impulse = 3.40282e+38f;
  float clipped_impulse_fraction = 1.0f;
  std::uint8_t mass_changer_category = 0;
  float mass_changer_factor = 1.0f;
  float soft_contact_force = 0.0f;
  float soft_contact_damping = 0.0f;
  std::uint8_t soft_contact_velocity = 0;
  float convex_disable_distance = 5.0f;
  std::uint64_t user_data = 0;
  bool is_shared = false;
  SourceHandle source = {};  ///< what it points to

  bool operator==(const SurfaceProperties&) const = default;
};

/// Damping and speed limits of a dynamic body. Lengths are Havok units, angles radians.
struct MotionProperties {
  std::uint32_t is_exclusive = 0;
  std::uint32_t flags = 0;
  float gravity_factor = 1.0f;
  float time_factor = 1.0f;
  float max_linear_speed = 104.375f;
  float max_angular_speed = 31.5703125f;
  float linear_damping = 0.10009765625f;
  float angular_damping = 0.050048828125f;
  float stabilization_threshold = 0.17f;
  float stabilization_reduction = 0.4905f;
  float max_distance_squared = 0.0025f;
  float max_rotation_squared = 0.0025f;
  float inverse_block_size = 1.0f;
  std::int16_t pathing_upper = 26623;
  std::int16_t pathing_lower = -26213;
  std::uint8_t deactivation_passes = 4;
  std::uint8_t deactivation_velocity = 115;
  std::uint8_t minimum_pathing_velocity = 117;
  std::uint8_t spiking_threshold = 6;
  std::uint8_t minimum_spiking_velocity = 115;

  bool operator==(const MotionProperties&) const = default;
};

/// How the mass of a body is distributed, in the space of its shape.
struct LocalMass {
  Vec3 center{0.0f};
  glm::mat3 inertia{0.0f};  ///< kilograms times the square of the system's unit

  bool operator==(const LocalMass&) const = default;
};

/// Mass and pose of a body that can move. In Skyrim every body has one.
struct Motion {
  std::uint16_t properties = kNoMotionProperties;  ///< index into `CollisionSystem::motion_properties`
  bool enable_deactivation = true;
  float inverse_mass = 0.0f;
  float mass_factor = 1.0f;  ///< mass divided by the volume of the shape
  float max_acceleration_distance = 1.8446726e+19f;
  float max_tunneling_rotation = 1.8446726e+19f;
  Vec4 inverse_inertia{0.0f};  ///< of the principal moments times 1.5; w is 1 if dynamic
  Vec4 center_of_mass{0.0f};   ///< in world space
  Quat orientation = make_quat(0, 0, 0, 1);
  Vec4 linear_velocity{0.0f};
  Vec4 angular_velocity{0.0f};
  /// Skyrim's form, which counts instead of `inverse_inertia`, `center_of_mass` and `orientation`.
  std::optional<LocalMass> local = {};

  bool operator==(const Motion&) const = default;
};

/// The commonly used bits of `Body::flags`.
namespace body_flag {
inline constexpr std::uint32_t kTriggerEvents = 0x10;
inline constexpr std::uint32_t kContactImpulseEvents = 0x80;  ///< without it a moving body makes no sound
inline constexpr std::uint32_t kDontCollide = 0x100;
inline constexpr std::uint32_t kEnterKeyframed = 0x10000;  ///< enters the world keyframed
}  // namespace body_flag

/// Bits of `Body::filter` above the layer.
namespace filter_flag {
inline constexpr std::uint32_t kNoCollision = 0x4000;
}  // namespace filter_flag

/// What only Skyrim's bodies have. docs/formats/bhk.md lists the numbers.
struct SkyrimBody {
  std::string type = "bhkRigidBody";          ///< of its block; bhkRigidBodyT moves the shape by the body's pose
  std::string object = "bhkCollisionObject";  ///< type of its collision object
  std::uint16_t object_flags = 0x81;
  std::uint8_t motion_system = 5;
  std::uint8_t deactivator = 1;
  std::uint8_t solver_deactivation = 1;
  float penetration_depth = 0.1f;  ///< Havok units

  bool operator==(const SkyrimBody&) const = default;
  bool is_phantom() const { return type.ends_with("Phantom"); }
};

struct Body {
  ShapeId shape = ShapeId::None;
  std::uint32_t reserved_id = kNoBody;
  std::uint32_t motion = kNoBody;  ///< index into `CollisionSystem::motions`
  std::uint8_t quality = 0xFF;
  std::uint16_t surface = 0;  ///< index into `CollisionSystem::surfaces`
  std::uint32_t filter = 1;   ///< bits 0-6 the layer, bits 8-15 the part of a body, the upper half the group
  std::uint32_t flags = 0;
  float look_ahead_distance = 0.0f;
  std::string name = {};
  std::uint64_t user_data = 0;
  Vec4 position{0.0f};
  Quat orientation = make_quat(0, 0, 0, 1);
  std::uint8_t spu_flags = 0;
  std::optional<SkyrimBody> skyrim = {};  ///< in systems of Skyrim
  SourceHandle source = {};

  bool operator==(const Body&) const = default;

  std::uint8_t layer() const { return static_cast<std::uint8_t>(filter & 0x7F); }
  void set_layer(std::uint8_t layer) { filter = (filter & ~0x7Fu) | (layer & 0x7Fu); }
  /// Returns where the shape lies in the space of the node, in the unit of the system.
  Frame shape_frame() const;
};

/// The additional data of a ragdoll.
struct Ragdoll {
  Skeleton skeleton = {};                       ///< names are empty in NIF files
  std::vector<std::int32_t> bone_to_body = {};  ///< one per bone

  bool operator==(const Ragdoll&) const = default;
};

/// Bodies that belong together, with their shapes and joints. Lengths are in the unit of the file: Havok units in NIF
/// files, game units in skeleton.hkx. `game_units` is the conversion factor.
struct CollisionSystem {
  std::string name = {};
  CollisionGame game = CollisionGame::Fallout4;
  float game_units = kGameUnitsPerHavokUnit;  ///< per unit of this system
  std::vector<SurfaceProperties> surfaces = {};
  std::vector<MotionProperties> motion_properties = {};
  std::vector<Motion> motions = {};
  std::vector<Body> bodies = {};
  std::vector<Constraint> constraints = {};
  std::vector<Motor> motors = {};
  std::vector<Shape> shapes = {};
  std::optional<Ragdoll> ragdoll = {};
  SourceHandle source = {};

  bool operator==(const CollisionSystem&) const = default;

  const Shape* find_shape(ShapeId id) const;
  Shape* find_shape(ShapeId id);
  const Motion* motion_of(const Body& body) const;
  const SurfaceProperties* surface_of(const Body& body) const;
  const MotionProperties* motion_properties_of(const Body& body) const;
  ShapeId add_shape(Shape shape);
  MotorId add_motor(Motor motor);
};

MotionType motion_type(const CollisionSystem& system, const Body& body);
/// Returns the mass, or 0 if the body is not dynamic.
float mass_of(const CollisionSystem& system, const Body& body);

/// Moves a body together with its motion: centre of mass and principal axes keep their place in the shape. Lengths are
/// in the unit of the system.
void move_body(CollisionSystem& system, std::size_t body, const Vec3& position, const Quat& orientation);

/// Sets the pose of a body to what the game's files record: the pose of its node, in the unit of the system, and for a
/// sphere the position of its centre. `node_world` is in game units, as `NifNode::world`. The shape does not change: it
/// is in the space of the node. docs/formats/hknp.md describes the evidence for this rule.
void place_body(CollisionSystem& system, std::size_t body, const Transform& node_world);

/// The properties of a system that the flags of a NIF state.
struct SystemTraits {
  bool has_dynamic_body = false;  ///< moved by the simulation; volumes that cut the navmesh do not count
  bool is_joined = true;          ///< joints connect all bodies; true for a single body
  /// Bodies that only report what enters them, as those of an ACTORZONE: nothing collides with them, and they do not
  /// count above.
  std::vector<std::uint32_t> volumes = {};

  bool operator==(const SystemTraits&) const = default;
};
SystemTraits traits_of(const CollisionSystem& system);

/// Checks that all indices are in range and that no compound contains itself.
Result<void> validate(const CollisionSystem& system);

/// Returns how many vertices, faces and children the bodies have, each shape counted as often as it is used: what a
/// walk over all of them visits. The shapes must be valid. A compound whose children are all the next compound doubles
/// with each; the count ends at the largest number.
std::uint64_t expanded_size(const CollisionSystem& system);

}  // namespace marrow
