// SPDX-License-Identifier: MIT
// Writes the objects of a skeleton as XML: values in xml_write_values.cpp, lists and objects in xml_write.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anvil/hierarchy.h"
#include "anvil/slots.h"
#include "anvil/xml_text.h"
#include "marrow/core/error.h"

namespace marrow::anvil {

/// Returns about how long the text of a skeleton is in either dialect, rather more than less.
std::size_t likely_bytes(const Skeleton& skeleton);

/// Returns the shortest decimal that reads back the same; without an exponent if the games' tools use none.
std::string number_text(float value);

struct Attribute {
  std::string_view name;
  std::string_view value;
};

class XmlWriter {
 public:
  XmlWriter(const Skeleton& skeleton, Dialect dialect, bool wide_indices, bool keep_order)
      : skeleton_(skeleton),
        dialect_(dialect),
        wide_indices_(wide_indices),
        keep_order_(keep_order),
        tree_(hierarchy_of(skeleton)),
        xml_(dialect == Dialect::Standard ? "\t" : "  ", likely_bytes(skeleton)) {}

  Result<std::string> write();

 private:
  struct Source {
    const Slot& slot;
    std::int16_t field;
    std::int32_t item;     // -1: the field itself
    const KeptView& kept;  // of the object that has the field
  };

  template <class Object>
  void write_object(const Object& object, const KeptView& view, std::string_view class_name, bool root = false);
  template <class Object>
  void write_children(const Object& object, const KeptView& view, const Slots& slots);
  void write_kept(const Kept& kept, std::int16_t after, std::int32_t item);

  void write(const Source& source, const float& value);
  void write(const Source& source, const bool& value);
  void write(const Source& source, const std::uint8_t& value) { write_integer(source, value, "Byte"); }
  void write(const Source& source, const std::int32_t& value) { write_integer(source, value, "Int32"); }
  void write(const Source& source, const std::uint32_t& value) { write_integer(source, value, "UInt32"); }
  void write(const Source& source, const Vec4& v) { write_four(source, "Vector4", "Vector4", {v.x, v.y, v.z, v.w}); }
  void write(const Source& source, const Quat& q) { write_four(source, "Quat", "Quaternion", {q.x, q.y, q.z, q.w}); }
  void write(const Source& source, const BoneLink& value);
  void write(const Source& source, const FileReference& value);
  void write(const Source& source, const BoneName& value);
  void write(const Source& source, const Opaque& value);
  void write(const Source& source, const Computed& value);
  template <class Item>
  void write(const Source& source, const std::vector<Item>& list);

  void write_integer(const Source& source, std::int64_t value, std::string_view standard_type);
  void write_four(const Source& source, std::string_view standard_tag, std::string_view schema_tag,
                  const std::array<float, 4>& values);
  void write_value(const Source& source, std::string_view standard_type, std::string_view text);

  /// Starts an element with `Name` if there is one, the given attributes, and those that the file had in addition.
  /// Those of elements inside a value are kept with a prefix, as in `Link@Path`.
  XmlText& start(const Source& source, std::string_view tag, std::initializer_list<Attribute> given = {},
                 std::string_view prefix = {});

  bool standard() const { return dialect_ == Dialect::Standard; }
  void complain(const Source& source);

  const Skeleton& skeleton_;
  const Dialect dialect_;
  const bool wide_indices_;
  const bool keep_order_;
  const Hierarchy tree_;
  XmlText xml_;
  std::uint32_t index_ = 0;        // of the bone being written
  std::uint32_t descendants_ = 0;  // of the same
  std::optional<Error> error_;
  std::string path_;
};

}  // namespace marrow::anvil
