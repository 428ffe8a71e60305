// SPDX-License-Identifier: MIT
// The verbs of other tools, as people know them.
#include "alias.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "command.h"
#include "core/nearest.h"
#include "files.h"
#include "marrow/core/text.h"

namespace marrow::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::array kAliases = {
    AliasRow{"pack IN... -o OUT", "convert --format hkx; without -o, one file goes beside its input"},
    AliasRow{"unpack IN... -o OUT", "convert --format xml; without -o, one file goes beside its input"},
    AliasRow{"verify PATH...", "check"},
    AliasRow{"behaviour ...", "behavior ..."},
    AliasRow{"convert -i IN -o OUT -v AMD64|WIN32|XML|TAGXML|JSON", "convert, as hkxcmd and hkxc spell it"},
    AliasRow{"dump -o TEXT CLIP", "annotations export, as hkanno spells it; dump CLIP -o TEXT writes every object"},
    AliasRow{"update -i TEXT CLIP", "annotations import --in-place, as hkanno spells it"},
};

/// A target as hkxcmd names it.
struct TargetRow {
  std::string_view name, format, pointer_size;
};
constexpr std::array kTargets = {
    TargetRow{"AMD64", "hkx", "8"}, TargetRow{"WIN32", "hkx", "4"},         TargetRow{"DEFAULT", "hkx", ""},
    TargetRow{"XML", "xml", ""},    TargetRow{"TAGXML", "xml-tagfile", ""}, TargetRow{"JSON", "json", ""},
};

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

// Takes an option with its value out of the words; empty if it is not there.
std::string take_option(Words& words, std::initializer_list<std::string_view> names) {
  const auto found = std::ranges::find_if(
      words, [&](const std::string& word) { return std::ranges::find(names, word) != names.end(); });
  if (found == words.end()) return {};
  if (found + 1 == words.end()) throw UsageError(*found + " needs a value");
  std::string value = *(found + 1);
  words.erase(found, found + 2);
  return value;
}

void add_target(Words& words, std::string_view name) {
  std::vector<std::string_view> known;
  for (const TargetRow& row : kTargets) {
    known.push_back(row.name);
    if (!equal_ignoring_case(row.name, name)) continue;
    words.insert(words.end(), {"--format", std::string(row.format)});
    if (!row.pointer_size.empty()) words.insert(words.end(), {"--pointer-size", std::string(row.pointer_size)});
    return;
  }
  throw UsageError("-v: there is no '" + std::string(name) + "'" + did_you_mean(name, known));
}

// hkxcmd's `-i IN -o OUT -v:AMD64`, and hkxc's with blanks.
Words as_convert(Words words) {
  words[0] = "convert";
  for (std::string input = take_option(words, {"-i", "--input"}); !input.empty();
       input = take_option(words, {"-i", "--input"}))
    words.insert(words.begin() + 1, input);
  if (const std::string target = take_option(words, {"-v"}); !target.empty()) add_target(words, target);
  const auto joined =
      std::ranges::find_if(words, [](const std::string& word) { return word.starts_with("-v") && word.size() > 2; });
  if (joined != words.end()) {
    const std::string target = joined->substr((*joined)[2] == ':' || (*joined)[2] == '=' ? 3 : 2);
    words.erase(joined);
    add_target(words, target);
  }
  return words;
}

// hkxpack writes beside the input if it is told nothing else. What is there already stays.
Words as_packing(Words words, std::string_view format, std::string_view extension) {
  words = as_convert(std::move(words));
  const bool is_one_file = words.size() == 2 && !is_option(words[1]);
  if (is_one_file && !is_folder(path_of_text(words[1]))) {
    const std::filesystem::path output = path_of_text(words[1]).replace_extension(extension);
    if (path_exists(output)) throw UsageError(text_of_path(output) + " exists already; name the output with -o");
    words.insert(words.end(), {"-o", text_of_path(output)});
  }
  if (std::ranges::find(words, "--format") == words.end()) words.insert(words.end(), {"--format", std::string(format)});
  return words;
}

Words as_import(Words words) {
  const std::string text = take_option(words, {"-i", "--input"});
  if (text.empty()) throw UsageError("update takes -i TEXT and a clip, as hkanno does");
  words[0] = "import";
  words.insert(words.begin(), "annotations");
  words.push_back(text);
  const auto names_output = [](const std::string& word) {
    return word == "-o" || word.starts_with("--output") || word == "--in-place";
  };
  if (std::ranges::none_of(words, names_output)) words.push_back("--in-place");
  return words;
}

}  // namespace

std::span<const AliasRow> aliases() { return kAliases; }

std::vector<std::string> without_aliases(Words words, std::string& note) {
  if (words.empty()) return words;
  const std::string verb = words[0];
  if (verb == "verify") words[0] = "check";
  if (verb == "behaviour") words[0] = "behavior";
  if (verb == "pack") return as_packing(std::move(words), "hkx", ".hkx");
  if (verb == "unpack") return as_packing(std::move(words), "xml", ".xml");
  if (verb == "convert") return as_convert(std::move(words));
  if (verb == "update") return as_import(std::move(words));
  // hkanno has the output before the clip, people who want every object have it after the file.
  if (verb == "dump" && words.size() == 4 && words[1] == "-o" && !is_option(words[3])) {
    note = "these are the events of the clip, as hkanno's dump writes them; `dump FILE -o OUT` writes every object";
    return {"annotations", "export", words[3], "-o", words[2]};
  }
  return words;
}

}  // namespace marrow::cli
