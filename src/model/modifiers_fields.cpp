// SPDX-License-Identifier: MIT
#include "model/modifiers_fields.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/fields_constraints.h"
#include "model/fields_physics.h"

namespace marrow {
namespace {

using BaseRow = FieldsOf<Modifier>;
constexpr Field kBaseFields[] = {
    BaseRow::field<&Modifier::owner>("Owner", {.help = "bone that the modifier hangs on"}),
    BaseRow::field<&Modifier::blend_weight>("BlendWeight",
                                            {.help = "share of the effect; 0 none, 1 all", .min = 0, .max = 1}),
    BaseRow::field<&Modifier::use_modified_bone_matrix>(
        "UseModifiedBoneMatrix",
        {.help = "starts from what earlier modifiers made of the bone, not from the animation"}),
    BaseRow::field<&Modifier::limit_lod_level>(
        "LimitLodLevel",
        {.help = "last level of detail at which it runs; -1: all", .min = -1, .max = 5, .optional = true}),
};

// By index of ModifierData. A row of the list needs its table, `k<type>Fields`.
constexpr std::array<std::span<const Field>, kModifierTypeCount> kTables = {
#define MARROW_ROW(name, ...) std::span<const Field>(k##name##Fields),
    MARROW_MODIFIERS(MARROW_ROW)
#undef MARROW_ROW
        std::span<const Field>(),
};

template <class ModifierT, class Visit>
void walk_links_of(ModifierT& modifier, const Visit& visit) {
  walk_fields(modifier, [&](const Field& field, auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, BoneLink>) {
      visit(field, value);
    } else if constexpr (std::is_same_v<T, std::vector<BoneLink>>) {
      for (auto& link : value) visit(field, link);
    } else if constexpr (std::is_same_v<T, std::vector<Hinge>>) {
      for (auto& hinge : value) visit(hinge_fields().front(), hinge.constraint_associated_bone);
    }
  });
}

}  // namespace

std::span<const Field> modifier_base_fields() { return kBaseFields; }
std::span<const Field> modifier_fields(ModifierType type) { return kTables[static_cast<std::size_t>(type)]; }
std::span<const Field> hinge_fields() { return kHingeLimitFields; }
std::span<const Field> rotation_expression_fields() { return kTermFields; }

void* modifier_object(ModifierData& data) {
  return std::visit([](auto& object) { return static_cast<void*>(&object); }, data);
}
const void* modifier_object(const ModifierData& data) {
  return std::visit([](const auto& object) { return static_cast<const void*>(&object); }, data);
}

const Modifier& default_modifier(ModifierType type) {
  static const std::vector<Modifier> defaults = [] {
    std::vector<Modifier> all;
    for (std::size_t i = 0; i < kModifierTypeCount; ++i) all.push_back(make_modifier(static_cast<ModifierType>(i)));
    return all;
  }();
  return defaults[static_cast<std::size_t>(type)];
}

Modifier new_modifier(ModifierType type) {
  Modifier modifier = make_modifier(type);
  walk_fields(modifier, [](const Field& field, auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, float>)
      if (!std::isnan(field.start)) value = field.start;
  });
  return modifier;
}

void walk_links(Modifier& modifier, const std::function<void(const Field&, BoneLink&)>& visit) {
  walk_links_of(modifier, visit);
}
void walk_links(const Modifier& modifier, const std::function<void(const Field&, const BoneLink&)>& visit) {
  walk_links_of(modifier, visit);
}

void remap_links(Modifier& modifier, const std::function<BoneLink(BoneLink)>& map) {
  walk_links(modifier, [&](const Field&, BoneLink& link) {
    if (!link.is_null()) link = map(link);
  });
}

namespace {

void take_places_of(std::vector<Hinge>& hinges, const std::vector<Hinge>& replaced) {
  for (std::size_t i = 0; i < std::min(hinges.size(), replaced.size()); ++i) {
    hinges[i].id = replaced[i].id;
    hinges[i].initial_global_position = replaced[i].initial_global_position;
    hinges[i].initial_global_rotation = replaced[i].initial_global_rotation;
  }
}
void take_places_of(std::vector<RotationExpression>& terms, const std::vector<RotationExpression>& replaced) {
  for (std::size_t i = 0; i < std::min(terms.size(), replaced.size()); ++i) terms[i].id = replaced[i].id;
}

}  // namespace

void take_place_of(Modifier& modifier, const Modifier& replaced) {
  modifier.id = replaced.id;
  if (auto* hinge = std::get_if<HingeModifier>(&modifier.data))
    take_places_of(hinge->constraints, std::get<HingeModifier>(replaced.data).constraints);
  if (auto* constraint = std::get_if<RotationConstraintModifier>(&modifier.data))
    take_places_of(constraint->constraints, std::get<RotationConstraintModifier>(replaced.data).constraints);
  if (auto* turn = std::get_if<RotationExpressionModifier>(&modifier.data))
    take_places_of(turn->expressions, std::get<RotationExpressionModifier>(replaced.data).expressions);
}

bool same_effect(const Modifier& a, const Modifier& b) {
  // Object ids mean nothing to the run time: they are levelled before the values are compared.
  const auto levelled = [](Modifier modifier) {
    modifier.id = 0;
    walk_fields(modifier, [](const Field&, auto& value) {
      if constexpr (kIsPartList<std::remove_cvref_t<decltype(value)>>)
        for (auto& item : value) item.id = 0;
    });
    return modifier;
  };
  if (a.data.index() != b.data.index()) return false;
  return levelled(a) == levelled(b);
}

}  // namespace marrow
