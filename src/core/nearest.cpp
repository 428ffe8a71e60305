// SPDX-License-Identifier: MIT
#include "core/nearest.h"

#include <algorithm>
#include <string>
#include <vector>

#include "marrow/core/text.h"

namespace marrow {
namespace {

constexpr std::size_t kLongest = 128;  // longest name that is compared letter by letter

// Returns how many letters must be inserted, removed, changed or swapped with their neighbour to get from one text to
// the other, or to the beginning of the other, which costs one more.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two(b.size() + 1), one(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) one[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({one[j] + 1, row[j - 1] + 1, one[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], two[j - 2] + 1);
    }
    std::swap(two, one);
    std::swap(one, row);
  }
  std::size_t least = one[b.size()];
  for (const std::size_t beginning : one) least = std::min(least, beginning + 1);
  return least;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns the words of a name in lower case: npc, l, foot and lft of `NPC L Foot [Lft ]`, l and foot of `LFoot`.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool goes_on = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool counts = is_letter(c) || is_digit(c);
    const bool was_alike = i > 0 && is_digit(name[i - 1]) == is_digit(c);
    const bool starts =
        is_capital(c) && i > 0 &&
        (!is_capital(name[i - 1]) || (i + 1 < name.size() && is_letter(name[i + 1]) && !is_capital(name[i + 1])));
    if (counts && (!goes_on || !was_alike || starts)) words.emplace_back();
    if (counts) words.back() += c;
    goes_on = counts;
  }
  for (std::string& word : words) word = to_lower(word);
  return words;
}

// True if a name has all the words, in any order.
bool has_words(std::string_view name, const std::vector<std::string>& wanted) {
  const std::vector<std::string> words = words_of(name);
  return !wanted.empty() && std::ranges::all_of(wanted, [&](const std::string& word) {
    return std::ranges::find(words, word) != words.end();
  });
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
  if (name.empty() || name.size() > kLongest) return {};
  const std::string wanted = to_lower(name);
  // A third of the letters may be wrong.
  const std::size_t most = std::max<std::size_t>(1, name.size() / 3);
  const std::vector<std::string> words = words_of(name);
  std::string_view nearest;
  std::size_t least = most + 1, length = 0;
  for (const std::string_view candidate : known) {
    if (candidate.empty() || candidate.size() > kLongest) continue;
    const std::string text = to_lower(candidate);
    // At least three letters are needed to identify a longer name.
    const bool part = wanted.size() >= 3 && (text.find(wanted) != std::string::npos || has_words(candidate, words));
    const std::size_t cost = part ? std::size_t{text != wanted} : edits(wanted, text);
    if (cost < least || (cost == least && cost <= most && candidate.size() < length)) {
      least = cost;
      length = candidate.size();
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known) {
  const std::string_view near = nearest_name(name, known);
  return near.empty() ? "" : "; did you mean " + std::string(near) + "?";
}

std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  return did_you_mean(name, std::vector<std::string_view>(known.begin(), known.end()));
}

}  // namespace marrow
