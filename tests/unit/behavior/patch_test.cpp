// SPDX-License-Identifier: MIT
#include "behavior/patch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "behavior/arrays.h"
#include "behavior/nodes.h"
#include "havok/object/compare.h"
#include "havok/text/xml.h"
#include "support/sample_packfile.h"

using namespace marrow;
using namespace marrow::behavior;

namespace {

using havok::ObjectId;
using havok::Packfile;

// A graph whose tables agree, with names for its nodes.
Packfile named_graph() {
  Packfile file = test::sample_behaviour(8);
  for (const ObjectId id : file.find_all("hkbBehaviorGraphData")) file.at(id).fields().reset_array("eventInfos", 3);
  name_nodes(file);
  return file;
}

std::string name_of(const Packfile& file, std::string_view class_name, std::size_t i = 0) {
  return std::string(NodeNames(file).of(file.find_all(class_name)[i]));
}

std::string object(const std::string& name, std::string_view class_name, const std::string& params) {
  return "<hkobject name=\"" + name + "\" class=\"" + std::string(class_name) + "\">\n" + params + "</hkobject>\n";
}
std::string block(const std::string& now, const std::string& before = {}) {
  return "<!-- MOD_CODE ~x~ OPEN -->\n" + now + (before.empty() ? "" : "<!-- ORIGINAL -->\n" + before) +
         "<!-- CLOSE -->\n";
}
std::string text(std::string_view value) { return "<hkcstring>" + std::string(value) + "</hkcstring>\n"; }
std::string param(std::string_view name, const std::string& value) {
  return "<hkparam name=\"" + std::string(name) + "\">" + value + "</hkparam>\n";
}

/// Mods whose texts stay where they are.
struct Mods {
  std::vector<Patch> patches = {};
  std::deque<std::string> texts = {};

  void add(std::string mod, std::vector<std::pair<std::string, std::string>> files) {
    Patch patch{std::move(mod), {}};
    for (auto& [name, content] : files) {
      const std::string& kept_name = texts.emplace_back(std::move(name));
      const std::string& kept_text = texts.emplace_back(std::move(content));
      patch.files.push_back({kept_name, kept_text});
    }
    patches.push_back(std::move(patch));
  }
};

std::map<std::string, int> count_notes(const MergeReport& report) {
  std::map<std::string, int> counts;
  for (const PatchNote& note : report.notes) ++counts[note.code];
  return counts;
}
using Counts = std::map<std::string, int>;

std::vector<std::string> texts_of(const Packfile& file, std::string_view class_name, std::string_view member) {
  std::vector<std::string> all;
  const havok::ArrayView list = file.at(file.find_all(class_name).front()).fields().array(member);
  for (std::uint32_t i = 0; i < list.size(); ++i) all.emplace_back(list.text(i).value_or("?"));
  return all;
}

std::string string_data(const Packfile& file, const std::string& events) {
  return object(name_of(file, "hkbBehaviorGraphStringData"), "hkbBehaviorGraphStringData", param("eventNames", events));
}
std::string graph_data(const Packfile& file, const std::string& added) {
  const std::string info = "<hkobject>\n" + param("flags", "0") + "</hkobject>\n";
  return object(name_of(file, "hkbBehaviorGraphData"), "hkbBehaviorGraphData",
                param("eventInfos", info + info + info + added));
}
const std::string kOneInfo = "<hkobject>\n<hkparam name=\"flags\">0</hkparam>\n</hkobject>\n";

std::string file_of(const std::string& node) { return node + ".txt"; }

}  // namespace

TEST_CASE("insertions of two mods stand in order, replacements stay, and a name comes once with its entry") {
  const Packfile base = named_graph();
  const std::string strings = file_of(name_of(base, "hkbBehaviorGraphStringData")),
                    data = file_of(name_of(base, "hkbBehaviorGraphData"));
  const std::string clip = file_of(name_of(base, "hkbClipGenerator")),
                    set = file_of(name_of(base, "hkbVariableBindingSet"));
  Mods mods;
  mods.add("p", {{strings, string_data(base, text("FootLeft") + text("FootRight") + text("") + block(text("c")))},
                 {data, graph_data(base, block(kOneInfo))}});
  mods.add("q", {{strings, string_data(base, text("FootLeft") + block(text("B"), text("FootRight")) + text("") +
                                                 block(text("c") + text("d")))},
                 {data, graph_data(base, block(kOneInfo + kOneInfo))},
                 {file_of(name_of(base, "hkbStateMachine")),
                  object(name_of(base, "hkbStateMachine"), "hkbStateMachine",
                         block(param("returnToPreviousStateEventId", "$eventID[d]$"),
                               param("returnToPreviousStateEventId", "0")) +
                             block(param("randomTransitionEventId", "$eventID[FOOTLEFT]$"),
                                   param("randomTransitionEventId", "0")))}});
  MergeReport report;
  const Packfile merged = merge_patches(base, mods.patches, report);
  CHECK(texts_of(merged, "hkbBehaviorGraphStringData", "eventNames") ==
        std::vector<std::string>{"FootLeft", "B", "", "c", "d"});
  CHECK(merged.at(merged.find_all("hkbBehaviorGraphData")[0]).fields().array("eventInfos").size() == 5);
  const havok::FieldsView machine = merged.at(merged.find_all("hkbStateMachine")[0]).fields();
  CHECK(machine.integer("returnToPreviousStateEventId") == 4);
  CHECK(machine.integer("randomTransitionEventId") == 0);
  CHECK(count_notes(report) == Counts{{"PATCH_NAME_TWICE", 1}});
  CHECK(report.changed == 3);
  CHECK(report.added == 0);
  CHECK_FALSE(report.is_broken);
}

TEST_CASE("two mods at one value conflict, also if both write the same, and the later wins") {
  const Packfile base = named_graph();
  const std::string name = name_of(base, "hkbClipGenerator");
  const auto speed = [&](const std::string& value) {
    return object(name, "hkbClipGenerator",
                  param("name", "Walk") + block(param("playbackSpeed", value), param("playbackSpeed", "1.000000")));
  };
  Mods mods;
  mods.add("p", {{file_of(name), speed("2.5")}});
  mods.add("q", {{file_of(name), speed("2.5")}});
  mods.add("r", {{file_of(name), speed("3")}});
  MergeReport report;
  const Packfile merged = merge_patches(base, mods.patches, report);
  CHECK(merged.at(NodeNames(merged).find(name)).fields().real("playbackSpeed") == 3.0);
  CHECK(count_notes(report) == Counts{{"PATCH_CONFLICT", 2}});
  CHECK(report.notes[1].mod == "r");
  CHECK(report.notes[1].where == name + " playbackSpeed");
  CHECK(report.notes[1].message == "both q (2.5) and r (3) change it; r comes later and wins");
}

TEST_CASE("elements are edited inside by the game's index, whatever others insert before them") {
  const Packfile base = named_graph();
  const std::string name = name_of(base, "hkbVariableBindingSet");
  const auto binding = [](const std::string& path, const std::string& index) {
    return "<hkobject>\n" + param("memberPath", path) + index + "</hkobject>\n";
  };
  const std::string first = binding("playbackSpeed", param("variableIndex", "0")),
                    second = binding("enable", param("variableIndex", "3"));
  Mods mods;
  mods.add("p", {{file_of(name), object(name, "hkbVariableBindingSet",
                                        param("bindings", block(binding("userData", param("variableIndex", "1"))) +
                                                              first + second))}});
  mods.add("q",
           {{file_of(name),
             object(name, "hkbVariableBindingSet",
                    param("bindings", first + binding("enable", block(param("variableIndex", "$variableID[Direction]$"),
                                                                      param("variableIndex", "3")))))}});
  MergeReport report;
  const Packfile merged = merge_patches(base, mods.patches, report);
  const havok::ArrayView bindings = merged.at(NodeNames(merged).find(name)).fields().array("bindings");
  REQUIRE(bindings.size() == 3);
  CHECK(bindings.record(0).text("memberPath") == "userData");
  CHECK(bindings.record(1).text("memberPath") == "playbackSpeed");
  CHECK(bindings.record(2).integer("variableIndex") == 1);
  CHECK(bindings.record(2).text("memberPath") == "enable");
  CHECK(report.notes.empty());
}

TEST_CASE("nodes of a mod's own get the numbers after the base, in the order of mods, and references follow") {
  const Packfile base = named_graph();
  const std::string machine = name_of(base, "hkbStateMachine");
  const NodeNames names(base);
  const std::string states =
      name_of(base, "hkbStateMachineStateInfo", 0) + " " + name_of(base, "hkbStateMachineStateInfo", 1) + "\n";
  const auto mod_files = [&](const std::string& mod) {
    return std::vector<std::pair<std::string, std::string>>{
        {file_of(machine), object(machine, "hkbStateMachine", param("states", states + block("#" + mod + "$10\n")))},
        {"#" + mod + "$10.txt",
         object("#" + mod + "$10", "hkbStateMachineStateInfo",
                param("name", mod) + param("stateId", "9") + param("generator", "#" + mod + "$2"))},
        {"#" + mod + "$2.txt", object("#" + mod + "$2", "hkbClipGenerator", param("name", mod + "Clip"))}};
  };
  Mods mods;
  mods.add("p", mod_files("p"));
  mods.add("q", mod_files("q"));
  MergeReport report;
  const Packfile merged = merge_patches(base, mods.patches, report);
  CHECK(report.notes.empty());
  CHECK(report.added == 4);
  CHECK(report.nodes == base.objects.size() + 4);
  const NodeNames after(merged);
  const std::uint64_t next = names.next_number();
  const havok::ArrayView list = merged.at(after.find(machine)).fields().array("states");
  REQUIRE(list.size() == 4);
  // By N inside a mod: 2 before 10.
  CHECK(after.number_of(list.pointer(2)) == next + 1);
  CHECK(after.number_of(list.pointer(3)) == next + 3);
  const ObjectId clip = merged.at(list.pointer(3)).fields().pointer("generator");
  CHECK(after.number_of(clip) == next + 2);
  CHECK(merged.at(clip).fields().text("name") == "qClip");
}

TEST_CASE("what a mod writes names that mod's own nodes, also after another mod has edited it inside") {
  Packfile base = test::sample_behaviour(8);
  const ObjectId added = base.add("hkbClipTriggerArray");
  append_elements(base.at(added).fields(), "triggers");
  base.at(base.find_all("hkbClipGenerator").front()).fields().set_pointer("triggers", added);
  name_nodes(base);
  const std::string name = name_of(base, "hkbClipTriggerArray");
  const auto trigger = [](const std::string& time, const std::string& payload) {
    return "<hkobject>\n" + time +
           param("event", "<hkobject>\n" + param("id", "0") + param("payload", payload) + "</hkobject>\n") +
           "</hkobject>\n";
  };
  const auto triggers = [&](const std::string& items) {
    return object(name, "hkbClipTriggerArray", param("triggers", items));
  };
  const std::string game = trigger(param("localTime", "0.0"), "null");
  const auto own = [](const std::string& mod) {
    return std::pair("#" + mod + "$0.txt", object("#" + mod + "$0", "hkbStringEventPayload", param("data", mod)));
  };
  Mods mods;
  mods.add("p", {{file_of(name), triggers(block(trigger(param("localTime", "1.0"), "#p$0"), game))}, own("p")});
  mods.add("q",
           {{file_of(name), triggers(trigger(block(param("localTime", "2.0"), param("localTime", "0.0")), "null"))},
            own("q")});
  MergeReport report;
  const Packfile merged = merge_patches(base, mods.patches, report);
  const havok::FieldsView only = merged.at(NodeNames(merged).find(name)).fields().array("triggers").record(0);
  CHECK(only.real("localTime") == 2.0);
  CHECK(merged.at(only.record("event").pointer("payload")).fields().text("data") == "p");
  CHECK(count_notes(report) == Counts{{"PATCH_CONFLICT", 1}});
}

TEST_CASE("an edit inside an element that another mod removes is lost, and the note says so") {
  const Packfile base = named_graph();
  const std::string name = name_of(base, "hkbVariableBindingSet");
  const auto bindings = [&](const std::string& first) {
    const std::string second = "<hkobject>\n" + param("memberPath", "enable") + "</hkobject>\n";
    return object(name, "hkbVariableBindingSet", param("bindings", first + second));
  };
  const auto binding = [](const std::string& index) {
    return "<hkobject>\n" + param("memberPath", "playbackSpeed") + index + "</hkobject>\n";
  };
  Mods mods;
  mods.add("p", {{file_of(name), bindings(block("\n", binding(param("variableIndex", "0"))))}});
  mods.add("q", {{file_of(name), bindings(binding(block(param("variableIndex", "1"), param("variableIndex", "0"))))}});
  MergeReport report;
  const Packfile merged = merge_patches(base, mods.patches, report);
  CHECK(merged.at(NodeNames(merged).find(name)).fields().array("bindings").size() == 1);
  REQUIRE(count_notes(report) == Counts{{"PATCH_CONFLICT", 1}});
  CHECK(report.notes[0].message == "p removes it and q edits it; it stays removed");
}

TEST_CASE("removal, and a later replacement that brings an element back") {
  const Packfile base = named_graph();
  const std::string name = name_of(base, "hkbBehaviorGraphStringData");
  Mods mods;
  mods.add("p", {{file_of(name), string_data(base, text("FootLeft") + block("\n", text("FootRight")) + text(""))}});
  MergeReport report;
  CHECK(texts_of(merge_patches(base, mods.patches, report), "hkbBehaviorGraphStringData", "eventNames") ==
        std::vector<std::string>{"FootLeft", ""});
  CHECK(count_notes(report) == Counts{{"PATCH_REMOVES_NAME", 1}, {"PATCH_TABLES_DIFFER", 1}});
  mods.add("q",
           {{file_of(name), string_data(base, text("FootLeft") + block(text("Back"), text("FootRight")) + text(""))}});
  MergeReport both;
  CHECK(texts_of(merge_patches(base, mods.patches, both), "hkbBehaviorGraphStringData", "eventNames") ==
        std::vector<std::string>{"FootLeft", "Back", ""});
  CHECK(count_notes(both) == Counts{{"PATCH_CONFLICT", 1}});
}

TEST_CASE("what does not fit is noted, and only errors keep a file from being written") {
  const Packfile base = named_graph();
  const std::string clip = name_of(base, "hkbClipGenerator");
  struct Case {
    const char* code;
    bool is_error;
    std::string file, content;
  };
  const std::array<Case, 11> cases = {{
      {"PATCH_NO_TARGET", true, "#9999.txt", object("#9999", "hkbClipGenerator", "")},
      {"PATCH_WRONG_CLASS", true, file_of(clip), object(clip, "hkbStateMachine", "")},
      {"PATCH_WRONG_CLASS", true, "#x$0.txt", object("#x$0", "hkbNothing", "")},
      {"PATCH_SYNTAX", true, file_of(clip), "<hkobject name=\"" + clip + "\" class=\"hkbClipGenerator\">"},
      {"PATCH_SYNTAX", true, file_of(clip),
       object(clip, "hkbClipGenerator", "<!-- MOD_CODE ~x~ OPEN -->\n" + param("name", "a"))},
      {"PATCH_SYNTAX", true, file_of(clip), object(clip, "hkbClipGenerator", block(param("playbackSpeed", "fast")))},
      {"PATCH_DANGLING", true, file_of(clip), object(clip, "hkbClipGenerator", block(param("triggers", "#x$7")))},
      {"PATCH_NO_FIELD", false, file_of(clip), object(clip, "hkbClipGenerator", block(param("nothing", "1")))},
      {"PATCH_UNKNOWN_NAME", false, file_of(clip),
       object(clip, "hkbClipGenerator", block(param("userData", "$eventID[none]$")))},
      {"PATCH_ORIGINAL_DIFFERS", false, file_of(clip),
       object(clip, "hkbClipGenerator", block(param("playbackSpeed", "2"), param("playbackSpeed", "7")))},
      {"PATCH_BASE_DIFFERS", false, file_of(name_of(base, "hkbBehaviorGraphStringData")),
       string_data(base, text("FootLeft"))},
  }};
  for (const Case& each : cases) {
    CAPTURE(each.code);
    CAPTURE(each.content);
    Mods mods;
    mods.add("x", {{each.file, each.content}});
    MergeReport report;
    merge_patches(base, mods.patches, report);
    CHECK(count_notes(report).contains(each.code));
    CHECK(report.is_broken == each.is_error);
  }
  Mods twice;
  twice.add("x",
            {{file_of(clip), object(clip, "hkbClipGenerator", "")},
             {"#" + std::to_string(NodeNames(base).number_of(base.find_all("hkbClipGenerator")[0])) + ".TXT", ""}});
  MergeReport report;
  merge_patches(base, twice.patches, report);
  CHECK(count_notes(report) == Counts{{"PATCH_DUPLICATE_NODE", 1}});
}

TEST_CASE("comments that are not marks mean nothing, and what is not marked is not applied") {
  const Packfile base = named_graph();
  const std::string clip = name_of(base, "hkbClipGenerator");
  Mods mods;
  mods.add("x",
           {{file_of(clip), object(clip, "hkbClipGenerator",
                                   "<!-- x SERIALIZE_IGNORED -->\n" + param("name", "Other") + param("older", "1") +
                                       block(param("flags", "6<!-- UNKNOWN BITS -->8"), param("flags", "0")))}});
  MergeReport report;
  const Packfile merged = merge_patches(base, mods.patches, report);
  const havok::FieldsView fields = merged.at(NodeNames(merged).find(clip)).fields();
  CHECK(fields.text("name") == "Walk");
  CHECK(fields.integer("flags") == 68);
  CHECK(report.notes.empty());
}

TEST_CASE("a patch that is made gives the edited file again and touches no other node") {
  const Packfile base = named_graph();
  Packfile edited = base;
  const ObjectId clip = edited.find_all("hkbClipGenerator")[0],
                 strings = edited.find_all("hkbBehaviorGraphStringData")[0],
                 machine = edited.find_all("hkbStateMachine")[0], data = edited.find_all("hkbBehaviorGraphData")[0],
                 bindings = edited.find_all("hkbVariableBindingSet")[1];
  edited.at(clip).fields().set_real("playbackSpeed", 1.0 / 3.0);
  edited.at(strings).fields().set_texts("eventNames",
                                        std::array<std::string, 4>{"FootLeft", "<Right> & left", "", "New one"});
  edited.at(data).fields().reset_array("eventInfos", 4);
  edited.at(machine).fields().set_integer("returnToPreviousStateEventId", 3);
  edited.at(bindings).fields().element("bindings", 1).set_integer("variableIndex", 0);
  const ObjectId added = edited.add("hkbStateMachineStateInfo");
  edited.at(added).set_name("#4000");
  edited.at(added).fields().set_text("name", "Added");
  edited.at(added).fields().set_pointer("generator", clip);
  std::vector<ObjectId> states;
  const havok::ArrayView list = base.at(machine).fields().array("states");
  for (std::uint32_t i = 0; i < list.size(); ++i) states.push_back(list.pointer(i));
  states.push_back(added);
  edited.at(machine).fields().set_pointers("states", states);

  const auto files = make_patch(base, edited, "mine");
  REQUIRE(files);
  CHECK(files->size() == 6);
  CHECK(std::ranges::count_if(*files, [](const PatchText& file) { return file.name == "#mine$0.txt"; }) == 1);
  const auto machine_file = std::ranges::find(*files, file_of(name_of(base, "hkbStateMachine")), &PatchText::name);
  REQUIRE(machine_file != files->end());
  CHECK(machine_file->text.find("$eventID[New one]$") != std::string::npos);
  CHECK(machine_file->text.find("#mine$0") != std::string::npos);
  Mods mods;
  std::vector<std::pair<std::string, std::string>> texts;
  for (const PatchText& file : *files) texts.emplace_back(file.name, file.text);
  mods.add("any", std::move(texts));
  MergeReport report;
  const Packfile merged = merge_patches(base, mods.patches, report);
  CHECK(report.notes.empty());
  CHECK(report.changed == 5);
  CHECK(havok::compare(merged, edited).empty());
}

TEST_CASE("a plain packfile makes a patch only while its numbers are the base's") {
  const Packfile base = named_graph();
  Packfile plain = base;
  for (havok::Object& object : plain.objects) object.set_name("");
  plain.at(plain.find_all("hkbClipGenerator")[0]).fields().set_real("playbackSpeed", 2.0);
  const auto values = make_patch(base, plain, "x");
  REQUIRE(values);
  CHECK(values->size() == 1);
  const ObjectId clip = plain.find_all("hkbClipGenerator")[0];
  plain.at(clip).fields().set_pointer("triggers", plain.add("hkbClipTriggerArray"));
  CHECK_FALSE(make_patch(base, plain, "x"));
  CHECK_FALSE(make_patch(base, base, "../x"));
}

TEST_CASE("nodes that nothing reaches are left out of a packfile, with a note") {
  const Packfile base = named_graph();
  Mods mods;
  mods.add("x", {{"#x$0.txt", object("#x$0", "hkbClipGenerator", param("name", "lost"))}});
  MergeReport report;
  Packfile merged = merge_patches(base, mods.patches, report);
  CHECK(merged.objects.size() == base.objects.size() + 1);
  drop_unreached(merged, report);
  CHECK(merged.objects.size() == base.objects.size());
  CHECK(count_notes(report) == Counts{{"PATCH_UNREACHED", 1}});
}

TEST_CASE("a patch that is cut anywhere does no harm") {
  const Packfile base = named_graph();
  const std::string name = name_of(base, "hkbBehaviorGraphStringData");
  const std::string whole =
      string_data(base, text("FootLeft") + block(text("B"), text("FootRight")) + text("") + block(text("c")));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Mods mods;
    mods.add("x", {{file_of(name), whole.substr(0, size)}});
    MergeReport report;
    merge_patches(base, mods.patches, report);
    // Only the line end after the node may be missing.
    CHECK(report.is_broken == (size + 1 < whole.size()));
  }
}

TEST_CASE("memory that a patch asks for is bounded") {
  const Packfile base = named_graph();
  const std::string clip = name_of(base, "hkbClipGenerator");
  std::string params;
  for (int i = 0; i < 2000; ++i) params += param("name", "a");
  Mods mods;
  mods.add("x", {{file_of(clip), object(clip, "hkbClipGenerator", params)}});
  MergeReport report;
  merge_patches(base, mods.patches, report);
  CHECK(report.is_broken);
  MergeReport small;
  Mods few;
  few.add("x", {{file_of(clip), object(clip, "hkbClipGenerator", block(param("name", "a")))}});
  merge_patches(base, few.patches, small, {.max_expanded_bytes = 10});
  CHECK(small.is_broken);
}
