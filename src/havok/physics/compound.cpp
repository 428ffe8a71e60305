// SPDX-License-Identifier: MIT
// The bounding trees of compounds, between files and the model.
#include <array>
#include <bit>

#include "geometry/mesh/static_tree.h"
#include "havok/physics/fields.h"
#include "havok/physics/shapes.h"

namespace marrow::havok {
namespace {

constexpr std::string_view kDynamicData = "hknpDynamicCompoundShapeData";
constexpr std::string_view kStaticData = "hknpStaticCompoundShapeData";
// Nodes of a static tree are read and written as bytes.
constexpr std::size_t kStaticNodeBytes = 6;

Vec3 three_of(std::span<const float> f) { return {f[0], f[1], f[2]}; }

std::vector<CompoundNode> read_dynamic_tree(const FieldsView& tree) {
  std::vector<CompoundNode> nodes;
  const ArrayView view = tree.array("nodes");
  for (std::uint32_t i = 0; i < view.size(); ++i) {
    const FieldsView box = view.record(i).record("aabb");
    const std::vector<float> min = box.floats("min"), max = box.floats("max");
    const std::uint32_t links = std::bit_cast<std::uint32_t>(max[3]);
    nodes.push_back({three_of(min), three_of(max), static_cast<std::uint16_t>(lane_value(min[3])),
                     static_cast<std::uint16_t>(links), static_cast<std::uint16_t>(links >> 16)});
  }
  return nodes;
}

// Nothing if the nodes do not form a tree: `check` reports the compound then.
std::vector<CompoundNode> read_static_tree(const FieldsView& fields) {
  geometry::StaticTree tree;
  const std::vector<float> min = fields.record("domain").floats("min"), max = fields.record("domain").floats("max");
  tree.domain = {three_of(min), three_of(max)};
  const ArrayView view = fields.array("nodes");
  const std::span<const std::uint8_t> bytes = view.numbers<std::uint8_t>();
  for (std::size_t i = 0; i + kStaticNodeBytes <= bytes.size(); i += kStaticNodeBytes) {
    const std::span<const std::uint8_t> b = bytes.subspan(i, kStaticNodeBytes);
    tree.nodes.push_back({{b[0], b[1], b[2]}, static_cast<std::uint32_t>(b[3] << 16 | b[5] << 8 | b[4])});
  }
  std::vector<CompoundNode> nodes;
  if (const auto decoded = geometry::decode_static_tree(tree))
    for (const auto& node : *decoded) nodes.push_back({node.box.min, node.box.max, node.parent, node.left, node.right});
  return nodes;
}

std::vector<std::uint32_t> write_dynamic_tree(const CompoundShape& compound, Fields tree) {
  const auto instance_count = static_cast<std::uint32_t>(compound.instances.size());
  std::vector<std::uint32_t> leaf_of(instance_count);
  tree.reset_array("nodes", static_cast<std::uint32_t>(compound.nodes.size()));
  for (std::uint32_t i = 1; i + 1 < compound.nodes.size(); ++i) {  // the first is unused, the last free: zero
    const CompoundNode& node = compound.nodes[i];
    if (node.left == 0 && node.right < instance_count) leaf_of[node.right] = i;
    const auto links = std::bit_cast<float>(static_cast<std::uint32_t>(node.left | node.right << 16));
    Fields box = tree.element("nodes", i).record("aabb");
    box.set_floats("min", std::array{node.min.x, node.min.y, node.min.z, lane_of(node.parent)});
    box.set_floats("max", std::array{node.max.x, node.max.y, node.max.z, links});
  }
  tree.set_integer("firstFree", 2 * instance_count);
  tree.set_integer("numLeaves", instance_count);
  tree.set_integer("path", 0);
  tree.set_integer("root", 1);
  return leaf_of;
}

std::vector<std::uint32_t> write_static_tree(const CompoundShape& compound, Fields fields) {
  geometry::CompoundTree tree;
  tree.leaf_of_child.resize(compound.instances.size());
  for (const CompoundNode& node : compound.nodes)
    tree.nodes.push_back({{node.min, node.max}, node.parent, node.left, node.right});
  const geometry::StaticTree coded = geometry::code_static_tree(tree);
  std::vector<std::uint8_t> bytes;
  for (const geometry::StaticTree::Node& node : coded.nodes)
    bytes.insert(bytes.end(), {node.box[0], node.box[1], node.box[2], static_cast<std::uint8_t>(node.data >> 16),
                               static_cast<std::uint8_t>(node.data), static_cast<std::uint8_t>(node.data >> 8)});
  fields.set_numbers<std::uint8_t>("nodes", bytes);
  const auto& [min, max] = coded.domain;
  fields.record("domain").set_floats("min", std::array{min.x, min.y, min.z, 0.0f});
  fields.record("domain").set_floats("max", std::array{max.x, max.y, max.z, 0.0f});
  return coded.leaf_of_child;
}

}  // namespace

std::vector<CompoundNode> read_compound_tree(const Packfile& file, ObjectId data) {
  if (const Object* object = object_as(file, data, kDynamicData))
    return read_dynamic_tree(object->fields().record("aabbTree"));
  if (const Object* object = object_as(file, data, kStaticData))
    return read_static_tree(object->fields().record("aabbTree"));
  return {};
}

std::vector<std::uint32_t> write_compound_tree(const CompoundShape& compound, Packfile& file, ObjectId& data) {
  const std::string_view class_name = compound.is_static ? kStaticData : kDynamicData;
  if (!object_as(file, data, class_name)) data = file.add(class_name);
  Fields tree = file.at(data).fields().record("aabbTree");
  return compound.is_static ? write_static_tree(compound, tree) : write_dynamic_tree(compound, tree);
}

}  // namespace marrow::havok
