// SPDX-License-Identifier: MIT
// What is said about whole files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "cure.h"
#include "text_words.h"

namespace marrow::cli {
namespace {

/// More findings of one kind than this are printed as one.
constexpr std::size_t kMostOfAKind = 3;

// Returns what a port made of things, those that became the same in one line.
std::string changed_text(const Json& changes) {
  constexpr std::size_t kMostNames = 3;
  std::map<std::string, std::vector<std::string>> places;
  std::vector<std::string> order;
  for (const Json& each : changes.items()) {
    const std::string kind = fmt::format("{}: {} -> {}", each["what"].text(), each["from"].text(), each["to"].text());
    std::vector<std::string>& own = places[kind];
    if (own.empty()) order.push_back(kind);
    own.push_back(each["where"].text());
  }
  std::string text;
  for (const std::string& kind : order) {
    const std::vector<std::string>& own = places[kind];
    std::string names;
    for (std::size_t i = 0; i < std::min(own.size(), kMostNames); ++i) names += (i == 0 ? "" : ", ") + own[i];
    if (own.size() > kMostNames) names += fmt::format(" and {} more", own.size() - kMostNames);
    text += fmt::format("    {} ({})\n", kind, names);
  }
  return text;
}

std::string written_text(const ReportPlace& place, const Json& report) {
  if (report["unchanged"].boolean()) return place.is_one_of_many ? "" : place.path + ": right as it is\n";
  return arrow(place) + "\n" + changed_text(report["changed"]);
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

// Returns what a project, character or behaviour is about, in a line.
std::string about_text(const Json& about) {
  const std::string& kind = about["kind"].text();
  if (kind.empty()) return {};
  if (kind == "project") return fmt::format("  project   of {}\n", joined(about["characters"]));
  if (kind == "character")
    return fmt::format("  character {}: rig {}, behaviour {}, {} animations\n", about["name"].text(),
                       about["rig"].text(), about["behavior"].text(), about["animations"].integer());
  std::string text = fmt::format("  behaviour {}: {} events, {} variables, {} machines, {} states, {} clips\n",
                                 about["name"].text(), about["events"].integer(), about["variables"].integer(),
                                 about["machines"].integer(), about["states"].integer(), about["clips"].integer());
  if (about["references"].size() > 0) text += fmt::format("            refers to {}\n", joined(about["references"]));
  return text;
}

std::string info_text(const ReportPlace& place, const Json& info) {
  std::string text = fmt::format("{}: {}", place.path, info["format"].text());
  if (info["game"].is_text()) text += ", " + info["game"].text();
  if (info["version"].is_number()) text += ", version " + number_text(info["version"]);
  if (!info["version"].text().empty()) text += ", " + info["version"].text();
  if (info["pointer_size"].is_number()) text += fmt::format(", {} bit", 8 * info["pointer_size"].integer());
  if (info["endian"].text() == "big") text += ", big-endian";
  if (info["layout"].size() == 4 && info["layout"].items()[2].integer() == 1) text += ", reused padding";
  if (info["known_as"].is_text()) text += ", as in " + info["known_as"].text();
  text += "\n";
  for (const Json& skeleton : info["skeletons"].items()) {
    text +=
        fmt::format("  skeleton  {}, {} bones", skeleton["name"].text().empty() ? "(no name)" : skeleton["name"].text(),
                    skeleton["bones"].integer());
    if (skeleton["fx_bones"].integer() > 0) text += fmt::format(", {} FX", skeleton["fx_bones"].integer());
    text += "\n" + bone_table_text(skeleton["table"]);
  }
  for (const Json& clip : info["clips"].items()) {
    text += fmt::format("  clip      {}{} frames, {:.3f} s",
                        clip["name"].text().empty() ? "" : "'" + clip["name"].text() + "' ", clip["frames"].integer(),
                        clip["duration_seconds"].number());
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
  text += about_text(info["about"]);
  if (info.contains("actor_order")) text += "  tracks    of " + info["actor_order"].text() + "\n";
  constexpr std::array kDetails = {"actors", "meshes", "systems", "bodies", "type", "id", "modifiers", "named"};
  for (const char* key : kDetails)
    if (info.contains(key) && info[key].is_number()) text += fmt::format("  {:<9} {}\n", key, number_text(info[key]));
  for (const Json& shape : info["shapes"].items())
    text += fmt::format("  shape     '{}' {}, {} vertices, {} triangles, {} bones\n", shape["name"].text(),
                        shape["type"].text(), shape["vertices"].integer(), shape["triangles"].integer(),
                        shape["bones"].integer());
  for (const Json& mesh : info["meshes"].items())
    text += fmt::format("  mesh      {}, {} vertices, {} triangles, {} bones\n", mesh["name"].text(),
                        mesh["vertices"].integer(), mesh["triangles"].integer(), mesh["bones"].size());
  if (info.contains("up_axis"))
    text += fmt::format("  space     {} up, {} cm per unit\n", info["up_axis"].text(), number_text(info["unit_cm"]));
  std::string classes;
  for (const auto& [name, count] : info["classes"].members())
    classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", count.integer(), name);
  if (!classes.empty()) text += "  holds     " + classes + "\n";
  return text;
}

std::string merged_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{} files -> {}\n", report["files"].integer(), place.output);
}

}  // namespace

std::string findings_text(const ReportPlace& place, const Json& report) {
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
    text += "\n" + cure_line(finding["cure"], place.path);
    if (is_group) count = 0;
  }
  if (text.empty()) text = fmt::format("{}: ok\n", place.path);
  if (!report.contains("left")) return text;
  const bool is_clean = std::ranges::all_of(report["left"].items(),
                                            [](const Json& finding) { return finding["level"].text() == "info"; });
  return text + fmt::format("{}: written to {}, {}\n", place.path, place.output,
                            is_clean ? "clean now" : "not all could be mended");
}

namespace {

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

constexpr WordingRow kFileWordings[] = {
    {"info", info_text}, {"convert", written_text}, {"merge", merged_text},         {"check", findings_text},
    {"diff", diff_text}, {"dump", nothing},         {"cache check", findings_text},
};

}  // namespace

std::span<const WordingRow> file_wordings() { return kFileWordings; }

}  // namespace marrow::cli
