// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "batch.h"
#include "clip_input.h"
#include "marrow/core/file.h"
#include "marrow/ops/scene.h"
#include "marrow/ops/simulate.h"
#include "options.h"
#include "simulation_format.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

int run(const Arguments& arguments) {
  const std::vector<std::string> paths = arguments.all("CLIP");
  const std::string output = arguments.get("-o");
  const bool many = names_many(paths);
  const auto word = arguments.find("--format");
  const std::string game = game_option(arguments, "--game");
  const std::vector<std::byte> given = file_option(arguments, "--skeleton");
  std::error_code ignored;
  if (!many && !std::filesystem::is_directory(output, ignored)) (void)simulation_format(output, word);
  return run_batch(expand_inputs(paths), arguments, [&](const Input& input) {
    const auto bytes = read_file(input.path);
    if (!bytes) return failed(input.path, bytes.error());
    if (many && has_no_clip(*bytes)) return passed_over(input.path, "holds no animation");
    std::vector<std::byte> skeleton = given;
    std::string skeleton_name = arguments.find("--skeleton").value_or("");
    if (skeleton_name.empty()) {
      if (has_no_clip(*bytes))
        return failed(input.path, {ErrorCode::NotFound, "there is no clip in the file", kNoOffset, {}});
      const auto near = find_skeleton_near(input.path);
      if (!near)
        return failed(input.path, {ErrorCode::InvalidArgument,
                                   "no skeleton.hkx is near the clip; give the clip's skeleton with --skeleton",
                                   kNoOffset,
                                   {}});
      auto found = read_file(*near);
      if (!found) return failed(*near, found.error());
      skeleton = std::move(*found);
      skeleton_name = near->string();
    }
    const auto path = output_path(input, output, many, word ? "." + *word : "");
    MirrorFileOptions options{.skeleton = {skeleton_name, skeleton}, .name = input.path.stem().string(), .game = game};
    options.format = format_of_many(path, word);
    const std::string files[] = {input.path.string(), skeleton_name};
    const auto mirrored = mirror_file({files[0], *bytes}, options);
    if (!mirrored) {
      Error error = mirrored.error();
      const std::filesystem::path file = take_file(error.path, files, input.path);
      return failed(file, error);
    }
    if (const auto written = write_file(path, mirrored->bytes); !written) return failed(path, written.error());
    Outcome outcome;
    for (Note note : mirrored->notes) {
      const std::filesystem::path file = take_file(note.path, files, input.path);
      outcome.notes.push_back(note_line(file, note));
    }
    if (!arguments.has("-q"))
      outcome.text = fmt::format("{} -> {}: {} pairs of bones exchanged, {} in the middle\n", input.path.string(),
                                 path.string(), mirrored->pairs, mirrored->centred);
    outcome.json = {{"path", input.path.string()},
                    {"output", path.string()},
                    {"pairs", mirrored->pairs},
                    {"centred", mirrored->centred}};
    return outcome;
  });
}

}  // namespace

Verb mirror_verb() {
  return {.name = "mirror",
          .summary = "exchange left and right of clips",
          .positionals = {{"CLIP...", "files or folders with clips"}},
          .options = {{"-o,--output", "OUT", "file, or folder where there are several inputs", true},
                      {"--skeleton", "FILE", "the skeleton that the clips are for (default: skeleton.hkx near them)"},
                      {"--game", "GAME", "write for this game (default: the skeleton's)"},
                      {"--format",
                       "FORMAT",
                       "write this format, whatever OUT is called",
                       false,
                       false,
                       {"csv", "glb", "gltf", "hkx", "xml"}}},
          .run = run,
          .details =
              "Bones pair up by their mirror bones (Anvil) or by names. Bones that hang on one side only, as a\n"
              "weapon in the right hand, keep their own motion. FootLeft becomes FootRight in events, and\n"
              "SyncLeft SyncRight."};
}

}  // namespace marrow::cli
