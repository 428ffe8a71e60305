// SPDX-License-Identifier: MIT
// Entries of the caches as lines that mods change: each line of the game has a slot, as elements of arrays have in
// nodes. What a line means is known by its place among the counts of the game, which are computed again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/cache.h"
#include "behavior/patch.h"
#include "behavior/patch_node.h"

namespace marrow::behavior {

struct MarkedLine {
  Mark mark = Mark::Normal;
  std::uint32_t block = 0;
  std::string_view text = {};
};

/// Reads the lines of a patch without its marks. Empty lines at the end are left out. Fails with the line if a block is
/// not closed.
Result<std::vector<MarkedLine>> read_marked_lines(std::string_view text);

/// One part of an entry: so many lines, or a count and a list of things of so many lines.
struct EntryPart {
  std::uint8_t lines = 1;
  bool is_list = false;
  bool holds_attacks = false;
};

std::span<const EntryPart> clip_parts();
std::span<const EntryPart> motion_parts();
std::span<const EntryPart> project_parts();  ///< the head of a project of animation data
std::span<const EntryPart> set_parts();

/// Who changes a cache, and where notes on it go.
struct CacheEdit {
  std::span<const Patch> mods;
  int mod = 0;
  std::string where;
  MergeReport* report;

  void note(std::string_view code, Level level, std::string message) const;
};

/// What an entry is after all mods, by part. Attacks are values of their own.
struct EntryLines {
  std::vector<std::vector<std::string>> parts = {};
  std::vector<CacheAttack> attacks = {};
};

class CacheEntry {
 public:
  /// An entry of the game.
  CacheEntry(std::span<const EntryPart> grammar, std::vector<std::string> lines);

  /// Takes the edits of a mod. A file without marks replaces the entry as a whole.
  void apply(const std::vector<MarkedLine>& patch, const CacheEdit& edit);
  bool is_changed() const { return is_changed_; }

  /// Returns the entry after all mods. Fails, in words, if lines are missing or left over.
  Result<EntryLines> lines() const;

 private:
  struct Slot {
    std::string text;
    std::vector<std::pair<std::string, int>> before = {};
    int by = -1;
    bool is_removed = false;
  };
  /// What a line of the game is.
  enum class Role : std::uint8_t { Item, Count, AttackEvent, AttackMark, AttackCount, AttackClip };
  struct Meaning {
    std::uint8_t part = 0;
    Role role = Role::Item;
  };

  void block(std::size_t at, std::span<const std::string_view> now, std::span<const std::string_view> before,
             const CacheEdit& edit);
  void find_meanings();
  void insert_attacks(const std::vector<std::string>& lines, std::size_t& current, std::size_t& next,
                      std::vector<CacheAttack>& attacks) const;

  std::span<const EntryPart> grammar_;
  std::vector<Slot> slots_;  // one per line of the game, and one at the end
  std::vector<Meaning> meanings_;
  bool is_changed_ = false;
};

}  // namespace marrow::behavior
