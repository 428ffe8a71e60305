// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "cure.h"
#include "doctor.h"
#include "text_words.h"

namespace marrow::cli {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Marrow: examination of a folder</title>
<style>
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fbfaf8; --line: #ddd8d0; --card: #fff; --error: #b3261e; --warning: #8a5a00; --info: #35608a }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e4de; --paper: #16181b; --line: #34383d; --card: #1e2226; --error: #ff8a80; --warning: #f0b860; --info: #8fc1ee } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem; margin: 0 auto; padding: 1.5rem }
h1 { font-size: 1.6rem; margin: 0 0 .3rem } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem }
table { border-collapse: collapse } td, th { text-align: left; padding: .2rem 1.2rem .2rem 0; border-bottom: 1px solid var(--line) } td.n { text-align: right }
article { background: var(--card); border: 1px solid var(--line); border-left: .35rem solid var(--tone); border-radius: .4rem; padding: .7rem 1rem; margin: .7rem 0; overflow-wrap: anywhere }
.error { --tone: var(--error) } .warning { --tone: var(--warning) } .info { --tone: var(--info) }
article b { color: var(--tone) } article p { margin: .3rem 0 } code { font: .9em ui-monospace, monospace } pre { margin: .4rem 0 0; padding: .5rem .7rem; background: var(--paper); border-radius: .3rem; white-space: pre-wrap }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .8rem } figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .5rem }
figure img { width: 100%; height: auto; display: block } figcaption { font-size: .85rem; overflow-wrap: anywhere }
</style></head><body>
)";

std::string in_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string verdict(const Json& report) {
  std::int64_t errors = 0, warnings = 0;
  for (const Json& problem : report["problems"].items()) {
    errors += problem["level"].text() == "error";
    warnings += problem["level"].text() == "warning";
  }
  if (errors > 0) return "This would crash, T-pose or be refused.";
  if (warnings > 0) return "This works, but perhaps not as intended.";
  return "Nothing is wrong.";
}

std::string problem_article(const Json& problem) {
  std::string files;
  for (const Json& file : problem["files"].items()) files += (files.empty() ? "" : ", ") + in_html(file.text());
  if (problem["count"].integer() > static_cast<std::int64_t>(problem["files"].size())) files += ", ...";
  const std::string command = cure_command(problem["cure"], problem["path"].text());
  return fmt::format("<article class=\"{0}\"><b>{0}</b> <code>{1}</code><p>{2}</p><p>{3}: {4}</p>{5}</article>\n",
                     in_html(problem["level"].text()), in_html(problem["code"].text()),
                     in_html(problem["message"].text()), counted(problem["count"].integer(), "file", "files"), files,
                     command.empty() ? "" : "<pre>" + in_html(command) + "</pre>");
}

}  // namespace

std::string doctor_page(const Json& report) {
  std::string page(kHead);
  page += fmt::format("<h1>{}</h1>\n<p>{} files", verdict(report), report["files"].integer());
  if (report["game"].is_text())
    page += fmt::format(", for {}: {}", in_html(report["game"].text()), in_html(report["reason"].text()));
  page += ".</p>\n";
  if (report["problems"].size() > 0) page += "<h2>What to do</h2>\n";
  for (const Json& problem : report["problems"].items()) page += problem_article(problem);
  if (report["pictures"].size() > 0) page += "<h2>What is in it</h2>\n<div class=\"pictures\">\n";
  for (const Json& picture : report["pictures"].items())
    page += fmt::format("<figure><img alt=\"\" src=\"data:image/png;base64,{}\"><figcaption>{}</figcaption></figure>\n",
                        picture["png"].text(), in_html(picture["name"].text()));
  if (report["pictures"].size() > 0) page += "</div>\n";
  page += "<h2>Files</h2>\n<table><tr><th>kind</th><th>game</th><th>files</th></tr>\n";
  for (const Json& each : report["contents"].items())
    page += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>\n", in_html(each["kind"].text()),
                        in_html(each["game"].text()), each["files"].integer());
  page += "</table>\n<h2>Installation</h2>\n<table>\n";
  for (const Json& part : report["installed"].items())
    page += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", in_html(part["name"].text()),
                        part["place"].text().empty() ? "not installed" : in_html(part["place"].text()));
  return page + "</table>\n</body></html>\n";
}

}  // namespace marrow::cli
