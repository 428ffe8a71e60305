// SPDX-License-Identifier: MIT
// Reads the types of a tagfile: names, bodies, and what types leave to their parents.
#include "havok/tag/types.h"

#include <algorithm>

#include "core/try.h"
#include "havok/tag/classes.h"
#include "marrow/core/byte_reader.h"

namespace marrow::havok {
namespace {

/// Bounds on what a file may state, far above what files have.
constexpr std::uint32_t kMostTypes = 1u << 20, kMostBytes = 1u << 24, kMostAlignment = 256;

std::vector<std::string_view> split_names(const TagSection* section) {
  std::vector<std::string_view> names;
  if (!section) return names;
  std::string_view text = as_text(section->content);
  while (!text.empty()) {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) break;
    names.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return names;
}

class TypeReader {
 public:
  explicit TypeReader(TagTypes& out) : out_(out) {}

  Result<void> run(const TagSection& section) {
    MARROW_TRY(const std::vector<TagSection> parts, split_sections(section.content, section.at));
    const std::vector<std::string_view> type_names = split_names(find_section(parts, "TSTR", "TST1")),
                                        member_names = split_names(find_section(parts, "FSTR", "FST1"));
    const TagSection *names = find_section(parts, "TNAM", "TNA1"), *bodies = find_section(parts, "TBOD", "TBDY");
    if (!names || !bodies)
      return fail(ErrorCode::Malformed, "the types of the tagfile have no names or no bodies", section.at, "TYPE");
    MARROW_CHECK(read_names(PackedReader(*names), type_names));
    MARROW_CHECK(read_bodies(PackedReader(*bodies), member_names));
    return fill_in_parents(section.at);
  }

 private:
  Result<void> read_names(PackedReader in, const std::vector<std::string_view>& names) {
    const std::uint32_t count = in.index(kMostTypes);
    // Each type takes two bytes here at least.
    if (in.has_failed() || count == 0 || (count - 1) > in.remaining() / 2)
      return in.refuse("the number of types does not fit");
    out_.types.resize(count);
    for (std::uint32_t i = 1; i < count; ++i) {
      const std::uint32_t name = in.index(names.size()), arguments = in.index(in.remaining() + 1);
      for (std::uint32_t a = 0; a < arguments && !in.has_failed(); ++a) {
        in.index(names.size());
        in.next();
      }
      if (in.has_failed()) return in.refuse("the name of type " + std::to_string(i) + " is not there");
      out_.types[i].name = names[name];
    }
    return {};
  }

  Result<void> read_bodies(PackedReader in, const std::vector<std::string_view>& names) {
    const std::size_t count = out_.types.size();
    while (!in.at_end()) {
      const std::uint32_t index = in.index(count);
      if (index == 0 && !in.has_failed()) continue;
      TagType& type = out_.types[index];
      if (type.parts != 0 || type.parent != 0) return in.refuse("type " + std::to_string(index) + " is there twice");
      type.parent = in.index(count);
      type.parts = in.u32();
      if (type.parts >> 7 != 0)
        return in.refuse("type " + type.name + " has parts that are not known; the file is of a later version");
      if (type.parts & TagType::kFormat) type.format = in.u32();
      if ((type.parts & TagType::kSubtype) && type.form() >= TagType::kPointer) type.subtype = in.index(count);
      if (type.parts & TagType::kVersion) in.next();
      if (type.parts & TagType::kSize) {
        type.size = in.index(kMostBytes);
        type.alignment = std::max(1u, in.index(kMostAlignment));
      }
      if (type.parts & TagType::kFlags) in.next();
      if (type.parts & TagType::kMembers) MARROW_CHECK(read_members(in, type, names));
      if (type.parts & TagType::kInterfaces)
        for (std::uint32_t n = in.index(in.remaining() + 1); n > 0 && !in.has_failed(); --n) {
          in.index(count);
          in.next();
        }
      if (in.has_failed()) return in.refuse("the body of type " + type.name + " is cut off or out of range");
    }
    return {};
  }

  Result<void> read_members(PackedReader& in, TagType& type, const std::vector<std::string_view>& names) {
    const std::uint32_t members = in.index(in.remaining() / 4 + 1);
    for (std::uint32_t i = 0; i < members && !in.has_failed(); ++i) {
      TagMember& member = type.members.emplace_back();
      const std::uint32_t name = in.index(names.size());
      if (in.has_failed()) break;
      member.name = names[name];
      member.flags = in.u32();
      member.offset = in.index(kMostBytes);
      member.type = in.index(out_.types.size());
    }
    if (in.has_failed()) return in.refuse("the members of type " + type.name + " are cut off or out of range");
    return {};
  }

  // Parents come first; a chain of parents that leads back to itself is refused.
  Result<void> fill_in_parents(std::uint64_t at) {
    enum State : std::uint8_t { kOpen, kEntered, kDone };
    std::vector<State> states(out_.types.size(), kOpen);
    for (std::uint32_t i = 1; i < out_.types.size(); ++i) {
      std::vector<std::uint32_t> chain;
      for (std::uint32_t t = i; t != 0 && states[t] != kDone; t = out_.types[t].parent) {
        if (states[t] == kEntered)
          return fail(ErrorCode::Malformed, "type " + out_.types[t].name + " derives from itself", at, "TYPE");
        states[t] = kEntered;
        chain.push_back(t);
      }
      for (; !chain.empty(); chain.pop_back()) {
        TagType& type = out_.types[chain.back()];
        const TagType& parent = out_.types[type.parent];
        if (!(type.parts & TagType::kFormat)) {
          type.format = parent.format;
          type.subtype = parent.subtype;
        }
        if (!(type.parts & TagType::kSize)) {
          type.size = parent.size;
          type.alignment = parent.alignment;
        }
        states[chain.back()] = kDone;
      }
    }
    return {};
  }

  TagTypes& out_;
};

}  // namespace

Result<std::shared_ptr<TagTypes>> read_tag_types(const TagSection& section, std::string version, const Limits& limits) {
  auto types = std::make_shared<TagTypes>();
  types->section.assign(section.whole.begin(), section.whole.end());
  MARROW_CHECK(TypeReader(*types).run(section));
  MARROW_CHECK(make_tag_classes(*types, std::move(version), section.at, limits));
  return types;
}

}  // namespace marrow::havok
