// SPDX-License-Identifier: MIT
#include "model/blender_names.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace marrow {
namespace {

/// Where the mark of a side is in a name.
enum class Place : std::uint8_t {
  Start,         ///< at the beginning
  StartOfWord,   ///< at the beginning, before a capital
  End,           ///< at the end
  EndOfWord,     ///< after a small letter, before nothing but digits
  BetweenWords,  ///< after a small letter and before a capital
  AsWord,        ///< behind a blank
};

/// One way to write a side. A mark that is not sure counts only if the other side is there, too.
struct SideMark {
  std::string_view left, right;
  Place place;
  bool is_sure;
};

constexpr SideMark kSides[] = {
    {".L", ".R", Place::End, true},                // Blender's own: UpperArm.L
    {".l", ".r", Place::End, true},                //
    {"L ", "R ", Place::Start, true},              // Skyrim: NPC L Thigh [LThg]
    {"L ", "R ", Place::AsWord, false},            // CME L Thigh [LThg], Bip01 L Thigh
    {"L_", "R_", Place::Start, false},             // Fallout 4: L_RibHelper
    {"L", "R", Place::StartOfWord, false},         // Fallout 4: LArm_Hand
    {"Left", "Right", Place::StartOfWord, false},  // creatures: LeftThigh
    {"Left", "Right", Place::End, false},          // WeaponLeft
    {"L", "R", Place::EndOfWord, false},           // AnimObjectL, AnimObjectR1
    {"L", "R", Place::BetweenWords, false},        // SkirtLBone01
};
/// How many of them, from the first, are Blender's own.
constexpr std::size_t kBlenderSides = 2;
/// What stands before the names of Skyrim's bones, and what encloses their tags.
constexpr std::string_view kFront = "NPC ", kTag = " [";

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

enum class Side : std::uint8_t { None, Left, Right };

/// A name without the mark of its side.
struct Parted {
  std::string stem;
  Side side = Side::None;
  bool is_sure = true;
};

// Returns where `mark` stands in the name, if it stands at its place.
std::optional<std::size_t> find_mark(std::string_view name, std::string_view mark, Place place) {
  const std::size_t size = mark.size();
  if (name.size() <= size) return std::nullopt;
  switch (place) {
    case Place::Start: return name.starts_with(mark) ? std::optional<std::size_t>(0) : std::nullopt;
    case Place::StartOfWord:
      return name.starts_with(mark) && is_capital(name[size]) ? std::optional<std::size_t>(0) : std::nullopt;
    case Place::End: return name.ends_with(mark) ? std::optional(name.size() - size) : std::nullopt;
    case Place::EndOfWord: {
      std::size_t end = name.size();
      while (end > 0 && is_digit(name[end - 1])) --end;
      const bool fits = end > size && name.substr(0, end).ends_with(mark) && is_small(name[end - size - 1]);
      return fits ? std::optional(end - size) : std::nullopt;
    }
    case Place::BetweenWords:
      for (std::size_t at = 1; at + size < name.size(); ++at)
        if (name.substr(at, size) == mark && is_small(name[at - 1]) && is_capital(name[at + size])) return at;
      return std::nullopt;
    case Place::AsWord:
      for (std::size_t at = 1; at + size < name.size(); ++at)
        if (name.substr(at, size) == mark && name[at - 1] == ' ') return at;
      return std::nullopt;
  }
  return std::nullopt;
}

// Returns the name without tag and front, as `NPC L Thigh [LThg]` has them. What is left is never empty.
std::string_view without_frame(std::string_view name) {
  if (name.ends_with(']'))
    if (const std::size_t tag = name.rfind(kTag); tag != std::string_view::npos && tag > 0) name = name.substr(0, tag);
  if (name.starts_with(kFront) && name.size() > kFront.size()) name.remove_prefix(kFront.size());
  return name;
}

// Removes the first mark of a side that is found.
std::optional<Parted> without_mark(std::string_view name, std::span<const SideMark> marks) {
  for (const SideMark& mark : marks)
    for (const auto& [text, side] : {std::pair(mark.left, Side::Left), std::pair(mark.right, Side::Right)})
      if (const auto at = find_mark(name, text, mark.place)) {
        std::string stem(name.substr(0, *at));
        stem += name.substr(*at + text.size());
        return Parted{.stem = std::string(without_frame(stem)), .side = side, .is_sure = mark.is_sure};
      }
  return std::nullopt;
}

Parted part(std::string_view whole) {
  // Blender's mark stands behind the tag: NPC Thigh [Thg].L
  if (auto parted = without_mark(whole, std::span(kSides).first(kBlenderSides))) return std::move(*parted);
  const std::string_view name = without_frame(whole);
  if (auto parted = without_mark(name, kSides)) return std::move(*parted);
  return {.stem = std::string(name)};
}

std::string key_of(const Parted& parted, Side side) {
  std::string key;
  for (const char c : parted.stem)
    if (is_small(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80)
      key += c;
    else if (is_capital(c))
      key += static_cast<char>(c - 'A' + 'a');
  key += side == Side::Left ? "\1" : side == Side::Right ? "\2" : "";
  return key;
}

// Parts all names. A side that is not sure counts only if another name has the same stem on the other side.
std::vector<Parted> part_all(std::span<const std::string> names) {
  std::vector<Parted> parted;
  std::unordered_set<std::string> keys;
  for (const std::string& name : names) {
    parted.push_back(part(name));
    keys.insert(key_of(parted.back(), parted.back().side));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    Parted& one = parted[i];
    if (one.side == Side::None || one.is_sure) continue;
    if (!keys.contains(key_of(one, one.side == Side::Left ? Side::Right : Side::Left)))
      one = {.stem = std::string(without_frame(names[i]))};
  }
  return parted;
}

}  // namespace

std::vector<std::string> blender_names(std::span<const std::string> names) {
  std::vector<std::string> out;
  for (const Parted& one : part_all(names))
    out.push_back(one.stem + (one.side == Side::Left ? ".L" : one.side == Side::Right ? ".R" : ""));
  // Every round sets at least one name back, which then stays, so this ends.
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    std::unordered_map<std::string_view, std::size_t> uses;
    for (const std::string& name : out) ++uses[name];
    std::vector<std::size_t> back;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (uses[out[i]] > 1 && out[i] != names[i]) back.push_back(i);
    for (const std::size_t i : back) {
      out[i] = names[i];
      is_changed = true;
    }
  }
  return out;
}

std::vector<std::int32_t> match_bone_names(std::span<const std::string> names, std::span<const std::string> known) {
  constexpr std::int32_t kNone = -1, kSeveral = -2;
  std::vector<std::int32_t> out(names.size(), kNone);
  std::vector<bool> is_taken(known.size(), false);
  std::unordered_map<std::string_view, std::size_t> exact;
  for (std::size_t i = 0; i < known.size(); ++i) exact.try_emplace(known[i], i);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto found = exact.find(names[i]); found != exact.end() && !is_taken[found->second]) {
      out[i] = static_cast<std::int32_t>(found->second);
      is_taken[found->second] = true;
    }
  std::unordered_map<std::string, std::int32_t> by_key;
  const std::vector<Parted> theirs = part_all(known), ours = part_all(names);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto [at, is_new] = by_key.try_emplace(key_of(theirs[i], theirs[i].side), static_cast<std::int32_t>(i));
    if (!is_new) at->second = kSeveral;
  }
  std::vector<std::size_t> users(known.size(), 0);
  std::vector<std::pair<std::size_t, std::int32_t>> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (out[i] != kNone) continue;
    const auto at = by_key.find(key_of(ours[i], ours[i].side));
    if (at == by_key.end() || at->second < 0 || is_taken[static_cast<std::size_t>(at->second)]) continue;
    found.emplace_back(i, at->second);
    ++users[static_cast<std::size_t>(at->second)];
  }
  for (const auto& [name, bone] : found)
    if (users[static_cast<std::size_t>(bone)] == 1) out[name] = bone;
  return out;
}

}  // namespace marrow
