// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace marrow {

/// Makes names that are all different. The search for a free one goes on where the last one ended: a thousand names
/// that are one take a thousand steps, not a million.
class UnusedNames {
 public:
  /// Returns `wanted`, or the first of `form(wanted, 1)`, `form(wanted, 2)` ... that is free, and takes it. Names are
  /// compared by `key`.
  template <class Form, class Key = std::identity>
  std::string add(const std::string& wanted, const Form& form, const Key& key = {}) {
    std::string first(key(wanted));
    if (taken_.insert(first).second) return wanted;
    for (int& number = next_[std::move(first)];;) {
      std::string name = form(wanted, ++number);
      if (taken_.insert(std::string(key(name))).second) return name;
    }
  }

  /// Takes a name. False if it is taken.
  bool take(const std::string& name) { return taken_.insert(name).second; }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> next_;
};

}  // namespace marrow
