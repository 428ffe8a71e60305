// SPDX-License-Identifier: MIT
#include "command.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "marrow/core/nearest.h"
#include "marrow/core/text.h"

namespace marrow::cli {
namespace {

/// A place for words that are not options: an input or a field.
struct Place {
  const InputInfo* input = nullptr;
  const FieldInfo* field = nullptr;
  bool is_list = false, is_required = false;
  bool is_many = false;  // a list only because nothing follows it

  std::string name() const { return std::string(input ? input->placeholder : field->text.placeholder); }
};

std::vector<Place> places_of(const OperationInfo& info) {
  std::vector<Place> places;
  for (const InputInfo& input : info.inputs)
    if (input.is_positional) places.push_back({&input, nullptr, input.is_list, input.is_required});
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

class Parser {
 public:
  Parser(const Operation& operation, const std::vector<std::string>& words) : words_(words) {
    command_.operation = &operation;
    places_ = places_of(info());
    common_ = common_options(info());
  }

  Command parse() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string& word = words_[i];
      if (word == "--") {
        loose_.insert(loose_.end(), words_.begin() + static_cast<std::ptrdiff_t>(i) + 1, words_.end());
        break;
      }
      if (word.size() > 1 && word[0] == '-' && !parse_double(word))
        i = option(i);
      else
        loose_.push_back(word);
    }
    if (command_.help) return std::move(command_);
    place_loose_words();
    check();
    return std::move(command_);
  }

 private:
  const OperationInfo& info() const { return command_.operation->info; }

  // Takes the option at `i` and its values; returns the index of its last word.
  std::size_t option(std::size_t i) {
    std::string name = words_[i];
    std::optional<std::string> value;
    if (const std::size_t mark = name.find('='); name.starts_with("--") && mark != std::string::npos) {
      value = name.substr(mark + 1);
      name.resize(mark);
    } else if (!name.starts_with("--") && name.size() > 2) {  // -j4
      value = name.substr(2);
      name.resize(2);
    }
    name = long_name(name);
    if (const InputInfo* input = find_input(name)) {
      i = take(i, value, name, input->is_list || input->is_main,
               [&](const std::string& text) { command_.files[name].push_back(text); });
      return i;
    }
    if (const FieldInfo* field = find(info().options, name)) return take_field(i, value, *field);
    if (const FieldInfo* field = find(common_, name)) return take_common(i, value, *field);
    unknown(words_[i]);
  }

  // `--max-rotation-error` as `max_rotation_error`, `-o` as `output`.
  static std::string long_name(std::string name) {
    if (name == "-o") return "output";
    if (name == "-j") return "jobs";
    if (name == "-q") return "quiet";
    if (name == "-h") return "help";
    name.erase(0, name.starts_with("--") ? 2 : 1);
    std::ranges::replace(name, '-', '_');
    return name;
  }

  static const FieldInfo* find(const std::vector<FieldInfo>& fields, std::string_view name) {
    const auto found = std::ranges::find(fields, name, &FieldInfo::name);
    return found == fields.end() ? nullptr : &*found;
  }

  const InputInfo* find_input(std::string_view name) const {
    const auto found = std::ranges::find(info().inputs, name, &InputInfo::role);
    return found == info().inputs.end() || found->is_positional ? nullptr : &*found;
  }

  template <class Use>
  std::size_t take(std::size_t i, const std::optional<std::string>& value, const std::string& name, bool is_list,
                   const Use& use) {
    if (value) {
      use(*value);
      return i;
    }
    if (i + 1 >= words_.size()) throw UsageError("--" + spelled(name) + " needs a value");
    use(words_[++i]);
    // Further values follow a list, unless words without an option may be meant for something else.
    const bool may_follow =
        is_list && loose_.size() >= places_.size() &&
        std::ranges::none_of(places_, [](const Place& place) { return place.is_list && !place.is_many; });
    while (may_follow && i + 1 < words_.size() && !words_[i + 1].starts_with('-')) use(words_[++i]);
    return i;
  }

  std::size_t take_field(std::size_t i, const std::optional<std::string>& value, const FieldInfo& field) {
    if (field.type == FieldType::Flag && !field.is_optional) {
      command_.options.set(field.name, value ? value_of(field, *value) : Json(true));
      return i;
    }
    const std::string name(field.name);
    return take(i, value, name, field.is_list, [&](const std::string& text) { set(field, text); });
  }

  void set(const FieldInfo& field, const std::string& text) {
    if (!field.is_list) {
      command_.options.set(field.name, value_of(field, text));
      return;
    }
    Json list = command_.options[field.name];
    const bool is_numeric = field.type == FieldType::Integer || field.type == FieldType::Number;
    for (Json& value : is_numeric ? Json::Array(numbers(text).items()) : Json::Array{value_of(field, text)})
      list.push(std::move(value));
    command_.options.set(field.name, std::move(list));
  }

  std::size_t take_common(std::size_t i, const std::optional<std::string>& value, const FieldInfo& field) {
    if (field.type == FieldType::Flag) {
      if (field.name == "json") command_.json = true;
      if (field.name == "quiet") command_.quiet = true;
      if (field.name == "help") command_.help = true;
      if (field.name == "in_place") command_.in_place = true;
      if (field.name == "no_backup") command_.backup = false;
      if (field.name == "resume") command_.resume = true;
      if (field.name == info().output_flag) command_.flagged = true;
      return i;
    }
    const std::string name(field.name);
    return take(i, value, name, false, [&](const std::string& text) {
      if (name == "output")
        command_.output = text;
      else if (name == "names")
        command_.names = text;
      else if (name == "format")
        command_.options.set("format", to_lower(text));
      else if (name == "jobs")
        set_jobs(text);
      else if (name == "report")
        command_.report = text;
      else if (name == "shard")
        set_shard(text);
      else if (name == "max_memory")
        set_max_memory(text);
      else
        command_.extras[name] = text;
    });
  }

  void set_jobs(const std::string& text) {
    command_.jobs = parse_int(text);
    if (!command_.jobs || *command_.jobs < 1) throw UsageError("-j takes a number of threads, at least 1");
  }

  void set_shard(const std::string& text) {
    const std::size_t slash = text.find('/');
    const auto index = parse_uint(std::string_view(text).substr(0, slash));
    const auto count = slash == std::string::npos ? std::nullopt : parse_uint(std::string_view(text).substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count)
      throw UsageError("--shard takes I/N, part I of N, from 1/N to N/N");
    command_.shard = Shard{*index, *count};
  }

  void set_max_memory(const std::string& text) {
    constexpr std::string_view kUnits = "kmgt";
    std::string number = to_lower(text);
    if (number.ends_with('b')) number.pop_back();
    const std::size_t unit = number.empty() ? std::string_view::npos : kUnits.find(number.back());
    if (unit != std::string_view::npos) number.pop_back();
    const auto value = parse_double(number);
    const double bytes =
        value.value_or(0) * std::pow(1024.0, unit == std::string_view::npos ? 0.0 : static_cast<double>(unit) + 1.0);
    if (!(bytes >= 1.0) || bytes > 1e15) throw UsageError("--max-memory takes a size, for example 512M or 4G");
    command_.max_memory = static_cast<std::size_t>(bytes);
  }

  [[noreturn]] void unknown(const std::string& word) const {
    std::vector<std::string> names;
    for (const auto* fields : {&info().options, &common_})
      for (const FieldInfo& field : *fields) names.push_back("--" + spelled(field.name));
    for (const InputInfo& input : info().inputs)
      if (!input.is_positional) names.push_back("--" + spelled(input.role));
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string_view near = nearest_name(word, known);
    throw UsageError("there is no option " + word + (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
  }

  bool is_given(const Place& place) const { return place.field && command_.options.contains(place.field->name); }

  void place_loose_words() {
    std::size_t next = 0;
    for (std::size_t p = 0; p < places_.size(); ++p) {
      const Place& place = places_[p];
      if (is_given(place)) continue;
      std::size_t later = 0;  // words that places after this one must have
      for (std::size_t q = p + 1; q < places_.size(); ++q) later += places_[q].is_required && !is_given(places_[q]);
      const std::size_t left = loose_.size() - next;
      const std::size_t mine = place.is_list ? (left > later ? left - later : 0) : std::min<std::size_t>(left, 1);
      for (std::size_t i = 0; i < mine; ++i) put(place, loose_[next++]);
      if (mine == 0 && place.is_required) throw UsageError(place.name() + " is missing");
    }
    if (next < loose_.size()) throw UsageError("'" + loose_[next] + "' is one word too many");
  }

  void put(const Place& place, const std::string& word) {
    if (place.input)
      command_.files[std::string(place.input->role)].push_back(word);
    else
      set(*place.field, word);
  }

  void check() const {
    for (const InputInfo& input : info().inputs)
      if (input.is_required && !command_.files.contains(input.role))
        throw UsageError("--" + spelled(input.role) + " is missing");
    if (const auto checked = command_.operation->check_options(command_.options); !checked)
      throw UsageError("--" + spelled(checked.error().path) + ": " + checked.error().message);
    if (command_.resume && !command_.report) throw UsageError("--resume needs --report FILE, the report to go on from");
    if (command_.output && command_.in_place) throw UsageError("give -o or --in-place, not both");
    if (!info().output_flag.empty() && command_.flagged != (command_.output || command_.in_place))
      throw UsageError("--" + spelled(info().output_flag) + " and -o go together: the input stays as it is");
    if (const Json* format = command_.options.find("format"); format && !info().formats.empty()) check_format(*format);
  }

  void check_format(const Json& word) const {
    std::string known;
    for (const Format format : info().formats) {
      if (to_string(format) == word.text()) return;
      (known += known.empty() ? "" : ", ") += to_string(format);
    }
    throw UsageError("--format: there is no '" + word.text() + "'; there are " + known);
  }

  const std::vector<std::string>& words_;
  Command command_;
  std::vector<Place> places_;
  std::vector<FieldInfo> common_;
  std::vector<std::string> loose_;
};

FieldInfo flag(std::string_view name, std::string_view help) {
  return {.name = name, .type = FieldType::Flag, .text = {.help = help}};
}
FieldInfo word(std::string_view name, std::string_view placeholder, std::string_view help) {
  return {.name = name, .type = FieldType::Text, .text = {.help = help, .placeholder = placeholder}};
}

}  // namespace

std::string spelled(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

const InputInfo* main_input(const OperationInfo& info) {
  const auto found = std::ranges::find(info.inputs, true, &InputInfo::is_main);
  return found == info.inputs.end() ? nullptr : &*found;
}

std::vector<FieldInfo> common_options(const OperationInfo& info) {
  std::vector<FieldInfo> options;
  if (!info.output_flag.empty()) options.push_back(flag(info.output_flag, "write a mended copy to OUT"));
  if (info.output != OutputKind::None)
    options.push_back(word("output", "OUT", "file, or folder if there are several inputs; - writes to stdout"));
  const bool is_edit = info.output == OutputKind::Document && main_input(info);
  if (is_edit) {
    options.push_back(flag("in_place", "change the inputs themselves instead; each is kept as FILE.bak"));
    options.push_back(flag("no_backup", "with --in-place, keep no FILE.bak"));
  }
  const bool has_own_format = std::ranges::find(info.options, "format", &FieldInfo::name) != info.options.end();
  if (!info.formats.empty() && !has_own_format) {
    FieldInfo format = word("format", "FORMAT", "write this format, whatever OUT is called");
    format.type = FieldType::Choice;
    for (const Format each : info.formats) format.choices.emplace_back(to_string(each));
    options.push_back(std::move(format));
  }
  for (const ExtraOutput& extra : info.extras) options.push_back(word(extra.option, "FILE", extra.help));
  options.push_back(word("names", "FILE", "more Anvil bone names, one per line"));
  options.push_back(flag("json", "print JSON for programs"));
  options.push_back(word("jobs", "N", "work on N files at once (default: one per core)"));
  if (main_input(info)) {
    options.push_back(word("report", "FILE.jsonl", "write one line of JSON per file as it finishes"));
    options.push_back(flag("resume", "skip what the report lists as done, if neither file nor options changed"));
    options.push_back(word("shard", "I/N", "work on part I of N of the files, for several machines"));
  }
  options.push_back(word("max_memory", "SIZE", "refuse inputs that would expand beyond it (default: 2G)"));
  options.push_back(flag("quiet", "no progress, no summary; errors only"));
  options.push_back(flag("help", "this text"));
  return options;
}

Command parse_command(const Operation& operation, const std::vector<std::string>& words) {
  return Parser(operation, words).parse();
}

}  // namespace marrow::cli
