// SPDX-License-Identifier: MIT
#include "marrow/ops/compress.h"

#include <fmt/format.h>

#include <algorithm>

#include "batch.h"
#include "marrow/core/file.h"
#include "options.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

std::optional<double> bound_option(const Arguments& arguments, std::string_view name) {
  const auto value = arguments.number(name);
  if (value && !(*value >= 0.0)) throw UsageError(std::string(name) + " takes a number, 0 or more");
  return value;
}

CompressOptions read_options(const Arguments& arguments, std::span<const std::byte> skeleton) {
  CompressOptions options;
  options.max_rotation_degrees = bound_option(arguments, "--max-rotation-error");
  options.max_translation = bound_option(arguments, "--max-position-error");
  options.max_scale = bound_option(arguments, "--max-scale-error");
  options.max_value = bound_option(arguments, "--max-float-error");
  options.max_model_error = bound_option(arguments, "--max-model-error");
  options.shell_distance = bound_option(arguments, "--shell").value_or(kDefaultShellDistance);
  options.skeleton = skeleton;
  options.uncompressed = arguments.has("--uncompressed");
  const std::string effort = arguments.find("--effort").value_or("normal");
  options.encode.effort = effort == "fast"   ? codec::Effort::Fast
                          : effort == "best" ? codec::Effort::Best
                                             : codec::Effort::Normal;
  if (arguments.find("--encodings") == "all") options.encode.encodings = codec::EncodingSet::All;
  if (options.max_model_error && !arguments.has("--skeleton"))
    throw UsageError("--max-model-error needs --skeleton: errors are measured on the bones");
  if (arguments.has("--skeleton") && !options.max_model_error)
    throw UsageError("--skeleton goes with --max-model-error UNITS, the bound that is measured on it");
  return options;
}

Json report_json(const Input& input, const std::filesystem::path& path, std::size_t before, const Compressed& result) {
  Json clips = Json::array();
  for (const CompressedClip& clip : result.clips) {
    Json json = {{"frames", clip.frames},
                 {"tracks", clip.tracks},
                 {"motion_bytes_before", clip.motion_bytes_before},
                 {"motion_bytes_after", clip.motion_bytes_after},
                 {"rotation_error_degrees", clip.errors.rotation_degrees},
                 {"position_error", clip.errors.translation},
                 {"scale_error", clip.errors.scale},
                 {"float_error", clip.errors.value},
                 {"channels_past_bound", clip.errors.channels_past_tolerance}};
    if (clip.model_error) json["model_error"] = *clip.model_error;
    clips.push_back(std::move(json));
  }
  return {{"path", input.path.string()},
          {"output", path.string()},
          {"bytes_before", before},
          {"bytes_after", result.bytes.size()},
          {"clips", std::move(clips)}};
}

std::string report_text(const Input& input, std::size_t before, const Compressed& result, bool uncompressed) {
  std::string text =
      fmt::format("{}: {} -> {} bytes (x{:.3f})", input.path.string(), before, result.bytes.size(),
                  static_cast<double>(result.bytes.size()) / static_cast<double>(std::max<std::size_t>(before, 1)));
  codec::EncodeErrors worst;
  std::optional<double> model;
  for (const CompressedClip& clip : result.clips) {
    worst.include(clip.errors);
    if (clip.model_error) model = std::max(model.value_or(0.0), *clip.model_error);
  }
  if (uncompressed) return text + ", every frame stored\n";
  text += fmt::format(", worst {:.4f} deg {:.5f} units", worst.rotation_degrees, worst.translation);
  if (worst.scale > 0) text += fmt::format(" {:.5f} scale", worst.scale);
  if (worst.value > 0) text += fmt::format(" {:.5f} float", worst.value);
  if (model) text += fmt::format(", {:.4f} units in model space", *model);
  return text + "\n";
}

int run(const Arguments& arguments) {
  const std::vector<std::string> paths = arguments.all("CLIP");
  const std::string& output = arguments.get("-o");
  const bool many = names_many(paths);
  const std::vector<std::byte> skeleton = file_option(arguments, "--skeleton");
  const CompressOptions options = read_options(arguments, skeleton);
  return run_batch(expand_inputs(paths), arguments, [&](const Input& input) {
    const auto bytes = read_file(input.path, options.limits);
    if (!bytes) return failed(input.path, bytes.error());
    const auto result = compress(*bytes, options);
    if (!result) {
      // In a folder, skeletons and behaviours lie beside clips; there is nothing wrong with them.
      if (result.error().code != ErrorCode::NotFound || !many) return failed(input.path, result.error());
      Outcome passed_over;
      passed_over.notes.push_back(error_line(input.path, result.error()) + "; passed over");
      return passed_over;
    }
    const std::filesystem::path path = output_path(input, output, many);
    if (const auto written = write_file(path, result->bytes); !written) return failed(path, written.error());
    Outcome outcome;
    for (const Note& note : result->notes) outcome.notes.push_back(note_line(input.path, note));
    if (!arguments.has("-q")) outcome.text = report_text(input, bytes->size(), *result, options.uncompressed);
    outcome.json = report_json(input, path, bytes->size(), *result);
    return outcome;
  });
}

}  // namespace

Verb compress_verb() {
  return {.name = "compress",
          .summary = "encode clips again, smaller, within a bound on the error that you set",
          .positionals = {{"CLIP...", "clips, or folders of them"}},
          .options =
              {{"-o,--output", "OUT", "file, or folder where there are several inputs", true},
               {"--max-rotation-error", "DEG", "of any bone to its parent, in degrees (default: 0.05)"},
               {"--max-position-error", "UNITS", "of any bone to its parent (default: 0.01)"},
               {"--max-scale-error", "FACTOR", "of any bone (default: 0.0005)"},
               {"--max-float-error", "VALUE", "of any float track (default: 0.0005)"},
               {"--skeleton", "S", "the skeleton that the clips are for"},
               {"--max-model-error", "UNITS",
                "of any point of the shell around any bone, in model space; takes the place of the bounds above that "
                "are not given"},
               {"--shell", "UNITS", "distance of the shell from its bone (default: 3)"},
               {"--effort", "EFFORT", "time against size (default: normal)", false, false, {"fast", "normal", "best"}},
               {"--encodings",
                "WHICH",
                "seen: those of the games' own files; all: 48-bit rotations, 8-bit values and degree 2 too (default: "
                "seen)",
                false,
                false,
                {"seen", "all"}},
               {"--uncompressed", "", "store every frame as it is instead"}},
          .run = run,
          .details =
              "The error is that of what the game will decode, at every quarter of a frame, against the clip "
              "as it was. Events, root motion, bindings and all other objects stay as they are."};
}

}  // namespace marrow::cli
