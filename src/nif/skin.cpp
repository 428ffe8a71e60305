// SPDX-License-Identifier: MIT
#include "nif/skin.h"

#include "core/try.h"
#include "nif/node.h"
#include "nif/record.h"

namespace marrow {

std::string_view node_name(const NifFile& file, std::int32_t block) {
  const nif::RecordType* type = nif::type_of(file, block);
  if (!type || !type->is_a("NiNode")) return {};
  // The name is the first field of every node.
  const std::vector<std::byte>& bytes = file.blocks[static_cast<std::size_t>(block)].bytes;
  return bytes.size() < 4 ? std::string_view() : file.string_at(load<std::int32_t>(bytes, 0));
}

Result<std::vector<SkinBones>> read_skins(const NifFile& file) {
  std::vector<SkinBones> skins;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    const nif::RecordType* type = nif::type_of(file, block);
    if (!type || !(type->is_a("BSSkin::Instance") || type->is_a("NiSkinInstance"))) continue;
    MARROW_TRY(const nif::Record skin, nif::read_block(file, block));
    SkinBones bones{block, {}};
    for (const auto bone : skin.values<std::int32_t>("bones")) bones.names.emplace_back(node_name(file, bone));
    skins.push_back(std::move(bones));
  }
  return skins;
}

}  // namespace marrow
