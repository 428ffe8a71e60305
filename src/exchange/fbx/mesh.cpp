// SPDX-License-Identifier: MIT
#include <algorithm>

#include "exchange/fbx/skeleton.h"

namespace marrow::fbx {
namespace {

std::vector<double> array_of(const Object& object, std::string_view name) {
  const Node* found = object.node->find(name);
  return found ? found->numbers() : std::vector<double>();
}

std::vector<std::int64_t> indices_of(const Object& object, std::string_view name) {
  const Node* found = object.node->find(name);
  return found ? found->integers() : std::vector<std::int64_t>();
}

// The last corner of a polygon is stored as its complement. Polygons with a corner outside the mesh are left out.
std::vector<std::vector<std::uint32_t>> polygons_of(const Object& geometry, std::size_t vertices,
                                                    std::size_t& left_out) {
  std::vector<std::vector<std::uint32_t>> polygons;
  std::vector<std::uint32_t> corners;
  bool is_good = true;
  for (const std::int64_t stored : indices_of(geometry, "PolygonVertexIndex")) {
    const std::int64_t corner = stored < 0 ? ~stored : stored;
    is_good = is_good && static_cast<std::uint64_t>(corner) < vertices;
    corners.push_back(static_cast<std::uint32_t>(corner & 0xFFFFFFFF));
    if (stored >= 0) continue;
    if (is_good)
      polygons.push_back(corners);
    else
      ++left_out;
    corners.clear();
    is_good = true;
  }
  return polygons;
}

SourceMesh::Binding binding_of(const Object& cluster, std::int32_t bone, std::size_t vertices) {
  SourceMesh::Binding binding{.bone = bone, .influences = {}};
  const std::vector<std::int64_t> indices = indices_of(cluster, "Indexes");
  const std::vector<double> weights = array_of(cluster, "Weights");
  for (std::size_t i = 0; i < std::min(indices.size(), weights.size()); ++i)
    if (static_cast<std::uint64_t>(indices[i]) < vertices && weights[i] > 0.0)
      binding.influences.push_back({static_cast<std::uint32_t>(indices[i]), static_cast<float>(weights[i])});
  return binding;
}

}  // namespace

std::vector<SourceMesh> meshes_of(const Objects& objects, const Nodes& nodes, const BoneNodes& bones, Notes& notes) {
  const auto bone_of = [&](const Object& model) {
    const auto node = nodes.by_id.find(model.id);
    return node == nodes.by_id.end() ? kNoBone : bones.bone_of[static_cast<std::size_t>(node->second)];
  };
  std::vector<SourceMesh> meshes;
  for (const Object& object : objects.all()) {
    if (object.kind != "Geometry" || object.type != "Mesh") continue;
    SourceMesh mesh{.name = object.name};
    for (const Link& link : objects.above(object))
      if (link.object->kind == "Model") {
        mesh.name = link.object->name;
        mesh.bone = bone_of(*link.object);
        break;
      }
    const std::vector<double> numbers = array_of(object, "Vertices");
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
      mesh.vertices.emplace_back(static_cast<float>(numbers[i]), static_cast<float>(numbers[i + 1]),
                                 static_cast<float>(numbers[i + 2]));
    std::size_t left_out = 0;
    mesh.polygons = polygons_of(object, mesh.vertices.size(), left_out);
    if (left_out > 0)
      notes.push_back({"mesh '" + mesh.name + "' has " + std::to_string(left_out) +
                       " polygons with a corner that it lacks; they are left out"});
    for (const Link& skin : objects.below(object))
      if (skin.object->kind == "Deformer" && skin.object->type == "Skin")
        for (const Link& cluster : objects.below(*skin.object))
          if (cluster.object->kind == "Deformer" && cluster.object->type == "Cluster")
            for (const Link& model : objects.below(*cluster.object))
              if (model.object->kind == "Model")
                mesh.bindings.push_back(binding_of(*cluster.object, bone_of(*model.object), mesh.vertices.size()));
    meshes.push_back(std::move(mesh));
  }
  return meshes;
}

}  // namespace marrow::fbx
