// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_build.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/try.h"
#include "marrow/geometry/decompose.h"
#include "marrow/geometry/fit.h"
#include "marrow/geometry/hull.h"
#include "marrow/havok/physics.h"
#include "marrow/havok/physics_measure.h"
#include "marrow/model/collision_names.h"
#include "marrow/ops/collision_edit.h"

namespace marrow {
namespace {

// Default material of surfaces: the game's own fallback.
constexpr std::uint32_t kGenericMaterial = 0x0B237EAD;

constexpr std::array<std::pair<std::string_view, BuildShape>, 7> kShapes = {{{"hull", BuildShape::Hull},
                                                                             {"mesh", BuildShape::Mesh},
                                                                             {"box", BuildShape::Box},
                                                                             {"sphere", BuildShape::Sphere},
                                                                             {"capsule", BuildShape::Capsule},
                                                                             {"compound", BuildShape::Compound},
                                                                             {"decompose", BuildShape::Decompose}}};

/// Builds the shapes of one system.
class Builder {
 public:
  Builder(const BuildInput& input, const BuildOptions& options, Notes& notes)
      : input_(input), options_(options), notes_(notes) {}

  Result<CollisionSystem> build() {
    if (input_.objects.empty()) return fail(ErrorCode::InvalidArgument, "the file has no mesh to build from");
    MARROW_CHECK(check_numbers());
    find_materials();
    MARROW_CHECK(choose_motion());
    if (options_.shape == BuildShape::Compound) {
      MARROW_CHECK(add_compound_of_objects());
      return std::move(system_);
    }
    for (const BuildObject& object : input_.objects) {
      auto shape = build_shape(object);
      if (!shape) return in_object(std::move(shape.error()), object);
      MARROW_CHECK(add_body(*shape));
    }
    return std::move(system_);
  }

 private:
  static std::unexpected<Error> in_object(Error error, const BuildObject& object) {
    if (error.path.empty()) error.path = object.name.empty() ? "mesh" : "object '" + object.name + "'";
    return std::unexpected(std::move(error));
  }

  // Finds the CRC of each material of the file; a name that is not a collision material becomes the requested material.
  void find_materials() {
    const std::uint32_t fallback = options_.material.value_or(kGenericMaterial);
    for (const std::string& name : input_.materials) {
      const auto found = find_material(name);
      crcs_.push_back(found.value_or(fallback));
      if (!found && !name.empty())
        notes_.push_back(
            {"'" + name + "' is not a collision material; its faces become " + material_name(fallback), kNoOffset, {}});
    }
    if (crcs_.empty()) crcs_.push_back(fallback);
  }

  // Numbers that are too large for a file are as wrong as negative ones.
  Result<void> check_numbers() const {
    const auto is_good = [](std::optional<float> value) { return !value || (std::isfinite(*value) && *value >= 0.0f); };
    if (options_.mass_kg && !(std::isfinite(*options_.mass_kg) && *options_.mass_kg > 0.0f))
      return fail(ErrorCode::InvalidArgument, "the mass must be more than 0 kg; a body that never moves is static");
    for (const std::optional<float> value :
         {options_.friction, options_.restitution, std::optional(options_.convex_radius), std::optional(options_.max_concavity)})
      if (!is_good(value))
        return fail(ErrorCode::InvalidArgument, "friction, restitution, radius and concavity must be finite, 0 or more");
    return {};
  }

  Result<void> choose_motion() {
    const bool is_mesh = options_.shape == BuildShape::Mesh;
    const bool has_mass = options_.mass_kg.has_value();
    motion_ = options_.motion.value_or(has_mass && !is_mesh ? MotionType::Dynamic : MotionType::Static);
    if (motion_ == MotionType::Dynamic && !has_mass)
      return fail(ErrorCode::InvalidArgument, "a dynamic body needs a mass");
    if (motion_ != MotionType::Dynamic && has_mass)
      notes_.push_back({"the body is " + std::string(to_string(motion_)) + "; its mass is ignored", kNoOffset, {}});
    if (motion_ == MotionType::Dynamic && is_mesh)
      notes_.push_back({"a moving mesh is slow in the game; use hull, compound or decompose instead", kNoOffset, {}});
    return {};
  }

  std::uint32_t crc_of(const geometry::TriangleMesh& mesh, std::size_t triangle) const {
    const std::size_t index = triangle < mesh.materials.size() ? mesh.materials[triangle] : 0;
    return index < crcs_.size() ? crcs_[index] : crcs_.front();
  }

  // Returns the material of most triangles; the lower CRC if there is a tie.
  std::uint32_t main_material(const geometry::TriangleMesh& mesh) const {
    std::map<std::uint32_t, std::size_t> counts;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) ++counts[crc_of(mesh, i)];
    if (counts.empty()) return crcs_.front();
    return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
  }

  // Returns the vertices that triangles use, in Havok units. A file may contain unused vertices.
  static std::vector<Vec3> points_of(const geometry::TriangleMesh& mesh) {
    std::vector<bool> used(mesh.vertices.size());
    for (const auto& triangle : mesh.triangles)
      for (const std::uint32_t corner : triangle)
        if (corner < used.size()) used[corner] = true;
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i]) points.push_back(mesh.vertices[i] / kGameUnitsPerHavokUnit);
    return points;
  }

  geometry::HullOptions hull_options() const {
    geometry::HullOptions options;
    options.convex_radius = options_.convex_radius;
    return options;
  }

  Result<ShapeId> build_shape(const BuildObject& object) {
    const std::uint32_t material = main_material(object.mesh);
    const std::vector<Vec3> points = points_of(object.mesh);
    switch (options_.shape) {
      case BuildShape::Mesh: return add_mesh(object.mesh);
      case BuildShape::Decompose: return decompose(object.mesh, material);
      case BuildShape::Box: {
        MARROW_TRY(const geometry::Box box, geometry::fit_box(points));
        MARROW_TRY(const geometry::Hull hull, geometry::box_hull(box, options_.convex_radius));
        return add(havok::shape_of(hull), material);
      }
      case BuildShape::Sphere: {
        MARROW_TRY(const geometry::Sphere sphere, geometry::fit_sphere(points));
        return add_ball(sphere, material);
      }
      case BuildShape::Capsule: {
        MARROW_TRY(const geometry::Capsule capsule, geometry::fit_capsule(points));
        // A capsule without length has no axis; it is a sphere.
        if (capsule.a == capsule.b) return add_ball({capsule.a, capsule.radius}, material);
        Shape shape;
        shape.convex_radius = capsule.radius * havok::kCapsuleRadiusPart;
        shape.geometry = CapsuleShape{capsule.a, capsule.b};
        return add(std::move(shape), material);
      }
      case BuildShape::Hull:
      case BuildShape::Compound: break;
    }
    MARROW_TRY(const geometry::Hull hull, geometry::build_hull(points, hull_options()));
    if (hull.vertices.size() == geometry::kMaxHullVertices)
      notes_.push_back({"the hull was reduced to " + std::to_string(geometry::kMaxHullVertices) +
                            " vertices, the maximum for a hull",
                        kNoOffset, object.name});
    return add(havok::shape_of(hull), material);
  }

  ShapeId add(Shape shape, std::uint32_t material) {
    shape.material = material;
    return system_.add_shape(std::move(shape));
  }

  ShapeId add_ball(const geometry::Sphere& sphere, std::uint32_t material) {
    Shape shape;
    shape.convex_radius = sphere.radius;
    shape.geometry = BallShape{sphere.center};
    return add(std::move(shape), material);
  }

  ShapeId add_mesh(const geometry::TriangleMesh& source) {
    MeshShape mesh;
    for (const Vec3& vertex : source.vertices) mesh.vertices.push_back(vertex / kGameUnitsPerHavokUnit);
    std::map<std::uint32_t, std::uint16_t> index_of;
    for (std::size_t i = 0; i < source.triangles.size(); ++i) {
      const std::uint32_t crc = crc_of(source, i);
      const auto [found, is_new] = index_of.try_emplace(crc, static_cast<std::uint16_t>(mesh.materials.size()));
      if (is_new) mesh.materials.push_back({filter(), crc});
      mesh.faces.push_back({source.triangles[i], found->second, 0});
    }
    Shape shape;
    shape.geometry = std::move(mesh);
    return add(std::move(shape), main_material(source));
  }

  std::uint32_t filter() const { return options_.layer.value_or(usual_layer(motion_)); }

  Result<ShapeId> decompose(const geometry::TriangleMesh& source, std::uint32_t material) {
    geometry::TriangleMesh mesh = source;
    for (Vec3& vertex : mesh.vertices) vertex /= kGameUnitsPerHavokUnit;
    geometry::DecomposeOptions options;
    options.max_pieces = options_.max_pieces;
    options.max_concavity = options_.max_concavity / kGameUnitsPerHavokUnit;
    options.hull = hull_options();
    MARROW_TRY(const geometry::Decomposition pieces, geometry::decompose(mesh, options));
    if (!pieces.within_limit)
      notes_.push_back({"with " + std::to_string(pieces.hulls.size()) + " hulls the surface is off by up to " +
                            std::to_string(pieces.concavity * kGameUnitsPerHavokUnit) + " game units; allow more hulls",
                        kNoOffset,
                        {}});
    std::vector<ShapeId> children;
    for (const geometry::Hull& hull : pieces.hulls) children.push_back(add(havok::shape_of(hull), material));
    if (children.size() == 1) return children.front();
    return add_compound(children, material);
  }

  Result<ShapeId> add_compound(std::span<const ShapeId> children, std::uint32_t material) {
    CompoundShape compound;
    for (const ShapeId child : children) compound.instances.push_back({.shape = child});
    MARROW_CHECK(havok::build_tree(system_, compound));
    Shape shape;
    shape.geometry = std::move(compound);
    return add(std::move(shape), material);
  }

  Result<void> add_compound_of_objects() {
    std::vector<ShapeId> children;
    for (const BuildObject& object : input_.objects) {
      auto child = build_shape(object);
      if (!child) return in_object(std::move(child.error()), object);
      children.push_back(*child);
    }
    MARROW_TRY(const ShapeId compound, add_compound(children, main_material(input_.objects.front().mesh)));
    return add_body(compound);
  }

  Result<void> add_body(ShapeId shape) {
    SurfaceProperties surface;
    if (options_.friction) surface.dynamic_friction = surface.static_friction = *options_.friction;
    if (options_.restitution) surface.restitution = *options_.restitution;
    Body body;
    body.shape = shape;
    body.surface = static_cast<std::uint16_t>(system_.surfaces.size());
    body.filter = filter();
    system_.surfaces.push_back(surface);
    system_.bodies.push_back(body);
    return set_motion(system_, system_.bodies.size() - 1, motion_, options_.mass_kg.value_or(0.0f));
  }

  const BuildInput& input_;
  const BuildOptions& options_;
  Notes& notes_;
  MotionType motion_ = MotionType::Static;
  std::vector<std::uint32_t> crcs_;  ///< one per material of the input
  CollisionSystem system_;
};

}  // namespace

Result<CollisionSystem> build_system(const BuildInput& input, const BuildOptions& options, Notes& notes) {
  return Builder(input, options, notes).build();
}

}  // namespace marrow
