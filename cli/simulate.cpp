// SPDX-License-Identifier: MIT
#include "marrow/ops/simulate.h"

#include <fmt/format.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <memory>

#include "batch.h"
#include "clip_input.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "options.h"
#include "progress.h"
#include "simulate_files.h"
#include "simulation_format.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

// Numbers with commas between them, as many as asked for.
std::vector<double> list_option(const Arguments& arguments, std::string_view name, std::size_t count) {
  const auto text = arguments.find(name);
  if (!text) return std::vector<double>(count, 0.0);
  std::vector<double> values;
  for (std::size_t at = 0; at <= text->size();) {
    const std::size_t end = std::min(text->find(',', at), text->size());
    const auto value = parse_double(std::string_view(*text).substr(at, end - at));
    if (!value || !std::isfinite(*value))
      throw UsageError(fmt::format("{} takes {} numbers with commas, not '{}'", name, count, *text));
    values.push_back(*value);
    at = end + 1;
  }
  if (values.size() != count)
    throw UsageError(fmt::format("{} takes {} numbers with commas, not '{}'", name, count, *text));
  return values;
}

double positive_option(const Arguments& arguments, std::string_view name, double fallback) {
  const double value = arguments.number(name).value_or(fallback);
  if (!(value > 0.0) || !std::isfinite(value)) throw UsageError(fmt::format("{} takes a number above 0", name));
  return value;
}

motion::SimulateOptions run_options(const Arguments& arguments) {
  motion::SimulateOptions run;
  run.frames_a_second = positive_option(arguments, "--fps", 30.0);
  run.seconds = positive_option(arguments, "--seconds", 4.0);
  if (run.frames_a_second * run.seconds > 1e6) throw UsageError("--fps and --seconds give more than a million frames");
  const auto shake = list_option(arguments, "--shake", 2);
  run.shake_metres = shake[0];
  run.shake_hertz = shake[1];
  run.settle_seconds = arguments.number("--settle").value_or(0.0);
  if (!(run.settle_seconds >= 0.0 && run.settle_seconds <= 3600.0))
    throw UsageError("--settle takes a number of seconds, from 0 to 3600");
  run.loop = arguments.has("--loop");
  const auto wind = list_option(arguments, "--wind", 3);
  run.environment.wind.velocity = {static_cast<float>(wind[0]), static_cast<float>(wind[1]),
                                   static_cast<float>(wind[2])};
  const double gusts = arguments.number("--gusts").value_or(0.0);
  if (!(gusts >= 0.0 && gusts <= 1.0)) throw UsageError("--gusts takes a share of the wind, from 0 to 1");
  run.environment.wind.gust_share = static_cast<float>(gusts);
  if (arguments.has("--gravity")) {
    const auto gravity = list_option(arguments, "--gravity", 3);
    run.environment.gravity = {static_cast<float>(gravity[0]), static_cast<float>(gravity[1]),
                               static_cast<float>(gravity[2])};
  }
  const long long lod = arguments.integer("--lod").value_or(0);
  if (lod < 0 || lod > 255) throw UsageError("--lod takes a level of detail, from 0 up");
  run.environment.lod = static_cast<std::int32_t>(lod);
  if (arguments.has("--frame") && !arguments.has("--explain"))
    throw UsageError("--frame says which frame to explain; name a bone with --explain");
  if (const auto frame = arguments.integer("--frame")) {
    if (*frame < 0) throw UsageError("--frame counts from 0");
    run.trace_frame = *frame;
  }
  return run;
}

std::string vector_text(const Vec3& v) { return fmt::format("({:.4f}, {:.4f}, {:.4f})", v.x, v.y, v.z); }
std::string rotation_text(const Quat& q) { return fmt::format("({:.4f}, {:.4f}, {:.4f}, {:.4f})", q.x, q.y, q.z, q.w); }

std::string explanation_text(const std::string& bone, const SimulatedFile& file) {
  std::string text = fmt::format("{}, frame {} ({:.4f} s)\n", bone, file.explained_frame,
                                 static_cast<double>(file.explained_frame) / file.frames_a_second);
  if (file.explanation.empty()) text += "  no modifier is on it\n";
  for (const ModifierReport& report : file.explanation) {
    const motion::Trace& trace = report.trace;
    text += fmt::format("  {}. {}", report.modifier + 1, report.type);
    if (!trace.ran) {
      text += ": rests (weight 0, or past its level of detail)\n";
      continue;
    }
    text += fmt::format(", weight {:g}{}\n", trace.weight, trace.reset ? ", starts anew from the pose" : "");
    const auto line = [&](const char* name, const Transform& t) {
      text += fmt::format("     {:<7} position {}, rotation {}\n", name, vector_text(t.translation),
                          rotation_text(t.rotation));
    };
    line("input", trace.input);
    line("target", trace.target);
    line("result", trace.result);
    text += fmt::format("     moved   {:.3f} degrees, {:.2f} mm",
                        angle_degrees(trace.input.rotation, trace.target.rotation),
                        1000.0f * glm::length(trace.target.translation - trace.input.translation));
    if (trace.target.scale != Vec3(1.0f)) text += fmt::format(", scale {}", vector_text(trace.target.scale));
    text += fmt::format("; limit hit: {}\n", motion::to_string(trace.limit));
  }
  return text;
}

Json transform_json(const Transform& t) {
  return {{"position", {t.translation.x, t.translation.y, t.translation.z}},
          {"rotation", {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}}};
}

Json to_json(const std::string& source, const std::string& output, const std::optional<std::string>& explained,
             const SimulatedFile& file) {
  Json json = {{"path", source},
               {"output", output.empty() ? Json() : Json(output)},
               {"frames", file.frames},
               {"fps", file.frames_a_second},
               {"bones", file.bone_names.size()},
               {"modifiers", file.modifiers},
               {"fx_bones", file.fx_bones}};
  Json wrinkles = Json::array();
  for (const Wrinkle& wrinkle : file.wrinkles)
    wrinkles.push_back({{"bone", file.bone_names[static_cast<std::size_t>(wrinkle.bone)]},
                        {"category", wrinkle.category},
                        {"factor", wrinkle.factor}});
  json["wrinkles"] = std::move(wrinkles);
  if (file.loop.rounds > 0)
    json["loop"] = {
        {"rounds", file.loop.rounds}, {"closed", file.loop.closed}, {"open_degrees", file.loop.open_degrees}};
  if (explained) {
    Json list = Json::array();
    for (const ModifierReport& report : file.explanation)
      list.push_back({{"order", report.modifier},
                      {"type", report.type},
                      {"ran", report.trace.ran},
                      {"reset", report.trace.reset},
                      {"weight", report.trace.weight},
                      {"input", transform_json(report.trace.input)},
                      {"target", transform_json(report.trace.target)},
                      {"result", transform_json(report.trace.result)},
                      {"limit", motion::to_string(report.trace.limit)}});
    json["explain"] = {{"bone", *explained}, {"frame", file.explained_frame}, {"modifiers", std::move(list)}};
  }
  return json;
}

std::string summary(const std::string& output, const SimulatedFile& file) {
  std::string text =
      fmt::format("{}: {} {} at {:g} a second, {} {}", output, file.frames, file.frames == 1 ? "frame" : "frames",
                  file.frames_a_second, file.modifiers, file.modifiers == 1 ? "modifier" : "modifiers");
  if (file.loop.closed)
    text += fmt::format(", a loop after {} {}", file.loop.rounds, file.loop.rounds == 1 ? "round" : "rounds");
  return text + "\n";
}

SimulateFileOptions file_options(const Arguments& arguments) {
  SimulateFileOptions options;
  options.run = run_options(arguments);
  options.own_rate = !arguments.has("--fps");
  options.own_seconds = !arguments.has("--seconds");
  options.settings.native_law = arguments.has("--native-law");
  options.settings.self_collision = arguments.has("--self-collision");
  options.explain = arguments.find("--explain");
  options.rig.game = game_option(arguments, "--game");
  options.rig.bones = arguments.all("--bone");
  options.rig.names = names_option(arguments);
  if (!options.rig.bones.empty() && !arguments.has("--modifiers"))
    throw UsageError("--bone says which bones the modifiers of --modifiers go on");
  if (const auto path = arguments.find("--save-modifiers")) {
    std::error_code ignored;
    if (!arguments.has("--modifiers"))
      throw UsageError("--save-modifiers saves those of --modifiers, which is missing");
    if (std::filesystem::equivalent(arguments.get("--modifiers"), *path, ignored))
      throw UsageError("--save-modifiers would replace the file that --modifiers names");
  }
  return options;
}

Outcome run_job(const Arguments& arguments, const SimulationJob& job, SimulateFileOptions options, bool many) {
  const std::string source = job.clip.empty() ? arguments.get("SKELETON") : job.clip;
  SimulationInputs files;
  const auto failed_in_its_file = [&](Error error) {
    const std::filesystem::path file = take_file(error.path, files.names(), source);
    return failed(file, error);
  };
  if (const auto read = read_inputs(arguments, job, files, options); !read) return failed_in_its_file(read.error());
  if (many && has_no_clip(options.clip.bytes)) return passed_over(job.clip, "holds no animation");
  if (!job.clip.empty()) options.clip_name = std::filesystem::path(job.clip).stem().string();
  std::unique_ptr<Progress> progress;
  options.on_start = [&](std::int64_t frames) {
    // Of several clips the batch shows how many are done.
    const bool quiet = many || arguments.has("-q");
    progress = std::make_unique<Progress>(static_cast<std::size_t>(frames), quiet, "frames");
  };
  options.run.on_frame = [&] {
    if (progress) progress->advance();
  };
  const auto simulated = simulate_file(options);
  progress.reset();
  if (!simulated) return failed_in_its_file(simulated.error());
  if (!job.output.empty())
    if (const auto written = write_file(job.output, simulated->bytes); !written)
      return failed(job.output, written.error());
  Outcome outcome;
  for (Note note : simulated->notes) {
    const std::filesystem::path file = take_file(note.path, files.names(), source);
    outcome.notes.push_back(note_line(file, note));
  }
  if (!job.output.empty() && !arguments.has("-q")) outcome.text = source + " -> " + summary(job.output, *simulated);
  if (options.explain) outcome.text += explanation_text(*options.explain, *simulated);
  outcome.json = to_json(source, job.output, options.explain, *simulated);
  return outcome;
}

int run(const Arguments& arguments) {
  const std::string output = arguments.find("-o").value_or("");
  if (output.empty() && !arguments.has("--explain")) throw UsageError("-o OUT is missing; only --explain goes without");
  const std::vector<std::string> clips = arguments.all("--clip");
  std::error_code ignored;
  const bool many = names_many(clips) || (!clips.empty() && std::filesystem::is_directory(output, ignored));
  const SimulateFileOptions options = file_options(arguments);
  const auto word = arguments.find("--format");
  std::optional<SimulationFormat> format;
  if (output.empty())
    format = SimulationFormat::Csv;
  else if (!many)
    format = simulation_format(output, word);
  const std::string skeleton = arguments.get("SKELETON");
  const std::vector<Input> inputs =
      clips.empty() ? std::vector<Input>{{skeleton, std::filesystem::path(skeleton).filename()}} : expand_inputs(clips);
  const int code = run_batch(inputs, arguments, [&](const Input& input) {
    SimulationJob job{.clip = clips.empty() ? "" : input.path.string(), .output = output};
    if (many && !output.empty()) job.output = output_path(input, output, true, word ? "." + *word : "").string();
    SimulateFileOptions own = options;
    own.format = format ? *format : format_of_many(job.output, word);
    return run_job(arguments, job, std::move(own), many);
  });
  const auto saved = arguments.find("--save-modifiers");
  if (!saved || code != kDone) return code;
  const auto written = save_modifiers(arguments, *saved);
  if (!written) fmt::print(stderr, "{}\n", error_line(*saved, written.error()));
  return written ? kDone : kFailed;
}

}  // namespace

Verb simulate_verb() {
  return {
      .name = "simulate",
      .summary = "run bone modifiers over a clip or the rest pose, and bake the result",
      .positionals = {{"SKELETON", "Anvil XML, .hkx or .glb"}, {"[ADDON...]", "Anvil addons to merge onto it"}},
      .options = {{"-o,--output", "OUT", ".csv, .glb, .gltf, .hkx or .xml; --explain goes without"},
                  {"--clip",
                   "CLIP",
                   "the animation (default: the rest pose); or several, or a folder, and OUT is one",
                   false,
                   true,
                   {},
                   true},
                  {"--modifiers", "JSON", "modifiers for any skeleton: a file or the name of a preset"},
                  {"--bone",
                   "NAME",
                   "where a preset goes: a bone or a pattern with *; may be repeated",
                   false,
                   true,
                   {},
                   true},
                  {"--save-modifiers", "FILE", "write the modifiers there, to change them and use them again"},
                  {"--common", "FILE", "shared data that fills what ball joints leave at 0 (JSON or XML)"},
                  {"--game", "GAME", "whose limits a merge keeps, or what a .hkx is for"},
                  {"--fps", "N", "frames a second (default: the clip's, else 30)"},
                  {"--seconds", "S", "length (default: the clip's, else 4); a clip goes round"},
                  {"--loop", "", "go round until the end meets the start, for clips that are played as loops"},
                  {"--settle", "S", "hold the first pose so long before frame 0, so that what hangs is at rest"},
                  {"--shake", "METRES,HZ", "swing the root along X"},
                  {"--wind", "X,Y,Z", "metres a second"},
                  {"--gusts", "SHARE", "how far gusts carry the wind up and down, 0 to 1"},
                  {"--gravity", "X,Y,Z", "metres a second squared (default: 0,0,-9.81)"},
                  {"--lod", "N", "level of detail (default: 0)"},
                  {"--native-law", "", "the engine's own per-frame laws for Hinge, SpringBox and Roll"},
                  {"--self-collision", "", "ball joints push each other apart by CollisionRadius"},
                  {"--explain", "BONE", "tell what each modifier did to a bone in a frame"},
                  {"--frame", "N", "the frame to explain (default: the last)"},
                  {"--format",
                   "FORMAT",
                   "write this format, whatever OUT is called",
                   false,
                   false,
                   {"csv", "glb", "gltf", "hkx", "xml"}},
                  {"--names", "FILE", "more Anvil bone names, one a line"}},
      .run = run,
      .details =
          "Presets: cape, chain, hair, ponytail, pouch, scabbard; docs/modifiers/sidecar.md tells how to write more.\n"
          "CSV: frame,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz in local space; frame 0 is the input pose,\n"
          "but for --settle and --loop.\n"
          "Results agree at every frame rate; docs/modifiers has a page a modifier."};
}

}  // namespace marrow::cli
