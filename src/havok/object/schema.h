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

/// How a file lays out its objects, as its header states.
struct FileLayout {
  std::uint32_t pointer_size = 8;  ///< 4 or 8
  bool is_big_endian = false;      ///< as files of some consoles are
  bool reuses_padding = false;     ///< members of a class may lie in the padding at the end of its base

  bool operator==(const FileLayout&) const = default;
  /// Returns the place of the layout in tables of all of them. Those of the games come first.
  constexpr std::size_t index() const {
    return (pointer_size == 8 ? 1u : 0u) | (is_big_endian ? 2u : 0u) | (reuses_padding ? 4u : 0u);
  }
};

/// The number of layouts, and of those that every class has from the start: little-endian, padding not reused.
inline constexpr std::size_t kLayoutCount = 8;
inline constexpr std::size_t kUsualLayoutCount = 2;

template <class T>
using ByLayout = std::array<T, kLayoutCount>;

/// Named values of an integer, shown by name in XML and dumps.
struct Enum {
  std::string name;
  std::vector<std::pair<std::string, std::int64_t>> items;
};

struct Type {
  Kind kind = Kind::Void;
  Kind element = Kind::Void;        ///< of an array
  bool is_flags = false;            ///< the enum's values are or-ed together
  bool is_class_pointer = false;    ///< leads to the description of a class, not to an object
  std::uint32_t repeat = 1;         ///< N of T[N]
  const Class* record = nullptr;    ///< of a record, pointer, or array of them
  const Enum* names = nullptr;      ///< if the integer is an enum with known values
  const Element* layout = nullptr;  ///< of an array's elements
};

/// The location of a value: in a file of any layout, and in memory (see `object.h`).
struct Member {
  std::string name;
  Type type;
  std::uint32_t alignment = 1;                       ///< in addition to that of the type
  bool is_ignored = false;                           ///< occupies space in a file, holds nothing
  std::array<std::int32_t, 2> fixed_offset{-1, -1};  ///< for pointer size 4 and 8 if the table states it, else -1
  ByLayout<std::uint32_t> file_offset{};
  std::uint32_t pod_offset = 0;  ///< first byte of its numbers in memory
  std::uint32_t ref_offset = 0;  ///< first of its texts, pointers and arrays in memory
};

/// One step of copying a record between a file and memory.
struct Step {
  enum class Kind : std::uint8_t {
    Copy,
    Turn2,  ///< copies numbers of 2, 4 or 8 bytes of the other byte order
    Turn4,
    Turn8,
    ULong,
    Text,
    Pointer,
    Array,
    SimpleArray,
    RelArray,
    IgnoredArray,
    IgnoredText,
    IgnoredClass  ///< a pointer to the description of a class
  };
  Kind kind = Kind::Copy;
  std::uint32_t file_offset = 0;
  std::uint32_t pod_offset = 0;      ///< Copy, Turn, ULong
  std::uint32_t size = 0;            ///< Copy, Turn
  std::uint32_t ref = 0;             ///< the others
  const Element* element = nullptr;  ///< of an array
  const Member* member = nullptr;    ///< what it belongs to, for messages
};

/// The layout of one value of a kind or class in a file and in memory: everything that reading and writing need.
struct Element {
  Kind kind = Kind::Void;
  const Class* record = nullptr;
  ByLayout<std::uint32_t> file_size{};  ///< 0 for a layout that nobody has asked for yet
  ByLayout<std::uint32_t> file_end{};   ///< of its last member, without padding
  ByLayout<std::uint32_t> file_alignment{1, 1, 1, 1, 1, 1, 1, 1};
  std::uint32_t pod_size = 0;
  std::uint32_t pod_alignment = 1;
  std::uint32_t ref_count = 0;
  ByLayout<std::vector<Step>> steps;  ///< in member order

  /// True if a file of that layout holds exactly the same bytes as memory.
  bool is_plain(std::size_t layout) const { return plain[layout]; }
  ByLayout<bool> plain{};
  /// Returns the only step of a value that is numbers of one width in the other byte order; null if it is not.
  const Step* turned(std::size_t layout) const { return is_turned[layout] ? &steps[layout].front() : nullptr; }
  ByLayout<bool> is_turned{};
};

/// A class of the format, as data.
struct Class {
  std::string name;
  const Class* parent = nullptr;
  std::uint32_t signature = 0;
  bool has_vtable = false;
  /// True if the table states where members are: then it can not be said where they would be in reused padding.
  bool has_fixed_offsets = false;
  /// True if the class is from the table of another version: it holds for a file that states the same signature.
  bool is_borrowed = false;
  std::uint32_t alignment = 1;
  std::uint32_t stated_size = 0;  ///< in files that describe their classes; 0 if the members decide
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

/// A class as a file names it.
struct ClassSignature {
  std::string name;
  std::uint32_t signature = 0;

  bool operator==(const ClassSignature&) const = default;
};

/// All classes of one version of Havok. Safe to share between threads.
class Schema {
 public:
  /// Reads the text form of `src/havok/schema/*.classes`. The offset of an error is the line.
  static Result<std::unique_ptr<const Schema>> parse(std::string_view text, std::string version);
  /// Like `parse`, but reads a class, and those it refers to, when it is first asked for. `text` must live as long as
  /// the schema and pass `parse`: later mistakes end the program. Classes that only `others` has, the table of another
  /// version, are borrowed.
  static Result<std::unique_ptr<const Schema>> open(std::string_view text, std::string version,
                                                    std::string_view others = {});

  /// Makes a schema of classes that are laid out already. Their names differ.
  static std::unique_ptr<const Schema> of_classes(std::vector<std::unique_ptr<Class>> classes, std::string version);

  /// Makes a schema of classes that are laid out for every layout already, and of those of `base`, which must live as
  /// long, for other names.
  static std::shared_ptr<const Schema> extend(const Schema& base, std::vector<std::unique_ptr<Class>> classes);

  ~Schema();

  const std::string& version() const { return version_; }  ///< `hk_2010.2.0-r1`
  /// Returns the class of that name; null if there is none.
  const Class* find(std::string_view name) const;
  /// Returns the same, laid out for files of a layout. Null too if the class has no place in that layout.
  const Class* find(std::string_view name, FileLayout layout) const;
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

/// Returns the tables that ship with the library, for the versions above and those of other games. Null for others.
const Schema* builtin_schema(std::string_view version);
/// True if files of the version were at hand when its table was made; false if the table follows from its neighbours.
bool is_tested_version(const Schema& schema);

}  // namespace marrow::havok
