// SPDX-License-Identifier: MIT
// Collision and meshes.
#include <cmath>

#include "c/convert.h"
#include "c/parts.h"
#include "core/try.h"

using namespace marrow;
using namespace marrow::c;

namespace {

Outcome<Reading<DocumentObject>> with_system(marrow_document document, std::uint32_t system) {
  MARROW_TRY(auto from, reading_with(document, kCollisionParts));
  MARROW_CHECK(in_range(system, from->document.collision.size(), "collision system"));
  return from;
}

marrow_body body_of(const DocumentCollision& collision, std::size_t index) {
  const CollisionSystem& system = collision.system;
  const Body& body = system.bodies[index];
  marrow_body out{};
  out.name = text_of(body.name);
  out.node = text_of({});
  for (const BodyNode& node : collision.nodes)
    if (node.body == index) {
      out.node = text_of(node.name);
      break;
    }
  out.shape = text_of({});
  if (const Shape* shape = system.find_shape(body.shape)) {
    out.shape = text_of(type_name(*shape));
    out.material = shape->material;
  }
  // A phantom is there, does not move and only notices.
  const MotionType motion = motion_type(system, body);
  out.motion = static_cast<marrow_motion>(motion == MotionType::Phantom ? MotionType::Static : motion);
  out.mass = mass_of(system, body);
  if (const SurfaceProperties* surface = system.surface_of(body)) {
    out.friction = surface->dynamic_friction;
    out.restitution = surface->restitution;
  }
  out.layer = body.layer();
  out.flags = body.flags;
  std::copy_n(&body.position.x, 3, out.position);
  std::copy_n(&body.orientation.x, 4, out.rotation);
  return out;
}

void copy_frame(const Frame& from, float* to) {
  for (int axis = 0; axis < 3; ++axis) to = std::copy_n(&from.rotation[axis].x, 3, to);
  std::copy_n(&from.translation.x, 3, to);
}

// Frames are in the space of the body's meshes: what a body places once more is in them.
void place_frame(const CollisionSystem& system, std::uint32_t body, float* frame) {
  if (body >= system.bodies.size()) return;
  const Frame own = system.bodies[body].shape_frame();
  if (own == Frame{}) return;
  for (std::size_t at = 0; at < 12; at += 3) {
    Vec3 vector(frame[at], frame[at + 1], frame[at + 2]);
    vector = own.rotation * vector;
    if (at == 9) vector += own.translation;
    std::copy_n(&vector.x, 3, frame + at);
  }
}

marrow_joint joint_of(const CollisionSystem& system, const Constraint& constraint) {
  marrow_joint out{};
  out.type = text_of(type_name(constraint));
  out.body_a = constraint.body_a;
  out.body_b = constraint.body_b == kNoBody ? -1 : static_cast<std::int32_t>(constraint.body_b);
  copy_frame({}, out.frame_a);
  copy_frame({}, out.frame_b);
  const auto limits = [&](std::initializer_list<float> values) { std::ranges::copy(values, out.limits); };
  std::visit(
      [&](const auto& joint) {
        using J = std::decay_t<decltype(joint)>;
        if constexpr (requires { joint.frame_a; }) {
          copy_frame(joint.frame_a, out.frame_a);
          copy_frame(joint.frame_b, out.frame_b);
        }
        if constexpr (std::is_same_v<J, BallJoint>) {
          std::copy_n(&joint.pivot_a.x, 3, out.frame_a + 9);
          std::copy_n(&joint.pivot_b.x, 3, out.frame_b + 9);
        }
        if constexpr (std::is_same_v<J, RagdollJoint>)
          limits({joint.twist_min, joint.twist_max, joint.cone_max, joint.plane_min, joint.plane_max});
        if constexpr (std::is_same_v<J, LimitedHingeJoint>) limits({joint.min_angle, joint.max_angle});
        if constexpr (std::is_same_v<J, PrismaticJoint>) limits({joint.min_distance, joint.max_distance});
      },
      constraint.joint);
  place_frame(system, constraint.body_a, out.frame_a);
  place_frame(system, constraint.body_b, out.frame_b);
  return out;
}

CollisionMesh surface_of(const DocumentMesh& mesh) {
  CollisionMesh out;
  out.name = mesh.name;
  out.placement = mesh.placement;
  out.vertices = mesh.mesh.vertices;
  out.triangles = mesh.mesh.triangles;
  out.materials.assign(mesh.mesh.materials.begin(), mesh.mesh.materials.end());
  return out;
}

Outcome<geometry::TriangleMesh> triangles_of(const marrow_mesh& mesh, std::uint32_t material_count) {
  if (mesh.vertex_count > 0) MARROW_CHECK(required(mesh.vertices, "mesh.vertices"));
  if (mesh.triangle_count > 0) MARROW_CHECK(required(mesh.triangles, "mesh.triangles"));
  geometry::TriangleMesh out;
  for (std::size_t i = 0; i < mesh.vertex_count; ++i) {
    const float* at = mesh.vertices + i * 3;
    if (!std::isfinite(at[0] + at[1] + at[2])) return fail_with(MARROW_BAD_ARGUMENT, "is not finite", "mesh.vertices");
    out.vertices.emplace_back(at[0], at[1], at[2]);
  }
  for (std::size_t i = 0; i < mesh.triangle_count; ++i) {
    const std::uint32_t* at = mesh.triangles + i * 3;
    for (int corner = 0; corner < 3; ++corner) MARROW_CHECK(in_range(at[corner], mesh.vertex_count, "vertex"));
    out.triangles.push_back({at[0], at[1], at[2]});
    if (!mesh.materials) continue;
    MARROW_CHECK(in_range(mesh.materials[i], std::min<std::size_t>(material_count, 0x10000), "material"));
    out.materials.push_back(static_cast<decltype(out.materials)::value_type>(mesh.materials[i]));
  }
  return out;
}

}  // namespace

marrow_status marrow_get_collision(marrow_document document, std::uint32_t system, marrow_collision_info* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, with_system(document, system));
    const DocumentCollision& c = from->document.collision[system];
    *out = {.kind = text_of(to_string(c.kind)),
            .block = c.block.value_or(-1),
            .game_units = c.system.game_units,
            .body_count = static_cast<std::uint32_t>(c.system.bodies.size()),
            .joint_count = static_cast<std::uint32_t>(c.system.constraints.size())};
    return {};
  });
}

marrow_status marrow_get_bodies(marrow_document document, std::uint32_t system, marrow_body* out,
                                std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, with_system(document, system));
    const DocumentCollision& c = from->document.collision[system];
    return write_list(c.system.bodies.size(), out, capacity, count, [&](std::size_t i) { return body_of(c, i); });
  });
}

marrow_status marrow_get_joints(marrow_document document, std::uint32_t system, marrow_joint* out,
                                std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, with_system(document, system));
    const CollisionSystem& own = from->document.collision[system].system;
    return write_list(own.constraints.size(), out, capacity, count,
                      [&](std::size_t i) { return joint_of(own, own.constraints[i]); });
  });
}

marrow_status marrow_open_meshes(marrow_document document, marrow_surface surface, const marrow_context* context,
                                 marrow_meshes* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    CallContext called(context);
    const Parts parts = surface == MARROW_SURFACE_MESHES ? kMeshParts : kCollisionParts;
    MARROW_TRY(const auto from, reading_with(document, parts));
    auto object = std::make_shared<MeshesObject>();
    switch (surface) {
      case MARROW_SURFACE_MESHES:
        for (const DocumentMesh& mesh : from->document.meshes) object->meshes.push_back(surface_of(mesh));
        break;
      case MARROW_SURFACE_COLLISION:
      case MARROW_SURFACE_COLLISION_SOLID: {
        MARROW_TRY(object->meshes,
                   shown_meshes(from->document, {.solid = surface == MARROW_SURFACE_COLLISION_SOLID}, called->notes));
        break;
      }
      default: return fail_with(MARROW_BAD_ARGUMENT, "is not a kind of surface", "surface");
    }
    *out = open(MeshesObject::kKind, std::move(object));
    return {};
  });
}

marrow_status marrow_get_mesh_count(marrow_meshes meshes, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(count, "count"));
    MARROW_TRY(const auto from, reading<MeshesObject>(meshes));
    *count = static_cast<std::uint32_t>(from->meshes.size());
    return {};
  });
}

marrow_status marrow_get_mesh(marrow_meshes meshes, std::uint32_t index, marrow_mesh* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<MeshesObject>(meshes));
    MARROW_CHECK(in_range(index, from->meshes.size(), "mesh"));
    const CollisionMesh& mesh = from->meshes[index];
    *out = {};
    out->name = text_of(mesh.name);
    copy_transform(mesh.placement, out->placement);
    out->vertices = reinterpret_cast<const float*>(mesh.vertices.data());
    out->triangles = reinterpret_cast<const std::uint32_t*>(mesh.triangles.data());
    out->materials = mesh.materials.empty() ? nullptr : mesh.materials.data();
    out->vertex_count = static_cast<std::uint32_t>(mesh.vertices.size());
    out->triangle_count = static_cast<std::uint32_t>(mesh.triangles.size());
    return {};
  });
}

marrow_status marrow_get_material_colour(std::uint32_t material, float* rgb) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(rgb, "rgb"));
    const Vec3 colour = material_colour(material);
    std::copy_n(&colour.x, 3, rgb);
    return {};
  });
}

marrow_status marrow_add_mesh(marrow_document document, const marrow_mesh* mesh, const char* const* material_names,
                              std::uint32_t material_count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(mesh, "mesh"));
    if (material_count > 0) MARROW_CHECK(required(material_names, "material_names"));
    MARROW_TRY(geometry::TriangleMesh triangles, triangles_of(*mesh, material_count));
    MARROW_TRY(const auto to, writing_with(document, kMeshParts));
    // Materials of the document count on from those that it has.
    const std::size_t first = to->document.materials.size();
    for (auto& material : triangles.materials)
      material = static_cast<std::decay_t<decltype(material)>>(material + first);
    for (std::uint32_t i = 0; i < material_count; ++i) to->document.materials.emplace_back(view_of(material_names[i]));
    DocumentMesh& added = to->document.meshes.emplace_back();
    added.name = view_of(mesh->name);
    added.mesh = std::move(triangles);
    added.placement = transforms_of(mesh->placement, 1)[0];
    return {};
  });
}
