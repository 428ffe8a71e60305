// SPDX-License-Identifier: MIT
// Blocks of a file as records.
#include "core/try.h"
#include "nif/record.h"

namespace marrow::nif {
namespace {

std::string path_of(std::int32_t block) { return "blocks[" + std::to_string(block) + "]"; }

// Errors inside a block name it. An offset in the block would be taken for one in the file.
std::unexpected<Error> in_block(Error error, const NifFile& file, std::int32_t block, std::string_view what) {
  error.message = "the " + std::string(file.type_of(block)) + std::string(what) + error.message;
  error.path = path_of(block) + (error.path.empty() ? "" : "." + error.path);
  error.offset = kNoOffset;
  return std::unexpected(std::move(error));
}

}  // namespace

const RecordType* type_of(const NifFile& file, std::int32_t block) {
  return file.has_block(block) ? Schema::of(file.stream).find(file.type_of(block)) : nullptr;
}

Result<Record> read_block(const NifFile& file, std::int32_t block, const Limits& limits) {
  if (!file.has_block(block)) return fail(ErrorCode::NotFound, "there is no block " + std::to_string(block));
  const RecordType* type = type_of(file, block);
  if (!type)
    return fail(ErrorCode::Unsupported, "blocks of type " + std::string(file.type_of(block)) + " are not described",
                kNoOffset, path_of(block));
  const std::vector<std::byte>& bytes = file.blocks[static_cast<std::size_t>(block)].bytes;
  // A block that many others share is read for each of them.
  if (!limits.charge(bytes.size()))
    return fail(ErrorCode::LimitExceeded, "the blocks of the file share this one too often", kNoOffset, path_of(block));
  auto record = read_record(*type, bytes, limits);
  if (!record) return in_block(std::move(record.error()), file, block, " is truncated: ");
  return record;
}

Result<std::optional<Record>> read_block_of(const NifFile& file, std::int32_t block, std::string_view type,
                                            const Limits& limits) {
  const RecordType* found = type_of(file, block);
  if (!found || !found->is_a(type)) return std::nullopt;
  MARROW_TRY(Record record, read_block(file, block, limits));
  return record;
}

Result<void> write_block(NifFile& file, std::int32_t block, const Record& record) {
  auto bytes = write_record(record);
  if (!bytes) return in_block(std::move(bytes.error()), file, block, " cannot be written: ");
  file.blocks[static_cast<std::size_t>(block)].bytes = std::move(*bytes);
  return {};
}

Result<std::int32_t> append_block(NifFile& file, const Record& record) {
  MARROW_TRY(std::vector<std::byte> bytes, write_record(record));
  return add_block(file, record.type().name, std::move(bytes));
}

Record new_record(const NifFile& file, std::string_view type) {
  const RecordType* found = Schema::of(file.stream).find(type);
  assert(found);
  Record record(*found);
  for (const Field& field : found->fields)
    if (field.count == Count::One && (field.kind == Kind::Ref || field.kind == Kind::String))
      record.set(field.name, kNoBlock);
  return record;
}

Result<void> rewrite_blocks(NifFile& file, const Limits& limits) {
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (!type_of(file, block)) continue;
    MARROW_TRY(const Record record, read_block(file, block, limits));
    MARROW_CHECK(write_block(file, block, record));
  }
  return {};
}

}  // namespace marrow::nif
