// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>

#include "core/compression.h"
#include "core/try.h"
#include "exchange/fbx/node.h"
#include "marrow/core/byte_reader.h"

namespace marrow::fbx {
namespace {

constexpr std::string_view kMagic{"Kaydara FBX Binary  \0\x1A", 22};
constexpr std::size_t kFirstRecord = 27;
constexpr std::uint32_t kWideVersion = 7500;  // from here on records count in 64 bits

template <class T>
T swapped(T value) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  std::ranges::reverse(bytes);
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

class BinaryReader {
 public:
  BinaryReader(std::span<const std::byte> bytes, const Limits& limits)
      : bytes_(bytes), reader_(bytes), limits_(limits) {}

  Result<File> read() {
    File file;
    reader_.seek(kMagic.size());
    is_big_endian_ = reader_.u8() == 1;
    file.version = number<std::uint32_t>();
    MARROW_CHECK(reader_.status());
    if (file.version < kFirstVersion || file.version > kLastVersion) return unsupported_version(file.version, 23);
    is_wide_ = file.version >= kWideVersion;
    reader_.seek(kFirstRecord);
    MARROW_CHECK(read_records(file.root));
    return file;
  }

 private:
  template <class T>
  T number() {
    const T value = reader_.read<T>();
    return is_big_endian_ ? swapped(value) : value;
  }
  std::uint64_t count() { return is_wide_ ? number<std::uint64_t>() : number<std::uint32_t>(); }

  // A record that is open: where it ends.
  struct Open {
    Node* node;
    std::uint64_t end;
  };

  // Records nest as deep as the file says, so that the open ones are a list. A node's list of children grows only while
  // the node is the last that is open, so that pointers to it stay good.
  Result<void> read_records(Node& root) {
    std::vector<Open> open{{&root, bytes_.size()}};
    while (true) {
      Open& top = open.back();
      if (open.size() > 1 && reader_.position() == top.end) {
        open.pop_back();
        continue;
      }
      const std::uint64_t start = reader_.position();
      const std::uint64_t end = count(), values = count(), value_bytes = count();
      const std::size_t name_bytes = reader_.u8();
      const std::string_view name = as_text(reader_.bytes(name_bytes));
      MARROW_CHECK(reader_.status());
      if (end == 0 && values == 0 && value_bytes == 0 && name.empty()) {  // the null record closes the list
        if (open.size() == 1) return {};
        if (reader_.position() != top.end)
          return fail(ErrorCode::Malformed, "the records below '" + top.node->name + "' end early", reader_.offset());
        open.pop_back();
        continue;
      }
      const std::uint64_t after_values = reader_.position() + value_bytes;
      const std::uint64_t own_end = end == 0 ? after_values : end;  // a record without children may state no end
      if (value_bytes > reader_.remaining() || own_end < after_values || own_end > top.end)
        return fail(ErrorCode::Malformed, "record '" + std::string(name) + "' does not end inside the one above",
                    start);
      if (open.size() >= kMaxDepth) return fail(ErrorCode::LimitExceeded, "the records are nested too deep", start);
      if (++nodes_ > limits_.max_objects) return fail(ErrorCode::LimitExceeded, "the file has too many records", start);
      Node& node = top.node->children.emplace_back();
      node.name = name;
      MARROW_CHECK(read_values(node, values, after_values));
      if (own_end > after_values) open.push_back({&node, own_end});
    }
  }

  Result<void> read_values(Node& node, std::uint64_t values, std::uint64_t end) {
    if (values > end - reader_.position())
      return fail(ErrorCode::Malformed, "has more values than bytes", reader_.offset(), node.name);
    for (std::uint64_t i = 0; i < values; ++i) MARROW_CHECK(read_value(node, end));
    if (reader_.position() != end)
      return fail(ErrorCode::Malformed, "the values do not fill their length", reader_.offset(), node.name);
    return {};
  }

  Result<void> read_value(Node& node, std::uint64_t end) {
    switch (const char kind = static_cast<char>(reader_.u8())) {
      case 'Y': node.values.emplace_back(std::int64_t{number<std::int16_t>()}); break;
      case 'C':
      case 'B': node.values.emplace_back(std::int64_t{reader_.u8()}); break;
      case 'Z': node.values.emplace_back(std::int64_t{reader_.i8()}); break;
      case 'I': node.values.emplace_back(std::int64_t{number<std::int32_t>()}); break;
      case 'L': node.values.emplace_back(number<std::int64_t>()); break;
      case 'F': node.values.emplace_back(double{number<float>()}); break;
      case 'D': node.values.emplace_back(number<double>()); break;
      case 'S':
      case 'R': {
        const std::size_t size = number<std::uint32_t>();
        if (size > end - reader_.position())
          return fail(ErrorCode::Truncated, "a text ends outside of its record", reader_.offset(), node.name);
        node.values.emplace_back(std::string(as_text(reader_.bytes(size))));
        break;
      }
      case 'f': return read_array<float, float>(node, end);
      case 'd': return read_array<double, double>(node, end);
      case 'l': return read_array<std::int64_t, std::int64_t>(node, end);
      case 'i': return read_array<std::int32_t, std::int64_t>(node, end);
      case 'b':
      case 'c': return read_array<std::uint8_t, std::int64_t>(node, end);
      default:
        return fail(ErrorCode::Malformed, "a value is of unknown kind " + std::to_string(static_cast<int>(kind)),
                    reader_.offset() - 1, node.name);
    }
    return reader_.status();
  }

  template <class Stored, class Kept>
  Result<void> read_array(Node& node, std::uint64_t end) {
    const std::uint64_t count = number<std::uint32_t>();
    const std::uint32_t encoding = number<std::uint32_t>(), size = number<std::uint32_t>();
    MARROW_CHECK(reader_.status());
    const std::uint64_t at = reader_.offset();
    if (reader_.position() > end || size > end - reader_.position())
      return fail(ErrorCode::Truncated, "an array ends outside of its record", at, node.name);
    // All arrays of the file together stay below the limit.
    array_bytes_ += count * sizeof(Kept);
    if (array_bytes_ > limits_.max_expanded_bytes)
      return fail(ErrorCode::LimitExceeded, "the arrays of the file would take more memory than allowed", at,
                  node.name);
    std::span<const std::byte> data = reader_.bytes(size);
    std::vector<std::byte> unpacked;
    if (encoding == 1) {
      if (auto done = unpack(Packing::Zlib, data, count * sizeof(Stored), limits_.max_expanded_bytes, unpacked); !done)
        return fail(done.error().code, "an array " + done.error().message, at, node.name);
      data = unpacked;
    }
    if (encoding > 1 || data.size() != count * sizeof(Stored))
      return fail(ErrorCode::Malformed,
                  "an array of " + std::to_string(count) + " values has " + std::to_string(data.size()) + " bytes", at,
                  node.name);
    std::vector<Kept> list(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto value = marrow::load<Stored>(data, i * sizeof(Stored));
      list[i] = static_cast<Kept>(is_big_endian_ ? swapped(value) : value);
    }
    node.values.emplace_back(std::move(list));
    return {};
  }

  std::span<const std::byte> bytes_;
  ByteReader reader_;
  const Limits& limits_;
  bool is_big_endian_ = false, is_wide_ = false;
  std::uint64_t nodes_ = 0, array_bytes_ = 0;
};

}  // namespace

bool is_binary(std::string_view head) { return head.starts_with(kMagic); }

Result<File> read_binary(std::span<const std::byte> bytes, const Limits& limits) {
  return BinaryReader(bytes, limits).read();
}

}  // namespace marrow::fbx
