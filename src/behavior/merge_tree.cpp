// SPDX-License-Identifier: MIT
#include "behavior/merge_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "havok/object/layout.h"
#include "havok/text/number.h"
#include "havok/text/value_text.h"
#include "havok/text/xml_names.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

using havok::FieldsView;
using havok::Kind;
using havok::Member;

MergeField& MergeRecord::field(const Member& member) {
  const auto found = std::ranges::find(fields, &member, &MergeField::member);
  if (found != fields.end()) return *found;
  fields.emplace_back().member = &member;
  return fields.back();
}

const MergeField* MergeRecord::find(const Member& member) const {
  const auto found = std::ranges::find(fields, &member, &MergeField::member);
  return found == fields.end() ? nullptr : &*found;
}

std::vector<MergeSource> flattened(const MergeField& field) {
  std::vector<MergeSource> sources;
  for (std::uint32_t i = 0; i < field.slots.size(); ++i) {
    const MergeSlot& slot = field.slots[i];
    for (const MergeInsertion& each : slot.before)
      sources.push_back({.value = &each.value, .by = each.by, .is_inserted = true});
    if (slot.is_removed || i + 1 == field.slots.size()) continue;
    if (slot.is_replaced)
      sources.push_back({.value = &slot.value, .edits = slot.edits.get(), .by = slot.owner});
    else
      sources.push_back({.base = i, .edits = slot.edits.get()});
  }
  return sources;
}

std::uint32_t list_size(const FieldsView& fields, const Member& member) {
  const std::uint32_t count =
      havok::is_array(member.type.kind) ? fields.ref(member).array().count() : member.type.repeat;
  const auto lanes = static_cast<std::uint32_t>(written_lanes(element_kind(member.type)).size());
  return lanes > 0 ? count * lanes : count;
}

namespace {

bool is_close(double a, double b) {
  return std::abs(a - b) <= std::max(2e-6, 1e-5 * std::abs(a)) || (std::isnan(a) && std::isnan(b));
}

std::string_view without_end(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\n' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

bool is_number_in_game(std::string_view text, const havok::Type& type, Kind kind, std::span<const std::byte> pods) {
  if (text.find('$') != std::string_view::npos) return true;  // cannot be compared until names are known
  std::array<std::byte, 8> read{};
  if (!havok::take_value(text, type, kind, read)) return false;
  if (kind == Kind::Real || kind == Kind::Half)
    return is_close(havok::load_real(kind, pods), havok::load_real(kind, read));
  return havok::load_integer(kind, pods) == havok::load_integer(kind, read);
}

bool is_text_in_game(std::string_view text, const havok::Ref& ref) {
  if (!ref.text()) return text == havok::xml::kNullText || without_end(text).empty();
  return without_end(text) == without_end(*ref.text());
}

bool is_pointer_in_game(std::string_view text, const havok::Ref& ref, const NodeNames& names) {
  text = trim(text);
  if (text.empty() || text == "null") return ref.pointer().is_null();
  return names.find(text) == ref.pointer();
}

bool is_record_in_game(const PatchValue& value, const FieldsView& game, const NodeNames& names) {
  return std::ranges::all_of(value.params, [&](const PatchParam& param) {
    return !param.member || param.mark == Mark::New ||
           is_as_in_game(param.value, game, *param.member, std::nullopt, names);
  });
}

}  // namespace

bool is_as_in_game(const PatchValue& value, const FieldsView& game, const Member& member,
                   std::optional<std::uint32_t> at, const NodeNames& names) {
  const havok::Type& type = member.type;
  const Shape shape = shape_of(type);
  if (shape == Shape::Record) return is_record_in_game(value, game.record(member), names);
  if (shape == Shape::List && !at) {
    if (value.items.size() != list_size(game, member)) return false;
    for (std::uint32_t i = 0; i < value.items.size(); ++i)
      if (!is_as_in_game(value.items[i].value, game, member, i, names)) return false;
    return true;
  }
  const std::uint32_t i = at.value_or(0);
  const bool is_array = havok::is_array(type.kind);
  const Kind kind = element_kind(type);
  const std::span<const havok::Ref> refs =
      is_array ? game.ref(member).array().refs() : game.refs().subspan(member.ref_offset);
  const std::span<const std::byte> pods =
      is_array ? game.ref(member).array().pods() : game.pods().subspan(member.pod_offset);
  if (const havok::Class* record = element_class(type)) {
    const FieldsView fields = is_array ? fields_at(*type.layout, game.ref(member).array(), i) : game.record(member, i);
    return &fields.type() == record && is_record_in_game(value, fields, names);
  }
  if (kind == Kind::Text) return is_text_in_game(value.text, refs[i]);
  const havok::Element& element = is_array ? *type.layout : havok::element_of(type.kind);
  if (element.ref_count > 0) return is_pointer_in_game(value.text, refs[i], names);
  if (const auto lanes = written_lanes(kind); !lanes.empty()) {
    const std::size_t offset = i / lanes.size() * element.pod_size + lanes[i % lanes.size()] * sizeof(float);
    return is_number_in_game(value.text, type, Kind::Real, pods.subspan(offset));
  }
  return is_number_in_game(value.text, type, kind, pods.subspan(std::size_t{i} * element.pod_size));
}

}  // namespace marrow::behavior
