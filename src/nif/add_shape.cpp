// SPDX-License-Identifier: MIT
#include "nif/add_shape.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include "core/try.h"
#include "marrow/core/text.h"
#include "nif/node.h"
#include "nif/record.h"
#include "nif/references.h"
#include "nif/shape.h"
#include "nif/skin.h"

namespace marrow {
namespace {

using nif::Record;

constexpr std::uint32_t kNodeFlags = 14;  // as the games' exporters set them on bones

// The node that a block hangs on.
Result<std::int32_t> parent_of(const NifFile& file, std::int32_t block) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  for (const NifNode& node : nodes)
    if (std::ranges::find(node.children, block) != node.children.end()) return node.block;
  return kNoBlock;
}

Result<void> add_child(NifFile& file, std::int32_t parent, std::int32_t child) {
  MARROW_TRY(Record record, nif::read_block(file, parent));
  std::vector<std::int32_t> children = record.values<std::int32_t>("children");
  children.push_back(child);
  record.set_values("children", children);
  return nif::write_block(file, parent, record);
}

std::array<float, 9> rows_of(const Quat& rotation) {
  const glm::mat3 columns = glm::mat3_cast(rotation);
  std::array<float, 9> rows{};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) rows[static_cast<std::size_t>(3 * row + column)] = columns[column][row];
  return rows;
}

// A bone below the root. The root may have a place of its own.
Result<std::int32_t> add_node(NifFile& file, std::string_view name, const Transform& place) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  if (nodes.empty()) return fail(ErrorCode::InvalidArgument, "the file has no root node");
  const std::int32_t root =
      !file.roots.empty() && is_node(file, file.roots.front()) ? file.roots.front() : nodes.front().block;
  Transform local = place;
  for (const NifNode& node : nodes)
    if (node.block == root) {
      const Transform& above = node.world;
      local.rotation = glm::normalize(glm::conjugate(above.rotation) * place.rotation);
      local.translation = (glm::conjugate(above.rotation) * (place.translation - above.translation)) / above.scale;
    }
  Record record = nif::new_record(file, "NiNode");
  record.set("name", add_string(file, name));
  record.set("flags", kNodeFlags);
  record.set_reals<3>("translation", {local.translation.x, local.translation.y, local.translation.z});
  record.set_reals<9>("rotation", rows_of(local.rotation));
  record.set("scale", 1.0f);
  MARROW_TRY(const std::int32_t block, nif::append_block(file, record));
  MARROW_CHECK(add_child(file, root, block));
  return block;
}

std::int32_t node_named(const NifFile& file, std::string_view name) {
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    if (const auto block = static_cast<std::int32_t>(i); equal_ignoring_case(node_name(file, block), name))
      return block;
  return kNoBlock;
}

// Fallout 4 stores bind transforms as plain records of one size.
Result<void> add_bind(NifFile& file, std::int32_t data, const BindTransform& bind) {
  MARROW_TRY(Record record, nif::read_block(file, data));
  if (record.has("bone_count")) {
    Record own(*record.type().find("bones")->record);
    own.set_reals<9>("rotation", bind.rotation);
    own.set_reals<3>("translation", {bind.translation.x, bind.translation.y, bind.translation.z});
    own.set("scale", bind.scale);
    record.records("bones").push_back(std::move(own));
    record.set_integer("bone_count", record.records("bones").size());
    return nif::write_block(file, data, record);
  }
  const nif::RecordType& type = *record.type().find("bones")->record;
  std::vector<std::byte>& bytes = record.bytes("bones");
  const std::size_t start = bytes.size();
  bytes.resize(start + type.packed_bytes, std::byte{0});
  std::memcpy(bytes.data() + start + type.offset_of("rotation"), bind.rotation.data(), 36);
  std::memcpy(bytes.data() + start + type.offset_of("translation"), &bind.translation, 12);
  std::memcpy(bytes.data() + start + type.offset_of("scale"), &bind.scale, 4);
  return nif::write_block(file, data, record);
}

}  // namespace

Result<std::int32_t> copy_shape(NifFile& file, std::int32_t shape) {
  if (!is_shape(file, shape))
    return fail(ErrorCode::InvalidArgument, "block " + std::to_string(shape) + " is not a shape");
  // What the shape leads to, each block once; a tree of nodes is not part of it.
  std::vector<std::int32_t> own = {shape};
  std::unordered_map<std::int32_t, std::int32_t> copy_of = {{shape, kNoBlock}};
  for (std::size_t i = 0; i < own.size(); ++i)
    for (const std::size_t at : find_references(file, own[i]).value_or(std::vector<std::size_t>{})) {
      const auto target = load<std::int32_t>(file.blocks[static_cast<std::size_t>(own[i])].bytes, at);
      const bool is_own = file.has_block(target) && !is_node(file, target) && !is_shape(file, target) &&
                          find_references(file, target).has_value();
      if (is_own && copy_of.try_emplace(target, kNoBlock).second) own.push_back(target);
    }
  for (const std::int32_t block : own) {
    const NifBlock copy = file.blocks[static_cast<std::size_t>(block)];
    copy_of[block] = static_cast<std::int32_t>(file.blocks.size());
    file.blocks.push_back(copy);
  }
  for (const std::int32_t block : own) {
    std::vector<std::byte>& bytes = file.blocks[static_cast<std::size_t>(copy_of[block])].bytes;
    for (const std::size_t at : find_references(file, block).value_or(std::vector<std::size_t>{}))
      if (const auto copied = copy_of.find(load<std::int32_t>(bytes, at)); copied != copy_of.end())
        std::memcpy(bytes.data() + at, &copied->second, sizeof copied->second);
  }
  MARROW_TRY(const std::int32_t parent, parent_of(file, shape));
  if (parent != kNoBlock)
    MARROW_CHECK(add_child(file, parent, copy_of[shape]));
  else
    file.roots.push_back(copy_of[shape]);
  return copy_of[shape];
}

Result<void> set_object_name(NifFile& file, std::int32_t block, std::string_view name) {
  MARROW_TRY(Record record, nif::read_block(file, block));
  record.set("name", add_string(file, name));
  return nif::write_block(file, block, record);
}

Result<void> detach_shape(NifFile& file, std::int32_t shape) {
  std::erase(file.roots, shape);
  MARROW_TRY(const std::int32_t parent, parent_of(file, shape));
  if (parent == kNoBlock) return {};
  MARROW_TRY(Record record, nif::read_block(file, parent));
  std::vector<std::int32_t> children = record.values<std::int32_t>("children");
  std::erase(children, shape);
  record.set_values("children", children);
  return nif::write_block(file, parent, record);
}

Result<void> add_skin_bone(NifFile& file, std::int32_t shape, const NewSkinBone& bone) {
  MARROW_TRY(const Record record, nif::read_block(file, shape));
  const std::int32_t skin = record.reference("skin");
  const nif::RecordType* type = nif::type_of(file, skin);
  if (!type || !(type->is_a("NiSkinInstance") || type->is_a("BSSkin::Instance")))
    return fail(ErrorCode::InvalidArgument, "the shape has no skin that a bone could be added to");
  std::int32_t node = node_named(file, bone.name);
  if (node == kNoBlock) {
    MARROW_TRY(node, add_node(file, bone.name, bone.place));
  }
  MARROW_TRY(Record instance, nif::read_block(file, skin));
  std::vector<std::int32_t> bones = instance.values<std::int32_t>("bones");
  bones.push_back(node);
  instance.set_values("bones", bones);
  if (instance.has("scales") && instance.size("scales") > 0) {
    std::vector<Vec3> scales = instance.values<Vec3>("scales");
    scales.emplace_back(1.0f);
    instance.set_values("scales", scales);
  }
  const std::int32_t data = instance.reference("data");
  MARROW_CHECK(nif::write_block(file, skin, instance));
  if (!nif::type_of(file, data)) return fail(ErrorCode::Malformed, "the skin has no bind transforms");
  return add_bind(file, data, bone.bind);
}

}  // namespace marrow
