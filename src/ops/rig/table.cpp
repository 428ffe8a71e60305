// SPDX-License-Identifier: MIT
#include "ops/rig/table.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "anvil/build_table.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "ops/rig/merge.h"

namespace marrow {
namespace {

// The ids that a skeleton had and those it has now, by the names of bones.
Result<std::map<std::uint64_t, std::uint64_t>> changed_ids(const Document& before, const Document& after) {
  MARROW_TRY(const anvil::Skeleton* old, anvil_skeleton(before));
  MARROW_TRY(const anvil::Skeleton* now, anvil_skeleton(after));
  std::map<std::uint64_t, std::uint64_t> ids;
  if (old->id != now->id) ids[old->id] = now->id;
  std::unordered_map<std::uint32_t, std::uint64_t> by_name;
  for (const anvil::Bone& bone : now->bones) by_name.emplace(bone.name.hash, bone.id);
  for (const anvil::Bone& bone : old->bones)
    if (const auto found = by_name.find(bone.name.hash); found != by_name.end() && found->second != bone.id)
      ids[bone.id] = found->second;
  return ids;
}

}  // namespace

SavedFile BuildTableReport::text() const {
  if (!table.empty()) return {{}, ".xml", table};
  std::string lines;
  for (const TableEntry& entry : references)
    lines += "line " + std::to_string(entry.line) + ": " + std::to_string(entry.id) + " in " + entry.element +
             (entry.skeleton ? ", " + *entry.skeleton : "") + "\n";
  if (references.empty()) lines = "nothing refers to a skeleton\n";
  const auto bytes = as_bytes(lines);
  return {{}, ".txt", {bytes.begin(), bytes.end()}};
}

void describe(FieldList& fields, BuildTableOptions& options) {
  fields.input("table", options.table,
               {.help = "a BuildTable as XML", .placeholder = "TABLE", .required = true, .positional = true});
  fields.input("skeleton", options.skeletons,
               {.help = "skeletons whose references are listed by name",
                .placeholder = "SKELETON",
                .positional = true,
                .parts = Parts::None});
  fields("from", options.from, {.help = "the id to change", .placeholder = "N"});
  fields("to", options.to, {.help = "the id that it becomes", .placeholder = "N"});
  fields.input("before", options.before,
               {.help = "a skeleton before it was renumbered", .placeholder = "FILE", .parts = Parts::None});
  fields.input(
      "after", options.after,
      {.help = "the same skeleton now: ids that differ are changed", .placeholder = "FILE", .parts = Parts::None});
}

void describe(FieldList& fields, TableEntry& entry) {
  fields("line", entry.line);
  fields("element", entry.element);
  fields("id", entry.id);
  fields("skeleton", entry.skeleton, {.help = "the file that has the id"});
}

void describe(FieldList& fields, BuildTableReport& report) {
  fields("references", report.references, {.help = "numbers that refer to a skeleton"});
  fields("replaced", report.replaced, {.help = "number of ids that were changed"});
}

Result<BuildTableReport> build_table(const BuildTableOptions& options, Context& context) {
  if (options.from.has_value() != options.to.has_value())
    return fail(ErrorCode::BadOption, "goes with the other of from and to", kNoOffset, options.from ? "to" : "from");
  if ((options.before == nullptr) != (options.after == nullptr))
    return fail(ErrorCode::BadOption, "goes with the other of before and after", kNoOffset,
                options.before ? "after" : "before");
  std::map<std::uint64_t, std::uint64_t> changes;
  if (options.before) {
    MARROW_TRY(changes, changed_ids(*options.before, *options.after));
  }
  if (options.from) changes[*options.from] = *options.to;
  const auto bytes = as_bytes(options.table);
  BuildTableReport report;
  std::vector<std::byte> table(bytes.begin(), bytes.end());
  if (!changes.empty()) {
    for (const auto& [id, count] : anvil::replace_ids(table, changes)) report.replaced += count;
    if (report.replaced == 0)
      return fail(ErrorCode::NotFound, "none of the " + std::to_string(changes.size()) + " ids is in the table",
                  kNoOffset, "from");
  } else if (options.before) {
    context.note("the two skeletons have the same ids; nothing is changed");
  }
  std::map<std::uint64_t, std::string> files;
  for (const Document* each : options.skeletons) {
    MARROW_TRY(const anvil::Skeleton* skeleton, anvil_skeleton(*each));
    files.emplace(skeleton->id, each->name);
  }
  std::vector<std::uint64_t> ids;
  for (const auto& [id, file] : files) ids.push_back(id);
  for (const auto& [from, to] : changes) ids.push_back(to);
  MARROW_TRY(const std::vector<anvil::TableReference> found, anvil::find_references(table, ids, context.limits));
  for (const anvil::TableReference& each : found) {
    const auto file = files.find(each.id);
    report.references.push_back(
        {each.line, each.element, each.id, file == files.end() ? std::nullopt : std::optional(file->second)});
  }
  if (!changes.empty() || options.before) report.table = std::move(table);
  return report;
}

}  // namespace marrow
