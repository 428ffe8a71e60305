// SPDX-License-Identifier: MIT
#include "behavior/cache_values.h"

#include <utility>

namespace marrow::behavior {

std::vector<std::string> lines_of(const CacheClip& clip) {
  std::vector<std::string> lines = {clip.name,       clip.id,       clip.speed,
                                    clip.crop_start, clip.crop_end, std::to_string(clip.triggers.size())};
  lines.insert(lines.end(), clip.triggers.begin(), clip.triggers.end());
  return lines;
}

std::vector<std::string> lines_of(const CacheMotion& motion) {
  std::vector<std::string> lines = {motion.id, motion.duration};
  for (const auto* keys : {&motion.translations, &motion.rotations}) {
    lines.push_back(std::to_string(keys->size()));
    lines.insert(lines.end(), keys->begin(), keys->end());
  }
  return lines;
}

std::vector<std::string> lines_of(const DataProject& project) {
  std::vector<std::string> lines = {project.lead, std::to_string(project.assets.size())};
  lines.insert(lines.end(), project.assets.begin(), project.assets.end());
  lines.emplace_back(project.has_motion ? "1" : "0");
  return lines;
}

std::vector<std::string> lines_of(const AnimationSet& set) {
  std::vector<std::string> lines = {set.version, std::to_string(set.triggers.size())};
  lines.insert(lines.end(), set.triggers.begin(), set.triggers.end());
  lines.push_back(std::to_string(set.conditions.size()));
  for (const CacheCondition& each : set.conditions)
    lines.insert(lines.end(), {each.variable, each.lowest, each.highest});
  lines.push_back(std::to_string(set.attacks.size()));
  for (const CacheAttack& each : set.attacks) {
    lines.insert(lines.end(), {each.event, each.mirrored, std::to_string(each.clips.size())});
    lines.insert(lines.end(), each.clips.begin(), each.clips.end());
  }
  lines.push_back(std::to_string(set.files.size()));
  for (const CacheFile& each : set.files) lines.insert(lines.end(), {each.folder, each.name, each.extension});
  return lines;
}

void fill(CacheClip& clip, EntryLines entry) {
  std::vector<std::string>& head = entry.parts[0];
  clip = {head[0], head[1], head[2], head[3], head[4], std::move(entry.parts[1])};
}
void fill(CacheMotion& motion, EntryLines entry) {
  motion = {entry.parts[0][0], entry.parts[0][1], std::move(entry.parts[1]), std::move(entry.parts[2])};
}
void fill(DataProject& project, EntryLines entry) {
  project.lead = entry.parts[0][0];
  project.assets = std::move(entry.parts[1]);
  project.has_motion = entry.parts[2][0] == "1";
}
void fill(AnimationSet& set, EntryLines entry) {
  set.version = entry.parts[0][0];
  set.triggers = std::move(entry.parts[1]);
  set.conditions.clear();
  for (std::size_t i = 0; i + 2 < entry.parts[2].size(); i += 3)
    set.conditions.push_back({entry.parts[2][i], entry.parts[2][i + 1], entry.parts[2][i + 2]});
  set.attacks = std::move(entry.attacks);
  set.files.clear();
  for (std::size_t i = 0; i + 2 < entry.parts[4].size(); i += 3)
    set.files.push_back({entry.parts[4][i], entry.parts[4][i + 1], entry.parts[4][i + 2]});
}

}  // namespace marrow::behavior
