// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "marrow/anvil/check.h"
#include "marrow/anvil/hierarchy.h"
#include "marrow/anvil/xml.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/ops/detect.h"
#include "rig.h"

namespace marrow::cli {
namespace {

std::vector<float> numbers_option(const Arguments& arguments, std::string_view option, std::size_t count) {
  std::vector<float> numbers;
  std::string text = arguments.get(option);
  std::ranges::replace(text, ',', ' ');
  for (std::string_view rest = trim(text); !rest.empty(); rest = trim(rest)) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const auto number = parse_float(rest.substr(0, end));
    if (!number) throw UsageError(fmt::format("{} takes {} numbers, not '{}'", option, count, arguments.get(option)));
    numbers.push_back(*number);
    rest.remove_prefix(end);
  }
  if (numbers.size() != count)
    throw UsageError(
        fmt::format("{} takes {} numbers with commas between, not '{}'", option, count, arguments.get(option)));
  return numbers;
}

Transform rest_option(const Arguments& arguments) {
  Transform rest;
  if (arguments.has("--position")) {
    const auto p = numbers_option(arguments, "--position", 3);
    rest.translation = Vec3(p[0], p[1], p[2]);
  }
  if (arguments.has("--rotation")) {
    const auto q = numbers_option(arguments, "--rotation", 4);
    rest.rotation = make_quat(q[0], q[1], q[2], q[3]);
  }
  return rest;
}

// Whether a file that is no skeleton of ours mentions a bone: strings of packfiles are bounded by what no name holds.
bool mentions(std::string_view text, std::string_view name) {
  const auto in_name = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

/// Tells which of the files given with --used-by break when a bone goes or changes.
void tell_users(const Arguments& arguments, std::uint32_t hash, const std::string& name, Outcome& outcome) {
  outcome.json["breaks"] = Json::array();
  const auto tell = [&](const Input& input, const std::string& why) {
    outcome.json["breaks"].push_back({{"path", input.path.string()}, {"why", why}});
    outcome.notes.push_back(fmt::format("{} {}", input.path.string(), why));
  };
  for (const Input& input : expand_inputs(arguments.all("--used-by"))) {
    const auto bytes = read_file(input.path);
    if (!bytes) {
      outcome.notes.push_back(error_line(input.path, bytes.error()));
      continue;
    }
    if (detect(*bytes) != Format::AnvilXml) {
      if (mentions(as_text(*bytes), name)) tell(input, "names " + name + ", which is no longer there for it");
      continue;
    }
    const auto addon = anvil::read_xml(*bytes, rig_names(arguments));
    if (!addon)
      outcome.notes.push_back(error_line(input.path, addon.error()));
    else if (const std::string use = anvil::addon_use(*addon, hash); !use.empty())
      tell(input, use);
  }
}

std::string name_of(const anvil::Skeleton& skeleton, std::uint32_t hash) {
  const auto found = std::ranges::find(skeleton.bones, hash, [](const anvil::Bone& bone) { return bone.name.hash; });
  return anvil::display_name(found == skeleton.bones.end() ? anvil::BoneName{hash, {}} : found->name);
}

int run_add_bone(const Arguments& arguments) {
  return run_edit(arguments, [&](anvil::Skeleton& skeleton, Outcome&) -> Result<anvil::EditNotes> {
    anvil::NewBone bone;
    bone.name = word_argument(arguments, "NAME", "--name");
    bone.parent = anvil::hash_of(arguments.get("--parent"));
    (arguments.has("--global") ? bone.global : bone.local) = rest_option(arguments);
    if (const auto mirror = arguments.find("--mirror"); mirror && *mirror != "self")
      bone.mirror = anvil::hash_of(*mirror);
    bone.mirroring_type = static_cast<std::int32_t>(arguments.integer("--mirroring-type").value_or(5));
    const long long priority = arguments.integer("--priority").value_or(0);
    if (priority < 0 || priority > 255) throw UsageError("--priority takes a number from 0 to 255");
    bone.solving_priority = static_cast<std::uint8_t>(priority);
    bone.id = static_cast<std::uint64_t>(arguments.integer("--id").value_or(0));
    for (const std::string& child : arguments.all("--adopt")) bone.adopt.push_back(anvil::hash_of(child));
    anvil::Skeleton base;
    if (const auto path = arguments.find("--base")) {
      auto read = read_rig(*path, arguments);
      if (!read) return std::unexpected(read.error());
      base = std::move(*read);
      bone.base = &base;
    }
    return anvil::add_bone(skeleton, bone);
  });
}

int run_remove_bone(const Arguments& arguments) {
  return run_edit(arguments, [&](anvil::Skeleton& skeleton, Outcome& outcome) {
    const std::uint32_t bone = bone_argument(arguments, "BONE", "--bone");
    tell_users(arguments, bone, name_of(skeleton, bone), outcome);
    return anvil::remove_bone(skeleton, bone, {.promote = arguments.has("--promote")});
  });
}

int run_rename(const Arguments& arguments) {
  return run_edit(arguments, [&](anvil::Skeleton& skeleton, Outcome& outcome) {
    const std::uint32_t bone = bone_argument(arguments, "BONE", "--bone");
    tell_users(arguments, bone, name_of(skeleton, bone), outcome);
    return anvil::rename_bone(skeleton, bone, word_argument(arguments, "NAME", "--name"));
  });
}

int run_reparent(const Arguments& arguments) {
  return run_edit(arguments, [&](anvil::Skeleton& skeleton, Outcome& outcome) {
    const std::uint32_t bone = bone_argument(arguments, "BONE", "--bone");
    tell_users(arguments, bone, name_of(skeleton, bone), outcome);
    return anvil::reparent_bone(skeleton, bone, bone_argument(arguments, "PARENT", "--parent"),
                                !arguments.has("--keep-local"));
  });
}

int run_mirror(const Arguments& arguments) {
  return run_edit(arguments, [&](anvil::Skeleton& skeleton, Outcome&) -> Result<anvil::EditNotes> {
    const std::uint32_t bone = bone_argument(arguments, "BONE", "--bone");
    if (arguments.has("--create")) return anvil::add_mirrored_bone(skeleton, bone, arguments.find("--as").value_or(""));
    if (arguments.has("--none")) return anvil::pair_mirrors(skeleton, bone, bone);
    std::string other = arguments.find("OTHER").value_or(arguments.find("--with").value_or(""));
    if (other.empty()) other = anvil::mirrored_name(name_of(skeleton, bone));
    if (other.empty())
      throw UsageError("the bone has no side in its name: name the other one, or --create it, or say --none");
    return anvil::pair_mirrors(skeleton, bone, anvil::hash_of(other));
  });
}

Option used_by_option() {
  return {"--used-by", "FILE", "addons, clips or folders of them: tell which would break", false, true};
}

}  // namespace

std::vector<Verb> rig_bone_verbs() {
  const Positional file{"FILE", "the skeleton"}, bone{"[BONE]", "its name, number or x2BA0BB9F"};
  const Option bone_option{"--bone", "BONE", "the same as an option"};
  const Option game{"--game", "GAME", "write for this game: its width of indices and its limit of bones"};
  const std::vector<Option> common = {rig_output_option(), rig_format_option(), game, rig_names_option()};
  const auto with = [&](std::vector<Option> options) {
    options.insert(options.end(), common.begin(), common.end());
    return options;
  };
  return {
      {.name = "add-bone",
       .summary = "add a bone as the last child of another; id, hash, links and poses are done",
       .positionals = {file, {"[NAME]", "the name of the new bone"}},
       .options = with({{"--name", "NAME", "the same as an option"},
                        {"--parent", "BONE", "the bone to hang on", true},
                        {"--position", "X,Y,Z", "rest position in metres (default: that of the parent)"},
                        {"--rotation", "X,Y,Z,W", "rest rotation as a quaternion (default: that of the parent)"},
                        {"--global", "", "position and rotation are in the world, not below the parent"},
                        {"--mirror", "BONE", "the bone on the other side; both point at each other (default: self)"},
                        {"--mirroring-type", "N", "0 none ... 5 biped to biped (default)"},
                        {"--priority", "N", "SolvingPriority, 0 to 255 (default: 0)"},
                        {"--id", "N", "the object id (default: one that is free)"},
                        {"--adopt", "BONE", "children of the parent that are to hang on the new bone", false, true},
                        {"--base", "BASE", "refuse to stand between two bones of this skeleton"}}),
       .run = run_add_bone},
      {.name = "remove-bone",
       .summary = "remove a bone; children move up, links to it are mended and told of",
       .positionals = {file, bone},
       .options = with({bone_option,
                        {"--promote", "", "of a root with several children the first becomes the root"},
                        used_by_option()}),
       .run = run_remove_bone},
      {.name = "rename",
       .summary = "give a bone another name",
       .positionals = {file, bone, {"[NAME]", "the new name"}},
       .options = with({bone_option, {"--name", "NAME", "the new name as an option"}, used_by_option()}),
       .run = run_rename},
      {.name = "reparent",
       .summary = "hang a bone on another; it stays where it is in the world",
       .positionals = {file, bone, {"[PARENT]", "the bone to hang on"}},
       .options = with({bone_option,
                        {"--parent", "BONE", "the bone to hang on, as an option"},
                        {"--keep-local", "", "keep the pose below the parent instead of the place in the world"},
                        used_by_option()}),
       .run = run_reparent},
      {.name = "mirror",
       .summary = "make two bones each other's mirror, or make the other one",
       .positionals = {file, bone, {"[OTHER]", "the other bone (default: Left and Right swapped)"}},
       .options = with({bone_option,
                        {"--with", "BONE", "the other bone as an option"},
                        {"--none", "", "the bone has no mirror"},
                        {"--create", "", "add the other bone, reflected in the plane X = 0"},
                        {"--as", "NAME", "its name, with --create"}}),
       .run = run_mirror},
  };
}

}  // namespace marrow::cli
