// SPDX-License-Identifier: MIT
#include "exchange/gltf/document.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>

#include "exchange/gltf/extras.h"

namespace marrow::gltf {
namespace {

std::vector<double> numbers(std::initializer_list<float> values) {
  std::vector<double> out;
  for (const float v : values) out.push_back(short_double(v));
  return out;
}

}  // namespace

DocumentBuilder::DocumentBuilder() {
  model.asset.version = "2.0";
  model.asset.generator = "Marrow";
  model.scenes.emplace_back();
  model.defaultScene = 0;
  model.buffers.emplace_back();
}

int DocumentBuilder::add_bytes(std::span<const std::byte> bytes) {
  std::vector<unsigned char>& data = model.buffers.front().data;
  data.resize((data.size() + 3) / 4 * 4);
  tinygltf::BufferView view;
  view.buffer = 0;
  view.byteOffset = data.size();
  view.byteLength = bytes.size();
  const auto* first = reinterpret_cast<const unsigned char*>(bytes.data());
  data.insert(data.end(), first, first + bytes.size());
  model.bufferViews.push_back(std::move(view));
  return static_cast<int>(model.bufferViews.size()) - 1;
}

int DocumentBuilder::add_accessor(std::span<const std::byte> bytes, std::size_t count, int component_type, int type,
                                  int target) {
  tinygltf::Accessor accessor;
  accessor.bufferView = add_bytes(bytes);
  model.bufferViews.back().target = target;
  accessor.componentType = component_type;
  accessor.type = type;
  accessor.count = count;
  model.accessors.push_back(std::move(accessor));
  return static_cast<int>(model.accessors.size()) - 1;
}

int DocumentBuilder::add_floats(std::span<const float> values, int components, bool bounds, int target) {
  const auto width = static_cast<std::size_t>(components);
  const int type = components == 1    ? TINYGLTF_TYPE_SCALAR
                   : components == 16 ? TINYGLTF_TYPE_MAT4
                                      : components;  // tinygltf names VEC2 to VEC4 by their number
  const int index =
      add_accessor(std::as_bytes(values), values.size() / width, TINYGLTF_COMPONENT_TYPE_FLOAT, type, target);
  if (!bounds) return index;
  tinygltf::Accessor& accessor = model.accessors.back();
  accessor.minValues.assign(width, std::numeric_limits<double>::max());
  accessor.maxValues.assign(width, std::numeric_limits<double>::lowest());
  for (std::size_t i = 0; i < values.size(); ++i) {
    accessor.minValues[i % width] = std::min(accessor.minValues[i % width], static_cast<double>(values[i]));
    accessor.maxValues[i % width] = std::max(accessor.maxValues[i % width], static_cast<double>(values[i]));
  }
  return index;
}

int DocumentBuilder::add_indices(std::span<const std::uint32_t> values) {
  return add_accessor(std::as_bytes(values), values.size(), TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, TINYGLTF_TYPE_SCALAR,
                      TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
}

int DocumentBuilder::add_joints(std::span<const std::uint16_t> values) {
  return add_accessor(std::as_bytes(values), values.size() / 4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
                      TINYGLTF_TYPE_VEC4, TINYGLTF_TARGET_ARRAY_BUFFER);
}

int DocumentBuilder::add_node(const std::string& name, const Transform& transform) {
  tinygltf::Node node;
  node.name = utf8_name(name);
  const auto& [t, q, s] = transform;
  // Readers reject a rotation that is off by more than rounding; the exact one is in the record.
  const Quat r = std::abs(glm::length(q) - 1.0f) > 1e-6f ? glm::normalize(q) : q;
  if (t != Vec3(0.0f)) node.translation = numbers({t.x, t.y, t.z});
  const auto unit = [](float v) { return std::clamp(v, -1.0f, 1.0f); };
  if (r != make_quat(0, 0, 0, 1)) node.rotation = numbers({unit(r.x), unit(r.y), unit(r.z), unit(r.w)});
  if (s != Vec3(1.0f)) node.scale = numbers({s.x, s.y, s.z});
  model.nodes.push_back(std::move(node));
  return static_cast<int>(model.nodes.size()) - 1;
}

int DocumentBuilder::add_material(const std::string& name, const Vec4& colour) {
  tinygltf::Material material;
  material.name = utf8_name(name);
  material.pbrMetallicRoughness.baseColorFactor = numbers({colour.x, colour.y, colour.z, colour.w});
  material.pbrMetallicRoughness.metallicFactor = 0.0;
  material.doubleSided = true;
  if (colour.w < 1.0f) material.alphaMode = "BLEND";
  model.materials.push_back(std::move(material));
  return static_cast<int>(model.materials.size()) - 1;
}

Result<std::vector<std::byte>> DocumentBuilder::finish(Container container) {
  if (model.buffers.front().data.empty()) model.buffers.clear();
  return serialise_document(model, container);
}

}  // namespace marrow::gltf
