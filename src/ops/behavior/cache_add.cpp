// SPDX-License-Identifier: MIT
// What is added to the animation caches and taken out of them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/behavior/cache.h"
#include "ops/clip/motion_events.h"

namespace marrow {
namespace {

using namespace behavior;

/// How far motion may be from the samples that are left out, in units; half as much as six digits of a metre hold.
constexpr double kMoveBound = 0.005;
constexpr double kTurnBound = 0.01;  ///< degrees

std::unexpected<Error> bad_option(std::string_view option, std::string why) {
  return fail(ErrorCode::BadOption, std::move(why), kNoOffset, std::string(option));
}

template <class Kind>
Result<typename decltype(Kind::projects)::value_type*> project_in(Kind& cache, const std::string& name) {
  if (name.empty()) return bad_option("project", "is missing");
  if (auto* found = find_project(cache, name)) return found;
  std::vector<std::string_view> known;
  for (const auto& each : cache.projects) known.push_back(plain_name(each.name));
  return fail(ErrorCode::NotFound, "the cache has no project '" + name + "'" + did_you_mean(name, known));
}

Result<AnimationSet*> set_in(SetProject& project, const std::string& name) {
  if (name.empty()) return bad_option("set", "is missing");
  if (AnimationSet* found = find_set(project, name)) return found;
  std::vector<std::string_view> known;
  for (const AnimationSet& each : project.sets) known.push_back(plain_name(each.name));
  return fail(ErrorCode::NotFound, "the project has no set '" + name + "'" + did_you_mean(name, known));
}

Result<void> is_line(std::string_view option, std::string_view text) {
  if (text.find_first_of("\r\n") == std::string_view::npos) return {};
  return bad_option(option, "has a line end, which would be another entry of the cache");
}

// Keys as people type them, in the digits of the caches.
Result<std::vector<std::string>> keys_of(std::string_view option, const std::vector<std::string>& typed,
                                         std::size_t numbers) {
  std::vector<std::string> keys;
  for (const std::string& each : typed) {
    const auto key = parse_key(each, numbers);
    if (!key) return bad_option(option, "'" + each + "' is not a time and " + std::to_string(numbers - 1) + " numbers");
    std::string line;
    for (const double number : *key) line += (line.empty() ? "" : " ") + cache_number(number);
    keys.push_back(std::move(line));
  }
  return keys;
}

std::string move_line(const MotionKey& key) {
  std::string line = cache_number(key.time);
  for (const double number : key.value) line += " " + cache_number(number);
  return line;
}

std::string turn_line(const MotionKey& key) {
  const double half = key.value[0] * std::numbers::pi / 360.0;
  return cache_number(key.time) + " 0 0 " + cache_number(std::sin(half)) + " " + cache_number(std::cos(half));
}

/// What a clip says about its own motion.
struct ClipMotion {
  double duration = 0.0;
  std::vector<MotionKey> moves = {}, turns = {};  ///< with the start; turns in degrees
  std::vector<std::string> triggers = {};
};

ClipMotion motion_of(const Clip& clip, Context& context) {
  ClipMotion motion{.duration = static_cast<double>(clip.duration_seconds)};
  motion.moves = motion_keys(clip, kMoves, 3, context);
  motion.turns = motion_keys(clip, kTurns, 1, context);
  // Events win over what was extracted, as in the game.
  if (motion.moves.empty() && motion.turns.empty() && clip.root_motion && !clip.root_motion->samples.empty()) {
    const std::vector<Vec4>& samples = clip.root_motion->samples;
    const double last = static_cast<double>(std::max<std::size_t>(samples.size(), 2) - 1);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double time = motion.duration * static_cast<double>(i) / last;
      const Vec4 since = samples[i] - samples.front();
      motion.moves.push_back(
          {time, {static_cast<double>(since.x), static_cast<double>(since.y), static_cast<double>(since.z)}});
      motion.turns.push_back({time, {static_cast<double>(since.w) * 180.0 / std::numbers::pi, 0.0, 0.0}});
    }
    motion.moves = thinned(motion.moves, kMoveBound);
    motion.turns = thinned(motion.turns, kTurnBound);
  }
  std::vector<const Annotation*> events;
  for (const AnnotationTrack& track : clip.annotation_tracks)
    for (const Annotation& event : track.annotations)
      if (!is_motion_event(event.text)) events.push_back(&event);
  std::ranges::stable_sort(events, {}, &Annotation::time_seconds);
  for (const Annotation* event : events)
    if (event->text.find_first_of("\r\n") == std::string::npos)
      motion.triggers.push_back(event->text + ":" + cache_number(static_cast<double>(event->time_seconds)));
  return motion;
}

// Keys without the start, the last of them at the end.
template <class Line>
std::vector<std::string> lines_of(std::vector<MotionKey> keys, double duration, Line line) {
  if (keys.empty()) keys.emplace_back();
  if (keys.back().time < duration) keys.push_back({duration, keys.back().value});
  std::vector<std::string> lines;
  for (const MotionKey& key : keys)
    if (key.time > 0.0) lines.push_back(line(key));
  if (lines.empty()) lines.push_back(line(keys.back()));
  return lines;
}

Result<CacheMotion> motion_to_add(const CacheAddOptions& options, const std::optional<ClipMotion>& from) {
  const double duration = options.duration ? *options.duration : from ? from->duration : 0.0;
  if (!options.duration && !from) return bad_option("duration", "is missing; or name a clip to take it from");
  CacheMotion motion{.duration = cache_number(duration)};
  MARROW_TRY(motion.translations, keys_of("translation", options.translations, 4));
  MARROW_TRY(motion.rotations, keys_of("rotation", options.rotations, 5));
  const std::vector<MotionKey> none;
  if (motion.translations.empty()) motion.translations = lines_of(from ? from->moves : none, duration, move_line);
  if (motion.rotations.empty()) motion.rotations = lines_of(from ? from->turns : none, duration, turn_line);
  return motion;
}

Result<CacheEditReport> add_clip(AnimationData& data, const CacheAddOptions& options, Context& context) {
  if (options.clip.empty()) return bad_option("clip", "is missing");
  MARROW_CHECK(is_line("clip", options.clip));
  MARROW_TRY(DataProject * project, project_in(data, options.project));
  if (!project->has_motion)
    return fail(ErrorCode::InvalidArgument, "the project '" + std::string(plain_name(project->name)) +
                                                "' has no motion, so that it takes no clips");
  std::optional<ClipMotion> from;
  if (options.from) {
    if (options.from->clips.empty())
      return in_file({ErrorCode::NoClip, "the file contains no clip"}, options.from->name);
    from = motion_of(options.from->clips.front().clip, context);
  }
  CacheClip clip{.name = options.clip,
                 .id = std::to_string(options.id ? std::uint64_t{*options.id} : next_id(*project)),
                 .speed = cache_number(options.speed),
                 .triggers = options.triggers};
  if (clip.triggers.empty() && from) clip.triggers = from->triggers;
  for (const std::string& trigger : clip.triggers) {
    MARROW_CHECK(is_line("trigger", trigger));
    if (!parse_trigger(trigger)) return bad_option("trigger", "'" + trigger + "' is not EVENT:SECONDS");
  }
  CacheEditReport report{.project = std::string(plain_name(project->name)), .id = clip.id, .clips = 1};
  for (const CacheClip& each : project->clips)
    if (each.name == clip.name && each.id == clip.id)
      return fail(ErrorCode::InvalidArgument,
                  "the project has the clip '" + clip.name + "' of id " + clip.id + " already");
  const bool has_motion = std::ranges::find(project->motions, clip.id, &CacheMotion::id) != project->motions.end();
  if (has_motion) {
    context.note("the id " + clip.id + " has its motion already; only the clip is added");
  } else {
    MARROW_TRY(CacheMotion motion, motion_to_add(options, from));
    motion.id = clip.id;
    project->motions.push_back(std::move(motion));
    report.motions = 1;
  }
  project->clips.push_back(std::move(clip));
  if (data.part == CachePart::Clips && report.motions > 0) {
    context.note("the file holds the clips alone; add the same to its file in boundanims for the motion");
    report.motions = 0;
  }
  if (data.part == CachePart::Motion) report.clips = 0;
  return report;
}

void add_attack(AnimationSet& set, const std::string& event, const std::string& clip, CacheEditReport& report) {
  const auto same = [&](const CacheAttack& each) { return equal_ignoring_case(each.event, event); };
  auto attack = std::ranges::find_if(set.attacks, same);
  if (attack == set.attacks.end()) {
    set.attacks.push_back({.event = event});
    attack = set.attacks.end() - 1;
  }
  if (std::ranges::find(attack->clips, clip) != attack->clips.end()) return;
  attack->clips.push_back(clip);
  ++report.attacks;
}

Result<CacheEditReport> add_file(AnimationSets& sets, const CacheAddOptions& options) {
  MARROW_TRY(SetProject * project, project_in(sets, options.project));
  MARROW_TRY(AnimationSet * set, set_in(*project, options.set));
  if (options.animation.empty() && options.attack.empty()) return bad_option("animation", "is missing");
  CacheEditReport report{.project = std::string(plain_name(project->name))};
  if (!options.animation.empty()) {
    auto file = cache_file_of(options.animation);
    if (!file) return bad_option("animation", file.error().message);
    if (std::ranges::find(set->files, *file) == set->files.end()) {
      set->files.push_back(std::move(*file));
      ++report.files;
    }
  }
  if (options.attack.empty()) return report;
  if (options.clip.empty()) return bad_option("clip", "is missing; an attack names the clip that it plays");
  MARROW_CHECK(is_line("attack", options.attack));
  MARROW_CHECK(is_line("clip", options.clip));
  add_attack(*set, options.attack, options.clip, report);
  return report;
}

Result<CacheEditReport> remove_clip(AnimationData& data, const CacheRemoveOptions& options) {
  if (options.clip.empty()) return bad_option("clip", "is missing");
  MARROW_TRY(DataProject * project, project_in(data, options.project));
  CacheEditReport report{.project = std::string(plain_name(project->name))};
  std::vector<std::string> ids;
  std::erase_if(project->clips, [&](const CacheClip& clip) {
    if (clip.name != options.clip) return false;
    ids.push_back(clip.id);
    ++report.clips;
    return true;
  });
  if (ids.empty())
    return fail(ErrorCode::NotFound, "the project '" + report.project + "' has no clip '" + options.clip + "'");
  report.id = ids.front();
  for (const std::string& id : ids)
    if (std::ranges::find(project->clips, id, &CacheClip::id) == project->clips.end())
      report.motions += std::erase_if(project->motions, [&](const CacheMotion& motion) { return motion.id == id; });
  return report;
}

Result<CacheEditReport> remove_file(AnimationSets& sets, const CacheRemoveOptions& options) {
  MARROW_TRY(SetProject * project, project_in(sets, options.project));
  MARROW_TRY(AnimationSet * set, set_in(*project, options.set));
  CacheEditReport report{.project = std::string(plain_name(project->name))};
  if (!options.animation.empty()) {
    const auto file = cache_file_of(options.animation);
    if (!file) return bad_option("animation", file.error().message);
    report.files = std::erase(set->files, *file);
  }
  if (!options.attack.empty() || !options.clip.empty()) {
    for (CacheAttack& attack : set->attacks)
      if (options.attack.empty() || equal_ignoring_case(attack.event, options.attack)) {
        report.attacks += options.clip.empty() ? attack.clips.size() : std::erase(attack.clips, options.clip);
        if (options.clip.empty()) attack.clips.clear();
      }
    std::erase_if(set->attacks, [](const CacheAttack& attack) { return attack.clips.empty(); });
  }
  if (options.animation.empty() && options.attack.empty() && options.clip.empty())
    return bad_option("animation", "is missing; or name an attack or a clip");
  if (report.files == 0 && report.attacks == 0)
    return fail(ErrorCode::NotFound, "the set '" + options.set + "' has no such entry");
  return report;
}

}  // namespace

void describe(FieldList& fields, CacheAddOptions& options) {
  fields("project", options.project,
         {.help = "the project, without folder and extension", .placeholder = "NAME", .required = true});
  fields("clip", options.clip, {.help = "name of the clip generator", .placeholder = "NAME"});
  fields("duration", options.duration, {.help = "length of the animation", .unit = "seconds", .min = 0});
  fields("id", options.id,
         {.help = "id of clip and motion; with that of a motion that is there only the clip is added",
          .placeholder = "N",
          .otherwise = "1 + the highest of the project"});
  fields("speed", options.speed, {.help = "playback speed", .placeholder = "N"});
  fields("trigger", options.triggers, {.help = "an event and its time", .placeholder = "EVENT:SECONDS"});
  fields("translation", options.translations, {.help = "a key of the path, in units", .placeholder = "T X Y Z"});
  fields("rotation", options.rotations, {.help = "a key of the turn, a quaternion", .placeholder = "T X Y Z W"});
  fields.input(
      "from", options.from,
      {.help = "an animation to take duration, events and motion from", .placeholder = "CLIP", .parts = Parts::Clips});
  fields("set", options.set, {.help = "the set that an animation is added to", .placeholder = "NAME"});
  fields("animation", options.animation, {.help = "path of the animation, from meshes on", .placeholder = "PATH"});
  fields("attack", options.attack, {.help = "event of the attack that plays the clip", .placeholder = "EVENT"});
}

void describe(FieldList& fields, CacheRemoveOptions& options) {
  fields("project", options.project,
         {.help = "the project, without folder and extension", .placeholder = "NAME", .required = true});
  fields("clip", options.clip, {.help = "name of the clip", .placeholder = "NAME"});
  fields("set", options.set, {.help = "the set that something is taken out of", .placeholder = "NAME"});
  fields("animation", options.animation, {.help = "path of the animation, from meshes on", .placeholder = "PATH"});
  fields("attack", options.attack, {.help = "event of the attack", .placeholder = "EVENT"});
}

Result<CacheEditReport> add_to_cache(Document& document, const CacheAddOptions& options, Context& context) {
  MARROW_TRY(Cache cache, cache_of(document, context.limits));
  auto* data = std::get_if<AnimationData>(&cache);
  MARROW_TRY(CacheEditReport report,
             data ? add_clip(*data, options, context) : add_file(std::get<AnimationSets>(cache), options));
  set_cache(document, cache);
  return report;
}

Result<CacheEditReport> remove_from_cache(Document& document, const CacheRemoveOptions& options, Context& context) {
  MARROW_TRY(Cache cache, cache_of(document, context.limits));
  auto* data = std::get_if<AnimationData>(&cache);
  MARROW_TRY(CacheEditReport report,
             data ? remove_clip(*data, options) : remove_file(std::get<AnimationSets>(cache), options));
  set_cache(document, cache);
  return report;
}

}  // namespace marrow
