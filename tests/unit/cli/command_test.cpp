// SPDX-License-Identifier: MIT
#include "command.h"

#include <doctest/doctest.h>

#include "text.h"

using namespace marrow;
using namespace marrow::cli;

namespace {

Command parsed(const char* operation, const std::vector<std::string>& words) {
  return parse_command(*find_operation(operation), words);
}

std::string refused(const char* operation, const std::vector<std::string>& words) {
  try {
    parsed(operation, words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every operation is in the command line: in help, man page, completions, and its report has words") {
  const std::string man = man_page();
  for (const Operation& each : operations()) {
    CAPTURE(each.info.name);
    const bool has_words = find_wording(each.info.name) != nullptr;
    CHECK(has_words);
    CHECK(holds(man, "marrow " + std::string(each.info.name)));
    const std::string help = verb_help(each.info);
    for (const FieldInfo& field : each.info.options) {
      CHECK(holds(help, "--" + spelled(field.name)));
      for (const char* shell : {"bash", "zsh", "fish"}) CHECK(holds(completion(shell), spelled(field.name)));
    }
    for (const InputInfo& input : each.info.inputs) CHECK(holds(help, input.placeholder));
  }
  CHECK(completion("tcsh").empty());
}

TEST_CASE("words become files and options by their place and their name") {
  const Command command =
      parsed("compress", {"a.hkx", "b.hkx", "--max-rotation-error", "0.5", "-o", "out", "-j4", "-q"});
  CHECK(command.files.at("clip") == std::vector<std::string>{"a.hkx", "b.hkx"});
  CHECK(command.options["max_rotation_error"].number() == 0.5);
  CHECK(command.output == "out");
  CHECK(command.jobs == 4);
  CHECK(command.quiet);
  CHECK(parsed("compress", {"--effort=best", "a.hkx", "-o", "b"}).options["effort"].text() == "best");
}

TEST_CASE("a bone may be a word or an option, and lists take what follows") {
  for (const auto& words : {std::vector<std::string>{"rig.xml", "Head", "Kopf", "-o", "x"},
                            {"rig.xml", "--bone", "Head", "Kopf", "-o", "x"},
                            {"rig.xml", "--bone", "Head", "--name", "Kopf", "-o", "x"}}) {
    const Command command = parsed("rig rename", words);
    CHECK(command.options["bone"].text() == "Head");
    CHECK(command.options["name"].text() == "Kopf");
  }
  CHECK(parsed("rig copy-modifiers", {"rig.xml", "--from", "A", "--to", "B", "C", "-o", "x"}).options["to"].size() ==
        2);
  CHECK(parsed("rig set", {"rig.xml", "Mass=1", "Wind=2", "-o", "x"}).options["values"].size() == 2);
  const Command merge = parsed("rig merge", {"base.xml", "a.xml", "b.xml", "-o", "x"});
  CHECK(merge.files.at("base").size() == 1);
  CHECK(merge.files.at("addon").size() == 2);
}

TEST_CASE("numbers are lists, negative or not, and never infinite") {
  CHECK(parsed("sample", {"a.hkx", "--frames", "0,0.5,255"}).options["frames"].size() == 3);
  CHECK(parsed("simulate", {"rig.xml", "--wind", "-1,0,2.5", "-o", "x.csv"}).options["wind"].size() == 3);
  CHECK(holds(refused("simulate", {"rig.xml", "--wind", "1,2", "-o", "x.csv"}), "--wind"));
  for (const char* text : {"inf", "nan", "1e999", "-1", "much"})
    CHECK(holds(refused("compress", {"a", "--max-position-error", text, "-o", "b"}), "--max-position-error"));
}

TEST_CASE("mistakes are answered with what was meant") {
  CHECK(holds(refused("compress", {"a", "--max-rotation-eror", "1", "-o", "b"}), "--max-rotation-error"));
  CHECK(holds(refused("convert", {"a", "--to", "skyrim", "-o", "b"}), "skyrim-se"));
  CHECK(holds(refused("collision replace", {"a.nif", "-o", "b"}), "BLOB is missing"));
  CHECK(holds(refused("diff", {"a", "b", "c"}), "too many"));
  CHECK(holds(refused("retarget", {"a", "--from", "s", "-o", "b"}), "--to is missing"));
  CHECK(holds(refused("check", {"a", "-o", "b"}), "--fix"));
  CHECK(holds(refused("compress", {"a", "-o", "b", "--in-place"}), "not both"));
}

TEST_CASE("every group of verbs is explained") {
  for (const marrow::Operation& each : marrow::operations())
    if (const std::size_t space = each.info.name.find(' '); space != std::string_view::npos) {
      CAPTURE(each.info.name);
      CHECK(!marrow::cli::group_help(each.info.name.substr(0, space)).empty());
    }
}
