// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "marrow/core/error.h"

namespace marrow::havok {

/// What a member of a class holds.
enum class Kind : std::uint8_t {
  Void,
  Bool,
  Char,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Half,
  Real,
  ULong,  ///< as wide as a pointer in the file, 8 bytes in memory
  Vector4,
  Quaternion,
  Matrix3,
  Rotation,
  QsTransform,
  Matrix4,
  Transform,
  Text,
  Pointer,
  Variant,
  Record,  ///< a class stored in place
  Array,
  SimpleArray,
  RelArray,  ///< data inline after the object, at a 16-bit offset
};

bool is_integer(Kind kind);
bool is_array(Kind kind);
/// Returns the number of floats in a real or a tuple of reals (1 for Real, 4 for Vector4, 12 for QsTransform), 0 for
/// other kinds.
std::uint32_t float_count(Kind kind);

struct Class;
struct Element;

/// Named values of an integer, shown by name in XML and dumps.
struct Enum {
  std::string name;
  std::vector<std::pair<std::string, std::int64_t>> items;
};

struct Type {
  Kind kind = Kind::Void;
  Kind element = Kind::Void;        ///< of an array
  bool is_flags = false;            ///< the enum's values are or-ed together
  std::uint32_t repeat = 1;         ///< N of T[N]
  const Class* record = nullptr;    ///< of a record, pointer, or array of them
  const Enum* names = nullptr;      ///< if the integer is an enum with known values
  const Element* layout = nullptr;  ///< of an array's elements
};

/// The location of a value: in a file of either pointer size, and in memory (see `object.h`).
struct Member {
  std::string name;
  Type type;
  std::uint32_t alignment = 1;                       ///< in addition to that of the type
  bool is_ignored = false;                           ///< occupies space in a file, holds nothing
  std::array<std::int32_t, 2> fixed_offset{-1, -1};  ///< if the table states it, else -1
  std::array<std::uint32_t, 2> file_offset{};        ///< for pointer size 4 and 8
  std::uint32_t pod_offset = 0;                      ///< first byte of its numbers in memory
  std::uint32_t ref_offset = 0;                      ///< first of its texts, pointers and arrays in memory
};

/// One step of copying a record between a file and memory.
struct Step {
  enum class Kind : std::uint8_t {
    Copy,
    ULong,
    Text,
    Pointer,
    Array,
    SimpleArray,
    RelArray,
    IgnoredArray,
    IgnoredText
  };
  Kind kind = Kind::Copy;
  std::uint32_t file_offset = 0;
  std::uint32_t pod_offset = 0;      ///< Copy, ULong
  std::uint32_t size = 0;            ///< Copy
  std::uint32_t ref = 0;             ///< the others
  const Element* element = nullptr;  ///< of an array
  const Member* member = nullptr;    ///< what it belongs to, for messages
};

/// The layout of one value of a kind or class in a file and in memory: everything that reading and writing need.
struct Element {
  Kind kind = Kind::Void;
  const Class* record = nullptr;
  std::array<std::uint32_t, 2> file_size{};
  std::array<std::uint32_t, 2> file_alignment{1, 1};
  std::uint32_t pod_size = 0;
  std::uint32_t pod_alignment = 1;
  std::uint32_t ref_count = 0;
  std::array<std::vector<Step>, 2> steps;  ///< for pointer size 4 and 8, in member order

  /// True if a file of that pointer size holds exactly the same bytes as memory.
  bool is_plain(std::size_t layout) const { return plain[layout]; }
  std::array<bool, 2> plain{};  ///< for pointer size 4 and 8
  bool holds_arrays = false;
};

/// A class of the format, as data.
struct Class {
  std::string name;
  const Class* parent = nullptr;
  std::uint32_t signature = 0;
  bool has_vtable = false;
  std::uint32_t alignment = 1;
  std::vector<Enum> enums;
  std::vector<Member> members;  ///< its own; the parent's come first in a file
  Element layout;

  /// Returns the member with that name, own or inherited; null if there is none or if it is ignored.
  const Member* find(std::string_view member) const;
  /// True if the class is `other` or derives from it.
  bool is_a(std::string_view other) const;
  /// Returns the class and its bases, the outermost base first.
  std::vector<const Class*> lineage() const;
};

/// Returns the index of the layout for a pointer size of 4 or 8.
constexpr std::size_t layout_index(std::uint32_t pointer_size) { return pointer_size == 4 ? 0 : 1; }

/// All classes of one version of Havok. Safe to share between threads.
class Schema {
 public:
  /// Reads the text form of `src/havok/schema/*.classes`. The offset of an error is the line.
  static Result<std::unique_ptr<const Schema>> parse(std::string_view text, std::string version);
  /// Like `parse`, but reads a class, and those it refers to, when it is first asked for. `text` must live as long as
  /// the schema and pass `parse`: later mistakes end the program.
  static Result<std::unique_ptr<const Schema>> open(std::string_view text, std::string version);

  ~Schema();

  const std::string& version() const { return version_; }  ///< `hk_2010.2.0-r1`
  /// Returns the class of that name; null if there is none.
  const Class* find(std::string_view name) const;
  /// Returns the names of all classes, sorted.
  std::vector<std::string_view> names() const;

 private:
  struct Table;
  explicit Schema(std::string version);

  std::string version_;
  std::unique_ptr<Table> table_;
};

inline constexpr std::string_view kVersion2010 = "hk_2010.2.0-r1";  ///< Skyrim LE and SE
inline constexpr std::string_view kVersion2014 = "hk_2014.1.0-r1";  ///< Fallout 4

/// Returns the tables that ship with the library, for the two versions above. Null for other versions.
const Schema* builtin_schema(std::string_view version);

}  // namespace marrow::havok
