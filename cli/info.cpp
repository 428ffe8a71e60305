// SPDX-License-Identifier: MIT
#include "marrow/ops/info.h"

#include <fmt/format.h>

#include "batch.h"
#include "marrow/core/file.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

Json to_json(const Input& input, const FileInfo& info) {
  Json json;
  json["path"] = input.path.string();
  json["format"] = info.format;
  json["game"] = info.game.empty() ? Json(nullptr) : Json(info.game);
  json["version"] = info.version;
  json["pointer_size"] = info.pointer_size ? Json(*info.pointer_size) : Json(nullptr);
  json["classes"] = Json::object();
  for (const auto& [name, count] : info.classes) json["classes"][name] = count;
  json["skeletons"] = Json::array();
  for (const SkeletonInfo& skeleton : info.skeletons)
    json["skeletons"].push_back({{"name", skeleton.name}, {"bones", skeleton.bones}, {"fx_bones", skeleton.fx_bones}});
  json["clips"] = Json::array();
  for (const ClipInfo& clip : info.clips)
    json["clips"].push_back({{"frames", clip.frames},
                             {"tracks", clip.tracks},
                             {"float_tracks", clip.float_tracks},
                             {"duration_seconds", clip.duration_seconds},
                             {"annotations", clip.annotations},
                             {"root_motion", clip.root_motion},
                             {"additive", clip.additive}});
  for (const auto& [key, value] : info.details) json[key] = value;
  return json;
}

std::string to_text(const Input& input, const FileInfo& info) {
  std::string text = fmt::format("{}: {}", input.path.string(), info.format);
  if (!info.game.empty()) text += ", " + info.game;
  if (!info.version.empty()) text += ", " + info.version;
  if (info.pointer_size) text += fmt::format(", {} bit", 8 * *info.pointer_size);
  text += "\n";
  for (const SkeletonInfo& skeleton : info.skeletons) {
    text +=
        fmt::format("  skeleton  {}, {} bones", skeleton.name.empty() ? "(no name)" : skeleton.name, skeleton.bones);
    if (skeleton.fx_bones > 0) text += fmt::format(", {} FX", skeleton.fx_bones);
    text += "\n";
  }
  for (const ClipInfo& clip : info.clips) {
    text += fmt::format("  clip      {} frames, {:.3f} s, {} tracks", clip.frames, clip.duration_seconds, clip.tracks);
    if (clip.float_tracks > 0) text += fmt::format(", {} floats", clip.float_tracks);
    if (clip.annotations > 0) text += fmt::format(", {} annotations", clip.annotations);
    if (clip.root_motion) text += ", root motion";
    if (clip.additive) text += ", additive";
    text += "\n";
  }
  for (const auto& [key, value] : info.details) text += fmt::format("  {:<9} {}\n", key, value);
  std::string classes;
  for (const auto& [name, count] : info.classes)
    classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", count, name);
  if (!classes.empty()) text += "  holds     " + classes + "\n";
  return text;
}

int run(const Arguments& arguments) {
  return run_batch(expand_inputs(arguments.all("PATH")), arguments, [](const Input& input) {
    const auto bytes = read_file(input.path);
    if (!bytes) return failed(input.path, bytes.error());
    const auto result = info(*bytes, {}, input.path.parent_path());
    if (!result) return failed(input.path, result.error());
    Outcome outcome;
    outcome.text = to_text(input, *result);
    outcome.json = to_json(input, *result);
    return outcome;
  });
}

}  // namespace

Verb info_verb() {
  return {.name = "info",
          .summary = "say what files are and hold: format, game, classes, skeletons, clips",
          .positionals = {{"PATH...", "files or folders"}},
          .run = run};
}

}  // namespace marrow::cli
