// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>

#include "behavior/cache.h"
#include "core/crc32.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

class Writer {
 public:
  explicit Writer(const LineEnds& ends) : end_(ends.are_crlf ? "\r\n" : "\n") {}

  void line(std::string_view text) {
    out_ += text;
    out_ += end_;
    ++lines_;
  }
  void count(std::size_t count) { line(std::to_string(count)); }
  void list(const std::vector<std::string>& all) {
    count(all.size());
    for (const std::string& each : all) line(each);
  }
  std::size_t lines() const { return lines_; }
  /// Appends a block, with the number of its lines before it.
  void block(const Writer& other) {
    count(other.lines_);
    out_ += other.out_;
    lines_ += other.lines_;
  }
  std::string finish(const LineEnds& ends) {
    if (!ends.last_has_end) out_.resize(out_.size() - end_.size());
    return std::move(out_);
  }

 private:
  std::string out_;
  std::string_view end_;
  std::size_t lines_ = 0;
};

void write_clips(Writer& clips, const DataProject& project) {
  clips.line(project.lead);
  clips.list(project.assets);
  clips.line(project.has_motion ? "1" : "0");
  for (const CacheClip& clip : project.clips) {
    for (const std::string* each : {&clip.name, &clip.id, &clip.speed, &clip.crop_start, &clip.crop_end})
      clips.line(*each);
    clips.list(clip.triggers);
    clips.line("");
  }
}

void write_motions(Writer& motions, const DataProject& project) {
  for (const CacheMotion& motion : project.motions) {
    motions.line(motion.id);
    motions.line(motion.duration);
    motions.list(motion.translations);
    motions.list(motion.rotations);
    motions.line("");
  }
}

void write_project(Writer& out, const DataProject& project, const LineEnds& ends) {
  Writer clips(ends), motions(ends);
  write_clips(clips, project);
  out.block(clips);
  if (!project.has_motion) return;
  write_motions(motions, project);
  out.block(motions);
}

void write_set(Writer& out, const AnimationSet& set) {
  out.line(set.version);
  out.list(set.triggers);
  out.count(set.conditions.size());
  for (const CacheCondition& each : set.conditions)
    for (const std::string* text : {&each.variable, &each.lowest, &each.highest}) out.line(*text);
  out.count(set.attacks.size());
  for (const CacheAttack& each : set.attacks) {
    out.line(each.event);
    out.line(each.mirrored);
    out.list(each.clips);
  }
  out.count(set.files.size());
  for (const CacheFile& each : set.files)
    for (const std::string* text : {&each.folder, &each.name, &each.extension}) out.line(*text);
}

void write_project(Writer& out, const SetProject& project, const LineEnds&) {
  out.count(project.sets.size());
  for (const AnimationSet& set : project.sets) out.line(set.name);
  for (const AnimationSet& set : project.sets) write_set(out, set);
}

// A part has one project, without its name.
void write_part(Writer& out, const AnimationData& data) {
  for (const DataProject& project : data.projects)
    if (data.part == CachePart::Clips)
      write_clips(out, project);
    else
      write_motions(out, project);
}
void write_part(Writer& out, const AnimationSets& sets) {
  for (const SetProject& project : sets.projects)
    for (const AnimationSet& set : project.sets) write_set(out, set);
}

template <class Projects>
auto* find_named(Projects& all, std::string_view name) {
  const auto found = std::ranges::find_if(
      all, [&](const auto& each) { return equal_ignoring_case(plain_name(each.name), plain_name(name)); });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string write_cache(const Cache& cache) {
  return std::visit(
      [](const auto& each) {
        Writer out(each.ends);
        if (each.part != CachePart::Whole) {
          write_part(out, each);
          return out.finish(each.ends);
        }
        out.count(each.projects.size());
        for (const auto& project : each.projects) out.line(project.name);
        for (const auto& project : each.projects) write_project(out, project, each.ends);
        return out.finish(each.ends);
      },
      cache);
}

std::string_view plain_name(std::string_view name) {
  name = name.substr(name.find_last_of("\\/") + 1);
  if (name.size() >= 4 && equal_ignoring_case(name.substr(name.size() - 4), ".txt")) name.remove_suffix(4);
  return name;
}

DataProject* find_project(AnimationData& data, std::string_view name) {
  return data.part == CachePart::Whole ? find_named(data.projects, name) : &data.projects.front();
}
SetProject* find_project(AnimationSets& sets, std::string_view name) {
  return sets.part == CachePart::Whole ? find_named(sets.projects, name) : &sets.projects.front();
}
AnimationSet* find_set(SetProject& project, std::string_view name) {
  // The one set of a part has no name.
  const bool is_part = project.sets.size() == 1 && project.sets.front().name.empty();
  return is_part ? &project.sets.front() : find_named(project.sets, name);
}

std::uint64_t next_id(const DataProject& project) {
  std::uint64_t next = 0;
  const auto see = [&](std::string_view id) {
    if (const auto number = parse_uint(id); number && *number < UINT64_MAX) next = std::max(next, *number + 1);
  };
  for (const CacheClip& clip : project.clips) see(clip.id);
  for (const CacheMotion& motion : project.motions) see(motion.id);
  return next;
}

Result<CacheFile> cache_file_of(std::string_view path) {
  std::string lower = to_lower(path);
  std::ranges::replace(lower, '/', '\\');
  const std::size_t slash = lower.find_last_of('\\');
  if (slash == std::string::npos || slash == 0 || slash + 1 == lower.size())
    return fail(
        ErrorCode::InvalidArgument,
        "'" + std::string(path) + "' is not a path from meshes on, such as meshes\\actors\\x\\animations\\y.hkx");
  const std::string_view folder = std::string_view(lower).substr(0, slash);
  std::string_view name = std::string_view(lower).substr(slash + 1);
  if (name.ends_with(".hkx")) name.remove_suffix(4);
  // The extension is not a checksum: it is the characters `hkx`, the first in the lowest byte.
  return CacheFile{std::to_string(crc32_plain(folder)), std::to_string(crc32_plain(name)), "7891816"};
}

std::string cache_number(double value) {
  if (value == 0.0 || !std::isfinite(value)) return "0";
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6);
  return std::string(buffer, end);
}

}  // namespace marrow::behavior
