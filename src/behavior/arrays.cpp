// SPDX-License-Identifier: MIT
#include "behavior/arrays.h"

#include <algorithm>

#include "behavior/nodes.h"
#include "havok/packfile/node_numbers.h"

namespace marrow::behavior {
namespace {

using havok::Array;

// Copies elements from one array to another of the same type.
void copy_elements(const havok::Element& element, const Array& from, std::uint32_t first, Array& to, std::uint32_t at,
                   std::uint32_t count) {
  const std::size_t pod = element.pod_size, refs = element.ref_count;
  const auto pods = from.pods().subspan(first * pod, count * pod);
  std::ranges::copy(pods, to.mutable_pods().begin() + static_cast<std::ptrdiff_t>(at * pod));
  const auto values = from.refs().subspan(first * refs, count * refs);
  std::ranges::copy(values, to.mutable_refs().begin() + static_cast<std::ptrdiff_t>(at * refs));
}

havok::Ref& array_ref(havok::Fields& fields, const havok::Member& member) { return fields.ref(member); }

}  // namespace

std::uint32_t append_elements(havok::Fields fields, std::string_view name, std::uint32_t count) {
  const havok::Member& member = *fields.view().type().find(name);
  havok::Ref& ref = array_ref(fields, member);
  const Array& before = std::as_const(ref).array();
  const std::uint32_t old = before.count();
  Array grown(*member.type.layout, old + count);
  if (old > 0) copy_elements(*member.type.layout, before, 0, grown, 0, old);
  ref.set_array(std::move(grown));
  return old;
}

void remove_element(havok::Fields fields, std::string_view name, std::uint32_t index) {
  const havok::Member& member = *fields.view().type().find(name);
  havok::Ref& ref = array_ref(fields, member);
  const Array& before = std::as_const(ref).array();
  const std::uint32_t old = before.count();
  if (index >= old) return;
  Array left(*member.type.layout, old - 1);
  if (index > 0) copy_elements(*member.type.layout, before, 0, left, 0, index);
  if (index + 1 < old) copy_elements(*member.type.layout, before, index + 1, left, index, old - index - 1);
  ref.set_array(std::move(left));
}

void remove_elements(havok::Fields fields, std::string_view name, const std::vector<bool>& is_gone) {
  const havok::Member& member = *fields.view().type().find(name);
  havok::Ref& ref = array_ref(fields, member);
  const Array& before = std::as_const(ref).array();
  const auto gone = static_cast<std::uint32_t>(std::ranges::count(is_gone, true));
  if (gone == 0) return;
  Array left(*member.type.layout, before.count() - gone);
  for (std::uint32_t i = 0, to = 0; i < before.count(); ++i)
    if (!is_gone[i]) copy_elements(*member.type.layout, before, i, left, to++, 1);
  ref.set_array(std::move(left));
}

void append_text(havok::Fields fields, std::string_view name, std::string_view text) {
  const std::uint32_t at = append_elements(fields, name);
  fields.ref(*fields.view().type().find(name)).array().mutable_refs()[at].set_text(text);
}

void append_pointer(havok::Fields fields, std::string_view name, havok::ObjectId id) {
  const std::uint32_t at = append_elements(fields, name);
  fields.ref(*fields.view().type().find(name)).array().mutable_refs()[at].set_pointer(id);
}

havok::ObjectId add_node(havok::Packfile& file, std::string_view class_name) {
  const auto has_name = [](const havok::Object& object) { return !object.name().empty(); };
  const bool is_named = std::ranges::any_of(file.objects, has_name);
  const std::uint64_t number = is_named ? NodeNames(file).next_number() : 0;
  const havok::ObjectId id = file.add(class_name);
  if (is_named) file.at(id).set_name(havok::numbered_name(number));
  return id;
}

}  // namespace marrow::behavior
