// SPDX-License-Identifier: MIT
#include "sarif.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "command.h"
#include "core/hash.h"
#include "cure.h"
#include "marrow/core/file.h"
#include "own_files.h"
#include "version.h"

namespace marrow::cli {
namespace {

namespace fs = std::filesystem;

// RFC 3986: what may stand in a path unescaped, and the separators.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").contains(c);
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (is_plain(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

std::string_view sarif_level(std::string_view level) { return level == "info" ? "note" : level; }

// `E_POINTER_SIZE` -> `Pointer size`.
std::string words_of(std::string_view code) {
  std::string words(code.substr(code.find('_') + 1));
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == '_')
      words[i] = ' ';
    else if (i > 0 && words[i] >= 'A' && words[i] <= 'Z')
      words[i] = static_cast<char>(words[i] - 'A' + 'a');
  return words;
}

// The line that a finding of a text file is in. Binary files have none; viewers want one, and get the first.
int line_of(std::string_view where) {
  int line = 1;
  constexpr std::string_view kLine = "line ";
  if (const std::size_t at = where.find(kLine); at != std::string_view::npos)
    std::from_chars(where.data() + at + kLine.size(), where.data() + where.size(), line);
  return std::max(line, 1);
}

FileInPieces opened(const std::string& path) {
  refuse_foreign_file("sarif", path, "sarif", "a SARIF log");
  auto file = FileInPieces::open(path_of_text(path));
  if (!file) throw UsageError("--sarif: " + path + " " + file.error().message);
  return std::move(*file);
}

Json text_object(std::string_view text) { return Json().set("text", text); }

}  // namespace

std::string uri_of(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  const fs::path here = fs::weakly_canonical(fs::current_path(error), error);
  const fs::path inside = whole.lexically_relative(here);
  if (!inside.empty() && *inside.begin() != "..") return percent_encoded(text_of_path(inside.generic_u8string()));
  const std::string absolute = percent_encoded(text_of_path(whole.generic_u8string()));
  return absolute.starts_with('/') ? "file://" + absolute : "file:///" + absolute;
}

SarifLog::SarifLog(const std::string& path) : file_(opened(path)) {
  write(
      "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n\"version\": \"2.1.0\",\n\"runs\": [{"
      "\"results\": [");
}

void SarifLog::add(const Input& input, const Outcome& outcome) {
  const std::string uri = uri_of(input.path());
  if (outcome.error) {
    std::string where = outcome.error->path;
    if (outcome.error->offset != kNoOffset)
      where += fmt::format("{}offset {}", where.empty() ? "" : ", ", outcome.error->offset);
    add_result(uri, Json()
                        .set("code", "E_UNREADABLE")
                        .set("level", "error")
                        .set("message", outcome.error->message)
                        .set("where", where));
  }
  for (const Json& finding : outcome.json["findings"].items()) add_result(uri, finding);
}

void SarifLog::add_result(const std::string& uri, const Json& finding) {
  const std::string &code = finding["code"].text(), &message = finding["message"].text(),
                    &where = finding["where"].text();
  rules_.try_emplace(code, message);
  const std::string command = cure_command(finding["cure"], uri);
  const std::string advice = command.empty() ? "" : "; run `" + command + "`";
  const Json region = Json().set("startLine", line_of(where));
  Json physical = Json().set("artifactLocation", Json().set("uri", uri)).set("region", region);
  Json location = Json().set("physicalLocation", std::move(physical));
  if (!where.empty()) location.set("logicalLocations", Json(Json::Array{Json().set("fullyQualifiedName", where)}));
  // Findings stay the same ones from push to push by what and where they are, not by the text of a line.
  const std::string print = Hash64().add(uri).add(code).add(where).text();
  const Json result = Json()
                          .set("ruleId", code)
                          .set("level", sarif_level(finding["level"].text()))
                          .set("message", text_object((where.empty() ? message : where + ": " + message) + advice))
                          .set("locations", Json(Json::Array{std::move(location)}))
                          .set("partialFingerprints", Json().set("primaryLocationLineHash", print));
  write((results_++ == 0 ? "\n" : ",\n") + to_text(result, false));
}

void SarifLog::write(std::string_view text) {
  if (const auto written = file_.add(text); !written) throw std::runtime_error("--sarif: " + written.error().message);
}

// The rules are those that were met, so that they stand after the results.
void SarifLog::finish() {
  Json rules = Json::array();
  for (const auto& [code, message] : rules_)
    rules.push(Json()
                   .set("id", code)
                   .set("shortDescription", text_object(words_of(code)))
                   .set("fullDescription", text_object(message))
                   .set("help", text_object("`marrow check FILE` shows it; `marrow check FILE --fix -o OUT` repairs "
                                            "whatever has only one correct repair.")));
  const Json driver = Json().set("name", "marrow").set("semanticVersion", kVersion).set("rules", std::move(rules));
  write("\n],\n\"tool\": {\"driver\": " + to_text(driver) + "}}]}\n");
  if (const auto written = file_.finish(); !written) throw std::runtime_error("--sarif: " + written.error().message);
}

}  // namespace marrow::cli
