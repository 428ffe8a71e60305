// SPDX-License-Identifier: MIT
// Nodes of a file for another game.
#include <algorithm>

#include "core/try.h"
#include "nif/node.h"
#include "nif/port.h"
#include "nif/record.h"
#include "nif/port_parts.h"

namespace marrow {
namespace {

/// Extra data without references, which both games store alike.
constexpr std::array<std::string_view, 3> kSameExtraData = {"BSXFlags", "NiStringExtraData", "NiIntegerExtraData"};
constexpr std::array<std::string_view, 3> kSameNodes = {"NiNode", "BSFadeNode", "BSLeafAnimNode"};

bool has(const auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

}  // namespace

Result<NifFile> port_nodes(const NifFile& from, std::uint32_t stream, std::map<std::string, std::size_t>& left_out,
                           std::vector<PortChange>* changes) {
  NifFile to;
  to.stream = stream;
  to.export_info = from.export_info;
  for (std::string& text : to.export_info)
    if (text.empty()) text = std::string(1, '\0');
  std::vector<std::int32_t> number(from.blocks.size(), kNoBlock);
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < from.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    const std::string_view type = from.type_of(block);
    if (is_node(from, block) || has(kSameExtraData, type)) {
      number[i] = static_cast<std::int32_t>(kept.size());
      kept.push_back(block);
    } else if (!type.starts_with("bhk") && !type.starts_with("hkPacked")) {
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
      changes->push_back({"node '" + std::string(from.string_at(record.reference("name"))) + "'", "type", std::string(type), "NiNode"});
    nif::copy_common(record, out);
    for (const nif::Field& field : out.type().fields) {
      if (field.kind == nif::Kind::String && field.count == nif::Count::One)
        if (const std::int32_t name = record.has(field.name) ? record.reference(field.name) : kNoBlock; name != kNoBlock)
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
  return to;
}

}  // namespace marrow
