// SPDX-License-Identifier: MIT
#include "marrow/ops/sample.h"

#include "batch.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/ops/annotations.h"
#include "options.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

std::vector<double> frames_option(const Arguments& arguments) {
  std::vector<double> frames;
  const std::string list = arguments.find("--frames").value_or("");
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const auto frame = parse_double(std::string_view(list).substr(at, end - at));
    if (!frame) throw UsageError("--frames takes numbers with commas between them, as 0,0.5,255");
    frames.push_back(*frame);
    at = end + 1;
  }
  return frames;
}

Json to_json(const Input& input, const Sampled& sampled) {
  Json rows = Json::array();
  for (const SampledPose& pose : sampled.poses)
    for (std::size_t i = 0; i < pose.tracks.size(); ++i) {
      const Transform& t = pose.tracks[i];
      rows.push_back({pose.frame, sampled.tracks[i], t.translation.x, t.translation.y, t.translation.z, t.rotation.x,
                      t.rotation.y, t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z});
    }
  return {{"path", input.path.string()},
          {"columns", {"frame", "track", "tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz"}},
          {"rows", std::move(rows)}};
}

int run(const Arguments& arguments) {
  const std::vector<std::string> paths = arguments.all("CLIP");
  const bool many = names_many(paths);
  const auto output = arguments.find("-o");
  if (many && !output && !arguments.has("--json"))
    throw UsageError("several clips need -o FOLDER, one CSV file a clip");
  SampleOptions options;
  options.frames = frames_option(arguments);
  options.fps = arguments.number("--fps").value_or(0.0);
  if (arguments.has("--fps") && !(options.fps > 0.0)) throw UsageError("--fps takes a number above 0");
  if (arguments.has("--fps") && arguments.has("--frames")) throw UsageError("give --frames or --fps, not both");
  const long long clip = arguments.integer("--clip").value_or(0);
  if (clip < 0) throw UsageError("--clip counts from 0");
  options.clip = static_cast<std::size_t>(clip);
  options.model_space = arguments.find("--space").value_or("local") == "model";
  const std::vector<std::byte> given = file_option(arguments, "--skeleton");
  return run_batch(expand_inputs(paths), arguments, [&](const Input& input) {
    const auto bytes = read_file(input.path);
    if (!bytes) return failed(input.path, bytes.error());
    if (many && !holds_clip(*bytes)) return passed_over(input.path, "holds no animation");
    SampleOptions own = options;
    own.skeleton = given;
    std::vector<std::byte> beside;
    if (own.model_space && given.empty())
      if (const auto path = find_skeleton_beside(input.path))
        if (auto found = read_file(*path)) own.skeleton = beside = std::move(*found);
    const auto sampled = sample(*bytes, own);
    if (!sampled) return failed(input.path, sampled.error());
    Outcome outcome;
    for (const Note& note : sampled->notes) outcome.notes.push_back(note_line(input.path, note));
    if (arguments.has("--json")) outcome.json = to_json(input, *sampled);
    std::string csv = to_csv(*sampled);
    if (!output) {
      outcome.text = std::move(csv);
      return outcome;
    }
    const auto path = output_path(input, *output, many, ".csv");
    if (const auto written = write_file(path, as_bytes(csv)); !written) return failed(path, written.error());
    return outcome;
  });
}

}  // namespace

Verb sample_verb() {
  return {
      .name = "sample",
      .summary = "print the pose of every track of a clip at any frames, as CSV",
      .positionals = {{"CLIP...", "Havok animations; several, or a folder, with -o"}},
      .options = {{"--frames", "LIST", "frames, fractional ones too: 0,0.5,255 (default: every whole frame)"},
                  {"--fps", "N", "so many poses a second instead"},
                  {"--space", "SPACE", "local to the parent bone, or model space", false, false, {"local", "model"}},
                  {"--skeleton", "FILE", "the skeleton, for model space (default: the one found beside the clip)"},
                  {"--clip", "N", "which clip of a file that holds several, from 0"},
                  {"-o,--output", "OUT", "write there instead of printing"}},
      .run = run,
      .details = "Columns: frame,track,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz. Numbers read back as the same bits."};
}

}  // namespace marrow::cli
