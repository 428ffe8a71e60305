// SPDX-License-Identifier: MIT
#include "cure.h"

#include <algorithm>

#include "command.h"
#include "ops/table/words.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

// Quotes a word for a shell, unless it is plain.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("_-./:=,+").contains(c);
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// One word, or the words of a list.
std::string value_text(const Json& value) {
  if (value.is_text()) return shell_word(value.text());
  if (!value.is_array()) return to_text(value, false);
  std::string words;
  for (const Json& item : value.items()) words += (words.empty() ? "" : " ") + value_text(item);
  return words;
}

// ` --name value`, once per item of a list. A flag has no value.
std::string option_text(const std::string& name, const Json& value) {
  const std::string option = " --" + spelled(name);
  if (value == Json(true)) return option;
  if (!value.is_array()) return option + " " + value_text(value);
  std::string text;
  for (const Json& item : value.items()) text += option + " " + value_text(item);
  return text;
}

}  // namespace

std::string cure_command(const Json& cure, const std::string& file) {
  const Operation* operation = find_verb(cure["operation"].text());
  if (!operation) return {};
  const OperationInfo& info = operation->info;
  const Json& known = cure["options"];
  std::string words, options;
  for (const InputInfo& input : info.inputs) {
    if (!input.is_required) continue;
    const Json* named = known.find(input.role);  // another file than the one that is at fault
    if (!input.is_positional) options += " --" + spelled(input.role);
    (input.is_positional ? words : options) +=
        " " + (named                            ? value_text(*named)
               : input.is_main && !file.empty() ? value_text(Json(file))
                                                : std::string(input.placeholder));
  }
  // What is named by an option needs no word that may be left out.
  const bool names_by_option = std::ranges::any_of(
      info.options, [&](const FieldInfo& field) { return !field.text.positional && known.find(field.name); });
  for (const FieldInfo& field : info.options) {
    const Json* value = known.find(field.name);
    if (!value && !field.text.required && (!field.text.positional || names_by_option)) continue;
    const std::string placeholder = field.text.placeholder.empty() ? "VALUE" : std::string(field.text.placeholder);
    if (field.text.positional)
      words += " " + (value ? value_text(*value) : placeholder);
    else
      options += value ? option_text(std::string(field.name), *value) : " --" + spelled(field.name) + " " + placeholder;
  }
  const bool is_flagged = !info.output_flag.empty() && known[info.output_flag].boolean();
  if (is_flagged) options += " --" + spelled(info.output_flag);
  if (is_flagged || (info.output == OutputKind::Document && !info.output_is_optional)) options += " -o OUT";
  return "marrow " + std::string(info.name) + words + options;
}

std::string cure_line(const Json& cure, const std::string& file) {
  const std::string command = cure_command(cure, file);
  return command.empty() ? command : "    cure: " + command + "\n";
}

}  // namespace marrow::cli
