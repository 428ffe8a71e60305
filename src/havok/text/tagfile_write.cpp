// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <string>
#include <unordered_set>

#include "core/utf8.h"
#include "havok/object/layout.h"
#include "havok/text/number.h"
#include "havok/text/object_names.h"
#include "havok/text/tagfile.h"
#include "havok/text/tagfile_names.h"
#include "havok/text/xml_names.h"
#include "havok/text/xml_properties.h"
#include "havok/text/xml_source.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

constexpr std::uint32_t kValuesALine = 16;

bool is_zero(std::span<const std::byte> pods, std::span<const Ref> refs) {
  return std::ranges::all_of(pods, [](std::byte b) { return b == std::byte{0}; }) &&
         std::ranges::all_of(refs, &Ref::is_null);
}

/// Collects the classes of the objects with their bases, and all classes that their members name. The root comes first.
std::vector<const Class*> used_classes(const Packfile& file) {
  std::vector<const Class*> used;
  std::unordered_set<const Class*> seen;
  const auto add = [&](const Class* type) {
    for (const Class* each : type->lineage())
      if (seen.insert(each).second) used.push_back(each);
  };
  add(file.at(file.root).type);
  for (const Object& object : file.objects) add(object.type);
  for (std::size_t i = 0; i < used.size(); ++i)
    for (const Member& member : used[i]->members)
      if (!member.is_ignored && member.type.record) add(member.type.record);
  return used;
}

class TagfileWriter {
 public:
  explicit TagfileWriter(const Packfile& file) : file_(file) {}

  Result<std::vector<std::byte>> run() {
    if (file_.root.index >= file_.objects.size())
      return fail(ErrorCode::InvalidArgument, "the file has no root object");
    for (std::uint32_t i = 0; i < file_.objects.size(); ++i)
      if (!file_.objects[i].type)
        return fail(ErrorCode::Unrepresentable,
                    "class " + file_.objects[i].opaque().class_name + " is not known, so a tagfile cannot hold it",
                    kNoOffset, path_of({i}));
    names_ = object_names(file_);
    out_ = "<?xml version=\"1.0\" encoding=\"us-ascii\"?>\n<hktagfile version=\"1\"";
    append_attribute(out_, tagfile::kSdkVersion, file_.schema->version());
    append_properties(out_, file_);
    out_ += ">\n";
    for (const Class* type : used_classes(file_)) write_class(*type);
    write_object(file_.root);
    for (std::uint32_t i = 0; i < file_.objects.size(); ++i)
      if (i != file_.root.index) write_object({i});
    if (is_dangling_) return fail(ErrorCode::InvalidArgument, "a pointer leads to no object");
    out_ += "</hktagfile>\n";
    const auto bytes = as_bytes(out_);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }

 private:
  void indent() { out_.append(2 * depth_, ' '); }

  void open(std::string_view tag, std::string_view name = {}, std::optional<std::uint32_t> size = {}) {
    indent();
    out_ += '<';
    out_ += tag;
    if (!name.empty()) append_attribute(out_, tagfile::kName, name);
    if (size) append_attribute(out_, tagfile::kSize, std::to_string(*size));
    out_ += '>';
  }
  void close(std::string_view tag) {
    out_ += "</";
    out_ += tag;
    out_ += ">\n";
  }

  void write_class(const Class& type) {
    out_ += "  <class";
    append_attribute(out_, tagfile::kName, type.name);
    out_ += " version=\"0\"";
    if (type.parent) append_attribute(out_, "parent", type.parent->name);
    out_ += ">\n";
    for (const Member& member : type.members) {
      if (member.name.empty()) continue;
      const bool is_list = is_array(member.type.kind);
      const Kind kind = member.is_ignored ? Kind::Void : is_list ? member.type.element : member.type.kind;
      out_ += "    <member";
      append_attribute(out_, tagfile::kName, member.name);
      append_attribute(out_, tagfile::kType, tagfile::word_of(kind));
      if (!member.is_ignored && is_list) out_ += " array=\"true\"";
      if (!member.is_ignored && member.type.repeat > 1)
        append_attribute(out_, "count", std::to_string(member.type.repeat));
      if (!member.is_ignored && member.type.record) append_attribute(out_, "class", member.type.record->name);
      out_ += " />\n";
    }
    out_ += "  </class>\n";
  }

  void write_object(ObjectId id) {
    const Object& object = file_.at(id);
    out_ += "  <object";
    append_attribute(out_, tagfile::kId, names_[id.index]);
    append_attribute(out_, tagfile::kType, object.type->name);
    out_ += ">\n";
    depth_ = 2;
    write_record(object.fields());
    out_ += "  </object>\n";
  }

  void write_record(const FieldsView& fields) {
    for (const Class* type : fields.type().lineage())
      for (const Member& member : type->members)
        if (!member.is_ignored) write_member(member, fields);
  }

  /// Values equal to the default are left out.
  void write_member(const Member& member, const FieldsView& fields) {
    const Type& type = member.type;
    const Element& one = type.kind == Kind::Record ? type.record->layout : element_of(type.kind);
    const auto pods = fields.pods().subspan(member.pod_offset, std::size_t{type.repeat} * one.pod_size);
    const auto refs = fields.refs().subspan(member.ref_offset, std::size_t{type.repeat} * one.ref_count);
    if (is_zero(pods, refs)) return;
    if (is_array(type.kind)) {
      const Array& array = refs[0].array();
      return write_list(tagfile::kArray, member.name, *type.layout, array.count(), array.pods(), array.refs());
    }
    if (type.repeat > 1) return write_list(tagfile::kTuple, member.name, one, type.repeat, pods, refs);
    write_value(member.name, one, pods, refs);
  }

  void write_list(std::string_view tag, std::string_view name, const Element& element, std::uint32_t count,
                  std::span<const std::byte> pods, std::span<const Ref> refs) {
    open(tag, name, count);
    out_ += '\n';
    ++depth_;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto value = pods.subspan(std::size_t{i} * element.pod_size, element.pod_size);
      if (!is_integer(element.kind)) {
        write_value({}, element, value, refs.subspan(std::size_t{i} * element.ref_count, element.ref_count));
        continue;
      }
      // Integers are written several per line.
      if (i % kValuesALine == 0) indent();
      append_integer(element.kind, value);
      out_ += i % kValuesALine == kValuesALine - 1 || i + 1 == count ? '\n' : ' ';
    }
    --depth_;
    indent();
    close(tag);
  }

  void write_value(std::string_view name, const Element& element, std::span<const std::byte> pods,
                   std::span<const Ref> refs) {
    const std::string_view tag = tagfile::word_of(element.kind);
    if (element.kind == Kind::Text) return write_text(name, refs[0]);
    open(tag, name);
    if (element.record) {
      out_ += '\n';
      ++depth_;
      write_record({*element.record, pods, refs});
      --depth_;
      indent();
    } else if (element.ref_count > 0) {
      append_reference(refs[0]);
    } else if (is_integer(element.kind)) {
      append_integer(element.kind, pods);
    } else {
      append_floats(element.kind, pods);
    }
    close(tag);
  }

  void write_text(std::string_view name, const Ref& ref) {
    const auto text = ref.text();
    indent();
    out_ += "<string";
    if (!name.empty()) append_attribute(out_, tagfile::kName, name);
    if (text && needs_bytes(*text)) append_attribute(out_, xml::kLatin1, "1");
    out_ += '>';
    append_escaped(out_, text.value_or(xml::kNullText));
    close(tagfile::kString);
  }

  void append_reference(const Ref& ref) {
    const ObjectId id = ref.pointer();
    if (id.index < names_.size()) return append_escaped(out_, names_[id.index]);
    out_ += "null";
    if (!id.is_null()) is_dangling_ = true;
  }

  void append_integer(Kind kind, std::span<const std::byte> pods) {
    const std::int64_t value = load_integer(kind, pods);
    if (kind == Kind::UInt64 || kind == Kind::ULong)
      append_uint(out_, static_cast<std::uint64_t>(value));
    else
      append_int(out_, value);
  }

  /// Writes the bits, so that nothing is lost, and the number as a comment for readers.
  void append_floats(Kind kind, std::span<const std::byte> pods) {
    for (std::uint32_t i = 0; i < std::max(float_count(kind), 1u); ++i) {
      const float value =
          kind == Kind::Half ? static_cast<float>(load_real(kind, pods)) : load<float>(pods, i * sizeof(float));
      if (i > 0) out_ += ' ';
      out_ += hex_text(std::bit_cast<std::uint32_t>(value), 8).substr(1) + " <!-- " + float_text(value) + " -->";
    }
  }

  const Packfile& file_;
  std::vector<std::string> names_;  // by object
  std::string out_;
  std::size_t depth_ = 0;
  bool is_dangling_ = false;
};

}  // namespace

Result<std::vector<std::byte>> write_tagfile_xml(const Packfile& file) { return TagfileWriter(file).run(); }

}  // namespace marrow::havok
