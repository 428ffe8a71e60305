// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace marrow::anvil {

/// A signed index as what containers take. The caller knows that it is not negative.
inline std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

}  // namespace marrow::anvil
