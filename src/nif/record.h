// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "marrow/core/byte_reader.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "nif/nif_file.h"
#include "nif/schema.h"

namespace marrow::nif {

/// The values of one block, or of a structure inside one. Single numbers and vectors lie packed in one array; arrays
/// and lists of records beside it. Fields are found by name; a name that the type does not have is a programming error,
/// except in `has`.
class Record {
 public:
  Record() = default;
  explicit Record(const RecordType& type);

  const RecordType& type() const { return *type_; }
  bool has(std::string_view field) const { return type_ != nullptr && type_->find(field) != nullptr; }

  /// Returns a number; references and strings are their index. `component` of a vector.
  template <class T>
  T get(std::string_view field, std::size_t component = 0) const {
    const Field& found = single(field);
    assert(sizeof(T) * (component + 1) <= found.element_bytes);
    return load<T>(numbers_, found.slot + component * sizeof(T));
  }
  /// Returns an integer of any width.
  std::uint64_t integer(std::string_view field) const { return integer(single(field)); }
  std::uint64_t integer(const Field& field) const;
  std::int32_t reference(std::string_view field) const { return get<std::int32_t>(field); }
  /// Returns all components of a vector, as in `reals<9>("rotation")`.
  template <std::size_t N>
  std::array<float, N> reals(std::string_view field) const {
    std::array<float, N> values;
    std::memcpy(values.data(), numbers_.data() + single(field).slot, sizeof values);
    return values;
  }

  template <class T>
  void set(std::string_view field, T value, std::size_t component = 0) {
    const Field& found = single(field);
    assert(sizeof(T) * (component + 1) <= found.element_bytes);
    std::memcpy(numbers_.data() + found.slot + component * sizeof(T), &value, sizeof value);
  }
  template <std::size_t N>
  void set_reals(std::string_view field, const std::array<float, N>& values) {
    assert(single(field).element_bytes == sizeof values);
    std::memcpy(numbers_.data() + single(field).slot, values.data(), sizeof values);
  }
  /// Returns the bytes of a field that is one number, vector or structure.
  std::span<const std::byte> bytes_of(const Field& field) const {
    assert(field.count == Count::One);
    return std::span(numbers_).subspan(field.slot, field.element_bytes);
  }
  /// Sets an integer of any width.
  void set_integer(std::string_view field, std::uint64_t value);

  /// Returns the elements of an array as stored.
  std::span<const std::byte> bytes(std::string_view field) const { return arrays_[array(field).slot]; }
  std::vector<std::byte>& bytes(std::string_view field) { return arrays_[array(field).slot]; }
  std::size_t size(std::string_view field) const;
  /// Returns the elements of an array as values of `T`, which must be of their size or of that of their components.
  template <class T>
  std::vector<T> values(std::string_view field) const {
    const std::vector<std::byte>& stored = arrays_[array(field).slot];
    assert(array(field).element_bytes % sizeof(T) == 0);
    std::vector<T> copy(stored.size() / sizeof(T));
    if (!stored.empty()) std::memcpy(copy.data(), stored.data(), copy.size() * sizeof(T));
    return copy;
  }
  template <class Range>
  void set_values(std::string_view field, const Range& values) {
    using T = std::remove_cvref_t<decltype(*std::data(values))>;
    static_assert(std::is_trivially_copyable_v<T>);
    assert(array(field).element_bytes % sizeof(T) == 0 || sizeof(T) % array(field).element_bytes == 0);
    std::vector<std::byte>& stored = arrays_[array(field).slot];
    stored.resize(std::size(values) * sizeof(T));
    if (!stored.empty()) std::memcpy(stored.data(), std::data(values), stored.size());
  }
  /// Returns an array of characters.
  std::string_view text(std::string_view field) const { return as_text(bytes(field)); }
  void set_text(std::string_view field, std::string_view text) { set_values(field, text); }

  const std::vector<Record>& records(std::string_view field) const { return lists_[list(field).slot]; }
  std::vector<Record>& records(std::string_view field) { return lists_[list(field).slot]; }

  /// Bytes behind the last field.
  std::vector<std::byte> rest = {};

  bool operator==(const Record&) const = default;

 private:
  friend class RecordReader;
  friend class RecordWriter;
  friend std::uint64_t evaluate(const Expression&, const Record&, const Record*);

  const Field& single(std::string_view field) const;
  const Field& array(std::string_view field) const;
  const Field& list(std::string_view field) const;

  const RecordType* type_ = nullptr;
  std::vector<std::byte> numbers_;
  std::vector<std::vector<std::byte>> arrays_;
  std::vector<std::vector<Record>> lists_;
};

/// Reads a record. Safe on untrusted bytes: a count is held against the bytes that are left before anything is
/// allocated. A record that ends early is an error; what follows the last field is kept in `rest`. `references`, if
/// given, gets the offsets of all references in order.
Result<Record> read_record(const RecordType& type, std::span<const std::byte> bytes, const Limits& limits = {},
                           std::vector<std::size_t>* references = nullptr);
/// Writes a record. Fails with `Unrepresentable` if an array has another length than its count, naming the field.
Result<std::vector<std::byte>> write_record(const Record& record);

/// Reads a block by the table. Fails with `Unsupported` if its type is not described; errors name block and type.
Result<Record> read_block(const NifFile& file, std::int32_t block, const Limits& limits = {});
/// Reads a block if it is of a type or starts with its fields; nothing if it is another, or is not there.
Result<std::optional<Record>> read_block_of(const NifFile& file, std::int32_t block, std::string_view type,
                                            const Limits& limits = {});
/// Writes a record over a block of its type.
Result<void> write_block(NifFile& file, std::int32_t block, const Record& record);
/// Writes a record as a new block at the end. Returns its number.
Result<std::int32_t> append_block(NifFile& file, const Record& record);
/// Returns an empty record of a block type of the file's stream, with references and names set to none.
Record new_record(const NifFile& file, std::string_view type);

/// Reads and writes every described block, so that what leaves is what the tables say. Other blocks stay bytes.
Result<void> rewrite_blocks(NifFile& file, const Limits& limits = {});

/// Returns the type of a block in the table; null if there is no such block or it is not described.
const RecordType* type_of(const NifFile& file, std::int32_t block);

}  // namespace marrow::nif
