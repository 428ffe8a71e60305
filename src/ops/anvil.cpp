// SPDX-License-Identifier: MIT
// The part of Anvil skeletons in the operations that cross formats.
#include <algorithm>
#include <string>

#include "core/try.h"
#include "marrow/anvil/check.h"
#include "marrow/anvil/diff.h"
#include "marrow/anvil/edit.h"
#include "marrow/anvil/hierarchy.h"
#include "marrow/anvil/xml.h"
#include "ops/formats.h"

namespace marrow {
namespace {

using anvil::Dialect;

Result<std::optional<Game>> game_of(const std::string& word, std::string_view option) {
  if (word.empty()) return std::optional<Game>{};
  const auto game = find_game(word, GameFamily::Anvil);
  if (!game)
    return fail(ErrorCode::InvalidArgument, "an Anvil skeleton is not for " + word + "; " + std::string(option) +
                                                " takes ac1, ac2, brotherhood, revelations, ac3, ac4, rogue, unity, "
                                                "syndicate, origins, odyssey, valhalla or mirage");
  return game;
}

void count(std::vector<std::pair<std::string, std::size_t>>& classes, std::string_view name) {
  const auto found = std::ranges::find(classes, name, &std::pair<std::string, std::size_t>::first);
  if (found == classes.end())
    classes.emplace_back(name, 1);
  else
    ++found->second;
}

OutputFormat format_of(const anvil::Skeleton& skeleton) {
  return skeleton.origin.dialect == Dialect::Standard ? OutputFormat::AnvilStandard : OutputFormat::AnvilSchema;
}

}  // namespace

anvil::NameTable names_with(const std::vector<std::string>& more) {
  anvil::NameTable names = anvil::NameTable::builtin();
  for (const std::string& name : more) names.add(name);
  return names;
}

Result<FileInfo> info_anvil(std::span<const std::byte> bytes, const Limits& limits) {
  MARROW_TRY(const anvil::Skeleton skeleton, anvil::read_xml(bytes, anvil::NameTable::builtin(), limits));
  FileInfo info;
  info.format = to_string(format_of(skeleton));
  info.version = skeleton.origin.tool + " " + skeleton.origin.tool_version;
  count(info.classes, "Skeleton");
  SkeletonInfo summary;
  const anvil::Hierarchy tree = anvil::hierarchy_of(skeleton);
  const std::int32_t root = tree.find(skeleton.root);
  if (root >= 0) summary.name = anvil::display_name(skeleton.bones[static_cast<std::size_t>(root)].name);
  summary.bones = skeleton.bones.size();
  std::size_t modifiers = 0, named = 0;
  for (const anvil::Bone& bone : skeleton.bones) {
    count(info.classes, "Bone");
    named += !bone.name.text.empty();
    modifiers += bone.modifiers.size();
    for (const Modifier& modifier : bone.modifiers) count(info.classes, class_name(modifier));
    summary.fx_bones += std::ranges::any_of(
        bone.modifiers, [](const Modifier& modifier) { return modifier.type() == ModifierType::Fx; });
  }
  info.skeletons.push_back(std::move(summary));
  info.details.emplace_back("type",
                            skeleton.type == anvil::kCustomSkeleton ? "addon (8)" : std::to_string(skeleton.type));
  info.details.emplace_back("id", std::to_string(skeleton.id));
  info.details.emplace_back("modifiers", std::to_string(modifiers));
  info.details.emplace_back("named", std::to_string(named) + " of " + std::to_string(skeleton.bones.size()));
  return info;
}

Result<Converted> convert_anvil(std::span<const std::byte> bytes, const ConvertOptions& options) {
  MARROW_TRY(anvil::Skeleton skeleton, anvil::read_xml(bytes, names_with(options.names), options.limits));
  return write_anvil(std::move(skeleton), options);
}

Result<Converted> write_anvil(anvil::Skeleton skeleton, const ConvertOptions& options) {
  MARROW_TRY(const auto game, game_of(options.game, "--to"));
  Converted converted;
  converted.format = options.format;
  // A bare .xml says nothing of the dialect: it stays what it was.
  if (converted.format == OutputFormat::Same || converted.format == OutputFormat::Xml)
    converted.format = format_of(skeleton);
  if (converted.format != OutputFormat::AnvilStandard && converted.format != OutputFormat::AnvilSchema)
    return fail(ErrorCode::Unsupported, "an Anvil skeleton is not written as " +
                                            std::string(to_string(converted.format)) +
                                            "; --format takes anvil-standard or anvil-schema");
  if (options.mend)
    for (std::string& note : anvil::mend(skeleton)) converted.notes.push_back({std::move(note), kNoOffset, {}});
  if (game)
    for (std::string& note : anvil::to_game(skeleton, *game))
      converted.notes.push_back({std::move(note), kNoOffset, {}});
  const Dialect dialect = converted.format == OutputFormat::AnvilStandard ? Dialect::Standard : Dialect::Schema;
  MARROW_TRY(converted.bytes, anvil::write_xml(skeleton, {.dialect = dialect, .game = game}));
  return converted;
}

Result<Findings> check_anvil(std::span<const std::byte> bytes, const CheckOptions& options) {
  const anvil::NameTable names = names_with(options.names);
  MARROW_TRY(const auto game, game_of(options.game, "--game"));
  MARROW_TRY(const anvil::Skeleton skeleton, anvil::read_xml(bytes, names, options.limits));
  if (options.base.empty()) return anvil::check(skeleton, {.game = game});
  const auto base = anvil::read_xml(options.base, names, options.limits);
  if (!base)
    return fail(base.error().code, "the base: " + base.error().message, base.error().offset, base.error().path);
  return anvil::check(skeleton, {.game = game, .base = &*base});
}

Result<std::vector<Difference>> diff_anvil(std::span<const std::byte> left, std::span<const std::byte> right,
                                           const Limits& limits) {
  MARROW_TRY(const anvil::Skeleton a, anvil::read_xml(left, anvil::NameTable::builtin(), limits));
  MARROW_TRY(const anvil::Skeleton b, anvil::read_xml(right, anvil::NameTable::builtin(), limits));
  std::vector<Difference> differences;
  for (auto& [where, was, is] : anvil::diff(a, b))
    differences.push_back({std::move(where), std::move(was), std::move(is)});
  return differences;
}

}  // namespace marrow
