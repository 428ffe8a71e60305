// SPDX-License-Identifier: MIT
#include "ops/collision/port.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "core/try.h"
#include "geometry/hull/fit.h"
#include "geometry/hull/hull.h"
#include "geometry/hull/polyhedron.h"
#include "havok/physics/measure.h"
#include "marrow/model/collision_names.h"
#include "ops/collision/bodies.h"
#include "ops/collision/edit.h"
#include "ops/collision/joint_edit.h"
#include "ops/collision/mesh.h"
#include "ops/collision/ragdoll_joints.h"
#include "ops/collision/shape_slot.h"

namespace marrow {
namespace {

Frame chained(const Frame& outer, const Frame& inner) {
  return {outer.rotation * inner.rotation, outer.rotation * inner.translation + outer.translation};
}

Vec3 at(const Frame& frame, const Vec3& scale, const Vec3& p) {
  return frame.rotation * (scale * p) + frame.translation;
}

// Returns the corners of a convex shape with its radius: the solid that touches others.
std::vector<Vec3> grown_points(const Shape& shape) {
  const auto hull = havok::hull_of(shape);
  if (!hull) return {};
  const auto* polytope = std::get_if<Polytope>(&shape.geometry);
  const geometry::Aabb box = geometry::bounds_of(hull->vertices);
  geometry::DVec3 centre(0.0);
  for (const Vec3& vertex : hull->vertices)
    centre += geometry::DVec3(vertex) / static_cast<double>(hull->vertices.size());
  const double reach = 4.0 * (double{glm::length(box.max - box.min)} + double{hull->convex_radius});
  std::vector<geometry::HalfSpace> spaces;
  if (polytope)
    for (const Vec4& plane : polytope->outer_planes) spaces.push_back({geometry::DVec3(plane), double{plane.w}});
  const auto faces_of = [&] { return geometry::intersection_faces(spaces, centre, reach); };
  auto faces = faces_of();
  if (spaces.empty() || faces.empty()) {
    spaces.clear();
    for (const geometry::Plane& plane : hull->planes)
      spaces.push_back({geometry::DVec3(plane.normal), double{plane.offset} - double{hull->convex_radius}});
    faces = faces_of();
  }
  std::vector<Vec3> points;
  for (const auto& face : faces)
    for (const geometry::DVec3& corner : face) points.emplace_back(corner);
  return points.empty() ? hull->vertices : points;
}

class Port {
 public:
  Port(const DocumentCollision& from, CollisionGame to, Notes& notes, std::vector<PortChange>& changes)
      : from_(from), notes_(notes), changes_(changes) {
    out_.kind = from.kind;
    out_.nodes = from.nodes;
    out_.system.game = to;
    out_.system.game_units = from.system.game_units;
  }

  Result<DocumentCollision> run() {
    for (std::size_t i = 0; i < from_.system.bodies.size(); ++i) {
      MARROW_CHECK(add_body(i));
      report_body(i);
    }
    MARROW_CHECK(add_joints());
    return std::move(out_);
  }

 private:
  bool to_skyrim() const { return out_.system.game == CollisionGame::Skyrim; }

  void note(std::string message, const std::string& where) {
    Note each{std::move(message), kNoOffset, where};
    if (std::ranges::find(notes_, each) == notes_.end()) notes_.push_back(std::move(each));
  }

  void change(const std::string& where, std::string what, std::string was, std::string is) {
    if (was != is) changes_.push_back({where, std::move(what), std::move(was), std::move(is)});
  }

  // A place is not a shape of its own.
  static const Shape* shape_in_place(const CollisionSystem& system, ShapeId id) {
    const Shape* shape = system.find_shape(id);
    const auto* moved = shape ? std::get_if<MovedShape>(&shape->geometry) : nullptr;
    return moved ? system.find_shape(moved->core) : shape;
  }

  // Says what became of a body: what is read is compared with what is made.
  void report_body(std::size_t index) {
    const CollisionSystem &then = from_.system, &now = out_.system;
    const Body &was = then.bodies[index], &is = now.bodies[index];
    const std::string where = place(index);
    const auto layer = [](const Body& body, CollisionGame game) {
      return layer_name(static_cast<std::uint8_t>(body.filter & 0x7F), game);
    };
    change(where, "layer", layer(was, then.game), layer(is, now.game));
    const MotionType motion = motion_type(then, was);
    change(where, "motion", std::string(to_string(motion)), std::string(to_string(motion_type(now, is))));
    const Shape *old = shape_in_place(then, was.shape), *made = shape_in_place(now, is.shape);
    if (old && made) change(where, "shape", std::string(type_name(*old)), std::string(type_name(*made)));
    if (was.skyrim && was.skyrim->type == "bhkRigidBodyT")
      change(where, "place", "on the body", to_skyrim() ? "on the body" : "in the shape and its joints");
    if (motion == MotionType::Dynamic) change(where, "inertia", "as stored", "computed from the shape");
  }

  std::uint32_t material(std::uint32_t crc) {
    if (crc == 0) return to_skyrim() ? 0 : material_in(out_.system.game, crc, from_.system.game, ignored_);
    bool is_exact = true;
    const std::uint32_t found = material_in(out_.system.game, crc, from_.system.game, is_exact);
    if (said_materials_.insert(crc).second)
      change("collision", "material", material_name(crc, from_.system.game), material_name(found, out_.system.game));
    if (!is_exact)
      note("material " + material_name(crc, from_.system.game) + " has no counterpart; it becomes " +
               material_name(found, out_.system.game),
           {});
    return found;
  }

  std::uint32_t filter(std::uint32_t value) const {
    const auto layer = static_cast<std::uint8_t>(value & 0x7F);
    return layer_in(out_.system.game, layer, from_.system.game) | (value & 0xFF00);
  }

  std::string place(std::size_t body) const {
    const auto node = std::ranges::find(from_.nodes, body, &BodyNode::body);
    return node == from_.nodes.end() ? "body " + std::to_string(body) : "node '" + node->name + "'";
  }

  // ---- shapes

  Result<Shape> hull_of_points(const std::vector<Vec3>& points) const {
    MARROW_TRY(const geometry::Hull hull, geometry::build_hull(points, {.convex_radius = to_skyrim() ? 0.05f : 0.01f}));
    Shape shape = havok::shape_of(hull);
    if (to_skyrim()) shape.mass.reset();
    return shape;
  }

  // Returns a convex shape in another place, and scaled.
  Result<Shape> convex(const Shape& shape, const Frame& frame, const Vec3& scale) const {
    const float size = (scale.x + scale.y + scale.z) / 3.0f;
    Shape out;
    if (const auto* ball = std::get_if<BallShape>(&shape.geometry)) {
      out.geometry = BallShape{at(frame, scale, ball->center)};
      out.convex_radius = shape.convex_radius * size;
    } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry)) {
      const float part = to_skyrim() ? 1.0f : havok::kCapsuleRadiusPart;
      out.geometry = CapsuleShape{at(frame, scale, capsule->a), at(frame, scale, capsule->b), part};
      out.convex_radius = radius_of(shape, *capsule) * size * part;
    } else {
      std::vector<Vec3> points = grown_points(shape);
      if (points.empty())
        return fail(ErrorCode::Unrepresentable,
                    "a shape of class " + std::string(type_name(shape)) + " cannot be converted");
      for (Vec3& p : points) p = at(frame, scale, p);
      MARROW_TRY(out, hull_of_points(points));
    }
    return out;
  }

  Shape mesh(const Shape& shape, const Frame& frame, const Vec3& scale) {
    MeshShape out = std::get<MeshShape>(shape.geometry);
    for (Vec3& p : out.vertices) p = at(frame, scale, p);
    for (MeshMaterial& each : out.materials) each = {filter(each.filter), material(each.crc)};
    for (const MergedSolid& solid : std::exchange(out.solids, {})) add_faces(solid, frame, scale, out);
    if (out.materials.empty()) out.materials.push_back({0, material(shape.material)});
    for (MeshFace& face : out.faces) {
      face.key = 0;
      if (face.material >= out.materials.size()) face.material = 0;
    }
    out.section_count = out.quad_count = out.shared_vertex_count = out.undecoded_count = 0;
    Shape result;
    result.geometry = std::move(out);
    return result;
  }

  static void add_faces(const MergedSolid& solid, const Frame& frame, const Vec3& scale, MeshShape& out) {
    auto hull = geometry::build_hull(solid.vertices, {.convex_radius = 0.0f});
    if (!hull) return;
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    for (const Vec3& v : hull->vertices) out.vertices.push_back(at(frame, scale, v));
    for (const geometry::HullFace& face : hull->faces)
      for (std::uint32_t i = 2; i < face.index_count; ++i)
        out.faces.push_back({{first + hull->indices[face.first_index], first + hull->indices[face.first_index + i - 1],
                              first + hull->indices[face.first_index + i]},
                             solid.material,
                             0});
  }

  /// One leaf of a body's shape and its place.
  struct Leaf {
    const Shape* shape = nullptr;
    Frame frame = {};
    Vec3 scale{1.0f};
  };

  void collect(ShapeId id, const Frame& frame, const Vec3& scale, std::vector<Leaf>& leaves) const {
    std::vector<std::tuple<ShapeId, Frame, Vec3>> open = {{id, frame, scale}};
    while (!open.empty()) {
      const auto [next, placed, size] = open.back();
      open.pop_back();
      const Shape* shape = from_.system.find_shape(next);
      if (!shape) continue;
      if (const auto* compound = std::get_if<CompoundShape>(&shape->geometry)) {
        for (auto each = compound->instances.rbegin(); each != compound->instances.rend(); ++each)
          open.emplace_back(each->shape,
                            Frame{placed.rotation * each->frame.rotation,
                                  placed.rotation * (size * each->frame.translation) + placed.translation},
                            size * each->scale);
      } else if (const auto* moved = std::get_if<MovedShape>(&shape->geometry)) {
        open.emplace_back(moved->core, chained(placed, moved->frame), size);
      } else if (const auto* scaled = std::get_if<ScaledShape>(&shape->geometry)) {
        open.emplace_back(scaled->core,
                          Frame{placed.rotation, placed.rotation * (size * scaled->translation) + placed.translation},
                          size * scaled->scale);
      } else {
        leaves.push_back({shape, placed, size});
      }
    }
  }

  // A list with a mesh in it becomes one mesh if it does not move.
  Result<Shape> joined_mesh(const std::vector<Leaf>& leaves) {
    DocumentCollision shown;
    shown.system.game = from_.system.game;
    shown.system.game_units = 1.0f;
    MeshShape all;
    for (const Leaf& leaf : leaves) {
      CollisionSystem& system = shown.system;
      system.shapes = {*leaf.shape};
      system.bodies = {Body{.shape = ShapeId{0}}};
      Notes ignored;
      for (const CollisionMesh& each : collision_meshes(shown, {.solid = true}, ignored)) {
        const auto first = static_cast<std::uint32_t>(all.vertices.size());
        for (const Vec3& v : each.vertices) all.vertices.push_back(at(leaf.frame, leaf.scale, v));
        for (std::size_t i = 0; i < each.triangles.size(); ++i) {
          const std::uint32_t crc = material(each.materials[i]);
          auto own = std::ranges::find(all.materials, crc, &MeshMaterial::crc);
          if (own == all.materials.end()) own = all.materials.insert(own, {0, crc});
          const auto& [a, b, c] = each.triangles[i];
          all.faces.push_back(
              {{first + a, first + b, first + c}, static_cast<std::uint16_t>(own - all.materials.begin()), 0});
        }
      }
    }
    Shape shape;
    shape.geometry = std::move(all);
    return shape;
  }

  Result<Shape> leaf_shape(const Leaf& leaf, bool moves, const std::string& where) {
    if (std::holds_alternative<MeshShape>(leaf.shape->geometry)) {
      Shape out = mesh(*leaf.shape, leaf.frame, leaf.scale);
      if (!moves || !to_skyrim() || from_count_ == 1) return out;
      note("a mesh among the shapes of a moving body becomes its hull", where);
      return hull_of_points(std::get<MeshShape>(out.geometry).vertices);
    }
    return convex(*leaf.shape, leaf.frame, leaf.scale);
  }

  Result<ShapeId> add_shape(std::size_t index, bool moves) {
    const Body& body = from_.system.bodies[index];
    const Shape* top = from_.system.find_shape(body.shape);
    if (!top) return ShapeId::None;
    std::vector<Leaf> leaves;
    collect(body.shape, body.shape_frame(), Vec3(1.0f), leaves);
    from_count_ = leaves.size();
    if (leaves.empty()) return fail(ErrorCode::Unrepresentable, "the body has no shape", kNoOffset, place(index));
    const auto finished = [&](Shape shape, std::uint32_t crc) {
      shape.material = material(crc);
      shape.source = {};
      if (auto* own = std::get_if<MeshShape>(&shape.geometry)) {
        for (MeshMaterial& each : own->materials) each.filter = filter(body.filter);
        if (to_skyrim()) shape.convex_radius = 0.005f;
      }
      return out_.system.add_shape(std::move(shape));
    };
    const bool has_mesh = std::ranges::any_of(
        leaves, [](const Leaf& leaf) { return std::holds_alternative<MeshShape>(leaf.shape->geometry); });
    if (leaves.size() > 1 && has_mesh && to_skyrim() && !moves) {
      MARROW_TRY(Shape all, joined_mesh(leaves));
      note("a list with a mesh in it becomes one mesh", place(index));
      return finished(std::move(all), top->material);
    }
    std::vector<ShapeId> ids;
    for (const Leaf& leaf : leaves) {
      auto shape = leaf_shape(leaf, moves, place(index));
      if (!shape) return in_place(std::move(shape.error()), index);
      ids.push_back(finished(std::move(*shape), leaf.shape->material));
    }
    if (ids.size() == 1) return ids.front();
    CompoundShape compound;
    for (const ShapeId id : ids) compound.instances.push_back({.shape = id});
    MARROW_CHECK(havok::build_tree(out_.system, compound));
    Shape shape;
    shape.material = material(top->material);
    shape.geometry = std::move(compound);
    return out_.system.add_shape(std::move(shape));
  }

  std::unexpected<Error> in_place(Error error, std::size_t body) const {
    if (error.path.empty()) error.path = place(body);
    return std::unexpected(std::move(error));
  }

  // ---- bodies

  // What is a phantom in Skyrim is a static body with an event in Fallout 4, as around the characters of skeletons.
  bool only_notices(const Body& was) const {
    constexpr std::uint8_t kCharController = 30;
    return to_skyrim() && motion_type(from_.system, was) == MotionType::Static && was.layer() == kCharController &&
           (was.flags & body_flag::kTriggerEvents) != 0;
  }

  Result<void> add_body(std::size_t index) {
    const CollisionSystem& then = from_.system;
    CollisionSystem& now = out_.system;
    const Body& was = then.bodies[index];
    const MotionType type = only_notices(was) ? MotionType::Phantom : motion_type(then, was);
    Body body;
    MARROW_TRY(body.shape, add_shape(index, type == MotionType::Dynamic));
    body.filter = filter(was.filter);
    body.name = was.name;
    body.surface = static_cast<std::uint16_t>(now.surfaces.size());
    SurfaceProperties surface;
    if (const SurfaceProperties* own = then.surface_of(was); own && type != MotionType::Phantom) {
      surface.dynamic_friction = own->dynamic_friction;
      surface.static_friction = own->static_friction;
      surface.restitution = own->restitution;
    }
    now.surfaces.push_back(surface);
    if (to_skyrim()) {
      body.position = was.position;
      body.orientation = was.orientation;
      body.skyrim = SkyrimBody{};
      if (from_.kind == EmbeddedKind::Ragdoll) body.skyrim->object = "bhkBlendCollisionObject";
    }
    now.bodies.push_back(std::move(body));
    if (now.bodies.back().shape == ShapeId::None) return {};
    if (type == MotionType::Phantom) return add_phantom(index);
    if (auto set = set_motion(now, index, type, mass_of(then, was)); !set)
      return in_place(std::move(set.error()), index);
    copy_properties(was, index);
    if (!to_skyrim()) place_on_node(index);
    return {};
  }

  // What only notices others is a static body with an event in Fallout 4.
  Result<void> add_phantom(std::size_t index) {
    Body& body = out_.system.bodies[index];
    if (to_skyrim()) {
      body.skyrim->type = "bhkSimpleShapePhantom";
      body.skyrim->object = "bhkSPCollisionObject";
      return {};
    }
    body.flags = body_flag::kTriggerEvents;
    place_on_node(index);
    return {};
  }

  void place_on_node(std::size_t index) {
    const auto node = std::ranges::find(out_.nodes, index, &BodyNode::body);
    if (node != out_.nodes.end()) place_body(out_.system, index, node->world);
  }

  void copy_properties(const Body& was, std::size_t index) {
    const MotionProperties* own = from_.system.motion_properties_of(was);
    const Motion* motion = out_.system.motion_of(out_.system.bodies[index]);
    if (!own || !motion || motion->properties >= out_.system.motion_properties.size()) return;
    MotionProperties& to = out_.system.motion_properties[motion->properties];
    to.gravity_factor = own->gravity_factor;
    to.time_factor = own->time_factor;
    to.max_linear_speed = own->max_linear_speed;
    to.max_angular_speed = own->max_angular_speed;
    to.linear_damping = own->linear_damping;
    to.angular_damping = own->angular_damping;
  }

  // ---- joints

  Frame moved_frame(std::uint32_t body, const Frame& frame) const {
    if (body >= from_.system.bodies.size()) return frame;
    return chained(from_.system.bodies[body].shape_frame(), frame);
  }

  Result<void> add_joints() {
    std::vector<Constraint> joints;
    for (const Constraint& was : from_.system.constraints) {
      if (const auto* chain = std::get_if<ChainJoint>(&was.joint)) {
        for (std::size_t i = 0; i + 1 < chain->bodies.size() && i < chain->links.size(); ++i)
          joints.push_back({.body_a = chain->bodies[i],
                            .body_b = chain->bodies[i + 1],
                            .joint = BallJoint{chain->links[i].pivot_a, chain->links[i].pivot_b}});
        change(place(was.body_a), "joint", "ball chain", std::to_string(chain->links.size()) + " ball joints");
        note("a chain becomes one ball joint for each link", place(was.body_a));
        continue;
      }
      if (std::holds_alternative<SpringJoint>(was.joint) || std::holds_alternative<UnknownJoint>(was.joint)) {
        change(place(was.body_a), "joint", std::string(type_name(was)), "left out");
        note("a joint of type '" + std::string(type_name(was)) + "' has no counterpart, and is left out",
             place(was.body_a));
        continue;
      }
      Constraint joint = was;
      joint.source = {};
      if (joint.malleable_strength) {
        change(place(was.body_a), "joint", "malleable " + std::string(type_name(was)), std::string(type_name(was)));
        note("a malleable joint becomes what it wraps", place(was.body_a));
      }
      if (to_skyrim() && std::holds_alternative<FixedJoint>(was.joint))
        change(place(was.body_a), "joint", "fixed", "limited hinge that turns by nothing");
      joint.malleable_strength.reset();
      for_each_motor(joint.joint, [&](MotorId& id) {
        const auto number = static_cast<std::size_t>(id);
        if (number >= from_.system.motors.size()) return;
        Motor motor = from_.system.motors[number];
        motor.source = {};
        id = out_.system.add_motor(std::move(motor));
      });
      if (auto frames = frames_of(joint.joint)) {
        frames->a = moved_frame(was.body_a, frames->a);
        frames->b = moved_frame(was.body_b, frames->b);
        set_frames(joint.joint, *frames);
      }
      joints.push_back(std::move(joint));
    }
    const bool is_ragdoll = !to_skyrim() && from_.kind == EmbeddedKind::Ragdoll;
    for (Constraint& joint : joints) joint.is_stabilized = is_ragdoll;
    if (is_ragdoll) return hang_bones(std::move(joints));
    out_.system.constraints = std::move(joints);
    return {};
  }

  // Bones of a ragdoll come parents first, each with its joint.
  Result<void> hang_bones(std::vector<Constraint> joints) {
    CollisionSystem& system = out_.system;
    for (Body& body : system.bodies) body.flags |= body_flag::kEnterKeyframed | body_flag::kContactImpulseEvents;
    std::vector<bool> hangs(system.bodies.size());
    for (const Constraint& joint : joints)
      if (joint.body_b != kNoBody && joint.body_a < hangs.size()) hangs[joint.body_a] = true;
    const auto root = std::ranges::find(hangs, false);
    if (root == hangs.end()) return fail(ErrorCode::Unrepresentable, "the joints of the ragdoll go in a circle");
    const auto first = static_cast<std::uint32_t>(root - hangs.begin());
    system.ragdoll.emplace();
    const Body& top = system.bodies[first];
    system.ragdoll->skeleton.bones.push_back({"", kNoBone, {Vec3(top.position), top.orientation, Vec3(1.0f)}, false});
    system.ragdoll->bone_to_body = {static_cast<std::int32_t>(first)};
    for (bool has_added = true; has_added;) {
      has_added = false;
      for (auto joint = joints.begin(); joint != joints.end(); ++joint) {
        if (bone_of_body(*system.ragdoll, joint->body_b) == kNoBone ||
            bone_of_body(*system.ragdoll, joint->body_a) != kNoBone)
          continue;
        MARROW_CHECK(add_ragdoll_joint(system, *joint, ""));
        joints.erase(joint);
        has_added = true;
        break;
      }
    }
    for (const Constraint& joint : joints)
      note("a joint that hangs no bone of the ragdoll on another is left out", place(joint.body_a));
    return {};
  }

  const DocumentCollision& from_;
  Notes& notes_;
  std::vector<PortChange>& changes_;
  DocumentCollision out_;
  std::size_t from_count_ = 1;
  bool ignored_ = true;
  std::set<std::uint32_t> said_materials_;
};

}  // namespace

Result<DocumentCollision> port_collision(const DocumentCollision& from, CollisionGame to, Notes& notes,
                                         std::vector<PortChange>* changes) {
  std::vector<PortChange> own;
  return Port(from, to, notes, changes ? *changes : own).run();
}

Result<void> keep_bodies_on_nodes(DocumentCollision& collision, Notes& notes) {
  for (std::size_t i = collision.system.bodies.size(); i-- > 0;) {
    if (std::ranges::find(collision.nodes, i, &BodyNode::body) != collision.nodes.end()) continue;
    notes.push_back({"body " + std::to_string(i) + " is on no node, and is left out", kNoOffset, {}});
    if (collision.system.bodies.size() == 1) {
      collision.system = {.game = collision.system.game};
      continue;
    }
    MARROW_CHECK(remove_body(collision.system, i, notes));
    for (BodyNode& node : collision.nodes)
      if (node.body > i) --node.body;
  }
  // A body of several nodes becomes one body for each.
  std::vector<bool> is_taken(collision.system.bodies.size());
  for (BodyNode& node : collision.nodes) {
    if (!is_taken[node.body]) {
      is_taken[node.body] = true;
      continue;
    }
    MARROW_TRY(const std::size_t copy, add_body(collision.system, CollisionSystem(collision.system), node.body));
    node.body = static_cast<std::uint32_t>(copy);
    is_taken.push_back(true);
  }
  return {};
}

Result<void> join_systems(DocumentCollision& collision, const DocumentCollision& other) {
  const auto first = static_cast<std::uint32_t>(collision.system.bodies.size());
  for (std::size_t i = 0; i < other.system.bodies.size(); ++i)
    MARROW_CHECK(add_body(collision.system, other.system, i));
  for (Constraint joint : other.system.constraints) {
    joint.body_a += first;
    if (joint.body_b != kNoBody) joint.body_b += first;
    for_each_motor(joint.joint, [&](MotorId& id) {
      const auto number = static_cast<std::size_t>(id);
      if (number < other.system.motors.size()) id = collision.system.add_motor(other.system.motors[number]);
    });
    collision.system.constraints.push_back(std::move(joint));
  }
  for (BodyNode node : other.nodes) {
    node.body += first;
    collision.nodes.push_back(std::move(node));
  }
  return {};
}

}  // namespace marrow
