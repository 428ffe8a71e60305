// SPDX-License-Identifier: MIT
// What the library says of collision, held against the game's own files.
#include "havok/physics/physics.h"

#include <doctest/doctest.h>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>

#include "geometry/mesh/compound_tree.h"
#include "geometry/mesh/compressed_mesh.h"
#include "havok/animation/skeleton.h"
#include "havok/object/compare.h"
#include "havok/physics/measure.h"
#include "havok/physics/mesh.h"
#include "havok/physics/ragdoll.h"
#include "nif/embedded.h"
#include "ops/collision/check.h"
#include "support/corpus.h"
#include "support/documents.h"

using namespace marrow;

namespace {

struct Blob {
  std::string name;
  std::vector<std::byte> bytes;
  havok::Packfile file;
  CollisionSystem system;
};

// Every physics and ragdoll packfile of the NIFs.
const std::vector<Blob>& blobs() {
  static const std::vector<Blob> all = [] {
    std::vector<Blob> found;
    for (const auto& path : test::files_below(test::corpus(), ".nif")) {
      const auto nif = read_nif(test::bytes_of(path));
      REQUIRE_MESSAGE(nif.has_value(), path.string());
      const auto embedded = read_embedded(*nif);
      REQUIRE_MESSAGE(embedded.has_value(), path.string());
      for (const EmbeddedPackfile& one : *embedded) {
        if (one.kind == EmbeddedKind::Cloth) continue;
        Blob blob{path.filename().string() + " block " + std::to_string(one.block),
                  {one.bytes.begin(), one.bytes.end()},
                  {},
                  {}};
        auto file = havok::read_packfile(blob.bytes);
        REQUIRE_MESSAGE(file.has_value(), blob.name);
        auto system = havok::read_physics(*file, file->root);
        REQUIRE_MESSAGE(system.has_value(), blob.name);
        blob.file = std::move(*file);
        blob.system = std::move(*system);
        found.push_back(std::move(blob));
      }
    }
    return found;
  }();
  return all;
}

// Calls `action(blob, shape, geometry)` for every shape of a kind.
template <class Geometry, class Action>
void for_each_shape(Action&& action) {
  for (const Blob& blob : blobs())
    for (const Shape& shape : blob.system.shapes)
      if (const auto* geometry = std::get_if<Geometry>(&shape.geometry)) {
        CAPTURE(blob.name);
        action(blob, shape, *geometry);
      }
}

double off(double is, double should) { return std::abs(is - should) / std::max(std::abs(should), 1e-30); }

}  // namespace

TEST_CASE("a system that is read and written without an edit keeps every byte") {
  for (const Blob& blob : blobs()) {
    CAPTURE(blob.name);
    havok::Packfile copy = blob.file;
    REQUIRE(havok::write_physics(blob.system, copy, copy.root));
    const auto bytes = havok::write_packfile(copy);
    REQUIRE(bytes);
    CHECK(*bytes == blob.bytes);
  }
}

TEST_CASE("a system made anew from the model reads as the same system") {
  for (const Blob& blob : blobs()) {
    CAPTURE(blob.name);
    const auto made = havok::make_physics(blob.system);
    REQUIRE(made);
    const auto bytes = havok::write_packfile(*made);
    REQUIRE(bytes);
    const auto file = havok::read_packfile(*bytes);
    REQUIRE(file);
    const auto system = havok::read_physics(*file, file->root);
    REQUIRE(system);
    CHECK(system->bodies.size() == blob.system.bodies.size());
    CHECK(system->surfaces == blob.system.surfaces);
    CHECK(system->motions == blob.system.motions);
    CHECK(system->motion_properties == blob.system.motion_properties);
    CHECK(system->constraints == blob.system.constraints);
    CHECK(system->motors == blob.system.motors);
    CHECK(system->ragdoll == blob.system.ragdoll);
    REQUIRE(system->shapes.size() == blob.system.shapes.size());
    for (std::size_t i = 0; i < system->shapes.size(); ++i)
      if (!std::holds_alternative<MeshShape>(system->shapes[i].geometry))
        CHECK(system->shapes[i] == blob.system.shapes[i]);
  }
}

TEST_CASE("a system of a sphere made anew is the game's own bytes, one of a capsule but for rounding") {
  for (const Blob& blob : blobs()) {
    if (blob.system.ragdoll || blob.system.shapes.size() != 1) continue;
    const Shape& shape = blob.system.shapes.front();
    const bool is_capsule = std::holds_alternative<CapsuleShape>(shape.geometry);
    if (!is_capsule && !std::holds_alternative<BallShape>(shape.geometry)) continue;
    CAPTURE(blob.name);
    const auto made = havok::make_physics(blob.system);
    REQUIRE(made);
    const auto bytes = havok::write_packfile(*made);
    REQUIRE(bytes);
    CHECK(bytes->size() == blob.bytes.size());
    if (!is_capsule) CHECK(*bytes == blob.bytes);
    for (const havok::TreeDifference& difference : havok::compare(blob.file, *made)) {
      CAPTURE(difference.path);
      CHECK((difference.path.find(".shape.vertices[") != std::string::npos ||
             difference.path.find(".shape.planes[") != std::string::npos));
    }
  }
}

TEST_CASE("joints made anew hold what the game's joints hold") {
  std::size_t joints = 0;
  for (const Blob& blob : blobs()) {
    if (blob.system.constraints.empty()) continue;
    CAPTURE(blob.name);
    const auto made = havok::make_physics(blob.system);
    REQUIRE(made);
    for (const havok::TreeDifference& difference : havok::compare(blob.file, *made)) {
      if (difference.path.find("constraint") == std::string::npos) continue;
      CAPTURE(difference.path);
      CAPTURE(difference.left);
      CAPTURE(difference.right);
      CHECK(false);
    }
    joints += blob.system.constraints.size();
  }
  if (!blobs().empty()) CHECK(joints > 0);
}

TEST_CASE("the planes of every hull hold all its vertices, and its volume and inertia are as stored") {
  double worst_volume = 0, worst_inertia = 0, worst_center = 0;
  std::size_t hulls = 0;
  for_each_shape<Polytope>([&](const Blob& blob, const Shape& shape, const Polytope& polytope) {
    const float size = glm::length(havok::bounds_of(blob.system, shape).max - havok::bounds_of(blob.system, shape).min);
    for (const Vec4& plane : polytope.planes)
      for (const Vec3& vertex : polytope.vertices) CHECK(glm::dot(Vec3(plane), vertex) + plane.w <= 1e-4f * size);
    ++hulls;
    if (!shape.mass) return;
    const auto measured = havok::mass_properties(blob.system, shape);
    REQUIRE(measured);
    const geometry::BodyInertia inertia = geometry::body_inertia(*measured, measured->volume);
    worst_volume = std::max(worst_volume, off(measured->volume, double{shape.mass->volume}));
    worst_center =
        std::max(worst_center, double{glm::length(inertia.center_of_mass - shape.mass->center)} / double{size});
    // Three moments share one exponent: the step of all of them is that of the largest.
    const double largest = double{std::max({shape.mass->inertia.x, shape.mass->inertia.y, shape.mass->inertia.z})};
    for (int i = 0; i < 3; ++i)
      worst_inertia = std::max(
          worst_inertia, std::abs(1.0 / double{inertia.inverse_inertia[i]} - double{shape.mass->inertia[i]}) / largest);
  });
  MESSAGE(hulls << " hulls: volume off by " << worst_volume << ", inertia " << worst_inertia << ", centre "
                << worst_center);
  CHECK(worst_volume < 1e-3);
  CHECK(worst_inertia < 1e-3);
  CHECK(worst_center < 1e-3);
}

TEST_CASE("bodies have the mass, the inertia and the place that follow from their shape") {
  double worst_factor = 0, worst_inertia = 0, worst_place = 0, worst_turn = 0;
  std::size_t dynamic = 0;
  for (const Blob& blob : blobs())
    for (const Body& body : blob.system.bodies) {
      CAPTURE(blob.name);
      const Motion* motion = blob.system.motion_of(body);
      if (!motion) continue;
      if (motion_type(blob.system, body) == MotionType::Keyframed) {
        CHECK(motion->mass_factor == 1.0f);
        CHECK(motion->properties == kNoMotionProperties);
        CHECK(motion->inverse_inertia == Vec4(0.0f));
        continue;
      }
      ++dynamic;
      CHECK((body.flags & body_flag::kContactImpulseEvents) != 0);
      const auto measured = havok::mass_properties(blob.system, *blob.system.find_shape(body.shape));
      REQUIRE(measured);
      const geometry::BodyInertia inertia = geometry::body_inertia(*measured, 1.0 / double{motion->inverse_mass});
      worst_factor = std::max(worst_factor, off(double{inertia.mass_factor}, double{motion->mass_factor}));
      for (int i = 0; i < 3; ++i)
        worst_inertia =
            std::max(worst_inertia, off(double{inertia.inverse_inertia[i]}, double{motion->inverse_inertia[i]}));
      const Vec3 center = Vec3(body.position) + body.orientation * inertia.center_of_mass;
      worst_place = std::max(worst_place, double{glm::length(center - Vec3(motion->center_of_mass))});
      worst_turn =
          std::max(worst_turn, double{angle_degrees(motion->orientation, body.orientation * inertia.rotation)});
    }
  MESSAGE(dynamic << " dynamic bodies: mass factor off by " << worst_factor << ", inertia " << worst_inertia
                  << ", centre " << worst_place << " units, axes " << worst_turn << " degrees");
  CHECK(worst_factor < 1e-3);
  CHECK(worst_inertia < 2e-3);
  CHECK(worst_place < 1e-3);
}

TEST_CASE("every mesh of the game comes back from its own triangles, in a tree as good and in no more bytes") {
  std::size_t meshes = 0, triangles = 0, game_bytes = 0, own_bytes = 0, same_topology = 0;
  double worst_cost = 0;
  for_each_shape<MeshShape>([&](const Blob& blob, const Shape& shape, const MeshShape& mesh) {
    const auto stored = havok::read_compressed_mesh(blob.file, {shape.source.value});
    REQUIRE(stored);
    geometry::TriangleMesh source;
    source.vertices = mesh.vertices;
    for (const MeshFace& face : mesh.faces) {
      source.triangles.push_back(face.corners);
      source.materials.push_back(face.material);
    }
    geometry::MeshBuildReport report;
    const auto built = geometry::build_compressed_mesh(source, {}, &report);
    REQUIRE(built);
    CHECK(geometry::verify_compressed_mesh(*built).empty());
    CHECK(geometry::compare_with_source(*built, source, report.collapsed_triangles + report.degenerate_triangles)
              .empty());
    CHECK(report.collapsed_triangles + report.degenerate_triangles == 0);
    const double cost = *geometry::tree_cost(*built) / *geometry::tree_cost(*stored);
    CHECK(cost <= 1.05);
    worst_cost = std::max(worst_cost, cost);
    const auto bytes_of = [](const geometry::CompressedMesh& m) {
      std::size_t nodes = 5 * m.top_nodes.size();
      for (const auto& section : m.sections) nodes += 0x60 + 4 * section.nodes.size();
      return nodes + 4 * m.primitives.size() + 2 * m.shared_indices.size() + 4 * m.packed_vertices.size() +
             8 * m.shared_vertices.size() + 4 * m.data_runs.size() +
             4 * (m.quad_is_flat.size() + m.triangle_is_interior.size());
    };
    game_bytes += bytes_of(*stored);
    own_bytes += bytes_of(*built);
    // The bits follow from the primitives: computed over the game's own they are the game's own.
    geometry::CompressedMesh flags = *stored;
    REQUIRE(geometry::compute_mesh_flags(flags));
    CHECK(flags.quad_is_flat == stored->quad_is_flat);
    CHECK(flags.triangle_is_interior == stored->triangle_is_interior);
    same_topology += built->primitives == stored->primitives;
    triangles += mesh.faces.size();
    ++meshes;
  });
  MESSAGE(meshes << " meshes, " << triangles << " triangles: bytes x"
                 << double(own_bytes) / double(std::max<std::size_t>(game_bytes, 1)) << ", worst tree cost x"
                 << worst_cost << ", same primitives in " << same_topology);
  CHECK(own_bytes <= game_bytes);
}

TEST_CASE("the boxes of a compound's children are those of the game") {
  float worst = 0;
  std::size_t compounds = 0;
  for_each_shape<CompoundShape>([&](const Blob& blob, const Shape&, const CompoundShape& compound) {
    CompoundShape rebuilt = compound;
    rebuilt.nodes.clear();
    REQUIRE(havok::build_tree(blob.system, rebuilt));
    REQUIRE(rebuilt.nodes.size() == compound.nodes.size());
    const auto leaf = [](const CompoundShape& c, std::size_t child) {
      for (std::size_t i = 1; i + 1 < c.nodes.size(); ++i)
        if (c.nodes[i].left == 0 && c.nodes[i].right == child) return c.nodes[i];
      return CompoundNode{};
    };
    for (std::size_t i = 0; i < compound.instances.size(); ++i) {
      const CompoundNode a = leaf(rebuilt, i), b = leaf(compound, i);
      worst = std::max({worst, glm::length(a.min - b.min), glm::length(a.max - b.max)});
    }
    ++compounds;
  });
  MESSAGE(compounds << " compounds: leaf boxes off by " << worst << " units");
  CHECK(worst < 4e-6f);
}

TEST_CASE("check finds nothing in the game's own files, the ragdoll in skeleton.hkx included") {
  std::vector<std::filesystem::path> files = test::files_below(test::corpus(), ".nif");
  for (const auto& path : test::files_below(test::corpus(), ".hkx"))
    if (path.filename() == "skeleton.hkx" && path.parent_path().filename() == "fo4") files.push_back(path);
  for (const auto& path : files) {
    CAPTURE(path.string());
    for (const Finding& finding : check_collision(test::loaded(test::bytes_of(path), Parts::Collision))) {
      CAPTURE(finding.code);
      CAPTURE(finding.message);
      CAPTURE(finding.where);
      CHECK(finding.level == Level::Info);
    }
  }
}

TEST_CASE("a ragdoll built from the game's skeleton has the bodies, places and joints of the game's own") {
  const auto path = test::corpus() / "hkx" / "fo4" / "skeleton.hkx";
  const auto own = std::ranges::find_if(blobs(), [](const Blob& blob) { return blob.system.ragdoll.has_value(); });
  if (test::corpus().empty() || !std::filesystem::exists(path) || own == blobs().end()) return;
  const auto file = havok::read_packfile(test::bytes_of(path));
  REQUIRE(file);
  const auto skeleton = havok::read_skeleton(*file, havok::find_skeletons(*file).front());
  REQUIRE(skeleton);
  using havok::RagdollBody;
  const auto knee = [](float min, float max) { return havok::TurnLimits{{0, 0, 1}, min, max}; };
  // Left side and middle; radii are in game units.
  const std::vector<RagdollBody> table = {
      {.bone = "COM", .radius = 11.6f, .from = Vec3(0, 0, 2), .to = Vec3(0, 0, -2), .mass_kg = 18, .part = 2},
      {.bone = "Spine1", .radius = 10.5f, .mass_kg = 3.5f, .part = 2},
      {.bone = "Spine2", .radius = 8.7f, .mass_kg = 3.5f, .part = 3},
      {.bone = "Chest", .radius = 12.1f, .from = Vec3(10, 0, 3), .to = Vec3(10, 0, -3), .mass_kg = 6.5f, .part = 4},
      {.bone = "Neck", .radius = 3.5f, .mass_kg = 4},
      {.bone = "Head", .shape = havok::RagdollShape::Ball, .radius = 8.7f, .length = 6, .mass_kg = 4, .part = 1},
      {.bone = "LArm_UpperArm", .radius = 4.26f, .mass_kg = 8, .part = 5},
      {.bone = "LArm_ForeArm1", .radius = 3.66f, .mass_kg = 3, .part = 6, .limits = knee(-0.61f, 1.92f)},
      {.bone = "LArm_Hand", .radius = 3.8f, .mass_kg = 2, .part = 7, .limits = knee(-0.52f, 0.35f)},
      {.bone = "LLeg_Thigh", .radius = 5.94f, .mass_kg = 4, .part = 8},
      {.bone = "LLeg_Calf", .radius = 4.95f, .mass_kg = 4, .part = 9, .limits = knee(-1.92f, 0.03f)},
      {.bone = "LLeg_Foot", .radius = 4.46f, .mass_kg = 6, .part = 10, .limits = knee(-0.09f, 0.61f)}};
  const auto built = havok::make_ragdoll(*skeleton, table);
  REQUIRE_MESSAGE(built.has_value(), built.error().path << ": " << built.error().message);
  const CollisionSystem& game = own->system;
  REQUIRE(built->bodies.size() == game.bodies.size());
  REQUIRE(built->constraints.size() == game.constraints.size());
  float worst_place = 0, worst_turn = 0, worst_pivot = 0;
  std::vector<std::size_t> game_body;  // of each body that was built: the nearest
  for (const Body& body : built->bodies) {
    const auto near = std::ranges::min_element(
        game.bodies, {}, [&](const Body& b) { return glm::distance(Vec3(b.position), Vec3(body.position)); });
    game_body.push_back(static_cast<std::size_t>(near - game.bodies.begin()));
    worst_place = std::max(worst_place, glm::distance(Vec3(near->position), Vec3(body.position)));
    worst_turn = std::max(worst_turn, angle_degrees(near->orientation, body.orientation));
    // Two bodies of the middle stand at one place; filters tell bones apart but for those.
    if ((body.filter >> 8) > 4) CHECK(near->filter == body.filter);
    CHECK(near->flags == body.flags);
  }
  const auto pivot_b = [](const Constraint& c) {
    if (const auto* hinge = std::get_if<LimitedHingeJoint>(&c.joint)) return hinge->frame_b.translation;
    return std::get<RagdollJoint>(c.joint).frame_b.translation;
  };
  for (const Constraint& constraint : built->constraints) {
    const auto theirs = std::ranges::find(game.constraints, game_body[constraint.body_a], &Constraint::body_a);
    REQUIRE(theirs != game.constraints.end());
    CHECK(theirs->body_b == game_body[constraint.body_b]);
    CHECK(theirs->joint.index() == constraint.joint.index());
    worst_pivot = std::max(worst_pivot, glm::distance(pivot_b(*theirs), pivot_b(constraint)));
    const auto* knee_joint = std::get_if<LimitedHingeJoint>(&constraint.joint);
    if (!knee_joint) continue;
    const auto& their_knee = std::get<LimitedHingeJoint>(theirs->joint);
    CHECK(knee_joint->min_angle == doctest::Approx(their_knee.min_angle).epsilon(0.05));
  }
  MESSAGE(built->bodies.size() << " bodies: place off by " << worst_place << " units, turn " << worst_turn
                               << " degrees, pivots " << worst_pivot);
  CHECK(worst_place < 0.02f);
  CHECK(worst_pivot < 0.02f);
}

TEST_CASE("the cloth of the game's NIFs is read and written byte for byte") {
  std::size_t found = 0;
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    const auto nif = read_nif(test::bytes_of(path));
    REQUIRE(nif);
    const auto embedded = read_embedded(*nif);
    REQUIRE(embedded);
    for (const EmbeddedPackfile& one : *embedded) {
      if (one.kind != EmbeddedKind::Cloth) continue;
      CAPTURE(path.string());
      const auto file = havok::read_packfile(one.bytes);
      REQUIRE(file);
      const auto bytes = havok::write_packfile(*file);
      REQUIRE(bytes);
      CHECK(std::ranges::equal(*bytes, one.bytes));
      ++found;
    }
  }
  if (!test::corpus().empty()) CHECK(found == 1);
}

TEST_CASE("a body that is placed on its node stands where the game's files record it") {
  std::size_t bodies = 0, same = 0, moved = 0, moved_and_same = 0, turned = 0;
  double worst = 0;
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    for (const DocumentCollision& entry : test::loaded(test::bytes_of(path), Parts::Collision).collision)
      for (const BodyNode& node : entry.nodes) {
        CAPTURE(path.string());
        CAPTURE(node.name);
        const Body& recorded = entry.system.bodies[node.body];
        CollisionSystem system = entry.system;
        move_body(system, node.body, {0, 0, 0}, make_quat(0, 0, 0, 1));
        place_body(system, node.body, node.world);
        const Body& placed = system.bodies[node.body];
        const double off_by = double{glm::distance(Vec3(placed.position), Vec3(recorded.position))};
        const bool is_turned = angle_degrees(placed.orientation, recorded.orientation) > 0.05f;
        const bool is_same = off_by < 1e-4 && !is_turned;
        const bool is_moved = glm::length(node.world.translation) > 1e-3f;
        ++bodies;
        same += is_same;
        moved += is_moved;
        moved_and_same += is_moved && is_same;
        turned += is_turned;
        if (!is_same) continue;
        worst = std::max(worst, off_by);
        if (const Motion* motion = entry.system.motion_of(recorded))
          CHECK(glm::distance(Vec3(motion->center_of_mass), Vec3(system.motion_of(placed)->center_of_mass)) < 1e-4f);
      }
  }
  MESSAGE(same << " of " << bodies << " bodies, " << moved_and_same << " of " << moved
               << " on nodes away from the origin; off by " << worst << " units; turned: " << turned);
  if (test::corpus().empty()) return;
  CHECK(bodies == 47);
  CHECK(same == 39);
  CHECK(moved == 27);
  CHECK(moved_and_same == 25);
  CHECK(turned == 1);
}
