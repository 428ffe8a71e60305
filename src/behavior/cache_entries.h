// SPDX-License-Identifier: MIT
// Projects or sets of a cache while mods add theirs.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "behavior/cache.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

/// Returns the name of a project or set as it is looked up.
inline std::string lowered_name(std::string_view name) { return to_lower(plain_name(name)); }

/// The game's entries, with those of mods between them.
template <class T>
class Entries {
 public:
  /// Adds one of the game; all of them come before any `insert`.
  void add(T entry) {
    after_[lowered_name(entry.value.name)] = all_.size() + 1;
    push(std::move(entry));
    game_ = all_.size();
  }
  /// Adds one of a mod after the game's entry of a name in lower case, and after what mods have put there already. An
  /// empty name is the start, one that the game does not have the end.
  T& insert(T entry, const std::string& after) {
    const auto found = after_.find(after);
    const std::size_t place = after.empty() ? 0 : found == after_.end() ? game_ : found->second;
    fresh_[place].push_back(all_.size());
    return push(std::move(entry));
  }
  /// Adds one of a mod at the end.
  T& append(T entry) {
    fresh_[game_].push_back(all_.size());
    return push(std::move(entry));
  }
  /// Returns the first of a name in lower case; null if there is none.
  T* find(const std::string& lowered) {
    const auto found = by_name_.find(lowered);
    return found == by_name_.end() ? nullptr : &all_[found->second];
  }
  template <class Do>
  void in_order(Do each) {
    for (std::size_t i = 0; i <= game_; ++i) {
      if (const auto here = fresh_.find(i); here != fresh_.end())
        for (const std::size_t at : here->second) each(all_[at]);
      if (i < game_) each(all_[i]);
    }
  }

 private:
  T& push(T entry) {
    by_name_.emplace(lowered_name(entry.value.name), all_.size());
    return all_.emplace_back(std::move(entry));
  }

  std::deque<T> all_;  // the game's first
  std::size_t game_ = 0;
  std::unordered_map<std::string, std::size_t> by_name_, after_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> fresh_;  // by how many of the game's are before them
};

}  // namespace marrow::behavior
