// SPDX-License-Identifier: MIT
#include "marrow/ops/simulate.h"

#include <fmt/format.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <memory>

#include "batch.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "options.h"
#include "progress.h"
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
  const auto wind = list_option(arguments, "--wind", 3);
  run.environment.wind.velocity = {static_cast<float>(wind[0]), static_cast<float>(wind[1]),
                                   static_cast<float>(wind[2])};
  run.environment.wind.gust_share = static_cast<float>(arguments.number("--gusts").value_or(0.0));
  if (arguments.has("--gravity")) {
    const auto gravity = list_option(arguments, "--gravity", 3);
    run.environment.gravity = {static_cast<float>(gravity[0]), static_cast<float>(gravity[1]),
                               static_cast<float>(gravity[2])};
  }
  run.environment.lod = static_cast<std::int32_t>(arguments.integer("--lod").value_or(0));
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

Json to_json(const Arguments& arguments, const SimulatedFile& file) {
  Json json = {{"path", arguments.get("SKELETON")}, {"output", arguments.get("-o")},   {"frames", file.frames},
               {"fps", file.frames_a_second},       {"bones", file.bone_names.size()}, {"modifiers", file.modifiers},
               {"fx_bones", file.fx_bones}};
  Json wrinkles = Json::array();
  for (const motion::Wrinkle& wrinkle : file.wrinkles)
    wrinkles.push_back({{"bone", file.bone_names[static_cast<std::size_t>(wrinkle.bone)]},
                        {"category", wrinkle.category},
                        {"factor", wrinkle.factor}});
  json["wrinkles"] = std::move(wrinkles);
  if (const auto bone = arguments.find("--explain")) {
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
    json["explain"] = {{"bone", *bone}, {"frame", file.explained_frame}, {"modifiers", std::move(list)}};
  }
  return json;
}

int run(const Arguments& arguments) {
  const std::string skeleton = arguments.get("SKELETON"), output = arguments.get("-o");
  std::vector<std::string> paths = {skeleton};
  for (const std::string& addon : arguments.all("ADDON")) paths.push_back(addon);
  SimulateFileOptions options;
  options.format = simulation_format(output, arguments.find("--format"));
  options.run = run_options(arguments);
  options.own_rate = !arguments.has("--fps");
  options.own_seconds = !arguments.has("--seconds");
  options.settings.native_law = arguments.has("--native-law");
  options.settings.self_collision = arguments.has("--self-collision");
  options.explain = arguments.find("--explain");
  options.rig.game = game_option(arguments, "--game");
  options.rig.bone = arguments.find("--bone").value_or("");
  options.rig.names = names_option(arguments);
  const auto clip = file_option(arguments, "--clip"), modifiers = file_option(arguments, "--modifiers"),
             common = file_option(arguments, "--common");
  options.clip = clip;
  options.rig.modifiers = modifiers;
  options.rig.common = common;
  if (const auto path = arguments.find("--clip")) options.clip_name = std::filesystem::path(*path).stem().string();

  // One run, whatever the number of files that it takes: the batch is there for its messages and exit codes.
  return run_batch({{skeleton, std::filesystem::path(skeleton).filename()}}, arguments, [&](const Input& input) {
    std::vector<std::vector<std::byte>> files;
    for (const std::string& path : paths) {
      auto bytes = read_file(path);
      if (!bytes) return failed(path, bytes.error());
      files.push_back(std::move(*bytes));
    }
    SimulateFileOptions own = options;
    for (std::size_t i = 0; i < paths.size(); ++i) own.rig.skeletons.push_back({paths[i], files[i]});
    std::unique_ptr<Progress> progress;
    own.on_start = [&](std::int64_t frames) {
      progress = std::make_unique<Progress>(static_cast<std::size_t>(frames), arguments.has("-q"), "frames");
    };
    own.run.on_frame = [&] {
      if (progress) progress->advance();
    };
    const auto simulated = simulate_file(own);
    progress.reset();
    if (!simulated) return failed(input.path, simulated.error());
    if (const auto written = write_file(output, simulated->bytes); !written) return failed(output, written.error());
    Outcome outcome;
    for (const Note& note : simulated->notes) outcome.notes.push_back(note_line(input.path, note));
    if (!arguments.has("-q"))
      outcome.text = fmt::format("{} -> {}: {} frames at {:g} a second, {} modifiers\n", skeleton, output,
                                 simulated->frames, simulated->frames_a_second, simulated->modifiers);
    if (own.explain) outcome.text += explanation_text(*own.explain, *simulated);
    outcome.json = to_json(arguments, *simulated);
    return outcome;
  });
}

}  // namespace

Verb simulate_verb() {
  return {.name = "simulate",
          .summary = "run bone modifiers over a clip or the rest pose, and bake the result",
          .positionals = {{"SKELETON", "Anvil XML, .hkx or .glb"}, {"[ADDON...]", "Anvil addons to merge onto it"}},
          .options = {{"-o,--output", "OUT", ".csv, .glb, .gltf, .hkx or .xml", true},
                      {"--clip", "CLIP", "the animation underneath (default: the rest pose)"},
                      {"--modifiers", "JSON", "modifiers for any skeleton, see docs/modifiers/sidecar.md"},
                      {"--bone", "NAME", "what $bone stands for in the JSON"},
                      {"--common", "FILE", "shared data that fills what ball joints leave at 0 (JSON or XML)"},
                      {"--game", "GAME", "whose limits a merge keeps, or what a .hkx is for"},
                      {"--fps", "N", "frames a second (default: the clip's, else 30)"},
                      {"--seconds", "S", "length (default: the clip's, else 4); a clip goes round"},
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
              "CSV: frame,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz in local space; frame 0 is the input pose.\n"
              "Results agree at every frame rate; docs/modifiers has a page a modifier."};
}

}  // namespace marrow::cli
