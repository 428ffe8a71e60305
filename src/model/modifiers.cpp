// SPDX-License-Identifier: MIT
#include "marrow/model/modifiers.h"

#include <algorithm>
#include <utility>

#include "marrow/core/text.h"

namespace marrow {
namespace {

constexpr ModifierRow kRows[] = {
#define MARROW_ROW(name, class_name, summary) {ModifierType::name, #name, class_name, summary},
    MARROW_MODIFIERS(MARROW_ROW)
#undef MARROW_ROW
};
static_assert(std::size(kRows) + 1 == kModifierTypeCount);

// `ball-joint`, `BallJoint` and `BallJointBoneModifier` are one.
std::string short_form(std::string_view name) {
  std::string text = to_lower(name);
  std::erase_if(text, [](char c) { return c == '-' || c == '_' || c == ' '; });
  for (const std::string_view tail : {"modifier", "bone"})
    if (text.ends_with(tail)) text.resize(text.size() - tail.size());
  return text;
}

template <std::size_t... I>
ModifierData data_of(std::size_t index, std::index_sequence<I...>) {
  ModifierData data;
  (void)((index == I ? (data.emplace<I>(), true) : false) || ...);
  return data;
}

}  // namespace

std::span<const ModifierRow> known_modifiers() { return kRows; }

std::string_view class_name(ModifierType type) {
  return type == ModifierType::Unknown ? std::string_view() : kRows[static_cast<std::size_t>(type)].class_name;
}

std::string_view class_name(const Modifier& modifier) {
  const auto* unknown = std::get_if<UnknownModifier>(&modifier.data);
  return unknown ? std::string_view(unknown->class_name) : class_name(modifier.type());
}

std::optional<ModifierType> find_modifier_type(std::string_view name) {
  const std::string wanted = short_form(name);
  for (const ModifierRow& row : kRows)
    if (short_form(row.class_name) == wanted) return row.type;
  return std::nullopt;
}

Modifier make_modifier(ModifierType type) {
  Modifier modifier;
  modifier.data = data_of(static_cast<std::size_t>(type), std::make_index_sequence<kModifierTypeCount>());
  return modifier;
}

}  // namespace marrow
