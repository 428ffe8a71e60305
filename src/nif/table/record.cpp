// SPDX-License-Identifier: MIT
#include "nif/record.h"

#include <algorithm>
#include <array>

#include "core/byte_writer.h"
#include "core/try.h"
#include "nif/table/expression.h"

namespace marrow::nif {

Record::Record(const RecordType& type)
    : type_(&type), numbers_(type.number_bytes), arrays_(type.array_count), lists_(type.list_count) {}

const Field& Record::single(std::string_view field) const {
  const Field* found = type_->find(field);
  assert(found && found->count == Count::One);
  return *found;
}
const Field& Record::array(std::string_view field) const {
  const Field* found = type_->find(field);
  assert(found && found->count != Count::One && !found->is_list());
  return *found;
}
const Field& Record::list(std::string_view field) const {
  const Field* found = type_->find(field);
  assert(found && found->is_list());
  return *found;
}

std::uint64_t Record::integer(const Field& field) const {
  std::uint64_t value = 0;
  std::memcpy(&value, numbers_.data() + field.slot, std::min<std::size_t>(8, field.element_bytes / field.width));
  return value;
}

void Record::set_integer(std::string_view field, std::uint64_t value) {
  const Field& found = single(field);
  std::memcpy(numbers_.data() + found.slot, &value, std::min<std::size_t>(8, found.element_bytes));
}

std::size_t Record::size(std::string_view field) const {
  const Field* found = type_->find(field);
  assert(found && found->count != Count::One);
  return found->is_list() ? lists_[found->slot].size() : arrays_[found->slot].size() / found->element_bytes;
}

/// Reads one block. Structures nest as deep as the table says, never deeper.
class RecordReader {
 public:
  RecordReader(std::span<const std::byte> bytes, const Limits& limits, std::vector<std::size_t>* references)
      : reader_(bytes), room_(limits.max_expanded_bytes), references_(references) {}

  Result<Record> run(const RecordType& type) {
    Record record(type);
    read(record, nullptr);
    MARROW_CHECK(reader_.status());
    const auto rest = reader_.bytes(reader_.remaining());
    record.rest.assign(rest.begin(), rest.end());
    return record;
  }

 private:
  void read(Record& record, const Record* up) {
    for (const Field& field : record.type().fields) {
      if (!reader_.ok()) return;
      if (!field.when.empty() && evaluate(field.when, record, up) == 0) continue;
      if (field.count == Count::One) {
        if (references_ && field.kind == Kind::Ref) references_->push_back(reader_.position());
        const auto bytes = reader_.bytes(field.element_bytes);
        if (!bytes.empty()) std::memcpy(record.numbers_.data() + field.slot, bytes.data(), bytes.size());
      } else if (const std::uint64_t count = count_of(field, record, up); reader_.ok()) {
        field.is_list() ? read_list(field, count, record) : read_array(field, count, record);
      }
    }
  }

  // A count is accepted only if the bytes that are left can hold as many elements.
  std::uint64_t count_of(const Field& field, const Record& record, const Record* up) {
    const std::uint64_t count = field.count == Count::Prefix16   ? reader_.u16()
                                : field.count == Count::Prefix32 ? reader_.u32()
                                                                 : evaluate(field.how_many, record, up);
    const std::size_t least = field.is_list() ? field.record->least_bytes : field.element_bytes;
    if (reader_.ok() && count > reader_.remaining() / least)
      reader_.set_error(ErrorCode::Truncated, std::to_string(count) + " " + field.name + " do not fit into the " +
                                                  std::to_string(reader_.remaining()) + " bytes that are left");
    return count;
  }

  void read_array(const Field& field, std::uint64_t count, Record& record) {
    note_references(field, count);
    const auto bytes = reader_.bytes(count * field.element_bytes);
    record.arrays_[field.slot].assign(bytes.begin(), bytes.end());
  }

  void note_references(const Field& field, std::uint64_t count) {
    if (!references_) return;
    const auto note = [&](std::uint64_t element, std::size_t offset) {
      references_->push_back(reader_.position() + element * field.element_bytes + offset);
    };
    for (std::uint64_t i = 0; field.kind == Kind::Ref && i < count; ++i) note(i, 0);
    if (field.kind != Kind::Struct) return;
    for (std::uint64_t i = 0; i < count; ++i)
      for (const Field& inner : field.record->fields)
        if (inner.kind == Kind::Ref) note(i, inner.slot);
  }

  void read_list(const Field& field, std::uint64_t count, Record& record) {
    const RecordType& type = *field.record;
    const std::size_t each = sizeof(Record) + type.number_bytes + type.array_count * sizeof(Record::arrays_[0]) +
                             type.list_count * sizeof(Record::lists_[0]);
    if (count > room_ / each)
      return reader_.set_error(ErrorCode::LimitExceeded,
                               std::to_string(count) + " " + field.name + " take more memory than the limit allows");
    room_ -= count * each;
    std::vector<Record>& list = record.lists_[field.slot];
    list.reserve(count);
    for (std::uint64_t i = 0; i < count && reader_.ok(); ++i) read(list.emplace_back(type), &record);
  }

  ByteReader reader_;
  std::size_t room_;
  std::vector<std::size_t>* references_;
};

class RecordWriter {
 public:
  Result<std::vector<std::byte>> run(const Record& record) {
    MARROW_CHECK(write(record, nullptr));
    writer_.bytes(record.rest);
    return writer_.take();
  }

 private:
  Result<void> write(const Record& record, const Record* up) {
    for (const Field& field : record.type().fields) {
      const bool is_there = field.when.empty() || evaluate(field.when, record, up) != 0;
      if (field.count == Count::One) {
        if (is_there) writer_.bytes(std::span(record.numbers_).subspan(field.slot, field.element_bytes));
        continue;
      }
      const std::size_t have =
          field.is_list() ? record.lists_[field.slot].size() : record.arrays_[field.slot].size() / field.element_bytes;
      const std::uint64_t count = !is_there                        ? 0
                                  : field.count == Count::Computed ? evaluate(field.how_many, record, up)
                                                                   : have;
      if (have != count)
        return fail(
            ErrorCode::Unrepresentable,
            "there are " + std::to_string(have) + " " + field.name + " where the block says " + std::to_string(count),
            kNoOffset, field.name);
      if (is_there) MARROW_CHECK(write_elements(field, have, record));
    }
    return {};
  }

  Result<void> write_elements(const Field& field, std::size_t count, const Record& record) {
    if (field.count == Count::Prefix16 && count > 0xFFFF)
      return fail(ErrorCode::Unrepresentable, "there are more than 65535 " + field.name, kNoOffset, field.name);
    if (field.count == Count::Prefix16) writer_.u16(static_cast<std::uint16_t>(count));
    if (field.count == Count::Prefix32) writer_.u32(static_cast<std::uint32_t>(count));
    if (!field.is_list()) {
      writer_.bytes(record.arrays_[field.slot]);
      return {};
    }
    for (const Record& each : record.lists_[field.slot]) MARROW_CHECK(write(each, &record));
    return {};
  }

  ByteWriter writer_;
};

Result<Record> read_record(const RecordType& type, std::span<const std::byte> bytes, const Limits& limits,
                           std::vector<std::size_t>* references) {
  return RecordReader(bytes, limits, references).run(type);
}

Result<std::vector<std::byte>> write_record(const Record& record) { return RecordWriter().run(record); }

}  // namespace marrow::nif
