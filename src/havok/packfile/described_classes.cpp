// SPDX-License-Identifier: MIT
// Classes from the descriptions of a packfile: the same as the tables give, as far as both agree on the layout.
#include "havok/packfile/described_classes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "havok/object/layout.h"
#include "havok/tag/known.h"

namespace marrow::havok {
namespace {

constexpr int kMostNested = 64;
constexpr std::size_t kMostClassSteps = 65536;

// By the number of `hkClassMember::Type`; Void for those that need more than their number.
constexpr std::array<Kind, 19> kPlainKinds = {
    Kind::Void,    Kind::Bool,     Kind::Char,        Kind::Int8,    Kind::UInt8,    Kind::Int16,   Kind::UInt16,
    Kind::Int32,   Kind::UInt32,   Kind::Int64,       Kind::UInt64,  Kind::Real,     Kind::Vector4, Kind::Quaternion,
    Kind::Matrix3, Kind::Rotation, Kind::QsTransform, Kind::Matrix4, Kind::Transform};

Kind kind_of_stated(StatedKind stated) {
  if (stated <= StatedKind::LastPlain) return kPlainKinds[static_cast<std::size_t>(stated)];
  switch (stated) {
    case StatedKind::CString:
    case StatedKind::StringPtr: return Kind::Text;
    case StatedKind::ULong: return Kind::ULong;
    case StatedKind::Half: return Kind::Half;
    case StatedKind::Pointer:
    case StatedKind::FunctionPointer: return Kind::Pointer;
    case StatedKind::Struct: return Kind::Record;
    case StatedKind::Array: return Kind::Array;
    case StatedKind::SimpleArray: return Kind::SimpleArray;
    case StatedKind::RelArray: return Kind::RelArray;
    default: return Kind::Void;
  }
}

class StatedClassMaker {
 public:
  StatedClassMaker(const Schema& tables, const StatedClasses& stated, std::span<const ClassSignature> wanted,
                   FileLayout layout, const Limits& limits)
      : tables_(tables), stated_(stated), layout_(layout), limits_(limits) {
    for (const ClassSignature& each : wanted) signatures_.emplace(each.name, each.signature);
  }

  std::shared_ptr<const Schema> run() {
    for (const auto& [name, signature] : signatures_)
      if (is_own(name)) (void)make(name, 0);
    for (bool has_more = true; has_more;) {
      has_more = false;
      for (auto& [name, entry] : made_)  // what arrays hold; more may join behind or before
        if (!entry.is_open) has_more = true, (void)make(name, 0);
    }
    drop_what_needs_failed_ones();
    std::vector<std::unique_ptr<Class>> all;
    for (auto& [name, entry] : made_)
      if (entry.is_done) all.push_back(std::move(entry.type));
    return all.empty() ? nullptr : Schema::extend(tables_, std::move(all));
  }

 private:
  struct Entry {
    std::unique_ptr<Class> type = std::make_unique<Class>();
    bool is_open = false, is_done = false;
    std::vector<std::string> elements = {};  ///< classes of what its arrays hold
  };

  // True if the file's description is the one to use.
  bool is_own(std::string_view name) const {
    if (!stated_.contains(name)) return false;
    const Class* table = tables_.find(name);
    if (!table) return true;
    const auto found = signatures_.find(name);
    return table->signature != 0 && found != signatures_.end() && found->second != table->signature;
  }

  // Returns a class that has been laid out for the file: of the tables, or made. Null if it cannot be.
  const Class* make(const std::string& name, int depth) {
    if (!is_own(name)) return from_tables(name);
    Entry& entry = made_[name];
    if (entry.is_done) return entry.type.get();
    if (entry.is_open || depth > kMostNested) return nullptr;  // it failed, or contains itself
    entry.is_open = true;
    entry.is_done = fill(*entry.type, name, entry, depth);
    return entry.is_done ? entry.type.get() : nullptr;
  }

  const Class* from_tables(const std::string& name) const {
    const auto stated = stated_.find(name);
    const Class* type = tables_.find(name, layout_);
    if (!type || (stated != stated_.end() && stated->second.size != type->layout.file_size[layout_.index()]))
      return nullptr;
    for (std::size_t i = 0; i < kLayoutCount; ++i)
      (void)tables_.find(name, {(i & 1) != 0 ? 8u : 4u, (i & 2) != 0, (i & 4) != 0});
    return type;
  }

  bool fill(Class& type, const std::string& name, Entry& entry, int depth) {
    const StatedClass& stated = stated_.find(name)->second;
    type.name = name;
    if (const auto signature = signatures_.find(name); signature != signatures_.end())
      type.signature = signature->second;
    if (!stated.parent.empty() && !(type.parent = make(stated.parent, depth + 1))) return false;
    const std::uint32_t first = stated.members.empty() ? stated.size : stated.members.front().offset;
    type.has_vtable = !type.parent && first >= layout_.pointer_size;
    type.enums.reserve(stated.members.size());  // members point to them
    for (const StatedMember& member : stated.members)
      if (!add_member(type, member, entry, depth)) return false;
    return is_described_once(type) && is_small_enough(type) && place(type, stated) && reads_as_known(type);
  }

  bool add_member(Class& type, const StatedMember& stated, Entry& entry, int depth) {
    Member member;
    member.name = stated.name;
    member.is_ignored = (stated.flags & StatedMember::kNotStored) != 0;
    if (stated.flags & StatedMember::kAlign8) member.alignment = 8;
    if (stated.flags & StatedMember::kAlign16) member.alignment = 16;
    member.type.repeat = stated.repeat;
    if (stated.kind == StatedKind::Variant) return add_variant(type, std::move(member));
    member.type.kind = kind_of_stated(stated.kind);
    if (stated.kind == StatedKind::Zero) {
      member.type.kind = stated.element == StatedKind::Void ? Kind::Pointer : kind_of_stated(stated.element);
      member.is_ignored = true;
    }
    if (stated.kind == StatedKind::Enum || stated.kind == StatedKind::Flags) {
      member.type.kind = kind_of_stated(stated.element);
      member.type.is_flags = stated.kind == StatedKind::Flags;
      if (!is_integer(member.type.kind)) return false;
      if (!stated.names.items.empty()) member.type.names = &type.enums.emplace_back(stated.names);
    }
    if (!refer(member, stated, entry, depth)) return false;
    type.members.push_back(std::move(member));
    return true;
  }

  // A pointer to an object, and one to the description of its class.
  static bool add_variant(Class& type, Member member) {
    if (member.type.repeat != 1) return false;
    member.type.kind = Kind::Pointer;
    Member of = member;
    of.name += "Class";
    of.is_ignored = of.type.is_class_pointer = true;
    type.members.push_back(std::move(member));
    type.members.push_back(std::move(of));
    return true;
  }

  // Finds the class that a member holds or leads to.
  bool refer(Member& member, const StatedMember& stated, Entry& entry, int depth) {
    Type& type = member.type;
    switch (type.kind) {
      case Kind::Void: return false;
      case Kind::Record: return (type.record = make(stated.class_name, depth + 1)) != nullptr;
      case Kind::Pointer:
        if (stated.class_name == "hkClass") member.is_ignored = type.is_class_pointer = true;
        if (stated.kind == StatedKind::FunctionPointer) member.is_ignored = true;
        return member.is_ignored || stated.element == StatedKind::Struct;
      case Kind::Array:
      case Kind::SimpleArray:
      case Kind::RelArray:
        type.element = kind_of_stated(stated.element);
        if (is_array(type.element) || (type.element == Kind::Void && !member.is_ignored)) return false;
        if (type.element == Kind::Record) {
          // It may hold the class itself: only the address is needed here.
          type.record =
              is_own(stated.class_name) ? made_[stated.class_name].type.get() : from_tables(stated.class_name);
          if (!type.record) return false;
          entry.elements.push_back(stated.class_name);
        }
        type.layout = type.record ? &type.record->layout : &element_of(type.element);
        return true;
      default: return true;
    }
  }

  // A member that hides one of a base would be read in its place.
  static bool is_described_once(const Class& type) {
    std::vector<std::string_view> names;
    for (const Class* each = &type; each; each = each->parent)
      for (const Member& member : each->members) names.push_back(member.name);
    std::ranges::sort(names);
    return std::ranges::adjacent_find(names) == names.end();
  }

  bool is_small_enough(const Class& type) const {
    std::uint64_t steps = type.parent ? type.parent->layout.steps[1].size() : 0;
    for (const Member& member : type.members)
      steps += std::uint64_t{member.type.repeat} *
               (member.type.kind == Kind::Record ? member.type.record->layout.steps[1].size() : 1);
    return steps <= kMostClassSteps && limits_.charge(steps, kLayoutCount * sizeof(Step));
  }

  // Lays the class out for every layout. False if that of the file comes out otherwise than it says.
  bool place(Class& type, const StatedClass& stated) const {
    const std::size_t own = layout_.index();
    lay_out(type);
    if (own >= kUsualLayoutCount) lay_out_for(type, own);
    Element& layout = type.layout;
    if (layout.file_size[own] != stated.size) {
      // The class may ask for more alignment than its members do; it is not stated.
      for (const std::uint32_t alignment : {8u, 16u})
        if ((layout.file_end[own] + alignment - 1) / alignment * alignment == stated.size) type.alignment = alignment;
      if (type.alignment == 1) return false;
      layout = Element{};
      lay_out(type);
      if (own >= kUsualLayoutCount) lay_out_for(type, own);
      if (layout.file_size[own] != stated.size) return false;
    }
    std::size_t next = 0;
    for (const StatedMember& member : stated.members) {
      if (type.members[next].file_offset[own] != member.offset) return false;
      next += member.kind == StatedKind::Variant ? 2 : 1;
    }
    for (std::size_t i = kUsualLayoutCount; i < kLayoutCount; ++i)
      if (i != own) lay_out_for(type, i);
    return true;
  }

  // Code reads known classes by the names of their members.
  bool reads_as_known(const Class& type) const {
    for (const Class* each = &type; each; each = each->parent)
      for (const Class* known : {tables_.find(each->name), known_class(each->name)})
        if (known && !is_like(type, *known)) return false;
    return true;
  }

  // An array of a class that could not be made cannot be read.
  void drop_what_needs_failed_ones() {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      const auto is_lost = [&](const std::string& name) {
        const auto found = made_.find(name);
        return is_own(name) && (found == made_.end() || !found->second.is_done);
      };
      for (auto& [name, entry] : made_) {
        if (!entry.is_done) continue;
        bool lost = std::ranges::any_of(entry.elements, is_lost);
        if (entry.type->parent) lost |= is_lost(entry.type->parent->name);
        for (const Member& member : entry.type->members)
          if (member.type.kind == Kind::Record) lost |= is_lost(member.type.record->name);
        if (lost) entry.is_done = false, has_changed = true;
      }
    }
  }

  const Schema& tables_;
  const StatedClasses& stated_;
  std::map<std::string, std::uint32_t, std::less<>> signatures_;
  FileLayout layout_;
  const Limits& limits_;
  std::map<std::string, Entry, std::less<>> made_;  // addresses stay
};

}  // namespace

std::shared_ptr<const Schema> schema_with_stated(const Schema& tables, const StatedClasses& stated,
                                                 std::span<const ClassSignature> wanted, FileLayout layout,
                                                 const Limits& limits) {
  return StatedClassMaker(tables, stated, wanted, layout, limits).run();
}

}  // namespace marrow::havok
