// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <list>

#include "marrow/core/text.h"
#include "verb.h"
#include "version.h"

namespace marrow::cli {

std::optional<std::string> Arguments::find(std::string_view name) const {
  const auto found = values.find(name);
  if (found == values.end() || found->second.empty()) return std::nullopt;
  return found->second.front();
}

const std::string& Arguments::get(std::string_view name) const {
  const auto found = values.find(name);
  if (found == values.end() || found->second.empty()) throw UsageError(std::string(name) + " is missing");
  return found->second.front();
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  const auto found = values.find(name);
  return found == values.end() ? std::vector<std::string>{} : found->second;
}

std::optional<double> Arguments::number(std::string_view name) const {
  const auto text = find(name);
  if (!text) return std::nullopt;
  const auto value = parse_double(*text);
  if (!value) throw UsageError(std::string(name) + " takes a number, not '" + *text + "'");
  return value;
}

std::optional<long long> Arguments::integer(std::string_view name) const {
  const auto text = find(name);
  if (!text) return std::nullopt;
  const auto value = parse_int(*text);
  if (!value) throw UsageError(std::string(name) + " takes a whole number, not '" + *text + "'");
  return value;
}

namespace {

// Shows positionals as they are written in the verb's table: IN..., [ADDON...].
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_usage(const CLI::Option* option) const override {
    std::string name = option->get_name(true);
    if (option->get_expected_max() > 1) name += "...";
    return option->get_required() ? name : "[" + name + "]";
  }
};

// Where CLI11 writes what it parsed, until it is gathered into Arguments. The list keeps addresses stable.
struct Binding {
  std::string key;
  std::vector<std::string> values;
  bool flag = false;
  CLI::Option* option = nullptr;
};

// `-o,--output` is asked for as `-o`, `--to` as `--to`.
std::string key_of(std::string_view name) { return std::string(name.substr(0, name.find(','))); }

struct Arity {
  std::string name;
  int least, most;
};

Arity arity_of(std::string_view pattern) {
  Arity arity{std::string(pattern), 1, 1};
  if (arity.name.starts_with('[')) {
    arity.name = arity.name.substr(1, arity.name.size() - 2);
    arity.least = 0;
  }
  if (arity.name.ends_with("...")) {
    arity.name.resize(arity.name.size() - 3);
    arity.most = 1 << 20;
  }
  return arity;
}

void add_positional(CLI::App& app, const Positional& positional, std::list<Binding>& bindings) {
  const Arity arity = arity_of(positional.name);
  Binding& binding = bindings.emplace_back(arity.name);
  binding.option = app.add_option(arity.name, binding.values, std::string(positional.help));
  // Without this, CLI11 lets the first positional take all the words; at least one, so that it fills one that may be
  // left out too.
  binding.option->type_name("")->expected(std::max(arity.least, 1), arity.most)->allow_extra_args(arity.most > 1);
  if (arity.least > 0) binding.option->required();
}

void add_option(CLI::App& app, const Option& option, std::list<Binding>& bindings) {
  Binding& binding = bindings.emplace_back(key_of(option.name));
  if (option.value.empty()) {
    binding.flag = true;
    binding.option = app.add_flag(std::string(option.name))->description(std::string(option.help));
    return;
  }
  binding.option = app.add_option(std::string(option.name), binding.values, std::string(option.help));
  binding.option->type_name(std::string(option.value));
  if (option.repeats && option.one_each)
    binding.option->expected(1)->allow_extra_args(false)->take_all();
  else if (option.repeats)
    binding.option->expected(1, 1 << 20);
  else
    binding.option->expected(1)->allow_extra_args(false)->take_last();
  if (option.required) binding.option->required();
  if (option.choices.empty()) return;
  std::string known;
  for (const std::string_view choice : option.choices) known += (known.empty() ? "" : " | ") + std::string(choice);
  binding.option->description(std::string(option.help) + ": " + known);
  binding.option->check([choices = option.choices, known](const std::string& given) {
    return std::ranges::find(choices, given) != choices.end() ? std::string{} : "'" + given + "' is none of " + known;
  });
}

using Chosen = std::pair<const Verb*, std::list<Binding>*>;

void add_verb(CLI::App& parent, const Verb& verb, std::list<std::list<Binding>>& storage, Chosen& chosen) {
  CLI::App* app = parent.add_subcommand(std::string(verb.name), std::string(verb.summary));
  app->group("Verbs")->footer(std::string(verb.details));
  for (const Verb& child : verb.verbs) add_verb(*app, child, storage, chosen);
  if (!verb.verbs.empty()) {
    app->require_subcommand(1);
    return;
  }
  std::list<Binding>& bindings = storage.emplace_back();
  for (const Positional& positional : verb.positionals) add_positional(*app, positional, bindings);
  for (const Option& option : verb.options) add_option(*app, option, bindings);
  add_option(*app, {"--json", "", "print JSON for programs"}, bindings);
  add_option(*app, {"-j,--jobs", "N", "work on N files at once (default: one a core)"}, bindings);
  add_option(*app, {"-q,--quiet", "", "no progress, no summary; errors only"}, bindings);
  app->callback([&verb, &bindings, &chosen] { chosen = {&verb, &bindings}; });
}

Arguments gather(const std::list<Binding>& bindings) {
  Arguments arguments;
  for (const Binding& binding : bindings)
    if (binding.option->count() > 0) arguments.values[binding.key] = binding.values;
  return arguments;
}

}  // namespace

int run_program(const std::vector<Verb>& verbs, int argc, char** argv) {
  CLI::App app("marrow: read, check, edit, convert, simulate and write the bones of games", "marrow");
  app.set_version_flag("--version", std::string("marrow ") + kVersion);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->column_width(34);
  app.get_formatter()->label("REQUIRED", "(required)");
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.footer(
      "marrow VERB --help tells more of a verb.\n"
      "Exit: 0 done; 1 some input failed; 2 wrong usage; 3 check found something, or diff a difference.");
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && !words[0].starts_with('-') && std::ranges::find(verbs, words[0], &Verb::name) == verbs.end()) {
    // A file dragged onto the program is a question about the file.
    if (!std::filesystem::exists(words[0])) {
      std::fprintf(stderr, "marrow: there is no verb or file '%s'\nRun with --help for the verbs.\n", words[0].c_str());
      return kUsage;
    }
    words.insert(words.begin(), "info");
  }
  std::list<std::list<Binding>> storage;
  Chosen chosen{nullptr, nullptr};
  for (const Verb& verb : verbs) add_verb(app, verb, storage, chosen);
  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(words);
    return chosen.first->run(gather(*chosen.second));
  } catch (const CLI::ParseError& error) {
    // CLI11 prints help, version and what was wrong; its many exit codes become our one for wrong usage.
    return app.exit(error) == 0 ? kDone : kUsage;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "marrow: %s\nRun with --help for more information.\n", error.what());
    return kUsage;
  }
}

}  // namespace marrow::cli
