// SPDX-License-Identifier: MIT
// Classes from the types of a tagfile: the same descriptions that the tables of packfiles give, with stated offsets.
#include "havok/tag/classes.h"

#include <algorithm>
#include <array>

#include "core/try.h"
#include "core/unused_names.h"
#include "havok/object/layout.h"
#include "havok/tag/known.h"

namespace marrow::havok {
namespace {

/// Records in records, and places in one record that refer to something or are copied on their own.
constexpr int kMostDepth = 64;
constexpr std::size_t kMostSlots = 65536;
constexpr std::uint32_t kMostRepeats = 65536;

// Another name for a class whose own is taken.
std::string with_dash(const std::string& name, int number) {
  return name + "'" + (number == 1 ? "" : std::to_string(number));
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

class ClassMaker {
 public:
  ClassMaker(TagTypes& types, std::uint64_t at, const Limits& limits) : out_(types), at_(at), limits_(limits) {}

  Result<void> run(std::string version) {
    const std::size_t count = out_.types.size();
    out_.classes.resize(count);
    out_.slots.resize(count);
    out_.elements.resize(count);
    classes_.resize(count);
    is_open_.resize(count);
    meanings_.resize(count);
    for (std::uint32_t i = 1; i < count; ++i) MARROW_CHECK(make(i, 0));
    // Elements of arrays may be of classes that were made later: only now all of them are there.
    out_.elements[0] = &element_of(Kind::Void);
    for (std::uint32_t i = 1; i < count; ++i) {
      MARROW_CHECK(wrap(i));
      out_.elements[i] = &element(meanings_[i]);
      if (out_.char_type == 0 && out_.types[i].name == "char") out_.char_type = i;
      out_.classes[i] = record_of(meanings_[i]);
    }
    for (std::uint32_t i = 1; i < count; ++i)
      if (classes_[i]) connect(*classes_[i]);
    MARROW_CHECK(compare_with_tables());
    std::vector<std::unique_ptr<Class>> all;
    for (std::uint32_t i = 1; i < count; ++i) {
      if (!classes_[i]) continue;
      connect_steps(*classes_[i]);
      out_.type_of.emplace(classes_[i].get(), i);
      all.push_back(std::move(classes_[i]));
    }
    out_.schema = Schema::of_classes(std::move(all), std::move(version));
    return {};
  }

 private:
  /// What a value of a type is in terms of the tables.
  struct Meaning {
    Kind kind = Kind::Void;
    std::uint32_t repeat = 1;
    const Class* record = nullptr;  ///< of a record
    std::uint32_t subtype = 0;      ///< of an array or pointer
    bool is_done = false;
  };

  static const Class* record_of(const Meaning& meaning) {
    return meaning.kind == Kind::Record ? meaning.record : nullptr;
  }
  static const Element& element(const Meaning& meaning) {
    return meaning.kind == Kind::Record ? meaning.record->layout : element_of(meaning.kind);
  }

  std::unexpected<Error> refuse(const TagType& type, std::string why) const {
    return fail(ErrorCode::Malformed, "type " + type.name + " " + std::move(why), at_, "TYPE");
  }

  static Kind integer_kind(const TagType& type) {
    const bool is_signed = (type.format & TagType::kSigned) != 0;
    switch (type.size) {
      case 1: return is_signed ? Kind::Int8 : Kind::UInt8;
      case 2: return is_signed ? Kind::Int16 : Kind::UInt16;
      case 4: return is_signed ? Kind::Int32 : Kind::UInt32;
      case 8: return is_signed ? Kind::Int64 : Kind::UInt64;
      default: return Kind::Void;
    }
  }

  // Floats in place that have a kind of their own.
  static Kind tuple_kind(std::string_view name, std::uint32_t count) {
    if (!name.starts_with("hk")) return Kind::Void;
    if (count == 4) return holds(name, "Quaternion") ? Kind::Quaternion : Kind::Vector4;
    if (count == 12) return holds(name, "Matrix3") ? Kind::Matrix3 : Kind::Rotation;
    if (count == 16) return holds(name, "Transform") ? Kind::Transform : Kind::Matrix4;
    return Kind::Void;
  }

  // Finds the meaning of a type, and makes its class if it is a record; types that it holds in place come first.
  Result<void> make(std::uint32_t index, int depth) {
    Meaning& meaning = meanings_[index];
    if (meaning.is_done || index == 0) return {};
    const TagType& type = out_.types[index];
    if (is_open_[index] || depth > kMostDepth) return refuse(type, "contains itself, or records nest too deep");
    is_open_[index] = true;
    MARROW_CHECK(make_meaning(index, type, meaning, depth));
    meaning.is_done = true;
    return {};
  }

  Result<void> make_meaning(std::uint32_t index, const TagType& type, Meaning& meaning, int depth) {
    const bool is_alias = type.parent != 0 && !(type.parts & (TagType::kFormat | TagType::kSize | TagType::kMembers));
    if (is_alias) {
      MARROW_CHECK(make(type.parent, depth + 1));
      meaning = meanings_[type.parent];
      out_.slots[index] = out_.slots[type.parent];
      if (meaning.repeat == 1 && element_of(meaning.kind).ref_count > 0) out_.slots[index] = {{0, index}};
      return charge_slots(type, out_.slots[index].size());
    }
    meaning.subtype = type.subtype;
    switch (type.form()) {
      case TagType::kString: meaning.kind = Kind::Text; break;
      case TagType::kPointer: meaning.kind = Kind::Pointer; break;
      case TagType::kBool: meaning.kind = type.size == 1 ? Kind::Bool : integer_kind(type); break;
      case TagType::kInteger: meaning.kind = integer_kind(type); break;
      case TagType::kFloat:
        meaning.kind = type.size == 4 ? Kind::Real : type.size == 2 ? Kind::Half : integer_kind(type);
        break;
      case TagType::kRecord: return make_record(index, type, meaning, depth);
      case TagType::kArray:
        if (type.is_in_place_array()) return make_in_place(index, type, meaning, depth);
        meaning.kind = Kind::Array;
        break;
      default: break;
    }
    if (meaning.kind == Kind::Void) {
      // Bytes that mean nothing to us.
      meaning.kind = type.size > 0 ? Kind::UInt8 : Kind::Void;
      meaning.repeat = std::max(1u, type.size);
      if (meaning.repeat > kMostRepeats) return refuse(type, "is too large");
      return {};
    }
    if (element_of(meaning.kind).file_size[1] != type.size)
      return refuse(type, "has a size that does not fit its kind");
    if (element_of(meaning.kind).ref_count > 0) out_.slots[index] = {{0, index}};
    return charge_slots(type, out_.slots[index].size());
  }

  Result<void> make_in_place(std::uint32_t index, const TagType& type, Meaning& meaning, int depth) {
    MARROW_CHECK(make(type.subtype, depth + 1));
    const Meaning& one = meanings_[type.subtype];
    const std::uint32_t count = type.in_place_count(), size = out_.types[type.subtype].size;
    if (count == 0 || size == 0 || std::uint64_t{count} * size != type.size)
      return refuse(type, "is an array whose size does not fit its elements");
    const Kind tuple = one.kind == Kind::Real && one.repeat == 1 ? tuple_kind(type.name, count) : Kind::Void;
    meaning = one;
    if (tuple != Kind::Void) {
      meaning.kind = tuple;
      return {};
    }
    if (std::uint64_t{one.repeat} * count > kMostRepeats) return refuse(type, "has too many elements in place");
    meaning.repeat = one.repeat * count;
    const std::vector<TagSlot> each = out_.slots[type.subtype];
    MARROW_CHECK(charge_slots(type, each.size() * count));
    for (std::uint32_t i = 0; i < count; ++i)
      for (const TagSlot& slot : each) out_.slots[index].push_back({slot.offset + i * size, slot.type});
    return {};
  }

  Result<void> make_record(std::uint32_t index, const TagType& type, Meaning& meaning, int depth) {
    meaning.kind = Kind::Record;
    if (type.parent != 0) MARROW_CHECK(make(type.parent, depth + 1));
    for (const TagMember& member : type.members) MARROW_CHECK(make(member.type, depth + 1));
    if (type.name.starts_with("hkQsTransform") && type.size == 48) {
      meaning.kind = Kind::QsTransform;
      return {};
    }
    if (type.size == 0) return refuse(type, "is a record without a size");
    auto made = std::make_unique<Class>();
    made->name = names_.add(type.name, with_dash);
    made->stated_size = type.size;
    if (type.parent != 0) {
      made->parent = record_of(meanings_[type.parent]);
      if (!made->parent || out_.types[type.parent].size > type.size)
        return refuse(type, "derives from no smaller record");
      out_.slots[index] = out_.slots[type.parent];
    }
    std::uint64_t room = 0;
    for (const TagMember& member : type.members) {
      const std::uint32_t size = out_.types[member.type].size;
      room += size;
      if (member.offset > type.size || size > type.size - member.offset || room > type.size)
        return refuse(type, "has member " + member.name + " outside of it");
      add_member(*made, member);
      for (const TagSlot& slot : out_.slots[member.type])
        out_.slots[index].push_back({member.offset + slot.offset, slot.type});
    }
    MARROW_CHECK(charge_slots(type, out_.slots[index].size()));
    MARROW_CHECK(charge_steps(type, *made));
    lay_out(*made);
    made->layout.file_alignment[1] = type.alignment;
    meaning.record = made.get();
    classes_[index] = std::move(made);
    return {};
  }

  void add_member(Class& made, const TagMember& stated) const {
    const Meaning& meaning = meanings_[stated.type];
    Member& member = made.members.emplace_back();
    member.name = stated.name;
    member.type.kind = meaning.kind;
    member.type.repeat = meaning.repeat;
    member.type.record = meaning.record;
    member.fixed_offset = {static_cast<std::int32_t>(stated.offset), static_cast<std::int32_t>(stated.offset)};
    member.is_ignored = meaning.kind == Kind::Void;
    // Until all classes are there, arrays and pointers have the number of their elements' type.
    member.alignment = 1;
    pending_[&made].push_back(meaning.subtype);
  }

  // An item of several values each, or of arrays, holds records with one member. Records in place have been laid out by
  // now, so that only items see it.
  Result<void> wrap(std::uint32_t index) {
    Meaning& meaning = meanings_[index];
    const TagType& type = out_.types[index];
    if (classes_[index] || type.size == 0 || (meaning.repeat == 1 && meaning.kind != Kind::Array)) return {};
    auto made = std::make_unique<Class>();
    made->name = names_.add(type.name + "'s", with_dash);
    made->stated_size = type.size;
    add_member(*made, {.name = "value", .flags = 0, .offset = 0, .type = index});
    MARROW_CHECK(charge_steps(type, *made));
    lay_out(*made);
    meaning = {.kind = Kind::Record, .repeat = 1, .record = made.get(), .subtype = meaning.subtype, .is_done = true};
    classes_[index] = std::move(made);
    return {};
  }

  // Gives arrays and pointers the classes of their elements.
  void connect(Class& made) {
    const std::vector<std::uint32_t>& subtypes = pending_[&made];
    for (std::size_t i = 0; i < made.members.size(); ++i) {
      Member& member = made.members[i];
      const Meaning& inner = meanings_[subtypes[i]];
      if (member.type.kind == Kind::Pointer) member.type.record = record_of(inner);
      if (member.type.kind != Kind::Array) continue;
      member.type.element = inner.kind;
      member.type.record = record_of(inner);
      member.type.layout = &element(inner);
    }
  }

  // Code reads known classes by the names of their members. A class of such a name with other members gets another
  // name, and is kept as any class that is not known.
  Result<void> compare_with_tables() {
    for (const std::unique_ptr<Class>& type : classes_) {
      const Class* known = type ? known_class(type->name) : nullptr;
      if (!known || is_like(*type, *known)) continue;
      type->name = names_.add(type->name, with_dash);
    }
    for (const std::unique_ptr<Class>& type : classes_)
      for (const Class* base = type ? type->parent : nullptr; base; base = base->parent)
        if (const Class* known = known_class(base->name); known && !is_like(*type, *known))
          return fail(ErrorCode::Unsupported, "class " + type->name + " hides members of " + base->name, at_, "TYPE");
    return {};
  }

  // Steps of records in place are those of their classes: they point to the same members.
  static void connect_steps(Class& made) {
    for (std::vector<Step>& steps : made.layout.steps)
      for (Step& step : steps)
        if (step.kind == Step::Kind::Array && step.member) step.element = step.member->type.layout;
  }

  Result<void> charge_slots(const TagType& type, std::size_t count) const {
    if (count > kMostSlots || !limits_.charge(count, sizeof(TagSlot)))
      return refuse(type, "refers to more than can be described");
    return {};
  }

  // What laying it out will take: a step for each value of each member.
  Result<void> charge_steps(const TagType& type, const Class& made) const {
    std::uint64_t steps = made.parent ? made.parent->layout.steps[1].size() : 0;
    for (const Member& member : made.members)
      steps += std::uint64_t{member.type.repeat} *
               (member.type.kind == Kind::Record ? member.type.record->layout.steps[1].size() : 1);
    if (steps > kMostSlots || !limits_.charge(steps, 2 * sizeof(Step)))
      return refuse(type, "has more members than can be described");
    return {};
  }

  TagTypes& out_;
  std::uint64_t at_;
  const Limits& limits_;
  std::vector<std::unique_ptr<Class>> classes_;  // by type
  std::vector<Meaning> meanings_;                // by type
  std::vector<bool> is_open_;                    // being made, or made
  UnusedNames names_;
  mutable std::unordered_map<const Class*, std::vector<std::uint32_t>> pending_;
};

}  // namespace

Result<void> make_tag_classes(TagTypes& types, std::string version, std::uint64_t at, const Limits& limits) {
  return ClassMaker(types, at, limits).run(std::move(version));
}

}  // namespace marrow::havok
