// SPDX-License-Identifier: MIT
#include <algorithm>
#include <pugixml.hpp>

#include "anvil/encoding.h"
#include "anvil/kept_xml.h"
#include "anvil/slots.h"
#include "anvil/xml_reader.h"
#include "core/try.h"
#include "marrow/anvil/xml.h"
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

std::uint32_t XmlReader::line_of(xml_node node) const {
  const std::ptrdiff_t at = node.offset_debug();
  return at < 0 ? 0 : source_.line_of(static_cast<std::size_t>(at));
}

std::unexpected<Error> XmlReader::refuse(xml_node node, std::string why) const {
  const std::ptrdiff_t at = node.offset_debug();
  return fail(ErrorCode::Malformed, "line " + std::to_string(line_of(node)) + ": " + std::move(why),
              at < 0 ? kNoOffset : source_.file_offset(static_cast<std::size_t>(at)), path_of(node));
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text.substr(0, 40)) + (text.size() > 40 ? "..." : "") + "'";
}

void XmlReader::keep(xml_node node, std::int16_t after, std::int32_t item, Kept& kept) const {
  Opaque element = keep_element(node, dialect_);
  kept.elements.push_back({after, item, element.dialect, std::move(element.xml)});
}

void XmlReader::keep_attributes(xml_node node, std::span<const std::string_view> known, std::string_view prefix,
                                std::int16_t field, std::int32_t item, Kept& kept) const {
  for (auto attribute = node.first_attribute(); attribute; attribute = attribute.next_attribute())
    if (std::ranges::find(known, std::string_view(attribute.name())) == known.end())
      kept.attributes.push_back({field, item, std::string(prefix) + attribute.name(), attribute.value()});
}

// Comments inside an element that is understood move behind it.
void XmlReader::keep_remarks(xml_node node, std::int16_t field, Kept& kept) const {
  if (!may_hold_remarks_ || !holds_remark(node)) return;
  std::vector<xml_node> open = {node};
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const xml_node child : open[i].children()) {
      if (is_remark(child)) keep(child, field, -1, kept);
      if (is_element(child)) open.push_back(child);
    }
}

// ---- lists and objects
// -----------------------------------------------------------------------------------------------

bool XmlReader::is_foreign(xml_node node) const { return may_hold_marks_ && is_marked(node); }

xml_node XmlReader::object_in(xml_node item) const {
  if (std::string_view(item.name()) != "BaseObject") return item;
  for (const xml_node child : item.children())
    if (is_element(child)) return child;
  return item;
}

std::string_view XmlReader::class_of(xml_node object) const {
  if (dialect_ == Dialect::Standard) return object.name();
  const std::string_view tag = object.name(), kind = object.attribute("PointerType").value();
  const bool inlined = tag == "Object" || (tag == "ObjectPtr" && (kind == "Inlined" || kind.empty()));
  return inlined ? std::string_view(object.attribute("Type").value()) : std::string_view{};
}

template <class Item>
Result<Understood> XmlReader::read_item(xml_node node, const Target& target, std::vector<Item>& list) {
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
Result<Understood> XmlReader::read(xml_node node, const Target& target, std::vector<Item>& list) {
  for (const xml_node child : node.children()) {
    const auto at = static_cast<std::int32_t>(list.size());
    if (is_element(child)) {
      const Target inner{target.slot, target.field, at, target.kept, target.parts};
      Understood understood = Understood::No;
      if (!is_foreign(child)) {
        MARROW_TRY(understood, read_item(child, inner, list));
      }
      if (understood == Understood::No) keep(child, target.field, at, target.kept);
    } else if (is_remark(child)) {
      keep(child, target.field, at, target.kept);
    }
  }
  return Understood::Yes;
}

Result<Understood> XmlReader::read_slot(xml_node node, const Target& target) {
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
Result<void> XmlReader::read_object(xml_node node, Object& object, Kept& kept, std::vector<Kept>* parts) {
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
  const auto find = [&](std::string_view name, std::size_t likely = 0) {
    if (name.empty()) return slots.size();
    const auto has_name = [&](const Slot& slot) { return slot.name(dialect_) == name; };
    if (likely < slots.size() && has_name(slots[likely])) return likely;
    return static_cast<std::size_t>(std::ranges::find_if(slots, has_name) - slots.begin());
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
      kept.attributes.push_back({Kept::kObject, -1, kept_attribute_from(dialect_, name), attribute.value()});
    }
  }
  std::int16_t last = Kept::kObject;
  for (const xml_node child : node.children()) {
    if (is_remark(child)) keep(child, last, -1, kept);
    if (!is_element(child)) continue;
    const std::size_t i = find(child.attribute("Name").value(), static_cast<std::size_t>(last + 1));
    if (i >= slots.size()) {
      keep(child, last, -1, kept);
      continue;
    }
    // Data marked as the other dialect was never understood; only fields that hold any element accept it.
    const bool foreign = is_foreign(child) && !std::holds_alternative<Opaque*>(slots[i].at);
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

Result<Skeleton> XmlReader::read(const pugi::xml_document& document) {
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
  const auto body = std::string_view(source_.utf8()).substr(static_cast<std::size_t>(root.offset_debug()));
  may_hold_remarks_ = body.contains("!--") || body.contains("?>");  // `<` is everywhere, these marks nowhere else
  may_hold_marks_ = body.contains(kMark);
  MARROW_CHECK(read_object(root, skeleton, skeleton.kept));
  skeleton.origin.wide_indices = wide_indices_;
  imply_owners(skeleton);
  return skeleton;
}

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
  return XmlReader(source, names, limits).read(document);
}

}  // namespace marrow::anvil
