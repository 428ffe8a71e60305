// SPDX-License-Identifier: MIT
#include "anvil/names.h"

#include "anvil/bone_names.h"
#include "core/crc32.h"
#include "core/lines.h"
#include "marrow/core/text.h"

namespace marrow::anvil {

const NameTable& NameTable::builtin() {
  static const NameTable table = [] {
    NameTable all;
    for (const std::string_view name : builtin_bone_names()) all.add(name);
    return all;
  }();
  return table;
}

NameTable NameTable::beside_builtin() {
  NameTable table;
  table.first_ = &builtin();
  return table;
}

void NameTable::add(std::string_view name) {
  if (const std::uint32_t hash = crc32(name); !name.empty() && find(hash).empty()) names_.emplace(hash, name);
}

void NameTable::add_lines(std::string_view text) {
  for (const TextLine& line : Lines(text)) add(trim(line.text.substr(0, line.text.find('#'))));
}

std::string_view NameTable::find(std::uint32_t hash) const {
  if (first_)
    if (const std::string_view name = first_->find(hash); !name.empty()) return name;
  const auto found = names_.find(hash);
  return found == names_.end() ? std::string_view{} : std::string_view(found->second);
}

std::string unknown_name(std::uint32_t hash) {
  std::string text = "x";
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789ABCDEF"[(hash >> shift) & 15];
  return text;
}

std::uint32_t hash_of(std::string_view name) {
  const bool marked = name.size() == 9 && name.front() == 'x';
  const auto number = parse_uint(marked ? "0" + std::string(name) : std::string(name));
  return number && *number <= 0xFFFFFFFF ? static_cast<std::uint32_t>(*number) : crc32(name);
}

}  // namespace marrow::anvil
