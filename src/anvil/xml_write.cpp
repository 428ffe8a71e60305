// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "anvil/encoding.h"
#include "anvil/kept_xml.h"
#include "anvil/slots.h"
#include "core/try.h"
#include "marrow/anvil/hierarchy.h"
#include "marrow/anvil/xml.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

constexpr bool is_plain(unsigned char c, bool attribute) {
  if (c == '&' || c == '<' || c == '>') return false;
  if (c == '"') return !attribute;
  return c >= 32 || (!attribute && (c == '\n' || c == '\t'));
}

// What stays as it is, by character: in text, and in attributes.
constexpr auto kPlain = [] {
  std::array<std::array<bool, 256>, 2> plain{};
  for (std::size_t c = 0; c < 256; ++c)
    for (const bool attribute : {false, true}) plain[attribute][c] = is_plain(static_cast<unsigned char>(c), attribute);
  return plain;
}();

void append_escaped(std::string& out, std::string_view text, bool attribute) {
  const auto& plain = kPlain[attribute];
  for (std::size_t at = 0;; ++at) {
    const std::size_t start = at;
    while (at < text.size() && plain[static_cast<unsigned char>(text[at])]) ++at;
    out.append(text.substr(start, at - start));
    if (at == text.size()) return;
    switch (text[at]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        out += "&#";
        append_uint(out, static_cast<unsigned char>(text[at]));
        out += ';';
    }
  }
}

struct Attribute {
  std::string_view name;
  std::string_view value;
};
using Attributes = std::vector<Attribute>;

/// Elements with indentation.
class XmlText {
 public:
  explicit XmlText(std::string_view indent) : indent_(indent) {}

  void open(std::string_view tag, const Attributes& attributes) {
    start(tag, attributes);
    text_ += ">\n";
    ++depth_;
    last_opened_ = text_.size();
  }
  /// Closes an element; an empty one becomes a self-closing tag.
  void close(std::string_view tag) {
    --depth_;
    if (text_.size() == last_opened_) {
      text_.replace(text_.size() - 2, 2, " />\n");
      return;
    }
    pad();
    text_ += "</";
    text_ += tag;
    text_ += ">\n";
  }
  void empty(std::string_view tag, const Attributes& attributes) {
    start(tag, attributes);
    text_ += " />\n";
  }
  void leaf(std::string_view tag, const Attributes& attributes, std::string_view value) {
    start(tag, attributes);
    text_ += '>';
    append_escaped(text_, value, false);
    text_ += "</";
    text_ += tag;
    text_ += ">\n";
  }
  void raw(std::string_view line) {
    text_ += line;
    text_ += '\n';
  }
  void kept(const Opaque& element, Dialect dialect) { append_kept(text_, element, dialect, indent_, depth_); }

  std::string take() && { return std::move(text_); }

 private:
  void pad() {
    for (unsigned i = 0; i < depth_; ++i) text_ += indent_;
  }
  void start(std::string_view tag, const Attributes& attributes) {
    pad();
    text_ += '<';
    text_ += tag;
    for (const Attribute& attribute : attributes) {
      text_ += ' ';
      text_ += attribute.name;
      text_ += "=\"";
      append_escaped(text_, attribute.value, true);
      text_ += '"';
    }
  }

  std::string text_;
  std::string_view indent_;
  unsigned depth_ = 0;
  std::size_t last_opened_ = 0;
};

/// Returns the shortest decimal that reads back the same; without an exponent if the games' tools use none.
std::string number_text(float value) {
  const float size = std::abs(value);
  if (!(size >= 1e-4f && size < 1e15f)) return float_text(value);
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return error == std::errc{} ? std::string(buffer, end) : float_text(value);
}

class Writer {
 public:
  Writer(const Skeleton& skeleton, Dialect dialect, bool wide_indices, bool keep_order)
      : skeleton_(skeleton),
        dialect_(dialect),
        wide_indices_(wide_indices),
        keep_order_(keep_order),
        tree_(hierarchy_of(skeleton)),
        xml_(dialect == Dialect::Standard ? "\t" : "  ") {}

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

  /// Returns `Name` if there is one, then the given attributes, then those that the file had in addition.
  Attributes attributes(const Source& source, Attributes given, std::string_view prefix = {}) const;

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

// ---- values
// ----------------------------------------------------------------------------------------------------------

Attributes Writer::attributes(const Source& source, Attributes given, std::string_view prefix) const {
  Attributes all;
  if (source.item < 0 && prefix.empty()) all.push_back({"Name", source.slot.name(dialect_)});
  all.insert(all.end(), given.begin(), given.end());
  const auto key = std::pair(source.field, source.item);
  const auto mine = std::ranges::equal_range(source.kept.own.attributes, key, {},
                                             [](const auto& a) { return std::pair(a.field, a.item); });
  for (const Kept::Attribute& attribute : mine) {
    const std::size_t mark = attribute.name.find('@');
    const std::size_t head = mark == std::string::npos ? 0 : mark + 1;
    if (std::string_view(attribute.name).substr(0, head) == prefix)
      all.push_back({std::string_view(attribute.name).substr(head), attribute.value});
  }
  return all;
}

void Writer::write_value(const Source& source, std::string_view standard_type, std::string_view text) {
  if (standard())
    xml_.leaf("Value", attributes(source, {{"Type", standard_type}}), text);
  else
    xml_.leaf(schema_type(standard_type), attributes(source, {}), text);
}

void Writer::complain(const Source& source) {
  if (error_) return;
  error_ = Error{ErrorCode::Unrepresentable,
                 "E_NAN: " + std::string(source.slot.name(dialect_)) +
                     " is not a finite number, which no game reads; set it with 'rig set' first",
                 kNoOffset, path_};
}

void Writer::write(const Source& source, const float& value) {
  if (!std::isfinite(value)) complain(source);
  write_value(source, "Single", number_text(value));
}

void Writer::write(const Source& source, const bool& value) {
  write_value(source, "Boolean", standard() ? (value ? "true" : "false") : (value ? "True" : "False"));
}

void Writer::write_integer(const Source& source, std::int64_t value, std::string_view standard_type) {
  const std::string text = std::to_string(value);
  const auto label = std::ranges::find_if(source.kept.own.labels, [&](const Kept::Label& kept) {
    return kept.field == source.field && kept.value == value && source.item < 0;
  });
  const EnumWords* words = source.slot.words;
  std::string_view type, word;
  if (label != source.kept.own.labels.end()) {
    type = label->type;
    word = label->word;
  } else if (words && !(standard() && source.slot.plain_in_standard)) {
    type = words->type;
    const bool known = value >= 0 && static_cast<std::size_t>(value) < words->words.size();
    word = known ? words->words[static_cast<std::size_t>(value)] : std::string_view(text);
  } else {
    return write_value(source, standard_type, text);
  }
  if (standard())
    xml_.leaf("Value", attributes(source, {{"Type", "Enum"}, {"EnumName", type}, {"ValueName", word}}), text);
  else
    xml_.leaf("Enum", attributes(source, {{"Type", type}, {"Value", word}}), text);
}

void Writer::write_four(const Source& source, std::string_view standard_tag, std::string_view schema_tag,
                        const std::array<float, 4>& values) {
  constexpr std::string_view axes[] = {"X", "Y", "Z", "W"};
  if (!std::ranges::all_of(values, [](float v) { return std::isfinite(v); })) complain(source);
  if (!standard()) {
    std::string text;
    for (const float value : values) text += (text.empty() ? "( " : ", ") + number_text(value);
    return xml_.leaf(schema_tag, attributes(source, {}), text + " )");
  }
  xml_.open(standard_tag, attributes(source, {}));
  for (std::size_t i = 0; i < 4; ++i) xml_.leaf(axes[i], {}, number_text(values[i]));
  xml_.close(standard_tag);
}

void Writer::write(const Source& source, const BoneLink& value) {
  if (value.is_null()) {
    if (standard())
      xml_.empty("ObjectPtr", attributes(source, {}));
    else
      xml_.empty("ObjectPtr", attributes(source, {{"PointerType", "Null"}}));
    return;
  }
  const std::string id = std::to_string(value.target);
  if (standard()) {
    xml_.open("ObjectPtr", attributes(source, {}));
    xml_.open("Link", attributes(source, {}, "Link@"));
    xml_.leaf("Value", {{"Name", "Value"}, {"Type", "UInt64"}}, id);
    xml_.close("Link");
  } else {
    xml_.open("ObjectPtr", attributes(source, {{"PointerType", "Link"}}));
    Attributes given;
    if (source.item < 0) given.push_back({"Name", source.slot.schema_name});
    given.push_back({"Path", id});
    xml_.leaf("Link", attributes(source, std::move(given), "Link@"), id);
  }
  xml_.close("ObjectPtr");
}

void Writer::write(const Source& source, const FileReference& value) {
  const std::string id = std::to_string(value.id);
  xml_.open("Reference", attributes(source, {}));
  xml_.leaf("FileReference",
            attributes(source, {{"Name", "Value"}, {"IsGlobal", value.is_global ? "1" : "0"}, {"Path", value.path}},
                       "FileReference@"),
            id);
  xml_.close("Reference");
}

void Writer::write(const Source& source, const BoneName& value) {
  const std::string id = std::to_string(value.hash);
  const std::string text = value.text.empty() ? display_name(value) : value.text;
  if (standard())
    xml_.leaf("Value", attributes(source, {{"Type", "UInt32"}, {"HashName", text}}), id);
  else
    xml_.leaf("Hash32", attributes(source, {{"HashValue", text}}), id);
}

void Writer::write(const Source& source, const Opaque& value) {
  if (!value.is_null()) return xml_.kept(value, dialect_);
  const bool list = source.slot.standard_tag == "List";
  if (standard())
    xml_.empty(source.slot.standard_tag.empty() ? "ObjectPtr" : source.slot.standard_tag, attributes(source, {}));
  else if (list)
    xml_.empty("DynamicSmallArray", attributes(source, {{"Type", "ObjectPtr"}}));
  else
    xml_.empty("ObjectPtr", attributes(source, {{"PointerType", "Null"}}));
}

void Writer::write(const Source& source, const Computed&) {
  const bool is_index = source.slot.schema_name == "Index";
  xml_.leaf(wide_indices_ ? "Unsigned16" : "Unsigned8", attributes(source, {}),
            std::to_string(is_index ? index_ : descendants_));
}

// ---- lists and objects
// -----------------------------------------------------------------------------------------------

std::string_view class_of(const Hinge&) { return "Hinge"; }
std::string_view class_of(const RotationExpression&) { return "RotationExpression"; }
std::string_view class_of(const Modifier& modifier) { return class_name(modifier); }

template <class Item>
constexpr std::string_view schema_item_type() {
  if constexpr (std::is_same_v<Item, bool>) return "Bool";
  if constexpr (std::is_same_v<Item, float>) return "Float";
  if constexpr (std::is_same_v<Item, std::uint32_t>) return "Unsigned32";
  return "ObjectPtr";
}

// Elements inside a list come before the item with their number; the last ones follow all items.
template <class Item>
void Writer::write(const Source& source, const std::vector<Item>& list) {
  const std::string_view tag = standard() ? "List" : "DynamicSmallArray";
  const auto inside = std::ranges::equal_range(source.kept.own.elements, source.field, {}, &Kept::Element::after);
  auto next = std::ranges::find_if(inside, [](const Kept::Element& element) { return element.item >= 0; });
  const Attributes given =
      attributes(source, standard() ? Attributes{} : Attributes{{"Type", schema_item_type<Item>()}});
  xml_.open(tag, given);
  const auto flush = [&](std::size_t before) {
    for (; next != inside.end() && (next->item < 0 || static_cast<std::size_t>(next->item) <= before); ++next)
      xml_.kept({next->xml, next->dialect}, dialect_);
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    flush(i);
    if constexpr (std::is_same_v<Item, Bone>) {
      const std::size_t bone = keep_order_ ? i : static_cast<std::size_t>(tree_.depth_first[i]);
      index_ = static_cast<std::uint32_t>(i);
      descendants_ = tree_.descendants[bone];
      path_ = "bone " + display_name(list[bone].name);
      write_object(list[bone], kept_of(list[bone]), "Bone");
    } else if constexpr (kIsPart<Item>) {
      write_object(list[i], KeptView{source.kept.part(i)}, class_of(list[i]));
    } else if constexpr (kIsObject<Item>) {
      write_object(list[i], kept_of(list[i]), class_of(list[i]));
    } else {
      const Item item = list[i];
      write(Source{source.slot, source.field, static_cast<std::int32_t>(i), source.kept}, item);
    }
  }
  flush(~std::size_t{0});
  xml_.close(tag);
}

void Writer::write_kept(const Kept& kept, std::int16_t after, std::int32_t item) {
  const auto mine = std::ranges::equal_range(kept.elements, std::pair(after, item), {},
                                             [](const auto& e) { return std::pair(e.after, e.item); });
  for (const Kept::Element& element : mine) xml_.kept({element.xml, element.dialect}, dialect_);
}

template <class Object>
void Writer::write_children(const Object& object, const KeptView& view, const Slots& slots) {
  const Kept& kept = view.own;
  write_kept(kept, Kept::kObject, -1);
  const Slots defaults = kept.absent ? default_slots(object) : Slots{};
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto field = static_cast<std::int16_t>(i);
    const bool left_out = (kept.absent >> i & 1) && same_value(slots[i], defaults[i]);
    // What Standard implies is still written if it carries something that would otherwise be lost.
    const bool carries = slots[i].place == Place::OnlyInSchema &&
                         std::ranges::find(kept.attributes, field, &Kept::Attribute::field) != kept.attributes.end();
    const bool here = slots[i].place == Place::Element || dialect_ == Dialect::Schema || carries;
    if (here && !left_out)
      std::visit([&](auto* value) { write(Source{slots[i], field, -1, view}, std::as_const(*value)); }, slots[i].at);
    write_kept(kept, field, -1);
  }
}

// Returns a value as the attributes of the Standard dialect have it.
std::string attribute_text(const SlotPointer& at) {
  if (const auto* number = std::get_if<float*>(&at)) return number_text(**number);
  if (const auto* flag = std::get_if<bool*>(&at)) return **flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int32_t*>(&at)) return std::to_string(**integer);
  return {};
}

template <class Object>
void Writer::write_object(const Object& object, const KeptView& view, std::string_view name, bool root) {
  const Kept& kept = view.own;
  const Slots slots = slots_to_read(object);
  const std::string id = std::to_string(object.id);
  Attributes given;
  if (object.id != 0 || !std::is_same_v<Object, RotationExpression>) given.push_back({"ID", id});
  std::vector<std::string> texts(slots.size());
  if (standard()) {
    const Slots defaults = kept.absent ? default_slots(object) : Slots{};
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].place != Place::AttributeInStandard) continue;
      if ((kept.absent >> i & 1) && same_value(slots[i], defaults[i])) continue;
      if (const auto* number = std::get_if<float*>(&slots[i].at); number && !std::isfinite(**number))
        complain({slots[i], static_cast<std::int16_t>(i), -1, view});
      texts[i] = attribute_text(slots[i].at);
      given.push_back({slots[i].standard_name, texts[i]});
    }
  } else {
    given.push_back({"Type", name});
    if (!root) given.push_back({"PointerType", "Inlined"});
  }
  for (const Kept::Attribute& attribute : kept.attributes) {
    if (attribute.field != Kept::kObject) break;  // sorted: those of the object come first
    given.push_back({attribute.name, attribute.value});
  }
  const bool wrapped = standard() && (std::is_same_v<Object, Hinge> || std::is_same_v<Object, RotationExpression>);
  const std::string_view tag = standard() ? name : root ? "Object" : "ObjectPtr";
  if (wrapped) xml_.open("BaseObject", {});
  xml_.open(tag, given);
  write_children(object, view, slots);
  xml_.close(tag);
  if (wrapped) xml_.close("BaseObject");
}

Result<std::string> Writer::write() {
  std::string info = "<?info tool=\"";
  append_escaped(info, skeleton_.origin.tool, true);
  info += "\" toolVersion=\"";
  append_escaped(info, skeleton_.origin.tool_version, true);
  info += standard() ? "\" type=\"0\"?>" : "\" type=\"1\"?>";
  xml_.raw(standard() ? R"(<?xml version="1.0" encoding="utf-16"?>)" : R"(<?xml version="1.0" encoding="utf-8"?>)");
  xml_.raw(info);
  for (const std::string& comment : skeleton_.origin.comments) xml_.raw(comment);
  path_ = "skeleton";
  write_object(skeleton_, kept_of(skeleton_), "Skeleton", true);
  if (error_) return std::unexpected(*error_);
  return std::move(xml_).take();
}

// The line endings of the games' tools.
std::string with_carriage_returns(std::string_view text) {
  std::string result;
  result.reserve(text.size() + static_cast<std::size_t>(std::ranges::count(text, '\n')));
  std::size_t at = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', at)) {
    result.append(text.substr(at, end - at));
    result += "\r\n";
    at = end + 1;
  }
  result.append(text.substr(at));
  return result;
}

}  // namespace

Result<std::vector<std::byte>> write_xml(const Skeleton& skeleton, const WriteOptions& options) {
  const std::size_t count = skeleton.bones.size();
  const bool wide = options.game ? has_wide_indices(*options.game) : skeleton.origin.wide_indices || count > 255;
  const std::uint32_t limit = wide ? 65535 : 255;
  if (count > limit && (options.game || options.dialect == Dialect::Schema))
    return fail(ErrorCode::Unrepresentable, "E_BONE_LIMIT: " + std::to_string(count) + " bones, and " +
                                                (options.game ? std::string(title(*options.game)) : "a 16-bit index") +
                                                " supports at most " + std::to_string(limit) +
                                                "; remove bones, or write for a later game");
  MARROW_TRY(const std::string text, Writer(skeleton, options.dialect, wide, options.keep_order).write());
  const std::string lines = with_carriage_returns(text);
  if (options.dialect == Dialect::Standard) return encode_utf16(lines);
  const auto bytes = std::as_bytes(std::span(lines));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace marrow::anvil
