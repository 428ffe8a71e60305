// SPDX-License-Identifier: MIT
#include "havok/object_names.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "core/utf8.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

/// References are in lists separated by blanks and commas, and `null` refers to nothing.
bool can_be_referred_to(std::string_view name) {
  const auto separates = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == ','; };
  return !name.empty() && name != "null" && name != "#null" && std::ranges::none_of(name, separates) && is_utf8(name);
}

std::uint64_t number_of(std::string_view name) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  if (!name.starts_with('#')) return 0;
  const auto number = parse_uint(name.substr(1));
  return number && *number < kMost ? *number : 0;
}

std::string numbered(std::uint64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return "#" + digits;
}

}  // namespace

std::vector<std::string> object_names(const Packfile& file) {
  std::vector<std::string> names(file.objects.size());
  std::unordered_set<std::string_view> taken;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = file.objects[i].name();
    if (!can_be_referred_to(name) || !taken.insert(name).second) continue;
    names[i] = name;
    last = std::max(last, number_of(name));
  }
  for (std::string& name : names)
    while (name.empty())
      if (std::string next = numbered(++last); !taken.contains(next)) name = std::move(next);
  return names;
}

}  // namespace marrow::havok
