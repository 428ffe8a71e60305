// SPDX-License-Identifier: MIT
#include "ops/table/words.h"

#include <algorithm>
#include <optional>

#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

std::unexpected<Error> usage(std::string message) { return fail(ErrorCode::BadOption, std::move(message)); }

/// A place for words that are not options: an input or a field.
struct WordPlace {
  const InputInfo* input = nullptr;
  const FieldInfo* field = nullptr;
  bool is_list = false, is_required = false;
  bool is_many = false;  // a list only because nothing follows it

  std::string name() const { return std::string(input ? input->placeholder : field->text.placeholder); }
};

std::vector<WordPlace> places_of(const OperationInfo& info, bool has_main) {
  std::vector<WordPlace> places;
  for (const InputInfo& input : info.inputs)
    if (input.is_positional && (has_main || !input.is_main))
      places.push_back({&input, nullptr, input.is_list, input.is_required});
  for (const FieldInfo& field : info.options)
    if (field.text.positional) places.push_back({nullptr, &field, field.is_list, field.text.required});
  // The main input takes many files if nothing follows it.
  if (places.size() == 1 && places[0].input && places[0].input->is_main)
    places[0].is_many = !std::exchange(places[0].is_list, true);
  return places;
}

Json parsed_number(std::string_view text) {
  if (const auto whole = parse_int(text)) return *whole;
  if (const auto large = parse_uint(text)) return *large;
  if (const auto real = parse_double(text)) return *real;
  return Json(text);  // refused by the description, which names the option
}

Json numbers(std::string_view text) {
  Json list = Json::array();
  while (true) {
    const std::size_t end = std::min(text.find_first_of(", "), text.size());
    if (const std::string_view word = trim(text.substr(0, end)); !word.empty()) list.push(parsed_number(word));
    if (end == text.size()) return list;
    text.remove_prefix(end + 1);
  }
}

// The text of an option as the type of its field has it.
Json value_of(const FieldInfo& field, const std::string& text) {
  switch (field.type) {
    case FieldType::Flag: {
      const std::string word = to_lower(text);
      if (word == "on" || word == "true" || word == "yes") return true;
      if (word == "off" || word == "false" || word == "no") return false;
      return Json(text);
    }
    case FieldType::Integer:
    case FieldType::Number: return parsed_number(text);
    case FieldType::Vector: return numbers(text);
    default: return Json(text);
  }
}

// `max_rotation_error` for two dashes and `max-rotation-error`, the name that a letter stands for after one dash.
std::string long_name(std::string name, std::span<const ShortOption> shorts) {
  for (const ShortOption& each : shorts)
    if (name.size() == 2 && name[1] == each.letter) return std::string(each.name);
  name.erase(0, name.starts_with("--") ? 2 : 1);
  std::ranges::replace(name, '-', '_');
  return name;
}

const FieldInfo* find_field(std::span<const FieldInfo> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &FieldInfo::name);
  return found == fields.end() ? nullptr : &*found;
}

class WordParser {
 public:
  WordParser(const Operation& operation, const std::vector<std::string>& words, const WordsOptions& options)
      : operation_(operation),
        info_(operation.info),
        words_(words),
        common_(options.common),
        shorts_(options.shorts),
        places_(places_of(operation.info, options.has_main)),
        has_main_(options.has_main) {}

  Result<ParsedWords> parse() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string& word = words_[i];
      if (word == "--") {
        parsed_.loose.insert(parsed_.loose.end(), words_.begin() + static_cast<std::ptrdiff_t>(i) + 1, words_.end());
        break;
      }
      if (word.size() > 1 && word[0] == '-' && !parse_double(word)) {
        MARROW_TRY(i, option(i));
      } else {
        parsed_.loose.push_back(word);
      }
    }
    if (parsed_.wants_help) return std::move(parsed_);
    MARROW_CHECK(place_loose_words());
    MARROW_CHECK(check());
    return std::move(parsed_);
  }

 private:
  // Takes the option at `i` and its values; returns the index of its last word.
  Result<std::size_t> option(std::size_t i) {
    std::string name = words_[i];
    std::optional<std::string> value;
    if (const std::size_t mark = name.find('='); name.starts_with("--") && mark != std::string::npos) {
      value = name.substr(mark + 1);
      name.resize(mark);
    } else if (!name.starts_with("--") && name.size() > 2) {  // a letter with its value
      value = name.substr(2);
      name.resize(2);
    }
    name = long_name(name, shorts_);
    if (const InputInfo* input = find_input(name))
      return take(
          i, value, name, input->is_list || input->is_main,
          [&](const std::string& text) { parsed_.files[name].push_back(text); },
          input->kind == InputKind::Tree && !parsed_.loose.empty());
    if (const FieldInfo* field = find_field(info_.options, name)) return take_field(i, value, *field);
    if (const FieldInfo* field = find_field(common_, name)) return take_common(i, value, *field);
    return unknown(words_[i]);
  }

  const InputInfo* find_input(std::string_view name) const {
    const auto found = std::ranges::find(info_.inputs, name, &InputInfo::role);
    return found == info_.inputs.end() || found->is_positional ? nullptr : &*found;
  }

  template <class Use>
  Result<std::size_t> take(std::size_t i, const std::optional<std::string>& value, const std::string& name,
                           bool is_list, const Use& use, bool takes_rest = false) {
    if (value) {
      use(*value);
      return i;
    }
    if (i + 1 >= words_.size()) return usage("--" + spelled(name) + " needs a value");
    use(words_[++i]);
    // Further values follow a list, unless words without an option may be meant for something else.
    const bool may_follow =
        takes_rest ||
        (is_list && parsed_.loose.size() >= places_.size() &&
         std::ranges::none_of(places_, [](const WordPlace& place) { return place.is_list && !place.is_many; }));
    while (may_follow && i + 1 < words_.size() && !words_[i + 1].starts_with('-')) use(words_[++i]);
    return i;
  }

  Result<std::size_t> take_field(std::size_t i, const std::optional<std::string>& value, const FieldInfo& field) {
    if (field.type == FieldType::Flag && !field.is_optional) {
      parsed_.options.set(field.name, value ? value_of(field, *value) : Json(true));
      return i;
    }
    // An optional list means something without values too: it takes the words up to the next option, if there are any.
    if (field.is_list && field.is_optional && !value) {
      if (!parsed_.options.contains(field.name)) parsed_.options.set(field.name, Json::array());
      while (i + 1 < words_.size() && !words_[i + 1].starts_with('-')) set(field, words_[++i]);
      return i;
    }
    const std::string name(field.name);
    return take(i, value, name, field.is_list, [&](const std::string& text) { set(field, text); });
  }

  void set(const FieldInfo& field, const std::string& text) {
    if (!field.is_list) {
      parsed_.options.set(field.name, value_of(field, text));
      return;
    }
    Json list = parsed_.options[field.name];
    const bool is_numeric = field.type == FieldType::Integer || field.type == FieldType::Number;
    for (Json& value : is_numeric ? Json::Array(numbers(text).items()) : Json::Array{value_of(field, text)})
      list.push(std::move(value));
    parsed_.options.set(field.name, std::move(list));
  }

  Result<std::size_t> take_common(std::size_t i, const std::optional<std::string>& value, const FieldInfo& field) {
    const std::string name(field.name);
    if (field.type == FieldType::Flag) {
      if (name == "help") parsed_.wants_help = true;
      parsed_.common.emplace_back(name, "");
      return i;
    }
    return take(i, value, name, false, [&](const std::string& text) {
      if (name == "format")
        parsed_.options.set("format", to_lower(text));
      else
        parsed_.common.emplace_back(name, text);
    });
  }

  std::unexpected<Error> unknown(const std::string& word) const {
    std::vector<std::string> names;
    for (const std::span<const FieldInfo> fields : {std::span<const FieldInfo>(info_.options), common_})
      for (const FieldInfo& field : fields) names.push_back("--" + spelled(field.name));
    for (const InputInfo& input : info_.inputs)
      if (!input.is_positional) names.push_back("--" + spelled(input.role));
    return usage("there is no option " + word + did_you_mean(word, names));
  }

  bool is_given(const WordPlace& place) const { return place.field && parsed_.options.contains(place.field->name); }

  Result<void> place_loose_words() {
    std::size_t next = 0;
    for (std::size_t p = 0; p < places_.size(); ++p) {
      const WordPlace& place = places_[p];
      if (is_given(place)) continue;
      std::size_t later = 0;  // words that places after this one must have
      for (std::size_t q = p + 1; q < places_.size(); ++q) later += places_[q].is_required && !is_given(places_[q]);
      const std::size_t left = parsed_.loose.size() - next;
      const std::size_t mine = place.is_list ? (left > later ? left - later : 0) : std::min<std::size_t>(left, 1);
      for (std::size_t i = 0; i < mine; ++i) put(place, parsed_.loose[next++]);
      if (mine == 0 && place.is_required) return usage(place.name() + " is missing");
    }
    if (next < parsed_.loose.size()) return usage("'" + parsed_.loose[next] + "' is one word too many");
    return {};
  }

  void put(const WordPlace& place, const std::string& word) {
    if (place.input)
      parsed_.files[std::string(place.input->role)].push_back(word);
    else
      set(*place.field, word);
  }

  Result<void> check() const {
    for (const InputInfo& input : info_.inputs)
      if (input.is_required && !(input.is_main && !has_main_) && !parsed_.files.contains(input.role))
        return usage("--" + spelled(input.role) + " is missing");
    if (const auto checked = operation_.check_options(parsed_.options); !checked)
      return usage("--" + spelled(checked.error().path) + ": " + checked.error().message);
    return {};
  }

  const Operation& operation_;
  const OperationInfo& info_;
  const std::vector<std::string>& words_;
  std::span<const FieldInfo> common_;
  std::span<const ShortOption> shorts_;
  std::vector<WordPlace> places_;
  bool has_main_;
  ParsedWords parsed_;
};

}  // namespace

Result<ParsedWords> parse_words(const Operation& operation, const std::vector<std::string>& words,
                                const WordsOptions& options) {
  return WordParser(operation, words, options).parse();
}

Result<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        *word += c;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (word) words.push_back(std::move(*word));
      word.reset();
    } else if (c == '#' && !word) {
      break;
    } else if (c == '"' || c == '\'') {
      quote = c;
      if (!word) word.emplace();
    } else {
      if (!word) word.emplace();
      *word += c;
    }
  }
  if (quote != 0) return fail(ErrorCode::Malformed, std::string("a quote is not closed: ") + quote);
  if (word) words.push_back(std::move(*word));
  return words;
}

std::string spelled(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

}  // namespace marrow
