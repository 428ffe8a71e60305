// SPDX-License-Identifier: MIT
#include "doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/path.h"
#include "core/try.h"
#include "cure.h"
#include "host.h"
#include "marrow/core/file.h"
#include "text_words.h"
#include "version.h"
#include "view.h"

namespace marrow::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPicturesOfPage = 12;

// Where Blender keeps what users install, by version: add-ons up to 4.1, extensions from 4.2.
std::vector<fs::path> blender_folders() {
  std::vector<fs::path> roots;
  const auto add = [&](const char* variable, const char* below) {
    if (const char* base = std::getenv(variable)) roots.push_back(path_of_text(base) / below);
  };
  add("HOME", ".config/blender");
  add("HOME", "Library/Application Support/Blender");
  add("APPDATA", "Blender Foundation/Blender");
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const fs::path& root : roots)
    for (const auto& version : fs::directory_iterator(root, ignored))
      for (const char* below :
           {"scripts/addons/marrow", "extensions/user_default/marrow", "scripts/addons/marrow_blender"})
        folders.push_back(version.path() / below);
  return folders;
}

std::string first_that_exists(const std::vector<fs::path>& paths) {
  const auto found = std::ranges::find_if(paths, [](const fs::path& path) { return path_exists(path); });
  return found == paths.end() ? "" : text_of_path(*found);
}

Json installed_parts() {
  const fs::path program = program_path();
  const fs::path prefix = program.parent_path().parent_path();
  Json parts = Json::array();
  const auto add = [&](std::string_view name, const std::string& place) {
    parts.push(std::string(name) + "=" + place);
  };
  add("program " + std::string(kVersion), text_of_path(program));
  add("viewer page", first_that_exists(viewer_page_places()));
  add("C library", first_that_exists({prefix / "lib/libmarrow.so", prefix / "lib/x86_64-linux-gnu/libmarrow.so",
                                      program.parent_path() / "marrow.dll", program.parent_path() / "libmarrow.so"}));
  add("Blender add-on", first_that_exists(blender_folders()));
  return parts;
}

std::string contents_text(const Json& report) {
  std::string text;
  for (const Json& each : report["contents"].items())
    text += fmt::format("  {:>6}  {}{}\n", each["files"].integer(), each["kind"].text(),
                        each["game"].is_text() ? " (" + each["game"].text() + ")" : "");
  return text;
}

std::string problem_text(const Json& problem) {
  std::string text =
      fmt::format("{} {}: {}\n", problem["level"].text(), problem["code"].text(), problem["message"].text());
  text += fmt::format("    {}: {}{}\n", counted(problem["count"].integer(), "file", "files"), joined(problem["files"]),
                      problem["count"].integer() > static_cast<std::int64_t>(problem["files"].size()) ? ", ..." : "");
  return text + cure_line(problem["cure"], problem["path"].text());
}

std::string doctor_text(const ReportPlace&, const Json& report) {
  std::string text;
  if (report["files"].integer() == 0) {
    text += "What is installed\n";
    for (const Json& part : report["installed"].items())
      text += fmt::format("  {:<16} {}\n", part["name"].text(),
                          part["place"].text().empty() ? "not installed" : part["place"].text());
    text += "Games: " + joined(report["games"]) + "\n";
    return text + "Name a folder to have it examined.\n";
  }
  text += fmt::format("{} files", report["files"].integer());
  if (report["game"].is_text()) text += fmt::format(" for {} ({})", report["game"].text(), report["reason"].text());
  text += "\n" + contents_text(report);
  for (const Json& problem : report["problems"].items()) text += problem_text(problem);
  return text + (report["problems"].size() == 0 ? "Nothing is wrong.\n" : "");
}

constexpr WordingRow kDoctorWordings[] = {{kDoctor, doctor_text}};

}  // namespace

std::span<const WordingRow> doctor_wordings() { return kDoctorWordings; }

Operation doctor_verb() {
  Operation verb = *find_operation(kDoctor);
  verb.info.extras = {{"html", "page", "write the answer as a page with pictures"}};
  verb.run = [run = verb.run](OperationCall& call) -> Result<OperationResult> {
    const bool wants_page = std::ranges::find(call.extras, "html") != call.extras.end();
    Json options = call.options;
    if (!options.contains("installed")) options.set("installed", installed_parts());
    if (wants_page && !options.contains("pictures")) options.set("pictures", kPicturesOfPage);
    OperationCall inner{.options = options, .inputs = call.inputs, .context = call.context};
    MARROW_TRY(OperationResult result, run(inner));
    if (wants_page) {
      result.report.set("page", doctor_page(result.report));
      result.report.set("pictures", Json::array());  // they are in the page
    }
    return result;
  };
  return verb;
}

}  // namespace marrow::cli
