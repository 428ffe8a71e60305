// SPDX-License-Identifier: MIT
#include "havok/physics/repair.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/try.h"
#include "havok/physics/measure.h"
#include "havok/physics/mesh.h"
#include "havok/physics/physics.h"
#include "havok/physics/shapes.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

// Whether vertices, faces and planes agree. Faces need not meet at every edge: Havok leaves out corners of a polygon
// that has more than 16. Nor is it a fault if some lie in one plane.
bool is_right(const geometry::Hull& hull) {
  if (hull.vertices.size() < 4 || hull.faces.size() < 4) return false;
  const geometry::Aabb box = geometry::bounds_of(hull.vertices);
  float largest = 0.0f;
  for (int i = 0; i < 3; ++i) largest = std::max({largest, std::abs(box.min[i]), std::abs(box.max[i])});
  const float tolerance = 1e-3f * glm::length(box.max - box.min) + 1e-5f * largest;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const geometry::HullFace& face = hull.faces[f];
    const auto distance = [&](const Vec3& v) { return glm::dot(hull.planes[f].normal, v) + hull.planes[f].offset; };
    if (face.index_count < 3) return false;
    for (const Vec3& vertex : hull.vertices)
      if (!(distance(vertex) <= tolerance)) return false;
    for (std::size_t i = 0; i < face.index_count; ++i)
      if (!(distance(hull.vertices[hull.indices[face.first_index + i]]) >= -tolerance)) return false;
  }
  return true;
}

// Builds a hull anew from its vertices. They are those of the core: they stay where they are.
Result<void> rebuild_hull(CollisionSystem& system, std::size_t i) {
  Shape& shape = system.shapes[i];
  auto built = geometry::build_hull(std::get<Polytope>(shape.geometry).vertices, {.convex_radius = 0.0f});
  if (!built) {
    built.error().path = "shapes[" + std::to_string(i) + "]";
    return std::unexpected(std::move(built.error()));
  }
  built->convex_radius = shape.convex_radius;
  Shape right = shape_of(*built);
  shape.geometry = std::move(right.geometry);
  shape.mass = right.mass;
  return {};
}

/// Mends one system; every change becomes a note.
class Repairer {
 public:
  Repairer(CollisionSystem& system, Notes& notes) : system_(system), notes_(notes) {}

  Result<std::size_t> run() {
    // The ragdoll in skeleton.hkx, in game units, has habits of its own about masses and flags.
    const bool is_blob = system_.game_units != 1.0f;
    for (std::size_t i = 0; i < system_.shapes.size(); ++i) {
      MARROW_CHECK(repair_hull(i, is_blob));
    }
    for (std::size_t i = 0; i < system_.shapes.size(); ++i) {
      MARROW_CHECK(repair_compound(i));
    }
    if (!is_blob) return count_;
    for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
      repair_materials(i);
      repair_motion(i);
    }
    return count_;
  }

 private:
  void add(std::string message, std::string_view array, std::size_t index) {
    notes_.push_back({std::move(message), kNoOffset, std::string(array) + "[" + std::to_string(index) + "]"});
    ++count_;
  }

  Result<void> repair_hull(std::size_t i, bool is_blob) {
    Shape& shape = system_.shapes[i];
    if (!std::holds_alternative<Polytope>(shape.geometry)) return {};
    const geometry::Hull hull = *hull_of(shape);
    if (!is_right(hull)) {
      MARROW_CHECK(rebuild_hull(system_, i));
      add("the hull was built anew from its vertices", "shapes", i);
    } else if (is_blob && (!shape.mass || is_moved(i)) && !has_right_mass(shape)) {
      shape.mass = shape_of(hull).mass;
      add("the mass properties of the hull were computed anew", "shapes", i);
    }
    return {};
  }

  // True if a body that is not static has the shape itself: the mass properties of others are not used.
  bool is_moved(std::size_t shape) const {
    return std::ranges::any_of(system_.bodies, [&](const Body& body) {
      return body.shape == static_cast<ShapeId>(shape) && motion_type(system_, body) != MotionType::Static;
    });
  }

  Result<void> repair_compound(std::size_t i) {
    auto* compound = std::get_if<CompoundShape>(&system_.shapes[i].geometry);
    if (!compound) return {};
    if (const auto bits = static_cast<std::uint8_t>(std::bit_width(compound->instances.size()));
        system_.shapes[i].key_bits != bits) {
      system_.shapes[i].key_bits = bits;
      add("the key bits now fit the number of children", "shapes", i);
    }
    if (compound->is_static || verify_tree(system_, *compound).empty()) return {};
    MARROW_CHECK(build_tree(system_, *compound));
    add("the bounding tree was built anew", "shapes", i);
    return {};
  }

  // The meshes that a body is made of. `validate` has shown that no shape holds itself.
  void collect_meshes(ShapeId id, std::vector<std::size_t>& meshes) const {
    const Shape* shape = system_.find_shape(id);
    if (!shape) return;
    if (std::holds_alternative<MeshShape>(shape->geometry)) meshes.push_back(static_cast<std::size_t>(id));
    if (const auto* compound = std::get_if<CompoundShape>(&shape->geometry))
      for (const ShapeInstance& instance : compound->instances) collect_meshes(instance.shape, meshes);
  }

  void repair_materials(std::size_t body) {
    const std::uint32_t filter = system_.bodies[body].filter;
    std::vector<std::size_t> meshes;
    collect_meshes(system_.bodies[body].shape, meshes);
    for (const std::size_t i : meshes) {
      auto& mesh = std::get<MeshShape>(system_.shapes[i].geometry);
      if (std::ranges::any_of(mesh.materials, [&](const MeshMaterial& m) { return m.filter != filter; })) {
        for (MeshMaterial& material : mesh.materials) material.filter = filter;
        add("the filters of the mesh's materials are now those of its body", "shapes", i);
      }
      const std::size_t count = mesh.materials.size();
      if (std::ranges::none_of(mesh.faces, [&](const MeshFace& f) { return f.material >= count; })) continue;
      for (MeshFace& face : mesh.faces)
        if (face.material >= count) face.material = static_cast<std::uint16_t>(count);
      mesh.materials.push_back({filter, system_.shapes[i].material});
      add("triangles that named a material that is not there have the shape's now", "shapes", i);
    }
  }

  void repair_motion(std::size_t i) {
    Body& body = system_.bodies[i];
    if (motion_type(system_, body) == MotionType::Keyframed &&
        system_.motions[body.motion].properties != kNoMotionProperties) {
      system_.motions[body.motion].properties = kNoMotionProperties;
      add("the keyframed body has no motion properties now (0xffff)", "bodies", i);
    }
    if (motion_type(system_, body) != MotionType::Dynamic) return;
    if ((body.flags & body_flag::kContactImpulseEvents) == 0) {
      body.flags |= body_flag::kContactImpulseEvents;
      add("the body now raises contact impulse events (flag 0x80), without which it hits without a sound", "bodies", i);
    }
    Motion& motion = system_.motions[body.motion];
    if (!system_.motion_properties_of(body)) {
      motion.properties = static_cast<std::uint16_t>(system_.motion_properties.size());
      system_.motion_properties.emplace_back();
      add("the body has motion properties now, those of the game's props", "bodies", i);
    }
    const auto error = inertia_error(system_, body);
    if (!error ||
        (error->mass_factor <= kLargestInertiaError.mass_factor && error->inertia <= kLargestInertiaError.inertia))
      return;
    const geometry::BodyInertia right = geometry::body_inertia(
        *mass_properties(system_, *system_.find_shape(body.shape)), 1.0 / double{motion.inverse_mass});
    motion.mass_factor = right.mass_factor;
    motion.inverse_inertia = Vec4(right.inverse_inertia, 1.0f);
    motion.center_of_mass = Vec4(Vec3(body.position) + body.orientation * right.center_of_mass, 0.0f);
    motion.orientation = body.orientation * right.rotation;
    add("mass factor and inertia were computed anew from mass and shape", "bodies", i);
  }

  CollisionSystem& system_;
  Notes& notes_;
  std::size_t count_ = 0;
};

// Meshes whose stored form is wrong. They lose their tie to the file, so that they are compressed anew.
void find_wrong_meshes(const Packfile& file, CollisionSystem& system, Notes& notes) {
  for (std::size_t i = 0; i < system.shapes.size(); ++i) {
    Shape& shape = system.shapes[i];
    if (!std::holds_alternative<MeshShape>(shape.geometry) || !shape.source.is_set()) continue;
    const auto stored = read_compressed_mesh(file, {shape.source.value});
    if (!stored) continue;
    const std::string where = "shapes[" + std::to_string(i) + "]";
    if (const Notes wrong = verify_mesh(*stored); !wrong.empty()) {
      shape.source = {};
      notes.push_back({"the mesh was compressed anew: " + wrong.front().message, kNoOffset, where});
    } else if (shape.key_bits != stored->bits_per_key) {
      shape.key_bits = static_cast<std::uint8_t>(stored->bits_per_key);
      notes.push_back({"the key bits now fit the mesh", kNoOffset, where});
    }
  }
}

// Computes the bits of meshes anew if nothing else is wrong with them. Compressing a mesh once more would round its
// vertices once more.
void mend_mesh_flags(Packfile& file, Notes& notes) {
  for (const ObjectId id : file.find_all("hknpCompressedMeshShape")) {
    auto mesh = read_compressed_mesh(file, id);
    if (!mesh || verify_mesh(*mesh).empty()) continue;
    if (!geometry::compute_mesh_flags(*mesh) || !verify_mesh(*mesh).empty()) continue;
    write_compressed_mesh(*mesh, file, id);
    notes.push_back({"the flags of triangles and quads were computed anew", kNoOffset, path_of(id)});
  }
}

}  // namespace

Result<std::size_t> repair(CollisionSystem& system, Notes& notes) {
  MARROW_CHECK(validate(system));
  return Repairer(system, notes).run();
}

Result<std::size_t> rebuild_physics(Packfile& original, ObjectId id, Notes* notes) {
  Packfile file = original;  // a failure below leaves the caller's file as it was
  Notes done;
  mend_property_keys(file, done);
  mend_mesh_flags(file, done);
  ReadFaults faults;
  MARROW_TRY(CollisionSystem system, read_system(file, id, faults));
  for (const Finding& finding : faults.findings)
    done.push_back({"the shape was written anew: " + finding.message, kNoOffset, finding.where});
  for (const ShapeId id_of_shape : faults.shapes) {
    const auto i = static_cast<std::size_t>(id_of_shape);
    system.shapes[i].source = {};
    // A tool that loses planes has cut up polygons too; a new hull joins them.
    if (std::holds_alternative<Polytope>(system.shapes[i].geometry)) MARROW_CHECK(rebuild_hull(system, i));
  }
  find_wrong_meshes(file, system, done);
  MARROW_CHECK(repair(system, done));
  if (done.empty()) return std::size_t{0};
  Notes written;
  MARROW_CHECK(write_physics(system, file, id, &written));
  original = std::move(file);
  if (notes) {
    notes->insert(notes->end(), done.begin(), done.end());
    notes->insert(notes->end(), written.begin(), written.end());
  }
  return done.size();
}

}  // namespace marrow::havok
