// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <pugixml.hpp>

#include "anvil/encoding.h"
#include "anvil/kept_xml.h"
#include "anvil/slots.h"
#include "anvil/xml.h"
#include "anvil/xml_reader.h"
#include "anvil/xml_text.h"
#include "core/large_pages.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::anvil {

using pugi::xml_node;

namespace {

template <class T>
inline constexpr bool kIsList = false;
template <class Item>
inline constexpr bool kIsList<std::vector<Item>> = true;

/// A tag of the Standard dialect must be an XML name.
bool is_xml_name(std::string_view name) {
  const auto starts = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; };
  const auto goes_on = [&](char c) { return starts(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':'; };
  return !name.empty() && starts(name.front()) && std::ranges::all_of(name, goes_on);
}

// True if there is a comment anywhere below a node. Most have none, so that is found out without allocating.
bool holds_remark(xml_node node) {
  for (xml_node at = node.first_child(); at;) {
    if (is_remark(at)) return true;
    xml_node next = at.first_child();
    for (; !next && at != node; at = at.parent()) next = at.next_sibling();
    at = next;
  }
  return false;
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

}  // namespace

std::unexpected<Error> XmlReader::refuse(xml_node node, std::string why) {
  const std::ptrdiff_t at = node.offset_debug();
  const std::uint32_t line = at < 0 ? 0 : lines_.line_of(static_cast<std::size_t>(at));
  return fail(ErrorCode::Malformed, "line " + std::to_string(line) + ": " + std::move(why),
              at < 0 ? kNoOffset : source_.file_offset(static_cast<std::size_t>(at)), path_of(node));
}

std::string quoted(std::string_view text) {
  std::string line(trim(text).substr(0, 40));
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return "'" + line + (trim(text).size() > 40 ? "..." : "") + "'";
}

void XmlReader::drop(xml_node node, std::string what) {
  if (dropped_.size() >= Dropped::kMost) return;
  const std::ptrdiff_t at = node.offset_debug();
  const auto start = source_.utf8().substr(0, at < 0 ? 0 : static_cast<std::size_t>(at));
  // Lines are counted from the front, and what is dropped is found out of order.
  dropped_.push_back({static_cast<std::uint32_t>(1 + std::ranges::count(start, '\n')), std::move(what)});
}

// Text between elements has no meaning in these files, and no place in a skeleton.
void XmlReader::drop_text(xml_node parent) {
  const auto look = [&](std::string_view text, xml_node at) {
    if (!trim(text).empty()) drop(at, "the text " + quoted(text) + " stands between elements of " + path_of(parent));
  };
  look(parent.value(), parent);
  for (const xml_node child : parent.children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) look(child.value(), child);
}

void XmlReader::keep(xml_node node, std::int16_t after, std::int32_t item, Kept& kept) const {
  Opaque element = keep_element(node, dialect_);
  kept.elements.push_back({after, item, element.dialect, std::move(element.xml)});
}

void XmlReader::keep_others(const XmlElement& element, WordSet known, std::string_view prefix, std::int16_t field,
                            std::int32_t item, Kept& kept) const {
  for (const pugi::xml_attribute attribute : element.node().attributes())
    if (!known.has(word_of(attribute.name())))
      kept.attributes.push_back({field, item, std::string(prefix) + attribute.name(), attribute.value()});
}

// Comments inside an element that is understood move behind it.
void XmlReader::keep_remarks(xml_node node, std::int16_t field, Kept& kept) const {
  if (!holds_remark(node)) return;
  std::vector<xml_node> open = {node};
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const xml_node child : open[i].children()) {
      if (is_remark(child)) keep(child, field, -1, kept);
      if (is_element(child)) open.push_back(child);
    }
}

// ---- lists and objects
// -----------------------------------------------------------------------------------------------

namespace {

// The element of an object inside a list: `Bone ID=...`, `ObjectPtr Type="Bone"`, wrapped or not.
XmlElement object_in(const XmlElement& item) {
  if (item.tag() != "BaseObject") return item;
  for (const xml_node child : item.node().children())
    if (is_element(child)) return XmlElement(child);
  return item;
}

// Takes the memory for all bones of a file at once: they are most of it, and those of the games take more bytes each.
void reserve_bones(std::vector<Bone>& bones, std::size_t file_bytes) {
  constexpr std::size_t bytes_per_bone = 1024;
  bones.reserve(file_bytes / bytes_per_bone);
  use_large_pages(bones.data(), bones.capacity() * sizeof(Bone));
}

// True if an element is kept data of the other dialect.
bool is_foreign(const XmlElement& element) {
  return element.words().has(Word::Dialect) && is_mark(element[Word::Dialect]);
}

}  // namespace

std::string_view XmlReader::class_of(const XmlElement& object) const {
  const std::string_view tag = object.tag();
  if (dialect_ == Dialect::Standard) return tag;
  const std::string_view kind = object[Word::PointerType];
  const bool inlined = tag == "Object" || (tag == "ObjectPtr" && (kind == "Inlined" || kind.empty()));
  return inlined ? std::string_view(object[Word::Type]) : std::string_view{};
}

template <class Item>
Result<Understood> XmlReader::read_item(const XmlElement& element, const Target& target, std::vector<Item>& list) {
  if constexpr (kIsObject<Item>) {
    const XmlElement object = object_in(element);
    Item& item = list.emplace_back();
    if (!make_item(class_of(object), item)) {
      list.pop_back();
      return Understood::No;
    }
    if (++objects_ > limits_.max_objects)
      return fail(ErrorCode::LimitExceeded, "more than " + std::to_string(limits_.max_objects) + " objects");
    if constexpr (kIsPart<Item>)
      MARROW_CHECK(read_object(object, item, target.parts->emplace_back()));
    else if constexpr (std::is_same_v<Item, Modifier>)
      MARROW_CHECK(read_object(object, item, item.kept, &item.part_kept));
    else
      MARROW_CHECK(read_object(object, item, item.kept));
    return Understood::Yes;
  } else {
    Item item{};
    MARROW_TRY(const Understood understood, read(element, target, item));
    if (understood == Understood::No) return understood;
    keep_attributes(element, {Word::Type, Word::PointerType, Word::Name}, "", target.field, target.item, target.kept);
    list.push_back(item);
    return Understood::Yes;
  }
}

template <class Item>
Result<Understood> XmlReader::read(const XmlElement& element, const Target& target, std::vector<Item>& list) {
  if constexpr (std::is_same_v<Item, Bone>) reserve_bones(list, source_.utf8().size());
  drop_text(element.node());
  for (xml_node child = element.node().first_child(); child; child = child.next_sibling()) {
    const auto at = static_cast<std::int32_t>(list.size());
    Understood understood = Understood::No;
    if (is_element(child)) {
      const XmlElement item(child);
      if (!is_foreign(item)) {
        MARROW_TRY(understood, read_item(item, {target.slot, target.field, at, target.kept, target.parts}, list));
      }
    } else if (!is_remark(child)) {
      continue;
    }
    if (understood == Understood::No) keep(child, target.field, at, target.kept);
  }
  return Understood::Yes;
}

Result<Understood> XmlReader::read_slot(const XmlElement& element, const Target& target) {
  MARROW_TRY(const Understood understood,
             std::visit([&](auto* value) { return read(element, target, *value); }, target.slot.at));
  if (understood == Understood::No) return understood;
  constexpr WordSet known = {Word::Name,  Word::Type,        Word::EnumName, Word::ValueName,
                             Word::Value, Word::PointerType, Word::HashName, Word::HashValue};
  const auto* opaque = std::get_if<Opaque*>(&target.slot.at);
  if (opaque && !(*opaque)->is_null()) return understood;  // holds its own
  keep_attributes(element, known, "", target.field, -1, target.kept);
  // In a list, comments have their place among the items.
  const bool list =
      std::visit([](auto* value) { return kIsList<std::remove_pointer_t<decltype(value)>>; }, target.slot.at);
  if (may_hold_remarks_ && !list) keep_remarks(element.node(), target.field, target.kept);
  if (!list && has_element_children(element.node())) drop_text(element.node());
  return understood;
}

template <class Object>
Result<void> XmlReader::read_object(const XmlElement& element, Object& object, Kept& kept, std::vector<Kept>* parts) {
  const xml_node node = element.node();
  kept.line.number = lines_.line_of(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
  if (element.words().has(Word::Id)) {
    const auto number = parse_uint(element[Word::Id]);
    if (!number) return refuse(node, quoted(element[Word::Id]) + " is not an object id");
    object.id = *number;
  }
  const Slots slots = slots_of(object);
  kept.absent = 0;
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].place != Place::OnlyInSchema) kept.absent |= std::uint64_t{1} << i;
  std::uint64_t seen = 0;
  const auto find = [&](std::string_view name, std::size_t likely = 0) {
    if (name.empty()) return slots.size();
    const auto has_name = [&](const Slot& slot) { return slot.name(dialect_) == name; };
    if (likely < slots.size() && has_name(slots[likely])) return likely;
    return static_cast<std::size_t>(std::ranges::find_if(slots, has_name) - slots.begin());
  };
  const auto take = [&](const XmlElement& value, std::size_t i) -> Result<Understood> {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (seen & bit) return Understood::No;
    MARROW_TRY(const Understood understood,
               read_slot(value, {slots[i], static_cast<std::int16_t>(i), -1, kept, parts}));
    if (understood == Understood::Yes) {
      seen |= bit;
      kept.absent &= ~bit;
    }
    return understood;
  };

  constexpr WordSet always = {Word::Id, Word::Name}, in_schema = {Word::Id, Word::Name, Word::Type, Word::PointerType};
  const WordSet known = dialect_ == Dialect::Schema ? in_schema : always;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    if (known.has(word_of(name))) continue;
    const std::size_t i = find(name);
    if (dialect_ == Dialect::Standard && i < slots.size() && slots[i].place == Place::AttributeInStandard) {
      const auto understood = take(XmlElement(attribute.value()), i);
      if (!understood)
        return refuse(node, std::string(name) + "=" + quoted(attribute.value()) + " is not a value of its kind");
    } else {
      kept.attributes.push_back({Kept::kObject, -1, kept_attribute_from(dialect_, name), attribute.value()});
    }
  }
  drop_text(node);
  std::int16_t last = Kept::kObject;
  for (xml_node child = node.first_child(); child; child = child.next_sibling()) {
    if (!is_element(child)) {
      if (is_remark(child)) keep(child, last, -1, kept);
      continue;
    }
    const XmlElement field(child);
    const std::size_t i = find(field[Word::Name], static_cast<std::size_t>(last + 1));
    if (i >= slots.size()) {
      keep(child, last, -1, kept);
      continue;
    }
    // Data marked as the other dialect was never understood; only fields that hold any element accept it.
    const bool foreign = is_foreign(field) && !std::holds_alternative<Opaque*>(slots[i].at);
    Understood understood = Understood::No;
    if (!foreign) {
      MARROW_TRY(understood, take(field, i));
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

Result<Skeleton> XmlReader::read(const pugi::xml_document& document) {
  const xml_node root = document.document_element();
  if (!root) return fail(ErrorCode::Malformed, "not well-formed XML: there is no element", 0);
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
  const auto body = source_.utf8().substr(static_cast<std::size_t>(root.offset_debug()));
  may_hold_remarks_ = body.contains("!--") || body.contains("?>");  // `<` is everywhere, these marks nowhere else
  MARROW_CHECK(read_object(XmlElement(root), skeleton, skeleton.kept));
  for (const xml_node node : document.children()) {
    if (is_element(node) && node != root)
      drop(node, "<" + std::string(node.name()) + "> follows the root element, where XML allows none");
    if (node.type() == pugi::node_pcdata && !trim(node.value()).empty())
      drop(node, "the text " + quoted(node.value()) + " is outside the root element");
  }
  skeleton.origin.wide_indices = wide_indices_;
  skeleton.origin.dropped = std::move(dropped_);
  imply_owners(skeleton);
  return skeleton;
}

Result<Skeleton> read_xml(std::span<const std::byte> bytes, const NameTable& names, const Limits& limits) {
  if (bytes.empty()) return fail(ErrorCode::Truncated, "the file is empty", 0);
  if (bytes.size() > limits.max_file_bytes) return fail(ErrorCode::LimitExceeded, "the file is too large", 0);
  MARROW_TRY(const SourceText source, SourceText::decode(bytes));
  const std::string_view text = source.utf8();
  // The parser changes the text, which is needed for lines and offsets, and wants a zero at its end.
  const auto copy = std::make_unique_for_overwrite<char[]>(text.size() + 1);
  use_large_pages(copy.get(), text.size() + 1);
  text.copy(copy.get(), text.size());
  copy[text.size()] = '\0';
  restore_controls({copy.get(), text.size()});
  // With text as the value of its element instead of a child, a document has half the nodes.
  const auto flags = pugi::parse_default | pugi::parse_comments | pugi::parse_pi | pugi::parse_ws_pcdata_single |
                     pugi::parse_embed_pcdata | pugi::parse_fragment;
  pugi::xml_document document;
  const auto parsed = document.load_buffer_inplace(copy.get(), text.size() + 1, flags, pugi::encoding_utf8);
  if (!parsed) {
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
    const bool truncated = parsed.status == pugi::status_end_element_mismatch || at >= text.size();
    return fail(
        truncated ? ErrorCode::Truncated : ErrorCode::Malformed,
        "line " + std::to_string(LineCounter(text).line_of(at)) + ": not well-formed XML: " + parsed.description(),
        source.file_offset(at));
  }
  return XmlReader(source, names, limits).read(document);
}

}  // namespace marrow::anvil
