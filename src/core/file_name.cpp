// SPDX-License-Identifier: MIT
#include "core/file_name.h"

#include <algorithm>
#include <array>

#include "marrow/core/text.h"

namespace marrow {

bool is_device_name(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {"con", "prn", "aux", "nul", "conin$", "conout$"};
  const std::string stem(trim(to_lower(name.substr(0, name.find('.')))));
  if (std::ranges::find(kNames, stem) != kNames.end()) return true;
  if (!stem.starts_with("com") && !stem.starts_with("lpt")) return false;
  const std::string_view number = std::string_view(stem).substr(3);
  // Windows takes the digits of its old code page, too.
  constexpr std::array<std::string_view, 3> kRaised = {"\u00b9", "\u00b2", "\u00b3"};
  return (number.size() == 1 && number[0] >= '1' && number[0] <= '9') ||
         std::ranges::find(kRaised, number) != kRaised.end();
}

std::string portable_file_name(std::string name, std::string_view otherwise) {
  if (name.empty()) return std::string(otherwise);
  std::ranges::replace_if(
      name, [](char c) { return std::string_view("/\\:*?\"<>|").contains(c) || static_cast<unsigned char>(c) < ' '; },
      '_');
  if (name.ends_with('.') || name.ends_with(' ')) name.back() = '_';
  return is_device_name(name) ? "_" + name : name;
}

std::string FileNames::add(std::string_view name, std::string_view extension) {
  const std::string wanted = portable_file_name(std::string(name), otherwise_);
  return taken_.add(
      wanted, [](const std::string& own, int number) { return own + "_" + std::to_string(number + 1); },
      [&](const std::string& own) { return to_lower(own) + std::string(extension); });
}

}  // namespace marrow
