// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "anvil/skeleton.h"
#include "model/modifiers_fields.h"

namespace marrow::anvil {

/// Everything that an object of a skeleton file can hold.
using SlotPointer = std::variant<float*, bool*, std::uint8_t*, std::int32_t*, std::uint32_t*, Vec4*, Quat*, BoneLink*,
                                 FileReference*, std::vector<float>*, std::vector<bool>*, std::vector<std::uint32_t>*,
                                 std::vector<BoneLink>*, std::vector<Hinge>*, std::vector<RotationExpression>*,
                                 std::vector<Modifier>*, std::vector<Bone>*, BoneName*, Opaque*, Computed*>;

/// How the dialects place a slot.
enum class Place : std::uint8_t {
  Element,              ///< a child element in both
  AttributeInStandard,  ///< an attribute of the object in Standard, a child element in Schema
  OnlyInSchema,         ///< implied in Standard
};

/// One field of one object, with its names in both dialects. The same list drives the reader, the writer and the diff.
struct Slot {
  std::string_view standard_name;
  std::string_view schema_name;
  SlotPointer at;
  const EnumWords* words = nullptr;
  bool optional = false;
  bool plain_in_standard = false;
  Place place = Place::Element;
  std::string_view standard_tag = {};  ///< where it is not the usual one of its kind

  std::string_view name(Dialect dialect) const { return dialect == Dialect::Standard ? standard_name : schema_name; }
};

using Slots = std::vector<Slot>;

/// True for what a list holds as objects, with ids and slots of their own.
template <class T>
inline constexpr bool kIsObject = std::is_same_v<T, Bone> || std::is_same_v<T, Modifier> || kIsPart<T>;

/// What is kept of an object and of the parts inside it. Borrows from the object.
struct KeptView {
  const Kept& own;
  std::span<const Kept> parts = {};

  /// Returns what is kept of part `i`, which may be past the end of the list.
  const Kept& part(std::size_t i) const {
    static const Kept none;
    return i < parts.size() ? parts[i] : none;
  }
};
inline KeptView kept_of(const Skeleton& skeleton) { return {skeleton.kept}; }
inline KeptView kept_of(const Bone& bone) { return {bone.kept}; }
inline KeptView kept_of(const Modifier& modifier) { return {modifier.kept, modifier.part_kept}; }

/// The slots of an object in the order of files; indices into them are the fields of its `Kept`.
Slots slots_of(Skeleton& skeleton);
Slots slots_of(Bone& bone);
Slots slots_of(Modifier& modifier);
Slots slots_of(Hinge& hinge);
Slots slots_of(RotationExpression& term);

/// Slots to read from; nothing is written through them.
template <class Object>
Slots slots_to_read(const Object& object) {
  return slots_of(const_cast<Object&>(object));
}

/// The slots of an object of the same kind that has all defaults.
Slots default_slots(const Skeleton&);
Slots default_slots(const Bone&);
Slots default_slots(const Modifier& modifier);
Slots default_slots(const Hinge&);
Slots default_slots(const RotationExpression&);

/// Whether two slots of the same kind hold equal values.
bool same_value(const Slot& a, const Slot& b);

}  // namespace marrow::anvil
