// SPDX-License-Identifier: MIT
#include "behavior/check.h"

#include <doctest/doctest.h>

#include <functional>
#include <set>

#include "behavior/animation_guess.h"
#include "havok/animation/animation.h"
#include "havok/text/xml.h"
#include "support/behavior_sample.h"

using namespace marrow;
using havok::ObjectId;
using havok::Packfile;

namespace {

using Project = std::map<std::string, Packfile>;
constexpr const char *kBehavior = "fox/behaviors/fox.hkx", *kCharacter = "fox/characters/fox.hkx",
                     *kProject = "fox/Fox.hkx", *kRig = "fox/character assets/skeleton.hkx";

Findings findings_of(const Project& project, std::optional<Game> game = {}) {
  std::vector<std::string> names;
  Findings all;
  for (const auto& [name, file] : project) {
    names.push_back(name);
    all.append(behavior::check_file(file));
  }
  const behavior::ProjectFiles files{
      .names = names,
      .read = [&](const std::string& name) { return std::make_shared<const Packfile>(project.at(name)); },
      .head =
          [&](const std::string& name) {
            const Packfile& file = project.at(name);
            return behavior::PackfileHead{file.pointer_size, file.schema->version(),
                                          !havok::find_animations(file).empty()};
          }};
  for (const auto& [name, found] : behavior::check_projects(files, std::array<std::string, 1>{kProject}, game))
    all.append(found);
  return all;
}

std::set<std::string> codes_of(const Findings& findings) {
  std::set<std::string> codes;
  for (const Finding& finding : findings)
    if (finding.level != Level::Info) codes.insert(finding.code);
  return codes;
}

havok::Fields first(Project& project, const char* file, std::string_view class_name, std::size_t which = 0) {
  Packfile& packfile = project.at(file);
  return packfile.at(packfile.find_all(class_name).at(which)).fields();
}

}  // namespace

TEST_CASE("a sound project has no findings, in either width") {
  CHECK(findings_of(test::behavior_project(8)).empty());
  CHECK(findings_of(test::behavior_project(4)).empty());
  CHECK(codes_of(findings_of(test::behavior_project(8), Game::SkyrimLe)) == std::set<std::string>{"BHV_GAME"});
}

TEST_CASE("each way to break a project gives exactly its code") {
  struct Row {
    const char* code;
    std::function<void(Project&)> damage;
  };
  const Row rows[] = {
      {"BHV_FILE_MISSING", [](Project& p) { p.erase(kBehavior); }},
      {"BHV_FILE_MISSING", [](Project& p) { p.erase(kCharacter); }},
      {"BHV_RIG_MISSING", [](Project& p) { p.erase(kRig); }},
      {"BHV_CLASS",
       [](Project& p) {
         first(p, kCharacter, "hkbCharacterStringData").set_text("behaviorFilename", "Characters\\Fox.hkx");
       }},
      {"BHV_ANIMATION_UNKNOWN",
       [](Project& p) { first(p, kBehavior, "hkbClipGenerator").set_text("animationName", "Animations\\Idel.hkx"); }},
      {"BHV_ANIMATION_TWICE",
       [](Project& p) {
         first(p, kCharacter, "hkbCharacterStringData")
             .set_texts("animationNames", std::array<std::string, 4>{"Animations\\Idle.hkx", "Animations\\Walk.hkx",
                                                                     "Animations\\Run.hkx", "animations\\idle.HKX"});
       }},
      {"BHV_EVENT",
       [](Project& p) {
         first(p, kBehavior, "hkbStateMachineTransitionInfoArray").element("transitions", 0).set_integer("eventId", 3);
       }},
      {"BHV_VARIABLE",
       [](Project& p) {
         first(p, kBehavior, "hkbVariableBindingSet").element("bindings", 0).set_integer("variableIndex", 3);
       }},
      {"BHV_PROPERTY",
       [](Project& p) {
         first(p, kBehavior, "hkbVariableBindingSet").element("bindings", 0).set_integer("bindingType", 1);
       }},
      {"BHV_TABLE_COUNT", [](Project& p) { first(p, kBehavior, "hkbBehaviorGraphData").reset_array("eventInfos", 2); }},
      {"BHV_TABLE_VALUE",
       [](Project& p) {
         first(p, kBehavior, "hkbVariableValueSet").element("wordVariableValues", 2).set_integer("value", 1);
       }},
      {"BHV_STATE_TWICE",
       [](Project& p) {
         first(p, kBehavior, "hkbStateMachineStateInfo", 1).set_integer("stateId", 0);
         first(p, kBehavior, "hkbStateMachineTransitionInfoArray")
             .element("transitions", 0)
             .set_integer("toStateId", 0);
       }},
      {"BHV_START_STATE", [](Project& p) { first(p, kBehavior, "hkbStateMachine").set_integer("startStateId", 7); }},
      {"BHV_TRANSITION",
       [](Project& p) {
         first(p, kBehavior, "hkbStateMachineTransitionInfoArray")
             .element("transitions", 0)
             .set_integer("toStateId", 9);
       }},
      {"BHV_NO_GENERATOR",
       [](Project& p) { first(p, kBehavior, "hkbStateMachineStateInfo").set_pointer("generator", {}); }},
      {"BHV_SELECTOR",
       [](Project& p) {
         first(p, kBehavior, "hkbManualSelectorGenerator").set_pointer("variableBindingSet", {});
         first(p, kBehavior, "hkbManualSelectorGenerator").set_integer("selectedGeneratorIndex", 2);
       }},
      {"BHV_BINDING",
       [](Project& p) {
         first(p, kBehavior, "hkbVariableBindingSet")
             .element("bindings", 0)
             .set_text("memberPath", "generators:5/name");
       }},
      {"BHV_BINDING",
       [](Project& p) {
         first(p, kBehavior, "hkbVariableBindingSet")
             .element("bindings", 0)
             .set_text("memberPath", "selectedGeneratorIndex:0");
       }},
      {"BHV_EXPRESSION",
       [](Project& p) { first(p, kBehavior, "hkbExpressionCondition").set_text("expression", "iGiat == 1"); }},
      {"BHV_CYCLE",
       [](Project& p) {
         Packfile& file = p.at(kBehavior);
         first(p, kBehavior, "hkbStateMachineStateInfo").set_pointer("generator", file.find_all("hkbStateMachine")[0]);
       }},
      {"BHV_BONE",
       [](Project& p) {
         Packfile& file = p.at(kBehavior);
         const ObjectId bones = file.add("hkbBoneIndexArray");
         file.at(bones).fields().set_numbers("boneIndices",
                                             std::span<const std::int16_t>(std::array<std::int16_t, 1>{3}));
         file.at(file.find_all("hkbVariableValueSet")[0])
             .fields()
             .set_pointers("variantVariableValues", std::array{bones});
       }},
      {"BHV_GAME", [](Project& p) { p.at(kBehavior).pointer_size = 4; }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.code);
    Project project = test::behavior_project();
    row.damage(project);
    const Findings findings = findings_of(project);
    CHECK(codes_of(findings) == std::set<std::string>{row.code});
    for (const Finding& finding : findings) {
      CHECK_FALSE(finding.where.empty());
      CHECK_FALSE(finding.message.empty());
      CHECK((finding.level == Level::Info || finding.cure.has_value()));
    }
  }
}

TEST_CASE("files that the names of a project lead to are of its game and hold what they should") {
  Project project = test::behavior_project();
  const auto clip = [](std::string_view class_name, std::string_view version = havok::kVersion2010) {
    Packfile file = havok::make_packfile(*havok::builtin_schema(version), 8);
    file.root = file.add(class_name);
    return file;
  };
  for (const char* name : {"Idle", "Walk", "Run"})
    project.insert_or_assign("fox/animations/" + std::string(name) + ".hkx", clip("hkaSplineCompressedAnimation"));
  CHECK(findings_of(project).empty());
  project.insert_or_assign("fox/animations/Run.hkx", clip("hkaSkeleton"));
  CHECK(codes_of(findings_of(project)) == std::set<std::string>{"BHV_CLASS"});
  project.insert_or_assign("fox/animations/Run.hkx", clip("hkaSplineCompressedAnimation", havok::kVersion2014));
  CHECK(codes_of(findings_of(project)) == std::set<std::string>{"BHV_GAME"});
}

TEST_CASE("a cure writes what was meant, and takes no number away from what others know by it") {
  const auto cure_of = [](const Project& project) { return findings_of(project).front().cure.value(); };
  Project path = test::behavior_project();
  first(path, kBehavior, "hkbVariableBindingSet")
      .element("bindings", 0)
      .set_text("memberPath", "selectedGeneratorIndx");
  CHECK(cure_of(path).options.back() ==
        CureOption{"field", std::vector<std::string>{"bindings[0].memberPath=selectedGeneratorIndex"}});
  Project word = test::behavior_project();
  first(word, kBehavior, "hkbVariableValueSet").element("wordVariableValues", 2).set_integer("value", 1);
  CHECK(cure_of(word).options.back() == CureOption{"field", std::vector<std::string>{"wordVariableValues[2].value=0"}});
  Project twice = test::behavior_project();
  const auto list = [&](std::array<std::string, 4> names) {
    first(twice, kCharacter, "hkbCharacterStringData").set_texts("animationNames", names);
    return cure_of(twice).operation;
  };
  const std::string idle = "Animations\\Idle.hkx", walk = "Animations\\Walk.hkx", run = "Animations\\Run.hkx";
  CHECK(list({idle, walk, run, idle}) == "behavior remove");
  CHECK(list({idle, idle, walk, run}) == "behavior set");
}

TEST_CASE("behaviours that refer to each other in a circle are an endless recursion") {
  Project project = test::behavior_project();
  Packfile& file = project.at(kBehavior);
  const auto refer = [](Packfile& in, const std::string& name) {
    const ObjectId reference = in.add("hkbBehaviorReferenceGenerator");
    in.at(reference).fields().set_text("behaviorName", name);
    in.at(in.find_all("hkbStateMachineStateInfo")[0]).fields().set_pointer("generator", reference);
  };
  Packfile other = file;
  refer(file, "Behaviors\\Other.hkx");
  CHECK(codes_of(findings_of(project)) == std::set<std::string>{"BHV_FILE_MISSING"});
  project.insert_or_assign("fox/behaviors/other.hkx", other);
  CHECK(codes_of(findings_of(project)).empty());
  refer(project.at("fox/behaviors/other.hkx"), "Behaviors\\Fox.hkx");
  CHECK(codes_of(findings_of(project)) == std::set<std::string>{"BHV_CYCLE"});
}

TEST_CASE("what a wrong animation stands for is guessed by its name, not by its folder or number") {
  const std::vector<std::string> listed = {"Animations\\TurnLoopingL.HKX", "Animations\\Attack1.hkx",
                                           "Animations\\Walk.hkx"};
  behavior::AnimationGuess guess(listed);
  CHECK(guess.find("Animations\\Sub\\walk.hkx") == listed[2]);
  CHECK(guess.find("Animations\\Walk") == listed[2]);
  CHECK(guess.find("Animations\\Wlak.hkx") == listed[2]);
  CHECK(guess.find("Animations\\Attack2.hkx").empty());
  CHECK(guess.find("Animations\\AggroWarning1.HKX").empty());
  // Many wrong names in a long list: after the first ones only equal names are found.
  std::vector<std::string> many;
  for (int i = 0; i < 20'000; ++i) many.push_back("Animations\\Clip" + std::to_string(i) + "x.hkx");
  behavior::AnimationGuess bounded(many);
  for (int i = 0; i < 20'000; ++i) CHECK(bounded.find("Animations\\Other" + std::to_string(i) + ".hkx").empty());
  CHECK(bounded.find("Clip7x.hkx") == many[7]);
}

TEST_CASE("a machine of many states and a deep chain of generators are checked in time") {
  Packfile file = test::behavior_project().at(kBehavior);
  const ObjectId machine = file.find_all("hkbStateMachine").front();
  const ObjectId clip = file.find_all("hkbClipGenerator").front();
  std::vector<ObjectId> states;
  for (int i = 0; i < 100'000; ++i) {
    states.push_back(file.add("hkbStateMachineStateInfo"));
    file.at(states.back()).fields().set_integer("stateId", i);
    file.at(states.back()).fields().set_pointer("generator", clip);
  }
  ObjectId below = clip;
  for (int i = 0; i < 100'000; ++i) {
    const ObjectId wrapper = file.add("hkbModifierGenerator");
    file.at(wrapper).fields().set_pointer("generator", below);
    below = wrapper;
  }
  file.at(states.front()).fields().set_pointer("generator", below);
  file.at(machine).fields().set_pointers("states", states);
  const Findings findings = behavior::check_file(file);
  CHECK(codes_of(findings).empty());
}
