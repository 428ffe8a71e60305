// SPDX-License-Identifier: MIT
// What is said about animation caches and patches.
#include <fmt/format.h>

#include "text_words.h"

namespace marrow::cli {
namespace {

std::string data_text(const Json& project) {
  std::string text = fmt::format("  {}: {}", project["name"].text(), counted(project["clips"].size(), "clip", "clips"));
  text +=
      project["motions"].is_array() ? ", " + counted(project["motions"].size(), "motion", "motions") : ", no motion";
  text += "\n";
  for (const Json& clip : project["clips"].items())
    text += fmt::format("    {} {}, {}\n", number_text(clip["id"]), clip["name"].text(),
                        counted(clip["triggers"].size(), "trigger", "triggers"));
  return text;
}

std::string sets_text(const Json& project) {
  std::string text = fmt::format("  {}: {}\n", project["name"].text(), counted(project["sets"].size(), "set", "sets"));
  for (const Json& set : project["sets"].items()) {
    text += fmt::format("    {}: {}, {}\n", set["name"].text(), counted(set["attacks"].size(), "attack", "attacks"),
                        counted(set["files"].size(), "file", "files"));
    for (const Json& attack : set["attacks"].items())
      text += fmt::format("      {}: {}\n", attack["event"].text(), joined(attack["clips"]));
  }
  return text;
}

std::string cache_list_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {}, {}\n", place.path, report["kind"].text(),
                                 counted(report["projects"].size(), "project", "projects"));
  for (const Json& project : report["projects"].items())
    text += project.contains("sets") ? sets_text(project) : data_text(project);
  return text;
}

std::string entries_of(const Json& report) {
  std::string text;
  const auto add = [&](const char* key, std::string_view one, std::string_view many) {
    if (report[key].integer() > 0) text += (text.empty() ? "" : ", ") + counted(report[key].integer(), one, many);
  };
  add("clips", "clip", "clips");
  add("motions", "motion", "motions");
  add("files", "animation", "animations");
  add("attacks", "clip of an attack", "clips of attacks");
  return text.empty() ? "nothing, it is there already" : text;
}

std::string cache_edit_text(const ReportPlace& place, const Json& report, std::string_view done) {
  std::string text = fmt::format("{}: {}: {} {}", arrow(place), report["project"].text(), done, entries_of(report));
  if (report.contains("id")) text += ", id " + report["id"].text();
  return text + "\n";
}

std::string cache_add_text(const ReportPlace& place, const Json& report) {
  return cache_edit_text(place, report, "added");
}
std::string cache_remove_text(const ReportPlace& place, const Json& report) {
  return cache_edit_text(place, report, "removed");
}

std::string patch_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& file : report["files"].items()) {
    text += file["output"].is_text() ? file["path"].text() + " -> " + file["output"].text()
                                     : file["path"].text() + ": not written";
    text += fmt::format("\n  by {}: {} changed, {} added, {} in all\n", joined(file["mods"]), file["changed"].integer(),
                        file["added"].integer(), file["nodes"].integer());
  }
  if (report["files"].size() == 0) text = "no mod changes any of the files\n";
  for (const Json& note : report["notes"].items()) {
    text += fmt::format("  {} {}: ", note["level"].text(), note["code"].text());
    for (const char* key : {"mod", "file", "where"})
      if (!note[key].text().empty()) text += note[key].text() + ": ";
    text += note["message"].text() + "\n";
  }
  return text;
}

std::string make_patch_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} changed, {} added\n", arrow(place), counted(report["changed"].integer(), "node", "nodes"),
                     report["added"].integer());
}

constexpr WordingRow kCacheWordings[] = {{"behavior patch", patch_text},
                                         {"behavior make-patch", make_patch_text},
                                         {"cache list", cache_list_text},
                                         {"cache add", cache_add_text},
                                         {"cache remove", cache_remove_text}};

}  // namespace

std::span<const WordingRow> cache_wordings() { return kCacheWordings; }

}  // namespace marrow::cli
