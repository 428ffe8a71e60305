// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <pugixml.hpp>

#include "anvil/encoding.h"
#include "anvil/kept_xml.h"
#include "anvil/slots.h"
#include "core/try.h"
#include "marrow/anvil/xml.h"
#include "marrow/core/crc32.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

using pugi::xml_node;

template <class T>
inline constexpr bool kIsList = false;
template <class Item>
inline constexpr bool kIsList<std::vector<Item>> = true;

/// Tells if an element was understood; others are kept unchanged.
enum class Understood : bool { No, Yes };

bool is_element(xml_node node) { return node.type() == pugi::node_element; }
bool is_remark(xml_node node) { return node.type() == pugi::node_comment || node.type() == pugi::node_pi; }

bool has_content(xml_node node) {
  for (const xml_node child : node.children())
    if (is_element(child) || (child.type() == pugi::node_pcdata && !trim(child.value()).empty()) ||
        child.type() == pugi::node_cdata)
      return true;
  return false;
}

/// A tag of the Standard dialect must be an XML name.
bool is_xml_name(std::string_view name) {
  const auto starts = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; };
  const auto goes_on = [&](char c) { return starts(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':'; };
  return !name.empty() && starts(name.front()) && std::ranges::all_of(name, goes_on);
}

class Reader {
 public:
  Reader(const SourceText& source, const NameTable& names, const Limits& limits)
      : source_(source), names_(names), limits_(limits) {}

  Result<Skeleton> read(const pugi::xml_document& document);

 private:
  template <class Object>
  Result<void> read_object(xml_node node, Object& object, Kept& kept, std::vector<Kept>* parts = nullptr);
  void keep_attributes(xml_node node, std::span<const std::string_view> known, std::string_view prefix,
                       std::int16_t field, std::int32_t item, Kept& kept) const;
  void keep_remarks(xml_node node, std::int16_t field, Kept& kept) const;
  void keep(xml_node node, std::int16_t after, std::int32_t item, Kept& kept) const;

  struct Target {
    const Slot& slot;
    std::int16_t field;
    std::int32_t item;
    Kept& kept;
    std::vector<Kept>* parts;  // of a modifier: the kept data of the objects inside it
  };
  Result<Understood> read_slot(xml_node node, const Target& target);
  Result<Understood> read(xml_node node, const Target& target, float& value);
  Result<Understood> read(xml_node node, const Target& target, bool& value);
  Result<Understood> read(xml_node node, const Target& target, std::uint8_t& value);
  Result<Understood> read(xml_node node, const Target& target, std::int32_t& value);
  Result<Understood> read(xml_node node, const Target& target, std::uint32_t& value);
  Result<Understood> read(xml_node node, const Target& target, Vec4& value);
  Result<Understood> read(xml_node node, const Target& target, Quat& value);
  Result<Understood> read(xml_node node, const Target& target, BoneLink& value);
  Result<Understood> read(xml_node node, const Target& target, FileReference& value);
  Result<Understood> read(xml_node node, const Target& target, BoneName& value);
  Result<Understood> read(xml_node node, const Target& target, Opaque& value);
  Result<Understood> read(xml_node node, const Target& target, Computed& value);
  template <class Item>
  Result<Understood> read(xml_node node, const Target& target, std::vector<Item>& list);
  template <class Item>
  Result<Understood> read_item(xml_node node, const Target& target, std::vector<Item>& list);

  template <class Integer>
  Result<Understood> read_integer(xml_node node, const Target& target, Integer& value);
  void read_word(xml_node node, const Target& target, std::int64_t value);
  Result<std::array<float, 4>> read_four(xml_node node);
  Result<std::uint64_t> read_id(xml_node node) const;
  /// The element of an object inside a list: `Bone ID=...`, `ObjectPtr Type="Bone"`, wrapped or not.
  xml_node object_in(xml_node item) const;
  std::string_view class_of(xml_node object) const;

  std::uint32_t line_of(xml_node node) const;
  std::unexpected<Error> refuse(xml_node node, std::string why) const;

  const SourceText& source_;
  const NameTable& names_;
  const Limits& limits_;
  Dialect dialect_ = Dialect::Standard;
  std::uint32_t objects_ = 0;
  bool wide_indices_ = false;
};

std::uint32_t Reader::line_of(xml_node node) const {
  const std::ptrdiff_t at = node.offset_debug();
  return at < 0 ? 0 : source_.line_of(static_cast<std::size_t>(at));
}

// Returns `Skeleton/Bones/Bone[12]/BoneModifiers`, computed from the tree: readers need no path of their own.
std::string path_of(xml_node node) {
  std::vector<std::string> parts;
  for (int depth = 0; node && is_element(node) && depth < 16; node = node.parent(), ++depth) {
    std::string part = *node.attribute("Name").value() ? node.attribute("Name").value() : node.name();
    if (const auto id = node.attribute("ID")) part += std::string("[ID ") + id.value() + "]";
    parts.push_back(std::move(part));
  }
  std::string path;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) path += (path.empty() ? "" : "/") + *part;
  return path;
}

std::unexpected<Error> Reader::refuse(xml_node node, std::string why) const {
  const std::ptrdiff_t at = node.offset_debug();
  return fail(ErrorCode::Malformed, "line " + std::to_string(line_of(node)) + ": " + std::move(why),
              at < 0 ? kNoOffset : source_.file_offset(static_cast<std::size_t>(at)), path_of(node));
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text.substr(0, 40)) + (text.size() > 40 ? "..." : "") + "'";
}

// ---- what is not known ---------------------------------------------------------------------------------------------

void Reader::keep(xml_node node, std::int16_t after, std::int32_t item, Kept& kept) const {
  Opaque element = keep_element(node, dialect_);
  kept.elements.push_back({after, item, element.dialect, std::move(element.xml)});
}

void Reader::keep_attributes(xml_node node, std::span<const std::string_view> known, std::string_view prefix,
                             std::int16_t field, std::int32_t item, Kept& kept) const {
  for (const pugi::xml_attribute attribute : node.attributes())
    if (std::ranges::find(known, std::string_view(attribute.name())) == known.end())
      kept.attributes.push_back({field, item, std::string(prefix) + attribute.name(), attribute.value()});
}

// Comments inside an element that is understood move behind it.
void Reader::keep_remarks(xml_node node, std::int16_t field, Kept& kept) const {
  std::vector<xml_node> open = {node};
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const xml_node child : open[i].children()) {
      if (is_remark(child)) keep(child, field, -1, kept);
      if (is_element(child)) open.push_back(child);
    }
}

// ---- values
// ----------------------------------------------------------------------------------------------------------

Result<Understood> Reader::read(xml_node node, const Target&, float& value) {
  if (has_element_children(node)) return Understood::No;
  const auto number = parse_float(node.child_value());
  if (!number) return refuse(node, quoted(node.child_value()) + " is not a number");
  value = *number;
  return Understood::Yes;
}

Result<Understood> Reader::read(xml_node node, const Target&, bool& value) {
  if (has_element_children(node)) return Understood::No;
  const std::string_view text = trim(node.child_value());
  if (equal_ignoring_case(text, "true") || text == "1")
    value = true;
  else if (equal_ignoring_case(text, "false") || text == "0")
    value = false;
  else
    return refuse(node, quoted(text) + " is neither true nor false");
  return Understood::Yes;
}

// A word that differs from the table's word for that number is kept with it.
void Reader::read_word(xml_node node, const Target& target, std::int64_t value) {
  const bool standard = dialect_ == Dialect::Standard;
  const bool named =
      standard ? std::string_view(node.attribute("Type").value()) == "Enum" : std::string_view(node.name()) == "Enum";
  if (!named) return;
  const std::string_view type = node.attribute(standard ? "EnumName" : "Type").value();
  const std::string_view word = node.attribute(standard ? "ValueName" : "Value").value();
  const EnumWords* words = target.slot.words;
  const bool known = words && value >= 0 && static_cast<std::size_t>(value) < words->words.size();
  const bool usual_place = words && !(standard && target.slot.plain_in_standard);
  if (usual_place && type == words->type &&
      (known ? word == words->words[static_cast<std::size_t>(value)] : word.empty() || word == std::to_string(value)))
    return;
  target.kept.labels.push_back({target.field, value, std::string(type), std::string(word)});
}

template <class Integer>
Result<Understood> Reader::read_integer(xml_node node, const Target& target, Integer& value) {
  if (has_element_children(node)) return Understood::No;
  const auto number = parse_int(node.child_value());
  if (!number) return refuse(node, quoted(node.child_value()) + " is not a whole number");
  if (!std::in_range<Integer>(*number))
    return refuse(node,
                  quoted(node.child_value()) + " does not fit into " + std::to_string(8 * sizeof(Integer)) + " bits");
  value = static_cast<Integer>(*number);
  read_word(node, target, *number);
  return Understood::Yes;
}

Result<Understood> Reader::read(xml_node node, const Target& target, std::uint8_t& value) {
  return read_integer(node, target, value);
}
Result<Understood> Reader::read(xml_node node, const Target& target, std::int32_t& value) {
  return read_integer(node, target, value);
}
Result<Understood> Reader::read(xml_node node, const Target& target, std::uint32_t& value) {
  return read_integer(node, target, value);
}

Result<Understood> Reader::read(xml_node node, const Target& target, Computed& value) {
  std::uint32_t number = 0;
  MARROW_TRY(const Understood understood, read_integer(node, target, number));
  if (understood == Understood::Yes) value.stated = number;
  wide_indices_ |= std::string_view(node.name()) == "Unsigned16";
  return understood;
}

// Reads four numbers as children X Y Z W or as `( x, y, z, w )`; both dialects accept both forms.
Result<std::array<float, 4>> Reader::read_four(xml_node node) {
  std::array<float, 4> four{};
  const auto number = [&](std::string_view text, float& value) -> Result<void> {
    const auto parsed = parse_float(text);
    if (!parsed) return refuse(node, quoted(text) + " is not a number");
    value = *parsed;
    return {};
  };
  if (has_element_children(node)) {
    for (std::size_t i = 0; i < 4; ++i) {
      constexpr const char* axes[] = {"X", "Y", "Z", "W"};
      if (const xml_node child = node.child(axes[i])) MARROW_CHECK(number(child.child_value(), four[i]));
    }
    return four;
  }
  std::string_view text = trim(node.child_value());
  if (text.empty()) return refuse(node, "four numbers are missing");
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i == 3))
      return refuse(node, "there are not four numbers in " + quoted(node.child_value()));
    MARROW_CHECK(number(text.substr(0, comma), four[i]));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return four;
}

bool has_only(xml_node node, std::initializer_list<std::string_view> tags) {
  return std::ranges::all_of(node.children(), [&](xml_node child) {
    return !is_element(child) || std::ranges::find(tags, std::string_view(child.name())) != tags.end();
  });
}

Result<Understood> Reader::read(xml_node node, const Target&, Vec4& value) {
  if (!has_only(node, {"X", "Y", "Z", "W"})) return Understood::No;
  MARROW_TRY(const auto four, read_four(node));
  value = Vec4(four[0], four[1], four[2], four[3]);
  return Understood::Yes;
}

Result<Understood> Reader::read(xml_node node, const Target&, Quat& value) {
  if (!has_only(node, {"X", "Y", "Z", "W"})) return Understood::No;
  MARROW_TRY(const auto four, read_four(node));
  value = make_quat(four[0], four[1], four[2], four[3]);
  return Understood::Yes;
}

Result<std::uint64_t> Reader::read_id(xml_node node) const {
  const auto id = parse_uint(node.child_value());
  if (!id) return refuse(node, quoted(node.child_value()) + " is not an object id");
  return *id;
}

Result<Understood> Reader::read(xml_node node, const Target& target, BoneLink& value) {
  const std::string_view kind = node.attribute("PointerType").value();
  if (!has_only(node, {"Link"}) || (!kind.empty() && kind != "Null" && kind != "Link")) return Understood::No;
  value = {};
  const xml_node link = node.child("Link");
  if (!link) return Understood::Yes;
  constexpr std::string_view known[] = {"Name", "Path"};
  keep_attributes(link, known, "Link@", target.field, target.item, target.kept);
  const xml_node inner = link.child("Value");
  MARROW_TRY(value.target, read_id(inner ? inner : link));
  return Understood::Yes;
}

Result<Understood> Reader::read(xml_node node, const Target& target, FileReference& value) {
  if (!has_only(node, {"FileReference"})) return Understood::No;
  value = {};
  const xml_node reference = node.child("FileReference");
  if (!reference) return Understood::Yes;
  constexpr std::string_view known[] = {"Name", "IsGlobal", "Path"};
  keep_attributes(reference, known, "FileReference@", target.field, target.item, target.kept);
  MARROW_TRY(value.id, read_id(reference));
  value.path = reference.attribute("Path").as_string("0");
  value.is_global = reference.attribute("IsGlobal").as_bool();
  return Understood::Yes;
}

Result<Understood> Reader::read(xml_node node, const Target& target, BoneName& value) {
  MARROW_TRY(const Understood understood, read_integer(node, target, value.hash));
  const std::string_view text = node.attribute(dialect_ == Dialect::Standard ? "HashName" : "HashValue").value();
  value.text = text;
  if (text.empty() || equal_ignoring_case(text, unknown_name(value.hash))) value.text = names_.find(value.hash);
  return understood;
}

Result<Understood> Reader::read(xml_node node, const Target&, Opaque& value) {
  if (has_content(node)) value = keep_element(node, dialect_);
  return Understood::Yes;
}

// ---- lists and objects
// -----------------------------------------------------------------------------------------------

xml_node Reader::object_in(xml_node item) const {
  if (std::string_view(item.name()) != "BaseObject") return item;
  for (const xml_node child : item.children())
    if (is_element(child)) return child;
  return item;
}

std::string_view Reader::class_of(xml_node object) const {
  if (dialect_ == Dialect::Standard) return object.name();
  const std::string_view tag = object.name(), kind = object.attribute("PointerType").value();
  const bool inlined = tag == "Object" || (tag == "ObjectPtr" && (kind == "Inlined" || kind.empty()));
  return inlined ? std::string_view(object.attribute("Type").value()) : std::string_view{};
}

/// Creates an object of the class that a list holds; nothing if the class is a different one.
bool make_item(std::string_view name, Bone&) { return name == "Bone"; }
bool make_item(std::string_view name, Hinge&) { return name == "Hinge"; }
bool make_item(std::string_view name, RotationExpression&) { return name == "RotationExpression"; }
bool make_item(std::string_view name, Modifier& modifier) {
  for (const ModifierRow& row : known_modifiers())
    if (name == row.class_name) {
      modifier = anvil::make_modifier(row.type);
      return true;
    }
  modifier.data = UnknownModifier{std::string(name)};
  return is_xml_name(name) && name != "ObjectPtr" && name != "Value" && name != "BaseObject" && name != "List";
}

template <class Item>
Result<Understood> Reader::read_item(xml_node node, const Target& target, std::vector<Item>& list) {
  if constexpr (kIsObject<Item>) {
    const xml_node object = object_in(node);
    Item item;
    if (!make_item(class_of(object), item)) return Understood::No;
    if (++objects_ > limits_.max_objects)
      return fail(ErrorCode::LimitExceeded, "more than " + std::to_string(limits_.max_objects) + " objects");
    if constexpr (kIsPart<Item>)
      MARROW_CHECK(read_object(object, item, target.parts->emplace_back()));
    else if constexpr (std::is_same_v<Item, Modifier>)
      MARROW_CHECK(read_object(object, item, item.kept, &item.part_kept));
    else
      MARROW_CHECK(read_object(object, item, item.kept));
    list.push_back(std::move(item));
    return Understood::Yes;
  } else {
    Item item{};
    MARROW_TRY(const Understood understood, read(node, target, item));
    if (understood == Understood::No) return understood;
    constexpr std::string_view known[] = {"Type", "PointerType", "Name"};
    keep_attributes(node, known, "", target.field, target.item, target.kept);
    list.push_back(item);
    return Understood::Yes;
  }
}

template <class Item>
Result<Understood> Reader::read(xml_node node, const Target& target, std::vector<Item>& list) {
  for (const xml_node child : node.children()) {
    const auto at = static_cast<std::int32_t>(list.size());
    if (is_element(child)) {
      const Target inner{target.slot, target.field, at, target.kept, target.parts};
      Understood understood = Understood::No;
      if (!is_marked(child)) {
        MARROW_TRY(understood, read_item(child, inner, list));
      }
      if (understood == Understood::No) keep(child, target.field, at, target.kept);
    } else if (is_remark(child)) {
      keep(child, target.field, at, target.kept);
    }
  }
  return Understood::Yes;
}

Result<Understood> Reader::read_slot(xml_node node, const Target& target) {
  MARROW_TRY(const Understood understood,
             std::visit([&](auto* value) { return read(node, target, *value); }, target.slot.at));
  if (understood == Understood::No) return understood;
  constexpr std::string_view known[] = {"Name",  "Type",        "EnumName", "ValueName",
                                        "Value", "PointerType", "HashName", "HashValue"};
  const bool opaque = std::holds_alternative<Opaque*>(target.slot.at) && !std::get<Opaque*>(target.slot.at)->is_null();
  if (!opaque) keep_attributes(node, known, "", target.field, -1, target.kept);
  // In a list, comments have their place among the items; an opaque element holds its own.
  const bool list =
      std::visit([](auto* value) { return kIsList<std::remove_pointer_t<decltype(value)>>; }, target.slot.at);
  if (!list && !opaque) keep_remarks(node, target.field, target.kept);
  return understood;
}

template <class Object>
Result<void> Reader::read_object(xml_node node, Object& object, Kept& kept, std::vector<Kept>* parts) {
  kept.line.number = line_of(node);
  if (const auto id = node.attribute("ID")) {
    const auto number = parse_uint(id.value());
    if (!number) return refuse(node, quoted(id.value()) + " is not an object id");
    object.id = *number;
  }
  const Slots slots = slots_of(object);
  kept.absent = 0;
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].place != Place::OnlyInSchema) kept.absent |= std::uint64_t{1} << i;
  std::uint64_t seen = 0;
  const auto find = [&](std::string_view name) {
    return name.empty() ? slots.size()
                        : static_cast<std::size_t>(
                              std::ranges::find(slots, name, [&](const Slot& slot) { return slot.name(dialect_); }) -
                              slots.begin());
  };
  const auto take = [&](xml_node element, std::size_t i) -> Result<Understood> {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (seen & bit) return Understood::No;
    MARROW_TRY(const Understood understood,
               read_slot(element, {slots[i], static_cast<std::int16_t>(i), -1, kept, parts}));
    if (understood == Understood::Yes) {
      seen |= bit;
      kept.absent &= ~bit;
    }
    return understood;
  };

  for (const pugi::xml_attribute attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    const bool schema_word = dialect_ == Dialect::Schema && (name == "Type" || name == "PointerType");
    if (name == "ID" || name == "Name" || schema_word) continue;
    const std::size_t i = find(name);
    if (dialect_ == Dialect::Standard && i < slots.size() && slots[i].place == Place::AttributeInStandard) {
      // An attribute is read like an element with that text.
      pugi::xml_document scratch;
      const xml_node element = scratch.append_child("Value");
      xml_node(element).text() = attribute.value();
      const auto understood = take(element, i);
      if (!understood)
        return refuse(node, std::string(name) + "=" + quoted(attribute.value()) + " is not a value of its kind");
    } else {
      kept.attributes.push_back({Kept::kObject, -1, std::string(name), attribute.value()});
    }
  }
  std::int16_t last = Kept::kObject;
  for (const xml_node child : node.children()) {
    if (is_remark(child)) keep(child, last, -1, kept);
    if (!is_element(child)) continue;
    const std::size_t i = find(child.attribute("Name").value());
    if (i >= slots.size()) {
      keep(child, last, -1, kept);
      continue;
    }
    // Data marked as the other dialect was never understood; only fields that hold any element accept it.
    const bool foreign = is_marked(child) && !std::holds_alternative<Opaque*>(slots[i].at);
    Understood understood = Understood::No;
    if (!foreign) {
      MARROW_TRY(understood, take(child, i));
    }
    if (understood == Understood::Yes)
      last = static_cast<std::int16_t>(i);
    else if (!std::holds_alternative<Computed*>(slots[i].at))  // a recomputed number is not worth keeping
      // after the field with its name, so that it is not mistaken for it when read again
      keep(child, std::max(last, static_cast<std::int16_t>(i)), -1, kept);
  }
  // The writer looks them up by position.
  std::ranges::stable_sort(kept.attributes, {}, [](const auto& a) { return std::pair(a.field, a.item); });
  std::ranges::stable_sort(kept.elements, {}, [](const auto& e) { return std::pair(e.after, e.item); });
  return {};
}

// A modifier without a stated owner belongs to the bone that contains it.
void imply_owners(Skeleton& skeleton) {
  for (Bone& bone : skeleton.bones)
    for (Modifier& modifier : bone.modifiers)
      if (modifier.owner.is_null()) modifier.owner = {bone.id};
}

void read_prolog(const pugi::xml_document& document, Origin& origin) {
  for (const xml_node node : document.children()) {
    if (is_element(node)) return;
    if (node.type() == pugi::node_comment) origin.comments.push_back(raw_xml(node));
    if (node.type() != pugi::node_pi || std::string_view(node.name()) != "info") continue;
    // The contents of a processing instruction look like attributes, and are read as such.
    pugi::xml_document words;
    if (!words.load_string((std::string("<info ") + node.value() + "/>").c_str())) continue;
    origin.tool = words.child("info").attribute("tool").as_string(origin.tool.c_str());
    origin.tool_version = words.child("info").attribute("toolVersion").as_string(origin.tool_version.c_str());
  }
}

Result<Skeleton> Reader::read(const pugi::xml_document& document) {
  const xml_node root = document.document_element();
  const std::string_view tag = root.name(), type = root.attribute("Type").value();
  Skeleton skeleton;
  if (tag == "Skeleton")
    dialect_ = Dialect::Standard;
  else if (type == "Skeleton")
    dialect_ = Dialect::Schema;
  else
    return fail(ErrorCode::BadMagic,
                "the root element is " + quoted(type.empty() ? tag : type) +
                    "; an Anvil skeleton has <Skeleton> or <Object Type=\"Skeleton\">",
                source_.file_offset(static_cast<std::size_t>(std::max<std::ptrdiff_t>(root.offset_debug(), 0))));
  skeleton.origin.dialect = dialect_;
  read_prolog(document, skeleton.origin);
  MARROW_CHECK(read_object(root, skeleton, skeleton.kept));
  skeleton.origin.wide_indices = wide_indices_;
  imply_owners(skeleton);
  return skeleton;
}

}  // namespace

Result<Skeleton> read_xml(std::span<const std::byte> bytes, const NameTable& names, const Limits& limits) {
  if (bytes.empty()) return fail(ErrorCode::Truncated, "the file is empty", 0);
  if (bytes.size() > limits.max_file_bytes) return fail(ErrorCode::LimitExceeded, "the file is too large", 0);
  MARROW_TRY(const SourceText source, SourceText::decode(bytes));
  pugi::xml_document document;
  const auto flags = pugi::parse_default | pugi::parse_comments | pugi::parse_pi | pugi::parse_ws_pcdata_single;
  const auto parsed = document.load_buffer(source.utf8().data(), source.utf8().size(), flags, pugi::encoding_utf8);
  if (!parsed) {
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
    return fail(parsed.status == pugi::status_end_element_mismatch || at >= source.utf8().size() ? ErrorCode::Truncated
                                                                                                 : ErrorCode::Malformed,
                "line " + std::to_string(source.line_of(at)) + ": not well-formed XML: " + parsed.description(),
                source.file_offset(at));
  }
  return Reader(source, names, limits).read(document);
}

}  // namespace marrow::anvil
