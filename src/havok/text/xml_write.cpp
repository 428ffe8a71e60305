// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <string>

#include "core/utf8.h"
#include "havok/object/layout.h"
#include "havok/object/version.h"
#include "havok/packfile/node_numbers.h"
#include "havok/text/file_properties.h"
#include "havok/text/object_names.h"
#include "havok/text/value_text.h"
#include "havok/text/xml.h"
#include "havok/text/xml_names.h"
#include "havok/text/xml_properties.h"
#include "havok/text/xml_source.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

constexpr std::uint32_t kNumbersALine = 16;

int digits_of(std::uint32_t value) { return std::max(1, static_cast<int>(std::bit_width(value) + 3) / 4); }

class XmlWriter {
 public:
  XmlWriter(const Packfile& file, const XmlWriteOptions& options)
      : file_(file),
        is_plain_(options.style == XmlStyle::Plain),
        is_spaced_(!is_plain_ || file.xml_layout.is_spaced),
        ignored_(is_plain_ ? file.xml_layout.ignored : XmlLayout::Ignored::Comment),
        names_(object_names(file)) {}

  Result<std::vector<std::byte>> run() {
    if (file_.root.index >= file_.objects.size())
      return fail(ErrorCode::InvalidArgument, "the file has no root object");
    for (std::uint32_t i = 0; i < file_.objects.size(); ++i) {
      const Object& object = file_.objects[i];
      if (!is_utf8(object.class_name()))
        return fail(ErrorCode::Unrepresentable, "the name of a class is not text, so XML cannot hold it", kNoOffset,
                    path_of({i}));
      if (is_plain_ && !object.type)
        return fail(
            ErrorCode::Unrepresentable,
            "class " + object.opaque().class_name + " is not known, so plain XML cannot hold it; write exact XML",
            kNoOffset, path_of({i}));
    }
    out_ = "<?xml version=\"1.0\" encoding=\"ascii\"?>\n";
    write_packfile_tag();
    if (is_spaced_) out_ += '\n';
    out_ += "\t<hksection name=\"__data__\">\n";
    if (const auto numbers = behaviour_numbers(file_))
      for (const std::uint32_t i : numbers->in_order) write_object({i});
    else
      for (std::uint32_t i = 0; i < file_.objects.size(); ++i) write_object({i});
    if (is_dangling_) return fail(ErrorCode::InvalidArgument, "a pointer leads to no object");
    out_ += is_spaced_ ? "\n\t</hksection>\n\n</hkpackfile>\n" : "\t</hksection>\n</hkpackfile>\n";
    if (is_plain_ && !file_.xml_layout.ends_with_newline) out_.pop_back();
    const auto bytes = as_bytes(out_);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }

 private:
  void attribute(const char* name, std::string_view value) { append_attribute(out_, name, value); }

  void write_packfile_tag() {
    out_ += '<';
    out_ += xml::kPackfile;
    attribute(xml::kClassVersion, std::to_string(version_of(*file_.schema).file_version));
    attribute(xml::kContentsVersion, file_.schema->version());
    attribute(xml::kTopLevelObject, names_[file_.root.index]);
    if (!is_plain_) append_properties(out_, file_);
    out_ += ">\n";
  }

  void append_reference(ObjectId id) {
    if (id.index < names_.size()) return append_escaped(out_, names_[id.index]);
    out_ += "null";
    if (!id.is_null()) is_dangling_ = true;
  }

  void append_number(const Type& type, Kind kind, std::span<const std::byte> pods) {
    append_value(out_, type, kind, pods, is_plain_ ? NumberStyle::Fixed : NumberStyle::Exact);
  }

  void indent() { out_.append(depth_, '\t'); }

  void write_object(ObjectId id) {
    const Object& object = file_.at(id);
    depth_ = 2;
    if (is_spaced_) out_ += '\n';
    out_ += "\t\t<hkobject";
    attribute(xml::kName, names_[id.index]);
    attribute(xml::kClass, object.class_name());
    attribute(xml::kSignature, hex_text(object.signature(), is_plain_ ? digits_of(object.signature()) : 8));
    if (!object.type) attribute(xml::kOpaque, "1");
    out_ += ">\n";
    ++depth_;
    if (object.type)
      write_record(object.fields());
    else
      write_opaque(object.opaque());
    out_ += "\t\t</hkobject>\n";
  }

  void write_opaque(const Opaque& opaque) {
    open_param(xml::kBytes);
    out_ += hex_bytes(opaque.bytes);
    close_param();
    open_param(xml::kLocalFixups, opaque.local_fixups.size());
    for (const auto& [from, to] : opaque.local_fixups) out_ += std::to_string(from) + " " + std::to_string(to) + "\n";
    close_param();
    open_param(xml::kGlobalFixups, opaque.global_fixups.size());
    for (const auto& [from, to] : opaque.global_fixups) {
      out_ += std::to_string(from) + " ";
      append_reference(to);
      out_ += '\n';
    }
    close_param();
    if (opaque.type_fixups.empty()) return;
    open_param(xml::kTypeFixups, opaque.type_fixups.size());
    out_ += type_fixups_text(opaque);
    close_param();
  }

  void open_param(std::string_view name, std::optional<std::size_t> count = {}, bool latin1 = false) {
    indent();
    out_ += "<hkparam";
    attribute(xml::kName, name);
    if (count) attribute(xml::kCount, std::to_string(*count));
    if (latin1) attribute(xml::kLatin1, "1");
    out_ += '>';
  }
  void close_param() { out_ += "</hkparam>\n"; }

  void write_record(const FieldsView& fields) { write_members(fields.type(), fields); }

  // The bases of a class first.
  void write_members(const Class& type, const FieldsView& fields) {
    if (type.parent) write_members(*type.parent, fields);
    for (const Member& member : type.members) {
      if (!member.is_ignored) {
        write_member(member, fields);
      } else if (!member.name.empty() && ignored_ != XmlLayout::Ignored::Nothing) {
        indent();
        if (ignored_ == XmlLayout::Ignored::Comment) out_ += "<!-- " + member.name + " SERIALIZE_IGNORED -->";
        out_ += '\n';
      }
    }
  }

  void write_member(const Member& member, const FieldsView& fields) {
    const Type& type = member.type;
    if (is_array(type.kind)) {
      // No class repeats an array; if one did, each would be written separately.
      for (std::uint32_t i = 0; i < type.repeat; ++i) write_array(member, fields.ref(member, i).array());
      return;
    }
    if (type.kind == Kind::Record) {
      open_param(member.name);
      out_ += '\n';
      for (std::uint32_t i = 0; i < type.repeat; ++i) write_nested(fields.record(member, i));
      indent();
      return close_param();
    }
    if (type.kind == Kind::Text && type.repeat == 1) {
      const Ref& ref = fields.ref(member);
      open_param(member.name, {}, needs_latin1(ref));
      append_text(ref);
      return close_param();
    }
    open_param(member.name);
    for (std::uint32_t i = 0; i < type.repeat; ++i) {
      if (i > 0) out_ += ' ';
      write_single(member, fields, i);
    }
    close_param();
  }

  void write_single(const Member& member, const FieldsView& fields, std::uint32_t i) {
    const Element& element = element_of(member.type.kind);
    if (member.type.kind == Kind::Text)
      write_cstring(fields.ref(member, i));
    else if (element.ref_count > 0)
      append_reference(fields.ref(member, i).pointer());
    else
      append_number(member.type, member.type.kind,
                    fields.pods().subspan(member.pod_offset + i * element.pod_size, element.pod_size));
  }

  void write_nested(const FieldsView& fields) {
    ++depth_;
    indent();
    out_ += "<hkobject>\n";
    ++depth_;
    write_record(fields);
    --depth_;
    indent();
    out_ += "</hkobject>\n";
    --depth_;
  }

  void write_cstring(const Ref& ref) {
    out_ += needs_latin1(ref) ? "<hkcstring latin1=\"1\">" : "<hkcstring>";
    append_text(ref);
    out_ += "</hkcstring>";
  }

  void write_array(const Member& member, const Array& array) {
    open_param(member.name, array.count());
    if (array.count() > 0) {
      out_ += '\n';
      const Element& element = *member.type.layout;
      for (std::uint32_t i = 0; i < array.count(); ++i) write_element(member.type, element, array, i);
      if (!out_.ends_with('\n')) out_ += '\n';
      indent();
    }
    close_param();
  }

  void write_element(const Type& type, const Element& element, const Array& array, std::uint32_t i) {
    if (element.record) return write_nested(fields_at(element, array, i));
    const bool is_number = element.ref_count == 0 && float_count(element.kind) <= 1;
    if (is_number || (is_plain_ && element.ref_count > 0 && element.kind != Kind::Text)) {
      // Numbers are written several per line, and so are the pointers of plain XML.
      if (i % kNumbersALine == 0) {
        if (i > 0) out_ += '\n';
        out_.append(depth_ + 1, '\t');
      } else {
        out_ += ' ';
      }
      if (!is_number) return append_reference(array.refs()[i].pointer());
      return append_number(type, element.kind,
                           array.pods().subspan(std::size_t{i} * element.pod_size, element.pod_size));
    }
    out_.append(depth_ + 1, '\t');
    if (element.kind == Kind::Text)
      write_cstring(array.refs()[i]);
    else if (element.ref_count > 0)
      append_reference(array.refs()[i].pointer());
    else
      append_number(type, element.kind, array.pods().subspan(std::size_t{i} * element.pod_size, element.pod_size));
    out_ += '\n';
  }

  bool needs_latin1(const Ref& ref) const {
    const auto text = ref.text();
    return text && !is_plain_ && needs_bytes(*text);
  }

  void append_text(const Ref& ref) {
    const auto text = ref.text();
    append_escaped(out_, text.value_or(xml::kNullText));
  }

  const Packfile& file_;
  bool is_plain_, is_spaced_;
  XmlLayout::Ignored ignored_;
  bool is_dangling_ = false;
  std::vector<std::string> names_;  // by object
  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

Result<std::vector<std::byte>> write_xml(const Packfile& file, const XmlWriteOptions& options) {
  return XmlWriter(file, options).run();
}

}  // namespace marrow::havok
