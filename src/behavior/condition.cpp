// SPDX-License-Identifier: MIT
#include "behavior/condition.h"

#include <array>

#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

constexpr int kDeepest = 64;

/// A parser by precedence; the depth of parentheses is bounded.
class Condition {
 public:
  Condition(std::string_view text, const std::function<std::optional<double>(std::string_view)>& value)
      : rest_(text), value_(value) {}

  std::optional<double> run() {
    const auto result = binary(0, 0);
    skip();
    return rest_.empty() ? result : std::nullopt;
  }

 private:
  struct Operator {
    std::string_view text;
    int level;
  };
  static constexpr std::array<Operator, 14> kOperators = {{{"||", 0},
                                                           {"or", 0},
                                                           {"&&", 1},
                                                           {"and", 1},
                                                           {"==", 2},
                                                           {"!=", 2},
                                                           {"<=", 3},
                                                           {">=", 3},
                                                           {"<", 3},
                                                           {">", 3},
                                                           {"+", 4},
                                                           {"-", 4},
                                                           {"*", 5},
                                                           {"/", 5}}};
  static constexpr int kLevels = 6;

  void skip() {
    while (!rest_.empty() && static_cast<unsigned char>(rest_.front()) <= ' ') rest_.remove_prefix(1);
  }

  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9') || c == '.';
  }

  bool take(std::string_view word) {
    skip();
    const bool is_word = is_letter(word.front());
    if (rest_.size() < word.size() || !equal_ignoring_case(rest_.substr(0, word.size()), word)) return false;
    if (is_word && rest_.size() > word.size() && is_letter(rest_[word.size()])) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::optional<double> binary(int level, int depth) {
    if (level == kLevels) return single(depth);
    auto left = binary(level + 1, depth);
    while (left) {
      const Operator* found = nullptr;
      for (const Operator& each : kOperators)
        if (each.level == level && take(each.text)) {
          found = &each;
          break;
        }
      if (!found) return left;
      const auto right = binary(level + 1, depth);
      if (!right) return std::nullopt;
      left = apply(found->text, *left, *right);
    }
    return left;
  }

  static double apply(std::string_view op, double a, double b) {
    if (op == "||" || op == "or") return a != 0.0 || b != 0.0;
    if (op == "&&" || op == "and") return a != 0.0 && b != 0.0;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    return b == 0.0 ? 0.0 : a / b;
  }

  std::optional<double> single(int depth) {
    if (depth > kDeepest) return std::nullopt;
    if (take("!") || take("not")) {
      const auto value = single(depth + 1);
      return value ? std::optional<double>(*value == 0.0) : std::nullopt;
    }
    if (take("-")) {
      const auto value = single(depth + 1);
      return value ? std::optional<double>(-*value) : std::nullopt;
    }
    if (take("(")) {
      const auto value = binary(0, depth + 1);
      return take(")") ? value : std::nullopt;
    }
    skip();
    std::size_t size = 0;
    while (size < rest_.size() && is_letter(rest_[size])) ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    if (word.empty()) return std::nullopt;
    if (const auto number = parse_double(word)) return *number;
    if (equal_ignoring_case(word, "true")) return 1.0;
    if (equal_ignoring_case(word, "false")) return 0.0;
    return value_(word);
  }

  std::string_view rest_;
  const std::function<std::optional<double>(std::string_view)>& value_;
};

}  // namespace

std::optional<double> evaluate(std::string_view expression,
                               const std::function<std::optional<double>(std::string_view)>& value) {
  return Condition(expression, value).run();
}

}  // namespace marrow::behavior
