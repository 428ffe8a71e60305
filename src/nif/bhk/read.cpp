// SPDX-License-Identifier: MIT
// Bodies of Skyrim NIFs as the model has them.
#include "nif/bhk.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/try.h"
#include "nif/bhk/joints.h"
#include "nif/bhk/shape_reader.h"
#include "nif/node.h"
#include "nif/record.h"

namespace marrow::bhk {
namespace {

Vec4 vec4(const std::array<float, 4>& v) { return {v[0], v[1], v[2], v[3]}; }

// Where the bodies of a system come from.
struct Source {
  std::int32_t object = kNoBlock, body = kNoBlock, node = kNoBlock;
};

class SystemReader {
 public:
  SystemReader(const NifFile& file, const std::vector<NifNode>& nodes, const Limits& limits)
      : file_(file), limits_(limits) {
    for (const NifNode& node : nodes) node_of_[node.block] = &node;
  }

  Result<void> add(const Source& source, System& system, ShapeReader& shapes) {
    if (system.block == kNoBlock) system.block = source.object;
    MARROW_TRY(const nif::Record object, nif::read_block(file_, source.object, limits_));
    Body body{.surface = static_cast<std::uint16_t>(system.system.surfaces.size()),
              .skyrim = SkyrimBody{.type = std::string(file_.type_of(source.body)),
                                   .object = std::string(file_.type_of(source.object)),
                                   .object_flags = object.get<std::uint16_t>("object_flags")}};
    body.source.value = static_cast<std::uint32_t>(source.body);
    MARROW_TRY(const nif::Record record, nif::read_block(file_, source.body, limits_));
    body.filter = std::uint32_t{record.get<std::uint8_t>("layer")} |
                  std::uint32_t{record.get<std::uint8_t>("filter_flags")} << 8 |
                  std::uint32_t{record.get<std::uint16_t>("group")} << 16;
    MARROW_TRY(body.shape, shapes.read(record.reference("shape")));
    SurfaceProperties surface;
    if (record.has("mass"))
      add_motion(record, body, surface, system.system);
    else if (record.has("transform"))
      add_pose(record, body);
    system.system.surfaces.push_back(surface);
    const auto index = static_cast<std::uint32_t>(system.system.bodies.size());
    if (const auto node = node_of_.find(source.node);
        node != node_of_.end() && node->second->collision_object == source.object) {
      // The scale of nodes does not reach the shape.
      system.nodes.push_back({index,
                              source.node,
                              node->second->name,
                              {node->second->world.translation, node->second->world.rotation, Vec3(1.0f)}});
    }
    system.system.bodies.push_back(std::move(body));
    return {};
  }

 private:
  static void add_pose(const nif::Record& record, Body& body) {
    const Frame frame = frame_of(record.reals<16>("transform"));
    body.position = Vec4(frame.translation, 0.0f);
    body.orientation = glm::normalize(glm::quat_cast(frame.rotation));
  }

  static void add_motion(const nif::Record& record, Body& body, SurfaceProperties& surface, CollisionSystem& system) {
    surface.dynamic_friction = surface.static_friction = record.get<float>("friction");
    surface.restitution = record.get<float>("restitution");
    body.position = vec4(record.reals<4>("translation"));
    const auto q = record.reals<4>("rotation");
    body.orientation = make_quat(q[0], q[1], q[2], q[3]);
    body.quality = record.get<std::uint8_t>("quality");
    body.flags = record.get<std::uint16_t>("body_flags");
    body.skyrim->motion_system = record.get<std::uint8_t>("motion_system");
    body.skyrim->deactivator = record.get<std::uint8_t>("deactivator");
    body.skyrim->solver_deactivation = record.get<std::uint8_t>("solver_deactivation");
    body.skyrim->penetration_depth = record.get<float>("penetration_depth");
    MotionProperties properties;
    properties.gravity_factor = record.get<float>("gravity_factor");
    properties.time_factor = record.get<float>("time_factor");
    properties.max_linear_speed = record.get<float>("max_linear_velocity");
    properties.max_angular_speed = record.get<float>("max_angular_velocity");
    properties.linear_damping = record.get<float>("linear_damping");
    properties.angular_damping = record.get<float>("angular_damping");
    Motion motion;
    const float mass = record.get<float>("mass");
    motion.inverse_mass = mass > 0.0f && std::isfinite(1.0f / mass) ? 1.0f / mass : 0.0f;
    motion.linear_velocity = vec4(record.reals<4>("linear_velocity"));
    motion.angular_velocity = vec4(record.reals<4>("angular_velocity"));
    const auto center = record.reals<4>("center");
    const auto inertia = record.reals<12>("inertia");
    LocalMass local{.center = {center[0], center[1], center[2]}};
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        local.inertia[column][row] = inertia[static_cast<std::size_t>(4 * row + column)];
    motion.local = local;
    motion.properties = static_cast<std::uint16_t>(system.motion_properties.size());
    body.motion = static_cast<std::uint32_t>(system.motions.size());
    system.motion_properties.push_back(properties);
    system.motions.push_back(motion);
  }

  const NifFile& file_;
  const Limits& limits_;
  std::unordered_map<std::int32_t, const NifNode*> node_of_;
};

}  // namespace

bool is_collision_object(std::string_view type) {
  return type == "bhkCollisionObject" || type == "bhkBlendCollisionObject" || type == "bhkSPCollisionObject" ||
         type == "bhkPCollisionObject";
}

Result<std::vector<System>> read_systems(const NifFile& file, const Limits& limits) {
  std::vector<System> systems;
  if (!keeps_blocks(file.stream)) return systems;
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  System ragdoll{.is_ragdoll = true}, others;
  ShapeReader ragdoll_shapes(file, ragdoll.system, limits), other_shapes(file, others.system, limits);
  SystemReader reader(file, nodes, limits);
  constexpr std::size_t kMostBodies = 0xFFFF;  // surfaces and motions are numbered with 16 bits
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    const std::string_view type = file.type_of(block);
    if (!is_collision_object(type)) continue;
    MARROW_TRY(const nif::Record object, nif::read_block(file, block, limits));
    const Source source{block, object.reference("body"), object.reference("target")};
    const nif::RecordType* body = nif::type_of(file, source.body);
    if (!body || !body->is_a("bhk_world_object")) continue;  // `check` reports it
    const bool is_bone = type == "bhkBlendCollisionObject";
    System& system = is_bone ? ragdoll : others;
    if (system.system.bodies.size() >= kMostBodies)
      return fail(ErrorCode::LimitExceeded, "the file has more than 65,535 bodies");
    MARROW_CHECK(reader.add(source, system, is_bone ? ragdoll_shapes : other_shapes));
  }
  for (System* each : {&ragdoll, &others}) {
    if (each->system.bodies.empty()) continue;
    each->system.game = CollisionGame::Skyrim;
    MARROW_CHECK(read_joints(file, each->system, limits));
    MARROW_CHECK(validate(each->system));
    // A face takes about this much when it is listed, exported or compared.
    constexpr std::uint64_t kBytesPerElement = 64;
    if (!limits.charge(expanded_size(each->system), kBytesPerElement))
      return fail(ErrorCode::LimitExceeded, "shapes are used so often that they take more memory than the limit allows",
                  kNoOffset, "blocks[" + std::to_string(each->block) + "]");
    systems.push_back(std::move(*each));
  }
  return systems;
}

std::map<std::int32_t, geometry::MoppCode> read_codes(const NifFile& file) {
  std::map<std::int32_t, geometry::MoppCode> codes;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto record = nif::read_block_of(file, static_cast<std::int32_t>(i), "bhk_mopp_shape");
    if (!record || !*record) continue;
    const auto origin = (*record)->reals<3>("origin");
    geometry::MoppCode& code = codes[(*record)->reference("shape")];
    code.origin = {origin[0], origin[1], origin[2]};
    code.scale = (*record)->get<float>("code_scale");
    code.code.assign((*record)->bytes("code").begin(), (*record)->bytes("code").end());
  }
  return codes;
}

}  // namespace marrow::bhk
