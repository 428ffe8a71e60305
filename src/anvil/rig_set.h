// SPDX-License-Identifier: MIT
/// Skeletons that a game loads together: what one of them means for the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "anvil/games.h"
#include "anvil/skeleton.h"
#include "marrow/core/finding.h"

namespace marrow::anvil {

struct RigFile {
  std::string label;  ///< its name in messages
  Skeleton skeleton;
};

/// The skeletons of a mod folder: which are characters and which are addons to them, whose ids clash, and how many
/// bones each character has with its addons. Everything is computed once, in time linear in the size of the files; a
/// set that is not changed can be shared between threads.
class RigSet {
 public:
  explicit RigSet(std::vector<RigFile> files, std::optional<Game> game = {});

  std::size_t size() const { return members_.size(); }
  /// Returns the place of a file by its label.
  std::optional<std::size_t> find(std::string_view label) const;
  /// True if the file is a character of its own and not an addon to one.
  bool is_base(std::size_t file) const { return members_[file].is_base; }
  /// Returns the skeleton of the set that an addon extends; null if there is none, or the file is a base itself.
  const Skeleton* base_of(std::size_t file) const;

  /// Returns what the rest of the set means for a file, whose skeleton is now `skeleton`: ids that an earlier file has
  /// too, the base that is missing, and the bones of a base with all of its addons. Bases come before addons.
  Findings check(std::size_t file, const Skeleton& skeleton) const;

  /// Returns new ids for the objects of a file that have one of an earlier file.
  std::unordered_map<std::uint64_t, std::uint64_t> renumbering(std::size_t file) const;

 private:
  struct Member {
    RigFile file;
    bool is_base = false;
    bool is_sound = false;                 // has no errors of its own
    std::optional<std::size_t> base = {};  // of an addon
    std::size_t addons = 0, bones = 0;     // of a base: addons that fit, and the bones with all of them
  };
  struct Object {
    std::size_t file;
    std::string name;  // `bone Head`
  };

  void find_roles();
  void index_ids();
  void count_bones(std::optional<Game> game);
  bool is_version_of(const Skeleton& skeleton, std::size_t other) const;
  const Object* earlier(std::uint64_t id, std::size_t file) const;
  void check_ids(std::size_t file, const Skeleton& skeleton, Findings& findings) const;

  std::vector<Member> members_;
  std::vector<std::size_t> rank_;                     // of each file: bases first
  std::unordered_map<std::uint64_t, Object> owners_;  // the first file that has an id
  std::optional<Game> game_;
};

/// Replaces the ids of a skeleton's objects, with every reference to them, also in data that is kept as it is.
void renumber(Skeleton& skeleton, const std::unordered_map<std::uint64_t, std::uint64_t>& ids);

}  // namespace marrow::anvil
