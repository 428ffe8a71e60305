// SPDX-License-Identifier: MIT
/// What makes a character T-pose, or the game crash: rules for one file, and for the files of a project together.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>

#include "havok/packfile/packfile.h"
#include "marrow/core/finding.h"
#include "marrow/model/game.h"

namespace marrow::behavior {

/// Checks a project, character or behaviour file by the rules that need no other file. Returns nothing for other files.
/// Safe on damaged files: cycles and wrong pointers are findings. `where` is `#0123 transitions[2].eventId`.
Findings check_file(const havok::Packfile& file);

/// What the first bytes of a binary packfile say.
struct PackfileHead {
  std::uint32_t pointer_size = 0;  ///< 0: not a binary packfile; nothing else is known then
  std::string version = {};        ///< of Havok
  bool has_animation = false;
};

/// Files below a folder, as a caller has them.
struct ProjectFiles {
  std::span<const std::string> names;  ///< all files below the folder, with `/` or `\`
  /// Returns a file; null if it cannot be read (which is a finding of its own).
  std::function<std::shared_ptr<const havok::Packfile>(const std::string& name)> read;
  /// Returns what the head of a file says. May be missing.
  std::function<PackfileHead(const std::string& name)> head = {};
};

/// Findings of the rules across files, by the name of the file that they are about.
using ProjectFindings = std::map<std::string, Findings>;

/// Animations that the characters of projects list, as `animation_key` spells them, by the folder of the project with a
/// slash at its end (empty for that of the files), as `file_key` spells it.
using ProjectAnimations = std::map<std::string, std::unordered_set<std::string>>;

/// Names of the clip generators of projects, by the file of the project.
using ProjectClips = std::map<std::string, std::set<std::string>>;

/// Follows each project from its file through characters, behaviours and rigs, and checks that they agree. `projects`
/// are names of files with `hkbProjectData`. With `game`, every packfile must have its pointer size and version.
/// `animations` and `clips`, if given, get what they list and play.
ProjectFindings check_projects(const ProjectFiles& files, std::span<const std::string> projects,
                               std::optional<Game> game = {}, ProjectAnimations* animations = nullptr,
                               ProjectClips* clips = nullptr);

/// True if the first bytes of a file look like those of a project: worth reading to know.
bool may_be_project(std::span<const std::byte> head);
/// How many bytes `may_be_project` wants.
inline constexpr std::size_t kProjectHeadBytes = 65536;

}  // namespace marrow::behavior
