// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace marrow::cli {

inline constexpr const char* kVersion = MARROW_VERSION;

/// Returns what `--version` prints: the version, then the commit, the compiler and the features, one per line.
std::string version_text();

}  // namespace marrow::cli
