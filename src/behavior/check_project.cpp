// SPDX-License-Identifier: MIT
// The rules across the files of a project: project -> characters -> behaviours, rigs and animations.
#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "behavior/animation_guess.h"
#include "behavior/check.h"
#include "behavior/graph.h"
#include "behavior/indices.h"
#include "behavior/names.h"
#include "behavior/project_names.h"
#include "behavior/report.h"
#include "behavior/tables.h"
#include "core/nearest.h"
#include "havok/object/game.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::ObjectId;
using havok::Packfile;

/// A file that is read, with the names of its nodes.
struct Loaded {
  std::string name;
  std::shared_ptr<const Packfile> file;
  NodeNames names;
  FileKind kind;
};

class ProjectCheck {
 public:
  ProjectCheck(const ProjectFiles& files, std::optional<Game> game) : files_(files), game_(game), names_(files.names) {}

  void run(const std::string& project_name) {
    const Loaded* project = load(project_name);
    if (!project || project->kind != FileKind::Project) return;
    names_.enter(project_name);
    clips_now_ = &clips_[project_name];
    width_ = 0;
    version_.clear();
    check_game(*project);
    const std::vector<ObjectId> strings = objects_of(*project->file, "hkbProjectStringData");
    const std::vector<std::string> characters = read_project(*project->file);
    if (characters.empty()) {
      const ObjectId id = strings.empty() ? objects_of(*project->file, "hkbProjectData").front() : strings.front();
      tell(*project, "BHV_FILE_MISSING", Level::Error, id, "characterFilenames",
           "the project names no character: the actor T-poses",
           strings.empty() ? std::nullopt : only_file_cure(*project, id, "characterFilenames[0]", FileKind::Character));
    }
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < characters.size(); ++i)
      if (seen.insert(file_key(characters[i])).second)
        follow_character(*project, strings.front(), "characterFilenames[" + std::to_string(i) + "]", characters[i]);
  }

  ProjectFindings take() { return std::move(findings_); }
  ProjectAnimations take_animations() { return std::move(animations_); }
  ProjectClips take_clips() { return std::move(clips_); }

 private:
  // Null if the file cannot be read, which its own check reports.
  const Loaded* load(const std::string& name) {
    const auto [entry, is_new] = loaded_.try_emplace(name);
    if (is_new) {
      if (std::shared_ptr<const Packfile> file = files_.read(name)) {
        NodeNames names(*file);
        const FileKind kind = kind_of(*file);
        entry->second = std::make_unique<Loaded>(Loaded{name, std::move(file), std::move(names), kind});
      }
    }
    return entry->second.get();
  }

  // Findings of a file that several projects share are kept once. Without a cure, the user chooses a value.
  void tell(const Loaded& in, std::string_view code, Level level, ObjectId id, std::string_view path,
            std::string message, std::optional<Cure> cure = {}) {
    Findings one;
    Report report(in.names, one);
    if (!cure && level != Level::Info) cure = report.set(id);
    report.add(code, level, id, path, std::move(message), std::move(cure));
    tell(in.name, std::move(one.front()));
  }
  void tell(const std::string& name, Finding finding) {
    if (told_.insert(name + '\n' + finding.code + '\n' + finding.where + '\n' + finding.message).second)
      findings_[name].push_back(std::move(finding));
  }

  void check_game(const Loaded& file) {
    if (files_.head) return check_game(file.name, files_.head(file.name));
    check_game(file.name, {file.file->pointer_size, file.file->schema->version()});
  }
  // The first binary packfile counts, which the project's is unless it is XML.
  void check_game(const std::string& name, const PackfileHead& head) {
    if (head.pointer_size == 0) return;
    if (width_ == 0) {
      width_ = head.pointer_size;
      game_from_ = name;
    }
    if (version_.empty()) version_ = head.version;
    const std::uint32_t wanted = game_ ? havok::pointer_size_of(*game_) : width_;
    const std::string_view game = to_string(game_ ? *game_ : wanted == 4 ? Game::SkyrimLe : Game::SkyrimSe);
    const std::string owner = game_ ? std::string(game) + " needs " : game_from_ + " has ";
    const std::string version = game_ ? std::string(havok::version_of(*game_)) : version_;
    std::string what;
    if (head.version != version)
      what = "version " + printable(head.version) + " of Havok, but " + owner + printable(version);
    else if (head.pointer_size != wanted)
      what = std::to_string(8 * head.pointer_size) + "-bit pointers, but " + owner + std::to_string(8 * wanted);
    else
      return;
    tell(name,
         {"BHV_GAME", Level::Error,
          "the file has " + what + ": it is a file of another game, and the character T-poses or the game crashes",
          "header", Cure{"convert", {{"to", std::string(game)}}}});
  }

  void file_missing(const Loaded& in, ObjectId id, const std::string& path, const std::string& name,
                    std::string_view effect, FileKind kind) {
    auto cure = rename_cure(in, id, path, name);
    tell(in, "BHV_FILE_MISSING", Level::Error, id, path,
         "\"" + name + "\" is not below the folder of the project: " + std::string(effect) + names_.there_is(name),
         cure ? cure : only_file_cure(in, id, path, kind));
  }

  // Names the one file below the project that holds what is wanted, if there is one.
  template <class Holds>
  std::optional<Cure> only_cure(const Loaded& in, ObjectId id, std::string_view path, Holds holds) {
    constexpr std::size_t kMostRead = 64;
    std::string only;
    std::size_t read = 0;
    for (const std::string& name : names_.packfiles()) {
      if (++read > kMostRead) return std::nullopt;
      const Loaded* file = load(name);
      if (!file || !holds(*file)) continue;
      if (!only.empty()) return std::nullopt;
      only = name;
    }
    return only.empty() ? std::nullopt : std::optional(name_cure(in, id, path, only));
  }
  std::optional<Cure> only_file_cure(const Loaded& in, ObjectId id, std::string_view path, FileKind kind) {
    return only_cure(in, id, path, [&](const Loaded& file) { return file.kind == kind; });
  }
  std::optional<Cure> only_rig_cure(const Loaded& in, ObjectId id, std::string_view path) {
    return only_cure(in, id, path, [](const Loaded& file) { return !objects_of(*file.file, "hkaSkeleton").empty(); });
  }

  // Writes the name of that file, if it lies below the project.
  std::optional<Cure> rename_cure(const Loaded& in, ObjectId id, std::string_view path, std::string_view name) const {
    const std::string nearest = names_.nearest(name);
    if (nearest.empty() || !names_.is_below(nearest)) return std::nullopt;
    return name_cure(in, id, path, nearest);
  }
  Cure name_cure(const Loaded& in, ObjectId id, std::string_view path, const std::string& file) const {
    Findings unused;
    return Report(in.names, unused).set(id, path, names_.as_named(file));
  }

  void follow_character(const Loaded& project, ObjectId id, const std::string& path, const std::string& name) {
    const auto found = names_.resolve(name);
    if (!found)
      return file_missing(project, id, path, name, "there is no character, and the actor T-poses", FileKind::Character);
    const Loaded* character = load(*found);
    if (!character) return;
    if (objects_of(*character->file, "hkbCharacterStringData").empty()) {
      tell(project, "BHV_CLASS", Level::Error, id, path,
           *found + " holds no hkbCharacterStringData: it is not a character, and the game crashes",
           only_file_cure(project, id, path, FileKind::Character));
      return;
    }
    check_game(*character);
    const Character values = read_character(*character->file);
    const ObjectId strings = character_tables_of(*character->file).strings;
    if (strings.is_null()) return no_names(*character);
    const std::optional<std::uint32_t> bones = check_rig(*character, strings, values);
    check_animation_files(*character, strings, values);
    if (bones) check_bones(*character, *bones);
    std::unordered_set<std::string> animations, properties;
    for (const std::string& each : values.animations) animations.insert(animation_key(each));
    animations_[file_key(names_.root())].insert(animations.begin(), animations.end());
    for (const Variable& each : values.properties) properties.insert(each.name);
    AnimationGuess guess(values.animations);
    const Use use{*character, values, animations, properties, bones, guess};
    follow_behaviors(use, strings);
  }

  // The names of a character are in an object of their own.
  void no_names(const Loaded& character) {
    const std::vector<ObjectId> names = objects_of(*character.file, "hkbCharacterStringData");
    const ObjectId data = character_tables_of(*character.file).data;
    Findings unused;
    const Report report(character.names, unused);
    tell(character, "BHV_CLASS", Level::Error, data, "stringData",
         "hkbCharacterData does not lead to hkbCharacterStringData: the character has no rig and no behaviour, and "
         "T-poses",
         names.size() == 1 ? report.set(data, "stringData", report.node(names.front())) : report.set(data));
  }

  std::optional<std::uint32_t> check_rig(const Loaded& character, ObjectId strings, const Character& values) {
    const auto missing = [&](std::string_view member, const std::string& message, std::optional<Cure> cure = {}) {
      tell(character, "BHV_RIG_MISSING", Level::Error, strings, member, message, std::move(cure));
    };
    const auto rig_cure = [&](std::string_view member, const std::string& name) {
      auto cure = rename_cure(character, strings, member, name);
      return cure ? cure : only_rig_cure(character, strings, member);
    };
    std::optional<std::uint32_t> bones;
    const std::string rig = values.rig.value_or("");
    const auto found = rig.empty() ? std::nullopt : names_.resolve(rig);
    if (!found) {
      missing("rigName",
              "the rig \"" + rig + "\" is not below the folder of the project: the character T-poses or " +
                  "the game crashes" + names_.there_is(rig),
              rig_cure("rigName", rig));
    } else if (const Loaded* file = load(*found)) {
      const std::vector<ObjectId> skeletons = objects_of(*file->file, "hkaSkeleton");
      if (skeletons.empty())
        missing("rigName", *found + " holds no hkaSkeleton: the character T-poses or the game crashes",
                only_rig_cure(character, strings, "rigName"));
      else
        bones = file->file->at(skeletons.front()).fields().array("bones").size();
      check_game(*file);
    }
    const auto ragdoll = values.ragdoll && !values.ragdoll->empty() ? names_.resolve(*values.ragdoll) : found;
    if (ragdoll && ragdoll != found && files_.head) check_game(*ragdoll, files_.head(*ragdoll));
    if (!ragdoll && values.ragdoll && !values.ragdoll->empty())
      missing("ragdollName",
              "the ragdoll \"" + *values.ragdoll +
                  "\" is not below the folder of the project: the game crashes when the actor dies" +
                  names_.there_is(*values.ragdoll),
              rig_cure("ragdollName", *values.ragdoll));
    return bones;
  }

  void check_animation_files(const Loaded& character, ObjectId strings, const Character& values) {
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < values.animations.size(); ++i) {
      const auto found = names_.resolve(values.animations[i]);
      if (!found) {
        missing.push_back(i);
      } else if (files_.head) {
        const PackfileHead head = files_.head(*found);
        check_game(*found, head);
        if (head.pointer_size != 0 && !head.has_animation)
          tell(character, "BHV_CLASS", Level::Error, strings, "animationNames[" + std::to_string(i) + "]",
               *found + " holds no animation: the character T-poses while it plays");
      }
    }
    if (missing.size() == values.animations.size()) return;  // they are in an archive
    for (const std::size_t i : missing)
      tell(character, "BHV_ANIMATION_MISSING", Level::Warning, strings, "animationNames[" + std::to_string(i) + "]",
           "\"" + values.animations[i] + "\" is not below the folder of the project: the character T-poses while it " +
               "plays, unless the game has it in an archive" + names_.there_is(values.animations[i]),
           rename_cure(character, strings, "animationNames[" + std::to_string(i) + "]", values.animations[i]));
  }

  // What a character gives the behaviours that it uses.
  struct Use {
    const Loaded& character;
    const Character& values;
    const std::unordered_set<std::string>& animations;
    const std::unordered_set<std::string>& properties;
    std::optional<std::uint32_t> bones;
    AnimationGuess& guess;
  };

  void follow_behaviors(const Use& use, ObjectId strings) {
    struct Named {
      const Loaded* in;
      ObjectId id;
      std::string path, name;  ///< no path: all that the file of the name leads to is done
    };
    std::vector<Named> open = {{&use.character, strings, "behaviorFilename", use.values.behavior.value_or("")}};
    std::unordered_set<std::string> seen, inside;  // all files, and those around the current one
    while (!open.empty()) {
      const Named next = std::move(open.back());
      open.pop_back();
      if (next.path.empty()) {
        inside.erase(next.name);
        continue;
      }
      const auto found = next.name.empty() ? std::nullopt : names_.resolve(next.name);
      if (!found) {
        file_missing(*next.in, next.id, next.path, next.name,
                     next.in == &use.character ? "there is no behaviour, and the actor T-poses"
                                               : "the branch is dead, and the actor T-poses in it",
                     FileKind::Behavior);
        continue;
      }
      if (inside.contains(*found))
        tell(*next.in, "BHV_CYCLE", Level::Error, next.id, next.path,
             *found + " leads to this reference, which plays it again: the game recurses without end and crashes");
      if (!seen.insert(*found).second) continue;
      const Loaded* behavior = load(*found);
      if (!behavior) continue;
      if (behavior->kind != FileKind::Behavior) {
        tell(*next.in, "BHV_CLASS", Level::Error, next.id, next.path,
             *found + " holds no hkbBehaviorGraph: it is not a behaviour, and the game crashes",
             only_file_cure(*next.in, next.id, next.path, FileKind::Behavior));
        continue;
      }
      check_game(*behavior);
      check_behavior(use, *behavior);
      inside.insert(*found);
      open.push_back({behavior, {}, {}, *found});
      for (const ObjectId id : objects_of(*behavior->file, "hkbBehaviorReferenceGenerator"))
        open.push_back({behavior, id, "behaviorName",
                        std::string(behavior->file->at(id).fields().text("behaviorName").value_or(""))});
    }
  }

  void check_behavior(const Use& use, const Loaded& behavior) {
    const Packfile& file = *behavior.file;
    for (const ObjectId id : objects_of(file, "hkbClipGenerator")) {
      const std::string name(file.at(id).fields().text("animationName").value_or(""));
      clips_now_->insert(name_of_node(file.at(id)));
      if (use.animations.contains(animation_key(name))) continue;
      const std::string_view meant = use.guess.find(name.empty() ? name_of_node(file.at(id)) : name);
      tell(behavior, "BHV_ANIMATION_UNKNOWN", Level::Error, id, "animationName",
           "clip \"" + name_of_node(file.at(id)) + "\" plays \"" + name + "\", which " + use.character.name +
               " does not list: the clip has no binding, and the character T-poses while its state is active" +
               (meant.empty() ? std::string() : "; did you mean " + std::string(meant) + "?"),
           animation_cure(use, behavior, id, name, meant));
    }
    const Tables tables = tables_of(file);
    const std::vector<std::string> properties = texts_of(file, tables.strings, "characterPropertyNames");
    for (std::size_t i = 0; i < properties.size(); ++i)
      if (!use.properties.contains(properties[i]))
        tell(behavior, "BHV_PROPERTY_NAME", Level::Warning, tables.strings,
             "characterPropertyNames[" + std::to_string(i) + "]",
             "\"" + properties[i] + "\" is not a property of " + use.character.name + ": it stays at 0",
             property_cure(behavior, tables.strings, i, properties[i], use));
    if (use.bones) check_bones(behavior, *use.bones);
  }

  // A name that is nearly one of the character's is misspelled; another one is a property that it lacks.
  static Cure property_cure(const Loaded& behavior, ObjectId strings, std::size_t i, const std::string& name,
                            const Use& use) {
    const std::vector<std::string_view> known(use.properties.begin(), use.properties.end());
    const std::string_view meant = nearest_name(name, known);
    if (meant.empty()) {
      Cure cure{"behavior add-variable", {{"file", use.character.name}, {"name", name}}};
      const std::vector<VariableType> types =
          types_of(*behavior.file, tables_of(*behavior.file).data, "characterPropertyInfos");
      if (i < types.size() && types[i] != VariableType::Invalid)
        cure.options.push_back({"type", std::string(to_string(types[i]))});
      return cure;
    }
    Findings unused;
    return Report(behavior.names, unused).set(strings, "characterPropertyNames[" + std::to_string(i) + "]", meant);
  }

  // A name that is nearly one of the list is misspelled; another one is not listed yet.
  static std::optional<Cure> animation_cure(const Use& use, const Loaded& behavior, ObjectId id,
                                            const std::string& name, std::string_view meant) {
    if (meant.empty() && name.empty()) return std::nullopt;
    if (meant.empty())
      return Cure{"behavior add-animation", {{"file", use.character.name}, {"animation", std::vector{name}}}};
    Findings unused;
    return Report(behavior.names, unused).set(id, "animationName", meant);
  }

  void check_bones(const Loaded& in, std::uint32_t bones) {
    const Packfile& file = *in.file;
    Findings unused;
    IndexTable table;
    for (std::uint32_t i = 0; i < file.objects.size(); ++i) {
      const havok::Object& object = file.objects[i];
      if (!object.type) continue;
      for_each_index(object, table, [&](const IndexUse& use) {
        if (use.kind != IndexKind::Bone || (use.value >= -1 && use.value < static_cast<std::int64_t>(bones))) return;
        tell(in, "BHV_BONE", Level::Warning, {i}, use.place.text(use.member),
             "bone " + std::to_string(use.value) + " is not one of the rig's " + std::to_string(bones) +
                 ": the wrong bone moves, or the game crashes",
             Report(in.names, unused).set({i}, use.place.text(use.member), "-1"));
      });
      if (object.type->is_a("hkbBoneWeightArray"))
        if (const std::uint32_t weights = count_of(file, {i}, "boneWeights"); weights > bones)
          tell(in, "BHV_BONE_WEIGHTS", Level::Info, {i}, "boneWeights",
               std::to_string(weights) + " weights for " + std::to_string(bones) +
                   " bones of the rig: those at the end are ignored");
    }
  }

  const ProjectFiles& files_;
  std::optional<Game> game_;
  ProjectNames names_;
  std::map<std::string, std::unique_ptr<Loaded>> loaded_;
  std::uint32_t width_ = 0;
  std::string version_;    // of Havok
  std::string game_from_;  // the file that both are from
  ProjectFindings findings_;
  ProjectAnimations animations_;
  ProjectClips clips_;
  std::set<std::string>* clips_now_ = nullptr;  // of the project that is followed
  std::unordered_set<std::string> told_;
};

}  // namespace

ProjectFindings check_projects(const ProjectFiles& files, std::span<const std::string> projects,
                               std::optional<Game> game, ProjectAnimations* animations, ProjectClips* clips) {
  if (game && family_of(*game) != GameFamily::Havok) game.reset();
  ProjectCheck check(files, game);
  for (const std::string& project : projects) check.run(project);
  if (animations) *animations = check.take_animations();
  if (clips) *clips = check.take_clips();
  return check.take();
}

bool may_be_project(std::span<const std::byte> head) {
  return as_text(head).find("hkbProject") != std::string_view::npos;
}

}  // namespace marrow::behavior
