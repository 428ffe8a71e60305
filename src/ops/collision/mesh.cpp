// SPDX-License-Identifier: MIT
#include "ops/collision/mesh.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "geometry/hull/hull.h"
#include "geometry/hull/polyhedron.h"
#include "geometry/hull/quick_hull.h"
#include "havok/physics/measure.h"

namespace marrow {
namespace {

struct Surface {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> materials;  ///< one per triangle; empty: that of the shape
};

// Returns a sphere stretched along an axis: rings from pole to pole, the upper half moved to `b`, the lower to `a`.
Surface stretched_ball(const Vec3& a, const Vec3& b, float radius, std::uint32_t segments) {
  const std::uint32_t around = std::max(segments, 4u), half_rings = std::max(segments / 4, 2u);
  const Vec3 axis = glm::length(b - a) > 0.0f ? glm::normalize(b - a) : Vec3(0, 0, 1);
  const Vec3 other = std::abs(axis.z) < 0.9f ? Vec3(0, 0, 1) : Vec3(1, 0, 0);
  const Vec3 u = glm::normalize(glm::cross(other, axis)), v = glm::cross(axis, u);
  Surface surface;
  surface.vertices.push_back(a - axis * radius);
  for (std::uint32_t ring = 1; ring <= 2 * half_rings; ++ring) {
    // The equator exists twice, once for each end.
    const bool upper = ring > half_rings;
    const float latitude = std::numbers::pi_v<float> / 2 *
                           (static_cast<float>(upper ? ring - 1 : ring) / static_cast<float>(half_rings) - 1.0f);
    for (std::uint32_t i = 0; i < around; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(around);
      surface.vertices.push_back((upper ? b : a) + axis * (radius * std::sin(latitude)) +
                                 (u * std::cos(angle) + v * std::sin(angle)) * (radius * std::cos(latitude)));
    }
  }
  surface.vertices.push_back(b + axis * radius);
  const auto at = [&](std::uint32_t ring, std::uint32_t i) { return 1 + (ring - 1) * around + i % around; };
  const auto last = static_cast<std::uint32_t>(surface.vertices.size() - 1);
  for (std::uint32_t i = 0; i < around; ++i) {
    surface.triangles.push_back({0, at(1, i + 1), at(1, i)});
    for (std::uint32_t ring = 1; ring < 2 * half_rings; ++ring) {
      surface.triangles.push_back({at(ring, i), at(ring, i + 1), at(ring + 1, i + 1)});
      surface.triangles.push_back({at(ring, i), at(ring + 1, i + 1), at(ring + 1, i)});
    }
    surface.triangles.push_back({last, at(2 * half_rings, i), at(2 * half_rings, i + 1)});
  }
  return surface;
}

Surface core_surface(const geometry::Hull& hull) {
  Surface surface{hull.vertices, {}, {}};
  for (const geometry::HullFace& face : hull.faces)
    for (std::uint32_t i = 2; i < face.index_count; ++i)
      surface.triangles.push_back(
          {hull.indices[face.first_index], hull.indices[face.first_index + i - 1], hull.indices[face.first_index + i]});
  return surface;
}

// Returns the hull of points whose faces are not known.
Surface surface_of_points(const std::vector<Vec3>& vertices) {
  std::vector<geometry::DVec3> points(vertices.begin(), vertices.end());
  const geometry::Aabb box = geometry::bounds_of(vertices);
  if (box.empty()) return {};
  const geometry::QuickHull hull = geometry::quick_hull(points, 1e-6 * double{glm::length(box.max - box.min)});
  return {vertices, hull.triangles, {}};
}

// Returns the solid bounded by all face planes, pushed out by the radius. Empty if they bound nothing.
Surface grown_surface(const geometry::Hull& hull, std::span<const Vec4> outer_planes = {}) {
  std::vector<geometry::HalfSpace> half_spaces;
  for (const Vec4& plane : outer_planes) half_spaces.push_back({geometry::DVec3(plane), double{plane.w}});
  if (half_spaces.empty())
    for (const geometry::Plane& plane : hull.planes)
      half_spaces.push_back({geometry::DVec3(plane.normal), double{plane.offset} - double{hull.convex_radius}});
  geometry::DVec3 centre(0.0);
  for (const Vec3& vertex : hull.vertices)
    centre += geometry::DVec3(vertex) / static_cast<double>(hull.vertices.size());
  const geometry::Aabb box = geometry::bounds_of(hull.vertices);
  const double reach = 4.0 * (double{glm::length(box.max - box.min)} + double{hull.convex_radius});
  Surface surface;
  for (const auto& face : geometry::intersection_faces(half_spaces, centre, reach)) {
    const auto first = static_cast<std::uint32_t>(surface.vertices.size());
    for (const geometry::DVec3& corner : face) surface.vertices.emplace_back(corner);
    for (std::uint32_t i = 2; i < face.size(); ++i) surface.triangles.push_back({first, first + i - 1, first + i});
  }
  return surface;
}

Surface mesh_surface(const MeshShape& mesh, std::uint32_t otherwise) {
  Surface surface{mesh.vertices, {}, {}};
  for (const MeshFace& face : mesh.faces) {
    surface.triangles.push_back(face.corners);
    surface.materials.push_back(face.material < mesh.materials.size() ? mesh.materials[face.material].crc : otherwise);
  }
  return surface;
}

// Collects the surfaces of one body, including children.
struct Collector {
  const DocumentCollision& entry;
  const CollisionMeshOptions& options;
  std::vector<CollisionMesh>& meshes;
  Notes& notes;
  std::optional<std::size_t> node = {};  ///< that the body is on

  void add(const Shape& shape, const Frame& frame, const Vec3& scale, const std::string& name,
           const Transform& placement, const ShapeSlot& slot) {
    const CollisionSystem& system = entry.system;
    if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry)) {
      for (std::size_t i = 0; i < compound->instances.size(); ++i) {
        const ShapeInstance& instance = compound->instances[i];
        const Frame placed{frame.rotation * instance.frame.rotation,
                           frame.rotation * (scale * instance.frame.translation) + frame.translation};
        ShapeSlot below = slot;
        below.path.push_back(static_cast<std::uint32_t>(i));
        if (const Shape* child = system.find_shape(instance.shape))
          add(*child, placed, scale * instance.scale, name + ".child" + std::to_string(i), placement, below);
      }
      return;
    }
    if (const auto* scaled = std::get_if<ScaledShape>(&shape.geometry)) {
      const Frame placed{frame.rotation, frame.rotation * (scale * scaled->translation) + frame.translation};
      if (const Shape* core = system.find_shape(scaled->core))
        add(*core, placed, scale * scaled->scale, name, placement, slot);
      return;
    }
    if (const auto* moved = std::get_if<MovedShape>(&shape.geometry)) {
      const Frame placed{frame.rotation * moved->frame.rotation,
                         frame.rotation * (scale * moved->frame.translation) + frame.translation};
      if (const Shape* core = system.find_shape(moved->core)) add(*core, placed, scale, name, placement, slot);
      return;
    }
    const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
    if (mesh) add_solids(*mesh, frame, scale, name, placement, slot);
    Surface surface = surface_of(shape);
    if (surface.triangles.empty()) {
      if (mesh && !mesh->solids.empty()) return;
      notes.push_back({"a shape of class " + std::string(type_name(shape)) + " cannot be shown", kNoOffset, name});
      return;
    }
    if (surface.materials.empty()) surface.materials.assign(surface.triangles.size(), shape.material);
    add_surface(std::move(surface), frame, scale, name, placement, slot);
  }

  // Solids that are merged into a mesh, as in precombined files, are objects of their own.
  void add_solids(const MeshShape& mesh, const Frame& frame, const Vec3& scale, const std::string& name,
                  const Transform& placement, const ShapeSlot& slot) {
    for (std::size_t i = 0; i < mesh.solids.size(); ++i) {
      const MergedSolid& solid = mesh.solids[i];
      Surface surface = solid_surface(solid);
      if (surface.triangles.empty()) continue;
      const std::uint32_t crc = solid.material < mesh.materials.size() ? mesh.materials[solid.material].crc : 0;
      surface.materials.assign(surface.triangles.size(), crc);
      ShapeSlot own = slot;
      own.solid = static_cast<std::uint32_t>(i);
      add_surface(std::move(surface), frame, scale, name + ".solid" + std::to_string(i), placement, own);
    }
  }

  void add_surface(Surface surface, const Frame& frame, const Vec3& scale, const std::string& name,
                   const Transform& placement, const ShapeSlot& slot) {
    for (Vec3& vertex : surface.vertices)
      vertex = (frame.rotation * (scale * vertex) + frame.translation) * entry.system.game_units;
    meshes.push_back({name, slot, placement, std::move(surface.vertices), std::move(surface.triangles),
                      std::move(surface.materials), node, entry.system.game});
  }

  Surface solid_surface(const MergedSolid& solid) const {
    if (solid.vertices.empty()) return {};
    if (solid.kind != MergedSolidKind::Convex)
      return stretched_ball(solid.vertices.front(), solid.vertices.back(), solid.radius, options.segments);
    auto hull = geometry::build_hull(solid.vertices, {.convex_radius = 0.0f});
    if (!hull) return {};
    hull->convex_radius = solid.radius;
    Surface surface = options.solid ? grown_surface(*hull) : core_surface(*hull);
    return surface.triangles.empty() ? core_surface(*hull) : surface;
  }

  Surface surface_of(const Shape& shape) const {
    if (const auto* ball = std::get_if<BallShape>(&shape.geometry))
      return stretched_ball(ball->center, ball->center, shape.convex_radius, options.segments);
    if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry))
      return stretched_ball(capsule->a, capsule->b, radius_of(shape, *capsule), options.segments);
    if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) return mesh_surface(*mesh, shape.material);
    const auto hull = havok::hull_of(shape);
    if (!hull) return {};
    if (hull->faces.empty() && !options.solid) return surface_of_points(hull->vertices);
    if (!options.solid) return core_surface(*hull);
    const auto* polytope = std::get_if<Polytope>(&shape.geometry);
    Surface surface = polytope ? grown_surface(*hull, polytope->outer_planes) : grown_surface(*hull);
    if (surface.triangles.empty()) surface = grown_surface(*hull);
    return surface.triangles.empty() ? core_surface(*hull) : surface;
  }
};

// Returns the place of a body in a file without nodes: bones of a ragdoll have their place in the body itself.
Transform placement_without_node(const CollisionSystem& system, const Body& body) {
  if (!system.ragdoll) return {};
  return {Vec3(body.position) * system.game_units, body.orientation, Vec3(1.0f)};
}

std::string body_name(const std::string& node, std::size_t body, const CollisionSystem& system) {
  if (node.empty()) return "body" + std::to_string(body);
  // The only body of a packfile is the system itself.
  const bool is_alone = system.bodies.size() == 1 && !system.bodies.front().skyrim;
  return is_alone ? node : node + ".body" + std::to_string(body);
}

}  // namespace

std::vector<CollisionMesh> collision_meshes(const DocumentCollision& entry, const CollisionMeshOptions& options,
                                            Notes& notes) {
  std::vector<CollisionMesh> meshes;
  Collector collector{entry, options, meshes, notes};
  for (std::size_t i = 0; i < entry.system.bodies.size(); ++i) {
    const Body& body = entry.system.bodies[i];
    const Shape* shape = entry.system.find_shape(body.shape);
    if (!shape) continue;
    bool has_node = false;
    for (std::size_t n = 0; n < entry.nodes.size(); ++n) {
      const BodyNode& node = entry.nodes[n];
      if (node.body != i) continue;
      has_node = true;
      collector.node = n;
      collector.add(*shape, body.shape_frame(), Vec3(1.0f), body_name(node.name, i, entry.system), node.world,
                    {.body = i});
    }
    collector.node.reset();
    if (!has_node)
      collector.add(*shape, body.shape_frame(), Vec3(1.0f), body_name(body.name, i, entry.system),
                    placement_without_node(entry.system, body), {.body = i});
  }
  return meshes;
}

Vec3 material_colour(std::uint32_t crc) {
  // The bits of a CRC are evenly distributed: they give a hue and some variety, never black.
  const float hue = static_cast<float>(crc >> 16 & 0xFF) / 256.0f * 6.0f;
  const float value = 0.65f + 0.35f * static_cast<float>(crc & 0xFF) / 255.0f;
  const auto channel = [&](float shift) {
    const float distance = std::abs(std::fmod(hue + shift, 6.0f) - 3.0f);
    return value * (0.35f + 0.65f * std::clamp(distance - 1.0f, 0.0f, 1.0f));
  };
  return {channel(0.0f), channel(4.0f), channel(2.0f)};
}

Vec4 shown_colour(std::uint32_t crc, const ShapeSlot& slot) {
  // Steps of the golden ratio round the circle keep the hues of bodies apart; materials shift them a little.
  const float turn =
      static_cast<float>(slot.body + 7 * slot.system) * 0.618034f + static_cast<float>(crc >> 16 & 0xFF) / 1024.0f;
  const float hue = (turn - std::floor(turn)) * 6.0f;
  const auto channel = [&](float shift) {
    const float distance = std::abs(std::fmod(hue + shift, 6.0f) - 3.0f);
    return 0.05f + 0.85f * std::clamp(distance - 1.0f, 0.0f, 1.0f);
  };
  constexpr float kOpacity = 0.4f;
  return {channel(0.0f), channel(4.0f), channel(2.0f), kOpacity};
}

Result<std::vector<CollisionMesh>> shown_meshes(std::span<const DocumentCollision> systems,
                                                const CollisionMeshOptions& options, Notes& notes) {
  std::vector<CollisionMesh> meshes;
  std::unordered_map<std::string, std::size_t> taken;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    if (systems[i].kind == EmbeddedKind::Cloth) continue;
    for (CollisionMesh& mesh : collision_meshes(systems[i], options, notes)) {
      mesh.slot.system = i;
      // Nodes may have the same name; objects may not, or they could not be told apart when they come back.
      const std::string stem = mesh.name;
      while (!taken.try_emplace(mesh.name, 1).second) mesh.name = stem + " (" + std::to_string(++taken[stem]) + ")";
      meshes.push_back(std::move(mesh));
    }
  }
  if (meshes.empty()) return fail(ErrorCode::NoCollision, "there is no collision shape to show");
  return meshes;
}

Result<std::vector<CollisionMesh>> shown_meshes(const Document& document, const CollisionMeshOptions& options,
                                                Notes& notes) {
  return shown_meshes(document.collision, options, notes);
}

}  // namespace marrow
