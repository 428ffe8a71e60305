// SPDX-License-Identifier: MIT
// Systems laid over the blocks that they were read from.
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "core/try.h"
#include "nif/bhk.h"
#include "nif/bhk/joints.h"
#include "nif/bhk/shape_reader.h"
#include "nif/bhk/shape_writer.h"
#include "nif/discard.h"
#include "nif/node.h"
#include "nif/record.h"
#include "nif/references.h"

namespace marrow::bhk {
namespace {

std::int32_t block_of(const SourceHandle& source) {
  return source.is_set() ? static_cast<std::int32_t>(source.value) : kNoBlock;
}

template <class T>
void set_if(nif::Record& record, std::string_view field, const T& now, const T* before) {
  if (!before || *before != now) record.set(field, now);
}

class Writer {
 public:
  Writer(NifFile& file, Notes& notes, const Limits& limits) : file_(file), notes_(notes), limits_(limits) {}

  Result<void> run(std::span<const System> systems) {
    MARROW_TRY(const std::vector<System> before, read_systems(file_, limits_));
    MARROW_CHECK(find_objects());
    for (const System& system : systems) {
      const auto was = std::ranges::find(before, system.is_ragdoll, &System::is_ragdoll);
      MARROW_CHECK(write(system, was == before.end() ? System{} : *was));
    }
    return arrange();
  }

 private:
  Result<void> find_objects() {
    for (std::size_t i = 0; i < file_.blocks.size(); ++i) {
      const auto block = static_cast<std::int32_t>(i);
      if (!is_collision_object(file_.type_of(block))) continue;
      MARROW_TRY(const nif::Record record, nif::read_block(file_, block, limits_));
      object_of_.try_emplace(record.reference("body"), block);
    }
    return {};
  }

  Result<void> write(const System& system, const System& before) {
    const CollisionSystem& now = system.system;
    std::vector<std::int32_t> blocks;  // of the bodies
    for (std::size_t i = 0; i < now.bodies.size(); ++i) {
      const std::int32_t block = block_of(now.bodies[i].source);
      const auto was = std::ranges::find_if(
          before.system.bodies, [&](const Body& each) { return block != kNoBlock && block_of(each.source) == block; });
      if (was != before.system.bodies.end()) {
        MARROW_CHECK(change_body(now, i, before.system, static_cast<std::size_t>(was - before.system.bodies.begin())));
        blocks.push_back(block);
      } else {
        MARROW_TRY(const std::int32_t added, add_body(system, i));
        blocks.push_back(added);
      }
    }
    for (const Body& was : before.system.bodies)
      if (std::ranges::find(blocks, block_of(was.source)) == blocks.end())
        MARROW_CHECK(remove_body(block_of(was.source)));
    return write_joints(now, before.system, blocks);
  }

  // ---- bodies

  Result<void> change_body(const CollisionSystem& now, std::size_t i, const CollisionSystem& then, std::size_t k) {
    const Body &body = now.bodies[i], &was = then.bodies[k];
    const std::int32_t block = block_of(body.source);
    const bool has_same_shape = same_shape(now, body.shape, then, was.shape);
    const bool is_same = has_same_shape && same_values(now, body, then, was);
    if (is_same) return {};
    if (body.skyrim->type != was.skyrim->type) set_type(block, body.skyrim->type);
    MARROW_TRY(nif::Record record, nif::read_block(file_, block, limits_));
    if (!has_same_shape) {
      const std::int32_t old = record.reference("shape");
      ShapeWriter shapes(file_, now, body.filter, notes_);
      shapes.reuse(old, then);
      MARROW_TRY(const std::int32_t shape, shapes.write(body.shape));
      record.set("shape", shape);
      for (const std::int32_t gone : shapes.left_over()) gone_.insert(gone);
      if (shapes.has_added()) arranged_.emplace_back(block, shape);
    }
    fill(record, now, body, &then, &was);
    MARROW_CHECK(nif::write_block(file_, block, record));
    if (body.skyrim->object_flags != was.skyrim->object_flags) MARROW_CHECK(set_object_flags(block, *body.skyrim));
    return {};
  }

  static bool same_values(const CollisionSystem& now, const Body& body, const CollisionSystem& then, const Body& was) {
    Body a = body, b = was;
    for (Body* each : {&a, &b}) {
      each->shape = ShapeId::None;
      each->motion = 0;
      each->surface = 0;
    }
    const auto same = [](const auto* x, const auto* y) { return x == y || (x && y && *x == *y); };
    Motion x = now.motion_of(body) ? *now.motion_of(body) : Motion{};
    Motion y = then.motion_of(was) ? *then.motion_of(was) : Motion{};
    x.properties = y.properties = 0;
    return a == b && x == y && same(now.surface_of(body), then.surface_of(was)) &&
           same(now.motion_properties_of(body), then.motion_properties_of(was));
  }

  // Fills in what has changed; all of it if there is nothing before.
  static void fill(nif::Record& record, const CollisionSystem& system, const Body& body, const CollisionSystem* then,
                   const Body* was) {
    if (!was || was->filter != body.filter) {
      record.set("layer", static_cast<std::uint8_t>(body.filter));
      record.set("filter_flags", static_cast<std::uint8_t>(body.filter >> 8));
      record.set("group", static_cast<std::uint16_t>(body.filter >> 16));
      if (record.has("layer_copy")) {
        record.set("layer_copy", static_cast<std::uint8_t>(body.filter));
        record.set("filter_flags_copy", static_cast<std::uint8_t>(body.filter >> 8));
        record.set("group_copy", static_cast<std::uint16_t>(body.filter >> 16));
      }
    }
    const bool has_moved = !was || was->position != body.position || was->orientation != body.orientation;
    if (record.has("transform") && has_moved)
      record.set_reals<16>("transform", columns_of({glm::mat3_cast(body.orientation), Vec3(body.position)}));
    if (!record.has("mass")) return;
    if (has_moved) {
      const Quat& q = body.orientation;
      record.set_reals<4>("translation", {body.position.x, body.position.y, body.position.z, body.position.w});
      record.set_reals<4>("rotation", {q.x, q.y, q.z, q.w});
    }
    set_if(record, "quality", body.quality, was ? &was->quality : nullptr);
    set_if(record, "body_flags", static_cast<std::uint16_t>(body.flags), static_cast<std::uint16_t*>(nullptr));
    const SkyrimBody& own = *body.skyrim;
    const SkyrimBody* old = was ? &*was->skyrim : nullptr;
    set_if(record, "motion_system", own.motion_system, old ? &old->motion_system : nullptr);
    set_if(record, "deactivator", own.deactivator, old ? &old->deactivator : nullptr);
    set_if(record, "solver_deactivation", own.solver_deactivation, old ? &old->solver_deactivation : nullptr);
    set_if(record, "penetration_depth", own.penetration_depth, old ? &old->penetration_depth : nullptr);
    if (const SurfaceProperties* surface = system.surface_of(body)) {
      const SurfaceProperties* before = was ? then->surface_of(*was) : nullptr;
      set_if(record, "friction", surface->dynamic_friction, before ? &before->dynamic_friction : nullptr);
      set_if(record, "restitution", surface->restitution, before ? &before->restitution : nullptr);
    }
    fill_properties(record, system, body, then, was);
    fill_motion(record, system, body, then, was);
  }

  static void fill_properties(nif::Record& record, const CollisionSystem& system, const Body& body,
                              const CollisionSystem* then, const Body* was) {
    const MotionProperties defaults;
    const MotionProperties* found = system.motion_properties_of(body);
    const MotionProperties& now = found ? *found : defaults;
    const MotionProperties* before = was ? then->motion_properties_of(*was) : nullptr;
    const auto put = [&](std::string_view field, float MotionProperties::* member) {
      set_if(record, field, now.*member, before ? &(before->*member) : nullptr);
    };
    put("gravity_factor", &MotionProperties::gravity_factor);
    put("time_factor", &MotionProperties::time_factor);
    put("max_linear_velocity", &MotionProperties::max_linear_speed);
    put("max_angular_velocity", &MotionProperties::max_angular_speed);
    put("linear_damping", &MotionProperties::linear_damping);
    put("angular_damping", &MotionProperties::angular_damping);
  }

  static void fill_motion(nif::Record& record, const CollisionSystem& system, const Body& body,
                          const CollisionSystem* then, const Body* was) {
    const Motion none;
    const Motion* found = system.motion_of(body);
    const Motion& now = found ? *found : none;
    const Motion* before = was ? then->motion_of(*was) : nullptr;
    if (!before || before->inverse_mass != now.inverse_mass)
      record.set("mass", now.inverse_mass > 0.0f ? 1.0f / now.inverse_mass : 0.0f);
    const LocalMass local = now.local.value_or(LocalMass{});
    if (!before || !before->local || before->local->center != local.center)
      record.set_reals<4>("center", {local.center.x, local.center.y, local.center.z, 0.0f});
    if (!before || !before->local || before->local->inertia != local.inertia) {
      std::array<float, 12> rows{};
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          rows[static_cast<std::size_t>(4 * row + column)] = local.inertia[column][row];
      record.set_reals<12>("inertia", rows);
    }
  }

  Result<std::int32_t> add_body(const System& system, std::size_t i) {
    const Body& body = system.system.bodies[i];
    const SkyrimBody own = body.skyrim.value_or(SkyrimBody{});
    const auto node = std::ranges::find(system.nodes, static_cast<std::uint32_t>(i), &NodeBody::body);
    if (node == system.nodes.end())
      return fail(ErrorCode::Unrepresentable,
                  "body " + std::to_string(i) + " is on no node, which Skyrim's bodies need");
    std::int32_t target = node->node;
    if (!is_node(file_, target)) {
      MARROW_TRY(target, find_node(file_, node->name));
    }
    ShapeWriter shapes(file_, system.system, body.filter, notes_);
    MARROW_TRY(const std::int32_t shape, shapes.write(body.shape));
    nif::Record record = nif::new_record(file_, own.type);
    record.set("shape", shape);
    const bool is_phantom = own.is_phantom();
    record.set<std::uint8_t>("broad_phase", is_phantom ? 2 : 1);
    record.set<std::uint32_t>("property", 0x80000000, 2);
    if (!is_phantom) {
      for (const char* field : {"response", "response_copy"}) record.set<std::uint8_t>(field, 1);
      for (const char* field : {"callback_delay", "callback_delay_copy"}) record.set<std::uint16_t>(field, 0xFFFF);
      record.set<std::uint8_t>("contact_keys", 3);
    }
    Body filled = body;
    filled.skyrim = own;
    fill(record, system.system, filled, nullptr, nullptr);
    MARROW_TRY(const std::int32_t block, nif::append_block(file_, record));
    nif::Record object = nif::new_record(file_, own.object);
    object.set("target", target);
    object.set("object_flags", own.object_flags);
    object.set("body", block);
    for (const char* field : {"heir_gain", "vel_gain"})
      if (object.has(field)) object.set(field, 1.0f);
    MARROW_TRY(const std::int32_t object_block, nif::append_block(file_, object));
    MARROW_CHECK(set_collision_object(file_, target, object_block));
    object_of_[block] = object_block;
    return block;
  }

  Result<void> remove_body(std::int32_t block) {
    MARROW_TRY(const nif::Record record, nif::read_block(file_, block, limits_));
    for (const std::int32_t gone : shape_blocks(file_, record.reference("shape"))) gone_.insert(gone);
    gone_.insert(block);
    const auto object = object_of_.find(block);
    if (object == object_of_.end()) return {};
    gone_.insert(object->second);
    MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file_));
    for (const NifNode& node : nodes)
      if (node.collision_object == object->second) MARROW_CHECK(set_collision_object(file_, node.block, kNoBlock));
    return {};
  }

  Result<void> set_object_flags(std::int32_t body, const SkyrimBody& own) {
    const auto object = object_of_.find(body);
    if (object == object_of_.end()) return {};
    MARROW_TRY(nif::Record record, nif::read_block(file_, object->second, limits_));
    record.set("object_flags", own.object_flags);
    return nif::write_block(file_, object->second, record);
  }

  // Makes a block one of another type with the same fields.
  void set_type(std::int32_t block, std::string_view type) {
    NifBlock& own = file_.blocks[static_cast<std::size_t>(block)];
    add_block(file_, type, {});
    const std::uint16_t index = file_.blocks.back().type;
    file_.blocks.pop_back();
    file_.blocks[static_cast<std::size_t>(block)].type = index;
    (void)own;
  }

  // ---- joints

  Result<void> write_joints(const CollisionSystem& now, const CollisionSystem& then,
                            const std::vector<std::int32_t>& blocks) {
    std::vector<std::int32_t> then_blocks;
    for (const Body& body : then.bodies) then_blocks.push_back(block_of(body.source));
    std::set<std::int32_t> kept;
    std::map<std::int32_t, std::vector<std::int32_t>> joints_of;  // by body
    for (const Constraint& joint : now.constraints) {
      MARROW_TRY(const std::int32_t block, write_joint_block(joint, now, then, blocks, then_blocks));
      kept.insert(block);
      if (joint.body_a < blocks.size()) joints_of[blocks[joint.body_a]].push_back(block);
    }
    for (const Constraint& was : then.constraints)
      if (!kept.contains(block_of(was.source))) gone_.insert(block_of(was.source));
    for (const std::int32_t body : blocks) MARROW_CHECK(list_joints(body, joints_of[body]));
    return {};
  }

  static bool same_ends(const Constraint& a, const std::vector<std::int32_t>& a_blocks, const Constraint& b,
                        const std::vector<std::int32_t>& b_blocks) {
    const auto at = [](const std::vector<std::int32_t>& blocks, std::uint32_t body) {
      return body < blocks.size() ? blocks[body] : kNoBlock;
    };
    const auto *x = std::get_if<ChainJoint>(&a.joint), *y = std::get_if<ChainJoint>(&b.joint);
    if (x && y) {
      if (x->bodies.size() != y->bodies.size()) return false;
      for (std::size_t i = 0; i < x->bodies.size(); ++i)
        if (at(a_blocks, x->bodies[i]) != at(b_blocks, y->bodies[i])) return false;
    }
    return at(a_blocks, a.body_a) == at(b_blocks, b.body_a) && at(a_blocks, a.body_b) == at(b_blocks, b.body_b);
  }

  Result<std::int32_t> write_joint_block(const Constraint& joint, const CollisionSystem& now,
                                         const CollisionSystem& then, const std::vector<std::int32_t>& blocks,
                                         const std::vector<std::int32_t>& then_blocks) {
    const std::int32_t own = block_of(joint.source);
    const auto was = std::ranges::find_if(
        then.constraints, [&](const Constraint& each) { return own != kNoBlock && block_of(each.source) == own; });
    const bool is_old = was != then.constraints.end();
    if (is_old && same_ends(joint, blocks, *was, then_blocks)) {
      Constraint a = joint, b = *was;
      for (Constraint* each : {&a, &b}) {
        each->body_a = each->body_b = 0;
        if (auto* chain = std::get_if<ChainJoint>(&each->joint)) chain->bodies.clear();
      }
      if (a == b && same_motors(joint, now, *was, then)) return own;
    }
    const std::string_view type = joint_type(joint);
    if (type.empty())
      return fail(ErrorCode::Unrepresentable,
                  "a joint of type '" + std::string(type_name(joint)) + "' cannot be written as a block of Skyrim");
    if (std::holds_alternative<FixedJoint>(joint.joint))
      notes_.push_back({"Skyrim has no fixed joint; it becomes a hinge that turns by nothing", kNoOffset, {}});
    nif::Record record = nif::new_record(file_, type);
    if (is_old && file_.type_of(own) == type) {
      MARROW_TRY(record, nif::read_block(file_, own, limits_));
    } else if (is_old) {
      set_type(own, type);
    }
    write_joint(record, joint, now, blocks);
    if (!is_old) return nif::append_block(file_, record);
    MARROW_CHECK(nif::write_block(file_, own, record));
    return own;
  }

  static bool same_motors(const Constraint& a, const CollisionSystem& now, const Constraint& b,
                          const CollisionSystem& then) {
    std::vector<Motor> x, y;
    for_each_motor(a.joint, [&](MotorId id) {
      if (static_cast<std::size_t>(id) < now.motors.size()) x.push_back(now.motors[static_cast<std::size_t>(id)]);
    });
    for_each_motor(b.joint, [&](MotorId id) {
      if (static_cast<std::size_t>(id) < then.motors.size()) y.push_back(then.motors[static_cast<std::size_t>(id)]);
    });
    return x == y;
  }

  // A body lists the joints that hang it on others. The order stays.
  Result<void> list_joints(std::int32_t body, const std::vector<std::int32_t>& joints) {
    MARROW_TRY(nif::Record record, nif::read_block(file_, body, limits_));
    if (!record.has("joints")) return {};
    const std::vector<std::int32_t> old = record.values<std::int32_t>("joints");
    std::vector<std::int32_t> listed;
    for (const std::int32_t each : old)
      if (!gone_.contains(each)) listed.push_back(each);
    for (const std::int32_t each : joints)
      if (std::ranges::find(listed, each) == listed.end()) listed.push_back(each);
    if (listed == old) return {};
    // A joint that was never listed stays so.
    record.set_values("joints", listed);
    return nif::write_block(file_, body, record);
  }

  // ---- numbers

  // Takes out what is gone, and puts new shapes before the bodies that have them.
  Result<void> arrange() {
    if (gone_.empty() && arranged_.empty()) return {};
    std::map<std::int32_t, std::vector<std::int32_t>> before_body;
    std::set<std::int32_t> is_moved;
    for (const auto& [body, shape] : arranged_)
      for (const std::int32_t block : shape_blocks(file_, shape)) {
        before_body[body].push_back(block);
        is_moved.insert(block);
      }
    std::vector<std::int32_t> order;
    for (std::size_t i = 0; i < file_.blocks.size(); ++i) {
      const auto block = static_cast<std::int32_t>(i);
      if (gone_.contains(block) || is_moved.contains(block)) continue;
      if (const auto shapes = before_body.find(block); shapes != before_body.end())
        order.insert(order.end(), shapes->second.begin(), shapes->second.end());
      order.push_back(block);
    }
    if (reorder_blocks(file_, order)) return {};
    if (!arranged_.empty())
      notes_.push_back(
          {"new shapes stand behind their bodies, since the file has blocks that cannot be renumbered", kNoOffset, {}});
    discard_blocks(file_, {gone_.begin(), gone_.end()}, notes_);
    return {};
  }

  NifFile& file_;
  Notes& notes_;
  const Limits& limits_;
  std::map<std::int32_t, std::int32_t> object_of_;  ///< collision object by body
  std::set<std::int32_t> gone_;
  std::vector<std::pair<std::int32_t, std::int32_t>> arranged_;  ///< body and shape
};

}  // namespace

Result<void> write_systems(NifFile& file, std::span<const System> systems, Notes& notes, const Limits& limits) {
  NifFile edited = file;
  MARROW_CHECK(Writer(edited, notes, limits).run(systems));
  file = std::move(edited);
  return {};
}

}  // namespace marrow::bhk
