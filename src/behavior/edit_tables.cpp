// SPDX-License-Identifier: MIT
// Edits of tables: events, variables, animations.
#include <algorithm>
#include <bit>
#include <cmath>

#include "behavior/arrays.h"
#include "behavior/edit.h"
#include "behavior/expression.h"
#include "behavior/find.h"
#include "behavior/indices.h"
#include "behavior/records.h"
#include "behavior/tables.h"
#include "behavior/texts.h"
#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::Fields;
using havok::ObjectId;
using havok::Packfile;

Result<Tables> graph_tables(const Packfile& file) {
  const Tables tables = tables_of(file);
  if (!tables.data.is_null() && !tables.strings.is_null() && !tables.values.is_null()) return tables;
  return fail(ErrorCode::WrongKind,
              "the file has no tables of events and variables: it is not a behaviour, or damaged");
}

// Tables that already disagree would be shifted by an edit.
Result<void> agree(std::initializer_list<std::size_t> counts, std::string_view what) {
  if (std::ranges::adjacent_find(counts, std::ranges::not_equal_to()) == counts.end()) return {};
  return fail(ErrorCode::Malformed, "the tables of " + std::string(what) + " differ in length; repair them first",
              Cure{"check"});
}

std::int32_t index_ignoring_case(std::span<const std::string> names, std::string_view wanted) {
  std::int32_t nearly = -1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == wanted) return static_cast<std::int32_t>(i);
    if (nearly < 0 && equal_ignoring_case(names[i], wanted)) nearly = static_cast<std::int32_t>(i);
  }
  return nearly;
}

std::vector<float> numbers_of(std::string_view text) {
  std::vector<float> numbers;
  while (true) {
    const std::size_t start = text.find_first_not_of(" ,()\t");
    if (start == std::string_view::npos) return numbers;
    text.remove_prefix(start);
    const std::size_t end = std::min(text.find_first_of(" ,()\t"), text.size());
    const auto number = parse_float(text.substr(0, end));
    if (!number || !std::isfinite(*number)) return {};
    numbers.push_back(*number);
    text.remove_prefix(end);
  }
}

std::unexpected<Error> bad_value(std::string_view value, VariableType type) {
  return fail(ErrorCode::BadOption, "\"" + std::string(value) + "\" is not a " + std::string(to_string(type)),
              kNoOffset, "value");
}

// The word of a variable that needs no store.
Result<std::int32_t> word_of(VariableType type, std::string_view value) {
  if (value.empty()) return 0;
  if (type == VariableType::Real) {
    const auto number = parse_float(value);
    if (!number || !std::isfinite(*number)) return bad_value(value, type);
    return std::bit_cast<std::int32_t>(*number);
  }
  if (type == VariableType::Bool && (equal_ignoring_case(value, "true") || equal_ignoring_case(value, "false")))
    return equal_ignoring_case(value, "true") ? 1 : 0;
  const auto number = parse_int(value);
  std::int64_t most = INT32_MAX;
  if (type == VariableType::Bool) most = 1;
  if (type == VariableType::Int8) most = INT8_MAX;
  if (type == VariableType::Int16) most = INT16_MAX;
  const std::int64_t least = type == VariableType::Bool ? 0 : -most - 1;
  if (!number || *number < least || *number > most) return bad_value(value, type);
  return static_cast<std::int32_t>(*number);
}

// Adds the stores that a word of the type indexes.
Result<std::int32_t> stored_word(Packfile& file, ObjectId values, VariableType type, std::string_view value) {
  if (type == VariableType::Pointer) {
    if (!value.empty()) return bad_value(value, type);
    return static_cast<std::int32_t>(append_elements(file.at(values).fields(), "variantVariableValues"));
  }
  if (!is_quad(type)) return word_of(type, value);
  std::vector<float> numbers = value.empty() ? std::vector<float>(4) : numbers_of(value);
  if (numbers.size() == 3 && type == VariableType::Vector3) numbers.push_back(0.0f);
  if (numbers.size() != 4) return bad_value(value, type);
  if (value.empty() && type == VariableType::Quaternion) numbers[3] = 1.0f;
  Fields fields = file.at(values).fields();
  const std::uint32_t at = append_elements(fields, "quadVariableValues");
  const auto pods = fields.ref(*fields.view().type().find("quadVariableValues")).array().mutable_pods();
  std::memcpy(pods.data() + at * 4 * sizeof(float), numbers.data(), 4 * sizeof(float));
  return static_cast<std::int32_t>(at);
}

// Renames in every expression. Returns how many changed.
std::size_t rename_in_expressions(Packfile& file, std::string_view old_name, std::string_view new_name) {
  std::size_t changed = 0;
  for (havok::Object& object : file.objects) {
    if (!object.type) continue;
    bool has_expression = false;
    for_each_expression(std::as_const(object), [&](havok::FieldsView record, std::string_view member, const Place&) {
      const std::string_view text = record.text(member).value_or(std::string_view());
      has_expression |= with_renamed(text, old_name, new_name) != text;
    });
    if (!has_expression) continue;
    for_each_expression(object, [&](Fields record, std::string_view member, const Place&) {
      const std::string text(record.view().text(member).value_or(std::string_view()));
      std::string renamed = with_renamed(text, old_name, new_name);
      changed += renamed != text;
      if (renamed != text) record.set_text(member, std::move(renamed));
    });
  }
  return changed;
}

Result<std::size_t> rename_in_table(Packfile& file, std::string_view table, std::string_view what,
                                    std::string_view old_name, std::string_view new_name) {
  MARROW_TRY(const Tables tables, graph_tables(file));
  const std::vector<std::string> names = texts_of(file, tables.strings, table);
  const std::int32_t at = index_ignoring_case(names, old_name);
  if (at < 0)
    return fail(ErrorCode::NotFound, "there is no " + std::string(what) + " \"" + std::string(old_name) + "\"" +
                                         did_you_mean(old_name, names));
  if (new_name.empty()) return fail(ErrorCode::BadOption, "a name must not be empty", kNoOffset, "name");
  if (const std::int32_t taken = index_ignoring_case(names, new_name); taken >= 0 && taken != at)
    return fail(ErrorCode::BadOption,
                "there is already a " + std::string(what) + " \"" + names[static_cast<std::size_t>(taken)] + "\"",
                kNoOffset, "name");
  Fields strings = file.at(tables.strings).fields();
  strings.ref(*strings.view().type().find(table))
      .array()
      .mutable_refs()[static_cast<std::size_t>(at)]
      .set_text(new_name);
  return rename_in_expressions(file, names[static_cast<std::size_t>(at)], new_name);
}

std::unexpected<Error> still_used(std::string_view what, std::string_view name, const std::vector<Use>& uses,
                                  const NodeNames& names) {
  return fail(ErrorCode::InvalidArgument,
              std::string(what) + " \"" + std::string(name) + "\" is used " + std::to_string(uses.size()) +
                  (uses.size() == 1 ? " time" : " times") + ", first in " + std::string(names.of(uses.front().id)) +
                  " " + uses.front().field,
              Cure{"behavior find", {{std::string(what), std::string(name)}}});
}

// Moves indices above the one that goes down by one.
void shift_indices(Packfile& file, IndexKind kind, std::int64_t gone) {
  IndexTable table;
  for (havok::Object& object : file.objects)
    if (object.type)
      map_indices(object, table, kind, [&](std::int64_t index) { return index > gone ? index - 1 : index; });
}

}  // namespace

Result<std::vector<std::string>> add_events(Packfile& file, std::span<const std::string> names) {
  MARROW_TRY(const Tables tables, graph_tables(file));
  std::vector<std::string> known = texts_of(file, tables.strings, "eventNames"), added;
  MARROW_CHECK(agree({known.size(), count_of(file, tables.data, "eventInfos")}, "events"));
  for (const std::string& name : names) {
    if (name.empty()) return fail(ErrorCode::BadOption, "a name must not be empty", kNoOffset, "name");
    if (std::ranges::find(known, name) != known.end()) continue;
    known.push_back(name);
    added.push_back(name);
  }
  for (const std::string& name : added) {
    append_text(file.at(tables.strings).fields(), "eventNames", name);
    append_elements(file.at(tables.data).fields(), "eventInfos");
  }
  return added;
}

Result<std::int32_t> add_variable(Packfile& file, std::string_view name, VariableType type, std::string_view value) {
  // Of a character, its properties: they have tables of the same form.
  const Tables character = character_tables_of(file);
  const bool is_character = object_of(file, character.data, "hkbCharacterData") && !character.strings.is_null() &&
                            !character.values.is_null();
  const std::string_view names = is_character ? "characterPropertyNames" : "variableNames";
  const std::string_view infos = is_character ? "characterPropertyInfos" : "variableInfos";
  Tables tables = character;
  if (!is_character) {
    MARROW_TRY(tables, graph_tables(file));
  }
  const std::vector<std::string> known = texts_of(file, tables.strings, names);
  MARROW_CHECK(
      agree({known.size(), count_of(file, tables.data, infos), count_of(file, tables.values, "wordVariableValues")},
            "variables"));
  if (name.empty()) return fail(ErrorCode::BadOption, "a name must not be empty", kNoOffset, "name");
  if (const std::int32_t taken = index_ignoring_case(known, name); taken >= 0)
    return fail(ErrorCode::BadOption, "there is already a variable \"" + known[static_cast<std::size_t>(taken)] + "\"",
                kNoOffset, "name");
  MARROW_TRY(const std::int32_t word, stored_word(file, tables.values, type, value));
  append_text(file.at(tables.strings).fields(), names, name);
  Fields data = file.at(tables.data).fields();
  data.element(infos, append_elements(data, infos)).set_integer("type", static_cast<std::int64_t>(type));
  Fields values = file.at(tables.values).fields();
  values.element("wordVariableValues", append_elements(values, "wordVariableValues")).set_integer("value", word);
  return static_cast<std::int32_t>(known.size());
}

Result<std::int32_t> add_animation(Packfile& file, std::string_view animation) {
  const Tables tables = character_tables_of(file);
  if (tables.strings.is_null())
    return fail(ErrorCode::WrongKind, "animations are listed in character files, and this is not one");
  const std::vector<std::string> known = texts_of(file, tables.strings, "animationNames");
  std::string path(animation);
  std::ranges::replace(path, '/', '\\');
  if (path.empty()) return fail(ErrorCode::BadOption, "a path must not be empty", kNoOffset, "animation");
  const auto holds = [&](std::string_view part) {
    return std::ranges::any_of(known, [&](const std::string& each) { return to_lower(each).contains(part); });
  };
  constexpr std::string_view kMale = "\\male\\", kFemale = "\\female\\";
  if (const std::size_t at = to_lower(path).find(kMale); at != std::string::npos && holds(kFemale) && !holds(kMale))
    path.replace(at, kMale.size(), kFemale);
  if (const std::int32_t there = index_ignoring_case(known, path); there >= 0) return there;
  append_text(file.at(tables.strings).fields(), "animationNames", path);
  return static_cast<std::int32_t>(known.size());
}

Result<void> remove_event(Packfile& file, std::string_view name) {
  MARROW_TRY(const Tables tables, graph_tables(file));
  const std::vector<std::string> known = texts_of(file, tables.strings, "eventNames");
  MARROW_CHECK(agree({known.size(), count_of(file, tables.data, "eventInfos")}, "events"));
  const std::int32_t at = index_ignoring_case(known, name);
  if (at < 0)
    return fail(ErrorCode::NotFound, "there is no event \"" + std::string(name) + "\"" + did_you_mean(name, known));
  const NodeNames names(file);
  if (const auto uses = uses_of_event(file, names, at, name); !uses.empty())
    return still_used("event", name, uses, names);
  remove_element(file.at(tables.strings).fields(), "eventNames", static_cast<std::uint32_t>(at));
  remove_element(file.at(tables.data).fields(), "eventInfos", static_cast<std::uint32_t>(at));
  shift_indices(file, IndexKind::Event, at);
  return {};
}

Result<void> remove_variable(Packfile& file, std::string_view name) {
  MARROW_TRY(const Tables tables, graph_tables(file));
  const std::vector<std::string> known = texts_of(file, tables.strings, "variableNames");
  MARROW_CHECK(agree(
      {known.size(), count_of(file, tables.data, "variableInfos"), count_of(file, tables.values, "wordVariableValues")},
      "variables"));
  const std::int32_t at = index_ignoring_case(known, name);
  if (at < 0)
    return fail(ErrorCode::NotFound, "there is no variable \"" + std::string(name) + "\"" + did_you_mean(name, known));
  const NodeNames names(file);
  if (const auto uses = uses_of_variable(file, names, at, name); !uses.empty())
    return still_used("variable", name, uses, names);
  // The stores of vectors and pointers are in ascending order: those after it move down too.
  const std::vector<VariableType> types = types_of(file, tables.data, "variableInfos");
  const VariableType type = types[static_cast<std::size_t>(at)];
  Fields values = file.at(tables.values).fields();
  const auto i = static_cast<std::uint32_t>(at);
  const std::int64_t word = values.element("wordVariableValues", i).view().integer("value");
  const auto shares_store = [&](VariableType other) {
    return type == VariableType::Pointer ? other == VariableType::Pointer : is_quad(other);
  };
  if (type == VariableType::Pointer || is_quad(type)) {
    const std::string_view store = is_quad(type) ? "quadVariableValues" : "variantVariableValues";
    if (word >= 0 && word < count_of(file, tables.values, store))
      remove_element(values, store, static_cast<std::uint32_t>(word));
    for (std::uint32_t other = 0; other < types.size(); ++other) {
      Fields each = values.element("wordVariableValues", other);
      const std::int64_t index = each.view().integer("value");
      if (other != i && shares_store(types[other]) && index > word) each.set_integer("value", index - 1);
    }
  }
  remove_element(file.at(tables.strings).fields(), "variableNames", i);
  remove_element(file.at(tables.data).fields(), "variableInfos", i);
  remove_element(file.at(tables.values).fields(), "wordVariableValues", i);
  shift_indices(file, IndexKind::Variable, at);
  return {};
}

Result<void> remove_animation(Packfile& file, std::int32_t index) {
  const Tables tables = character_tables_of(file);
  const std::uint32_t count = count_of(file, tables.strings, "animationNames");
  if (index < 0 || static_cast<std::uint32_t>(index) >= count)
    return fail(ErrorCode::NotFound,
                "there is no animation " + std::to_string(index) + "; the list has " + std::to_string(count));
  remove_element(file.at(tables.strings).fields(), "animationNames", static_cast<std::uint32_t>(index));
  return {};
}

Result<std::size_t> rename_event(Packfile& file, std::string_view old_name, std::string_view new_name) {
  return rename_in_table(file, "eventNames", "event", old_name, new_name);
}

Result<std::size_t> rename_variable(Packfile& file, std::string_view old_name, std::string_view new_name) {
  return rename_in_table(file, "variableNames", "variable", old_name, new_name);
}

}  // namespace marrow::behavior
