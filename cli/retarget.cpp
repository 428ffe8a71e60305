// SPDX-License-Identifier: MIT
#include "marrow/ops/retarget.h"

#include <fmt/format.h>

#include <map>

#include "batch.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/ops/retarget_file.h"
#include "options.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string to_text(const RetargetedFile& file) {
  std::map<MapReason, std::vector<std::string>> by_reason;
  for (const MappedBone& bone : file.map.bones)
    by_reason[bone.reason].push_back(file.from.bones[static_cast<std::size_t>(bone.from)].name + " = " +
                                     file.to.bones[static_cast<std::size_t>(bone.to)].name);
  const RetargetReport& report = file.report;
  std::string text = fmt::format("  mapped    {} of {} bones; lengths times {:.4f}\n", file.map.bones.size(),
                                 file.to.bones.size(), report.scale);
  for (const auto& [reason, names] : by_reason)
    text += fmt::format("  {:<9} {} bones{}\n", to_string(reason), names.size(),
                        reason == MapReason::Guessed || reason == MapReason::Given ? ": " + joined(names) : "");
  if (!report.left_out.empty()) text += fmt::format("  left out  {}\n", joined(report.left_out));
  if (!report.at_rest.empty()) text += fmt::format("  at rest   {}\n", joined(report.at_rest));
  if (!report.lost_floats.empty()) text += fmt::format("  floats    lost: {}\n", joined(report.lost_floats));
  if (report.reach_misses > 0)
    text += fmt::format("  feet      {} times out of reach, by {:.3f} units at the most\n", report.reach_misses,
                        report.worst_reach_miss);
  return text;
}

Json to_json(const Input& input, const std::string& output, const RetargetedFile& file) {
  Json bones = Json::array();
  for (const MappedBone& bone : file.map.bones)
    bones.push_back({{"from", file.from.bones[static_cast<std::size_t>(bone.from)].name},
                     {"to", file.to.bones[static_cast<std::size_t>(bone.to)].name},
                     {"reason", to_string(bone.reason)}});
  return {{"path", input.path.string()},
          {"output", output},
          {"scale", file.report.scale},
          {"bones", std::move(bones)},
          {"left_out", file.report.left_out},
          {"at_rest", file.report.at_rest},
          {"lost_floats", file.report.lost_floats},
          {"reach_misses", file.report.reach_misses},
          {"worst_reach_miss", file.report.worst_reach_miss}};
}

int run(const Arguments& arguments) {
  const std::vector<std::string> paths = arguments.all("CLIP");
  const std::string& output = arguments.get("-o");
  const bool many = names_many(paths);
  const std::vector<std::byte> from = file_option(arguments, "--from"), to = file_option(arguments, "--to"),
                               map = file_option(arguments, "--map");
  RetargetFileOptions options{.from = from, .to = to, .map = as_text(map), .game = game_option(arguments, "--game")};
  if (const auto word = arguments.find("--format")) options.format = *find_output_format(*word);
  if (options.format == OutputFormat::Same && !many)
    options.format = output_format_of(std::filesystem::path(output).extension().string());
  return run_batch(expand_inputs(paths), arguments, [&](const Input& input) {
    const auto bytes = read_file(input.path);
    if (!bytes) return failed(input.path, bytes.error());
    RetargetFileOptions own = options;
    own.name = input.path.stem().string();
    const auto result = retarget_file(*bytes, own);
    if (!result) return failed(input.path, result.error());
    const bool changes = output_format_of(input.path.extension().string()) != result->format;
    const auto path = output_path(input, output, many, changes ? extension_of(result->format) : "");
    if (const auto written = write_file(path, result->bytes); !written) return failed(path, written.error());
    if (const auto save = arguments.find("--save-map")) {
      const auto saved = write_file(*save, as_bytes(write_bone_map(result->map, result->from, result->to)));
      if (!saved) return failed(*save, saved.error());
    }
    Outcome outcome;
    for (const Note& note : result->notes) outcome.notes.push_back(note_line(input.path, note));
    outcome.text = fmt::format("{} -> {}\n{}", input.path.string(), path.string(), to_text(*result));
    outcome.json = to_json(input, path.string(), *result);
    return outcome;
  });
}

}  // namespace

Verb retarget_verb() {
  return {.name = "retarget",
          .summary = "play clips on another skeleton, of another game too",
          .positionals = {{"CLIP...", "files or folders with clips"}},
          .options = {{"--from", "FILE", "the skeleton that the clips are for", true},
                      {"--to", "FILE", "the skeleton that they shall move", true},
                      {"-o,--output", "OUT", "file, or folder where there are several inputs", true},
                      {"--map", "FILE", "which bone is which, a line each: NAME = NAME, or NAME = - to leave one out"},
                      {"--save-map", "FILE", "write the map that was used, to be edited and given with --map"},
                      {"--game", "GAME", "write for this game (default: the one of --to's skeleton)"},
                      {"--format",
                       "FORMAT",
                       "write this format (default: as OUT's extension says, else hkx)",
                       false,
                       false,
                       {"hkx", "xml", "glb", "gltf"}}},
          .run = run,
          .details =
              "Bones are mapped by name, by the names of Skyrim, Fallout 4, Anvil and HumanIK (Mixamo) rigs, and "
              "by their place. The report says which were mapped, guessed and left out."};
}

}  // namespace marrow::cli
