// SPDX-License-Identifier: MIT
#include "marrow/ops/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "batch.h"
#include "marrow/core/file.h"
#include "marrow/ops/info.h"
#include "marrow/ops/scene.h"
#include "options.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

Units units_option(const Arguments& arguments) {
  const std::string word = arguments.find("--units").value_or("metre");
  return word == "game" ? Units::Game : word == "blender" ? Units::Blender : Units::Metre;
}

bool is_gltf(OutputFormat format) { return format == OutputFormat::Glb || format == OutputFormat::Gltf; }

// What one input needs to become glTF: its name, its folder and, where none was given, the skeleton that lies near it.
struct Source {
  std::vector<std::byte> bytes, skeleton;
  ConvertOptions options;
  std::vector<std::string> notes;
};

Result<Source> open_source(const Input& input, const ConvertOptions& options) {
  auto bytes = read_file(input.path);
  if (!bytes) return std::unexpected(bytes.error());
  Source source{std::move(*bytes), {}, options, {}};
  source.options.name = input.path.stem().string();
  source.options.folder = input.path.parent_path();
  if (!options.skeleton.empty() || !is_gltf(options.format)) return source;
  const auto info_of_source = info(source.bytes, options.limits, source.options.folder);
  if (!info_of_source || info_of_source->clips.empty() || !info_of_source->skeletons.empty()) return source;
  const auto near = find_skeleton_near(input.path);
  auto found = near ? read_file(*near) : std::unexpected(Error{});
  if (!found) return source;
  source.skeleton = std::move(*found);
  source.notes.push_back(note_line(input.path, {"the skeleton is taken from " + near->string(), kNoOffset, {}}));
  return source;
}

Outcome write_converted(const Input& input, const std::filesystem::path& path, const Converted& converted, bool quiet) {
  if (const auto written = write_file(path, converted.bytes); !written) return failed(path, written.error());
  Outcome outcome;
  for (const Note& note : converted.notes) outcome.notes.push_back(note_line(input.path, note));
  if (!quiet) outcome.text = fmt::format("{} -> {}\n", input.path.string(), path.string());
  outcome.json = {{"path", input.path.string()},
                  {"output", path.string()},
                  {"format", to_string(converted.format)},
                  {"bytes", converted.bytes.size()}};
  return outcome;
}

// A glTF file of several clips becomes a folder of files that have one each.
Outcome convert_each_clip(const Input& input, Source source, const std::vector<std::string>& clips,
                          const std::filesystem::path& folder, bool quiet) {
  Outcome all;
  all.json = Json::array();
  for (const std::string& clip : clips) {
    source.options.clip = clip;
    const auto converted = convert(source.bytes, source.options);
    std::string file = clip;
    std::ranges::replace_if(
        file, [](char c) { return std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos; }, '_');
    Outcome one = converted ? write_converted(input, folder / (file + std::string(extension_of(converted->format))),
                                              *converted, quiet)
                            : failed(input.path, converted.error());
    all.text += one.text;
    if (!one.json.is_null()) all.json.push_back(std::move(one.json));
    std::ranges::move(one.errors, std::back_inserter(all.errors));
    std::ranges::move(one.notes, std::back_inserter(all.notes));
  }
  return all;
}

Outcome convert_one(const Input& input, const ConvertOptions& options, const std::string& output, bool many,
                    bool quiet) {
  auto source = open_source(input, options);
  if (!source) return failed(input.path, source.error());
  if (!source->skeleton.empty()) source->options.skeleton = source->skeleton;
  const bool to_havok = options.format == OutputFormat::Hkx || options.format == OutputFormat::Xml;
  const std::filesystem::path out(output);
  if (to_havok && options.clip.empty() && (many || !out.has_extension())) {
    const auto clips = clip_names(source->bytes, source->options);
    if (clips && clips->size() > 1) {
      const std::filesystem::path folder = many ? out / std::filesystem::path(input.relative).replace_extension() : out;
      return convert_each_clip(input, std::move(*source), *clips, folder, quiet);
    }
  }
  const auto converted = convert(source->bytes, source->options);
  if (!converted) return failed(input.path, converted.error());
  // A file keeps its own extension unless its format changes.
  const bool changes = output_format_of(input.path.extension().string()) != converted->format;
  const std::filesystem::path path = output_path(
      input, output, many, changes && options.format != OutputFormat::Same ? extension_of(converted->format) : "");
  Outcome outcome = write_converted(input, path, *converted, quiet);
  std::ranges::move(source->notes, std::back_inserter(outcome.notes));
  return outcome;
}

// Many inputs and one glTF file: what can be read goes into it, each failure is named.
int merge(const std::vector<Input>& inputs, const Arguments& arguments, const ConvertOptions& options,
          const std::string& output) {
  std::vector<std::optional<Source>> sources(inputs.size());
  const int status = run_batch(inputs, arguments, [&](const Input& input) {
    auto source = open_source(input, options);
    if (!source) return failed(input.path, source.error());
    Outcome outcome;
    outcome.notes = source->notes;
    // Each is tried by itself first, so that a broken one does not take the others with it.
    const auto skeleton = source->skeleton.empty() ? options.skeleton : std::span<const std::byte>(source->skeleton);
    const auto alone = merge_to_gltf({{{source->bytes, skeleton, source->options.name}}}, source->options);
    if (!alone) return failed(input.path, alone.error());
    sources[static_cast<std::size_t>(&input - inputs.data())] = std::move(*source);
    return outcome;
  });
  std::vector<MergeInput> parts;
  for (const auto& source : sources)
    if (source)
      parts.push_back(
          {source->bytes, source->skeleton.empty() ? options.skeleton : source->skeleton, source->options.name});
  if (parts.empty()) return kFailed;
  const auto merged = merge_to_gltf(parts, options);
  const auto written = merged ? write_file(output, merged->bytes) : std::unexpected(merged.error());
  if (!written) {
    fmt::print(stderr, "{}\n", error_line(output, written.error()));
    return kFailed;
  }
  if (!arguments.has("-q") && !arguments.has("--json")) fmt::print("{} files -> {}\n", parts.size(), output);
  return status;
}

int run(const Arguments& arguments) {
  const std::vector<std::string> paths = arguments.all("IN");
  const std::string& output = arguments.get("-o");
  const bool many = names_many(paths);
  const std::vector<std::byte> skeleton = file_option(arguments, "--skeleton");
  ConvertOptions options;
  options.game = game_option(arguments, "--to");
  options.skeleton = skeleton;
  options.units = units_option(arguments);
  options.show_bones = arguments.has("--show-bones");
  options.ragdoll = arguments.has("--ragdoll");
  options.names = names_option(arguments);
  options.clip = arguments.find("--clip").value_or("");
  const OutputFormat by_name = output_format_of(std::filesystem::path(output).extension().string());
  if (const auto word = arguments.find("--format"))
    options.format = *find_output_format(*word);
  else if (!many || is_gltf(by_name))
    options.format = by_name;
  const std::vector<Input> inputs = expand_inputs(paths);
  if (many && is_gltf(by_name) && is_gltf(options.format)) return merge(inputs, arguments, options, output);
  return run_batch(inputs, arguments,
                   [&](const Input& input) { return convert_one(input, options, output, many, arguments.has("-q")); });
}

}  // namespace

Verb convert_verb() {
  return {
      .name = "convert",
      .summary = "rewrite files for another game or in another format; folders keep their tree",
      .positionals = {{"IN...", "files or folders"}},
      .options = {{"-o,--output", "OUT",
                   "file, or folder where there are several inputs; several into one .glb merges them", true},
                  {"--to", "GAME", "write for this game (skyrim-le, skyrim-se, fallout4, ac1 ... mirage)"},
                  {"--format",
                   "FORMAT",
                   "write this format (default: by OUT's extension, else as it was)",
                   false,
                   false,
                   {"hkx", "xml", "json", "glb", "gltf", "obj", "anvil-standard", "anvil-schema"}},
                  {"--skeleton", "FILE", "the skeleton that clips are for"},
                  {"--clip", "NAME", "of a glTF file with several clips, the one to write"},
                  {"--units", "UNITS", "of glTF files (default: metre)", false, false, {"game", "metre", "blender"}},
                  {"--show-bones", "", "put a mesh into glTF files that makes bones visible"},
                  {"--ragdoll", "", "export the ragdoll skeleton too"},
                  {"--names", "FILE", "more Anvil bone names, one a line"}},
      .run = run};
}

}  // namespace marrow::cli
