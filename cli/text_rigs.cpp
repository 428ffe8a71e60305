// SPDX-License-Identifier: MIT
// What is said about Anvil skeletons and their modifiers.
#include <fmt/format.h>

#include "cure.h"
#include "marrow/model/game.h"
#include "text_words.h"

namespace marrow::cli {
namespace {

std::string file_name(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

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
      text += fmt::format("{}: {}: {}\n{}", finding["where"].text(), finding["code"].text(), finding["message"].text(),
                          cure_line(finding["cure"]));
  if (!place.output.empty()) text += fmt::format("-> {}\n", place.output);
  return text;
}

std::string addon_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: attached to {}, {} bones, SkeletonType 8 (custom), id {}\n  {}\n", arrow(place),
                     report["root"].text(), report["bones"].integer(), number_text(report["id"]),
                     report["next"].text());
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
      fmt::format("{}: {} written\n", arrow(place), counted(report["modifiers"].size(), "modifier", "modifiers"));
  for (const Json& modifier : report["modifiers"].items())
    text += fmt::format("  {} on {}{}\n", short_modifier(modifier), modifier["bone"].text(),
                        modifier["replaced"].boolean() ? ", in the place of the one that was there" : "");
  for (const Json& change : report["changes"].items()) text += "  " + change.text() + "\n";
  return text;
}

// A line for each field; those of the parts that a field lists are named as they are set.
std::string fields_text(const Json& fields, const std::string& owner) {
  std::string text;
  for (const Json& field : fields.items()) {
    std::string facts;
    if (!field["unit"].text().empty()) facts += field["unit"].text();
    if (field.contains("min"))
      facts +=
          fmt::format("{}{} to {}", facts.empty() ? "" : ", ", number_text(field["min"]), number_text(field["max"]));
    if (field.contains("choices")) facts += (facts.empty() ? "" : ", ") + joined(field["choices"]);
    if (!field["default"].is_null())
      facts += fmt::format("{}default {}", facts.empty() ? "" : ", ", to_text(field["default"], false));
    if (field.contains("start")) facts += fmt::format(", new ones start with {}", number_text(field["start"]));
    const std::string name = owner + field["name"].text();
    text += fmt::format("  {:<30} {}{}\n", name, field["help"].text(), facts.empty() ? "" : " (" + facts + ")");
    if (field.contains("fields")) text += fields_text(field["fields"], name + "[0].");
  }
  return text;
}

std::string rig_fields_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& modifier : report["modifiers"].items()) {
    text += fmt::format("{}: {}\n", modifier["type"].text(), modifier["summary"].text());
    text += fmt::format("  games  {}\n", joined(modifier["games"]));
    text += fields_text(modifier["fields"], "");
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

std::string names_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} of {} bone names in {}, {} of them by pattern\n", arrow(place),
                     report["known"].integer() + report["by_pattern"].integer(), report["hashes"].integer(),
                     counted(static_cast<std::size_t>(report["files"].integer()), "skeleton", "skeletons"),
                     report["by_pattern"].integer());
}

std::string table_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} changed\n", arrow(place),
                     counted(static_cast<std::size_t>(report["replaced"].integer()), "id", "ids"));
}

constexpr WordingRow kRigWordings[] = {
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
    {"rig renumber", rig_edit_text},
    {"rig edit", rig_edit_text},
    {"rig to-game", rig_edit_text},
    {"rig hash", hash_text},
    {"rig names", names_text},
    {"rig table", table_text},
};

}  // namespace

std::span<const WordingRow> rig_wordings() { return kRigWordings; }

}  // namespace marrow::cli
