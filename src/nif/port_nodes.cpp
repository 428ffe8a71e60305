// SPDX-License-Identifier: MIT
// Nodes of a file for another game.
#include <algorithm>

#include "core/try.h"
#include "nif/node.h"
#include "nif/port.h"
#include "nif/port_parts.h"
#include "nif/record.h"

namespace marrow {
namespace {

/// Extra data without references, which both games store alike.
constexpr std::array<std::string_view, 3> kSameExtraData = {"BSXFlags", "NiStringExtraData", "NiIntegerExtraData"};
constexpr std::array<std::string_view, 3> kSameNodes = {"NiNode", "BSFadeNode", "BSLeafAnimNode"};

bool has(const auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

// Extra data of shapes goes with them.
Result<std::vector<bool>> extra_data_of_nodes(const NifFile& from) {
  std::vector<bool> found(from.blocks.size());
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(from));
  for (const NifNode& node : nodes)
    for (const std::int32_t block : node.extra_data)
      if (from.has_block(block)) found[static_cast<std::size_t>(block)] = true;
  return found;
}

// Bodies, shapes and joints are ported as values; controllers and actions have no counterpart.
bool is_ported_collision(const NifFile& from, std::int32_t block) {
  const std::string_view type = from.type_of(block);
  if (type.starts_with("hkPacked")) return true;
  if (!type.starts_with("bhk") || type.ends_with("Action")) return false;
  const nif::RecordType* row = nif::type_of(from, block);
  return !(row && row->is_a("bhk_controller"));
}

}  // namespace

Result<PortedNodes> port_nodes(const NifFile& from, std::uint32_t stream, std::map<std::string, std::size_t>& left_out,
                               std::vector<PortChange>* changes) {
  NifFile to;
  to.stream = stream;
  to.export_info = from.export_info;
  for (std::string& text : to.export_info)
    if (text.empty()) text = std::string(1, '\0');
  std::vector<std::int32_t> number(from.blocks.size(), kNoBlock);
  std::vector<std::int32_t> kept;
  MARROW_TRY(const std::vector<bool> is_on_node, extra_data_of_nodes(from));
  for (std::size_t i = 0; i < from.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    const std::string_view type = from.type_of(block);
    if (is_node(from, block) || (is_on_node[i] && has(kSameExtraData, type))) {
      number[i] = static_cast<std::int32_t>(kept.size());
      kept.push_back(block);
    } else if (!is_ported_collision(from, block)) {
      ++left_out[std::string(type)];
    }
  }
  const auto renumbered = [&](const std::vector<std::int32_t>& blocks) {
    std::vector<std::int32_t> out;
    for (const std::int32_t block : blocks)
      if (from.has_block(block) && number[static_cast<std::size_t>(block)] != kNoBlock)
        out.push_back(number[static_cast<std::size_t>(block)]);
    return out;
  };
  for (const std::int32_t block : kept) {
    const std::string_view type = from.type_of(block);
    MARROW_TRY(const nif::Record record, nif::read_block(from, block));
    const bool is_extra = has(kSameExtraData, type);
    const bool is_same = is_extra || has(kSameNodes, type);
    nif::Record out = nif::new_record(to, is_same ? type : "NiNode");
    if (changes && !is_same)
      changes->push_back({"node '" + std::string(from.string_at(record.reference("name"))) + "'", "type",
                          std::string(type), "NiNode"});
    nif::copy_common(record, out);
    for (const nif::Field& field : out.type().fields) {
      if (field.kind == nif::Kind::String && field.count == nif::Count::One)
        if (const std::int32_t name = record.has(field.name) ? record.reference(field.name) : kNoBlock;
            name != kNoBlock)
          out.set(field.name, add_string(to, from.string_at(name)));
      if (field.kind != nif::Kind::Ref) continue;
      if (field.count == nif::Count::One)
        out.set(field.name, kNoBlock);
      else
        out.set_values(field.name, record.has(field.name) ? renumbered(record.values<std::int32_t>(field.name))
                                                          : std::vector<std::int32_t>{});
    }
    MARROW_CHECK(nif::append_block(to, out));
  }
  to.roots = renumbered(from.roots);
  return PortedNodes{std::move(to), std::move(number)};
}

}  // namespace marrow
