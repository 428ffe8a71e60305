// SPDX-License-Identifier: MIT
// Reports in words. Operations give data; this is how the command line says it.
#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
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

template <std::integral Count>
std::string counted(Count count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// More findings of one kind than this are printed as one.
constexpr std::size_t kMostOfAKind = 3;

/// A number as JSON has it, in the fewest digits.
std::string number_text(const Json& number) { return to_text(number, false); }

std::string arrow(const ReportPlace& place) {
  return place.output.empty() ? place.path : place.path + " -> " + place.output;
}

std::string written_text(const ReportPlace& place, const Json& report) {
  if (report["unchanged"].boolean()) return place.is_one_of_many ? "" : place.path + ": right as it is\n";
  return arrow(place) + "\n";
}

std::string vector_text(const Json& v) {
  std::string text;
  for (const Json& number : v.items()) text += fmt::format("{}{:.4f}", text.empty() ? "" : ", ", number.number());
  return "(" + text + ")";
}

std::string bone_table_text(const Json& table) {
  std::string text;
  for (const Json& bone : table.items()) {
    text += fmt::format("    {:>4} {:>6}  {:<36} {} {}", bone["index"].integer(),
                        bone["parent"].is_number() ? std::to_string(bone["parent"].integer()) : "-",
                        bone["name"].text(), vector_text(bone["position"]), vector_text(bone["rotation"]));
    const bool is_scaled =
        std::ranges::any_of(bone["scale"].items(), [](const Json& n) { return std::abs(n.number() - 1.0) > 1e-4; });
    if (is_scaled) text += " scale " + vector_text(bone["scale"]);
    if (bone["flags"].size() > 0) text += " " + joined(bone["flags"]);
    text += "\n";
  }
  return text.empty() ? text : "    bone parent  name, position and rotation at rest, flags\n" + text;
}

std::string clip_details_text(const Json& clip) {
  std::string text = "           ";
  if (!clip["skeleton"].text().empty()) text += fmt::format(" for {},", clip["skeleton"].text());
  text += fmt::format(" blend {}, {}", clip["blend_hint"].text(), clip["encoding"].text());
  if (clip["encodings"].size() > 0) text += ": " + joined(clip["encodings"]);
  text += "\n";
  const Json& bytes = clip["bytes"];
  if (bytes["total"].integer() == 0) return text;
  text += fmt::format("            {} bytes of motion", bytes["total"].integer());
  std::string parts;
  for (const char* kind : {"translation", "rotation", "scale", "floats", "masks"})
    if (bytes[kind].integer() > 0)
      parts += fmt::format("{}{} {}", parts.empty() ? ": " : ", ", kind, bytes[kind].integer());
  return text + parts + "\n";
}

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
    text += "\n" + bone_table_text(skeleton["table"]);
  }
  for (const Json& clip : info["clips"].items()) {
    text += fmt::format("  clip      {} frames, {:.3f} s", clip["frames"].integer(), clip["duration_seconds"].number());
    if (clip["frames_per_second"].number() > 0)
      text += fmt::format(", {:.4g} per second", clip["frames_per_second"].number());
    text += fmt::format(", {} tracks", clip["tracks"].integer());
    if (clip["float_tracks"].integer() > 0) text += fmt::format(", {} floats", clip["float_tracks"].integer());
    if (clip["annotations"].integer() > 0)
      text += fmt::format(", {} annotations from {:.3f} to {:.3f} s", clip["annotations"].integer(),
                          clip["first_annotation"].number(), clip["last_annotation"].number());
    if (clip["root_motion"].boolean()) text += ", root motion";
    if (clip["additive"].boolean()) text += ", additive";
    text += "\n" + clip_details_text(clip);
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
  const auto kind_of = [](const Json& finding) { return finding["level"].text() + " " + finding["code"].text(); };
  std::map<std::string, std::size_t> counts;
  for (const Json& finding : report["findings"].items()) ++counts[kind_of(finding)];
  std::string text;
  for (const Json& finding : report["findings"].items()) {
    std::size_t& count = counts[kind_of(finding)];
    if (count == 0) continue;  // one of a group that has been printed
    const bool is_group = !place.lists_all && count > kMostOfAKind;
    const std::string& where = finding["where"].text();
    text += fmt::format("{}: {}: {}", place.path, kind_of(finding), finding["message"].text());
    if (is_group)
      text +=
          fmt::format("\n    {} of this kind{}; --all lists each", count, where.empty() ? "" : ", first at " + where);
    else if (!where.empty())
      text += "\n    at " + where;
    text += "\n";
    if (is_group) count = 0;
  }
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

std::string presets_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& preset : report["presets"].items()) {
    text += fmt::format("{}: {}\n", preset["name"].text(), preset["summary"].text());
    for (std::string_view rest = preset["text"].text(); !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      text += fmt::format("  {}\n", rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return text;
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
  std::string text = fmt::format("{:<34} {:<16} {:>6} {:>8} {:>6} {:>6} {:>6} {:>10}\n", "skeleton", "attached to",
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
      "{}: attached to {}, {} bones, SkeletonType 8 (custom), id {}\n"
      "  The game loads it through a BuildTable: give the character's BuildTable a BuildColumn of type Skeleton whose\n"
      "  entry refers to this skeleton by its id. SkeletonKey is 0: how the games compute it is not known.\n",
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

std::string file_name(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

std::string rig_list_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {} bones\n", place.path, report["bones"].size());
  for (const Json& bone : report["bones"].items()) {
    std::string line =
        fmt::format("{:>5}  {}{}", bone["index"].integer(),
                    std::string(2 * static_cast<std::size_t>(bone["depth"].integer()), ' '), bone["name"].text());
    std::string remarks;
    for (const Json& modifier : bone["modifiers"].items())
      remarks += (remarks.empty() ? "" : ", ") + short_modifier(modifier);
    // Of a stack, bones of addons name their file.
    if (bone["origin"].text() != place.path) remarks += fmt::format("  ({})", file_name(bone["origin"].text()));
    text += (remarks.empty() ? line : fmt::format("{:<48} {}", line, remarks)) + "\n";
  }
  return text;
}

std::string plain_text(const Json& value) { return value.is_text() ? value.text() : to_text(value, false); }

std::string modifier_text(const Json& modifier) {
  std::string text = fmt::format("  {}\n", short_modifier(modifier));
  for (const auto& [name, value] : modifier["fields"].members()) {
    const std::string unit = modifier["units"].contains(name) ? " " + modifier["units"][name].text() : "";
    std::string line = fmt::format("    {:<32} {}{}", name, plain_text(value), unit);
    line += modifier["different"].contains(name)
                ? fmt::format("  (default: {})", plain_text(modifier["defaults"][name]))
                : std::string("  (default)");
    text += line + "\n";
  }
  return text;
}

std::string skeleton_text(const ReportPlace& place, const Json& skeleton) {
  std::string text = place.path + "\n";
  for (const auto& [name, value] : skeleton.members()) {
    if (!value.is_object()) text += fmt::format("  {:<38} {}\n", name, value.is_null() ? "none" : plain_text(value));
    for (const auto& [path, inner] : value.members())
      text += fmt::format("  {:<38} {}\n", name + (path.starts_with('@') ? "" : ".") + path, plain_text(inner));
  }
  return text;
}

std::string rig_show_text(const ReportPlace& place, const Json& report) {
  if (report["bones"].size() == 0) return skeleton_text(place, report["skeleton"]);
  std::string text;
  for (const Json& bone : report["bones"].items()) {
    text +=
        fmt::format("{} (index {}, id {})\n", bone["name"].text(), bone["index"].integer(), number_text(bone["id"]));
    text += fmt::format("  parent    {}\n", bone["parent"].is_text() ? bone["parent"].text() : "none: it is the root");
    if (bone["mirror"].is_text()) text += fmt::format("  mirror    {}\n", bone["mirror"].text());
    for (const char* space : {"local", "global"})
      text += fmt::format("  {:<9} position {} m, rotation {}\n", space, vector_text(bone[space]["position"]),
                          vector_text(bone[space]["rotation"]));
    for (const auto& [name, value] : bone["fields"].members())
      text += fmt::format("  {:<34} {}\n", name, plain_text(value));
    for (const Json& modifier : bone["modifiers"].items()) text += modifier_text(modifier);
  }
  return text;
}

std::string applied_text(const ReportPlace& place, const Json& report) {
  std::string text =
      fmt::format("{}: {} added\n", arrow(place), counted(report["modifiers"].size(), "modifier", "modifiers"));
  for (const Json& modifier : report["modifiers"].items())
    text += fmt::format("  {} on {}\n", short_modifier(modifier), modifier["bone"].text());
  for (const Json& change : report["changes"].items()) text += "  " + change.text() + "\n";
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
      if (field.contains("start")) facts += fmt::format(", new ones start with {}", number_text(field["start"]));
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
  std::string facts;
  const auto add = [&](const std::string& fact) { facts += (facts.empty() ? "" : ", ") + fact; };
  if (const Json& size = body["shape"]["size"]; size.size() == 3)
    add(fmt::format("size {:.4g} x {:.4g} x {:.4g} around {}", size.items()[0].number(), size.items()[1].number(),
                    size.items()[2].number(), vector_text(body["shape"]["center"])));
  for (const char* field : {"friction", "restitution"})
    if (body[field].is_number()) add(fmt::format("{} {:.4g}", field, body[field].number()));
  return text + (facts.empty() ? "\n" : "\n           " + facts + "\n");
}

std::string joint_text(std::size_t index, const Json& joint) {
  constexpr double kDegrees = 57.29577951308232;
  std::string text =
      fmt::format("  joint {:<2} {}, body {} to {}", index, joint["type"].text(), joint["body_a"].integer(),
                  joint["body_b"].is_number() ? fmt::format("body {}", joint["body_b"].integer()) : "the world");
  for (const char* field : {"angle", "twist", "plane"})
    if (const Json& range = joint[field]; range.size() == 2)
      text += fmt::format(", {} {:.4g} to {:.4g}", field, kDegrees * range.items()[0].number(),
                          kDegrees * range.items()[1].number());
  if (joint["cone"].is_number()) text += fmt::format(", cone {:.4g}", kDegrees * joint["cone"].number());
  if (joint.contains("angle") || joint.contains("cone")) text += " degrees";
  if (joint["friction_torque"].is_number()) text += fmt::format(", friction {:.4g}", joint["friction_torque"].number());
  if (joint["break_threshold"].is_number())
    text += fmt::format(", breaks at {:.4g}", joint["break_threshold"].number());
  return text + "\n";
}

std::string collision_text(const ReportPlace& place, const Json& report) {
  std::string text;
  for (const Json& system : report["systems"].items()) {
    text += place.path;
    if (system["block"].is_number()) text += fmt::format(", block {}", system["block"].integer());
    text += fmt::format(": {}, {}, {}\n", system["kind"].text(), counted(system["bodies"].size(), "body", "bodies"),
                        counted(system["constraints"].size(), "constraint", "constraints"));
    for (const Json& body : system["bodies"].items()) text += body_text(body);
    for (std::size_t i = 0; i < system["constraints"].size(); ++i)
      text += joint_text(i, system["constraints"].items()[i]);
  }
  if (const Json& legacy = report["legacy"]; legacy.size() > 0)
    text += fmt::format("{}: {} from before Fallout 4, which the game does not load\n", place.path,
                        counted(legacy.size(), "collision object", "collision objects"));
  for (const Json& each : report["legacy"].items()) {
    text += fmt::format("  block {:<3} {}", each["block"].integer(), each["type"].text());
    for (const char* field : {"body", "shape"})
      if (each[field].is_text() && each[field] != each["type"]) text += ", " + each[field].text();
    if (each["layer"].is_text()) text += ", layer " + each["layer"].text();
    if (each["node"].is_text()) text += ", on '" + each["node"].text() + "'";
    text += "\n";
  }
  return text.empty() ? place.path + ": no collision\n" : text;
}

std::string joint_details(const Json& joint) {
  const auto end = [](const Json& body, const Json& node) {
    if (!body.is_number()) return std::string("the world");
    return fmt::format("body {}{}", body.integer(), node.is_text() ? " '" + node.text() + "'" : "");
  };
  std::string text = fmt::format("  joint {:<2} {}, {} to {}\n", joint["joint"].integer(), joint["type"].text(),
                                 end(joint["body"], joint["node"]), end(joint["to"], joint["to_node"]));
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("    {:<9} {}\n", name, value);
  };
  for (const auto& [name, a, b] : {std::array{"pivot", "pivot", "to_pivot"}, std::array{"axis", "axis", "to_axis"},
                                   std::array{"normal", "normal", "to_normal"}})
    if (joint[a].size() == 3)
      line(name, vector_text(joint[a]) + " on the body, " + vector_text(joint[b]) + " on the other");
  for (const char* range : {"twist", "plane", "angle", "distance"})
    if (const Json& both = joint[range]; both.size() == 2)
      line(range, fmt::format("{:.4g} to {:.4g} {}", both.items()[0].number(), both.items()[1].number(),
                              std::string_view(range) == "distance" ? "game units" : "degrees"));
  if (joint["cone"].is_number()) line("cone", fmt::format("{:.4g} degrees", joint["cone"].number()));
  if (joint["friction"].is_number()) line("friction", fmt::format("{:.4g}", joint["friction"].number()));
  if (joint["break_threshold"].is_number()) line("breaks at", fmt::format("{:.4g}", joint["break_threshold"].number()));
  for (const Json& motor : joint["motors"].items()) {
    std::string facts = fmt::format("{} of {}, {}", motor["type"].text(), motor["drives"].text(),
                                    joint["motors_on"].boolean() ? "on" : "off");
    if (motor["max_force"].is_number())
      facts += fmt::format(", force {:.4g} to {:.4g}", motor["min_force"].number(), motor["max_force"].number());
    for (const char* field : {"stiffness", "damping"})
      if (motor[field].is_number()) facts += fmt::format(", {} {:.4g}", field, motor[field].number());
    line("motor", facts);
  }
  return text;
}

std::string joints_text(const ReportPlace& place, const Json& report) {
  std::string text;
  std::optional<Json> block;
  for (const Json& joint : report["joints"].items()) {
    if (!block || *block != joint["block"]) {
      block = joint["block"];
      text += place.path + (block->is_number() ? fmt::format(", block {}", block->integer()) : "") + ":\n";
    }
    text += joint_details(joint);
  }
  return text.empty() ? place.path + ": no joints\n" : text;
}

std::string edited_joints_text(const ReportPlace& place, const Json& report) {
  std::string numbers;
  for (const Json& joint : report["joints"].items()) numbers += (numbers.empty() ? "" : ", ") + number_text(joint);
  return fmt::format("{}: joint {}\n", arrow(place), numbers);
}

std::string ragdoll_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {}, {}\n", arrow(place), counted(report["bodies"].integer(), "body", "bodies"),
                                 counted(report["joints"].integer(), "joint", "joints"));
  for (const Json& bone : report["bones"].items())
    text += fmt::format("  body {:<3} {}, {} kg{}\n", bone["body"].integer(), bone["bone"].text(),
                        number_text(bone["mass"]), bone["mirrored"].boolean() ? ", mirrored" : "");
  return text;
}

std::string exported_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}, {} shapes\n", arrow(place), report["shapes"].integer());
}

std::string block_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: block {} -> {}\n", place.path, report["block"].integer(), place.output);
}

std::string replace_text(const ReportPlace& place, const Json& report) {
  if (report["block"].is_number()) return block_text(place, report);
  std::string text = fmt::format("{}: {} changed\n", arrow(place), counted(report["changed"].size(), "body", "bodies"));
  for (const Json& body : report["changed"].items())
    text += fmt::format("  body {:<3} {}, {}\n", body["body"].integer(), body["name"].text(), body["shape"].text());
  return text;
}

std::string extract_text(const ReportPlace& place, const Json& report) {
  std::string blocks;
  for (const Json& block : report["blocks"].items())
    blocks += fmt::format("{}{}", blocks.empty() ? "" : ", ", block.integer());
  return fmt::format("{}: block {} -> {}\n", place.path, blocks, place.output);
}

std::string one_body_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: body {}", arrow(place), report["body"].integer());
  if (report["block"].is_number()) text += fmt::format(" of block {}", report["block"].integer());
  if (report["shape"].is_text()) text += ", " + report["shape"].text();
  return text + "\n";
}

std::string detach_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: off {}\n", arrow(place), joined(report["nodes"]));
}

std::string materials_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& material : report["materials"].items())
    text +=
        fmt::format("{:<36} {:<32} {}\n", material["name"].text(), material["plain"].text(), material["crc"].text());
  return text;
}

std::string layers_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& layer : report["layers"].items())
    text += fmt::format("{:>3}  {}\n", layer["number"].integer(), layer["name"].text());
  return text;
}

std::string set_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} changed\n", arrow(place), counted(report["bodies"].integer(), "body", "bodies"));
}

std::string build_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {}, {} bytes\n", place.output,
                                 counted(report["count"].integer(), "body", "bodies"), report["bytes"].integer());
  for (const Json& body : report["bodies"].items())
    text += fmt::format("  body {:<3} {}\n", body["body"].integer(), body["name"].text());
  for (const Json& one : report["decompositions"].items())
    text += fmt::format("  {}: {} hulls, volume {:+.1f} %, at most {:.2f} units off, {:.1f} % covered\n",
                        one["object"].text(), one["hulls"].integer(), 100.0 * one["volume_error"].number(),
                        one["worst_distance"].number(), 100.0 * one["coverage"].number());
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

std::string boxes_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {} boxes\n", place.path, report["boxes"].items().size());
  for (const Json& box : report["boxes"].items()) {
    const Json &size = box["size"], &centre = box["centre"];
    text += fmt::format("  body {:<3} depth {:<2} at {:.1f} {:.1f} {:.1f}, {:.1f} x {:.1f} x {:.1f}\n",
                        box["body"].integer(), box["depth"].integer(), centre.items()[0].number(),
                        centre.items()[1].number(), centre.items()[2].number(), size.items()[0].number(),
                        size.items()[1].number(), size.items()[2].number());
  }
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
    {"floats set", floats_text},
    {"floats import", floats_text},
    {"floats remove", floats_text},
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
    {"rig apply", applied_text},
    {"rig extract-modifiers", nothing},
    {"rig edit", rig_edit_text},
    {"rig to-game", rig_edit_text},
    {"rig hash", hash_text},
    {"collision list", collision_text},
    {"collision export", exported_text},
    {"collision extract", extract_text},
    {"collision replace", replace_text},
    {"collision attach", block_text},
    {"collision detach", detach_text},
    {"collision set-shape", one_body_text},
    {"collision add-body", one_body_text},
    {"collision remove-body", one_body_text},
    {"collision set", set_text},
    {"collision joints", joints_text},
    {"collision add-joint", edited_joints_text},
    {"collision set-joint", edited_joints_text},
    {"collision remove-joint", edited_joints_text},
    {"collision ragdoll", ragdoll_text},
    {"collision build", build_text},
    {"collision materials", materials_text},
    {"collision layers", layers_text},
};

}  // namespace

Wording find_wording(std::string_view operation) {
  const auto found = std::ranges::find(kWordings, operation, &WordingRow::operation);
  return found == std::end(kWordings) ? nullptr : found->wording;
}

}  // namespace marrow::cli
