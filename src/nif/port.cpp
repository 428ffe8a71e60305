// SPDX-License-Identifier: MIT
#include "nif/port_parts.h"

#include <algorithm>

#include "core/byte_writer.h"
#include "core/try.h"
#include "nif/references.h"
#include "nif/shape.h"

namespace marrow {
namespace nif {

void copy_common(const Record& from, Record& to) {
  for (const Field& field : to.type().fields) {
    const Field* other = from.type().find(field.name);
    if (!other || other->kind != field.kind || other->width != field.width || other->count != field.count) continue;
    if (field.is_list()) continue;  // of other records
    if (field.count != Count::One) {
      const std::span<const std::byte> bytes = from.bytes(field.name);
      to.bytes(field.name).assign(bytes.begin(), bytes.end());
      continue;
    }
    const std::size_t each = field.element_bytes / field.width;
    for (std::size_t i = 0; i < field.width; ++i) {
      if (each == 1) to.set(field.name, from.get<std::uint8_t>(field.name, i), i);
      if (each == 2) to.set(field.name, from.get<std::uint16_t>(field.name, i), i);
      if (each == 4) to.set(field.name, from.get<std::uint32_t>(field.name, i), i);
      if (each == 8) to.set(field.name, from.get<std::uint64_t>(field.name, i), i);
    }
  }
}

Result<void> replace_block(NifFile& file, std::int32_t block, const Record& record) {
  MARROW_TRY(const std::int32_t added, append_block(file, record));
  file.blocks[static_cast<std::size_t>(block)] = std::move(file.blocks[static_cast<std::size_t>(added)]);
  file.blocks.pop_back();
  return {};
}

}  // namespace nif

namespace {

// An empty block that nothing refers to keeps a place that cannot be given up.
void empty_block(NifFile& file, std::int32_t block, Notes& notes) {
  ByteWriter writer;
  writer.i32(kNoBlock);
  writer.u32(0);
  add_block(file, "NiIntegerExtraData", writer.take());
  file.blocks[static_cast<std::size_t>(block)] = std::move(file.blocks.back());
  file.blocks.pop_back();
  notes.push_back({"block " + std::to_string(block) +
                       " is empty and unused now; it stays, since the file has blocks that cannot be renumbered",
                   kNoOffset,
                   {}});
}

// Puts new blocks behind those they belong to and takes out what is gone, if all references are known.
void arrange(nif::Port& port) {
  std::vector<std::int32_t> order;
  const auto count = static_cast<std::int32_t>(port.from.blocks.size());
  for (std::int32_t block = 0; block < count; ++block) {
    if (std::ranges::find(port.removed, block) == port.removed.end()) order.push_back(block);
    for (const auto& [added, behind] : port.placed)
      if (behind == block) order.push_back(added);
  }
  if (reorder_blocks(port.to, order)) return;
  for (const std::int32_t block : port.removed) empty_block(port.to, block, port.notes);
}

// Lists types in the order in which blocks first have them, as the games' files do.
void list_types(NifFile& file) {
  std::vector<std::string> types;
  for (NifBlock& block : file.blocks) {
    const std::string& name = file.types[block.type & kTypeIndexMask];
    auto found = std::ranges::find(types, name);
    if (found == types.end()) found = types.insert(found, name);
    block.type = static_cast<std::uint16_t>((block.type & ~kTypeIndexMask) | (found - types.begin()));
  }
  file.types = std::move(types);
}

}  // namespace

Result<void> port_nif(NifFile& file, std::uint32_t stream, const PortOptions& options, Notes& notes,
                      std::vector<PortChange>* changes) {
  if (file.stream == stream && !options.head_parts) return {};
  if (file.stream == nif::kFallout4 || stream == nif::kFallout4)
    return fail(ErrorCode::WrongGame,
                "shapes of Fallout 4 and Skyrim cannot be converted into each other; export them to glTF and put them "
                "into a file of the other game");
  if (file.stream == stream) return {};
  MARROW_TRY(const std::vector<BodyShape> shapes, read_shapes(file, {.limits = options.limits}));
  NifFile to = file;
  to.stream = stream;
  std::vector<PortChange> changed;
  nif::Port port{file, to, options, notes, changed};
  MARROW_CHECK(stream == nif::kSkyrimSe ? nif::to_skyrim_se(port, shapes) : nif::to_skyrim_le(port, shapes));
  arrange(port);
  list_types(to);
  if (changes) changes->insert(changes->end(), changed.begin(), changed.end());
  file = std::move(to);
  return {};
}

}  // namespace marrow
