// SPDX-License-Identifier: MIT
#include "marrow/ops/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "batch.h"
#include "marrow/core/file.h"
#include "marrow/ops/convert.h"
#include "options.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

Outcome to_outcome(const Input& input, const Findings& findings) {
  Outcome outcome;
  outcome.json = {{"path", input.path.string()}, {"findings", Json::array()}};
  for (const Finding& finding : findings) {
    outcome.json["findings"].push_back({{"code", finding.code},
                                        {"level", to_string(finding.level)},
                                        {"message", finding.message},
                                        {"where", finding.where}});
    outcome.text += fmt::format("{}: {} {}: {}{}\n", input.path.string(), to_string(finding.level), finding.code,
                                finding.message, finding.where.empty() ? "" : "\n    at " + finding.where);
    outcome.findings |= finding.level != Level::Info;
  }
  if (findings.empty()) outcome.text = fmt::format("{}: ok\n", input.path.string());
  return outcome;
}

int run(const Arguments& arguments) {
  const std::vector<std::string> paths = arguments.all("PATH");
  const bool many = names_many(paths);
  const std::vector<std::byte> base = file_option(arguments, "--base"), skeleton = file_option(arguments, "--skeleton");
  const auto output = arguments.find("-o");
  if (arguments.has("--fix") != output.has_value())
    throw UsageError("--fix and -o go together: the mended file is written to OUT, the input stays as it is");
  CheckOptions options;
  options.game = game_option(arguments, "--game");
  options.base = base;
  options.skeleton = skeleton;
  options.names = names_option(arguments);
  return run_batch(expand_inputs(paths), arguments, [&](const Input& input) {
    const auto bytes = read_file(input.path);
    if (!bytes) return failed(input.path, bytes.error());
    CheckOptions own = options;
    own.path = std::filesystem::absolute(input.path).generic_string();
    const auto findings = check(*bytes, own);
    if (!findings) return failed(input.path, findings.error());
    Outcome outcome = to_outcome(input, *findings);
    if (output) {
      // Writing anew by the rules mends what a rule of the container breaks: odd strings, alignment, counts, indices.
      const auto mended = convert(*bytes, {.game = options.game, .mend = true});
      if (!mended) return failed(input.path, mended.error());
      const auto path = output_path(input, *output, many);
      if (const auto written = write_file(path, mended->bytes); !written) return failed(path, written.error());
      const auto left = check(mended->bytes, own);
      const bool is_clean =
          left && std::ranges::none_of(*left, [](const Finding& finding) { return finding.level != Level::Info; });
      outcome.text += fmt::format("{}: written to {}, {}\n", input.path.string(), path.string(),
                                  is_clean ? "clean now" : "not all could be mended");
      outcome.findings = !is_clean;
    }
    return outcome;
  });
}

}  // namespace

Verb check_verb() {
  return {.name = "check",
          .summary = "tell what would crash, T-pose or jitter in the game, before the game does",
          .positionals = {{"PATH...", "files or folders"}},
          .options = {{"--game", "GAME", "by the rules of this game"},
                      {"--base", "SKELETON", "the skeleton that an Anvil addon hangs on"},
                      {"--skeleton", "S", "the skeleton that clips and skinned meshes are for"},
                      {"--names", "FILE", "more Anvil bone names, one a line"},
                      {"--fix", "", "write a mended copy to OUT"},
                      {"-o,--output", "OUT", "where --fix writes"}},
          .run = run,
          .details =
              "Exit 0 where nothing is wrong, 3 where there is an error or a warning, 1 where a file is none of ours."};
}

}  // namespace marrow::cli
