// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Block types of NIF files as data. docs/formats/nif-blocks.md describes the table; src/nif/table has its rows.
namespace marrow::nif {

/// A stream is the number by which Bethesda's games tell their NIF files apart.
inline constexpr std::uint32_t kSkyrimLe = 83, kSkyrimSe = 100, kFallout4 = 130;
/// True if files of this stream are read.
constexpr bool is_known_stream(std::uint32_t stream) {
  return stream == kSkyrimLe || stream == kSkyrimSe || stream == kFallout4;
}

/// What one element of a field is.
enum class Kind : std::uint8_t { U8, U16, U32, U64, I32, F32, Half, Char, Ref, String, Struct };

/// How many elements a field has.
enum class Count : std::uint8_t {
  One,
  Prefix16,  ///< a 16-bit count stands before them
  Prefix32,
  Computed,  ///< from earlier fields
};

/// One step of an expression in postfix order.
struct Step {
  enum class Op : std::uint8_t {
    Value,
    Field,
    UpField,
    Sum,
    Mul,
    Div,
    Add,
    Sub,
    And,
    Or,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    BothTrue,
    EitherTrue
  };
  Op op = Op::Value;
  std::uint64_t value = 0;  ///< the number, or the index of the field, or that of its name in `up_names`
};
using Expression = std::vector<Step>;

struct RecordType;

/// One field of a record.
struct Field {
  std::string name;
  Kind kind = Kind::U32;
  std::uint32_t width = 1;             ///< components of one element, 3 for a vector
  Count count = Count::One;            ///< one element lies among the numbers of a record, others are arrays
  Expression how_many = {};            ///< if the count is computed
  Expression when = {};                ///< empty: always there
  const RecordType* record = nullptr;  ///< of a Struct
  std::size_t slot = 0;                ///< offset among the numbers, or index of the array or list
  std::size_t element_bytes = 0;       ///< 0 for a list of records of varying size

  /// True if the elements are records that vary in size, each of which is read on its own.
  bool is_list() const { return kind == Kind::Struct && element_bytes == 0; }
};

/// A block type, or a structure inside one, as it is in files of one stream.
struct RecordType {
  std::string name;
  std::uint32_t stream = 0;
  std::vector<Field> fields;  ///< those of its bases first
  std::vector<std::string> bases;
  std::vector<std::string> left_out;  ///< fields of other streams, which expressions take as 0
  std::vector<std::string> up_names;  ///< fields of the record it is in, that expressions ask for
  bool is_struct = false;             ///< part of blocks, never one itself
  bool is_open = false;               ///< goes on with bytes that are kept and hold no references
  std::size_t number_bytes = 0;       ///< of all fields that are one number or vector
  std::size_t array_count = 0;
  std::size_t list_count = 0;
  std::size_t packed_bytes = 0;  ///< size in a file if every record has the same, else 0
  std::size_t least_bytes = 0;   ///< no record is smaller

  const Field* find(std::string_view field) const;
  /// True if the type is `base` or starts with its fields.
  bool is_a(std::string_view base) const;
  /// Returns where a field lies in a record of fixed size.
  std::size_t offset_of(std::string_view field) const;
};

/// The block types of one stream.
class Schema {
 public:
  /// Returns the types of a stream. Parsed once per stream; safe to call from several threads.
  static const Schema& of(std::uint32_t stream);
  /// Builds a schema of another table, for tests. Mistakes in a table are programming errors: they are reported in
  /// `problem`, by line.
  Schema(std::string_view table, std::uint32_t stream, std::string& problem);

  /// Returns a block type; null if it is not described, or is not one of this stream.
  const RecordType* find(std::string_view type) const;
  const std::vector<std::unique_ptr<RecordType>>& types() const { return types_; }

 private:
  std::vector<std::unique_ptr<RecordType>> types_;
};

/// The rows that describe all blocks.
std::string_view block_table();

}  // namespace marrow::nif
