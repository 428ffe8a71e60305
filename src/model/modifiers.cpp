// SPDX-License-Identifier: MIT
#include "marrow/model/modifiers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "marrow/core/text.h"

namespace marrow {
namespace {

// By index of ModifierData.
constexpr std::array<std::string_view, kModifierTypeCount> kClassNames = {
    "BallJointBoneModifier",
    "HingeBoneModifier",
    "HingeVectorBoneModifier",
    "PendulumBoneModifier",
    "SpringBoxModifier",
    "PositionConstraintBoneModifier",
    "OrientationConstraintBoneModifier",
    "RotationConstraintModifier",
    "SplineConstraintModifier",
    "MaxLookAtBoneModifier",
    "AnvilLookAtBoneModifier",
    "LookAtBoneModifier",
    "FollowBoneModifier",
    "RollBoneModifier",
    "CompressBoneModifier",
    "StretchBoneModifier",
    "RotationExpressionModifier",
    "RotationPasteModifier",
    "FXBoneModifier",
    "",
};

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

std::string_view class_name(ModifierType type) { return kClassNames[static_cast<std::size_t>(type)]; }

std::string_view class_name(const Modifier& modifier) {
  const auto* unknown = std::get_if<UnknownModifier>(&modifier.data);
  return unknown ? std::string_view(unknown->class_name) : class_name(modifier.type());
}

std::optional<ModifierType> find_modifier_type(std::string_view name) {
  const std::string wanted = short_form(name);
  for (std::size_t i = 0; i + 1 < kModifierTypeCount; ++i)
    if (short_form(kClassNames[i]) == wanted) return static_cast<ModifierType>(i);
  return std::nullopt;
}

Modifier make_modifier(ModifierType type) {
  Modifier modifier;
  modifier.data = data_of(static_cast<std::size_t>(type), std::make_index_sequence<kModifierTypeCount>());
  return modifier;
}

}  // namespace marrow
