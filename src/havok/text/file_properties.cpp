// SPDX-License-Identifier: MIT
#include "havok/text/file_properties.h"

#include <algorithm>

#include "havok/object/version.h"
#include "havok/text/xml_properties.h"
#include "havok/text/xml_source.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

constexpr std::string_view kEndian = "endian", kReusePadding = "reusepadding", kFileVersion = "fileversion",
                           kClassList = "classlist", kTypeBytes = "types", kTypeOffsets = "typeoffsets",
                           kTypePointers = "typepointers";

std::optional<std::uint32_t> number(std::string_view word) {
  const auto value = parse_uint(word);
  return value && *value <= UINT32_MAX ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

// Reads groups of three numbers.
template <class Add>
bool each_three(std::string_view text, Add add) {
  for (std::string_view word = take_token(text); !word.empty(); word = take_token(text)) {
    const auto a = number(word), b = number(take_token(text)), c = number(take_token(text));
    if (!a || !b || !c) return false;
    add(*a, *b, *c);
  }
  return true;
}

std::string three(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + " ";
}

// A name and its signature are two words.
bool is_word(const ClassSignature& each) {
  return !each.name.empty() && std::ranges::all_of(each.name, [](char c) { return c > ' ' && c < 0x7F; });
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> rare_properties(const Packfile& file) {
  std::vector<std::pair<std::string_view, std::string>> all;
  if (file.is_big_endian) all.emplace_back(kEndian, "big");
  if (file.reuses_padding) all.emplace_back(kReusePadding, "1");
  if (file.file_version != version_of(*file.schema).file_version)
    all.emplace_back(kFileVersion, std::to_string(file.file_version));
  if (!file.class_list.empty() && std::ranges::all_of(file.class_list, is_word)) {
    std::string list;
    for (const auto& [name, signature] : file.class_list)
      list += (list.empty() ? "" : " ") + name + " " + hex_text(signature, 8);
    all.emplace_back(kClassList, std::move(list));
  }
  if (file.types.empty()) return all;
  all.emplace_back(kTypeBytes, hex_bytes(file.types.bytes));
  std::string offsets, pointers;
  for (const std::uint32_t offset : file.types.offsets) offsets += std::to_string(offset) + " ";
  for (const auto& [from, ordinal, to] : file.types.pointers) pointers += three(from.index, ordinal, to);
  all.emplace_back(kTypeOffsets, std::move(offsets));
  if (!pointers.empty()) all.emplace_back(kTypePointers, std::move(pointers));
  return all;
}

std::string read_rare_properties(const FindProperty& find, Packfile& file) {
  if (const auto endian = find(kEndian)) {
    if (*endian != "big" && *endian != "little") return "endian is big or little";
    file.is_big_endian = *endian == "big";
  }
  if (const auto reuse = find(kReusePadding)) file.reuses_padding = *reuse == "1";
  if (const auto version = find(kFileVersion)) {
    const auto value = number(*version);
    if (!value || *value > INT32_MAX) return "fileversion is a number";
    file.file_version = static_cast<std::int32_t>(*value);
  }
  if (const auto list = find(kClassList)) {
    std::string_view text = *list;
    for (std::string_view name = take_token(text); !name.empty(); name = take_token(text)) {
      const auto signature = number(take_token(text));
      if (!signature) return "classlist is names and signatures";
      file.class_list.push_back({std::string(name), *signature});
    }
  }
  const auto types = find(kTypeBytes);
  if (!types) return {};
  auto bytes = parse_hex(*types);
  if (!bytes) return "types are bytes in hexadecimal";
  file.types.bytes = std::move(*bytes);
  const std::string offset_list = find(kTypeOffsets).value_or("");
  std::string_view offsets = offset_list;
  for (std::uint32_t& offset : file.types.offsets) {
    const auto value = number(take_token(offsets));
    if (!value || *value > file.types.bytes.size()) return "typeoffsets are six numbers inside the types";
    offset = *value;
  }
  const bool read = each_three(find(kTypePointers).value_or(""), [&](auto from, auto ordinal, auto to) {
    file.types.pointers.push_back({{from}, ordinal, to});
  });
  return read ? "" : "typepointers are objects, numbers and offsets";
}

std::string type_fixups_text(const Opaque& opaque) {
  std::string text;
  for (const auto& [before, from, to] : opaque.type_fixups) text += three(before, from, to);
  return text;
}

bool read_type_fixups(std::string_view text, Opaque& opaque) {
  bool fits = true;
  const bool read = each_three(text, [&](auto before, auto from, auto to) {
    fits &= from < opaque.bytes.size();
    opaque.type_fixups.push_back({before, from, to});
  });
  return read && fits;
}

}  // namespace marrow::havok
