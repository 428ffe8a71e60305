// SPDX-License-Identifier: MIT
#include "behavior/names.h"

#include <algorithm>

#include "marrow/core/text.h"

namespace marrow::behavior {

std::size_t file_key_shift(std::string_view name) {
  std::size_t shift = 0;
  while (name.substr(shift).starts_with("./") || name.substr(shift).starts_with(".\\")) shift += 2;
  return shift;
}

std::string file_key(std::string_view name) {
  std::string key = to_lower(name.substr(file_key_shift(name)));
  std::ranges::replace(key, '\\', '/');
  return key;
}

std::string animation_key(std::string_view name) {
  std::string key = file_key(name);
  constexpr std::string_view kFemale = "/female/";
  for (std::size_t at = key.find(kFemale); at != std::string::npos; at = key.find(kFemale))
    key.replace(at, kFemale.size(), "/male/");
  return key;
}

}  // namespace marrow::behavior
