// SPDX-License-Identifier: MIT
#include "havok/text/object_names.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "havok/packfile/node_numbers.h"
#include "havok/text/xml_source.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

/// References are in lists separated by blanks and commas, and `null` refers to nothing.
bool can_be_referred_to(std::string_view name) {
  const auto separates = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == ','; };
  return !name.empty() && name != "null" && name != "#null" && std::ranges::none_of(name, separates) &&
         !needs_bytes(name);
}

}  // namespace

std::vector<std::string> object_names(const Packfile& file) {
  std::vector<std::string> names(file.objects.size());
  if (const auto numbers = behaviour_numbers(file)) {
    std::ranges::transform(numbers->of, names.begin(), numbered_name);
    return names;
  }
  std::unordered_set<std::string_view> taken;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = file.objects[i].name();
    if (!can_be_referred_to(name) || !taken.insert(name).second) continue;
    names[i] = name;
    last = std::max(last, number_of_name(name).value_or(0));
  }
  for (std::string& name : names)
    while (name.empty())
      if (std::string next = numbered_name(++last); !taken.contains(next)) name = std::move(next);
  return names;
}

}  // namespace marrow::havok
