// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "behavior/cache_lines.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

std::optional<std::uint64_t> plain_count(std::string_view line) {
  if (line.empty() || line.size() > 9 || line.find_first_not_of("0123456789") != std::string_view::npos ||
      (line.size() > 1 && line.front() == '0'))
    return std::nullopt;
  return parse_uint(line);
}

CacheReader::CacheReader(std::string_view text) : rest_(text) {
  const std::size_t first = text.find('\n');
  ends_.are_crlf = first != std::string_view::npos && first > 0 && text[first - 1] == '\r';
  ends_.last_has_end = text.ends_with('\n');
  total_ = static_cast<std::size_t>(std::ranges::count(text, '\n')) + (text.empty() || ends_.last_has_end ? 0 : 1);
}

void CacheReader::refuse(std::string why) {
  if (error_) return;
  const std::string place = "line " + std::to_string(line_);
  error_ = Error{ErrorCode::Malformed, place + ": " + std::move(why), offset_, place};
}

std::string_view CacheReader::take(std::string_view what) {
  if (error_) return {};
  if (rest_.empty()) {
    refuse("the file ends where " + std::string(what) + " should follow");
    error_->code = ErrorCode::Truncated;
    return {};
  }
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  std::string_view line = rest_.substr(0, end);
  const std::size_t size = std::min(end + 1, rest_.size());
  offset_ = next_;
  next_ += size;
  rest_.remove_prefix(size);
  ++line_;
  // Lines that end otherwise than the first would be written back otherwise.
  const bool has_end = end + 1 == size;
  if (has_end && line.ends_with('\r') != ends_.are_crlf)
    refuse(ends_.are_crlf ? "the line ends in LF, the lines before it in CRLF"
                          : "the line ends in CRLF, the lines before it in LF");
  if (has_end && line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::uint64_t CacheReader::count(std::string_view what, std::uint64_t lines_each) {
  const std::string_view line = take(what);
  if (error_) return 0;
  const auto count = plain_count(line);
  if (!count) {
    refuse("'" + printable(line.substr(0, 40)) + "' is not " + std::string(what));
    return 0;
  }
  if (*count > left() / lines_each) {
    refuse(std::string(what) + " is " + std::to_string(*count) + ", and only " + std::to_string(left()) +
           " lines are left");
    return 0;
  }
  return *count;
}

std::string CacheReader::number(std::string_view what) {
  const std::string_view line = take(what);
  if (error_) return {};
  const auto value = parse_double(line);
  if (!value || !std::isfinite(static_cast<float>(*value)))
    refuse("'" + printable(line.substr(0, 40)) + "' is not " + std::string(what));
  return std::string(line);
}

void CacheReader::empty_line(std::string_view after) {
  const std::string_view line = take("an empty line");
  if (!error_ && !line.empty())
    refuse("'" + printable(line.substr(0, 40)) + "' stands where the empty line after " + std::string(after) +
           " should be");
}

namespace {

bool names_text_file(std::string_view line) {
  return line.size() > 4 && equal_ignoring_case(line.substr(line.size() - 4), ".txt");
}

std::vector<std::string> texts(CacheReader& lines, std::string_view count_of, std::string_view what) {
  const std::uint64_t count = lines.count(count_of);
  std::vector<std::string> all;
  all.reserve(count);
  for (std::uint64_t i = 0; i < count && !lines.failed(); ++i) all.push_back(lines.text(what));
  return all;
}

// Blocks state how many lines they have; what is in them must end there.
void end_block(CacheReader& lines, std::size_t stated_at, std::uint64_t stated, std::size_t first) {
  if (lines.failed() || lines.line() - first == stated) return;
  lines.refuse("the block ends here after " + std::to_string(lines.line() - first) + " lines, and line " +
               std::to_string(stated_at) + " states " + std::to_string(stated));
}

CacheClip read_clip(CacheReader& lines) {
  CacheClip clip;
  clip.name = lines.text("the name of a clip");
  clip.id = lines.number("the id of a clip");
  clip.speed = lines.number("a playback speed");
  clip.crop_start = lines.number("a crop at the start");
  clip.crop_end = lines.number("a crop at the end");
  clip.triggers = texts(lines, "the number of triggers", "a trigger");
  lines.empty_line("a clip");
  return clip;
}

CacheMotion read_motion(CacheReader& lines) {
  CacheMotion motion;
  motion.id = lines.number("the id of a motion");
  motion.duration = lines.number("the duration of a motion");
  motion.translations = texts(lines, "the number of translations", "a translation");
  motion.rotations = texts(lines, "the number of rotations", "a rotation");
  lines.empty_line("a motion");
  return motion;
}

void read_project_head(CacheReader& lines, DataProject& project) {
  project.lead = lines.number("the 1 at the head of a project");
  project.assets = texts(lines, "the number of files of a project", "the name of a file");
  const std::string_view flag = lines.take("the flag of motion");
  if (flag != "0" && flag != "1") lines.refuse("the flag of motion is neither 0 nor 1");
  project.has_motion = flag == "1";
}

void read_data_project(CacheReader& lines, DataProject& project) {
  const std::uint64_t size = lines.count("the number of lines of a project");
  const std::size_t stated_at = lines.line(), first = lines.line();
  read_project_head(lines, project);
  while (!lines.failed() && lines.line() - first < size) project.clips.push_back(read_clip(lines));
  end_block(lines, stated_at, size, first);
  if (lines.failed()) return;
  if (!project.has_motion) {
    if (!project.clips.empty()) lines.refuse("a project without motion has clips");
    return;
  }
  const std::uint64_t motion_size = lines.count("the number of lines of a project's motion");
  const std::size_t motion_at = lines.line();
  while (!lines.failed() && lines.line() - motion_at < motion_size) project.motions.push_back(read_motion(lines));
  end_block(lines, motion_at, motion_size, motion_at);
}

CacheAttack read_attack(CacheReader& lines) {
  CacheAttack attack;
  attack.event = lines.text("the event of an attack");
  attack.mirrored = lines.number("the mark of a mirrored attack");
  attack.clips = texts(lines, "the number of clips of an attack", "the name of a clip");
  return attack;
}

void read_set(CacheReader& lines, AnimationSet& set) {
  set.version = lines.text("the version of a set");
  if (!lines.failed() && !set.version.starts_with('V')) lines.refuse("a set starts with its version, V3");
  set.triggers = texts(lines, "the number of events of a set", "an event");
  for (std::uint64_t i = lines.count("the number of conditions of a set", 3); i > 0 && !lines.failed(); --i) {
    CacheCondition& condition = set.conditions.emplace_back();
    condition.variable = lines.text("the variable of a condition");
    condition.lowest = lines.number("the lowest value of a condition");
    condition.highest = lines.number("the highest value of a condition");
  }
  for (std::uint64_t i = lines.count("the number of attacks of a set", 3); i > 0 && !lines.failed(); --i)
    set.attacks.push_back(read_attack(lines));
  for (std::uint64_t i = lines.count("the number of files of a set", 3); i > 0 && !lines.failed(); --i) {
    CacheFile& file = set.files.emplace_back();
    file.folder = lines.text("the checksum of a folder");
    file.name = lines.text("the checksum of a name");
    file.extension = lines.text("the checksum of an extension");
  }
}

void read_set_project(CacheReader& lines, SetProject& project) {
  for (std::string& name : texts(lines, "the number of sets of a project", "the name of a set"))
    project.sets.push_back({.name = std::move(name)});
  for (AnimationSet& set : project.sets) {
    if (lines.failed()) return;
    read_set(lines, set);
  }
}

template <class Kind, class Read>
Result<Cache> read_projects(CacheReader& lines, const Limits& limits, Read read) {
  using Project = typename decltype(Kind::projects)::value_type;
  Kind cache{.ends = lines.ends()};
  const std::uint64_t count = lines.count("the number of projects");
  if (!lines.failed() && !limits.charge(count, sizeof(Project)))
    return fail(ErrorCode::LimitExceeded, "the projects take more memory than the limit allows", 0, "line 1");
  for (std::uint64_t i = 0; i < count && !lines.failed(); ++i)
    cache.projects.push_back({.name = lines.text("the name of a project")});
  for (Project& project : cache.projects) {
    if (lines.failed()) break;
    read(lines, project);
  }
  if (!lines.failed() && !lines.at_end()) {
    lines.take("");
    lines.refuse("text follows where the file should end");
  }
  if (lines.failed()) return std::unexpected(lines.error());
  return cache;
}

// A part has one project, which it does not name.
Result<Cache> read_part(CacheReader& lines, CachePart part) {
  Cache cache;
  if (part == CachePart::Set) {
    AnimationSets sets{.ends = lines.ends(), .part = part};
    read_set(lines, sets.projects.emplace_back().sets.emplace_back());
    cache = std::move(sets);
  } else {
    AnimationData data{.ends = lines.ends(), .part = part};
    DataProject& project = data.projects.emplace_back();
    project.has_motion = true;
    if (part == CachePart::Clips) read_project_head(lines, project);
    while (!lines.failed() && !lines.at_end())
      if (part == CachePart::Clips)
        project.clips.push_back(read_clip(lines));
      else
        project.motions.push_back(read_motion(lines));
    cache = std::move(data);
  }
  if (!lines.failed() && !lines.at_end()) {
    lines.take("");
    lines.refuse("text follows where the file should end");
  }
  if (lines.failed()) return std::unexpected(lines.error());
  return cache;
}

std::string_view first_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

CachePart cache_part(std::string_view head) {
  const std::string_view first = first_line(head), second = first_line(head), third = first_line(head),
                         fourth = first_line(head);
  if (first == "V3" && plain_count(second)) return CachePart::Set;
  if (first == "1" && plain_count(second) && third.find('\\') != std::string_view::npos && third.size() > 4 &&
      equal_ignoring_case(third.substr(third.size() - 4), ".hkx"))
    return CachePart::Clips;
  const bool is_motion = plain_count(first) && parse_double(second) && plain_count(third) && parse_key(fourth, 4);
  return is_motion ? CachePart::Motion : CachePart::Whole;
}

CacheKind cache_kind(std::string_view head) {
  switch (cache_part(head)) {
    case CachePart::Set: return CacheKind::Sets;
    case CachePart::Clips:
    case CachePart::Motion: return CacheKind::Data;
    case CachePart::Whole: break;
  }
  const std::array<std::string_view, 4> lines = {first_line(head), first_line(head), first_line(head),
                                                 first_line(head)};
  const auto kind_by = [&](std::string_view project) {
    return project.find('\\') == std::string_view::npos ? CacheKind::Data : CacheKind::Sets;
  };
  // A count before the name of a project. One line may be damaged, or one too many.
  for (std::size_t i = 0; i < 2; ++i)
    for (const std::size_t project : {i + 1, i + 2})
      if (plain_count(lines[i]) && names_text_file(lines[project])) return kind_by(lines[project]);
  const bool is_project = plain_count(lines[2]) && (lines[3] == "1" || names_text_file(lines[3]));
  const bool is_damaged =
      !names_text_file(lines[0]) && names_text_file(lines[1]) && (names_text_file(lines[2]) || is_project);
  return is_damaged ? kind_by(lines[1]) : CacheKind::None;
}

Result<Cache> read_cache(std::string_view text, const Limits& limits) {
  if (text.size() > limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "the file is larger than the limit allows");
  // A line becomes one text, in a list that may have room for twice as many.
  const auto lines_of = static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 1;
  if (!limits.charge(text.size()) || !limits.charge(lines_of, 2 * sizeof(std::string)))
    return fail(ErrorCode::LimitExceeded, "the lines take more memory than the limit allows");
  CacheReader lines(text);
  if (const CachePart part = cache_part(text); part != CachePart::Whole) return read_part(lines, part);
  switch (cache_kind(text)) {
    case CacheKind::Data: return read_projects<AnimationData>(lines, limits, read_data_project);
    case CacheKind::Sets: return read_projects<AnimationSets>(lines, limits, read_set_project);
    default:
      return fail(ErrorCode::BadMagic, "not an animation cache: it starts with a count and names of projects", 0,
                  "line 1");
  }
}

}  // namespace marrow::behavior
