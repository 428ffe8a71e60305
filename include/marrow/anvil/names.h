// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace marrow::anvil {

/// Bone names by their CRC-32. The engine stores only the hash; names are known only if somebody found them.
class NameTable {
 public:
  /// Returns the names that are compiled in.
  static const NameTable& builtin();
  /// Returns a table to add names to, which finds those that are compiled in first.
  static NameTable beside_builtin();

  /// Adds a name in its exact case. The first name of a hash is kept.
  void add(std::string_view name);
  /// Adds one name per line. Skips blank lines and everything after a `#`.
  void add_lines(std::string_view text);
  /// Returns the name with that hash; empty if it is not known.
  std::string_view find(std::uint32_t hash) const;
  std::size_t size() const { return names_.size() + (first_ ? first_->size() : 0); }

 private:
  const NameTable* first_ = nullptr;  // lives as long as the program
  std::unordered_map<std::uint32_t, std::string> names_;
};

/// Returns the form in which an unknown name is written: `x2BA0BB9F`.
std::string unknown_name(std::uint32_t hash);
/// Returns the hash of a name as users type it: the CRC-32 of a text, a number (`0x2BA0BB9F`) or the form `x2BA0BB9F`.
std::uint32_t hash_of(std::string_view name);

}  // namespace marrow::anvil
