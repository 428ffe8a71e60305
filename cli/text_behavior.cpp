// SPDX-License-Identifier: MIT
// What is said about behaviours.
#include <fmt/format.h>

#include <map>

#include "text_words.h"

namespace marrow::cli {
namespace {

std::string value_text(const Json& value) { return value.is_text() ? value.text() : to_text(value, false); }

std::string machine_text(const Json& machine) {
  std::string text = fmt::format("  machine {} \"{}\", starts in {}\n", machine["node"].text(), machine["name"].text(),
                                 machine["start"].integer());
  for (const Json& state : machine["states"].items())
    text += fmt::format("    state {:>3} {} \"{}\" plays {}\n", state["id"].integer(), state["node"].text(),
                        state["name"].text(), state["generator"].is_text() ? state["generator"].text() : "nothing");
  for (const Json& each : machine["transitions"].items())
    text += fmt::format("    {} -> {} on {}{}\n",
                        each["from"].is_number() ? std::to_string(each["from"].integer()) : std::string("any"),
                        each["to"].integer(), each["event"].is_text() ? each["event"].text() : "no event",
                        each["condition"].is_text() ? " if " + each["condition"].text() : std::string());
  return text;
}

std::string behavior_list_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {}, {}\n", place.path, report["kind"].text(),
                                 counted(report["nodes"].integer(), "node", "nodes"));
  for (const char* key : {"rig", "ragdoll", "behavior"})
    if (report[key].is_text()) text += fmt::format("  {}: {}\n", key, report[key].text());
  for (const char* key : {"characters", "references", "animations"})
    for (const Json& each : report[key].items()) text += fmt::format("  {}: {}\n", key, each.text());
  for (const Json& each : report["events"].items()) text += "  event " + each.text() + "\n";
  for (const Json& each : report["variables"].items())
    text += fmt::format("  variable {} {} = {}\n", each["type"].text(), each["name"].text(), value_text(each["value"]));
  for (const Json& each : report["properties"].items())
    text += fmt::format("  property {}\n", each.is_text() ? each.text() : each["name"].text());
  for (const Json& clip : report["clips"].items())
    text +=
        fmt::format("  clip {} \"{}\" {}, {}, {}\n", clip["node"].text(), clip["name"].text(), clip["animation"].text(),
                    clip["mode"].text(), counted(clip["triggers"].size(), "trigger", "triggers"));
  for (const Json& machine : report["machines"].items()) text += machine_text(machine);
  return text;
}

std::string behavior_find_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {}\n", place.path, counted(report["uses"].size(), "use", "uses"));
  for (const Json& use : report["uses"].items())
    text += fmt::format("  {} {} {}\n", use["node"].text(), use["class"].text(), use["field"].text());
  return text;
}

std::string behavior_edit_text(const ReportPlace& place, const Json& report) {
  std::string text = arrow(place) + "\n";
  for (const Json& change : report["changes"].items()) text += "  " + change.text() + "\n";
  return text;
}

constexpr WordingRow kBehaviorWordings[] = {{"behavior list", behavior_list_text},
                                            {"behavior find", behavior_find_text},
                                            {"behavior add-event", behavior_edit_text},
                                            {"behavior add-variable", behavior_edit_text},
                                            {"behavior add-animation", behavior_edit_text},
                                            {"behavior add-clip", behavior_edit_text},
                                            {"behavior add-state", behavior_edit_text},
                                            {"behavior add-transition", behavior_edit_text},
                                            {"behavior set", behavior_edit_text},
                                            {"behavior remove", behavior_edit_text},
                                            {"behavior rename", behavior_edit_text},
                                            {"behavior edit", behavior_edit_text},
                                            {"behavior graph", nothing},
                                            {"behavior run", nothing}};

}  // namespace

std::span<const WordingRow> behavior_wordings() { return kBehaviorWordings; }

}  // namespace marrow::cli
