// SPDX-License-Identifier: MIT
#include "nif/table/expression.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "marrow/core/text.h"
#include "nif/record.h"

namespace marrow::nif {
namespace {

using Op = Step::Op;

struct Operator {
  std::string_view text;
  Op op;
  int level;  ///< those of a higher level bind tighter
};
// Longer ones first, so that `<` does not take the head of `<=`.
constexpr std::array kOperators = {
    Operator{"||", Op::EitherTrue, 1},   Operator{"&&", Op::BothTrue, 2},
    Operator{"==", Op::Equal, 3},        Operator{"!=", Op::NotEqual, 3},
    Operator{">>", Op::ShiftRight, 5},   Operator{"<=", Op::LessEqual, 4},
    Operator{">=", Op::GreaterEqual, 4}, Operator{"<", Op::Less, 4},
    Operator{">", Op::Greater, 4},       Operator{"|", Op::Or, 6},
    Operator{"&", Op::And, 7},           Operator{"+", Op::Add, 8},
    Operator{"-", Op::Sub, 8},           Operator{"*", Op::Mul, 9},
    Operator{"/", Op::Div, 9},
};

// No expression of the table nests deeper; the parser refuses those that do.
constexpr std::size_t kMostValues = 8;

std::uint64_t apply(Op op, std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  switch (op) {
    case Op::Mul: return b != 0 && a > kMost / b ? kMost : a * b;
    case Op::Div: return b == 0 ? 0 : a / b;
    case Op::Add: return a > kMost - b ? kMost : a + b;
    case Op::Sub: return a < b ? 0 : a - b;
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::ShiftRight: return b < 64 ? a >> b : 0;
    case Op::Equal: return a == b;
    case Op::NotEqual: return a != b;
    case Op::Less: return a < b;
    case Op::LessEqual: return a <= b;
    case Op::Greater: return a > b;
    case Op::GreaterEqual: return a >= b;
    case Op::BothTrue: return a != 0 && b != 0;
    case Op::EitherTrue: return a != 0 || b != 0;
    default: return 0;
  }
}

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, RecordType& type, std::uint32_t stream, Expression& out)
      : rest_(trim(text)), type_(type), stream_(stream), out_(out) {}

  bool run() { return parse(0) && rest_.empty() && deepest_ <= kMostValues; }

 private:
  bool parse(int level) {
    if (!operand()) return false;
    while (true) {
      rest_ = trim(rest_);
      const auto found =
          std::ranges::find_if(kOperators, [&](const Operator& each) { return rest_.starts_with(each.text); });
      if (found == kOperators.end() || found->level <= level) return true;
      rest_.remove_prefix(found->text.size());
      if (!parse(found->level)) return false;
      fold(found->op);
    }
  }

  // Constants are computed here and now.
  void fold(Op op) {
    const std::size_t n = out_.size();
    --depth_;
    if (n >= 2 && out_[n - 1].op == Op::Value && out_[n - 2].op == Op::Value) {
      out_[n - 2].value = apply(op, out_[n - 2].value, out_[n - 1].value);
      out_.pop_back();
    } else {
      out_.push_back({op, 0});
    }
  }

  bool operand() {
    rest_ = trim(rest_);
    if (rest_.starts_with('(')) {
      rest_.remove_prefix(1);
      if (!parse(0) || !rest_.starts_with(')')) return false;
      rest_.remove_prefix(1);
      return true;
    }
    const std::size_t end = std::min(
        rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (word == "sum") return sum();
    const auto step = step_of(word);
    if (!step) return false;
    push(*step);
    return true;
  }

  std::optional<Step> step_of(std::string_view word) {
    if (word.empty()) return std::nullopt;
    if (word == "stream") return Step{Op::Value, stream_};
    if (word.starts_with("0x")) return Step{Op::Value, hex_of(word.substr(2))};
    if (const auto number = parse_uint(word)) return Step{Op::Value, *number};
    if (word.starts_with("up.")) {
      type_.up_names.emplace_back(word.substr(3));
      return Step{Op::UpField, type_.up_names.size() - 1};
    }
    const Field* field = type_.find(word);
    if (!field && std::ranges::find(type_.left_out, word) != type_.left_out.end()) return Step{Op::Value, 0};
    if (!field || field->count != Count::One || field->width != 1) return std::nullopt;
    return Step{Op::Field, static_cast<std::uint64_t>(field - type_.fields.data())};
  }

  bool sum() {
    const std::size_t end = rest_.find(')');
    if (!rest_.starts_with('(') || end == std::string_view::npos) return false;
    const Field* field = type_.find(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    if (!field || field->kind != Kind::U16 || field->count == Count::One) return false;
    push({Op::Sum, static_cast<std::uint64_t>(field - type_.fields.data())});
    return true;
  }

  void push(Step step) {
    out_.push_back(step);
    deepest_ = std::max(deepest_, ++depth_);
  }

  static std::uint64_t hex_of(std::string_view digits) {
    std::uint64_t value = 0;
    for (const char c : digits)
      value = value << 4 | static_cast<std::uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    return value;
  }

  std::string_view rest_;
  RecordType& type_;
  std::uint32_t stream_;
  Expression& out_;
  std::size_t depth_ = 0, deepest_ = 0;
};

}  // namespace

bool parse_expression(std::string_view text, RecordType& type, std::uint32_t stream, Expression& expression) {
  return ExpressionParser(text, type, stream, expression).run();
}

std::uint64_t evaluate(const Expression& expression, const Record& record, const Record* up) {
  std::array<std::uint64_t, kMostValues> stack{};
  std::size_t n = 0;
  for (const Step& step : expression) {
    switch (step.op) {
      case Op::Value: stack[n++] = step.value; break;
      case Op::Field: stack[n++] = record.integer(record.type().fields[step.value]); break;
      case Op::UpField: stack[n++] = up ? up->integer(record.type().up_names[step.value]) : 0; break;
      case Op::Sum: {
        std::uint64_t sum = 0;
        const std::vector<std::byte>& values = record.arrays_[record.type().fields[step.value].slot];
        for (std::size_t at = 0; at + 2 <= values.size(); at += 2) sum += load<std::uint16_t>(values, at);
        stack[n++] = sum;
        break;
      }
      default: --n; stack[n - 1] = apply(step.op, stack[n - 1], stack[n]);
    }
  }
  return n == 0 ? 1 : stack[0];
}

}  // namespace marrow::nif
