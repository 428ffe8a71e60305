// SPDX-License-Identifier: MIT
// Names for hashes, made of names that are known: the games name bones by a small grammar (prefix, body part, side,
// number, suffix).
#include <algorithm>
#include <array>
#include <map>

#include "anvil/edit.h"
#include "anvil/names.h"
#include "core/crc32.h"

namespace marrow::anvil {
namespace {

constexpr std::array<std::string_view, 14> kPrefixes = {"",   "A_", "P_", "H_", "BJ_", "L_",   "O_",
                                                        "T_", "R_", "C_", "I_", "Fx_", "RFX_", "B_"};
constexpr std::array<std::string_view, 12> kSuffixes = {"",      "_Tag", "_Align", "_Ref", "_Roll", "_Target",
                                                        "_Base", "_Tip", "_U",     "_D",   "_End",  "_Nub"};
constexpr int kMostNumber = 24;
constexpr std::size_t kMostStems = 2048;  // bounds the time: each gives a few thousand names

bool is_number_digit(char c) { return c >= '0' && c <= '9'; }

// Takes a known prefix and suffix off a name.
std::string_view without_affixes(std::string_view name) {
  for (const std::string_view prefix : kPrefixes)
    if (!prefix.empty() && name.starts_with(prefix) && name.size() > prefix.size()) {
      name.remove_prefix(prefix.size());
      break;
    }
  for (const std::string_view suffix : kSuffixes)
    if (!suffix.empty() && name.ends_with(suffix) && name.size() > suffix.size()) {
      name.remove_suffix(suffix.size());
      break;
    }
  return name;
}

// Returns the name with each number from 0 up in the place of the last one it has, with as many digits; or behind it.
std::vector<std::string> numbered(std::string_view stem) {
  std::vector<std::string> names = {std::string(stem)};
  std::size_t end = stem.size();
  while (end > 0 && !is_number_digit(stem[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_number_digit(stem[begin - 1])) --begin;
  const auto number_text = [](int number, std::size_t width) {
    std::string text = std::to_string(number);
    return text.size() < width ? std::string(width - text.size(), '0') + text : text;
  };
  for (int number = 0; number <= kMostNumber; ++number) {
    if (begin < end) {
      names.push_back(std::string(stem.substr(0, begin)) + number_text(number, end - begin) +
                      std::string(stem.substr(end)));
    } else {
      names.push_back(std::string(stem) + number_text(number, 1));
      names.push_back(std::string(stem) + number_text(number, 2));
      names.push_back(std::string(stem) + "_" + number_text(number, 2));
    }
  }
  return names;
}

}  // namespace

std::vector<LearnedName> learn_names(std::span<const BoneName> bones, const NameTable& known) {
  std::map<std::string, LearnedName> learned;
  std::vector<std::uint32_t> unknown;
  for (const BoneName& bone : bones) {
    const std::string_view name = known.find(bone.hash);
    if (!bone.text.empty() && crc32(bone.text) == bone.hash)
      learned.emplace(bone.text, LearnedName{bone.text, bone.hash});
    else if (!name.empty())
      learned.emplace(name, LearnedName{std::string(name), bone.hash});
    else
      unknown.push_back(bone.hash);
  }
  std::ranges::sort(unknown);
  const auto repeated = std::ranges::unique(unknown);
  unknown.erase(repeated.begin(), repeated.end());
  if (!unknown.empty()) {
    std::map<std::string, std::string> stems;  // and a name that each is of
    const auto add_stem = [&](std::string_view name) {
      if (stems.size() >= kMostStems) return;
      stems.try_emplace(std::string(without_affixes(name)), name);
      if (const std::string other = mirrored_name(name); !other.empty())
        stems.try_emplace(std::string(without_affixes(other)), name);
    };
    for (const auto& [name, entry] : learned) add_stem(name);
    known.for_each([&](std::string_view name) { add_stem(name); });
    for (const auto& [stem, source] : stems)
      for (const std::string& body : numbered(stem))
        for (const std::string_view prefix : kPrefixes)
          for (const std::string_view suffix : kSuffixes) {
            const std::string name = std::string(prefix) + body + std::string(suffix);
            const std::uint32_t hash = crc32(name);
            if (std::ranges::binary_search(unknown, hash)) learned.emplace(name, LearnedName{name, hash, source});
          }
  }
  std::vector<LearnedName> names;
  for (auto& [name, entry] : learned) names.push_back(std::move(entry));
  return names;
}

}  // namespace marrow::anvil
