// SPDX-License-Identifier: MIT
#include "exchange/fbx/node.h"

#include <algorithm>
#include <cmath>

namespace marrow::fbx {
namespace {

// A conversion of what is no number, or does not fit, would be undefined.
std::int64_t to_integer(double value, std::int64_t otherwise) {
  return std::abs(value) < 9.2e18 ? static_cast<std::int64_t>(value) : otherwise;
}

template <class To, class Convert>
std::vector<To> all_as(const std::vector<Value>& values, const Convert& convert) {
  std::vector<To> out;
  for (const Value& value : values) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) out.push_back(convert(*integer));
    if (const auto* number = std::get_if<double>(&value)) out.push_back(convert(*number));
    const auto append = [&](const auto& list) {
      out.reserve(out.size() + list.size());
      for (const auto each : list) out.push_back(convert(each));
    };
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) append(*list);
    if (const auto* list = std::get_if<std::vector<double>>(&value)) append(*list);
    if (const auto* list = std::get_if<std::vector<float>>(&value)) append(*list);
  }
  return out;
}

}  // namespace

const Node* Node::find(std::string_view child) const {
  const auto found = std::ranges::find(children, child, &Node::name);
  return found == children.end() ? nullptr : &*found;
}

double Node::number(std::size_t index, double otherwise) const {
  if (index >= values.size()) return otherwise;
  if (const auto* number = std::get_if<double>(&values[index])) return std::isfinite(*number) ? *number : otherwise;
  if (const auto* integer = std::get_if<std::int64_t>(&values[index])) return static_cast<double>(*integer);
  return otherwise;
}

std::int64_t Node::integer(std::size_t index, std::int64_t otherwise) const {
  if (index >= values.size()) return otherwise;
  if (const auto* integer = std::get_if<std::int64_t>(&values[index])) return *integer;
  if (const auto* number = std::get_if<double>(&values[index])) return to_integer(*number, otherwise);
  return otherwise;
}

std::string_view Node::text(std::size_t index) const {
  if (index >= values.size()) return {};
  const auto* text = std::get_if<std::string>(&values[index]);
  return text ? std::string_view(*text) : std::string_view();
}

std::vector<double> Node::numbers() const {
  return all_as<double>(values, [](auto value) { return static_cast<double>(value); });
}

std::vector<std::int64_t> Node::integers() const {
  return all_as<std::int64_t>(values, [](auto value) {
    if constexpr (std::is_same_v<decltype(value), std::int64_t>)
      return value;
    else
      return to_integer(static_cast<double>(value), 0);
  });
}

std::unexpected<Error> unsupported_version(std::uint32_t version, std::uint64_t offset) {
  return fail(ErrorCode::Unsupported,
              "version " + std::to_string(version) +
                  " of FBX is not supported; 7000 to 7999 are: save the file as FBX 2014 or newer",
              offset);
}

}  // namespace marrow::fbx
