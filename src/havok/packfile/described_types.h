// SPDX-License-Identifier: MIT
// What a packfile says of its classes: the hkClass objects of its section of types, as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "havok/object/schema.h"
#include "havok/packfile/packfile.h"
#include "marrow/core/limits.h"

namespace marrow::havok {

/// The values of `hkClassMember::Type`, the same in all versions.
enum class StatedKind : std::uint8_t {
  Void = 0,
  LastPlain = 18,  ///< from 1 on: numbers and tuples
  Zero = 19,
  Pointer = 20,
  FunctionPointer = 21,
  Array = 22,
  Enum = 24,
  Struct = 25,
  SimpleArray = 26,
  Variant = 28,
  CString = 29,
  ULong = 30,
  Flags = 31,
  Half = 32,
  StringPtr = 33,
  RelArray = 34
};

struct StatedMember {
  static constexpr std::uint16_t kAlign8 = 0x80, kAlign16 = 0x100, kNotStored = 0x400;

  std::string name, class_name;
  StatedKind kind = StatedKind::Void, element = StatedKind::Void;
  std::uint32_t repeat = 1;
  std::uint16_t flags = 0;
  std::uint32_t offset = 0;
  Enum names = {};
};

struct StatedClass {
  std::string parent;  ///< empty if it has none
  std::uint32_t size = 0;
  std::vector<StatedMember> members;
};

using StatedClasses = std::map<std::string, StatedClass, std::less<>>;

/// Reads the descriptions of a section of types. `class_names` is the content of the section of class names. Those
/// that are damaged are left out. Empty if they take more than the limits allow.
StatedClasses read_stated_classes(const TypeSection& types, std::span<const std::byte> class_names, FileLayout layout,
                                  const Limits& limits);

}  // namespace marrow::havok
