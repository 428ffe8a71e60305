// SPDX-License-Identifier: MIT
// Names in expressions and conditions: `variable = expression`, `event if (condition)`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace marrow::behavior {

/// A word of an expression. It begins with a letter or `_` and goes on with letters, digits, `_` and `.`.
struct ExpressionWord {
  std::string_view text;
  bool is_function = false;  ///< `(` follows, and it is not `if`
};

/// Returns the words of an expression. Numbers and signs are left out.
std::vector<ExpressionWord> words_of(std::string_view expression);

/// True if the word is one of the language: `if and or not true false`.
bool is_keyword(std::string_view word);

/// Returns the expression with every word that names `old_name` replaced, ignoring case.
std::string with_renamed(std::string_view expression, std::string_view old_name, std::string_view new_name);

}  // namespace marrow::behavior
