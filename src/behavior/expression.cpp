// SPDX-License-Identifier: MIT
#include "behavior/expression.h"

#include <algorithm>
#include <array>

#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::vector<ExpressionWord> words_of(std::string_view expression) {
  std::vector<ExpressionWord> words;
  for (std::size_t i = 0; i < expression.size();) {
    const std::size_t start = i;
    if (begins_word(expression[i])) {
      while (i < expression.size() && (begins_word(expression[i]) || is_digit(expression[i]) || expression[i] == '.'))
        ++i;
      const std::string_view text = expression.substr(start, i - start);
      std::size_t next = i;
      while (next < expression.size() && expression[next] == ' ') ++next;
      const bool calls = next < expression.size() && expression[next] == '(';
      words.push_back({text, calls && !is_keyword(text)});
    } else if (is_digit(expression[i]) || expression[i] == '.') {
      // A number with an exponent or suffix, `1e5` or `0.5f`, is not a word.
      while (i < expression.size() && (begins_word(expression[i]) || is_digit(expression[i]) || expression[i] == '.'))
        ++i;
    } else {
      ++i;
    }
  }
  return words;
}

bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords = {"if", "and", "or", "not", "true", "false"};
  return std::ranges::any_of(kWords, [&](std::string_view each) { return equal_ignoring_case(each, word); });
}

std::string with_renamed(std::string_view expression, std::string_view old_name, std::string_view new_name) {
  std::string out;
  std::size_t from = 0;
  for (const ExpressionWord& word : words_of(expression)) {
    if (word.is_function || !equal_ignoring_case(word.text, old_name)) continue;
    const auto at = static_cast<std::size_t>(word.text.data() - expression.data());
    out += expression.substr(from, at - from);
    out += new_name;
    from = at + word.text.size();
  }
  out += expression.substr(from);
  return out;
}

}  // namespace marrow::behavior
