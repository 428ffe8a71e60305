// SPDX-License-Identifier: MIT
#include "motion/json_fields.h"

#include <algorithm>
#include <cmath>

#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::motion {
namespace {

std::unexpected<Error> not_json(std::string_view text, const Error& error) {
  const std::size_t offset = std::min(static_cast<std::size_t>(error.offset), text.size());
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t column = offset - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  std::string why = error.message;
  if (offset == text.size())
    why = "the text ends too early";
  else if (why.starts_with("expected") && static_cast<unsigned char>(text[offset]) >= ' ')
    why = "unexpected '" + std::string(text.substr(offset, 1)) + "'; " + why;
  return fail(ErrorCode::Malformed,
              "not JSON: line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + why, offset);
}

std::vector<std::string_view> field_names(std::span<const Field> table) {
  std::vector<std::string_view> names;
  for (const Field& field : table)
    if (field.name != "Owner") names.push_back(field.name);
  return names;
}

std::unexpected<Error> wrong(std::string_view what) {
  return fail(ErrorCode::Malformed, "expected " + std::string(what));
}

// Reads a number, or a list of numbers along the chain: the value at a place in it, interpolated between two entries.
Result<double> number(const Json& json, const FieldContext& context) {
  if (json.is_number()) return json.number();
  if (json.is_text()) return wrong("a number, without quotes and unit");
  const Json::Array& items = json.items();
  if (items.empty()) return wrong("a number");
  for (const Json& item : items)
    if (!item.is_number()) return wrong("a list of numbers");
  const double place = context.along_chain * static_cast<double>(items.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), items.size() - 1);
  const auto high = std::min(low + 1, items.size() - 1);
  const double a = items[low].number(), b = items[high].number();
  return a + (b - a) * (place - static_cast<double>(low));
}

class Setter {
 public:
  Setter(const Json& json, const FieldContext& context) : json_(json), context_(context) {}

  Result<void> operator()(const Field&, float& value) const {
    MARROW_TRY(const double read, number(json_, context_));
    value = static_cast<float>(read);
    if (!std::isfinite(value)) return wrong("a finite number");
    return {};
  }
  Result<void> operator()(const Field&, bool& value) const {
    if (!json_.is_boolean()) return wrong("true or false");
    value = json_.boolean();
    return {};
  }
  template <std::integral T>
  Result<void> operator()(const Field& field, T& value) const {
    if (json_.is_text() && field.words) return word(field, value);
    if (!json_.is_whole()) return wrong("a whole number");
    const auto natural = json_.natural();  // beyond 2^63, too
    if (natural ? !std::in_range<T>(*natural) : !std::in_range<T>(json_.integer())) return wrong("a smaller number");
    value = natural ? static_cast<T>(*natural) : static_cast<T>(json_.integer());
    return {};
  }
  Result<void> operator()(const Field&, Vec4& value) const {
    MARROW_TRY(value, components(3, value.w));
    return {};
  }
  Result<void> operator()(const Field&, Quat& value) const {
    MARROW_TRY(const Vec4 read, components(4, 1.0f));
    if (read.x == 0.0f && read.y == 0.0f && read.z == 0.0f && read.w == 0.0f) return wrong("a rotation that is not 0");
    value = make_quat(read.x, read.y, read.z, read.w);
    return {};
  }
  Result<void> operator()(const Field&, BoneLink& value) const {
    if (json_.is_null()) {
      value = {};
      return {};
    }
    if (!json_.is_text()) return wrong("the name of a bone");
    MARROW_TRY(value, context_.find_bone(json_.text()));
    return {};
  }
  Result<void> operator()(const Field&, FileReference& value) const {
    const auto id = json_.natural();
    if (!id) return wrong("the id of a file");
    value.id = *id;
    return {};
  }
  template <class T>
  Result<void> operator()(const Field& field, std::vector<T>& values) const {
    if (!json_.is_array()) return wrong("a list");
    values.clear();
    for (const Json& item : json_.items()) {
      T value{};
      if constexpr (std::is_same_v<T, Hinge>) {
        MARROW_CHECK(object(hinge_fields(), item, value));
      } else if constexpr (std::is_same_v<T, RotationExpression>) {
        MARROW_CHECK(object(rotation_expression_fields(), item, value));
      } else {
        MARROW_CHECK(Setter(item, context_)(field, value));
      }
      values.push_back(std::move(value));
    }
    return {};
  }

  // Every key of an object must be a field of the table.
  template <class Object>
  Result<void> object(std::span<const Field> table, const Json& json, Object& value) const {
    if (!json.is_object()) return wrong("an object");
    for (const auto& [key, item] : json.members()) {
      bool found = false;
      Result<void> status;
      walk_fields(table, value, [&](const Field& field, auto& member) {
        if (found || !equal_ignoring_case(field.name, key)) return;
        found = true;
        status = Setter(item, context_)(field, member);
      });
      if (!found)
        return fail(ErrorCode::NotFound, "no such field" + known_instead(key, field_names(table)), kNoOffset, key);
      if (!status && status.error().path.empty()) status.error().path = key;
      MARROW_CHECK(status);
    }
    return {};
  }

 private:
  template <class T>
  Result<void> word(const Field& field, T& value) const {
    const std::string& text = json_.text();
    std::string known;
    for (std::size_t i = 0; i < field.words->words.size(); ++i) {
      if (equal_ignoring_case(field.words->words[i], text)) {
        value = static_cast<T>(i);
        return {};
      }
      known += (known.empty() ? "" : ", ") + std::string(field.words->words[i]);
    }
    return wrong("one of " + known);
  }

  Result<Vec4> components(std::size_t least, float last) const {
    if (!json_.is_array() || json_.size() < least || json_.size() > 4)
      return wrong(least == 4 ? "four numbers" : "three or four numbers");
    Vec4 value(0, 0, 0, last);
    for (std::size_t i = 0; i < json_.size(); ++i) {
      const Json& item = json_.items()[i];
      if (!item.is_number()) return wrong("a list of numbers");
      value[static_cast<glm::length_t>(i)] = static_cast<float>(item.number());
      if (!std::isfinite(value[static_cast<glm::length_t>(i)])) return wrong("finite numbers");
    }
    return value;
  }

  const Json& json_;
  const FieldContext& context_;
};

}  // namespace

std::string known_instead(std::string_view name, std::span<const std::string_view> known) {
  if (std::string near = did_you_mean(name, known); !near.empty()) return near;
  std::string all;
  for (const std::string_view one : known) all += (all.empty() ? "; it has " : ", ") + std::string(one);
  return all;
}

Result<Json> parse_json(std::string_view text) {
  auto read = marrow::parse_json(text, {}, JsonComments::Skipped);
  if (!read && read.error().code == ErrorCode::Malformed) return not_json(text, read.error());
  return read;
}

Result<void> set_fields(Modifier& modifier, const Json& object, const FieldContext& context,
                        std::span<const std::string_view> ignored) {
  for (const auto& [key, value] : object.members()) {
    if (std::ranges::find(ignored, std::string_view(key)) != ignored.end()) continue;
    bool found = false;
    Result<void> status;
    walk_fields(modifier, [&](const Field& field, auto& member) {
      if (found || field.name == "Owner" || !equal_ignoring_case(field.name, key)) return;
      found = true;
      status = Setter(value, context)(field, member);
    });
    if (!found) {
      std::vector<std::string_view> known = field_names(modifier_base_fields());
      std::ranges::copy(field_names(modifier_fields(modifier.type())), std::back_inserter(known));
      return fail(ErrorCode::NotFound,
                  std::string(class_name(modifier)) + " has no such field" + known_instead(key, known), kNoOffset, key);
    }
    if (!status) {
      Error error = status.error();
      error.path = error.path.empty() ? key : key + "." + error.path;
      return std::unexpected(std::move(error));
    }
  }
  return {};
}

}  // namespace marrow::motion
