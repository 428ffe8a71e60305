// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "marrow/model/modifiers.h"

namespace marrow {

/// Fields as data: one table per type serves the XML dialects, `rig set`, `diff`, the duplicate search of a merge, the
/// JSON of the simulator, help and forms.

/// A pointer to the value of a field; the alternative is its type.
using FieldPointer = std::variant<float*, bool*, std::uint8_t*, std::int32_t*, std::uint32_t*, Vec4*, Quat*, BoneLink*,
                                  FileReference*, std::vector<float>*, std::vector<bool>*, std::vector<std::uint32_t>*,
                                  std::vector<BoneLink>*, std::vector<Hinge>*, std::vector<RotationExpression>*>;

/// The words of an enumerated value, from 0 up.
struct EnumWords {
  std::string_view type;  ///< the engine's name, `MaxLookAtBoneAxis`
  std::span<const std::string_view> words;
};

/// What happens to the holder of a link when the bone it refers to is removed.
enum class LinkRole : std::uint8_t {
  Optional,   ///< the link becomes null
  Mandatory,  ///< the modifier means nothing without it and is removed too; for a list: with its last target
};

/// One field with the texts for forms and help. Its default is that of the struct: see `default_modifier`.
struct Field {
  std::string_view name = {};  ///< the engine's, `LagFactor`
  FieldPointer (*at)(void* object) = nullptr;
  std::string_view unit = {};  ///< `degrees`, `m/s^2`; empty for a plain number or a value that is not a number
  std::string_view help = {};  ///< what it does, as a fragment without a full stop
  /// The useful range of each component or item: the ends of a slider. Files may exceed it. Both are infinite if there
  /// is no range.
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
  /// Values beyond these have no meaning and are refused on input, such as a negative mass.
  float least = -std::numeric_limits<float>::infinity();
  float most = std::numeric_limits<float>::infinity();
  /// What a new modifier starts with if its default does not move; see `new_modifier`.
  float start = std::numeric_limits<float>::quiet_NaN();
  const EnumWords* words = nullptr;  ///< of an enumerated integer
  bool optional = false;             ///< files may leave it out
  LinkRole role = LinkRole::Optional;

  bool has_range() const { return min > -std::numeric_limits<float>::infinity(); }

  template <class Object>
  FieldPointer operator()(Object& object) const {
    // Tables hold no const accessors; a value reached through a const object is only read (see walk_fields).
    return at(const_cast<void*>(static_cast<const void*>(&object)));
  }
};

/// Returns Owner, BlendWeight, UseModifiedBoneMatrix and LimitLodLevel of a `Modifier`.
std::span<const Field> modifier_base_fields();
/// Returns the fields of an alternative of `ModifierData`, in the order of files.
std::span<const Field> modifier_fields(ModifierType type);
std::span<const Field> hinge_fields();
std::span<const Field> rotation_expression_fields();
/// Returns the alternative that `data` holds, for `Field::at`.
void* modifier_object(ModifierData& data);
const void* modifier_object(const ModifierData& data);
/// Returns a modifier with all defaults: walking its fields gives each field with its default value.
const Modifier& default_modifier(ModifierType type);

/// Returns a modifier for people to start from. It moves as soon as it has its targets; `make_modifier` returns the
/// defaults of files, with which some types stand still.
Modifier new_modifier(ModifierType type);

/// True for objects that a modifier holds in a list, each with its own id and fields.
template <class T>
inline constexpr bool kIsPart = std::is_same_v<T, Hinge> || std::is_same_v<T, RotationExpression>;
template <class T>
inline constexpr bool kIsPartList = false;
template <class T>
inline constexpr bool kIsPartList<std::vector<T>> = kIsPart<T>;

/// Calls `visit(const Field&, value&)` for each field of `object` in `table`. Values are const if the object is.
template <class Visit>
void walk_fields(std::span<const Field> table, void* object, Visit&& visit) {
  for (const Field& field : table) std::visit([&](auto* value) { visit(field, *value); }, field.at(object));
}
template <class Visit>
void walk_fields(std::span<const Field> table, const void* object, Visit&& visit) {
  for (const Field& field : table)
    std::visit([&](const auto* value) { visit(field, *value); }, field.at(const_cast<void*>(object)));
}
template <class Object, class Visit>
  requires(!std::is_pointer_v<Object>)
void walk_fields(std::span<const Field> table, Object& object, Visit&& visit) {
  walk_fields(table, &object, visit);
}

/// Does the same for a whole modifier: its base fields, then its own. The type of the modifier is erased here: `visit`
/// is compiled once per type of value, not once per type of value and of modifier.
template <class Visit>
void walk_fields(Modifier& modifier, Visit&& visit) {
  walk_fields(modifier_base_fields(), &modifier, visit);
  walk_fields(modifier_fields(modifier.type()), modifier_object(modifier.data), visit);
}
template <class Visit>
void walk_fields(const Modifier& modifier, Visit&& visit) {
  walk_fields(modifier_base_fields(), &modifier, visit);
  walk_fields(modifier_fields(modifier.type()), modifier_object(modifier.data), visit);
}

/// Calls `visit(const Field&, BoneLink&)` for every link of a modifier: the owner, its own links, those in lists and
/// those of its hinges.
void walk_links(Modifier& modifier, const std::function<void(const Field&, BoneLink&)>& visit);
void walk_links(const Modifier& modifier, const std::function<void(const Field&, const BoneLink&)>& visit);

/// Replaces every link except null ones by `map(link)`.
void remap_links(Modifier& modifier, const std::function<BoneLink(BoneLink)>& map);

/// Makes a modifier stand in the place of another of its class: it takes over the ids of the object and its parts, and
/// the poses that the game computes for itself.
void take_place_of(Modifier& modifier, const Modifier& replaced);

/// True if two modifiers do the same: same class, fields and links. Object ids may differ.
bool same_effect(const Modifier& a, const Modifier& b);

}  // namespace marrow
