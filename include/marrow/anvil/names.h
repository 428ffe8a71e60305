// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace marrow::anvil {

/// Bone names by their CRC-32. The engine stores only the number; names are known because somebody found them.
class NameTable {
 public:
  /// The names that are compiled in.
  static const NameTable& builtin();

  /// Adds a name in its exact case. The first name of a hash stays.
  void add(std::string_view name);
  /// Adds one name a line; blank lines and what follows a `#` are passed over.
  void add_lines(std::string_view text);
  /// The name of that hash; empty where it is not known.
  std::string_view find(std::uint32_t hash) const;
  std::size_t size() const { return names_.size(); }

 private:
  std::unordered_map<std::uint32_t, std::string> names_;
};

/// `x2BA0BB9F`, as a name that nobody knows is written.
std::string unknown_name(std::uint32_t hash);
/// The hash of a name as people type it: its CRC-32, a number (`0x2BA0BB9F`) or the form `x2BA0BB9F`.
std::uint32_t hash_of(std::string_view name);

}  // namespace marrow::anvil
