// SPDX-License-Identifier: MIT
// Offsets from class tables: natural alignment, base class first, an empty base takes no space.
#include "havok/object/layout.h"

#include <algorithm>
#include <cassert>

namespace marrow::havok {
namespace {

constexpr std::array<std::uint32_t, 2> kPointerSizes = {4, 8};
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
    case Kind::Variant:
    case Kind::SimpleArray: return {2 * pointer, pointer};
    case Kind::Array: return {pointer + 8, pointer};
    case Kind::RelArray: return {4, 2};
    case Kind::Record: break;  // decided by the class
  }
  assert(false);
  return {0, 1};
}

Step::Kind step_kind(Kind kind) {
  switch (kind) {
    case Kind::ULong: return Step::Kind::ULong;
    case Kind::Text: return Step::Kind::Text;
    case Kind::Pointer:
    case Kind::Variant: return Step::Kind::Pointer;
    case Kind::Array: return Step::Kind::Array;
    case Kind::SimpleArray: return Step::Kind::SimpleArray;
    case Kind::RelArray: return Step::Kind::RelArray;
    default: return Step::Kind::Copy;
  }
}

// What is known once all steps are there.
void finish(Element& element) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<Step>& list = element.steps[i];
    element.plain[i] = element.ref_count == 0 && list.size() == 1 && list[0].kind == Step::Kind::Copy &&
                       list[0].size == element.file_size[i] && element.pod_size == element.file_size[i];
  }
  element.holds_arrays =
      std::ranges::any_of(element.steps[1], [](const Step& step) { return step.element != nullptr; });
}

Element make_element(Kind kind) {
  Element element;
  element.kind = kind;
  if (kind == Kind::Record) return element;
  const Step::Kind step = step_kind(kind);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto [size, alignment] = room_in_file(kind, kPointerSizes[i]);
    element.file_size[i] = size;
    element.file_alignment[i] = alignment;
    if (size > 0) element.steps[i].push_back({.kind = step, .size = size});
  }
  if (step == Step::Kind::Copy || step == Step::Kind::ULong) {
    // Numbers have the same layout in memory as in a 64-bit file.
    element.pod_size = element.file_size[1];
    element.pod_alignment = element.file_alignment[1];
  } else {
    element.ref_count = 1;
  }
  finish(element);
  return element;
}

// Appends a step and merges it with the previous one if both copy adjacent bytes.
void append(std::vector<Step>& steps, const Step& step) {
  if (!steps.empty() && step.kind == Step::Kind::Copy && steps.back().kind == Step::Kind::Copy) {
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

// The start of a class: its base, or the vtable pointer.
std::array<std::uint32_t, 2> begin_layout(const Class& type, Element& layout) {
  layout.kind = Kind::Record;
  layout.record = &type;
  if (type.parent) {
    const Element& base = type.parent->layout;
    const bool is_empty = base.file_size[1] == 1 && base.pod_size == 0 && base.ref_count == 0;
    layout.file_alignment = base.file_alignment;
    layout.steps = base.steps;
    layout.pod_size = base.pod_size;
    layout.pod_alignment = base.pod_alignment;
    layout.ref_count = base.ref_count;
    return is_empty ? std::array<std::uint32_t, 2>{0, 0} : base.file_size;
  }
  if (type.has_vtable) {
    layout.file_alignment = kPointerSizes;
    return kPointerSizes;
  }
  return {0, 0};
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
  Element& layout = type.layout;
  std::array<std::uint32_t, 2> end = begin_layout(type, layout);
  for (Member& member : type.members) {
    const Element& one = element_of_member(member);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::uint32_t alignment = std::max(one.file_alignment[i], member.alignment);
      layout.file_alignment[i] = std::max(layout.file_alignment[i], alignment);
      member.file_offset[i] = member.fixed_offset[i] >= 0 ? static_cast<std::uint32_t>(member.fixed_offset[i])
                                                          : align_up(end[i], alignment);
      end[i] = member.file_offset[i] + one.file_size[i] * member.type.repeat;
    }
    if (!member.is_ignored) {
      layout.pod_alignment = std::max(layout.pod_alignment, one.pod_alignment);
      member.pod_offset = align_up(layout.pod_size, one.pod_alignment);
      member.ref_offset = layout.ref_count;
      layout.pod_size = member.pod_offset + one.pod_size * member.type.repeat;
      layout.ref_count += one.ref_count * member.type.repeat;
    }
    for (std::size_t i = 0; i < 2; ++i) append_member(layout, member, one, i);
  }
  layout.pod_size = align_up(layout.pod_size, layout.pod_alignment);
  for (std::size_t i = 0; i < 2; ++i) {
    layout.file_alignment[i] = std::max(layout.file_alignment[i], type.alignment);
    layout.file_size[i] = std::max(1u, align_up(end[i], layout.file_alignment[i]));
  }
  finish(layout);
}

}  // namespace marrow::havok
