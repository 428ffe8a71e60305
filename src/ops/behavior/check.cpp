// SPDX-License-Identifier: MIT
#include "ops/behavior/check.h"

#include <algorithm>

#include "behavior/cache.h"
#include "behavior/check.h"
#include "behavior/graph.h"
#include "behavior/replacers.h"
#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/text/xml.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/ops/document/load.h"
#include "ops/behavior/project.h"

namespace marrow {
namespace {

using PackfilePointer = std::shared_ptr<const havok::Packfile>;

// Class names stand at the head of a packfile.
constexpr std::size_t kPackfileHead = 4096;

behavior::PackfileHead packfile_head(std::span<const std::byte> head) {
  constexpr std::size_t kPointerSize = 16, kVersion = 40, kVersionSize = 16;
  const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(head[i]); };
  if (head.size() < kVersion + kVersionSize || at(0) != 0x57 || at(1) != 0xE0) return {};
  const std::string_view text = as_text(head);
  const std::string_view version = text.substr(kVersion, kVersionSize);
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return {at(kPointerSize), std::string(version.substr(0, version.find('\0'))),
          has("hkaAnimationBinding") || has("CompressedAnimation") || has("UncompressedAnimation")};
}

constexpr std::size_t kLargestConditions = 1 << 20;

std::string_view bare_name(std::string_view name) { return name.substr(name.find_last_of("/\\") + 1); }

// Projects are small, and packfiles list their classes first; only XML has to be read on.
bool is_project_file(const std::string& name, const Lookup& lookup) {
  constexpr std::size_t kBinaryHead = 4096;
  auto head = lookup.head(name, kBinaryHead);
  if (!head || head->empty()) return false;
  const bool is_text = head->front() == std::byte{'<'} || head->front() == std::byte{0xEF};
  if (is_text && head->size() == kBinaryHead) head = lookup.head(name, behavior::kProjectHeadBytes);
  return head && behavior::may_be_project(*head);
}

// Compares the clips of projects with what animation caches among the files register, and adds what differs to the
// findings of the caches.
void check_caches(std::span<const std::string> names, const behavior::ProjectClips& clips, const Lookup& lookup,
                  const Limits& limits, behavior::ProjectFindings& findings) {
  if (clips.empty()) return;
  for (const std::string& name : names) {
    if (name.size() < 4 || !equal_ignoring_case(std::string_view(name).substr(name.size() - 4), ".txt")) continue;
    const auto head = lookup.head(name, kDetectBytes);
    if (!head || behavior::cache_part(as_text(*head)) != behavior::CachePart::Whole ||
        behavior::cache_kind(as_text(*head)) != behavior::CacheKind::Data)
      continue;
    const auto bytes = lookup.read(name, bare_name(name));
    const auto cache = bytes ? behavior::read_cache(as_text(*bytes), limits) : Result<behavior::Cache>();
    if (!bytes || !cache) continue;
    behavior::AnimationData data = std::get<behavior::AnimationData>(*cache);
    for (const auto& [file, generators] : clips)
      if (const auto* project = behavior::find_project(data, stem_of(bare_name(file))))
        behavior::compare_clips(*project, {generators.begin(), generators.end()}, findings[name]);
  }
}

// The documents that are checked together, as files of projects.
behavior::ProjectFindings check_documents(std::span<const Document* const> documents, std::optional<Game> game) {
  std::vector<std::string> names, projects;
  std::map<std::string, const Document*> by_name;
  for (const Document* each : documents) {
    if (!each->packfile() || !by_name.emplace(each->name, each).second) continue;
    names.push_back(each->name);
    if (behavior::kind_of(*each->packfile()) == behavior::FileKind::Project) projects.push_back(each->name);
  }
  const behavior::ProjectFiles files{
      .names = names,
      .read = [&](const std::string& name) { return PackfilePointer(PackfilePointer(), by_name.at(name)->packfile()); },
      .head =
          [&](const std::string& name) {
            const Document& document = *by_name.at(name);
            if (document.format != Format::Hkx && document.format != Format::HkxIds) return behavior::PackfileHead();
            const havok::Packfile& file = *document.packfile();
            return behavior::PackfileHead{file.pointer_size, file.schema->version(),
                                          !havok::find_animations(file).empty()};
          }};
  return behavior::check_projects(files, projects, game);
}

}  // namespace

Findings check_behavior(const Document& document, const CheckOptions& options, const Context& context) {
  Findings findings = behavior::check_file(*document.packfile());
  const auto add = [&](const behavior::ProjectFindings& all) {
    if (const auto found = all.find(document.name); found != all.end()) findings.append(found->second);
  };
  if (context.projects) add(*context.projects);
  if (!options.beside.empty()) {
    std::vector<const Document*> documents = {&document};
    documents.insert(documents.end(), options.beside.begin(), options.beside.end());
    add(check_documents(documents, options.game));
  }
  return findings;
}

std::optional<Finding> dangling_reference(const Error& error, std::span<const std::byte> bytes) {
  if (error.code != ErrorCode::NotFound || as_text(bytes).find("\"hkb") == std::string_view::npos) return std::nullopt;
  return Finding{"BHV_REFERENCE", Level::Error, error.message + ": the game crashes when it loads the file", error.path,
                 automatic_cure()};
}

Result<Document> without_dangling(std::span<const std::byte> bytes, const std::string& name, Error error,
                                  Context& context) {
  if (!dangling_reference(error, bytes)) return std::unexpected(std::move(error));
  MARROW_TRY(const havok::Packfile file, havok::read_xml_without_dangling(bytes, {.limits = context.limits}));
  MARROW_TRY(const std::vector<std::byte> mended, havok::write_xml(file));
  return load(mended, {.name = name, .parts = Parts::None}, context);
}

std::shared_ptr<const std::map<std::string, Findings>> projects_among(std::span<const std::string> names,
                                                                      std::optional<Game> game, Context& context) {
  if (!context.lookup) return nullptr;
  const Lookup& lookup = *context.lookup;
  std::vector<std::string> projects;
  for (const std::string& name : names)
    if (is_project_file(name, lookup)) projects.push_back(name);
  const auto is_replacer = [](const std::string& name) { return behavior::is_below_replacer(name); };
  const bool has_replacers = std::ranges::any_of(names, is_replacer);
  if (projects.empty() && !has_replacers) return nullptr;
  const behavior::ProjectFiles files{.names = names,
                                     .read = [&](const std::string& name) -> PackfilePointer {
                                       const auto bytes = lookup.read(name, bare_name(name));
                                       if (!bytes || !is_havok(detect(*bytes))) return nullptr;
                                       Context quiet{.limits = context.limits};
                                       const auto document = load(*bytes, {.name = name, .parts = Parts::None}, quiet);
                                       if (!document || !document->packfile()) return nullptr;
                                       const auto kept = std::make_shared<const Document>(std::move(*document));
                                       return PackfilePointer(kept, kept->packfile());
                                     },
                                     .head =
                                         [&](const std::string& name) {
                                           const auto head = lookup.head(name, kPackfileHead);
                                           return head ? packfile_head(*head) : behavior::PackfileHead();
                                         }};
  behavior::ProjectAnimations animations;
  behavior::ProjectClips clips;
  behavior::ProjectFindings findings = behavior::check_projects(files, projects, game, &animations, &clips);
  check_caches(names, clips, lookup, context.limits, findings);
  if (has_replacers) {
    const auto read_text = [&](const std::string& name) -> std::optional<std::string> {
      const auto bytes = lookup.head(name, kLargestConditions);
      return bytes ? std::optional(std::string(as_text(*bytes))) : std::nullopt;
    };
    for (const auto& [name, found] : behavior::check_replacers({names, read_text, animations}))
      findings[name].append(found);
  }
  return std::make_shared<const behavior::ProjectFindings>(std::move(findings));
}

}  // namespace marrow
