// SPDX-License-Identifier: MIT
#include "ops/behavior/cache.h"

#include <algorithm>

#include "behavior/records.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

using namespace behavior;

Json number_json(std::string_view text) {
  if (const auto whole = parse_int(text)) return *whole;
  if (const auto real = parse_double(text)) return *real;
  return Json(text);
}

Json texts_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& each : texts) list.push(each);
  return list;
}

// Keys that are not numbers are shown as they are.
Json keys_json(const std::vector<std::string>& keys, std::size_t numbers) {
  Json list = Json::array();
  for (const std::string& line : keys) {
    const auto key = parse_key(line, numbers);
    if (!key) {
      list.push(line);
      continue;
    }
    Json each = Json::array();
    for (const double number : *key) each.push(number);
    list.push(std::move(each));
  }
  return list;
}

Json triggers_json(const CacheClip& clip) {
  Json list = Json::array();
  for (const std::string& line : clip.triggers) {
    const auto trigger = parse_trigger(line);
    Json each = Json::object();
    each.set("event", trigger ? Json(trigger->event) : Json(line));
    each.set("time", trigger ? Json(trigger->time) : Json());
    list.push(std::move(each));
  }
  return list;
}

Json project_json(const DataProject& project) {
  Json clips = Json::array(), motions = Json::array();
  for (const CacheClip& clip : project.clips)
    clips.push(Json()
                   .set("name", clip.name)
                   .set("id", number_json(clip.id))
                   .set("speed", number_json(clip.speed))
                   .set("crop_start", number_json(clip.crop_start))
                   .set("crop_end", number_json(clip.crop_end))
                   .set("triggers", triggers_json(clip)));
  for (const CacheMotion& motion : project.motions)
    motions.push(Json()
                     .set("id", number_json(motion.id))
                     .set("duration", number_json(motion.duration))
                     .set("translations", keys_json(motion.translations, 4))
                     .set("rotations", keys_json(motion.rotations, 5)));
  return Json()
      .set("name", plain_name(project.name))
      .set("assets", texts_json(project.assets))
      .set("clips", std::move(clips))
      .set("motions", project.has_motion ? std::move(motions) : Json());
}

Json set_json(const AnimationSet& set) {
  Json conditions = Json::array(), attacks = Json::array(), files = Json::array();
  for (const CacheCondition& each : set.conditions)
    conditions.push(Json()
                        .set("variable", each.variable)
                        .set("min", number_json(each.lowest))
                        .set("max", number_json(each.highest)));
  for (const CacheAttack& each : set.attacks)
    attacks.push(
        Json().set("event", each.event).set("mirrored", each.mirrored == "1").set("clips", texts_json(each.clips)));
  for (const CacheFile& each : set.files)
    files.push(Json()
                   .set("folder", number_json(each.folder))
                   .set("name", number_json(each.name))
                   .set("extension", number_json(each.extension)));
  return Json()
      .set("name", plain_name(set.name))
      .set("triggers", texts_json(set.triggers))
      .set("conditions", std::move(conditions))
      .set("attacks", std::move(attacks))
      .set("files", std::move(files));
}

Json project_json(const SetProject& project) {
  Json sets = Json::array();
  for (const AnimationSet& set : project.sets) sets.push(set_json(set));
  return Json().set("name", plain_name(project.name)).set("sets", std::move(sets));
}

Result<void> is_cache_document(const Document& document) {
  if (document.cache()) return {};
  return fail(ErrorCode::WrongKind, "a " + std::string(title(document.format)) + " is not an animation cache");
}

// The names of the clip generators of behaviour files.
std::vector<std::string> generators_in(const std::vector<const Document*>& behaviours) {
  std::vector<std::string> names;
  for (const Document* each : behaviours)
    if (const havok::Packfile* file = each->packfile())
      for (const havok::ObjectId id : behavior::objects_of(*file, "hkbClipGenerator"))
        names.emplace_back(file->at(id).fields().text("name").value_or(""));
  return names;
}

// The project that the character and behaviour files of a folder belong to: the one whose files are all there.
const DataProject* project_of(const AnimationData& data, const std::vector<const Document*>& files) {
  const auto is_given = [&](const std::string& asset) {
    return std::ranges::any_of(files, [&](const Document* each) {
      return equal_ignoring_case(stem_of(each->name), stem_of(plain_name(asset)));
    });
  };
  const DataProject* best = nullptr;
  std::size_t most = 0;
  for (const DataProject& project : data.projects) {
    const bool is_named = std::ranges::any_of(files, [&](const Document* each) {
      return equal_ignoring_case(stem_of(each->name), plain_name(project.name));
    });
    const auto given =
        static_cast<std::size_t>(std::ranges::count_if(project.assets, is_given)) + (is_named ? 1000 : 0);
    if (given > most) {
      most = given;
      best = &project;
    }
  }
  return best;
}

}  // namespace

void describe(FieldList& fields, CacheListOptions& options) {
  fields("project", options.project, {.help = "list only this project", .placeholder = "NAME"});
}

void describe(FieldList& fields, CacheListReport& report) {
  fields("kind", report.kind, {.help = "animation-data or animation-sets"});
  fields("projects", report.projects, {.help = "with clips and motions, or with sets"});
}

void describe(FieldList& fields, CacheEditReport& report) {
  fields("project", report.project);
  fields("id", report.id, {.help = "of the clip", .sparse = true});
  fields("clips", report.clips, {.help = "clips that were added or removed"});
  fields("motions", report.motions, {.help = "motions that were added or removed"});
  fields("files", report.files, {.help = "animations of a set that were added or removed"});
  fields("attacks", report.attacks, {.help = "clips of attacks that were added or removed"});
}

void describe(FieldList& fields, CacheCheckOptions& options) {
  fields.input("project", options.project,
               {.help = "a folder of behaviours, whose clip generators are compared with the cache",
                .placeholder = "DIR",
                .parts = Parts::None});
}

void describe(FieldList& fields, CacheCheckReport& report) { fields("findings", report.findings); }

bool CacheCheckReport::found() const {
  return std::ranges::any_of(findings, [](const Finding& finding) { return finding.level != Level::Info; });
}

Result<Cache> cache_of(const Document& document, const Limits& limits) {
  MARROW_CHECK(is_cache_document(document));
  return read_cache(*document.cache(), limits);
}

void set_cache(Document& document, const Cache& cache) {
  OriginAccess::set(document, {CacheOrigin{write_cache(cache)}});
  document.format = std::holds_alternative<AnimationData>(cache) ? Format::AnimationData : Format::AnimationSets;
}

namespace {

// A part of a cache does not name its project or set: its file is called like it.
void name_part(Cache& cache, std::string name) {
  if (to_lower(name).starts_with("anims_")) name.erase(0, 6);
  if (auto* data = std::get_if<AnimationData>(&cache); data && data->part != CachePart::Whole)
    data->projects.front().name = name;
  if (auto* sets = std::get_if<AnimationSets>(&cache); sets && sets->part != CachePart::Whole)
    sets->projects.front().sets.front().name = name;
}

}  // namespace

Result<CacheListReport> list_cache(const Document& document, const CacheListOptions& options, Context& context) {
  MARROW_TRY(Cache cache, cache_of(document, context.limits));
  CacheListReport report{.kind = std::string(to_string(document.format))};
  name_part(cache, std::string(stem_of(document.name)));
  std::visit(
      [&](const auto& each) {
        for (const auto& project : each.projects)
          if (options.project.empty() || equal_ignoring_case(plain_name(project.name), plain_name(options.project)))
            report.projects.push(project_json(project));
      },
      cache);
  if (!options.project.empty() && report.projects.items().empty())
    return fail(ErrorCode::NotFound, "the cache has no project '" + options.project + "'");
  return report;
}

Result<CacheCheckReport> check_cache(const Document& document, const CacheCheckOptions& options, Context& context) {
  MARROW_CHECK(is_cache_document(document));
  CacheCheckReport report{behavior::check_cache(*document.cache(), context.limits)};
  const auto cache = read_cache(*document.cache(), context.limits);
  if (cache && !options.project.empty()) {
    const auto* data = std::get_if<AnimationData>(&*cache);
    const DataProject* project = data ? project_of(*data, options.project) : nullptr;
    if (project)
      compare_clips(*project, generators_in(options.project), report.findings);
    else
      context.note("the cache has no project of these files, so that their clips are not compared");
  }
  report.findings.tell_hidden();
  return report;
}

}  // namespace marrow
