// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "marrow/model/modifiers.h"

namespace marrow {

/// Fields as data: one table a type serves the XML dialects, `rig set`, `diff`, the search for duplicates in a merge
/// and the JSON of the simulator.

/// Where the value of a field lives; the alternative says what kind it is.
using FieldPointer = std::variant<float*, bool*, std::uint8_t*, std::int32_t*, std::uint32_t*, Vec4*, Quat*, BoneLink*,
                                  FileReference*, std::vector<float>*, std::vector<bool>*, std::vector<std::uint32_t>*,
                                  std::vector<BoneLink>*, std::vector<Hinge>*, std::vector<RotationExpression>*>;

/// The words of an enumerated value, from 0 up.
struct EnumWords {
  std::string_view type;  ///< the engine's name, `MaxLookAtBoneAxis`
  std::span<const std::string_view> words;
};

/// What becomes of the holder of a link when the bone it names is removed.
enum class LinkRole : std::uint8_t {
  Optional,   ///< the link becomes null
  Mandatory,  ///< the modifier means nothing without it, and goes too; a list, when its last target goes
};

struct Field {
  std::string_view name;  ///< the engine's, `LagFactor`
  FieldPointer (*at)(void* object) = nullptr;
  const EnumWords* words = nullptr;  ///< of an integer that is enumerated
  bool optional = false;             ///< files may leave it out
  LinkRole role = LinkRole::Optional;

  template <class Object>
  FieldPointer operator()(Object& object) const {
    // Tables hold no const accessors; what is asked for through a const object is only read (see walk_fields).
    return at(const_cast<void*>(static_cast<const void*>(&object)));
  }
};

/// Makes the tables: `FieldsOf<Hinge>::field<&Hinge::min_angle>("MinAngle")`.
template <class Object>
struct FieldsOf {
  template <auto Member>
  static FieldPointer at(void* object) {
    return &(static_cast<Object*>(object)->*Member);
  }
  template <auto Member>
  static constexpr Field field(std::string_view name) {
    return {.name = name, .at = &at<Member>};
  }
};

/// Owner, BlendWeight, UseModifiedBoneMatrix and LimitLodLevel, of a `Modifier`.
std::span<const Field> modifier_base_fields();
/// The fields of an alternative of `ModifierData`, in the order of files.
std::span<const Field> modifier_fields(ModifierType type);
std::span<const Field> hinge_fields();
std::span<const Field> rotation_expression_fields();
/// The alternative that `data` holds, for `Field::at`.
void* modifier_object(ModifierData& data);
const void* modifier_object(const ModifierData& data);
/// A value with all defaults, to tell a field that was left out from one that was set.
const ModifierData& default_modifier_data(ModifierType type);

inline constexpr std::int16_t kModifierBaseFieldCount = 4;

/// True for objects that a modifier holds in a list, each with an id and fields of its own.
template <class T>
inline constexpr bool kIsPart = std::is_same_v<T, Hinge> || std::is_same_v<T, RotationExpression>;
template <class T>
inline constexpr bool kIsPartList = false;
template <class T>
inline constexpr bool kIsPartList<std::vector<T>> = kIsPart<T>;

/// Calls `visit(const Field&, value&)` for the fields of `object` by `table`; values are const where the object is.
template <class Object, class Visit>
void walk_fields(std::span<const Field> table, Object& object, Visit&& visit) {
  for (const Field& field : table)
    std::visit(
        [&](auto* value) {
          if constexpr (std::is_const_v<Object>)
            visit(field, std::as_const(*value));
          else
            visit(field, *value);
        },
        field(object));
}

/// The same for a whole modifier: its base fields, then its own.
template <class Visit>
void walk_fields(Modifier& modifier, Visit&& visit) {
  walk_fields(modifier_base_fields(), modifier, visit);
  std::visit([&](auto& data) { walk_fields(modifier_fields(modifier.type()), data, visit); }, modifier.data);
}
template <class Visit>
void walk_fields(const Modifier& modifier, Visit&& visit) {
  walk_fields(modifier_base_fields(), modifier, visit);
  std::visit([&](const auto& data) { walk_fields(modifier_fields(modifier.type()), data, visit); }, modifier.data);
}

/// Calls `visit(const Field&, BoneLink&)` for every link of a modifier: the owner, its own, those in lists and those of
/// its hinges.
void walk_links(Modifier& modifier, const std::function<void(const Field&, BoneLink&)>& visit);
void walk_links(const Modifier& modifier, const std::function<void(const Field&, const BoneLink&)>& visit);

/// Puts `map(link)` in the place of every link, null ones excepted.
void remap_links(Modifier& modifier, const std::function<BoneLink(BoneLink)>& map);

/// True if two modifiers do the same: same class, fields and links. Ids of objects may differ.
bool same_effect(const Modifier& a, const Modifier& b);

}  // namespace marrow
