// SPDX-License-Identifier: MIT
#include "marrow/nif/skin.h"

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/nif/node.h"

namespace marrow {
namespace {

// Every node starts with the index of its name.
std::string_view name_of(const NifFile& file, std::int32_t block) {
  if (!file.has_block(block) || !is_node_type(file.type_of(block))) return {};
  return file.string_at(ByteReader(file.blocks[static_cast<std::size_t>(block)].bytes).i32());
}

}  // namespace

Result<std::vector<SkinBones>> read_skins(const NifFile& file) {
  std::vector<SkinBones> skins;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (file.type_of(block) != "BSSkin::Instance") continue;
    ByteReader reader(file.blocks[i].bytes);
    reader.skip(4 + 4);  // skeleton root, bone data
    const std::uint32_t count = reader.u32();
    if (!reader.ok() || count > reader.remaining() / 4)
      return fail(ErrorCode::Malformed, "the skin has more bones than its block can hold", kNoOffset,
                  "blocks[" + std::to_string(i) + "]");
    SkinBones skin{block, {}};
    for (std::uint32_t bone = 0; bone < count; ++bone) skin.names.emplace_back(name_of(file, reader.i32()));
    skins.push_back(std::move(skin));
  }
  return skins;
}

}  // namespace marrow
