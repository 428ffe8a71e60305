// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace marrow::havok {

// The container, as docs/formats/packfile.md lays it out.
inline constexpr std::uint32_t kMagic0 = 0x57E0E057;
inline constexpr std::uint32_t kMagic1 = 0x10C0C010;
inline constexpr std::size_t kHeaderSize = 0x40;
inline constexpr std::size_t kLayoutOffset = 0x10;  // of four bytes: pointer size, little-endian, reuse, empty base
inline constexpr std::size_t kSectionTagSize = 19;
inline constexpr std::size_t kSectionFieldsSize = 0x30;  // of a section header; some versions fill it up with FF
inline constexpr std::size_t kVersionTextSize = 16;
inline constexpr std::uint32_t kNoFixup = 0xFFFFFFFF;
inline constexpr std::uint8_t kClassNameMark = 0x09;
inline constexpr std::size_t kAlignment = 16;
inline constexpr std::uint32_t kNodeIdSize = 8;
inline constexpr std::string_view kRootClass = "hkRootLevelContainer";

enum Section : std::uint32_t { kClassNames = 0, kTypes = 1, kData = 2, kSectionCount = 3 };
inline constexpr std::array<std::string_view, kSectionCount> kSectionTags = {"__classnames__", "__types__", "__data__"};

/// The classes that every file names first, though it holds none of them.
inline constexpr std::array<std::string_view, 4> kLeadingClasses = {"hkClass", "hkClassMember", "hkClassEnum",
                                                                    "hkClassEnumItem"};

constexpr std::size_t align_up(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace marrow::havok
