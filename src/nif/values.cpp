// SPDX-License-Identifier: MIT
// What the table says about the bytes of blocks, for people.
#include "nif/values.h"

#include "codec/half.h"
#include "core/crc32.h"
#include "core/json.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "nif/record.h"
#include "nif/table/expression.h"

namespace marrow::nif {
namespace {

/// More bytes than this in a row are data of another format: code, geometry, packfiles.
constexpr std::size_t kLongestBytes = 16;

/// Walks a record as it lies in its block.
class ValueWalk {
 public:
  ValueWalk(const NifFile& file, std::vector<NamedValue>& out) : file_(file), out_(out) {}

  void walk(const Record& record, const Record* up, const std::string& prefix) {
    for (const Field& field : record.type().fields)
      if (field.when.empty() || evaluate(field.when, record, up) != 0) add(record, field, prefix + field.name);
  }

  void add_rest(const Record& record) {
    if (!record.rest.empty()) put("rest", bytes_text(record.rest));
  }

 private:
  void put(std::string path, std::string text) { out_.push_back({std::move(path), std::move(text), at_}); }

  static std::string bytes_text(std::span<const std::byte> bytes) {
    return std::to_string(bytes.size()) + " bytes, CRC-32 " + hex_text(crc32(as_text(bytes)), 8);
  }

  void add(const Record& record, const Field& field, const std::string& name) {
    if (field.count == Count::Prefix16) at_ += 2;
    if (field.count == Count::Prefix32) at_ += 4;
    if (field.is_list()) {
      const std::vector<Record>& all = record.records(field.name);
      put(name, std::to_string(all.size()) + " elements");
      for (std::size_t i = 0; i < all.size(); ++i) walk(all[i], &record, name + "[" + std::to_string(i) + "].");
    } else if (field.count == Count::One) {
      add_element(field, record.bytes_of(field), name);
    } else {
      add_array(field, record.bytes(field.name), name);
    }
  }

  void add_array(const Field& field, std::span<const std::byte> bytes, const std::string& name) {
    const bool is_bytes = field.kind == Kind::U8 && field.width == 1 && bytes.size() > kLongestBytes;
    if (is_bytes || field.kind == Kind::Char || field.element_bytes == 0) {
      put(name, is_bytes ? bytes_text(bytes) : "\"" + printable(as_text(bytes)) + "\"");
      at_ += bytes.size();
      return;
    }
    const std::size_t count = bytes.size() / field.element_bytes;
    put(name, std::to_string(count) + " elements");
    for (std::size_t i = 0; i < count; ++i)
      add_element(field, bytes.subspan(i * field.element_bytes, field.element_bytes),
                  name + "[" + std::to_string(i) + "]");
  }

  void add_element(const Field& field, std::span<const std::byte> bytes, const std::string& name) {
    if (field.kind == Kind::Struct) {
      for (const Field& inner : field.record->fields)
        add_element(inner, bytes.subspan(inner.slot, inner.element_bytes), name + "." + inner.name);
      return;
    }
    const std::size_t size = bytes.size() / field.width;
    std::string text = field.width > 1 ? "(" : "";
    for (std::uint32_t i = 0; i < field.width; ++i)
      (text += i == 0 ? "" : " ") += number_text(field.kind, bytes.subspan(i * size, size));
    put(name, text + (field.width > 1 ? ")" : ""));
    at_ += bytes.size();
  }

  std::string number_text(Kind kind, std::span<const std::byte> bytes) const {
    switch (kind) {
      case Kind::U8: return std::to_string(load<std::uint8_t>(bytes, 0));
      case Kind::U16: return std::to_string(load<std::uint16_t>(bytes, 0));
      case Kind::U32: return std::to_string(load<std::uint32_t>(bytes, 0));
      case Kind::U64: return std::to_string(load<std::uint64_t>(bytes, 0));
      case Kind::I32: return std::to_string(load<std::int32_t>(bytes, 0));
      case Kind::F32: return float_text(load<float>(bytes, 0));
      case Kind::Half: return float_text(codec::half_to_float(load<std::uint16_t>(bytes, 0)));
      case Kind::Ref: return reference_text(load<std::int32_t>(bytes, 0));
      case Kind::String: return "\"" + printable(file_.string_at(load<std::int32_t>(bytes, 0))) + "\"";
      case Kind::Char:
      case Kind::Struct: break;
    }
    return {};
  }

  std::string reference_text(std::int32_t block) const {
    if (!file_.has_block(block))
      return block == kNoBlock ? "none" : "block " + std::to_string(block) + ", which is missing";
    return "block " + std::to_string(block) + " " + std::string(file_.type_of(block));
  }

  const NifFile& file_;
  std::vector<NamedValue>& out_;
  std::size_t at_ = 0;
};

/// Calls `action(block, offset in the file, values or the error)` for each block that is meant.
template <class Action>
void for_each_block(const NifFile& file, std::optional<std::int32_t> only, const Limits& limits, Action&& action) {
  std::size_t total = 0;
  for (const NifBlock& block : file.blocks) total += block.bytes.size();
  // Blocks lie one after another; behind them are the number of roots, the roots, and what follows them.
  std::size_t at = write_nif(file).size() - file.trailing.size() - 4 - 4 * file.roots.size() - total;
  for (std::size_t i = 0; i < file.blocks.size(); at += file.blocks[i++].bytes.size())
    if (const auto block = static_cast<std::int32_t>(i); !only || *only == block)
      action(block, at, values_of(file, block, limits));
}

}  // namespace

Result<std::vector<NamedValue>> values_of(const NifFile& file, std::int32_t block, const Limits& limits) {
  MARROW_TRY(const Record record, read_block(file, block, limits));
  std::vector<NamedValue> values;
  ValueWalk walk(file, values);
  walk.walk(record, nullptr, {});
  walk.add_rest(record);
  return values;
}

std::string dump_text(const NifFile& file, std::optional<std::int32_t> only, const Limits& limits) {
  std::string out;
  const auto line = [&](std::size_t offset, const std::string& text) {
    out += hex_text(offset, 6) + "  " + text + "\n";
  };
  for_each_block(file, only, limits, [&](std::int32_t block, std::size_t at, const auto& values) {
    const std::vector<std::byte>& bytes = file.blocks[static_cast<std::size_t>(block)].bytes;
    out += "block " + std::to_string(block) + " " + std::string(file.type_of(block)) + ", " +
           std::to_string(bytes.size()) + " bytes\n";
    if (!values) return line(at, "not described: " + values.error().message);
    for (const NamedValue& value : *values) line(at + value.offset, value.path + ": " + value.text);
  });
  return out;
}

std::string dump_json(const NifFile& file, std::optional<std::int32_t> only, const Limits& limits) {
  Json blocks = Json::array();
  for_each_block(file, only, limits, [&](std::int32_t block, std::size_t at, const auto& values) {
    Json fields = Json::array();
    if (values)
      for (const NamedValue& value : *values)
        fields.push(Json().set("name", value.path).set("value", value.text).set("offset", at + value.offset));
    blocks.push(Json()
                    .set("block", block)
                    .set("type", std::string(file.type_of(block)))
                    .set("offset", at)
                    .set("fields", std::move(fields)));
  });
  return to_text(blocks) + "\n";
}

}  // namespace marrow::nif
