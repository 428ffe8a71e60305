// SPDX-License-Identifier: MIT
#include "marrow/nif/node.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "nif/av_object.h"

namespace marrow {
namespace {

// Types that start with the fields of NiNode: name, extra data, controller, flags, transform, collision object,
// children.
constexpr std::array<std::string_view, 19> kNodeTypes = {"NiNode",
                                                         "BSFadeNode",
                                                         "BSLeafAnimNode",
                                                         "BSTreeNode",
                                                         "BSMultiBoundNode",
                                                         "BSOrderedNode",
                                                         "BSValueNode",
                                                         "BSBlastNode",
                                                         "BSDamageStage",
                                                         "BSDebrisNode",
                                                         "BSRangeNode",
                                                         "BSFaceGenNiNode",
                                                         "NiSwitchNode",
                                                         "NiLODNode",
                                                         "NiBillboardNode",
                                                         "NiSortAdjustNode",
                                                         "BSMasterParticleSystem",
                                                         "NiBSParticleNode",
                                                         "BSNiAlphaPropertyTestRefNode"};

Transform read_transform(ByteReader& reader) {
  Transform transform;
  for (int i = 0; i < 3; ++i) transform.translation[i] = reader.f32();
  glm::mat3 rotation;  // stored by rows, GLM indexes [column][row]
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) rotation[column][row] = reader.f32();
  transform.rotation = glm::normalize(glm::quat_cast(rotation));
  transform.scale = Vec3(reader.f32());
  return transform;
}

Result<NifNode> read_node(const NifFile& file, std::int32_t block, AvObject& object) {
  ByteReader reader(file.blocks[static_cast<std::size_t>(block)].bytes);
  object = read_av_object(file, reader);
  NifNode node;
  node.block = block;
  node.name = object.name;
  node.extra_data = object.extra_data;
  node.local = node.world = object.transform;
  node.collision_object = object.collision_object;
  node.children = read_references(reader);
  if (!reader.ok()) {
    Error error = reader.status().error();
    error.path = "blocks[" + std::to_string(block) + "]";
    error.message = "the " + std::string(file.type_of(block)) + " is truncated: " + error.message;
    error.offset = kNoOffset;  // an offset in the block would be mistaken for one in the file
    return std::unexpected(std::move(error));
  }
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

Result<AvObject> layout_of(const NifFile& file, std::int32_t node) {
  if (!file.has_block(node) || !is_node_type(file.type_of(node)))
    return fail(ErrorCode::InvalidArgument, "block " + std::to_string(node) + " is no node");
  AvObject layout;
  MARROW_CHECK(read_node(file, node, layout));
  return layout;
}

}  // namespace

std::vector<std::int32_t> read_references(ByteReader& reader) {
  const std::uint32_t count = reader.u32();
  if (count > reader.remaining() / 4) {
    reader.set_error(ErrorCode::Malformed, "a node lists more references than its block can hold");
    return {};
  }
  std::vector<std::int32_t> references(count);
  for (std::int32_t& reference : references) reference = reader.i32();
  return references;
}

AvObject read_av_object(const NifFile& file, ByteReader& reader) {
  AvObject object;
  object.name = file.string_at(reader.i32());
  object.extra_count_at = reader.position();
  object.extra_data = read_references(reader);
  object.extra_end_at = reader.position();
  reader.skip(4 + 4);  // controller, flags
  object.transform = read_transform(reader);
  object.collision_object_at = reader.position();
  object.collision_object = reader.i32();
  return object;
}

bool is_node_type(std::string_view type) { return std::ranges::find(kNodeTypes, type) != kNodeTypes.end(); }

Result<std::vector<NifNode>> read_nodes(const NifFile& file) {
  std::vector<NifNode> nodes;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (!is_node_type(file.type_of(block))) continue;
    AvObject layout;
    MARROW_TRY(NifNode node, read_node(file, block, layout));
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
  MARROW_TRY(const AvObject layout, layout_of(file, node));
  std::memcpy(file.blocks[static_cast<std::size_t>(node)].bytes.data() + layout.collision_object_at, &collision_object,
              4);
  return {};
}

Result<void> add_extra_data(NifFile& file, std::int32_t node, std::int32_t extra_data) {
  MARROW_TRY(const AvObject layout, layout_of(file, node));
  std::vector<std::byte>& bytes = file.blocks[static_cast<std::size_t>(node)].bytes;
  const std::uint32_t count = load<std::uint32_t>(bytes, layout.extra_count_at) + 1;
  std::memcpy(bytes.data() + layout.extra_count_at, &count, 4);
  std::array<std::byte, 4> reference;
  std::memcpy(reference.data(), &extra_data, 4);
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(layout.extra_end_at), reference.begin(), reference.end());
  return {};
}

}  // namespace marrow
