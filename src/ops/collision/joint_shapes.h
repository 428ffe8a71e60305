// SPDX-License-Identifier: MIT
// Joints as something to look at in exported collision: axes, cones, fans and bars.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/ops/document/document.h"

namespace marrow {

/// The material of joints in exported files.
inline constexpr std::string_view kJointMaterial = "marrow_joint";

/// A joint to look at.
struct JointMesh {
  std::string name;            ///< `marrow_joint0.3.limited_hinge`: system, joint, type
  std::vector<Vec3> vertices;  ///< in the scene, game units
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Returns a mesh per joint. A ragdoll joint is a cone about the axis of the parent with the twist axis of the child in
/// it, a limited hinge its axis and the fan that it sweeps, a prismatic joint the bar that it slides along. Joints of
/// unknown class are left out.
std::vector<JointMesh> joint_meshes(std::span<const DocumentCollision> systems);

/// True for the objects of `joint_meshes`, also after another program has numbered them. They are only to look at, and
/// are not read back.
bool is_joint_object(std::string_view name);

}  // namespace marrow
