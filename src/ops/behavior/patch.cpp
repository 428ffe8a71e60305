// SPDX-License-Identifier: MIT
#include "ops/behavior/patch.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

#include "behavior/cache.h"
#include "behavior/cache_patch.h"
#include "behavior/check.h"
#include "behavior/graph.h"
#include "core/try.h"
#include "havok/object/game.h"
#include "havok/text/xml.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/behavior/mods.h"
#include "ops/document/tree_name.h"

namespace marrow {
namespace {

using behavior::MergeReport;
using behavior::Patch;

/// A base with the patches that are for it.
struct PatchJob {
  const TreeFile* base = nullptr;
  std::string target = {};
  std::vector<Patch> patches = {};
  // What it gave.
  MergeReport report = {};
  std::vector<SavedFile> files = {};
  std::optional<Error> error = {};
  bool is_other = false;  ///< patches are not for files of this kind
};

bool is_in_folder(std::string_view name) { return split_tree_name(name).is_in_folder(); }

// A project often has the name of its character, and animations may have that of a behaviour.
bool takes_patches(const Document& document) {
  if (document.cache()) return true;
  if (!document.packfile()) return false;
  const behavior::FileKind kind = behavior::kind_of(*document.packfile());
  return kind == behavior::FileKind::Behavior || kind == behavior::FileKind::Character;
}

// Faults that mods make together, and that no mod alone can see.
void check_merged(const havok::Packfile& file, MergeReport& report) {
  for (const Finding& finding : behavior::check_file(file))
    if (finding.level != Level::Info)
      report.note({.code = finding.code, .level = Level::Warning, .where = finding.where, .message = finding.message});
}

Result<std::vector<std::byte>> merged_cache(PatchJob& job, const Document& document, const Limits& limits) {
  MARROW_TRY(const behavior::Cache cache, behavior::read_cache(*document.cache(), limits));
  const behavior::Cache merged = behavior::merge_cache(cache, job.patches, job.report, limits);
  const std::string text = behavior::write_cache(merged);
  const auto bytes = as_bytes(text);
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Result<std::vector<std::byte>> merged_behavior(PatchJob& job, const Document& document,
                                               const BehaviorPatchOptions& options, const Limits& limits) {
  havok::Packfile file = behavior::merge_patches(*document.packfile(), job.patches, job.report, limits);
  if (job.report.is_broken) return std::vector<std::byte>();
  if (options.to) {
    if (family_of(*options.to) != GameFamily::Havok || havok::version_of(*options.to) != file.schema->version())
      return fail(ErrorCode::WrongGame, "the file is of " + file.schema->version() + ", which " +
                                            std::string(to_string(*options.to)) + " does not read");
    file.pointer_size = havok::pointer_size_of(*options.to);
  } else if (document.format != Format::Hkx) {
    file.pointer_size = 8;
  }
  file.has_node_ids = false;
  check_merged(file, job.report);
  if (options.format == PatchedAs::Xml) return havok::write_xml(file);
  behavior::drop_unreached(file, job.report);
  return havok::write_packfile(file);
}

Result<void> run_job(PatchJob& job, const BehaviorPatchOptions& options, const Limits& limits) {
  Context context{.limits = limits};
  // A folder holds files of all kinds.
  if (is_in_folder(job.base->name) && !job.base->bytes.empty() && detect(job.base->bytes) == Format::Unknown) {
    job.is_other = true;
    return {};
  }
  MARROW_TRY(const Document document,
             load(job.base->bytes, {.name = std::string(job.base->name), .parts = Parts::None}, context));
  if (!takes_patches(document)) {
    job.is_other = true;
    return {};
  }
  for (const Note& note : context.notes)
    job.report.note({.code = "PATCH_BASE", .level = Level::Info, .where = note.path, .message = note.message});
  // Values of patches come on top of those of the file; both are bounded by what was given.
  std::size_t given = job.base->bytes.size();
  for (const Patch& patch : job.patches)
    for (const behavior::PatchFile& file : patch.files) given += file.text.size();
  const Limits own = limits.for_input(given);
  MARROW_TRY(std::vector<std::byte> bytes,
             document.cache() ? merged_cache(job, document, own) : merged_behavior(job, document, options, own));
  if (job.report.is_broken)
    return fail(ErrorCode::InvalidArgument, "patches do not fit the file, which is not written; the notes say where");
  std::string name(safe_path(below_folder(job.base->name)));
  std::string extension = document.cache() ? ".txt" : options.format == PatchedAs::Xml ? ".xml" : ".hkx";
  const std::size_t dot = name.find_last_of('.');
  if (dot != std::string::npos && dot > name.find_last_of('/') + 1) name.resize(dot);
  job.files.push_back({std::move(name), std::move(extension), std::move(bytes)});
  return {};
}

// Without the mark of where the folder that was given ends.
std::string plain_path(std::string_view name) {
  const TreeName parts = split_tree_name(name);
  return parts.is_in_folder() ? std::string(parts.folder) + "/" + std::string(parts.below) : std::string(name);
}

// Of files with one name, patches are for the behaviour or character. Returns what patches were for.
std::set<std::string> drop_others(std::vector<PatchJob>& jobs) {
  std::set<std::string> used;
  for (const PatchJob& job : jobs)
    if (!job.is_other) used.insert(job.target);
  for (PatchJob& job : jobs)
    if (job.is_other && !used.contains(job.target) && !is_in_folder(job.base->name)) {
      job.error =
          Error{ErrorCode::WrongKind, "patches are for behaviours, characters and animation caches; this is not one"};
      job.is_other = false;
    }
  for (const PatchJob& job : jobs)
    if (!job.is_other) used.insert(job.target);
  std::erase_if(jobs, [](const PatchJob& job) { return job.is_other; });
  return used;
}

// Two bases may have one name below their folders.
void refuse_twice(std::vector<PatchJob>& jobs) {
  std::map<std::string, const PatchJob*> seen;
  for (PatchJob& job : jobs)
    for (const SavedFile& file : job.files) {
      const auto [known, is_new] = seen.emplace(to_lower(file.name) + file.extension, &job);
      if (is_new) continue;
      job.error = Error{ErrorCode::InvalidArgument, "would be written to the same file as " +
                                                        plain_path(known->second->base->name) +
                                                        "; give the folder that both are in"};
      job.files.clear();
      break;
    }
}

}  // namespace

void describe(FieldList& fields, BehaviorPatchOptions& options) {
  fields("to", options.to,
         {.help = "the game to write for, skyrim-se or skyrim-le",
          .placeholder = "GAME",
          .otherwise = "that of the base"});
  fields("format", options.format, {.help = "what behaviours are written as"});
}

void describe(FieldList& fields, PatchedFile& file) {
  fields("path", file.path);
  fields("output", file.output, {.help = "null if an error kept it from being written"});
  fields("mods", file.mods, {.help = "the mods that change it, in order"});
  fields("nodes", file.nodes, {.help = "nodes of the merged file; of a cache, projects"});
  fields("changed", file.changed, {.help = "nodes of the game that now differ; of a cache, entries"});
  fields("added", file.added, {.help = "nodes of mods; of a cache, entries"});
}

void describe(FieldList& fields, FailedBase& file) {
  fields("path", file.path);
  fields("error", file.error);
}

void describe(FieldList& fields, behavior::PatchNote& note) {
  fields("code", note.code);
  fields("level", note.level);
  fields("mod", note.mod);
  fields("file", note.file);
  fields("where", note.where);
  fields("message", note.message);
}

void describe(FieldList& fields, BehaviorPatchReport& report) {
  fields("files", report.files);
  fields("notes", report.notes);
  fields("failed", report.failed, {.help = "bases that could not be patched"});
}

std::string_view below_folder(std::string_view name) {
  if (const TreeName parts = split_tree_name(name); parts.is_in_folder()) return parts.below;
  return name.substr(name.find_last_of("/\\") + 1);
}

Result<BehaviorPatchReport> patch_behaviors(std::span<const TreeFile> bases, std::span<const TreeFile> mods,
                                            const BehaviorPatchOptions& options, Context& context,
                                            std::vector<SavedFile>& files) {
  if (bases.empty()) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "base");
  const std::vector<Mod> all = mods_among(mods);
  if (all.empty())
    return fail(ErrorCode::BadOption,
                "there is no mod: it has info.ini, a folder with #*.txt, or a folder of one of the caches", kNoOffset,
                "mods");
  BehaviorPatchReport report;
  std::vector<PatchJob> jobs;
  for (const TreeFile& base : bases) {
    PatchJob job{.base = &base, .target = target_of(base)};
    for (const Mod& mod : all)
      if (const auto found = mod.targets.find(job.target); found != mod.targets.end())
        job.patches.push_back({mod.code, found->second});
    job.report.file = plain_path(base.name);
    if (!job.patches.empty()) jobs.push_back(std::move(job));
  }
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++)
      if (auto done = run_job(jobs[i], options, context.limits); !done) jobs[i].error = std::move(done.error());
  };
  if (context.run_on_threads)
    context.run_on_threads(work);
  else
    work();
  const std::set<std::string> used = drop_others(jobs);
  for (const Mod& mod : all)
    for (const auto& [target, patches] : mod.targets)
      if (!used.contains(target))
        report.notes.push_back({.code = "PATCH_NO_FILE",
                                .level = Level::Info,
                                .mod = mod.code,
                                .file = target,
                                .message = "no such file was given; " + std::to_string(patches.size()) +
                                           (patches.size() == 1 ? " patch is skipped" : " patches are skipped")});
  refuse_twice(jobs);
  for (PatchJob& job : jobs) {
    PatchedFile& file = report.files.emplace_back();
    file.path = plain_path(job.base->name);
    for (const Patch& patch : job.patches) file.mods.push_back(patch.mod);
    file.nodes = job.report.nodes;
    file.changed = job.report.changed;
    file.added = job.report.added;
    report.notes.append(std::move(job.report.notes));
    if (job.error) report.failed.push_back({file.path, to_json(*job.error)});
    for (SavedFile& saved : job.files) {
      file.output = saved.name + saved.extension;
      files.push_back(std::move(saved));
    }
  }
  report.notes.tell_hidden();
  return report;
}

}  // namespace marrow
