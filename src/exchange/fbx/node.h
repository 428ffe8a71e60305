// SPDX-License-Identifier: MIT
// The records of an FBX file: a name, values, and records below. Binary and text files give the same tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::fbx {

/// One value of a record. Floats of arrays keep their width, since some of them are bit patterns.
using Value =
    std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>, std::vector<float>>;

struct Node {
  std::string name;
  std::vector<Value> values = {};
  std::vector<Node> children = {};

  /// Returns the first record of that name below this one; null if there is none.
  const Node* find(std::string_view child) const;

  /// Each returns a value as what it is asked for, or a default if it is missing or of another kind.
  double number(std::size_t index, double otherwise = 0.0) const;
  std::int64_t integer(std::size_t index, std::int64_t otherwise = 0) const;
  std::string_view text(std::size_t index) const;
  /// Returns the values of an array, or of a list of single values.
  std::vector<double> numbers() const;
  std::vector<std::int64_t> integers() const;
};

/// A file as records.
struct File {
  std::uint32_t version = 0;
  bool is_ascii = false;
  Node root;
};

Result<File> read_binary(std::span<const std::byte> bytes, const Limits& limits);
Result<File> read_ascii(std::string_view text, const Limits& limits);

/// True for the first bytes of a binary file.
bool is_binary(std::string_view head);

inline constexpr std::uint32_t kFirstVersion = 7000, kLastVersion = 7999;
/// Returns the error for a version that is not read.
std::unexpected<Error> unsupported_version(std::uint32_t version, std::uint64_t offset);
inline constexpr std::size_t kMaxDepth = 64;

}  // namespace marrow::fbx
