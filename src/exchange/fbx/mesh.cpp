// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <glm/gtc/quaternion.hpp>

#include "exchange/fbx/skeleton.h"

namespace marrow::fbx {
namespace {

// What is not a number, or too large for a float, is 0: one broken normal is no reason to refuse a mesh.
std::vector<double> finite_numbers(const Node& node) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  std::vector<double> numbers = node.numbers();
  for (double& each : numbers)
    if (!(std::abs(each) <= kLargest)) each = 0.0;
  return numbers;
}

std::vector<double> array_of(const Object& object, std::string_view name) {
  const Node* found = object.node->find(name);
  return found ? finite_numbers(*found) : std::vector<double>();
}

std::vector<std::int64_t> indices_of(const Object& object, std::string_view name) {
  const Node* found = object.node->find(name);
  return found ? found->integers() : std::vector<std::int64_t>();
}

// A corner as the layers of a mesh count: of all corners, its polygon of all polygons, its vertex.
struct Corner {
  std::size_t corner = 0, polygon = 0, vertex = 0;
};

// The last corner of a polygon is stored as its complement. Polygons with a corner outside the mesh are left out;
// `kept` gets the corners of the others.
std::vector<std::vector<std::uint32_t>> polygons_of(const Object& geometry, std::size_t vertices, std::size_t& left_out,
                                                    std::vector<Corner>& kept) {
  std::vector<std::vector<std::uint32_t>> polygons;
  std::size_t corner_count = 0, polygon_count = 0;
  std::vector<std::uint32_t> corners;
  bool is_good = true;
  for (const std::int64_t stored : indices_of(geometry, "PolygonVertexIndex")) {
    const std::int64_t corner = stored < 0 ? ~stored : stored;
    is_good = is_good && static_cast<std::uint64_t>(corner) < vertices;
    corners.push_back(static_cast<std::uint32_t>(corner & 0xFFFFFFFF));
    if (stored >= 0) continue;
    corner_count += corners.size();
    if (is_good) {
      polygons.push_back(corners);
      for (std::size_t i = 0; i < corners.size(); ++i)
        kept.push_back({corner_count - corners.size() + i, polygon_count, corners[i]});
    } else {
      ++left_out;
    }
    ++polygon_count;
    corners.clear();
    is_good = true;
  }
  return polygons;
}

// Returns `width` numbers per corner of a layer, as its mapping says; empty if there is no such layer, or if it is
// short.
std::vector<double> layer_of(const Object& geometry, std::string_view layer, std::string_view values,
                             std::string_view indices, std::size_t width, const std::vector<Corner>& corners) {
  const Node* found = geometry.node->find(layer);
  const Node* direct = found ? found->find(values) : nullptr;
  if (!direct) return {};
  const std::vector<double> numbers = finite_numbers(*direct);
  const Node* mapping = found->find("MappingInformationType");
  const Node* reference = found->find("ReferenceInformationType");
  const std::string_view by = mapping ? mapping->text(0) : "ByPolygonVertex";
  const Node* index = reference && reference->text(0) != "Direct" ? found->find(indices) : nullptr;
  const std::vector<std::int64_t> places = index ? index->integers() : std::vector<std::int64_t>();
  std::vector<double> out;
  out.reserve(corners.size() * width);
  for (const Corner& corner : corners) {
    std::size_t at = by.starts_with("ByVert") ? corner.vertex : by == "ByPolygon" ? corner.polygon : corner.corner;
    if (by == "AllSame") at = 0;
    if (index) {
      if (at >= places.size() || places[at] < 0) return {};
      at = static_cast<std::size_t>(places[at]);
    }
    if (at >= numbers.size() / width) return {};
    for (std::size_t i = 0; i < width; ++i) out.push_back(numbers[at * width + i]);
  }
  return out;
}

void add_layers(const Object& geometry, const std::vector<Corner>& corners, SourceMesh& mesh) {
  const std::vector<double> normals = layer_of(geometry, "LayerElementNormal", "Normals", "NormalsIndex", 3, corners);
  for (std::size_t i = 0; i + 2 < normals.size(); i += 3)
    mesh.normals.emplace_back(static_cast<float>(normals[i]), static_cast<float>(normals[i + 1]),
                              static_cast<float>(normals[i + 2]));
  const std::vector<double> uvs = layer_of(geometry, "LayerElementUV", "UV", "UVIndex", 2, corners);
  for (std::size_t i = 0; i + 1 < uvs.size(); i += 2)
    mesh.uvs.emplace_back(static_cast<float>(uvs[i]), static_cast<float>(uvs[i + 1]));
}

glm::dmat4 matrix_of(const Place& place) {
  glm::dmat4 matrix = glm::mat4_cast(place.rotation);
  for (int i = 0; i < 3; ++i) matrix[i] *= place.scale[i];
  matrix[3] = glm::dvec4(place.translation, 1.0);
  return matrix;
}

std::optional<glm::dmat4> matrix_named(const Object& object, std::string_view name) {
  const std::vector<double> values = array_of(object, name);
  if (values.size() != 16) return std::nullopt;
  glm::dmat4 matrix;
  for (int i = 0; i < 16; ++i) matrix[i / 4][i % 4] = values[static_cast<std::size_t>(i)];
  return matrix;
}

// Where a node stands, with what moves its mesh alone.
glm::dmat4 place_of_mesh(const Objects& objects, const Nodes& nodes, const std::vector<Place>& own,
                         const Object& model) {
  const auto node = nodes.by_id.find(model.id);
  glm::dmat4 matrix(1.0);
  if (node != nodes.by_id.end())
    for (std::int32_t at = node->second; at != kNoBone; at = nodes.parents[static_cast<std::size_t>(at)])
      matrix = matrix_of(own[static_cast<std::size_t>(at)]) * matrix;
  const Place geometric{.translation = objects.vector(model, "GeometricTranslation", DVec3(0.0)),
                        .rotation = rotation_of(objects.vector(model, "GeometricRotation", DVec3(0.0)), 0),
                        .scale = objects.vector(model, "GeometricScaling", DVec3(1.0))};
  return matrix * matrix_of(geometric);
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

std::vector<SourceMesh> meshes_of(const Objects& objects, const Nodes& nodes, const BoneNodes& bones,
                                  const std::vector<Place>& own, Notes& notes) {
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
        mesh.place = glm::mat4(place_of_mesh(objects, nodes, own, *link.object));
        break;
      }
    const std::vector<double> numbers = array_of(object, "Vertices");
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
      mesh.vertices.emplace_back(static_cast<float>(numbers[i]), static_cast<float>(numbers[i + 1]),
                                 static_cast<float>(numbers[i + 2]));
    std::size_t left_out = 0;
    std::vector<Corner> corners;
    mesh.polygons = polygons_of(object, mesh.vertices.size(), left_out, corners);
    add_layers(object, corners, mesh);
    if (left_out > 0)
      notes.push_back({"mesh '" + mesh.name + "' has " + std::to_string(left_out) +
                       " polygons with a corner that it lacks; they are left out"});
    for (const Link& skin : objects.below(object))
      if (skin.object->kind == "Deformer" && skin.object->type == "Skin")
        for (const Link& cluster : objects.below(*skin.object))
          if (cluster.object->kind == "Deformer" && cluster.object->type == "Cluster")
            for (const Link& model : objects.below(*cluster.object))
              if (model.object->kind == "Model") {
                const auto link = matrix_named(*cluster.object, "TransformLink");
                const auto to_bone = matrix_named(*cluster.object, "Transform");
                if (mesh.bindings.empty() && link && to_bone) mesh.place = glm::mat4(*link * *to_bone);
                mesh.bindings.push_back(binding_of(*cluster.object, bone_of(*model.object), mesh.vertices.size()));
              }
    meshes.push_back(std::move(mesh));
  }
  return meshes;
}

}  // namespace marrow::fbx
