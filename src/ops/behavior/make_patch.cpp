// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/behavior/mods.h"
#include "ops/behavior/patch.h"

namespace marrow {
namespace {

SavedFile text_file(std::string name, std::string_view extension, std::string_view text) {
  const auto bytes = as_bytes(text);
  return {std::move(name), std::string(extension), {bytes.begin(), bytes.end()}};
}

std::string line_of(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, [](char c) { return c == '\r' || c == '\n'; }, ' ');
  return line;
}

}  // namespace

void describe(FieldList& fields, MakePatchOptions& options) {
  fields("code", options.code,
         {.help = "of the mod, in marks and names of nodes", .placeholder = "CODE", .required = true});
  fields("name", options.name,
         {.help = "of the mod, for its info.ini", .placeholder = "TEXT", .otherwise = "the code"});
  fields("author", options.author, {.help = "for its info.ini", .placeholder = "TEXT"});
  fields("site", options.site, {.help = "for its info.ini", .placeholder = "URL"});
}

void describe(FieldList& fields, MakePatchReport& report) {
  fields("code", report.code);
  fields("changed", report.changed, {.help = "nodes of the base that the patch edits"});
  fields("added", report.added, {.help = "nodes of the mod's own"});
}

Result<MakePatchReport> make_behavior_patch(const Document& base, const Document& edited,
                                            const MakePatchOptions& options, Context&, std::vector<SavedFile>& files) {
  for (const Document* each : {&base, &edited})
    if (!each->packfile())
      return in_file({ErrorCode::WrongKind, "a " + std::string(title(each->format)) + " is not a behaviour"},
                     each->name);
  MARROW_TRY(const std::vector<behavior::PatchText> nodes,
             behavior::make_patch(*base.packfile(), *edited.packfile(), options.code));
  const std::string folder = target_of({base.name, {}});
  MakePatchReport report{.code = options.code};
  std::string info = "name=" + line_of(options.name.empty() ? options.code : options.name) + "\r\n";
  info += "author=" + line_of(options.author) + "\r\nsite=" + line_of(options.site) + "\r\nauto=null\r\n";
  files.push_back(text_file("info", ".ini", info));
  for (const behavior::PatchText& node : nodes) {
    ++(node.name.find('$') == std::string::npos ? report.changed : report.added);
    files.push_back(text_file(safe_path(folder) + "/" + node.name.substr(0, node.name.size() - 4), ".txt", node.text));
  }
  return report;
}

}  // namespace marrow
