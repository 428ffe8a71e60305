// SPDX-License-Identifier: MIT
// One walk over the objects, two ways to write it down.
#include "havok/text/dump.h"

#include <bit>
#include <cmath>

#include "core/utf8.h"
#include "havok/object/layout.h"
#include "havok/text/file_properties.h"
#include "havok/text/json_names.h"
#include "havok/text/number.h"
#include "havok/text/value_text.h"
#include "havok/text/xml_properties.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

// A value inside a record or array: its name or index, and its offset in the file.
struct Place {
  std::string_view name;  // of a field; empty for an element
  std::optional<std::uint32_t> index;
  std::optional<std::uint64_t> offset;
};

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  const bool valid = is_utf8(text);
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !valid)) {
      // Bytes that are not UTF-8 are shown as Latin-1 characters.
      out += "\\u00";
      out += "0123456789abcdef"[byte >> 4];
      out += "0123456789abcdef"[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

class TextSink {
 public:
  std::string out;

  void begin_file(const Packfile&) {}
  void end_file() {}
  void begin_object(std::uint32_t index, const Object& object, std::optional<std::uint64_t> offset) {
    out += "object " + std::to_string(index) + " " + std::string(object.class_name());
    if (offset) out += " at " + hex(*offset);
    out += '\n';
    depth_ = 1;
  }
  void end_object(const Object&) {}
  void begin_record(const Place& place) {
    line(place);
    out += '\n';
    ++depth_;
  }
  void end_record() { --depth_; }
  void begin_array(const Place& place, std::uint32_t count, std::optional<std::uint64_t> payload) {
    line(place);
    out += " " + std::to_string(count) + (count == 1 ? " element" : " elements");
    if (payload && count > 0) out += " at " + hex(*payload);
    out += '\n';
    ++depth_;
  }
  void end_array() { --depth_; }
  void number(const Place& place, const Type& type, Kind kind, std::span<const std::byte> pods) {
    line(place);
    out += ' ';
    append_value(out, type, kind, pods);
    out += '\n';
  }
  void text(const Place& place, std::optional<std::string_view> value) {
    line(place);
    out += ' ';
    if (value)
      append_quoted(out, *value);
    else
      out += "null";
    out += '\n';
  }
  void pointer(const Place& place, ObjectId id, std::string_view class_name) {
    line(place);
    out += id.is_null() ? " null" : " -> object " + std::to_string(id.index) + " " + std::string(class_name);
    out += '\n';
  }
  void opaque(const Opaque& opaque) {
    out += "  " + std::to_string(opaque.bytes.size()) + " bytes of a class that is not known\n";
  }

 private:
  static std::string hex(std::uint64_t value) { return hex_text(value, 6); }
  void line(const Place& place) {
    out += place.offset ? hex(*place.offset) : std::string(8, ' ');
    out.append(2 * depth_, ' ');
    if (place.index)
      out += "[" + std::to_string(*place.index) + "]";
    else
      out += place.name;
    out += ':';
  }
  std::size_t depth_ = 0;
};

// docs/formats/packfile-json.md describes the form, `json_read.cpp` reads it.
class JsonSink {
 public:
  std::string out;

  void begin_file(const Packfile& file) {
    out = "{";
    text_member(json::kFormat, json::kFormatName);
    text_member(json::kVersion, file.schema->version());
    number_member(json::kPointerSize, file.pointer_size);
    if (!file.root.is_null()) number_member(json::kRoot, file.root.index);
    const Packfile usual = make_packfile(*file.schema, file.pointer_size);
    if (file.padding != usual.padding) {
      key({json::kPadding, {}, {}});
      const Padding& p = file.padding;
      out += "[" + std::to_string(p.bodies) + "," + std::to_string(p.arrays) + "," + std::to_string(p.strings) + "," +
             std::to_string(p.class_names) + "]";
    }
    if (file.user_tag != usual.user_tag) number_member(json::kUserTag, file.user_tag);
    if (file.flags != usual.flags) number_member(json::kFlags, file.flags);
    if (file.max_predicate != usual.max_predicate) number_member(json::kMaxPredicate, file.max_predicate);
    if (file.predicates != usual.predicates) text_member(json::kPredicates, hex_bytes(file.predicates));
    for (const auto& [name, value] : rare_properties(file)) text_member(name, value);
    key({json::kObjects, {}, {}});
    out += '[';
  }
  void end_file() { out += "\n]}\n"; }

  void begin_object(std::uint32_t index, const Object& object, std::optional<std::uint64_t> offset) {
    comma();
    out += "\n{\"object\":" + std::to_string(index);
    text_member(json::kClass, object.class_name());
    if (!object.name().empty()) text_member(json::kName, object.name());
    if (offset) number_member(json::kOffset, *offset);
    if (!object.type) return;
    key({json::kFields, {}, {}});
    out += '{';
  }
  void end_object(const Object& object) { out += object.type ? "}}" : "}"; }
  void begin_record(const Place& place) {
    key(place);
    out += '{';
  }
  void end_record() { out += '}'; }
  void begin_array(const Place& place, std::uint32_t, std::optional<std::uint64_t>) {
    key(place);
    out += '[';
  }
  void end_array() { out += ']'; }
  void number(const Place& place, const Type& type, Kind kind, std::span<const std::byte> pods) {
    key(place);
    const std::uint32_t floats = float_count(kind);
    if (floats > 1) {
      for (std::uint32_t i = 0; i < floats; ++i) {
        out += i == 0 ? '[' : ',';
        append_real(load<float>(pods, i * sizeof(float)));
      }
      out += ']';
    } else if (floats == 1 || kind == Kind::Half) {
      append_real(static_cast<float>(load_real(kind, pods)));
    } else if (type.names) {
      std::string name;
      append_value(name, type, kind, pods);
      append_quoted(out, name);
    } else {
      append_value(out, type, kind, pods);
    }
  }
  void text(const Place& place, std::optional<std::string_view> value) {
    key(place);
    if (value)
      append_any_text(*value);
    else
      out += "null";
  }
  void pointer(const Place& place, ObjectId id, std::string_view) {
    key(place);
    out += id.is_null() ? "null" : "{\"object\":" + std::to_string(id.index) + "}";
  }
  void opaque(const Opaque& opaque) {
    text_member(json::kSignature, hex_text(opaque.signature, 8));
    text_member(json::kBytes, hex_bytes(opaque.bytes));
    key({json::kLocalFixups, {}, {}});
    out += '[';
    for (const auto& [from, to] : opaque.local_fixups) pair(from, to);
    out += ']';
    key({json::kGlobalFixups, {}, {}});
    out += '[';
    for (const auto& [from, to] : opaque.global_fixups) pair(from, to.index);
    out += ']';
    if (!opaque.type_fixups.empty()) text_member(json::kTypeFixups, type_fixups_text(opaque));
  }

 private:
  void comma() {
    if (!out.ends_with('[') && !out.ends_with('{')) out += ',';
  }
  void pair(std::uint32_t from, std::uint32_t to) {
    comma();
    out += "[" + std::to_string(from) + "," + std::to_string(to) + "]";
  }
  template <class Number>
  void number_member(std::string_view name, Number value) {
    key({name, {}, {}});
    out += std::to_string(value);
  }
  void text_member(std::string_view name, std::string_view value) {
    key({name, {}, {}});
    append_any_text(value);
  }
  // Bytes that are not UTF-8 are marked, since JSON holds characters.
  void append_any_text(std::string_view value) {
    if (is_utf8(value)) return append_quoted(out, value);
    out += "{\"latin1\":";
    append_quoted(out, value);
    out += '}';
  }
  void key(const Place& place) {
    comma();
    if (place.index) return;
    append_quoted(out, place.name);
    out += ':';
  }
  void append_real(float value) {
    const std::string text = float_text(value);
    // Readers go through double: what that would round to another float is written as bits, like inf and nan.
    const auto read = parse_double(text);
    if (std::isfinite(value) && read && static_cast<float>(*read) == value)
      out += text == "-0" ? "-0.0" : text;  // many readers of JSON take -0 for an integer, which has no sign
    else
      out += '"' + hex_text(std::bit_cast<std::uint32_t>(value), 8) + '"';
  }
};

template <class Sink>
class Walker {
 public:
  Walker(const Packfile& file, Sink& sink) : file_(file), sink_(sink), layout_(file.layout().index()) {}

  void walk(ObjectId id) {
    const Object& object = file_.at(id);
    if (object.type) file_.schema->find(object.type->name, file_.layout());  // offsets are shown
    has_offsets_ = object.body().source_offset() != 0;
    sink_.begin_object(id.index, object, at(object.body().source_offset()));
    if (object.type)
      walk_fields(object.fields(), object.body().source_offset());
    else
      sink_.opaque(object.opaque());
    sink_.end_object(object);
  }

 private:
  std::optional<std::uint64_t> at(std::uint64_t offset) const {
    return has_offsets_ ? std::optional(offset) : std::nullopt;
  }

  void walk_fields(const FieldsView& fields, std::uint64_t base) {
    for (const Class* type : fields.type().lineage())
      for (const Member& member : type->members)
        if (!member.is_ignored) walk_member(member, fields, base + member.file_offset[layout_]);
  }

  void walk_member(const Member& member, const FieldsView& fields, std::uint64_t offset) {
    const Place place{member.name, {}, at(offset)};
    if (member.type.repeat == 1) return walk_value(member, fields, 0, place, offset);
    const std::uint64_t stride = member.type.kind == Kind::Record ? member.type.record->layout.file_size[layout_]
                                                                  : element_of(member.type.kind).file_size[layout_];
    sink_.begin_array(place, member.type.repeat, {});
    for (std::uint32_t i = 0; i < member.type.repeat; ++i)
      walk_value(member, fields, i, {{}, i, at(offset + i * stride)}, offset + i * stride);
    sink_.end_array();
  }

  void walk_value(const Member& member, const FieldsView& fields, std::uint32_t i, const Place& place,
                  std::uint64_t offset) {
    const Type& type = member.type;
    if (type.kind == Kind::Record) {
      sink_.begin_record(place);
      walk_fields(fields.record(member, i), offset);
      return sink_.end_record();
    }
    const Element& element = element_of(type.kind);
    if (element.ref_count > 0) return walk_ref(type, fields.ref(member, i), place);
    sink_.number(place, type, type.kind,
                 fields.pods().subspan(member.pod_offset + i * element.pod_size, element.pod_size));
  }

  void walk_ref(const Type& type, const Ref& ref, const Place& place) {
    if (is_array(type.kind)) return walk_array(type, ref.array(), place);
    if (type.kind == Kind::Text) return sink_.text(place, ref.text());
    const ObjectId id = ref.pointer();
    sink_.pointer(place, id, id.is_null() ? "" : file_.at(id).class_name());
  }

  void walk_array(const Type& type, const Array& array, const Place& place) {
    const Element& element = *type.layout;
    sink_.begin_array(place, array.count(), at(array.source_offset()));
    for (std::uint32_t i = 0; i < array.count(); ++i) {
      const std::uint64_t offset = array.source_offset() + std::uint64_t{i} * element.file_size[layout_];
      const Place entry{{}, i, at(offset)};
      if (element.record) {
        sink_.begin_record(entry);
        walk_fields(fields_at(element, array, i), offset);
        sink_.end_record();
      } else if (element.ref_count > 0) {
        walk_ref(Type{.kind = type.element}, array.refs()[i], entry);
      } else {
        sink_.number(entry, type, type.element,
                     array.pods().subspan(std::size_t{i} * element.pod_size, element.pod_size));
      }
    }
    sink_.end_array();
  }

  const Packfile& file_;
  Sink& sink_;
  std::size_t layout_;
  bool has_offsets_ = false;
};

template <class Sink>
Sink walk_file(const Packfile& file, std::optional<ObjectId> only) {
  Sink sink;
  sink.begin_file(file);
  Walker<Sink> walker(file, sink);
  for (std::uint32_t i = 0; i < file.objects.size(); ++i)
    if (!only || only->index == i) walker.walk({i});
  sink.end_file();
  return sink;
}

}  // namespace

std::string dump_text(const Packfile& file, std::optional<ObjectId> only) {
  return walk_file<TextSink>(file, only).out;
}

std::string dump_json(const Packfile& file, std::optional<ObjectId> only) {
  return walk_file<JsonSink>(file, only).out;
}

}  // namespace marrow::havok
