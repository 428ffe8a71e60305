// SPDX-License-Identifier: MIT
/// The animation caches of Skyrim, `animationdatasinglefile.txt` and `animationsetdatasinglefile.txt`: which clips a
/// project has, how far they move the actor, and which animations belong to which set of attacks
/// (docs/formats/animation-cache.md). Numbers are kept as the text that the file has, so that a file that is read and
/// written comes back byte for byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/core/limits.h"

namespace marrow::behavior {

/// How the lines of a text file end.
struct LineEnds {
  bool are_crlf = true;
  bool last_has_end = true;

  bool operator==(const LineEnds&) const = default;
};

/// A clip of a project, as a clip generator plays it.
struct CacheClip {
  std::string name = {};
  std::string id = {};  ///< joins it to its motion
  std::string speed = "1", crop_start = "0", crop_end = "0";
  std::vector<std::string> triggers = {};  ///< `Event:seconds`

  bool operator==(const CacheClip&) const = default;
};

/// How far an animation moves and turns the actor.
struct CacheMotion {
  std::string id = {};
  std::string duration = {};                   ///< seconds
  std::vector<std::string> translations = {};  ///< `time x y z`, from the start, in units
  std::vector<std::string> rotations = {};     ///< `time x y z w`

  bool operator==(const CacheMotion&) const = default;
};

struct DataProject {
  std::string name = {};  ///< with `.txt`, as the list at the head of the file has it
  std::string lead = "1";
  std::vector<std::string> assets = {};  ///< behaviours, characters and the rig, relative to the project
  bool has_motion = false;               ///< without it there are no clips either
  std::vector<CacheClip> clips = {};
  std::vector<CacheMotion> motions = {};

  bool operator==(const DataProject&) const = default;
};

/// The game's archives hold the caches whole, and in parts: a file per project, and one for its motion.
enum class CachePart : std::uint8_t {
  Whole,
  Clips,   ///< `animationdata\PROJECT.txt`: a project without its name, its line count and its motion
  Motion,  ///< `animationdata\boundanims\anims_PROJECT.txt`: the motion alone
  Set,     ///< `animationsetdata\PROJECTData\SET.txt`: one set without its name
};

struct AnimationData {
  LineEnds ends = {};
  CachePart part = CachePart::Whole;  ///< of a part, `projects` is one without a name
  std::vector<DataProject> projects = {};

  bool operator==(const AnimationData&) const = default;
};

/// A range that a variable must be in for a set to be used.
struct CacheCondition {
  std::string variable = {}, lowest = {}, highest = {};

  bool operator==(const CacheCondition&) const = default;
};

struct CacheAttack {
  std::string event = {};
  std::string mirrored = "0";
  std::vector<std::string> clips = {};

  bool operator==(const CacheAttack&) const = default;
};

/// An animation of a set, as checksums of its folder and name.
struct CacheFile {
  std::string folder = {}, name = {}, extension = {};

  bool operator==(const CacheFile&) const = default;
};

struct AnimationSet {
  std::string name = {};  ///< with `.txt`
  std::string version = "V3";
  std::vector<std::string> triggers = {};  ///< events that switch to this set
  std::vector<CacheCondition> conditions = {};
  std::vector<CacheAttack> attacks = {};
  std::vector<CacheFile> files = {};

  bool operator==(const AnimationSet&) const = default;
};

struct SetProject {
  std::string name = {};  ///< `ProjectData\Project.txt`, as the list at the head of the file has it
  std::vector<AnimationSet> sets = {};

  bool operator==(const SetProject&) const = default;
};

struct AnimationSets {
  LineEnds ends = {};
  CachePart part = CachePart::Whole;  ///< of a part, `projects` is one without a name, with one set without a name
  std::vector<SetProject> projects = {};

  bool operator==(const AnimationSets&) const = default;
};

using Cache = std::variant<AnimationData, AnimationSets>;

/// What the first lines of a text say that it is.
enum class CacheKind : std::uint8_t { None, Data, Sets };
CacheKind cache_kind(std::string_view head);
/// Returns which part of a cache it is, if it is one.
CachePart cache_part(std::string_view head);

/// Reads a cache, of the kind that its first lines say. Safe on untrusted bytes, and linear in their number: every
/// count is checked against the lines that are left. Fails if a count does not fit; `Error::path` is then `line N`.
Result<Cache> read_cache(std::string_view text, const Limits& limits = {});
/// Writes a cache with all counts computed.
std::string write_cache(const Cache& cache);

/// Returns `Giant` of `GiantData\Giant.txt`.
std::string_view plain_name(std::string_view name);
/// Return the project or set of that name, without folder and extension and in any case; null if there is none. What
/// has no name in its file has any.
DataProject* find_project(AnimationData& data, std::string_view name);
SetProject* find_project(AnimationSets& sets, std::string_view name);
AnimationSet* find_set(SetProject& project, std::string_view name);

/// Returns 1 + the highest id of the clips and motions of a project.
std::uint64_t next_id(const DataProject& project);
/// Returns the entry of an animation by its path from `meshes` on, with slashes of either kind. Fails if the path has
/// no folder or no name.
Result<CacheFile> cache_file_of(std::string_view path);
/// Returns a number as the caches have it: up to six significant digits.
std::string cache_number(double value);
/// Splits `Event:seconds`; nothing if it is not that.
struct CacheTrigger {
  std::string_view event;
  double time = 0.0;
};
std::optional<CacheTrigger> parse_trigger(std::string_view line);
/// Reads the numbers of a key; nothing unless there are exactly `count` finite ones.
std::optional<std::vector<double>> parse_key(std::string_view line, std::size_t count);

/// Judges a cache by the rules of docs/formats/animation-cache.md. A text that cannot be read has that as its only
/// finding.
Findings check_cache(std::string_view text, const Limits& limits = {});
/// The same for one that has been read.
Findings check_cache(const Cache& cache);

/// Names of the clip generators of a project, to compare a cache with. Adds what the cache has that no generator is
/// named like, and the reverse.
void compare_clips(const DataProject& project, const std::vector<std::string>& generators, Findings& findings);

}  // namespace marrow::behavior
