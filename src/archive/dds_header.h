// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "archive/archive.h"

namespace marrow::archive {

inline constexpr std::size_t kDdsHeaderBytes = 148;

/// Returns the header of a .dds file for a texture of a BA2, always in the `DX10` form.
std::vector<std::byte> dds_header(const Texture& texture);

}  // namespace marrow::archive
