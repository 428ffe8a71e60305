// SPDX-License-Identifier: MIT
// The operations on events of clips.
#include "ops/clip/annotations.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

constexpr std::string_view kPatternHelp =
    "PATTERN matches the whole text of an event, ignoring case: * matches any run of characters, ? any one. "
    "Only events that meet every condition are selected.";

Operation event_presets_row() {
  OperationInfo info{.name = "annotations presets",
                     .summary = "list the events that can be imported by name",
                     .details =
                         "Times are in percent of the clip: places to start from. A file of the same form is a "
                         "preset of your own.",
                     .rows = "presets"};
  return {complete<EventPresetsOptions, EventPresetsReport>(std::move(info)), &check_options<EventPresetsOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const EventPresetsOptions options, options_of<EventPresetsOptions>(inputs));
            return OperationResult{.report = to_json(event_presets(options))};
          }};
}

}  // namespace

std::vector<Operation> annotation_rows() {
  const InputInfo clips{
      .role = "clip", .placeholder = "CLIP", .help = "animations or folders of them", .is_main = true};
  return {
      reads({.name = "annotations list", .summary = "print the events", .details = kPatternHelp, .inputs = {clips}},
            Parts::Clips, &list_events),
      prints({.name = "annotations export",
              .summary = "write the events as text, in hkanno's form",
              .inputs = {clips},
              .text_extension = ".txt"},
             Parts::Clips, &export_events),
      edits({.name = "annotations import",
             .summary = "replace the events with those of a text or a preset",
             .details = "A line is `TIME TEXT`, the time in seconds or, as 25%, in percent of the clip.",
             .inputs = {clips}},
            Parts::Clips, &import_events),
      edits({.name = "annotations add", .summary = "add one event", .inputs = {clips}}, Parts::Clips, &add_event),
      edits({.name = "annotations remove",
             .summary = "remove events by pattern, time or track",
             .details = kPatternHelp,
             .inputs = {clips}},
            Parts::Clips, &remove_events),
      edits({.name = "annotations replace",
             .summary = "change the text of events, whole or in part",
             .details = kPatternHelp,
             .inputs = {clips}},
            Parts::Clips, &replace_events),
      edits({.name = "annotations shift",
             .summary = "move events earlier or later",
             .details = kPatternHelp,
             .inputs = {clips}},
            Parts::Clips, &shift_events),
      edits({.name = "annotations scale",
             .summary = "multiply the times of events, for clips of another speed",
             .details = kPatternHelp,
             .inputs = {clips}},
            Parts::Clips, &scale_events),
      edits({.name = "annotations sort", .summary = "sort events by time", .inputs = {clips}}, Parts::Clips,
            &sort_events),
      edits({.name = "annotations copy",
             .summary = "replace the events with those of another clip",
             .details = kPatternHelp,
             .inputs = {clips}},
            Parts::Clips, &copy_events),
      event_presets_row(),
  };
}

}  // namespace marrow
