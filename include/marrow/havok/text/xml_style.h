// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace marrow::havok {

/// How the numbers of Havok XML are written, and what is written beyond them.
enum class XmlStyle : std::uint8_t {
  Exact,  ///< lossless: floats in the fewest digits that keep their bits, fourth lanes, properties of the file
  Plain,  ///< as hkxcmd and other tools write and expect it: six decimals, three lanes, no extra attributes
};

}  // namespace marrow::havok
