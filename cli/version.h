// SPDX-License-Identifier: MIT
#pragma once

namespace marrow::cli {

inline constexpr const char* kVersion = MARROW_VERSION;

}  // namespace marrow::cli
