// SPDX-License-Identifier: MIT
#include "ops/table/describe.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow {
namespace described {
namespace {

std::string range_text(const FieldText& text) {
  const auto number = [](double value) {
    std::string out;
    append_double(out, value);
    return out;
  };
  const bool has_min = std::isfinite(text.min), has_max = std::isfinite(text.max);
  if (has_min && has_max) return "from " + number(text.min) + " to " + number(text.max);
  if (has_max) return "up to " + number(text.max);
  if (has_min && text.above_min) return "above " + number(text.min);
  return has_min ? number(text.min) + " or more" : "";
}

// Files hold floats: what a float cannot hold would become infinite there.
bool is_held(double value) { return std::abs(value) <= std::numeric_limits<float>::max(); }

bool is_in_range(double value, const FieldText& text) {
  return is_held(value) && value <= text.max && (text.above_min ? value > text.min : value >= text.min);
}

std::string quoted(const Json& json) {
  if (json.is_text()) return "'" + json.text() + "'";
  // JSON has no word for these.
  if (json.is_number() && std::isnan(json.number())) return "nan";
  if (json.is_number() && std::isinf(json.number())) return json.number() > 0 ? "inf" : "-inf";
  return to_text(json, false);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::unexpected<Error> refuse(const FieldInfo& info, std::string message) {
  return fail(ErrorCode::BadOption, std::move(message), kNoOffset, std::string(info.name));
}

Result<double> number_of(const Json& json, const FieldInfo& info) {
  if (!json.is_number()) return refuse(info, "takes a number, not " + quoted(json));
  const double value = json.number();
  if (is_in_range(value, info.text)) return value;
  const std::string range = is_held(value) ? range_text(info.text) : "that a float can hold";
  return refuse(info, "takes a number" + (range.empty() ? std::string() : " " + range) + ", not " + quoted(json));
}

Result<std::int64_t> integer_of(const Json& json, const FieldInfo& info, std::int64_t least, std::int64_t most) {
  const double value = json.number();
  if (!json.is_number() || value != std::round(value)) return refuse(info, "takes a whole number, not " + quoted(json));
  constexpr double kMostWhole = 9.2e18;  // beyond it a number is not the one that was given
  if (std::abs(value) > kMostWhole || !is_in_range(value, info.text) || std::cmp_less(json.integer(), least) ||
      std::cmp_greater(json.integer(), most)) {
    const std::string range = range_text(info.text);
    return refuse(info,
                  "takes a whole number" + (range.empty() ? std::string() : " " + range) + ", not " + quoted(json));
  }
  return json.integer();
}

Result<std::string> text_of(const Json& json, const FieldInfo& info) {
  if (!json.is_text()) return refuse(info, "takes a string, not " + quoted(json));
  return json.text();
}

Result<std::size_t> choice_of(const Json& json, const FieldInfo& info) {
  MARROW_TRY(const std::string word, text_of(json, info));
  for (std::size_t i = 0; i < info.choices.size(); ++i)
    if (equal_ignoring_case(info.choices[i], word)) return i;
  const std::string near = did_you_mean(word, info.choices);
  return refuse(info, "there is no '" + word + "'" + near + (near.empty() ? "; there are " : " There are ") +
                          joined(info.choices));
}

Result<std::vector<double>> vector_of(const Json& json, const FieldInfo& info) {
  std::vector<double> numbers;
  for (const Json& item : json.items())
    if (item.is_number() && is_in_range(item.number(), info.text)) numbers.push_back(item.number());
  if (!json.is_array() || numbers.size() != json.size() || numbers.size() != info.count)
    return refuse(info, "takes " + std::to_string(info.count) + " numbers that a float can hold, not " + quoted(json));
  return numbers;
}

Result<void> Traits<bool>::set(bool& value, const Json& json, const FieldInfo& info) {
  if (json != Json(true) && json != Json(false)) return refuse(info, "takes true or false, not " + quoted(json));
  value = json.boolean();
  return {};
}

Result<void> Traits<std::string>::set(std::string& value, const Json& json, const FieldInfo& info) {
  MARROW_TRY(value, text_of(json, info));
  return {};
}

Result<void> Traits<Game>::set(Game& value, const Json& json, const FieldInfo& info) {
  MARROW_TRY(const std::string word, text_of(json, info));
  if (const auto game = find_game(word)) {
    value = *game;
    return {};
  }
  if (std::string question = game_question(word); !question.empty()) return refuse(info, std::move(question));
  MARROW_TRY(const std::size_t choice, choice_of(json, info));
  value = all_games()[choice];
  return {};
}

Result<void> Traits<Format>::set(Format& value, const Json& json, const FieldInfo& info) {
  MARROW_TRY(const std::size_t choice, choice_of(json, info));
  value = *find_format(info.choices[choice]);
  return {};
}

Result<void> Traits<Quat>::set(Quat& value, const Json& json, const FieldInfo& info) {
  MARROW_TRY(const std::vector<double> n, vector_of(json, info));
  value =
      make_quat(static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2]), static_cast<float>(n[3]));
  if (!(std::abs(glm::length(value) - 1.0f) < 0.01f)) return refuse(info, "takes a unit quaternion x, y, z, w");
  return {};
}

void Traits<Cure>::fill(FieldInfo& info) {
  info.type = FieldType::Record;
  info.fields = {{.name = "operation", .type = FieldType::Text, .text = {.help = "the operation that repairs it"}},
                 {.name = "options", .type = FieldType::Record, .text = {.help = "the options that are known"}}};
}

Json Traits<Cure>::get(const Cure& value) { return to_json(value); }

std::vector<std::string> game_words() {
  std::vector<std::string> words;
  for (const Game game : all_games()) words.emplace_back(to_string(game));
  return words;
}

std::vector<std::string> format_words() {
  std::vector<std::string> words;
  for (const Format format : written_formats()) words.emplace_back(to_string(format));
  return words;
}

Json record_json(FieldList& fields) {
  Json json = Json::object();
  for (const FieldSlot& slot : fields.slots()) {
    if (!slot.get) continue;
    Json value = slot.get(slot.value);
    if (!slot.info.text.sparse || !value.is_null()) json.set(slot.info.name, std::move(value));
  }
  return json;
}

Result<void> record_from(FieldList& fields, const Json& json) {
  if (!json.is_null() && !json.is_object())
    return fail(ErrorCode::BadOption, "options must be an object of names and values, not " + quoted(json));
  std::vector<std::string_view> known;
  for (const FieldSlot& slot : fields.slots())
    if (slot.set) known.push_back(slot.info.name);
  for (const auto& [name, value] : json.members()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    return fail(ErrorCode::BadOption, "there is no such option" + did_you_mean(name, known), kNoOffset, name);
  }
  for (FieldSlot& slot : fields.slots()) {
    if (!slot.set) continue;
    const Json* value = json.find(slot.info.name);
    if (value)
      MARROW_CHECK(slot.set(slot.value, *value, slot.info));
    else if (slot.info.text.required)
      return refuse(slot.info, "is missing");
  }
  return {};
}

std::vector<FieldInfo> infos_of(FieldList& fields) {
  std::vector<FieldInfo> infos;
  for (FieldSlot& slot : fields.slots()) infos.push_back(std::move(slot.info));
  return infos;
}

}  // namespace described

std::string_view to_string(FieldType type) {
  constexpr std::array<std::string_view, 8> kWords = {"flag",   "integer", "number", "text",
                                                      "choice", "vector",  "record", "input"};
  return kWords[static_cast<std::size_t>(type)];
}

void FieldList::add_input(std::string_view name, void* value, InputKind kind, bool is_list, const FieldText& text) {
  FieldSlot& slot = slots_.emplace_back();
  slot.info.name = name;
  slot.info.type = FieldType::Input;
  slot.info.is_list = is_list;
  slot.info.is_optional = !text.required;
  slot.info.text = text;
  slot.info.input = kind;
  slot.value = value;
}

void FieldList::input(std::string_view name, const Document*& value, const FieldText& text) {
  add_input(name, &value, InputKind::Document, false, text);
}
void FieldList::input(std::string_view name, const Skeleton*& value, const FieldText& text) {
  add_input(name, &value, InputKind::Skeleton, false, text);
}
void FieldList::input(std::string_view name, std::vector<const Document*>& value, const FieldText& text) {
  add_input(name, &value, InputKind::Document, true, text);
}
void FieldList::input(std::string_view name, const Document*& first, const Document*& second, const FieldText& text) {
  add_input(name, &first, InputKind::Document, false, text);
  slots_.back().second = &second;
  slots_.back().info.is_pair = true;
}
void FieldList::input(std::string_view name, const Skeleton*& first, const Skeleton*& second, const FieldText& text) {
  add_input(name, &first, InputKind::Skeleton, false, text);
  slots_.back().second = &second;
  slots_.back().info.is_pair = true;
}
void FieldList::input(std::string_view name, std::string_view& value, const FieldText& text) {
  add_input(name, &value, InputKind::Text, false, text);
}

void FieldList::input(std::string_view name, std::vector<NamedText>& value, const FieldText& text) {
  add_input(name, &value, InputKind::Text, true, text);
}

Json to_json(const Cure& cure) {
  Json options = Json::object();
  for (const CureOption& option : cure.options)
    options.set(option.name, std::visit(
                                 [](const auto& value) {
                                   if constexpr (requires { Json(value); })
                                     return Json(value);
                                   else
                                     return Json(Json::Array(value.begin(), value.end()));
                                 },
                                 option.value));
  return Json().set("operation", cure.operation).set("options", std::move(options));
}

Json to_json(const Error& error) {
  Json json;
  json.set("code", to_string(error.code)).set("message", error.message);
  if (error.offset != kNoOffset) json.set("offset", error.offset);
  if (!error.path.empty()) json.set("path", error.path);
  if (!error.file.empty()) json.set("file", error.file);
  if (error.cure) json.set("cure", to_json(*error.cure));
  return json;
}

Json to_json(const Note& note) {
  Json json;
  json.set("message", note.message);
  if (note.offset != kNoOffset) json.set("offset", note.offset);
  if (!note.path.empty()) json.set("path", note.path);
  if (!note.file.empty()) json.set("file", note.file);
  if (note.cure) json.set("cure", to_json(*note.cure));
  return json;
}

void describe(FieldList& fields, Finding& finding) {
  fields("code", finding.code, {.help = "stable, for programs"});
  fields("level", finding.level, {.help = "severity"});
  fields("message", finding.message, {.help = "what is wrong, and its effect in the game"});
  fields("where", finding.where, {.help = "object, field, bone, line or offset"});
  fields("cure", finding.cure, {.help = "the operation that repairs it, with the options that are known"});
}

}  // namespace marrow
