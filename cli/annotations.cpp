// SPDX-License-Identifier: MIT
#include "marrow/ops/annotations.h"

#include <fmt/format.h>

#include <functional>

#include "batch.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::byte>;

int for_each_clip(const Arguments& arguments, const std::function<Outcome(const Input&, const Bytes&)>& work) {
  const bool many = names_many(arguments.all("CLIP"));
  return run_batch(expand_inputs(arguments.all("CLIP")), arguments, [&](const Input& input) {
    const auto bytes = read_file(input.path);
    if (!bytes) return failed(input.path, bytes.error());
    // Folders of the games hold skeletons and behaviours beside the clips.
    if (many && !holds_clip(*bytes)) return passed_over(input.path, "holds no animation");
    return work(input, *bytes);
  });
}

/// Writes what an edit gave, at the place of `input` below -o.
Outcome write_edit(const Arguments& arguments, const Input& input, const Result<EventEdit>& edit,
                   std::string_view what) {
  if (!edit) return failed(input.path, edit.error());
  const fs::path path = output_path(input, arguments.get("-o"), names_many(arguments.all("CLIP")));
  if (const auto written = write_file(path, edit->bytes); !written) return failed(path, written.error());
  Outcome outcome;
  for (const Note& note : edit->notes) outcome.notes.push_back(note_line(input.path, note));
  if (edit->changed == 0 && what != "set")
    outcome.notes.push_back(input.path.string() + ": no event " + std::string(what));
  if (!arguments.has("-q"))
    outcome.text = fmt::format("{} -> {}: {} events {}\n", input.path.string(), path.string(), edit->changed, what);
  outcome.json = {{"path", input.path.string()}, {"output", path.string()}, {"events", edit->changed}};
  return outcome;
}

int run_list(const Arguments& arguments) {
  return for_each_clip(arguments, [&](const Input& input, const Bytes& bytes) {
    const auto events = list_events(bytes);
    if (!events) return failed(input.path, events.error());
    Outcome outcome;
    outcome.json = {{"path", input.path.string()}, {"annotations", Json::array()}};
    if (names_many(arguments.all("CLIP"))) outcome.text = input.path.string() + "\n";
    for (const Event& event : *events) {
      outcome.json["annotations"].push_back(
          {{"clip", event.clip}, {"track", event.track}, {"time", event.time_seconds}, {"text", event.text}});
      if (event.clip > 0) outcome.text += fmt::format("clip {} ", event.clip);
      if (event.track > 0) outcome.text += fmt::format("track {} ", event.track);
      outcome.text += float_text(event.time_seconds) + " " + event.text + "\n";
    }
    return outcome;
  });
}

int run_export(const Arguments& arguments) {
  const bool many = names_many(arguments.all("CLIP"));
  const auto output = arguments.find("-o");
  if (many && !output) throw UsageError("several clips need -o FOLDER, one text a clip");
  return for_each_clip(arguments, [&](const Input& input, const Bytes& bytes) {
    auto text = export_events(bytes);
    if (!text) return failed(input.path, text.error());
    Outcome outcome;
    outcome.json = {{"path", input.path.string()}, {"text", *text}};
    if (!output) {
      outcome.text = std::move(*text);
      return outcome;
    }
    const fs::path path = output_path(input, *output, many, ".txt");
    if (const auto written = write_file(path, as_bytes(*text)); !written) return failed(path, written.error());
    outcome.json["output"] = path.string();
    return outcome;
  });
}

/// The text for a clip: TEXT itself, or below the folder TEXT at the clip's place, as `export` wrote it.
fs::path text_for(const Input& input, const fs::path& text) {
  std::error_code error;
  return fs::is_directory(text, error) ? (text / input.relative).replace_extension(".txt") : text;
}

int run_import(const Arguments& arguments) {
  return for_each_clip(arguments, [&](const Input& input, const Bytes& bytes) {
    const fs::path path = text_for(input, arguments.get("TEXT"));
    const auto text = read_file(path);
    if (!text) return failed(path, text.error());
    // An error in the text names the line of the text.
    if (const auto events = parse_events(as_text(*text)); !events) return failed(path, events.error());
    return write_edit(arguments, input, import_events(bytes, as_text(*text), arguments.has("--merge")), "set");
  });
}

int run_add(const Arguments& arguments) {
  const auto time = parse_float(arguments.get("--time"));
  if (!time || !(*time >= 0.0f)) throw UsageError("--time takes seconds, 0 or more");
  const Event event{0, arguments.integer("--track").value_or(0), *time, arguments.get("--text")};
  return for_each_clip(arguments, [&](const Input& input, const Bytes& bytes) {
    return write_edit(arguments, input, add_events(bytes, {&event, 1}), "added");
  });
}

int run_remove(const Arguments& arguments) {
  return for_each_clip(arguments, [&](const Input& input, const Bytes& bytes) {
    return write_edit(arguments, input, remove_events(bytes, arguments.get("--match")), "removed");
  });
}

int run_replace(const Arguments& arguments) {
  return for_each_clip(arguments, [&](const Input& input, const Bytes& bytes) {
    return write_edit(arguments, input, replace_events(bytes, arguments.get("--match"), arguments.get("--text")),
                      "replaced");
  });
}

constexpr std::string_view kPatternHelp =
    "PATTERN is for the whole text of an event, in any case: * stands for any run of characters, ? for any one.";

}  // namespace

Verb annotations_verb() {
  const Positional clips{"CLIP...", "Havok animations or folders of them"};
  const Option output{"-o,--output", "OUT", "file, or folder where there are several clips", true};
  const Option match{"--match", "PATTERN", "which events, by their text", true};
  return {.name = "annotations",
          .summary = "the events of clips: list, export, import, add, remove, replace",
          .verbs = {
              {.name = "list", .summary = "print the events", .positionals = {clips}, .run = run_list},
              {.name = "export",
               .summary = "write the events as text, in hkanno's form",
               .positionals = {clips},
               .options = {{"-o,--output", "TEXT", "file, or folder where there are several clips"}},
               .run = run_export},
              {.name = "import",
               .summary = "make the events those of a text",
               .positionals = {{"CLIP", "a Havok animation, or a folder of them"},
                               {"TEXT", "the text, or the folder that export wrote"}},
               .options = {output, {"--merge", "", "add them to the events that are there"}},
               .run = run_import},
              {.name = "add",
               .summary = "add one event",
               .positionals = {clips},
               .options = {{"--time", "SECONDS", "when", true},
                           {"--text", "TEXT", "its text, as SoundPlay.FSTSprintLeft", true},
                           {"--track", "N", "the track it hangs on (default: 0, as the games do)"},
                           output},
               .run = run_add},
              {.name = "remove",
               .summary = "remove events by pattern",
               .positionals = {clips},
               .options = {match, output},
               .run = run_remove,
               .details = kPatternHelp},
              {.name = "replace",
               .summary = "give events another text, by pattern",
               .positionals = {clips},
               .options = {match, {"--text", "TEXT", "the new text", true}, output},
               .run = run_replace,
               .details = kPatternHelp},
          }};
}

}  // namespace marrow::cli
