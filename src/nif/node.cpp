// SPDX-License-Identifier: MIT
#include "nif/node.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <unordered_map>

#include "core/try.h"
#include "marrow/core/text.h"
#include "nif/record.h"

namespace marrow {
namespace {

Result<NifNode> read_node(const NifFile& file, std::int32_t block) {
  MARROW_TRY(const nif::Record record, nif::read_block(file, block));
  NifNode node;
  node.block = block;
  node.name = file.string_at(record.reference("name"));
  node.extra_data = record.values<std::int32_t>("extra_data");
  node.local = node.world = transform_of(record);
  node.collision_object = record.reference("collision_object");
  node.children = record.values<std::int32_t>("children");
  return node;
}

void place(std::vector<NifNode>& nodes) {
  std::unordered_map<std::int32_t, std::size_t> index;
  for (std::size_t i = 0; i < nodes.size(); ++i) index[nodes[i].block] = i;
  for (const NifNode& node : nodes)
    for (const std::int32_t child : node.children)
      if (const auto found = index.find(child);
          found != index.end() && nodes[found->second].parent == kNoBlock && child != node.block)
        nodes[found->second].parent = node.block;
  std::vector<bool> done(nodes.size());
  std::vector<std::size_t> chain;
  for (std::size_t start = 0; start < nodes.size(); ++start) {
    // Walks up to the first ancestor with a known place, then down again; a cycle is cut where it closes.
    chain.clear();
    for (std::size_t at = start; !done[at];) {
      done[at] = true;
      chain.push_back(at);
      if (nodes[at].parent == kNoBlock) break;
      at = index[nodes[at].parent];
    }
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      NifNode& node = nodes[*it];
      if (node.parent != kNoBlock) node.world = nodes[index[node.parent]].world * node.local;
    }
  }
}

Result<nif::Record> read_node_record(const NifFile& file, std::int32_t node) {
  if (!is_node(file, node)) return fail(ErrorCode::InvalidArgument, "block " + std::to_string(node) + " is no node");
  return nif::read_block(file, node);
}

}  // namespace

Transform transform_of(const nif::Record& object) {
  Transform transform;
  const auto translation = object.reals<3>("translation");
  transform.translation = {translation[0], translation[1], translation[2]};
  const auto stored = object.reals<9>("rotation");
  glm::mat3 rotation;  // stored by rows, GLM indexes [column][row]
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      rotation[column][row] = stored[static_cast<std::size_t>(3 * row + column)];
  transform.rotation = glm::normalize(glm::quat_cast(rotation));
  transform.scale = Vec3(object.get<float>("scale"));
  return transform;
}

bool is_node_type(std::string_view type) {
  const nif::RecordType* found = nif::Schema::of(nif::kFallout4).find(type);
  return found && found->is_a("NiNode");
}

bool is_node(const NifFile& file, std::int32_t block) {
  const nif::RecordType* type = nif::type_of(file, block);
  return type && type->is_a("NiNode");
}

Result<std::vector<NifNode>> read_nodes(const NifFile& file) {
  constexpr std::size_t kMostNames = std::size_t{32} << 20;  // any number of nodes may have one long name
  std::vector<NifNode> nodes;
  std::size_t names = 0;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (!is_node(file, block)) continue;
    MARROW_TRY(NifNode node, read_node(file, block));
    if ((names += node.name.size()) > kMostNames)
      return fail(ErrorCode::LimitExceeded, "the names of its nodes take more than 32 MB", kNoOffset,
                  "blocks[" + std::to_string(i) + "]");
    nodes.push_back(std::move(node));
  }
  place(nodes);
  return nodes;
}

Result<std::int32_t> find_node(const NifFile& file, std::string_view name) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  for (const NifNode& node : nodes)
    if (node.name == name) return node.block;
  std::int32_t found = kNoBlock;
  std::size_t matches = 0;
  for (const NifNode& node : nodes)
    if (equal_ignoring_case(node.name, name)) found = node.block, ++matches;
  if (matches == 1) return found;
  std::string known;
  for (std::size_t i = 0; i < nodes.size() && i < 12; ++i) known += (i ? ", '" : "'") + nodes[i].name + "'";
  if (nodes.size() > 12) known += " and " + std::to_string(nodes.size() - 12) + " more";
  return fail(ErrorCode::NotFound,
              "no node '" + std::string(name) + "'; the file has " + (known.empty() ? "none" : known));
}

Result<void> set_collision_object(NifFile& file, std::int32_t node, std::int32_t collision_object) {
  MARROW_TRY(nif::Record record, read_node_record(file, node));
  record.set("collision_object", collision_object);
  return nif::write_block(file, node, record);
}

Result<void> add_extra_data(NifFile& file, std::int32_t node, std::int32_t extra_data) {
  MARROW_TRY(nif::Record record, read_node_record(file, node));
  auto all = record.values<std::int32_t>("extra_data");
  all.push_back(extra_data);
  record.set_values("extra_data", all);
  return nif::write_block(file, node, record);
}

}  // namespace marrow
