// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "ops/table/operation.h"

namespace marrow::cli {

inline constexpr std::string_view kDoctor = "doctor";

/// Returns the verb `doctor`: the library's operation, told what is installed here, with a page if one is asked for.
Operation doctor_verb();

/// Returns the report of `doctor` as a page: pictures, problems and the command under each.
std::string doctor_page(const Json& report);

}  // namespace marrow::cli
