// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace marrow::havok {

// The text of src/havok/schema/*.classes, made into a source file when the build is configured.
extern const std::string_view kClasses2010;
extern const std::string_view kClasses2014;

}  // namespace marrow::havok
