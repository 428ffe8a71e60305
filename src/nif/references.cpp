// SPDX-License-Identifier: MIT
#include "nif/references.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "marrow/core/byte_reader.h"
#include "nif/record.h"

namespace marrow {
namespace {

void drop_unused_types(NifFile& file) {
  std::vector<std::uint16_t> new_index(file.types.size());
  std::vector<bool> is_used(file.types.size());
  for (const NifBlock& block : file.blocks) is_used[block.type & kTypeIndexMask] = true;
  std::vector<std::string> types;
  for (std::size_t i = 0; i < file.types.size(); ++i) {
    new_index[i] = static_cast<std::uint16_t>(types.size());
    if (is_used[i]) types.push_back(std::move(file.types[i]));
  }
  for (NifBlock& block : file.blocks)
    block.type = static_cast<std::uint16_t>((block.type & ~kTypeIndexMask) | new_index[block.type & kTypeIndexMask]);
  file.types = std::move(types);
}

}  // namespace

std::optional<std::vector<std::size_t>> find_references(const NifFile& file, std::int32_t block) {
  const nif::RecordType* type = nif::type_of(file, block);
  if (!type) return std::nullopt;
  const std::vector<std::byte>& bytes = file.blocks[static_cast<std::size_t>(block)].bytes;
  std::vector<std::size_t> found;
  const auto record = nif::read_record(*type, bytes, {}, &found);
  // What follows the fields of a type may hold references, unless the table says otherwise.
  if (!record || (!record->rest.empty() && !type->is_open)) return std::nullopt;
  for (const std::size_t at : found)
    if (const auto target = load<std::int32_t>(bytes, at); target != kNoBlock && !file.has_block(target))
      return std::nullopt;
  return found;
}

Result<void> reorder_blocks(NifFile& file, std::span<const std::int32_t> order) {
  std::vector<std::int32_t> numbers(file.blocks.size(), kNoBlock);
  for (std::size_t i = 0; i < order.size(); ++i)
    numbers[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  NifFile edited = file;
  std::vector<NifBlock> kept;
  for (const std::int32_t block : order) {
    const auto references = find_references(file, block);
    if (!references)
      return fail(
          ErrorCode::Unsupported,
          "blocks cannot be renumbered: the references of " + std::string(file.type_of(block)) + " are not known",
          kNoOffset, "blocks[" + std::to_string(block) + "]");
    kept.push_back(std::move(edited.blocks[static_cast<std::size_t>(block)]));
    std::vector<std::byte>& bytes = kept.back().bytes;
    for (const std::size_t at : *references) {
      const auto target = load<std::int32_t>(bytes, at);
      const std::int32_t moved = target == kNoBlock ? kNoBlock : numbers[static_cast<std::size_t>(target)];
      std::memcpy(bytes.data() + at, &moved, sizeof moved);
    }
  }
  edited.blocks = std::move(kept);
  for (std::int32_t& root : edited.roots)
    if (file.has_block(root)) root = numbers[static_cast<std::size_t>(root)];
  drop_unused_types(edited);
  file = std::move(edited);
  return {};
}

Result<void> remove_blocks(NifFile& file, std::span<const std::int32_t> blocks) {
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    if (const auto block = static_cast<std::int32_t>(i); std::ranges::find(blocks, block) == blocks.end())
      order.push_back(block);
  return reorder_blocks(file, order);
}

std::vector<std::int32_t> orphaned_blocks(const NifFile& file) {
  std::vector<bool> seen(file.blocks.size());
  std::vector<std::int32_t> open;
  const auto visit = [&](std::int32_t block) {
    if (!file.has_block(block) || seen[static_cast<std::size_t>(block)]) return;
    seen[static_cast<std::size_t>(block)] = true;
    open.push_back(block);
  };
  for (const std::int32_t root : file.roots) visit(root);
  while (!open.empty()) {
    const std::int32_t block = open.back();
    open.pop_back();
    const auto references = find_references(file, block);
    if (!references) return {};
    for (const std::size_t at : *references)
      visit(load<std::int32_t>(file.blocks[static_cast<std::size_t>(block)].bytes, at));
  }
  std::vector<std::int32_t> orphans;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!seen[i]) orphans.push_back(static_cast<std::int32_t>(i));
  return orphans;
}

}  // namespace marrow
