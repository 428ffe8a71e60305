// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
  /// Calls `visit(std::string_view)` with each name.
  template <class Visit>
  void for_each(const Visit& visit) const {
    if (first_) first_->for_each(visit);
    for (const auto& [hash, name] : names_) visit(std::string_view(name));
  }
  std::size_t size() const { return names_.size() + (first_ ? first_->size() : 0); }

 private:
  const NameTable* first_ = nullptr;  // lives as long as the program
  std::unordered_map<std::uint32_t, std::string> names_;
};

/// A name that was found for a hash.
struct LearnedName {
  std::string name;
  std::uint32_t hash = 0;
  std::string like = {};  ///< the name that it was made of, if only the grammar of bone names gives it; else empty
};

struct BoneName;

/// Returns the names of bones in order: those that files give with the right hash, those that are known, and for other
/// hashes those that known names give with another side, number, prefix or suffix. One of the last kind may be a
/// coincidence, about 1 in 1000 hashes.
std::vector<LearnedName> learn_names(std::span<const BoneName> bones, const NameTable& known);

/// Returns the form in which an unknown name is written: `x2BA0BB9F`.
std::string unknown_name(std::uint32_t hash);
/// Returns the hash of a name as users type it: the CRC-32 of a text, a number (`0x2BA0BB9F`) or the form `x2BA0BB9F`.
std::uint32_t hash_of(std::string_view name);

}  // namespace marrow::anvil
