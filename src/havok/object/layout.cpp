// SPDX-License-Identifier: MIT
// Offsets from class tables: natural alignment, base class first, an empty base takes no space.
#include "havok/object/layout.h"

#include <algorithm>
#include <cassert>

namespace marrow::havok {
namespace {

// The layouts by their index.
constexpr auto kLayouts = [] {
  ByLayout<FileLayout> all;
  for (std::size_t i = 0; i < kLayoutCount; ++i) all[i] = {(i & 1) != 0 ? 8u : 4u, (i & 2) != 0, (i & 4) != 0};
  return all;
}();

constexpr std::size_t kKindCount = static_cast<std::size_t>(Kind::RelArray) + 1;

constexpr std::uint32_t align_up(std::uint32_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

struct Room {
  std::uint32_t size, alignment;
};

Room room_in_file(Kind kind, std::uint32_t pointer) {
  switch (kind) {
    case Kind::Void: return {0, 1};
    case Kind::Bool:
    case Kind::Char:
    case Kind::Int8:
    case Kind::UInt8: return {1, 1};
    case Kind::Int16:
    case Kind::UInt16:
    case Kind::Half: return {2, 2};
    case Kind::Int32:
    case Kind::UInt32:
    case Kind::Real: return {4, 4};
    case Kind::Int64:
    case Kind::UInt64: return {8, 8};
    case Kind::Vector4:
    case Kind::Quaternion: return {16, 16};
    case Kind::Matrix3:
    case Kind::Rotation:
    case Kind::QsTransform: return {48, 16};
    case Kind::Matrix4:
    case Kind::Transform: return {64, 16};
    case Kind::ULong:
    case Kind::Text:
    case Kind::Pointer: return {pointer, pointer};
    case Kind::Variant: return {2 * pointer, pointer};
    case Kind::SimpleArray: return {pointer + 4, pointer};  // a pointer and a count, members of their own
    case Kind::Array: return {pointer + 8, pointer};
    case Kind::RelArray: return {4, 2};
    case Kind::Record: break;  // decided by the class
  }
  assert(false);
  return {0, 1};
}

// The width of the numbers that a kind is made of.
std::uint32_t number_width(Kind kind) {
  return float_count(kind) > 0 ? sizeof(float) : std::max(1u, room_in_file(kind, 8).size);
}

Step::Kind step_kind(Kind kind, bool is_turned) {
  switch (kind) {
    case Kind::ULong: return Step::Kind::ULong;
    case Kind::Text: return Step::Kind::Text;
    case Kind::Pointer:
    case Kind::Variant: return Step::Kind::Pointer;
    case Kind::Array: return Step::Kind::Array;
    case Kind::SimpleArray: return Step::Kind::SimpleArray;
    case Kind::RelArray: return Step::Kind::RelArray;
    default: break;
  }
  if (!is_turned) return Step::Kind::Copy;
  switch (number_width(kind)) {
    case 2: return Step::Kind::Turn2;
    case 4: return Step::Kind::Turn4;
    case 8: return Step::Kind::Turn8;
    default: return Step::Kind::Copy;
  }
}

bool is_turn(Step::Kind kind) { return kind >= Step::Kind::Turn2 && kind <= Step::Kind::Turn8; }
bool copies(Step::Kind kind) { return kind == Step::Kind::Copy || is_turn(kind); }

// What is known once all steps of a layout are there.
void finish(Element& element, std::size_t layout) {
  const std::vector<Step>& list = element.steps[layout];
  const bool is_one = element.ref_count == 0 && list.size() == 1 && list[0].size == element.file_size[layout] &&
                      element.pod_size == element.file_size[layout];
  element.plain[layout] = is_one && list[0].kind == Step::Kind::Copy;
  element.is_turned[layout] = is_one && is_turn(list[0].kind);
}

Element make_element(Kind kind) {
  Element element;
  element.kind = kind;
  if (kind == Kind::Record) return element;
  for (std::size_t i = 0; i < kLayoutCount; ++i) {
    const auto [size, alignment] = room_in_file(kind, kLayouts[i].pointer_size);
    element.file_size[i] = element.file_end[i] = size;
    element.file_alignment[i] = alignment;
    if (size > 0) element.steps[i].push_back({.kind = step_kind(kind, kLayouts[i].is_big_endian), .size = size});
  }
  const Step::Kind step = step_kind(kind, false);
  if (step == Step::Kind::Copy || step == Step::Kind::ULong) {
    // Numbers have the same layout in memory as in a 64-bit file.
    element.pod_size = element.file_size[1];
    element.pod_alignment = element.file_alignment[1];
  } else {
    element.ref_count = 1;
  }
  for (std::size_t i = 0; i < kLayoutCount; ++i) finish(element, i);
  return element;
}

// Appends a step and merges it with the previous one if both copy adjacent bytes in the same way.
void append(std::vector<Step>& steps, const Step& step) {
  if (!steps.empty() && copies(step.kind) && steps.back().kind == step.kind) {
    Step& last = steps.back();
    if (last.file_offset + last.size == step.file_offset && last.pod_offset + last.size == step.pod_offset) {
      last.size += step.size;
      return;
    }
  }
  steps.push_back(step);
}

// Adds the steps of one member, once per repeat; those of a record are the steps of its class, moved to its offset.
void append_member(Element& into, const Member& member, const Element& one, std::size_t layout) {
  for (std::uint32_t n = 0; n < member.type.repeat; ++n) {
    const std::uint32_t base = member.file_offset[layout] + n * one.file_size[layout];
    if (member.is_ignored) {
      // Havok zeroes what it does not serialise, but an array's capacity still says "not owned".
      if (member.type.kind == Kind::Array)
        append(into.steps[layout], {.kind = Step::Kind::IgnoredArray, .file_offset = base, .member = &member});
      if (member.type.kind == Kind::Text)
        append(into.steps[layout], {.kind = Step::Kind::IgnoredText, .file_offset = base, .member = &member});
      if (member.type.is_class_pointer)
        append(into.steps[layout], {.kind = Step::Kind::IgnoredClass, .file_offset = base, .member = &member});
      continue;
    }
    for (Step step : one.steps[layout]) {
      step.file_offset += base;
      step.pod_offset += member.pod_offset + n * one.pod_size;
      step.ref += member.ref_offset + n * one.ref_count;
      if (is_array(member.type.kind)) step.element = member.type.layout;
      if (!step.member) step.member = &member;
      append(into.steps[layout], step);
    }
  }
}

const Element& element_of_member(const Member& member) {
  return member.type.kind == Kind::Record ? member.type.record->layout : element_of(member.type.kind);
}

bool is_empty(const Element& base) { return base.file_size[1] == 1 && base.pod_size == 0 && base.ref_count == 0; }

// Where the own members of a class start: after its base, in the padding of its base, or after the vtable pointer.
std::uint32_t begin_layout(const Class& type, Element& layout, std::size_t index) {
  if (type.parent) {
    const Element& base = type.parent->layout;
    layout.file_alignment[index] = base.file_alignment[index];
    layout.steps[index] = base.steps[index];
    if (is_empty(base)) return 0;
    return kLayouts[index].reuses_padding ? base.file_end[index] : base.file_size[index];
  }
  if (!type.has_vtable) return 0;
  layout.file_alignment[index] = kLayouts[index].pointer_size;
  return kLayouts[index].pointer_size;
}

// Where values are in memory is the same whatever file they come from.
void place_in_memory(Class& type) {
  Element& layout = type.layout;
  layout.kind = Kind::Record;
  layout.record = &type;
  if (type.parent) {
    const Element& base = type.parent->layout;
    layout.pod_size = base.pod_size;
    layout.pod_alignment = base.pod_alignment;
    layout.ref_count = base.ref_count;
    type.has_fixed_offsets = type.parent->has_fixed_offsets;
  }
  for (Member& member : type.members) {
    const Element& one = element_of_member(member);
    type.has_fixed_offsets |=
        member.fixed_offset[0] >= 0 || (member.type.kind == Kind::Record && member.type.record->has_fixed_offsets);
    if (member.is_ignored) continue;
    layout.pod_alignment = std::max(layout.pod_alignment, one.pod_alignment);
    member.pod_offset = align_up(layout.pod_size, one.pod_alignment);
    member.ref_offset = layout.ref_count;
    layout.pod_size = member.pod_offset + one.pod_size * member.type.repeat;
    layout.ref_count += one.ref_count * member.type.repeat;
  }
  layout.pod_size = align_up(layout.pod_size, layout.pod_alignment);
}

}  // namespace

const Element& element_of(Kind kind) {
  static const auto table = [] {
    std::array<Element, kKindCount> elements;
    for (std::size_t i = 0; i < kKindCount; ++i) elements[i] = make_element(static_cast<Kind>(i));
    return elements;
  }();
  return table[static_cast<std::size_t>(kind)];
}

void lay_out(Class& type) {
  place_in_memory(type);
  for (std::size_t i = 0; i < kUsualLayoutCount; ++i) lay_out_for(type, i);
}

void lay_out_for(Class& type, std::size_t index) {
  Element& layout = type.layout;
  const FileLayout& file = kLayouts[index];
  std::uint32_t end = begin_layout(type, layout, index);
  for (Member& member : type.members) {
    const Element& one = element_of_member(member);
    const std::uint32_t alignment = std::max(one.file_alignment[index], member.alignment);
    const std::int32_t fixed = member.fixed_offset[file.pointer_size == 8 ? 1 : 0];
    layout.file_alignment[index] = std::max(layout.file_alignment[index], alignment);
    member.file_offset[index] = fixed >= 0 ? static_cast<std::uint32_t>(fixed) : align_up(end, alignment);
    end = member.file_offset[index] + one.file_size[index] * member.type.repeat;
    append_member(layout, member, one, index);
  }
  layout.file_end[index] = end;
  layout.file_alignment[index] = std::max(layout.file_alignment[index], type.alignment);
  layout.file_size[index] =
      type.stated_size > 0 ? type.stated_size : std::max(1u, align_up(end, layout.file_alignment[index]));
  finish(layout, index);
}

}  // namespace marrow::havok
