// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace marrow {

/// CRC-32 with the reflected polynomial EDB88320. The two kinds in use differ only in what is mixed in at the ends.
/// `crc32` is the common one (ISO-HDLC), which Anvil applies to bone and class names.
std::uint32_t crc32(std::string_view bytes);
/// `crc32_plain` starts at 0 and mixes in nothing, which Fallout 4 applies to lower-case material names.
std::uint32_t crc32_plain(std::string_view bytes);

}  // namespace marrow
