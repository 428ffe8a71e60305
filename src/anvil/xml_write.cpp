// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "anvil/encoding.h"
#include "anvil/xml.h"
#include "anvil/xml_writer.h"
#include "core/large_pages.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"

namespace marrow::anvil {
namespace {

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

// Returns a value as the attributes of the Standard dialect have it.
std::string attribute_text(const SlotPointer& at) {
  if (const auto* number = std::get_if<float*>(&at)) return number_text(**number);
  if (const auto* flag = std::get_if<bool*>(&at)) return **flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int32_t*>(&at)) return std::to_string(**integer);
  return {};
}

}  // namespace

std::size_t likely_bytes(const Skeleton& skeleton) {
  constexpr std::size_t bone_bytes = 1536, modifier_bytes = 2560;
  std::size_t bytes = 4096;
  for (const Bone& bone : skeleton.bones) bytes += bone_bytes + bone.modifiers.size() * modifier_bytes;
  return bytes;
}

// Elements inside a list come before the item with their number; the last ones follow all items.
template <class Item>
void XmlWriter::write(const Source& source, const std::vector<Item>& list) {
  const std::string_view tag = standard() ? "List" : "DynamicSmallArray";
  const auto inside = std::ranges::equal_range(source.kept.own.elements, source.field, {}, &Kept::Element::after);
  auto next = std::ranges::find_if(inside, [](const Kept::Element& element) { return element.item >= 0; });
  if (standard())
    start(source, tag).open();
  else
    start(source, tag, {{"Type", schema_item_type<Item>()}}).open();
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

void XmlWriter::write_kept(const Kept& kept, std::int16_t after, std::int32_t item) {
  const auto mine = std::ranges::equal_range(kept.elements, std::pair(after, item), {},
                                             [](const auto& e) { return std::pair(e.after, e.item); });
  for (const Kept::Element& element : mine) xml_.kept({element.xml, element.dialect}, dialect_);
}

template <class Object>
void XmlWriter::write_children(const Object& object, const KeptView& view, const Slots& slots) {
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

template <class Object>
void XmlWriter::write_object(const Object& object, const KeptView& view, std::string_view name, bool root) {
  const Kept& kept = view.own;
  const Slots slots = slots_to_read(object);
  const bool wrapped = standard() && (std::is_same_v<Object, Hinge> || std::is_same_v<Object, RotationExpression>);
  if (wrapped) {
    xml_.start("BaseObject");
    xml_.open();
  }
  const std::string_view tag = standard() ? name : root ? "Object" : "ObjectPtr";
  xml_.start(tag);
  if (object.id != 0 || !std::is_same_v<Object, RotationExpression>) xml_.attribute("ID", std::to_string(object.id));
  if (standard()) {
    const Slots defaults = kept.absent ? default_slots(object) : Slots{};
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].place != Place::AttributeInStandard) continue;
      if ((kept.absent >> i & 1) && same_value(slots[i], defaults[i])) continue;
      if (const auto* number = std::get_if<float*>(&slots[i].at); number && !std::isfinite(**number))
        complain({slots[i], static_cast<std::int16_t>(i), -1, view});
      xml_.attribute(slots[i].standard_name, attribute_text(slots[i].at));
    }
  } else {
    xml_.attribute("Type", name);
    if (!root) xml_.attribute("PointerType", "Inlined");
  }
  for (const Kept::Attribute& attribute : kept.attributes) {
    if (attribute.field != Kept::kObject) break;  // sorted: those of the object come first
    xml_.attribute(kept_attribute_to(dialect_, attribute.name), attribute.value);
  }
  xml_.open();
  write_children(object, view, slots);
  xml_.close(tag);
  if (wrapped) xml_.close("BaseObject");
}

Result<std::string> XmlWriter::write() {
  std::string info = "<?info tool=\"";
  append_escaped(info, skeleton_.origin.tool, true);
  info += "\" toolVersion=\"";
  append_escaped(info, skeleton_.origin.tool_version, true);
  info += standard() ? "\" type=\"0\"?>\n" : "\" type=\"1\"?>\n";
  xml_.raw(standard() ? "<?xml version=\"1.0\" encoding=\"utf-16\"?>\n"
                      : "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
  xml_.raw(info);
  for (const std::string& comment : skeleton_.origin.comments) xml_.raw(comment + "\n");
  path_ = "skeleton";
  write_object(skeleton_, kept_of(skeleton_), "Skeleton", true);
  if (error_) return std::unexpected(*error_);
  return std::move(xml_).take();
}

Result<std::vector<std::byte>> write_xml(const Skeleton& skeleton, const WriteOptions& options) {
  const std::size_t count = skeleton.bones.size();
  const bool wide = options.game ? has_wide_indices(*options.game) : skeleton.origin.wide_indices || count > 255;
  const std::uint32_t limit = wide ? 65535 : 255;
  if (count > limit && (options.game || options.dialect == Dialect::Schema))
    return fail(ErrorCode::Unrepresentable, "E_BONE_LIMIT: " + std::to_string(count) + " bones, and " +
                                                (options.game ? std::string(title(*options.game)) : "a 16-bit index") +
                                                " supports at most " + std::to_string(limit) +
                                                "; remove bones, or write for a later game");
  MARROW_TRY(const std::string text, XmlWriter(skeleton, options.dialect, wide, options.keep_order).write());
  if (options.dialect == Dialect::Standard) return encode_utf16(text);
  std::vector<std::byte> bytes;
  bytes.reserve(text.size());
  use_large_pages(bytes.data(), bytes.capacity());
  bytes.insert(bytes.end(), as_bytes(text).begin(), as_bytes(text).end());
  return bytes;
}

}  // namespace marrow::anvil
