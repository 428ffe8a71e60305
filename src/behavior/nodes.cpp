// SPDX-License-Identifier: MIT
#include "behavior/nodes.h"

#include <algorithm>

#include "havok/packfile/node_numbers.h"
#include "havok/text/object_names.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

NodeNames::NodeNames(const havok::Packfile& file) : names_(havok::object_names(file)) {
  by_name_.reserve(names_.size());
  for (std::uint32_t i = 0; i < names_.size(); ++i) by_name_.emplace(names_[i], i);
}

std::string_view NodeNames::of(havok::ObjectId id) const {
  return id.index < names_.size() ? std::string_view(names_[id.index]) : std::string_view();
}

std::uint64_t NodeNames::number_of(havok::ObjectId id) const {
  return havok::number_of_name(of(id)).value_or(UINT64_MAX);
}

havok::ObjectId NodeNames::find(std::string_view name) const {
  if (const auto at = by_name_.find(name); at != by_name_.end()) return {at->second};
  const auto number = parse_uint(name.starts_with('#') ? name.substr(1) : name);
  if (!number) return {};
  const auto at = by_name_.find(havok::numbered_name(*number));
  return at == by_name_.end() ? havok::ObjectId{} : havok::ObjectId{at->second};
}

std::uint64_t NodeNames::next_number() const {
  std::uint64_t next = 1;
  for (const std::string& name : names_)
    if (const auto number = havok::number_of_name(name)) next = std::max(next, *number + 1);
  return next;
}

std::vector<havok::ObjectId> NodeNames::in_order() const {
  std::vector<havok::ObjectId> order(names_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = {i};
  std::ranges::stable_sort(order, {}, [&](havok::ObjectId id) { return number_of(id); });
  return order;
}

}  // namespace marrow::behavior
