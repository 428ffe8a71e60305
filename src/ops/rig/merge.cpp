// SPDX-License-Identifier: MIT
#include "ops/rig/merge.h"

#include <algorithm>

#include "anvil/check.h"
#include "anvil/hierarchy.h"
#include "anvil/rig_set.h"
#include "anvil/select.h"
#include "core/try.h"
#include "ops/document/anvil_format.h"
#include "ops/document/origin.h"
#include "ops/rig/edit_text.h"

namespace marrow {
namespace {

constexpr std::size_t kMostBones = 65535;  // limit of Unity and later

MergeRigReport report_of(const StackMerge& merged, const std::optional<Game>& game) {
  const anvil::Merge& merge = merged.merge;
  const auto part_name = [&](std::int32_t part) { return merged.stack[static_cast<std::size_t>(part + 1)]->name; };
  MergeRigReport report{
      .game = game, .limit = game ? anvil::bone_limit(*game) : kMostBones, .bones = merge.skeleton.bones.size()};
  const anvil::Skeleton& base = *merged.stack.front()->anvil();
  report.base = {
      .path = merged.stack.front()->name, .bones = base.bones.size(), .total = base.bones.size(), .merged = true};
  for (const anvil::Bone& bone : base.bones) report.base.modifiers_added += bone.modifiers.size();
  for (const anvil::AddonSummary& addon : merge.addons)
    report.addons.push_back({addon.label, addon.root, addon.bones, addon.matched, addon.added, addon.total,
                             addon.modifiers_added, addon.modifiers_dropped, addon.merged});
  for (std::size_t i = 0; i < merge.sources.size(); ++i) {
    BoneOrigin origin{anvil::display_name(merge.skeleton.bones[i].name), part_name(merge.sources[i].part)};
    for (const std::int32_t part : merge.sources[i].modifiers) origin.modifiers.push_back(part_name(part));
    report.provenance.push_back(std::move(origin));
  }
  for (const anvil::IdChange& change : merge.id_changes)
    report.id_changes.push_back({part_name(change.part), change.from, change.to});
  report.findings = merge.findings;
  if (game && merge.succeeded())
    for (Finding& finding : anvil::check(merge.skeleton, {.game = game}))
      if (finding.code == "E_MODIFIER_UNAVAILABLE") report.findings.push_back(std::move(finding));
  return report;
}

Result<StackMerge> merge_document(const Document& document, const MergeRigOptions& options) {
  MARROW_TRY(const std::optional<Game> game, anvil_game(options.game));
  std::vector<const Document*> stack = {&document};
  const auto add = [&](const Document* each) {
    const bool is_there = std::ranges::any_of(
        stack, [&](const Document* other) { return !each->name.empty() && other->name == each->name; });
    if (!is_there) stack.push_back(each);
  };
  for (const Document* addon : options.addons) add(addon);
  const Document* main = options.main;
  if (main) {
    add(main);
    for (const Document* each : stack)
      if (each->name == main->name) main = each;
  }
  return merge_stack(stack, {.game = game, .strict = options.strict, .append = options.append, .main = main});
}

void note_changes(const MergeRigReport& report, Context& context) {
  for (const ChangedId& change : report.id_changes)
    context.note(
        "the id " + std::to_string(change.from) + " is taken; the object is " + std::to_string(change.to) + " now", {},
        change.path);
}

// Ids that two files of a stack have: a merge gives new ones, the game does not.
Findings shared_ids(const StackMerge& merged) {
  std::vector<anvil::RigFile> files;
  for (const Document* part : merged.stack) files.push_back({part->name, *part->anvil()});
  const anvil::RigSet set(std::move(files));
  Findings findings;
  for (std::size_t i = 0; i < merged.stack.size(); ++i)
    for (Finding& finding : set.check(i, *merged.stack[i]->anvil())) {
      if (finding.level == Level::Info) continue;
      finding.where = merged.stack[i]->name;
      findings.push_back(std::move(finding));
    }
  return findings;
}

AddonReport addon_report(const anvil::Skeleton& addon) {
  return {
      addon.id, anvil::display_name(addon.bones.front().name), addon.bones.size(),
      "The game loads it through a BuildTable: give the character's BuildTable a BuildColumn of type Skeleton whose "
      "entry refers to this skeleton by its id, " +
          std::to_string(addon.id) +
          ". Its layout is not published: change a table of the game, in which what refers to skeletons can be listed. "
          "SkeletonKey is 0: how the games compute it is not known"};
}

}  // namespace

Result<const anvil::Skeleton*> anvil_skeleton(const Document& document) {
  if (document.anvil() && is_anvil(document.format)) return document.anvil();
  return in_file({ErrorCode::WrongKind, "this is not an Anvil skeleton but a " + std::string(title(document.format))},
                 document.name);
}

bool MergeRigReport::found() const {
  return std::ranges::any_of(findings, [](const Finding& finding) { return finding.level == Level::Error; });
}

void describe(FieldList& fields, MergeRigOptions& options) {
  fields.input("addon", options.addons,
               {.help = "addon skeletons", .placeholder = "ADDON", .positional = true, .parts = Parts::None});
  fields.input("main", options.main,
               {.help = "the skeleton that the addons extend",
                .placeholder = "FILE",
                .otherwise = "the one that is not an addon",
                .parts = Parts::None});
  fields("game", options.game, {.help = "the game whose bone limit applies (ac1 ... mirage)", .placeholder = "GAME"});
  fields("strict", options.strict,
         {.help = "addons may attach to bones of the base only, not to those of other addons"});
  fields("append", options.append, {.help = "bones of the base keep their indices; new bones follow all of them"});
}

void describe(FieldList& fields, StackRow& row) {
  fields("path", row.path);
  fields("root", row.root, {.help = "the bone that it is attached to"});
  fields("bones", row.bones, {.help = "number of bones in the file"});
  fields("matched", row.matched, {.help = "bones that the skeleton already has"});
  fields("new", row.added, {.help = "new bones"});
  fields("total", row.total, {.help = "bones of the skeleton with this addon and those before it"});
  fields("modifiers_added", row.modifiers_added);
  fields("modifiers_dropped", row.modifiers_dropped, {.help = "modifiers that the skeleton already has"});
  fields("merged", row.merged);
}

void describe(FieldList& fields, BoneOrigin& origin) {
  fields("bone", origin.bone);
  fields("from", origin.from);
  fields("modifiers", origin.modifiers);
}

void describe(FieldList& fields, ChangedId& change) {
  fields("path", change.path);
  fields("from", change.from);
  fields("to", change.to);
}

void describe(FieldList& fields, MergeRigReport& report) {
  fields("game", report.game);
  fields("limit", report.limit, {.help = "the most bones that the game supports"});
  fields("bones", report.bones);
  fields("base", report.base);
  fields("addons", report.addons);
  fields("provenance", report.provenance, {.help = "which file every bone is from"});
  fields("id_changes", report.id_changes);
  fields("findings", report.findings);
}

void describe(FieldList& fields, NewAddonOptions& options) {
  fields("attach", options.attach, {.help = "the bone to attach to", .placeholder = "BONE", .required = true});
  fields("path", options.paths, {.help = "a bone below it that the addon must reach", .placeholder = "BONE"});
  fields("id_base", options.id_base, kIdBase);
}

void describe(FieldList& fields, ExtractAddonOptions& options) {
  fields.input("base", options.base,
               {.help = "the skeleton without them", .placeholder = "BASE", .required = true, .parts = Parts::None});
  fields("root", options.root,
         {.help = "the bone to attach to", .placeholder = "BONE", .otherwise = "the deepest that reaches everything"});
  fields("id_base", options.id_base, kIdBase);
}

void describe(FieldList& fields, AddonReport& report) {
  fields("id", report.id);
  fields("root", report.root, {.help = "the bone that it is attached to"});
  fields("bones", report.bones);
  fields("next", report.next, {.help = "what the game needs beside the file"});
}

Result<StackMerge> merge_stack(std::span<const Document* const> documents, const StackOptions& options) {
  StackMerge merged{.stack = {documents.begin(), documents.end()}, .merge = {}};
  std::vector<anvil::Part> parts;
  for (const Document* document : documents) {
    MARROW_TRY(const anvil::Skeleton* skeleton, anvil_skeleton(*document));
    parts.push_back({skeleton, document->name});
  }
  const auto named = std::ranges::find(merged.stack, options.main) - merged.stack.begin();
  const auto main = options.main ? named : static_cast<std::ptrdiff_t>(anvil::find_main(parts));
  std::rotate(parts.begin(), parts.begin() + main, parts.begin() + main + 1);
  std::rotate(merged.stack.begin(), merged.stack.begin() + main, merged.stack.begin() + main + 1);
  merged.merge = anvil::merge(*parts.front().skeleton, std::span(parts).subspan(1),
                              {.game = options.game, .strict = options.strict, .append = options.append});
  return merged;
}

Result<MergeRigReport> merge_rig(Document& document, const MergeRigOptions& options, Context& context) {
  MARROW_TRY(StackMerge merged, merge_document(document, options));
  MergeRigReport report = report_of(merged, options.game);
  // What the game does not run is no reason not to look at the stack.
  for (Finding& finding : report.findings)
    if (finding.code == "E_MODIFIER_UNAVAILABLE") finding.level = Level::Warning;
  const auto errors = std::ranges::count(merged.merge.findings, Level::Error, &Finding::level);
  for (const Finding& finding : report.findings) {
    if (finding.level == Level::Error && errors > 0)
      return fail(ErrorCode::Malformed,
                  finding.code + ": " + finding.message +
                      (errors > 1 ? "; and " + std::to_string(errors - 1) + " more errors" : ""),
                  errors > 1 ? Cure{"rig plan"} : finding.cure.value_or(Cure{"rig plan"}), finding.where);
    context.note(finding.code + ": " + finding.message, finding.where, {}, finding.cure);
  }
  note_changes(report, context);
  const std::string name = document.name;
  document = *merged.stack.front();
  document.name = name;
  const Parts read = OriginAccess::read(document);
  OriginAccess::set(document, {AnvilOrigin{std::move(merged.merge.skeleton), options.append}});
  put_in_saved_order(document);
  MARROW_CHECK(read_parts(document, read, context));
  return report;
}

Result<MergeRigReport> plan_rig(const Document& document, const MergeRigOptions& options, Context& context) {
  MARROW_TRY(const StackMerge merged, merge_document(document, options));
  MergeRigReport report = report_of(merged, options.game);
  for (Finding& finding : shared_ids(merged)) report.findings.push_back(std::move(finding));
  for (const Finding& finding : report.findings)
    if (finding.level != Level::Error) context.note(finding.code + ": " + finding.message, finding.where);
  note_changes(report, context);
  return report;
}

Result<AddonReport> new_addon(Document& document, const NewAddonOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context, options.id_base));
  std::vector<std::uint32_t> paths;
  for (const std::string& name : options.paths) {
    MARROW_TRY(const std::uint32_t bone, anvil::bone_named(*skeleton, name));
    paths.push_back(bone);
  }
  MARROW_TRY(const std::uint32_t attach, anvil::bone_named(*skeleton, options.attach));
  MARROW_TRY(anvil::Skeleton addon, anvil::new_addon(*skeleton, attach, paths));
  *skeleton = std::move(addon);
  return addon_report(*skeleton);
}

Result<AddonReport> extract_addon(Document& document, const ExtractAddonOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context, options.id_base));
  MARROW_TRY(const anvil::Skeleton* base, anvil_skeleton(*options.base));
  std::optional<std::uint32_t> root;
  if (options.root) {
    MARROW_TRY(root, anvil::bone_named(*skeleton, *options.root));
  }
  MARROW_TRY(anvil::Skeleton addon, anvil::extract_addon(*skeleton, *base, root));
  *skeleton = std::move(addon);
  return addon_report(*skeleton);
}

}  // namespace marrow
