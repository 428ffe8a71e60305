// SPDX-License-Identifier: MIT
/// Options and reports described as data. Each struct has one function that names its fields:
///
///     void describe(FieldList& fields, CompressOptions& options) {
///       fields("max_rotation_error", options.max_rotation_error, {.help = "...", .unit = "degrees", .min = 0});
///     }
///
/// From that come the command line's options and help, JSON in and out, and the signatures of other languages. Ranges
/// and choices are checked here and nowhere else.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/json.h"
#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/model/game.h"
#include "marrow/model/transform.h"
#include "marrow/ops/document/document.h"
#include "marrow/ops/document/format.h"

namespace marrow {

enum class FieldType : std::uint8_t { Flag, Integer, Number, Text, Choice, Vector, Record, Input };
std::string_view to_string(FieldType type);

/// What a field's description says beyond its name and type.
struct FieldText {
  std::string_view help = {};
  std::string_view unit = {};
  std::string_view placeholder = {};  ///< `DEG`; by default made of the type
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false;  ///< `min` itself is not allowed
  bool required = false;
  bool positional = false;          ///< may also be given by its place on a command line, in the order of the fields
  std::string_view otherwise = {};  ///< what holds if it is not given, in words: `the clip's, else 30`
  bool sparse = false;              ///< left out of JSON if it is null
  Parts parts = Parts::Skeletons;   ///< of an input: what is made values of
  /// Of a text input: finds a text that comes with Marrow by its name, to be named instead of a file; empty if there is
  /// none. For the empty name it returns all names.
  std::string_view (*builtin)(std::string_view name) = nullptr;
};

/// How an input is handed over.
enum class InputKind : std::uint8_t {
  Document,  ///< a file of any format, parsed
  Skeleton,  ///< the same, for its skeleton
  Text,      ///< the bytes of a text file
  Bytes,     ///< a file of any kind, read where it is needed: an archive
  Tree,      ///< files as bytes, and all files below folders; `/./` in a name ends the folder that was given
};

/// A file as an operation gets it that looks at the bytes itself.
struct NamedText {
  std::string_view name;
  std::string_view text;
};

/// The description of one field, as data for doors.
struct FieldInfo {
  std::string_view name;
  FieldType type = FieldType::Text;
  bool is_list = false;
  bool is_optional = false;
  FieldText text = {};
  std::size_t count = 0;                  ///< numbers of a vector
  std::vector<std::string> choices = {};  ///< of a choice
  Json otherwise = {};                    ///< the default value
  std::vector<FieldInfo> fields = {};     ///< of a record
  InputKind input = InputKind::Document;  ///< of an input
  bool is_pair = false;                   ///< of an input: may be given twice, for the two actors of a paired clip
};

class FieldList;

/// A field of one struct in memory.
struct FieldSlot {
  FieldInfo info;
  void* value = nullptr;
  void* second = nullptr;  ///< of an input that may be given twice
  Json (*get)(const void* value) = nullptr;
  Result<void> (*set)(void* value, const Json& json, const FieldInfo& info) = nullptr;
};

/// What a description is asked for. Doors ask for everything once; a value is written or read without what it does not
/// need, since a report of a few fields is made for each of ten thousand files.
enum class FieldUse : std::uint8_t {
  Describe,  ///< all of `FieldInfo`
  Write,     ///< names and values
  Read,      ///< all but default values
};

/// Collects the fields that a `describe` function names.
class FieldList {
 public:
  explicit FieldList(FieldUse use = FieldUse::Describe) : use_(use) {}

  template <class T>
  void operator()(std::string_view name, T& value, const FieldText& text = {});

  /// Inputs: set by whoever runs the operation, never by JSON.
  void input(std::string_view name, const Document*& value, const FieldText& text);
  void input(std::string_view name, const struct Skeleton*& value, const FieldText& text);
  void input(std::string_view name, std::vector<const Document*>& value, const FieldText& text);
  /// An input that may be given twice: for each actor of a paired clip.
  void input(std::string_view name, const Document*& first, const Document*& second, const FieldText& text);
  void input(std::string_view name, const struct Skeleton*& first, const struct Skeleton*& second,
             const FieldText& text);
  void input(std::string_view name, std::string_view& value, const FieldText& text);
  void input(std::string_view name, std::vector<NamedText>& value, const FieldText& text);

  std::span<FieldSlot> slots() { return slots_; }

 private:
  void add_input(std::string_view name, void* value, InputKind kind, bool is_list, const FieldText& text);
  FieldUse use_;
  std::vector<FieldSlot> slots_;
};

/// How a type is described, read and written. Specialise `ChoiceWords` for an enumeration whose values count from 0.
template <class E>
struct ChoiceWords;
template <class E>
concept DescribedEnum = std::is_enum_v<E> && requires { ChoiceWords<E>::words; };
template <class T>
concept Described = requires(FieldList& fields, T& value) { describe(fields, value); };

namespace described {

Result<double> number_of(const Json& json, const FieldInfo& info);
Result<std::int64_t> integer_of(const Json& json, const FieldInfo& info, std::int64_t least, std::int64_t most);
Result<std::string> text_of(const Json& json, const FieldInfo& info);
Result<std::size_t> choice_of(const Json& json, const FieldInfo& info);
Result<std::vector<double>> vector_of(const Json& json, const FieldInfo& info);
std::unexpected<Error> refuse(const FieldInfo& info, std::string message);
Json record_json(FieldList& fields);
Result<void> record_from(FieldList& fields, const Json& json);
std::vector<FieldInfo> infos_of(FieldList& fields);
std::vector<std::string> game_words();
std::vector<std::string> format_words();

template <class T>
struct Traits;

template <>
struct Traits<bool> {
  static void fill(FieldInfo& info) { info.type = FieldType::Flag; }
  static Json get(const bool& value) { return value; }
  static Result<void> set(bool& value, const Json& json, const FieldInfo& info);
};

template <std::integral T>
struct Traits<T> {
  static void fill(FieldInfo& info) { info.type = FieldType::Integer; }
  static Json get(const T& value) { return value; }
  static Result<void> set(T& value, const Json& json, const FieldInfo& info) {
    constexpr auto kMost = std::cmp_greater(std::numeric_limits<T>::max(), INT64_MAX)
                               ? INT64_MAX
                               : static_cast<std::int64_t>(std::numeric_limits<T>::max());
    const auto number = integer_of(json, info, static_cast<std::int64_t>(std::numeric_limits<T>::min()), kMost);
    if (!number) return std::unexpected(number.error());
    value = static_cast<T>(*number);
    return {};
  }
};

template <std::floating_point T>
struct Traits<T> {
  static void fill(FieldInfo& info) { info.type = FieldType::Number; }
  static Json get(const T& value) { return value; }
  static Result<void> set(T& value, const Json& json, const FieldInfo& info) {
    const auto number = number_of(json, info);
    if (!number) return std::unexpected(number.error());
    value = static_cast<T>(*number);
    return {};
  }
};

template <>
struct Traits<std::string> {
  static void fill(FieldInfo& info) { info.type = FieldType::Text; }
  static Json get(const std::string& value) { return value; }
  static Result<void> set(std::string& value, const Json& json, const FieldInfo& info);
};

/// Any value at all, for reports whose shape a file decides.
template <>
struct Traits<Json> {
  static void fill(FieldInfo& info) { info.type = FieldType::Record; }
  static Json get(const Json& value) { return value; }
  static Result<void> set(Json& value, const Json& json, const FieldInfo&) {
    value = json;
    return {};
  }
};

/// A cure is only ever reported.
template <>
struct Traits<Cure> {
  static void fill(FieldInfo& info);
  static Json get(const Cure& value);
  static Result<void> set(Cure&, const Json&, const FieldInfo& info) { return refuse(info, "is not an option"); }
};

template <DescribedEnum E>
struct Traits<E> {
  static void fill(FieldInfo& info) {
    info.type = FieldType::Choice;
    info.choices.assign(ChoiceWords<E>::words.begin(), ChoiceWords<E>::words.end());
  }
  static Json get(const E& value) { return ChoiceWords<E>::words[static_cast<std::size_t>(value)]; }
  static Result<void> set(E& value, const Json& json, const FieldInfo& info) {
    const auto choice = choice_of(json, info);
    if (!choice) return std::unexpected(choice.error());
    value = static_cast<E>(*choice);
    return {};
  }
};

template <>
struct Traits<Game> {
  static void fill(FieldInfo& info) {
    info.type = FieldType::Choice;
    info.choices = game_words();
  }
  static Json get(const Game& value) { return to_string(value); }
  static Result<void> set(Game& value, const Json& json, const FieldInfo& info);
};

template <>
struct Traits<Format> {
  static void fill(FieldInfo& info) {
    info.type = FieldType::Choice;
    info.choices = format_words();
  }
  static Json get(const Format& value) { return to_string(value); }
  static Result<void> set(Format& value, const Json& json, const FieldInfo& info);
};

template <class V, int N>
struct VectorTraits {
  static void fill(FieldInfo& info) {
    info.type = FieldType::Vector;
    info.count = N;
  }
  static Json get(const V& value) {
    Json json = Json::array();
    for (int i = 0; i < N; ++i) json.push(value[i]);
    return json;
  }
  static Result<void> set(V& value, const Json& json, const FieldInfo& info) {
    const auto numbers = vector_of(json, info);
    if (!numbers) return std::unexpected(numbers.error());
    for (int i = 0; i < N; ++i) value[i] = static_cast<float>((*numbers)[static_cast<std::size_t>(i)]);
    return {};
  }
};
template <>
struct Traits<Vec3> : VectorTraits<Vec3, 3> {};
template <>
struct Traits<Vec4> : VectorTraits<Vec4, 4> {};
template <>
struct Traits<Quat> {
  static void fill(FieldInfo& info) {
    info.type = FieldType::Vector;
    info.count = 4;
  }
  static Json get(const Quat& q) { return Json::Array{q.x, q.y, q.z, q.w}; }
  static Result<void> set(Quat& value, const Json& json, const FieldInfo& info);
};
template <std::size_t N>
struct Traits<std::array<double, N>> {
  static void fill(FieldInfo& info) {
    info.type = FieldType::Vector;
    info.count = N;
  }
  static Json get(const std::array<double, N>& value) { return Json::Array(value.begin(), value.end()); }
  static Result<void> set(std::array<double, N>& value, const Json& json, const FieldInfo& info) {
    const auto numbers = vector_of(json, info);
    if (!numbers) return std::unexpected(numbers.error());
    std::copy_n(numbers->begin(), N, value.begin());
    return {};
  }
};

template <Described T>
struct Traits<T> {
  static void fill(FieldInfo& info) {
    info.type = FieldType::Record;
    T value{};
    FieldList fields;
    describe(fields, value);
    info.fields = infos_of(fields);
  }
  static Json get(const T& value) {
    FieldList fields(FieldUse::Write);
    describe(fields, const_cast<T&>(value));  // only read
    return record_json(fields);
  }
  static Result<void> set(T& value, const Json& json, const FieldInfo&) {
    FieldList fields(FieldUse::Read);
    describe(fields, value);
    return record_from(fields, json);
  }
};

template <class T>
struct Traits<std::optional<T>> {
  static void fill(FieldInfo& info) {
    Traits<T>::fill(info);
    info.is_optional = true;
  }
  static Json get(const std::optional<T>& value) { return value ? Traits<T>::get(*value) : Json(); }
  static Result<void> set(std::optional<T>& value, const Json& json, const FieldInfo& info) {
    if (json.is_null()) return value.reset(), Result<void>{};
    T read{};
    if (auto done = Traits<T>::set(read, json, info); !done) return done;
    value = std::move(read);
    return {};
  }
};

template <class T>
struct Traits<std::vector<T>> {
  static void fill(FieldInfo& info) {
    Traits<T>::fill(info);
    info.is_list = true;
  }
  static Json get(const std::vector<T>& value) {
    Json json = Json::array();
    for (const T& item : value) json.push(Traits<T>::get(item));
    return json;
  }
  static Result<void> set(std::vector<T>& value, const Json& json, const FieldInfo& info) {
    if (!json.is_array()) return refuse(info, "takes a list");
    std::vector<T> read;
    for (const Json& item : json.items())
      if (auto done = Traits<T>::set(read.emplace_back(), item, info); !done) return done;
    value = std::move(read);
    return {};
  }
};

template <class T>
struct Traits<BoundedList<T>> : Traits<std::vector<T>> {};

/// Counts by name, in the order in which they were met.
using Counts = std::vector<std::pair<std::string, std::size_t>>;
template <>
struct Traits<Counts> {
  static void fill(FieldInfo& info) { info.type = FieldType::Record; }
  static Json get(const Counts& value) {
    Json json = Json::object();
    for (const auto& [name, count] : value) json.set(name, count);
    return json;
  }
  static Result<void> set(Counts&, const Json&, const FieldInfo& info) { return refuse(info, "is not an option"); }
};

}  // namespace described

template <class T>
void FieldList::operator()(std::string_view name, T& value, const FieldText& text) {
  using Traits = described::Traits<T>;
  FieldSlot& slot = slots_.emplace_back();
  slot.info.name = name;
  slot.info.text = text;
  if (use_ != FieldUse::Write) Traits::fill(slot.info);
  if (use_ == FieldUse::Describe) slot.info.otherwise = Traits::get(value);
  slot.value = &value;
  slot.get = [](const void* at) { return Traits::get(*static_cast<const T*>(at)); };
  slot.set = [](void* at, const Json& json, const FieldInfo& info) {
    return Traits::set(*static_cast<T*>(at), json, info);
  };
}

/// Returns a described value as JSON.
template <Described T>
Json to_json(const T& value) {
  return described::Traits<T>::get(value);
}

/// Reads a described value from a JSON object: members that are missing keep their defaults, members that are not known
/// are refused with the nearest name. Fails with `BadOption`; `Error::path` names the field.
template <Described T>
Result<void> from_json(T& value, const Json& json) {
  return described::Traits<T>::set(value, json, {});
}

/// Returns the descriptions of the fields of a type.
template <Described T>
std::vector<FieldInfo> fields_of() {
  FieldInfo info;
  described::Traits<T>::fill(info);
  return std::move(info.fields);
}

template <>
struct ChoiceWords<Level> {
  static constexpr std::array<std::string_view, 3> words = {"info", "warning", "error"};
};
void describe(FieldList& fields, Finding& finding);

/// Returns `{operation, options}`.
Json to_json(const Cure& cure);
/// Returns `{code, message, offset, path, file, cure}`, without what is not known.
Json to_json(const Error& error);
Json to_json(const Note& note);

}  // namespace marrow
