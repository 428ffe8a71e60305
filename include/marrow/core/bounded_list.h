// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace marrow {

/// Returns a message without its numbers and quoted names: what it has in common with others of its kind.
std::string kind_of_message(std::string_view message);

/// A list of remarks about a file that stays short, whatever the file does: it keeps the first few hundred of a kind
/// and some megabytes of text, and counts the rest. `kind_of(T)` tells kinds apart, `text_size_of(T)` says how long one
/// is, and `remark_on(T, count)` words those that were only counted.
template <class T>
class BoundedList : public std::vector<T> {
  using Base = std::vector<T>;

 public:
  static constexpr std::size_t kMostOfAKind = 300;
  static constexpr std::size_t kMostKinds = 1000;
  static constexpr std::size_t kMostText = std::size_t{2} << 20;

  BoundedList() = default;
  BoundedList(std::initializer_list<T> items) { insert(this->end(), items.begin(), items.end()); }

  void push_back(T item) {
    if (admits(item)) Base::push_back(std::move(item));
  }
  template <class... Args>
  void emplace_back(Args&&... args) {
    push_back(T{std::forward<Args>(args)...});
  }
  /// Appends; `at` is the end.
  template <class Iterator>
  void insert(typename Base::const_iterator, Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }
  /// Appends the remarks of another list, with what it only counted.
  void append(BoundedList other) {
    for (T& item : other) push_back(std::move(item));
    for (auto& [kind, counted] : other.kinds_)
      if (counted.hidden > 0) {
        const auto place = kinds_.try_emplace(kind, Kind{counted.first, 0, 0}).first;
        place->second.hidden += counted.hidden;
      }
  }
  void clear() {
    Base::clear();
    kinds_.clear();
    text_ = 0;
  }

  /// Returns how many remarks were counted and not kept.
  std::size_t hidden() const {
    std::size_t count = 0;
    for (const auto& [kind, counted] : kinds_) count += counted.hidden;
    return count;
  }
  /// Appends one remark per kind about those that were only counted, and forgets the counts.
  void tell_hidden() {
    for (auto& [kind, counted] : kinds_)
      if (const std::size_t hidden = std::exchange(counted.hidden, 0); hidden > 0)
        Base::push_back(remark_on(counted.first, hidden));
  }

 private:
  struct Kind {
    T first;  ///< of the kind
    std::size_t kept = 0, hidden = 0;
  };

  bool admits(const T& item) {
    // Kinds may be made up by the file, too: beyond so many, all are one.
    std::string kind = kinds_.size() < kMostKinds ? kind_of(item) : std::string();
    const auto [place, is_new] = kinds_.try_emplace(std::move(kind));
    Kind& counted = place->second;
    const std::size_t size = text_size_of(item);
    if (is_new) counted.first = shortened(item);
    if (counted.kept >= kMostOfAKind || size > kMostText - text_) {
      ++counted.hidden;
      return false;
    }
    ++counted.kept;
    text_ += size;
    return true;
  }

  std::map<std::string, Kind> kinds_;
  std::size_t text_ = 0;
};

}  // namespace marrow
