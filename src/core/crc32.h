// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace marrow {

/// CRC-32 with the reflected polynomial EDB88320. The two variants differ only in the initial value and the final XOR.
/// `crc32` is the common one (ISO-HDLC); Anvil uses it for bone and class names.
std::uint32_t crc32(std::string_view bytes);
/// `crc32_plain` starts at 0 and has no final XOR; Fallout 4 uses it for lower-case material names.
std::uint32_t crc32_plain(std::string_view bytes);

}  // namespace marrow
