// SPDX-License-Identifier: MIT
#include "ops/collision/build.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <map>

#include "core/try.h"
#include "geometry/decompose/decompose.h"
#include "geometry/hull/fit.h"
#include "geometry/hull/hull.h"
#include "havok/physics/measure.h"
#include "havok/physics/physics.h"
#include "marrow/model/collision_names.h"
#include "ops/collision/edit.h"

namespace marrow {
namespace {

/// What differs between the games in what is built.
struct BuildRules {
  std::uint32_t material;         ///< of what the file names none for
  float hull_radius, box_radius;  ///< Havok units, unless asked for
  float capsule_part;             ///< of the radius that is in the shape, not in its core
  bool has_boxes;                 ///< a shape of its own, not a hull
  float restitution;
};
// By `CollisionGame`: Fallout 4 with its own fallback, Skyrim with stone.
constexpr std::array kBuildRules = {
    BuildRules{0x0B237EAD, 0.01f, 0.01f, havok::kCapsuleRadiusPart, false, SurfaceProperties{}.restitution},
    BuildRules{0xDF02F237, 0.05f, 0.1f, 1.0f, true, 0.4f},
};

// What flat input is made, half to each side, in Havok units.
constexpr float kFlatThickness = 0.02f;

/// Far more than a game has in one collision; a small file may name as many by using one mesh again.
constexpr std::size_t kMostObjects = 4096;

/// Builds the shapes of one system.
class Builder {
 public:
  Builder(const BuildInput& input, const BuildOptions& options, Notes& notes,
          std::vector<BuiltDecomposition>* decompositions)
      : input_(input), options_(options), notes_(notes), decompositions_(decompositions) {}

  Result<CollisionSystem> build() {
    if (input_.objects.empty()) return fail(ErrorCode::InvalidArgument, "the file has no mesh to build from");
    if (input_.objects.size() > kMostObjects)
      return fail(ErrorCode::LimitExceeded, std::to_string(input_.objects.size()) +
                                                " objects are too many for one collision, at most " +
                                                std::to_string(kMostObjects) + " are built; join some");
    MARROW_CHECK(check_numbers());
    system_.game = options_.game;
    find_materials();
    std::vector<const BuildObject*> children;
    for (const BuildObject& object : input_.objects)
      if (is_child(object)) children.push_back(&object);
    for (const BuildObject& object : input_.objects) {
      if (!is_child(object)) {
        MARROW_CHECK(build_body(std::array{&object}));
      } else if (&object == children.front()) {
        MARROW_CHECK(build_body(children));
      }
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
    const std::uint32_t fallback = options_.material.value_or(rules().material);
    for (const std::string& name : input_.materials) {
      const auto found = find_material(name, options_.game);
      crcs_.push_back(found.value_or(fallback));
      if (!found && !name.empty())
        notes_.push_back(
            {"'" + name + "' is not a collision material; its faces become " + material_name(fallback, options_.game),
             kNoOffset,
             {}});
    }
    if (crcs_.empty()) crcs_.push_back(fallback);
  }

  // Numbers that are too large for a file are as wrong as negative ones.
  Result<void> check_numbers() const {
    const auto is_good = [](std::optional<float> value) { return !value || (std::isfinite(*value) && *value >= 0.0f); };
    if (options_.mass_kg && !(std::isfinite(*options_.mass_kg) && *options_.mass_kg > 0.0f))
      return fail(ErrorCode::InvalidArgument, "the mass must be more than 0 kg; a body that never moves is static");
    for (const std::optional<float> value :
         {options_.friction, options_.restitution, options_.convex_radius, std::optional(options_.max_concavity)})
      if (!is_good(value))
        return fail(ErrorCode::InvalidArgument,
                    "friction, restitution, radius and concavity must be finite, 0 or more");
    for (const BuildObject& object : input_.objects)
      if (auto sized = check_size(object.mesh); !sized) return in_object(std::move(sized.error()), object);
    return {};
  }

  // A mesh in another unit, or of numbers that no game can mean, becomes nothing that works.
  static Result<void> check_size(const geometry::TriangleMesh& mesh) {
    constexpr float kLargest = 1e7f, kSmallest = 1e-4f;  // game units: 140 km, a thousandth of a millimetre
    float extent = 0.0f;
    for (const Vec3& vertex : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) {
        if (!(std::abs(vertex[axis]) <= kLargest))
          return fail(ErrorCode::InvalidArgument, "a vertex is not a number, or farther out than 10,000,000 units");
        extent = std::max(extent, std::abs(vertex[axis] - mesh.vertices.front()[axis]));
      }
    if (extent > 0.0f && extent < kSmallest) return fail(ErrorCode::InvalidArgument, "it has no size; check its scale");
    return {};
  }

  bool is_child(const BuildObject& object) const {
    return options_.shape == BuildShape::Compound || shape_for(object.name, options_) == BuildShape::Compound;
  }

  // A child of a compound that is not said to be anything else is a hull.
  BuildShape kind_of(const BuildObject& object) const {
    const BuildShape kind = shape_for(object.name, options_);
    return kind == BuildShape::Compound ? BuildShape::Hull : kind;
  }

  // Builds one body from one object, or from all children of the compound.
  Result<void> build_body(std::span<const BuildObject* const> objects) {
    const bool has_mesh =
        std::ranges::any_of(objects, [&](const BuildObject* object) { return kind_of(*object) == BuildShape::Mesh; });
    MARROW_CHECK(choose_motion(has_mesh));
    std::vector<ShapeId> children;
    for (const BuildObject* object : objects) {
      auto shapes = build_shapes(*object, kind_of(*object));
      if (!shapes) return in_object(std::move(shapes.error()), *object);
      children.insert(children.end(), shapes->begin(), shapes->end());
    }
    if (children.size() == 1 && !is_child(*objects.front())) return add_body(children.front());
    MARROW_TRY(const ShapeId compound, add_compound(children, main_material(objects.front()->mesh)));
    return add_body(compound);
  }

  Result<void> choose_motion(bool has_mesh) {
    const bool has_mass = options_.mass_kg.has_value();
    motion_ = options_.motion.value_or(has_mass && !has_mesh ? MotionType::Dynamic : MotionType::Static);
    if (motion_ == MotionType::Dynamic && !has_mass)
      return fail(ErrorCode::InvalidArgument, "a dynamic body needs a mass");
    if (motion_ != MotionType::Dynamic && has_mass)
      note("the body is " + std::string(to_string(motion_)) + "; its mass is ignored");
    if (motion_ == MotionType::Dynamic && has_mesh)
      note("a moving mesh is slow in the game; use hull, compound or decompose instead");
    return {};
  }

  void note(std::string message, std::string path = {}) {
    Note note{std::move(message), kNoOffset, std::move(path)};
    if (std::ranges::find(notes_, note) == notes_.end()) notes_.push_back(std::move(note));
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
    options.convex_radius = options_.convex_radius.value_or(rules().hull_radius);
    options.max_vertices = options_.max_vertices;
    options.flat_thickness = kFlatThickness;
    return options;
  }

  // What has no width is refused alike for every kind. Flat input is given a thickness, except if it is to be a mesh or
  // if something round goes around it.
  Result<std::vector<Vec3>> solid_points(const BuildObject& object, BuildShape kind) {
    std::vector<Vec3> points = points_of(object.mesh);
    MARROW_TRY(const geometry::Extent extent, geometry::extent_of(points));
    if (extent == geometry::Extent::Point)
      return fail(ErrorCode::InvalidArgument, "all points are one point; give it a size");
    if (extent == geometry::Extent::Line)
      return fail(ErrorCode::InvalidArgument, "all points lie on one line; give it a width");
    const bool is_round = kind == BuildShape::Sphere || kind == BuildShape::Capsule;
    const bool is_inside = options_.fit == BuildFit::Inscribed && (is_round || kind == BuildShape::Cylinder);
    if (extent == geometry::Extent::Solid || kind == BuildShape::Mesh || is_round || is_inside) return points;
    note("it is flat, and was made " + rounded(kFlatThickness * kGameUnitsPerHavokUnit) + " game units thick",
         object.name);
    if (kind == BuildShape::Decompose) return points;  // which does that itself
    MARROW_TRY(const geometry::Box box, geometry::fit_box(points));
    const Vec3& half = box.half_extents;
    const int thin = half.x <= half.y && half.x <= half.z ? 0 : half.y <= half.z ? 1 : 2;
    const Vec3 offset = glm::mat3_cast(box.rotation)[thin] * (0.5f * kFlatThickness);
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back(points[i] + offset);
      points[i] -= offset;
    }
    return points;
  }

  static std::string rounded(float value) {
    const std::string text = std::to_string(value);
    return text.substr(0, text.find('.') + 3);
  }

  // Builds the shapes of one object: several if it is decomposed.
  Result<std::vector<ShapeId>> build_shapes(const BuildObject& object, BuildShape kind) {
    const std::uint32_t material = main_material(object.mesh);
    MARROW_TRY(const std::vector<Vec3> points, solid_points(object, kind));
    if (kind == BuildShape::Decompose) return decompose(object, material);
    if (kind == BuildShape::Mesh) return std::vector{add_mesh(object.mesh)};
    MARROW_TRY(Shape shape, convex_shape(points, kind, object.name));
    return std::vector{add(std::move(shape), material)};
  }

  Result<Shape> convex_shape(std::span<const Vec3> points, BuildShape kind, const std::string& name) {
    const bool is_inside = options_.fit == BuildFit::Inscribed;
    switch (kind) {
      case BuildShape::Box: {
        MARROW_TRY(const geometry::Box box, geometry::fit_box(points));
        if (rules().has_boxes) return box_shape(box);
        MARROW_TRY(const geometry::Hull hull,
                   geometry::box_hull(box, options_.convex_radius.value_or(rules().box_radius)));
        return havok::shape_of(hull);
      }
      case BuildShape::Sphere: {
        MARROW_TRY(const geometry::Sphere sphere,
                   is_inside ? geometry::inscribed_sphere(points) : geometry::fit_sphere(points));
        return ball(sphere);
      }
      case BuildShape::Capsule: {
        MARROW_TRY(const geometry::Capsule capsule,
                   is_inside ? geometry::inscribed_capsule(points) : geometry::fit_capsule(points));
        // A capsule without length has no axis; it is a sphere.
        if (capsule.a == capsule.b) return ball({capsule.a, capsule.radius});
        Shape shape;
        const float part = rules().capsule_part;
        shape.convex_radius = capsule.radius * part;
        shape.geometry = CapsuleShape{capsule.a, capsule.b, part};
        return shape;
      }
      case BuildShape::Cylinder: {
        MARROW_TRY(const geometry::Cylinder cylinder,
                   is_inside ? geometry::inscribed_cylinder(points) : geometry::fit_cylinder(points));
        MARROW_TRY(
            const geometry::Hull hull,
            geometry::cylinder_hull(cylinder, is_inside ? geometry::Roundness::Inside : geometry::Roundness::Outside,
                                    hull_options()));
        return havok::shape_of(hull);
      }
      default: break;
    }
    MARROW_TRY(const geometry::Hull hull, geometry::build_hull(points, hull_options()));
    if (hull.vertices.size() == options_.max_vertices)
      note("the hull was cut down to " + std::to_string(options_.max_vertices) + " vertices", name);
    return havok::shape_of(hull);
  }

  const BuildRules& rules() const { return kBuildRules[static_cast<std::size_t>(options_.game)]; }

  // A box lies about its own origin; where it is comes above it.
  Shape box_shape(const geometry::Box& box) {
    Vec3 outer = glm::max(box.half_extents, Vec3(0.5f * kFlatThickness));
    const float least = std::min({outer.x, outer.y, outer.z});
    const float radius = std::min(options_.convex_radius.value_or(rules().box_radius), 0.5f * least);
    Shape core;
    core.convex_radius = radius;
    core.geometry = BoxShape{outer - Vec3(radius)};
    const glm::mat3 turn = glm::mat3_cast(box.rotation);
    const bool is_straight = glm::length(box.center) < 1e-5f && is_along_axes(turn);
    if (is_straight) {
      // Axes that are only exchanged leave a box along the axes.
      core.geometry = BoxShape{glm::abs(turn * std::get<BoxShape>(core.geometry).half_extents)};
      return core;
    }
    Shape moved;
    moved.convex_radius = radius;
    moved.geometry = MovedShape{system_.add_shape(std::move(core)), {turn, box.center}};
    return moved;
  }

  static bool is_along_axes(const glm::mat3& turn) {
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row) {
        const float value = std::abs(turn[column][row]);
        if (value > 1e-5f && std::abs(value - 1.0f) > 1e-5f) return false;
      }
    return true;
  }

  ShapeId add(Shape shape, std::uint32_t material) {
    shape.material = material;
    if (const auto* moved = std::get_if<MovedShape>(&shape.geometry))
      if (Shape* core = system_.find_shape(moved->core)) core->material = material;
    return system_.add_shape(std::move(shape));
  }

  static Shape ball(const geometry::Sphere& sphere) {
    Shape shape;
    shape.convex_radius = sphere.radius;
    shape.geometry = BallShape{sphere.center};
    return shape;
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

  Result<std::vector<ShapeId>> decompose(const BuildObject& object, std::uint32_t material) {
    geometry::TriangleMesh mesh = object.mesh;
    for (Vec3& vertex : mesh.vertices) vertex /= kGameUnitsPerHavokUnit;
    geometry::DecomposeOptions options;
    options.max_hulls = options_.max_pieces;
    options.max_vertices_per_hull = options_.max_vertices;
    options.max_concavity = options_.max_concavity / kGameUnitsPerHavokUnit;
    options.hull = hull_options();
    MARROW_TRY(const geometry::Decomposition pieces, geometry::decompose(mesh, options));
    const geometry::DecomposeReport& report = pieces.report;
    for (const Note& each : report.notes) note(each.message, object.name);
    if (!pieces.within_limit)
      note("with " + std::to_string(pieces.hulls.size()) + " hulls the surface is off by up to " +
               rounded(pieces.concavity * kGameUnitsPerHavokUnit) + " game units; allow more hulls",
           object.name);
    if (decompositions_ != nullptr)
      decompositions_->push_back(
          {object.name, pieces.hulls.size(), report.volume_error,
           std::max(report.overhang, report.left_out) * static_cast<double>(kGameUnitsPerHavokUnit), report.coverage});
    std::vector<ShapeId> children;
    for (const geometry::Hull& hull : pieces.hulls) children.push_back(add(havok::shape_of(hull), material));
    return children;
  }

  Result<ShapeId> add_compound(std::span<const ShapeId> children, std::uint32_t material) {
    CompoundShape compound;
    for (const ShapeId child : children) compound.instances.push_back({.shape = child});
    MARROW_CHECK(havok::build_tree(system_, compound));
    Shape shape;
    shape.geometry = std::move(compound);
    return add(std::move(shape), material);
  }

  Result<void> add_body(ShapeId shape) {
    SurfaceProperties surface;
    surface.restitution = rules().restitution;
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
  std::vector<BuiltDecomposition>* decompositions_;
  MotionType motion_ = MotionType::Static;
  std::vector<std::uint32_t> crcs_;  ///< one per material of the input
  CollisionSystem system_;
};

}  // namespace

Result<CollisionSystem> build_system(const BuildInput& input, const BuildOptions& options, Notes& notes,
                                     std::vector<BuiltDecomposition>* decompositions) {
  return Builder(input, options, notes, decompositions).build();
}

}  // namespace marrow
