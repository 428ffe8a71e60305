// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/geometry/obj.h"
#include "marrow/gltf/read.h"
#include "marrow/ops/collision_build.h"
#include "ops/formats.h"

namespace marrow {
namespace {

std::uint16_t material_index(BuildInput& input, const std::string& name) {
  const auto found = std::ranges::find(input.materials, name);
  if (found != input.materials.end()) return static_cast<std::uint16_t>(found - input.materials.begin());
  input.materials.push_back(name);
  return static_cast<std::uint16_t>(input.materials.size() - 1);
}

Result<BuildInput> from_obj(std::span<const std::byte> bytes, BuildUnits units, const Limits& limits) {
  MARROW_TRY(geometry::ObjFile file, geometry::read_obj(as_text(bytes), limits));
  BuildInput input;
  input.materials = std::move(file.materials);
  const float scale = units == BuildUnits::Metre ? 1.0f / kMetresPerGameUnit : 1.0f;
  for (geometry::ObjObject& object : file.objects) {
    for (Vec3& vertex : object.mesh.vertices) vertex *= scale;
    input.objects.push_back({std::move(object.name), std::move(object.mesh)});
  }
  return input;
}

// The parts of one object, which differ in material, become one mesh again.
void append(BuildInput& input, const gltf::Mesh& part, bool is_new) {
  if (is_new) input.objects.push_back({part.name, {}});
  geometry::TriangleMesh& mesh = input.objects.back().mesh;
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const Transform& at = part.placement;
  for (const Vec3& p : part.positions) mesh.vertices.push_back(at.translation + at.rotation * (at.scale * p));
  const std::uint16_t material = material_index(input, part.material);
  for (const auto& [a, b, c] : part.triangles) {
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.materials.push_back(material);
  }
}

Result<BuildInput> from_gltf(std::span<const std::byte> bytes, BuildUnits units, const Limits& limits) {
  gltf::ReadOptions options;
  options.limits = limits;
  if (units == BuildUnits::Game) options.metres_per_unit = 1.0f;
  MARROW_TRY(const gltf::Scene scene, gltf::read_gltf(bytes, options));
  BuildInput input;
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    const gltf::Mesh& mesh = scene.meshes[i];
    const bool is_part = i > 0 && mesh.name == scene.meshes[i - 1].name &&
                         mesh.placement == scene.meshes[i - 1].placement &&
                         mesh.material != scene.meshes[i - 1].material;
    append(input, mesh, !is_part);
  }
  return input;
}

}  // namespace

Result<BuildInput> read_build_input(std::span<const std::byte> bytes, BuildUnits units, const Limits& limits) {
  Result<BuildInput> input = [&]() -> Result<BuildInput> {
    switch (detect(bytes)) {
      case Format::Obj: return from_obj(bytes, units, limits);
      case Format::Glb:
      case Format::Gltf: return from_gltf(bytes, units, limits);
      default: return refuse_format(bytes, "collision build");
    }
  }();
  if (!input) return input;
  std::erase_if(input->objects, [](const BuildObject& object) { return object.mesh.triangles.empty(); });
  if (input->objects.empty()) return fail(ErrorCode::InvalidArgument, "the file holds no triangles to build from");
  return input;
}

}  // namespace marrow
