// SPDX-License-Identifier: MIT
#include "marrow/ops/convert.h"

#include <fmt/format.h>

#include "batch.h"
#include "marrow/core/file.h"
#include "options.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

Units units_option(const Arguments& arguments) {
  const std::string word = arguments.find("--units").value_or("metre");
  return word == "game" ? Units::Game : word == "blender" ? Units::Blender : Units::Metre;
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
  if (const auto word = arguments.find("--format"))
    options.format = *find_output_format(*word);
  else if (!many)
    options.format = output_format_of(std::filesystem::path(output).extension().string());
  return run_batch(expand_inputs(paths), arguments, [&](const Input& input) {
    const auto bytes = read_file(input.path);
    if (!bytes) return failed(input.path, bytes.error());
    const auto converted = convert(*bytes, options);
    if (!converted) return failed(input.path, converted.error());
    // A file keeps its own extension unless its format changes.
    const bool changes = output_format_of(input.path.extension().string()) != converted->format;
    const std::filesystem::path path = output_path(
        input, output, many, changes && options.format != OutputFormat::Same ? extension_of(converted->format) : "");
    if (const auto written = write_file(path, converted->bytes); !written) return failed(path, written.error());
    Outcome outcome;
    for (const Note& note : converted->notes) outcome.notes.push_back(note_line(input.path, note));
    if (!arguments.has("-q")) outcome.text = fmt::format("{} -> {}\n", input.path.string(), path.string());
    outcome.json = {{"path", input.path.string()},
                    {"output", path.string()},
                    {"format", to_string(converted->format)},
                    {"bytes", converted->bytes.size()}};
    return outcome;
  });
}

}  // namespace

Verb convert_verb() {
  return {
      .name = "convert",
      .summary = "rewrite files for another game or in another format; folders keep their tree",
      .positionals = {{"IN...", "files or folders"}},
      .options = {{"-o,--output", "OUT", "file, or folder where there are several inputs", true},
                  {"--to", "GAME", "write for this game (skyrim-le, skyrim-se, fallout4, ac1 ... mirage)"},
                  {"--format",
                   "FORMAT",
                   "write this format (default: by OUT's extension, else as it was)",
                   false,
                   false,
                   {"hkx", "xml", "json", "glb", "gltf", "obj", "anvil-standard", "anvil-schema"}},
                  {"--skeleton", "FILE", "the skeleton that clips are for"},
                  {"--units", "UNITS", "of glTF files (default: metre)", false, false, {"game", "metre", "blender"}},
                  {"--show-bones", "", "put a mesh into glTF files that makes bones visible"},
                  {"--ragdoll", "", "export the ragdoll skeleton too"},
                  {"--names", "FILE", "more Anvil bone names, one a line"}},
      .run = run};
}

}  // namespace marrow::cli
