// SPDX-License-Identifier: MIT
// Reports in words. Operations give data; this is how the command line says it.
#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "marrow/core/text.h"
#include "marrow/model/game.h"

namespace marrow::cli {
namespace {

std::string joined(const Json& names) {
  std::string text;
  for (const Json& name : names.items()) text += (text.empty() ? "" : ", ") + name.text();
  return text;
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// A number as JSON has it, in the fewest digits.
std::string number_text(const Json& number) { return to_text(number, false); }

std::string arrow(const ReportPlace& place) {
  return place.output.empty() ? place.path : place.path + " -> " + place.output;
}

std::string written_text(const ReportPlace& place, const Json&) { return arrow(place) + "\n"; }

std::string info_text(const ReportPlace& place, const Json& info) {
  std::string text = fmt::format("{}: {}", place.path, info["format"].text());
  if (info["game"].is_text()) text += ", " + info["game"].text();
  if (!info["version"].text().empty()) text += ", " + info["version"].text();
  if (info["pointer_size"].is_number()) text += fmt::format(", {} bit", 8 * info["pointer_size"].integer());
  text += "\n";
  for (const Json& skeleton : info["skeletons"].items()) {
    text +=
        fmt::format("  skeleton  {}, {} bones", skeleton["name"].text().empty() ? "(no name)" : skeleton["name"].text(),
                    skeleton["bones"].integer());
    if (skeleton["fx_bones"].integer() > 0) text += fmt::format(", {} FX", skeleton["fx_bones"].integer());
    text += "\n";
  }
  for (const Json& clip : info["clips"].items()) {
    text += fmt::format("  clip      {} frames, {:.3f} s, {} tracks", clip["frames"].integer(),
                        clip["duration_seconds"].number(), clip["tracks"].integer());
    if (clip["float_tracks"].integer() > 0) text += fmt::format(", {} floats", clip["float_tracks"].integer());
    if (clip["annotations"].integer() > 0) text += fmt::format(", {} annotations", clip["annotations"].integer());
    if (clip["root_motion"].boolean()) text += ", root motion";
    if (clip["additive"].boolean()) text += ", additive";
    text += "\n";
  }
  constexpr std::array kDetails = {"actors", "meshes", "systems", "bodies", "type", "id", "modifiers", "named"};
  for (const char* key : kDetails)
    if (info.contains(key)) text += fmt::format("  {:<9} {}\n", key, number_text(info[key]));
  std::string classes;
  for (const auto& [name, count] : info["classes"].members())
    classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", count.integer(), name);
  if (!classes.empty()) text += "  holds     " + classes + "\n";
  return text;
}

std::string merged_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{} files -> {}\n", report["files"].integer(), place.output);
}

std::string check_text(const ReportPlace& place, const Json& report) {
  std::string text;
  for (const Json& finding : report["findings"].items())
    text += fmt::format("{}: {} {}: {}{}\n", place.path, finding["level"].text(), finding["code"].text(),
                        finding["message"].text(),
                        finding["where"].text().empty() ? "" : "\n    at " + finding["where"].text());
  if (text.empty()) text = fmt::format("{}: ok\n", place.path);
  if (!report.contains("left")) return text;
  const bool is_clean = std::ranges::all_of(report["left"].items(),
                                            [](const Json& finding) { return finding["level"].text() == "info"; });
  return text + fmt::format("{}: written to {}, {}\n", place.path, place.output,
                            is_clean ? "clean now" : "not all could be mended");
}

std::string diff_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& each : report["differences"].items()) {
    std::string where = each["kind"].text();
    for (const char* key : {"object", "field"})
      if (!each[key].text().empty()) where += (key[0] == 'o' ? " " : ": ") + each[key].text();
    text += where + "\n";
    if (each["size"].is_number())
      text += fmt::format("  apart by {:.6g} {}\n", each["size"].number(), each["unit"].text());
    if (each["left"].is_text()) text += "  - " + each["left"].text() + "\n";
    if (each["right"].is_text()) text += "  + " + each["right"].text() + "\n";
  }
  return text;
}

std::string compress_text(const ReportPlace& place, const Json& report) {
  const double before = report["bytes_before"].number(), after = report["bytes_after"].number();
  std::string text =
      fmt::format("{}: {:.0f} -> {:.0f} bytes (x{:.3f})", place.path, before, after, after / std::max(before, 1.0));
  if (report["uncompressed"].boolean()) return text + ", every frame stored\n";
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
  if (report["left_out"].size() > 0) text += fmt::format("  left out  {}\n", joined(report["left_out"]));
  if (report["at_rest"].size() > 0) text += fmt::format("  at rest   {}\n", joined(report["at_rest"]));
  if (report["lost_floats"].size() > 0) text += fmt::format("  floats    lost: {}\n", joined(report["lost_floats"]));
  if (report["reach_misses"].integer() > 0)
    text += fmt::format("  feet      {} times out of reach, by {:.3f} units at the most\n",
                        report["reach_misses"].integer(), report["worst_reach_miss"].number());
  return text;
}

std::string mirror_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} pairs of bones exchanged, {} in the middle\n", arrow(place), report["pairs"].integer(),
                     report["centred"].integer());
}

std::string vector_text(const Json& v) {
  std::string text;
  for (const Json& number : v.items()) text += fmt::format("{}{:.4f}", text.empty() ? "" : ", ", number.number());
  return "(" + text + ")";
}

std::string trace_text(const Json& trace) {
  std::string text = fmt::format("  {}. {}", trace["order"].integer() + 1, trace["type"].text());
  if (!trace["ran"].boolean()) return text + ": rests (weight 0, or past its level of detail)\n";
  text += fmt::format(", weight {:g}{}\n", trace["weight"].number(),
                      trace["reset"].boolean() ? ", starts from the pose" : "");
  for (const char* name : {"input", "target", "result"})
    text += fmt::format("     {:<7} position {}, rotation {}\n", name, vector_text(trace[name]["position"]),
                        vector_text(trace[name]["rotation"]));
  text += fmt::format("     moved   {:.3f} degrees, {:.2f} mm", trace["moved_degrees"].number(),
                      1000.0 * trace["moved_metres"].number());
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

std::string stack_text(const ReportPlace& place, const Json& report) {
  const std::int64_t limit = report["limit"].integer();
  const auto row = [&](const Json& each, const std::string& root, const std::string& matched, std::int64_t added,
                       const std::string& modifiers, bool is_merged) {
    const std::int64_t left = limit - each["total"].integer();
    const std::string& path = each["path"].text();
    return fmt::format("{:<34} {:<16} {:>6} {:>8} {:>6} {:>6} {:>6} {:>10}{}\n",
                       path.substr(path.find_last_of("/\\") + 1), root, each["bones"].integer(), matched, added,
                       each["total"].integer(), left, modifiers, is_merged ? "" : "  DOES NOT FIT");
  };
  std::string text = fmt::format("{:<34} {:<16} {:>6} {:>8} {:>6} {:>6} {:>6} {:>10}\n", "skeleton", "hangs on",
                                 "bones", "matched", "new", "total", "left", "modifiers");
  const Json& base = report["base"];
  text += row(base, "(base)", "", base["bones"].integer(), std::to_string(base["modifiers_added"].integer()), true);
  for (const Json& addon : report["addons"].items())
    text += row(addon, addon["root"].text(), std::to_string(addon["matched"].integer()), addon["new"].integer(),
                fmt::format("+{}", addon["modifiers_added"].integer()), addon["merged"].boolean());
  const auto game = find_game(report["game"].text());
  text += fmt::format("{} of {} bones ({})\n", report["bones"].integer(), limit,
                      game ? title(*game) : "no game named: the limit of Unity and later");
  for (const Json& finding : report["findings"].items())
    if (finding["level"].text() == "error")
      text += fmt::format("{}: {}: {}\n", finding["where"].text(), finding["code"].text(), finding["message"].text());
  if (!place.output.empty()) text += fmt::format("-> {}\n", place.output);
  return text;
}

std::string addon_text(const ReportPlace& place, const Json& report) {
  return fmt::format(
      "{}: hangs on {}, {} bones, SkeletonType 8 (custom), id {}\n"
      "  The game loads it through a BuildTable: give the character's BuildTable a BuildColumn of type Skeleton whose\n"
      "  entry refers to this skeleton by its id. SkeletonKey is 0: nobody knows how the games compute it.\n",
      arrow(place), report["root"].text(), report["bones"].integer(), number_text(report["id"]));
}

std::string rig_edit_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}, {} bones\n", arrow(place), report["bones"].integer());
  for (const Json& change : report["changes"].items()) text += "  " + change.text() + "\n";
  for (const Json& user : report["breaks"].items())
    text += fmt::format("  breaks {}: {}\n", user["path"].text(), user["why"].text());
  return text;
}

std::string short_modifier(const Json& modifier) {
  std::string name = modifier["type"].text();
  if (name.ends_with("BoneModifier")) name.resize(name.size() - std::string_view("BoneModifier").size());
  return name;
}

std::string rig_list_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {} bones\n", place.path, report["bones"].size());
  for (const Json& bone : report["bones"].items()) {
    std::string line =
        fmt::format("{:>5}  {}{}", bone["index"].integer(),
                    std::string(2 * static_cast<std::size_t>(bone["depth"].integer()), ' '), bone["name"].text());
    std::string modifiers;
    for (const Json& modifier : bone["modifiers"].items())
      modifiers += (modifiers.empty() ? "" : ", ") + short_modifier(modifier);
    text += (modifiers.empty() ? line : fmt::format("{:<48} {}", line, modifiers)) + "\n";
  }
  return text;
}

std::string rig_show_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& bone : report["bones"].items()) {
    text +=
        fmt::format("{} (index {}, id {})\n", bone["name"].text(), bone["index"].integer(), number_text(bone["id"]));
    text +=
        fmt::format("  hangs on  {}\n", bone["parent"].is_text() ? bone["parent"].text() : "nothing: it is the root");
    if (bone["mirror"].is_text()) text += fmt::format("  mirror    {}\n", bone["mirror"].text());
    for (const char* space : {"local", "global"})
      text += fmt::format("  {:<9} position {}, rotation {}\n", space, vector_text(bone[space]["position"]),
                          vector_text(bone[space]["rotation"]));
    for (const Json& modifier : bone["modifiers"].items()) {
      text += fmt::format("  {}\n", short_modifier(modifier));
      for (const auto& [name, value] : modifier["fields"].members())
        text += fmt::format("    {:<32} {}{}\n", name, value.is_text() ? value.text() : to_text(value, false),
                            modifier["different"].contains(name) ? "" : "  (default)");
    }
  }
  return text;
}

std::string rig_fields_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& modifier : report["modifiers"].items()) {
    text += fmt::format("{}: {}\n", modifier["type"].text(), modifier["summary"].text());
    text += fmt::format("  games  {}\n", joined(modifier["games"]));
    for (const Json& field : modifier["fields"].items()) {
      std::string facts;
      if (!field["unit"].text().empty()) facts += field["unit"].text();
      if (field.contains("min"))
        facts +=
            fmt::format("{}{} to {}", facts.empty() ? "" : ", ", number_text(field["min"]), number_text(field["max"]));
      if (field.contains("choices")) facts += (facts.empty() ? "" : ", ") + joined(field["choices"]);
      if (!field["default"].is_null())
        facts += fmt::format("{}default {}", facts.empty() ? "" : ", ", to_text(field["default"], false));
      text += fmt::format("  {:<30} {}{}\n", field["name"].text(), field["help"].text(),
                          facts.empty() ? "" : " (" + facts + ")");
    }
  }
  return text;
}

std::string hash_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& name : report["names"].items())
    text += fmt::format("{}  {:>10}  {}  {}\n", name["name"].text(), name["hash"].integer(), name["hex"].text(),
                        name["known_as"].is_text() ? name["known_as"].text() : "(not in the table)");
  return text;
}

std::string body_text(const Json& body) {
  std::string text = fmt::format("  body {:<3} {:<9}", body["id"].integer(), body["motion"].text());
  if (body["mass"].number() > 0) text += fmt::format(" {} kg,", number_text(body["mass"]));
  if (const Json& shape = body["shape"]; shape.is_object()) {
    text += " " + shape["type"].text();
    if (shape["children"].integer() > 0) text += fmt::format(" of {}", shape["children"].integer());
    if (shape["triangles"].integer() > 0) text += fmt::format(", {} triangles", shape["triangles"].integer());
    text += ", " + body["material"].text();
  }
  text += ", " + body["layer"].text();
  if (body["node"].is_text()) text += ", on '" + body["node"].text() + "'";
  return text + "\n";
}

std::string collision_text(const ReportPlace& place, const Json& report) {
  std::string text;
  for (const Json& system : report["systems"].items()) {
    text += place.path;
    if (system["block"].is_number()) text += fmt::format(", block {}", system["block"].integer());
    text += fmt::format(": {}, {} bodies, {} constraints\n", system["kind"].text(), system["bodies"].size(),
                        system["constraints"].size());
    for (const Json& body : system["bodies"].items()) text += body_text(body);
  }
  return text.empty() ? place.path + ": no collision\n" : text;
}

std::string exported_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}, {} shapes\n", arrow(place), report["shapes"].integer());
}

std::string block_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: block {} -> {}\n", place.path, report["block"].integer(), place.output);
}

std::string set_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} changed\n", arrow(place), counted(report["bodies"].integer(), "body", "bodies"));
}

std::string build_text(const ReportPlace& place, const Json& report) {
  std::string text =
      fmt::format("{}: {} bodies, {} bytes\n", place.output, report["count"].integer(), report["bytes"].integer());
  for (const Json& body : report["bodies"].items())
    text += fmt::format("  body {:<3} {}\n", body["body"].integer(), body["name"].text());
  return text;
}

std::string knots_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {} frames, {}\n", place.path, report["frames"].integer(),
                                 report["compressed"].boolean() ? "splines" : "every frame is stored");
  for (const Json& track : report["tracks"].items())
    for (const Json& channel : track["channels"].items())
      if (channel["stored"].text() == "spline")
        text += fmt::format("  track {:<4} {:<14} degree {}, {} knots\n", track["track"].integer(), channel["name"].text(),
                            channel["degree"].integer(), channel["knots"].items().size());
  return text;
}

std::string boxes_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {} boxes\n", place.path, report["boxes"].items().size());
  for (const Json& box : report["boxes"].items()) {
    const Json &size = box["size"], &centre = box["centre"];
    text += fmt::format("  body {:<3} depth {:<2} at {:.1f} {:.1f} {:.1f}, {:.1f} x {:.1f} x {:.1f}\n", box["body"].integer(),
                        box["depth"].integer(), centre.items()[0].number(), centre.items()[1].number(),
                        centre.items()[2].number(), size.items()[0].number(), size.items()[1].number(),
                        size.items()[2].number());
  }
  return text;
}

std::string nothing(const ReportPlace&, const Json&) { return {}; }

struct WordingRow {
  std::string_view operation;
  Wording wording;
};

constexpr WordingRow kWordings[] = {
    {"info", info_text},
    {"convert", written_text},
    {"merge", merged_text},
    {"check", check_text},
    {"diff", diff_text},
    {"dump", nothing},
    {"retarget", retarget_text},
    {"sample", nothing},
    {"knots", knots_text},
    {"collision boxes", boxes_text},
    {"compress", compress_text},
    {"mirror", mirror_text},
    {"simulate", simulate_text},
    {"annotations list", events_text},
    {"annotations export", nothing},
    {"annotations import", edited_events_text},
    {"annotations add", edited_events_text},
    {"annotations remove", edited_events_text},
    {"annotations replace", edited_events_text},
    {"rig list", rig_list_text},
    {"rig show", rig_show_text},
    {"rig fields", rig_fields_text},
    {"rig merge", stack_text},
    {"rig plan", stack_text},
    {"rig new-addon", addon_text},
    {"rig extract-addon", addon_text},
    {"rig add-bone", rig_edit_text},
    {"rig remove-bone", rig_edit_text},
    {"rig rename", rig_edit_text},
    {"rig reparent", rig_edit_text},
    {"rig mirror", rig_edit_text},
    {"rig set", rig_edit_text},
    {"rig add-modifier", rig_edit_text},
    {"rig remove-modifier", rig_edit_text},
    {"rig copy-modifiers", rig_edit_text},
    {"rig to-game", rig_edit_text},
    {"rig hash", hash_text},
    {"collision list", collision_text},
    {"collision export", exported_text},
    {"collision extract", block_text},
    {"collision replace", block_text},
    {"collision attach", block_text},
    {"collision set", set_text},
    {"collision build", build_text},
};

}  // namespace

Wording find_wording(std::string_view operation) {
  const auto found = std::ranges::find(kWordings, operation, &WordingRow::operation);
  return found == std::end(kWordings) ? nullptr : found->wording;
}

}  // namespace marrow::cli
