// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "behavior/cache.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

/// How far a key may lie behind the duration, in seconds: both are rounded to six digits.
constexpr double kTimeTolerance = 0.001;

class Check {
 public:
  explicit Check(Findings& findings) : findings_(findings) {}

  void operator()(const AnimationData& data) {
    is_whole_ = data.part == CachePart::Whole;
    for (const DataProject& project : data.projects) {
      project_ = plain_name(project.name);
      clips(project);
      motions(project);
    }
  }

  void operator()(const AnimationSets& sets) {
    for (const SetProject& project : sets.projects)
      for (const AnimationSet& set : project.sets) {
        project_ = std::string(plain_name(project.name)) + ", " + std::string(plain_name(set.name));
        files(set);
      }
  }

 private:
  void add(std::string code, Level level, std::string message, std::string_view part) {
    findings_.push_back({std::move(code), level, std::move(message),
                         printable(project_ + (part.empty() || project_.empty() ? "" : ", ") + std::string(part))});
  }

  void clips(const DataProject& project) {
    std::unordered_set<std::string_view> moving;
    for (const CacheMotion& motion : project.motions) moving.insert(motion.id);
    std::unordered_map<std::string_view, std::string_view> ids;
    for (const CacheClip& clip : project.clips) {
      for (const std::string& trigger : clip.triggers)
        if (!parse_trigger(trigger))
          add("CACHE_TRIGGER", Level::Error,
              "'" + printable(trigger) + "' is not an event and a time, Event:seconds; the game does not send it",
              clip.name);
      if (is_whole_ && project.has_motion && !moving.contains(clip.id))
        add("CACHE_CLIP_NO_MOTION", Level::Info,
            "there is no motion of id " + clip.id + ": the clip plays, and the actor does not move by it", clip.name);
      const auto [known, is_new] = ids.emplace(clip.name, clip.id);
      if (!is_new && known->second != clip.id)
        add("CACHE_CLIP_TWICE", Level::Info, "the clip has the ids " + std::string(known->second) + " and " + clip.id,
            clip.name);
    }
  }

  void motions(const DataProject& project) {
    std::unordered_set<std::string_view> used, seen;
    for (const CacheClip& clip : project.clips) used.insert(clip.id);
    for (const CacheMotion& motion : project.motions) {
      const std::string part = "motion " + motion.id;
      if (!seen.insert(motion.id).second)
        add("CACHE_MOTION_TWICE", Level::Error, "the id has a motion already; the game takes one of the two", part);
      keys(motion, motion.translations, 4, part);
      keys(motion, motion.rotations, 5, part);
      if (is_whole_ && !used.contains(motion.id)) add("CACHE_MOTION_UNUSED", Level::Info, "no clip has this id", part);
    }
  }

  void keys(const CacheMotion& motion, const std::vector<std::string>& all, std::size_t numbers,
            const std::string& part) {
    const double duration = parse_double(motion.duration).value_or(0.0);
    double before = -HUGE_VAL;
    for (const std::string& line : all) {
      const auto key = parse_key(line, numbers);
      if (!key) {
        add("CACHE_MOTION_KEY", Level::Error,
            "'" + printable(line) + "' is not a time and " + std::to_string(numbers - 1) +
                " numbers; the game reads the lines after it wrong",
            part);
        continue;
      }
      const double time = key->front();
      if (time < before)
        add("CACHE_MOTION_TIME", Level::Warning, "the key at " + cache_number(time) + " s follows one that is later",
            part);
      else if (time > duration + kTimeTolerance)
        add("CACHE_MOTION_TIME", Level::Warning,
            "the key at " + cache_number(time) + " s lies behind the end at " + motion.duration + " s", part);
      before = time;
    }
  }

  void files(const AnimationSet& set) {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const CacheFile& file : set.files) {
      for (const std::string* text : {&file.folder, &file.name, &file.extension}) {
        const auto number = parse_uint(*text);
        if (!number || *number > UINT32_MAX || text->find_first_not_of("0123456789") != std::string::npos)
          add("CACHE_SET_NUMBER", Level::Error,
              "'" + printable(*text) + "' is not a checksum of 32 bits; the animation is not found", "files");
      }
      if (!seen.emplace(file.folder, file.name).second)
        add("CACHE_SET_FILE_TWICE", Level::Info, "the file " + file.folder + ", " + file.name + " is listed twice",
            "files");
    }
  }

  Findings& findings_;
  std::string project_;
  bool is_whole_ = true;  // clips and motion are in one file
};

}  // namespace

std::optional<CacheTrigger> parse_trigger(std::string_view line) {
  const std::size_t colon = line.find_last_of(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const auto time = parse_double(line.substr(colon + 1));
  if (!time || !std::isfinite(static_cast<float>(*time))) return std::nullopt;
  return CacheTrigger{line.substr(0, colon), *time};
}

std::optional<std::vector<double>> parse_key(std::string_view line, std::size_t count) {
  std::vector<double> numbers;
  while (!(line = trim(line)).empty()) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const auto number = parse_double(line.substr(0, end));
    if (!number || !std::isfinite(static_cast<float>(*number)) || numbers.size() == count) return std::nullopt;
    numbers.push_back(*number);
    line.remove_prefix(end);
  }
  if (numbers.size() != count) return std::nullopt;
  return numbers;
}

Findings check_cache(const Cache& cache) {
  Findings findings;
  std::visit(Check(findings), cache);
  return findings;
}

Findings check_cache(std::string_view text, const Limits& limits) {
  const auto cache = read_cache(text, limits);
  if (cache) return check_cache(*cache);
  Findings findings;
  findings.push_back({"CACHE_COUNT", Level::Error, cache.error().message, cache.error().path});
  return findings;
}

void compare_clips(const DataProject& project, const std::vector<std::string>& generators, Findings& findings) {
  const std::set<std::string_view> known(generators.begin(), generators.end());
  std::set<std::string_view> registered;
  const std::string name(plain_name(project.name));
  for (const CacheClip& clip : project.clips) {
    registered.insert(clip.name);
    if (!known.contains(clip.name))
      findings.push_back({"CACHE_CLIP_UNKNOWN", Level::Info, "no clip generator of the project has this name",
                          printable(name + ", " + clip.name)});
  }
  for (const std::string_view each : known)
    if (!registered.contains(each))
      findings.push_back({"CACHE_CLIP_MISSING", Level::Info,
                          "the clip generator has no entry: it plays, and the actor does not move by it",
                          printable(name + ", " + std::string(each))});
}

}  // namespace marrow::behavior
