// SPDX-License-Identifier: MIT
#include "ops/document/object_names.h"

#include <algorithm>
#include <unordered_map>

#include "exchange/gltf/extras.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

// The longest name of an object in Blender.
constexpr std::size_t kLongestName = 63;

std::string as_it_is(std::string_view name) { return std::string(name); }
std::string as_utf8(std::string_view name) { return gltf::utf8_name(trim(name)); }
std::string as_original(std::string_view name) { return without_copy_number(as_utf8(name)); }

}  // namespace

std::string comparable_name(std::string_view name) {
  std::string word = as_original(name).substr(0, kLongestName);
  std::ranges::replace(word, ' ', '_');
  return word;
}

std::string without_copy_number(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || name.size() - dot != 4) return std::string(name);
  const bool is_number = std::ranges::all_of(name.substr(dot + 1), [](char c) { return c >= '0' && c <= '9'; });
  return std::string(is_number ? name.substr(0, dot) : name);
}

std::vector<std::optional<std::size_t>> match_names(const std::vector<std::string>& wanted,
                                                    const std::vector<std::string>& given) {
  std::vector<std::optional<std::size_t>> found(wanted.size());
  std::vector<bool> used(given.size());
  for (const auto form : {as_it_is, as_utf8, as_original, comparable_name}) {
    std::unordered_map<std::string, std::vector<std::size_t>> by_name;
    for (std::size_t i = given.size(); i-- > 0;)
      if (!used[i]) by_name[form(given[i])].push_back(i);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (found[i]) continue;
      const auto all = by_name.find(form(wanted[i]));
      if (all == by_name.end() || all->second.empty()) continue;
      found[i] = all->second.back();
      used[*found[i]] = true;
      all->second.pop_back();
    }
  }
  return found;
}

}  // namespace marrow
