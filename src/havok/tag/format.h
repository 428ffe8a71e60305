// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace marrow::havok {

// docs/formats/tag0.md describes the file.
inline constexpr std::string_view kTagfile = "TAG0", kCompendium = "TCM0", kSdkVersion = "SDKV", kTagData = "DATA",
                                  kTypeSection = "TYPE", kTypeReference = "TCRF", kIndex = "INDX", kItems = "ITEM",
                                  kPatches = "PTCH", kCompendiumIds = "TCID";

/// A row of the item table: type and flags, place in the data, count.
struct TagItem {
  std::uint32_t type = 0, flags = 0, offset = 0, count = 0;
};
inline constexpr std::size_t kItemSize = 12;
inline constexpr std::uint32_t kItemTypeMask = 0x00FFFFFF, kObjectItem = 0x10000000, kArrayItem = 0x20000000;
inline constexpr std::size_t kTextAlignment = 2, kItemAlignment = 16;

}  // namespace marrow::havok
