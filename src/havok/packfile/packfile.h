// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "havok/object/object.h"
#include "havok/object/schema.h"
#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/core/limits.h"

namespace marrow::havok {

/// A pointer of an object without a class into the section of class descriptions.
struct TypeFixup {
  std::uint32_t before = 0;  ///< how many of the object's other pointers come first
  std::uint32_t from = 0;
  std::uint32_t to = 0;  ///< in the section

  bool operator==(const TypeFixup&) const = default;
};

/// An object whose class is not in the tables: its bytes, and the positions of pointers in them. It can be moved and
/// rewritten, but its layout cannot change.
struct Opaque {
  std::string class_name;
  std::uint32_t signature = 0;
  std::vector<std::byte> bytes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> local_fixups;  ///< from and to, both inside `bytes`
  std::vector<std::pair<std::uint32_t, ObjectId>> global_fixups;
  std::vector<TypeFixup> type_fixups = {};

  bool operator==(const Opaque&) const = default;
};

class Storage;
struct TagTypes;

/// One object of a file. Copies share what was read with the file until one of them is changed.
class Object {
 public:
  const Class* type = nullptr;  ///< null if `opaque` holds it

  Object() = default;
  /// Makes an object of a class, all fields zero.
  explicit Object(const Class& of) : type(&of), body_(of.layout, 1) {}
  Object(const Object& other);
  Object(Object&& other) noexcept;
  Object& operator=(const Object& other);
  Object& operator=(Object&& other) noexcept;
  ~Object() = default;

  bool operator==(const Object& other) const;

  std::string_view class_name() const {
    return type ? std::string_view(type->name) : std::string_view(opaque().class_name);
  }
  std::uint32_t signature() const { return type ? type->signature : opaque().signature; }
  FieldsView fields() const { return fields_at(type->layout, body_, 0); }
  Fields fields() { return fields_at(type->layout, body_, 0); }

  /// Returns one record of `type`; empty if `opaque` holds the object.
  const Array& body() const { return body_; }
  Array& body() { return body_; }
  /// Returns the bytes of an object without a class; empty if it has one.
  const Opaque& opaque() const;
  void set_opaque(Opaque opaque) { rest().opaque = std::move(opaque); }
  /// Returns the name in an XML file or the number in a packfile with node ids, `#0051`; empty if it has none. Not part
  /// of the value.
  std::string_view name() const { return rest_ ? std::string_view(rest_->name) : std::string_view(); }
  void set_name(std::string_view name);
  /// Returns the flags of an item that a tagfile stores along with the object that points to it; 0 for objects of their
  /// own. Not part of the value.
  std::uint32_t part_flags() const { return rest_ ? rest_->part_flags : 0; }
  void set_part_flags(std::uint32_t flags) { rest().part_flags = flags; }

  /// Makes the object one of a class, all fields zero. Keeps its name.
  void reset(const Class& of);

 private:
  friend class Storage;

  // What few objects have.
  struct Rest {
    Opaque opaque;
    std::string name;
    std::uint32_t part_flags = 0;
  };
  Rest& rest();

  Array body_;
  std::shared_ptr<const Storage> storage_;  // what `body_` may lie in
  std::unique_ptr<Rest> rest_;
};

/// The bytes that fill the gaps of a file, by what precedes the gap. The games fill with 0; some of their files, and
/// some tools, with 0x7F.
struct Padding {
  std::uint8_t bodies = 0;          ///< after the body of an object
  std::uint8_t arrays = 0;          ///< after the elements of an array
  std::uint8_t strings = 0;         ///< after a string
  std::uint8_t class_names = 0xFF;  ///< after the list of class names

  constexpr Padding() = default;
  /// Uses one value for all gaps between objects, and 0xFF after the class names.
  constexpr Padding(std::uint8_t fill) : bodies(fill), arrays(fill), strings(fill) {}

  bool operator==(const Padding&) const = default;
};

/// How plain XML is laid out; tools differ. Not part of the value of a file.
struct XmlLayout {
  /// What stands for a member that is not stored.
  enum class Ignored : std::uint8_t { Nothing, Comment, EmptyLine };

  bool is_spaced = false;  ///< an empty line before each object
  bool ends_with_newline = true;
  Ignored ignored = Ignored::Nothing;

  bool operator==(const XmlLayout&) const { return true; }
};

/// The section of class descriptions that some files carry, as it is in the file, and what points into it.
struct TypeSection {
  std::vector<std::byte> bytes;            ///< with its tables
  std::array<std::uint32_t, 6> offsets{};  ///< local, global and virtual fixups, exports, imports, end
  struct Pointer {
    ObjectId from;
    std::uint32_t ordinal = 0;  ///< which of the pointers to classes that the object has
    std::uint32_t to = 0;       ///< in the section

    bool operator==(const Pointer&) const = default;
  };
  std::vector<Pointer> pointers;

  bool empty() const { return bytes.empty(); }
  bool operator==(const TypeSection&) const = default;
};

/// A Havok packfile as values: the contents of its objects, and the few properties of the file that its bytes depend
/// on.
struct Packfile {
  const Schema* schema = nullptr;  ///< the version of its classes
  std::uint32_t pointer_size = 8;  ///< 4 or 8
  bool is_big_endian = false;      ///< as files of some consoles are
  bool reuses_padding = false;     ///< as files of some compilers do (`FileLayout`)
  std::int32_t file_version = 0;
  Padding padding;
  std::int32_t user_tag = 0;
  std::int32_t flags = 0;
  std::uint16_t max_predicate = 0xFFFF;  ///< file version 11 only
  std::vector<std::byte> predicates;     ///< file version 11 only
  /// True if each object is preceded by its number, as in the templates of behaviour engines. The numbers are the names
  /// of the objects (`#0051`).
  bool has_node_ids = false;
  /// The fixups that belong to no field that their class has: reading could not keep what they say.
  std::uint32_t unread_fixups = 0;
  XmlLayout xml_layout;  ///< of the XML that it was read from
  /// The classes that the file lists, if that is not just those of its objects in their order.
  std::vector<ClassSignature> class_list = {};
  TypeSection types = {};  ///< class descriptions, if the file carries any
  /// What `schema` is if the file describes classes that its version's table lacks; null if it is the table.
  std::shared_ptr<const Schema> own_schema = {};
  /// The types of a binary tagfile, which `schema` is made from; null for packfiles.
  std::shared_ptr<const TagTypes> tag_types = {};
  std::vector<Object> objects;
  ObjectId root;
  /// Objects whose vectors the file ended in, so that the last was repeated. Readers mistrust what is in them.
  std::vector<ObjectId> cut = {};

  bool operator==(const Packfile&) const = default;

  FileLayout layout() const { return {pointer_size, is_big_endian, reuses_padding}; }
  Object& at(ObjectId id) { return objects[id.index]; }
  const Object& at(ObjectId id) const { return objects[id.index]; }
  /// Adds an object of a class of the schema, all fields zero.
  ObjectId add(std::string_view class_name);
  /// Returns the objects of that class or of a derived one, in order.
  std::vector<ObjectId> find_all(std::string_view class_name) const;
};

/// Creates an empty file of a version, with the usual header values.
Packfile make_packfile(const Schema& schema, std::uint32_t pointer_size);

/// Reads the four digits of a header: pointer size, little-endian, reused padding, empty bases, as `8101`. Nothing if
/// they are not those of a layout.
std::optional<FileLayout> parse_layout(std::string_view digits);

/// Returns the file in another layout. Fails with the name of the class if it holds objects of unknown classes, or of
/// classes that cannot be laid out so. Class descriptions that the file carries are left out.
Result<Packfile> with_layout(Packfile file, FileLayout layout);

struct ReadOptions {
  Limits limits = {};
  Findings* findings = nullptr;  ///< if given, receives faults that do not stop reading
};

/// Reads a packfile, plain or with node ids. Safe on untrusted bytes: every offset, count and reference is checked.
/// Reads all layouts and the versions 5.0 to 2016; fails with the reason on tagfiles and other versions.
Result<Packfile> read_packfile(std::span<const std::byte> bytes, const ReadOptions& options = {});

/// Writes a packfile in the order and with the padding of Havok's own writer: a file that a game shipped comes back
/// byte for byte. Unreferenced objects follow those that the root reaches. Repairs what other tools get wrong and
/// nothing reads: `floatBlockOffsets` of clips without float tracks. A file with node ids is written in the order of
/// the tools that make those; objects without a number get those after the highest.
Result<std::vector<std::byte>> write_packfile(const Packfile& file);

}  // namespace marrow::havok
