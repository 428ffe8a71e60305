// SPDX-License-Identifier: MIT
// What is said about clips: encoding, events, motion.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/lines.h"
#include "text_words.h"

namespace marrow::cli {
namespace {

std::string compress_text(const ReportPlace& place, const Json& report) {
  const double before = report["bytes_before"].number(), after = report["bytes_after"].number();
  std::string text =
      fmt::format("{}: {:.0f} -> {:.0f} bytes (x{:.3f})", place.path, before, after, after / std::max(before, 1.0));
  if (report["uncompressed"].boolean()) return text + ", every frame stored\n";
  const auto is_kept = [](const Json& clip) { return clip["kept"].boolean(); };
  if (report["kept"].boolean() || std::ranges::all_of(report["clips"].items(), is_kept))
    return text + ", kept as it is\n";
  const auto worst = [&](const char* key) {
    double most = 0.0;
    for (const Json& clip : report["clips"].items()) most = std::max(most, clip[key].number());
    return most;
  };
  text += fmt::format(", worst {:.4f} deg {:.5f} units", worst("rotation_error_degrees"), worst("position_error"));
  if (worst("scale_error") > 0) text += fmt::format(" {:.5f} scale", worst("scale_error"));
  if (worst("float_error") > 0) text += fmt::format(" {:.5f} float", worst("float_error"));
  if (std::ranges::any_of(report["clips"].items(), [](const Json& clip) { return clip.contains("model_error"); }))
    text += fmt::format(", {:.4f} units in model space", worst("model_error"));
  return text + "\n";
}

std::string retarget_text(const ReportPlace& place, const Json& report) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const Json& bone : report["bones"].items())
    by_reason[bone["reason"].text()].push_back(bone["from"].text() + " = " + bone["to"].text());
  std::string text =
      arrow(place) + fmt::format("\n  mapped    {} of {} bones; lengths times {:.4f}\n", report["bones"].size(),
                                 report["target_bones"].integer(), report["scale"].number());
  for (const auto& [reason, names] : by_reason) {
    const bool is_listed = reason == "guessed" || reason == "given";
    text += fmt::format("  {:<9} {} bones{}\n", reason, names.size(),
                        is_listed ? fmt::format(": {}", fmt::join(names, ", ")) : "");
  }
  text += fmt::format("  limbs     {} of {} bones mapped{}\n", report["mapped_limb_bones"].integer(),
                      report["limb_bones"].integer(),
                      report["relative"].boolean() ? "; one body is upright, so bones turn from their own rest" : "");
  if (!report["source_rig"].text().empty())
    text += fmt::format("  rigs      {} to {}\n", report["source_rig"].text(),
                        report["target_rig"].text().empty() ? "a rig of its own" : report["target_rig"].text());
  if (report["moved"].is_array()) text += fmt::format("  moved     {} as root motion\n", vector_text(report["moved"]));
  if (report["left_out"].size() > 0) text += fmt::format("  left out  {}\n", joined(report["left_out"]));
  if (report["at_rest"].size() > 0) text += fmt::format("  at rest   {}\n", joined(report["at_rest"]));
  if (report["lost_floats"].size() > 0) text += fmt::format("  floats    lost: {}\n", joined(report["lost_floats"]));
  text += fmt::format(
      "  error     directions {:.2f} degrees on average, {:.2f} at worst{}; feet {:.2f} % of a leg on average, "
      "{:.2f} % at worst\n",
      report["mean_direction_error"].number(), report["worst_direction_error"].number(),
      report["worst_direction_bone"].text().empty() ? "" : " at " + report["worst_direction_bone"].text(),
      report["mean_contact_error"].number(), report["worst_contact_error"].number());
  return text;
}

std::string mirror_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} pairs of bones exchanged, {} in the middle\n", arrow(place), report["pairs"].integer(),
                     report["centred"].integer());
}

// Numbers of an explanation are those of its JSON, to the last digit.
std::string exact_text(const Json& v) {
  std::string text;
  for (const Json& number : v.items()) (text += text.empty() ? "" : ", ") += number_text(number);
  return "(" + text + ")";
}

std::string trace_text(const Json& trace) {
  std::string text = fmt::format("  {}. {}", trace["order"].integer() + 1, trace["type"].text());
  if (!trace["ran"].boolean()) return text + ": rests (weight 0, or past its level of detail)\n";
  text += fmt::format(", weight {}{}\n", number_text(trace["weight"]),
                      trace["reset"].boolean() ? ", starts from the pose" : "");
  for (const char* name : {"input", "target", "result"})
    text += fmt::format("     {:<7} position {}, rotation {}\n", name, exact_text(trace[name]["position"]),
                        exact_text(trace[name]["rotation"]));
  text += fmt::format("     moved   {} degrees, {} metres", number_text(trace["moved_degrees"]),
                      number_text(trace["moved_metres"]));
  const Json& scale = trace["target"]["scale"];
  if (std::ranges::any_of(scale.items(), [](const Json& n) { return n.number() != 1.0; }))
    text += ", scale " + vector_text(scale);
  return text + fmt::format("; limit hit: {}\n", trace["limit"].text());
}

std::string simulate_text(const ReportPlace& place, const Json& report) {
  std::string text;
  const double fps = report["fps"].number();
  if (!place.output.empty()) {
    text = fmt::format("{}: {} at {:g} per second, {}", arrow(place),
                       counted(report["frames"].integer(), "frame", "frames"), fps,
                       counted(report["modifiers"].integer(), "modifier", "modifiers"));
    if (report["clips"].size() > 1) text += fmt::format(", {} clips", report["clips"].size());
    if (report["loop"]["closed"].boolean())
      text += ", a loop after " + counted(report["loop"]["rounds"].integer(), "round", "rounds");
    text += "\n";
  }
  if (!report.contains("explain")) return text;
  const Json& explain = report["explain"];
  text += fmt::format("{}, frame {} ({:.4f} s)\n", explain["bone"].text(), explain["frame"].integer(),
                      explain["frame"].number() / fps);
  if (explain["modifiers"].size() == 0) text += "  no modifier is on it\n";
  for (const Json& trace : explain["modifiers"].items()) text += trace_text(trace);
  return text;
}

std::string events_text(const ReportPlace& place, const Json& report) {
  std::string text = place.is_one_of_many ? place.path + "\n" : "";
  for (const Json& event : report["annotations"].items()) {
    if (event["clip"].integer() > 0) text += fmt::format("clip {} ", event["clip"].integer());
    if (event["track"].integer() > 0) text += fmt::format("track {} ", event["track"].integer());
    text += number_text(event["time"]) + " " + event["text"].text() + "\n";
  }
  return text;
}

std::string edited_events_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} changed\n", arrow(place), counted(report["events"].integer(), "event", "events"));
}

// The events of the text take the place of all that were there, the same ones or others.
std::string imported_events_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} imported\n", arrow(place), counted(report["events"].integer(), "event", "events"));
}

std::string presets_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& preset : report["presets"].items()) {
    text += fmt::format("{}: {}\n", preset["name"].text(), preset["summary"].text());
    for (const TextLine& line : Lines(preset["text"].text())) text += fmt::format("  {}\n", line.text);
  }
  return text;
}

std::string knots_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {} frames, {}\n", place.path, report["frames"].integer(),
                                 report["compressed"].boolean() ? "splines" : "every frame is stored");
  for (const Json& track : report["tracks"].items())
    for (const Json& channel : track["channels"].items())
      if (channel["stored"].text() == "spline")
        text += fmt::format("  track {:<4} {:<14} degree {}, {} knots\n", track["track"].integer(),
                            channel["name"].text(), channel["degree"].integer(), channel["knots"].items().size());
  return text;
}

std::string pair_text(const ReportPlace& place, const Json& report) {
  const Json& at = report["place"];
  const auto number = [&](std::size_t i) { return at.items()[i].number(); };
  return fmt::format("{}: {} frames, {} and {} bones; the second actor stands at {:.2f},{:.2f},{:.2f},{:.1f}\n",
                     arrow(place), report["frames"].integer(), report["first_tracks"].integer(),
                     report["second_tracks"].integer(), number(0), number(1), number(2), number(3));
}

std::string root_motion_text(const ReportPlace& place, const Json& report) {
  if (!report["has_motion"].boolean())
    return fmt::format("{}: {}\n", arrow(place),
                       report["had_motion"].boolean() ? "no root motion any more" : "no root motion");
  return fmt::format("{}: moves by {}, turns by {:.2f} degrees\n", arrow(place), vector_text(report["moved"]),
                     report["turned_degrees"].number());
}

std::string floats_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} float tracks, {} changed\n", arrow(place), report["tracks"].integer(),
                     report["changed"].integer());
}

constexpr WordingRow kClipWordings[] = {
    {"retarget", retarget_text},
    {"sample", nothing},
    {"knots", knots_text},
    {"compress", compress_text},
    {"mirror", mirror_text},
    {"simulate", simulate_text},
    {"annotations list", events_text},
    {"annotations export", nothing},
    {"annotations import", imported_events_text},
    {"annotations add", edited_events_text},
    {"annotations remove", edited_events_text},
    {"annotations replace", edited_events_text},
    {"annotations shift", edited_events_text},
    {"annotations scale", edited_events_text},
    {"annotations sort", edited_events_text},
    {"annotations copy", edited_events_text},
    {"annotations presets", presets_text},
    {"pair join", pair_text},
    {"pair split", pair_text},
    {"pair swap", pair_text},
    {"root-motion show", nothing},
    {"root-motion set", root_motion_text},
    {"root-motion extract", root_motion_text},
    {"root-motion bake", root_motion_text},
    {"root-motion scale", root_motion_text},
    {"root-motion remove", root_motion_text},
    {"root-motion to-annotations", root_motion_text},
    {"root-motion from-annotations", root_motion_text},
    {"floats set", floats_text},
    {"floats import", floats_text},
    {"floats remove", floats_text},
};

}  // namespace

std::span<const WordingRow> clip_wordings() { return kClipWordings; }

}  // namespace marrow::cli
