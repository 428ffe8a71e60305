// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace marrow::behavior {

/// Evaluates a condition: numbers, variables, `+ - * /`, comparisons, `&& || !`, `and or not`, parentheses. Returns
/// nothing if it holds anything else, or a variable that `value` does not know.
std::optional<double> evaluate(std::string_view expression,
                               const std::function<std::optional<double>(std::string_view)>& value);

}  // namespace marrow::behavior
