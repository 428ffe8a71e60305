// SPDX-License-Identifier: MIT
#include "ops/collision/joint_shapes.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "havok/physics/measure.h"
#include "ops/collision/joints.h"

namespace marrow {
namespace {

constexpr std::uint32_t kConeSegments = 24;

/// Returns cosine and sine. They are computed as doubles and rounded once: C libraries round those of floats
/// differently, and every system writes the same file.
glm::vec2 direction(float angle) {
  const double exact = angle;
  return {std::cos(exact), std::sin(exact)};
}

/// Collects triangles in the space of a frame that is placed in the scene.
struct JointPen {
  JointMesh& mesh;
  glm::mat3 axes{1.0f};
  Vec3 origin{0.0f};

  std::uint32_t point(const Vec3& local) {
    mesh.vertices.push_back(origin + axes * local);
    return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  }

  // A thin three-sided bar from one point to another.
  void bar(const Vec3& from, const Vec3& to, float width) {
    const Vec3 along = to - from;
    if (!(glm::length(along) > 0.0f)) return;
    const glm::mat3 across = joint_axes(along, Vec3(0, 0, 1));
    std::array<std::uint32_t, 3> low{}, high{};
    for (std::size_t i = 0; i < 3; ++i) {
      const float turn = 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / 3.0f;
      const glm::vec2 way = direction(turn);
      const Vec3 side = (across[1] * way.x + across[2] * way.y) * width;
      low[i] = point(from + side);
      high[i] = point(to + side);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t next = (i + 1) % 3;
      mesh.triangles.push_back({low[i], low[next], high[next]});
      mesh.triangles.push_back({low[i], high[next], high[i]});
    }
    mesh.triangles.push_back({low[2], low[1], low[0]});
    mesh.triangles.push_back({high[0], high[1], high[2]});
  }

  void cone(float half_angle, float length) {
    const std::uint32_t tip = point(Vec3(0.0f));
    const glm::vec2 opening = direction(half_angle);
    std::vector<std::uint32_t> rim;
    for (std::uint32_t i = 0; i < kConeSegments; ++i) {
      const float turn = 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / kConeSegments;
      const glm::vec2 way = direction(turn);
      rim.push_back(point(Vec3(opening.x, opening.y * way.x, opening.y * way.y) * length));
    }
    for (std::size_t i = 0; i < rim.size(); ++i) mesh.triangles.push_back({tip, rim[(i + 1) % rim.size()], rim[i]});
  }

  // What a hinge about x sweeps from one angle to another; y is angle 0.
  void fan(float from, float to, float radius) {
    const std::uint32_t tip = point(Vec3(0.0f));
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i <= kConeSegments; ++i) {
      const float turn = from + (to - from) * static_cast<float>(i) / kConeSegments;
      const std::uint32_t next = point(Vec3(0.0f, direction(turn)) * radius);
      if (i > 0) mesh.triangles.push_back({tip, last, next});
      last = next;
    }
  }

  void axes_of(float length) {
    const float width = 0.03f * length;
    bar(Vec3(0.0f), Vec3(length, 0, 0), width);
    bar(Vec3(0.0f), Vec3(0, 0.5f * length, 0), width);
    bar(Vec3(0.0f), Vec3(0, 0, 0.25f * length), width);
  }

  void star(float length) {
    for (int i = 0; i < 3; ++i) {
      Vec3 end(0.0f);
      end[i] = length;
      bar(-end, end, 0.06f * length);
    }
  }
};

// A joint is drawn at a fraction of the size of its bodies.
float drawn_size(const DocumentCollision& collision, const Constraint& constraint) {
  const CollisionSystem& system = collision.system;
  float size = 0.0f;
  for (const std::uint32_t body : {constraint.body_a, constraint.body_b}) {
    if (body >= system.bodies.size()) continue;
    const Shape* shape = system.find_shape(system.bodies[body].shape);
    if (!shape) continue;
    const geometry::Aabb box = havok::bounds_of(system, *shape);
    if (box.empty()) continue;
    const float length = glm::length(box.max - box.min) * system.game_units;
    size = size == 0.0f ? length : std::min(size, length);
  }
  return std::isfinite(size) ? std::clamp(0.4f * size, 2.0f, 60.0f) : 2.0f;
}

JointPen pen_at(JointMesh& mesh, const Transform& body, const Frame& frame, float unit) {
  return {mesh, glm::mat3_cast(body.rotation) * frame.rotation,
          body.translation + body.rotation * (body.scale * frame.translation * unit)};
}

void draw(const DocumentCollision& collision, const Constraint& constraint, const JointFrames& frames,
          JointMesh& mesh) {
  const float size = drawn_size(collision, constraint), unit = collision.system.game_units;
  JointPen child = pen_at(mesh, pose_of(collision, constraint.body_a), frames.a, unit);
  JointPen parent = pen_at(mesh, pose_of(collision, constraint.body_b), frames.b, unit);
  if (std::holds_alternative<BallJoint>(constraint.joint)) return child.star(0.5f * size);
  child.axes_of(size);
  if (const auto* ragdoll = std::get_if<RagdollJoint>(&constraint.joint)) parent.cone(ragdoll->cone_max, 0.8f * size);
  if (const auto* hinge = std::get_if<LimitedHingeJoint>(&constraint.joint))
    parent.fan(hinge->min_angle, hinge->max_angle, 0.8f * size);
  if (const auto* prismatic = std::get_if<PrismaticJoint>(&constraint.joint))
    parent.bar(Vec3(prismatic->min_distance * unit, 0, 0), Vec3(prismatic->max_distance * unit, 0, 0), 0.08f * size);
  if (std::holds_alternative<FixedJoint>(constraint.joint)) child.star(0.25f * size);
}

}  // namespace

std::vector<JointMesh> joint_meshes(std::span<const DocumentCollision> systems) {
  std::vector<JointMesh> meshes;
  for (std::size_t s = 0; s < systems.size(); ++s) {
    const std::vector<Constraint>& joints = systems[s].system.constraints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto frames = frames_of(joints[i].joint);
      if (!frames) continue;
      std::string type(type_name(joints[i]));
      std::ranges::replace(type, ' ', '_');
      JointMesh mesh{std::string(kJointMaterial) + std::to_string(s) + "." + std::to_string(i) + "." + type, {}, {}};
      draw(systems[s], joints[i], *frames, mesh);
      const bool is_finite =
          std::ranges::all_of(mesh.vertices, [](const Vec3& v) { return std::isfinite(v.x + v.y + v.z); });
      if (is_finite) meshes.push_back(std::move(mesh));
    }
  }
  return meshes;
}

bool is_joint_object(std::string_view name) {
  if (!name.starts_with(kJointMaterial)) return false;
  name.remove_prefix(kJointMaterial.size());
  return !name.empty() && name.front() >= '0' && name.front() <= '9';
}

}  // namespace marrow
